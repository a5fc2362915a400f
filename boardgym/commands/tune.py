"""`boardgym tune`: the best numbers of a policy, found by games."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from rich import box
from rich.table import Table
from tyro.conf import Positional, UseAppendAction, arg

from boardgym.baselines.learning.run_folders import PICTURE, ROOT, folder_for
from boardgym.baselines.learning.runs import CHECKPOINT_S, Trained
from boardgym.baselines.learning.tuning.optimisers import ELITE_RATE, POPULATION, STEP_SIZE
from boardgym.baselines.learning.tuning.tuner import RESULT, Tuning, TuningConfig, tune
from boardgym.commands.common import Executor, OpeningSet, RuleOptions, Trust, print_json, print_table, terminal
from boardgym.commands.training import finish
from boardgym.commands.users_games import word_of

Parameters = UseAppendAction[Annotated[tuple[str, ...], arg(metavar="NAME=LOW:HIGH")]]


@dataclass
class Tune:
    """Tune numbers of a policy by games, by the cross-entropy method or CMA-ES."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym tune uct:100 --game TicTacToe --parameter c_uct=0.2:2.0",
        "boardgym tune uct:1000 --game Othello --parameter c_uct=0.2:2.0 --openings start --fitness wins --processes 2",
        "boardgym tune uct:500 --game ConnectFour --parameter c_uct=0.2:2 --parameter rave=10:2000 --iterations 10",
        "boardgym tune 'puct:200,leaf=mix' --game Othello --parameter mix=0:1 --parameter c_puct=0.3:4 --optimiser cma",
        "boardgym tune 'minimax:2,evaluation=distance(off_board={w})' --game Abalone --parameter w=1:20 --opponent minimax:2",
        "boardgym tune uct:200 --game TicTacToe --parameter c_uct=0:2:0.7:0.3      mean and spread of the first samples",
    )

    spec: Positional[Annotated[str, arg(metavar="SPEC")]]
    """The policy, without the settings to tune. {NAME} in it stands for the value of parameter NAME."""
    parameter: Parameters = ()
    """What to tune, and where to look: a numeric setting of the policy; may be given several times. Settings that take whole
    numbers only are rounded. NAME=LOW:HIGH:MEAN:SPREAD also says where the first samples are drawn."""
    game: str = "ConnectFour"
    """Id of the game, of two seats."""
    optimiser: Literal["cem", "cma"] = "cem"
    """The cross-entropy method; or CMA-ES, which needs the extra: pip install 'boardgym[tune]'."""
    iterations: int = 5
    """At most so many iterations. With more, the same command continues a run that has ended."""
    population: int = POPULATION
    """Samples in an iteration."""
    elite_rate: float = ELITE_RATE
    """Of cem: share of the samples that the next ones are drawn around, rounded down."""
    step_size: float = STEP_SIZE
    """Of cem: how far mean and spread move to those of the elite, above 0 to 1."""
    least_spread: float = 0.001
    """End when the spread of every parameter is at most this share of its range."""
    games: int = 90
    """Games of a sample; an even number, for pairs with the seats swapped."""
    fitness: Literal["score", "wins"] = "score"
    """What is best: the score rate, where a draw counts half, or the share of games won."""
    opponent: str = ""
    """The opponent of all samples, by spec; empty: the policy itself with the current mean."""
    openings: OpeningSet = "train"
    max_plies: int = 0
    """Stop a game after this many plies, as a draw; 0: the longest that the rules allow."""
    seed: int = 1
    """The same seed gives the same result, with any number of processes."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    processes: int = 1
    """Processes that play."""
    executor: Executor = "processes"
    out: Path | None = None
    """Folder of the run, which the same command continues. None: runs/GAME-tune-DATE, or where the same run is already."""
    checkpoint_s: float = CHECKPOINT_S
    """Seconds between checkpoints; a finished sample is always kept at once."""
    json: bool = False
    """Print JSON instead of text."""
    trust: Trust = False

    def run(self) -> int:
        """Tunes and prints the result. Ctrl-C keeps what was played until then."""
        config = TuningConfig(
            spec=self.spec,
            parameters=self.parameter,
            game=self.game,
            option=self.option,
            optimiser=self.optimiser,
            iterations=self.iterations,
            population=self.population,
            elite_rate=self.elite_rate,
            step_size=self.step_size,
            least_spread=self.least_spread,
            games=self.games,
            fitness=self.fitness,
            opponent=self.opponent,
            openings=self.openings,
            max_plies=self.max_plies,
            seed=self.seed,
        )
        tuning = Tuning(config, processes=self.processes, executor=self.executor, trust=self.trust)
        out = folder_for(tuning.run_in(ROOT), tuning.name) if self.out is None else self.out
        result = tune(tuning, out, checkpoint_s=self.checkpoint_s, progress=None)
        if self.json:
            print_json(as_data(result))
        else:
            show(result)
        return finish(result)


def as_data(result: Trained[Tuning]) -> dict[str, Any]:
    """How a tuning ended, as plain data."""
    tuning = result.training
    return {
        **tuning.report(result.folder),
        "games": tuning.done,
        "resumed": result.resumed,
        "seconds": round(result.seconds, 3),
        "is_finished": result.is_finished,
        "ending": result.ending,
        "folder": str(result.folder),
    }


def show(result: Trained[Tuning]) -> None:
    """Prints the path, the tuned policy and what to do with it."""
    tuning, folder = result.training, result.folder
    print_table(path_table(tuning))
    last, config = tuning.path[-1], tuning.config
    before = tuning.spec_at(tuning.path[0].mean)
    options = "".join(f" --option {shlex.quote(option)}" for option in config.option)
    game = shlex.quote(word_of(config.game))
    speed = (tuning.done - result.resumed) / max(result.working_seconds, 1e-9)
    lines: list[tuple[str, str]] = [("tuned", tuning.tuned)]
    for number, parameter in enumerate(tuning.parameters):
        limits = f"within {parameter.range.low:g} to {parameter.range.high:g}"
        played = f", played as {parameter.text(last.mean[number])}: whole numbers only" if parameter.is_whole else ""
        lines.append((parameter.name, f"{last.mean[number]:.6g}, spread {last.spread[number]:.3g}, {limits}{played}"))
    lines += [
        ("games", f"{tuning.done:,} in {result.seconds:.1f} s ({speed:,.0f} a second)"),
        ("files", f"{folder}: {', '.join(files_of(folder, (RESULT, *tuning.written[:2], PICTURE)))}"),
        ("compare", f"boardgym match {shlex.quote(tuning.tuned)} {shlex.quote(before)} --game {game}{options} --draws"),
    ]
    terminal().print("\n".join(f"{what:11}{text}" for what, text in lines), markup=False, soft_wrap=True)


def files_of(folder: Path, names: Sequence[str]) -> list[str]:
    """Those of the files that are there."""
    return [name for name in dict.fromkeys(names) if (folder / name).exists()]


def path_table(tuning: Tuning) -> Table:
    """Mean and spread of every parameter, and fitness, a line for each iteration."""
    table = Table(box=box.SIMPLE_HEAD, title=f"{tuning.config.spec} on {tuning.game.id}")
    for name in ("iteration", *(text for p in tuning.parameters for text in (p.name, "spread")), "best fitness", "average"):
        table.add_column(name, justify="right")
    for point in tuning.path:
        numbers = [
            text for mean, spread in zip(point.mean, point.spread, strict=True) for text in (f"{mean:.6g}", f"{spread:.3g}")
        ]
        fitness = ["" if value is None else f"{value:.3f}" for value in (point.best, point.average)]
        table.add_row(str(point.iteration), *numbers, *fitness)
    return table
