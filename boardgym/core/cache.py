"""How functions are compiled and where their machine code is kept: the one place that sets Numba's flags.

`kernel` compiles an entry point called from Python and keeps it on disk; `inner` compiles a function that only
kernels and rules call, and that is stored as part of them.

Numba's own disk cache is not used, for three reasons, each of which a test holds:
 * it watches only the file that defines a function, so a kernel goes on running a rule that was edited elsewhere;
 * its index of a function holds the types of all games that ever called it, and cannot be read where one of them is absent;
 * two processes that store at the same time can leave an index entry that names the other's code.
Here every compiled overload is a file of its own, its content behind a checksum. Its name is a digest of the function
and the argument types (a game's token carries a digest of the game's rules), in a folder named by a digest of all
compiled sources of this package, the versions of Python, NumPy and Numba, and the compile flags. The checksum covers all
of that too: what lies under another kernel's name is not loaded.

To load such a file is to run it, so nothing is loaded that another user could have put there: see `distrust`.
"""

import contextlib
import errno
import functools
import hashlib
import itertools
import os
import pickle
import re
import secrets
import shutil
import stat
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numba
import numpy as np
from numba.core import config, event
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.serialize import dumps
from numba.misc.appdirs import user_cache_dir

from boardgym.core.digest import digest_function
from boardgym.core.parts import part
from boardgym.core.uncompiled import uncompiled

try:
    import fcntl
except ImportError:  # Windows, which lets nobody delete a file that is being written
    fcntl = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parents[1]
COMPILED_ROOMS = ("core", "games", "envs", "testing", "baselines")  # the only rooms that may hold kernels
CHECKSUM_BYTES = 32
FOLDERS_KEPT = 4
NOTICE_AFTER_S = 0.5
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
PART = re.compile(r".*\.[0-9a-f]{16}\.part")  # what `open_aside` writes to

