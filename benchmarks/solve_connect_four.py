"""Connect Four solved: `python -m benchmarks.solve_connect_four [parts ...] [--peer] [--json FILE]`.

Parts: `pons`, P. Pons' sets L1, L2 and L3; `random`, positions by their number of discs; `columns`, the score of every column
of these; `move`, the move that `perfect` plays there; `boards`, small boards from their start; `start`, the empty 7 x 6 board;
`analysis`, what `perfect` analyses of positions of 0, 3 and 6 discs, without its details and with them. The table is emptied
before each position, so that a figure is that of a position asked alone. No book is used unless --book is given, which takes
the one that `perfect` would; the first line says which. Times are processor time, the call included.
With --peer the C++ solver BitBully (`pip install bitbully`), where it is installed, is asked the same beside ours.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro
from numpy.typing import NDArray

from benchmarks.solve_command import run_in_words, write_rows
from boardgym.baselines.perfect.connect_four import LEAST, TABLE_BITS, ConnectFourSolver
from boardgym.baselines.perfect.connect_four_book import EMPTY, Book, book_path, find_path, load_book
from boardgym.baselines.perfect.policy import Detail
from boardgym.baselines.search.interrupt import run_interruptible
from boardgym.core.board import Board
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game

DETAILS: tuple[Detail, ...] = ("values", "full")
REFERENCE = Path(__file__).parents[1] / "tests" / "data" / "reference"
PUBLISHED = {  # mean seconds and nodes of P. Pons' C++ solver on his machine ("Solving Connect 4", part 12, 2019)
    "L1": (254.6e-6, 3298.0),
    "L2": (37.45e-6, 449.6),
    "L3": (4.568e-6, 51.28),
}
Part = Literal["pons", "random", "columns", "move", "boards", "start", "analysis"]
ANALYSED = (0, 3, 6)  # discs


@dataclass(frozen=True)
class Settings:
    """Solves reference positions of Connect Four, checks their scores, and says how long they took.

    parts: what to solve; all but `columns`, `move` and `analysis` by default.
    least_discs, most_discs: of the random positions, the start being that of none; without a book those of few discs take
    longest (all 401 together about half an hour).
    most: positions of each set at most.
    table_bits: the table has 2**table_bits words of 8 bytes.
    book: use the opening book that `perfect` finds.
    peer: ask BitBully too.
    json: also write the rows there, after each.
    """

    parts: Annotated[tuple[Part, ...], tyro.conf.Positional] = ("pons", "random", "boards", "start")
    least_discs: int = 8
    most_discs: int = 15
    most: int | None = None
    table_bits: int = TABLE_BITS
    book: bool = False
    peer: bool = False
    json: Path | None = None


@dataclass(frozen=True)
class Row:
    """One set. mean_s, median_s, worst_s, nodes: of a position. wrong: positions whose score was not the known one.

    book_discs: the most discs of the book's positions, -1 without a book.
    """

    name: str
    positions: int
    wrong: int
    mean_s: float
    median_s: float
    worst_s: float
    nodes: float
    book_discs: int
    peer_s: float | None = None
    peer_nodes: float | None = None

    def __str__(self) -> str:
        rate = self.nodes / self.mean_s / 1e6
        peer = "" if self.peer_s is None else f" {self.peer_s * 1e3:12.4f} {self.peer_nodes:14,.1f}"
        return (
            f"{self.name:12} {self.positions:6} {self.wrong:6} {self.mean_s * 1e3:12.4f} "
            f"{self.median_s * 1e3:12.4f} {self.worst_s:9.3f} "
            f"{self.nodes:14,.1f} {rate:8.2f}{peer}"
        )


HEADER = f"{'set':12} {'number':>6} {'wrong':>6} {'mean ms':>12} {'median ms':>12} {'worst s':>9} {'nodes':>14} {'Mnodes/s':>8}"
PEER_HEADER = f" {'peer ms':>12} {'peer nodes':>14}"

Ask = Callable[[str], tuple[int, float, int]]  # moves -> (score, seconds, nodes)


def ours(solver: ConnectFourSolver) -> Ask:
    """Our solver as it is asked here; compiled by a question that is taken back at once."""
    solver.score(Board(solver.game).row, np.ones(1, np.int64))

    def ask(moves: str) -> tuple[int, float, int]:
        board = Board(solver.game)
        board.play(list(moves))
        row, before = board.row, solver.nodes
        solver.forget()
        score, spent = timed(lambda stop: solver.score(row, stop))
        return score, spent, solver.nodes - before

    return ask


def timed(call: Callable[[NDArray[np.int64]], Any]) -> tuple[Any, float]:
    """(what a call returns, its processor time), which Ctrl-C ends; the call is given the flag that stops it."""
    stop = np.zeros(1, np.int64)

    def work() -> tuple[Any, float]:
        started = time.thread_time()
        return call(stop), time.thread_time() - started

    return run_interruptible(work, stop)


def peer() -> Ask:
    """BitBully's search, by its own Python bindings. Raises SystemExit where it is not installed."""
    try:
        from bitbully import bitbully_core
    except ModuleNotFoundError:
        raise SystemExit("--peer: BitBully is not installed: pip install bitbully") from None
    core = bitbully_core.BitBullyCore()

    def ask(moves: str) -> tuple[int, float, int]:
        board = bitbully_core.BoardCore()
        for text in moves:
            board.play(int(text) - 1)
        core.resetTranspositionTable()
        core.resetNodeCounter()
        started = time.thread_time()
        score = core.mtdf(board, 0)
        return int(score), time.thread_time() - started, int(core.getNodeCounter())

    return ask


