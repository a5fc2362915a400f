"""What kernels that play whole games in self-play count, and when a repetition ends one of these games."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined
from boardgym.core import engine

MOST_GAMES = 1_000_000_000  # of a training
WINS, DRAWS, LOSSES, PLIES, UPDATES = range(5)  # columns of `Totals.counts`


class Totals(NamedTuple):
    """What happened, in blocks of games.

    counts: int64 (blocks, 5), columns as WINS; the first three are results of one seat. errors: float64 (blocks,), sums of
    the squared errors of updates. size: int64 (1,), games of a block.
    """

    counts: NDArray[np.int64]
    errors: NDArray[np.float64]
    size: NDArray[np.int64]


@inlined
def column_of(position: Any, ending: int, seat: int) -> int:
    """WINS, DRAWS or LOSSES, what a seat has got in a game that has ended or was cut, which is a draw."""
    result = engine.final_return(position, ending, seat) if ending != engine.NOT_OVER else 0.0
    return WINS if result > 0.0 else LOSSES if result < 0.0 else DRAWS


@inlined
def count_result(position: Any, ending: int, plies: int, totals: Totals, block: int, seat: int = 0) -> None:
    """Counts a game that has ended or was cut. seat: whose result it is."""
    totals.counts[block, column_of(position, ending, seat)] += 1
    totals.counts[block, PLIES] += plies


@inlined
def has_repeated(position: Any, keys: NDArray[np.int64], plies: int) -> bool:
    """Whether a repetition ends the game here; notes the position if not.

    keys: int64, of the game's positions, or (0,) in games without a rule of repetition.
    """
    if keys.shape[0] == 0:
        return False
    key = engine.key_of(position)
    if engine.is_repetition(position, key, keys, plies):
        return True
    keys[plies] = key
    return False
