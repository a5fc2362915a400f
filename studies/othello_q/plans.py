"""What the study of Othello by neural Q-learning is rerun with: how much of everything at each size, and the schedule.

The study's temperature is T = a b^n after n games; once it is below c, learners are greedy. With b = 0.9999995 they are from
n = 12,429,214 on. A shorter training has the b with which T falls below c at the same share of its games.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from boardgym.core.random import stream

Size = Literal["small", "medium", "page"]
GAME, OPENINGS, NUM_OPENINGS = "Othello-v0", "openings-244", 244
PARTS_OF_TRAINING = 10  # section 6: the learners are evaluated after each tenth of the games
FIRST_TEMPERATURE, FACTOR, LEAST_TEMPERATURE = 1.0, 0.9999995, 0.002  # a, b, c of equation (18)
FULL_GAMES = 12_500_000  # the study's length is not in our text: its games until the switch, rounded up
PLAYERS = ("positional", "mobility")  # the benchmark players
SEATS = ("black", "white")
RUN_STREAM = 23  # the path of seeds

SWITCH = math.ceil(math.log(LEAST_TEMPERATURE / FIRST_TEMPERATURE) / math.log(FACTOR))  # 12,429,214


def factor_for(games: int) -> float:
    """B of a training of so many games: the study's for FULL_GAMES; of fewer, T falls below c at the same share of them."""
    return FACTOR if games == FULL_GAMES else float(FACTOR ** (FULL_GAMES / games))


def switch_of(factor: float) -> int:
    """The first game that is played greedily: the least n with a b^n < c."""
    return math.ceil(math.log(LEAST_TEMPERATURE / FIRST_TEMPERATURE) / math.log(factor))


def seed_of(*path: int) -> int:
    """A seed of a training or a match."""
    return int(stream(path[0], RUN_STREAM, *path[1:])[0]) >> 1


@dataclass(frozen=True)
class TrainingPlan:
    """games: of a training. runs: with different seeds."""

    games: int
    runs: int


@dataclass(frozen=True)
class OptionsPlan:
    """seconds: of processor time that a training with an option may take. pilot: games that tell how long one takes.

    runs: with different seeds. best_seconds, best_runs: of the trainings of the best option, and how many of them.
    """

    seconds: float
    pilot: int
    runs: int
    best_seconds: float
    best_runs: int


@dataclass(frozen=True)
class OthersPlan:
    """episodes: of the learners that are trained for this. runs: with different seeds."""

    episodes: int
    runs: int


@dataclass(frozen=True)
class Plan:
    """How much of everything.

    single, multi: of the longest trainings of each kind. short: of both kinds, under the same schedule. positions: that the
    rules and the players are checked at.
    """

    single: TrainingPlan
    multi: TrainingPlan
    short: TrainingPlan
    options: OptionsPlan
    others: OthersPlan
    positions: int

    def part(self, name: str) -> Any:
        """The plan of a kind of work, as plain data."""
        found = getattr(self, name, 0)  # of what does not depend on the plan, 0
        return found if isinstance(found, int) else asdict(found)


PLANS: dict[str, Plan] = {
    "small": Plan(
        single=TrainingPlan(games=20_000, runs=2),
        multi=TrainingPlan(games=4_000, runs=1),
        short=TrainingPlan(games=4_000, runs=2),
        options=OptionsPlan(seconds=4.0, pilot=400, runs=2, best_seconds=8.0, best_runs=2),
        others=OthersPlan(episodes=1_000, runs=1),
        positions=300,
    ),
    "medium": Plan(
        single=TrainingPlan(games=1_000_000, runs=5),
        multi=TrainingPlan(games=200_000, runs=1),
        short=TrainingPlan(games=50_000, runs=5),
        options=OptionsPlan(seconds=60.0, pilot=2_000, runs=5, best_seconds=600.0, best_runs=3),
        others=OthersPlan(episodes=50_000, runs=3),
        positions=1_000,
    ),
    "page": Plan(
        single=TrainingPlan(games=FULL_GAMES, runs=5),
        multi=TrainingPlan(games=FULL_GAMES, runs=1),
        short=TrainingPlan(games=1_000_000, runs=5),
        options=OptionsPlan(seconds=600.0, pilot=5_000, runs=5, best_seconds=7_200.0, best_runs=3),
        others=OthersPlan(episodes=400_000, runs=3),
        positions=4_000,
    ),
}
