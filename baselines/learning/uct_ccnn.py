"""UCT-CCNN: an agent for any game of two seats without chance, from its rules alone.

    1. the exploration constant of UCT is tuned by the cross-entropy method   (learning/tuning)
    2. UCT with long thinking time plays games, and keeps what it believes of every child   (learning/examples)
    3. a network is grown by cascade correlation on what the winners believed   (learning/cascade)
    4. the network is the evaluation of a search

After M. A. Rezende, master's dissertation (Universidade Federal de Minas Gerais, 2017), which took 64 threads two and a half
weeks for a game. Thinking time, the number of games and `patience` are smaller here by default; a third set of examples, apart
from that which chooses the number of hidden units, gives the error that is reported.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.baselines.learning.cascade.cascade import Progress
from boardgym.baselines.learning.cascade.checkpoint import read_history
from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.baselines.learning.cascade.settings import check_settings
from boardgym.baselines.learning.examples.columns import Examples
from boardgym.baselines.learning.examples.filters import data_sets, read_filter
from boardgym.baselines.learning.examples.games import PlayedGame
from boardgym.baselines.learning.examples.generation import generate_examples
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.baselines.learning.network_players import check_search, spec_of
from boardgym.baselines.learning.run_folders import AGENT, CHECKPOINT, CURVE, Run
from boardgym.baselines.learning.runs import Training, write_table
from boardgym.baselines.learning.tuning.tuner import TuningConfig, tune
from boardgym.baselines.learning.tuning.tuner import check_config as check_tuning
from boardgym.baselines.learning.uct_ccnn_plan import (
    COMPARE_SHARE,
    GAMES_SHARE,
    TIMED_EXAMPLES,
    Minutes,
    Plan,
    arrays_of,
    drawn,
    examples_within,
    read_plan,
    timed_game,
    write_plan,
)
from boardgym.baselines.networks.cascade_files import load_cascade
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.baselines.workers import check_workers
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game, read_options
from boardgym.core.random import check_seed

PLAN = "plan.json"  # how much each stage does
TUNING, EXAMPLES = "tuning", "examples"  # folders of the first two stages
RANGE = "0.2:2.0"  # of the exploration constant, section 5.2
USUAL_C = 0.7  # where the minutes are too few to tune it
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
        tune_games: games of a sample of the tuning, an even number; the study has 90. With minutes, there may be fewer.
        tune_iterations: of the tuning.
        features: the feature map; empty: othello_bits, morris_bits, in other games planes.
        scale: share of the study's games: 30 from the start and 5 from each of 300 random states. With minutes, it follows.
        max_plies: actions after which a game ends as a draw; 0: as the rules say.
        filter: steps from all examples to those that are learnt from, see `examples.filters`.
        max_units: the most hidden units; 0: as many as inputs.
        patience: stop growing when the test error has not fallen for so many units; 0: never, as in the study.
        search: spec of the player, which asks the network at its depth or in its tree.
        minutes: that all of it may take, about; 0: as long as it takes. A run with minutes cannot be repeated to the bit.
        processes: that play; without minutes, the result does not depend on it.
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
    for name, least in (("simulations", 1), ("tune_simulations", 0), ("tune_iterations", 1)):
        if getattr(config, name) < least:
            raise OptionError(f"{name}={getattr(config, name)}: expected a whole number of {least} or more")
    for name in ("minutes", "c"):
        if not 0.0 <= getattr(config, name) < math.inf:
            raise OptionError(f"{name}={getattr(config, name)}: expected 0 or more")
    for text in config.filter:
        read_filter(text)


class UctCcnn(Training):
    """The making of an agent, as a training of `runs`: its units are hidden units of the network.

    executor: where the processes are that play, as of `Workers`. The network grows here, with as many threads as processes that
    play here; with one a core, where they are elsewhere.

    Raises OptionError, SpecError, UnknownGameError, UnsupportedGameError for settings that cannot be had.
    """

    kind, unit, label = "uct-ccnn", "hidden units", "UCT-CCNN"
    written = (CURVE, PLAN, AGENT)
    saves_itself = True  # the network's checkpoint, after each unit
    config: UctCcnnConfig

    def __init__(self, config: UctCcnnConfig, *, executor: str = "processes") -> None:
        check_config(config)
        check_workers(config.processes, executor)
        self.config, self.executor = config, executor
        self.game = get_game(config.game, **read_options(config.option))
        self.features = mover_map(self.game, config.features)
        self.constant = config.c
        self.examples_config(config.scale).check()
        check_tuning(self._tuning_config(config.tune_games))
        check_settings(self._regressor(None))
        check_search(config.search, self.features)
        self.network: CascadeRegressor | None = None
        self.history: list[Progress] = []
        self.counts = {"games": 0, "examples": 0, "learnt_from": 0}
        self._folder, self._stage = Path(), ""

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
        """The errors, in words; before there are any, what goes on."""
        if not self.history:
            return self._stage
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
        own = {"game": self.game.id, "option": sorted(self.config.option)}
        free = ("max_units", "patience", "processes", "search")
        return Run(self.kind, {**settings, **own}, self.checkpoint, self.written, free, adopts=False)

    def open(self, folder: Path) -> None:
        """As of `Training`: each stage finds its own files; how far the network has come is known at once."""
        self._folder = folder
        if (folder / CHECKPOINT).exists():
            self.history = read_history(folder / CHECKPOINT)

    def load_checkpoint(self, path: Path) -> None:
        """Each stage reads its own."""

    def save_checkpoint(self, path: Path) -> None:
        """Each stage has written its own."""

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`."""
        plan, played = self._plan(bar)
        self.constant = self.config.c or self._tuned(plan, bar)
        plan, sets = self._limited(plan, self._sets(self._played(plan, played, watch, bar)), bar)
        self._grow(plan, sets, watch, bar)

    def _plan(self, bar: ProgressBar) -> tuple[Plan, list[PlayedGame]]:
        """How much to do: as the settings say, or what the minutes allow by the time of one game; then it stays so.

        Beside it those of the games that examples are taken from which have been played: the one that was timed.
        """
        config, path = self.config, self._folder / PLAN
        if path.exists():
            return read_plan(path), []
        examples, tune_games = self.examples_config(config.scale), 0 if config.c else config.tune_games
        plan, played = Plan(examples.num_start_games, examples.num_states, tune_games), list[PlayedGame]()
        if config.minutes:
            bar.show(0, label="timing a game")
            tune_share = self._tune_simulations / config.simulations
            minutes = Minutes(60.0 * config.minutes, config.processes, tune_games, config.tune_iterations, tune_share)
            game, seconds = timed_game(examples, self.features, GAMES_SHARE * minutes.seconds)
            plan = minutes.plan(self.examples_config(1.0), seconds)
            played = [] if plan.tune_games else [game]
        write_plan(path, plan)
        return plan, played

    @property
    def _tune_simulations(self) -> int:
        return self.config.tune_simulations or max(1, 3 * self.config.simulations // 10)

    def _tuning_config(self, games: int) -> TuningConfig:
        """How the exploration constant is tuned: as in section 5.2, but for games and thinking time."""
        config = self.config
        return TuningConfig(
            f"uct:{self._tune_simulations},solver=0,choice=max_child",
            (f"c_uct={RANGE}",),
            game=self.game.id,
            option=config.option,
            iterations=config.tune_iterations,
            games=games,
            fitness="wins",
            openings="start",
            max_plies=config.max_plies,
            seed=config.seed,
        )

    def _tuned(self, plan: Plan, bar: ProgressBar) -> float:
        """The exploration constant, by the cross-entropy method."""
        if not plan.tune_games:
            bar.say(f"not tuned, which would take more than the minutes allow: c={USUAL_C:g}")
            return USUAL_C
        tuned = tune(
            self._tuning_config(plan.tune_games),
            self._folder / TUNING,
            processes=self.config.processes,
            executor=self.executor,
            on_pair=lambda it: bar.show(it.done, total=it.total, label="tuning", note=it.size),
        )
        if not tuned.is_finished:
            raise KeyboardInterrupt
        constant = round(float(tuned.training.path[-1].mean[0]), 6)
        bar.say(f"tuned: c={constant:g}, by {tuned.training.done:,} games")
        return constant

    def examples_config(self, scale: float) -> ExamplesConfig:
        """What the second stage plays, with a share of the study's games."""
        config = self.config
        return ExamplesConfig(
            game=self.game.id,
            policy=f"uct:{config.simulations},c={self.constant or USUAL_C:g},solver=0,choice=max_child",
            option=config.option,
            features=config.features,
            scale=scale,
            max_plies=config.max_plies,
            seed=config.seed,
        )

    def _played(self, plan: Plan, played: Sequence[PlayedGame], watch: Callable[[], None], bar: ProgressBar) -> Examples:
        """The examples of all games. played: those that have been."""

        def look(done: float, total: float, label: str) -> None:
            self._stage = f"{label}: {done:,.0f} of {total:,.0f}"
            watch()
            bar.show(done, total=total, label=label, note="")

        games = dataclasses.replace(self.examples_config(1.0), start_games=plan.start_games, states=plan.states)
        made = generate_examples(
            games,
            self._folder / EXAMPLES,
            processes=self.config.processes,
            executor=self.executor,
            played=played,
            progress=look,
        )
        if not made.is_finished:
            raise KeyboardInterrupt
        bar.say(
            f"played: {made.games:,} games of {self.config.simulations:,} simulations a move, {made.num_examples:,} examples"
        )
        self.counts |= {"games": made.games, "examples": made.num_examples}
        return made.load()

    def _sets(self, examples: Examples) -> tuple[Examples, ...]:
        """What is learnt from, what chooses the number of units, what is reported. Raises OptionError for too few."""
        sets = data_sets(examples, self.config.filter, SETS, seed=self.config.seed)
        self.counts["learnt_from"] = sum(map(len, sets))
        return sets

    def _limited(self, plan: Plan, sets: tuple[Examples, ...], bar: ProgressBar) -> tuple[Plan, tuple[Examples, ...]]:
        """The sets, with fewer examples to learn from, drawn at random, where the minutes are too few for all; and the plan."""
        learnt = sets[0]
        if plan.growth_s is not None and plan.examples is None:
            bar.show(0, label="timing a unit")
            some = learnt.take(np.arange(min(len(learnt), TIMED_EXAMPLES)))
            most = examples_within(plan.growth_s, self._regressor(0), *arrays_of(some))
            plan = dataclasses.replace(plan, examples=most)
            write_plan(self._folder / PLAN, plan)
        if plan.examples is None or len(learnt) <= plan.examples:
            return plan, sets
        bar.say(f"{plan.examples:,} of {len(learnt):,} examples are learnt from: more would take longer than the minutes allow")
        self.counts["learnt_from"] -= len(learnt) - plan.examples
        return plan, (drawn(learnt, plan.examples, seed=self.config.seed), *sets[1:])

    def _regressor(self, units: int | None) -> CascadeRegressor:
        """The learner. units: with which the growth has ended by time, None before."""
        config = self.config
        limits = [limit for limit in (config.max_units or None, units) if limit is not None]
        return CascadeRegressor(
            max_units=min(limits) if limits else None,
            patience=config.patience or None,
            seed=config.seed,
            num_threads=config.processes if self.executor == "processes" else 0,
        )

    def _grow(self, plan: Plan, sets: tuple[Examples, ...], watch: Callable[[], None], bar: ProgressBar) -> None:
        """Grows the network."""
        self.network = self._regressor(plan.units)

        def look(progress: Progress) -> bool:
            self.history.append(progress)
            watch()
            bar.show(progress.units, total=self.total, label="growing", note=self.size)
            spent = sum(it.seconds for it in self.history) + progress.seconds  # with a unit more, which takes as long
            is_over = plan.growth_s is not None and spent > plan.growth_s
            if is_over:
                write_plan(self._folder / PLAN, dataclasses.replace(plan, units=progress.units))
            return is_over

        (X, y), test, holdout = map(arrays_of, sets)
        self.network.fit(X, y, test=test, holdout=holdout, callback=look, checkpoint=self._folder / CHECKPOINT)

    # ------------------------------------------------------------ what it leaves

    def is_written(self, folder: Path) -> bool:
        """As of `Training`: the agent's file says how its network has grown."""
        return self.has_written(folder, lambda path: load_cascade(path)[1].training, self._grown(folder).saved_training())

    def write_results(self, folder: Path) -> None:
        """The curve, and the network; after Ctrl-C the best so far."""
        self.write_curve(folder)
        self.write_agent(folder / AGENT)

    def write_curve(self, folder: Path) -> None:
        """As of `Training`."""
        rows = [[it.units, it.train_error, it.test_error, it.holdout_error] for it in self.history]
        write_table(folder / CURVE, ["units", "train_error", "test_error", "holdout_error"], rows)

    def write_agent(self, path: Path) -> None:
        """As of `Training`."""
        self._grown(self._folder).save(path, features=self.features)

    def _grown(self, folder: Path) -> CascadeRegressor:
        """The learner with its network: that of the checkpoint, until this session has ended the growth.

        Its settings are those of the run, so that its file is the same where a later session knows when time was up, and with
        any number of threads.
        """
        is_grown = self.network is not None and hasattr(self.network, "net_")
        network = self.network if self.network is not None and is_grown else self._regressor(None).restore(folder / CHECKPOINT)
        return network.set_params(max_units=self.config.max_units or None, num_threads=0)

    def spec_in(self, folder: Path) -> str:
        """The search that asks the network."""
        return spec_of(self.config.search, self.agent_path(folder))

    @property
    def most_plies(self) -> int:
        """As of `Training`."""
        return self.config.max_plies

    @property
    def compare_s(self) -> float | None:
        """As of `Training`."""
        return 60.0 * self.config.minutes * COMPARE_SHARE if self.config.minutes else None

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
            ("constant", f"c={self.constant:g}{', tuned' if (folder / TUNING).exists() else ''}"),
            ("examples", "{examples:,} of {games:,} games, {learnt_from:,} of them after the filters".format(**self.counts)),
        ]
        if "units" in found:
            held = f", {found['holdout_error']:.4f} on held-out examples" if found["holdout_error"] is not None else ""
            lines.append(("network", f"{found['units']} hidden units, mean squared error {found['test_error']:.4f}{held}"))
        tree = f"uct:1000,c={self.constant:g},neural_mcts=1,evaluation=cascade(file:{self.agent_path(folder)})"
        return [*lines, ("in a tree", tree)]
