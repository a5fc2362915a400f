"""Figures of the search over readings: main effects of its factors, means of training games, the test of a reading."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.studies.abalearn import readings_search as rd
from boardgym.baselines.studies.abalearn.parts import STUDENT, Figures

Point = Mapping[str, Any]  # a result of `readings.trained`
USUAL = ("5", "ahead")  # test that effects are told of: player, count


class Effect(NamedTuple):
    """A level's mean over all other factors, and half of its 95 % interval."""

    factor: str
    level: str
    mean: float
    half: float


def main_effects(points: Sequence[Point], response: Callable[[Point], float]) -> list[Effect]:
    """Of all levels, by least squares: mean + an effect of each level, those of a factor adding up to 0.

    Needs more points than the model has parameters; an empty list for fewer.
    """
    columns, places = [np.ones(len(points))], []
    for factor, levels in rd.FACTORS.items():
        last = np.array([one["reading"][factor] == list(levels)[-1] for one in points], float)
        first = len(columns)
        columns += [np.array([one["reading"][factor] == level for one in points], float) - last for level in list(levels)[:-1]]
        places += [(factor, level, first, len(levels), k) for k, level in enumerate(levels)]
    model, values = np.stack(columns, axis=1), np.array([response(one) for one in points])
    free = len(points) - model.shape[1]
    if free < 1 or np.linalg.matrix_rank(model) < model.shape[1]:
        return []
    inverse = np.linalg.inv(model.T @ model)
    fitted = inverse @ model.T @ values
    variance = float(((values - model @ fitted) ** 2).sum()) / free
    found = []
    for factor, level, first, count, k in places:
        weights = np.zeros(model.shape[1])
        weights[0] = 1.0
        weights[first : first + count - 1] = -1.0 if k == count - 1 else 0.0
        if k < count - 1:
            weights[first + k] = 1.0
        half = STUDENT[min(free, len(STUDENT)) - 1] * math.sqrt(variance * float(weights @ inverse @ weights))
        found.append(Effect(factor, level, float(weights @ fitted), half))
    return found


def of_training(one: Point, kappa: float, name: str) -> float:
    """A figure of the training games up to the last point, mean over all games."""
    samples, before, total = one["nets"][f"{kappa:g}"], 0, 0.0
    for sample in samples:
        total += sample[name] * (sample["games"] - before)
        before = sample["games"]
    return float(total / before)


def responses(player: str, count: str) -> dict[str, Callable[[Point], float]]:
    """What effects are told of: win rates after the last point with kappa 0, -1, and how much more -1 has."""
    games = rd.POINTS[-1]

    def rate(one: Point, kappa: float) -> float:
        return rd.win_rate(one, kappa, games, player, count)

    return {
        "kappa 0": lambda one: rate(one, 0.0),
        "kappa -1": lambda one: rate(one, -1.0),
        "difference": lambda one: rate(one, -1.0) - rate(one, 0.0),
    }


def points_of(one: Point) -> list[int]:
    """After how many games of training nets were tested."""
    return [sample["games"] for sample in next(iter(one["nets"].values()))]


def kinds(figures: Figures) -> list[tuple[str, str]]:
    """The second stage's kinds that have results, with what they are."""
    names = [(f"best-{rank + 1}", f"number {rank + 1} of the search") for rank in range(rd.BEST)]
    return [(kind, title) for kind, title in (*names, ("literal", "the most literal reading")) if figures.get(kind)]


def judged_by(figures: Figures, reading: rd.Reading) -> tuple[str, str]:
    """(player, count) of the nearest test of a reading by the search; the usual one for what was not in it."""
    for one in figures.get("search", ()):
        if one["reading"] == reading:
            return rd.nearest_test(one)[1:]
    return USUAL
