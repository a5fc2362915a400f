"""What text and pictures say about a board: the spots of the last move, whose turn it is, how it ended."""

from typing import Any

from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.drawing import Drawing, Piece
from boardgym.core.errors import OptionError


def drawing_of(board: Board) -> Drawing:
    """The game's drawing. Raises OptionError if it has none."""
    if board.game.drawing is None:
        raise OptionError(f"{board.game.id} has no drawing; give its Game one: Game(..., drawing=Drawing(...))")
    return board.game.drawing


def last_ply(board: Board) -> tuple[Any, int] | None:
    """The last action of a seat and the position that it was played in; None if no seat has acted."""
    for position, action in zip(board.history[-2::-1], reversed(board.actions), strict=True):
        if board.game.num_outcomes == 0 or verbs.to_play(position) != verbs.CHANCE:
            return position, action
    return None


def moved_spots(board: Board) -> set[int]:
    """The spots that the last seat's action concerns; none at the start.

    Those filled or emptied since before it, and of those that the game names for the action the ones that have changed; if
    there are none, all that have changed. Turned discs are not marked, nor are dice.
    """
    drawing, last = drawing_of(board), last_ply(board)
    if last is None:
        return set()
    before, now = drawing.pieces(last[0]), drawing.pieces(board.position)
    changed = {spot for spot in range(len(now)) if before[spot] != now[spot] and not _is_die(before[spot] or now[spot])}
    named = set(drawing.action_spots(*last))
    return {spot for spot in changed if before[spot] is None or now[spot] is None or spot in named} or changed


def _is_die(piece: Piece | None) -> bool:
    return piece is not None and piece.kind == "die"


def last_move(board: Board) -> str | None:
    """The last action of a seat in notation, None at the start."""
    last = last_ply(board)
    return None if last is None else board.game.move_text(*last)


def winning_seats(board: Board) -> list[int]:
    """Those with the greatest return; none where all have the same."""
    returns = board.returns()
    return [seat for seat, pay in enumerate(returns) if pay == max(returns) > min(returns)]


def winners(board: Board) -> str:
    """The names of the winning seats."""
    return " and ".join(map(board.game.seat_name, winning_seats(board)))


def standing(board: Board) -> str:
    """Who is to play, or how the game ended."""
    game, outcome = board.game, board.outcome()
    if outcome is None:
        text = f"{game.seat_name(board.to_play)} to play"
    elif game.num_seats == 1:
        text = f"the end, return {outcome.returns[0]:g}"
    else:
        text = f"{names} won" if (names := winners(board)) else "a draw"
    if outcome is not None and outcome.reason.name == "REPETITION":
        text += " by repetition"
    return text


def status(board: Board) -> str:
    """One line: who is to play or how it ended, and the last move."""
    text, move = standing(board), last_move(board)
    return text if move is None else f"{text}; ply {board.ply} was {move}"
