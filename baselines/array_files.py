"""Arrays on the disk: safetensors files with a header of plain data and digests of both.

A file is written under another name first, forced to the disk and then renamed; it is read whole, and refused if its bytes are
not those that the digests, one of the arrays and one of the header, were taken of. Reading one executes nothing. Endgame
tables, opening books and agents are kept this way, each a kind of file with a format name and a version.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from boardgym.core.cache import write_aside
from boardgym.core.errors import BoardgymError

ARRAYS_DIGEST, HEADER_DIGEST = "sha256", "header_sha256"
UNREADABLE = (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError)

Arrays = dict[str, NDArray[Any]]


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


@dataclass(frozen=True)
class ArrayFiles:
    """A kind of file.

    Attributes:
        format, version: what its header says.
        what: what a file holds, for messages.
        error: is raised for a file that is no such file, or damaged; takes a message.
        advice: what to do about such a file, given its path, as the end of a message.
    """

    format: str
    version: int
    what: str
    error: type[BoardgymError]
    advice: Callable[[Path], str]

    def is_there(self, path: Path) -> bool:
        """Whether there is a file; one of an older version is as good as none, where its maker writes it anew.

        What cannot be read is there: whoever reads it says what is wrong.
        """
        try:
            with safetensors.safe_open(str(path), framework="np") as file:
                version = json.loads(file.metadata()["boardgym"])["version"]
        except FileNotFoundError:
            return False
        except UNREADABLE:
            return True
        return type(version) is not int or version >= self.version

    def write(self, path: Path, arrays: Arrays, header: dict[str, Any]) -> str:
        """Writes a file whole or not at all, to last, and returns the digest of its arrays.

        header: plain data by names, kept beside them. Raises OSError.
        """
        digest = digest_of(arrays)
        whole = {"format": self.format, "version": self.version, ARRAYS_DIGEST: digest, **header}
        text = json.dumps({**whole, HEADER_DIGEST: digest_of_header(whole)})
        content = safetensors.numpy.save({name: np.ascontiguousarray(a) for name, a in arrays.items()}, {"boardgym": text})
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, content, is_durable=True)
        return digest

    def read(self, path: Path, header: dict[str, Any], *, expected: str = "") -> tuple[Arrays, dict[str, Any]]:
        """(arrays, header) of a file. header: what has to stand in the file's own. expected: the digest, "" for any.

        Raises:
            FileNotFoundError: there is no such file.
            error: it is no such file, another than the header says, or damaged.
        """
        arrays, found = self._open(path, header, with_arrays=True)
        digest, named = digest_of(arrays), found.get(ARRAYS_DIGEST)
        if digest != named or (expected and digest != expected):
            raise self.error(f"{path}: {self.what} has digest {digest}, expected {expected or named}; {self.advice(path)}")
        return arrays, found

    def array_of(self, path: Path, arrays: Arrays, name: str, dtype: type, shape: tuple[int, ...]) -> NDArray[Any]:
        """One array of a file that was read from `path`. Raises `error` if it is not there, or is of another dtype or shape."""
        array = arrays.get(name)
        if array is None or array.dtype != dtype or array.shape != shape:
            found = "not there" if array is None else f"{array.dtype} {array.shape}"
            raise self.error(f"{path}: {name} is {found}, expected {np.dtype(dtype)} {shape}; {self.advice(path)}")
        return array

    def read_header(self, path: Path, header: dict[str, Any]) -> dict[str, Any]:
        """The header of a file, by its own digest; the arrays are neither read nor checked. Raises as `read`."""
        return self._open(path, header, with_arrays=False)[1]

    def _open(self, path: Path, header: dict[str, Any], *, with_arrays: bool) -> tuple[Arrays, dict[str, Any]]:
        try:
            with safetensors.safe_open(str(path), framework="np") as file:
                found = json.loads((file.metadata() or {})["boardgym"])
                for name, value in {"format": self.format, "version": self.version, **header}.items():
                    if found.get(name) != value:
                        raise self.error(f"{path}: {name} is {found.get(name)!r}, expected {value!r}; {self.advice(path)}")
                if (digest := digest_of_header(found)) != found.get(HEADER_DIGEST):
                    raise self.error(f"{path}: the header has digest {digest}, expected {found.get(HEADER_DIGEST)}; "
                                     f"{self.advice(path)}")  # fmt: skip
                names = file.keys() if with_arrays else ()
                return {name: file.get_tensor(name) for name in names}, found
        except FileNotFoundError:
            raise
        except UNREADABLE as error:
            if isinstance(error, self.error):
                raise
            raise self.error(f"{path}: not {self.what} that boardgym wrote ({error!r}); {self.advice(path)}") from None