def measured(name: str, known: list[tuple[str, int]], ask: Ask, ask_peer: Ask | None, book_discs: int) -> Row:
    """One row: every position of a set, asked of ours and of the peer in turn. book_discs: as in the row."""
    wrong, seconds, nodes, peer_seconds, peer_nodes = 0, [], 0, 0.0, 0
    for moves, score in known:
        found, spent, visited = ask(moves)
        wrong, nodes = wrong + (found != score), nodes + visited
        seconds.append(spent)
        if ask_peer is not None:
            _, spent, visited = ask_peer(moves)
            peer_seconds, peer_nodes = peer_seconds + spent, peer_nodes + visited
    row = row_of(name, wrong, seconds, nodes, book_discs)
    return row if ask_peer is None else replace(row, peer_s=peer_seconds / len(known), peer_nodes=peer_nodes / len(known))


def row_of(name: str, wrong: int, seconds: list[float], nodes: int, book_discs: int) -> Row:
    """A row without a peer. seconds: of each position; nodes: of all."""
    n = len(seconds)
    return Row(name, n, wrong, sum(seconds) / n, statistics.median(seconds), max(seconds), nodes / n, book_discs)


def lines_of(name: str) -> list[list[str]]:
    lines = (REFERENCE / name).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def sets(settings: Settings) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """(name, [(moves, score)]) of each set of positions on the 7 x 6 board."""
    parts, most = settings.parts, settings.most
    if "pons" in parts:
        for name in ("L3", "L2", "L1"):
            yield name, [(line[0], int(line[1])) for line in lines_of(f"connect4_pons_{name}_R1.txt")][:most]
    known = [(line[0].strip("-"), int(line[1])) for line in lines_of("connect4_random.txt")]
    for discs in range(15, -1, -1):
        is_asked = settings.least_discs <= discs <= settings.most_discs
        if ("random" in parts and is_asked) or ("start" in parts and discs == 0):
            yield f"{discs} discs", [(moves, score) for moves, score in known if len(moves) == discs][:most]


def columns_row(solver: ConnectFourSolver, settings: Settings) -> Row:
    """The score of every column of the random positions; a node count and a time is that of all columns of a position."""
    wrong, seconds, first = 0, [], solver.nodes
    least, most = settings.least_discs, settings.most_discs
    known = [line for line in lines_of("connect4_random.txt")[::-1] if least <= len(line[0].strip("-")) <= most]
    for text, _, columns in known[: settings.most]:
        board, moves = Board(solver.game), text.strip("-")
        board.play(list(moves))
        solver.forget()
        scores, spent = timed(lambda stop, board=board: solver.every_score(board, stop))
        seconds.append(spent)
        wrong += [str(scores.get(column, "x")) for column in range(7)] != columns.split(",")
        print(f"{len(moves)} discs: {seconds[-1]:.3f} s", file=sys.stderr)
    return row_of("columns", wrong, seconds, solver.nodes - first, solver.book.discs)


