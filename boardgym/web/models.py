"""What the studio keeps, as tables: games that are played and their moves."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Integer, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {  # of constraints, so that migrations can name them
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
}


class Base(DeclarativeBase):
    """Of all tables."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}


class PlayRow(Base):
    """A game that is played.

    Attributes:
        id: random letters and digits, in the page's address.
        created, changed: times, see `now`.
        game, options, start: what is played, and the position string of its first position.
        seats: of each seat {"kind": "human" or "policy", "spec": text}.
        seed: of the dice and the policies' draws, as text: SQLite's numbers are too small for it.
        opening: how many of the moves stood on the board when it began.
        ply: how many plies the seats have played. waits_for: "human", "policy", or "" when the game is over.
        version: counts the changes; pages compare it.
        clock: {"seconds", "increment"}, or null. left: seconds of each seat, or null.
        ending: null, or how the game was ended other than by its moves: {"reason", "seat"}.
        message: what went wrong last, empty otherwise.
        result: a sentence when the game is over, for the list; empty otherwise.
    """

    __tablename__ = "plays"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    created: Mapped[str] = mapped_column(String(40))
    changed: Mapped[str] = mapped_column(String(40), index=True)
    game: Mapped[str] = mapped_column(String(80))
    options: Mapped[dict[str, Any]]
    start: Mapped[str] = mapped_column(Text)
    seats: Mapped[list[Any]]
    seed: Mapped[str] = mapped_column(String(20))
    opening: Mapped[int] = mapped_column(Integer, default=0)
    ply: Mapped[int] = mapped_column(Integer, default=0)
    waits_for: Mapped[str] = mapped_column(String(10), default="")
    version: Mapped[int] = mapped_column(Integer, default=0)
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON, nullable=True)
    left: Mapped[list[Any] | None] = mapped_column(JSON, nullable=True)
    ending: Mapped[dict[str, Any] | None] = mapped_column(JSON, nullable=True)
    message: Mapped[str] = mapped_column(Text, default="")
    result: Mapped[str] = mapped_column(Text, default="")


class MoveRow(Base):
    """An action of a game, or a roll. number: its place in the record, from 0. at: when it was played."""

    __tablename__ = "moves"

    play_id: Mapped[str] = mapped_column(ForeignKey("plays.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    action: Mapped[int] = mapped_column(Integer)
    at: Mapped[str] = mapped_column(String(40))
