"""Carried further: how far Single-NN gets if exploration goes on and its agent is a mean, of weights and of symmetric views."""

from collections.abc import Callable
from typing import Any

from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.experiments import TITLES, UNITS, draws, lines_of
from boardgym.studies.othello_q.learners import train_in_parts
from boardgym.studies.othello_q.options import GOALS, STRETCH, reaches
from boardgym.studies.othello_q.plans import PARTS_OF_TRAINING, PLANS, PLAYERS
from boardgym.studies.parts import Claim, Part, Work

LEVEL_TEMPERATURE = 0.05
FALLING = 3  # the temperature falls over a third of the games
MEAN_FROM = 0.5
SETUP = "random:4"  # as many plies as the openings of the measure have
WIDER_HIDDEN = 128
SEEDS_FROM = {"mean": 200, "wider": 300}  # of the trainings of a kind, before their number: not those of others


def options_of(kind: str, games: int) -> dict[str, Any]:
    """The settings of a kind of trainings, beside the study's."""
    options = {
        "temperature": f"exponential(1, {LEVEL_TEMPERATURE}, {games // FALLING})",
        "never_greedy": True,
        "average_from": MEAN_FROM,
        "play_symmetries": "all",
        "setup": SETUP,
    }
    return {**options, "hidden": WIDER_HIDDEN} if kind == "wider" else options


def trains(kind: str) -> Callable[..., dict[str, Any]]:
    """The work of a training."""

    def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
        """What it has learnt before the first game and after each tenth of them."""
        games, own = getattr(PLANS[size], kind).games, SEEDS_FROM[kind] + seed
        options = options_of(kind, games)
        found = train_in_parts(place, "single", games, own, PARTS_OF_TRAINING, UNITS, f"{size}-{kind}", **options)
        return {what: found[what] for what in found if what not in ("factor", "switch")}  # of the study's schedule

    return measure


def part_of(kind: str, title: str, says: str, made_of: tuple[Any, ...]) -> Part:
    """The part of a kind of trainings. made_of: what its results hang on beside the plan."""
    goals = "wins over 90 % against mobility and 80 % against positional, in each colour"
    return Part(
        name=kind,
        title=title,
        works={kind: Work(trains(kind), units=UNITS, holds=("games", "checkpoints"))},
        lines=lines_of((kind,), {kind: says}),
        claims=(
            Claim(9, f"{TITLES[kind]} {goals}", reaches(GOALS, kind), (kind,)),
            Claim(9, f"{TITLES[kind]} wins over 90 % against both", reaches(dict.fromkeys(PLAYERS, STRETCH), kind), (kind,)),
        ),
        pictures={"curves": draws((kind,))},
        needs={"curves": (kind,)},
        made_of=made_of,
    )


MEAN = part_of(
    "mean",
    "Carried further: means of weights and of views",
    f"games start after four random plies, as those of the measure do (`setup={SETUP}`); T falls by equal factors to "
    f"{LEVEL_TEMPERATURE} over the first third of the games and stays there; from half of the games on the agent has the mean "
    f"of its weights since then (`average_from={MEAN_FROM}`), and it plays by the mean of its values under the symmetries of "
    "the board (`play_symmetries=all`)",
    (1, PLAYERS, LEVEL_TEMPERATURE, FALLING, MEAN_FROM, SETUP),  # 1: with views and seeds as they are now
)
WIDER = part_of(
    "wider",
    "Carried further: a wider network with means",
    f"the settings are those of Single-NN with means, but for {WIDER_HIDDEN} hidden units and the number of games",
    (1, PLAYERS, LEVEL_TEMPERATURE, FALLING, MEAN_FROM, SETUP, WIDER_HIDDEN),
)
