"""The main job: train an agent on Connect Four, and find out how good it is against a ladder of bundled opponents."""

import dataclasses
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.game import play_game
from boardgym.baselines.arena.match import check_games
from boardgym.baselines.arena.record import GameRecord
from boardgym.baselines.learning.run_folders import CURVE, MODEL, PICTURE
from boardgym.baselines.learning.runs import Trained
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay
from boardgym.baselines.learning.sb3.trainer import SB3Training
from boardgym.core.board import Board
from boardgym.core.errors import OptionError
from boardgym.core.files import write_aside
from boardgym.core.policy_spec import make_policy
from boardgym.wrappers.sb3 import from_sb3

COMPARISON, GAME = "comparison.json", "game.json"
LADDER = ("random", "greedy", "minimax:1", "minimax:2", "minimax:4", "uct:50", "uct:100", "uct:500")
BUNDLED = "agent:connect-four"  # what the package has learnt, and the opponents of the ladder that it meets
RIVALS, RIVAL_GAMES = ("minimax:2", "uct:100"), 100


@dataclass(frozen=True)
class DemoConfig:
    """Train MaskablePPO on Connect Four by self-play, then compare it with a list of opponents.

    Attributes:
        steps: plies of both seats, in total.
        games: games against each opponent.
        seed: seed of the training and of the comparison.
        out: folder for the model, the curve, the comparison and a game.
        ladder: specs of the opponents.
    """

    steps: int = 4_000_000
    games: int = 400
    seed: int = 1
    out: Path = Path("runs/demo")
    ladder: tuple[str, ...] = LADDER

    def check(self) -> None:
        """Raises OptionError, SpecError for what could not be compared once the training is done."""
        check_games(self.games)
        if not self.ladder:
            raise OptionError("ladder=(): expected at least one opponent")
        for spec in self.ladder:
            make_policy(spec, "ConnectFour-v0")


@dataclass(frozen=True)
class DemoResult:
    """What the demonstration left: files in `out`, among them one game that the agent won, if it won any."""

    training: Trained[SB3Training]
    comparison: Comparison
    record: GameRecord
    files: tuple[Path, ...]
    seconds: float

    @property
    def is_finished(self) -> bool:
        """False if Ctrl-C ended the training early."""
        return self.training.is_finished


def run_demo(config: DemoConfig, *, console: Console | None = None) -> DemoResult:
    """Trains, compares, prints the table, and writes the files. Ctrl-C during training goes on to compare what there is."""
    console = console or Console()
    config.check()
    started = time.monotonic()
    settings = SelfPlayConfig(steps=config.steps, seed=config.seed, out=config.out)
    training = train_selfplay(settings, files=(COMPARISON, GAME))
    comparison = compare(
        training.training.model, "ConnectFour-v0", list(config.ladder), games=config.games, openings="heldout", seed=config.seed
    )
    record = show_game(training.training.model, opponent="uct:100", seed=config.seed)
    comparison_path, game_path = config.out / COMPARISON, config.out / GAME
    write_aside(comparison_path, comparison.to_json().encode())
    write_aside(game_path, json.dumps(record.to_dict(), indent=1).encode())
    files = (training.folder / MODEL, config.out / PICTURE, config.out / CURVE, comparison_path, game_path)
    seconds = time.monotonic() - started
    console.print(comparison.table())
    if beside := describe_bundled(config):
        console.print(beside, highlight=False, soft_wrap=True)
    if not training.is_finished:
        console.print(f"Training was ended early, after {training.training.done:,} of {config.steps:,} steps.")
    trained = training.training.done - training.resumed
    earlier = f" after {training.resumed:,} of an earlier call" if training.resumed else ""
    console.print(f"{trained:,} steps{earlier} in {training.seconds:.0f} s, all in {seconds:.0f} s. Written:")
    for file in files:
        console.print(f"  {file}", highlight=False, soft_wrap=True)
    hint = f"Play against it:  boardgym play ConnectFour-v0 human {training.player}"
    console.print(hint, highlight=False, soft_wrap=True)
    return DemoResult(training, comparison, record, files, seconds)


def describe_bundled(config: DemoConfig) -> str:
    """A line on what the agent of the package scores against the same opponents; empty if the ladder has none of RIVALS."""
    rivals = [spec for spec in RIVALS if spec in config.ladder]
    if not rivals:
        return ""
    games = min(config.games, RIVAL_GAMES)
    rows = compare(BUNDLED, "ConnectFour-v0", rivals, games=games, openings="heldout", seed=config.seed).rows
    scores = " and ".join(f"{row.score.value:.3f} against {row.opponent}" for row in rows)
    return f"Beside it, {BUNDLED}, which comes with the package, scores {scores} ({games} games each)."


def show_game(model: Any, *, opponent: str, seed: int, tries: int = 20) -> GameRecord:
    """A game of the trained agent, seat 0, against an opponent: the first that it wins within `tries`, else the last."""
    game = Board("ConnectFour-v0").game
    agent, rival = from_sb3(model, game, seed=seed), make_policy(opponent, game, seed=seed)
    for number in range(tries):
        record = play_game(Board(game), (agent, rival), seed=seed + number, deterministic=(True, False))
        if record.winner == 0:
            break
    return dataclasses.replace(record, policies=("MaskablePPO", opponent))
