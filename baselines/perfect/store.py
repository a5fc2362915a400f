"""Tables on the disk: arrays in safetensors files with a header and a digest, in a folder of the user's cache.

A table is written under another name first and then renamed; it is read whole, and refused if its bytes are not those that the
digest was taken of. Reading one executes nothing. Endgame tables and opening books are kept this way; some come with the
package, in `SHIPPED`.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy
from numba.misc.appdirs import user_cache_dir
from numpy.typing import NDArray

from boardgym.core.cache import write_aside
from boardgym.core.errors import BoardgymError, OptionError

FORMAT, FORMAT_VERSION = "boardgym table", 1
FOLDER_VARIABLE = "BOARDGYM_TABLES"
SHIPPED = Path(__file__).parent / "data"
ADVICE = "delete it and build it again (boardgym tables, boardgym book)"
SUFFIX, PART = ".safetensors", ".unfinished"

Arrays = dict[str, NDArray[Any]]


class TableError(BoardgymError, ValueError):
    """A table file that is damaged, or is none of ours; the message says what to do."""


def tables_folder() -> Path:
    """Where tables lie: the folder that BOARDGYM_TABLES names, else `boardgym/tables` in the user's cache folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(user_cache_dir(appname="boardgym", appauthor=False)) / "tables"


def digest_of(arrays: Arrays) -> str:
    """SHA-256 of names, dtypes, shapes and contents, in the order of the names. 64 hex digits."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def write_table(path: Path, arrays: Arrays, header: dict[str, Any]) -> str:
    """Writes a table whole or not at all, and returns its digest. header: plain data, kept beside it. Raises OSError."""
    digest = digest_of(arrays)
    text = json.dumps({"format": FORMAT, "version": FORMAT_VERSION, "sha256": digest, **header})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, safetensors.numpy.save({name: np.ascontiguousarray(a) for name, a in arrays.items()}, {"boardgym": text}))
    return digest


def read_table(path: Path, header: dict[str, Any], *, expected: str = "") -> tuple[Arrays, dict[str, Any]]:
    """(arrays, header) of a table. header: what has to stand in the file's own. expected: the digest, "" for any.

    Raises:
        FileNotFoundError: there is no such table.
        TableError: the file is no table, another table, or damaged.
    """
    arrays, found = _open(path, header, with_arrays=True)
    digest = digest_of(arrays)
    if digest != found.get("sha256") or (expected and digest != expected):
        raise TableError(f"{path}: the table has digest {digest}, expected {expected or found.get('sha256')}; {ADVICE}")
    return arrays, found


def read_header(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    """The header of a table, of which nothing else is read or checked. Raises as `read_table`."""
    return _open(path, header, with_arrays=False)[1]


def _open(path: Path, header: dict[str, Any], *, with_arrays: bool) -> tuple[Arrays, dict[str, Any]]:
    try:
        with safetensors.safe_open(str(path), framework="np") as file:
            found = json.loads((file.metadata() or {})["boardgym"])
            for name, value in {"format": FORMAT, "version": FORMAT_VERSION, **header}.items():
                if found.get(name) != value:
                    raise TableError(f"{path}: {name} is {found.get(name)!r}, expected {value!r}; {ADVICE}")
            names = file.keys() if with_arrays else ()
            return {name: file.get_tensor(name) for name in names}, found
    except FileNotFoundError:
        raise
    except (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path}: not a table that boardgym wrote ({error!r}); {ADVICE}") from None


# ---------------------------------------------------------------- memory, and Ctrl-C


def machine_memory() -> int | None:
    """Bytes of memory that the machine has, used or not; None where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


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


def run_through(call: Callable[[], None]) -> None:
    """Runs a short call that may be repeated to its end, however often Ctrl-C is pressed: work that must not be lost is saved.

    Raises: what `call` raises; KeyboardInterrupt as pressed, after the end.
    """
    pressed: KeyboardInterrupt | None = None
    while True:
        try:
            call()
            break
        except KeyboardInterrupt as error:
            pressed = error
    if pressed is not None:
        raise pressed
