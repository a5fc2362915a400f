"""Tables on the disk and in memory: what is too large, what Ctrl-C may not cut off."""

import dataclasses
import os

import numpy as np
import pytest

from boardgym.baselines import memory
from boardgym.baselines.memory import check_memory, in_words, machine_memory, new_words
from boardgym.baselines.perfect import store
from boardgym.baselines.perfect.bearoff import build_two_sided
from boardgym.baselines.perfect.morris_build import EndgameTables
from boardgym.baselines.perfect.store import run_through
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy


def test_more_than_the_machine_has_is_refused(monkeypatch, tmp_path):
    assert machine_memory() > 1 << 28
    check_memory(1 << 20, "these tables", "nothing")
    monkeypatch.setattr(memory, "machine_memory", lambda: 1 << 30)
    with pytest.raises(
        OptionError, match=r"2\^28 words of Connect Four's table need 2 GiB of memory, .* 1 GiB; lower table_bits"
    ):
        make_policy("perfect:table_bits=28", "ConnectFour-v0")
    with pytest.raises(OptionError, match=r"2\^27 slots of Othello's table need 4 GiB of memory, .* lower table_bits"):
        make_policy("perfect:table_bits=27,empties=40", "Othello-v0")
    monkeypatch.setattr(memory, "machine_memory", lambda: 1 << 26)
    with pytest.raises(OptionError, match=r"up to 5 men, while they are made, need .* has 64 MiB; lower the number of men"):
        EndgameTables(get_game("NineMensMorris"), tmp_path).build(5, 5)
    with pytest.raises(OptionError, match=r"two-sided table of 8 men and its file need 137\.6 MiB of memory, .* has 64 MiB"):
        build_two_sided(8, tmp_path)
    with pytest.raises(SpecError, match="expected 18 to 30"):
        make_policy("perfect:table_bits=31", "ConnectFour-v0")


def test_what_cannot_be_had_is_told(monkeypatch):
    monkeypatch.setattr(memory, "MEMORY_LIMITS", ())
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
        store.TABLES.write(tmp_path / "t", {"a": np.zeros(3)}, {})

    with pytest.raises(KeyboardInterrupt):
        run_through(save)
    assert store.TABLES.read(tmp_path / "t", {})[0]["a"].tolist() == [0.0] * 3


def test_the_container_may_have_less_than_the_machine(monkeypatch, tmp_path):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "MEMORY_LIMITS", (limit, tmp_path / "none"))
    machine = machine_memory()
    for text, found in (("max\n", machine), (f"{1 << 26}\n", 1 << 26), (f"{1 << 60}\n", machine), ("", machine)):
        limit.write_text(text)
        assert machine_memory() == found
    limit.write_text(f"{1 << 26}\n")
    with pytest.raises(OptionError, match="has 64 MiB"):
        check_memory(1 << 27, "these tables", "nothing")


def test_a_table_is_on_the_disk_before_it_has_its_name(monkeypatch, tmp_path):
    """Else the name could be that of an empty file after a loss of power."""
    done, path = [], tmp_path / "t"
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: (done.append(("sync", os.fstat(file).st_size)), sync(file)))
    monkeypatch.setattr(os, "replace", lambda *names: (done.append(("replace", names[1])), replace(*names)))
    store.TABLES.write(path, {"a": np.zeros(3)}, {})
    assert done == [("sync", path.stat().st_size), ("replace", path)]


def test_a_header_that_was_changed_is_refused(tmp_path):
    for name, words in (("t.safetensors", "delete it and build it again"), ("t.unfinished", "the work in it is lost")):
        path = tmp_path / name
        store.TABLES.write(path, {"a": np.zeros(3)}, {"layer": 5})
        assert store.TABLES.read_header(path, {})["layer"] == 5
        path.write_bytes(path.read_bytes().replace(rb'"layer\": 5', rb'"layer\": 6'))
        with pytest.raises(store.TableError, match=rf"the header has digest .*{words}"):
            store.TABLES.read_header(path, {})


def test_arrays_that_do_not_fit_are_refused(tmp_path):
    arrays = {"a": np.zeros(3)}
    assert store.TABLES.array_of(tmp_path, arrays, "a", np.float64, (3,)) is arrays["a"]
    for name, dtype, shape, words in (
        ("b", np.float64, (3,), "b is not there"),
        ("a", np.int8, (3,), r"float64 \(3,\), expected int8"),
        ("a", np.float64, (1, 3), r"expected float64 \(1, 3\)"),
    ):
        with pytest.raises(store.TableError, match=words):
            store.TABLES.array_of(tmp_path, arrays, name, dtype, shape)


def test_a_table_of_an_older_format_is_as_good_as_none(tmp_path):
    path = tmp_path / "t"
    assert not store.TABLES.is_there(path)
    older = dataclasses.replace(store.TABLES, version=store.TABLES.version - 1)
    older.write(path, {"a": np.zeros(3)}, {})
    assert older.is_there(path)
    assert not store.TABLES.is_there(path)
    with pytest.raises(store.TableError, match="version is 1, expected 2"):
        store.TABLES.read(path, {})
    store.TABLES.write(path, {"a": np.zeros(3)}, {})
    assert store.TABLES.is_there(path)
    path.write_bytes(b"of a stranger")  # is refused by who reads it, not written over
    assert store.TABLES.is_there(path)
