"""TD-Gammon 0.0 in Backgammon: `python -m benchmarks.backgammon --out runs/backgammon`.

Trains networks by TD(lambda) in self-play over G. Tesauro's 198 inputs, and plays them against GNU Backgammon without looking
ahead and against pubeval (`benchmarks.backgammon_peers`; wants the extra `bench`): points a game, as the game pays them, 1, 2
for a gammon, 3 for a backgammon, no cube. Games come in pairs of equal dice with the seats swapped; intervals are of the pairs.

A folder holds of each network its checkpoint, the agents at the numbers of games that are asked for, and the points of their
games, in blocks; what is there is not made again. results.json, table.md and curve.png are made from it. Ctrl-C or a kill lose
at most a minute of a training and a block of games: the same command goes on.
"""

import itertools
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import tyro

from benchmarks.backgammon_peers import GAME, PEERS, Peer, demand_library
from benchmarks.uct_matches import markdown
from boardgym.core.errors import BoardgymError, OptionError
from boardgym.core.files import write_aside

STEP_SIZES = {"tanh": "0.1", "linear": "exponential(0.02, 0.002)"}  # by the activation of the output


@dataclass(frozen=True)
class Settings:
    """Trains, plays, prints the table.

    Attributes:
        outputs: activation of the output, "tanh" of wins less losses, "linear" of points a game; a network for each,
        hidden: units of the hidden layer, and for each size,
        seeds: and seed.
        episodes: games of self-play of a whole training, over which the step size falls.
        marks: numbers of them after which a network is kept and played, rising; all networks come to one before any goes on.
        games: against each opponent, even, after the last mark.
        curve_games: against pubeval, even, after those before it.
        turns: that a network looks ahead after the last mark, each in games of its own; 1: only its own turn, as in the curve.
        block: games between two writings, even.
        dice: seed of the first block of games; those of the next follow it. The same for all networks, marks and opponents.
        out: folder of all that is made.
        train: false (`--no-train`): play what has been trained so far.
    """

    outputs: tuple[Literal["tanh", "linear"], ...] = ("tanh", "linear")
    hidden: tuple[int, ...] = (40, 80)
    seeds: tuple[int, ...] = (1,)
    episodes: int = 100_000
    marks: tuple[int, ...] = (0, 1_000, 3_000, 10_000, 30_000, 100_000)
    games: int = 1_000
    curve_games: int = 500
    turns: tuple[int, ...] = (1,)
    block: int = 100
    dice: int = 1_000
    out: Path = Path("runs/backgammon")
    train: bool = True


def check_settings(settings: Settings) -> None:
    """Raises OptionError for numbers that do not go together."""
    marks, counts = settings.marks, (settings.games, settings.curve_games)
    if not marks or list(marks) != sorted(set(marks)) or marks[0] < 0 or marks[-1] > settings.episodes:
        given = " ".join(map(str, marks))
        raise OptionError(f"--marks {given}: expected numbers that rise, from 0 to --episodes {settings.episodes}")
    if not settings.turns or min(settings.turns) < 1 or len(set(settings.turns)) < len(settings.turns):
        raise OptionError(f"--turns {' '.join(map(str, settings.turns))}: expected different numbers from 1")
    if settings.block < 2 or settings.block % 2 or any(count < settings.block or count % settings.block for count in counts):
        raise OptionError(
            f"--games {settings.games} --curve-games {settings.curve_games} --block {settings.block}: expected "
            "blocks of an even number of games, that make up both"
        )


def config_of(settings: Settings, output: str, hidden: int, seed: int) -> Any:
    """The settings of a training."""
    from boardgym.baselines.learning.td.config import NetworkConfig

    return NetworkConfig(
        game=GAME,
        opponent="learner",
        episodes=settings.episodes,
        step_size=STEP_SIZES[output],
        discount="1",
        trace_decay="0.7",
        epsilon="0",
        kappa="0",
        hidden=(hidden,),
        output_activation=output,
        biases="all",
        weight_span=0.1,
        pays_returns=output == "linear",
        seed=seed,
    )


def agent_file(folder: Path, mark: int) -> Path:
    """Of the network after so many games."""
    return folder / f"agent_{mark}.safetensors"


