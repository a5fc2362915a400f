"""How much memory the machine has, and what is refused because of it."""

import contextlib
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardgym.core.errors import OptionError

MEMORY_LIMITS = (  # of the control group that a container is, in Linux's second version of these and in its first
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def machine_memory() -> int | None:
    """Bytes of memory that the machine has, or its container may have, used or not; None where the system does not tell."""
    sizes = []
    with contextlib.suppress(AttributeError, ValueError, OSError):
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in MEMORY_LIMITS:
        with contextlib.suppress(ValueError, OSError):  # no such file, or "max"
            sizes.append(int(limit.read_text()))
    return min(sizes, default=None)


def check_memory(size: int, what: str, lower: str) -> None:
    """Refuses tables that the machine cannot hold. size: bytes. what: needs them. lower: what to lower, in words.

    Raises OptionError.
    """
    there = machine_memory()
    if there is not None and size > there:
        raise OptionError(f"{what} need {in_words(size)} of memory, the machine has {in_words(there)}; lower {lower}")


def new_words(count: int, what: str, lower: str) -> NDArray[np.int64]:
    """An array of zeros, int64 (count,). what, lower: as `check_memory`. Raises OptionError if there is no room for it."""
    check_memory(8 * count, what, lower)
    try:
        return np.zeros(count, np.int64)
    except MemoryError:  # less than the machine has: a limit of the process, say
        raise OptionError(f"{what} need {in_words(8 * count)} of memory, more than can be had; lower {lower}") from None


def in_words(size: int) -> str:
    """A number of bytes, as people read it."""
    power = min(max(size, 1).bit_length() - 1, 49) // 10
    return f"{size / 1024**power:,.4g} {('bytes', 'KiB', 'MiB', 'GiB', 'TiB')[power]}"
