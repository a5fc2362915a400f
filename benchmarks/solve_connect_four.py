"""Connect Four solved: `python -m benchmarks.solve_connect_four [parts ...] [--peer] [--json FILE]`.

Parts: `pons`, P. Pons' sets L1, L2 and L3; `random`, positions by their number of discs; `columns`, the score of every column
of these; `boards`, small boards from their start; `start`, the empty 7 x 6 board. No book is used, and the table is emptied
before each position, so that a figure is that of a position asked alone. Times are processor time, the call included.
With --peer the C++ solver BitBully (`pip install bitbully`), where it is installed, is asked the same beside ours.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro

from boardgym.baselines.perfect.connect_four import TABLE_BITS, ConnectFourSolver
from boardgym.baselines.perfect.connect_four_book import EMPTY
from boardgym.core.board import Board
from boardgym.core.game import get_game

REFERENCE = Path(__file__).parents[1] / "tests" / "data" / "reference"
GO = np.zeros(1, np.int64)
PUBLISHED = {  # mean seconds and nodes of P. Pons' C++ solver on his machine ("Solving Connect 4", part 12, 2019)
    "L1": (254.6e-6, 3298.0),
    "L2": (37.45e-6, 449.6),
    "L3": (4.568e-6, 51.28),
}
Part = Literal["pons", "random", "columns", "boards", "start"]


@dataclass(frozen=True)
class Settings:
    """Solves reference positions of Connect Four, checks their scores, and says how long they took.

    parts: what to solve; all but `columns` by default.
    least_discs: of the random positions; those of few discs take longest (all 401 together about half an hour).
    most: positions of each set at most.
    table_bits: the table has 2**table_bits words of 8 bytes.
    peer: ask BitBully too.
    json: also write the rows there.
    """

    parts: Annotated[tuple[Part, ...], tyro.conf.Positional] = ("pons", "random", "boards", "start")
    least_discs: int = 8
    most: int | None = None
    table_bits: int = TABLE_BITS
    peer: bool = False
    json: Path | None = None


@dataclass(frozen=True)
class Row:
    """One set. mean_s, worst_s, nodes: of a position. wrong: positions whose score was not the known one."""

    name: str
    positions: int
    wrong: int
    mean_s: float
    worst_s: float
    nodes: float
    peer_s: float | None = None
    peer_nodes: float | None = None

    def __str__(self) -> str:
        rate = self.nodes / self.mean_s / 1e6
        peer = "" if self.peer_s is None else f" {self.peer_s * 1e3:12.4f} {self.peer_nodes:14,.1f}"
        return (f"{self.name:12} {self.positions:6} {self.wrong:6} {self.mean_s * 1e3:12.4f} {self.worst_s:9.3f} "
                f"{self.nodes:14,.1f} {rate:8.2f}{peer}")  # fmt: skip


HEADER = f"{'set':12} {'number':>6} {'wrong':>6} {'mean ms':>12} {'worst s':>9} {'nodes':>14} {'Mnodes/s':>8}"
PEER_HEADER = f" {'peer ms':>12} {'peer nodes':>14}"

Ask = Callable[[str], tuple[int, float, int]]  # moves -> (score, seconds, nodes)


def ours(solver: ConnectFourSolver) -> Ask:
    """Our solver as it is asked here; compiled by a question that is taken back at once."""
    solver.score(Board(solver.game).row, GO + 1)

    def ask(moves: str) -> tuple[int, float, int]:
        board = Board(solver.game)
        board.play(list(moves))
        row, before = board.row, solver.nodes
        solver.forget()
        started = time.thread_time()
        score = solver.score(row, GO)
        spent = time.thread_time() - started
        assert score is not None  # nobody stops it
        return score, spent, solver.nodes - before

    return ask


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


def measured(name: str, known: list[tuple[str, int]], ask: Ask, ask_peer: Ask | None) -> Row:
    """One row: every position of a set, asked of ours and of the peer in turn."""
    wrong, seconds, nodes, peer_seconds, peer_nodes = 0, [], 0, 0.0, 0
    for moves, score in known:
        found, spent, visited = ask(moves)
        wrong, nodes = wrong + (found != score), nodes + visited
        seconds.append(spent)
        if ask_peer is not None:
            _, spent, visited = ask_peer(moves)
            peer_seconds, peer_nodes = peer_seconds + spent, peer_nodes + visited
    n = len(known)
    others = (None, None) if ask_peer is None else (peer_seconds / n, peer_nodes / n)
    return Row(name, n, wrong, sum(seconds) / n, max(seconds), nodes / n, *others)


def lines_of(name: str) -> list[list[str]]:
    lines = (REFERENCE / name).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def sets(parts: tuple[Part, ...], least_discs: int, most: int | None) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """(name, [(moves, score)]) of each set of positions on the 7 x 6 board."""
    if "pons" in parts:
        for name in ("L3", "L2", "L1"):
            yield name, [(line[0], int(line[1])) for line in lines_of(f"connect4_pons_{name}_R1.txt")][:most]
    known = [(line[0].strip("-"), int(line[1])) for line in lines_of("connect4_random.txt")]
    for discs in range(15, -1, -1):
        if ("random" in parts and discs >= max(least_discs, 1)) or ("start" in parts and discs == 0):
            yield f"{discs} discs", [(moves, score) for moves, score in known if len(moves) == discs][:most]


def columns_row(solver: ConnectFourSolver, least_discs: int, most: int | None) -> Row:
    """The score of every column of the random positions; a node count and a time is that of all columns of a position."""
    wrong, seconds, first = 0, [], solver.nodes
    known = [line for line in lines_of("connect4_random.txt")[::-1] if len(line[0].strip("-")) >= least_discs][:most]
    for moves, _, columns in known:
        board = Board(solver.game)
        board.play(list(moves.strip("-")))
        solver.forget()
        started = time.thread_time()
        scores = solver.solve(board, GO).scores or {}
        seconds.append(time.thread_time() - started)
        wrong += [str(scores.get(column, "x")) for column in range(7)] != columns.split(",")
        print(f"{len(moves)} discs: {seconds[-1]:.3f} s", file=sys.stderr)
    n = len(known)
    return Row("columns", n, wrong, sum(seconds) / n, max(seconds), (solver.nodes - first) / n)


def boards_rows(table_bits: int) -> Iterator[Row]:
    """Small boards, each from its start; every size compiles a kernel of its own."""
    for width, height, score in (map(int, line) for line in lines_of("connect4_small_boards.txt")):
        if (width, height) != (7, 6):
            game = get_game("ConnectFour", width=width, height=height)
            ask = ours(ConnectFourSolver(game, table_bits=table_bits, book=EMPTY))
            yield measured(f"{width} x {height}", [("", score)], ask, None)


def main(arguments: list[str] | None = None) -> int:
    """Solves and prints. Returns 0, or 1 if a score was wrong."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.solve_connect_four", args=arguments)
    ask_peer = peer() if settings.peer else None
    print(HEADER + (PEER_HEADER if settings.peer else ""))
    rows: list[Row] = []

    def tell(row: Row) -> None:
        rows.append(row)
        print(row, flush=True)
        if row.name in PUBLISHED:
            seconds, nodes = PUBLISHED[row.name]
            print(f"{'':12} {'published':>13} {seconds * 1e3:12.4f} {'':9} {nodes:14,.1f} {nodes / seconds / 1e6:8.2f}")

    if {"pons", "random", "start", "columns"} & set(settings.parts):
        solver = ConnectFourSolver(get_game("ConnectFour"), table_bits=settings.table_bits, book=EMPTY)
        ask = ours(solver)
        for name, known in sets(settings.parts, settings.least_discs, settings.most):
            tell(measured(name, known, ask, ask_peer))
        if "columns" in settings.parts:
            tell(columns_row(solver, settings.least_discs, settings.most))
    if "boards" in settings.parts:
        for row in boards_rows(settings.table_bits):
            tell(row)
    if settings.json is not None:
        settings.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return int(any(row.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
