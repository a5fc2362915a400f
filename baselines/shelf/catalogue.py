"""What a shelf says of its agents: `agents.json`, a file of plain data that may be a stranger's.

An agent is a file and a spec in which {file} stands in its place. A spec may name searches and files of the project's own
formats, and nothing that runs a program or code from a file; it may name no other file than the agent's.
"""

import re
from pathlib import Path
from typing import Annotated, Any

import msgspec

from boardgym.baselines.typed_json import read_versioned
from boardgym.core.errors import SpecError, nearest
from boardgym.core.escape import shown
from boardgym.core.files import write_aside
from boardgym.core.policy_spec import PATH_SPECS, Spec, parse_spec

FORMAT, FORMAT_VERSION = "boardgym agents", 1
CATALOGUE = "agents.json"
FILE = "{file}"  # in a spec, in place of the agent's file
MOST_CATALOGUE = 1 << 20  # bytes
MOST_FILE = 1 << 29
SEARCHES = ("minimax", "expectiminimax", "maxn", "uct", "puct")
KINDS = ("random", "greedy", *SEARCHES, "epsilon", "slip", "mix", "file", "ntuple", "network")
OWN_FILE = f"ntuple:{FILE}"  # the one value of evaluation= that names a file
SETTING = re.compile(r"[\w.+-]{0,40}", re.ASCII)

Name = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", max_length=60)]
FileName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9][a-z0-9-]*\.safetensors\Z", max_length=100)]
Digest = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
Text = Annotated[str, msgspec.Meta(max_length=1000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class Measured(msgspec.Struct, frozen=True):
    """What an agent scored. score, low, high: the share of the points, a draw a half, and its interval of 95 %."""

    opponent: Text
    games: Count
    won: Count
    drawn: Count
    lost: Count
    score: Share
    low: Share
    high: Share
    command: Text


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An agent of a shelf.

    Attributes:
        name: after `agent:`.
        game, options: that it plays, its id and all of its rule options.
        spec: of the policy that it is, with {file} in place of the file.
        file: its name, in the folder of the shelf. sha256: of its bytes; empty: it has not been made. size: in bytes.
        about: a sentence.
        command: that makes the file, empty if none is recorded.
        quick: options that make the command a short one, to try it.
        is_float16: whether its weights are kept with 16 bits.
        seeds: of the trainings. seconds: of processor time that they took, 0 where that is not known.
        measured: what it scored.
    """

    name: Name
    game: Text
    options: dict[Text, bool | int | float | Text] = {}
    spec: Text
    file: FileName
    sha256: Digest = ""
    size: Annotated[int, msgspec.Meta(ge=0, le=MOST_FILE)] = 0
    about: Text = ""
    command: Text = ""
    quick: Text = ""
    is_float16: bool = False
    seeds: tuple[Count, ...] = ()
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=1e9)] = 0.0
    measured: tuple[Measured, ...] = ()

    @property
    def own_file(self) -> str:
        """A name for its file that no other agent has, and no other file of this one."""
        return f"{self.name}-{self.sha256[:12]}.safetensors"

    @property
    def is_made(self) -> bool:
        """Whether it has a file."""
        return bool(self.sha256)


class Catalogue(msgspec.Struct):
    """All agents of a shelf."""

    format: str
    format_version: int
    agents: Annotated[list[Entry], msgspec.Meta(max_length=1000)]


def read_catalogue(path: Path, where: str) -> dict[str, Entry]:
    """The agents of a shelf by their names; none if there is no file. Raises SpecError as `parse_catalogue`."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_CATALOGUE + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror}") from None
    return parse_catalogue(content, where)


def parse_catalogue(content: bytes, where: str) -> dict[str, Entry]:
    """The agents of a catalogue by their names. where: the shelf, for messages.

    Raises SpecError for what is no catalogue or is too large, for an agent or a file named twice, for a spec that may not be.
    """
    if len(content) > MOST_CATALOGUE:
        raise SpecError(f"{where}: more than {MOST_CATALOGUE:,} bytes; expected the catalogue of a shelf of agents")
    expected = f"the catalogue of a shelf of agents in {where}"
    found = read_versioned(content, Catalogue, FORMAT, FORMAT_VERSION, SpecError, expected)
    entries: dict[str, Entry] = {}
    files = set[str]()
    for entry in found.agents:
        if entry.name in entries:
            raise SpecError(f"{where}: two agents are called {entry.name!r}")
        if entry.file in files:
            raise SpecError(f"{where}: two agents have the file {entry.file!r}")
        files.add(entry.file)
        check_entry(entry, where)
        entries[entry.name] = entry
    return entries


def write_catalogue(path: Path, entries: dict[str, Entry]) -> None:
    """Writes the agents of a shelf, in the order of their names. Raises OSError."""
    agents = [entries[name] for name in sorted(entries)]
    content = msgspec.json.encode({"format": FORMAT, "format_version": FORMAT_VERSION, "agents": [plain(it) for it in agents]})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, msgspec.json.format(content, indent=2) + b"\n", is_durable=True)


def plain(entry: Entry) -> dict[str, Any]:
    """An agent as plain data."""
    found: dict[str, Any] = msgspec.to_builtins(entry)
    return found


def check_entry(entry: Entry, where: str) -> None:
    """Raises SpecError for a spec that no shelf may have."""
    try:
        check_spec(parse_spec(entry.spec))
    except SpecError as error:
        raise SpecError(f"{where}: agent {entry.name!r}: {error}") from None


def check_spec(spec: Spec) -> None:
    """Raises SpecError for a spec that may run a program, or names other files than {file}, or none of its kind."""
    if spec.name not in KINDS:
        raise SpecError(f"{shown(spec.text)!r}: a shelf may not name {shown(spec.name)!r}; {nearest(spec.name, KINDS)}")
    if spec.name in PATH_SPECS:
        if spec.argument != FILE:
            raise SpecError(f"{shown(spec.text)!r}: expected {spec.name}:{FILE}; an agent's spec names no other file")
        return
    for key, value in (("", spec.argument), *spec.keywords.items()):
        if not SETTING.fullmatch(value) and (key, value) != ("evaluation", OWN_FILE):
            raise SpecError(f"{shown(spec.text)!r}: {shown(value)!r}; expected a number, a word, or evaluation={OWN_FILE}")
    for part in spec.inner:
        check_spec(part)
