"""A board as text for the terminal: coloured where there are colours, plain symbols where there are none."""

from typing import Any

from rich.text import Text

from boardgym.core.board import Board
from boardgym.core.game import Drawing
from boardgym.core.notation import FILES

PIECES = {"disc": "●●●●", "hole": "●●●●", "mark": "✕○△□"}
EMPTIES = {"disc": "·", "hole": "○", "mark": "·"}


def board_text(board: Board, *, colour: bool = True) -> Text:
    """The board with its files and ranks, and whose turn it is or how the game ended.

    colour: draw pieces in the game's colours; otherwise with its symbols, readable in any file.
    """
    lines = [*_drawing(board, colour), status(board)]
    return Text("\n").join(lines)


def status(board: Board) -> Text:
    """One line: whose turn it is, or how the game ended."""
    outcome = board.outcome()
    if outcome is None:
        return Text(f"{board.game.seat_name(board.to_play)} to play")
    name = "a draw" if outcome.winner is None else f"{board.game.seat_name(outcome.winner)} wins"
    return Text(f"{name} ({outcome.reason.name.lower()}) after {board.ply} plies", "bold")


def _drawing(board: Board, colour: bool) -> list[Text]:
    drawing = board.game.drawing
    if drawing is None:
        return [Text(board.fen())]
    height, width = drawing.shape
    last = changed_cells(board, drawing)
    # a board of columns only (discs fall) numbers them, others name files and ranks
    has_ranks = drawing.piece != "hole"
    lines = []
    for r, row in enumerate(drawing.cells(board.position)):
        rank = (r + 1 if drawing.first_rank_on_top else height - r) if has_ranks else ""
        line = Text.assemble((f"{rank:>2} ", "dim"))
        for c, kind in enumerate(row):
            line.append_text(_cell(drawing, int(kind), (r, c) in last, colour))
        lines.append(line)
    names = FILES if has_ranks else [str(n + 1) for n in range(width)]
    lines.append(Text("   " + "".join(f" {names[c]} " for c in range(width)), "dim"))
    return lines


def _cell(drawing: Drawing, kind: int, is_last: bool, colour: bool) -> Text:
    """Three characters: a piece between spaces, or between brackets if the last ply placed it."""
    left, right = "[]" if is_last else "  "
    if not colour:
        return Text(f"{left}{drawing.symbols[kind]}{right}")
    background = f"on {drawing.board_colour}"
    frame = f"bold {drawing.line_colour} {background}"
    if kind == 0:
        return Text(f" {EMPTIES.get(drawing.piece, '·')} ", f"{drawing.line_colour} {background}")
    symbol = PIECES.get(drawing.piece, PIECES["disc"])[kind - 1]
    style = f"bold {drawing.colours[kind - 1]} {background}"
    return Text.assemble((left, style if is_last else frame), (symbol, style), (right, style if is_last else frame))


def changed_cells(board: Board, drawing: Drawing) -> set[tuple[int, int]]:
    """The cells that the last ply filled."""
    if not board.actions:
        return set()
    before: Any = drawing.cells(board.history[-2])
    after: Any = drawing.cells(board.position)
    return {(int(r), int(c)) for r, c in zip(*((before == 0) & (after != 0)).nonzero(), strict=True)}
