"""The positions of the base test: text files, one position a line, made by `python -m benchmarks.base_positions`.

A file begins with lines "# name: text" (what it is, its seed and the command that makes it; "layout" may stand several times),
then a line with the names of the columns; the columns are separated by tabs:

    position    position string
    seat        who is to play
    category    what the position asks for
    right       the right actions, separated by blanks
    values      action=value of every legal action, for the seat to play: 1 wins, 0 draws, -1 loses against best play
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.core.errors import NotationError, UnsupportedGameError
from boardgym.core.game import Game

DATA = Path(__file__).resolve().parent / "data"
FORMAT = "boardgym base positions, version 1"
COLUMNS = ("position", "seat", "category", "right", "values")
FILES = {  # (game, options) -> name in DATA
    ("ConnectFour-v0", (("height", 6), ("width", 7))): "connect-four-7x6.tsv",
    ("CardPoints-v0", (("n_cards", 8),)): "card-points-8.tsv",
    ("CardPoints-v0", (("n_cards", 12),)): "card-points-12.tsv",
}


@dataclass(frozen=True)
class BasePosition:
    """A position with its right actions. values: action -> 1, 0 or -1 for `seat`, which is to play, of every legal action."""

    fen: str
    seat: int
    category: str
    right: tuple[int, ...]
    values: dict[int, int]


@dataclass(frozen=True)
class BaseSet:
    """A file's positions.

    facts: the lines of its head, "game" and "seed" among them. layouts: position strings of the rows that its positions come
    from, for a game that begins with a deal. positions: in the order of the file.
    """

    facts: dict[str, str]
    layouts: tuple[str, ...]
    positions: tuple[BasePosition, ...]

    def to_text(self) -> str:
        """The file."""
        lines = [f"# {FORMAT}", *(f"# {name}: {text}" for name, text in self.facts.items())]
        lines += [f"# layout: {layout}" for layout in self.layouts]
        lines.append("\t".join(COLUMNS))
        for known in self.positions:
            right = " ".join(map(str, known.right))
            values = " ".join(f"{action}={value}" for action, value in known.values.items())
            lines.append("\t".join((known.fen, str(known.seat), known.category, right, values)))
        return "\n".join(lines) + "\n"


def read_base_set(text: str, name: str) -> BaseSet:
    """The positions of a file's text. name: of the file, for messages. Raises NotationError naming the line."""
    facts: dict[str, str] = {}
    layouts: list[str] = []
    positions: list[BasePosition] = []
    lines = text.splitlines()
    if not lines or lines[0] != f"# {FORMAT}":
        raise NotationError(f"{name}: expected the first line '# {FORMAT}'")
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("# "):
            key, _, fact = line[2:].partition(": ")
            if key == "layout":
                layouts.append(fact)
            else:
                facts[key] = fact
        elif line != "\t".join(COLUMNS):
            try:
                fen, seat, category, right, values = line.split("\t")
                pairs = (part.partition("=") for part in values.split())
                known = {int(action): int(value) for action, _, value in pairs}
                position = BasePosition(fen, int(seat), category, tuple(map(int, right.split())), known)
            except ValueError:
                raise NotationError(f"{name}, line {number}: {line!r}; expected {', '.join(COLUMNS)}, between tabs") from None
            if not position.right or not set(position.right) <= set(known):
                raise NotationError(f"{name}, line {number}: right actions {right!r}, values {values!r}; expected a value of "
                                    "every action, and at least one right one")  # fmt: skip
            positions.append(position)
    return BaseSet(facts, tuple(layouts), tuple(positions))


def file_name(game_id: str, options: Mapping[str, Any]) -> str | None:
    """The name of a game's file, or None where it has none."""
    return FILES.get((game_id, tuple(sorted(options.items()))))


def base_set_of(game: Game) -> BaseSet:
    """The positions that the package has for a game. Raises UnsupportedGameError where it has none."""
    name = file_name(game.id, game.options)
    if name is None:
        known = ", ".join(f"{game_id} {dict(options)}" for game_id, options in FILES)
        raise UnsupportedGameError(f"there are no positions for a base test of {game.id} {dict(game.options)}; there are for "
                                   f"{known}")  # fmt: skip
    return read_base_set((DATA / name).read_text(encoding="utf-8"), name)
