"""Opening trees: what was played from a position, counted by hand from the records."""

import pytest

from boardgym import Board, NotationError, get_game
from boardgym.baselines.arena import opening_tree
from boardgym.baselines.arena.opening_tree import OpeningTree
from boardgym.baselines.arena.record import record_of

WON = ["a1", "b2", "a2", "b1", "a3"]  # by the first seat
DRAWN = ["b2", "a1", "a3", "c1", "b1", "b3", "a2", "c2", "c3"]
TRANSPOSED = ["a2", "b2", "a1", "b1", "b3"]  # unfinished; the same position as WON after three moves


def record(moves, game="TicTacToe"):
    board = Board(game)
    board.play(moves)
    return record_of(board, ("a", "b"), deterministic=(True, True), seed=0, opening_plies=0, forfeit=None)


@pytest.fixture
def tree():
    counted = OpeningTree(get_game("TicTacToe"))
    counted.add_all(map(record, (WON, WON, DRAWN, TRANSPOSED)))
    return counted


def test_moves_are_counted_with_their_results(tree):
    rows = tree.moves_at(Board("TicTacToe"))
    assert [(row["move"], row["games"], row["wins"], row["draws"], row["score"]) for row in rows] == [
        ("a1", 2, [2, 0], 0, 1.0),
        ("b2", 1, [0, 0], 1, 0.5),
        ("a2", 1, [0, 0], 0, None),
    ] or next(row["move"] for row in rows) == "a1"
    after = Board("TicTacToe")
    after.play(["a1"])
    (row,) = tree.moves_at(after)
    assert (row["move"], row["score"]) == ("b2", 0.0)  # of the seat to play, which lost


def test_transpositions_meet(tree):
    board = Board("TicTacToe")
    board.play(WON[:3])
    (row,) = tree.moves_at(board)
    assert (row["move"], row["games"], row["wins"]) == ("b1", 3, [2, 0])


def test_others_are_left_out_and_positions_are_limited(tree, monkeypatch):
    tree.add(record(["4", "4"], "ConnectFour"))
    assert (tree.games, tree.others) == (4, 1)
    monkeypatch.setattr(opening_tree, "MAX_POSITIONS", len(tree.branches))
    with pytest.raises(NotationError, match="take fewer games"):
        tree.add(record(["c3", "c2"]))


def test_a_tree_goes_to_another_process_and_back(tree):
    again = OpeningTree.from_dict(tree.game, tree.to_dict())
    assert again.moves_at(Board("TicTacToe")) == tree.moves_at(Board("TicTacToe"))
    assert again.games == 4
