"""Locks on work that a folder holds, so that two commands do not write over each other's."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from boardgym.core.errors import BoardgymError

LOCK = "training.lock"  # in the folder of a training, while it goes on


@contextlib.contextmanager
def alone(path: Path, error: type[BoardgymError]) -> Iterator[None]:
    """Holds a lock, a file that is there meanwhile; it ends with the process, however that ends, and one left behind is free.

    Raises `error`, which takes a message, while somebody else holds it; OSError if the file cannot be made.
    """
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise error(f"{path}: another process works at this; wait until it has ended, or take another folder") from None
    try:
        yield
    finally:
        with contextlib.suppress(PermissionError):  # Windows deletes no open file: it stays, and is free
            path.unlink(missing_ok=True)  # before it is released: whoever has just opened it finds that it is gone
        lock.release()
