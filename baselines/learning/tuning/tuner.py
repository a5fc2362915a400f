"""Tuning the numbers of a policy by games: samples of the numbers play against the policy with the current mean.

    in each iteration:
        x_1 .. x_n <- the optimiser's samples
        each plays `games` games, in pairs, against the policy with the optimiser's mean
        its fitness is its score rate, or its share of wins; the optimiser moves
    the result is the mean

With the cross-entropy method and the default numbers this is how M. Rezende's dissertation (UFMG, 2017, section 5.2) tunes
UCT's exploration constant in [0.2, 2.0]. It is kept in a folder as all trainings are: see `runs.train_into`.
"""

import dataclasses
import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.game import as_policy, make_ready
from boardgym.baselines.arena.match import check_games
from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.config import check_words
from boardgym.baselines.learning.run_folders import CURVE, PICTURE, TUNE, Run
from boardgym.baselines.learning.runs import CHECKPOINT_S, Trained, Training, train_into, write_table
from boardgym.baselines.learning.tuning import optimisers as op
from boardgym.baselines.learning.tuning.fitness import (
    DRAWN,
    LOST,
    WON,
    Fitness,
    Rules,
    Task,
    count_of,
    fitness_of,
    openings_of,
    pair_player,
)
from boardgym.baselines.learning.tuning.parameters import Parameter, make_parameters, with_values
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.baselines.workers import Workers
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.core.game import check_two_seats, get_game, read_options
from boardgym.core.random import check_seed, stream

SAMPLES, RESULT = "samples.csv", "tuned.json"
OPTIMISER_STREAM = 0  # the path of its seed under a tuning's seed; `fitness` uses those after it
NOT_PLAYED = -1
MOST_ITERATIONS, MOST_GAMES = 10_000, 1_000_000
ADVICE = "tune into another folder (--out), or delete this one"


@dataclass(frozen=True)
class TuningConfig:
    """What to tune, and how. The numbers are those of the dissertation.

    Attributes:
        spec: of the policy, without the settings that are tuned; {NAME} in it stands for a value.
        parameters: NAME=LOW:HIGH, or NAME=LOW:HIGH:MEAN:SPREAD; without mean and spread the first samples are drawn around the
            middle, with half the width as standard deviation.
        game: id of the game, of two seats.
        option: rule options, as "name=value".
        optimiser: "cem", the cross-entropy method, or "cma", CMA-ES by the library `cma`.
        iterations: at most.
        population: samples in each.
        elite_rate: of cem: share of the samples that mean and spread move to, rounded down to whole samples.
        step_size: of cem: how far they move, above 0 to 1.
        least_spread: end when the spread of all parameters is at most this share of their ranges.
        games: of each sample, an even number: pairs from one opening with the seats swapped.
        fitness: "score", (wins + draws / 2) / games, or "wins", wins / games.
        opponent: spec of the opponent of all samples; empty: the policy with the current mean.
        openings: where games begin, as `make_openings` has it: "train", after a few random plies; "heldout"; "start", the
            standard start; a set-up of the game or "sequences:n".
        max_plies: stop a game after this many plies, as a draw; 0: the longest that the rules allow.
        seed: the same seed and settings give the same result, with any number of processes.
    """

    spec: str
    parameters: tuple[str, ...]
    game: str = "ConnectFour-v0"
    option: tuple[str, ...] = ()
    optimiser: Literal["cem", "cma"] = "cem"
    iterations: int = 5
    population: int = op.POPULATION
    elite_rate: float = op.ELITE_RATE
    step_size: float = op.STEP_SIZE
    least_spread: float = 0.001
    games: int = 90
    fitness: Fitness = "score"
    opponent: str = ""
    openings: str = "train"
    max_plies: int = 0
    seed: int = 1


def check_config(config: TuningConfig) -> None:
    """Raises OptionError for words and numbers that no tuning can have."""
    check_words(config)
    check_games(config.games)
    check_seed(config.seed)
    for name, least, most in (("iterations", 0, MOST_ITERATIONS), ("games", 2, MOST_GAMES), ("max_plies", 0, MOST_GAMES)):
        value = getattr(config, name)
        if type(value) is not int or not least <= value <= most:
            raise OptionError(f"{name}={value!r}: expected a whole number from {least:,} to {most:,}")
    if not 0.0 <= config.least_spread < 1.0:
        raise OptionError(f"least_spread={config.least_spread}: expected a number from 0, less than 1")
    if config.optimiser == "cma":
        for name in ("elite_rate", "step_size"):
            if getattr(config, name) != getattr(TuningConfig, name):
                raise OptionError(f"{name}={getattr(config, name)}: is of optimiser=cem; CMA-ES has its own")