def train(config: Any, folder: Path, mark: int) -> None:
    """Trains up to a mark, from where a run before has come, and keeps the network there.

    Raises OptionError for a folder of another training, one where another process trains, or where the training is beyond the
    mark.
    """
    from boardgym.baselines.learning.config import settings_of
    from boardgym.baselines.learning.run_folders import Run, claim, hold
    from boardgym.baselines.learning.runs import CHECKPOINT, CHECKPOINT_S
    from boardgym.baselines.learning.td.trainer import NetworkTrainer

    trainer = NetworkTrainer(config)
    checkpoint, agent = folder / CHECKPOINT, agent_file(folder, mark)
    run = Run(trainer.kind, settings_of(config), CHECKPOINT, (agent.name,))
    with hold(folder, run):
        if checkpoint.is_file():
            trainer.load_checkpoint(checkpoint)
        claim(folder, run)
        if agent.is_file():
            return
        if trainer.episode > mark:
            raise OptionError(
                f"{folder}: trained for {trainer.episode:,} games, and the network after {mark:,} was not kept; "
                f"expected marks from {trainer.episode:,} on, or another --out"
            )
        before, began, saved = trainer.episode, time.process_time(), time.monotonic()

        def watch(trainer: Any) -> None:
            nonlocal saved
            if time.monotonic() - saved >= CHECKPOINT_S:
                trainer.save_checkpoint(checkpoint)
                saved = time.monotonic()

        try:
            trainer.run(until=mark, on_piece=watch)
            trainer.agent.save(agent)
        finally:  # Ctrl-C loses nothing
            trainer.save_checkpoint(checkpoint)
    spent, count = time.process_time() - began, mark - before
    print(f"{folder.name}: {mark:,} games, {count:,} in {spent:.1f} s of the processor", file=sys.stderr, flush=True)


