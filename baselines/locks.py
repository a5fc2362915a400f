"""Locks on work that a folder holds, so that two commands do not write over each other's."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from boardgym.core.errors import BoardgymError

LOCK = "training.lock"  # in the folder of a training, while it goes on


@contextlib.contextmanager
def alone(path: Path, error: type[BoardgymError]) -> Iterator[None]:
    """Holds a lock, a file that is there meanwhile; it ends with the process, however that ends, and one left behind is free.

    Raises `error`, which takes a message, while somebody else holds it; OSError if the file cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = os.path.samestat(os.fstat(descriptor), os.stat(path))  # else its holder has just removed it
        except (BlockingIOError, FileNotFoundError):
            is_ours = False
        if not is_ours:
            raise error(f"{path}: another process works at this; wait until it has ended, or take another folder")
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)
