"""One-player problems of the textbooks as Gymnasium environments: grid worlds, the n-armed bandit, a gamble with two states.

Each has a known model, `env.unwrapped.transitions()`, so that what a learner finds can be compared with what is right.
"""

import gymnasium

from boardgym.solo.bandit import Bandit, draw_rewards, draw_tasks
from boardgym.solo.grid import EAST, NORTH, SOUTH, WEST, GridWorld, LakesAndTunnel
from boardgym.solo.model import Model, SoloEnv, Transition
from boardgym.solo.risk import MOVE, STAY, RiskProblem, critical_rho, is_move_optimal, value_of_move

PROBLEMS: tuple[
    tuple[str, type[SoloEnv], dict[str, float], int | None], ...
] = (  # id, class, arguments other than its defaults, steps after which it is cut off
    ("GridWorld-v0", GridWorld, {}, None),
    ("PolicyEvaluationGrid-v0", GridWorld, {"height": 4, "width": 4, "goal": 15, "bump_reward": -1.0}, None),
    ("LakesAndTunnel-v0", LakesAndTunnel, {}, None),
    ("Bandit-v0", Bandit, {}, None),
    ("RiskProblem-v0", RiskProblem, {}, 1000),
)


def register_problems() -> None:
    """Registers `boardgym/GridWorld-v0` and the others with Gymnasium."""
    for name, problem, arguments, max_steps in PROBLEMS:
        gymnasium.register(
            f"boardgym/{name}",
            entry_point=f"{problem.__module__}:{problem.__name__}",
            kwargs=dict(arguments),
            max_episode_steps=max_steps,
        )


__all__ = [
    "EAST",
    "MOVE",
    "NORTH",
    "PROBLEMS",
    "SOUTH",
    "STAY",
    "WEST",
    "Bandit",
    "GridWorld",
    "LakesAndTunnel",
    "Model",
    "RiskProblem",
    "SoloEnv",
    "Transition",
    "critical_rho",
    "draw_rewards",
    "draw_tasks",
    "is_move_optimal",
    "register_problems",
    "value_of_move",
]
