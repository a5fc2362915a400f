"""Tables 5.1 and 5.2 of the UCT-CCNN study: the parameters of tuning and of example generation, published beside ours."""

import math
from collections.abc import Sequence

from boardgym.baselines.learning.tuning.optimisers import ROUNDING
from boardgym.studies.pages import table
from boardgym.studies.uct_ccnn.costs import THREADS, Examples, Tuning
from boardgym.studies.uct_ccnn.examples import config_of as examples_config
from boardgym.studies.uct_ccnn.plans import NETWORKS, PLANS, SETTINGS, simulations_of
from boardgym.studies.uct_ccnn.tuning import FIRST_MEAN, FIRST_SEED, FIRST_SPREAD, HIGH, LOW
from boardgym.studies.uct_ccnn.tuning import config_of as tuning_config

Rows = Sequence[tuple[str, str, str]]
ELITE_RATE, ELITE, STEP_SIZE = 0.134, 2, 0.5  # section 5.2, as printed


def tuning_rows(size: str) -> Rows:
    """Table 5.1, and what the study leaves to the reader."""
    study, plan, ours = Tuning(), PLANS[size].tuning, tuning_config("othello", 1, size)
    start = f"{FIRST_MEAN:g}, {FIRST_SPREAD:g}"
    elite = math.floor(ours.elite_rate * ours.population + ROUNDING)
    return (
        ("range of the constant", "0.2 to 2.0", f"{LOW} to {HIGH}"),
        ("first mean, first spread", "1.1, 0.9", start),
        ("population n", f"{study.population}", f"{ours.population}"),
        ("elite rate s, samples of the elite", f"{ELITE_RATE:g}, {ELITE}", f"{ours.elite_rate:g}, {elite}"),
        ("iterations i", f"{study.iterations}", f"{ours.iterations}"),
        ("step size", f"{STEP_SIZE:g}", f"{ours.step_size:g}"),
        ("repetitions r: games of a sample", f"{study.repetitions}", f"{ours.games}"),
        ("thinking time t of a move", f"{study.seconds:g} s", f"{plan.simulations:,} simulations"),
        ("threads h", f"{THREADS}", "any number, with the same results"),
        ("opponent of a sample", "UCT with the mean", "UCT with the mean"),
        ("fitness", "share of games won", "share of games won"),
        ("seeds of the tunings", "-", f"{FIRST_SEED + 1} to {FIRST_SEED + plan.tunings}"),
    )


def examples_rows(size: str) -> Rows:
    """Table 5.2."""
    study, plan = Examples(), PLANS[size]
    ours = examples_config("othello", SETTINGS[0], 1, size, 1.0)
    times = [f"{simulations_of(plan, setting):,}" for setting in SETTINGS]
    return (
        ("games from the start i", f"{study.games}", f"{ours.num_start_games}"),
        ("random start states e", f"{study.states}", f"{ours.num_states}"),
        ("repetitions r: games from each of these", f"{study.repetitions}", f"{ours.games_per_state}"),
        ("thinking time t of a move", "200 s, 600 s", f"{' and '.join(times)} simulations"),
        ("threads h", f"{THREADS}", "any number, with the same results"),
        ("exploration constant", "of the tuning", "the mean of the tunings"),
        ("seeds of the data sets", "-", up_to(plan.examples.data_sets)),
    )


def network_rows(size: str) -> Rows:
    """Which networks learn from which data set."""
    return tuple(
        (
            f"seeds of the networks of data set {data_set}",
            "-",
            f"{NETWORKS * (data_set - 1) + 1} to {NETWORKS * data_set}",
        )
        for data_set in range(1, PLANS[size].examples.data_sets + 1)
    )


def up_to(most: int) -> str:
    """The numbers from 1."""
    return "1" if most == 1 else f"1 to {most}"


ROWS = {
    "tuning": ("table 5.1", tuning_rows),
    "examples": ("table 5.2", examples_rows),
    "networks": ("networks", network_rows),
}


def parameters(part: str, size: str) -> list[str]:
    """The table of a part's parameters, published beside ours; nothing for a part that has none."""
    if part not in ROWS:
        return []
    title, rows = ROWS[part]
    return table((title, "study", f"here, size {size}"), rows(size))
