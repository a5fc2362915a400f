"""Optimisers of a few numbers by noisy fitness, as pure ask and tell: where to look next, apart from how it is measured.

`ask` gives a population of samples, `tell` takes their fitness, of which more is better. What an optimiser draws depends on its
seed and on how often it was told, so the same calls give the same samples in any process: to go on, a new one is told again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boardgym.core.errors import OptionError
from boardgym.core.random import normals, stream

Vector = NDArray[np.float64]
POPULATION, ELITE_RATE, STEP_SIZE = 15, 0.134, 0.5  # of the study of UCT-CCNN
CMA_SPREAD = 1.0 / 3.0  # of a width, at most: more is mirrored all over it
ROUNDING = 1e-9  # 0.29 * 100 is a little less than 29
CMA_EXTRA = "CMA-ES needs the library cma, which is not installed: pip install 'boardgym[tune]'"


@dataclass(frozen=True)
class Range:
    """Where to look for a number.

    Attributes:
        low, high: its limits.
        mean, spread: mean and standard deviation of the first samples; None: the middle, and half the width.

    Raises OptionError for a range that is empty or not finite, a mean outside of it, or a spread that is not above 0.
    """

    low: float
    high: float
    mean: float | None = None
    spread: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise OptionError(f"range {self.low:g} to {self.high:g}: expected two numbers, the second greater than the first")
        if not self.low <= self.first_mean <= self.high:
            raise OptionError(f"mean {self.first_mean:g}: expected a number from {self.low:g} to {self.high:g}, the range")
        if not 0.0 < self.first_spread < math.inf:
            raise OptionError(f"spread {self.first_spread:g}: expected a number above 0")

    @property
    def width(self) -> float:
        """From limit to limit."""
        return self.high - self.low

    @property
    def first_mean(self) -> float:
        """Of the first samples."""
        return (self.low + self.high) / 2.0 if self.mean is None else self.mean

    @property
    def first_spread(self) -> float:
        """Of the first samples."""
        return self.width / 2.0 if self.spread is None else self.spread


class Optimiser(Protocol):
    """What all optimisers have: d numbers are looked for.

    Attributes:
        population: samples of an iteration.
        mean, spread: float64 (d,), mean and standard deviation that the next samples are drawn with.
    """

    population: int

    @property
    def mean(self) -> Vector:
        """The best guess so far, float64 (d,)."""

    @property
    def spread(self) -> Vector:
        """Standard deviation of the next samples, float64 (d,)."""

    def ask(self) -> Vector:
        """The next samples, float64 (population, d), within the limits; the same until the next `tell`."""

    def tell(self, samples: Vector, fitness: Vector) -> None:
        """Moves mean and spread. samples: of the last `ask`. fitness: float64 (population,), more is better."""


def has_converged(spread: Vector, ranges: Sequence[Range], least_spread: float) -> bool:
    """Whether the spread of every number is at most such a share of the width of its range."""
    return all(float(own) <= least_spread * one.width for own, one in zip(spread, ranges, strict=True))


def check_population(population: int) -> None:
    """Raises OptionError for a population that is no whole number from 2."""
    if isinstance(population, bool) or not isinstance(population, int) or population < 2:
        raise OptionError(f"population={population!r}: expected a whole number from 2")


class CrossEntropy:
    """The cross-entropy method: samples of a normal distribution, which is fitted to the best of them again and again.

        x_k ~ N(mean, spread), clipped to the limits,                                 k = 1 .. population
        mean   <- step_size mean(elite)   + (1 - step_size) mean
        spread <- step_size spread(elite) + (1 - step_size) spread

    The elite are the floor(elite_rate population) samples of the greatest fitness, of equals those that were drawn first; their
    spread is the population's standard deviation, which divides by their number. Each number has a distribution of its own.

    Sources: R. Rubinstein, D. Kroese, "The Cross-Entropy Method" (2004); as M. Rezende's dissertation (UFMG, 2017), sections
    2.3 and 5.2, uses it for UCT's constant.

    Args:
        ranges: one for each number.
        population: samples of an iteration, at least 2.
        elite_rate: share of them that the next distribution is fitted to, above 0 to 1.
        step_size: how far mean and spread move, above 0 to 1.
        seed: of the draws.

    Raises OptionError for settings that cannot be, among them an elite of none.
    """

    def __init__(
        self,
        ranges: Sequence[Range],
        *,
        population: int = POPULATION,
        elite_rate: float = ELITE_RATE,
        step_size: float = STEP_SIZE,
        seed: int = 0,
    ) -> None:
        check_population(population)
        for name, value in (("elite_rate", elite_rate), ("step_size", step_size)):
            if not 0.0 < value <= 1.0:
                raise OptionError(f"{name}={value}: expected a number above 0, 1 at most")
        self.elite_size = math.floor(elite_rate * population + ROUNDING)
        if self.elite_size < 1:
            raise OptionError(
                f"elite_rate={elite_rate}, population={population}: an elite of no sample; expected a rate of at least "
                f"{1 / population:.3g}"
            )
        self.population, self.step_size, self.seed = population, step_size, seed
        self.low, self.high = np.array([r.low for r in ranges]), np.array([r.high for r in ranges])
        self._mean, self._spread = np.array([r.first_mean for r in ranges]), np.array([r.first_spread for r in ranges])
        self.iteration = 0

    @property
    def mean(self) -> Vector:
        """As of `Optimiser`."""
        return self._mean.copy()

    @property
    def spread(self) -> Vector:
        """As of `Optimiser`."""
        return self._spread.copy()

    def ask(self) -> Vector:
        """As of `Optimiser`."""
        drawn = normals(stream(self.seed, self.iteration), self.population * len(self.low))
        samples = self._mean + self._spread * drawn.reshape(self.population, -1)
        return np.clip(samples, self.low, self.high)

    def tell(self, samples: Vector, fitness: Vector) -> None:
        """As of `Optimiser`."""
        elite = samples[best_of(fitness, self.elite_size)]
        self._mean = self._mean + self.step_size * (elite.mean(axis=0) - self._mean)
        self._spread = self._spread + self.step_size * (elite.std(axis=0) - self._spread)
        self.iteration += 1


def best_of(fitness: Vector, count: int) -> NDArray[np.int64]:
    """Numbers of the samples of the greatest fitness, the best first; of equals the one with the smaller number."""
    return np.argsort(-np.asarray(fitness, np.float64), kind="stable")[:count]


class CovarianceMatrix:
    """CMA-ES: as `CrossEntropy`, with one normal distribution of all numbers that learns how they hang together.

    It is that of the library `cma` (N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772), on numbers scaled
    to the unit cube, with that library's own way of keeping to limits: what is drawn outside of them is mirrored. So the
    first spread is a third of the width at most. Its draws come from a stream of our own, so NumPy's global generator is left
    alone.

    Args:
        ranges: one for each number.
        population: samples of an iteration, at least 2.
        seed: of the draws.

    Raises OptionError for settings that cannot be, or without the library.
    """

    def __init__(self, ranges: Sequence[Range], *, population: int = POPULATION, seed: int = 0) -> None:
        check_population(population)
        cma = load_cma()
        self.population, self.iteration = population, 0
        self.low, self.width = np.array([r.low for r in ranges]), np.array([r.width for r in ranges])
        first = (np.array([r.first_mean for r in ranges]) - self.low) / self.width
        scales = np.minimum(np.array([r.first_spread for r in ranges]) / self.width, CMA_SPREAD)
        rng = stream(seed)

        def drawn(*shape: int) -> Vector:
            """As numpy.random.randn, of a stream of our own."""
            return normals(rng, math.prod(shape)).reshape(shape)

        settings = {
            "bounds": [[0.0] * len(first), [1.0] * len(first)],
            "maxstd_boundrange": math.inf,  # cma 4.5.0 fails where it has to lower the spread of a single number
            "CMA_stds": scales / scales[0],
            "popsize": population,
            "randn": drawn,
            "seed": math.nan,  # it would seed NumPy's global generator
            "verbose": -9,
            "verb_log": 0,
        }
        self._strategy: Any = cma.CMAEvolutionStrategy(first, float(scales[0]), settings)
        self._drawn: list[Vector] = []

    @property
    def mean(self) -> Vector:
        """As of `Optimiser`."""
        inside = self._strategy.result.xfavorite
        return self.low + self.width * np.clip(inside, 0.0, 1.0)

    @property
    def spread(self) -> Vector:
        """As of `Optimiser`."""
        return self.width * np.asarray(self._strategy.result.stds, np.float64)

    def ask(self) -> Vector:
        """As of `Optimiser`."""
        if not self._drawn:
            self._drawn = self._strategy.ask()
        return self.low + self.width * np.clip(np.array(self._drawn), 0.0, 1.0)

    def tell(self, samples: Vector, fitness: Vector) -> None:
        """As of `Optimiser`."""
        self.ask()
        self._strategy.tell(self._drawn, [-float(value) for value in fitness])  # it looks for the least
        self._drawn = []
        self.iteration += 1


def load_cma() -> Any:
    """The library cma. Raises OptionError, saying what to install, where it is missing."""
    try:
        import cma
    except ModuleNotFoundError as error:
        if error.name != "cma":
            raise
        raise OptionError(CMA_EXTRA) from None
    return cma
