"""Connect Four's opening book: the exact score of every position of few discs, mirror images being one.

A book is two arrays, ascending keys (`canonical_key`) and scores. It is made for one number of discs, layer by layer: the
positions of the last layer are solved, those before it follow from their successors. The work is written to a file
every so often and goes on from there.
"""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.perfect.store import PART, SHIPPED, SUFFIX, TABLES, TableError, advice, run_through, tables_folder
from boardgym.compile import plain
from boardgym.games.connect_four import winning_cells

CHUNK = 16  # positions that a thread takes at a time, siblings for the most part, which share what the table holds
SAVE_EVERY_S = 20.0
POLL_S = 0.05


@dataclass(frozen=True)
class Book:
    """Known scores. keys: int64 (n,), ascending; scores: int8 (n,), for the seat to play.

    discs: the layer that it is, or will be, whole to; no position has more; -1 if there is none.
    is_whole: whether all positions of up to so many discs are there; else there are some of the last layer alone.
    """

    keys: NDArray[np.int64]
    scores: NDArray[np.int8]
    discs: int = -1
    is_whole: bool = False


EMPTY = Book(np.empty(0, np.int64), np.empty(0, np.int8))


def book_path(width: int, height: int, folder: Path | None = None) -> Path:
    """The file of a board size. folder: None, the one of all tables, where `boardgym book` writes by default."""
    return (tables_folder() if folder is None else folder) / f"connect-four-{width}x{height}{SUFFIX}"


def header_of(width: int, height: int) -> dict[str, Any]:
    """What the header of a file must hold."""
    return {"kind": "connect four book", "width": width, "height": height}


def discs_of(path: Path, header: dict[str, Any], width: int, height: int) -> int:
    """The number of discs that the header of a file says its book goes to. Raises TableError if there can be no such book."""
    discs = header.get("discs")
    if type(discs) is not int or not 0 <= discs < width * height:
        raise TableError(f"{path}: discs is {discs!r}, expected 0 to {width * height - 1}; {advice(path)}")
    return discs


def find_path(width: int, height: int) -> Path | None:
    """The file of the deepest book of a board size: one that comes with the package, or the user's own. None: there is none.

    Raises TableError for a file that is none.
    """
    found: dict[Path, int] = {}
    for folder in (SHIPPED, None):
        path = book_path(width, height, folder)
        if TABLES.is_there(path):
            header = TABLES.read_header(path, {**header_of(width, height), "is_whole": True})
            found[path] = discs_of(path, header, width, height)
    return max(found, key=lambda path: found[path]) if found else None


def find_book(width: int, height: int) -> Book:
    """What `find_path` names, or an empty book. Raises TableError."""
    path = find_path(width, height)
    return EMPTY if path is None else load_book(path, width, height)


def save_book(path: Path, book: Book, width: int, height: int) -> None:
    """Writes a book; a reader sees the old file or the new one. Raises OSError."""
    header = {**header_of(width, height), "discs": book.discs, "is_whole": book.is_whole}
    TABLES.write(path, {"keys": book.keys, "scores": book.scores}, header)


