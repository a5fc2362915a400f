"""Transformations of the temporal difference, by which a learner seeks risk or avoids it.

A transformation is a NamedTuple of settings with the verb `transformed`; a user's own is a class and a rule. `level` is kappa,
a rate of the training that may change over its episodes: below 0 risk is sought, as good surprises count for more than bad
ones, above 0 it is avoided.

Sources: O. Mihatsch, R. Neuneier, "Risk-sensitive reinforcement learning", 2002; the thesis on Abalearn (P. Campos, Technical
University of Lisbon, about 2003), eq. 6.1.
"""

import math
from typing import Any, NamedTuple

from boardgym.baselines.networks import verbs  # noqa: F401  (its verbs are what the rules below are of)
from boardgym.baselines.networks.perceptron import MOST_EXPONENT
from boardgym.core.verbs import rule


class Piecewise(NamedTuple):
    """(1 - kappa) x of a positive difference x, (1 + kappa) x of another.

    At 0 it changes nothing; at -1 negative differences are ignored, at 1 positive ones. No settings.
    """

    unused: int = 0


class Smooth(NamedTuple):
    """(1 - e^(-k x)) / k with k = sharpness * kappa, and x where k is 0: the slope e^(-k x) changes steadily.

    sharpness: above 0, of the bend at kappa 1. The form of an exponential utility, made of the difference in place of the
    return.
    """

    BOUNDS = {"sharpness": (1e-6, 1e6)}  # type: ignore[misc]

    sharpness: float = 1.0


TRANSFORMATIONS: dict[str, type] = {"piecewise": Piecewise, "smooth": Smooth}


@rule(Piecewise)
def transformed(transformation: Any, difference: float, level: float) -> float:
    """Two slopes, which meet at 0."""
    return (1.0 - level) * difference if difference > 0.0 else (1.0 + level) * difference


@rule(Smooth)  # type: ignore[no-redef]
def transformed(transformation: Any, difference: float, level: float) -> float:  # type: ignore[no-redef]  # noqa: F811
    """A slope that changes steadily."""
    bend = transformation.sharpness * level
    if bend == 0.0:
        return difference
    exponent = -bend * difference
    return -(math.inf if exponent > MOST_EXPONENT else math.expm1(exponent)) / bend