@dataclass(frozen=True)
class Point:
    """How far an iteration has led. mean, spread: float64 (d,), after it. best, average: greatest and mean fitness in it."""

    iteration: int
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    best: float | None = None
    average: float | None = None


class Tuning(Training):
    """A tuning, as a training of `runs`: its units are games.

    Args:
        config: its settings.
        processes: that play games; the result does not depend on it. executor: where they are, as of `Workers`.
        trust: whether specs may name files that could execute code.

    Attributes:
        config, game, parameters. path: a `Point` before the first iteration and after each.

    Raises:
        OptionError, SpecError, UnknownGameError, UnsupportedGameError: settings that cannot be had.
        As `make_policy`.
    """

    kind, unit, label = TUNE, "games", "tuning"
    written = (CURVE, SAMPLES, PICTURE, RESULT)
    config: TuningConfig

    def __init__(self, config: TuningConfig, *, processes: int = 1, executor: str = "processes", trust: bool = False) -> None:
        check_config(config)
        self.config = config
        self.game = get_game(config.game, **read_options(config.option))
        check_two_seats(self.game, "tuning")
        self.parameters: list[Parameter] = make_parameters(config.spec, config.parameters, self.game, trust=trust)
        self.rules = Rules(self.game, config.seed, config.max_plies or None, trust)
        openings_of(self.rules, config.openings, 0, 1)  # a name that is none is refused before the first game
        self.workers: Workers[Task, tuple[int, int]] = Workers(partial(pair_player, self.rules), processes, executor)
        if config.opponent:
            make_ready(as_policy(config.opponent, self.game, seed=0, trust=trust))
        self._folder: Path | None = None
        self._begin()

    def _begin(self) -> None:
        """Before the first iteration."""
        config, ranges = self.config, [parameter.range for parameter in self.parameters]
        seed, shape = int(stream(config.seed, OPTIMISER_STREAM)[0]) >> 1, (config.iterations, config.population)
        if config.optimiser == "cma":
            self.optimiser: op.Optimiser = op.CovarianceMatrix(ranges, population=config.population, seed=seed)
        else:
            self.optimiser = op.CrossEntropy(
                ranges,
                population=config.population,
                elite_rate=config.elite_rate,
                step_size=config.step_size,
                seed=seed,
            )
        self.samples = np.zeros((*shape, len(ranges)))
        self.results = np.full((*shape, config.games), NOT_PLAYED, np.int8)
        self.path = [Point(0, self.optimiser.mean, self.optimiser.spread)]

    # ------------------------------------------------------------ how far it has come

    @property
    def iteration(self) -> int:
        """Iterations that are done."""
        return len(self.path) - 1

    @property
    def done(self) -> int:
        """Games that were played."""
        return int((self.results != NOT_PLAYED).sum())

    @property
    def total(self) -> int:
        """Games of all iterations."""
        return self.results.size

    @property
    def has_converged(self) -> bool:
        """Whether the spread is too small to go on."""
        ranges = [parameter.range for parameter in self.parameters]
        return op.has_converged(self.path[-1].spread, ranges, self.config.least_spread)

    @property
    def _is_over(self) -> bool:
        """Whether no iteration is to come."""
        return self.iteration >= self.config.iterations or self.has_converged

    @property
    def size(self) -> str:
        """Mean and spread, in words."""
        return self.words(self.path[-1])

    @property
    def ended(self) -> str:
        """As of `Training`."""
        if self.iteration < self.config.iterations:
            after = "1 iteration" if self.iteration == 1 else f"{self.iteration} iterations"
            return f"the spread is at most {self.config.least_spread:g} of every range after {after}"
        return "all iterations are done"

    def words(self, point: Point) -> str:
        """Mean and spread of each parameter at a point."""
        numbers = zip(self.parameters, point.mean, point.spread, strict=True)
        return ", ".join(f"{parameter.name} {mean:.6g} ± {spread:.3g}" for parameter, mean, spread in numbers)

    def line(self, point: Point) -> str:
        """What an iteration has led to, as a line."""
        fitness = "" if point.best is None else f"; fitness at best {point.best:.3f}, on average {point.average:.3f}"
        return f"iteration {point.iteration} of {self.config.iterations}: {self.words(point)}{fitness}"

    # ------------------------------------------------------------ going on

    def spec_at(self, values: NDArray[np.float64]) -> str:
        """The policy's spec with values, float64 (d,), of the parameters."""
        return with_values(self.config.spec, self.parameters, values)

    @property
    def tuned(self) -> str:
        """The policy's spec with the mean."""
        return self.spec_at(self.path[-1].mean)

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`; watch: after each pair of games. No processes are begun for a tuning that has ended."""
        if self._is_over:
            return
        with self.workers:
            while not self._is_over:
                number = self.iteration
                self.samples[number] = self.optimiser.ask()
                for task, pair in self.workers.run(self._tasks(number)):
                    own = self.results[number, task.sample]
                    own[2 * task.pair : 2 * task.pair + 2] = pair
                    if self._folder is not None and not (own == NOT_PLAYED).any():
                        self.save_checkpoint(self._folder / self.checkpoint)  # a sample that is done is kept
                    watch()
                self._conclude()
                bar.say(self.line(self.path[-1]))

    def _tasks(self, number: int) -> Iterator[Task]:
        """The pairs of an iteration that are not played yet."""
        config, pairs = self.config, self.config.games // 2
        openings = openings_of(self.rules, config.openings, number, pairs)
        opponent = config.opponent or self.spec_at(self.optimiser.mean)
        for sample, values in enumerate(self.samples[number]):
            spec = self.spec_at(values)
            for pair in range(pairs):
                if (self.results[number, sample, 2 * pair : 2 * pair + 2] == NOT_PLAYED).any():
                    yield Task(number, sample, pair, spec, opponent, openings[pair])

    def _conclude(self) -> None:
        """Moves the optimiser by an iteration whose games are all played."""
        number = self.iteration
        fitness = fitness_of(self.results[number], self.config.fitness)
        self.optimiser.tell(self.samples[number], fitness)
        self.path.append(
            Point(number + 1, self.optimiser.mean, self.optimiser.spread, float(fitness.max()), float(fitness.mean()))
        )

    # ------------------------------------------------------------ in a folder

    def run_in(self, folder: Path) -> Run:
        """As of `Training`; more iterations go on with a run that has ended."""
        free = ("iterations",)
        return Run(self.kind, self._settings(), self.checkpoint, self.written, free, ADVICE, adopts=False, grows=free)

    def _settings(self) -> dict[str, Any]:
        """The settings, with the game by its id, however it was named."""
        settings = {**dataclasses.asdict(self.config), "game": self.game.id, "option": sorted(self.config.option)}
        found: dict[str, Any] = plain_data(settings)
        return found

    def open(self, folder: Path) -> None:
        """As of `Training`; from here on every sample that is done is kept there."""
        super().open(folder)
        self._folder = folder

    def save_checkpoint(self, path: Path) -> None:
        """Writes what was sampled and played, whole or not at all: the optimiser goes its way again. Raises OSError."""
        begun = int((self.results != NOT_PLAYED).any(axis=(1, 2)).sum())
        arrays: dict[str, NDArray[Any]] = {"samples": self.samples[:begun], "results": self.results[:begun]}
        STORED.write(path, arrays, {"tuning": self._identity()})

    def _identity(self) -> dict[str, Any]:
        return {name: value for name, value in self._settings().items() if name != "iterations"}

    def load_checkpoint(self, path: Path) -> None:
        """As of `Training`. Raises SpecError, also where the optimiser now takes other samples than it then took."""
        arrays, _ = STORED.read(path, {"tuning": self._identity()})
        population, d = self.samples.shape[1:]
        begun = len(arrays["samples"]) if "samples" in arrays and arrays["samples"].ndim == 3 else 0
        if begun > self.config.iterations:
            raise SpecError(f"{path}: {begun} iterations begun, asked for are {self.config.iterations}; {ADVICE}")
        samples = STORED.array_of(path, arrays, "samples", np.float64, (begun, population, d))
        results = STORED.array_of(path, arrays, "results", np.int8, (begun, population, self.config.games))
        if not np.isin(results, (NOT_PLAYED, LOST, DRAWN, WON)).all() or not np.isfinite(samples).all():
            raise SpecError(f"{path}: results or samples that no tuning has; {ADVICE}")
        self._begin()
        for number in range(begun):
            if self.iteration < number or not np.allclose(self.optimiser.ask(), samples[number], rtol=1e-9, atol=1e-12):
                raise SpecError(f"{path}: samples that this version of boardgym, or of cma, would not take; {ADVICE}")
            self.samples[number], self.results[number] = samples[number], results[number]
            if not (results[number] == NOT_PLAYED).any():
                self._conclude()

    def write_results(self, folder: Path) -> None:
        """The path and the samples as CSV, the result as JSON, and the picture where Matplotlib is there."""
        names = [parameter.name for parameter in self.parameters]
        head = ["iteration", *(f"{name} {what}" for name in names for what in ("mean", "spread")), "best", "average"]
        write_table(folder / CURVE, head, [self._row(point) for point in self.path])
        write_table(
            folder / SAMPLES, ["iteration", "sample", *names, "won", "drawn", "lost", "fitness"], [*self._sample_rows()]
        )
        write_aside(folder / RESULT, json.dumps(self.report(folder), indent=2).encode())
        if importlib.util.find_spec("matplotlib") is not None:
            from boardgym.baselines.learning.tuning.picture import draw_path

            draw_path(folder / PICTURE, self)

    def _row(self, point: Point) -> list[Any]:
        numbers = [value for pair in zip(point.mean.tolist(), point.spread.tolist(), strict=True) for value in pair]
        return [point.iteration, *numbers, *("" if value is None else value for value in (point.best, point.average))]

    def _sample_rows(self) -> Iterator[list[Any]]:
        for number in range(self.iteration):
            fitness = fitness_of(self.results[number], self.config.fitness)
            for k, values in enumerate(self.samples[number].tolist()):
                yield [number + 1, k + 1, *values, *count_of(self.results[number, k]), float(fitness[k])]

    def write_agent(self, path: Path) -> None:
        """As of `Training`: the tuned numbers."""
        write_aside(path, json.dumps(self.report(path.parent), indent=2).encode())

    def spec_in(self, folder: Path) -> str:
        """The policy with the tuned numbers."""
        return self.tuned

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`."""
        last = self.path[-1]
        numbers = zip(self.parameters, last.mean.tolist(), last.spread.tolist(), strict=True)
        return {
            "spec": self.tuned,
            "game": self.game.id,
            "options": dict(self.game.options),
            "parameters": {
                p.name: {"mean": mean, "spread": spread, "low": p.range.low, "high": p.range.high, "is_whole": p.is_whole}
                for p, mean, spread in numbers
            },
            "iterations": self.iteration,
            "path": [
                {
                    "iteration": point.iteration,
                    "mean": point.mean.tolist(),
                    "spread": point.spread.tolist(),
                    "best": point.best,
                    "average": point.average,
                }
                for point in self.path
            ],
        }


def tune(
    config: TuningConfig | Tuning,
    out: str | Path,
    *,
    processes: int = 1,
    executor: str = "processes",
    trust: bool = False,
    checkpoint_s: float = CHECKPOINT_S,
    progress: Progress = False,
    on_pair: Callable[[Tuning], None] | None = None,
) -> Trained[Tuning]:
    """Tunes into a folder: see `runs.train_into`. With more iterations it goes on with a tuning that has ended.

    config: the settings, or a tuning that has not begun, which has `processes`, `executor` and `trust` already. on_pair: called
    after each pair of games; what it raises ends the tuning.

    Raises as `Tuning` and `train_into`; WorkerError, RayError for a process that was killed, or a cluster that gave up:
    the games before it are kept.

    Example:
        >>> import tempfile
        >>> from boardgym.baselines.learning.tuning.tuner import TuningConfig, tune
        >>> config = TuningConfig("minimax:{depth}", ("depth=1:3",), game="TicTacToe-v0", iterations=2, games=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tuned = tune(config, folder)
        >>> tuned.training.iteration, tuned.training.done
        (2, 60)
    """
    tuning = config if isinstance(config, Tuning) else Tuning(config, processes=processes, executor=executor, trust=trust)
    return train_into(tuning, out, checkpoint_s=checkpoint_s, progress=progress, on_piece=on_pair)


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return ADVICE


STORED = ArrayFiles("boardgym tuning", 1, "what a tuning has played", SpecError, advice)
