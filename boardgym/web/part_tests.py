"""Tests of bots at ten parts of their trainings: games against opponents, from the same openings, each seat apart.

The process of a training keeps its agents (`part_files`), another one plays the games (`part_tester`), so that the training
goes on meanwhile. What was not tested when the studio ended is tested when it begins again.
"""

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from anyio import from_thread
from pydantic import Field

from boardgym.baselines.arena.openings import make_openings
from boardgym.baselines.learning.runs import PARTS
from boardgym.commands.training import is_person
from boardgym.core.game import Game, check_two_seats
from boardgym.web.errors import UNPROCESSABLE, StudioError
from boardgym.web.forms import game_word
from boardgym.web.jobs import Ended, Jobs, TrainingError
from boardgym.web.part_files import RESULTS, SETTINGS, TESTS, Settings, pending, read_json
from boardgym.web.play_bodies import Body
from boardgym.web.policies import PolicyWorkers

AT_ONCE = 1
LOOK_S = 0.4  # between two looks for parts that have come to their end
STOP_S = 20.0  # for a process to end that is killed
MODULE = "boardgym.web.part_tester"

Spec = Annotated[str, Field(min_length=1, max_length=500)]


class PartTestsBody(Body):
    """How a bot is tested. opponents: policies; openings, games: as of `boardgym compare`, half of the games at each seat."""

    opponents: Annotated[list[Spec], Field(min_length=1, max_length=8)]
    openings: Annotated[str, Field(max_length=80)] = "heldout"
    games: Annotated[int, Field(ge=2, le=10_000, multiple_of=2)] = 100

    def settings(self, game: Game, policies: PolicyWorkers) -> Settings:
        """The same for a game, from a thread of a request. Raises BoardgymError for what cannot be played."""
        check_two_seats(game, "a test")
        make_openings(game, self.openings, count=1)
        for spec in self.opponents:
            if is_person(spec):
                raise StudioError(UNPROCESSABLE, f"{spec}: nobody can be asked for moves in a test")
            from_thread.run(policies.check, spec, game)
        option = [f"{name}={value}" for name, value in game.options.items()]
        seats = [game.seat_name(seat) for seat in range(game.num_seats)]
        return Settings(game.id, option, seats, self.opponents, self.openings, self.games)


class PartTests:
    """The tests of all bots.

    Args:
        folder: of the bots.
        is_training: whether a bot trains or waits for it, by its id.
        move_limit_s: how long a player may think about a move.
    """

    def __init__(self, folder: Path, is_training: Callable[[str], bool], move_limit_s: float) -> None:
        self.folder, self.is_training, self.move_limit_s = folder, is_training, move_limit_s
        self.jobs = Jobs(AT_ONCE)
        self._lock = threading.Lock()
        self._watched = {path.parents[1].name for path in folder.glob(f"*/{TESTS}/{SETTINGS}")}
        self._failures: dict[str, str] = {}
        self._ending = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def watch(self, key: str) -> None:
        """Tests a bot from now on, also where that has failed before, if it has settings for that."""
        with self._lock:
            self._failures.pop(key, None)
            if (self.folder / key / TESTS / SETTINGS).exists():
                self._watched.add(key)

    def forget(self, key: str) -> bool:
        """Ends the tests of a bot that is deleted. Returns whether they have ended."""
        with self._lock:
            self._watched.discard(key)
        self.jobs.stop(key, kills=True)
        return self.jobs.wait(key, STOP_S)

    def close(self) -> None:
        """Ends all tests."""
        self._ending.set()
        self.jobs.close()

    def described(self, key: str) -> dict[str, Any] | None:
        """The tests of a bot as the page has them; None if it is not tested."""
        folder = self.folder / key / TESTS
        if not (settings := read_json(folder / SETTINGS)):
            return None
        tested, failure = read_json(folder / RESULTS), self._failures.get(key, "")
        return {
            **{name: settings[name] for name in ("seats", "opponents", "openings", "games")},
            "parts": PARTS,
            "state": "failed" if failure else "running" if pending(folder) else "",
            "message": failure,
            "results": [{"part": int(name.rpartition("-")[2]), **tested[name]} for name in sorted(tested)],
        }

    def _look(self) -> None:
        """On a thread of its own: begins the tests of what has been kept."""
        while not self._ending.wait(LOOK_S):
            with self._lock, contextlib.suppress(TrainingError, OSError):  # the studio ends; a full disk: tried again
                for key in list(self._watched):
                    self._look_at(key)

    def _look_at(self, key: str) -> None:
        folder, is_training = self.folder / key / TESTS, self.is_training(key)
        if self.jobs.state(key):
            return
        if key not in self._failures and pending(folder):
            self._begin(key, folder)
        elif not is_training:
            self._watched.discard(key)

    def _begin(self, key: str, folder: Path) -> None:
        try:
            word = game_word(read_json(folder / SETTINGS)["game"])
        except ValueError as error:  # of a user's file, which the studio was not told of this time
            self._failures[key] = str(error)
            return
        words = [word, f"{self.move_limit_s:g}"]
        self.jobs.begin(key, folder, words, lambda ended: self._end(key, ended), module=MODULE)

    def _end(self, key: str, ended: Ended) -> None:
        if ended.state != "finished":
            self._failures[key] = ended.message
