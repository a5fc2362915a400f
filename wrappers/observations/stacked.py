"""The last observations of a seat as one, for games where the present one does not tell all, and for habit's sake."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.core.errors import OptionError
from boardgym.envs.opponents import refuse_all_seats
from boardgym.envs.vector import VectorEnv
from boardgym.wrappers.observations.around import E, put_around
from boardgym.wrappers.observations.transformation import Rows, Transformation, View


def stacked(env: E, length: int) -> E:
    """The last `length` observations of an episode, joined along the planes, the newest last; zeros before the first.

    What counts is what a seat saw when it was to act, and what it sees now. With planes last, the newest observation is
    `observation[..., -C:]`; with planes first `observation[-C:]`; flat ones are joined end to end. Each agent of PettingZoo's
    environment and each board of a vector has a history of its own; `final_obs` belongs to the episode that ends.

    Args:
        env: a Gymnasium, Gymnasium vector or PettingZoo environment of a game.
        length: how many, at least 1.

    Returns:
        An environment of the same kind.

    Raises:
        OptionError: another length, `env` is no environment of a game, or one whose learner plays all seats: its rows show now
            one seat's view and now another's.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> from boardgym.wrappers.observations import stacked
        >>> env = gym.make("boardgym/TicTacToe-v0")
        >>> env.observation_space.shape, stacked(env, 3).observation_space.shape
        ((3, 3, 4), (3, 3, 12))
    """
    base = env.unwrapped
    if isinstance(base, VectorEnv):
        refuse_all_seats("all" if base.batch.plays_all_seats else None, "stacked")
    return put_around(env, Stacked.name, length=length)


class Stacked(Transformation, name="stacked"):
    """See `stacked`. What is kept is the stack as it was shown when a row was last acted upon."""

    keeps_history = True

    def __init__(self, given: View, num_rows: int, length: int) -> None:
        super().__init__(given, num_rows)
        if not isinstance(length, int | np.integer) or isinstance(length, bool) or length < 1:
            raise OptionError(f"stacked: length={length!r}; expected how many observations, an int of at least 1")
        space, axis, length = given.space, given.channel_axis, int(length)
        past_low, past_high = np.minimum(space.low, 0), np.maximum(space.high, 0)  # of the zeros too
        low = np.concatenate([past_low] * (length - 1) + [space.low], axis)
        high = np.concatenate([past_high] * (length - 1) + [space.high], axis)
        self.gives = self.becomes(Box(low, high, dtype=space.dtype.type))
        self.axis = axis if axis < 0 else 1  # of a batch
        self.depth = space.shape[axis]
        self.past = np.zeros((num_rows, *self.gives.space.shape), space.dtype)

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """(k, H, W, C) -> (k, H, W, length * C), or the same along the axis of the planes."""
        after_oldest = (slice(None),) * (self.axis % self.past.ndim) + (slice(self.depth, None),)
        return np.concatenate([self.past[rows][after_oldest], observations], self.axis)

    def remember(self, shown: NDArray[Any], rows: Rows) -> None:
        """What was shown is the past."""
        self.past[rows] = shown

    def forget(self, rows: Rows) -> None:
        """Nothing has been seen on these rows."""
        self.past[rows] = 0
