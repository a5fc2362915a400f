"""`boardgym train tabular` and `boardgym agent ...`: tables that learn, and the files of agents."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

import tyro
from tyro.conf import Positional, arg

from boardgym.baselines.learning.agent_files import load_any, read_agent_header
from boardgym.baselines.learning.tabular.agent import TabularAgent, load_agent, merge, prune
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.commands.arguments import Output
from boardgym.commands.common import UsageError, print_json, say, terminal
from boardgym.commands.training import Flag, TrainCommand, train

TRAIN_EXAMPLES = (
    "boardgym train tabular",
    "boardgym train tabular --game ConnectFour --episodes 4000000 --greedy-episodes 4000000 --out runs/connect4",
    "boardgym train tabular --method q --step-size 'linear(0.7, 0.1)' --opponent minimax:9 --seat random",
    "boardgym train tabular --inspect      # play against it while it learns",
)


@dataclass(kw_only=True)
class TrainTabular(TrainCommand):
    """Train a table of values by playing: Q-learning, Pessimistic Q-learning and other tabular learners.

    The same command continues an interrupted training.

    Attributes:
        config: the settings.
        inspect: play against the agent on the terminal while it learns.
        trust: allow the specs of the opponent and the judges to load files that could execute code, and to run programs.
        quality: stop after the first 1,000 episodes of which the learner has won or drawn this many percent. None: train to
            the end. With a higher one, or none, the same command goes on.
        start_from: the file of an agent whose table to start from, of the same game and kind; empty: an empty table.
    """

    config: tyro.conf.OmitArgPrefixes[TabularConfig] = field(default_factory=TabularConfig)
    quality: float | None = None
    start_from: str = ""
    inspect: Flag = False
    trust: Flag = False


def run_train(command: TrainTabular) -> int:
    """Trains, and says where the agent is."""
    return train(
        lambda: TableTrainer(command.config, trust=command.trust, quality=command.quality, start_from=command.start_from),
        command,
        is_inspected=command.inspect,
        trust=command.trust,
    )


AgentFile = Positional[Annotated[Path, arg(metavar="FILE")]]


@dataclass
class AgentInfo:
    """Show what an agent's file holds: what it has learnt, how, and its statistics."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agent info runs/tictactoe-pessimistic_q-2026-01-31/agent.safetensors",)

    file: AgentFile
    """The agent's file."""
    json: bool = False
    """Print JSON instead."""

    def run(self) -> int:
        """Reads the whole file, which checks it."""
        header = read_agent_header(self.file)
        found = load_any(self.file).statistics()
        if self.json:
            print_json({**header, **found})
            return 0
        for name, value in {**header, **found}.items():
            if name not in ("training", "values", "visits", "inputs"):
                terminal().print(f"{name:16}{value}", markup=False, soft_wrap=True)
        for name, value in header.get("training", {}).items():  # a dictionary, or the agent would not have been loaded
            terminal().print(f"  {name:20}{value}", style="dim", markup=False, soft_wrap=True)
        for name in ("values", "visits"):
            if name in found:
                marks = ", ".join(f"{mark:g}" for mark in found[name])
                terminal().print(f"{name:16}{marks or '-'} (least, quartiles, greatest)", markup=False, soft_wrap=True)
        if "inputs" in found:
            terminal().print(f"{'input':20}{'mean weight':>12}{'log of sum w v':>16}", markup=False, soft_wrap=True)
        for unit in found.get("inputs", ()):
            log_sum = "-" if unit["log_sum"] is None else f"{unit['log_sum']:.4f}"
            terminal().print(f"{unit['name']:20}{unit['mean_weight']:>12.4f}{log_sum:>16}", markup=False, soft_wrap=True)
        return 0


@dataclass
class AgentMerge:
    """Combine several agents of the same game and method: values are means weighted by visits."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agent merge a.safetensors b.safetensors --out both.safetensors",)

    files: Positional[Annotated[tuple[Path, ...], arg(metavar="FILES")]]
    """The agents' files, two or more."""
    out: Annotated[Path, Output]
    """The file to write."""

    def run(self) -> int:
        """Writes the file."""
        if len(self.files) < 2:
            raise UsageError(f"{len(self.files)} file; expected two or more")
        return keep(merge([load_agent(file) for file in self.files]), self.out)


@dataclass
class AgentPrune:
    """Remove the entries of an agent that were rarely updated."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agent prune a.safetensors --min-visits 3 --out small.safetensors",)

    file: AgentFile
    """The agent's file."""
    out: Annotated[Path, Output]
    """The file to write."""
    min_visits: int = 2
    """Remove entries with fewer updates than this."""

    def run(self) -> int:
        """Writes the file."""
        return keep(prune(load_agent(self.file), self.min_visits), self.out)


def keep(agent: TabularAgent, path: Path) -> int:
    """Writes an agent's file, and says what is in it."""
    agent.save(path)
    say(f"{path}: {len(agent):,} entries")
    return 0
