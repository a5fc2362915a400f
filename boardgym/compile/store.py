"""Where the machine code of kernels is kept: one file for each compiled overload, named by what it is made of.

Numba's own disk cache is not used, for three reasons, each of which a test holds:
 * it watches only the file that defines a function, so a kernel goes on running a rule that was edited elsewhere;
 * its index of a function holds the types of all games that ever called it, and cannot be read where one of them is absent;
 * two processes that store at the same time can leave an index entry that names the other's code.
Here a file is named by a digest of the kernel, of all that it reaches (`boardgym.compile.digest`) and of its argument types;
its folder by the versions of Python, NumPy, Numba and LLVM, the compile flags, and the sources of this room, which are part
of every kernel. So an edit recompiles what it touches, and nothing else. A checksum covers all of that too: what lies under
another kernel's name is not loaded.

To load such a file is to run it, so nothing is loaded that another user could have put there: see `distrust`.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import stat
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from platformdirs import user_cache_dir

from boardgym.compile.digest import digest_of
from boardgym.compile.registry import classes_in
from boardgym.core.files import remove_parts, write_aside

CHECKSUM_BYTES = 32
FOLDERS_KEPT = 4
MOST_BYTES = 2**29  # that a folder may hold; a game with all its searches takes some tens of MB
DAY_S = 86_400.0
UNRESOLVED = b".numba.unresolved"  # in machine code that refers to code compiled after it


def room_digest() -> str:
    """Digest of the sources of this room, which decide what becomes of any kernel."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


ROOM = room_digest()  # at import, with the sources that this process runs: an edit after it is for the next process


@functools.cache
def source_key() -> str:
    """Digest of what decides about the machine code of all kernels alike. 16 hex digits."""
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
    versions = (ROOM, sys.version, np.__version__, numba.__version__, llvmlite.__version__, flags)
    return hashlib.sha256(repr(versions).encode()).hexdigest()[:16]


def cache_root() -> Path:
    """The folder that NUMBA_CACHE_DIR names, else `boardgym` in the user's cache folder."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_dir(appname="boardgym", appauthor=False))


def cache_folder() -> Path:
    """The folder of this build's kernels, in `cache_root()`."""
    return cache_root() / "boardgym-kernels" / source_key()


def distrust(folder: Path) -> str:
    """Why nothing is loaded from a folder of kernels, or kept there: another user can write there. Empty: none but root can.

    That goes for the folder itself and for the two above it, `cache_root()` the highest, as far as they are there.
    """
    for place in (folder.parents[1], folder.parent, folder):
        with contextlib.suppress(OSError):
            if reason := _stranger(place.stat(), may_be_sticky=place == folder.parents[1]):
                return f"{place} {reason}"
    return ""


def _stranger(status: os.stat_result, *, may_be_sticky: bool = False) -> str:
    """Which other user can change a file, or what is in a folder. Empty: none but root, and perhaps the owner's group.

    may_be_sticky: whether all may add to a folder where they cannot replace what others have made, such as /tmp.
    """
    if not hasattr(os, "geteuid"):
        return ""  # Windows, where the user's folders are closed to others
    if status.st_uid not in (os.geteuid(), 0):
        return f"belongs to user {status.st_uid}, not to user {os.geteuid()} or root"
    if status.st_mode & stat.S_IWOTH and not (may_be_sticky and status.st_mode & stat.S_ISVTX):
        return "can be written by every user"
    return ""


def has_group(folder: Path) -> bool:
    """Whether the group of a folder, not its owner alone, can write there."""
    try:
        return hasattr(os, "geteuid") and bool(folder.stat().st_mode & stat.S_IWGRP)
    except OSError:
        return False  # is not there


def _is_trusted(folder: Path) -> bool:
    """Whether kernels are loaded from a folder and kept there; warns, once, if not, and if a group has to be trusted."""
    if reason := distrust(folder):
        _warn_once(
            f"no compiled code is loaded from {folder} or kept there: {reason}, so that others could have code of "
            f"theirs run by you. {COST}; {ADVICE}"
        )
        return False
    if has_group(folder):
        _warn_once(
            f"the group of {folder} can write there, and so have code of theirs run by you: if you do not trust all its "
            "members, delete that folder, or set NUMBA_CACHE_DIR to another"
        )
    return True


COST = "Every process compiles what it does not find, 13 to 45 s for a game"
ADVICE = "set NUMBA_CACHE_DIR to a folder of your own (boardgym doctor shows what is used)"
_WARNED: set[str] = set()


def _warn_once(text: str) -> None:
    """A RuntimeWarning, once in a process."""
    if text not in _WARNED:
        _WARNED.add(text)
        warnings.warn(text, RuntimeWarning, stacklevel=3)


