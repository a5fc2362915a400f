"""A cascade network at the horizon of a search: `minimax:3,evaluation=cascade(file:cascade.safetensors)`.

It has learnt what a seat that has moved into a position may expect, in [-1, 1], which is what `evaluate` is asked.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cascade_network import forward, with_room
from boardgym.baselines.search import evaluation as ev  # noqa: F401  (its verbs are what the rules below are of)
from boardgym.core import verbs
from boardgym.core.verbs import rule


class CascadeValue(NamedTuple):
    """inputs, hidden: how many inputs and hidden units the network has."""

    inputs: int
    hidden: int


@rule(CascadeValue)
def make_room(evaluation: Any, position: Any, data: Any) -> Any:
    """The feature map's settings, its sheet and the network, with scratch of its own.

    data: the map's token and row; sizes, functions, steepnesses and weights of the network; zeros in the shape of the
    observation.
    """
    feature_map = verbs.unpack(data[0], data[1])
    sheet = nv.Sheet(np.zeros(evaluation.inputs), np.zeros_like(data[6]))
    return feature_map, sheet, with_room(data[2], data[3], data[4], data[5])


@rule(CascadeValue)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """By the network's forward pass; what is beyond 1 in size counts as 1, and NaN as 0, since no search can order it."""
    feature_map, sheet, net = room
    nv.features(feature_map, position, seat, sheet)
    forward(net, sheet.inputs)
    value = net.sums[evaluation.hidden]
    return 0.0 if math.isnan(value) else min(max(value, -1.0), 1.0)
