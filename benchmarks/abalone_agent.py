"""How strong the agent of `examples/09_train_abalone.py` is: `python -m benchmarks.abalone_agent --out runs/abalone_agent`.

Trains it with each seed, plays it against the two that it is to beat and the usual ones, and measures the processor time of
each move of both in the same games. Goes on where it was, and writes table.md, which is made from what has been played.
"""

import json
import runpy
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import tyro

from benchmarks.uct_matches import file_of, markdown
from boardgym.baselines.learning.agent_files import read_agent_header
from boardgym.baselines.learning.config import settings_of
from boardgym.baselines.learning.td.config import settled
from boardgym.core.files import write_aside

EXAMPLE = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "09_train_abalone.py"))
OTHERS = ("minimax:1", "minimax:2", "minimax:3", "minimax:4", "uct:1000", "uct:10000")
COUNTS = ("won", "drawn", "lost")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Trains, plays and measures.

    seeds: of trainings, an agent each.
    games: of each agent against each of the two, even.
    others: specs of more opponents, for the agent of the first seed.
    other_games: against each of them, even.
    block: games between two writings, even.
    out: folder of the results, those of --quick in a folder of their own within it.
    play: false (--no-play): only make the table of what has been played.
    quick: small numbers, to see that it runs.
    """

    seeds: tuple[int, ...] = (1, 2, 3)
    games: int = 400
    others: tuple[str, ...] = OTHERS
    other_games: int = 100
    block: int = 20
    out: Path = Path("runs/abalone_agent")
    play: bool = True
    quick: bool = False


QUICK = {"seeds": (1,), "games": 2, "others": ("random",), "other_games": 2, "block": 2}
QUICK_EPISODES = 20


class Wanted(NamedTuple):
    """A match. path: its file. training: the settings that the agent was trained with."""

    path: Path
    seed: int
    training: dict[str, Any]
    agent: str
    opponent: str
    games: int


class Timed:
    """A policy, with the processor time of its moves. The first, which compiles, is made on another board."""

    def __init__(self, spec: str) -> None:
        from boardgym.core.board import Board
        from boardgym.core.policy_spec import make_policy

        self.policy, self.spec = make_policy(spec, EXAMPLE["GAME"]), spec
        self.policy.act(Board(EXAMPLE["GAME"]))
        self.seconds, self.moves = 0.0, 0

    def act(self, board: Any, *, deterministic: bool = False) -> int:
        """As the policy."""
        started = time.process_time()
        action = self.policy.act(board, deterministic=deterministic)
        self.seconds += time.process_time() - started
        self.moves += 1
        return action

    def reset(self, *, seed: int | None = None) -> None:
        """As the policy."""
        self.policy.reset(seed=seed)


def training_of(settings: Settings, seed: int) -> dict[str, Any]:
    """What a seed's agent is trained with, as its file says it."""
    return settings_of(settled(EXAMPLE["settings"](seed, QUICK_EPISODES if settings.quick else EXAMPLE["EPISODES"])))


def trained(settings: Settings, seed: int) -> Path:
    """The file of a seed's agent, trained if it is not there; beside it the processor time that took, of all sessions.

    SystemExit for one that was trained otherwise.
    """
    folder, training = settings.out / f"seed_{seed}", training_of(settings, seed)
    agent, clock = folder / "agent.safetensors", folder / "seconds.json"
    header = read_agent_header(agent) if agent.is_file() else {"training": training, "episodes": 0}
    theirs = header.get("training", {})
    if changes := [name for name in training if theirs.get(name) != training[name]]:
        raise SystemExit(f"{agent} was trained with other settings ({', '.join(changes)}); give another --out")
    if settings.play and not (header["episodes"] == training["episodes"] and clock.is_file()):
        before = json.loads(clock.read_text()) if clock.is_file() else 0.0
        started, finished = time.process_time(), None
        try:
            finished = EXAMPLE["train"](folder, seed, training["episodes"])
        finally:
            write_aside(clock, json.dumps(before + time.process_time() - started).encode())
        if finished is None:
            raise KeyboardInterrupt
    return agent


