"""Tic-tac-toe on drawn boards."""

import itertools

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, NotationError, OptionError, Reason, get_game
from tests.support import drawn

CELLS = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")  # action -> move, as drawn from the top
LINES = ("a3 b3 c3", "a2 b2 c2", "a1 b1 c1", "a3 a2 a1", "b3 b2 b1", "c3 c2 c1", "a3 b2 c1", "c3 b2 a1")


def board_with(x: str, o: str, side: str) -> Board:
    """A board with marks on the named cells."""
    marks = "".join("x" if cell in x.split() else "o" if cell in o.split() else "." for cell in CELLS)
    return Board("TicTacToe-v0", f"{marks[:3]}/{marks[3:6]}/{marks[6:]} {side}")


def free_pairs(line: str, count: int):
    """Some cells off a line that form no line themselves."""
    others = [cell for cell in CELLS if cell not in line.split()]
    for cells in itertools.combinations(others, count):
        if not any(set(other.split()) <= set(cells) for other in LINES):
            return " ".join(cells)
    raise AssertionError(line)


def test_start():
    board = Board("TicTacToe-v0")
    assert board.fen() == "3/3/3 x"
    assert (board.to_play, board.ply, board.is_terminal, board.outcome()) == (0, 0, False, None)
    assert board.legal_actions == list(range(9))
    assert board.legal_moves == list(CELLS)
    assert board.returns() == [0.0, 0.0]
    assert board.action_mask().tolist() == [1] * 9


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("winner", [0, 1])
def test_every_line_wins_for_both_seats(line, winner):
    other = free_pairs(line, 2 + winner)
    board = board_with(line, other, "o") if winner == 0 else board_with(other, line, "x")
    assert board.is_terminal
    assert board.legal_actions == []
    assert board.reason is Reason.RULES
    assert board.outcome().winner == winner
    assert board.returns() == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])
    assert not board.action_mask().any()


def test_no_other_three_cells_win():
    """Neighbouring numbers run from one row into the next: they are no lines."""
    lines = {frozenset(line.split()) for line in LINES}
    for cells in itertools.combinations(CELLS, 3):
        if frozenset(cells) not in lines:
            assert not board_with(" ".join(cells), free_pairs(" ".join(cells), 2), "o").is_terminal


def test_the_last_mark_may_win():
    board = Board(
        "TicTacToe-v0",
        drawn(
            """
        x x .
        o o x
        x o o
    """,
            "x",
        ),
    )
    board.push_move("c3")
    assert board.is_terminal
    assert board.outcome().winner == 0


def test_full_board_is_a_draw():
    board = Board(
        "TicTacToe-v0",
        drawn(
            """
        x o x
        x o o
        o x .
    """,
            "x",
        ),
    )
    assert not board.is_terminal
    board.push_move("c1")
    assert board.is_terminal
    assert board.outcome().winner is None
    assert board.outcome().returns == (0.0, 0.0)
    assert board.reason is Reason.RULES


def test_observation_shows_own_marks_first():
    board = Board(
        "TicTacToe-v0",
        drawn(
            """
        x . .
        . o .
        . . x
    """,
            "o",
        ),
    )
    mine, theirs, to_play, ones = np.moveaxis(board.observation(), 2, 0)
    assert mine.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert theirs.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert to_play.all()
    assert ones.all()
    mine, theirs, to_play, ones = np.moveaxis(board.observation(0), 2, 0)
    assert mine.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert theirs.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert not to_play.any()
    assert ones.all()


def test_moves_both_ways():
    board = Board("TicTacToe-v0")
    for action, move in enumerate(CELLS):
        assert board.move_text(action) == move
        assert board.action_of(move) == board.action_of(f" {move.upper()} ") == action


@pytest.mark.parametrize(
    "text", ["", "a", "1", "a0", "a4", "d1", "a11", "a01", "aa1", "a1b1", "1a", "a-1", "pass", "a\uff11", "\u04301"]
)
def test_unreadable_moves(text):
    with pytest.raises(NotationError, match="expected a1 to c3"):
        Board("TicTacToe-v0").action_of(text)


@pytest.mark.parametrize("move", [3, None, b"a1", ["a1"]])
def test_moves_are_text(move):
    with pytest.raises(NotationError, match="expected a move as text"):
        Board("TicTacToe-v0").push_move(move)


def test_an_occupied_cell_is_illegal_and_changes_nothing():
    board = Board("TicTacToe-v0")
    board.push_move("b2")
    with pytest.raises(IllegalActionError, match=r"'b2' is illegal .*'3/1x1/3 o'.*a3 b3"):
        board.push_move("b2")
    with pytest.raises(IllegalActionError, match=r"action 4 \(b2\) is illegal .* 8 actions are legal"):
        board.push(4)
    assert board.moves() == ["b2"]
    assert board.fen() == "3/1x1/3 o"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the pieces and the side to play"),
        ("3/3/3", "expected the pieces and the side to play"),
        ("3/3/3 x x", "expected the pieces and the side to play"),
        ("3/3 x", "has 2 rows; expected 3"),
        ("3/3/3/3 x", "has 4 rows; expected 3"),
        ("4/3/3 x", "row 1 .* describes 4 cells; expected 3"),
        ("3/2/3 x", "row 2 .* describes 2 cells; expected 3"),
        ("3/3/xoxo x", "row 3 .* describes 4 cells; expected 3"),
        ("3/3/1z1 x", "row 3 .* has 'z'"),
        ("3/03/3 x", "row 2 .* has '0'"),
        ("3/3/٣ x", "row 3 .* has '٣'"),
        ("3/3/3 o", "0 x, 0 o, 'o' to play"),
        ("3/3/3 y", "'y' to play"),
        ("x2/3/3 x", "1 x, 0 o, 'x' to play"),
        ("xx1/3/3 o", "2 x, 0 o"),
        ("o2/3/3 x", "0 x, 1 o"),
        ("xxx/oo1/o2 x", "3 x, 3 o|has a line"),
        ("xxx/ooo/3 x", "the side to play has a line already"),
        ("xxx/oo1/1o1 x", "the side to play has a line already"),
        ("ooo/xx1/xx1 o", "the side to play has a line already"),
    ],
)
def test_malformed_positions_name_the_place(fen, message):
    with pytest.raises(NotationError, match=message):
        Board("TicTacToe-v0", fen)


@pytest.mark.parametrize("fen", [None, 5, b"3/3/3 x", ("3/3/3", "x")])
def test_positions_are_text(fen):
    with pytest.raises(NotationError):
        Board.from_fen(fen, "TicTacToe-v0")


def test_it_has_no_options():
    with pytest.raises(OptionError, match="no option 'size'; it has none"):
        get_game("TicTacToe-v0", size=3)
