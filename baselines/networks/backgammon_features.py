"""The feature map of Backgammon that TD-Gammon began with: 198 numbers of men on points, on the bar and off, and the turn.

Source: G. Tesauro, "Practical issues in temporal difference learning", 1992, with the units as R. S. Sutton and A. G. Barto
give them ("Reinforcement Learning: An Introduction", 2nd edition, 2018, section 16.1).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks import verbs
from boardgym.compile import inner
from boardgym.core.verbs import rule
from boardgym.games.backgammon.rules import BAR, count

POINTS, UNITS = 24, 4
OTHER, BARS, OFF, TURN, SIZE = 96, 192, 194, 196, 198


class Tesauro(NamedTuple):
    """198 inputs: four of own men on each of 24 points, four of the other's; the bars; the counts off; whose turn it is.

    Of a point with n men: 1 if n >= 1, 1 if n >= 2, 1 if n >= 3, and (n - 3) / 2 if n > 3. A bar counts its men / 2, off / 15.
    Points are in the numbers of the seat that asks, first 1, its own home. No settings.
    """

    unused: int = 0


@inner
def write_point(inputs: NDArray[np.float64], first: int, men: int) -> None:
    """The four numbers of a point."""
    inputs[first] = 1.0 if men >= 1 else 0.0
    inputs[first + 1] = 1.0 if men >= 2 else 0.0
    inputs[first + 2] = 1.0 if men >= 3 else 0.0
    inputs[first + 3] = (men - 3) / 2.0 if men > 3 else 0.0


@rule(Tesauro)
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:
    """Own first."""
    inputs, is_own = sheet.inputs, seat == position.seat
    own_low, own_high = (position.own_low, position.own_high) if is_own else (position.other_low, position.other_high)
    other_low, other_high = (position.other_low, position.other_high) if is_own else (position.own_low, position.own_high)
    for point in range(1, POINTS + 1):
        write_point(inputs, UNITS * (point - 1), count(own_low, own_high, point))
        write_point(inputs, OTHER + UNITS * (point - 1), count(other_low, other_high, BAR - point))
    inputs[BARS], inputs[BARS + 1] = count(own_low, own_high, BAR) / 2.0, count(other_low, other_high, BAR) / 2.0
    inputs[OFF], inputs[OFF + 1] = count(own_low, own_high, 0) / 15.0, count(other_low, other_high, 0) / 15.0
    inputs[TURN], inputs[TURN + 1] = (1.0, 0.0) if is_own else (0.0, 1.0)
