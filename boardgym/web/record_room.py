"""All games that can be found again: those played here, of uploaded files, of tournaments; and how they are searched."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, Table, and_, case, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError
from boardgym.core.game import GAMES, Game, get_game
from boardgym.web.clock import now
from boardgym.web.errors import CONFLICT, NOT_FOUND, UNPROCESSABLE, StudioError
from boardgym.web.play_rows import PLAYS, play_of, select_play
from boardgym.web.policy_worker import has_kernels
from boardgym.web.record_index import DRAWN, NOT_OVER, index_of, key_of, keys_of
from boardgym.web.record_models import RecordFileRow, RecordRow, TournamentRow
from boardgym.web.store import Store, reading

RECORDS, FILES = cast(Table, RecordRow.__table__), cast(Table, RecordFileRow.__table__)
TOURNAMENTS = cast(Table, TournamentRow.__table__)
COLUMNS = [column for column in RECORDS.c if column.name not in ("positions", "record")]  # of a list
READ_S = 1.0  # for the games that have changed, before a list is answered
AT_ONCE = 20  # games in one transaction
MOST_VARIANTS = 50  # of a game, in which opening moves are looked for
MOST_WORDS = 20  # of players that are looked for
SORTED = {name: RECORDS.c[name] for name in ("date", "game", "players", "result", "plies", "number")}


@dataclass(frozen=True)
class Query:
    """What games are looked for; empty and None: all.

    Attributes:
        game: id. players: text within the names. result: "draw", "open", or the number of the seat that has won.
        source: "play", "file" or "arena"; file, tournament, line: of one of these.
        fewest, most: plies. since, until: dates, "2024-05-01" or the beginning of one.
        opening: the first moves from the standard start, separated by blanks. fen: a position that occurs.
    """

    game: str = ""
    players: str = ""
    result: str = ""
    source: str = ""
    file: int | None = None
    tournament: str = ""
    line: int | None = None
    fewest: int | None = None
    most: int | None = None
    since: str = ""
    until: str = ""
    opening: str = ""
    fen: str = ""


class Records:
    """The games of a data folder. store: its database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # ------------------------------------------------------------ the games that are played here

    def follow_plays(self, seconds: float = READ_S) -> int:
        """Reads the games that have changed since they were read last, for so long. Returns how many are left."""
        deadline, found = time.monotonic() + seconds, self.changed_plays()
        while found and time.monotonic() < deadline:
            part, found = found[:AT_ONCE], found[AT_ONCE:]
            read = [(id, version, self.read_play(id)) for id, version in part]
            self.store.do(lambda session, read=read: put_plays(session, read))  # type: ignore[misc]
        return len(found)

    def changed_plays(self) -> list[tuple[str, int]]:
        """(id, version) of those, the latest first; of games that are not registered now nothing is read."""
        known = [game.id for game in GAMES.values()]
        wanted = (
            select(PLAYS.c.id, PLAYS.c.version)
            .outerjoin(RECORDS, RECORDS.c.play_id == PLAYS.c.id)
            .where(PLAYS.c.game.in_(known), or_(RECORDS.c.id.is_(None), RECORDS.c.version != PLAYS.c.version))
            .order_by(PLAYS.c.changed.desc())
        )
        with reading(self.store.path) as connection:
            return [(row.id, row.version) for row in connection.execute(wanted)]

    def read_play(self, id: str) -> dict[str, Any] | None:
        """The columns of a game that is played here; None if it was deleted meanwhile."""
        with reading(self.store.path) as connection:
            row, actions = select_play(connection, id)
        if row is None:
            return None
        try:
            play = play_of(row, actions)
            return index_of(play.record(), row.changed, play.board)
        except BoardgymError as error:  # a game of a user's, whose rules are not what they were
            seats = " - ".join(seat["spec"] or "human" for seat in row.seats)
            return {
                "game": row.game, "options": row.options, "date": row.changed, "players": seats, "winner": NOT_OVER,
                "result": f"cannot be replayed: {error}", "plies": len(actions), "opening": "", "positions": "", "record": "",
            }  # fmt: skip

    # ------------------------------------------------------------ files

    def files(self) -> list[dict[str, Any]]:
        """The files that were uploaded, the latest first."""
        with reading(self.store.path) as connection:
            return [dict(row._mapping) for row in connection.execute(select(FILES).order_by(FILES.c.id.desc()))]

    def add_file(self, name: str, digest: str, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Keeps the games of a file, all or none. Raises StudioError if it is here already."""

        def work(session: Session) -> int:
            if before := session.execute(select(FILES.c.name).where(FILES.c.digest == digest)).scalar():
                raise StudioError(CONFLICT, f"these games are here already, as {before!r}")
            row = RecordFileRow(created=now(), name=name, digest=digest, games=len(games))
            session.add(row)
            session.flush()
            put(session.connection(), games, file_id=row.id)
            return row.id

        return {"id": self.store.do(work), "name": name, "games": len(games)}

    def forget_file(self, id: int) -> None:
        """Deletes a file with its games. Raises StudioError."""
        if not self.store.do(lambda session: session.execute(delete(FILES).where(FILES.c.id == id)).rowcount):  # type: ignore[attr-defined]
            raise StudioError(NOT_FOUND, f"there is no file {id}")

    # ------------------------------------------------------------ searching

    def find(self, query: Query, sort: str, is_down: bool, limit: int, offset: int) -> tuple[int, list[dict[str, Any]]]:
        """(how many there are, a page of them without their moves). Raises BoardgymError for a query that says nothing."""
        order = SORTED.get(sort, RECORDS.c.date)
        with reading(self.store.path) as connection:
            where = conditions(connection, query)
            total = connection.execute(select(func.count()).select_from(RECORDS).where(*where)).scalar_one()
            found = select(*COLUMNS).where(*where).order_by(order.desc() if is_down else order, RECORDS.c.id.desc())
            return total, [entry(row) for row in connection.execute(found.limit(limit).offset(offset))]

    def one(self, id: int) -> dict[str, Any]:
        """A game with its record as JSON. Raises StudioError."""
        with reading(self.store.path) as connection:
            row = connection.execute(select(*COLUMNS, RECORDS.c.record).where(RECORDS.c.id == id)).one_or_none()
        if row is None:
            raise StudioError(NOT_FOUND, f"there is no game {id}: it was deleted, or never there")
        return {**entry(row), "record": row.record}

    def finished(self, game: Game, most: int) -> list[str]:
        """The latest games of a game with its options that are over, as JSON."""
        of = RECORDS.c
        wanted = select(of.record).where(of.game == game.id, of.options == dict(game.options), of.winner != NOT_OVER)
        with reading(self.store.path) as connection:
            return list(connection.execute(wanted.where(of.record != "").order_by(of.date.desc()).limit(most)).scalars())

    def records(self, query: Query, most: int) -> list[str]:
        """All that is found, as JSON, in the order in which they came. Raises StudioError if there are too many."""
        with reading(self.store.path) as connection:
            wanted = (
                select(RECORDS.c.record).where(*conditions(connection, query), RECORDS.c.record != "").order_by(RECORDS.c.id)
            )
            found = list(connection.execute(wanted.limit(most + 1)).scalars())
        if len(found) > most:
            raise StudioError(UNPROCESSABLE, f"more than {most:,} games are found: look for fewer, then download these")
        return found


def entry(row: Any) -> dict[str, Any]:
    """A game as lists have it. source: where it is from."""
    found = {name: value for name, value in row._mapping.items() if name not in ("record", "version")}
    return {**found, "source": "play" if row.play_id else "arena" if row.tournament_id else "file"}


def put(connection: Connection, games: Sequence[dict[str, Any]], **values: Any) -> None:
    """Writes games. values: of further columns, for all."""
    time_now = now()
    usual = {"play_id": None, "file_id": None, "tournament_id": None, "version": 0, "line": -1, "seat": -1}
    rows = [
        {
            **usual,
            "number": number,
            **game,
            "date": game["date"] or time_now,
            "positions": bytes.fromhex(game["positions"]),
            **values,
        }
        for number, game in enumerate(games)
    ]
    if rows:
        connection.execute(insert(RECORDS), rows)


def put_plays(session: Session, read: Sequence[tuple[str, int, dict[str, Any] | None]]) -> None:
    """Writes games that are played here, each over what stood there of it. read: (id, version, columns)."""
    connection = session.connection()
    for id, version, columns in read:
        is_there = session.execute(select(PLAYS.c.id).where(PLAYS.c.id == id)).scalar()
        if columns is None or not is_there:
            continue
        values = {**columns, "positions": bytes.fromhex(columns["positions"]), "version": version}
        if not session.execute(update(RECORDS).where(RECORDS.c.play_id == id).values(values)).rowcount:  # type: ignore[attr-defined]
            put(connection, [columns], play_id=id, version=version)


def conditions(connection: Connection, query: Query) -> list[ColumnElement[bool]]:
    """A query in SQL. Raises StudioError, NotationError ... for one that cannot be understood."""
    of, found = RECORDS.c, list[ColumnElement[bool]]()
    sources = {"play": of.play_id, "file": of.file_id, "arena": of.tournament_id}
    if query.source in sources:
        found.append(sources[query.source].is_not(None))
    equal = [(of.file_id, query.file), (of.tournament_id, query.tournament or None), (of.line, query.line)]
    found += [column == value for column, value in equal if value is not None]
    found += [of.players.contains(word, autoescape=True) for word in query.players.split()[:MOST_WORDS]]
    if query.result:
        winner = {"draw": DRAWN, "open": NOT_OVER}.get(query.result)
        found.append(of.winner == (int(query.result) if winner is None else winner))
    found += [of.plies >= query.fewest] if query.fewest is not None else []
    found += [of.plies <= query.most] if query.most is not None else []
    found += [of.date >= query.since] if query.since else []
    found += [of.date <= query.until + "~"] if query.until else []
    if query.game:
        game = get_game(query.game)
        found.append(of.game == game.id)
    if query.opening.strip() or query.fen.strip():
        if not query.game:
            raise StudioError(UNPROCESSABLE, "choose a game first: moves and positions are those of one game")
        found.append(or_(*positions_of(connection, game, query.opening.split(), query.fen.strip())))
    return found


def positions_of(connection: Connection, game: Game, moves: list[str], fen: str) -> list[ColumnElement[bool]]:
    """Where the moves and the position are to be found, one for each set of rule options that games have.

    Raises BoardgymError if they make no sense in any.
    """
    of, found, problem = RECORDS.c, list[ColumnElement[bool]](), None
    options = connection.execute(select(of.options).where(of.game == game.id).distinct().limit(MOST_VARIANTS)).scalars()
    for known in [dict(game.options), *(one for one in options if one != dict(game.options))]:
        try:
            variant = get_game(game.id, **known)
            tests = [of.options == known]
            if moves:
                keys = keys_of(played(variant, None, moves))
                tests.append(func.substr(of.positions, 1, len(keys)) == keys)
            if fen:
                at = func.instr(of.positions, key_of(played(variant, fen, [])))
                tests.append(case((at > 0, at % 8 == 1), else_=False))
        except BoardgymError as error:
            problem = problem or error
            continue
        found.append(and_(*tests))
    if not found and problem is not None:
        raise problem
    return found


def played(game: Game, fen: str | None, moves: list[str]) -> Board:
    """A board after some moves."""
    board = Board(game, fen, auto_roll=False, compiled=has_kernels(game))
    board.play(moves)
    return board
