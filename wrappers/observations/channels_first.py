"""Observations with the planes first, as PyTorch's convolutions want them."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.wrappers.observations.around import E, put_around
from boardgym.wrappers.observations.transformation import Rows, Transformation, View


def channels_first(env: E) -> E:
    """Observations of shape (C, H, W) in place of (H, W, C).

    Args:
        env: a Gymnasium, Gymnasium vector or PettingZoo environment of a game.

    Returns:
        An environment of the same kind.

    Raises:
        OptionError: the observations are flat or have their planes first already, or `env` is no environment of a game.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> from boardgym.wrappers.observations import channels_first
        >>> channels_first(gym.make("boardgym/TicTacToe-v0")).observation_space
        Box(0, 1, (4, 3, 3), int8)
    """
    return put_around(env, ChannelsFirst.name)


class ChannelsFirst(Transformation, name="channels_first"):
    """See `channels_first`."""

    def __init__(self, given: View, num_rows: int) -> None:
        super().__init__(given, num_rows)
        if given.layout != "planes last":
            raise self.refuse("expected planes (H, W, C); put channels_first nearer to the environment, and once")
        low, high = np.moveaxis(given.space.low, -1, 0), np.moveaxis(given.space.high, -1, 0)
        self.gives = self.becomes(Box(low, high, dtype=given.space.dtype.type), "planes first")

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """(k, H, W, C) -> (k, C, H, W), contiguous."""
        return np.ascontiguousarray(np.moveaxis(observations, -1, 1))
