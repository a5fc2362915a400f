"""A value network at the horizon of a search: what a learner in `baselines/learning/` has learnt of afterstates.

Such a network says what a seat that has moved into a position may expect from there on, which is what `evaluate` is asked. What
its output is worth in [-1, 1] is said in `neural/scale.py`.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.scale import paid_until, value_of_output
from boardgym.baselines.search import evaluation as ev  # noqa: F401  (its verbs are what the rules below are of)
from boardgym.core import verbs
from boardgym.core.verbs import rule


class NetworkValue(NamedTuple):
    """factor, shift, share: of `Scale`. inputs: how many the network has."""

    factor: float
    shift: float
    share: float
    inputs: int


@rule(NetworkValue)
def make_room(evaluation: Any, position: Any, data: Any) -> Any:
    """The feature map's settings, its sheet and the network, with units of its own.

    data: the map's token and row; sizes, kinds, biases and weights of the network; zeros in the shape of the observation.
    """
    feature_map = verbs.unpack(data[0], data[1])
    net = pn.of_weights(data[2], data[3], data[4], data[5])
    return feature_map, nv.Sheet(net.units[: evaluation.inputs], np.zeros_like(data[6])), net


@rule(NetworkValue)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """By the network's forward pass."""
    feature_map, sheet, net = room
    nv.features(feature_map, position, seat, sheet)
    return value_of_output(evaluation, pn.value(net), paid_until(position, seat))