def move_rows(solver: ConnectFourSolver, settings: Settings) -> Iterator[Row]:
    """A row for each number of discs: the move that `perfect` plays at the random positions, the first of the best."""
    for discs in range(settings.least_discs, settings.most_discs + 1):
        wrong, seconds, first = 0, [], solver.nodes
        for moves, columns in known_columns(discs)[: settings.most]:
            board = Board(solver.game)
            board.play(list(moves))
            solver.forget()
            found, spent = timed(lambda stop, board=board: solver.solve(board, stop, detail="action"))
            seconds.append(spent)
            scores = [LEAST if text == "x" else int(text) for text in columns]
            wrong += found.best != scores.index(max(scores))
        yield row_of(f"move {discs} discs", wrong, seconds, solver.nodes - first, solver.book.discs)


def known_columns(discs: int) -> list[tuple[str, list[str]]]:
    """(moves, score of each column or "x") of the random positions of so many discs."""
    lines = [(line[0].strip("-"), line[2].split(",")) for line in lines_of("connect4_random.txt")]
    return [(moves, columns) for moves, columns in lines if len(moves) == discs]


def analysis_rows(solver: ConnectFourSolver, most: int | None) -> Iterator[Row]:
    """Two rows for each number of discs: the value of every column, and all that there is to find, the line included."""
    for discs in ANALYSED:
        for detail in DETAILS:
            wrong, seconds, first = 0, [], solver.nodes
            for moves, columns in known_columns(discs)[:most]:
                board = Board(solver.game)
                board.play(list(moves))
                solver.forget()
                found, spent = timed(lambda stop, board=board, detail=detail: solver.solve(board, stop, detail=detail))
                seconds.append(spent)
                values = {column: float(np.sign(int(text))) for column, text in enumerate(columns) if text != "x"}
                wrong += found.action_values != values
            yield row_of(f"{discs} {detail}", wrong, seconds, solver.nodes - first, solver.book.discs)


def boards_rows(table_bits: int) -> Iterator[Row]:
    """Small boards, each from its start; every size compiles a kernel of its own."""
    for width, height, score in (map(int, line) for line in lines_of("connect4_small_boards.txt")):
        if (width, height) != (7, 6):
            game = get_game("ConnectFour", width=width, height=height)
            ask = ours(ConnectFourSolver(game, table_bits=table_bits, book=EMPTY))
            yield measured(f"{width} x {height}", [("", score)], ask, None, EMPTY.discs)


def choose_book() -> Book:
    """The book that `perfect` finds; says which. Raises SystemExit if there is none."""
    path = find_path(7, 6)
    if path is None:
        raise SystemExit(f"--book: the package has none, nor is there {book_path(7, 6)}; boardgym book makes it")
    book = load_book(path, 7, 6)
    print(f"book: {path}, {len(book.keys):,} positions of up to {book.discs} discs")
    return book


def main(arguments: list[str] | None = None) -> int:
    """Solves and prints. Returns 0, or 1 if a score was wrong."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.solve_connect_four", args=arguments)
    return run_in_words("solve_connect_four", lambda: run(settings), settings.json)


def run(settings: Settings) -> int:
    """As `main`. Raises BoardgymError for settings that cannot be had, OSError about the file of --json."""
    if not 0 <= settings.least_discs <= settings.most_discs <= 15 or (settings.most is not None and settings.most < 1):
        raise OptionError("expected 0 <= --least-discs <= --most-discs <= 15, and --most 1 or more")
    ask_peer = peer() if settings.peer else None
    if settings.book:
        book = choose_book()
    else:
        book = EMPTY
        print("book: none")
    print(HEADER + (PEER_HEADER if settings.peer else ""))
    rows: list[Row] = []

    def tell(row: Row) -> None:
        rows.append(row)
        write_rows(settings.json, rows)
        print(row, flush=True)
        if row.name in PUBLISHED:
            seconds, nodes = PUBLISHED[row.name]
            print(f"{'':12} {'published':>13} {seconds * 1e3:12.4f} {'':22} {nodes:14,.1f} {nodes / seconds / 1e6:8.2f}")

    if {"pons", "random", "start", "columns", "move", "analysis"} & set(settings.parts):
        solver = ConnectFourSolver(get_game("ConnectFour"), table_bits=settings.table_bits, book=book)
        ask = ours(solver)
        for name, known in sets(settings):
            tell(measured(name, known, ask, ask_peer, book.discs))
        if "columns" in settings.parts:
            tell(columns_row(solver, settings))
        if "move" in settings.parts:
            for row in move_rows(solver, settings):
                tell(row)
        if "analysis" in settings.parts:
            for row in analysis_rows(solver, settings.most):
                tell(row)
    if "boards" in settings.parts:
        for row in boards_rows(settings.table_bits):
            tell(row)
    return int(any(row.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
