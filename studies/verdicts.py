"""How a rerun's figures decide a claim: by pairs of runs, by counts of runs, or by how far settings lie apart.

Pairs are of the same setting and seed, compared by the exact sign test at 5 %. A claim about every run is not shown if one run
speaks against it, and shown if none of at least MANY does; one about most runs is decided by the exact interval of Clopper and
Pearson. Whatever fewer than MANY runs say of a mean is not decided.
"""

import math
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any, Literal

import numpy as np

from boardgym.baselines.arena.ratings import CONFIDENCE, Interval
from boardgym.studies.exact import clopper_pearson, compare_pairs

Verdict = Literal["shown", "not shown", "not decided"]
Found = tuple[Verdict, str]  # with the evidence
Counted = tuple[Verdict, str, str]  # with how many runs agree, of a claim about every run
LEVEL = 0.05
MANY = 10  # runs
RESAMPLES = 10_000
LEAST_PAIRS = 6  # that differ: of five, all for one side have p = 0.06


def percent(values: Sequence[float]) -> str:
    """Mean and range of shares, in percent."""
    low, high = 100 * min(values), 100 * max(values)
    return f"{100 * mean(values):.1f}" + ("" if low == high else f" ({low:.1f} to {high:.1f})")


def share_of(count: int, total: int, digits: int = 0) -> str:
    """So many of so many, with the exact interval of the share in percent, which has so many digits behind the point."""
    interval = clopper_pearson(count, total)
    return f"{count} of {total} [{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f} %]"


def of_every_run(flags: Sequence[bool], many: int = MANY) -> Verdict:
    """Of a claim about every run; none at all decide nothing. many: runs that are enough."""
    if not all(flags):
        return "not shown"
    return "shown" if len(flags) >= many else "not decided"


def of_never(flags: Sequence[bool]) -> tuple[Verdict, str]:
    """Of a claim that something never happens: `of_every_run`, and how many runs agree, with the exact interval of that."""
    return of_every_run(flags), share_of(sum(flags), len(flags), 2) if flags else ""


def of_most_runs(count: int, total: int) -> Verdict:
    """Of a claim about more than half of the runs."""
    return of_share(count, total, 0.5)


def of_share(count: int, total: int, least: float) -> Verdict:
    """Of a claim about more than a share."""
    if not total:
        return "not decided"
    return of_interval(clopper_pearson(count, total), least)


def of_interval(found: Interval, least: float) -> Verdict:
    """Of a claim that a figure is greater than another."""
    return "shown" if found.low > least else "not shown" if found.high < least else "not decided"


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """Of a claim of several parts."""
    for verdict in ("not shown", "not decided"):
        if verdict in verdicts or not verdicts:
            return verdict  # type: ignore[return-value]
    return "shown"


def greater(a: Sequence[float], b: Sequence[float], unit: float = 100.0, digits: int = 1) -> Found:
    """Whether the figures of a are greater than those of b, pair by pair. unit: of the mean difference; 0 prints none."""
    pairs = compare_pairs(a, b)
    split = f"{pairs.better} pairs for and {pairs.worse} against, {pairs.equal} equal, p = {pairs.p:.2g}"
    text = f"{unit * pairs.mean:+,.{digits}f}, {split}" if unit else split
    if pairs.p >= LEVEL:
        too_few = pairs.better + pairs.worse < LEAST_PAIRS
        return "not decided", text + (f" (fewer than {LEAST_PAIRS} that differ cannot decide)" if too_few else "")
    return ("shown" if pairs.better > pairs.worse else "not shown"), text


def or_never(count: int | None) -> float:
    """After how many episodes; infinity for never."""
    return math.inf if count is None else count


def earlier(pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]], key: str) -> Found:
    """Whether the first of each pair comes earlier to something; never is the latest."""
    counts = [(or_never(a[key]), or_never(b[key])) for a, b in pairs]
    signs = [float(a < b) - float(a > b) for a, b in counts]  # infinite ones have no difference
    return greater(signs, [0.0] * len(signs), 0.0)


def resampled(by_setting: Sequence[Sequence[float]], what: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> Interval:
    """A figure made of the means of settings, with its 95 % interval: seeds drawn with replacement within each setting.

    what: takes means (settings, ...) and gives the figure of each (...). Where all seeds of a setting are alike the
    interval has no bounds: seeds drawn anew would be alike too, which says nothing of how far others may lie from them.
    """
    value = float(what(np.array([mean(values) for values in by_setting])))
    if any(min(values) == max(values) for values in by_setting):
        return Interval(value, -math.inf, math.inf)
    random, tail = np.random.default_rng(0), (1.0 - CONFIDENCE) / 2.0
    drawn = np.array([random.choice(values, (RESAMPLES, len(values))).mean(axis=1) for values in by_setting])
    low, high = np.quantile(what(drawn), [tail, 1.0 - tail])
    return Interval(value, float(low), float(high))


def over_seeds(found: Interval, unit: float = 1.0) -> str:
    """A figure with its interval, in words where that has no bounds."""
    bounds = f"[{unit * found.low:.1f}, {unit * found.high:.1f}]" if math.isfinite(found.high) else "[no spread seen]"
    return f"{unit * found.value:.1f} {bounds}"


def within(found: Interval, low: float, high: float, runs: int) -> Verdict:
    """Whether a figure lies between two others, by its interval; fewer than MANY runs leave it open."""
    if runs < MANY or found.low < low <= found.high or found.low <= high < found.high:
        return "not decided"
    return "shown" if low <= found.low and found.high <= high else "not shown"
