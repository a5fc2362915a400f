"""Sharing a compiled call over many games among threads, in parts short enough for Ctrl-C to come between them.

What a game does depends on nothing but its own row and stream, so results are the same however the games are shared. How many
threads take part follows from what the same call has taken before, by one thread and by several.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from boardgym.compile import IS_COMPILED, MOST_HELPERS, Crew
from boardgym.core.errors import OptionError

GRAIN_S = 25e-6  # of work that is worth another thread
SHORT_S = 2 * GRAIN_S  # of a call that is for one thread, whatever else is known
GAIN = 0.9  # of the time by one thread, that sharing must not take more of: helpers that wait slow down what shares their core
PART_S = 0.05  # of a long call: a signal waits no longer than about this
PIECE_S = 5e-6  # of work for a thread, at least: taking it costs a tenth of a microsecond, or the games' memory moves
PIECES_EACH = 8  # for a thread, so that who is through early takes pieces of others
LINE = 64  # games whose smallest entries, of a byte, fill a line of memory: pieces of many games do not share one
FIRST_GAMES = 64  # a part of so many of a call whose length is not known tells it
ALONE_EVERY, TOGETHER_EVERY, MOST_EVERY = 256, 64, 4096  # calls after which the slower way is tried again
SHARED = (0, (0, 0, 1, 0))  # like the first two arguments of a shared kernel, to look up its entry point

_IDLE: list[Crew] = []  # of this process: more than one where several threads call at once


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # the threads of the parent do not live on


@contextlib.contextmanager
def crew_of(helpers: int) -> Iterator[tuple[int, int]]:
    """The address of a crew that nobody else uses meanwhile, and how many helpers it has, fewer if the system refuses some.

    None help where kernels run as Python.
    """
    if helpers == 0 or not IS_COMPILED:
        yield 0, 0
        return
    try:
        crew = _IDLE.pop()
    except IndexError:
        crew = Crew()
    try:
        yield crew.address, crew.hire(helpers)
    finally:
        _IDLE.append(crew)


class Pace:
    """What a call has taken. alone, together: seconds for all games, by one thread and by several, 0 if not known."""

    def __init__(self, alone: float) -> None:
        self.alone, self.together, self.calls, self.every = alone, 0.0, 0, TOGETHER_EVERY

    def choose(self, most: int) -> int:
        """How many threads the next call is for, at most `most`."""
        most = min(most, int(self.alone / GRAIN_S))
        if most < 2 or self.alone > PART_S:
            return max(most, 1)
        self.calls += 1
        if self.together > GAIN * self.alone:  # others use the cores, say
            return 1 if self.calls % self.every else most
        return most if self.calls % ALONE_EVERY != 1 else 1

    def note(self, threads: int, seconds: float) -> None:
        """What a call has taken by so many threads."""
        if threads == 1:
            self.alone = min(seconds, 2.0 * self.alone)  # one that has waited for a core is no measure
            return
        was_slower = self.together > GAIN * self.alone or self.together == 0.0
        self.together = seconds if was_slower else self.together + (seconds - self.together) / 8
        self.alone = min(self.alone, seconds * threads)  # the games have become shorter
        if self.together <= GAIN * self.alone:
            self.every = TOGETHER_EVERY
        elif was_slower:
            self.every = min(2 * self.every, MOST_EVERY)


class Sharing:
    """Runs shared kernels on n games: on all of them at once if that is short, else in parts, by several threads.

    Args:
        num_threads: at most so many, at least 1; 0: as many as this process may use cores.

    Raises: OptionError for another number.
    """

    def __init__(self, num_threads: int = 1) -> None:
        if isinstance(num_threads, bool) or not isinstance(num_threads, int) or num_threads < 0:
            raise OptionError(f"num_threads={num_threads!r}: expected a whole number, 0 for as many as there are cores")
        affinity = getattr(os, "sched_getaffinity", None)
        self.num_threads = num_threads or (len(affinity(0)) if affinity else os.cpu_count() or 1)
        self.paces: dict[str, dict[int, Pace]] = {}  # by name of the call, and the digits of how many games are busy

    def run(self, name: str, kernel: Callable[..., int], n: int, args: tuple[Any, ...], busy: Any = None) -> int:
        """The least game at which the kernel had to stop, -1 if it did all. In parts, those after such a game are left out.

        name: of the call, to remember what it takes. kernel: made by `boardgym.compile.shared`, or its entry point. args: its.
        busy: how many of the games have something to do, a whole number; None: all. What a call takes is remembered for each
        power of two of it, because calls of very different lengths tell little about each other.

        Raises what the kernel raises; KeyboardInterrupt between two parts, the others left out.
        """
        busy = n if busy is None else max(int(busy), 1)
        sizes, digits = self.paces.setdefault(name, {}), busy.bit_length()
        low, pace, started = 0, sizes.get(digits), time.perf_counter()
        if pace is None and sizes:
            nearest = min(sizes, key=lambda known: abs(known - digits))
            pace = sizes[digits] = Pace(sizes[nearest].alone * 2.0 ** (digits - nearest))
        elif pace is None:
            kernel(0, (0, 0, 1, 0), args)  # compiles, if it must, before the clock starts
            low, started = -(-n // FIRST_GAMES), time.perf_counter()
            fault = kernel(0, (0, low, low, 0), args)
            pace = sizes[digits] = Pace(max(time.perf_counter() - started, 1e-9) / low * n)
            if fault >= 0:
                return fault
        if pace.alone <= PART_S and (self.num_threads == 1 or pace.alone < SHORT_S):  # as below, with less of Python
            threads, fault = 1, kernel(0, (low, n, n, 0), args)
        elif (threads := pace.choose(self.threads_for(n))) == 1:
            fault = self._run_parts(0, kernel, low, n, args, 1, pace)
        else:
            before = time.perf_counter()
            with crew_of(threads - 1) as (crew, helpers):
                threads = helpers + 1
                started += time.perf_counter() - before  # which is not what the call takes
                fault = self._run_parts(crew, kernel, low, n, args, threads, pace)
        pace.note(threads, time.perf_counter() - started)
        return fault

    def threads_for(self, n: int) -> int:
        """How many threads may take part for n games."""
        return min(self.num_threads, n, MOST_HELPERS + 1) if IS_COMPILED else 1

    def _run_parts(
        self, crew: int, kernel: Callable[..., int], low: int, n: int, args: tuple[Any, ...], threads: int, pace: Pace
    ) -> int:
        part = max(threads, int(n * PART_S * threads / pace.alone)) if pace.alone > PART_S else n
        piece = max(-(-min(part, n) // (threads * PIECES_EACH)), int(n * PIECE_S / pace.alone), 1)
        if piece > LINE // 2:
            piece = -(-piece // LINE) * LINE
        while low < n:
            high = min(low + part, n)
            if (fault := kernel(crew, (low, high, piece, threads - 1), args)) >= 0:
                return fault
            low = high
        return -1