def load_book(path: Path, width: int, height: int) -> Book:
    """Reads a book of a board size, whole or not. Raises FileNotFoundError, TableError."""
    arrays, header = TABLES.read(path, header_of(width, height))
    discs, is_whole = discs_of(path, header, width, height), header.get("is_whole")
    if "keys" not in arrays:
        raise TableError(f"{path}: keys is not there; {advice(path)}")
    size = (arrays["keys"].size,)
    keys = TABLES.array_of(path, arrays, "keys", np.int64, size)
    scores = TABLES.array_of(path, arrays, "scores", np.int8, size)
    is_fit = (np.diff(keys) > 0).all() and (np.abs(scores.astype(np.int64)) <= (width * height + 1) // 2).all()
    there = np.unique(discs_in(keys, width, height)).tolist()
    if not is_fit or there not in ([list(range(discs + 1))] if is_whole is True else [[], [discs]]):
        wanted = f"{'up to ' if is_whole is True else ''}{discs} discs"
        found = f"{' '.join(map(str, there)) or 'no'} discs"
        raise TableError(
            f"{path}: no book: expected ascending keys and fitting scores of positions of {wanted}, "
            f"found positions of {found}; {advice(path)}"
        )
    return Book(keys.copy(), scores.copy(), discs, is_whole is True)  # copies, which may be written as others are


# ---------------------------------------------------------------- positions by layers


def key_in_book(own: int, other: int, width: int, height: int) -> int:
    """`canonical_key` in plain Python."""
    key, step = own + (own | other), height + 1
    columns = [key >> (column * step) & ((1 << step) - 1) for column in range(width)]
    return min(key, sum(bits << (column * step) for column, bits in enumerate(reversed(columns))))


def discs_in(keys: NDArray[np.int64], width: int, height: int) -> NDArray[np.int64]:
    """The number of discs of the position of each key; shapes as `keys`. What has no such key gets any number."""
    discs, step = np.zeros(keys.shape, np.int64), height + 1
    for column in range(width):
        bits = (keys >> (column * step)) & ((1 << step) - 1)  # own discs of a column, plus 2^n - 1 where it has n
        discs += np.searchsorted((1 << np.arange(1, step)) - 1, bits, side="right")
    return discs


def successors(own: int, other: int, width: int, height: int) -> Iterator[tuple[int, int, bool]]:
    """(own, other, whether the seat that dropped the disc has won) after each action, as the next seat sees it."""
    wins = plain(winning_cells)(own, height)
    for column in range(width):
        disc = (own | other) + (1 << (column * (height + 1))) & (((1 << height) - 1) << (column * (height + 1)))
        if disc:
            yield other, own | disc, bool(disc & wins)


Layer = dict[int, tuple[int, int]]  # key -> (own, other)
Report = Callable[[str, int, int], None]  # (what is being done, how much of it is done, of how much)


def no_report(what: str, done: int, total: int) -> None:
    """Tells nobody."""


def layers(width: int, height: int, discs: int, report: Report = no_report) -> list[Layer]:
    """For each number of discs up to `discs`: one of each two mirrored positions, games not over.

    report: told how many of these layers are there.
    """
    found: list[Layer] = [{0: (0, 0)}]
    while len(found) <= discs:
        report("finding positions", len(found) - 1, discs)
        layer: Layer = {}
        for own, other in found[-1].values():
            for after_own, after_other, is_won in successors(own, other, width, height):
                if not is_won and (after_own | after_other).bit_count() < width * height:
                    layer.setdefault(key_in_book(after_own, after_other, width, height), (after_own, after_other))
        found.append(layer)
    return found


def complete(solved: dict[int, int], positions: list[Layer], width: int, height: int, report: Report = no_report) -> Book:
    """The whole book from the scores of its last layer: a position's score is the best of what its actions lead to.

    positions: `layers`. report: told of how many layers this is done.
    """
    known, discs = dict(solved), len(positions) - 1
    for number, layer in enumerate(reversed(positions[:-1])):
        report("deriving earlier ones", number, discs)
        for key, (own, other) in layer.items():
            left = width * height - (own | other).bit_count()
            reached = []
            for after_own, after_other, is_won in successors(own, other, width, height):
                if is_won:
                    reached.append((left + 1) >> 1)
                else:  # a full board is a draw
                    reached.append(-known[key_in_book(after_own, after_other, width, height)] if left > 1 else 0)
            known[key] = max(reached)
    return as_book(known, discs, is_whole=True)


def as_book(scores: dict[int, int], discs: int, *, is_whole: bool) -> Book:
    """The arrays of a dict of scores."""
    keys = np.array(sorted(scores), np.int64)
    return Book(keys, np.array([scores[int(key)] for key in keys], np.int8), discs, is_whole)


# ---------------------------------------------------------------- making a book

Score = Callable[[NDArray[np.int64], NDArray[np.int64]], int | None]  # (row of a position, stop) -> its score; None if stopped


def progress_file(path: Path, discs: int) -> Path:
    """Where the work on a book is kept until it is whole."""
    return path.with_name(f"{path.stem}-discs{discs}{PART}")


def build_book(
    path: Path,
    width: int,
    height: int,
    discs: int,
    scorers: list[Score],
    *,
    most_positions: int | None = None,
    report: Report = no_report,
) -> Book:
    """Solves what is missing of a book and writes it: the whole book to `path`, unfinished work beside it.

    A whole book of as many discs, or more, that is there already comes back as it is. The file of unfinished work is written
    before anything is solved: a folder that cannot be written is no surprise hours later.

    scorers: one for each thread. most_positions: to be solved in this call; the book that comes back may then be unfinished.
    report: told what is being done.

    Raises:
        TableError, OSError: about `path`, a folder for instance, and the file of unfinished work.
        KeyboardInterrupt: as pressed; what has been solved is in the file.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder is there, expected the name of a file", str(path))
    if path.is_file():
        there = load_book(path, width, height)
        if there.is_whole and there.discs >= discs:
            return there
    part, positions = progress_file(path, discs), layers(width, height, discs, report)
    layer, solved = positions[-1], dict[int, int]()
    if part.is_file():
        earlier = load_book(part, width, height)
        solved = {key: score for key, score in zip(earlier.keys.tolist(), earlier.scores.tolist(), strict=True) if key in layer}
    pending = [key for key in layer if key not in solved][:most_positions]
    work = _Work(layer, pending, scorers)

    def save() -> None:
        save_book(part, as_book({**solved, **work.copy()}, discs, is_whole=False), width, height)

    def stop_and_save() -> None:
        work.finish()
        save()

    save()
    saved = time.monotonic()
    try:
        work.start()
        while not work.ended.wait(POLL_S):
            report("solving", len(solved) + len(work.found), len(layer))
            if time.monotonic() - saved > SAVE_EVERY_S:
                save()
                saved = time.monotonic()
    finally:
        run_through(stop_and_save)
    if work.failure:
        raise work.failure[0]
    solved.update(work.found)
    report("solving", len(solved), len(layer))
    if len(solved) < len(layer):
        return as_book(solved, discs, is_whole=False)
    book = complete(solved, positions, width, height, report)
    save_book(path, book, width, height)
    part.unlink(missing_ok=True)
    return book


class _Work:
    """Threads that solve a list of positions. found: key -> score. ended: set when there is nothing more to do."""

    def __init__(self, layer: Layer, pending: list[int], scorers: list[Score]) -> None:
        self.layer, self.pending, self.scorers = layer, pending[::-1], scorers
        self.found: dict[int, int] = {}
        self.failure: list[BaseException] = []
        self.stop, self.ended = np.zeros(1, np.int64), threading.Event()
        self.lock, self.running = threading.Lock(), 0

    def start(self) -> None:
        """Starts the threads. Each counts itself: Ctrl-C can come between a thread's start and any note of it here."""
        for scorer in self.scorers:
            threading.Thread(target=self._run, args=(scorer,), name="boardgym-book", daemon=True).start()

    def finish(self) -> None:
        """Stops the threads, if they still run, and waits for them."""
        with self.lock:
            self.stop[0] = 1
        while self.running:
            time.sleep(POLL_S / 10)

    def copy(self) -> dict[int, int]:
        """What has been found."""
        with self.lock:
            return dict(self.found)

    def _run(self, scorer: Score) -> None:
        with self.lock:
            if self.stop[0]:
                return
            self.running += 1
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
            if self.stop[0]:
                return False
        return bool(chunk)
