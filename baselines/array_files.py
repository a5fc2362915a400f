"""Arrays on the disk: safetensors files with a header of plain data and digests of both.

A file is written under another name first, forced to the disk and then renamed; a reader refuses it if its bytes are not those
that the digests, one of the arrays and one of the header, were taken of. Reading one executes nothing. Endgame tables, opening
books and agents are kept this way, each a kind of file with a format name and a version.

Large arrays are written piece by piece, and may be read so (`open`), so that they need not be in memory as a whole: once for
the digest, and again for what is done with them. A file that somebody changes in between is refused.
"""

import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec
import numpy as np
import safetensors
from numpy.typing import NDArray

from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import BoardgymError
from boardgym.core.files import open_aside

ARRAYS_DIGEST, HEADER_DIGEST = "sha256", "header_sha256"
OWN_FIELDS = ("format", "version", ARRAYS_DIGEST, HEADER_DIGEST)  # of a header, beside what its writer has put there
UNREADABLE = (safetensors.SafetensorError, OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError)

KINDS = {  # what the format calls each dtype
    "BOOL": np.bool_, "U8": np.uint8, "I8": np.int8, "U16": np.uint16, "I16": np.int16, "U32": np.uint32, "I32": np.int32,
    "U64": np.uint64, "I64": np.int64, "F16": np.float16, "F32": np.float32, "F64": np.float64,
}  # fmt: skip
CODES = {np.dtype(kind): code for code, kind in KINDS.items()}
PIECE_ROWS = 1 << 20

Arrays = dict[str, NDArray[Any]]
T = TypeVar("T")


