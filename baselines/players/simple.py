"""The plainest player: random."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core import verbs
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.core.random import draw
from boardgym.core.verbs import rule


class Random(NamedTuple):
    """Settings of the uniformly random player: none (a field is needed to be a tuple)."""

    unused: int = 0


@rule(Random)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The buffer for the legal actions."""
    return np.empty(max_actions, np.int64)


@rule(Random)
def choose(
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """Uniform over the legal actions; deterministic: the first."""
    count = verbs.legal_actions(position, scratch)
    return scratch[0] if deterministic else scratch[draw(rng, count)]


def make_random(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """Reads `random`."""
    refuse_extras(spec, argument=False)
    return CompiledPolicy(game, Random(), "random", seed=seed)
