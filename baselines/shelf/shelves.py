"""The shelves that there are, and the agents on them.

An agent is looked for on the shelf of the user's data folder first, which `boardgym agents train` writes, then on that of the
package, then on the one that BOARDGYM_SHELF names, a folder or an address of https.
"""

import contextlib
import hashlib
import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
from platformdirs import user_data_dir

from boardgym.baselines.shelf.catalogue import (
    CATALOGUE,
    MOST_CATALOGUE,
    MOST_FILE,
    Entry,
    check_entry,
    parse_catalogue,
    read_catalogue,
    write_catalogue,
)
from boardgym.baselines.shelf.remote import fetch, is_address, kept_folder
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import SpecError, nearest
from boardgym.core.escape import shown
from boardgym.core.files import write_aside
from boardgym.core.game import Game
from boardgym.core.locks import in_turn

AGENTS_VARIABLE, SHELF_VARIABLE = "BOARDGYM_AGENTS", "BOARDGYM_SHELF"
SHIPPED = Path(__file__).parent / "data"
PACKAGE, YOURS = "package", "yours"


@dataclass(frozen=True)
class Shelf:
    """A folder of agents with a catalogue.

    Attributes:
        title: "package", "yours", or what the user has named.
        folder: where the files are. url: where they are read from when they are not there; empty: nowhere.
        agents: by name.
    """

    title: str
    folder: Path
    agents: dict[str, Entry]
    url: str = ""

    def path(self, entry: Entry) -> Path:
        """Where an agent's file is, or will be."""
        return self.folder / (entry.own_file if self.url else entry.file)

    def file_of(self, entry: Entry) -> Path:
        """An agent's file, fetched if it is elsewhere, its digest checked. Raises SpecError: not made, not there, damaged."""
        if not entry.is_made:
            raise SpecError(f"agent {entry.name!r} has not been made here; boardgym agents train {entry.name} makes it")
        path = self.path(entry)
        if self.url and not path.exists():
            write_aside(path, fetch(f"{self.url}/{entry.file}", most=entry.size, sha256=entry.sha256))
        self.check(entry)
        return path

    def check(self, entry: Entry) -> None:
        """Raises SpecError if the file is not there, or is another than the catalogue says."""
        path = self.path(entry)
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                digest = hashlib.file_digest(file, "sha256").hexdigest() if size == entry.size else ""
        except FileNotFoundError:
            raise SpecError(f"{path}: the file of agent {entry.name!r} is not there; {self.advice(entry)}") from None
        except OSError as error:
            raise SpecError(f"{path}: {error.strerror}; {self.advice(entry)}") from None
        if size != entry.size:
            raise SpecError(f"{path}: {size:,} bytes, expected {entry.size:,}: it was damaged or changed; {self.advice(entry)}")
        if digest != entry.sha256:
            raise SpecError(f"{path}: SHA-256 {digest}, expected {entry.sha256}: it was changed; {self.advice(entry)}")

    def advice(self, entry: Entry) -> str:
        """What to do about a file that cannot be used."""
        if self.title == PACKAGE:
            return "install boardgym again"
        if self.url:
            return "delete it, and it is fetched again"
        return f"put it on the shelf again (boardgym agents {'train' if self.title == YOURS and entry.command else 'add'})"


def own_folder() -> Path:
    """Where the user's own agents lie: the folder that BOARDGYM_AGENTS names, else `boardgym/agents` in the data folder."""
    named = os.environ.get(AGENTS_VARIABLE)
    return Path(named) if named else Path(user_data_dir(appname="boardgym", appauthor=False)) / "agents"


def open_shelf(named: str, *, is_fresh: bool = False) -> Shelf:
    """A shelf of a stranger's or of the user's own: a folder, or an address of https.

    is_fresh: whether to read the catalogue of an address again that was read before. Raises SpecError.
    """
    if not is_address(named):
        folder = Path(named)
        if not (folder / CATALOGUE).is_file():
            raise SpecError(f"shelf {named!r}: no file {CATALOGUE} there; expected a folder that boardgym agents add has made")
        return Shelf(named, folder, read_catalogue(folder / CATALOGUE, named))
    if "?" in named or "#" in named:
        raise SpecError(f"shelf {shown(named)!r}: expected an address without ? and #; /{CATALOGUE} is put after it")
    url, folder = named.rstrip("/"), kept_folder(named.rstrip("/"))
    if is_fresh or not (folder / CATALOGUE).is_file():
        try:
            content = fetch(f"{url}/{CATALOGUE}", most=MOST_CATALOGUE)
        except SpecError as error:
            if not (folder / CATALOGUE).is_file():
                raise
            warnings.warn(f"{error}; the catalogue of an earlier time is taken", RuntimeWarning, stacklevel=2)
        else:
            keep(folder, content, parse_catalogue(content, named))
    return Shelf(named, folder, read_catalogue(folder / CATALOGUE, named), url)


