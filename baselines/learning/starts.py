"""Where the games of trainings in self-play start: a set-up, drawn from by kernels that play whole games."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.random import draw
from boardgym.core.rows import MAX_DRAWS

GIVEN_UP = -1  # in place of the number of the game to stop before


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


def check_begun(games: NDArray[np.int64], setup: str) -> None:
    """Raises OptionError if a kernel has given up: `begin` found no start. games: int64 (2,), those done, and GIVEN_UP."""
    if games[1] == GIVEN_UP:
        raise OptionError(f"set-up {setup!r}: every draw of its random plies ends the game")


@inner
def begin(
    game: Any,
    starts: Starts,
    rng: NDArray[np.uint64],
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> tuple[Any, bool]:
    """Where a game starts: (position, whether there is one). What ends the game is drawn anew, up to MAX_DRAWS times.

    As `Board.reset`, but that dice which are to be rolled at the start are left to be rolled, and the draws are others. Nothing
    is drawn where nothing is to choose. rng: uint64 (1,), advanced. legal, probabilities: scratch, of the choices of a
    position.
    """
    count, low, high = starts.rows.shape[0], starts.plies[0], starts.plies[1]
    position = verbs.unpack(game, starts.rows[0])
    for _ in range(MAX_DRAWS):
        position = verbs.unpack(game, starts.rows[draw(rng, count) if count > 1 else 0])
        left = low + (draw(rng, high - low + 1) if high > low else 0)
        while left > 0:
            if verbs.awaits_chance(position):
                position = verbs.apply(position, verbs.roll(position, rng, legal, probabilities))
                continue
            choices = verbs.legal_actions(position, legal)
            if choices == 0:
                break
            position, left = verbs.apply(position, legal[draw(rng, choices)]), left - 1
        if left == 0 and (verbs.awaits_chance(position) or verbs.legal_actions(position, legal) > 0):
            return position, True
    return position, False
