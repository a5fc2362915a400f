"""`boardgym train tabular` and `boardgym agent ...`: tables that learn, and their files."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

import tyro
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from tyro.conf import Positional, arg

from boardgym.baselines.agent_files import read_agent_header
from boardgym.baselines.engines.session import names_of
from boardgym.baselines.memory import in_words
from boardgym.baselines.tabular.agent import TabularAgent, load_agent, merge, prune, statistics
from boardgym.baselines.tabular.config import TabularConfig
from boardgym.baselines.tabular.runs import CHECKPOINT_S, Background, TrainedTable, train_tabular
from boardgym.baselines.tabular.training import BLOCK, Trainer
from boardgym.commands.common import INTERRUPTED, UsageError, load_game, print_json, say, terminal
from boardgym.commands.play import Play
from boardgym.core.board import Board
from boardgym.core.policy import parse_spec

TRAIN_EXAMPLES = (
    "boardgym train tabular",
    "boardgym train tabular --game ConnectFour --episodes 4000000 --greedy-episodes 4000000 --out runs/connect4",
    "boardgym train tabular --method q --step-size 'linear(0.7, 0.1)' --opponent minimax:9 --seat random",
    "boardgym train tabular --inspect      # play against it while it learns",
)
STATUSES = {"finished": 0, "left": 0, "interrupted": INTERRUPTED, "full": 1}
Flag = tyro.conf.FlagCreatePairsOff[bool]


@dataclass(frozen=True)
class TrainTabular:
    """Train a table of values by playing: Q-learning, Pessimistic Q-learning and other tabular learners.

    The same command goes on with a training that was cut short.

    Attributes:
        config: the settings.
        out: folder for the agent, the checkpoint and the curve.
        inspect: play against the agent on the terminal while it learns.
        json: print the result as JSON.
        checkpoint_s: seconds from one checkpoint to the next.
        trust: whether the opponent's spec may load files that could execute code, and run programs.
    """

    config: tyro.conf.OmitArgPrefixes[TabularConfig] = field(default_factory=TabularConfig)
    out: Path = Path("runs/tabular")
    inspect: Flag = False
    json: Flag = False
    checkpoint_s: float = CHECKPOINT_S
    trust: Flag = False


def run_train(command: TrainTabular) -> int:
    """Trains, and says where the agent is."""
    if command.inspect:
        return inspect(command)
    is_asked = is_person(command.config.opponent)  # on the same terminal, where a bar would write over the board
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[entries]}"),
               TimeElapsedColumn(), TimeRemainingColumn())  # fmt: skip
    console = terminal(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=is_asked or not console.is_terminal) as bar:
        task = bar.add_task("training", total=None, entries="")

        def show(trainer: Trainer) -> None:
            entries = f"{len(trainer.agent):,} entries"
            bar.update(task, completed=trainer.episode, total=trainer.total, entries=entries)

        result = train_tabular(command.config, command.out, checkpoint_s=command.checkpoint_s, trust=command.trust,
                               on_piece=show)  # fmt: skip
    tell(result, as_json=command.json)
    return finish(result)


def is_person(spec: str) -> bool:
    """Whether the opponent that a spec names asks a person, now and then or always. Raises SpecError."""
    return "human" in names_of(parse_spec(spec))


def finish(result: TrainedTable) -> int:
    """Says why a training ended. Returns the exit status."""
    say(result.message, style="dim" if result.is_finished else "yellow")
    return STATUSES[result.ending]


def tell(result: TrainedTable, *, as_json: bool) -> None:
    """Prints how a training ended."""
    trainer, found = result.trainer, statistics(result.trainer.agent)
    results = trainer.results()
    last = results[-1] if len(results) else [0, 0, 0]
    if as_json:
        print_json({"agent": str(result.agent_path), "episodes": trainer.episode, "resumed": result.resumed,
                    "plies": trainer.plies, "seconds": round(result.seconds, 3), "is_finished": result.is_finished,
                    "ending": result.ending, "block": BLOCK, "results": results.tolist(), **found})  # fmt: skip
        return
    config, size = trainer.config, f"{found['entries']:,} entries, {in_words(found['bytes'])}"
    won, drawn, lost = (int(n) for n in last)
    speed = (trainer.episode - result.resumed) / max(result.seconds, 1e-9)
    terminal().print(
        f"agent      {result.agent_path}\n"
        f"learnt     {trainer.episode:,} episodes in {result.seconds:.1f} s ({speed:,.0f} a second), {size}\n"
        f"last       {won} won, {drawn} drawn, {lost} lost of the last block of episodes, by the learner\n"
        f"compare    boardgym compare file:{result.agent_path} --game {config.game}\n"
        f"play       boardgym play {config.game} human file:{result.agent_path}",
        markup=False, soft_wrap=True,
    )  # fmt: skip


def inspect(command: TrainTabular) -> int:
    """A game against the agent while it learns, from where its episodes begin. The training ends with it and is kept."""
    config = command.config
    game = load_game(config.game, config.option)
    if game.num_seats != 2:
        raise UsageError(f"--inspect is for games of two seats, {game.id} has {game.num_seats}")
    if is_person(config.opponent):
        raise UsageError(f"--inspect with opponent {config.opponent!r}: both would ask you on one terminal")
    if command.json:
        raise UsageError("--inspect with --json: the board is shown where the JSON would be")
    with Background(config, command.out, checkpoint_s=command.checkpoint_s, trust=command.trust) as background:
        seat = 0 if config.seat == "random" else int(config.seat)
        start = config.starts[0] if config.starts else ""
        if config.setup != "standard":
            start = Board(game, setup=config.setup).fen()
        specs: list[Any] = ["human", "human"]
        specs[seat] = background.policy
        say("the training goes on while you play; it ends with the game, and is kept")
        status = Play(game=game.id, option=config.option, fen=start).play_with(specs)
    if background.error is not None:
        raise background.error
    if background.result is not None:
        tell(background.result, as_json=command.json)
        if background.result.ending != "interrupted":  # by the end of the game, as was said
            return status or finish(background.result)
    return status


AgentFile = Positional[Annotated[Path, arg(metavar="FILE")]]


@dataclass
class AgentInfo:
    """What a file of an agent holds: what it has learnt, how, and its statistics."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agent info runs/tabular/agent.safetensors",)

    file: AgentFile
    """The agent's file."""
    json: bool = False
    """Print JSON instead."""

    def run(self) -> int:
        """Reads the whole file, which checks it."""
        header = read_agent_header(self.file)
        found = statistics(load_agent(self.file))
        if self.json:
            print_json({**header, **found})
            return 0
        for name, value in {**header, **found}.items():
            if name not in ("training", "values", "visits"):
                terminal().print(f"{name:16}{value}", markup=False, soft_wrap=True)
        for name, value in header.get("training", {}).items():  # a dictionary, or the agent would not have been loaded
            terminal().print(f"  {name:16}{value}", style="dim", markup=False, soft_wrap=True)
        for name in ("values", "visits"):
            marks = ", ".join(f"{mark:g}" for mark in found[name])
            terminal().print(f"{name:16}{marks or '-'} (least, quartiles, greatest)", markup=False, soft_wrap=True)
        return 0


@dataclass
class AgentMerge:
    """One agent of several of the same game and method: values are means by visits."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agent merge a.safetensors b.safetensors --out both.safetensors",)

    files: Positional[Annotated[tuple[Path, ...], arg(metavar="FILES")]]
    """The agents' files, two or more."""
    out: Path
    """The file to write."""

    def run(self) -> int:
        """Writes the file."""
        if len(self.files) < 2:
            raise UsageError(f"{len(self.files)} file; expected two or more")
        return keep(merge([load_agent(file) for file in self.files]), self.out)


@dataclass
class AgentPrune:
    """An agent without the entries that were seldom updated."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agent prune a.safetensors --min-visits 3 --out small.safetensors",)

    file: AgentFile
    """The agent's file."""
    out: Path
    """The file to write."""
    min_visits: int = 2
    """What has been updated less often is left out."""

    def run(self) -> int:
        """Writes the file."""
        return keep(prune(load_agent(self.file), self.min_visits), self.out)


def keep(agent: TabularAgent, path: Path) -> int:
    """Writes an agent's file, and says what is in it."""
    agent.save(path)
    say(f"{path}: {len(agent):,} entries")
    return 0
