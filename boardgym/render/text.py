"""Boards as text for terminals: files and ranks, the last move in brackets, colours where they are wanted.

   a b c d e f g h
 1 . . . . . . . .
 4 . . .[X]X . . .      (and so on)
white to play; ply 1 was d4
"""

import itertools
import re

from boardgym.core.board import Board
from boardgym.core.board_summary import moved_spots, status
from boardgym.core.drawing import Drawing, TextCell, text_cells

RESET = "\x1b[0m"


def draw_text(board: Board, *, has_colour: bool = False) -> str:
    """The board, its notes, and a last line that says whose turn it is. has_colour: ANSI escapes in the drawing's colours.

    A game without a drawing is shown as its position string.
    """
    drawing = board.game.drawing
    if drawing is None:
        return f"{board.fen()}\n{status(board)}"
    lines = []
    for cells in text_cells(drawing, board.position, moved_spots(board)):
        while cells and cells[-1].character == " " and not (has_colour and cells[-1].is_board):
            cells = cells[:-1]
        runs = itertools.groupby(cells, lambda cell: _style(cell, drawing) if has_colour else "")
        lines.append("".join(_paint("".join(cell.character for cell in run), style) for style, run in runs))
    return "\n".join([*lines, *drawing.notes(board.position), status(board)])


def _style(cell: TextCell, drawing: Drawing) -> str:
    """The numbers of an escape sequence: a piece's colour on the board's, bold."""
    if not cell.is_board:
        return ""
    colour = drawing.colours[cell.piece.colour] if cell.piece else drawing.line_colour
    parts = [f"{code};2;{rgb}" for code, rgb in ((38, _rgb(colour)), (48, _rgb(drawing.board_colour))) if rgb]
    return ";".join(["1", *parts])


def _paint(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}{RESET}" if style else text


def _rgb(colour: str) -> str | None:
    """The colour #2f8557 as "47;133;87"; None for colours that are written otherwise."""
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", colour)
    return ";".join(str(int(part, 16)) for part in match.groups()) if match else None
