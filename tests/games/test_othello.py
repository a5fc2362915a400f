"""Othello on drawn boards; all sizes against a slow twin of the rules."""

import random

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, NotationError, OptionError, Reason, get_game
from boardgym.core import verbs
from tests.support import drawn_squares

COMPASS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def board_of(drawing, side, **options):
    return Board("Othello-v0", drawn_squares(drawing, side), **options)


def turned(squares, size, square, mark):
    """The squares that a disc of `mark` on `square` turns: a slow twin. squares: list of 'X', 'O', '-'."""
    other, found = "XO"[mark == "X"], []
    for down, right in COMPASS:
        row, column, line = square // size + down, square % size + right, []
        while 0 <= row < size and 0 <= column < size and squares[row * size + column] == other:
            line.append(row * size + column)
            row, column = row + down, column + right
        if 0 <= row < size and 0 <= column < size and squares[row * size + column] == mark:
            found += line
    return found


def moves_of(squares, size, mark):
    return [s for s in range(size * size) if squares[s] == "-" and turned(squares, size, s, mark)]


def test_start():
    board = Board("Othello-v0")
    assert board.fen() == drawn_squares(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . O X . . .
        . . . X O . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
        "X",
    )
    assert board.legal_moves == ["d3", "c4", "f5", "e6"]
    board.push_move("f5")
    assert board.fen() == drawn_squares(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . O X . . .
        . . . X X X . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
        "O",
    )
    assert board.legal_moves == ["f4", "d6", "f6"]


def test_one_disc_turns_lines_in_all_eight_directions_and_wipes_out():
    board = board_of(
        """
        . . . . . . . .
        . X . X . X . .
        . . O O O . . .
        . X O . O X . .
        . . O O O . . .
        . X . X . X . .
        . . . . . . . .
        . . . . . . . .
    """,
        "X",
    )
    board.push_move("d4")
    assert board.fen().count("X") == 17
    assert "O" not in board.fen().split()[0]
    assert board.is_terminal
    assert board.outcome().winner == 0
    assert board.reason is Reason.RULES
    assert board.legal_actions == []


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize(("down", "right"), COMPASS)
def test_the_longest_line_in_each_direction(size, down, right):
    row = {1: 0, 0: 2, -1: size - 1}[down]
    column = {1: 0, 0: 1, -1: size - 1}[right]
    line = [(row + i * down) * size + column + i * right for i in range(size)]
    squares = ["-"] * (size * size)
    for square in line[1:-1]:
        squares[square] = "O"
    squares[line[-1]] = "X"
    board = Board("Othello-v0", f"{''.join(squares)} X", size=size)
    board.push(line[0])
    assert all(board.fen()[square] == "X" for square in line)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_no_line_runs_round_the_edge(size):
    """Each line of X and O that goes on only beyond an edge leaves X without a move there."""
    edge = size - 1
    for square in (edge, 2 * size - 1, size * size - 1 - size):
        for step in (-1, 1, size - 1, 1 - size, size + 1, -size - 1):
            before, after = square - step, square + step
            if not (0 <= before < size * size and 0 <= after < size * size):
                continue
            squares = ["-"] * (size * size)
            squares[before], squares[square] = "X", "O"
            legal = Board("Othello-v0", f"{''.join(squares)} X", size=size).legal_actions
            assert (after in legal) == (after in moves_of(squares, size, "X"))


@pytest.mark.parametrize("size", [4, 6, 8])
def test_moves_and_turned_discs_agree_with_a_slow_twin_on_random_boards(size):
    """Boards of any filling, reachable or not: legal moves, pass, end, turned discs and result."""
    rng = random.Random(size)
    for _ in range(250):
        share = rng.random()
        squares = [rng.choice("XO") if rng.random() < share else "-" for _ in range(size * size)]
        side = rng.choice("XO")
        board = Board("Othello-v0", f"{''.join(squares)} {side}", size=size)
        mine, theirs = moves_of(squares, size, side), moves_of(squares, size, "XO"[side == "X"])
        assert board.legal_actions == (mine or ([size * size] if theirs else []))
        assert board.is_terminal == (not mine and not theirs)
        ahead = np.sign(squares.count("X") - squares.count("O"))
        assert board.returns() == ([ahead, -ahead] if board.is_terminal else [0.0, 0.0])
        for square in mine:
            after = list(squares)
            for cell in [square, *turned(squares, size, square, side)]:
                after[cell] = side
            board.push(square)
            assert board.fen() == f"{''.join(after)} {'XO'[side == 'X']}"
            board.pop()


