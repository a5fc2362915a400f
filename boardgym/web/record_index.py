"""What is kept of a recorded game so that it is found again: by its players, its result, its moves, a position in it."""

from typing import Any

import numpy as np

from boardgym.baselines.arena.record import FORFEIT, UNFINISHED, GameRecord
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.web.policy_worker import has_kernels

DRAWN, NOT_OVER = -1, -2  # in place of the seat that has won
SHOWN = 12  # moves of an opening
MOST_NAME, MOST_DATE = 400, 40  # letters


def index_of(record: GameRecord, date: str, board: Board | None = None) -> dict[str, Any]:
    """The columns of the table of records that say what a game is; `positions` as hexadecimal digits, for JSON.

    Args:
        record: the game.
        date: when it was played, if the record does not say it.
        board: at its end, if there is one; else it is played through.
    """
    board = replayed(record) if board is None else board
    winner = NOT_OVER if record.reason == UNFINISHED else DRAWN if record.winner is None else record.winner
    return {
        "game": record.game,
        "options": dict(record.options),
        "date": date_of(record.tags.get("Date", "")) or date,
        "players": " - ".join(record.policies)[:MOST_NAME],
        "winner": winner,
        "result": result_of(record, winner),
        "plies": len(record.moves),
        "opening": " ".join(record.moves[:SHOWN])[:MOST_NAME],
        "positions": keys_of(board).hex(),
        "record": record.to_json(),
    }


def replayed(record: GameRecord) -> Board:
    """The board at the end of a record; rules that are not compiled run as Python: nobody waits."""
    board = beginning(record)
    for move in record.moves:
        board.push_move(move)
    return board


def beginning(record: GameRecord) -> Board:
    """The board as a record begins."""
    game = get_game(record.game, **record.options)
    return Board(game, record.start, auto_roll=False, compiled=has_kernels(game))


def keys_of(board: Board) -> bytes:
    """The keys of all positions of a board's record, 8 bytes each."""
    return np.append(board.keys, np.uint64(board.key).astype(np.int64)).tobytes()


def key_of(board: Board) -> bytes:
    """The key of the position on a board."""
    return keys_of(board)[-8:]


def result_of(record: GameRecord, winner: int) -> str:
    """How a game ended, in a few words."""
    if winner == NOT_OVER:
        return "not over"
    said = "drawn" if winner == DRAWN else f"{get_game(record.game).seat_name(winner)} won"
    if record.reason == FORFEIT:
        return f"{said}: {record.message[:MOST_NAME] or 'a forfeit'}"
    return said if record.reason == "rules" else f"{said}: {record.reason[:MOST_DATE]}"


def date_of(tag: str) -> str:
    """The date of a tag, "1974.05.??" for example, as it sorts: "1974-05"; empty if it is none."""
    parts = []
    for part in tag.strip().replace(".", "-").split("-")[:3]:
        if not (part.isascii() and part.isdecimal() and len(part) <= 4):
            break
        parts.append(part.zfill(2))
    return "-".join(parts) if parts and len(parts[0]) == 4 else ""
