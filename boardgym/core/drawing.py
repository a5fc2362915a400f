"""What a board looks like, as data: pictures, text and overlays are made from it, whatever the game.

A drawing has spots, where pieces stand: each has a place in the picture and a character in the text board. `pieces` says
what stands on them; the backdrop is what lies beneath; the template is the text board without pieces. `grid_drawing`
makes one for a board of rows and columns.
"""

import functools
import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from boardgym.core.notation import FILES
from boardgym.core.places import NONE, Controls, Place, Way, places_at, with_neighbours

CELL = 64.0  # units of a picture: the side of a cell
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
        """What people click; by default a circle around each spot."""
        if self.controls.places is not None:
            return self.controls.places
        return places_at([(spot.x, spot.y) for spot in self.spots], self.controls.names)

    @functools.cached_property
    def place_of_spot(self) -> tuple[int, ...]:
        """The index of each spot's place, -1 where it has none."""
        return self.controls.place_of_spot or tuple(range(len(self.spots)))

    def clicks(self, position: Any, action: int) -> tuple[Way, ...]:
        """The ways to click an action: see `Controls`. Empty if it has no place, as a pass."""
        if self.controls.clicks is not None:
            return self.controls.clicks(position, action)
        named = [self.place_of_spot[spot] for spot in self.action_spots(position, action)]
        way = tuple(place for place, _ in itertools.groupby(named) if place != NONE)
        return (way,) if way else ()

    def why_not(self, position: Any, places: Way) -> str:
        """What the game itself says of clicking places that play nothing, "" if it has nothing to add."""
        return "" if self.controls.why_not is None else self.controls.why_not(position, places)

    def winning_spots(self, position: Any) -> list[int]:
        """The spots on the lines that have won, ascending."""
        found = {spot for ends in self.lines(position) for spot in self._spots_between(*ends)}
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


EDGE, LABELS, CORNER = 14.0, 34.0, 10.0  # margins of a grid, without and with files or ranks; radius of its corners
KINDS = {"disc": ("disc", "disc"), "hole": ("hole", "hole"), "mark": ("cross", "ring", "square", "disc")}


def lines_in(cells: np.ndarray, length: int) -> list[Ends]:
    """The ends, as indices row by row, of the rows, columns and diagonals of at least `length` equal cells other than 0.

    cells: (rows, columns) of ints.
    """
    rows, columns = cells.shape
    found = []
    for down, across in ((0, 1), (1, -1), (1, 0), (1, 1)):

        def cell(row: int, column: int) -> int:
            return int(cells[row, column]) if 0 <= row < rows and 0 <= column < columns else 0

        for row, column in np.argwhere(cells).tolist():
            if cell(row - down, column - across) == cell(row, column):
                continue  # not the first of its line
            steps = 1
            while cell(row + steps * down, column + steps * across) == cell(row, column):
                steps += 1
            if steps >= length:
                last_row, last_column = row + (steps - 1) * down, column + (steps - 1) * across
                found.append((row * columns + column, last_row * columns + last_column))
    return found


