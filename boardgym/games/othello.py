"""Othello: two seats place discs that turn the enclosed lines of the other's.

Most discs at the end win. Rules: World Othello Federation. Seat 0 plays black (`X`) and begins.
White stands on d4 and e5, black on d5 and e4. A move must turn at least one disc. A player without
such a move passes, which is an action. The game is over when neither player has one. Options:
`size` 4, 6 or 8. Set-up `openings-244`, on 8 x 8: where the 244 sequences of four plies lead to, 236
boards; eight of them come twice.

Action: the square, row by row from the top left, then the pass: size * size. Moves are written a1
(top left) to h8, and `pass` (`--`, `pa` and `ps` are read too):

        a  b  c  d  e  f  g  h
     1  0  1  2  3  4  5  6  7
     2  8  9 10 11 12 13 14 15
     3 16 17 18 19 20 21 22 23
     4 24 25 26 27 28 29 30 31
     5 32 33 34 35 36 37 38 39
     6 40 41 42 43 44 45 46 47
     7 48 49 50 51 52 53 54 55
     8 56 57 58 59 60 61 62 63   64 = pass

Position string: the squares in that order, `X`, `O`, `-` empty, then the side to play, as in the
OBF problem files: `---------------------------OX------XO--------------------------- X`.

Observation (size, size, 5): own discs; the other's; ones if the observing seat is to play; ones if
the observing seat is white; ones.
"""

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core.bits import lowest_bit, popcount
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game, Setup, Version, register
from boardgym.core.grid import grid_drawing
from boardgym.core.notation import cell_text, read_cell, split_position
from boardgym.core.verbs import constant, rule

ZERO, ONE = np.uint64(0), np.uint64(1)


def word_of(squares: Iterable[int]) -> np.uint64:
    """The word with the given square numbers."""
    return np.uint64(sum(1 << square for square in squares))


def masks(size: int) -> dict[str, object]:
    """The compile-time constants of a board: see the attributes of `Othello`."""
    corners = (0, size - 1, size * (size - 1), size * size - 1)
    next_to_corner = (size + 1, 2 * size - 2, size * (size - 2) + 1, size * (size - 1) - 2)
    return {
        "SIZE": size,
        "BOARD": word_of(range(size * size)),
        "INNER_FILES": word_of(s for s in range(size * size) if s % size not in (0, size - 1)),
        "CORNERS": tuple(word_of([s]) for s in corners),
        "X_SQUARES": tuple(word_of([s]) for s in next_to_corner),
        "SHIFTS": tuple(np.uint64(s) for s in (1, size - 1, size, size + 1)),
    }


class Othello(NamedTuple):
    """Discs as 64-bit words, bit = square; `own` belongs to the seat to play. Other sizes are subclasses."""

    own: np.uint64
    other: np.uint64
    seat: int


for _name, _value in masks(8).items():
    setattr(Othello, _name, _value)


class Othello6(Othello):
    """The 6 x 6 board."""

    __slots__ = ()


class Othello4(Othello):
    """The 4 x 4 board."""

    __slots__ = ()


for _class, _size in ((Othello6, 6), (Othello4, 4)):
    for _name, _value in masks(_size).items():
        setattr(_class, _name, _value)

CLASSES = {8: Othello, 6: Othello6, 4: Othello4}


@inner
def run_up(start: np.uint64, through: np.uint64, shift: np.uint64) -> np.uint64:
    """From each square of `start`, the unbroken line of `through` squares by left shifts; at most six of them."""
    twice = shift + shift
    line = through & (start << shift)
    line |= through & (line << shift)
    pairs = through & (through << shift)
    line |= pairs & (line << twice)
    return line | (pairs & (line << twice))


@inner
def run_down(start: np.uint64, through: np.uint64, shift: np.uint64) -> np.uint64:
    """As `run_up`, by right shifts."""
    twice = shift + shift
    line = through & (start >> shift)
    line |= through & (line >> shift)
    pairs = through & (through >> shift)
    line |= pairs & (line >> twice)
    return line | (pairs & (line >> twice))


@inner
def moves_of(own: np.uint64, other: np.uint64, position: Any) -> np.uint64:
    """The squares where `own` may place a disc. position: only its type counts."""
    inner_files, shifts = constant(position, "INNER_FILES"), constant(position, "SHIFTS")
    crossable = other & inner_files
    found = ZERO
    for i in range(4):
        shift = shifts[i]
        through = other if i == 2 else crossable  # vertical lines do not wrap round
        found |= run_up(own, through, shift) << shift
        found |= run_down(own, through, shift) >> shift
    return found & constant(position, "BOARD") & ~(own | other)


@inner
def flips_of(own: np.uint64, other: np.uint64, disc: np.uint64, position: Any) -> np.uint64:
    """The discs that a disc placed by `own` turns. disc: a word with one bit."""
    inner_files, shifts = constant(position, "INNER_FILES"), constant(position, "SHIFTS")
    crossable = other & inner_files
    flips = ZERO
    for i in range(4):
        shift = shifts[i]
        through = other if i == 2 else crossable
        line = run_up(disc, through, shift)
        if (line << shift) & own:
            flips |= line
        line = run_down(disc, through, shift)
        if (line >> shift) & own:
            flips |= line
    return flips


