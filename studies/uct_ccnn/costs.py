"""What tuning and example generation cost in the study of UCT-CCNN: its sections 5.2 and 5.3.

M. A. Rezende's dissertation (UFMG, 2017) takes all games to be of the same length, J plies, each thought about for t seconds,
and the games shared by h threads.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.verdicts import Found

HOUR_S, DAY_S = 3600.0, 86_400.0
PLIES = {"Othello": 60, "Nine Men's Morris": 50}  # J: the lengths that the study takes
THREADS = 64


class Tuning(NamedTuple):
    """iterations i, population n, repetitions r: games of a sample, seconds t a ply."""

    iterations: int = 5
    population: int = 15
    repetitions: int = 90
    seconds: float = 60.0


class Examples(NamedTuple):
    """games i from the initial state, states e drawn at random, repetitions r: games from each of these, seconds t a ply."""

    games: int = 30
    states: int = 300
    repetitions: int = 5
    seconds: float = 200.0


def tuning_s(settings: Tuning, plies: float, threads: int = THREADS) -> float:
    """Seconds: i n r J t / h. plies: J, of a game."""
    return settings.iterations * settings.population * settings.repetitions * plies * settings.seconds / threads


def examples_s(settings: Examples, plies: float, threads: int = THREADS) -> float:
    """Seconds: (i + e r) J t / h. plies: J, of a game."""
    return (settings.games + settings.states * settings.repetitions) * plies * settings.seconds / threads


PRINTED = {  # claim 3: what is printed, and how far off: half of its last digit, a whole one where it is cut
    ("tuning", "Othello", "hours"): (105.469, 5e-4),
    ("tuning", "Othello", "days"): (4.394, 1e-3),  # printed; 4.3945
    ("tuning", "Nine Men's Morris", "days"): (3.7, 0.05),
    ("examples of 200 s", "Othello", "hours"): (79.687, 1e-3),  # printed; 79.6875
    ("examples of 200 s", "Othello", "days"): (3.32, 0.005),
    ("examples of 600 s", "Othello", "days"): (9.96, 0.005),
    ("examples of 200 s", "Nine Men's Morris", "days"): (2.77, 0.005),
    ("examples of 600 s", "Nine Men's Morris", "days"): (8.3, 0.05),
}
UNITS = {"hours": HOUR_S, "days": DAY_S}
STAGES: dict[str, Callable[[float], float]] = {
    "tuning": lambda plies: tuning_s(Tuning(), plies),
    "examples of 200 s": lambda plies: examples_s(Examples(), plies),
    "examples of 600 s": lambda plies: examples_s(Examples(seconds=600.0), plies),
}


def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """What the formulas say of each printed figure: [stage, game, unit, printed, its accuracy, by the formula]."""
    found = [
        [stage, game, unit, printed, accuracy, STAGES[stage](PLIES[game]) / UNITS[unit]]
        for (stage, game, unit), (printed, accuracy) in PRINTED.items()
    ]
    return {"costs": found}


def judge(figures: Figures) -> Found:
    """Every printed figure."""
    found = figures["costs"][0]["costs"]
    wrong = [f"{stage}, {game}" for stage, game, _, printed, accuracy, ours in found if abs(ours - printed) > accuracy]
    text = f"{len(found) - len(wrong)} of {len(found)} printed hours and days; printed figures are cut or rounded"
    return ("not shown" if wrong else "shown"), text + (f"; not {', '.join(wrong)}" if wrong else "")


def page(figures: Figures) -> list[str]:
    """Printed and by the formulas."""
    if not figures.get("costs"):
        return []
    rows = [
        [stage, game, f"{printed:g} {unit}", f"{ours:.6g}"]
        for stage, game, unit, printed, _, ours in figures["costs"][0]["costs"]
    ]
    return table(("stage", "game", "printed", "by the formula"), rows)


COSTS = Part(
    name="costs",
    title="claim 3: what tuning and examples cost",
    works={"costs": Work(measure, is_seeded=False, holds=("costs",))},
    lines=page,
    claims=(
        Claim(3, "the formulas of sections 5.2 and 5.3 give the printed hours and days", judge, ("costs",), of_any_size=True),
    ),
    made_of=(1,),
)
