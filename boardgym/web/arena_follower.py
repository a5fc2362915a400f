"""What the process of a tournament leaves for the studio: its standings as they are, and an index of its games as they end."""

import json
import math
import threading
import time
from dataclasses import asdict, replace
from io import FileIO
from pathlib import Path
from typing import Any

from boardgym.baselines.arena.compare import Comparison, Row, summarise
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.ladder import Ladder
from boardgym.baselines.arena.match import Match
from boardgym.baselines.arena.rating_systems import Rating
from boardgym.baselines.arena.standings import ratings_of
from boardgym.core.files import write_aside
from boardgym.web.clock import now
from boardgym.web.record_index import index_of

RECORD, INDEX, STANDINGS = "games.jsonl", "index.jsonl", "standings.json"  # in the folder of a tournament
STANDINGS_S, STANDINGS_SHARE = 0.5, 0.1  # between two writings of the standings; and of the time that these may take


class ArenaFollower:
    """Writes how far a tournament has come, as of `game_log.followed`.

    Args:
        folder: for that.
        is_told: whether the tournament is to end.
    """

    def __init__(self, folder: Path, is_told: threading.Event) -> None:
        self.folder, self.is_told = folder, is_told
        self.log: GameLog | None = None
        self.match: Match | None = None
        self.rows = list[tuple[str, str, Row]]()  # of matches that are over: the two players, and how the first did
        self.due = 0.0  # when the standings are written again
        self.first = 0.0  # when the first game was played that was not taken
        self.index: FileIO | None = None
        self.indexed = 0  # games that the index has

    def __call__(self, log: GameLog) -> None:
        """A game has ended. Raises KeyboardInterrupt when it is to end, should the first one have been swallowed."""
        if self.is_told.is_set():
            raise KeyboardInterrupt
        if log.match is not self.match:
            self.rows = self.all_rows()
        self.log, self.match = log, log.match
        self.note()
        started = time.monotonic()
        if not self.first and log.done > log.taken:
            self.first = started
        if started >= self.due:
            self.tell()
            ended = time.monotonic()
            self.due = ended + max(STANDINGS_S, (ended - started) / STANDINGS_SHARE)

    def note(self) -> None:
        """Adds the games of the match to the index that it does not have."""
        assert self.log is not None
        assert self.match is not None
        if self.index is None:
            self.index, self.indexed = opened(self.folder / INDEX)
        for number in range(max(self.indexed, self.log.before), self.log.done):
            game = self.match.games[number - self.log.before]
            columns = {**index_of(game.record, now()), "number": number, "line": len(self.rows), "seat": game.seat}
            self.index.write(json.dumps(columns, ensure_ascii=False).encode() + b"\n")
            self.indexed = number + 1

    def end(self) -> None:
        """The command has ended, perhaps by Ctrl-C in the middle of all this."""
        if self.log is not None and self.log.match is self.match:
            self.index = None
            self.note()
            self.tell()

    def all_rows(self) -> list[tuple[str, str, Row]]:
        """The rows of the table, that of the match which is played among them."""
        match = self.match
        return [*self.rows, (match.a, match.b, summarise(match))] if match is not None and match.finished_games else self.rows

    def tell(self) -> None:
        """Writes the standings, whole or not at all."""
        if self.log is None or self.match is None:
            return
        log, rows = self.log, self.all_rows()
        head: Comparison | Ladder | None = log.head
        if head is None:
            match = self.match
            is_best = match.deterministic[0]
            head = Comparison(match.a, match.game, match.options, match.openings, match.seed, is_best, ())
        report = replace(head, rows=tuple(row for *_, row in rows))  # type: ignore[misc]
        played, seconds = log.done - log.taken, time.monotonic() - self.first
        found = {
            "done": log.done,
            "total": log.total,
            "rate": (played - 1) / seconds if played > 1 and seconds > 0 else None,
            "report": report.to_dict(),
            "players": [[a, b] for a, b, _ in rows],
            "ratings": [finite(rating) for rating in ratings(report, rows)],
        }
        write_aside(self.folder / STANDINGS, json.dumps(found, ensure_ascii=False, allow_nan=False).encode())


def ratings(report: Comparison | Ladder, rows: list[tuple[str, str, Row]]) -> list[Rating]:
    """Of all players so far; none where a player meets itself, or games are not in pairs."""
    if not rows or any(row.seat is not None or a == b for a, b, row in rows):
        return []
    if isinstance(report, Ladder):
        return report.ratings()
    names = list(dict.fromkeys([*(b for _, b, _ in rows), report.agent]))
    met = [(names.index(a), names.index(b), row) for a, b, row in rows]
    return ratings_of(names, met, names.index("random") if "random" in names else 0, seed=report.seed)


def finite(rating: Rating) -> dict[str, Any]:
    """A rating as JSON: an end that is infinite, and a number that there is not, are null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in asdict(rating).items()
    }


def opened(path: Path) -> tuple[FileIO, int]:
    """(a file of lines to append to, how many whole ones it has); half a line at its end is cut off."""
    file = open(path, "a+b", buffering=0)  # noqa: SIM115  (open to the end of the process)
    file.seek(0)
    content = file.read()
    file.truncate(content.rfind(b"\n") + 1)
    return file, content.count(b"\n")
