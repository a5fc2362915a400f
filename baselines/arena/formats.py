"""The formats of records that files may have: which one a file is in, reading and writing any of them."""

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardgym.baselines.arena import game_file, transcripts
from boardgym.baselines.arena.record import GameRecord, read_json
from boardgym.baselines.arena.text_cursor import read_utf8
from boardgym.core.errors import BoardgymError, NotationError
from boardgym.core.files import write_aside
from boardgym.core.game import Game, get_game

STANDARD = "-"  # the standard input or output in place of a file


@dataclass(frozen=True)
class Format:
    """How records are kept.

    read: (text, or bytes if `is_binary`; the file's name; and the game where the file does not say it) -> records.
    write: record -> text, where it can be written. game: of which game they are; "": any, the file says which.
    """

    suffixes: tuple[str, ...]
    read: Callable[..., Iterator[GameRecord]]
    write: Callable[[GameRecord], str] | None
    game: str = ""
    is_binary: bool = False


FORMATS = {
    "game": Format((game_file.SUFFIX,), game_file.read_games, game_file.write_game),
    "json": Format((".jsonl", ".json"), read_json, lambda record: record.to_json() + "\n"),
    "othello": Format((".othello",), transcripts.read_othello, transcripts.write_moves, "Othello"),
    "connect4": Format((".connect4",), transcripts.read_connect4, transcripts.write_moves, "ConnectFour"),
    "mat": Format((".mat",), transcripts.read_mat, None, "Backgammon"),
    "wtb": Format((".wtb",), transcripts.read_wthor, None, "Othello", is_binary=True),
}


def by_suffix(path: str) -> str:
    """The name of the format that a file's suffix stands for; "" if it stands for none."""
    suffix = Path(path).suffix.lower()
    return next((name for name, known in FORMATS.items() if suffix in known.suffixes), "")


def suffixes() -> str:
    """The suffixes and what they stand for, for messages."""
    return ", ".join(f"{'/'.join(known.suffixes)} ({name})" for name, known in FORMATS.items())


def by_content(path: str, start: bytes) -> str:
    """The name of the format of a file that begins so. Raises NotationError if it is not plain."""
    first = start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if first in (b"[", b"{"):  # a comment in braces before the first tag would be taken for JSON
        return "game" if first == b"[" else "json"
    raise NotationError(
        f"{path}, line 1: neither the start of a game file nor JSON; files of other formats end in {suffixes()}"
    )


def read_records(path: str, name: str = "", game: Game | None = None) -> Iterator[GameRecord]:
    """The games of a file, "-" for the standard input, one by one: an error comes when reading gets there.

    Args:
        path: the file.
        name: of its format; "": by its suffix, or else by how it starts.
        game: for formats that do not say it; None: the format's own with its standard options.

    Raises:
        OSError: the file cannot be read.
        NotationError: it cannot be read as that format, or the format says its games itself, or is of another game.
    """
    data = sys.stdin.buffer.read() if path == STANDARD else Path(path).read_bytes()
    name = name or by_suffix(path) or by_content(path, data[:1000])
    known, shown = FORMATS[name], path if path != STANDARD else "standard input"
    read = known.read
    if known.game:
        game = get_game(known.game) if game is None else game
        if game.name != known.game:
            raise NotationError(f"{shown}: the format {name!r} is of {known.game}, not of {game.id}")
        read = functools.partial(read, game=game)
    elif game is not None:
        raise NotationError(f"{shown}: files of the format {name!r} say themselves which game they are of")
    yield from read(data, shown) if known.is_binary else read_utf8(data, shown, read)


def record_format(path: str) -> str:
    """The format of records that are appended to a file: a game file if its name says so, else lines of JSON.

    Raises: NotationError if the name says another format, as which the file would then be read.
    """
    name = by_suffix(path) or "json"
    if name not in ("game", "json"):
        raise NotationError(f"{path}: records are appended to files in .game or .jsonl; its suffix says {name!r}")
    return name


def as_text(record: GameRecord, path: str) -> str:
    """A record for the end of a file. Raises as `record_format`."""
    return FORMATS[record_format(path)].write(record)  # type: ignore[misc]


def write_records(records: Sequence[GameRecord], path: str, name: str = "") -> None:
    """Writes a file, aside and then renamed; "-" for the standard output. name: of the format; "": by the suffix.

    Raises:
        OSError: the file cannot be written.
        NotationError: the format cannot hold one of the records, or is read only.
    """
    name = name or by_suffix(path) or ("game" if path == STANDARD else "")
    if not name:
        raise NotationError(f"{path}: its suffix names no format; expected one of {suffixes()}")
    known, texts = FORMATS[name], []
    if known.write is None:
        can = ", ".join(name for name, known in FORMATS.items() if known.write)
        raise NotationError(f"{path}: files of the format {name!r} are only read; expected one of {can}")
    for number, record in enumerate(records, start=1):
        try:
            if known.game and get_game(record.game).name != known.game:
                raise NotationError(f"of {record.game}; the format {name!r} is of {known.game}")
            texts.append(known.write(record))
        except BoardgymError as error:
            raise NotationError(f"{path}, game {number}: {error}") from None
    content = "".join(texts).encode()
    if path == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)  # UTF-8, whatever the terminal's encoding
        sys.stdout.buffer.flush()
    else:
        write_aside(Path(path), content)