def play(wanted: Wanted, block: int, *, goes_on: bool) -> dict[str, Any]:
    """What has been played of a match, after the rest of it has been if `goes_on`; written after every block."""
    from boardgym.baselines import play_match
    from boardgym.baselines.arena.record import FORFEIT

    about = {"agent": wanted.agent, "opponent": wanted.opponent, "block": block, "training": wanted.training}
    empty = {**about, "pair_scores": [], "counts": [0, 0, 0], "plies": 0, "seconds": [0.0, 0.0], "moves": [0, 0]}
    found: dict[str, Any] = json.loads(wanted.path.read_text()) if wanted.path.is_file() else empty
    if {name: found.get(name) for name in about} != about:
        raise SystemExit(f"{wanted.path} holds another match: {found['agent']} - {found['opponent']}; give another --out")
    if goes_on and 2 * len(found["pair_scores"]) < wanted.games:
        players = Timed(wanted.agent), Timed(wanted.opponent)
        while 2 * len(found["pair_scores"]) < wanted.games:
            number = 2 * len(found["pair_scores"]) // block  # each block has openings of its own
            match = play_match(*players, EXAMPLE["GAME"], games=block, seed=1000 * wanted.seed + number, progress=False)
            if failed := [game.record.message for game in match.games if game.record.reason == FORFEIT]:
                raise RuntimeError(f"{wanted.agent} - {wanted.opponent}: {failed[0]}")
            found["pair_scores"] += match.pair_scores
            for game in match.games:
                found["counts"][int(2.0 - 2.0 * game.score)] += 1
                found["plies"] += len(game.record.moves)
            for side, player in enumerate(players):
                found["seconds"][side] += player.seconds
                found["moves"][side] += player.moves
                player.seconds, player.moves = 0.0, 0
            write_aside(wanted.path, json.dumps(found).encode())
            print(f"{wanted.opponent}: {2 * len(found['pair_scores'])} of {wanted.games}", file=sys.stderr, flush=True)
    return found


def row_of(wanted: Wanted, found: dict[str, Any]) -> list[str]:
    """A row of the table."""
    from boardgym.baselines.arena.ratings import estimate_elo, rate_interval, score_interval

    games = sum(found["counts"])
    if games == 0:
        return [str(wanted.seed), f"`{wanted.opponent}`", "0", *["-"] * 7]
    rate, wins = score_interval(found["pair_scores"]), found["counts"][0] / games
    times = [f"{1000.0 * seconds / moves:.2f}" for seconds, moves in zip(found["seconds"], found["moves"], strict=True)]
    counts = " / ".join(map(str, found["counts"]))
    return [str(wanted.seed), f"`{wanted.opponent}`", str(games), counts, str(rate_interval(wins, games)), str(rate),
            str(estimate_elo(rate)), f"{found['plies'] / games:.0f}", *times]  # fmt: skip


def table(settings: Settings, rows: Sequence[Sequence[str]]) -> str:
    """The results as Markdown."""
    head = ("seed", "against", "games", " / ".join(COUNTS), "share won", "score", "Elo difference", "plies",
            "ms a move", "of the other")  # fmt: skip
    clocks = [settings.out / f"seed_{seed}" / "seconds.json" for seed in settings.seeds]
    taken = [json.loads(clock.read_text()) for clock in clocks if clock.is_file()]
    text = markdown(head, rows)
    if taken:
        shown = ", ".join(f"{seconds:.0f}" for seconds in taken)
        text += f"\nTraining: {shown} s of processor time, {statistics.mean(taken) / 60.0:.1f} min in the mean.\n"
    return text


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains and plays what is missing, and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.abalone_agent", description=__doc__, args=arguments)
    if settings.quick:
        settings = Settings(**{**vars(settings), **QUICK, "out": settings.out / "quick"})
    if settings.block < 2 or settings.block % 2 or settings.games % settings.block or settings.other_games % settings.block:
        raise SystemExit(
            f"--games {settings.games} --other-games {settings.other_games} --block {settings.block}: expected "
            "blocks of an even number of games, that make up the matches"
        )
    rows = []
    try:
        agents = {seed: EXAMPLE["AGENT"].format(trained(settings, seed)) for seed in settings.seeds}
        pairs = [(seed, opponent, settings.games) for opponent in EXAMPLE["JUDGES"] for seed in settings.seeds]
        pairs += [(settings.seeds[0], opponent, settings.other_games) for opponent in settings.others]
        for seed, opponent, games in pairs:
            path = file_of(settings.out / f"seed_{seed}", opponent)
            wanted = Wanted(path, seed, training_of(settings, seed), agents[seed], opponent, games)
            rows.append(row_of(wanted, play(wanted, settings.block, goes_on=settings.play)))
    except KeyboardInterrupt:
        raise SystemExit(f"interrupted: the same command goes on from {settings.out}") from None
    text = table(settings, rows)
    write_aside(settings.out / "table.md", text.encode())
    print(text)


if __name__ == "__main__":
    main()
