"""Carried further: how far Single-NN gets if exploration goes on and its agent is a mean, of weights and of symmetric views."""

from typing import Any

from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.experiments import UNITS, draws, lines_of
from boardgym.studies.othello_q.learners import train_in_parts
from boardgym.studies.othello_q.options import GOALS, STRETCH, reaches
from boardgym.studies.othello_q.plans import PARTS_OF_TRAINING, PLANS, PLAYERS
from boardgym.studies.parts import Claim, Part, Work

KIND = "mean"
LEVEL_TEMPERATURE = 0.05
FALLING = 3  # the temperature falls over a third of the games
MEAN_FROM = 0.5
SETUP = "random:4"  # as many plies as the openings of the measure have
SEEDS_FROM = 200  # of its trainings, before their number: not those of others


def options_of(games: int) -> dict[str, Any]:
    """The settings beside the study's."""
    return {
        "temperature": f"exponential(1, {LEVEL_TEMPERATURE}, {games // FALLING})",
        "never_greedy": True,
        "average_from": MEAN_FROM,
        "play_symmetries": "all",
        "setup": SETUP,
    }


def trains(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """What it has learnt before the first game and after each tenth of them."""
    games, name = PLANS[size].mean.games, f"{size}-{KIND}"
    found = train_in_parts(place, "single", games, SEEDS_FROM + seed, PARTS_OF_TRAINING, UNITS, name, **options_of(games))
    return {what: found[what] for what in found if what not in ("factor", "switch")}  # of the study's schedule


SAYS = (
    f"games start after four random plies, as those of the measure do (`setup={SETUP}`); T falls by equal factors to "
    f"{LEVEL_TEMPERATURE} over the first third of the games and stays there; from half of the games on the agent has the mean "
    f"of its weights since then (`average_from={MEAN_FROM}`), and it plays by the mean of its values under the symmetries of "
    "the board (`play_symmetries=all`)"
)
MEAN = Part(
    name="mean",
    title="Carried further: means of weights and of views",
    works={KIND: Work(trains, units=UNITS, holds=("games", "checkpoints"))},
    lines=lines_of((KIND,), {KIND: SAYS}),
    claims=(
        Claim(9, "Single-NN with means wins over 90 % against mobility and 80 % against positional, in each colour",
              reaches(GOALS, KIND), (KIND,)),
        Claim(9, "Single-NN with means wins over 90 % against both", reaches(dict.fromkeys(PLAYERS, STRETCH), KIND),
              (KIND,)),
    ),
    pictures={"curves": draws((KIND,))},
    needs={"curves": (KIND,)},
    made_of=(1, PLAYERS, LEVEL_TEMPERATURE, FALLING, MEAN_FROM, SETUP),  # 1: with views and seeds as they are now
)  # fmt: skip
