"""UCT-CCNN: an agent for any game of two seats without chance, from its rules alone.

    1. the exploration constant of UCT is tuned by the cross-entropy method   (learning/tuning)
    2. UCT with long thinking time plays games, and keeps what it believes of every child   (learning/examples)
    3. a network is grown by cascade correlation on what the winners believed   (learning/cascade)
    4. the network is the evaluation of a search

After M. A. Rezende, master's dissertation (Universidade Federal de Minas Gerais, 2017), whose numbers are the defaults but for
thinking time and how many games are played: the study took 64 threads two and a half weeks for a game.
"""

import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.cascade.cascade import Progress
from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.baselines.learning.examples.columns import Examples
from boardgym.baselines.learning.examples.filters import apply_filters, read_filter, split
from boardgym.baselines.learning.examples.games import play_example_game
from boardgym.baselines.learning.examples.generation import generate_examples
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.baselines.learning.run_folders import AGENT, CHECKPOINT, CURVE, Run
from boardgym.baselines.learning.runs import Training, write_table
from boardgym.baselines.learning.tuning.tuner import TuningConfig, tune
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data, read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.core.game import get_game, read_options
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import check_seed

PLAN = "plan.json"  # what follows from the minutes: how many games
TUNING, EXAMPLES = "tuning", "examples"  # folders of the first two stages
RANGE = "0.2:2.0"  # of the exploration constant, section 5.2
GAMES_SHARE, GROWTH_SHARE = 0.55, 0.3  # of the minutes; the rest is for tuning and the comparison
SETS = (0.8, 0.1, 0.1)  # to train with, to choose the number of units by, to report


@dataclass(frozen=True)
class UctCcnnConfig:
    """How an agent is made.

    Attributes:
        game: id of the game, of two seats, without chance.
        option: rule options, as "name=value".
        simulations: of each move in the games that examples are taken from. The study thinks 200 or 600 s.
        c: UCT's exploration constant; 0: it is tuned first.
        tune_simulations: of each move in the games of the tuning; 0: three tenths of `simulations`, as in the study.
        tune_games: games of a sample of the tuning, an even number; the study has 90.
        tune_iterations: of the tuning.
        features: the feature map; empty: othello_bits, morris_bits, in other games planes.
        scale: share of the study's games: 30 from the start and 5 from each of 300 random states. With minutes, it follows.
        max_plies: actions after which a game ends as a draw; 0: as the rules say.
        filter: steps from all examples to those that are learnt from, see `examples.filters`.
        max_units: the most hidden units; 0: as many as inputs.
        patience: stop growing when the test error has not fallen for so many units; 0: never.
        search: spec of the player, which asks the network at its depth or in its tree.
        minutes: that all of it may take, about; 0: as long as it takes. A run with minutes cannot be repeated to the bit.
        processes: that play; the result does not depend on it.
        seed: of everything.
    """

    game: str = "Othello"
    option: tuple[str, ...] = ()
    simulations: int = 1000
    c: float = 0.0
    tune_simulations: int = 0
    tune_games: int = 30
    tune_iterations: int = 5
    features: str = ""
    scale: float = 0.05
    max_plies: int = 0
    filter: tuple[str, ...] = ("winners", "most-visited")
    max_units: int = 0
    patience: int = 10
    search: str = "minimax:3"
    minutes: float = 0.0
    processes: int = 1
    seed: int = 1


def check_config(config: UctCcnnConfig) -> None:
    """Raises OptionError for numbers that no run can have, and as `read_filter`."""
    check_seed(config.seed)
    for name, least in (
        ("simulations", 1),
        ("tune_simulations", 0),
        ("tune_games", 2),
        ("tune_iterations", 1),
        ("processes", 1),
    ):
        if getattr(config, name) < least:
            raise OptionError(f"{name}={getattr(config, name)}: expected a whole number of {least} or more")
    for name in ("max_units", "patience", "minutes", "c"):
        if not 0 <= getattr(config, name) < math.inf:
            raise OptionError(f"{name}={getattr(config, name)}: expected 0 or more")
    for text in config.filter:
        read_filter(text)


