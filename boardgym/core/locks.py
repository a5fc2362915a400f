"""Locks on work that a folder holds, so that two commands do not write over each other's."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from boardgym.core.errors import BoardgymError

POLL_S = 0.2
LOCK = "training.lock"  # in the folder of a training, while it goes on


@contextlib.contextmanager
def alone(path: Path, error: type[BoardgymError], wait: float = 0.0) -> Iterator[None]:
    """Holds a lock, a file that is there meanwhile; it ends with the process, however that ends, and one left behind is free.

    Raises `error`, which takes a message, if somebody else still holds it after `wait` seconds; OSError if the file cannot be
    made.
    """
    lock = FileLock(path)
    try:
        lock.acquire(timeout=wait, poll_interval=POLL_S)
    except Timeout:
        raise error(f"{path}: another process works at this; wait until it has ended, or take another folder") from None
    with _held(lock, path):
        yield


@contextlib.contextmanager
def in_turn(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Holds a lock as `alone` does, once nobody else holds it.

    on_wait: called now and then while somebody does. Raises OSError if the file cannot be made.
    """
    lock = FileLock(path)
    while True:
        try:
            lock.acquire(timeout=POLL_S, poll_interval=POLL_S / 4)
            break
        except Timeout:
            on_wait()
    with _held(lock, path):
        yield


@contextlib.contextmanager
def _held(lock: FileLock, path: Path) -> Iterator[None]:
    """Releases a lock at the end of the context, and deletes its file."""
    try:
        yield
    finally:
        with contextlib.suppress(PermissionError):  # Windows deletes no open file: it stays, and is free
            path.unlink(missing_ok=True)  # before it is released: whoever has just opened it finds that it is gone
        lock.release()