class OverloadCache(_Cache):  # type: ignore[misc]
    """Numba's cache interface over one file per compiled overload; a folder that cannot be written is no error."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.function = function
        self.enabled = True

    @property
    def cache_path(self) -> str:
        """Where the files lie."""
        return str(cache_folder())

    def enable(self) -> None:
        """Loads and saves from now on."""
        self.enabled = True

    def disable(self) -> None:
        """Neither loads nor saves from now on."""
        self.enabled = False

    def flush(self) -> None:
        """Nothing is held in memory."""

    def _find(self, sig: Any, target_context: Any) -> tuple[Path, bytes]:
        """(file, key) of an overload. The key, 32 bytes, is a digest of all that the machine code depends on."""
        classes = list(classes_in(sig))
        reached = digest_of(self.function, *classes)  # now: what rules call may have been defined after the token was made
        names = [f"{kind.__module__}.{kind.__qualname__}" for kind in classes]
        key = repr((source_key(), self.name, reached, str(sig), names, target_context.codegen().magic_tuple()))
        digest = hashlib.sha256(key.encode())
        stem = f"{self.name.rpartition('.')[2]}-{digest.hexdigest()[:32]}"
        return cache_folder() / f"{stem}.nbc", digest.digest()

    def has_overload(self, sig: Any, target_context: Any) -> bool:
        """Whether there is a file for a signature, in a folder that is read."""
        with global_compiler_lock:  # which Numba holds when it compiles or loads: another thread may, and both refresh
            target_context.refresh()
            return _is_trusted(cache_folder()) and os.path.isfile(
                self._find(sig, target_context)[0]
            )  # False where it is closed

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The stored compile result for a signature, or None."""
        target_context.refresh()
        if not self.enabled or not _is_trusted(cache_folder()):
            return None
        path, key = self._find(sig, target_context)
        try:
            with open(path, "rb") as file:
                is_foreign = _stranger(os.fstat(file.fileno())) and not has_group(path.parent)
                if is_foreign or distrust(path.parent):  # again: the folder may have come after the first look
                    return None  # was put there when the folder was open to others
                content = file.read()
            checksum, data = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
            if hashlib.sha256(key + data).digest() != checksum:
                return None  # LLVM would end the process over damaged machine code; another kernel's would run
            _note_use(path)
            # our own machine code, from a folder that others cannot write, as Numba's cache does
            return CompileResultCacheImpl.rebuild(None, target_context, pickle.loads(data))
        except (OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError):
            return None  # absent or unreadable: compile again

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores a compile result; warns, once, where the disk refuses."""
        if not self.enabled or data.lifted or data.library.has_dynamic_globals or not _is_trusted(cache_folder()):
            return
        path, key = self._find(sig, data.target_context)
        try:
            if not path.parent.is_dir():
                _make_folder(path.parent)
                _prune_builds(path.parent)
            _prune_once(path.parent)
            content = dumps(data._reduce())
            if UNRESOLVED in content:
                warnings.warn(
                    f"{self.name} is compiled anew in each process: a function in it calls itself with arguments of "
                    "two types, and such code crashes when loaded; a literal has a type of its own, np.int64(1) "
                    "has not",
                    stacklevel=2,
                )
                return
            write_aside(path, hashlib.sha256(key + content).digest() + content)
        except OSError as error:
            _warn_once(f"compiled code cannot be kept in {path.parent}: {error.strerror or error}. {COST}; {ADVICE}")


def _make_folder(folder: Path) -> None:
    """Makes a folder for kernels, mode 0700; in a folder that NUMBA_CACHE_DIR names, as readable to others as that is.

    Thus root can fill a cache for all users. Raises OSError.
    """
    root = folder.parents[1]
    shared = root.stat().st_mode & 0o055 if os.environ.get("NUMBA_CACHE_DIR") and root.is_dir() else 0
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    for place in (folder.parent, folder):
        place.mkdir(mode=0o700 | shared, exist_ok=True)


def _note_use(path: Path) -> None:
    """Makes a file that has not been used for a day as young as a new one, so that those in use are deleted last."""
    with contextlib.suppress(OSError):  # a folder that is only read
        if time.time() - path.stat().st_mtime > DAY_S:
            os.utime(path)
            os.utime(path.parent)


@functools.cache
def _prune_once(folder: Path) -> None:
    """Deletes what has not been used for longest where a folder has grown too large, and what killed processes left there.

    Once in a process.
    """
    remove_parts(folder)
    files = []
    for path in folder.glob("*.nbc"):
        with contextlib.suppress(OSError):  # another process deletes too
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    excess = sum(size for _, size, _ in files) - MOST_BYTES
    if excess <= 0:
        return
    for _, size, path in sorted(files):
        if excess > -MOST_BYTES // 4:
            path.unlink(missing_ok=True)
            excess -= size


def _prune_builds(newest: Path) -> None:
    """Deletes the folders of old builds beside a new one, but for the most recent few."""
    others = []
    for folder in newest.parent.iterdir():
        with contextlib.suppress(OSError):  # another process deletes too
            if folder.is_dir() and folder != newest:
                others.append((folder.stat().st_mtime, folder))
    for _, folder in sorted(others, reverse=True)[FOLDERS_KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)