@dataclass(frozen=True)
class Pieces:
    """An array that comes in pieces along its first axis. parts: gives them in order, the same whenever it is called."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    parts: Callable[[], Iterable[NDArray[Any]]]


def as_pieces(array: "NDArray[Any] | Pieces") -> Pieces:
    """An array as one piece."""
    return array if isinstance(array, Pieces) else Pieces(array.dtype, array.shape, lambda: (array,))


def bytes_of(array: NDArray[Any]) -> memoryview:
    """The contents of an array, as files have them."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def digest_of(arrays: "Mapping[str, NDArray[Any] | Pieces]") -> str:
    """SHA-256 of names, dtypes, shapes and contents, in the order of the names. 64 hex digits."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = as_pieces(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\0".encode())
        for part in array.parts():
            digest.update(bytes_of(part))
    return digest.hexdigest()


def head_of(arrays: dict[str, Pieces], text: str) -> bytes:
    """What a safetensors file begins with: the names, dtypes, shapes and places of its arrays, and the text beside them."""
    head: dict[str, Any] = {"__metadata__": {"boardgym": text}}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.dtype.itemsize * int(np.prod(array.shape, dtype=np.int64))
        head[name] = {"dtype": CODES[array.dtype], "shape": array.shape, "data_offsets": [start, end]}
    content = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    content += b" " * (-len(content) % 8)
    return len(content).to_bytes(8, "little") + content


def digest_of_header(header: dict[str, Any]) -> str:
    """SHA-256 of a header but for this digest itself. header: plain data, its names text. 64 hex digits."""
    covered = {name: value for name, value in header.items() if name != HEADER_DIGEST}
    return hashlib.sha256(json.dumps(covered, sort_keys=True).encode()).hexdigest()


class Versioned(msgspec.Struct):
    """What every header says."""

    version: int


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
                found = read_json(file.metadata()["boardgym"], Versioned, self.error, self.what)
        except FileNotFoundError:
            return False
        except UNREADABLE:
            return True
        return found.version >= self.version

    def write(self, path: Path, arrays: Mapping[str, NDArray[Any] | Pieces], header: dict[str, Any]) -> str:
        """Writes a file whole or not at all, to last, and returns the digest of its arrays.

        header: plain data by names, kept beside them. Raises OSError.
        """
        digest = digest_of(arrays)
        whole = {"format": self.format, "version": self.version, ARRAYS_DIGEST: digest, **header}
        text = json.dumps({**whole, HEADER_DIGEST: digest_of_header(whole)})
        names = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))  # each begins at a multiple of its size
        parts = {name: as_pieces(arrays[name]) for name in names}
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_aside(path, is_durable=True) as file:
            file.write(head_of(parts, text))
            for array in parts.values():
                for part in array.parts():
                    file.write(bytes_of(part))
        return digest

    def read(self, path: Path, header: dict[str, Any], *, expected: str = "") -> tuple[Arrays, dict[str, Any]]:
        """(arrays, header) of a file. header: what has to stand in the file's own. expected: the digest, "" for any.

        Raises:
            FileNotFoundError: there is no such file.
            error: it is no such file, another than the header says, or damaged.
        """
        arrays, found = self._open(path, header, lambda file: {name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
        self._check(path, digest_of(arrays), found, expected)
        return arrays, found

    def open(self, path: Path, header: dict[str, Any]) -> tuple[dict[str, Pieces], dict[str, Any]]:
        """(arrays in pieces of PIECE_ROWS, header) of a file, read once to check its digest. Raises as `read`.

        The pieces raise `error` if the file is another by then, or cannot be read any more.
        """
        arrays, found = self._open(path, header, lambda file: self._stored_pieces(path, file))
        self._check(path, digest_of(arrays), found)
        return arrays, found

    def _check(self, path: Path, digest: str, found: dict[str, Any], expected: str = "") -> None:
        """Raises `error` for another digest than that of a header, and than one that was expected."""
        named = found.get(ARRAYS_DIGEST)
        if digest != named or (expected and digest != expected):
            raise self.error(f"{path}: {self.what} has digest {digest}, expected {expected or named}; {self.advice(path)}")

    def array_of(
        self, path: Path, arrays: Mapping[str, NDArray[Any] | Pieces], name: str, dtype: type, shape: tuple[int | None, ...]
    ) -> Any:
        """One array of a file that was read from `path`, as it is there: whole, or in pieces. shape: None for any length.

        Raises `error` if it is not there, or is of another dtype or shape.
        """
        array = arrays.get(name)
        fits = array is not None and array.dtype == dtype and len(array.shape) == len(shape)
        if array is None or not fits or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
            found = "not there" if array is None else f"{array.dtype} {array.shape}"
            wanted = tuple("any" if n is None else n for n in shape)
            raise self.error(f"{path}: {name} is {found}, expected {np.dtype(dtype)} {wanted}; {self.advice(path)}")
        return array

    def read_header(self, path: Path, header: dict[str, Any]) -> dict[str, Any]:
        """The header of a file, by its own digest; the arrays are neither read nor checked. Raises as `read`."""
        return self._open(path, header, lambda file: None)[1]

    def _open(self, path: Path, header: dict[str, Any], take: Callable[[Any], T]) -> tuple[T, dict[str, Any]]:
        try:
            with safetensors.safe_open(str(path), framework="np") as file:
                text = (file.metadata() or {})["boardgym"]
                found: dict[str, Any] = read_json(text, dict[str, Any], self.error, f"the header of {self.what} in {path}")
                for name, value in {"format": self.format, "version": self.version, **header}.items():
                    if found.get(name) != value:
                        raise self.error(f"{path}: {name} is {found.get(name)!r}, expected {value!r}; {self.advice(path)}")
                if (digest := digest_of_header(found)) != found.get(HEADER_DIGEST):
                    raise self.error(
                        f"{path}: the header has digest {digest}, expected {found.get(HEADER_DIGEST)}; {self.advice(path)}"
                    )
                return take(file), found
        except FileNotFoundError:
            raise
        except UNREADABLE as error:
            if isinstance(error, self.error):
                raise
            raise self.error(f"{path}: not {self.what} that boardgym wrote ({error!r}); {self.advice(path)}") from None

    def _stored_pieces(self, path: Path, file: Any) -> dict[str, Pieces]:
        """The arrays of an open file, to be read a piece at a time, also after it is closed.

        They are read, not mapped: a map of a file that somebody cuts short ends the process.
        """
        with path.open("rb") as stored:
            stamp, start = stamp_of(stored), 8 + (length := int.from_bytes(stored.read(8), "little"))
            head = read_json(stored.read(length), dict[str, Any], self.error, f"the places of arrays in {path}")

        def parts(place: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Iterator[NDArray[Any]]:
            rows, rest = shape[0] if shape else 1, shape[1:]
            rows = 0 if 0 in rest else rows  # there may be said to be any number of rows that take no bytes
            try:
                with path.open("rb") as stored:
                    stored.seek(place)
                    for first in range(0, rows, PIECE_ROWS):
                        part = np.empty((min(PIECE_ROWS, rows - first), *rest) if shape else (), dtype)
                        if stamp_of(stored) != stamp or stored.readinto(bytes_of(part)) != part.nbytes:
                            raise self.error(f"{path}: {self.what} that was changed while it was read; {self.advice(path)}")
                        yield part
            except OSError as error:
                raise self.error(f"{path}: {self.what} that cannot be read any more ({error}); {self.advice(path)}") from None

        arrays = {}
        for name in file.keys():  # noqa: SIM118  (no dictionary)
            array = file.get_slice(name)
            dtype, shape = np.dtype(KINDS[array.get_dtype()]), tuple(array.get_shape())
            place = start + int(head[name]["data_offsets"][0])
            arrays[name] = Pieces(dtype, shape, functools.partial(parts, place, dtype, shape))
        return arrays


def stamp_of(file: BinaryIO) -> tuple[int, int, int]:
    """What changes with a file: which it is, its bytes, and when it was last written to."""
    found = os.fstat(file.fileno())
    return found.st_ino, found.st_size, found.st_mtime_ns
