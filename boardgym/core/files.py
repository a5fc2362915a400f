"""Files that are written whole or not at all."""

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows, which lets nobody delete a file that is being written
    fcntl = None  # type: ignore[assignment]

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
PART = re.compile(r".*\.[0-9a-f]{16}\.part")  # what `open_aside` writes to


def share_file(source: Path, target: Path) -> None:
    """A file under a second name. For files that are replaced, never written to: each stays as it is.

    If there is a file of that name, it stays. Where the disk has no second names, a copy is made, whole or not at all.
    Raises OSError.
    """
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError:
        if not target.exists():
            with open(source, "rb") as content, open_aside(target) as copy:
                shutil.copyfileobj(content, copy)


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
