"""Tic-tac-toe: two seats mark cells of a 3 x 3 board in turn. Three in a line win.

A full board is a draw. Rules: the pencil-and-paper game. Seat 0 plays x and begins.

Action: the cell, 0-8, row by row from the top. Moves are written a1-c3, files from the left, rank 1
at the bottom:

      a   b   c
    3 0 | 1 | 2
    2 3 | 4 | 5
    1 6 | 7 | 8

Position string: the three rows from the top, `x`, `o`, digits for runs of empty cells, then the
side to play: `xo1/1x1/3 o`.

Observation (3, 3, 4): own marks; the other's; ones if the observing seat is to play, else zeros;
ones.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, plain
from boardgym.core.bits import popcount
from boardgym.core.errors import NotationError
from boardgym.core.game import Game, Version, register
from boardgym.core.grid import grid_drawing
from boardgym.core.notation import cell_text, read_cell, read_rows, split_position, write_rows
from boardgym.core.verbs import rule

FULL = 0b111_111_111
LINES = (0b000_000_111, 0b000_111_000, 0b111_000_000, 0b001_001_001, 0b010_010_010, 0b100_100_100,
         0b100_010_001, 0b001_010_100)  # fmt: skip
HAS_LINE = np.array([any(marks & line == line for line in LINES) for marks in range(512)])  # looked up, as eight tests are slow


class TicTacToe(NamedTuple):
    """Marks as 9-bit words, bit = cell; `own` belongs to the seat to play."""

    own: int
    other: int


@inner
def has_line(marks: int) -> bool:
    """Whether a 9-bit word holds one of the eight lines."""
    return HAS_LINE[marks]


@rule(TicTacToe)
def is_valid(position: Any) -> bool:
    """Marks within the board, one a cell, as many of either side as turns make; the side to play has no line."""
    own, other = position.own, position.other
    if (own | other) & ~FULL or own & other:
        return False
    ahead = popcount(other) - popcount(own)
    return 0 <= ahead <= 1 and not has_line(own)


@rule(TicTacToe)
def to_play(position: Any) -> int:
    return popcount(position.own | position.other) & 1


@rule(TicTacToe)
def compact(position: Any, out: NDArray[np.int64]) -> int:
    out[0] = position.own | (position.other << 9)
    return 1


@rule(TicTacToe)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    if has_line(position.other):
        return 0
    occupied, n = position.own | position.other, 0
    for cell in range(9):
        out[n] = cell  # written over by the next one if occupied: processors guess such a condition wrong half of the time
        n += 1 - ((occupied >> cell) & 1)
    return n


@rule(TicTacToe)
def apply(position: Any, action: int) -> Any:
    return TicTacToe(position.other, position.own | (1 << action))


@rule(TicTacToe)
def is_terminal(position: Any) -> bool:
    return has_line(position.other) or (position.own | position.other) == FULL


@rule(TicTacToe)
def returns(position: Any, seat: int) -> float:
    if not has_line(position.other):
        return 0.0
    return -1.0 if seat == to_play(position) else 1.0


@rule(TicTacToe)
def heuristic(position: Any, seat: int) -> float:
    """Lines still open to one side only, each mark counted: (own - other) / 16."""
    balance = 0
    for line in LINES:
        mine, theirs = popcount(position.own & line), popcount(position.other & line)
        if theirs == 0:
            balance += mine
        elif mine == 0:
            balance -= theirs
    return (balance if seat == to_play(position) else -balance) / 16.0


@rule(TicTacToe)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    """Wins, and cells where the other would win."""
    if has_line(position.other):
        return 0
    occupied, n = position.own | position.other, 0
    for cell in range(9):
        mark = 1 << cell
        if occupied & mark == 0 and (has_line(position.own | mark) or has_line(position.other | mark)):
            out[n] = cell
            n += 1
    return n


@rule(TicTacToe)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    is_observer = seat == to_play(position)
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    for cell in range(9):
        plane = out[cell // 3, cell % 3]
        plane[0] = (mine >> cell) & 1
        plane[1] = (theirs >> cell) & 1
        plane[2] = is_observer
        plane[3] = 1


@rule(TicTacToe)
def decode(planes: NDArray[Any]) -> Any:
    mine, theirs = 0, 0
    for cell in range(9):
        mine |= int(planes[cell // 3, cell % 3, 0]) << cell
        theirs |= int(planes[cell // 3, cell % 3, 1]) << cell
    return TicTacToe(mine, theirs) if planes[0, 0, 2] else TicTacToe(theirs, mine)


@rule(TicTacToe)
def num_symmetries(position: Any) -> int:
    return 8


@inner
def turn_cell(cell: int, k: int) -> int:
    """The cell that symmetry k (k % 4 quarter turns clockwise, then a mirror from left to right if k >= 4) sends `cell` to."""
    row, column = cell // 3, cell % 3
    for _ in range(k % 4):
        row, column = column, 2 - row
    return row * 3 + (2 - column if k >= 4 else column)


@rule(TicTacToe)
def transform(position: Any, k: int) -> Any:
    own, other = 0, 0
    for cell in range(9):
        to = turn_cell(cell, k)
        own |= ((position.own >> cell) & 1) << to
        other |= ((position.other >> cell) & 1) << to
    return TicTacToe(own, other)


@rule(TicTacToe)
def transform_action(position: Any, action: int, k: int) -> int:
    return turn_cell(action, k)


def cells(position: Any) -> NDArray[np.int8]:
    first, second = position if plain(to_play)(position) == 0 else position[::-1]
    flat = [(first >> cell & 1) + 2 * (second >> cell & 1) for cell in range(9)]
    return np.array(flat, np.int8).reshape(3, 3)


def action_cells(position: Any, action: int) -> tuple[tuple[int, int], ...]:
    return (divmod(action, 3),)


def move_text(position: Any, action: int) -> str:
    return cell_text(action // 3, action % 3, 3)


def parse_move(position: Any, text: str) -> int:
    row, column = read_cell(text, (3, 3))
    return row * 3 + column


def to_fen(position: Any) -> str:
    return fen_of(cells(position), plain(to_play)(position))


def fen_of(marks: NDArray[np.int8], seat: int) -> str:
    """The position string of marks, (3, 3), with a seat to play."""
    return f"{write_rows(marks, '.xo')} {'xo'[seat]}"


def why_not(position: Any, places: tuple[int, ...]) -> str:
    row, column = divmod(places[0], 3)
    return f"{cell_text(row, column, 3)} is taken"


def from_fen(text: str) -> Any:
    rows, side = split_position(text, "xo1/1x1/3 o")
    flat = read_rows(rows, (3, 3), ".xo").reshape(9)
    first, second = (sum(1 << c for c in range(9) if flat[c] == mark) for mark in (1, 2))
    ahead = popcount(first) - popcount(second)
    if ahead not in (0, 1) or side != "xo"[ahead]:
        raise NotationError(f"{text!r}: {popcount(first)} x, {popcount(second)} o, {side!r} to play; x begins, sides alternate")
    if plain(has_line)(second if ahead else first):
        raise NotationError(f"{text!r}: the side to play has a line already")
    return TicTacToe(second, first) if ahead else TicTacToe(first, second)


GAME = register(
    Game(
        name="TicTacToe",
        title="Tic-tac-toe",
        position_class=TicTacToe,
        start=TicTacToe(0, 0),
        num_actions=9,
        max_legal_actions=9,
        observation_shape=(3, 3, 4),
        planes=("own", "other", "observer to play", "ones"),
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=from_fen,
        max_plies=9,
        versions=(Version(0, "0.1.0", "first release", "02203212a3ab6647"),),
        seat_names=("x", "o"),
        drawing=grid_drawing(
            (3, 3),
            cells,
            ".xo",
            ("#c2452d", "#2d6cc2"),
            "#fbfaf5",
            "#565a5e",
            piece="mark",
            action_cells=action_cells,
            line_length=3,
            why_not=why_not,
            set_up=fen_of,
        ),
    )
)
