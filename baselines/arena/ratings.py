"""Score rates, shares and Elo differences with 95 % intervals: one family of intervals for all of them.

What is independent decides: in a match the pair, two games from one opening with the seats swapped. A pair's score is the mean
of its two games (0, 0.25, ... 1), the score rate the mean over pairs. Nothing is known of how pair scores are distributed, but
that they lie in [0, 1]. The bounds are those of E. Learned-Miller and P. Thomas, "A new confidence interval for the mean of a
bounded random variable", 2019 (arXiv 1905.06208): one more score is added, the worst possible (0) for the low end and the best
possible (1) for the high one; all n + 1 get random weights, which are uniform among those that sum to 1 (Dirichlet); the ends
are the 2.5 % and the 97.5 % quantile of the weighted mean. What follows:

- Where all scores are 0 or 1 it is the interval of Clopper and Pearson (1934), which is exact.
- A better score never lowers an end, and a worse one never raises it.
- A clean sweep has a bound: n pairs won have the low end 0.025^(1/n).
- At least 95 % of such intervals hold the true mean, whatever the scores' distribution: the authors' conjecture. It was checked
  by summing over all samples and by simulation, see `python -m benchmarks.intervals`.

Where only a rate is known (`rate_interval`), as of games that a training script plays, it is taken for one of wins and losses,
of which draws could only make it narrower. Ratios of sums over games (`ratio_interval`) are weighted game by game.

Elo: a score rate s is a difference of 400 log10(s / (1 - s)) (A. Elo, "The rating of chessplayers", 1978, logistic form).
A clean sweep has no such number, only the bound that its interval gives.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # that a pair of games may have
Z = 1.959964  # of the normal distribution, for CONFIDENCE
NODES, REACH = 128, 8.0  # of the integral below, and how far it goes, in units of its scale: errors below 1e-11, seldom 1e-6
CLOSE, FAR, MOST_STEPS = 1e-13, 38.0, 200  # of a quantile; FAR: where a normal distribution ends in double precision

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A score rate in [0, 1] and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class EloEstimate:
    """An Elo difference and its 95 % interval; None where there is no finite number.

    After a clean sweep `value` is None, and `low` (all won) or `high` (all lost) is the bound.
    """

    value: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.value is None:
            if self.low is None and self.high is None:
                return "none"
            return f"> {self.low:+.0f}" if self.low is not None else f"< {self.high:+.0f}"
        low = "-inf" if self.low is None else f"{self.low:+.0f}"
        high = "+inf" if self.high is None else f"{self.high:+.0f}"
        return f"{self.value:+.0f} [{low}, {high}]"


# ---------------------------------------------------------------- intervals


def score_interval(pair_scores: Sequence[float], *, confidence: float = CONFIDENCE) -> Interval:
    """The mean of independent scores in [0, 1], such as those of pairs of games, and its interval.

    Args:
        pair_scores: one a pair.
        confidence: between 0 and 1.

    Raises:
        ValueError: no scores, or one outside [0, 1].
    """
    scores = np.asarray(pair_scores, np.float64)
    if scores.ndim != 1 or not len(scores) or not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError(f"pair_scores: expected at least one number from 0 to 1, got {pair_scores!r}")
    found = ratio_interval(scores, np.ones(len(scores)), most=1.0, confidence=confidence)
    assert found is not None
    return found


def rate_interval(rate: float, games: float, confidence: float = CONFIDENCE) -> Interval:
    """The interval of a score rate, or of a share, over games that were drawn independently of each other.

    Args:
        rate: (wins + draws / 2) / games, in [0, 1].
        games: their number, at least 1.
        confidence: between 0 and 1; 0.95 by default.

    Returns:
        The rate with the ends of its interval; printed as "rate [low, high]".

    Raises:
        ValueError: a rate outside [0, 1], or no games.

    Example:
        >>> from boardgym.baselines import rate_interval
        >>> print(rate_interval(0.75, games=100))
        0.750 [0.653, 0.831]
    """
    if not 0.0 <= rate <= 1.0 or games < 1:
        raise ValueError(f"rate={rate!r}, games={games!r}: expected a rate from 0 to 1, of at least one game")
    won, tail = rate * games, (1.0 - confidence) / 2.0
    sums, counts = np.array([0.0, 1.0]), np.ones(2)
    low = weighted_quantile(sums, counts, np.array([games - won + 1.0, won]), tail) if rate > 0.0 else 0.0
    high = weighted_quantile(sums, counts, np.array([games - won, won + 1.0]), 1.0 - tail) if rate < 1.0 else 1.0
    return Interval(rate, low, high)


def ratio_interval(sums: Any, counts: Any, *, most: float | None, confidence: float = CONFIDENCE) -> Interval | None:
    """sum(sums) / sum(counts) over independent parts, such as distinct games, and its interval.

    The part that is added for an end has the greatest count of all, with the sum 0 for the low end and the greatest possible
    for the high one.

    Args:
        sums: float64 (n,), from 0.
        counts: likewise; parts with count 0 say nothing.
        most: the greatest sum per count that a part can have; None: it is not known, and nothing above the greatest that was
            seen is reckoned with, so that the high end promises less.
        confidence: between 0 and 1.

    Returns None if there is nothing to divide by; and without `most` if there is one part, or no sum above 0.
    """
    sums, counts = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    sums, counts = sums[counts > 0], counts[counts > 0]
    if not len(counts) or (most is None and (len(counts) == 1 or not sums.any())):
        return None
    parts, times = np.unique(np.stack([sums, counts]), axis=1, return_counts=True)
    largest = float(counts.max())
    worst = float((sums / counts).max()) if most is None else most
    tail = (1.0 - confidence) / 2.0

    def end(ratio: float, chance: float) -> float:
        added = np.array([[ratio * largest], [largest]])
        (own_sums, own_counts), shapes = np.concatenate([parts, added], axis=1), np.append(times, 1.0)
        return weighted_quantile(own_sums, own_counts, shapes, chance)

    return Interval(float(sums.sum() / counts.sum()), end(0.0, tail), end(worst, 1.0 - tail))


def weighted_quantile(sums: Floats, counts: Floats, shapes: Floats, chance: float) -> float:
    """The quantile of sum(g * sums) / sum(g * counts), where the weights g are independent of gamma distributions.

    With whole shapes that is the ratio of means of as many parts each, with weights uniform among those that sum to 1.

    Args:
        sums: float64 (n,).
        counts: likewise, above 0.
        shapes: likewise, of the gamma distributions; those of 0 are left out.
        chance: how likely a ratio below the quantile is, between 0 and 1.
    """
    sums, counts, shapes = sums[shapes > 0], counts[shapes > 0], shapes[shapes > 0]
    ratios, normal = sums / counts, statistics.NormalDist()
    low, high, wanted = float(ratios.min()), float(ratios.max()), normal.inv_cdf(chance)
    last, last_off, at = low, -FAR - wanted, float(shapes @ sums / (shapes @ counts))
    for _ in range(MOST_STEPS):
        if high - low <= CLOSE * abs(high):
            break
        found = 1.0 - chance_above_zero(sums - at * counts, shapes)
        # in standard deviations of a normal distribution it is nearly a line: the secant finds the place, within the bracket
        off = (normal.inv_cdf(found) if 0.0 < found < 1.0 else math.copysign(FAR, found - 0.5)) - wanted
        if abs(off) <= CLOSE:
            return at
        low, high = (at, high) if off < 0.0 else (low, at)
        guess = at - off * (at - last) / (off - last_off) if off != last_off else low
        last, last_off, at = at, off, guess if low < guess < high else (low + high) / 2.0
    return (low + high) / 2.0


def chance_above_zero(factors: Floats, shapes: Floats) -> float:
    """The probability that sum(g * factors) is above 0, of independent gamma variables g.

    The moment generating function exp(K(z)), K(z) = -sum(shapes * log(1 - factors * z)), is inverted: the integral of
    exp(K(z)) / z over a line from -i infinity to i infinity, right of 0, divided by 2 pi i (J. Imhof, 1961, does so along the
    imaginary axis, where it oscillates). Here the way is a hyperbola through the saddle of K(z) - log(z), bent as the steepest
    descent is there, so that a trapezoidal sum over few points will do.
    """
    if not (factors > 0.0).any():
        return 0.0
    if (shapes @ factors) > 0.0:  # the saddle is of the smaller of the two probabilities
        return 1.0 - chance_above_zero(-factors, shapes)
    z = _saddle(factors, shapes)
    terms = factors / (1.0 - factors * z)
    second, third = shapes @ terms**2 + z**-2, 2.0 * (shapes @ terms**3) - 2.0 * z**-3
    scale, bend = second**-0.5, min(max(third / (3.0 * second**1.5), -1.0), 1.0)
    step = (REACH + 12.0 / float(shapes.sum())) / NODES  # few variables fall off slowly
    x = (np.arange(NODES) + 0.5) * step
    for bent in (bend, 0.0):
        way = z + scale * (1j * np.sinh(x) + bent * (np.cosh(x) - 1.0))
        terms = 1.0 - np.multiply.outer(way, factors)
        sizes = -0.5 * (np.log(terms.real**2 + terms.imag**2) @ shapes)
        if (sizes <= sizes[0] + 1.0).all():  # else it rises again beyond the saddle: straight on it never does
            break
    values = np.exp(sizes - 1j * (np.arctan2(terms.imag, terms.real) @ shapes)) / way
    slopes = scale * (1j * np.cosh(x) + bent * np.sinh(x))
    return float((values * slopes).imag.sum() * step / math.pi)


def _saddle(factors: Floats, shapes: Floats) -> float:
    """Where K(z) - log(z), convex, is least between 0 and the first singularity, by Newton's method and halving."""
    low, high = 0.0, 1.0 / float(factors.max())
    z = high / 2.0
    for _ in range(MOST_STEPS):
        terms = factors / (1.0 - factors * z)
        slope = float(shapes @ terms) - 1.0 / z
        low, high = (low, z) if slope > 0.0 else (z, high)
        following = z - slope / (float(shapes @ terms**2) + z**-2)
        if not low < following < high:
            following = (low + high) / 2.0
        if abs(following - z) <= 1e-6 * z:  # it need not be quite the saddle
            break
        z = following
    return z


# ---------------------------------------------------------------- Elo


def elo_difference(score_rate: float) -> float | None:
    """The Elo difference that a score rate means; None for 0 and 1. Raises ValueError outside [0, 1]."""
    if not 0.0 <= score_rate <= 1.0:
        raise ValueError(f"score_rate={score_rate!r}: expected 0 to 1")
    if score_rate in (0.0, 1.0):
        return None
    return float(400.0 * math.log10(score_rate / (1.0 - score_rate)))


def estimate_elo(score: Interval) -> EloEstimate:
    """The Elo difference of a score rate with its interval."""
    return EloEstimate(elo_difference(score.value), elo_difference(score.low), elo_difference(score.high))
