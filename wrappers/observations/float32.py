"""Observations as floating-point numbers, for code that does not convert, and on a common scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.core.errors import OptionError
from boardgym.wrappers.observations.around import E, put_around
from boardgym.wrappers.observations.transformation import Rows, Transformation, View


def float32(env: E, scale: bool | Sequence[float] = False) -> E:
    """Observations as float32.

    Args:
        env: a Gymnasium, Gymnasium vector or PettingZoo environment of a game.
        scale: whether to divide each element by its greatest possible value, to [0, 1]. A game has one bound for all its
            planes, `game.observation_max`: where it is that of a clock, pieces become small numbers, and one divisor for
            each plane serves better: a sequence of C positive numbers, before `flat`.

    Returns:
        An environment of the same kind.

    Raises:
        OptionError: other divisors than these, or `env` is no environment of a game.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> from boardgym.wrappers.observations import float32
        >>> float32(gym.make("boardgym/TicTacToe-v0"), scale=True).observation_space
        Box(0.0, 1.0, (3, 3, 4), float32)
    """
    return put_around(env, Float32.name, scale=scale)


class Float32(Transformation, name="float32"):
    """See `float32`."""

    def __init__(self, given: View, num_rows: int, scale: bool | Sequence[float] = False) -> None:
        super().__init__(given, num_rows)
        self.divisors = None if scale is False else self._read(scale)
        low, high = given.space.low[None], given.space.high[None]
        self.gives = self.becomes(Box(self.apply(low, slice(None))[0], self.apply(high, slice(None))[0], dtype=np.float32))

    def _read(self, scale: Any) -> NDArray[np.float32]:
        """Divisors of the shape of one observation. Raises OptionError."""
        space, layout = self.given.space, self.given.layout
        if scale is True:
            greatest = np.maximum(np.abs(space.low), np.abs(space.high)).astype(np.float32)
            return np.where(greatest == 0, np.float32(1), greatest)
        if layout == "flat":
            raise self.refuse("a divisor for each plane is asked for; put float32 inside flat: flat(float32(env, ...))")
        axis = self.given.channel_axis
        try:
            divisors = np.array(scale, np.float32)
        except (TypeError, ValueError):
            divisors = np.zeros(0, np.float32)
        if divisors.shape != (space.shape[axis],) or not (np.isfinite(divisors) & (divisors > 0)).all():
            raise OptionError(
                f"scale={scale!r}: expected True, False or {space.shape[axis]} positive numbers, one for each "
                f"plane of {self.given.describe()}"
            )
        whole = divisors.reshape(-1, 1, 1) if axis == 0 else divisors
        return np.broadcast_to(whole, space.shape).copy()

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """(k, ...) of numbers -> the same of float32."""
        floats = observations.astype(np.float32)
        if self.divisors is not None:
            floats /= self.divisors
        return floats
