"""Draws by repetition: counting, the end, and taking back."""

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, Reason
from tests.core.shuttle import ENDLESS, SHUTTLE

ROUND = ("down", "down", "up", "up")  # back to the same position, four plies later


def test_the_third_occurrence_is_a_draw():
    board = Board(SHUTTLE)
    assert board.repetitions == 1
    counts = []
    for move in ROUND + ROUND[:3]:
        board.push_move(move)
        counts.append(board.repetitions)
        assert not board.is_terminal
        assert board.reason is Reason.NOT_OVER
    assert counts == [1, 1, 1, 2, 2, 2, 2]
    board.push_move("up")
    assert board.repetitions == 3
    assert board.is_terminal
    assert board.reason is Reason.REPETITION
    assert board.legal_actions == []
    assert board.legal_moves == []
    assert not board.action_mask().any()
    assert board.returns() == [0.0, 0.0]
    assert board.estimate() == 0.0
    outcome = board.outcome()
    assert (outcome.winner, outcome.reason, outcome.returns) == (None, Reason.REPETITION, (0.0, 0.0))
    with pytest.raises(IllegalActionError, match="the game is over"):
        board.push(1)


def test_taking_back_and_going_another_way():
    board = Board(SHUTTLE)
    board.play(ROUND + ROUND)
    other = board.copy()
    assert board.pop() == 1
    assert not board.is_terminal
    assert board.outcome() is None
    assert other.is_terminal
    assert board.repetitions == 2
    assert board.legal_moves == ["up"]
    board.push_move("up")
    assert board.reason is Reason.REPETITION
    for _ in range(4):
        board.pop()
    assert board.repetitions == 2
    assert board.legal_moves == ["down", "up"]
    board.play(["up", "down", "up"])  # wins the race in place of a third round
    assert board.reason is Reason.RULES
    assert board.outcome().winner == 0
    assert board.returns() == [1.0, -1.0]
    while board.ply:
        board.pop()
    assert board.repetitions == 1
    assert board.fen() == "1 1 0 0"


def test_a_win_is_a_win_even_if_the_position_has_been_there_before():
    """The end by the rules is asked first; a finished position cannot come twice in one record, so it is set up."""
    board = Board(SHUTTLE, "1 3 0 7")
    assert board.reason is Reason.RULES
    assert board.outcome().winner == 1


def test_clocks_do_not_tell_positions_apart_and_everything_else_does():
    board = Board(SHUTTLE)
    start = board.key
    board.play(ROUND)
    assert board.key == start
    assert board.position != board.history[0]
    assert len({Board(SHUTTLE, f"{a} {b} {seat} 0").key for a in range(3) for b in range(3) for seat in (0, 1)}) == 18


def test_the_record_starts_at_the_set_up_position():
    board = Board(SHUTTLE, "1 1 0 8")
    assert board.repetitions == 1
    assert board.keys.shape == (0,)
    board.play(ROUND)
    assert board.repetitions == 2
    assert board.keys.shape == (4,)
    assert board.keys.dtype == np.int64
    assert int(board.keys[0]) % 2**64 == board.key


@pytest.mark.plain(boards=True)
def test_without_a_limit_play_goes_on_and_the_record_grows():
    board, fens = Board(ENDLESS), []
    for number in range(700):
        fens.append(board.fen())
        board.push_move(ROUND[number % 4])
    assert board.ply == 700
    assert board.repetitions == 176
    assert not board.is_terminal
    assert [ENDLESS.to_fen(position) for position in board.history[:-1]] == fens
    assert board.moves() == [ROUND[number % 4] for number in range(700)]
    twin = board.copy()
    for fen in reversed(fens):
        board.pop()
        assert board.fen() == fen
    assert twin.ply == 700
    twin.push_move("down")
    assert twin.history[:-2] == [ENDLESS.from_fen(fen) for fen in fens]
