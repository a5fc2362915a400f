"""How strong our UCT is beside OpenSpiel's C++ MCTSBot: `python -m benchmarks.uct_strength --out runs/uct_strength`.

Matches from held-out openings with the seats swapped, both with random playouts, proofs and the same exploration constant:
OpenSpiel's c sqrt(ln N / n) is our c / sqrt(2) in c sqrt(2 ln N / n). At equal simulations, where neither should be ahead, and
at equal time, where our simulations are multiplied by the ratio of the simulations of both in a processor second. Goes on where
it was, as `benchmarks.uct_options`.
"""

import json
import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from benchmarks.uct_options import SIMULATIONS, TIME, file_of, in_processes, measured, play_blocks, result_of
from boardgym.core.cache import write_aside

C_THEIRS = 1.4
C_OURS = round(C_THEIRS / math.sqrt(2.0), 4)
TURNS, LEAST_S = 5, 0.3  # of a measurement of speed, processor time of each


@dataclass(frozen=True)
class Settings:
    """Plays our UCT against OpenSpiel's.

    Attributes:
        games: ids.
        simulations: of both; of theirs where the time is equal.
        matches: games of each match, even.
        kinds: "simulations", "time" or both: what is equal.
        block: games between two writings, even.
        out: folder of the results.
        processes: matches at a time.
        quick: a preset: one small match, to see that it runs.
    """

    games: tuple[str, ...] = ("ConnectFour-v0", "Othello-v0")
    simulations: int = 1000
    matches: int = 400
    kinds: tuple[str, ...] = (SIMULATIONS, TIME)
    block: int = 20
    out: Path = Path("runs/uct_strength")
    processes: int = 2
    quick: bool = False


QUICK = Settings(games=("TicTacToe-v0",), simulations=20, matches=4, kinds=(SIMULATIONS,), block=4, processes=1, quick=True)


def speed_ratio(game: str, simulations: int) -> float:
    """Our simulations to theirs in the same processor time, from the opening, the median of several turns of both."""
    from boardgym.core.board import Board
    from boardgym.core.policy import make_policy

    specs = f"uct:{simulations},c={C_OURS}", f"openspiel:mcts:{simulations},c={C_THEIRS}"
    policies, board, ratios = [make_policy(spec, game, seed=1) for spec in specs], Board(game, seed=1), []
    for turn in range(1 + TURNS):  # the first compiles
        rates = []
        for policy in policies:
            done, started = 0, time.process_time()
            while done == 0 or time.process_time() - started < LEAST_S:
                policy.act(board)
                done += simulations
            rates.append(done / (time.process_time() - started))
        ratios += [rates[0] / rates[1]] if turn else []
    return statistics.median(ratios)


def run(settings: Settings, game: str, kind: str) -> dict[str, Any]:
    """One match, ours against theirs."""
    simulations, found = settings.simulations, dict[str, Any](game=game, kind=kind)
    if kind == TIME:
        ratio = measured(file_of(settings.out, "speed", game, simulations), lambda: speed_ratio(game, settings.simulations))
        simulations = round(simulations * ratio)
        found |= {"ratio": ratio}
    a, b = f"uct:{simulations},c={C_OURS}", f"openspiel:mcts:{settings.simulations},c={C_THEIRS}"
    path = file_of(settings.out, kind, game, simulations)
    return {**found, "a": a, "b": b, **result_of(play_blocks(path, a, b, game, settings.matches, settings.block))}


def table(results: Sequence[dict[str, Any]]) -> str:
    """The results as Markdown."""
    lines = ["| game | equal | ours | OpenSpiel's | games | score | Elo |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for found in results:
        cells = (found[name] for name in ("game", "kind", "a", "b", "games", "score", "elo"))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays what is missing and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.uct_strength", description=__doc__, args=arguments)
    if settings.quick:
        settings = Settings(**{**vars(QUICK), "out": settings.out})
    if settings.block < 2 or settings.block % 2 or settings.matches % settings.block:
        raise SystemExit(f"--matches {settings.matches} --block {settings.block}: expected blocks of an even number of games, "
                         "that make up a match")  # fmt: skip
    wanted = [(settings, game, kind) for game in settings.games for kind in settings.kinds]
    results = in_processes(run, wanted, settings.processes)
    text = table(results)
    write_aside(settings.out / "results.json", json.dumps(results, indent=1).encode())
    write_aside(settings.out / "table.md", text.encode())
    print(text)


if __name__ == "__main__":
    main()
