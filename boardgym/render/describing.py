"""What text and pictures say about a board: the cells of the last move, whose turn it is, how it ended."""

import numpy as np

from boardgym.core.board import Board
from boardgym.core.errors import OptionError
from boardgym.core.game import Drawing


def drawing_of(board: Board) -> Drawing:
    """The game's drawing. Raises OptionError if it has none."""
    if board.game.drawing is None:
        raise OptionError(f"{board.game.id} has no drawing; give its Game one: Game(..., drawing=Drawing(...))")
    return board.game.drawing


def moved_cells(board: Board) -> np.ndarray:
    """Where the last ply put a piece, or took one away from: bool array of the drawing's shape, all False at the start."""
    drawing = drawing_of(board)
    if board.ply == 0:
        return np.zeros(drawing.shape, np.bool_)
    before, now = (drawing.cells(position) != 0 for position in board.history[-2:])
    moved: np.ndarray = before != now
    return moved


def last_move(board: Board) -> str | None:
    """The last ply in notation, None at the start."""
    return board.game.move_text(board.history[-2], board.actions[-1]) if board.ply else None


def status(board: Board) -> str:
    """One line: who is to play or how it ended, and the last move."""
    game, outcome = board.game, board.outcome()
    if outcome is None:
        text = f"{game.seat_name(board.to_play)} to play"
    elif outcome.winner is None:
        text = "a draw"
    else:
        text = f"{game.seat_name(outcome.winner)} won"
    if outcome is not None and outcome.reason.name == "REPETITION":
        text += " by repetition"
    move = last_move(board)
    return text if move is None else f"{text}; ply {board.ply} was {move}"
