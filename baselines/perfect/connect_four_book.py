"""Connect Four's opening book: the exact score of every position of few discs, mirror images being one.

A book is two arrays, ascending keys (`canonical_key`) and scores. It is made for one number of discs, layer by layer: the
positions of the last layer are solved, those before it follow from their successors. The work is written to a file
every so often and goes on from there.
"""

import hashlib
import io
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba.misc.appdirs import user_cache_dir
from numpy.typing import NDArray

from boardgym.core.cache import plain, write_aside
from boardgym.core.errors import BoardgymError
from boardgym.games.connect_four import winning_cells

FORMAT = 1
CHUNK = 16  # positions that a thread takes at a time, siblings for the most part, which share what the table holds
SAVE_EVERY_S = 20.0
POLL_S = 0.05
SHIPPED = Path(__file__).parent / "data"


class BookError(BoardgymError, ValueError):
    """A file that is no book, is damaged, or is of another board size."""


@dataclass(frozen=True)
class Book:
    """Known scores. keys: int64 (n,), ascending; scores: int8 (n,), for the seat to play; most_discs: of any of them, or -1.

    discs: the layer that it is, or will be, whole to; is_whole: whether all positions of up to so many discs are there.
    """

    keys: NDArray[np.int64]
    scores: NDArray[np.int8]
    most_discs: int = -1
    discs: int = -1
    is_whole: bool = False


EMPTY = Book(np.empty(0, np.int64), np.empty(0, np.int8))


def book_name(width: int, height: int) -> str:
    """The file of a board size."""
    return f"connect_four_{width}x{height}.npz"


def user_book(width: int, height: int) -> Path:
    """Where `boardgym book` writes by default: in the user's cache folder."""
    return Path(user_cache_dir(appname="boardgym", appauthor=False)) / "books" / book_name(width, height)


def find_book(width: int, height: int) -> Book:
    """The user's book of a board size, or the one that comes with the package, or an empty one. Raises BookError."""
    for path in (user_book(width, height), SHIPPED / book_name(width, height)):
        if path.is_file():
            return load_book(path, width, height)
    return EMPTY


def save_book(path: Path, book: Book, width: int, height: int) -> None:
    """Writes a book; a reader sees the old file or the new one. Raises OSError."""
    header = np.array([FORMAT, width, height, book.discs, book.most_discs, book.is_whole], np.int64)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, header=header, keys=book.keys, scores=book.scores, digest=_digest(header, book))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, buffer.getvalue())


def load_book(path: Path, width: int, height: int) -> Book:
    """Reads a book of a board size. Raises BookError, OSError."""
    try:
        with np.load(path, allow_pickle=False) as file:
            header, keys, scores, digest = (file[name] for name in ("header", "keys", "scores", "digest"))
        book = Book(keys, scores, int(header[4]), int(header[3]), bool(header[5]))
        known = header[0] == FORMAT and keys.dtype == np.int64 and scores.dtype == np.int8
        if not known or digest.tobytes() != _digest(header, book).tobytes():
            raise ValueError("its content does not fit its digest")
    except FileNotFoundError:
        raise
    except Exception as error:  # whatever a damaged archive leads to
        raise BookError(f"{path}: no book, or damaged ({error}); delete it, and `boardgym book` makes it anew") from None
    if tuple(header[1:3]) != (width, height):
        raise BookError(f"{path}: a book for {header[1]} x {header[2]}; expected {width} x {height}")
    return book


def _digest(header: NDArray[np.int64], book: Book) -> NDArray[np.uint8]:
    parts = header.tobytes() + book.keys.tobytes() + book.scores.tobytes()
    return np.frombuffer(hashlib.sha256(parts).digest(), np.uint8)


# ---------------------------------------------------------------- positions by layers


def key_in_book(own: int, other: int, width: int, height: int) -> int:
    """`canonical_key` in plain Python."""
    key, step = own + (own | other), height + 1
    columns = [key >> (column * step) & ((1 << step) - 1) for column in range(width)]
    return min(key, sum(bits << (column * step) for column, bits in enumerate(reversed(columns))))


def successors(own: int, other: int, width: int, height: int) -> Iterator[tuple[int, int, bool]]:
    """(own, other, whether the seat that dropped the disc has won) after each action, as the next seat sees it."""
    wins = plain(winning_cells)(own, height)
    for column in range(width):
        disc = (own | other) + (1 << (column * (height + 1))) & (((1 << height) - 1) << (column * (height + 1)))
        if disc:
            yield other, own | disc, bool(disc & wins)


def layers(width: int, height: int, discs: int) -> list[dict[int, tuple[int, int]]]:
    """For each number of discs up to `discs`: key -> (own, other) of one of each two mirrored positions, games not over."""
    found: list[dict[int, tuple[int, int]]] = [{0: (0, 0)}]
    while len(found) <= discs:
        layer: dict[int, tuple[int, int]] = {}
        for own, other in found[-1].values():
            for after_own, after_other, is_won in successors(own, other, width, height):
                if not is_won and (after_own | after_other).bit_count() < width * height:
                    layer.setdefault(key_in_book(after_own, after_other, width, height), (after_own, after_other))
        found.append(layer)
    return found


