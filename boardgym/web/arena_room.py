"""The tournaments of a studio: their rows in the database, their folders, and the processes in which they are played."""

import json
import math
import secrets
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from boardgym.baselines.arena.match import check_games
from boardgym.baselines.arena.openings import NAMES
from boardgym.core.errors import BoardgymError, UnknownGameError
from boardgym.core.game import Game, check_two_seats, get_game, read_options
from boardgym.web.arena_follower import INDEX, RECORD, STANDINGS
from boardgym.web.clock import now
from boardgym.web.errors import CONFLICT, NOT_FOUND, StudioError
from boardgym.web.forms import FormError, LearnerForm, Value, command_form, read_form
from boardgym.web.jobs import Ended, Jobs, log_of
from boardgym.web.record_models import TournamentRow
from boardgym.web.record_room import READ_S, put
from boardgym.web.store import Store

FOLDER = "arena"
KINDS = ("match", "compare", "ladder")  # the commands
UNDER_WAY = ("playing", "waiting")
AT_ONCE = 1  # tournaments that are played; the others wait
MOST_TOURNAMENTS = 1000
LINES = 500  # of an index, in one transaction
STOP_S = 20.0  # for a process that is deleted


class Tournaments:
    """All tournaments of a data folder.

    Args:
        store: the database.
        folder: of the studio's data.
        jobs: runs their processes.
        trust: whether engines' programs may be run.

    Those that were played when the studio last ended are interrupted: `resume` goes on with them.
    """

    def __init__(self, store: Store, folder: Path, jobs: Jobs, *, trust: bool = False) -> None:
        self.store, self.folder, self.jobs, self.trust = store, folder / FOLDER, jobs, trust
        self._standings = dict[str, tuple[int, dict[str, Any]]]()  # of each tournament: since when, and what they are
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store.do(interrupt_all)

    # ------------------------------------------------------------ what there is

    def rows(self) -> list[TournamentRow]:
        """All tournaments, the newest first."""
        wanted = select(TournamentRow).order_by(TournamentRow.created.desc())
        return self.store.do(lambda session: list(session.scalars(wanted)))

    def row(self, key: str) -> TournamentRow:
        """A tournament. Raises StudioError."""
        row = self.store.do(lambda session: session.get(TournamentRow, key))
        if row is None:
            raise StudioError(NOT_FOUND, f"there is no tournament {key[:40]!r}")
        return row

    def standings(self, key: str) -> dict[str, Any]:
        """What the process has written last; empty before the first game."""
        path = self.folder / key / STANDINGS
        try:
            changed, known = path.stat().st_mtime_ns, self._standings.get(key)
            if known is None or known[0] != changed:
                self._standings[key] = known = changed, json.loads(path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known[1]

    def described(self, row: TournamentRow) -> dict[str, Any]:
        """A tournament as lists have it."""
        found, game = self.standings(row.id), game_of(row)
        return {
            "id": row.id,
            "created": row.created,
            "name": row.name,
            "kind": row.kind,
            "given": row.given,
            "command": " ".join(["boardgym", *row.words]),
            "names": row.names,
            "game": row.game,
            "title": row.game if game is None else game.title,
            "seats": [] if game is None else [game.seat_name(seat) for seat in range(game.num_seats)],
            "state": row.state,
            "message": row.message,
            "done": found.get("done", 0),
            "total": found.get("total", 0),
            "rate": found.get("rate") if row.state == "playing" else None,
        }

    def whole(self, key: str) -> dict[str, Any]:
        """A tournament with its standings; its games are among those of the room Games from then on. Raises StudioError."""
        row = self.row(key)
        self.take_in(key)
        found = self.standings(key)
        report = found.get("report") or {}
        rows = [
            {"a": a, "b": b, **line} for (a, b), line in zip(found.get("players", []), report.get("rows", []), strict=False)
        ]
        standings = {"rows": rows, "ratings": found.get("ratings", [])}
        return {"tournament": self.described(row), **standings, "log": log_of(self.folder / key)}

    def follow(self, seconds: float = READ_S) -> None:
        """Takes what has ended in all tournaments into the table of records, for so long."""
        deadline = time.monotonic() + seconds
        for row in self.rows():
            if self.size_of(row.id) > row.indexed:
                self.take_in(row.id, deadline - time.monotonic())

    def take_in(self, key: str, seconds: float = READ_S) -> None:
        """Takes games that have ended since into the table of records, for so long."""
        deadline, path = time.monotonic() + seconds, self.folder / key / INDEX
        while self.size_of(key) and self.store.do(lambda session: take_lines(session, key, path)):
            if time.monotonic() > deadline:
                break

    def size_of(self, key: str) -> int:
        """How many bytes the index of a tournament has."""
        path = self.folder / key / INDEX
        return path.stat().st_size if path.is_file() else 0

    # ------------------------------------------------------------ to make and to play

    def read(self, kind: str, given: Mapping[str, Value]) -> tuple[list[str], Game]:
        """(words, game) of a filled form. Raises FormError by field."""
        if kind not in KINDS:
            raise FormError({"": f"there is no tournament {kind[:40]!r}; there are {', '.join(KINDS)}"})
        words, settings = read_form(command_form(kind), given)
        for name, check in (("option", check_game), ("games", check_number), ("openings", check_openings)):
            try:
                check(settings)
            except BoardgymError as error:
                raise FormError({name: str(error)}) from None
        return words, game_in(settings)

    def create(self, name: str, kind: str, given: dict[str, Value], filled: dict[str, Value], names: dict[str, str]) -> str:
        """Makes a tournament, which begins now or when there is room. Raises FormError, StudioError.

        given: the form as people filled it. filled: the same with the specs of bots. names: of the bots, by spec.
        """
        if len(self.rows()) >= MOST_TOURNAMENTS:
            raise StudioError(CONFLICT, f"there are {MOST_TOURNAMENTS} tournaments already; delete some")
        words, game = self.read(kind, filled)
        key = secrets.token_hex(6)
        folder = self.folder / key
        own = [f"--record={folder / RECORD}", "--resume", "--json", *(["--trust"] if self.trust else [])]
        row = TournamentRow(
            id=key,
            created=now(),
            name=name,
            kind=kind,
            given=given,
            words=[kind, *words, *own],
            names=names,
            game=game.id,
            options=dict(game.options),
            state="waiting",
        )
        folder.mkdir()
        try:
            self.store.do(lambda session: session.add(row))
            self.begin(row)
        except BaseException:
            self.forget(key)
            raise
        return key

    def begin(self, row: TournamentRow) -> None:
        """Lets a tournament be played, now or when there is room."""
        self.jobs.begin(
            row.id,
            self.folder / row.id,
            row.words,
            lambda ended: self.end(row.id, ended),
            lambda: self.change(row.id, state="playing", message=""),
            lambda: self.change(row.id, state="waiting", message="waits until another one has ended"),
        )

    def end(self, key: str, ended: Ended) -> None:
        """Its process has ended: what it has played is taken in."""
        found = self.standings(key)
        is_whole = bool(found) and found["done"] == found["total"] and ended.state in ("finished", "stopped")
        state = "finished" if is_whole else ended.state
        said = {"stopped": "stopped", "interrupted": "the studio ended while it was played"}.get(state, "")
        message = f"{said}; all games that had ended are kept" if said else ended.message if state == "failed" else ""
        self.take_in(key, math.inf)
        self.change(key, state=state, message=message)

    def change(self, key: str, **values: Any) -> None:
        """Sets what the row of a tournament says, if it is still there."""

        def work(session: Session) -> None:
            row = session.get(TournamentRow, key)
            for name, value in values.items() if row is not None else ():
                setattr(row, name, value)

        self.store.do(work)

    def stop(self, key: str) -> None:
        """Stops a tournament as Ctrl-C does. Raises StudioError."""
        self.row(key)
        if not self.jobs.stop(key):
            raise StudioError(CONFLICT, "it is not played")

    def resume(self, key: str) -> None:
        """Goes on where its games end. Raises StudioError."""
        row = self.row(key)
        if row.state in UNDER_WAY or row.state == "finished":
            raise StudioError(CONFLICT, "it is over" if row.state == "finished" else "it is played already")
        if game_of(row) is None:  # nor is a file run that the user has not named this time
            raise StudioError(CONFLICT, f"the game {row.game} is of a file of your own: start the studio with --load FILE.py")
        self.begin(row)

    def delete(self, key: str) -> None:
        """Ends a tournament and deletes its games. Raises StudioError."""
        self.row(key)
        self.jobs.stop(key)
        if not self.jobs.wait(key, STOP_S):
            raise StudioError(CONFLICT, "its last game still goes on; try again in a moment")
        self.forget(key)

    def forget(self, key: str) -> None:
        """Deletes the row, with its games, and the folder of a tournament whose process has ended."""
        self.store.do(lambda session: session.execute(delete(TournamentRow).where(TournamentRow.id == key)))
        shutil.rmtree(self.folder / key, ignore_errors=True)
        self._standings.pop(key, None)


def take_lines(session: Session, key: str, path: Path) -> bool:
    """Takes lines of an index that are not yet in the table of records. Returns whether there may be more."""
    row = session.get(TournamentRow, key)
    if row is None:
        return False
    with open(path, "rb") as file:
        file.seek(row.indexed)
        lines = [line for line, _ in zip(file, range(LINES), strict=False) if line.endswith(b"\n")]
    put(session.connection(), [json.loads(line) for line in lines], tournament_id=key)
    row.indexed += sum(map(len, lines))
    return len(lines) == LINES


def interrupt_all(session: Session) -> None:
    """What the rows say of processes that ended with the last studio."""
    for row in session.scalars(select(TournamentRow).where(TournamentRow.state.in_(UNDER_WAY))):
        row.state, row.message = "interrupted", "the studio ended while it was played; all games that had ended are kept"


def game_of(row: TournamentRow) -> Game | None:
    """What is played; None for a game of a user's file that this studio was not told of (--load)."""
    try:
        return get_game(row.game)
    except UnknownGameError:
        return None


def form_of(kind: str) -> LearnerForm:
    """The form of a kind of tournament. Raises StudioError."""
    if kind not in KINDS:
        raise StudioError(NOT_FOUND, f"there is no tournament {kind[:40]!r}; there are {', '.join(KINDS)}")
    return command_form(kind)


# ------------------------------------------------------------ what can be said before it begins


def game_in(settings: Any) -> Game:
    """The game of a command's settings. Raises BoardgymError."""
    return get_game(settings.game, **read_options(settings.option))


def check_game(settings: Any) -> None:
    """Raises BoardgymError for rules that there are not, or more than two seats."""
    check_two_seats(game_in(settings), "a tournament")


def check_number(settings: Any) -> None:
    """Raises OptionError for a number of games that makes no pairs."""
    check_games(settings.games, getattr(settings, "seat", None))


def check_openings(settings: Any) -> None:
    """Raises FormError for a set of openings that the game has not."""
    game, name = game_in(settings), settings.openings
    if name not in (*NAMES, *game.setups) and not name.startswith("sequences:"):
        known = ", ".join(dict.fromkeys((*NAMES, *game.setups)))
        raise FormError({"openings": f"no set of openings is called {name[:80]!r}; expected {known}, or sequences:2"})
