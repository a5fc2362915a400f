"""The positions of `answers.positions_test`: text files, one position a line, made by `python -m benchmarks.base_positions`.

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

from boardgym.core.board import Board
from boardgym.core.errors import NotationError, SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.games.card_points.rules import LOWEST, RANK_NAMES

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

    facts: the lines of its head; the package's own have "game", "options", "seed", "made by" and "source". layouts: position
    strings of the rows that its positions come from, for a game that begins with a deal. positions: in the order of the file.
    """

    facts: dict[str, str]
    layouts: tuple[str, ...]
    positions: tuple[BasePosition, ...]

    def groups(self) -> tuple[str, ...]:
        """The layout that each position comes from (the first, of several that it could); empty without layouts."""
        try:
            origin = {piece: layout for layout in reversed(self.layouts) for piece in pieces_of(layout)}
            return tuple(origin[left_of(known.fen)] for known in self.positions) if self.layouts else ()
        except (LookupError, ValueError):
            raise NotationError("a layout that is no row of CardPoints, or a position that comes from none of them") from None

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


Piece = tuple[int, tuple[str, ...], int]  # cards taken from the left, cards left, points of those taken


def pieces_of(layout: str) -> list[Piece]:
    """What may be left of a row of CardPoints. Raises ValueError for what is none."""
    cards = layout.split("|")[0].split()
    ranks = [LOWEST + RANK_NAMES.index(card) for card in cards]
    return [(first, tuple(cards[first:end]), sum(ranks[:first]) + sum(ranks[end:]))
            for first in range(len(cards)) for end in range(first + 1, len(cards) + 1)]  # fmt: skip


def left_of(fen: str) -> Piece:
    """What is left of a row in a position. Raises ValueError, IndexError for what is none."""
    row, points = fen.split("|")
    held = [(place, card) for place, card in enumerate(row.split()) if card != "."]
    return held[0][0], tuple(card for _, card in held), sum(map(int, points.split()[:2]))


def check_set(game: Game, known: BaseSet, name: str) -> None:
    """Checks positions before a policy is asked.

    Raises NotationError, which begins with name, unless there are any, all are positions of the game with the seat to play and
    all its legal actions, and each comes from one of the layouts, if there are layouts.
    """
    try:
        _check_set(game, known)
    except NotationError as error:
        raise NotationError(f"{name}: {error}") from None


def _check_set(game: Game, known: BaseSet) -> None:
    if not known.positions:
        raise NotationError("no positions; expected at least one")
    named = known.facts.get("game")
    if named not in (None, game.id):
        raise NotationError(f"positions of {named}, not of {game.id}")
    for position in known.positions:
        board = Board(game, position.fen, auto_roll=False)
        legal = [] if board.is_chance else board.legal_actions
        if not legal or board.to_play != position.seat or set(legal) != set(position.values):
            raise NotationError(
                f"{position.fen!r}: seat {position.seat}, values of {sorted(position.values)}; expected the "
                f"seat to play and its legal actions, {legal}"
            )
    known.groups()


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
                raise NotationError(
                    f"{name}, line {number}: right actions {right!r}, values {values!r}; expected a value of "
                    "every action, and at least one right one"
                )
            positions.append(position)
    return BaseSet(facts, tuple(layouts), tuple(positions))


def read_positions(path: Path) -> BaseSet:
    """The positions of a file. Raises NotationError for one that is none, SpecError for one that cannot be read."""
    try:
        return read_base_set(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise NotationError(f"{path}: not text; expected the first line '# {FORMAT}'") from None


def file_name(game_id: str, options: Mapping[str, Any]) -> str | None:
    """The name of a game's file, or None where it has none."""
    return FILES.get((game_id, tuple(sorted(options.items()))))


def base_set_of(game: Game) -> BaseSet:
    """The positions that the package has for a game. Raises UnsupportedGameError where it has none."""
    name = file_name(game.id, game.options)
    if name is None:
        known = ", ".join(f"{game_id} {dict(options)}" for game_id, options in FILES)
        raise UnsupportedGameError(f"there are no positions of {game.id} {dict(game.options)}; there are for {known}")
    return read_base_set((DATA / name).read_text(encoding="utf-8"), name)


def rows_of(game: Game) -> tuple[str, ...]:
    """Position strings of the fixed rows of CardPoints (8 or 12 cards), to train on and to test; empty for other games."""
    return base_set_of(game).layouts if file_name(game.id, game.options) is not None else ()
