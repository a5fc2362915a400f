"""What more cores and more boards bring and cost: 2, 4, 8 and 16 threads beside one, and the memory of 8,192 boards."""

import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measure import ALL_CORES, Effort, Figure, Row, Work, counted, if_installed, rates, unpinned
from benchmarks.peer_pgx import NAMES, pgx_bytes
from benchmarks.peers import chooser
from benchmarks.vectors import random_plies
from boardgym.baselines.learning.game_totals import MOST_GAMES, PLIES
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.perfect.morris_build import EndgameTables
from boardgym.core.board import Board
from boardgym.core.game import Game, get_game, list_games
from boardgym.core.policy_spec import make_policy
from boardgym.envs.batch import Batch

ROOT = Path(__file__).resolve().parents[1]
THREADS = tuple(n for n in (1, 2, 4, 8, 16) if n <= max(2, len(ALL_CORES or range(os.cpu_count() or 1))))
SIZES = (1024, 8192, 65536)
PLAYED = ("ConnectFour-v0", "Othello-v0", "Abalone-v0")
OPPONENTS = ("uct:50", "minimax:2")
OPPONENT_SIZES = (1024, 8192)
LEARNT, MOST_PLIES = 1024, 42  # games of a batch, plies of a game
TABLED, QUICK_TABLED = 4, 3  # men a side
SIMULATIONS, QUICK_SIMULATIONS = 32_000, 64  # of a move, shared by the threads
LEAVES = 64
WANTED = {1024: 1.0, 8192: 4.0, 65536: 10.0}  # at 16 threads, by boards
WANTED_OF_SEARCHES = 10.0
MEMORY_BOARDS = 8192
QUICK_BOARDS = 8
QUICK_GAMES = ("TicTacToe-v0", "ConnectFour-v0")  # whose growth a quick run measures: of the others nothing need be compiled
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


def opposed_steps(boards: int, num_threads: int, opponent: str) -> Work:
    """Random legal steps of a learner against an opponent, Connect Four."""
    batch = Batch("ConnectFour-v0", boards, opponent=opponent, num_threads=num_threads)
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


def searched_moves(simulations: int, num_threads: int, *, options: str = "") -> Work:
    """Moves from Othello's start by a search on threads, so many simulations in all."""
    board = Board("Othello-v0")
    policy = make_policy(f"uct:{simulations}{options},threads={num_threads}", board.game, seed=1)

    def work(n: int) -> int:
        for _ in range(n):
            policy.act(board)
        return n

    return work


