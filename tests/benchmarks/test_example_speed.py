"""The measurement of example generation runs. What it measures in a hurry means nothing and is not looked at."""

import json

import pytest

from benchmarks import examples
from boardgym.baselines.learning.examples import ExamplesConfig, generate_examples
from boardgym.core.board import Board


def test_it_measures_both_and_says_what_is_wanted(tmp_path, capsys):
    examples.main(["--quick", "--processes", "1", "--out", str(tmp_path / "figures.json")])
    found = json.loads((tmp_path / "figures.json").read_text())
    assert min(found[name] for name in ("plain", "examples", "of_plain", "one_process", "several", "of_one")) > 0.0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[1].endswith(f"{found['of_plain']:.3f} of it, wanted 0.97")
    with pytest.raises(SystemExit, match="at least one game"):
        examples.main(["--games", "0"])


def test_plain_search_is_asked_at_the_positions_of_the_examples(tmp_path):
    config = ExamplesConfig("TicTacToe", "uct:10,solver=0,choice=max_child", start_games=2, states=0)
    columns = generate_examples(config, tmp_path / "run").load().columns
    for number, plies in enumerate(examples.recorded(config)):
        board, roots = Board("TicTacToe"), columns["root"][columns["game"] == number]
        for _, action in plies:
            assert board.key in roots
            board.push(action)
        assert board.is_terminal
