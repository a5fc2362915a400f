"""Where the games of trainings in self-play start: a set-up, drawn from by kernels that play whole games."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined
from boardgym.core import verbs
from boardgym.core.game import Game
from boardgym.core.random import draw


class Starts(NamedTuple):
    """A `Setup` as kernels take it.

    rows: int64 (S, F), the S positions, one of which is drawn for each game. plies: int64 (2,), the fewest and the most plies
    that are drawn at random then.
    """

    rows: NDArray[np.int64]
    plies: NDArray[np.int64]


def read_starts(game: Game, setup: str) -> Starts:
    """The set-up of a name, as "standard", "random:4", "random:0-6". Raises OptionError."""
    chosen = game.setup(setup)
    return Starts(np.array([game.token.row(position) for position in chosen.positions]), np.array(chosen.random_plies))


@inlined
def draw_start(game: Any, starts: Starts, rng: NDArray[np.uint64]) -> tuple[Any, int]:
    """Where a game starts, and how many of its plies are to be drawn at random. rng: uint64 (1,), advanced.

    Nothing is drawn where nothing is to choose. Positions are those of the set-up: dice, where there are any, are to be rolled.
    """
    count, low, high = starts.rows.shape[0], starts.plies[0], starts.plies[1]
    which = draw(rng, count) if count > 1 else 0
    return verbs.unpack(game, starts.rows[which]), low + (draw(rng, high - low + 1) if high > low else 0)
