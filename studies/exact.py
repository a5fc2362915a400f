"""Exact statistics of few runs: the sign test of pairs, the Clopper-Pearson interval of a share.

Few seeds have no normal distribution, and a bootstrap over three of them says nothing.

Sources: W. J. Conover, "Practical nonparametric statistics" (3rd ed., 1999), section 3.4, for the sign test, in which ties are
left out; C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
Biometrika 26, 1934.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy import stats

from boardgym.baselines.arena.ratings import CONFIDENCE, Interval

EQUAL = 1e-12  # differences below it are rounding


@dataclass(frozen=True)
class Pairs:
    """Pairs of figures, a of each against b.

    better, worse, equal: in how many pairs a is greater, less, the same. mean: of a - b. p: of the two-sided exact sign test,
    the probability of so uneven a split or a more uneven one if a is as often greater as less.
    """

    better: int
    worse: int
    equal: int
    mean: float
    p: float


def compare_pairs(a: Sequence[float], b: Sequence[float]) -> Pairs:
    """Compares figures pair by pair. Raises ValueError for none, or for sequences of different lengths."""
    if not a or len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} figures; expected as many of both, and at least one")
    differences = [x - y for x, y in zip(a, b, strict=True)]
    better, worse = sum(d > EQUAL for d in differences), sum(d < -EQUAL for d in differences)
    n = better + worse
    p = float(stats.binomtest(better, n).pvalue) if n else 1.0
    return Pairs(better, worse, len(a) - n, math.fsum(differences) / len(a), p)


def clopper_pearson(successes: int, trials: int) -> Interval:
    """A share and its exact 95 % interval. Raises ValueError for successes outside 0 to trials, or no trials."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"successes={successes}, trials={trials}: expected 0 to trials, and at least one of these")
    found = stats.binomtest(successes, trials).proportion_ci(confidence_level=CONFIDENCE, method="exact")
    return Interval(successes / trials, float(found.low), float(found.high))
