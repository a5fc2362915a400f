"""Games between memory and the tables of the database."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import Connection, Row, Table, bindparam, delete, insert, select, update

from boardgym.core.game import get_game
from boardgym.web.clock import now
from boardgym.web.models import MoveRow, PlayRow
from boardgym.web.play import Clock, Ending, Play, Seat, board_from

PLAYS, MOVES = cast(Table, PlayRow.__table__), cast(Table, MoveRow.__table__)
CHANGING = ("changed", "version", "message", "ending", "ply", "waits_for", "left", "result", "seats")
# a fixed statement, so that it is compiled once
CHANGE = update(PLAYS).where(PLAYS.c.id == bindparam("play")).values({name: bindparam(name) for name in CHANGING})


def seat_rows(seats: Sequence[Seat]) -> list[dict[str, str]]:
    """Seats as the table has them."""
    return [{"kind": seat.kind, "spec": seat.spec} for seat in seats]


def insert_play(connection: Connection, play: Play) -> None:
    """Writes a new game."""
    time = now()
    clock = None if play.clock is None else {"seconds": play.clock.seconds, "increment": play.clock.increment}
    row = {
        "id": play.id,
        "created": time,
        "changed": time,
        "game": play.game.id,
        "options": dict(play.game.options),
        "start": play.start,
        "seats": seat_rows(play.seats),
        "seed": str(play.seed),
        "opening": play.opening,
        "ply": play.board.ply,
        "waits_for": play.waits_for,
        "version": play.version,
        "clock": clock,
        "left": play.left,
        "ending": None,
        "message": "",
        "result": "",
    }
    connection.execute(insert(PLAYS), row)
    insert_moves(connection, play.id, 0, play.board.actions)


def insert_moves(connection: Connection, id: str, first: int, actions: Sequence[int]) -> None:
    """Writes actions from a number on."""
    if actions:
        time = now()
        rows = [{"play_id": id, "number": first + k, "action": action, "at": time} for k, action in enumerate(actions)]
        connection.execute(insert(MOVES), rows)


def update_play(connection: Connection, id: str, values: dict[str, Any], first: int | None, added: Sequence[int]) -> None:
    """Writes a change: `CHANGING`, and where `first` is a number, what stands in the record from there on."""
    connection.execute(CHANGE, {"play": id, **values})
    if first is not None:
        if not added:
            connection.execute(delete(MOVES).where(MOVES.c.play_id == id, MOVES.c.number >= first))
        insert_moves(connection, id, first, added)


def delete_play(connection: Connection, id: str) -> None:
    """Deletes a game with its moves."""
    connection.execute(delete(PLAYS).where(PLAYS.c.id == id))


def select_play(connection: Connection, id: str) -> tuple[Row[Any] | None, list[int]]:
    """A game and its actions."""
    row = connection.execute(select(PLAYS).where(PLAYS.c.id == id)).one_or_none()
    actions = connection.execute(select(MOVES.c.action).where(MOVES.c.play_id == id).order_by(MOVES.c.number)).scalars().all()
    return row, list(actions)


def select_waiting(connection: Connection, most: int) -> list[str]:
    """The ids of the games in which a policy is to play, the last changed first."""
    waiting = select(PLAYS.c.id).where(PLAYS.c.waits_for == "policy", PLAYS.c.message == "")
    return list(connection.execute(waiting.order_by(PLAYS.c.changed.desc()).limit(most)).scalars())


def play_of(row: Row[Any], actions: Sequence[int]) -> Play:
    """A game from the tables."""
    return Play(
        row.id,
        board_from(get_game(row.game, **row.options), row.start, actions),
        [Seat(**seat) for seat in row.seats],
        int(row.seed),
        opening=row.opening,
        clock=None if row.clock is None else Clock(**row.clock),
        left=row.left,
        ending=None if row.ending is None else Ending(**row.ending),
        message=row.message,
        version=row.version,
    )
