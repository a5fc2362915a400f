"""Evaluations of Othello: four players of a thesis on Q-learning, and the standard player of the Othello League.

Sources: G. Andorkó, BSc thesis (University of Debrecen, 2011), sections 3.2 and 4, after N. J. van Eck and M. van Wezel. It has
`positional` and `mobility`, equations (15) to (17). The parity and the maximum-disc player it only names; their forms are
ours. S. M. Lucas, T. P. Runarsson, "Temporal difference learning versus co-evolution for acquiring Othello position
evaluation", 2006, has the weights of the League. Each adds up a score s for the seat that has moved, and its value is
s / (spread + |s|), which leaves the order of positions as it is.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.search.evaluation import squash
from boardgym.compile import inner
from boardgym.core.bits import lowest_bit, popcount
from boardgym.core.verbs import constant, rule
from boardgym.games.othello import CLASSES, ONE, ZERO, moves_of, word_of

# What a square of the 8 x 8 board is worth, table of section 3.1; the other three quarters mirror this one.
QUARTER = ((100, -20, 10, 5), (-20, -50, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1))
LEAGUE_QUARTER = ((100, -25, 10, 5), (-25, -25, 1, 1), (10, 1, 5, 2), (5, 1, 2, 1))  # in hundredths


def levels_of(quarter: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], tuple[np.uint64, ...]]:
    """(the values that squares have, the squares of each)."""
    values = [quarter[min(row, 7 - row)][min(column, 7 - column)] for row in range(8) for column in range(8)]
    levels = tuple(sorted(set(values)))
    return levels, tuple(word_of(s for s in range(64) if values[s] == level) for level in levels)


LEVELS, SQUARES_OF = levels_of(QUARTER)
LEAGUE_LEVELS, LEAGUE_SQUARES_OF = levels_of(LEAGUE_QUARTER)
FIRST_FILE, LAST_FILE = np.zeros(9, np.uint64), np.zeros(9, np.uint64)  # by the size of the board
for _size in CLASSES:
    FIRST_FILE[_size], LAST_FILE[_size] = (word_of(range(at, _size * _size, _size)) for at in (0, _size - 1))


class Positional(NamedTuple):
    """Equation (15): the values of the squares with own discs less those with the other's. On 8 x 8 alone.

    Corners 100, squares beside them -20 on the rim and -50 on the diagonal, the rest from -2 to 10. In the endgame,
    equation (16): own discs less the other's. That begins when 80 % of the squares are occupied (52 of 64), or all corners.
    corner_condition: 0 for the 80 % alone. spread: of the squashing.
    """

    BOUNDS = {"corner_condition": (0, 1), "spread": (1e-3, 1e6)}  # type: ignore[misc]
    SQUASHES = True  # type: ignore[misc]

    corner_condition: int = 1
    spread: float = 100.0


class Mobility(NamedTuple):
    """Equation (17): corners * (own - other's corners) + moves * (m - n) / (m + n).

    m, n: how many moves the seat and the other would have, each as if it were to play; 0 in place of the fraction if there
    are none. In the endgame as `Positional`: equation (16). The thesis repeats the 80 % alone, not the corners, here:
    corner_condition=0 is that reading. corners, moves: the weights w1 and w2. spread: of the squashing.
    """

    BOUNDS = {"corners": (0, 1e3), "moves": (0, 1e3), "corner_condition": (0, 1), "spread": (1e-3, 1e6)}  # type: ignore[misc]
    SQUASHES = True  # type: ignore[misc]

    corners: float = 10.0
    moves: float = 1.0
    corner_condition: int = 1
    spread: float = 10.0


class Parity(NamedTuple):
    """Regions of empty squares in which the seat would play last, less those in which the other would.

    Squares are of one region if they touch, by a corner too. Play is taken to go on in the region, turn by turn, until it is
    full: the side to play then has the last move where the number of squares is odd. There is no switch to counting discs,
    because parity matters at the end. While the empty squares are one region, all moves are worth the same.
    """

    BOUNDS = {"spread": (1e-3, 1e6)}  # type: ignore[misc]
    SQUASHES = True  # type: ignore[misc]

    spread: float = 4.0


class League(NamedTuple):
    """The weighted piece counter of the Othello League: the values of own discs less the other's, to the end. On 8 x 8 alone.

    Corners 1, squares beside them -0.25, the rest from 0.01 to 0.1; the score is their sum in hundredths. spread: of the
    squashing.
    """

    BOUNDS = {"spread": (1e-3, 1e6)}  # type: ignore[misc]
    SQUASHES = True  # type: ignore[misc]

    spread: float = 100.0


class MaximumDisc(NamedTuple):
    """Equation (16) from the first move on: own discs less the other's. Beginners play so."""

    BOUNDS = {"spread": (1e-3, 1e6)}  # type: ignore[misc]
    SQUASHES = True  # type: ignore[misc]

    spread: float = 20.0


@inner
def sides(position: Any, seat: int) -> tuple[np.uint64, np.uint64]:
    """The discs of a seat and of the other."""
    return (position.own, position.other) if seat == position.seat else (position.other, position.own)


@inner
def corners_in(word: np.uint64, position: Any) -> int:
    """How many corners are in a word. position: only its type counts."""
    corners, count = constant(position, "CORNERS"), 0
    for i in range(4):
        count += 1 if word & corners[i] else 0
    return count


@inner
def is_endgame(position: Any, corner_condition: int) -> bool:
    """Whether at least 80 % of the squares are occupied, or all corners, if that counts."""
    occupied, size = position.own | position.other, constant(position, "SIZE")
    return 5 * popcount(occupied) >= 4 * size * size or (corner_condition == 1 and corners_in(occupied, position) == 4)


@rule(Positional)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """Equation (15), in the endgame (16)."""
    own, other = sides(position, seat)
    score = 0
    if is_endgame(position, evaluation.corner_condition):
        score = popcount(own) - popcount(other)
    else:
        for i in range(len(LEVELS)):
            score += LEVELS[i] * (popcount(own & SQUARES_OF[i]) - popcount(other & SQUARES_OF[i]))
    return squash(float(score), evaluation.spread)


@rule(League)  # type: ignore[no-redef]
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:  # type: ignore[no-redef]  # noqa: F811
    """Square by square, level by level."""
    own, other = sides(position, seat)
    score = 0
    for i in range(len(LEAGUE_LEVELS)):
        score += LEAGUE_LEVELS[i] * (popcount(own & LEAGUE_SQUARES_OF[i]) - popcount(other & LEAGUE_SQUARES_OF[i]))
    return squash(float(score), evaluation.spread)


@rule(Mobility)  # type: ignore[no-redef]
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:  # type: ignore[no-redef]  # noqa: F811
    """Equation (17), in the endgame (16)."""
    own, other = sides(position, seat)
    if is_endgame(position, evaluation.corner_condition):
        return squash(float(popcount(own) - popcount(other)), evaluation.spread)
    mine, theirs = popcount(moves_of(own, other, position)), popcount(moves_of(other, own, position))
    score = evaluation.corners * (corners_in(own, position) - corners_in(other, position))
    score += evaluation.moves * (mine - theirs) / max(mine + theirs, 1)
    return squash(score, evaluation.spread)


@inner
def touching(word: np.uint64, size: int) -> np.uint64:
    """A word with all squares that touch its own; also some beyond the board."""
    row = word | ((word & ~LAST_FILE[size]) << ONE) | ((word & ~FIRST_FILE[size]) >> ONE)
    return row | (row << np.uint64(size)) | (row >> np.uint64(size))


@rule(Parity)  # type: ignore[no-redef]
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:  # type: ignore[no-redef]  # noqa: F811
    """Regions by flood fill."""
    size, odd, even = constant(position, "SIZE"), 0, 0
    left = constant(position, "BOARD") & ~(position.own | position.other)
    while left:
        region, before = ONE << np.uint64(lowest_bit(left)), ZERO
        while region != before:
            before, region = region, left & touching(region, size)
        left &= ~region
        if popcount(region) % 2 == 1:
            odd += 1
        else:
            even += 1
    return squash(float(odd - even if seat == position.seat else even - odd), evaluation.spread)


@rule(MaximumDisc)  # type: ignore[no-redef]
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:  # type: ignore[no-redef]  # noqa: F811
    """Equation (16)."""
    own, other = sides(position, seat)
    return squash(float(popcount(own) - popcount(other)), evaluation.spread)
