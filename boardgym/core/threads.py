"""Sharing a compiled call over many games among threads, in pieces short enough for Ctrl-C to come between them.

Kernels release the GIL, and each piece is a range of games. What a game does depends on nothing but its own row and
stream, so results are the same however the games are shared.
"""

import itertools
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from boardgym.core.errors import OptionError

WORTH_SHARING_S = 200e-6  # a call that is shorter is over before a second thread has woken up
PIECE_S = 0.05  # of a long call: a signal waits no longer than about this
FIRST_PIECES = 64  # of a call whose length is not known: the first of them tells

Part = TypeVar("Part")

_POOL: list[ThreadPoolExecutor] = []
_LOCK = threading.Lock()


def _pool() -> ThreadPoolExecutor:
    """The threads of this process, made when first asked for."""
    with _LOCK:
        if not _POOL:
            _POOL.append(ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="boardgym"))
        return _POOL[0]


def _start_anew() -> None:
    """In a forked child: the threads of the parent do not live on, and its lock may be held by one of them."""
    global _LOCK
    _LOCK = threading.Lock()
    _POOL.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


class Sharing:
    """Runs a call on ranges of n games: on all of them at once if that is short, else in pieces, by several threads.

    Args:
        num_threads: at most so many, at least 1; 0: as many as this process may use cores.

    Raises: OptionError for another number.
    """

    def __init__(self, num_threads: int = 1) -> None:
        if isinstance(num_threads, bool) or not isinstance(num_threads, int) or num_threads < 0:
            raise OptionError(f"num_threads={num_threads!r}: expected a whole number, 0 for as many as there are cores")
        affinity = getattr(os, "sched_getaffinity", None)
        self.num_threads = num_threads or (len(affinity(0)) if affinity else os.cpu_count() or 1)
        self.seconds: dict[str, float] = {}  # what all games took last, in one thread, by name of the call

    def run(self, name: str, call: Callable[[Part], Any], cut: Callable[[slice], Part], n: int) -> list[Any]:
        """What `call` returns for each of the pieces, in the order of the games.

        name: of the call, to remember its length. cut: gives the part of the arrays that a range of games has.

        Raises what the call raises; KeyboardInterrupt between two pieces, the others left out.
        """
        expected = self.seconds.get(name)
        started = time.perf_counter()
        if expected is not None and expected < (PIECE_S if self.num_threads == 1 else WORTH_SHARING_S):
            results = [call(cut(slice(0, n)))]
            self.seconds[name] = time.perf_counter() - started
            return results
        results, done = [], 0
        if expected is None:
            done = max(1, n // FIRST_PIECES)
            call(cut(slice(0, 0)))  # compiles, if it must, before the clock starts
            started = time.perf_counter()
            results.append(call(cut(slice(0, done))))
            expected = (time.perf_counter() - started) / done * n
        left = expected * (n - done) / n
        pieces = max(1, int(left / PIECE_S), self.num_threads if left > WORTH_SHARING_S else 1)
        pieces = min(pieces, n - done)
        edges = [done + (n - done) * k // pieces for k in range(pieces + 1)] if pieces else []
        ranges = [slice(low, high) for low, high in itertools.pairwise(edges)]
        if self.num_threads == 1 or len(ranges) < 2:
            results += [call(cut(part)) for part in ranges]
            self.seconds[name] = time.perf_counter() - started
        else:
            results += self._run_shared(call, cut, ranges)
            self.seconds[name] = (time.perf_counter() - started) * min(self.num_threads, len(ranges))
        return results

    def _run_shared(self, call: Callable[[Part], Any], cut: Callable[[slice], Part], ranges: list[slice]) -> list[Any]:
        """The pieces by several threads, this one among them; none is still at work when it returns or raises."""
        results: list[Any] = [None] * len(ranges)
        numbers = iter(range(len(ranges)))
        is_over = threading.Event()

        def work() -> None:
            for number in numbers:  # a range's iterator hands out each number once, whoever asks
                if is_over.is_set():
                    return
                results[number] = call(cut(ranges[number]))

        helpers: list[Any] = []
        try:
            for _ in range(min(self.num_threads, len(ranges)) - 1):
                helpers.append(_pool().submit(work))
            work()
        except BaseException:
            is_over.set()
            raise
        finally:
            for helper in helpers:
                helper.exception()
        for helper in helpers:
            helper.result()
        return results
