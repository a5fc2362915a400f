"""`boardgym warm`: what a game needs is compiled ahead of its first use, by as many processes as there are cores."""

import functools
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rich import box
from rich.table import Table

import boardgym
from boardgym.baselines.progress import ProgressBar
from boardgym.commands.common import GameWord, RuleOptions, UsageError, load_game, print_table
from boardgym.commands.users_games import run_file
from boardgym.compile.notice import be_quiet
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import GAMES, Game, get_game
from boardgym.core.policy_spec import make_policy

SPECS = ("random", "greedy", "epsilon:0.1(greedy)", "minimax:2", "uct:8", "puct:8", "perfect")
OPPONENTS = ("random", "greedy", "minimax:2", "uct:8")  # in native vector environments


@dataclass
class Warm:
    """Compile what a game needs, ahead of its first use; later processes load it from the disk."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym warm Othello", "boardgym warm Othello --option size=6 --processes 4")

    game: GameWord
    """Id of the game."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    processes: int = 0
    """How many processes compile at a time; 0: one per core."""

    def run(self) -> int:
        """Prints how long each part took."""
        if self.processes < 0:
            raise UsageError(f"--processes {self.processes}: expected a number from 0 on")
        game = load_game(self.game, self.option)
        seconds = warm(game, self.processes or os.cpu_count() or 1)
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("part", style="cyan")
        table.add_column("seconds", justify="right")
        for name in PARTS:
            took = seconds[name]
            table.add_row(name, "not for this game" if took is None else f"{took:.2f}")
        print_table(table)
        return 0


def warm(game: Game, processes: int) -> dict[str, float | None]:
    """Compiles all parts of a game in processes of their own; the seconds that each took, None where it has no such part."""
    file = str(getattr(sys.modules.get(game.position_class.__module__), "__file__", None) or "")
    work = functools.partial(time_part, game.name, dict(game.options), file)
    first, *others = PARTS
    seconds = dict[str, float | None]()
    context = multiprocessing.get_context("spawn")
    with (
        ProgressBar(len(PARTS), game.title) as bar,
        ProcessPoolExecutor(min(processes, len(PARTS)), mp_context=context, initializer=be_quiet) as pool,
    ):
        try:
            running: dict[Future[float | None], str] = {}
            for names in ([first], others):  # what all parts share is compiled once
                running = {pool.submit(work, name): name for name in names}
                for future in as_completed(running):
                    seconds[running[future]] = future.result()
                    bar.show(len(seconds), count=f"{len(seconds)} of {len(PARTS)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return seconds


def time_part(name: str, options: Mapping[str, Any], file: str, part: str) -> float | None:
    """Compiles one part of a game, in this process; its seconds, or None. file: that registers the game, if no module does."""
    if name not in GAMES and file:
        run_file(Path(file))
    game, started = get_game(name, **options), time.perf_counter()
    try:
        PARTS[part](game)
    except UnsupportedGameError:
        return None
    return time.perf_counter() - started


def use_board(game: Game) -> None:
    """A game in progress."""
    board = boardgym.Board(game, seed=0)
    board.push(board.legal_actions[0])
    board.look(0)
    board.estimate()
    board.returns()
    board.canonical()
    boardgym.Board(game, board.fen(), seed=0)
    board.pop()


def use_batch_board(game: Game) -> None:
    """Many games of all seats."""
    batch = boardgym.BatchBoard(game, 2, seed=0)
    batch.step(batch.act(make_policy("random", game, seed=0)))
    batch.set_positions(batch.rows)
    batch.reset()


def use_policy(spec: str, game: Game) -> None:
    """A policy on a board."""
    make_policy(spec, game, seed=0).act(boardgym.Board(game, seed=0))


def use_pettingzoo(game: Game) -> None:
    """The AEC environment."""
    env: Any = boardgym.make(game.id, **game.options)
    env.reset(seed=0)
    env.step(int(env.last()[0]["action_mask"].argmax()))


def use_gymnasium(game: Game) -> None:
    """One learner against an opponent."""
    import gymnasium

    env = gymnasium.make(f"boardgym/{game.id}", opponent="random", **game.options)
    _, info = env.reset(seed=0)
    env.step(int(info["action_mask"].argmax()))


def use_vectors(opponent: str, game: Game) -> None:
    """Many learners against an opponent, in compiled steps."""
    import gymnasium

    envs = gymnasium.make_vec(f"boardgym/{game.id}", num_envs=2, opponent=opponent, **game.options)
    _, info = envs.reset(seed=0)
    envs.step(info["action_mask"].argmax(axis=1))


PARTS: dict[str, Callable[[Game], None]] = {
    "board": use_board,
    "batch of boards": use_batch_board,
    **{spec: functools.partial(use_policy, spec) for spec in SPECS},
    "PettingZoo environment": use_pettingzoo,
    "Gymnasium environment": use_gymnasium,
    **{f"vector environment, {opponent}": functools.partial(use_vectors, opponent) for opponent in OPPONENTS},
}
