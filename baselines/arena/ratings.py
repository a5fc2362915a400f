"""Score rates and Elo differences with 95 % intervals.

The unit of chance is the pair: two games from one opening with the seats swapped. A pair's score is the mean of its two
games (0, 0.25, ... 1), the score rate the mean over pairs. The interval is the percentile bootstrap over pairs (B. Efron and
R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13). Where all pairs score alike the bootstrap would give an
interval of no width; then the exact bound is given: had a share d of all pairs another score, n pairs would all show the same
one with probability (1 - d)^n, so d <= 1 - 0.05^(1/n) with 95 % confidence ("rule of three").

Elo: a score rate s is a difference of 400 log10(s / (1 - s)) (A. Elo, "The rating of chessplayers", 1978, logistic form).
A clean sweep has no such number, only the bound that its interval gives.

Games that do not come in pairs, as those that a training script plays, have `wilson_interval` (E. B. Wilson, "Probable
inference", 1927: of a binomial share; a draw counts half, which makes the interval wider than it need be).
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.95
RESAMPLES = 10_000
Z = 1.959964  # of the normal distribution, for CONFIDENCE


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


def score_interval(pair_scores: Sequence[float], *, seed: int = 0) -> Interval:
    """The score rate of pairs and its 95 % interval.

    Args:
        pair_scores: one a pair, in [0, 1].
        seed: of the resampling.

    Raises:
        ValueError: no pairs, or a score outside [0, 1].
    """
    scores = np.asarray(pair_scores, np.float64)
    if scores.ndim != 1 or not len(scores) or not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError(f"pair_scores: expected at least one number from 0 to 1, got {pair_scores!r}")
    values, counts = np.unique(scores, return_counts=True)
    if len(values) == 1:
        common = float(values[0])
        others = 1.0 - (1.0 - CONFIDENCE) ** (1.0 / len(scores))
        return Interval(common, common * (1.0 - others), common + (1.0 - common) * others)
    # drawing n pairs with replacement is drawing how often each value occurs
    drawn = np.random.default_rng(seed).multinomial(len(scores), counts / len(scores), size=RESAMPLES)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(drawn @ values / len(scores), [tail, 1.0 - tail])
    return Interval(float(scores.mean()), float(low), float(high))


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


def wilson_interval(rate: float, games: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval, of 95 % unless said otherwise, of a score rate over games that were drawn independently of each other.

    Args:
        rate: (wins + draws / 2) / games.
        games: their number, at least 1.
        confidence: between 0 and 1.

    Raises:
        ValueError: a rate outside [0, 1], or no games.
    """
    if not 0.0 <= rate <= 1.0 or games < 1:
        raise ValueError(f"rate={rate!r}, games={games!r}: expected a rate from 0 to 1, of at least one game")
    z = statistics.NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    shrink = 1.0 + z**2 / games
    centre = (rate + z**2 / (2.0 * games)) / shrink
    half = z * math.sqrt(rate * (1.0 - rate) / games + z**2 / (4.0 * games**2)) / shrink
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    return Interval(rate, 0.0 if rate == 0.0 else low, 1.0 if rate == 1.0 else high)  # there exact, but for rounding
