"""UCT whose priors are the probabilities of a small network: `uct:800,puct=1.25,prior=network(network:net.safetensors)`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.network import forward, make_buffers
from boardgym.baselines.search.common import silent_reply
from boardgym.baselines.search.uct import RefinedUCT
from boardgym.baselines.search.uct_playouts import make_memory
from boardgym.baselines.search.uct_tree import room_for, tree_for
from boardgym.core.verbs import rule


class NetworkUCT(RefinedUCT):
    """Settings as of its base; is_tanh and temperature are the network's."""


@rule(NetworkUCT)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """As of the base, with the network's buffers. data: as there; of the network its sizes, weights and planes."""
    buffers = make_buffers(data[1][0], data[1][1], data[1][2], max_actions)
    memory = make_memory(policy, position, max_actions, data[0])
    return silent_reply(), (tree_for(policy, room_for(policy, max_actions), data[2]), memory, buffers)


@rule(NetworkUCT)
def write_priors(policy: Any, position: Any, buffers: Any, probabilities: NDArray[np.float64]) -> int:
    """The network's probabilities of the legal actions."""
    count, total = forward(policy, position, buffers)
    for i in range(count):
        probabilities[i] = buffers.draw_weights[i] / total
    return 1
