"""The comparison of two checkouts: of this one with itself, and of figures that are given."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.trees import Compared, main, markdown, table, usual

ROOT = Path(__file__).resolve().parents[2]
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
