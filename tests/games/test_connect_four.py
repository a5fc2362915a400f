"""Connect Four on drawn boards; other sizes against a slow twin of the rules."""

import copy
import pickle
import random

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, NotationError, OptionError, Reason, get_game
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.games.connect_four import connect_four
from tests.support import drawn

SIZES = ((7, 6), (4, 4), (5, 4), (9, 5), (6, 7), (4, 1), (1, 4), (8, 6), (5, 11), (9, 3))
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def lines_of(width, height):
    """Every four cells (row from below, column) in a line."""
    for row in range(height):
        for column in range(width):
            for down, right in DIRECTIONS:
                cells = [(row + i * down, column + i * right) for i in range(4)]
                if all(r < height and 0 <= c < width for r, c in cells):
                    yield cells


def ask(name, position, *arguments):
    """What a rule says, in plain Python: many sizes need not be compiled for that."""
    return plain(verbs.find_rule(name, type(position)))(position, *arguments)


def legal_of(position):
    out = np.empty(9, np.int64)
    return out[: ask("legal_actions", position, out)].tolist()


def board_of(drawing, side):
    return Board("ConnectFour-v0", drawn(drawing, side))


def test_start():
    board = Board("ConnectFour-v0")
    assert board.fen() == "7/7/7/7/7/7 x"
    assert board.legal_moves == ["1", "2", "3", "4", "5", "6", "7"]
    assert board.to_play == 0
    assert board.game.max_plies == 42


def test_discs_fall_on_one_another():
    board = Board("ConnectFour-v0")
    board.play("443")
    assert board.fen() == "7/7/7/7/3o3/2xx3 o"
    assert str(board).splitlines()[-3:] == [" . . . o . . .", " . . x x . . .", " 1 2 3 4 5 6 7"]
    mine, theirs, to_play, ones = np.moveaxis(board.observation(), 2, 0)
    assert np.argwhere(mine).tolist() == [[4, 3]]
    assert np.argwhere(theirs).tolist() == [[5, 2], [5, 3]]
    assert to_play.all()
    assert ones.all()


@pytest.mark.parametrize(
    ("drawing", "side", "move", "winner"),
    [
        ("....... ....... ....... ....... ....... xxx.ooo", "x", "4", 0),  # a row, filled in its middle
        ("....... ....... ....... x...... xo..... xo....o", "x", "1", 0),  # a column at the left edge
        ("....... ....... ....... x.....o x.....o xx....o", "o", "7", 1),  # at the right edge
        ("....... ....... ....... ..xo... .xoo... xoxo.x.", "x", "4", 0),  # upwards to the right
        ("....... ....... x...... ox..... oox.... xxoo...", "x", "4", None),  # three only
        ("....... ....... x...... ox..... oox.... oxoox.x", "x", "4", None),  # the fourth cell is below the board
        ("....... ....... x...... ox..... oox...x xooo.xx", "o", "5", 1),
        ("..x.... .xo.... xox.... oxo.... xox.... oxo....", "o", "4", None),  # or above it
    ],
)
def test_moves_that_end_the_game_or_not(drawing, side, move, winner):
    board = board_of("\n".join(drawing.split()), side)
    assert not board.is_terminal
    board.push_move(move)
    assert board.is_terminal == (winner is not None)
    if winner is not None:
        assert board.outcome().winner == winner
        assert board.reason is Reason.RULES
        assert board.returns() == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])
        assert board.legal_actions == []
        assert not board.action_mask().any()


def test_no_line_runs_over_the_top_into_the_next_column():
    board = board_of(
        """
        x . . . . . .
        x . . . . . .
        x . . . . . .
        o . . . . . .
        o o . . . . .
        o x . . . . .
    """,
        "x",
    )
    assert not board.is_terminal
    assert board.legal_moves == ["2", "3", "4", "5", "6", "7"]


