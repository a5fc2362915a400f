"""What bots had learnt when somebody asked for it: files that stay as they are, as long as something plays with them."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Text, cast, select
from sqlalchemy.orm import Session

from boardgym.core.files import share_file
from boardgym.web.bot_models import BotRow
from boardgym.web.models import PlayRow
from boardgym.web.part_files import SETTINGS, TESTS, read_json
from boardgym.web.record_models import TournamentRow
from boardgym.web.store import Store

SNAPSHOTS = "snapshots"  # in the folder of a bot
GIVEN_S = 86_400.0  # for which one that nothing names is kept: a page may be about to


class Snapshots:
    """The snapshots of all bots.

    Args:
        store: the database, whose games, tournaments and bots may name them.
        folder: of the bots.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self.store, self.folder = store, folder
        self._given = dict[Path, float]()  # when each was asked for last
        self._began = time.monotonic()

    def take(self, key: str, agent: Path) -> Path:
        """The file of what a bot has learnt so far, beside those that are still in use. agent: where the bot writes that."""
        folder = self.folder / key / SNAPSHOTS
        folder.mkdir(exist_ok=True)
        path = folder / f"{agent.stem}-{agent.stat().st_mtime_ns}{agent.suffix}"
        self._given[path] = time.monotonic()
        self._forget(key)
        if not path.exists():
            share_file(agent, path)
        return path

    def _forget(self, key: str) -> None:
        """Deletes those of a bot that nothing names, and nobody has asked for since GIVEN_S."""
        since = time.monotonic() - GIVEN_S
        old = [path for path in (self.folder / key / SNAPSHOTS).iterdir() if self._given.get(path, self._began) < since]
        if not old:
            return
        naming = list(self._naming(key))
        for path in old:
            if not any(path.name in text for text in naming):
                path.unlink(missing_ok=True)
                self._given.pop(path, None)

    def _naming(self, key: str) -> Iterator[str]:
        """What names a bot, as JSON: players of games and of tournaments, opponents of trainings and of their tests."""

        def work(session: Session) -> list[str]:
            texts = [cast(column, Text) for column in (PlayRow.seats, TournamentRow.words, BotRow.words)]
            return [found for text in texts for found in session.scalars(select(text).where(text.contains(key)))]

        yield from self.store.do(work)
        for settings in self.folder.glob(f"*/{TESTS}/{SETTINGS}"):
            yield json.dumps(read_json(settings))