def complete(solved: dict[int, int], width: int, height: int, discs: int) -> Book:
    """The whole book from the scores of its last layer: a position's score is the best of what its actions lead to."""
    known, positions = dict(solved), layers(width, height, discs)
    for layer in reversed(positions[:-1]):
        for key, (own, other) in layer.items():
            left = width * height - (own | other).bit_count()
            reached = []
            for after_own, after_other, is_won in successors(own, other, width, height):
                if is_won:
                    reached.append((left + 1) >> 1)
                else:  # a full board is a draw
                    reached.append(-known[key_in_book(after_own, after_other, width, height)] if left > 1 else 0)
            known[key] = max(reached)
    return as_book(known, discs, discs, is_whole=True)


def as_book(scores: dict[int, int], most_discs: int, discs: int, *, is_whole: bool) -> Book:
    """The arrays of a dict of scores."""
    keys = np.array(sorted(scores), np.int64)
    values = np.array([scores[int(key)] for key in keys], np.int8)
    return Book(keys, values, most_discs, discs, is_whole)


# ---------------------------------------------------------------- making a book

Score = Callable[[NDArray[np.int64], NDArray[np.int64]], int | None]  # (row of a position, stop) -> its score; None if stopped


def progress_file(path: Path, discs: int) -> Path:
    """Where the work on a book is kept until it is whole."""
    return path.with_name(f"{path.stem}.discs{discs}.part.npz")


def build_book(
    path: Path,
    width: int,
    height: int,
    discs: int,
    scorers: list[Score],
    *,
    most_positions: int | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Book:
    """Solves what is missing of a book and writes it: the whole book to `path`, unfinished work beside it.

    A whole book of as many discs, or more, that is there already comes back as it is.

    scorers: one for each thread. most_positions: to be solved in this call; the book that comes back may then be unfinished.
    report: told how many positions of the last layer are solved, of how many.

    Raises:
        BookError, OSError: about the file of unfinished work.
        KeyboardInterrupt: as pressed; what has been solved is in the file.
    """
    if path.is_file():
        there = load_book(path, width, height)
        if there.is_whole and there.discs >= discs:
            return there
    part, layer = progress_file(path, discs), layers(width, height, discs)[-1]
    solved: dict[int, int] = {}
    if part.is_file():
        earlier = load_book(part, width, height)
        solved = {key: score for key, score in zip(earlier.keys.tolist(), earlier.scores.tolist(), strict=True) if key in layer}
    pending = [key for key in layer if key not in solved][:most_positions]
    work = _Work(layer, pending, scorers)
    saved = time.monotonic()
    try:
        work.start()
        while not work.ended.wait(POLL_S):
            report(len(solved) + len(work.found), len(layer))
            if time.monotonic() - saved > SAVE_EVERY_S:
                _save_part(part, solved, work, discs, width, height)
                saved = time.monotonic()
    finally:
        work.finish()
        _save_part(part, solved, work, discs, width, height)
    if work.failure:
        raise work.failure[0]
    solved.update(work.found)
    report(len(solved), len(layer))
    if len(solved) < len(layer):
        return as_book(solved, discs, discs, is_whole=False)
    book = complete(solved, width, height, discs)
    save_book(path, book, width, height)
    part.unlink(missing_ok=True)
    return book


def _save_part(part: Path, solved: dict[int, int], work: "_Work", discs: int, width: int, height: int) -> None:
    save_book(part, as_book({**solved, **work.copy()}, discs, discs, is_whole=False), width, height)


class _Work:
    """Threads that solve a list of positions. found: key -> score. ended: set when all threads have ended."""

    def __init__(self, layer: dict[int, tuple[int, int]], pending: list[int], scorers: list[Score]) -> None:
        self.layer, self.pending, self.scorers = layer, pending[::-1], scorers
        self.found: dict[int, int] = {}
        self.failure: list[BaseException] = []
        self.stop, self.ended = np.zeros(1, np.int64), threading.Event()
        self.lock, self.running = threading.Lock(), 0

    def start(self) -> None:
        self.running = len(self.scorers)
        for scorer in self.scorers:
            threading.Thread(target=self._run, args=(scorer,), name="boardgym-book", daemon=True).start()

    def finish(self) -> None:
        """Stops the threads, if they still run, and waits for them."""
        self.stop[0] = 1
        self.ended.wait()

    def copy(self) -> dict[int, int]:
        with self.lock:
            return dict(self.found)

    def _run(self, scorer: Score) -> None:
        try:
            while self._solve_some(scorer):
                pass
        except BaseException as error:
            self.failure.append(error)
            self.stop[0] = 1
        with self.lock:
            self.running -= 1
            if self.running == 0:
                self.ended.set()

    def _solve_some(self, scorer: Score) -> bool:
        """Solves a chunk. Returns whether there may be more to do."""
        with self.lock:
            chunk, self.pending[-CHUNK:] = self.pending[-CHUNK:][::-1], []
        for key in chunk:
            score = scorer(np.array(self.layer[key], np.int64), self.stop)
            if score is None:
                return False
            with self.lock:
                self.found[key] = score
        return bool(chunk)
