"""Method I of the Abalearn study under readings of what it leaves open, among them a first weight of 1.5.

The printed weights of method I (figures 5.9 to 5.11) have 1.5 on the other's marbles pushed off after ten games already, which
looks like a first weight. That and ten details more are factors of two levels each. A design of twelve readings, fixed before
any was trained, has each level six times and each pair of levels of two factors three times (R. L. Plackett and J. P. Burman,
"The design of optimum multifactorial experiments", 1946); its last one is the most literal. One of twelve comes nearest to
table 5.1 by chance too: it is judged by ten new seeds alone. So are the most literal one and that with first weights of 1.5.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from boardgym.studies.abalearn import readings_search as rd
from boardgym.studies.abalearn.headline import OFF_BOARD
from boardgym.studies.abalearn.methods import TERMS, keeps, train_plan
from boardgym.studies.abalearn.methods_figures import between, paired, rate_of
from boardgym.studies.abalearn.methods_page import RANDOM
from boardgym.studies.abalearn.plans import ESPACIAL, FIRST, PLAYERS, Plan, classical
from boardgym.studies.exact import clopper_pearson
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, half_width, spread
from boardgym.studies.verdicts import MANY, Found, Verdict, all_of, greater

Reading = Mapping[str, str]  # the level of each factor
OTHER = {  # of factors of the search for method II the level that is taken beside the most literal one
    "chosen by": "r + discount V", "positions learnt": "after it", "traces of": "both", "trace decay": "lambda",
    "biases": "all", "output": "tanh", "at the end": "V", "reward": "lead in marbles", "plies of training": "300",
}  # fmt: skip
FACTORS: dict[str, dict[str, dict[str, Any]]] = {  # level: what it changes; the most literal one first
    "first weights": {"±0.01": {}, "other pushed off 1.5": {"input_weights": ("other pushed off=1.5",)}},
    "centre": {"7 cells": {}, "19 cells": {"features": "espacial(centre=2)"}},
    **{name: {level: rd.FACTORS[name][level] for level in (rd.LITERAL[name], other)} for name, other in OTHER.items()},
}
LITERAL: Reading = {factor: next(iter(levels)) for factor, levels in FACTORS.items()}
STARTED: Reading = {**LITERAL, "first weights": "other pushed off 1.5"}
GENERATOR = (1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0)  # of Plackett and Burman's design of twelve: its rotations, and a row of zeros
POINTS = (0, 10, 250, 500, 1000)  # games of training after which nets are tested
PRINTED = {games: RANDOM["I"][games] for games in POINTS if games}  # table 5.1, percent
COUNTS = ("ahead", "won")  # in marbles at the end, by six pushed off
# Added to numbers of work: what is chosen has seeds that did not choose it.
SEARCH_SEED, NEAREST_SEED = 5_000_000, 6_000_000


def point(number: int) -> Reading:
    """Of the design, from 1 to 12."""
    if number == len(GENERATOR) + 1:
        return LITERAL
    row = GENERATOR[number - 1 :] + GENERATOR[: number - 1]
    return {factor: [*levels][level] for (factor, levels), level in zip(FACTORS.items(), row, strict=True)}


def plan_of(reading: Reading) -> Plan:
    """Its training: FIRST games against random play."""
    changes = {name: value for factor, level in reading.items() for name, value in FACTORS[factor][level].items()}
    return Plan(classical(replace(ESPACIAL, **changes), "0.7", FIRST), POINTS)


def differences(reading: Reading) -> str:
    """The levels that are not the most literal ones, in words."""
    return ", ".join(f"{factor}: {level}" for factor, level in reading.items() if level != LITERAL[factor]) or "none"


# ---------------------------------------------------------------- work


def trained(reading: Reading, place: Place, seed: int, size: float) -> dict[str, Any]:
    """{"reading": ..., "samples": as of the part `methods`}."""
    return {"reading": dict(reading), "samples": train_plan(plan_of(reading), POINTS, place, seed, size)}


def search(place: Place, seed: int, size: float) -> dict[str, Any]:
    """A point of the design. seed: its number."""
    return trained(point(seed), place, SEARCH_SEED + seed, size)


def train_nearest(place: Place, seed: int, size: float, chosen: Reading) -> dict[str, Any]:
    """The reading that came nearest in the search, with a new seed."""
    return trained(chosen, place, NEAREST_SEED + seed, size)


def distance(one: Mapping[str, Any], test: str, count: str) -> float:
    """The mean of |share - printed| over PRINTED, in percent points."""
    samples = {sample["games"]: sample[test] for sample in one["samples"]}
    return fmean(abs(100.0 * samples[games][count] / samples[games]["games"] - printed) for games, printed in PRINTED.items())


def nearest_test(one: Mapping[str, Any]) -> tuple[float, str, str]:
    """(distance, player, count) of the reading of the tests that is nearest to the study, the first of equals."""
    return min(((distance(one, test, count), test, count) for count in COUNTS for test in OFF_BOARD), key=lambda each: each[0])


def nearest_point(figures: Figures) -> Mapping[str, Any] | None:
    """The point with the nearest test, the first of equals; None until all points are there."""
    points = [one for one in figures.get("search", ()) if one["seed"] <= len(GENERATOR) + 1]
    return min(points, key=lambda one: (nearest_test(one)[0], one["seed"])) if len(points) == len(GENERATOR) + 1 else None


def nearest_reading(figures: Figures) -> Reading | None:
    """Its reading."""
    found = nearest_point(figures)
    return None if found is None else dict(found["reading"])


def judged_by(figures: Figures) -> tuple[str, str]:
    """(player, count) of the nearest test of the nearest point; until there is one the printed player, by games ahead."""
    found = nearest_point(figures)
    return nearest_test(found)[1:] if found else ("test", "ahead")


# ---------------------------------------------------------------- what it says


def fits(kind: str, figures: Figures) -> Found:
    """After each number of games the mean over the seeds, with its interval, in the exact one of the printed number of 100."""
    test, count = judged_by(figures)
    verdicts, texts = list[Verdict](), []
    for games, printed in PRINTED.items():
        values = [100.0 * value for value in rate_of(figures, kind, games, count, test).values()]
        interval, middle, half = clopper_pearson(printed, 100), fmean(values), half_width(values)
        low, high = 100.0 * interval.low, 100.0 * interval.high
        is_in, is_out = low <= middle - half and middle + half <= high, middle + half < low or middle - half > high
        verdicts.append("not decided" if len(values) < MANY or not (is_in or is_out) else "shown" if is_in else "not shown")
        texts.append(f"after {games:,} games {spread(values, 1)} %, printed {printed} [{low:.0f}, {high:.0f}]")
    return all_of(verdicts), f"{count}, off_board {OFF_BOARD[test]}: {'; '.join(texts)}"


def start_helps(figures: Figures) -> Found:
    """First weights of 1.5 against the most literal reading, seed by seed."""
    test, count = judged_by(figures)
    verdict, text = greater(*paired(*(rate_of(figures, kind, FIRST, count, test) for kind in ("started", "literal"))))
    return verdict, f"{count}, off_board {OFF_BOARD[test]}, after {FIRST:,} games: {text}"


def cells(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Percent ahead by player after the games of PRINTED, then by six at the last."""
    figures = {"these": results}
    shown = [
        spread([100.0 * x for x in rate_of(figures, "these", games, "ahead", test).values()], 1)
        for test in OFF_BOARD
        for games in PRINTED
    ]
    return [*shown, spread([100.0 * between(one["samples"], "finished", 0, FIRST) for one in results], 1)]


