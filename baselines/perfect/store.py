"""Tables on the disk: arrays in safetensors files with a header and a digest, in a folder of the user's cache.

A table is written under another name first, forced to the disk and then renamed; it is read whole, and refused if its bytes are
not those that the digests, one of the arrays and one of the header, were taken of. Reading one executes nothing. Endgame
tables and opening books are kept this way; some come with the package, in `SHIPPED`.
"""

import contextlib
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

FORMAT, FORMAT_VERSION = "boardgym table", 2  # 1 had no digest of the header
FOLDER_VARIABLE = "BOARDGYM_TABLES"
MEMORY_LIMITS = (  # of the control group that a container is, in Linux's second version of these and in its first
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
SHIPPED = Path(__file__).parent / "data"
SUFFIX, PART = ".safetensors", ".unfinished"
ARRAYS_DIGEST, HEADER_DIGEST = "sha256", "header_sha256"

UNREADABLE = (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError)

Arrays = dict[str, NDArray[Any]]


class TableError(BoardgymError, ValueError):
    """A table file that is damaged, or is none of ours; the message says what to do."""


def advice(path: Path) -> str:
    """What to do about a file that cannot be used, as the end of a message. path: the file."""
    if path.suffix == PART:
        return "the work in it is lost: delete it, and the command that made it begins anew"
    return "delete it and build it again (boardgym tables, boardgym book)"


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


def digest_of_header(header: dict[str, Any]) -> str:
    """SHA-256 of a header but for this digest itself. header: plain data, its names text. 64 hex digits."""
    covered = {name: value for name, value in header.items() if name != HEADER_DIGEST}
    return hashlib.sha256(json.dumps(covered, sort_keys=True).encode()).hexdigest()


def is_there(path: Path) -> bool:
    """Whether there is a table; one of an older format is as good as none, since its builder writes it anew.

    What cannot be read is there: whoever reads it says what is wrong.
    """
    try:
        with safetensors.safe_open(str(path), framework="np") as file:
            version = json.loads(file.metadata()["boardgym"])["version"]
    except FileNotFoundError:
        return False
    except UNREADABLE:
        return True
    return type(version) is not int or version >= FORMAT_VERSION


def write_table(path: Path, arrays: Arrays, header: dict[str, Any]) -> str:
    """Writes a table whole or not at all, to last, and returns the digest of its arrays.

    header: plain data by names, kept beside them. Raises OSError.
    """
    digest = digest_of(arrays)
    whole = {"format": FORMAT, "version": FORMAT_VERSION, ARRAYS_DIGEST: digest, **header}
    text = json.dumps({**whole, HEADER_DIGEST: digest_of_header(whole)})
    content = safetensors.numpy.save({name: np.ascontiguousarray(a) for name, a in arrays.items()}, {"boardgym": text})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, content, is_durable=True)
    return digest


def read_table(path: Path, header: dict[str, Any], *, expected: str = "") -> tuple[Arrays, dict[str, Any]]:
    """(arrays, header) of a table. header: what has to stand in the file's own. expected: the digest, "" for any.

    Raises:
        FileNotFoundError: there is no such table.
        TableError: the file is no table, another table, or damaged.
    """
    arrays, found = _open(path, header, with_arrays=True)
    digest, named = digest_of(arrays), found.get(ARRAYS_DIGEST)
    if digest != named or (expected and digest != expected):
        raise TableError(f"{path}: the table has digest {digest}, expected {expected or named}; {advice(path)}")
    return arrays, found


def array_of(path: Path, arrays: Arrays, name: str, dtype: type, shape: tuple[int, ...]) -> NDArray[Any]:
    """One array of a table that was read from `path`. Raises TableError if it is not there, or is of another dtype or shape."""
    array = arrays.get(name)
    if array is None or array.dtype != dtype or array.shape != shape:
        found = "not there" if array is None else f"{array.dtype} {array.shape}"
        raise TableError(f"{path}: {name} is {found}, expected {np.dtype(dtype)} {shape}; {advice(path)}")
    return array


def read_header(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    """The header of a table, by its own digest; the arrays are neither read nor checked. Raises as `read_table`."""
    return _open(path, header, with_arrays=False)[1]


def _open(path: Path, header: dict[str, Any], *, with_arrays: bool) -> tuple[Arrays, dict[str, Any]]:
    try:
        with safetensors.safe_open(str(path), framework="np") as file:
            found = json.loads((file.metadata() or {})["boardgym"])
            for name, value in {"format": FORMAT, "version": FORMAT_VERSION, **header}.items():
                if found.get(name) != value:
                    raise TableError(f"{path}: {name} is {found.get(name)!r}, expected {value!r}; {advice(path)}")
            if (digest := digest_of_header(found)) != found.get(HEADER_DIGEST):
                raise TableError(f"{path}: the header has digest {digest}, expected {found.get(HEADER_DIGEST)}; {advice(path)}")
            names = file.keys() if with_arrays else ()
            return {name: file.get_tensor(name) for name in names}, found
    except FileNotFoundError:
        raise
    except UNREADABLE as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path}: not a table that boardgym wrote ({error!r}); {advice(path)}") from None


# ---------------------------------------------------------------- memory, and Ctrl-C


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
