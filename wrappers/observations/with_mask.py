"""Observations together with their mask, for code that looks for it there."""

from typing import Any

from numpy.typing import NDArray

from boardgym.wrappers.observations.around import E, put_around
from boardgym.wrappers.observations.transformation import Rows, Transformation, View


def with_mask(env: E) -> E:
    """Observations {"observation": planes, "action_mask": int8 (num_actions,)}, in Gymnasium's environments.

    The mask is that of info["action_mask"], and belongs to the observation that it stands beside: in `final_obs` all ones, as
    the game is over. Other transformations change the planes alone, whether they come before or after.

    Args:
        env: a Gymnasium or Gymnasium vector environment of a game.

    Returns:
        An environment of the same kind.

    Raises:
        OptionError: the observations have their mask already, as those of PettingZoo's environments do, or `env` is no
            environment of a game.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> from boardgym.wrappers.observations import with_mask
        >>> with_mask(gym.make("boardgym/TicTacToe-v0")).observation_space
        Dict('action_mask': Box(0, 1, (9,), int8), 'observation': Box(0, 1, (3, 3, 4), int8))
    """
    return put_around(env, WithMask.name)


class WithMask(Transformation, name="with_mask"):
    """See `with_mask`."""

    adds_mask = True

    def __init__(self, given: View, num_rows: int) -> None:
        super().__init__(given, num_rows)
        if given.has_mask:
            raise self.refuse("they have their action_mask")
        self.gives = self.becomes(given.space)

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """The planes as they are."""
        return observations
