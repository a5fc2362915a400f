"""Abalone for three: turns, pushes of both opponents' marbles, and how games end. The moves: test_abalone.py."""

import numpy as np
import pytest

from boardgym import Board, Reason, get_game
from boardgym.compile import plain
from boardgym.core import verbs
from tests.games.abalone_twin import PATIENT, cells_of, marbles_of, placed


def three(*marbles, **kwargs):
    return placed(*marbles, game="Abalone3-v0", **kwargs)


def test_start_and_turns():
    board = Board("Abalone3-v0")
    assert board.fen() == "ww1bb/ww2bb/ww3bb/ww4bb/ww5bb/w6b/7/rrrrrr/rrrrr 0 0 0 b 0"
    assert len(board.legal_actions) == 40
    seats = []
    for text in ("e8e7", "e2e3", "b3c3", "e9e8"):
        seats.append(board.to_play)
        board.push_move(text)
    assert seats == [0, 1, 2, 0]
    assert board.fen() == "ww1bb/ww2bb/ww3bb/ww4bb/w1w3bb1/w6b/2r4/rr1rrr/rrrrr 0 0 0 w 4"


LINES = [  # before, after the first seat's rear marble moves on; None: it may not. W and R may be either opponent
    (".BBW.....", "..BBW...."),
    (".BBBWR...", "..BBBWR.."),
    (".BBBRW...", "..BBBRW.."),
    (".BBBWW...", "..BBBWW.."),
    (".BBWR....", None),
    (".BBBWRW..", None),
    (".BBBWRR..", None),
    (".BBBWB...", None),
    (".BW......", None),
    ("....BBBWR", ".....BBBW"),
    ("....BBBRW", ".....BBBR"),
    (".....BBBW", "......BBB"),
    ("......BBR", ".......BB"),
]


@pytest.mark.parametrize("seat", range(3))
def test_pushes_of_both_opponents(seat):
    """Along row e for each seat. A mark stands for the seat, the one after it, or the one before."""
    for before, after in LINES:
        men = [""] * 3
        for i, mark in enumerate("BWR"):
            men[(seat + i) % 3] = " ".join(f"e{k + 1}" for k in range(9) if before[k] == mark)
        board = three(*men, seat=seat)
        rear = before.index("B") + 1
        move = f"e{rear}e{rear + 1}"
        assert (move in board.legal_moves) == (after is not None), before
        if after is not None:
            board.push_move(move)
            now = cells_of(board)
            found = "".join("BWR"[(now[4, k] - seat) % 3] if (4, k) in now else "." for k in range(9))
            assert found == after
            fallen = len(before.replace(".", "")) - len(after.replace(".", ""))
            assert board.position.previous_score == fallen
            assert board.position.clock == 1 - fallen


def test_six_of_whichever_opponents_win_alone():
    board = three("e7 e8 a1", "e9 i5", "i9", scores=(5, 5, 5))
    board.push_move("e7e8")
    assert board.is_terminal
    assert board.reason is Reason.RULES
    assert board.outcome().winner == 0
    assert board.returns() == [1.0, -1.0, -1.0]
    board = three("e9 i5", "i9", "e7 e8 a1", scores=(5, 5, 5), seat=2)
    board.push_move("e7e8")
    assert board.returns() == [-1.0, -1.0, 1.0]
    five = three("e7 e8 a1", "e9 i5", "i9", scores=(4, 5, 5))
    five.push_move("e7e8")
    assert not five.is_terminal


def test_draws():
    board = three("e1 e2", "e9", "a1", clock=199)
    board.push_move("e1e2")
    assert board.is_terminal
    assert board.reason is Reason.RULES
    assert board.outcome().winner is None
    assert board.returns() == [0.0, 0.0, 0.0]
    board = Board("Abalone3-v0")
    board.play(["e8e7", "e2e3", "b3c3", "e7e8", "e3e2", "c3b3"] * 2)
    assert board.reason is Reason.REPETITION


@pytest.mark.plain(boards=True)
def test_who_cannot_move_passes():
    """A marble in a corner shut in by three, none of which it can push."""
    board = three("a1", "a2 b1", "b2 i9")
    assert board.legal_moves == ["pass"]
    assert board.legal_actions == [board.game.num_actions - 1] == [1272]
    board.push_move("--")
    assert board.to_play == 1
    assert board.position.clock == 1
    assert marbles_of(board) == ("a1", "a2 b1", "b2 i9")
    drawn = three("a1", "a2 b1", "b2 i9", **PATIENT)
    assert drawn.game.num_actions == 1272
    assert drawn.is_terminal
    assert drawn.returns() == [0.0, 0.0, 0.0]


def test_observations_of_each_seat():
    """The observer's own planes come first, then those of the seats after it, whoever is to play."""
    board = three("a1", "e5", "i9", seat=1, scores=(1, 2, 3), clock=9)
    places = {0: [8, 0], 1: [4, 4], 2: [0, 8]}
    for seat in range(3):
        planes = np.moveaxis(board.observation(seat), 2, 0)
        order = [(seat + i) % 3 for i in range(3)]
        assert [np.argwhere(planes[i]).tolist() for i in range(3)] == [[places[s]] for s in order]
        assert planes[3].sum() == 61
        values = [np.unique(plane).tolist() for plane in planes[4:]]
        assert values == [[s + 1] for s in order] + [[9], [seat == 1], [seat == 0], [seat], [1]]


def test_the_heuristic_compares_with_the_others_mean():
    position = three("e5 e6 d5", "a1 a2 a3", "i5 i6 i7", scores=(1, 0, 0)).position
    value = plain(verbs.find_rule("heuristic", type(position)))
    values = [value(position, seat) for seat in range(3)]
    assert values[0] > 0 > values[1] == values[2]
    assert len(get_game("Abalone3-v0").setups) == 1
    for k in range(3):
        turned = position._replace(seat=k)
        assert value(turned, k) == values[0]
        assert value(turned, (k + 1) % 3) == values[1]
