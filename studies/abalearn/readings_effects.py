"""Figures of the search over readings: main effects of its factors, means of training games, the test of a reading."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.studies.abalearn import readings_search as rd
from boardgym.studies.parts import student

Point = Mapping[str, Any]  # a result of `readings.trained`
ENOUGH = 10  # points beyond the parameters of a model of all factors
TOLD = (("0", "ahead"), ("5", "ahead"))  # player and count that effects are told of: as printed, one step beyond the rim


class Effect(NamedTuple):
    """The mean with a level over those of other factors, and half of its 95 % interval, 0 where nothing is left for it."""

    factor: str
    level: str
    mean: float
    half: float


def main_effects(points: Sequence[Point], response: Callable[[Point], float]) -> list[Effect]:
    """Of all levels that points have, by least squares: of all factors together, or of each by itself where points are few.

    A mean and an effect of each level, those of a factor adding up to 0. Alone, a factor is told what it shares with others.
    """
    values = np.array([response(one) for one in points])
    seen = {
        name: [level for level in levels if any(one["reading"][name] == level for one in points)]
        for name, levels in rd.FACTORS.items()
    }
    if is_adjusted(points):
        return fitted(points, values, seen)
    return [effect for factor, levels in seen.items() for effect in fitted(points, values, {factor: levels})]


def is_adjusted(points: Sequence[Point]) -> bool:
    """Whether there are points enough for the effects of all factors together."""
    return len(points) >= ENOUGH + 1 + sum(len(levels) - 1 for levels in rd.FACTORS.values())


def fitted(points: Sequence[Point], values: NDArray[np.float64], factors: Mapping[str, Sequence[str]]) -> list[Effect]:
    """The effects of the levels of factors. values: float64 (points,)."""
    columns, places = [np.ones(len(points))], []
    for factor, levels in factors.items():
        has = [np.array([one["reading"][factor] == level for one in points], float) for level in levels]
        for k, level in enumerate(levels):
            codes = np.eye(len(levels) - 1)[k] if k < len(levels) - 1 else -np.ones(len(levels) - 1)
            places.append((factor, level, len(columns), codes))
        columns += [each - has[-1] for each in has[:-1]]
    model = np.stack(columns, axis=1)
    inverse = np.linalg.pinv(model.T @ model)
    weights = inverse @ model.T @ values
    free = len(points) - model.shape[1]
    variance = float(((values - model @ weights) ** 2).sum()) / free if free > 0 else 0.0
    found = []
    for factor, level, first, codes in places:
        row = np.zeros(len(weights))
        row[0], row[first : first + len(codes)] = 1.0, codes
        half = student(max(free, 1)) * math.sqrt(variance * float(row @ inverse @ row))
        found.append(Effect(factor, level, float(row @ weights), half))
    return found


def of_training(one: Point, kappa: float, name: str) -> float:
    """A figure of the training games up to the last of POINTS, which all nets come to, mean over the games."""
    samples, before, total = one["nets"][f"{kappa:g}"], 0, 0.0
    for sample in samples[: len(rd.POINTS)]:
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


def rates_of(results: Sequence[Point], kappa: float, player: str, count: str) -> dict[int, list[float]]:
    """Win rates in percent by games of training, those of all results; NaN where one cannot be judged."""
    games = [sample["games"] for sample in results[0]["nets"][f"{kappa:g}"]]
    return {number: [100 * rd.win_rate(one, kappa, number, player, count) for one in results] for number in games}
