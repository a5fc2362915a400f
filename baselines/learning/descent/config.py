"""The settings of a training by Descent, and what follows from them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.descent.tree import BYTES_PER_NODE
from boardgym.baselines.learning.ntuple.config import SelfPlayConfig, check_config
from boardgym.baselines.learning.ntuple.config import check_game as check_seats
from boardgym.baselines.memory import check_memory
from boardgym.core import verbs
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game

MOST_BUDGET, MOST_NODES = 1_000_000_000, 2**31 - 1


@dataclass(frozen=True)
class DescentConfig(SelfPlayConfig):
    """How to train by Descent. Step size and epsilon are numbers or schedules (`schedules.read_schedule`).

    Attributes:
        game: id of the game, for two seats, one of which wins what the other loses, paid at the end, without chance.
        budget: states to expand for each ply, after which no further descent begins; the one under way goes to its end.
        exploration: how actions are drawn: "ordinal", by their rank; "uniform", any with probability epsilon, else the best.
        epsilon: of the exploration, in [0, 1]: 0 plays the best, 1 any.
        payoff: what ends of games are worth: "result", what the game pays; "depth", the same times (L - t + 1) / L after t
            plies, of L at most.
        nodes: room of the tree. When it is full, what is there is learnt and forgotten, and a tree begins where the game is.
    """

    games: int = 2_000
    step_size: str = "1"
    budget: int = 20
    exploration: Literal["ordinal", "uniform"] = "ordinal"
    payoff: Literal["result", "depth"] = "result"
    nodes: int = 2_000_000


def check_descent(config: DescentConfig) -> None:
    """Raises OptionError for settings that no training can have."""
    check_config(config, counts=(("budget", 1, MOST_BUDGET), ("nodes", 1, MOST_NODES)))
    check_memory(BYTES_PER_NODE * config.nodes, f"trees of {config.nodes:,} nodes", "nodes")


def check_game(config: DescentConfig, game: Game) -> None:
    """Raises UnsupportedGameError for a game of other seats, of chance or that pays on the way, OptionError for few nodes."""
    check_seats(game)
    if verbs.has_chance(game.start) or verbs.has_reward(game.start):
        what = "has chance" if verbs.has_chance(game.start) else "pays on the way"
        raise UnsupportedGameError(f"{game.id} {what}: Descent learns games without chance that pay at the end")
    if config.nodes < (least := 1 + game.max_choices):
        raise OptionError(f"nodes={config.nodes}: {game.id} needs at least {least}, a root and all that it may lead to")


def plan_of(config: DescentConfig) -> NDArray[np.int64]:
    """What kernels play by besides the learner, int64 (3,)."""
    return np.array([config.budget, config.exploration == "ordinal", config.payoff == "depth"], np.int64)
