"""Tables of Nine Men's Morris and of Backgammon that threads build together: the same for any number of them."""

import numpy as np
import pytest

from boardgym import get_game
from boardgym.baselines.perfect.bearoff import build_two_sided
from boardgym.baselines.perfect.morris_build import EndgameTables
from boardgym.baselines.perfect.store import PART
from boardgym.cli import main
from boardgym.compile import IS_COMPILED
from boardgym.core import threads
from boardgym.core.errors import OptionError
from boardgym.core.threads import Pace

GAME = get_game("NineMensMorris")
SLIDING = get_game("NineMensMorris", flying=False, variant="twelve")


@pytest.fixture
def always(monkeypatch):
    """Passes are shared however short they are."""
    monkeypatch.setattr(threads, "SHORT_S", 0.0)
    monkeypatch.setattr(Pace, "choose", lambda pace, most: most)


def built(game, folder, num_threads):
    """(tables, layers as they were told) of 4 men against 3."""
    tables, layers = EndgameTables(game, folder, num_threads=num_threads), []
    assert tables.build(4, 3, on_layer=lambda *layer: layers.append(layer)) == [(3, 3), (4, 3)]
    return tables, layers


@pytest.mark.parametrize("game", [GAME, SLIDING], ids=["flying", "sliding"])
def test_the_same_bytes_and_layers_for_any_number_of_threads(game, tmp_path, always):
    alone, layers = built(game, tmp_path / "1", 1)
    for number in (2, 3):
        together, told = built(game, tmp_path / str(number), number)
        assert told == layers
        assert (together.values == alone.values).all()
        for pair in ((3, 3), (4, 3)):
            assert together.path(pair).read_bytes() == alone.path(pair).read_bytes()
            assert together.faults(pair) == 0


def test_faults_are_counted_alike(tmp_path, always):
    tables = built(GAME, tmp_path, 3)[0]
    table = tables.table(4, 3)
    table[np.flatnonzero(table == 0)[::1000]] = 2
    counts = []
    for number in (1, 2, 3):
        other = EndgameTables(GAME, tmp_path, num_threads=number)
        other.values, other.maps = tables.values, tables.maps
        counts.append(other.faults((4, 3)))
    assert counts[0] > 100
    assert counts == counts[:1] * 3


def test_what_one_thread_has_begun_others_end(tmp_path, always):
    """Stopped in the middle of a pass, in an even layer: what is marked by then is forgotten."""
    alone = EndgameTables(GAME, tmp_path / "whole", num_threads=1)
    alone.build(3, 3)
    tables = EndgameTables(GAME, tmp_path, num_threads=3)
    go_over, told = tables.go_over, []

    def interrupt(name, *arguments, **named):
        counts = go_over(name, *arguments, **named)
        if name == "extend" and told and told[-1][1] == 7:
            raise KeyboardInterrupt
        return counts

    tables.go_over = interrupt
    with pytest.raises(KeyboardInterrupt):
        tables.build(3, 3, on_layer=lambda *layer: told.append(layer))
    assert tables.path((3, 3)).with_suffix(PART).exists()
    again = EndgameTables(GAME, tmp_path, num_threads=1)
    again.build(3, 3)
    assert again.path((3, 3)).read_bytes() == alone.path((3, 3)).read_bytes()


def test_a_bear_off_table_for_any_number_of_threads(tmp_path, always):
    files = [build_two_sided(4, tmp_path / str(number), num_threads=number).read_bytes() for number in (1, 2, 3)]
    assert files == files[:1] * 3


@pytest.mark.skipif(not IS_COMPILED, reason="one thread builds")
@pytest.mark.parametrize(
    "build", [lambda folder: built(GAME, folder, 3), lambda folder: build_two_sided(3, folder, num_threads=3)]
)
def test_threads_are_begun(build, tmp_path, always, monkeypatch):
    monkeypatch.setattr(threads, "_IDLE", [])
    build(tmp_path)
    assert [len(crew.threads) for crew in threads._IDLE] == [2]


def test_numbers_of_threads(tmp_path, monkeypatch, capsys):
    with pytest.raises(OptionError, match="num_threads=-1: expected a whole number"):
        EndgameTables(GAME, tmp_path, num_threads=-1)
    monkeypatch.setenv("BOARDGYM_TABLES", str(tmp_path))
    for game in ("NineMensMorris", "Backgammon"):
        assert main(["tables", game, "--men", "3", "--threads", "-1"]) == 2
        assert "--threads -1: expected a whole number" in capsys.readouterr().err
    assert main(["tables", "NineMensMorris", "--men", "3", "--threads", "2", "--json"]) == 0
