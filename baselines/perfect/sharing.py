"""Moves of one position that threads solve, each of them one at a time."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from boardgym.core.errors import SpecError

T = TypeVar("T")
MOST_THREADS = 64


def check_threads(number: int) -> int:
    """Raises SpecError for a number of threads that a solver cannot have."""
    if not 1 <= number <= MOST_THREADS:
        raise SpecError(f"threads={number}: expected 1 to {MOST_THREADS}")
    return number


def share(items: Iterable[T], workers: Sequence[Callable[[T], None]], stop: NDArray[np.int64]) -> None:
    """Has each item done by one of the workers: the first works on this thread, each other one on a thread of its own.

    stop: int64 (1,), at which the workers look; it is set if one of them fails. Raises what that one raised.
    """
    left, failures = iter(list(items)), list[BaseException]()

    def work(worker: Callable[[T], None]) -> None:
        try:
            for item in left:
                worker(item)
        except BaseException as error:
            failures.append(error)
            stop[0] = 1

    threads = [threading.Thread(target=work, args=(worker,), name="boardgym-moves", daemon=True) for worker in workers[1:]]
    for thread in threads:
        thread.start()
    work(workers[0])
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