def learnt_games(batch: int, num_threads: int) -> Work:
    """Plies that an n-tuple network learns from, in batches; of Connect Four, or in a quick run of tic-tac-toe.

    Games would be no measure: they become longer as it learns.
    """
    game = "ConnectFour-v0" if batch > QUICK_BOARDS else "TicTacToe-v0"
    training = NTupleTraining(NTupleConfig(game=game, games=MOST_GAMES, batch=batch, threads=num_threads))

    def work(n: int) -> int:
        before = int(training.totals.counts[:, PLIES].sum())
        training.play_to(training.done + n // MOST_PLIES + 1)
        return int(training.totals.counts[:, PLIES].sum()) - before

    return work


def built_tables(men: int, num_threads: int) -> Work:
    """Endgame tables of Nine Men's Morris up to so many men a side, their files written: positions, up to symmetry."""

    def work(n: int) -> int:
        done = 0
        while done < n:
            with tempfile.TemporaryDirectory() as folder:
                tables = EndgameTables(get_game("NineMensMorris"), Path(folder), num_threads=num_threads)
                tables.build(men, men)
                done += len(tables.values)
        return done

    return work


def threads_row(
    effort: Effort, name: str, title: str, unit: str, make: Callable[[int, int], Work], sizes: tuple[int, int], wanted: float
) -> Row:
    """The most threads beside one, on all cores, by wall time; the ratios of the others in the notes.

    make: (size, threads) to what is measured. sizes: of a measurement, and of a quick one. wanted: ratio at 16 threads.
    """
    with unpinned():
        subjects = [(f"{n} thread{'s'[: n > 1]}", make(sizes[effort.is_quick], n)) for n in THREADS]
        one, *others = rates(subjects, effort, clock="wall")
    notes = {f"{figure.subject}, ratio": figure.value / one.value for figure in others}
    return Row(
        name,
        f"{title}, {THREADS[-1]} threads beside one, wall time",
        unit,
        others[-1],
        one,
        at_least_ratio=wanted if THREADS[-1] == 16 else None,
        clock="wall",
        notes={"cores": len(os.sched_getaffinity(0)) if ALL_CORES is None else len(ALL_CORES), **notes},
    )


@functools.cache
def growth(boards: int, *games: str) -> dict[str, int]:
    """Bytes by which a new process grows with that many boards of some games, by game; empty where the system does not tell.

    Raises RuntimeError with what the process wrote, if it fails.
    """
    if not Path("/proc/self/statm").is_file():
        return {}
    command = [sys.executable, "-c", GROWTH, str(boards), *games]
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
    games = QUICK_GAMES if effort.is_quick else list_games()
    grown, theirs = growth(boards, *games).get(game.id), None
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


def add(
    found: dict[str, Callable[[Effort], Row]],
    name: str,
    title: str,
    unit: str,
    make: Callable[[int, int], Work],
    sizes: tuple[int, int],
    wanted: float,
) -> None:
    """Adds a row of threads."""
    found[name] = functools.partial(threads_row, name=name, title=title, unit=unit, make=make, sizes=sizes, wanted=wanted)


def rows() -> dict[str, Callable[[Effort], Row]]:
    """Threads for some games, opponents, a search, a learner and a solver; memory for each game."""
    found: dict[str, Callable[[Effort], Row]] = {}
    for boards in SIZES:
        for game in map(get_game, PLAYED):
            make = functools.partial(lambda size, n, game: random_plies(game, size, num_threads=n), game=game)
            title = f"both sides, random plies, {game.title}, {boards:,} boards"
            add(found, f"threads_{game.module_name}_{boards}", title, "plies/s", make, (boards, QUICK_BOARDS), WANTED[boards])
    for boards in OPPONENT_SIZES:
        for opponent in OPPONENTS:
            make = functools.partial(opposed_steps, opponent=opponent)
            name = f"threads_{opponent.replace(':', '')}_{boards}"
            title = f"one learner, Connect Four, opponent {opponent}, {boards:,} boards"
            add(found, name, title, "steps/s", make, (boards, QUICK_BOARDS), WANTED_OF_SEARCHES)
    title, sizes = f"root-parallel uct:{SIMULATIONS}, Othello", (SIMULATIONS, QUICK_SIMULATIONS)
    add(found, "threads_root_parallel", title, "moves/s", searched_moves, sizes, WANTED_OF_SEARCHES)
    shared = functools.partial(searched_moves, options=f",leaves={LEAVES}")
    title = f"tree-parallel uct:{SIMULATIONS},leaves={LEAVES}, Othello"
    add(found, "threads_tree_parallel", title, "moves/s", shared, sizes, WANTED_OF_SEARCHES)
    title, sizes = f"n-tuple network, Connect Four, batches of {LEARNT:,} games", (LEARNT, QUICK_BOARDS)
    add(found, "threads_ntuple", title, "plies/s", learnt_games, sizes, WANTED_OF_SEARCHES)
    title, sizes = f"endgame tables of Nine Men's Morris up to {TABLED} men a side", (TABLED, QUICK_TABLED)
    add(found, "threads_morris_tables", title, "positions/s", built_tables, sizes, WANTED_OF_SEARCHES)
    for game in map(get_game, list_games()):
        name = f"memory_{game.module_name}"
        found[name] = functools.partial(memory_row, name=name, game=game)
    return found


ROWS = rows()
