"""The rows of the benchmark table run, one of each kind. What it measures in a hurry means nothing and is not looked at."""

import dataclasses
import functools
import io
import json
import os

import pytest
from rich.console import Console

from benchmarks.__main__ import ROWS, main, markdown, table
from benchmarks.measure import QUICK, Effort, Figure, Row, rates
from benchmarks.search import SEARCHES, peer_search


@pytest.fixture(autouse=True)
def keep_cores():
    """The benchmarks pin their process to a core; the tests after them may use all again."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cores)


def kind(name):
    """The function that makes the row: rows of the same one differ in game, size or opponent alone."""
    return getattr(ROWS[name], "func", ROWS[name])


def sample():
    """One row of each kind, of Connect Four or tic-tac-toe where there is one: the kernels of others take long to compile.

    Of a table's training, which takes longest, that of tic-tac-toe, which other tests compile too.
    Not the mixture of opponents, whose searches do: it is a batch as the others, and tests/envs plays mixtures.
    """
    chosen = {}
    order = sorted(ROWS, key=lambda it: (it != "tabular_tic_tac_toe_v0", "connect_four" not in it, "tic_tac_toe" not in it))
    for name in order:
        chosen.setdefault(kind(name), name)
    return [name for name in ROWS if name in chosen.values() and name != "batch_mixture"]


def test_rows_have_the_names_they_are_called_by():
    named = {name: row.keywords["name"] for name, row in ROWS.items() if isinstance(row, functools.partial)}
    assert len(named) > 90
    assert [name for name, told in named.items() if name != told] == []


@pytest.mark.parametrize("peer", [how.peer for how in SEARCHES.values() if how.peer])
def test_searches_have_their_peers(peer):
    assert peer_search(peer, 3)(1) == 3


@pytest.mark.parametrize("name", sample())
def test_row_runs(name):
    row = ROWS[name](QUICK)
    assert row.name == name
    assert row.ours.value > 0.0
    assert row.peer is None or row.peer.value > 0.0


def figure(value):
    return Figure("it", value, value, (value, value), 0.0, 5)


def test_targets():
    rate = Row("r", "rate", "plies/s", figure(300.0), figure(100.0), at_least_ratio=2.0)
    assert (rate.ratio, rate.is_met, rate.target) == (3.0, True, ">= 2x")
    assert dataclasses.replace(rate, at_least_ratio=4.0).is_met is False
    assert dataclasses.replace(rate, peer=None).is_met is None
    seconds = Row("s", "seconds", "s", figure(0.4), at_most=0.5)
    assert (seconds.is_met, seconds.target) == (True, "<= 0.5 s")
    assert dataclasses.replace(seconds, at_most=0.3).is_met is False


def test_several_targets():
    row = Row("r", "rate", "plies/s", figure(25e6), figure(5e6), at_least_ratio=4.0, at_least=20e6)
    assert (row.is_met, row.target) == (True, ">= 4x, >= 20 M plies/s")
    assert dataclasses.replace(row, at_least=30e6).is_met is False
    assert dataclasses.replace(row, at_least_ratio=6.0).is_met is False
    assert dataclasses.replace(row, peer=None).is_met is True  # the rate alone can be judged


def test_repeats_are_interleaved():
    calls = []

    def work(name):
        def run(n):
            calls.append(name)
            return sum(range(200 * n)) and n

        return run

    a, b = rates([("a", work("a")), ("b", work("b"))], Effort(3, 0.001))
    assert calls[-6:] == ["a", "b"] * 3
    assert (a.subject, b.subject, a.repeats) == ("a", "b", 3)
    assert a.spread[0] <= a.value <= a.spread[1]


def test_command_line(tmp_path, capsys):
    path = tmp_path / "figures.json"
    assert main(["--quick", "--json", str(path), "board_othello_v0"]) == 0
    assert "board_othello_v0" in capsys.readouterr().out
    written = json.loads(path.read_text())
    assert [row["name"] for row in written["rows"]] == ["board_othello_v0"]
    assert written["rows"][0]["peer"]["subject"] == "pyspiel State"
    assert written["versions"]["open_spiel"] != "not installed"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["board_othelo"], "board_othello_v0"), (["--json", "no/such/folder/x.json", "aec"], "no/such/folder")],
)
def test_wrong_command_lines(arguments, named):
    with pytest.raises(SystemExit, match=named):
        main(arguments)


def test_table_says_which_peer_is_not_installed():
    row = Row("r", "rate", "plies/s", figure(3.0e6), absent="Pgx", clock="wall")
    assert markdown([row]).splitlines()[-1] == "| rate | 3 M plies/s | (Pgx is not installed) |  |  |"


def test_table_says_what_is_missed():
    row = Row("r", "rate", "plies/s", figure(3.0e6), figure(2.0e6), at_least_ratio=2.0)
    assert markdown([row]).splitlines()[-1] == "| rate | 3 M plies/s (3 M) | 2 M plies/s it | 1.5x | >= 2x |"
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(table([row]))
    text = console.export_text()
    assert [wanted for wanted in ("3 M plies/s", "1.50x", "no") if wanted not in text] == []
