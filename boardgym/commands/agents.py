"""`boardgym agents ...`: the shelf of agents, what is on it, how it is made, and shelves of one's own."""

import os
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec
import tyro
from rich import box
from rich.table import Table
from rich.text import Text
from tyro.conf import Positional

from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.run_folders import ROOT
from boardgym.baselines.shelf.catalogue import Entry, check_entry, plain
from boardgym.baselines.shelf.policy import spec_of
from boardgym.baselines.shelf.shelves import (
    SHELF_VARIABLE,
    Shelf,
    find_agent,
    own_folder,
    own_shelf,
    package_shelf,
    put,
    shelves,
)
from boardgym.baselines.typed_json import plain_data, read_data
from boardgym.commands.common import RuleOptions, UsageError, load_game, print_json, print_table, say, terminal
from boardgym.core.errors import SpecError
from boardgym.core.escape import printable
from boardgym.core.game import get_game
from boardgym.core.policy_spec import Spec, build_policy

AGENT_FILE = "agent.safetensors"  # in the folder of every training

AgentName = Positional[Annotated[str, tyro.conf.arg(metavar="NAME")]]
ShelfName = Annotated[
    str,
    tyro.conf.arg(metavar="FOLDER_OR_URL", help=f"Another shelf beside the usual ones; empty: what {SHELF_VARIABLE} names."),
]


@dataclass
class Agents:
    """List the agents that come with the package, or that you have made: what each plays, and what it scored.

    agent:NAME plays as any policy does. boardgym agents show, train, verify and add do more: boardgym agents show --help.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym agents",
        "boardgym agents --game Othello --json",
        "boardgym agents --shelf https://example.org/agents",
        "boardgym agents show othello",
        "boardgym agents train connect-four-strong",
    )

    game: str = ""
    """Of this game alone."""
    shelf: ShelfName = ""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Prints the table."""
        game = get_game(self.game).id if self.game else ""
        known = [
            (shelf, it) for shelf in shelves(self.shelf, is_fresh=True) for it in shelf.agents.values() if game in ("", it.game)
        ]
        if self.json:
            print_json({"agents": [described(shelf, entry) for shelf, entry in known]})
            return 0
        if not known:
            say(f"no agents{f' of {game}' if game else ''}")
            return 0
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("agent", style="cyan", no_wrap=True)
        for name in ("game", "player", "scores", "shelf"):
            table.add_column(name)
        table.add_column("size", justify="right", no_wrap=True)
        for shelf, entry in known:
            scores = "\n".join(f"{it.score:.3f} [{it.low:.3f}, {it.high:.3f}] {it.opponent}" for it in entry.measured)
            size = f"{entry.size / 1000:,.0f} kB" if entry.is_made else "not made"
            cells = (f"agent:{entry.name}", entry.game, entry.spec, scores or "-", shelf.title, size)
            table.add_row(*(Text(printable(cell)) for cell in cells))
        print_table(table)
        return 0


def described(shelf: Shelf, entry: Entry) -> dict[str, Any]:
    """An agent as plain data."""
    return {**plain(entry), "shelf": shelf.title, "path": str(shelf.path(entry)) if entry.is_made else None}


@dataclass
class AgentsShow:
    """Show an agent of the shelf: what it is, how it was made, what it scored, and the commands that measured that."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agents show othello", "boardgym agents show connect-four --json")

    name: AgentName
    """As boardgym agents lists it."""
    shelf: ShelfName = ""
    json: bool = False
    """Print JSON instead."""

    def run(self) -> int:
        """Prints it."""
        shelf, entry = find_agent(self.name, shelves(self.shelf))
        if self.json:
            print_json(described(shelf, entry))
            return 0
        options = "".join(f" {name}={value}" for name, value in entry.options.items())
        lines = [
            ("agent", f"agent:{entry.name}"),
            ("about", entry.about),
            ("game", f"{entry.game}{options}"),
            ("player", entry.spec),
            ("file", f"{shelf.path(entry)}, {entry.size:,} bytes" if entry.is_made else "not made here"),
            ("sha256", entry.sha256),
            ("made by", entry.command),
            ("", f"seed {' '.join(map(str, entry.seeds))}" if entry.seeds else ""),
            ("", f"{entry.seconds:,.0f} s of processor time" if entry.seconds else ""),
        ]
        for it in entry.measured:
            record = f"{it.won} won, {it.drawn} drawn, {it.lost} lost"
            lines.append(("scored", f"{it.score:.3f} [{it.low:.3f}, {it.high:.3f}] against {it.opponent}: {record}"))
            lines.append(("", it.command))
        flags = "".join(f" --option {name}={value}" for name, value in entry.options.items())
        lines.append(("play", f"boardgym play {entry.game} human agent:{entry.name}{flags}"))
        if not entry.is_made:
            lines.append(("make it", f"boardgym agents train {entry.name}"))
        text = "\n".join(f"{what:11}{printable(said)}" for what, said in lines if said)
        terminal().print(text, markup=False, soft_wrap=True)
        return 0


@dataclass
class AgentsTrain:
    """Make an agent of the package by its command, and put it on your own shelf, where agent:NAME finds it.

    After Ctrl-C the same command goes on. Your shelf is boardgym/agents in your data folder, or what the environment variable
    BOARDGYM_AGENTS names.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym agents train connect-four-strong",
        "boardgym agents train backgammon --quick      # seconds, to try it: agent:backgammon-quick",
    )

    name: AgentName
    """As boardgym agents lists it."""
    out: Path | None = None
    """Folder of the training. None: runs/agent-NAME."""
    quick: bool = False
    """A short training, whose agent is called NAME-quick."""

    def run(self) -> int:
        """Trains, and puts the file on the shelf."""
        from boardgym.cli import run_command

        _, entry = find_agent(self.name, [package_shelf()])
        if not entry.command:
            raise UsageError(f"agent {self.name!r}: no command is recorded that makes it")
        own_shelf()  # one that cannot be read is said before the training
        if self.quick:
            entry = msgspec.structs.replace(
                entry, name=f"{entry.name}-quick", command=f"{entry.command} {entry.quick}", measured=(),
                about=f"A short training of {entry.name}, to try the command.",
            )  # fmt: skip
        out = ROOT / f"agent-{entry.name}" if self.out is None else self.out
        words, is_new, started = shlex.split(entry.command)[1:], not out.exists(), processor_seconds()
        if status := run_command(" ".join(words[:2]), [*words[2:], "--out", str(out)]):
            return status
        seconds = round(processor_seconds() - started, 1) if is_new else 0.0
        made = msgspec.structs.replace(entry, quick="", seconds=seconds)
        made = store(own_folder(), made, out / AGENT_FILE)
        say(f"on your shelf: agent:{made.name}")
        return 0