def test_a_forced_pass_is_an_action():
    board = board_of(
        """
        X O . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """,
        "O",
    )
    before = board.fen().split()[0]
    assert board.legal_actions == [64]
    assert board.legal_moves == ["pass"]
    assert not board.is_terminal
    assert board.action_mask().tolist() == [0] * 64 + [1]
    for word in ("--", "pa", "PS", " Pass "):
        assert board.action_of(word) == 64
    board.push_move("pass")
    assert board.fen() == f"{before} X"
    assert board.legal_moves == ["c1"]
    with pytest.raises(IllegalActionError, match="'pass' is illegal"):
        board.push_move("pass")
    board.push_move("c1")
    assert board.is_terminal
    assert board.outcome().winner == 0


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_game_is_over_when_neither_can_move(size):
    """No pair of passes is played out: the game ends at once, on a board that is not full."""
    for far, winner in (("O", None), ("OO", 1), ("XX", 0)):
        squares = "X" + "-" * (size * size - 1 - len(far)) + far
        for side in "XO":
            board = Board("Othello-v0", f"{squares} {side}", size=size)
            assert board.is_terminal
            assert board.legal_actions == []
            assert board.outcome().winner == winner


def test_the_shortest_game():
    """Nine moves that leave White without a disc."""
    board = Board("Othello-v0")
    board.play(["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"])
    assert board.is_terminal
    assert board.outcome().winner == 0
    assert board.fen() == drawn_squares(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . X . . .
        . . . X X X . .
        . . X X X X X .
        . . . X X X . .
        . . . . X . . .
        . . . . . . . .
    """,
        "O",
    )


def test_full_board_counts_discs():
    half = "X" * 32 + "O" * 32
    assert Board("Othello-v0", f"{half} X").returns() == [0.0, 0.0]
    assert Board("Othello-v0", f"{half} X").outcome().winner is None
    assert Board("Othello-v0", f"{'X' * 33 + 'O' * 31} O").returns() == [1.0, -1.0]
    assert Board("Othello-v0", f"{'X' * 31 + 'O' * 33} O").returns() == [-1.0, 1.0]


def test_observation_shows_own_discs_first():
    board = Board("Othello-v0")
    board.push_move("f5")
    mine, theirs, to_play, is_white, ones = np.moveaxis(board.observation(), 2, 0)
    assert np.argwhere(mine).tolist() == [[3, 3]]
    assert np.argwhere(theirs).tolist() == [[3, 4], [4, 3], [4, 4], [4, 5]]
    assert to_play.all()
    assert is_white.all()
    assert ones.all()
    mine, theirs, to_play, is_white, ones = np.moveaxis(board.observation(0), 2, 0)
    assert np.argwhere(theirs).tolist() == [[3, 3]]
    assert not to_play.any()
    assert not is_white.any()
    assert ones.all()


def test_symmetries_turn_clockwise_then_mirror():
    position = Board("Othello-v0").position
    corners = [[verbs.transform_action(position, action, k) for action in (0, 7, 63, 56)] for k in range(8)]
    assert corners == [
        [0, 7, 63, 56],
        [7, 63, 56, 0],
        [63, 56, 0, 7],
        [56, 0, 7, 63],
        [7, 0, 56, 63],
        [0, 56, 63, 7],
        [56, 63, 7, 0],
        [63, 7, 0, 56],
    ]
    assert all(verbs.transform_action(position, 64, k) == 64 for k in range(8))


def test_moves_both_ways():
    board = Board("Othello-v0")
    names = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
    assert [board.move_text(action) for action in range(65)] == [*names, "pass"]
    assert [board.game.parse_move(board.position, name) for name in [*names, "pass"]] == list(range(65))
    assert board.action_of(" F5 ") == board.action_of("f5") == 37


@pytest.mark.parametrize("text", ["", "i1", "a0", "a9", "a01", "5f", "f", "f55", "passs", "-", "f\uff15", "\uff465"])
def test_unreadable_moves(text):
    with pytest.raises(NotationError, match="names no cell; expected a1 to h8"):
        Board("Othello-v0").action_of(text)


START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the pieces and the side to play, as in '-"),
        (START, "expected the pieces and the side to play"),
        (f"{START} X O", "expected the pieces and the side to play"),
        (f"{START}- X", "expected 64 squares, got 65"),
        (f"{START[1:]} X", "expected 64 squares, got 63"),
        (f"x{START[1:]} X", "'x' on a1; expected 'X', 'O' or '-'"),
        (f"{START[:42]}.{START[43:]} X", r"'\.' on c6"),
        (f"{START} x", "side to play 'x': expected 'X'"),
        (f"{START} black", "side to play 'black'"),
    ],
)
def test_malformed_positions_name_the_place(fen, message):
    with pytest.raises(NotationError, match=message):
        Board("Othello-v0", fen)


@pytest.mark.parametrize("options", [{"size": n} for n in (0, 5, 7, 10, -8, 8.0, 6.0, True, "8", None, [8])] + [{"width": 8}])
def test_options_refused(options):
    with pytest.raises(OptionError):
        get_game("Othello-v0", **options)


def test_small_boards():
    for size, legal in ((6, ["c2", "b3", "e4", "d5"]), (4, ["b1", "a2", "d3", "c4"])):
        board = Board("Othello-v0", size=size)
        assert board.legal_moves == legal
        assert board.game.num_actions == size * size + 1
        assert board.game is get_game("Othello-v0", size=size)
        assert repr(board) == f"Board('Othello-v0', {board.fen()!r}, size={size})"
