"""What a board looks like, as data: pictures, text and overlays are made from it, whatever the game.

A drawing has spots, where pieces stand: each has a place in the picture and a character in the text board. `pieces` says
what stands on them; the backdrop is what lies beneath; the template is the text board without pieces.
"""

import functools
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardgym.core.places import NONE, Controls, Place, Way, places_at

CELL = 64.0  # units of a picture: the side of a cell
EDGE, LABELS, CORNER = 14.0, 34.0, 10.0  # margins of a grid, without and with files or ranks; radius of its corners
INK = "#5b6169"  # CSS: texts beside the board


@dataclass(frozen=True)
class Spot:
    """A place for a piece. x, y: its middle in the picture, in units. row, column: its character in the text board."""

    x: float
    y: float
    row: int
    column: int


@dataclass(frozen=True)
class Piece:
    """What stands on a spot.

    kind: "disc", "hole" (a disc seen through a round hole), "cross", "ring", "square", "card" (a card with its label),
    "die" (label: its pips, "1" to "6"), "label" (nothing but its label). colour: index into the drawing's colours.
    symbol: one character for the text board. label: digits and letters drawn on it.
    """

    kind: str
    colour: int
    symbol: str
    label: str = ""


@dataclass(frozen=True)
class Shape:
    """A part of the backdrop, in units of the picture.

    kind and numbers: "rect" x, y, width, height, corner radius; "circle" x, y, radius; "line" and "polygon" x, y, x, y, ...;
    "text" x, y of its middle, height of its digits. fill, stroke: roles of the drawing's palette, CSS colours or "none";
    width: of the stroke.
    """

    kind: str
    numbers: tuple[float, ...]
    fill: str = "none"
    stroke: str = "none"
    width: float = 0.0
    text: str = ""


def no_notes(position: Any) -> tuple[str, ...]:
    """The notes of a game that has none."""
    return ()


def no_spots(position: Any, action: int) -> tuple[int, ...]:
    """The spots of an action in a game that does not say."""
    return ()


Ends = tuple[int, int]  # two spots


def no_steps(position: Any, action: int) -> tuple[Ends, ...]:
    """The steps of an action in a game whose pieces do not step, or step alone."""
    return ()


def no_lines(position: Any) -> tuple[Ends, ...]:
    """The lines of a game that is not about lines."""
    return ()


