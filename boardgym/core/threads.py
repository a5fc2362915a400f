"""Sharing a compiled call over many games among threads: kernels release the GIL, and each thread gets a range of games.

What a game does depends on nothing but its own row and stream, so results are the same however the games are shared.
"""

import itertools
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from boardgym.core.errors import OptionError

WORTH_SHARING_S = 200e-6  # a call that is shorter is over before a second thread has woken up

Part = TypeVar("Part")

_POOLS: dict[int, ThreadPoolExecutor] = {}  # by process: the threads of a parent do not live on in a forked child


def _pool() -> ThreadPoolExecutor:
    process = os.getpid()
    if process not in _POOLS:
        _POOLS.clear()
        _POOLS[process] = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="boardgym")
    return _POOLS[process]


class Sharing:
    """Runs a call on parts of a whole, one part a thread, where it is long enough to be worth it.

    Args:
        num_threads: at most so many, at least 1; 0: as many as this process may use cores.

    Raises: OptionError for another number.
    """

    def __init__(self, num_threads: int = 1) -> None:
        if isinstance(num_threads, bool) or not isinstance(num_threads, int) or num_threads < 0:
            raise OptionError(f"num_threads={num_threads!r}: expected a whole number, 0 for as many as there are cores")
        affinity = getattr(os, "sched_getaffinity", None)
        self.num_threads = num_threads or (len(affinity(0)) if affinity else os.cpu_count() or 1)
        self._seconds: dict[str, float] = {}  # what the whole took last, by name of the call

    def ranges(self, n: int) -> list[slice]:
        """Ranges of n games, one for each thread, as even as can be."""
        count = max(1, min(self.num_threads, n))
        edges = [n * k // count for k in range(count + 1)]
        return [slice(low, high) for low, high in itertools.pairwise(edges)]

    def run(self, name: str, call: Callable[[Part], Any], whole: Part, parts: Sequence[Part]) -> list[Any]:
        """What `call` returns for the whole, in one thread, or for each of the parts. name: of the call, to remember its time.

        Raises what the call raises.
        """
        started = time.perf_counter()
        if len(parts) < 2 or self._seconds.get(name, 0.0) < WORTH_SHARING_S:
            results = [call(whole)]
            self._seconds[name] = time.perf_counter() - started
            return results
        others = [_pool().submit(call, part) for part in parts[1:]]
        try:
            results = [call(parts[0])]
        finally:
            for other in others:  # never leave threads at work on arrays that the caller takes for finished
                other.exception()
        results += [other.result() for other in others]
        self._seconds[name] = (time.perf_counter() - started) * len(parts)
        return results
