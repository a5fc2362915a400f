"""Counts of move sequences against independent programs: see tests/data/reference."""

import json
from pathlib import Path

import pytest

from boardgym import Board
from boardgym.testing import perft

REFERENCE = json.loads((Path(__file__).parents[1] / "data/reference/perft.json").read_text())
DEEPEST = {"Othello-v0": {8: 9, 6: 9, 4: 12}, "ConnectFour-v0": 8, "TicTacToe-v0": 8}  # under a second each


@pytest.mark.parametrize("entry", REFERENCE["perft"], ids=lambda entry: entry["variant"].split()[0] + entry["game"])
def test_counts(entry):
    deepest = DEEPEST[entry["game"]]
    if isinstance(deepest, dict):
        deepest = deepest[entry["options"].get("size", 8)]
    board = Board(entry["game"], **entry["options"])
    assert len(entry["counts"]) > deepest
    for depth, count in enumerate(entry["counts"][: deepest + 1]):
        assert perft(board, depth) == count
    assert board.ply == 0


def test_a_pass_is_a_ply():
    board = Board("Othello-v0", f"XO{'-' * 62} O")
    assert [perft(board, depth) for depth in range(4)] == [1, 1, 1, 0]


def test_finished_games_are_dropped():
    board = Board("TicTacToe-v0", "xox/xoo/1x1 o")
    assert [perft(board, depth) for depth in range(4)] == [1, 2, 2, 0]
