"""Games between memory and the tables of the database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from boardgym.core.game import get_game
from boardgym.web.models import MoveRow, PlayRow, now
from boardgym.web.play import Clock, Ending, Play, Seat, board_from


def seat_rows(seats: Sequence[Seat]) -> list[dict[str, str]]:
    """Seats as the table has them."""
    return [{"kind": seat.kind, "spec": seat.spec} for seat in seats]


def save_new(session: Session, play: Play) -> None:
    """Writes a new game."""
    time = now()
    clock = None if play.clock is None else {"seconds": play.clock.seconds, "increment": play.clock.increment}
    session.execute(
        insert(PlayRow).values(
            id=play.id,
            created=time,
            changed=time,
            game=play.game.id,
            options=dict(play.game.options),
            start=play.start,
            seats=seat_rows(play.seats),
            seed=str(play.seed),
            opening=play.opening,
            clock=clock,
            left=play.left,
            ply=play.board.ply,
            waits_for=play.waits_for,
        )
    )
    add_moves(session, play.id, 0, play.board.actions)


def add_moves(session: Session, id: str, first: int, actions: Sequence[int]) -> None:
    """Writes actions from a number on."""
    if actions:
        time = now()
        rows = [{"play_id": id, "number": first + k, "action": action, "at": time} for k, action in enumerate(actions)]
        session.execute(insert(MoveRow), rows)


def save_change(session: Session, id: str, values: dict[str, Any], first: int | None, added: Sequence[int]) -> None:
    """Writes a change: the columns, and where `first` is a number, what stands in the record from there on."""
    session.execute(update(PlayRow).where(PlayRow.id == id).values(**values))
    if first is not None:
        if not added:
            session.execute(delete(MoveRow).where(MoveRow.play_id == id, MoveRow.number >= first))
        add_moves(session, id, first, added)


def load_rows(session: Session, id: str) -> tuple[PlayRow | None, list[int]]:
    """A game and its actions."""
    row = session.get(PlayRow, id)
    actions = session.scalars(select(MoveRow.action).where(MoveRow.play_id == id).order_by(MoveRow.number)).all()
    return row, list(actions)


def play_of(row: PlayRow, actions: Sequence[int]) -> Play:
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
