"""Boards as SVG: from a game's drawing, with files and ranks, the last move marked. No fonts, no ids, numbers only."""

from xml.sax.saxutils import quoteattr

import numpy as np

from boardgym.core.board import Board
from boardgym.core.game import Drawing
from boardgym.render.describing import drawing_of, moved_cells, status
from boardgym.render.glyphs import write

CELL = 64.0  # user units of a cell; the margins below are in these units
EDGE = 14.0
LABELS = 34.0  # the margin on the sides that carry files or ranks
CORNER = 10.0
PAGE, INK = "#ffffff", "#5b6169"
MARK = "#e8543f"


def draw_svg(board: Board, *, width: int | None = None) -> str:
    """The board as an SVG document. width: in pixels; None takes 64 a cell.

    Raises: OptionError if the game has no drawing.
    """
    drawing = drawing_of(board)
    rows, columns = drawing.shape
    left = LABELS if drawing.has_ranks else EDGE
    top, bottom = (LABELS, EDGE) if drawing.first_rank_on_top else (EDGE, LABELS)
    full_width, full_height = left + columns * CELL + EDGE, top + rows * CELL + bottom
    pixels_wide = full_width if width is None else width
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels_wide:g}" height="{pixels_wide * full_height / full_width:g}" '
        f'viewBox="0 0 {full_width:g} {full_height:g}" role="img">',
        f"<title>{_escape(f'{board.game.title}: {status(board)}')}</title>",
        f'<rect width="{full_width:g}" height="{full_height:g}" fill="{PAGE}"/>',
        f'<g transform="translate({left:g} {top:g})">',
        *_labels(drawing),
        *_board(drawing),
        *_pieces(drawing, drawing.cells(board.position), moved_cells(board)),
        "</g></svg>",
    ]
    return "".join(parts)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _labels(drawing: Drawing) -> list[str]:
    rows, columns = drawing.shape
    y = -LABELS / 2 - 1 if drawing.first_rank_on_top else rows * CELL + LABELS / 2 + 1
    parts = [
        write(name, (column + 0.5) * CELL, y, size=15, colour=INK) for column, name in enumerate(drawing.column_names[:columns])
    ]
    if drawing.has_ranks:
        for row in range(rows):
            rank = row + 1 if drawing.first_rank_on_top else rows - row
            parts.append(write(str(rank), -LABELS / 2 - 1, (row + 0.5) * CELL, size=15, colour=INK))
    return parts


def _board(drawing: Drawing) -> list[str]:
    """The board itself and its lines."""
    rows, columns = drawing.shape
    width, height = columns * CELL, rows * CELL
    fill, line = quoteattr(drawing.board_colour), quoteattr(drawing.line_colour)
    parts = [f'<rect x="-3" y="-3" width="{width + 6:g}" height="{height + 6:g}" rx="{CORNER:g}" fill={line}/>']
    parts.append(f'<rect width="{width:g}" height="{height:g}" rx="{CORNER - 3:g}" fill={fill}/>')
    if drawing.piece == "hole":
        return parts
    lines = [f"M{column * CELL:g} 0V{height:g}" for column in range(1, columns)]
    lines += [f"M0 {row * CELL:g}H{width:g}" for row in range(1, rows)]
    parts.append(f'<path d="{"".join(lines)}" stroke={line} stroke-width="2.5" fill="none"/>')
    return parts


def _pieces(drawing: Drawing, cells: np.ndarray, moved: np.ndarray) -> list[str]:
    parts = []
    for row, column in np.ndindex(*drawing.shape):
        piece, is_moved = int(cells[row, column]), bool(moved[row, column])
        x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
        if is_moved and (drawing.piece == "mark" or piece == 0):
            parts.append(
                f'<rect x="{x - CELL / 2 + 5:g}" y="{y - CELL / 2 + 5:g}" width="{CELL - 10:g}" height="{CELL - 10:g}" rx="6" '
                f'fill="{MARK}" fill-opacity="0.16"/>'
            )
        if piece == 0 and drawing.piece == "hole":
            parts.append(_disc(x, y, 25, "#eef2f8", drawing.line_colour))
        if piece == 0:
            continue
        colour = drawing.colours[piece - 1]
        if drawing.piece == "mark":
            parts.append(_cross_or_ring(x, y, piece, colour))
        else:
            parts.append(_disc(x, y, 25 if drawing.piece == "hole" else 26, colour, "#00000059"))
            parts.append(_circle(x, y, 17.5, 'fill="none" stroke="#808080" stroke-opacity="0.28" stroke-width="2.5"'))
            if is_moved:
                parts.append(_circle(x, y, 6.5, f'fill="{MARK}" stroke="#ffffff" stroke-width="2"'))
    return parts


def _circle(x: float, y: float, radius: float, style: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>'


def _disc(x: float, y: float, radius: float, colour: str, edge: str) -> str:
    return _circle(x, y, radius, f'fill={quoteattr(colour)} stroke={quoteattr(edge)} stroke-width="2"')


def _cross_or_ring(x: float, y: float, piece: int, colour: str) -> str:
    """A cross for the first seat, a ring for the second, squares for those after."""
    style = f'fill="none" stroke={quoteattr(colour)} stroke-width="7.5" stroke-linecap="round" stroke-linejoin="round"'
    if piece == 1:
        return f'<path d="M{x - 15:g} {y - 15:g}l30 30m0 -30l-30 30" {style}/>'
    if piece == 2:
        return _circle(x, y, 17, style)
    return f'<rect x="{x - 15:g}" y="{y - 15:g}" width="30" height="30" {style}/>'
