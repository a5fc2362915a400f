"""Boards whose rules run as Python: the same games, and nothing is compiled for them."""

import pickle

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.core.game import list_games
from boardgym.core.random import draw, stream, uniform
from tests.support import counting_compilations


@pytest.mark.parametrize("name", list_games())
def test_both_kinds_of_boards_play_the_same_games(name):
    boards, rng = [Board(name, seed=7, compiled=compiled) for compiled in (True, False)], stream(5)
    game = boards[0].game
    assert [board.is_plain for board in boards] == [False, True]
    for _ in range(40):
        if boards[0].is_terminal:
            break
        action = boards[0].legal_actions[draw(rng, len(boards[0].legal_actions))]
        for board in boards:
            board.push(action)
        assert boards[0] == boards[1]
        assert boards[0].keys.tolist() == boards[1].keys.tolist()
        assert boards[0].legal_actions == boards[1].legal_actions
        assert boards[0].canonical() == boards[1].canonical()
        assert boards[0].estimate() == boards[1].estimate()
        for mine, theirs in zip(*(board.look(0) for board in boards), strict=True):
            assert np.array_equal(mine, theirs)
    assert boards[0].returns() == boards[1].returns()
    assert boards[0].moves() == boards[1].moves()
    views = []
    for board in boards:
        board.pop()
        view = (*board.look(), np.zeros(game.num_seats))
        views.append((board.push_and_look(action, *view), *(array.tolist() for array in view)))
    assert views[0] == views[1]
    assert boards[0].fen() == boards[1].fen()


def test_what_comes_from_a_plain_board_is_one():
    board = Board("Othello", size=6, compiled=False)
    for other in (board.copy(), pickle.loads(pickle.dumps(board))):
        other.push(other.legal_actions[0])
        assert other.is_plain
    assert not Board(get_game("Othello")).is_plain


def test_a_plain_board_compiles_nothing():
    uniform(stream(1))  # which every game's dice use, whatever its options
    with counting_compilations() as compiled:
        for name, options in (
            ("Othello", {"size": 4}),
            ("NineMensMorris", {"no_mill_limit": 77}),
            ("CardPoints", {"n_cards": 6}),
        ):
            board = Board(name, seed=1, compiled=False, **options)
            while board.ply < 4:
                board.push_move(board.legal_moves[0])
            assert Board(name, board.fen(), seed=1, compiled=False, **options).fen() == board.fen()
            assert len(board.moves()) == len(board.actions)
            assert board.outcome() is None
            board.look()
            assert str(board)
    assert compiled == []


def test_moves_of_backgammon_are_written_and_read_without_compiling():
    board = Board("Backgammon", seed=3)
    board.push(board.legal_actions[0])
    with counting_compilations() as compiled:
        moves = board.moves()
        again = Board("Backgammon", auto_roll=False, compiled=False)
        again.play(moves)
    assert again == board
    assert compiled == []