def grid_drawing(
    shape: tuple[int, int],
    cells: Callable[[Any], np.ndarray],
    symbols: str,
    colours: tuple[str, ...],
    board_colour: str,
    line_colour: str,
    *,
    piece: str = "disc",
    first_rank_on_top: bool = False,
    column_names: str = FILES,
    has_ranks: bool = True,
    action_cells: Callable[[Any, int], tuple[tuple[int, int], ...]] | None = None,
    line_length: int | None = None,
    notes: Callable[[Any], tuple[str, ...]] = no_notes,
    by_column: bool = False,
    why_not: Callable[[Any, Way], str] | None = None,
    set_up: Callable[[np.ndarray, int], str] | None = None,
) -> Drawing:
    """The drawing of a board of rows and columns.

    Args:
        shape: (rows, columns) as drawn.
        cells: position -> int8 array of that shape, 0 empty, 1 + seat for a seat's piece.
        symbols: one character for empty, then one a seat.
        colours: CSS colours of the pieces, one a seat.
        board_colour: CSS.
        line_colour: CSS.
        piece: "disc", "mark" (crosses and rings), or "hole" (discs seen through round holes).
        first_rank_on_top: whether the ranks beside the board count downwards.
        column_names: one character a column.
        has_ranks: whether rows are numbered too.
        action_cells: (position, action) -> the (row, column) that it concerns, the target last.
        line_length: how many pieces in a line win; None where lines do not.
        notes: as in `Drawing`.
        by_column: whether people click columns, not cells.
        why_not: as in `Controls`.
        set_up: (cells, seat) -> the position string of such cells, int8 array of `shape`, with a seat to play; None: positions
            are set up by string alone.

    Returns:
        The drawing, for `Game.drawing`.

    Example:
        >>> import numpy as np
        >>> from boardgym import grid_drawing
        >>> drawing = grid_drawing((2, 3), np.array, ".xo", ("red", "blue"), "white", "grey")
        >>> for line in drawing.text([[1, 0, 0], [0, 2, 0]]):
        ...     print(line)
        2 x . .
        1 . o .
          a b c
    """
    rows, columns = shape
    left = LABELS if has_ranks else EDGE
    top, bottom = (LABELS, EDGE) if first_rank_on_top else (EDGE, LABELS)
    ranks = [str(row + 1 if first_rank_on_top else rows - row) if has_ranks else "" for row in range(rows)]
    digits = max(map(len, ranks))
    first = 1 if first_rank_on_top else 0  # the line of the files comes first or last
    spots = tuple(
        Spot(left + (column + 0.5) * CELL, top + (row + 0.5) * CELL, row + first, digits + 1 + 2 * column)
        for row in range(rows)
        for column in range(columns)
    )
    lines = [f"{rank:>{digits}} " + " ".join(symbols[0] * columns) + " " for rank in ranks]
    lines.insert(0 if first_rank_on_top else rows, " " * digits + "".join(f" {name}" for name in column_names[:columns]))
    width, height = columns * CELL, rows * CELL
    backdrop = [
        Shape("rect", (left - 3, top - 3, width + 6, height + 6, CORNER), "line"),
        Shape("rect", (left, top, width, height, CORNER - 3), "board"),
    ]
    if piece == "hole":
        backdrop += [Shape("circle", (spot.x, spot.y, 25.0), "hole", "line", 2.0) for spot in spots]
    else:
        across = [(left + k * CELL, top, left + k * CELL, top + height) for k in range(1, columns)]
        down = [(left, top + k * CELL, left + width, top + k * CELL) for k in range(1, rows)]
        backdrop += [Shape("line", ends, "none", "line", 2.5) for ends in across + down]
    label_y = LABELS / 2 - 1 if first_rank_on_top else top + height + LABELS / 2 + 1
    for column, name in enumerate(column_names[:columns]):
        backdrop.append(Shape("text", (left + (column + 0.5) * CELL, label_y, 15.0), "ink", text=name))
    for row, rank in enumerate(ranks):
        if rank:
            backdrop.append(Shape("text", (LABELS / 2 - 1, top + (row + 0.5) * CELL, 15.0), "ink", text=rank))
    kinds = KINDS[piece]
    men = [None, *(Piece(kinds[k % len(kinds)], k, symbols[k + 1]) for k in range(len(colours)))]

    def pieces(position: Any) -> Sequence[Piece | None]:
        return [men[k] for k in cells(position).flat]

    def action_spots(position: Any, action: int) -> tuple[int, ...]:
        concerned = () if action_cells is None else action_cells(position, action)
        return tuple(row * columns + column for row, column in concerned)

    def won_lines(position: Any) -> tuple[Ends, ...]:
        return () if line_length is None else tuple(lines_in(cells(position), line_length))

    def set_up_cells(kinds: Sequence[int], seat: int) -> str:
        return "" if set_up is None else set_up(np.array(kinds, np.int8).reshape(shape), seat)

    names = [f"{column_names[k % columns]}{ranks[k // columns]}" for k in range(rows * columns)]
    places = places_at([(spot.x, spot.y) for spot in spots], names, (CELL, CELL))
    if by_column:
        tops = places[:columns]
        whole = [
            replace(place, numbers=(*place.numbers[:3], height), middle=(place.middle[0], top + height / 2)) for place in tops
        ]
        places = with_neighbours([replace(place, name=column_names[k]) for k, place in enumerate(whole)])
    controls = Controls(
        places,
        place_of_spot=tuple(k % columns if by_column else k for k in range(rows * columns)),
        why_not=why_not,
        brush=tuple(man for man in men if man is not None),
        set_up=None if set_up is None else set_up_cells,
    )
    return Drawing(
        (left + width + EDGE, top + height + bottom),
        spots,
        pieces,
        tuple(lines),
        tuple(backdrop),
        colours,
        board_colour,
        line_colour,
        action_spots=action_spots,
        lines=won_lines,
        notes=notes,
        shades={"hole": "#eef2f8"} if piece == "hole" else {},
        controls=controls,
    )
