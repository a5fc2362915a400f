"""How the figures of the UCT-CCNN study's rerun decide: by all networks of a setting, never by one.

Two groups of networks, or of tunings, are compared by the exact permutation test of their means at 5 %: it tells apart five
against five, which the sign test of five pairs cannot, and needs no pairs, for networks of two data sets have none. A mean is
above or below a level if its 95 % interval (Student's t, over networks) is; values that are all alike decide nothing: that
their interval has no width says nothing of how far others may lie from them. Where figures are told of how much one group is
greater, the test is asked of that difference too (`higher_by`).
"""

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from boardgym.studies.parts import half_width, spread
from boardgym.studies.verdicts import LEVEL, Found, Verdict

LEAST_EXACT = 4  # of each group: of three against three, the most uneven split has p = 0.1
MOST_SPLITS = 200_000  # 10 against 10 are 184,756


def permutation_p(a: Sequence[float], b: Sequence[float]) -> float:
    """Two-sided p of a difference of means as great as that of a and b, over all ways to share their values among two groups.

    Raises ValueError for an empty group, or more than MOST_SPLITS ways.
    """
    values = [*a, *b]
    if not a or not b or math.comb(len(values), len(a)) > MOST_SPLITS:
        raise ValueError(f"groups of {len(a)} and {len(b)}: expected one of each at least, and at most {MOST_SPLITS:,} splits")
    total, seen = math.fsum(values), abs(fmean(a) - fmean(b))
    count = most = 0
    for chosen in combinations(range(len(values)), len(a)):
        mine = math.fsum(values[k] for k in chosen)
        most += abs(mine / len(a) - (total - mine) / len(b)) >= seen - 1e-12
        count += 1
    return most / count


def higher(a: Sequence[float], b: Sequence[float], digits: int = 2) -> Found:
    """Whether values of a are greater than those of b on average: not shown where they are less."""
    if min(len(a), len(b)) < LEAST_EXACT:
        return "not decided", f"{len(a)} against {len(b)}; expected {LEAST_EXACT} of each at least"
    p = permutation_p(a, b)
    text = f"{fmean(a):.{digits}f} against {fmean(b):.{digits}f} on average, {len(a)} and {len(b)} of them, p = {p:.2g}"
    if p >= LEVEL:
        return "not decided", text
    return ("shown" if fmean(a) > fmean(b) else "not shown"), text


def higher_by(a: Sequence[float], b: Sequence[float], least: float, digits: int = 2) -> Found:
    """As `higher`; where that is not decided, not shown if the same test refutes that a is greater by `least`, or by more."""
    verdict, text = higher(a, b, digits)
    if verdict != "not decided" or min(len(a), len(b)) < LEAST_EXACT or fmean(a) - fmean(b) >= least:
        return verdict, text
    p = permutation_p([value - least for value in a], b)
    text += f"; against a difference of {least:+g} p = {p:.2g}"
    return ("not shown" if p < LEVEL else verdict), text


def every(flags: Sequence[bool], what: str) -> Found:
    """Of a claim that must hold of every one. what: of which things, and what they do."""
    return ("shown" if flags and all(flags) else "not shown"), f"{sum(flags)} of {len(flags)} {what}"


def opposite(found: Found) -> Found:
    """Of the claim that is shown where another is not."""
    turned: dict[Verdict, Verdict] = {"shown": "not shown", "not shown": "shown", "not decided": "not decided"}
    return turned[found[0]], found[1]


def above(values: Sequence[float], level: float, unit: float = 100.0, digits: int = 1) -> Found:
    """Whether a mean is above a level, by its interval; fewer than three values decide nothing, nor do values all alike."""
    middle, half = fmean(values), half_width(values)
    if len(values) < 3:
        return "not decided", f"{spread([unit * value for value in values], digits)} over {len(values)}"
    if min(values) == max(values):
        return "not decided", f"{unit * middle:.{digits}f} [no spread seen] over {len(values)}"
    text = f"{unit * middle:.{digits}f} ± {unit * half:.{digits}f} over {len(values)}"
    if middle - half <= level <= middle + half:
        return "not decided", text
    return ("shown" if middle > level else "not shown"), text


def below(values: Sequence[float], level: float, unit: float = 100.0, digits: int = 1) -> Found:
    """Whether a mean is below a level."""
    return opposite(above(values, level, unit, digits))
