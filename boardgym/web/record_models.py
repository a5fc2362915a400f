"""The tables of recorded games, of the files they were uploaded in, and of tournaments."""

from typing import Any

from sqlalchemy import ForeignKey, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from boardgym.web.models import Base


class RecordFileRow(Base):
    """A file of records that was uploaded. digest: SHA-256 of what was in it; games: how many."""

    __tablename__ = "record_files"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    created: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(String(200))
    digest: Mapped[str] = mapped_column(String(64))
    games: Mapped[int] = mapped_column(Integer)


class TournamentRow(Base):
    """A match, comparison or ladder.

    Attributes:
        id: random letters and digits, in the page's address; also the name of its folder.
        created: time, see `models.now`.
        name: what people call it. kind: its command: "match", "compare" or "ladder".
        given: the form as it was filled. words: of the command line. names: {spec: what the page calls that player}.
        game, options: what is played.
        state: see `jobs.State`, with "playing" for "training". message: why it is in it.
        indexed: how many bytes of its index have been taken into the table of records.
    """

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    created: Mapped[str] = mapped_column(String(40), index=True)
    name: Mapped[str] = mapped_column(String(80))
    kind: Mapped[str] = mapped_column(String(20))
    given: Mapped[dict[str, Any]]
    words: Mapped[list[Any]]
    names: Mapped[dict[str, Any]]
    game: Mapped[str] = mapped_column(String(80))
    options: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(String(20))
    message: Mapped[str] = mapped_column(Text, default="")
    indexed: Mapped[int] = mapped_column(Integer, default=0)


class RecordRow(Base):
    """A game to be found again: one that is played here, one of a file, or one of a tournament.

    Attributes:
        id: in the page's address.
        play_id, file_id, tournament_id: where it is from; the other two are null.
        version: of the play, as it was read last.
        number: its place in the file or the tournament, from 0.
        line, seat: of a tournament, the row of its table, and the seat of that row's first player; else -1.
        game, options, date: what was played, and when: "2024-05-01...", or what the record says.
        players: the names of all seats, separated by " - ".
        winner: a seat, DRAWN, or UNFINISHED. result: the same in words.
        plies: how many moves, rolls included. opening: the first of them, as people read them.
        positions: the 64-bit keys of all positions, the first and the last included, as bytes.
        record: `GameRecord` as JSON; empty if it cannot be replayed, and then `result` says why.
    """

    __tablename__ = "records"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    play_id: Mapped[str | None] = mapped_column(ForeignKey("plays.id", ondelete="CASCADE"), unique=True)
    file_id: Mapped[int | None] = mapped_column(ForeignKey("record_files.id", ondelete="CASCADE"), index=True)
    tournament_id: Mapped[str | None] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), index=True)
    version: Mapped[int] = mapped_column(Integer, default=0)
    number: Mapped[int] = mapped_column(Integer, default=0)
    line: Mapped[int] = mapped_column(Integer, default=-1)
    seat: Mapped[int] = mapped_column(Integer, default=-1)
    game: Mapped[str] = mapped_column(String(80), index=True)
    options: Mapped[dict[str, Any]]
    date: Mapped[str] = mapped_column(String(40))
    players: Mapped[str] = mapped_column(Text)
    winner: Mapped[int] = mapped_column(Integer)
    result: Mapped[str] = mapped_column(Text)
    plies: Mapped[int] = mapped_column(Integer)
    opening: Mapped[str] = mapped_column(Text)
    positions: Mapped[bytes] = mapped_column(LargeBinary)
    record: Mapped[str] = mapped_column(Text)
