"""Boards as SVG: from a game's drawing, with the last move marked. No fonts, no ids, numbers only.

A picture is made of parts in layers, each part a complete element that depends on its spot alone, so that an animation can
show the parts that two frames share once.
"""

import math
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from boardgym.core.board import Board
from boardgym.core.board_summary import drawing_of, moved_spots, standing, status, winning_seats
from boardgym.core.drawing import CELL, INK, Drawing, Piece, Shape, Spot, no_notes
from boardgym.render.glyphs import width_of, write
from boardgym.render.overlays import legal_marks, value_marks
from boardgym.render.style import DARK, LIGHT, MARK, PAGE, box, circle, ink_on, text_size, towards

LINE_SPACING = 1.8
EDGE = 12.0  # units that texts keep from the sides
PIPS = {  # of a die's faces, in thirds of the way to its sides
    "1": "e", "2": "ai", "3": "aei", "4": "acgi", "5": "acegi", "6": "acdfgi",
}  # fmt: skip


class Svg(str):
    """An SVG document, which notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)


Part = tuple[int, str]  # its layer and the SVG
UNDER, PIECE, LINE, OVER, ABOVE_ALL = range(5)


def draw_svg(board: Board, *, width: int | None = None, legal: bool = False, values: Mapping[int, float] | None = None) -> str:
    """The board as an SVG document, of the same size for every position of a game.

    Below the board stands who is to play, or how the game ended; then the notes.

    Args:
        board: what to draw.
        width: in pixels; None takes 64 a cell.
        legal: whether to mark the legal actions.
        values: action -> its value, as in the `action_values` of an `Analysis`, written where the actions lead.

    Raises: OptionError if the game has no drawing.
    """
    drawing = drawing_of(board)
    parts = [part for _, part in sorted(board_parts(board), key=lambda part: part[0])]
    overlays = (legal_marks(board) if legal else []) + value_marks(board, values or {})
    return Svg("".join([*head(board, width), *background(drawing), *parts, *overlays, "</svg>"]))


def page_size(drawing: Drawing) -> tuple[float, float]:
    """Width and height of the picture in units, the lines below the board included: even, as videos have them."""
    width, height = drawing.size
    num_lines = 1 + (0 if drawing.notes is no_notes else drawing.note_lines)
    height += text_size(drawing) * (LINE_SPACING * num_lines + 0.3)  # for the tails of letters
    return 2.0 * math.ceil(width / 2), 2.0 * math.ceil(height / 2)


def head(board: Board, width: int | None) -> list[str]:
    """The opening tag, the title and the page."""
    wide, high = page_size(drawing_of(board))
    pixels_wide = wide if width is None else width
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels_wide:g}" height="{pixels_wide * high / wide:g}" '
        f'viewBox="0 0 {wide:g} {high:g}" role="img">',
        f"<title>{escape(f'{board.game.title}: {status(board)}')}</title>",
        f'<rect width="{wide:g}" height="{high:g}" fill="{PAGE}"/>',
    ]


def background(drawing: Drawing) -> list[str]:
    """What is the same in all pictures of a game."""
    return [_shape(shape, drawing.css(shape.fill), drawing.css(shape.stroke)) for shape in drawing.backdrop]


def board_parts(board: Board) -> list[Part]:
    """What a position adds to the background: pieces, marks of the last move, the lines that won, the texts below."""
    drawing, moved = drawing_of(board), moved_spots(board)
    parts: list[Part] = []
    for index, (spot, piece) in enumerate(zip(drawing.spots, drawing.pieces(board.position), strict=True)):
        if index in moved:
            parts.append(_mark(piece, spot.x, spot.y))
        if piece is not None:
            parts.append((PIECE, _piece(piece, drawing.colours[piece.colour], spot.x, spot.y)))
    for first, last in drawing.lines(board.position):
        parts.append((LINE, _won_line(drawing.spots[first], drawing.spots[last])))
    parts.append((ABOVE_ALL, _standing(board)))
    parts.extend((ABOVE_ALL, note) for note in _notes(drawing, drawing.notes(board.position)))
    return parts


def _standing(board: Board) -> str:
    """Who is to play or has won, with a disc in that seat's colour, or how else the game stands."""
    drawing, text = drawing_of(board), standing(board)
    seats = winning_seats(board) if board.is_terminal else [board.to_play]
    is_one = len(seats) == 1 and 0 <= seats[0] < len(drawing.colours)
    size, y = text_size(drawing), _middle_of_line(drawing, 0)
    disc = 2.1 * size if is_one else 0.0  # its room
    room = drawing.size[0] - 2 * EDGE - disc
    middle = (drawing.size[0] + disc) / 2
    parts = write(text, middle, y, size=size, colour=DARK, room=room, weight=1.0)
    if is_one:
        x = middle - min(width_of(text, size), room) / 2 - 1.4 * size
        fill = f"fill={quoteattr(drawing.colours[seats[0]])}"
        parts += circle(x, y, 0.65 * size, f'{fill} stroke="#000000" stroke-opacity="0.5" stroke-width="1.5"')
    return f"<g>{parts}</g>"


def _notes(drawing: Drawing, notes: tuple[str, ...]) -> list[str]:
    """The notes; if they are more than the lines kept free for them, some share a line."""
    share = max(math.ceil(len(notes) / max(drawing.note_lines, 1)), 1)
    lines = ["   ".join(notes[first : first + share]) for first in range(0, len(notes), share)]
    size, width = text_size(drawing), drawing.size[0]
    return [
        write(line, width / 2, _middle_of_line(drawing, 1 + k), size=size, colour=INK, room=width - 2 * EDGE)
        for k, line in enumerate(lines)
    ]


