"""What the results of trainings say, by seed: rates, weights, the games of a stretch of the training."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from boardgym.studies.abalearn.protocol import rate
from boardgym.studies.parts import Figures

BySeed = dict[int, float]
Sample = Mapping[str, Any]


def by_seed(figures: Figures, kind: str, what: Callable[[Sequence[Sample]], float]) -> BySeed:
    """A figure of each training of a kind."""
    return {int(one["seed"]): what(one["samples"]) for one in figures.get(kind, ())}


def sample_at(samples: Sequence[Sample], games: int) -> Sample:
    """What was kept after a number of games."""
    return next(sample for sample in samples if sample["games"] == games)


def rate_of(figures: Figures, kind: str, games: int, name: str = "ahead", test: str = "test") -> BySeed:
    """Shares of the test games after a number of games of training."""
    return by_seed(figures, kind, lambda samples: rate(sample_at(samples, games)[test], name))


def marbles_of(figures: Figures, kind: str, games: int, side: str, test: str = "test") -> BySeed:
    """Marbles "pushed" off or "gone" in a test game after a number of games of training."""
    return by_seed(figures, kind, lambda samples: float(sample_at(samples, games)[test][side]))


def weight_of(figures: Figures, kind: str, name: str, games: int, measure: str = "sums") -> BySeed:
    """What an input weighs: "sums" through the hidden units, whose sign is that of what it adds to V; "weights" into them."""
    return by_seed(figures, kind, lambda samples: float(sample_at(samples, games)[measure][name]))


def between(samples: Sequence[Sample], name: str, first: int, last: int) -> float:
    """The mean over the games of training after `first`, up to `last`, of what is told of them."""
    total = count = 0.0
    before = 0
    for sample in samples:
        games = sample["games"] - before
        if first < sample["games"] <= last and sample[name] is not None:
            total, count = total + games * sample[name], count + games
        before = sample["games"]
    return total / count if count else 0.0


def lately(figures: Figures, kind: str, name: str, first: int = 500, last: int = 1000) -> BySeed:
    """`between` of each training."""
    return by_seed(figures, kind, lambda samples: between(samples, name, first, last))


def paired(a: BySeed, b: BySeed) -> tuple[list[float], list[float]]:
    """The figures of the seeds that both have."""
    seeds = sorted({*a} & {*b})
    return [a[seed] for seed in seeds], [b[seed] for seed in seeds]


def curve(figures: Figures, kind: str, what: Callable[[Sample], float | None]) -> tuple[list[int], list[list[float]]]:
    """(games, from 1 on, of each of these the figure of every training), where there is one."""
    runs = [one["samples"] for one in figures.get(kind, ())]
    games, values = [], []
    for samples in zip(*runs, strict=True):
        found = [what(sample) for sample in samples]
        if None not in found and samples[0]["games"]:
            games.append(int(samples[0]["games"]))
            values.append([float(value) for value in found if value is not None])
    return games, values


def mean_of(values: BySeed) -> float:
    """Over the seeds."""
    return fmean(values.values())