@dataclass(frozen=True)
class Drawing:
    """What a board looks like.

    Attributes:
        size: width and height of the picture in units, CELL a cell.
        spots: where pieces stand.
        pieces: position -> for each spot a `Piece`, or None where it is empty.
        template: the lines of the text board; the characters at the spots say "empty", those beside a spot should be
            blanks, for the brackets that mark the last move.
        backdrop: what lies under the pieces.
        colours: CSS colours of the pieces; those of the seats come first.
        board_colour, line_colour: CSS colours, of the text board's background and of its empty spots.
        action_spots: (position, action) -> the indices of the spots it concerns, where the piece arrives last: for the
            overlays of legal moves and values. Empty for a pass.
        notes: position -> lines beside the board: counts, men in hand, dice, what has been captured.
        note_lines: how many lines the picture of a game with notes keeps free for them; more notes share a line.
        steps: (position, action) -> (from, to) of each piece that steps to a neighbouring spot, in their order along the
            line that they form; of a row that is pushed, its rear piece alone. Then the overlay of legal moves has an
            arrowhead beside each such piece in place of an arrow, and joins those of pieces that step at once.
        lines: position -> the ends of the lines that have won the game.
        winning: position -> the spots of the pieces that have won the game; by default those on the lines.
        shades: CSS colours of further roles that the backdrop names.
        controls: how people play on it.
    """

    size: tuple[float, float]
    spots: tuple[Spot, ...]
    pieces: Callable[[Any], Sequence[Piece | None]]
    template: tuple[str, ...]
    backdrop: tuple[Shape, ...]
    colours: tuple[str, ...]
    board_colour: str
    line_colour: str
    action_spots: Callable[[Any, int], tuple[int, ...]] = no_spots
    notes: Callable[[Any], tuple[str, ...]] = no_notes
    note_lines: int = 1
    steps: Callable[[Any, int], tuple[Ends, ...]] = no_steps
    lines: Callable[[Any], tuple[Ends, ...]] = no_lines
    winning: Callable[[Any], tuple[int, ...]] | None = None
    shades: Mapping[str, str] = field(default_factory=dict, hash=False)
    controls: Controls = field(default_factory=Controls)

    @functools.cached_property
    def palette(self) -> dict[str, str]:
        """The CSS colour of each role: "piece-0" and so on, "board", "line", "ink" for texts, and those of `shades`."""
        pieces = {f"piece-{index}": colour for index, colour in enumerate(self.colours)}
        return {**pieces, "board": self.board_colour, "line": self.line_colour, "ink": INK, **self.shades}

    def css(self, colour: str) -> str:
        """The CSS colour of a role; a colour of no role is one already."""
        return self.palette.get(colour, colour)

    @functools.cached_property
    def places(self) -> tuple[Place, ...]:
        """What people click; by default the part around each spot."""
        if self.controls.places is not None:
            return self.controls.places
        return places_at([(spot.x, spot.y) for spot in self.spots], self.controls.names, self.controls.place_size)

    @functools.cached_property
    def place_of_spot(self) -> tuple[int, ...]:
        """The index of each spot's place, -1 where it has none."""
        return self.controls.place_of_spot or tuple(range(len(self.spots)))

    def clicks(self, position: Any, action: int) -> tuple[Way, ...]:
        """The ways to click an action: see `Controls`. Empty if it has no place, as a pass."""
        if self.controls.clicks is not None:
            return self.controls.clicks(position, action)
        named = (self.place_of_spot[spot] for spot in self.action_spots(position, action))
        way = tuple(place for place, _ in itertools.groupby(place for place in named if place != NONE))
        return (way,) if way else ()

    def why_not(self, position: Any, places: Way) -> str:
        """What the game itself says of clicking places that play nothing, "" if it has nothing to add."""
        return "" if self.controls.why_not is None else self.controls.why_not(position, places)

    def winning_spots(self, position: Any, lines: Iterable[Ends]) -> list[int]:
        """The spots of the pieces that have won, ascending; empty while the game goes on, or where no piece shows it.

        lines: those of the position.
        """
        if self.winning is not None:
            return sorted(self.winning(position))
        found = {spot for ends in lines for spot in self._spots_between(*ends)}
        return sorted(found)

    def _spots_between(self, first: int, last: int) -> list[int]:
        """The spots on the straight line between two, which are among them."""
        a, b = self.spots[first], self.spots[last]
        length = math.hypot(b.x - a.x, b.y - a.y)
        return [
            index
            for index, spot in enumerate(self.spots)
            if math.hypot(spot.x - a.x, spot.y - a.y) + math.hypot(spot.x - b.x, spot.y - b.y) < length + 0.01
        ]

    def text(self, position: Any) -> list[str]:
        """The text board with its pieces, without colours or marks."""
        return ["".join(cell.character for cell in line).rstrip() for line in text_cells(self, position)]


@dataclass(frozen=True)
class TextCell:
    """A character of the text board.

    piece: what it shows, or brackets. is_spot: whether pieces stand here. is_mark: a bracket beside the last move.
    is_board: whether it lies on the board, not beside it as files and ranks do.
    """

    character: str
    piece: Piece | None = None
    is_spot: bool = False
    is_mark: bool = False
    is_board: bool = False


MARKABLE = " -|_/\\"  # characters beside a spot that brackets may replace


def text_cells(drawing: Drawing, position: Any, moved: Collection[int] = ()) -> list[list[TextCell]]:
    """The text board, line by line, for renderers to colour. moved: the spots that brackets mark, where there is room."""
    width = max(max(map(len, drawing.template)), 2 + max(spot.column for spot in drawing.spots))
    lines = [[TextCell(character) for character in line.ljust(width)] for line in drawing.template]
    inside: dict[int, list[int]] = {}  # of each line, the columns of its spots and of what is drawn between them
    for spot in drawing.spots:
        inside.setdefault(spot.row, []).append(spot.column)
    for row in range(min(inside), max(inside) + 1):
        is_drawn = [not cell.character.isalnum() and cell.character != " " for cell in lines[row]]
        columns = inside.get(row, []) + [column for column in range(width) if is_drawn[column]]
        for column in range(max(min(columns, default=1) - 1, 0), min(max(columns, default=-2) + 2, width)):
            lines[row][column] = TextCell(lines[row][column].character, is_board=True)
    for spot, piece in zip(drawing.spots, drawing.pieces(position), strict=True):
        character = lines[spot.row][spot.column].character if piece is None else piece.symbol
        lines[spot.row][spot.column] = TextCell(character, piece, is_spot=True, is_board=True)
    for index in sorted(moved):  # from left to right: an opening bracket replaces a closing one
        spot, piece = drawing.spots[index], lines[drawing.spots[index].row][drawing.spots[index].column].piece
        for column, bracket in ((spot.column - 1, "["), (spot.column + 1, "]")):
            cell = lines[spot.row][column] if column >= 0 else TextCell("")
            if not cell.is_spot and (cell.is_mark or (cell.character in MARKABLE and cell.character)):
                lines[spot.row][column] = TextCell(bracket, piece, is_mark=True, is_board=True)
    return lines
