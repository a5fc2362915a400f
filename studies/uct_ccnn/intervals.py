"""Claim 9 of the UCT-CCNN study: its intervals are exact, those of Clopper and Pearson, at 95 %."""

from typing import Any

from boardgym.studies.exact import clopper_pearson
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.uct_ccnn.published import cells
from boardgym.studies.verdicts import Found

PRINTED = 0.05 + 1e-9  # percent: the study prints one digit behind the point


def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Each printed interval with ours, in percent: [where, won, games, printed low, high, ours low, high]."""
    found = []
    for where, cell in cells():
        ours = clopper_pearson(cell.won, cell.games)
        found.append([where, cell.won, cell.games, cell.low, cell.high, round(100 * ours.low, 3), round(100 * ours.high, 3)])
    return {"cells": found}


def agrees(one: list[Any]) -> bool:
    """Whether both ends are those that are printed."""
    return abs(one[3] - one[5]) <= PRINTED and abs(one[4] - one[6]) <= PRINTED


def judge(figures: Figures) -> Found:
    """Every printed interval."""
    found = figures["intervals"][0]["cells"]
    wrong = [one[0] for one in found if not agrees(one)]
    text = f"{len(found) - len(wrong)} of {len(found)} printed intervals, to the digit that is printed"
    return ("not shown" if wrong else "shown"), text + (f"; not {', '.join(wrong)}" if wrong else "")


def page(figures: Figures) -> list[str]:
    """Those that are not all or nothing."""
    if not figures.get("intervals"):
        return []
    rows = [
        [one[0], f"{one[1]} of {one[2]}", f"{one[3]:g} to {one[4]:g}", f"{one[5]:.2f} to {one[6]:.2f}"]
        for one in figures["intervals"][0]["cells"]
        if 0 < one[1] < one[2]
    ]
    return table(("where", "games won", "printed, %", "Clopper and Pearson, %"), rows)


INTERVALS = Part(
    name="intervals",
    title="claim 9: the intervals of tables 5.5 to 5.9",
    works={"intervals": Work(measure, is_seeded=False, holds=("cells",))},
    lines=page,
    claims=(
        Claim(
            9,
            "the intervals of the win rates are those of Clopper and Pearson, at 95 %",
            judge,
            ("intervals",),
            of_any_size=True,
        ),
    ),
    made_of=(1,),
)