def test_no_line_runs_over_the_side():
    """The bottom of columns 5, 6, 7 and, one row up, of column 1."""
    board = board_of(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        x . . . . . .
        o o . o x x x
    """,
        "o",
    )
    assert not board.is_terminal


def test_full_board_is_a_draw():
    board = Board("ConnectFour-v0")
    board.play("547125662261271266215743771576315353334444"[:-1])
    assert not board.is_terminal
    assert board.legal_moves == ["4"]
    board.push_move("4")
    assert board.is_terminal
    assert board.ply == 42
    assert board.outcome().winner is None
    assert board.returns() == [0.0, 0.0]


def test_a_full_column_is_illegal_and_changes_nothing():
    board = Board("ConnectFour-v0")
    board.play("444444")
    with pytest.raises(IllegalActionError, match=r"'4' is illegal .* legal: 1 2 3 5 6 7"):
        board.push_move("4")
    with pytest.raises(IllegalActionError, match=r"action 3 \(4\) is illegal .* 6 actions are legal"):
        board.push(3)
    assert board.moves() == ["4"] * 6


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_line_of_every_size_wins_and_random_games_agree_with_a_slow_twin(width, height):
    game, rng = connect_four(width, height), random.Random(width * 100 + height)
    lines = list(lines_of(width, height))
    bit = {(row, column): 1 << (column * (height + 1) + row) for row in range(height) for column in range(width)}
    for cells in lines:
        won = game.position_class(0, sum(bit[cell] for cell in cells))
        assert ask("is_terminal", won)
        assert legal_of(won) == []
    for _ in range(20):
        position, columns, seat, winner = game.start, [[] for _ in range(width)], 0, None
        while True:
            legal = [c for c in range(width) if len(columns[c]) < height] if winner is None else []
            assert legal_of(position) == legal
            assert ask("is_terminal", position) == (not legal)
            if not legal:
                break
            assert ask("to_play", position) == seat
            column = rng.choice(legal)
            columns[column].append(seat)
            position = game.position_class(*ask("apply", position, column))
            mine = {(row, c) for c in range(width) for row, owner in enumerate(columns[c]) if owner == seat}
            winner = seat if any(mine.issuperset(cells) for cells in lines) else None
            seat = 1 - seat
            assert game.from_fen(game.to_fen(position)) == position
        wanted = [0.0, 0.0] if winner is None else [1.0 - 2.0 * winner, 2.0 * winner - 1.0]
        assert [ask("returns", position, s) for s in (0, 1)] == wanted


def test_heuristic_sees_wins_and_forced_losses():
    drawing = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        o . . . . . .
        o o x x x . .
    """
    assert board_of(drawing, "x" if drawing.count("x") == drawing.count("o") else "o").estimate(0) == 0.98
    open_three = board_of(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . x x x . o o
    """,
        "o",
    )
    assert open_three.estimate() == -0.96
    assert open_three.estimate(0) == 0.96
    board = Board("ConnectFour-v0")
    assert board.estimate() == 0.0
    board.push_move("4")
    assert board.estimate(0) == -board.estimate(1) > 0


@pytest.mark.parametrize("first_column", [0, 1, 2, 3])
def test_threats_count_more_in_the_rows_that_zugzwang_favours(first_column):
    """Three in a row hang in the air: seat 0 wants them in rows 3 and 5 (from 1 below), seat 1 in rows 2, 4 and 6."""
    position_class = connect_four().position_class
    spread = 1 << 0 | 1 << 14 | 1 << 35  # three discs in the lowest row, without a threat

    def values(seat):
        for row in range(2, 6):
            three = sum(1 << ((first_column + i) * 7 + row) for i in range(3))
            first, second = (three, spread) if seat == 0 else (spread, three)
            yield verbs.heuristic(position_class(first, second), seat)

    row_3, row_4, row_5, row_6 = values(0)
    assert row_3 == row_5 > row_4 == row_6
    row_3, row_4, row_5, row_6 = values(1)
    assert row_4 == row_6 > row_3 == row_5


def test_moves_both_ways():
    board = Board("ConnectFour-v0")
    for action in range(7):
        assert board.move_text(action) == str(action + 1)
        assert board.action_of(str(action + 1)) == board.action_of(f" {action + 1}\n") == action


@pytest.mark.parametrize("text", ["", "0", "8", "9", "10", "01", "a", "a1", "-1", "1.0", "\uff14", "²", "9" * 5000])
def test_unreadable_moves(text):
    with pytest.raises(NotationError, match="is no column; expected 1 to 7"):
        Board("ConnectFour-v0").action_of(text)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the pieces and the side to play"),
        ("7/7/7/7/7/7", "expected the pieces and the side to play"),
        ("7/7/7/7/7 x", "has 5 rows; expected 6"),
        ("7/7/7/7/7/8 x", "row 6 .* describes 8 cells; expected 7"),
        ("7/7/7/7/6/7 x", "row 5 .* describes 6 cells; expected 7"),
        ("7/7/7/7/3Q3/7 x", "row 5 .* has 'Q'"),
        ("7/7/7/7/3x3/3.3 o", "the disc in column 4, row 2 has none below it"),
        ("x6/7/7/7/7/7 o", "the disc in column 1, row 6 has none below it"),
        ("7/7/7/7/7/7 o", "0 x, 0 o, 'o' to play; x begins"),
        ("7/7/7/7/7/xo5 o", "1 x, 1 o, 'o' to play"),
        ("7/7/7/7/7/oo5 x", "0 x, 2 o"),
        ("7/7/7/7/7/x6 z", "'z' to play"),
        ("7/7/7/7/ooo4/xxxx3 x", "4 x, 3 o, 'x' to play"),
        ("7/7/7/7/oooo3/xxxx3 x", "the side to play has four in a line already"),
        ("7/7/7/4o2/oooo3/xxxx1xx o", "6 x, 5 o|below"),
    ],
)
def test_malformed_positions_name_the_place(fen, message):
    with pytest.raises(NotationError, match=message):
        Board("ConnectFour-v0", fen)


@pytest.mark.parametrize(
    "options",
    [
        {"width": 0},
        {"width": -7},
        {"width": 10},
        {"width": 3, "height": 3},
        {"height": 0},
        {"height": 8},
        {"width": 9, "height": 6},
        {"width": 7.0},
        {"width": True},
        {"height": "6"},
        {"height": None},
        {"width": [7]},
        {"size": 8},
        {"columns": 7},
    ],
)
def test_options_refused(options):
    with pytest.raises(OptionError):
        get_game("ConnectFour-v0", **options)


def test_sizes_given_directly_are_checked_too():
    for width, height in ((7.0, 6), (True, 6), ("7", 6), (8, 7)):
        with pytest.raises(OptionError, match="expected width 1-9"):
            connect_four(width, height)


def test_a_size_is_one_game_however_it_is_asked_for():
    game = get_game("ConnectFour-v0", width=5, height=4)
    assert game is connect_four(5, 4) is connect_four(height=4, width=5) is get_game(game) is game.with_options(width=5)
    assert get_game("ConnectFour", width=np.int64(5), height=4) is game
    assert game.with_options(width=7, height=6) is connect_four() is get_game("ConnectFour-v0")
    assert game.options == {"width": 5, "height": 4}
    assert (game.num_actions, game.max_plies, game.observation_shape) == (5, 20, (4, 5, 4))


def test_positions_of_other_sizes_pickle():
    position = connect_four(5, 4).start
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert type(again) is type(position) is type(copy.deepcopy(position))


def test_a_board_takes_positions_of_its_own_size_only():
    with pytest.raises(NotationError, match="expected a ConnectFour, got ConnectFour5x4"):
        Board("ConnectFour-v0").set_position(connect_four(5, 4).start)