UNRESOLVED = b".numba.unresolved"  # in machine code that refers to code compiled after it
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compiles an entry point: called from Python, releases the GIL, stored on disk. Takes tokens and rows, no position."""
    compiled: Any = numba.njit(nogil=True, no_cfunc_wrapper=True)(function)
    if not config.DISABLE_JIT:
        compiled._cache = OverloadCache(function)
    return compiled


def inner(function: F) -> F:
    """Compiles a function that only compiled code calls; it is stored within the kernels that use it.

    It may call itself, directly and with the same types. Raises, when a kernel is compiled: RuleError if it does otherwise.
    """
    return part(numba.njit(nogil=True)(function))  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """As `inner`, always made part of its caller: for functions of tuples of arrays, whose every word a call would copy."""
    return part(numba.njit(nogil=True, forceinline=True)(function))  # type: ignore[no-any-return]


def plain(function: F) -> F:
    """The Python function behind a compiled one, for single calls: from Python, an `inner` is compiled in each process anew.

    Not for functions that call others that return np.uint64: compiled, those give Python an int.
    """
    return getattr(function, "py_func", function)


def as_python(compiled: Any) -> Callable[..., Any]:
    """A kernel as a Python function that compiles nothing, whatever it calls."""
    function = plain(compiled)

    def call(*args: Any) -> Any:
        with uncompiled():
            return function(*args)

    return call


def is_there(compiled: Any, *examples: Any) -> bool:
    """Whether a kernel for the argument types of `examples` is in this process, or on the disk."""
    if config.DISABLE_JIT:
        return False
    kinds = tuple(numba.typeof(example) for example in examples)
    return kinds in compiled.overloads or bool(compiled._cache.has_overload(kinds, compiled.targetctx))


def entry_point(compiled: Any, *examples: Any) -> Any:
    """A kernel for the argument types of `examples`, called without looking at types, which takes 0.3 us where one is a token.

    Only for arguments that the caller has made itself: an array of another dtype would be read as if it had the right one.
    """
    return compiled if config.DISABLE_JIT else compiled.compile(tuple(numba.typeof(example) for example in examples))


class EntryPoints:
    """Entry points of kernels for one owner's arguments, each looked up once. Copies and pickles of the owner begin anew.

    A step of 64 boards is so short that to look at the types of its arrays, at each call, takes a third of it.
    """

    def __init__(self) -> None:
        self._found: dict[Any, tuple[Any, tuple[Any, ...]]] = {}

    def find(self, compiled: Any, *examples: Any, place: int = 0, foreign: tuple[Any, ...] = ()) -> Any:
        """The entry point of a kernel for arguments like these.

        place: tells apart uses whose types differ. foreign: those among the arguments that another than the owner may exchange
        for some of other types; where one is not the same object as before, the types are looked at again.
        """
        entry, known = self._found.get((compiled, place), (None, ()))
        if entry is None or len(known) != len(foreign) or any(a is not b for a, b in zip(known, foreign, strict=True)):
            entry = entry_point(compiled, *examples)
            self._found[compiled, place] = entry, foreign
        return entry

    def __deepcopy__(self, memo: Any) -> "EntryPoints":
        return EntryPoints()

    def __reduce__(self) -> Any:
        return EntryPoints, ()


def source_digest(leave_out: str = "") -> str:
    """Digest of the sources of the rooms that hold kernels, as they stand on the disk.

    leave_out: a room within them.

    Raises: ImportError if a room has none, which would let all versions of it pass for one.
    """
    digest = hashlib.sha256()
    for room in COMPILED_ROOMS:
        inside, beside = PACKAGE / room, PACKAGE.parent / room  # beside: a checkout whose links are absent, or plain files
        root = (inside if inside.is_dir() else beside).resolve()
        paths = sorted(path for path in root.rglob("*.py") if path.relative_to(root).parts[0] != leave_out)
        if not paths:
            raise ImportError(f"expected the sources of boardgym.{room} in {inside} or {beside}, found none")
        for path in paths:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


PLAIN_ROOM = "studies"  # whose files no kernel is made of
SOURCES = source_digest()  # at import, with the sources that this process runs: an edit after it is for the next process
COMPILED_SOURCES = source_digest(PLAIN_ROOM)


@functools.cache
def source_key() -> str:
    """Digest of everything but the argument types that decides what machine code a kernel gets. 16 hex digits."""
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
    versions = (COMPILED_SOURCES, sys.version, np.__version__, numba.__version__, flags)
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
        _warn_once(f"no compiled code is loaded from {folder} or kept there: {reason}, so that others could have code of "
                   f"theirs run by you. {COST}; {ADVICE}")  # fmt: skip
        return False
    if has_group(folder):
        _warn_once(f"the group of {folder} can write there, and so have code of theirs run by you: if you do not trust all its "
                   "members, delete that folder, or set NUMBA_CACHE_DIR to another")  # fmt: skip
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

    @functools.cached_property
    def source(self) -> str:
        """Digest of a kernel that stands outside the package, in a user's file: the folder's name does not cover it."""
        return digest_function(self.function)

    def _find(self, sig: Any, target_context: Any) -> tuple[Path, bytes]:
        """(file, key) of an overload. The key, 32 bytes, is a digest of all that the machine code depends on."""
        key = repr((source_key(), self.name, self.source, str(sig), target_context.codegen().magic_tuple()))
        digest = hashlib.sha256(key.encode())
        stem = f"{self.name.rpartition('.')[2]}-{digest.hexdigest()[:32]}"
        return cache_folder() / f"{stem}.nbc", digest.digest()

    def has_overload(self, sig: Any, target_context: Any) -> bool:
        """Whether there is a file for a signature, in a folder that is read."""
        target_context.refresh()
        return _is_trusted(cache_folder()) and os.path.isfile(self._find(sig, target_context)[0])  # False where it is closed

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
            # our own machine code, from a folder that others cannot write, as Numba's cache does
            return CompileResultCacheImpl.rebuild(None, target_context, pickle.loads(data))
        except (OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError):
            return None  # absent or unreadable: compile again

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores a compile result, if the sources are those of the import still; warns, once, where the disk refuses."""
        if not self.enabled or data.lifted or data.library.has_dynamic_globals or not _is_trusted(cache_folder()):
            return
        path, key = self._find(sig, data.target_context)
        try:
            if source_digest(PLAIN_ROOM) != COMPILED_SOURCES:
                return  # a module that was imported late may be of the edited sources, under the key of the old ones
            if not path.parent.is_dir():
                _make_folder(path.parent)
                _prune(path.parent)
            content = dumps(data._reduce())
            if UNRESOLVED in content:
                warnings.warn(f"{self.name} is compiled anew in each process: a function in it calls itself with arguments of "
                              "two types, and such code crashes when loaded; a literal has a type of its own, np.int64(1) "
                              "has not", stacklevel=2)  # fmt: skip
                return
            write_aside(path, hashlib.sha256(key + content).digest() + content)
        except ImportError:
            return  # there are no sources any more to compare with
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


def write_aside(path: Path, content: bytes, *, is_durable: bool = False) -> None:
    """Writes a file whole or not at all: see `open_aside`."""
    with open_aside(path, is_durable=is_durable) as file:
        file.write(content)


