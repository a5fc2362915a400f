"""The comparison of two checkouts: of this one with itself, and of figures that are given."""

import io
import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.trees import Compared, main, markdown, table, usual

ROOT = Path(__file__).resolve().parents[2]
OTHER = """
from types import SimpleNamespace

PLAIN_WIDTH = 160


def fails(effort):
    raise ValueError("no such board")


def runs(effort):
    return SimpleNamespace(ours=SimpleNamespace(value=2.0), unit="sequences/s")


ROWS = {"board_tic_tac_toe_v0": fails, "perft_tic_tac_toe_v0": runs}
"""
SLOWER = Compared("uct_othello_v0", "simulations/s", 90e3, 100e3, 0.9, (0.85, 1.1))


def test_a_checkout_is_as_fast_as_itself(tmp_path, capsys):
    path = tmp_path / "rows.json"
    names = ["board_tic_tac_toe_v0", "perft_tic_tac_toe_v0"]
    settings = ["--repeats", "2", "--repeat-s", "0.02", "--at-least", "0.01", "--json", str(path)]
    assert main([str(ROOT), *names, *settings]) == 0
    assert "perft_tic_tac_toe_v0" in capsys.readouterr().out
    rows = json.loads(path.read_text())
    assert [row["name"] for row in rows] == names
    assert [row["unit"] for row in rows] == ["plies/s", "sequences/s"]
    assert all(row["spread"][0] <= row["ratio"] <= row["spread"][1] for row in rows)


def test_a_row_that_fails_stops_no_other(tmp_path, capfd):
    """In the other checkout one row raises an error."""
    folder, path = tmp_path / "benchmarks", tmp_path / "rows.json"
    folder.mkdir()
    for name in ("__init__.py", "measure.py"):
        shutil.copy(ROOT / "benchmarks" / name, folder)
    (folder / "__main__.py").write_text(OTHER)
    names = ["board_tic_tac_toe_v0", "perft_tic_tac_toe_v0"]
    settings = ["--repeats", "1", "--repeat-s", "0.02", "--at-least", "0.01", "--json", str(path)]
    assert main([str(tmp_path), *names, *settings]) == 1
    said = capfd.readouterr()
    assert "perft_tic_tac_toe_v0" in said.out
    assert "ValueError: no such board" in said.err
    assert "not run, for the errors above: board_tic_tac_toe_v0" in said.err
    assert [(row["name"], row["there"]) for row in json.loads(path.read_text())] == [("perft_tic_tac_toe_v0", 2.0)]


def test_what_is_slower_is_marked():
    console = Console(width=160, file=io.StringIO(), force_terminal=True)
    console.print(table([SLOWER], at_least=0.97))
    assert "\x1b[1;31m0.90" in console.file.getvalue()
    assert markdown([SLOWER]).splitlines()[-1] == "| uct_othello_v0 | 90 k simulations/s | 100 k | 0.90 | 0.85 to 1.10 |"


def test_a_folder_without_benchmarks_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="checkout of boardgym"):
        main([str(tmp_path)])


def test_a_row_that_nobody_has_is_named():
    with pytest.raises(SystemExit, match="board_connect_four_v0"):
        main([str(ROOT), "board_connect_five_v0"])


def test_the_usual_rows_have_each_kind():
    starts = {name.partition("_")[0] for name in usual()}
    assert {"aec", "gym", "batch", "step", "board", "observe", "uct", "minimax", "perft", "tabular", "td"} <= starts