@rule(Othello)
def is_valid(position: Any) -> bool:
    """Discs within the board, one a square."""
    occupied = position.own | position.other
    if occupied & ~constant(position, "BOARD") or position.own & position.other:
        return False
    return 0 <= position.seat <= 1


@rule(Othello)
def to_play(position: Any) -> int:
    return position.seat


@rule(Othello)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    """One way out: else Numba counts references to `out`, which costs more than to find the moves."""
    moves = moves_of(position.own, position.other, position)
    count = popcount(moves)
    for i in range(count):
        out[i] = lowest_bit(moves)
        moves &= moves - ONE
    if count == 0 and moves_of(position.other, position.own, position):
        out[0], count = constant(position, "SIZE") * constant(position, "SIZE"), 1
    return count


@rule(Othello)
def apply(position: Any, action: int) -> Any:
    if action == constant(position, "SIZE") * constant(position, "SIZE"):
        return position.other, position.own, 1 - position.seat
    disc = ONE << np.uint64(action)
    flips = flips_of(position.own, position.other, disc, position)
    return position.other & ~flips, position.own | flips | disc, 1 - position.seat


@rule(Othello)
def is_terminal(position: Any) -> bool:
    if moves_of(position.own, position.other, position):
        return False
    return moves_of(position.other, position.own, position) == ZERO


@rule(Othello)
def returns(position: Any, seat: int) -> float:
    ahead = popcount(position.own) - popcount(position.other)
    if seat != position.seat:
        ahead = -ahead
    return 1.0 if ahead > 0 else (-1.0 if ahead < 0 else 0.0)


@rule(Othello)
def heuristic(position: Any, seat: int) -> float:
    """Corners, squares that give them away, mobility, and discs as the board fills; squashed to (-1, 1).

    The terms are those of P. S. Rosenbloom, "A world-championship-level Othello program" (1982): stability by corners,
    mobility; the weights are ours.
    """
    size = constant(position, "SIZE")
    corners, x_squares = constant(position, "CORNERS"), constant(position, "X_SQUARES")
    own, other = position.own, position.other
    occupied, corner_balance, x_balance = own | other, 0, 0
    for i in range(4):
        if corners[i] & own:
            corner_balance += 1
        elif corners[i] & other:
            corner_balance -= 1
        elif x_squares[i] & own:
            x_balance -= 1
        elif x_squares[i] & other:
            x_balance += 1
    mine = popcount(moves_of(own, other, position))
    theirs = popcount(moves_of(other, own, position))
    filled = popcount(occupied) / (size * size)
    discs = (popcount(own) - popcount(other)) / (size * size)
    score = 0.8 * corner_balance + 0.35 * x_balance + 1.2 * (mine - theirs) / (mine + theirs + 2)
    filled *= filled  # to the 8th power by squares: a library's pow() may differ in the last bit
    filled *= filled
    score += 4.0 * discs * filled * filled
    value = score / (1.0 + abs(score))
    return value if seat == position.seat else -value


@rule(Othello)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    """Moves to a corner."""
    moves, corners, n = moves_of(position.own, position.other, position), constant(position, "CORNERS"), 0
    for i in range(4):
        if moves & corners[i]:
            out[n] = lowest_bit(corners[i])
            n += 1
    return n


@rule(Othello)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    """One loop over the flat array: the compiler makes vector instructions of it, for many squares at a time."""
    is_observer = seat == position.seat
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    numbers = out.flat
    for square in range(constant(position, "SIZE") * constant(position, "SIZE")):
        numbers[5 * square] = (mine >> np.uint64(square)) & ONE
        numbers[5 * square + 1] = (theirs >> np.uint64(square)) & ONE
        numbers[5 * square + 2] = is_observer
        numbers[5 * square + 3] = seat
        numbers[5 * square + 4] = 1


@rule(Othello)
def decode(planes: NDArray[Any]) -> Any:
    size = planes.shape[0]
    mine, theirs = ZERO, ZERO
    for row in range(size):
        for column in range(size):
            square = np.uint64(row * size + column)
            mine |= np.uint64(planes[row, column, 0]) << square
            theirs |= np.uint64(planes[row, column, 1]) << square
    seat = int(np.int64(planes[0, 0, 3]))  # int() alone keeps int8 when compiled
    return Othello(mine, theirs, seat) if planes[0, 0, 2] else Othello(theirs, mine, 1 - seat)


@rule(Othello)
def num_symmetries(position: Any) -> int:
    return 8


@inner
def turn_square(square: int, k: int, size: int) -> int:
    """Where symmetry k (k % 4 quarter turns clockwise, then a mirror from left to right if k >= 4) sends a square."""
    row, column = square // size, square % size
    for _ in range(k % 4):
        row, column = column, size - 1 - row
    return row * size + (size - 1 - column if k >= 4 else column)


