"""A board as text for the terminal: coloured where there are colours, plain symbols where there are none."""

from rich.text import Text

from boardgym.core.board import Board
from boardgym.core.board_summary import moved_spots, winners
from boardgym.core.drawing import Drawing, TextCell, text_cells


def board_text(board: Board, *, colour: bool = True) -> Text:
    """The board with its files and ranks, its notes, and whose turn it is or how the game ended.

    colour: in the game's colours. The characters are the same without: they tell the sides apart in any file and terminal.
    """
    drawing = board.game.drawing
    if drawing is None:
        return Text("\n").join([Text(board.fen()), status(board)])
    lines = []
    for cells in text_cells(drawing, board.position, moved_spots(board)):
        line = Text.assemble(*(_cell(cell, drawing, colour) for cell in cells))
        if not colour:
            line.rstrip()
        lines.append(line)
    return Text("\n").join([*lines, *map(Text, drawing.notes(board.position)), status(board)])


def status(board: Board) -> Text:
    """One line: whose turn it is, or how the game ended."""
    outcome = board.outcome()
    if outcome is None:
        return Text(f"{board.game.seat_name(board.to_play)} to play")
    names = winners(board)
    name = "a draw" if not names else f"{names} win" if " and " in names else f"{names} wins"
    return Text(f"{name} ({outcome.reason.name.lower()}) after {board.ply} plies", "bold")


def _cell(cell: TextCell, drawing: Drawing, colour: bool) -> tuple[str, str]:
    """A character and its style."""
    if not colour or not cell.is_board:
        return cell.character, "dim" if colour else ""
    background = f"on {drawing.board_colour}"
    if cell.piece is None:
        return cell.character, f"{drawing.line_colour} {background}"
    return cell.character, f"bold {drawing.colours[cell.piece.colour]} {background}"
