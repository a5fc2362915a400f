"""Observations that do not depend on who looks: planes of seat 0, seat 1, ... in place of own and other."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.envs.observing import observe_as
from boardgym.wrappers.observations.around import E, put_around
from boardgym.wrappers.observations.transformation import Rows, Transformation, View


def absolute(env: E) -> E:
    """Observations as seat 0 sees them, whoever looks, and behind them one plane a seat: ones for the seat to play.

    Shape (H, W, C + num_seats). Without it they are relative: each seat sees itself first. Where a rule turns the board for
    the second seat (backgammon), it is not turned. When the game is over, the seat that would be to play is shown.

    Raises:
        OptionError: the observations have been transformed otherwise, or `env` is no environment of a game.
    """
    return put_around(env, Absolute.name)


class Absolute(Transformation, name="absolute"):
    """See `absolute`. An observation holds its whole position, by the law decode(observe(position)) == position."""

    def __init__(self, given: View, num_rows: int) -> None:
        super().__init__(given, num_rows)
        if set(given.steps) - {"with_mask"}:
            raise self.refuse("it reads a game's own observations; put absolute next to the environment, inside all others")
        space, seats = given.space, given.game.num_seats
        to_play = np.ones((*space.shape[:2], seats), space.dtype)
        low, high = np.concatenate([space.low, 0 * to_play], axis=-1), np.concatenate([space.high, to_play], axis=-1)
        self.gives = self.becomes(Box(low, high, dtype=space.dtype.type))

    def apply(self, observations: NDArray[Any], rows: Rows) -> NDArray[Any]:
        """(k, H, W, C) -> (k, H, W, C + num_seats)."""
        game, planes = self.given.game, self.given.space.shape[-1]
        shown = np.zeros((len(observations), *self.gives.space.shape), observations.dtype)
        seen, to_play = np.empty_like(observations, order="C"), np.empty(len(observations), np.int64)
        observe_as(game.token, np.ascontiguousarray(observations), 0, seen, to_play)
        shown[..., :planes] = seen
        shown[..., planes:] = (to_play[:, None] == np.arange(game.num_seats))[:, None, None]
        return shown
