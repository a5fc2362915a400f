"""Moves of one position that threads solve, each of them one at a time."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from boardgym.core.errors import SpecError
from boardgym.core.signals import ctrl_c_held

T = TypeVar("T")
MOST_THREADS = 64


def check_threads(number: int) -> int:
    """Raises SpecError for a number of threads that a solver cannot have."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_THREADS:
        raise SpecError(f"threads={number!r}: expected a whole number from 1 to {MOST_THREADS}")
    return number


def share(items: Iterable[T], workers: Sequence[Callable[[T], None]], stop: NDArray[np.int64]) -> None:
    """Has each item done by one of the workers: the first works on this thread, each other one on a thread of its own.

    Where the system refuses threads, fewer share. stop: int64 (1,), at which the workers look; it is set if one of them fails,
    or at Ctrl-C. Raises what that was, after all threads have ended.
    """
    left, threads, failures = iter(list(items)), list[threading.Thread](), list[BaseException]()

    def note(error: BaseException) -> None:
        failures.append(error)
        stop[0] = 1

    def work(worker: Callable[[T], None]) -> None:
        try:
            for item in left:
                worker(item)
        except BaseException as error:
            note(error)

    try:
        for worker in workers[1:]:
            thread = threading.Thread(target=work, args=(worker,), name="boardgym-moves", daemon=True)
            with ctrl_c_held():  # else nobody would know whether it runs
                thread.start()
                threads.append(thread)
    except RuntimeError:
        pass
    except KeyboardInterrupt as error:
        note(error)
    work(workers[0])
    for thread in threads:
        while thread.is_alive():
            try:
                thread.join()
            except KeyboardInterrupt as error:
                note(error)
    if failures:
        raise failures[0]
