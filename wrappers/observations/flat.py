"""Observations as one row of numbers, for networks that want no more."""

from typing import Any

from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.wrappers.observations.around import E, put_around
from boardgym.wrappers.observations.transformation import Rows, Transformation, View


def flat(env: E) -> E:
    """Observations of shape (H * W * C,), in the order of the planes' memory: the last axis runs fastest.

    Args:
        env: a Gymnasium, Gymnasium vector or PettingZoo environment of a game.

    Returns:
        An environment of the same kind.

    Raises:
        OptionError: the observations are flat already, or `env` is no environment of a game.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> from boardgym.wrappers.observations import flat
        >>> env = gym.make("boardgym/TicTacToe-v0")
        >>> env.observation_space.shape, flat(env).observation_space.shape
        ((3, 3, 4), (36,))
    """
    return put_around(env, Flat.name)


class Flat(Transformation, name="flat"):
    """See `flat`."""

    def __init__(self, given: View, num_rows: int) -> None:
        super().__init__(given, num_rows)
        space = given.space
        if given.layout == "flat":
            raise self.refuse("they are flat")
        self.gives = self.becomes(Box(space.low.reshape(-1), space.high.reshape(-1), dtype=space.dtype.type), "flat")

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """(k, ...) -> (k, n)."""
        return observations.reshape(len(observations), -1)
