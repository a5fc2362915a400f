"""Openings: distinct, held out, over never, the same for everyone."""

import numpy as np
import pytest

import boardgym.games  # noqa: F401  (registers the games)
from boardgym.baselines.arena.openings import class_key, is_held_out, make_openings, random_plies
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, NotationError, OptionError
from boardgym.core.game import get_game

GAMES = ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"]


@pytest.mark.parametrize("game", GAMES)
def test_sets_are_distinct_disjoint_and_alive(game):
    held, train = (make_openings(game, name, count=60, seed=4) for name in ("heldout", "train"))
    for boards in (held, train):
        assert len(boards) > 10
        assert len({board.key for board in boards}) == len(boards)
        assert all(board.ply == 0 and not board.is_terminal for board in boards)
    assert all(is_held_out(board) for board in held)
    assert not any(is_held_out(board) for board in train)
    classes = [{class_key(b.game.token, b.row) for b in boards} for boards in (held, train)]
    assert not classes[0] & classes[1]


@pytest.mark.parametrize("game", GAMES)
def test_held_out_is_the_same_for_all_images(game):
    for board in make_openings(game, "heldout", count=8):
        for k in range(verbs.num_symmetries(board.position)):
            image = Board(game)
            image.set_position(verbs.transform(board.position, k))
            assert is_held_out(image)


def test_a_quarter_is_held_out():
    boards = [Board("Othello-v0", setup="random:6", seed=seed) for seed in range(1500)]
    assert 0.20 < np.mean([is_held_out(board) for board in boards]) < 0.30


@pytest.mark.parametrize("name", ["heldout", "train"])
def test_seed_and_prefix(name):
    first = make_openings("ConnectFour-v0", name, count=30, seed=1)
    assert make_openings("ConnectFour-v0", name, count=30, seed=1) == first
    assert make_openings("ConnectFour-v0", name, count=12, seed=1) == first[:12]
    assert make_openings("ConnectFour-v0", name, count=30, seed=2) != first


def test_number_of_random_plies():
    assert [random_plies(get_game(game)) for game in GAMES] == [(1, 2), (2, 6), (2, 6)]
    discs = {sum(mark in "xo" for mark in b.fen().split()[0]) for b in make_openings("ConnectFour-v0", count=100)}
    assert discs == {2, 3, 4, 5, 6}


def test_start_and_lists():
    assert [b.fen() for b in make_openings("Othello-v0", "start", count=9)] == [Board("Othello-v0").fen()]
    fen = "7/7/7/7/3o3/3x3 x"
    boards = make_openings("ConnectFour-v0", [fen, ["1", "2", "1"]], count=9)
    assert [board.fen() for board in boards] == [fen, "7/7/7/7/x6/xo5 o"]
    assert all(board.ply == 0 for board in boards)


def test_rule_options_hold():
    boards = make_openings(get_game("Othello-v0", size=6), count=5)
    assert all(board.game.options["size"] == 6 for board in boards)


def test_positions_that_are_over_are_left_out():
    over, going = ["1", "2", "1", "2", "1", "2", "1"], ["1", "2"]
    assert len(make_openings("ConnectFour-v0", [over, going], count=9)) == 1
    with pytest.raises(OptionError, match="no such position that is not over"):
        make_openings("ConnectFour-v0", [over], count=9)


def test_bad_input():
    with pytest.raises(OptionError, match="did you mean 'heldout'"):
        make_openings("ConnectFour-v0", "helout", count=2)
    with pytest.raises(OptionError, match="seed=-1"):
        make_openings("ConnectFour-v0", count=2, seed=-1)
    with pytest.raises(OptionError, match="count=0"):
        make_openings("ConnectFour-v0", count=0)
    with pytest.raises(NotationError):
        make_openings("ConnectFour-v0", ["nonsense"], count=2)
    with pytest.raises(IllegalActionError):
        make_openings("Othello-v0", [["a1"]], count=2)
