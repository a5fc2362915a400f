"""What all rows share: interleaved repeats on one core, medians, processor time with wall time beside it.

Processor time is that of the whole process, all threads together: on a shared machine wall time can lie by a factor of
two. Ours and the peer's repeats alternate, so that a slow minute of the machine hits both. The first call of each
subject, which compiles, is kept out of the figures and reported.
"""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Work = Callable[[int], int]  # does about n units of work; returns how many it did

NUM_REPEATS = 5
REPEAT_S = 0.5
QUICK_REPEAT_S = 0.01


@dataclass(frozen=True)
class Effort:
    """How much is measured. repeats: of each subject. repeat_s: least processor time of one repeat, in seconds."""

    repeats: int = NUM_REPEATS
    repeat_s: float = REPEAT_S

    @property
    def is_quick(self) -> bool:
        """Whether the figures are only good to show that the row runs."""
        return self.repeats < NUM_REPEATS


QUICK = Effort(1, QUICK_REPEAT_S)


@dataclass(frozen=True)
class Figure:
    """One subject's result. value: median by processor time, wall: by wall time; both in the row's unit.

    spread: lowest and highest repeat by processor time. warm_up_s: processor seconds of the first call. repeats: number.
    """

    subject: str
    value: float
    wall: float
    spread: tuple[float, float]
    warm_up_s: float
    repeats: int


@dataclass(frozen=True)
class Row:
    """A line of the table: ours, the peer's where there is one, and what is wanted.

    unit: of the figures; "s" means less is better. at_least_ratio: wanted of ours / peer. at_most_s: wanted of ours.
    """

    name: str
    title: str
    unit: str
    ours: Figure
    peer: Figure | None = None
    at_least_ratio: float | None = None
    at_most_s: float | None = None
    notes: dict[str, str | float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """Ours / peer by processor time, None without a peer."""
        return None if self.peer is None else self.ours.value / self.peer.value

    @property
    def target(self) -> str:
        """What is wanted, for people; empty where nothing is."""
        if self.at_least_ratio is not None:
            return f">= {self.at_least_ratio:g}x"
        return "" if self.at_most_s is None else f"<= {self.at_most_s:g} s"

    @property
    def is_met(self) -> bool | None:
        """Whether the target is met; None without a target, or where the peer is not installed."""
        if self.at_least_ratio is not None:
            return None if self.ratio is None else self.ratio >= self.at_least_ratio
        return None if self.at_most_s is None else self.ours.value <= self.at_most_s


def pin() -> int | None:
    """Keeps this process and its children on one core, the last that it may use. Returns its number, None if not possible."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def timed(work: Work, n: int) -> tuple[int, float, float]:
    """Units done, processor seconds and wall seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = work(n)
    return done, time.process_time() - cpu, time.perf_counter() - wall


def calibrate(work: Work, first: int, effort: Effort) -> tuple[int, float]:
    """An n whose repeat takes about `effort.repeat_s`, and the processor seconds of the first call, which warms up."""
    _, warm_up_s, _ = timed(work, first)
    n = first
    while True:
        _, cpu, _ = timed(work, n)
        if cpu >= 0.5 * effort.repeat_s:
            return max(first, int(n * effort.repeat_s / cpu)), warm_up_s
        n *= 4


def rates(subjects: Sequence[tuple[str, Work]], effort: Effort, *, first: int = 1) -> list[Figure]:
    """Units a second of each subject, repeats interleaved. first: the n of the warm-up, in units."""
    sizes = [calibrate(work, first, effort) for _, work in subjects]
    by_cpu: list[list[float]] = [[] for _ in subjects]
    by_wall: list[list[float]] = [[] for _ in subjects]
    for _ in range(effort.repeats):
        for i, (_, work) in enumerate(subjects):
            done, cpu, wall = timed(work, sizes[i][0])
            by_cpu[i].append(done / cpu)
            by_wall[i].append(done / wall)
    return [
        figure(name, by_cpu[i], by_wall[i], warm_up_s=sizes[i][1])
        for i, (name, _) in enumerate(subjects)
    ]  # fmt: skip


def figure(subject: str, values: Sequence[float], walls: Sequence[float], *, warm_up_s: float = 0.0) -> Figure:
    """The medians of several repeats."""
    spread = (min(values), max(values))
    return Figure(subject, statistics.median(values), statistics.median(walls), spread, warm_up_s, len(values))
