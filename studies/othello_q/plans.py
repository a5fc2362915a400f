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
# The first number of seeds that are not of a training. Those of trainings are 1, 2, ...; of the best option 101, 102, ...; of
# Single-NN with means 201, 202, ..., of the wider one 301, 302, ...
RULES_SEEDS, PLAYERS_SEEDS, TIES_SEEDS, NETWORKS_SEEDS, FILES_SEEDS, OTHERS_SEEDS, GIVEN_SEEDS = range(1001, 1008)
# Measured on one core: games of training a second of processor time, and seconds of an evaluation's 976 games.
SPEEDS, TD_SPEED, EVALUATION_S = {"single": 11_000, "multi": 5_000, "wider": 4_700}, 760, 0.8
NUM_OPTIONS = 8  # trainings compared at equal time, the plain learner's among them

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
    """seconds: of processor time that a training with an option may take. pilot: of the training that tells how fast it is.

    runs: with different seeds.
    """

    seconds: float
    pilot: float
    runs: int


@dataclass(frozen=True)
class BestPlan:
    """seconds: of processor time that a training of the best option may take. runs: with different seeds."""

    seconds: float
    runs: int


@dataclass(frozen=True)
class OthersPlan:
    """episodes: of the learners that are trained for this. runs: with different seeds."""

    episodes: int
    runs: int


@dataclass(frozen=True)
class Plan:
    """How much of everything.

    single, multi: of the longest trainings of each kind. short: of both kinds, under the same schedule. mean: those whose agent
    has the mean of the weights. wider: those with more hidden units. positions: that the rules and the players are checked at.
    """

    single: TrainingPlan
    multi: TrainingPlan
    short: TrainingPlan
    mean: TrainingPlan
    wider: TrainingPlan
    options: OptionsPlan
    best: BestPlan
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
        mean=TrainingPlan(games=4_000, runs=2),
        wider=TrainingPlan(games=4_000, runs=2),
        options=OptionsPlan(seconds=4.0, pilot=1.0, runs=2),
        best=BestPlan(seconds=8.0, runs=2),
        others=OthersPlan(episodes=1_000, runs=1),
        positions=300,
    ),
    "medium": Plan(
        single=TrainingPlan(games=1_000_000, runs=5),
        multi=TrainingPlan(games=200_000, runs=1),
        short=TrainingPlan(games=50_000, runs=5),
        mean=TrainingPlan(games=600_000, runs=5),
        wider=TrainingPlan(games=600_000, runs=5),
        options=OptionsPlan(seconds=60.0, pilot=10.0, runs=6),
        best=BestPlan(seconds=600.0, runs=5),
        others=OthersPlan(episodes=50_000, runs=3),
        positions=1_000,
    ),
    "page": Plan(
        single=TrainingPlan(games=FULL_GAMES, runs=5),
        multi=TrainingPlan(games=FULL_GAMES, runs=1),
        short=TrainingPlan(games=1_000_000, runs=5),
        mean=TrainingPlan(games=1_500_000, runs=5),
        wider=TrainingPlan(games=4_000_000, runs=10),
        options=OptionsPlan(seconds=60.0, pilot=20.0, runs=6),
        best=BestPlan(seconds=900.0, runs=5),
        others=OthersPlan(episodes=100_000, runs=3),
        positions=4_000,
    ),
}


def core_hours(plan: Plan) -> float:
    """How long all parts of a size take together, in hours of one core, by the measured speeds; compiling is not counted."""
    options, best, short, evaluations = plan.options, plan.best, plan.short, PARTS_OF_TRAINING + 1
    seconds = plan.single.games * plan.single.runs / SPEEDS["single"] + plan.multi.games * plan.multi.runs / SPEEDS["multi"]
    seconds += sum(short.games * short.runs / SPEEDS[network] for network in ("single", "multi"))
    seconds += plan.mean.games * plan.mean.runs / SPEEDS["single"] + plan.wider.games * plan.wider.runs / SPEEDS["wider"]
    seconds += NUM_OPTIONS * (options.pilot + options.seconds * options.runs) + best.seconds * best.runs
    seconds += plan.others.episodes * plan.others.runs / TD_SPEED
    in_tenths = plan.single.runs + plan.multi.runs + 2 * short.runs + best.runs + plan.mean.runs + plan.wider.runs
    seconds += EVALUATION_S * (evaluations * in_tenths + 2 * NUM_OPTIONS * options.runs + plan.others.runs)
    return seconds / 3600.0


def hours_text(size: str) -> str:
    """The core hours of a size, as documentation and help have them."""
    hours = core_hours(PLANS[size])
    return f"{hours:.1g}" if hours < 1.0 else f"{hours:.2g}"