class UctCcnn(Training):
    """The making of an agent, as a training of `runs`: its units are hidden units of the network.

    Raises OptionError, SpecError, UnknownGameError, UnsupportedGameError for settings that cannot be had.
    """

    kind, unit, label = "uct-ccnn", "hidden units", "UCT-CCNN"
    written = (CURVE, PLAN, AGENT)
    saves_itself = True  # the network's checkpoint, after each unit
    config: UctCcnnConfig

    def __init__(self, config: UctCcnnConfig) -> None:
        check_config(config)
        self.config = config
        self.game = get_game(config.game, **read_options(config.option))
        self.features = mover_map(self.game, config.features)
        self.examples_config().check()
        make_policy(config.search, self.game)
        self.network: CascadeRegressor | None = None
        self.constant = config.c
        self.history: list[Progress] = []
        self.counts = {"games": 0, "examples": 0, "learnt_from": 0}
        self._folder = Path()

    # ------------------------------------------------------------ how far it has come

    @property
    def done(self) -> int:
        """Hidden units that were grown."""
        return max(len(self.history) - 1, 0)

    @property
    def total(self) -> int:
        """The most that there may be."""
        return self.config.max_units or len(self.features.names)

    @property
    def size(self) -> str:
        """The errors, in words."""
        if not self.history:
            return ""
        best = min(self.history, key=lambda it: it.test_error)
        return f"test error {best.test_error:.4f} with {best.units} units"

    @property
    def has_begun(self) -> bool:
        """Whether there is a network."""
        return bool(self.history)

    @property
    def ended(self) -> str:
        """As of `Training`."""
        return "the network has grown"

    # ------------------------------------------------------------ the stages

    def run_in(self, folder: Path) -> Run:
        """As of `Training`. With more units or patience it goes on where it ended."""
        settings: dict[str, Any] = plain_data(dataclasses.asdict(self.config))
        free = ("max_units", "patience", "processes", "search", "minutes")
        return Run(self.kind, {**settings, "game": self.game.id}, self.checkpoint, self.written, free, adopts=False)

    def open(self, folder: Path) -> None:
        """As of `Training`: each stage finds its own files."""
        self._folder = folder

    def load_checkpoint(self, path: Path) -> None:
        """Each stage reads its own."""

    def save_checkpoint(self, path: Path) -> None:
        """Each stage has written its own."""

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`."""
        began = time.monotonic()
        self.constant = self.config.c or self._tuned(bar)
        examples = self._played(bar, began)
        parts = self._sets(examples)
        self._grow(parts, bar, time.monotonic())

    def _tuned(self, bar: ProgressBar) -> float:
        """The exploration constant, by the cross-entropy method."""
        config = self.config
        simulations = config.tune_simulations or max(1, 3 * config.simulations // 10)
        tuning = TuningConfig(
            f"uct:{simulations},solver=0,choice=max_child",
            (f"c_uct={RANGE}",),
            game=config.game,
            option=config.option,
            iterations=config.tune_iterations,
            games=config.tune_games,
            fitness="wins",
            max_plies=config.max_plies,
            seed=config.seed,
        )
        tuned = tune(
            tuning,
            self._folder / TUNING,
            processes=config.processes,
            on_pair=lambda it: bar.show(it.done, total=it.total, label="tuning", note=it.size),
        )
        if not tuned.is_finished:
            raise KeyboardInterrupt
        constant = round(float(tuned.training.path[-1].mean[0]), 6)
        bar.say(f"tuned: c={constant:g}, by {tuned.training.done:,} games")
        return constant

    def examples_config(self, scale: float = 0.0) -> ExamplesConfig:
        """What the second stage plays."""
        config = self.config
        c = config.c or getattr(self, "constant", 0.0) or 1.0
        return ExamplesConfig(
            game=config.game,
            policy=f"uct:{config.simulations},c={c:g},solver=0,choice=max_child",
            option=config.option,
            features=config.features,
            scale=scale or config.scale,
            max_plies=config.max_plies,
            seed=config.seed,
        )

    def _played(self, bar: ProgressBar, began: float) -> Examples:
        """The examples of all games."""
        config = self.examples_config(self._scale(began))
        made = generate_examples(
            config,
            self._folder / EXAMPLES,
            processes=self.config.processes,
            progress=lambda done, total, label: bar.show(done, total=total, label=label, note=""),
        )
        if not made.is_finished:
            raise KeyboardInterrupt
        bar.say(
            f"played: {made.games:,} games of {self.config.simulations:,} simulations a move, {made.num_examples:,} examples"
        )
        self.counts |= {"games": made.games, "examples": made.num_examples}
        return made.load()

    def _scale(self, began: float) -> float:
        """The share of the study's games: as given, or what the minutes allow, by the time of one game; then it stays so."""
        config, path = self.config, self._folder / PLAN
        if not config.minutes:
            return config.scale
        if path.exists():
            return float(read_json(path.read_bytes(), dict[str, float], SpecError, f"the plan of a run in {path}")["scale"])
        one = self.examples_config()
        policy = make_policy(one.policy, self.game, seed=0)
        play_example_game(policy, self.features, 0, seed=config.seed, max_plies=2)  # compiles
        started = time.monotonic()
        play_example_game(policy, self.features, 0, seed=config.seed, max_plies=config.max_plies)
        seconds = max(time.monotonic() - started, 1e-3)
        left = GAMES_SHARE * 60.0 * config.minutes - min(time.monotonic() - began, 0.1 * 60.0 * config.minutes)
        games = max(10.0, left * config.processes / seconds)
        scale = games / dataclasses.replace(one, scale=1.0).num_games
        write_aside(path, f'{{"scale": {scale:.6g}}}\n'.encode())
        return float(f"{scale:.6g}")

    def _sets(self, examples: Examples) -> tuple[Examples, ...]:
        """What is learnt from, what chooses the number of units, what is reported. Raises OptionError for too few."""
        kept = apply_filters(examples, self.config.filter)
        self.counts["learnt_from"] = len(kept)
        if len(kept) < 30:
            raise OptionError(
                f"{len(kept)} of {len(examples):,} examples are left by the filters {', '.join(self.config.filter)}; expected "
                "30 or more: play more games (scale, minutes), or take other filters"
            )
        return split(kept, SETS, seed=self.config.seed)

    def _grow(self, sets: tuple[Examples, ...], bar: ProgressBar, began: float) -> None:
        """Grows the network."""
        config = self.config
        pairs = [(one.inputs(), one.columns["utility"].astype(float)) for one in sets]
        self.network = CascadeRegressor(
            max_units=config.max_units or None,
            patience=config.patience or None,
            seed=config.seed,
            num_threads=config.processes,
        )

        def look(progress: Progress) -> bool:
            self.history.append(progress)
            bar.show(progress.units, total=self.total, label="growing", note=self.size)
            return bool(config.minutes) and time.monotonic() - began > GROWTH_SHARE * 60.0 * config.minutes

        (X, y), test, holdout = pairs
        checkpoint = self._folder / CHECKPOINT
        self.network.fit(X, y, test=test, holdout=holdout, callback=look, checkpoint=checkpoint)
        self.history = list(self.network.history_)

    # ------------------------------------------------------------ what it leaves

    def write_results(self, folder: Path) -> None:
        """The curve, and the network; after Ctrl-C the best so far."""
        rows = [[it.units, it.train_error, it.test_error, it.holdout_error] for it in self.history]
        write_table(folder / CURVE, ["units", "train_error", "test_error", "holdout_error"], rows)
        if self.network is not None and hasattr(self.network, "net_"):
            self.network.save(folder / AGENT, features=self.features)

    def spec_in(self, folder: Path) -> str:
        """The search that asks the network."""
        return f"{self.config.search},evaluation=cascade(file:{self.agent_path(folder)})"

    @property
    def most_plies(self) -> int:
        """As of `Training`."""
        return self.config.max_plies

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`."""
        best = min(self.history, key=lambda it: it.test_error) if self.history else None
        errors = (
            {} if best is None else {"units": best.units, "test_error": best.test_error, "holdout_error": best.holdout_error}
        )
        return {"c": self.constant, **self.counts, **errors}

    def lines(self, folder: Path) -> list[tuple[str, str]]:
        """As of `Training`."""
        found = self.report(folder)
        lines = [
            ("constant", f"c={self.constant:g}{'' if self.config.c else ', tuned'}"),
            ("examples", "{examples:,} of {games:,} games, {learnt_from:,} of them after the filters".format(**self.counts)),
        ]
        if "units" in found:
            held = (
                f", {found['holdout_error']:.4f} of examples that chose nothing" if found["holdout_error"] is not None else ""
            )
            lines.append(("network", f"{found['units']} hidden units, mean squared error {found['test_error']:.4f}{held}"))
        tree = f"uct:1000,c={self.constant:g},neural_mcts=1,evaluation=cascade(file:{self.agent_path(folder)})"
        return [*lines, ("in a tree", tree)]
