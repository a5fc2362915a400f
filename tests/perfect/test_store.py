"""Tables on the disk and in memory: what is too large, what Ctrl-C may not cut off."""

import os

import numpy as np
import pytest

from boardgym.baselines.perfect import store
from boardgym.baselines.perfect.bearoff import build_two_sided
from boardgym.baselines.perfect.morris_build import EndgameTables
from boardgym.baselines.perfect.store import check_memory, in_words, machine_memory, new_words, run_through
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import get_game
from boardgym.core.policy import make_policy


def test_more_than_the_machine_has_is_refused(monkeypatch, tmp_path):
    assert machine_memory() > 1 << 28
    check_memory(1 << 20, "these tables", "nothing")
    monkeypatch.setattr(store, "machine_memory", lambda: 1 << 30)
    with pytest.raises(
        OptionError, match=r"2\^28 words of Connect Four's table need 2 GiB of memory, .* 1 GiB; lower table_bits"
    ):
        make_policy("perfect:table_bits=28", "ConnectFour-v0")
    with pytest.raises(OptionError, match=r"2\^27 slots of Othello's table need 4 GiB of memory, .* lower table_bits"):
        make_policy("perfect:table_bits=27,empties=40", "Othello-v0")
    monkeypatch.setattr(store, "machine_memory", lambda: 1 << 26)
    with pytest.raises(OptionError, match=r"up to 5 men, while they are made, need .* has 64 MiB; lower the number of men"):
        EndgameTables(get_game("NineMensMorris"), tmp_path).build(5, 5)
    with pytest.raises(OptionError, match=r"two-sided table of 8 men and its file need 137\.6 MiB of memory, .* has 64 MiB"):
        build_two_sided(8, tmp_path)
    with pytest.raises(SpecError, match="expected 18 to 30"):
        make_policy("perfect:table_bits=31", "ConnectFour-v0")


def test_what_cannot_be_had_is_told(monkeypatch):
    monkeypatch.delattr(os, "sysconf", raising=False)  # a system that does not tell how much there is
    assert machine_memory() is None
    with pytest.raises(OptionError, match=r"the tables need 4,096 TiB of memory, more than can be had; lower table_bits"):
        new_words(1 << 49, "the tables", "table_bits")
    assert new_words(8, "the tables", "").tolist() == [0] * 8


@pytest.mark.parametrize(("size", "words"), [(0, "0 bytes"), (1023, "1,023 bytes"), (1536, "1.5 KiB"), (1 << 36, "64 GiB")])
def test_sizes_in_words(size, words):
    assert in_words(size) == words


def test_a_saving_ends_though_keys_are_pressed(tmp_path):
    presses = []

    def save():
        if len(presses) < 3:
            presses.append(1)
            raise KeyboardInterrupt
        store.write_table(tmp_path / "t", {"a": np.zeros(3)}, {})

    with pytest.raises(KeyboardInterrupt):
        run_through(save)
    assert store.read_table(tmp_path / "t", {})[0]["a"].tolist() == [0.0] * 3
