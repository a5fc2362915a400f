"""Boards as text for terminals: files and ranks, the last move in brackets, colours where they are wanted.

   a b c d e f g h
 1 . . . . . . . .
 4 . . .[X]X . . .      (and so on)
white to play; ply 1 was d4
"""

import re

from boardgym.core.board import Board
from boardgym.render.describing import drawing_of, moved_cells, status

RESET = "\x1b[0m"


def draw_text(board: Board, *, has_colour: bool = False) -> str:
    """The board, with a last line that says whose turn it is. has_colour: ANSI escapes in the colours of the drawing.

    A game without a drawing is shown as its position string.
    """
    if board.game.drawing is None:
        return f"{board.fen()}\n{status(board)}"
    drawing = drawing_of(board)
    height, width = drawing.shape
    moved = moved_cells(board)
    digits = len(str(height)) if drawing.has_ranks else 0
    lines = []
    for row, pieces in enumerate(drawing.cells(board.position)):
        line = ""
        for column, piece in enumerate(pieces):
            symbol = drawing.symbols[piece]
            if has_colour:
                symbol = _paint(symbol, drawing.colours[piece - 1] if piece else drawing.line_colour)
            is_after_mark = column > 0 and moved[row, column - 1]
            line += ("[" if moved[row, column] else "]" if is_after_mark else " ") + symbol
        line += "]" if moved[row, -1] else " "
        if has_colour and (background := _rgb(drawing.board_colour)):
            line = f"\x1b[48;2;{background}m" + line.replace(RESET, f"{RESET}\x1b[48;2;{background}m") + RESET
        rank = row + 1 if drawing.first_rank_on_top else height - row
        lines.append((f"{rank:>{digits}}" if digits else "") + line.rstrip(" "))
    files = " " * digits + "".join(f" {name}" for name in drawing.column_names[:width])
    lines.insert(0 if drawing.first_rank_on_top else height, files)
    return "\n".join([*lines, status(board)])


def _rgb(colour: str) -> str | None:
    """The colour #2f8557 as "47;133;87"; None for colours that are written otherwise."""
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", colour)
    return ";".join(str(int(part, 16)) for part in match.groups()) if match else None


def _paint(symbol: str, colour: str) -> str:
    rgb = _rgb(colour)
    return symbol if rgb is None else f"\x1b[1;38;2;{rgb}m{symbol}{RESET}"