HEADS = [
    *(f"off_board {off_board}, {games:,}" for off_board in OFF_BOARD.values() for games in PRINTED),
    "finished games of training, %",
]


def effects_table(points: Sequence[Mapping[str, Any]]) -> list[str]:
    """Of each level the mean over the six readings that have it."""
    rows = []
    for factor, levels in FACTORS.items():
        for level in levels:
            chosen = [one for one in points if one["reading"][factor] == level]
            rows += [[factor, level, *cells(chosen)]] if chosen else []
    return table(["factor", "level", *HEADS], rows)


def page(figures: Figures) -> list[str]:
    """The readings from the nearest on, effects of levels, what came of the chosen ones with new seeds."""
    points = figures.get("search", ())
    lines = []
    if points:
        rows = []
        for one in sorted(points, key=lambda each: (nearest_test(each)[0], each["seed"])):
            least, test, count = nearest_test(one)
            rows.append(
                [
                    str(one["seed"]),
                    differences(one["reading"]),
                    f"{count}, off_board {OFF_BOARD[test]}",
                    f"{least:.0f}",
                    *cells([one]),
                ]
            )
        lines = [
            f"Twelve readings of method I, lambda 0.7, {FIRST:,} games against random play, one training each: games of "
            f"{TERMS.games} ended ahead in marbles, in percent, by the minimax player's off-board distance and the games of "
            f"training (printed: {', '.join(f'{printed} after {games:,}' for games, printed in PRINTED.items())}). Distance: "
            "the mean of |share - printed|, by whichever test is nearest.",
            "",
            *table(["point", "other than the most literal", "nearest test", "distance", *HEADS], rows),
            "Means over the readings with a level, six each, with 95 % intervals (Student's t).",
            "",
            *effects_table(points),
        ]  # fmt: skip
    titles = {"nearest": "the nearest one", "started": "most literal, first weights 1.5", "literal": "most literal"}
    rows = [[title, str(len(figures[kind])), *cells(figures[kind])] for kind, title in titles.items() if figures.get(kind)]
    return [*lines, *(table(["with new seeds", "seeds", *HEADS], rows) if rows else [])]


PART = Part(
    name="method_i",
    title="chapter 5: method I under readings of what it leaves open",
    works={
        "search": Work(search, units=len(POINTS), seeds=len(GENERATOR) + 1),
        "literal": Work(functools.partial(trained, LITERAL), units=len(POINTS)),
        "started": Work(functools.partial(trained, STARTED), units=len(POINTS)),
        "nearest": Work(train_nearest, units=len(POINTS), stage=1, chooses=nearest_reading),
    },
    lines=page,
    claims=(
        *(
            Claim(5, f"{title}: the rates of table 5.1, lambda 0.7", functools.partial(fits, kind), ("search", kind))
            for kind, title in (
                ("nearest", "the nearest of twelve readings of method I, new seeds"),
                ("started", "method I with first weights of 1.5 on the other's marbles pushed off"),
                ("literal", "method I, the most literal reading"),
            )
        ),
        Claim(
            5,
            "method I: first weights of 1.5 raise the rate above the most literal reading's",
            start_helps,
            ("search", "started", "literal"),
        ),
    ),
    readings=tuple((factor, "open", "; ".join(levels)) for factor, levels in FACTORS.items()),
    keeps=keeps,
    made_of=(1, plan_of(LITERAL).plain(), FACTORS, GENERATOR, POINTS, PLAYERS, [TERMS.games, TERMS.setup, TERMS.max_plies]),
)
