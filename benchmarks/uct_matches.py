"""What `benchmarks.uct_options` and `benchmarks.uct_strength` share: speeds by turns, matches that go on where they were.

A folder holds a file for each speed and each match, results.json with the figures, and table.md, which is made from it. The
speed of a player counts in processor time, so that other programs on the machine do not bend it; it is measured once for a
folder, so that a run that goes on plays the match that it began.
"""

import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.core.files import write_aside

SIMULATIONS, TIME = "simulations", "time"
POSITIONS = 5  # of a measurement of speed: the opening, and others every two plies
LEAST_S = 0.1  # processor time of one of them, for each player
Work = Callable[[Any], int]  # searches a board; how many simulations that took


@dataclass(frozen=True, kw_only=True)
class MatchSettings:
    """What every such run can be told.

    Attributes:
        games: ids.
        simulations: of the player whose number stays; of both where the simulations are equal.
        matches: games of each match, even.
        kinds: "simulations", "time" or both: what is equal.
        block: games between two writings, even.
        out: folder of the results.
        processes: matches at a time.
        play: false (`--no-play`): only make the table of what has been played so far.
        quick: a preset: one small match, to see that it runs.
    """

    games: tuple[str, ...]
    simulations: int
    matches: int
    kinds: tuple[str, ...] = (SIMULATIONS, TIME)
    block: int = 20
    out: Path
    processes: int = 1
    play: bool = True
    quick: bool = False


def check(settings: MatchSettings) -> None:
    """Raises SystemExit, in words, for numbers that do not fit each other and for what is no kind."""
    if settings.block < 2 or settings.block % 2 or settings.matches < settings.block or settings.matches % settings.block:
        raise SystemExit(
            f"--matches {settings.matches} --block {settings.block}: expected blocks of an even number of games, "
            "that make up a match"
        )
    for kind in settings.kinds:
        if kind not in (SIMULATIONS, TIME):
            raise SystemExit(f"--kinds {kind}: expected {SIMULATIONS}, {TIME} or both")


def file_of(folder: Path, *names: object) -> Path:
    """The file of a result."""
    stem = "_".join("".join(c if c.isalnum() or c in "-.=" else "-" for c in str(name)) for name in names)
    return folder / f"{stem}.json"


def speed_ratio(first: Work, second: Work, game: str, least_s: float = LEAST_S) -> float:
    """Simulations of one player to those of another in the same processor time, the median over positions of a game.

    Both are measured by turns, because the speed of a processor that others use too changes.
    """
    from boardgym.baselines import make_policy
    from boardgym.core.board import Board

    board, found, guide = Board(game, seed=1), [], make_policy("uct:100", game, seed=1)
    for work in (first, second):
        work(board)  # compiles
    for _ in range(POSITIONS):
        rates = []
        for work in (first, second):
            done, started = 0, time.process_time()
            while done == 0 or time.process_time() - started < least_s:
                done += work(board)
            rates.append(done / (time.process_time() - started))
        found.append(rates[0] / rates[1])
        for _ in range(2):
            if not board.is_terminal:
                board.push(guide.act(board, deterministic=True))
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


def play_blocks(path: Path, a: str, b: str, settings: MatchSettings, game: str) -> list[float]:
    """The pair scores of a match, of which those that a file holds are not played again; it is written after every block.

    Raises SystemExit if the file holds another match, RuntimeError if a player forfeits: then its result would mean nothing.
    """
    from boardgym.baselines import play_match
    from boardgym.baselines.arena.record import FORFEIT

    games, block = settings.matches, settings.block
    about = {"a": a, "b": b, "game": game, "block": block}
    kept: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {**about, "pair_scores": []}
    if {name: kept[name] for name in about} != about:
        raise SystemExit(
            f"{path} holds another match: {kept['a']} - {kept['b']}, blocks of {kept['block']}; give another --out"
        )
    scores: list[float] = kept["pair_scores"]
    path.parent.mkdir(parents=True, exist_ok=True)
    while settings.play and len(scores) < games // 2:
        seed = len(scores) // (block // 2)  # each block has openings of its own
        match = play_match(a, b, game, games=block, openings="heldout", seed=seed, deterministic=(False, False), progress=False)
        for played in match.games:
            if played.record.reason == FORFEIT:
                raise RuntimeError(f"{a} - {b} in {game}: {played.record.message}")
        scores += match.pair_scores
        write_aside(path, json.dumps(kept).encode())
        print(f"{game}: {a} - {b}: {2 * len(scores)} of {games} games", file=sys.stderr, flush=True)
    return scores[: games // 2]


def result_of(scores: Sequence[float]) -> dict[str, Any]:
    """The score rate and the Elo difference of a match, with 95 % intervals; both are "-" before the first pair."""
    from boardgym.baselines.arena.ratings import estimate_elo, score_interval

    if not scores:
        return {"games": 0, "score": "-", "elo": "-"}
    rate = score_interval(scores)
    return {"games": 2 * len(scores), "score": str(rate), "elo": str(estimate_elo(rate))}


def in_processes(call: Callable[..., Any], wanted: Sequence[tuple[Any, ...]], processes: int) -> list[Any]:
    """What `call` returns for each, several at a time; in this process if one at a time."""
    if processes == 1:
        return [call(*arguments) for arguments in wanted]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        return [future.result() for future in [pool.submit(call, *arguments) for arguments in wanted]]


def report(
    settings: MatchSettings,
    call: Callable[..., Any],
    wanted: Sequence[tuple[Any, ...]],
    table: Callable[[Sequence[dict[str, Any]]], str],
) -> None:
    """Plays what is missing, writes results.json, and prints the table that is made from it; Ctrl-C ends it in words."""
    try:
        found = in_processes(call, wanted, settings.processes if settings.play else 1)
    except KeyboardInterrupt:
        raise SystemExit(f"interrupted: the same command goes on from {settings.out}") from None
    settings.out.mkdir(parents=True, exist_ok=True)
    results = settings.out / "results.json"
    write_aside(results, json.dumps([one for one in found if one is not None], indent=1).encode())
    text = table(json.loads(results.read_text()))
    write_aside(settings.out / "table.md", text.encode())
    print(text)


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join([*lines, ""])
