"""Opponents with weights, drawn at random, for the tests of what a card plays."""

import numpy as np

import boardgym
from boardgym.baselines.learning.ntuple.agent import NTupleAgent
from boardgym.baselines.networks.cells import game_cells
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.baselines.networks.ntuples import check_tuples
from boardgym.core.policy_spec import make_policy


def ntuple_agent(game, seed=1, seats=2):
    """An n-tuple network of a few tuples."""
    cells = game_cells(game)
    rng = np.random.default_rng(seed)
    tuples = [tuple(rng.choice(cells.live, 3, replace=False).tolist()) for _ in range(4)]
    shape = seats * cells.num_phases, check_tuples(cells, tuples, arrays=1)
    return NTupleAgent(cells, tuples, rng.normal(size=shape).astype(np.float32), {"pays": None})


def network(game, seed=1):
    """A network of two layers over the observation."""
    rng, inputs = np.random.default_rng(seed), int(np.prod(game.observation_shape))
    shapes = [(inputs, 8), (8, game.num_actions)]
    return NetworkPolicy(game, [(rng.normal(size=shape) / shape[0] ** 0.5, np.zeros(shape[1])) for shape in shapes])


OPPONENTS = {
    "random": lambda game: make_policy("random", game),
    "greedy": lambda game: make_policy("greedy", game),
    "ntuple": ntuple_agent,
    "network": network,
}
WITHOUT_CELLS = ("Abalone3-v0", "CardPoints-v0")  # of which there are no n-tuple networks
PLAYERS = [
    (name, kind) for name in boardgym.list_games() for kind in OPPONENTS if kind != "ntuple" or name not in WITHOUT_CELLS
]