def _middle_of_line(drawing: Drawing, line: int) -> float:
    """The y of a line of text below the board, counted from 0."""
    size = text_size(drawing)
    return drawing.size[1] + LINE_SPACING * size * (line + 0.5)


def _won_line(first: Spot, last: Spot) -> str:
    """A line across the pieces that won, from beyond the first to beyond the last."""
    across, down = towards(first, last)
    ends = f"M{first.x - 22 * across:.2f} {first.y - 22 * down:.2f}L{last.x + 22 * across:.2f} {last.y + 22 * down:.2f}"
    return (  # the light edge makes it stand out from dark pieces
        f'<g fill="none" stroke-linecap="round"><path d="{ends}" stroke="{LIGHT}" stroke-width="12"/>'
        f'<path d="{ends}" stroke="{DARK}" stroke-width="7"/></g>'
    )


def _shape(shape: Shape, fill: str, stroke: str) -> str:
    """A part of the backdrop. fill, stroke: CSS."""
    style = f"fill={quoteattr(fill)}"
    if stroke != "none":
        style += f' stroke={quoteattr(stroke)} stroke-width="{shape.width:g}" stroke-linejoin="round"'
    if shape.kind == "text":
        middle_x, middle_y, size = shape.numbers
        return write(shape.text, middle_x, middle_y, size=size, colour=fill)
    if shape.kind == "circle":
        middle_x, middle_y, radius = shape.numbers
        return circle(middle_x, middle_y, radius, style)
    numbers = [f"{number:g}" for number in shape.numbers]
    if shape.kind == "rect":
        x, y, width, height, corner = numbers
        return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}" {style}/>'
    if shape.kind in ("line", "polygon"):
        points = " ".join(f"{x},{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True))
        return f'<poly{"line" if shape.kind == "line" else "gon"} points="{points}" {style}/>'
    raise ValueError(f"a shape of kind {shape.kind!r}; expected rect, circle, line, polygon or text")


def _mark(piece: Piece | None, x: float, y: float) -> Part:
    """The mark of the last move, on a disc or card, around other pieces, a ring where the spot is now empty."""
    if piece is None:
        return UNDER, circle(x, y, 15, f'fill="none" stroke="{MARK}" stroke-opacity="0.75" stroke-width="3"')
    if piece.kind in ("disc", "hole") and not piece.label:
        return OVER, circle(x, y, 6.5, f'fill="{MARK}" stroke="#ffffff" stroke-width="2"')
    if piece.kind in ("disc", "hole"):
        return OVER, circle(x, y, 27, f'fill="none" stroke="{MARK}" stroke-width="3.5"')
    if piece.kind == "card":
        return OVER, box(x, y, 23.5, 33.5, 7.5, f'fill="none" stroke="{MARK}" stroke-width="3.5"')
    return UNDER, box(x, y, CELL / 2 - 5, CELL / 2 - 5, 6, f'fill="{MARK}" fill-opacity="0.16"')


def _piece(piece: Piece, colour: str, x: float, y: float) -> str:
    """A piece with its label."""
    paint, kind = quoteattr(colour), piece.kind
    stroke = f'fill="none" stroke={paint} stroke-width="7.5" stroke-linecap="round" stroke-linejoin="round"'
    label_colour, room, size = colour, 36.0, 20.0
    if kind in ("disc", "hole"):
        shape = circle(
            x, y, 25 if kind == "hole" else 26, f'fill={paint} stroke="#000000" stroke-opacity="0.35" stroke-width="2"'
        )
        shape += circle(x, y, 17.5, 'fill="none" stroke="#808080" stroke-opacity="0.28" stroke-width="2.5"')
        label_colour = ink_on(colour)
    elif kind == "cross":
        shape = f'<path d="M{x - 15:g} {y - 15:g}l30 30m0 -30l-30 30" {stroke}/>'
    elif kind == "ring":
        shape = circle(x, y, 17, stroke)
    elif kind == "square":
        shape = box(x, y, 15, 15, 0, stroke)
    elif kind == "card":  # without a label, its back
        face = "#fdfcf8" if piece.label else colour
        shape = box(x, y, 22, 32, 6, f'fill={quoteattr(face)} stroke="#3c3f45" stroke-width="1.5"')
        if not piece.label:
            shape += box(x, y, 16, 26, 3, 'fill="none" stroke="#ffffff" stroke-opacity="0.7" stroke-width="2"')
        size, room = 24.0, 29.0
    elif kind == "die":
        shape = box(x, y, 19, 19, 6, f'fill={paint} stroke="#000000" stroke-opacity="0.45" stroke-width="1.5"')
        for pip in PIPS.get(piece.label, ""):
            down, across = divmod(ord(pip) - ord("a"), 3)
            shape += circle(x + 11 * (across - 1), y + 11 * (down - 1), 3.7, f'fill="{ink_on(colour)}"')
    elif kind == "label":
        shape, size, room = "", 22.0, 56.0
    else:
        raise ValueError(f"a piece of kind {kind!r}; expected disc, hole, cross, ring, square, card, die or label")
    if not piece.label or kind == "die":
        return f"<g>{shape}</g>"
    return f"<g>{shape}{write(piece.label, x, y, size=size, colour=label_colour, room=room, weight=0.95)}</g>"
