"""The plainest players: random, and greedy on the game's heuristic.

Values are for the seat that moves: an action is worth what the afterstate's heuristic says for that seat.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.core.random import draw
from boardgym.core.verbs import rule


class Random(NamedTuple):
    """Settings of the uniformly random player: none (a field is needed to be a tuple)."""

    unused: int = 0


class Greedy(NamedTuple):
    """Settings of the one-ply player: none."""

    unused: int = 0


@rule(Random, Greedy)
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


@inner
def afterstate_value(position: Any, seat: int) -> float:
    """What a position that `seat` has moved into is worth to it: its return, or the heuristic."""
    return verbs.returns(position, seat) if verbs.is_terminal(position) else verbs.heuristic(position, seat)


@rule(Greedy)  # type: ignore[no-redef]
def choose(  # type: ignore[no-redef]  # noqa: F811
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """The action with the best afterstate; ties at random, deterministic: the first of them."""
    seat, best, ties, chosen = verbs.to_play(position), -np.inf, 0, np.int64(-1)
    for i in range(verbs.legal_actions(position, scratch)):
        action = scratch[i]
        value = afterstate_value(verbs.apply(position, action), seat)
        if value > best:
            best, ties, chosen = value, 1, action
        elif value == best and not deterministic:
            ties += 1
            if draw(rng, ties) == 0:
                chosen = action
    return chosen  # type: ignore[return-value]


def make_random(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """Reads `random`."""
    refuse_extras(spec, argument=False)
    return CompiledPolicy(game, Random(), "random", seed=seed)


def make_greedy(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """Reads `greedy`. In a game without a heuristic it sees wins and losses alone, and plays at random between others."""
    refuse_extras(spec, argument=False)
    return CompiledPolicy(game, Greedy(), "greedy", seed=seed)
