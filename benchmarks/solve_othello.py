"""`python -m benchmarks.solve_othello [--fewest 9] [--most 20] [--mode discs|result] [--every-move] [--start 4] [--json FILE]`.

Solves the Othello endgame problems of tests/data/reference and says which answers are right, how many positions were visited
and how long it took (processor time, one core). Returns 1 if an answer is wrong.
"""

import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro

from benchmarks.solve_command import run_in_words, write_rows
from boardgym.baselines.perfect.othello import OthelloSolver, empty_squares
from boardgym.baselines.perfect.othello_search import TABLE_BITS
from boardgym.baselines.search.interrupt import run_interruptible
from boardgym.core.board import Board

DATA = Path(__file__).parents[1] / "tests/data/reference"
FILES = ("othello_endgame_small", "othello_fforum-1-19", "othello_fforum-20-39", "othello_fforum-40-59", "othello_fforum-60-79")


START_SCORES = {4: 10, 6: 4}  # for white: 11-3 with two squares empty, and 20-16 (J. Feinstein, 1993)


@dataclass(frozen=True)
class Settings:
    """Which problems are solved, and how.

    fewest, most: empty squares of the problems. mode: look for disc differences, or for win, draw or loss alone.
    every_move: value all moves, not only the best. files: of problems, in OBF; those of the repository if none is given.
    json: also write the results there, after each problem.
    start: in place of problems, the start on a small board, 4 or 6; 6 takes long.
    table_bits: log2 of the table's slots, of 32 bytes each.
    """

    fewest: int = 9
    most: int = 20
    mode: Literal["discs", "result"] = "discs"
    every_move: bool = False
    files: Annotated[tuple[Path, ...], tyro.conf.Positional] = tuple(DATA / f"{name}.obf" for name in FILES)
    json: Path | None = None
    start: Literal[4, 6] | None = None
    table_bits: int = TABLE_BITS


@dataclass(frozen=True)
class Solved:
    """One problem. score: as found; is_right: all that was asked for agrees with the reference. nodes: positions visited."""

    name: str
    empties: int
    score: int
    is_right: bool
    nodes: int
    seconds: float


def problems(path: Path) -> Iterator[tuple[str, Board, dict[str, int]]]:
    """(name, board, score of every move) of each problem of a file that has a move to find."""
    numbered = re.search(r"(\d+)-\d+\.obf$", path.name)
    for number, line in enumerate(path.read_text().splitlines(), int(numbered[1]) if numbered else 1):
        position, *moves = line.strip().rstrip(";").split(";")
        scores = {move.strip().lower(): int(score) for move, score in (item.split(":") for item in moves if ":" in item)}
        if scores:
            yield f"{'FFO' if numbered else 'small'} {number}", Board("Othello-v0", position.strip()), scores


def start_of(size: int) -> list[tuple[str, Board, dict[str, int]]]:
    """A small board after black's first move, of which all are images of each other; white has several replies."""
    board = Board("Othello-v0", size=size)
    board.push(board.legal_actions[0])
    return [(f"{size} x {size}", board, dict.fromkeys(board.legal_moves, START_SCORES[size]))]


def solve(name: str, board: Board, expected: dict[str, int], settings: Settings) -> Solved:
    """Solves a problem and compares."""
    solver = OthelloSolver(board.game, 64, is_exact=settings.mode == "discs", table_bits=settings.table_bits)
    stop = np.zeros(1, np.int64)
    started = time.process_time()
    found = run_interruptible(lambda: solver.solve(board, stop, detail="values" if settings.every_move else "action"), stop)
    seconds = time.process_time() - started
    scores = found.scores or {action: int(value) for action, value in found.action_values.items()}
    wanted = expected if settings.mode == "discs" else {move: int(np.sign(score)) for move, score in expected.items()}
    shown = {board.move_text(action): score for action, score in scores.items()}
    best = max(wanted.values())
    best_move = wanted[board.move_text(found.best)] == best == max(shown.values())
    is_right = shown == wanted if settings.every_move and settings.start is None else best_move
    return Solved(name, empty_squares(board.position), max(shown.values()), is_right, found.nodes, seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Solves the problems, prints a line for each and the sums. Returns 0, or 1 if an answer was wrong."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.solve_othello", args=arguments)
    return run_in_words("solve_othello", lambda: run(settings), settings.json)


def run(settings: Settings) -> int:
    """As `main`. Raises BoardgymError for settings that cannot be had, OSError about a file."""
    chosen = (
        start_of(settings.start)
        if settings.start
        else [
            (name, board, scores)
            for path in settings.files
            for name, board, scores in problems(path)
            if settings.fewest <= empty_squares(board.position) <= settings.most
        ]
    )
    done: list[Solved] = []
    solve(*next(problems(DATA / f"{FILES[0]}.obf")), settings)  # compiles
    for name, board, scores in sorted(chosen, key=lambda problem: empty_squares(problem[1].position)):
        row = solve(name, board, scores, settings)
        done.append(row)
        write_rows(settings.json, done)
        millions, verdict = row.nodes / 1e6, "right" if row.is_right else "WRONG"
        print(
            f"{name:10} {row.empties:2} empty  {row.score:+3}  {verdict}  {millions:9.3f} M positions  {row.seconds:8.3f} s  "
            f"{millions / max(row.seconds, 1e-9):5.1f} M/s",
            flush=True,
        )
    for empties in sorted({row.empties for row in done}):
        rows = [row for row in done if row.empties == empties]
        seconds = sorted(row.seconds for row in rows)
        right, mean = sum(row.is_right for row in rows), sum(seconds) / len(rows)
        print(f"{empties:2} empty: {right} of {len(rows)} right, mean {mean:.3f} s, longest {seconds[-1]:.3f} s")
    nodes, total = sum(row.nodes for row in done), sum(row.seconds for row in done)
    print(
        f"{sum(row.is_right for row in done)} of {len(done)} right; {nodes / 1e6:.1f} M positions in {total:.1f} s, "
        f"{nodes / max(total, 1e-9) / 1e6:.1f} M/s, {settings.mode}"
    )
    return int(not done or not all(row.is_right for row in done))


if __name__ == "__main__":
    sys.exit(main())