@rule(Othello)
def transform(position: Any, k: int) -> Any:
    size = constant(position, "SIZE")
    own, other = ZERO, ZERO
    for square in range(size * size):
        here, there = np.uint64(square), np.uint64(turn_square(square, k, size))
        own |= ((position.own >> here) & ONE) << there
        other |= ((position.other >> here) & ONE) << there
    return own, other, position.seat


@rule(Othello)
def transform_action(position: Any, action: int, k: int) -> int:
    size = constant(position, "SIZE")
    return action if action == size * size else turn_square(action, k, size)


def cells(position: Any) -> NDArray[np.int8]:
    first, second = (int(position[position.seat]), int(position[1 - position.seat]))
    flat = [(first >> square & 1) + 2 * (second >> square & 1) for square in range(position.SIZE**2)]
    return np.array(flat, np.int8).reshape(position.SIZE, position.SIZE)


def notes(position: Any) -> tuple[str, ...]:
    black, white = (int(np.count_nonzero(cells(position) == k)) for k in (1, 2))
    return (f"discs: {black} black, {white} white",)


def action_cells(position: Any, action: int) -> tuple[tuple[int, int], ...]:
    return () if action == position.SIZE**2 else (divmod(action, position.SIZE),)


def move_text(position: Any, action: int) -> str:
    size = position.SIZE
    return "pass" if action == size * size else cell_text(action // size, action % size, size, first_rank_on_top=True)


def parse_move(position: Any, text: str) -> int:
    size = position.SIZE
    if text.strip().lower() in ("pass", "--", "pa", "ps"):
        return size * size
    row, column = read_cell(text, (size, size), first_rank_on_top=True)
    return row * size + column


def to_fen(position: Any) -> str:
    return fen_of(cells(position), position.seat)


def fen_of(discs: NDArray[np.int8], seat: int) -> str:
    """The position string of discs, (size, size), with a seat to play."""
    return "".join("-XO"[mark] for mark in discs.flat) + " " + "XO"[seat]


def why_not(position: Any, places: tuple[int, ...]) -> str:
    square, size = places[0], position.SIZE
    name = cell_text(square // size, square % size, size, first_rank_on_top=True)
    if cells(position).flat[square]:
        return f"{name} is taken"
    return f"{name}: no {('white', 'black')[position.seat]} disc would be flanked"


def read_fen(text: str, position_class: Any) -> Any:
    size = position_class.SIZE
    squares, side = split_position(text, to_fen(start_of(position_class)))
    if len(squares) != size * size:
        raise NotationError(f"{squares!r}: expected {size * size} squares, got {len(squares)}")
    for square, mark in enumerate(squares):
        if mark not in "XO-":
            cell = cell_text(square // size, square % size, size, first_rank_on_top=True)
            raise NotationError(f"{squares!r}: {mark!r} on {cell}; expected 'X', 'O' or '-'")
    if side not in ("X", "O"):
        raise NotationError(f"side to play {side!r}: expected 'X' (black) or 'O' (white)")
    black, white = (word_of(s for s in range(size * size) if squares[s] == mark) for mark in "XO")
    return position_class(black, white, 0) if side == "X" else position_class(white, black, 1)


def start_of(position_class: Any) -> Any:
    size, half = position_class.SIZE, position_class.SIZE // 2
    black = word_of([(half - 1) * size + half, half * size + half - 1])
    white = word_of([(half - 1) * size + half - 1, half * size + half])
    return position_class(black, white, 0)


def othello(size: int = 8) -> Game:
    """The game on a board of size x size. Raises OptionError if size is not 4, 6 or 8."""
    if type(size) is not int or size not in CLASSES:
        raise OptionError(f"size={size!r}: Othello is played on boards of 4, 6 or 8")
    return game_of(size)


SETUPS = {"openings-244": Setup((start_of(Othello),), sequence_plies=4)}  # four-ply sequences of the 8 x 8 board


@functools.cache
def game_of(size: int) -> Game:
    position_class = CLASSES[size]
    return Game(
        name="Othello",
        title="Othello",
        position_class=position_class,
        start=start_of(position_class),
        num_actions=size * size + 1,
        pass_action=size * size,
        max_legal_actions=size * size,
        observation_shape=(size, size, 5),
        planes=("own", "other", "observer to play", "observer is white", "ones"),
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=2 * (size * size - 4),
        versions=(Version(0, "0.1.0", "first release", "a47bf65d1df0a121"),),
        setups=dict(SETUPS if size == 8 else {}),
        options={"size": size},
        configure=othello,
        seat_names=("black", "white"),
        drawing=grid_drawing(
            (size, size),
            cells,
            ".XO",
            ("#1b1b1b", "#f6f4ee"),
            "#2f8557",
            "#1f5c3b",
            first_rank_on_top=True,
            action_cells=action_cells,
            notes=notes,
            why_not=why_not,
            set_up=fen_of,
        ),
    )


GAME = register(othello())
