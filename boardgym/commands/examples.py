"""`boardgym examples`: what a search believes of every move of its games, in files to learn from."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

import tyro
from rich import box
from rich.table import Table

from boardgym.baselines.learning.examples.filters import FILTERS, check_shares, data_sets, read_filter
from boardgym.baselines.learning.examples.generation import Generated, generate_examples, run_of
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.baselines.learning.run_folders import folder_for, hold
from boardgym.commands.common import INTERRUPTED, Executor, Trust, UsageError, print_json, print_table, say
from boardgym.core.random import check_seed

SETS = {1: ("filtered",), 2: ("train", "test"), 3: ("train", "validation", "test")}  # names of files, by the number of sets

FilterWords = tyro.conf.UseAppendAction[Annotated[tuple[str, ...], tyro.conf.arg(metavar="|".join([*FILTERS]))]]


@dataclass
class ExamplesCommand:
    """Play games by a search and keep what it believes of every child of every position, as examples to learn from.

    The same command goes on where it was interrupted. When all games are played, the same command
    with other filters makes other data sets of them.

    Attributes:
        config: what is played.
        out: folder for the files. None: `runs/GAME-examples-DATE`, or, where games of the same
            settings are there already, its folder.
        processes: processes that play at a time; the examples do not depend on it.
        filter: a step that makes a data set of the examples, written beside them; may be given
            several times, and the steps are taken in this order. winners: decisions of the seat that
            won; most-visited, averaged: of equal positions one; visits=N: at least so many
            visits; symmetries: all forms of each.
        split: shares of the training set and the test set, as 90 10, or of three sets, training,
            validation and test, as 80 10 10; none: one set. From the filter symmetries on,
            filters are for the training set alone.
        split_seed: seed of the draw of these sets.
        json: print the result as JSON.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym examples Othello --scale 0.01 --processes 2",
        "boardgym examples Othello --policy uct:10000,c=0.78,solver=0,choice=max_child --processes 2 --out runs/othello-10000",
        "boardgym examples Othello --filter winners --filter most-visited --split 90 10",
        "boardgym examples NineMensMorris --option draw=first_repetition no_mill_limit=0 --max-plies 300",
        "boardgym examples ConnectFour --policy uct:500 --filter visits=20 --filter averaged --filter symmetries --json",
    )

    config: tyro.conf.OmitArgPrefixes[ExamplesConfig] = field(default_factory=ExamplesConfig)
    out: Path | None = None
    processes: int = 1
    executor: Executor = "processes"
    filter: FilterWords = ()
    split: tuple[float, ...] = ()
    split_seed: int = 1
    json: bool = False
    trust: Trust = False

    def run(self) -> int:
        """Plays what is missing, makes the data sets, says where they are. Ctrl-C keeps the games that have ended."""
        for text in self.filter:
            read_filter(text)  # an error now, not after the games
        if self.split and len(self.split) not in (2, 3):
            raise UsageError(f"--split {' '.join(f'{share:g}' for share in self.split)}: expected two or three numbers")
        if self.split:
            check_shares(self.split)
        check_seed(self.split_seed)
        self.config.check()
        out = folder_for(run_of(self.config), "examples") if self.out is None else self.out
        made = generate_examples(
            self.config, out, processes=self.processes, executor=self.executor, progress=None, trust=self.trust
        )
        files = self.data_sets(made) if made.is_finished else []
        self.tell(made, files)
        if made.total < self.config.num_games:
            say(f"{made.total:,} games, not {self.config.num_games:,}: random games reach no more start states", style="yellow")
        if not made.is_finished:
            say("interrupted: the same command goes on", style="yellow")
            return INTERRUPTED
        return 0

    def data_sets(self, made: Generated) -> list[tuple[Path, int]]:
        """Writes what the filters and the split make of the examples, in place of the sets that are there.

        Returns files and their numbers of examples.
        """
        if not self.filter and not self.split:
            return []
        found = data_sets(made.load(), self.filter, self.split, seed=self.split_seed)
        names = SETS[len(found)]
        with hold(made.folder, run_of(self.config)):
            for name in {*SETS[1], *SETS[3]}:  # so that no set of another split stays beside these
                (made.folder / f"{name}.safetensors").unlink(missing_ok=True)
            return [(one.save(made.folder / f"{name}.safetensors"), len(one)) for one, name in zip(found, names, strict=True)]

    def tell(self, made: Generated, files: list[tuple[Path, int]]) -> None:
        """Prints what there is."""
        found: dict[str, Any] = {
            "folder": str(made.folder),
            "games": made.games,
            "total": made.total,
            "resumed": made.resumed,
            "examples": made.num_examples,
            "simulations": made.simulations,
            "ending": made.ending,
        }
        files = [*([(made.path, made.num_examples)] if made.is_finished else []), *files]
        if self.json:
            print_json({**found, "files": {str(path): count for path, count in files}})
            return
        say(f"{made.games:,} of {made.total:,} games, {made.num_examples:,} examples")
        if files:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
            table.add_column("file", style="cyan", no_wrap=True)
            table.add_column("examples", justify="right")
            for path, count in files:
                table.add_row(str(path), f"{count:,}")
            print_table(table)