@contextlib.contextmanager
def open_aside(path: Path, *, is_durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write under another name, renamed at the end of the context, so that no reader ever sees half of it.

    What killed processes have left of the same file is deleted: see `remove_parts`.

    is_durable: after a loss of power, too, the name has the old content or the new one, at the price of waiting for the disk.
    What is no regular file, such as /dev/null or a pipe, is written itself: nothing takes its place.

    Raises: OSError, with nothing left behind, if the folder cannot be written.
    """
    if path.exists() and not path.is_file():
        with open(path, "wb") as file:
            yield file
        return
    part: BinaryIO | None = None
    try:
        part = _open_part(path)
        yield part
        part.flush()
        if is_durable:
            os.fsync(part.fileno())
        if fcntl is None:
            part.close()  # Windows renames no open file
        os.replace(part.name, path)
    except BaseException as error:
        if part is not None:
            with contextlib.suppress(OSError):  # a full disk, again
                part.close()
            Path(part.name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)  # the name that the caller knows
            if error.errno in NO_ROOM:
                free = shutil.disk_usage(path.parent).free / 2**30
                error.strerror = f"{error.strerror} ({free:.3g} GiB free in {path.parent})"
        raise
    part.close()
    remove_parts(path.parent, path.name)


def _open_part(path: Path) -> BinaryIO:
    """A new file beside another, with the permissions that any new file gets, and a lock as long as it is open."""
    while True:
        part = open(path.with_name(f"{path.name}.{secrets.token_hex(8)}.part"), "xb")  # noqa: SIM115
        if fcntl is None:
            return part
        with contextlib.suppress(OSError):  # a file system without locks: nobody can take the file for one that was left
            fcntl.flock(part, fcntl.LOCK_EX)
        if os.path.exists(part.name):
            return part
        part.close()  # was taken for one that was left, before it had its lock


def remove_parts(folder: Path, name: str = "") -> None:
    """Deletes what processes that were killed had not finished in a folder: files of `open_aside` that nobody writes.

    name: of one file; empty: all of the folder, for whoever holds it.
    """
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if PART.fullmatch(path.name) and (not name or path.name.startswith(f"{name}.")):
                with contextlib.suppress(OSError), open(path, "r+b") as part:  # being written, or another user's
                    fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()


def _prune(newest: Path) -> None:
    """Deletes the folders of old builds beside a new one, but for the most recent few."""
    others = [p for p in newest.parent.iterdir() if p.is_dir() and p != newest]
    others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for folder in others[FOLDERS_KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


class _CompileNotice(event.Listener):  # type: ignore[misc]
    """Says on stderr what is being compiled when it takes longer than NOTICE_AFTER_S, once per kernel and game.

    seconds: that kernels took to compile so far, in all threads.
    """

    def __init__(self) -> None:
        self.running: dict[int, tuple[Any, threading.Timer, float]] = {}  # thread -> outermost dispatcher, timer, when it began
        self.seconds = 0.0
        self.said: set[str] = set()

    def on_start(self, event: Any) -> None:
        dispatcher, thread = event.data["dispatcher"], threading.get_ident()
        if thread in self.running or not isinstance(dispatcher._cache, OverloadCache):
            return  # compiled on behalf of a kernel that is being timed, or not ours
        subjects = [a.title for a in event.data["args"] if hasattr(a, "title")]
        text = f"compiling {' '.join([*subjects, dispatcher.__name__])}, once"
        timer = threading.Timer(NOTICE_AFTER_S, self._say, (text,))
        timer.daemon = True
        self.running[thread] = dispatcher, timer, time.monotonic()
        timer.start()

    def on_end(self, event: Any) -> None:
        dispatcher, timer, started = self.running.get(threading.get_ident(), (None, None, 0.0))
        if timer is not None and dispatcher is event.data["dispatcher"]:
            timer.cancel()
            self.seconds += time.monotonic() - started
            del self.running[threading.get_ident()]

    def _say(self, text: str) -> None:
        if text not in self.said:
            self.said.add(text)
            print(f"boardgym: {text}", file=sys.stderr, flush=True)


_NOTICE = _CompileNotice()
event.register("numba:compile", _NOTICE)


class WorkClock:
    """Seconds since it was made, and those of them in which nothing was compiled, of which rates are told."""

    def __init__(self) -> None:
        self._started, self._compiled = time.monotonic(), _NOTICE.seconds

    @property
    def seconds(self) -> float:
        """All of them."""
        return time.monotonic() - self._started

    @property
    def working_seconds(self) -> float:
        """Without those in which this process compiled kernels."""
        return max(self.seconds - (_NOTICE.seconds - self._compiled), 0.0)


def number_afresh() -> None:
    """Lets Numba number the functions that it compiles from a random start, another in each process.

    The number is what tells apart the symbols of functions of one name and argument type, as all dispatching lambdas of a
    verb's arity are. Counted from 1 in each process, stored code and newly compiled code hold different functions under
    one symbol, and the loader then takes the one that it saw first: wrong results, in silence.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(8), "little"))


number_afresh()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=number_afresh)