def keep(folder: Path, content: bytes, agents: dict[str, Entry]) -> None:
    """Keeps a catalogue that was fetched, and deletes the files that it does not name. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_aside(folder / CATALOGUE, content)
    for name in {path.name for path in folder.glob("*.safetensors")} - {entry.own_file for entry in agents.values()}:
        with contextlib.suppress(OSError):  # Windows deletes no open file
            (folder / name).unlink()


def renewed(shelf: Shelf, entry: Entry) -> tuple[Shelf, Entry] | None:
    """An agent as the catalogue of its shelf has it now; None if that is as it was. Raises SpecError."""
    if shelf.title == PACKAGE:
        return None
    again = own_shelf() if shelf.title == YOURS else open_shelf(shelf.title, is_fresh=True)
    new = again.agents.get(entry.name)
    return None if new is None or new == entry else (again, new)


def own_shelf() -> Shelf:
    """The user's own, which may be empty. Raises SpecError."""
    own = own_folder()
    try:
        return Shelf(YOURS, own, read_catalogue(own / CATALOGUE, str(own)))
    except SpecError as error:
        raise SpecError(f"{own / CATALOGUE}: {error}; mend it or delete it") from None


def package_shelf() -> Shelf:
    """The package's. Raises SpecError."""
    return Shelf(PACKAGE, SHIPPED, read_catalogue(SHIPPED / CATALOGUE, "the package"))


def shelves(named: str = "", *, is_fresh: bool = False) -> Iterator[Shelf]:
    """All shelves, in the order in which an agent is looked for; each is read when it is come to.

    named: in place of BOARDGYM_SHELF. is_fresh: as of `open_shelf`. The user's own is left out with a warning if its catalogue
    cannot be read. Raises SpecError.
    """
    try:
        own = own_shelf()
    except SpecError as error:
        warnings.warn(f"{error}; your own agents are left out", RuntimeWarning, stacklevel=2)
    else:
        yield own
    yield package_shelf()
    if other := named or os.environ.get(SHELF_VARIABLE, ""):
        yield open_shelf(other, is_fresh=is_fresh)


def find_agent(name: str, among: Iterable[Shelf]) -> tuple[Shelf, Entry]:
    """The first agent of a name, one that has a file before one that has none. Raises SpecError naming the nearest."""
    unmade, known = [], set[str]()
    for shelf in among:
        if (entry := shelf.agents.get(name)) is not None:
            if entry.is_made:
                return shelf, entry
            unmade.append((shelf, entry))
        known.update(shelf.agents)
    if not unmade:
        raise SpecError(f"no agent is called {shown(name)!r}; {nearest(shown(name), known)}")
    return unmade[0]


def plays(entry: Entry, game: Game) -> bool:
    """Whether an agent is for a game with its rule options."""
    return (entry.game, entry.options) == (game.id, plain_data(dict(game.options)))


def put(folder: Path, entry: Entry, source: Path) -> Entry:
    """Puts an agent on the shelf of a folder, in place of one of the same name. source: its file.

    The file is there before the catalogue names it, and the old one until it does not. An entry that has the digest of another
    file loses what that one scored.

    Returns it with its digest. Raises SpecError for a spec that no shelf may have, or a file that is too large; OSError.
    """
    check_entry(entry, str(folder))
    if (size := source.stat().st_size) > MOST_FILE:
        raise SpecError(f"{source}: {size:,} bytes; expected at most {MOST_FILE:,}")
    content = source.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    measured = entry.measured if entry.sha256 in ("", digest) else ()
    made = msgspec.structs.replace(entry, sha256=digest, size=len(content), measured=measured)
    made = msgspec.structs.replace(made, file=made.own_file)
    folder.mkdir(parents=True, exist_ok=True)
    with in_turn(folder / "agents.lock", lambda: None):
        before = read_catalogue(folder / CATALOGUE, str(folder))
        write_aside(folder / made.file, content, is_durable=True)
        write_catalogue(folder / CATALOGUE, {**before, made.name: made})
        old = before.get(made.name)
        if old is not None and old.file != made.file:
            (folder / old.file).unlink(missing_ok=True)
    return made
