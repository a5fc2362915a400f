"""Boards as SVG: from a game's drawing, with the last move marked. No fonts, no ids, numbers only.

A picture is made of parts in layers, each part a complete element that depends on its spot alone, so that an animation can
show the parts that two frames share once.
"""

import math
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from boardgym.core.board import Board
from boardgym.core.describing import drawing_of, moved_spots, status
from boardgym.core.drawing import CELL, INK, Drawing, Piece, Shape, no_notes
from boardgym.render.glyphs import write
from boardgym.render.overlays import legal_marks, value_marks
from boardgym.render.style import MARK, PAGE, circle, ink_on

NOTE_HEIGHT, NOTE_SIZE = 26.0, 14.0  # units: a line below the board, its digits
PIPS = {  # of a die's faces, in thirds of the way to its sides
    "1": "e", "2": "ai", "3": "aei", "4": "acgi", "5": "acegi", "6": "acdfgi",
}  # fmt: skip


class Svg(str):
    """An SVG document, which notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)


Part = tuple[int, str]  # its layer and the SVG
UNDER, PIECE, OVER, ABOVE_ALL = range(4)


def draw_svg(board: Board, *, width: int | None = None, legal: bool = False, values: Mapping[int, float] | None = None) -> str:
    """The board as an SVG document, of the same size for every position of a game.

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
    """Width and height of the picture in units, the lines of notes included."""
    width, height = drawing.size
    return width, height + (0 if drawing.notes is no_notes else drawing.note_lines * NOTE_HEIGHT)


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
    return [_shape(shape) for shape in drawing.backdrop]


def board_parts(board: Board) -> list[Part]:
    """What a position adds to the background: pieces, marks of the last move, notes."""
    drawing, moved = drawing_of(board), moved_spots(board)
    parts: list[Part] = []
    for index, (spot, piece) in enumerate(zip(drawing.spots, drawing.pieces(board.position), strict=True)):
        if index in moved:
            parts.append(_mark(piece, spot.x, spot.y))
        if piece is not None:
            parts.append((PIECE, _piece(piece, drawing.colours[piece.colour], spot.x, spot.y)))
    if drawing.notes is not no_notes:
        parts.extend((ABOVE_ALL, part) for part in _notes(drawing, drawing.notes(board.position)))
    return parts


def _notes(drawing: Drawing, notes: tuple[str, ...]) -> list[str]:
    """The notes below the board; if they are more than the lines kept free for them, some share a line."""
    share = max(math.ceil(len(notes) / max(drawing.note_lines, 1)), 1)
    lines = ["   ".join(notes[first : first + share]) for first in range(0, len(notes), share)]
    width, height = drawing.size
    middles = [height + (line + 0.5) * NOTE_HEIGHT - 5 for line in range(len(lines))]
    return [
        write(line, width / 2, y, size=NOTE_SIZE, colour=INK, room=width - 24) for line, y in zip(lines, middles, strict=True)
    ]


def _shape(shape: Shape) -> str:
    """A part of the backdrop."""
    style = f"fill={quoteattr(shape.fill)}"
    if shape.stroke != "none":
        style += f' stroke={quoteattr(shape.stroke)} stroke-width="{shape.width:g}" stroke-linejoin="round"'
    if shape.kind == "text":
        middle_x, middle_y, size = shape.numbers
        return write(shape.text, middle_x, middle_y, size=size, colour=shape.fill)
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
        return OVER, _box(x, y, 23.5, 33.5, 7.5, f'fill="none" stroke="{MARK}" stroke-width="3.5"')
    return UNDER, _box(x, y, CELL / 2 - 5, CELL / 2 - 5, 6, f'fill="{MARK}" fill-opacity="0.16"')


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
        shape = _box(x, y, 15, 15, 0, stroke)
    elif kind == "card":  # without a label, its back
        face = "#fdfcf8" if piece.label else colour
        shape = _box(x, y, 22, 32, 6, f'fill={quoteattr(face)} stroke="#3c3f45" stroke-width="1.5"')
        if not piece.label:
            shape += _box(x, y, 16, 26, 3, 'fill="none" stroke="#ffffff" stroke-opacity="0.7" stroke-width="2"')
        size, room = 24.0, 29.0
    elif kind == "die":
        shape = _box(x, y, 19, 19, 6, f'fill={paint} stroke="#000000" stroke-opacity="0.45" stroke-width="1.5"')
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


def _box(x: float, y: float, half_width: float, half_height: float, corner: float, style: str) -> str:
    return (
        f'<rect x="{x - half_width:g}" y="{y - half_height:g}" width="{2 * half_width:g}" height="{2 * half_height:g}" '
        f'rx="{corner:g}" {style}/>'
    )
