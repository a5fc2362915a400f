"""Connect Four: two seats drop discs into the columns of an upright board. Four in a line win.

A full board is a draw. Rules: Milton Bradley's game of 1974, 7 columns by 6 rows. Seat 0 plays x
and begins. Options: `width`, `height`.

Action: the column, 0 to width - 1 from the left. Moves are written as its number, from 1.

Position string: rows from the top, `x`, `o`, digits for runs of empty cells, then the side to play:
`7/7/7/7/3o3/3x3 x`.

Observation (height, width, 4), row 0 on top: own discs; the other's; ones if the observing seat is
to play; ones.

In the code, a position is a word with height + 1 bits a column, the lowest at the bottom. The
topmost of them stays empty, so that lines do not run over into the next column (7 x 6):

     6 13 20 27 34 41 48   (always empty)
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
     1  2  3  4  5  6  7   (move text)
"""

import functools
import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, plain
from boardgym.core.bits import popcount
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game, Version, register
from boardgym.core.grid import grid_drawing
from boardgym.core.notation import read_rows, split_position, write_rows
from boardgym.core.verbs import constant, rule


def cell_bits(width: int, height: int) -> np.ndarray:
    """The bit of each cell, row by row from the top."""
    return np.array([column * (height + 1) + height - 1 - row for row in range(height) for column in range(width)])


class ConnectFour(NamedTuple):
    """Discs as words (see above); `own` belongs to the seat to play. Other sizes are subclasses."""

    WIDTH = 7  # type: ignore[misc]
    HEIGHT = 6  # type: ignore[misc]
    CELL_BITS = cell_bits(7, 6)  # type: ignore[misc]

    own: int
    other: int


@inner
def has_four(discs: int, height: int) -> bool:
    """Whether a word holds four in a line: up, and in the three directions to the right."""
    for shift in (1, height, height + 1, height + 2):
        pairs = discs & (discs >> shift)
        if pairs & (pairs >> (2 * shift)):
            return True
    return False


@inner
def bottom_row(width: int, height: int) -> int:
    """The word with the lowest cell of each column."""
    word = 0
    for column in range(width):
        word |= 1 << (column * (height + 1))
    return word


@rule(ConnectFour)
def is_valid(position: Any) -> bool:
    """Discs within the board, each on another one or at the bottom, as many as turns make; who is to play has no four."""
    height = constant(position, "HEIGHT")
    bottom, own, other = bottom_row(constant(position, "WIDTH"), height), position.own, position.other
    occupied = own | other
    if occupied & ~(bottom * ((1 << height) - 1)) or own & other or (occupied + bottom) & occupied:
        return False
    ahead = popcount(other) - popcount(own)
    return 0 <= ahead <= 1 and not has_four(own, height)


@rule(ConnectFour)
def to_play(position: Any) -> int:
    return popcount(position.own | position.other) & 1


@rule(ConnectFour)
def compact(position: Any, out: NDArray[np.int64]) -> int:
    """The lowest empty cell of each column is set above the discs, and tells them from what lies beneath."""
    bottom = bottom_row(constant(position, "WIDTH"), constant(position, "HEIGHT"))
    out[0] = position.own + (position.own | position.other) + bottom
    return 1


@rule(ConnectFour)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    if has_four(position.other, height):
        return 0
    occupied, n = position.own | position.other, 0
    for column in range(width):
        if (occupied >> (column * (height + 1) + height - 1)) & 1 == 0:
            out[n] = column
            n += 1
    return n


@rule(ConnectFour)
def apply(position: Any, action: int) -> Any:
    height = constant(position, "HEIGHT")
    occupied, base = position.own | position.other, action * (height + 1)
    disc = (occupied + (1 << base)) & (((1 << height) - 1) << base)
    return position.other, position.own | disc


@rule(ConnectFour)
def is_terminal(position: Any) -> bool:
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    full = bottom_row(width, height) * ((1 << height) - 1)
    return has_four(position.other, height) or (position.own | position.other) == full


@rule(ConnectFour)
def returns(position: Any, seat: int) -> float:
    if not has_four(position.other, constant(position, "HEIGHT")):
        return 0.0
    return -1.0 if seat == to_play(position) else 1.0


