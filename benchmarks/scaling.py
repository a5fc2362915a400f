"""What more cores and more boards cost: two threads against one, by wall time, and the memory of 8,192 boards."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measure import Effort, Figure, Row, Work, counted, if_installed, rates, unpinned
from benchmarks.peer_pgx import NAMES, pgx_bytes
from benchmarks.peers import chooser
from benchmarks.vectors import random_plies
from boardgym.core.game import Game, get_game, list_games
from boardgym.envs.vector import Batch

ROOT = Path(__file__).resolve().parents[1]
THREADS = 2
SIZES = (1024, 8192)
PLAYED = ("ConnectFour-v0", "Othello-v0", "Abalone-v0")
SEARCHER = "uct:50"
MEMORY_BOARDS = 8192
QUICK_BOARDS = 8
MB = 1e6

GROWTH = """
import json, sys
from boardgym.core.batch_board import BatchBoard

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * __import__("mmap").PAGESIZE

def play(game, boards):
    batch = BatchBoard(game, boards, seed=1)
    batch.step(batch.mask.argmax(axis=1))
    return batch

boards, *names = sys.argv[1:]
kept, grown = [], {}
for name in names:
    play(name, 2)
    before = resident()
    kept.append(play(name, int(boards)))  # kept, so that none takes over the memory of another
    grown[name] = resident() - before
print(json.dumps(grown))
"""


def searched_steps(boards: int, num_threads: int) -> Work:
    """Random legal steps of a learner against a search, Connect Four."""
    batch = Batch("ConnectFour-v0", boards, opponent=SEARCHER, num_threads=num_threads)
    batch.seed(list(range(boards)))
    batch.restart(batch.everywhere)
    choose = chooser(boards)

    def work(n: int) -> int:
        done = 0
        while done < n:
            over = batch.step(choose(batch.masks))
            if over.any():
                batch.restart(over)
            done += boards
        return done

    return work


def threads_row(effort: Effort, name: str, title: str, unit: str, boards: int, make: Callable[[int, int], Work]) -> Row:
    """Two threads beside one, on all cores, by wall time. make: (boards, threads) to what is measured."""
    size = QUICK_BOARDS if effort.is_quick else boards
    with unpinned():
        subjects = [(f"{n} thread{'s'[: n > 1]}", make(size, n)) for n in (THREADS, 1)]
        figures = rates(subjects, effort, clock="wall")
    title = f"{title}, {boards:,} boards, {THREADS} threads beside one, wall time"
    return Row(name, title, unit, *figures, clock="wall", notes={"cores": len(os.sched_getaffinity(0))})


@functools.cache
def growth(boards: int) -> dict[str, int]:
    """Bytes by which a new process grows with that many boards, by game; empty where the system does not tell.

    Raises RuntimeError with what the process wrote, if it fails.
    """
    if not Path("/proc/self/statm").is_file():
        return {}
    command = [sys.executable, "-c", GROWTH, str(boards), *list_games()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"a benchmark's process failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def array_bytes(game: Game, boards: int) -> int:
    """Of all arrays that a batch of boards holds: positions, history, streams, and what it returns."""
    from boardgym.core.batch_board import BatchBoard

    batch = BatchBoard(game, boards, seed=1)
    arrays: dict[int, int] = {}
    for value in vars(batch).values():
        for array in value if isinstance(value, tuple | list) else [value]:
            if isinstance(array, np.ndarray) and array.base is None:
                arrays[id(array)] = array.nbytes
    return sum(arrays.values())


def memory_row(effort: Effort, name: str, game: Game) -> Row:
    """Megabytes of the arrays; in the notes those by which a process grows."""
    boards = QUICK_BOARDS if effort.is_quick else MEMORY_BOARDS
    grown, theirs = growth(boards).get(game.id), None
    if game.name in NAMES:
        theirs = if_installed(lambda: pgx_bytes(game.name, boards))
    peer: Figure | None = None if theirs is None else counted("Pgx state", theirs / MB)
    return Row(
        name,
        f"memory of {MEMORY_BOARDS:,} boards, {game.title}",
        "MB",
        counted("BatchBoard", array_bytes(game, boards) / MB),
        peer,
        absent="Pgx" if game.name in NAMES and peer is None else None,
        clock="none",
        notes={} if grown is None else {"growth of a process, MB": grown / MB},
    )


def rows() -> dict[str, Callable[[Effort], Row]]:
    """Threads for some games and a search; memory for each game."""
    found: dict[str, Callable[[Effort], Row]] = {}
    for boards in SIZES:
        for game in map(get_game, PLAYED):
            name, title = f"threads_{game.module_name}_{boards}", f"both sides, random plies, {game.title}"
            make = functools.partial(lambda size, n, game: random_plies(game, size, num_threads=n), game=game)
            found[name] = functools.partial(threads_row, name=name, title=title, unit="plies/s", boards=boards, make=make)
        name, title = f"threads_{SEARCHER.replace(':', '')}_{boards}", f"one learner, Connect Four, opponent {SEARCHER}"
        found[name] = functools.partial(threads_row, name=name, title=title, unit="steps/s", boards=boards, make=searched_steps)
    for game in map(get_game, list_games()):
        name = f"memory_{game.module_name}"
        found[name] = functools.partial(memory_row, name=name, game=game)
    return found


ROWS = rows()
