"""UCT whose priors are the probabilities of a small network: `uct:800,puct=1.25,prior=network(network:net.safetensors)`."""

from boardgym.baselines.neural.network import forward, make_buffers
from boardgym.baselines.search.common import silent_reply
from boardgym.baselines.search.uct_playouts import make_memory
from boardgym.baselines.search.uct_refined import RefinedUCT, make_tree
from boardgym.core.verbs import rule


class NetworkUCT(RefinedUCT):
    """Settings as of its base; is_tanh and temperature are the network's."""


@rule(NetworkUCT)
def make_scratch(policy, position, max_actions, data):
    """As of the base, with the network's buffers. data: ints, floats, used, sizes, weights, planes."""
    buffers = make_buffers(data[3], data[4], data[5], max_actions)
    return silent_reply(), (make_tree(policy, max_actions, data), make_memory(policy, position, max_actions), buffers)


@rule(NetworkUCT)
def write_priors(policy, position, buffers, odds):
    """The network's probabilities of the legal actions."""
    count, total = forward(policy, position, buffers)
    for i in range(count):
        odds[i] = buffers.odds[i] / total
    return 1
