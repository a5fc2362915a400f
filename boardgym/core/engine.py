"""One step of a game: how it ends, what it pays and what chance brings, each written once.

`Board` and the batches keep their records in arrays of their own (`core/frames.py`, `core/rows.py`), and share these
functions, as the environments and the searches do.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined
from boardgym.core import verbs
from boardgym.core.bits import as_int64

NOT_OVER, BY_RULE, BY_REPETITION, BY_ILLEGAL = range(4)  # why a game is over; as in `boardgym.Reason`
MOST_ROLLS = 1000  # that may follow one another without a seat's turn


@inlined
def key_of(position: Any) -> int:
    """The verb `key` as an int64, as records keep it."""
    return as_int64(verbs.key(position))


@inlined
def first_counted(position: Any, count: int) -> int:
    """The first of `count` earlier positions that a repetition may count."""
    window = verbs.repetition_window(position)
    return count - window if 0 < window < count else 0


@inlined
def occurrences(keys: NDArray[np.int64], first: int, last: int, key: int) -> int:
    """How often a key stands in keys[first : last], int64."""
    times, counted = 0, keys[first:last]  # from 0 on: numbers that may be below 0 would keep the loop from vector code
    for k in range(counted.shape[0]):
        times += counted[k] == key
    return times


@inlined
def is_repetition(position: Any, key: int, keys: NDArray[np.int64], count: int) -> bool:
    """Whether a game is drawn because a position has occurred too often.

    key: of the position, int64. keys: int64, of the game's earlier positions, of which there are `count`.
    """
    limit = verbs.repetition_limit(position)
    return limit > 0 and occurrences(keys, first_counted(position, count), count, key) + 1 >= limit


@inlined
def reward(position: Any, ending: int, seat: int) -> float:
    """What the ply that led to a position paid a seat, float64. ending: NOT_OVER or why the game is over."""
    if verbs.has_reward(position):
        return verbs.reward(position, seat)
    return final_return(position, ending, seat) if ending != NOT_OVER else 0.0


@inlined
def final_return(position: Any, ending: int, seat: int) -> float:
    """What a game that is over pays a seat, float64."""
    return verbs.draw_returns(position, seat) if ending == BY_REPETITION else verbs.returns(position, seat)


@inlined
def winner(position: Any, ending: int, num_seats: int) -> int:
    """The seat with the greatest return of a game that is over, -1 if several have it."""
    best_seat, best = -1, -np.inf
    for seat in range(num_seats):
        value = final_return(position, ending, seat)
        if value > best:
            best_seat, best = seat, value
        elif value == best:
            best_seat = -1
    return best_seat


@inlined
def fill_mask(mask: NDArray[np.int8], value: int) -> None:
    """Sets every entry of an int8 mask."""
    for action in range(mask.shape[0]):
        mask[action] = value


@inlined
def mark_legal(mask: NDArray[np.int8], legal: NDArray[np.int64], first: int, last: int) -> None:
    """Sets an int8 mask to 1 at legal[first : last], 0 elsewhere."""
    fill_mask(mask, 0)
    for k in range(first, last):
        mask[legal[k]] = 1
