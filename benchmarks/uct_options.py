"""What each refinement of UCT is worth: `python -m benchmarks.uct_options --out runs/uct_options`.

Each plays matches against plain UCT on several games, from held-out openings with the seats swapped, at equal simulations and
at equal time: there its simulations are multiplied by the ratio of the simulations that both do in a processor second, which is
measured first. So the result does not depend on who else works on the machine, and the same seed plays the same games.

Played pairs are written down after every block: a run that is cut short goes on where it was, and one that is asked for more
games plays those that are missing. Writes table.md beside them.
"""

import json
import multiprocessing
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from boardgym.core.cache import write_aside

OPTIONS = ("puct=1.25", "puct=1.25,prior=heuristic", "rave=100", "rave=1000", "fpu=1.0", "bias=1", "urgency=1", "decisive=1",
           "playout=mast", "playout=to_mast", "playout=past", "playout=fast", "cutoff=10", "leaf=heuristic", "leaf=mix",
           "reuse=1")  # fmt: skip
SIMULATIONS, TIME = "simulations", "time"
MEASURED = 5  # positions and repeats of a measurement of speed
LEAST_S = 0.1  # processor time of one of them


@dataclass(frozen=True)
class Settings:
    """Plays every option against plain UCT.

    Attributes:
        games: ids.
        options: settings that are added to the spec of plain UCT.
        simulations: of plain UCT.
        matches: games of each match, even; of each kind.
        kinds: "simulations", "time" or both: what is equal.
        block: games between two writings, even.
        out: folder of the results.
        processes: matches at a time.
        quick: a preset: one small match, to see that it runs.
    """

    games: tuple[str, ...] = ("ConnectFour-v0", "Othello-v0", "NineMensMorris-v0")
    options: tuple[str, ...] = OPTIONS
    simulations: int = 1000
    matches: int = 400
    kinds: tuple[str, ...] = (SIMULATIONS, TIME)
    block: int = 20
    out: Path = Path("runs/uct_options")
    processes: int = 2
    quick: bool = False


QUICK = Settings(games=("TicTacToe-v0",), options=("rave=100",), simulations=30, matches=8, block=4, processes=1, quick=True)


def file_of(folder: Path, *names: object) -> Path:
    """The file of a result."""
    stem = "_".join("".join(c if c.isalnum() or c in "-.=" else "-" for c in str(name)) for name in names)
    return folder / f"{stem}.json"


def speed_ratio(a: Any, b: Any, game: str, least_s: float = LEAST_S) -> float:
    """Simulations of one policy to those of another in the same processor time, the median over positions of a game.

    Both are measured by turns, because the speed of a processor that others use too changes.
    """
    from boardgym.core.board import Board

    board, found = Board(game, seed=1), []
    for policy in (a, b):
        policy.act(board)  # compiles
    for _ in range(MEASURED):
        rates = []
        for policy in (a, b):
            done, started = 0, time.process_time()
            while time.process_time() - started < least_s:
                done += policy.analyse(board).nodes
            rates.append(done / (time.process_time() - started))
        found.append(rates[0] / rates[1])
        for _ in range(2):
            if not board.is_terminal:
                board.push(b.act(board, deterministic=True))
        if board.is_terminal:
            break
    return statistics.median(found)


def measured(path: Path, measure: Callable[[], float]) -> float:
    """A figure that is measured once and written down."""
    if path.is_file():
        return float(json.loads(path.read_text())["figure"])
    figure = measure()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, json.dumps({"figure": figure}).encode())
    return figure


def play_blocks(path: Path, a: str, b: str, game: str, games: int, block: int) -> list[float]:
    """The pair scores of a match, of which those that a file holds are not played again; it is written after every block.

    Raises RuntimeError if a player forfeits: then its result would mean nothing.
    """
    from boardgym.baselines import play_match
    from boardgym.baselines.arena.record import FORFEIT

    about = {"a": a, "b": b, "game": game, "block": block}
    kept: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {**about, "pair_scores": []}
    if {name: kept[name] for name in about} != about:
        raise SystemExit(
            f"{path} holds another match: {kept['a']} - {kept['b']}, blocks of {kept['block']}; give another --out"
        )
    scores: list[float] = kept["pair_scores"]
    path.parent.mkdir(parents=True, exist_ok=True)
    while len(scores) < games // 2:
        seed = len(scores) // (block // 2)  # each block has openings of its own
        match = play_match(a, b, game, games=block, openings="heldout", seed=seed, deterministic=(False, False), progress=False)
        for played in match.games:
            if played.record.reason == FORFEIT:
                raise RuntimeError(f"{a} - {b} in {game}: {played.record.message}")
        scores += match.pair_scores
        write_aside(path, json.dumps(kept).encode())
    return scores[: games // 2]


def result_of(scores: Sequence[float]) -> dict[str, Any]:
    """The score rate and the Elo difference of a match, with intervals."""
    from boardgym.baselines.arena.ratings import estimate_elo, score_interval

    rate = score_interval(scores)
    return {"games": 2 * len(scores), "score": str(rate), "elo": str(estimate_elo(rate))}


def run(settings: Settings, game: str, option: str) -> dict[str, Any]:
    """One option on one game. at: its simulations where the time is equal."""
    from boardgym.core.policy import make_policy

    plain = f"uct:{settings.simulations}"
    found: dict[str, Any] = {"game": game, "option": option}
    least_s = 0.001 if settings.quick else LEAST_S
    policies = [make_policy(spec, game, seed=1) for spec in (f"{plain},{option}", plain)]
    ratio = measured(file_of(settings.out, "speed", game, plain, option), lambda: speed_ratio(*policies, game, least_s))
    found |= {"speed": ratio, "at": max(1, round(settings.simulations * ratio))}
    for kind in settings.kinds:
        simulations = settings.simulations if kind == SIMULATIONS else found["at"]
        path = file_of(settings.out, kind, game, f"uct-{simulations}", option)
        a = f"uct:{simulations},{option}"
        found[kind] = result_of(play_blocks(path, a, plain, game, settings.matches, settings.block))
    return found


def table(settings: Settings, results: Sequence[dict[str, Any]]) -> str:
    """The results as Markdown: Elo against plain UCT with 95 % intervals."""
    head = ["option", "game", "simulations/s, ratio", *(f"Elo at equal {kind}" for kind in settings.kinds)]
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for found in results:
        cells = [
            f"`{found['option']}`",
            found["game"],
            f"{found['speed']:.2f}",
            *(found[kind]["elo"] for kind in settings.kinds),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays what is missing and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.uct_options", description=__doc__, args=arguments)
    if settings.quick:
        settings = Settings(**{**vars(QUICK), "out": settings.out})
    if settings.block < 2 or settings.block % 2 or settings.matches % settings.block:
        raise SystemExit(f"--matches {settings.matches} --block {settings.block}: expected blocks of an even number of games, "
                         "that make up a match")  # fmt: skip
    wanted = [(settings, game, option) for option in settings.options for game in settings.games]
    results = in_processes(run, wanted, settings.processes)
    text = table(settings, results)
    write_aside(settings.out / "results.json", json.dumps(results, indent=1).encode())
    write_aside(settings.out / "table.md", text.encode())
    print(text)


def in_processes(call: Callable[..., Any], wanted: Sequence[tuple[Any, ...]], processes: int) -> list[Any]:
    """What `call` returns for each, several at a time; in this process if one at a time."""
    if processes == 1:
        return [call(*arguments) for arguments in wanted]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        return [future.result() for future in [pool.submit(call, *arguments) for arguments in wanted]]


if __name__ == "__main__":
    main()