def processor_seconds() -> float:
    """Of this process and of those that it has started and that have ended."""
    return sum(os.times()[:4])


def store(folder: Path, entry: Entry, source: Path) -> Entry:
    """Puts an agent on a shelf, in half of the bytes if it says so. Raises SpecError, OSError."""
    if not entry.is_float16:
        return put(folder, entry, source)
    with tempfile.TemporaryDirectory() as aside:
        half = Path(aside) / entry.file
        load_ntuple_agent(source).save(half, is_float16=True)
        return put(folder, entry, half)


@dataclass
class AgentsVerify:
    """Check the digests of all agents that are there."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym agents verify", "boardgym agents verify --shelf my/agents --json")

    shelf: ShelfName = ""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Prints a line for each. Returns 1 if one is damaged."""
        rows, is_wrong = [], False
        for shelf in shelves(self.shelf, is_fresh=True):
            for entry in shelf.agents.values():
                said = "right"
                try:
                    if not entry.is_made:
                        said = "not made here"
                    elif shelf.url and not shelf.path(entry).exists():
                        said = "not fetched"
                    else:
                        shelf.check(entry)
                except SpecError as error:
                    said, is_wrong = str(error), True
                rows.append({"agent": entry.name, "shelf": shelf.title, "sha256": entry.sha256, "digest": said})
        if self.json:
            print_json({"agents": rows})
        else:
            for row in rows:
                line = f"{row['agent']:24}{row['sha256'][:16] or '-':18}{row['shelf']}: {row['digest']}"
                terminal().print(printable(line), markup=False, soft_wrap=True)
        return 1 if is_wrong else 0


@dataclass
class AgentsAdd:
    """Put an agent of your own on a shelf: its file is copied there, and the catalogue says what it is.

    A folder with a catalogue may be given to others, or served over https: BOARDGYM_SHELF names it for all commands.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym agents add runs/noughts/agent.safetensors --name noughts --game TicTacToe --to my/agents",
        "boardgym agents add four.safetensors --name four --game ConnectFour --spec 'minimax:4,evaluation=ntuple:{file}'",
    )

    file: Positional[Annotated[Path, tyro.conf.arg(metavar="FILE")]]
    """What a training has left."""
    name: str
    """Small letters, digits and hyphens."""
    game: str
    """Id of the game."""
    spec: str = "file:{file}"
    """Of the policy that it is, with {file} in place of the file."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    to: Path | None = None
    """Folder of the shelf. None: your own."""
    about: str = ""
    """A sentence on it."""
    half: bool = False
    """Keep the weights of an n-tuple network with 16 bits, in half of the bytes."""

    def run(self) -> int:
        """Checks that it plays, and puts it there."""
        game, folder = load_game(self.game, self.option), self.to or own_folder()
        facts = {
            "name": self.name, "game": game.id, "options": plain_data(dict(game.options)), "spec": self.spec,
            "file": f"{self.name}.safetensors", "about": self.about, "is_float16": self.half,
        }  # fmt: skip
        entry = read_data(facts, Entry, UsageError, "an agent whose name has small letters, digits and hyphens")
        if not self.file.is_file():
            raise UsageError(f"no file {str(self.file)!r}; expected what a training has left")
        check_entry(entry, "this command")
        build_policy(spec_of(entry, self.file, Spec("agent", self.name)), game, seed=0, trust=False)
        made = store(folder, entry, self.file)
        say(f"in {folder}: agent:{made.name}, {made.size:,} bytes, SHA-256 {made.sha256}")
        if self.to is not None:
            say(f"{SHELF_VARIABLE}={shlex.quote(str(folder))} lets every command find it")
        return 0