def points(path: Path, agent: str, opponent: str, games: int, block: int, dice: int) -> list[float]:
    """The mean points of each pair of games, of which those that a file holds are not played again.

    agent, opponent: one of PEERS, or a spec. dice: seed of the first block.

    Raises OptionError for a file of other blocks or dice, RuntimeError if a player forfeits: then it means nothing.
    """
    from boardgym.baselines.arena.match import play_match
    from boardgym.baselines.arena.record import FORFEIT

    asked = {"block": block, "dice": dice}
    kept: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {**asked, "pairs": []}
    for name, value in asked.items():
        if kept.get(name) != value:
            found = kept.get(name)
            raise OptionError(f"--{name} {value}: {path} holds games with --{name} {found}; expected that, or another --out")
    pairs: list[float] = kept["pairs"]
    while len(pairs) < games // 2:
        seed = dice + len(pairs) // (block // 2)  # each block has dice of its own, the same for all players
        players: list[Any] = [Peer(name) if name in PEERS else name for name in (agent, opponent)]
        match = play_match(*players, GAME, games=block, openings="start", seed=seed, progress=False)
        for played in match.games:
            if played.record.reason == FORFEIT:
                raise RuntimeError(f"{agent} - {opponent}: {played.record.message}")
        won = [played.record.returns[played.seat] for played in match.games]
        pairs += [(first + second) / 2.0 for first, second in zip(won[0::2], won[1::2], strict=True)]
        write_aside(path, json.dumps(kept).encode())
        print(f"{agent} - {opponent}: {2 * len(pairs)} of {games} games", file=sys.stderr, flush=True)
    return pairs[: games // 2]


def estimate(pairs: Sequence[float]) -> dict[str, Any]:
    """Points a game, and half of the 95 % interval: 1.96 standard errors of the mean of the pairs."""
    count = len(pairs)
    mean = sum(pairs) / count
    variance = sum((one - mean) ** 2 for one in pairs) / max(count - 1, 1)
    return {"games": 2 * count, "points": mean, "half": 1.96 * math.sqrt(variance / count)}


def player_of(agent: Path, turns: int) -> str:
    """The spec of what plays by a network and looks so many turns ahead."""
    return f"file:{agent}" if turns == 1 else f"expectiminimax:{turns},evaluation=network(file:{agent})"


def play(settings: Settings, folder: Path, mark: int) -> list[dict[str, Any]]:
    """Plays the network of a mark, if there is one: a row for each number of turns and each opponent."""
    rows, agent = [], agent_file(folder, mark)
    is_last = mark == settings.marks[-1]
    opponents, count = (PEERS, settings.games) if is_last else (("pubeval",), settings.curve_games)
    if not agent.is_file():
        return []
    for turns, opponent in itertools.product(settings.turns if is_last else (1,), opponents):
        path = folder / f"points_{mark}_{f'{turns}_turns_' if turns > 1 else ''}{opponent}.json"
        found = estimate(points(path, player_of(agent, turns), opponent, count, settings.block, settings.dice))
        rows.append({"trained": mark, "turns": turns, "opponent": opponent, **found})
    return rows


def play_peers(settings: Settings) -> str:
    """What the opponents are worth: their games against each other, and of the weaker one against random moves."""
    lines = []
    for one, other in (PEERS, (PEERS[-1], "random")):
        path = settings.out / f"points_{one}_{other}.json"
        found = estimate(points(path, one, other, settings.curve_games, settings.block, settings.dice))
        lines.append(
            f"{one} against {other}: {found['points']:+.3f} ± {found['half']:.3f} points a game, {found['games']:,} games"
        )
    return "\n".join(lines)


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as Markdown, network by network."""
    head = ("output", "hidden units", "seed", "self-play games", "turns", "opponent", "games", "points a game")
    lines = [[row["output"], row["hidden"], row["seed"], f"{row['trained']:,}", row["turns"], row["opponent"],
              f"{row['games']:,}", f"{row['points']:+.3f} ± {row['half']:.3f}"]
             for row in sorted(rows, key=lambda row: (row["output"], row["hidden"], row["seed"]))]  # fmt: skip
    return markdown(head, lines)


def draw_curve(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Points a game against pubeval by the number of games of self-play, a line for each network that looks no further."""
    from boardgym.studies.pages import keep_picture, quiet_pyplot

    figure, axes = quiet_pyplot().subplots(figsize=(7.0, 4.2))
    of_each: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for row in rows:
        if row["opponent"] == "pubeval" and row["turns"] == 1:
            of_each.setdefault((row["output"], row["hidden"], row["seed"]), []).append(row)
    for (output, hidden, seed), own in of_each.items():
        axes.errorbar(
            [row["trained"] for row in own],
            [row["points"] for row in own],
            [row["half"] for row in own],
            capsize=3,
            marker="o",
            label=f"{output}, {hidden} hidden units, seed {seed}",
        )
    axes.axhline(0.0, color="grey", linewidth=0.8)
    marks = sorted({row["trained"] for row in rows})
    axes.set_xscale("symlog", linthresh=1_000, linscale=0.5)
    axes.set_xticks(marks, [f"{mark:,}" for mark in marks])
    axes.set_xticks([], minor=True)
    axes.set_xlim(-100, 1.3 * marks[-1])
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("points a game against pubeval")
    axes.legend()
    figure.tight_layout()
    keep_picture(figure, path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains and plays what is missing, and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.backgammon", description=__doc__, args=arguments)
    rows = []
    try:
        check_settings(settings)
        demand_library()
        for mark, output, hidden, seed in itertools.product(settings.marks, settings.outputs, settings.hidden, settings.seeds):
            folder = settings.out / f"{output}_{hidden}_{seed}"
            if settings.train:
                train(config_of(settings, output, hidden, seed), folder, mark)
            rows += [{"output": output, "hidden": hidden, "seed": seed, **row} for row in play(settings, folder, mark)]
        if not rows:
            raise OptionError(f"{settings.out} holds no network of these marks; leave out --no-train")
        text = f"{table(rows)}\n{play_peers(settings)}\n"
    except BoardgymError as error:
        raise SystemExit(f"benchmarks.backgammon: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(f"interrupted: the same command goes on from {settings.out}") from None
    write_aside(settings.out / "results.json", json.dumps(rows, indent=1).encode())
    write_aside(settings.out / "table.md", text.encode())
    draw_curve(rows, settings.out / "curve.png")
    print(text, end="")


if __name__ == "__main__":
    main()
