"""What the output V of a network is worth in the returns of its game, as a value in [-1, 1]: for agents and for searches.

    value = factor V + shift + share paid,   paid: what the game has paid the seat so far

V is what the seat that has moved into a position may expect from there on, in the rewards that it was taught with:

- taught by what a win and a loss are worth: -1 for V at a loss, 1 for V at a win, in between in proportion. What a draw was
  worth says nothing here: V between a loss and a win may be a sure draw as well as a doubtful game.
- taught by what the game pays: V / the greatest return; of a game that pays on the way (V + paid) / the greatest return. Taught
  by what was paid so far at each turn (`reward` PAID_SO_FAR) V / the greatest return there too: such a sum has what was paid in
  it. It may be far above what one game pays, so that no search is given it.

That is all that counts: not the output's activation, for V is what it was moved towards, though a sigmoid cannot say less than
0. A network from elsewhere that says a share of wins is one that was taught that a win is worth 1 and a loss 0; trainings here
want a loss below 0. Nor the discount, which is not undone: V stands as it is.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.errors import OptionError
from boardgym.core.game import Game

PAID_SO_FAR = "paid-so-far"  # `reward` of a turn: all that was paid in the episode so far


class Scale(NamedTuple):
    """Of the formula above."""

    factor: float
    shift: float
    share: float

    @property
    def total(self) -> float:
        """What V of one seat and of the other add up to, where one wins what the other loses: their values add up to 0."""
        return -2.0 * self.shift / self.factor


def scale_of_output(game: Game, pays: Sequence[float] | None) -> Scale:
    """The scale of a network's output.

    pays: what a win, first, and a loss, last, were worth to the learner; None if it was paid as the game pays.

    Raises OptionError for pays in which a win is not worth more.
    """
    if pays is None:
        most = max(abs(game.min_return), abs(game.max_return))
        return Scale(1.0 / most, 0.0, 1.0 / most if verbs.has_rule("reward", game.position_class) else 0.0)
    win, loss = pays[0], pays[-1]
    if not win > loss:
        raise OptionError(f"pays={pays}: expected what a win is worth above what a loss is worth")
    return Scale(2.0 / (win - loss), -(win + loss) / (win - loss), 0.0)


@inner
def value_of_output(scale: Any, output: float, paid: float) -> float:
    """The value of V, held within [-1, 1]. scale: settings with the fields of Scale."""
    return min(max(scale.factor * output + scale.shift + scale.share * paid, -1.0), 1.0)


@inner
def paid_until(position: Any, seat: int) -> float:
    """What the game has paid a seat on the way to a position that is not over."""
    return np.float64(verbs.draw_returns(position, seat)) if verbs.has_reward(position) else 0.0


@kernel
def paid_kernel(game: Any, row: NDArray[np.int64], seat: int) -> float:
    """`paid_until` for callers in Python."""
    return paid_until(verbs.unpack(game, row), seat)
