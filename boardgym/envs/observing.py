"""Observations seen again from another seat, many at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import kernel
from boardgym.core import verbs


@kernel
def observe_as(token: Any, observations: NDArray[Any], seat: int, seen: NDArray[Any], to_play: NDArray[np.int64]) -> None:
    """Fills `seen` with what `seat` sees where `observations` are seen by any, and `to_play` with the seat to play or CHANCE.

    observations, seen: (n, H, W, C) of the game's dtype, C-contiguous; to_play: int64 (n,).
    """
    for i in range(observations.shape[0]):
        position = verbs.decode(token, observations[i])
        to_play[i] = verbs.to_play(position)
        verbs.observe(position, seat, seen[i])
