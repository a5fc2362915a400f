"""A value network at the horizon of a search: what a learner in `baselines/neural/` has learnt of afterstates.

Such a network says what a seat that has moved into a position may expect from there on, which is what `evaluate` is asked.
Its output V is made an estimate of the returns in [-1, 1] so:

- where a learner was told what a win and a loss are worth: -1 for V at a loss, 1 at a win, and in between in proportion;
- where it was paid as the game pays, and that is at its end alone: a sigmoid output is a share of wins, 2 V - 1; any other is
  V / the greatest return;
- where the game pays on the way (the verb `reward`): (what it has paid so far + V) / the greatest return, whatever the output.

What lies beyond -1 or 1 is cut off. V is taken as it stands: a discount, with which it was learnt, is not undone.
"""

from typing import NamedTuple

import numpy as np

from boardgym.baselines.neural import perceptron as pn
from boardgym.baselines.neural import verbs as nv
from boardgym.baselines.search import evaluation as ev  # noqa: F401  (its verbs are what the rules below are of)
from boardgym.core import verbs
from boardgym.core.verbs import rule


class NetworkValue(NamedTuple):
    """The value is factor * V + shift, and what the game has paid so far, times `share`. inputs: how many the network has."""

    factor: float
    shift: float
    share: float
    inputs: int


@rule(NetworkValue)
def make_room(evaluation, position, data):
    """The feature map's settings, its sheet and the network, with units of its own.

    data: the map's token and row; sizes, kinds, biases and weights of the network; zeros in the shape of the observation.
    """
    feature_map = verbs.unpack(data[0], data[1])
    sizes, kinds, biases, weights = data[2], data[3], data[4], data[5]
    units = np.zeros(sizes.sum())
    net = pn.Perceptron(sizes, kinds, biases, weights, units, np.zeros(0))
    return feature_map, nv.Sheet(units[: evaluation.inputs], np.zeros_like(data[6])), net


@rule(NetworkValue)
def evaluate(evaluation, position, seat, room):
    """By the network's forward pass."""
    feature_map, sheet, net = room
    nv.features(feature_map, position, seat, sheet)
    value = evaluation.factor * pn.value(net) + evaluation.shift
    if verbs.has_reward(position):
        value += evaluation.share * verbs.draw_returns(position, seat)
    return min(max(value, -1.0), 1.0)
