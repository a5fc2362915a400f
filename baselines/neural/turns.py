"""What the positions of a turn are worth, kept while it is played: plies in another order lead to the same ones.

A turn of two dice has two orders for most of its ends, one of four equal dice up to 24. What has been reckoned once is taken
from here, at every ply of the turn, until the network learns. Nothing of it shows: what is not kept is reckoned again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core import verbs
from boardgym.core.cache import inner

SLOTS = 1024  # a power of two


class Turn(NamedTuple):
    """S positions at most, each in the slot of its hash: the latest of those that share one.

    rows: int64 (S, fields), the positions. worths: float64 (S,), of each to the seat whose turn it is. turns: int64 (S,), in
    which turn it was written. now: int64 (1,), the present one, from 1.
    """

    rows: NDArray[np.int64]
    worths: NDArray[np.float64]
    turns: NDArray[np.int64]
    now: NDArray[np.int64]


@inner
def make_turn(fields, slots):
    """Nothing is kept yet. fields: of a position. slots: a power of two."""
    return Turn(np.zeros((slots, fields), np.int64), np.zeros(slots), np.zeros(slots, np.int64), np.ones(1, np.int64))


@inner
def forget(turn):
    """Keeps nothing of what there is."""
    turn.now[0] += 1


@inner
def slot_of(turn, position):
    """Where a position is kept, if it is."""
    return np.int64(verbs.key(position) & np.uint64(turn.worths.shape[0] - 1))


@inner
def is_kept(turn, slot, position):
    """Whether a slot holds what this very position is worth."""
    return turn.turns[slot] == turn.now[0] and verbs.unpack(position, turn.rows[slot]) == position


@inner
def put(turn, slot, position, worth):
    """Keeps what a position is worth."""
    verbs.pack(position, turn.rows[slot])
    turn.worths[slot], turn.turns[slot] = worth, turn.now[0]
