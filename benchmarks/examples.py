"""What example generation costs beside plain UCT, and what a second process gains: `python -m benchmarks.examples`.

Simulations a second of three: the search alone, asked for its move at every position of some games that has a choice; the same
games by `generate_examples` in this process, files and all; and more games by it in one process and in several. The first two
are repeated in turns and go by processor time; those in processes go by wall time, their start among it. What compiles is left
out.
"""

import dataclasses
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from boardgym.baselines import make_policy
from boardgym.baselines.learning.examples import ExamplesConfig, generate_examples
from boardgym.baselines.learning.examples.games import GAMES
from boardgym.core.board import Board
from boardgym.core.files import write_aside
from boardgym.core.random import stream

WANTED_OF_PLAIN, WANTED_OF_PROCESSES = 0.97, 1.8


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Measures.

    Attributes:
        game: id of the game.
        policy: spec of the search.
        games: of a repeat beside plain UCT.
        repeats: of each, in turns.
        more_games: of a run in processes.
        processes: how many beside one; 0: none is run.
        quick: few simulations and games, to see that it runs: the figures mean nothing.
        out: file for the figures, as JSON; None: none.
    """

    game: str = "Othello"
    policy: str = "uct:1000,solver=0,choice=max_child"
    games: int = 10
    repeats: int = 5
    more_games: int = 400
    processes: int = 2
    quick: bool = False
    out: Path | None = None


def quickly(settings: Settings) -> Settings:
    """The smallest settings that run everything."""
    policy = "uct:10,solver=0,choice=max_child"
    return dataclasses.replace(settings, game="TicTacToe", policy=policy, games=2, repeats=1, more_games=3)


def recorded(config: ExamplesConfig) -> list[list[tuple[int, int]]]:
    """The games that the examples are from: of each ply the state of the stream before its search, and the move."""
    policy, games = make_policy(config.policy, config.game, seed=0), []
    for number in range(config.start_games):
        board, rng, plies = Board(config.game, seed=0), stream(config.seed, GAMES, number), list[tuple[int, int]]()
        while not board.is_terminal:
            state = int(rng[0])
            plies.append((state, policy.analyse_with(board, rng).action))
            board.push(plies[-1][1])
        games.append(plies)
    return games


def time_plain(config: ExamplesConfig, games: Sequence[Sequence[tuple[int, int]]]) -> float:
    """Simulations a second, by processor time, of the search that is asked for its move alone."""
    policy, searches, rng = make_policy(config.policy, config.game, seed=0), 0, stream(0)
    started = time.process_time()
    for plies in games:
        board = Board(config.game, seed=0)
        for state, action in plies:
            if len(board.legal_actions) > 1:
                rng[0] = state
                policy.act_with(board, rng)
                searches += 1
            board.push(action)
    return searches * policy.settings.simulations / (time.process_time() - started)


def time_examples(config: ExamplesConfig) -> float:
    """The same of example generation in this process."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        made = generate_examples(config, Path(folder) / "run")
        return made.simulations / (time.process_time() - started)


def time_processes(config: ExamplesConfig, processes: int) -> float:
    """Simulations a second, by wall time, of example generation in processes."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        made = generate_examples(config, Path(folder) / "run", processes=processes)
        return made.simulations / (time.perf_counter() - started)


def measure(settings: Settings) -> dict[str, Any]:
    """The figures."""
    config = ExamplesConfig(settings.game, settings.policy, start_games=settings.games, states=0)
    games = recorded(config)
    time_plain(config, games[:1]), time_examples(dataclasses.replace(config, start_games=1))  # what compiles
    pairs = [(time_plain(config, games), time_examples(config)) for _ in range(settings.repeats)]
    plain, examples = (statistics.median(column) for column in zip(*pairs, strict=True))
    found: dict[str, Any] = {
        "game": settings.game,
        "policy": settings.policy,
        "plain": plain,
        "examples": examples,
        "of_plain": statistics.median(ours / theirs for theirs, ours in pairs),
        "of_plain_wanted": WANTED_OF_PLAIN,
    }
    if settings.processes:
        more = dataclasses.replace(config, start_games=settings.more_games)
        one, several = (time_processes(more, number) for number in (1, settings.processes))
        found |= {"processes": settings.processes, "one_process": one, "several": several, "of_one": several / one}
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.examples", description=__doc__, args=arguments)
    settings = quickly(settings) if settings.quick else settings
    if min(settings.games, settings.repeats, settings.more_games) < 1 or settings.processes < 0:
        sys.exit("benchmarks.examples: expected at least one game and one repeat")
    found = measure(settings)
    lines = [
        f"{settings.game}, {settings.policy}: simulations a second",
        f"plain UCT {found['plain']:,.0f}, examples {found['examples']:,.0f}: "
        f"{found['of_plain']:.3f} of it, wanted {WANTED_OF_PLAIN}",
    ]
    if settings.processes:
        lines.append(
            f"one process {found['one_process']:,.0f}, {settings.processes} processes {found['several']:,.0f}: "
            f"{found['of_one']:.2f} times, wanted {WANTED_OF_PROCESSES} of two cores"
        )
    print("\n".join(lines))
    if settings.out is not None:
        write_aside(settings.out, json.dumps(found, indent=1).encode())


if __name__ == "__main__":
    main()
