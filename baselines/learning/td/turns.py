"""What the positions of a turn are worth, kept while it is played: plies in another order lead to the same ones.

A turn of two dice has two orders for most of its ends, one of four equal dice up to 24. What has been reckoned once is taken
from here, at every ply of the turn, until the network learns. Nothing of it shows: what is not kept is reckoned again. A
position from which the turn goes on for longer than is looked ahead is not kept: its worth depends on where one looks from.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core import verbs

SLOTS = 1024  # a power of two


class Turn(NamedTuple):
    """S positions at most, each in the slot of its hash: the latest of those that share one.

    rows: int64 (S, fields), the positions. worths: float64 (S,), of each to a seat. seats: int64 (S,), that seat, which has
    moved into it. depths: int64 (S,), plies looked ahead by then. turns: int64 (S,), in which turn it was written. now: int64
    (1,), the present one, from 1. cuts: int64 (1,), how often a turn went on for longer than was looked ahead.
    """

    rows: NDArray[np.int64]
    worths: NDArray[np.float64]
    seats: NDArray[np.int64]
    depths: NDArray[np.int64]
    turns: NDArray[np.int64]
    now: NDArray[np.int64]
    cuts: NDArray[np.int64]


@inner
def make_turn(fields: int, slots: int) -> Turn:
    """Nothing is kept yet. fields: of a position. slots: a power of two."""
    seats, depths, turns = np.zeros(slots, np.int64), np.zeros(slots, np.int64), np.zeros(slots, np.int64)
    rows, cuts = np.zeros((slots, fields), np.int64), np.zeros(1, np.int64)
    return Turn(rows, np.zeros(slots), seats, depths, turns, np.ones(1, np.int64), cuts)


@inner
def forget(turn: Turn) -> None:
    """Keeps nothing of what there is."""
    turn.now[0] += 1


@inner
def slot_of(turn: Turn, position: Any) -> np.int64:
    """Where a position is kept, if it is."""
    return np.int64(verbs.key(position) & np.uint64(turn.worths.shape[0] - 1))


@inner
def is_kept(turn: Turn, slot: np.int64, position: Any, seat: int, depth: np.int64) -> bool:
    """Whether a slot holds what this very position is worth to a seat, as it would be found `depth` plies ahead."""
    if turn.turns[slot] != turn.now[0] or turn.seats[slot] != seat or turn.depths[slot] < depth:
        return False
    return verbs.unpack(position, turn.rows[slot]) == position


@inner
def put(turn: Turn, slot: np.int64, position: Any, seat: int, depth: np.int64, worth: float) -> None:
    """Keeps what a position is worth to a seat, found `depth` plies ahead."""
    verbs.pack(position, turn.rows[slot])
    turn.worths[slot], turn.seats[slot], turn.depths[slot], turn.turns[slot] = worth, seat, depth, turn.now[0]
