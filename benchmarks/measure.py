"""What all rows share: interleaved repeats on one core, medians, processor time with wall time beside it.

Processor time is that of the whole process, all threads together: on a shared machine wall time can lie by a factor of
two. Ours and the peer's repeats alternate, so that a slow minute of the machine hits both. The first call of each
subject, which compiles, is kept out of the figures and reported.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeVar

T = TypeVar("T")
Work = Callable[[int], int]  # does about n units of work; returns how many it did
Clock = Literal["cpu", "wall", "none"]  # what a row's values go by; "none": they are no times

NUM_REPEATS = 5
REPEAT_S = 0.5
QUICK_REPEAT_S = 0.01
# not required to run: without one, a row is printed with ours alone, or left out where ours needs it too
PEER_MODULES = ("pettingzoo", "pygame", "pyspiel", "open_spiel", "jax", "pgx", "envpool", "stable_baselines3", "sb3_contrib",
                "torch")  # fmt: skip
ALL_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None


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
    """One subject's result. value: median by the row's clock, wall: by wall time; both in the row's unit.

    spread: lowest and highest repeat by the row's clock. warm_up_s: processor seconds of the first call. repeats: number.
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

    unit: of the figures. at_least_ratio: wanted of ours / peer. at_least, at_most: wanted of ours, in the row's unit.
    absent: the peer that is not installed. notes: other figures and settings, for the file that --json writes.
    """

    name: str
    title: str
    unit: str
    ours: Figure
    peer: Figure | None = None
    at_least_ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    absent: str | None = None
    clock: Clock = "cpu"
    notes: dict[str, str | float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """Ours / peer by the row's clock, None without a peer."""
        return None if self.peer is None else self.ours.value / self.peer.value

    @property
    def target(self) -> str:
        """What is wanted, for people; empty where nothing is."""
        wanted = [] if self.at_least_ratio is None else [f">= {self.at_least_ratio:g}x"]
        wanted += [] if self.at_least is None else [f">= {scaled(self.at_least)} {self.unit}"]
        wanted += [] if self.at_most is None else [f"<= {scaled(self.at_most)} {self.unit}"]
        return ", ".join(wanted)

    @property
    def is_met(self) -> bool | None:
        """Whether all targets are met that can be judged; None without any, or where the peer is not installed."""
        met = [] if self.at_least_ratio is None or self.ratio is None else [self.ratio >= self.at_least_ratio]
        met += [] if self.at_least is None else [self.ours.value >= self.at_least]
        met += [] if self.at_most is None else [self.ours.value <= self.at_most]
        return all(met) if met else None


def scaled(value: float) -> str:
    """Three digits and a prefix."""
    for size, prefix in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{prefix}"
    return f"{value:.3g}"


def if_installed(make: Callable[[], T]) -> T | None:
    """What `make` gives, or None where it needs a peer that is not installed."""
    try:
        return make()
    except ModuleNotFoundError as error:
        if not is_peer(error):
            raise
        return None


def is_peer(error: ModuleNotFoundError) -> bool:
    """Whether the missing module is one of a peer."""
    return (error.name or "").partition(".")[0] in PEER_MODULES


def pin() -> int | None:
    """Keeps this process and its children on one core, the last that it may use. Returns its number, None if not possible."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


@contextmanager
def unpinned() -> Iterator[None]:
    """All cores that the process had when it began, for rows that use several; then back on those it has now."""
    if ALL_CORES is None:
        yield
        return
    now = os.sched_getaffinity(0)
    os.sched_setaffinity(0, ALL_CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, now)


def timed(work: Work, n: int) -> tuple[int, float, float]:
    """Units done, processor seconds and wall seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = work(n)
    return done, time.process_time() - cpu, time.perf_counter() - wall


def calibrate(work: Work, first: int, effort: Effort, clock: Clock = "cpu") -> tuple[int, float]:
    """An n whose repeat takes about `effort.repeat_s`, and the processor seconds of the first call, which warms up."""
    _, warm_up_s, _ = timed(work, first)
    n = first
    while True:
        _, cpu, wall = timed(work, n)
        spent = wall if clock == "wall" else cpu
        if spent >= 0.5 * effort.repeat_s:
            return max(first, int(n * effort.repeat_s / spent)), warm_up_s
        n *= 4


def rates(subjects: Sequence[tuple[str, Work]], effort: Effort, *, first: int = 1, clock: Clock = "cpu") -> list[Figure]:
    """Units a second of each subject, repeats interleaved. first: the n of the warm-up, in units."""
    sizes = [calibrate(work, first, effort, clock) for _, work in subjects]
    by_cpu: list[list[float]] = [[] for _ in subjects]
    by_wall: list[list[float]] = [[] for _ in subjects]
    for _ in range(effort.repeats):
        for i, (_, work) in enumerate(subjects):
            done, cpu, wall = timed(work, sizes[i][0])
            by_cpu[i].append(done / cpu)
            by_wall[i].append(done / wall)
    return [
        figure(name, (by_wall if clock == "wall" else by_cpu)[i], by_wall[i], warm_up_s=sizes[i][1])
        for i, (name, _) in enumerate(subjects)
    ]


def figure(subject: str, values: Sequence[float], walls: Sequence[float], *, warm_up_s: float = 0.0) -> Figure:
    """The medians of several repeats."""
    spread = (min(values), max(values))
    return Figure(subject, statistics.median(values), statistics.median(walls), spread, warm_up_s, len(values))


def counted(subject: str, value: float) -> Figure:
    """What is counted, not timed."""
    return figure(subject, [value], [value])