@inner
def winning_cells(discs: int, height: int) -> int:
    """Cells that make four in a line with `discs`, whether empty, within the board, or not."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    for shift in (height, height + 1, height + 2):
        right = (discs << shift) & (discs << (2 * shift))
        left = (discs >> shift) & (discs >> (2 * shift))
        cells |= right & (discs << (3 * shift))
        cells |= right & (discs >> shift)
        cells |= left & (discs << shift)
        cells |= left & (discs >> (3 * shift))
    return cells


@rule(ConnectFour)
def heuristic(position: Any, seat: int) -> float:
    """Wins and forced losses within two plies; else threats, those of the right parity double, and central discs.

    A threat is an empty cell that makes four. Zugzwang favours seat 0 on odd and seat 1 on even rows, from 1 below
    (V. Allis, "A knowledge-based approach of Connect-Four", 1988, chapter 3).
    """
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    bottom, player = bottom_row(width, height), to_play(position)
    board, occupied = bottom * ((1 << height) - 1), position.own | position.other
    empty = board & ~occupied
    playable = (occupied + bottom) & board
    mine = winning_cells(position.own, height) & empty
    theirs = winning_cells(position.other, height) & empty
    if mine & playable:
        value = 0.98
    else:
        forced = theirs & playable
        if forced & (forced - 1) or (forced << 1) & theirs:
            value = -0.96
        else:
            rows_of_first = bottom * (0x1555555555555555 & ((1 << height) - 1))  # rows 1, 3, 5 from below
            rows_of_mine = rows_of_first if player == 0 else board & ~rows_of_first
            threats = popcount(mine) + popcount(mine & rows_of_mine)
            threats -= popcount(theirs) + popcount(theirs & ~rows_of_mine)
            middle = ((1 << height) - 1) << (width // 2 * (height + 1))
            inner_columns = middle | (middle << (height + 1)) | (middle >> (height + 1))
            centre = 0
            for columns in (middle, inner_columns & board):
                centre += popcount(position.own & columns) - popcount(position.other & columns)
            score = 0.25 * threats + 0.04 * centre
            value = 0.9 * score / (1.0 + abs(score))
    return value if seat == player else -value


@rule(ConnectFour)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    """Wins, and the columns where the other would win."""
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    if has_four(position.other, height):
        return 0
    bottom, n = bottom_row(width, height), 0
    playable = (position.own | position.other) + bottom
    fours = (winning_cells(position.own, height) | winning_cells(position.other, height)) & playable
    for column in range(width):
        if (fours >> (column * (height + 1))) & ((1 << height) - 1):
            out[n] = column
            n += 1
    return n


@rule(ConnectFour)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    """One loop with a table of shifts: the compiler makes vector instructions of it, for many cells at a time."""
    is_observer = seat == to_play(position)
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    bits, numbers = constant(position, "CELL_BITS"), out.flat
    for cell in range(len(bits)):
        numbers[4 * cell] = (mine >> bits[cell]) & 1
        numbers[4 * cell + 1] = (theirs >> bits[cell]) & 1
        numbers[4 * cell + 2] = is_observer
        numbers[4 * cell + 3] = 1


@rule(ConnectFour)
def decode(planes: NDArray[Any]) -> Any:
    height, width = planes.shape[:2]
    mine, theirs = 0, 0
    for row in range(height):
        for column in range(width):
            bit = column * (height + 1) + height - 1 - row
            mine |= int(planes[row, column, 0]) << bit
            theirs |= int(planes[row, column, 1]) << bit
    return ConnectFour(mine, theirs) if planes[0, 0, 2] else ConnectFour(theirs, mine)  # type: ignore[call-arg]


@rule(ConnectFour)
def num_symmetries(position: Any) -> int:
    return 2


@rule(ConnectFour)
def transform(position: Any, k: int) -> Any:
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    if k == 0:
        return position.own, position.other
    own, other, column_bits = 0, 0, (1 << (height + 1)) - 1
    for column in range(width):
        here, there = column * (height + 1), (width - 1 - column) * (height + 1)
        own |= ((position.own >> here) & column_bits) << there
        other |= ((position.other >> here) & column_bits) << there
    return own, other


@rule(ConnectFour)
def transform_action(position: Any, action: int, k: int) -> int:
    return constant(position, "WIDTH") - 1 - action if k == 1 else action


def cells(position: Any) -> NDArray[np.int8]:
    width, height = position.WIDTH, position.HEIGHT
    first, second = position if popcount(position.own | position.other) % 2 == 0 else position[::-1]
    out = np.zeros((height, width), np.int8)
    for row in range(height):
        for column in range(width):
            bit = column * (height + 1) + height - 1 - row
            out[row, column] = (first >> bit & 1) + 2 * (second >> bit & 1)
    return out


def action_cells(position: Any, action: int) -> tuple[tuple[int, int], ...]:
    level = popcount((position.own | position.other) >> (action * (position.HEIGHT + 1)) & ((1 << position.HEIGHT) - 1))
    return ((position.HEIGHT - 1 - level, action),)


def move_text(position: Any, action: int) -> str:
    return str(action + 1)


def parse_move(position: Any, text: str) -> int:
    width, number = position.WIDTH, text.strip()
    if len(number) == 1 and "1" <= number <= str(width):
        return int(number) - 1
    raise NotationError(f"{text!r} is no column; expected 1 to {width}")


def to_fen(position: Any) -> str:
    return fen_of(cells(position), plain(to_play)(position))


def fen_of(discs: NDArray[np.int8], seat: int) -> str:
    """The position string of discs, (height, width), with a seat to play."""
    return f"{write_rows(discs, '.xo')} {'xo'[seat]}"


def why_not(position: Any, places: tuple[int, ...]) -> str:
    return f"column {places[0] + 1} is full"


def read_fen(text: str, position_class: Any) -> Any:
    width, height = position_class.WIDTH, position_class.HEIGHT
    rows, side = split_position(text, "7/7/7/7/3o3/3x3 x")
    board = read_rows(rows, (height, width), ".xo")
    words = [0, 0]
    for column in range(width):
        for level in range(height):
            mark = int(board[height - 1 - level, column])
            if mark:
                words[mark - 1] |= 1 << (column * (height + 1) + level)
                if level and not board[height - level, column]:
                    raise NotationError(f"{text!r}: the disc in column {column + 1}, row {level + 1} has none below it")
    first, second = words
    ahead = popcount(first) - popcount(second)
    if ahead not in (0, 1) or side != "xo"[ahead]:
        raise NotationError(f"{text!r}: {popcount(first)} x, {popcount(second)} o, {side!r} to play; x begins, sides alternate")
    own, other = (second, first) if ahead else (first, second)
    if plain(has_four)(own, height):
        raise NotationError(f"{text!r}: the side to play has four in a line already")
    return position_class(own, other)


def connect_four(width: int = 7, height: int = 6) -> Game:
    """The game on a board of width x height: width 1 to 9, one of the two at least 4, width * (height + 1) at most 62.

    Raises OptionError for another size.
    """
    is_size = all(type(n) is int and n >= 1 for n in (width, height))
    if not is_size or width > 9 or max(width, height) < 4 or width * (height + 1) > 62:
        raise OptionError(
            f"width={width!r}, height={height!r}: expected width 1-9, one of the two at least 4, width * (height + 1) <= 62"
        )
    return game_of(width, height)


@functools.cache
def class_of(width: int, height: int) -> Any:
    """The position type of a board size."""
    constants = {"WIDTH": width, "HEIGHT": height, "CELL_BITS": cell_bits(width, height)}
    attributes = {**constants, "__slots__": (), "__module__": __name__}
    return ConnectFour if (width, height) == (7, 6) else type(f"ConnectFour{width}x{height}", (ConnectFour,), attributes)


def __getattr__(name: str) -> Any:
    """The position type of another size by its name, for pickle."""
    if match := re.fullmatch(r"ConnectFour([1-9])x([1-9][0-9]?)", name):
        return connect_four(int(match[1]), int(match[2])).position_class
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.cache
def game_of(width: int, height: int) -> Game:
    position_class = class_of(width, height)
    return Game(
        name="ConnectFour",
        title="Connect Four",
        position_class=position_class,
        start=position_class(0, 0),
        num_actions=width,
        max_legal_actions=width,
        observation_shape=(height, width, 4),
        planes=("own", "other", "observer to play", "ones"),
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=width * height,
        versions=(Version(0, "0.1.0", "first release", "f68b4a8859cc00b9"),),
        options={"width": width, "height": height},
        configure=connect_four,
        seat_names=("x", "o"),
        drawing=grid_drawing(
            (height, width),
            cells,
            ".xo",
            ("#d9483b", "#f2c230"),
            "#2b5fa5",
            "#1d447a",
            piece="hole",
            column_names="123456789",
            has_ranks=False,
            action_cells=action_cells,
            line_length=4,
            by_column=True,
            why_not=why_not,
            set_up=fen_of,
        ),
    )


GAME = register(connect_four())
