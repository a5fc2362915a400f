"""The process that tests a bot at parts of its training: `python -m boardgym.web.part_tester FOLDER GAME SECONDS`.

It plays the games of each part that is kept in FOLDER and not tested, as `boardgym compare --by-seat` would, and ends when
there is none, or when a player thinks for more than SECONDS about a move. It ends at once when its standard input is closed:
each part's results are written when its last game is over.
"""

import os
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from boardgym import startup
from boardgym.baselines.arena.compare import Row, compare
from boardgym.baselines.arena.game import as_policy, policy_name
from boardgym.commands.common import load_game
from boardgym.commands.users_games import users_game
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.web.part_files import FILE, RESULTS, SETTINGS, Settings, pending, read_json, write_json
from boardgym.web.policies import COMPILE_S
from boardgym.web.trainee import wait_for_end

FAILED = 2
SEED = 0  # of the games, as of `boardgym compare`
LOOK_S = 0.1  # between two looks whether somebody thinks for too long


class Watch:
    """Ends the process when somebody thinks for too long. limit_s: about a move, but for what is compiled for the first one."""

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self.thinking: tuple[str, float] | None = None  # who, and until when
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while (thinking := self.thinking) is None or time.monotonic() < thinking[1]:
            time.sleep(LOOK_S)
        print(f"{thinking[0]} did not answer within {self.limit_s:g} s and was stopped", file=sys.stderr, flush=True)
        os._exit(FAILED)


class Watched:
    """A policy that a watch looks at. inner: the policy."""

    def __init__(self, inner: Policy, watch: Watch) -> None:
        self.inner, self.watch, self.spec = inner, watch, policy_name(inner)
        self.extra_s = COMPILE_S

    def reset(self, *, seed: int | None = None) -> None:
        """As the policy's."""
        self.inner.reset(seed=seed)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """As the policy's."""
        self.watch.thinking = self.spec, time.monotonic() + self.watch.limit_s + self.extra_s
        try:
            return self.inner.act(board, deterministic=deterministic)
        finally:
            self.watch.thinking, self.extra_s = None, 0.0


def counts_of(row: Row) -> dict[str, Any]:
    """A row as the page has it; forfeits are lost by whoever makes them."""
    won, lost = row.wins + row.opponent_forfeits, row.losses + row.forfeits
    return {"opponent": row.opponent, "seat": row.seat, "won": won, "drawn": row.draws, "lost": lost}


def games_of(kept: Path, game: Game, settings: Settings, watch: Watch) -> dict[str, Any]:
    """The games of the agent that a file speaks of. Raises BoardgymError."""
    said = read_json(kept)
    specs = [said["spec"].replace(FILE, str(kept.parent / said["file"])), *settings.opponents]
    agent, *opponents = (Watched(as_policy(spec, game, seed=SEED), watch) for spec in specs)
    found = compare(
        agent,
        game,
        opponents,
        seed=SEED,
        games=settings.games,
        openings=settings.openings,
        by_seat=True,
        progress=False,
    )
    return {"done": said["done"], "rows": [counts_of(row) for row in found.rows]}


def play_all(folder: Path, word: str, limit_s: float) -> None:
    """Tests all parts, also those that are kept meanwhile. word: for the game, as on the command line. Raises BoardgymError.

    limit_s: for a move.
    """
    settings = Settings(**read_json(folder / SETTINGS))
    game = load_game(users_game(word), settings.option)
    watch = Watch(limit_s)
    while waiting := pending(folder):
        tested = read_json(folder / RESULTS)
        write_json(folder / RESULTS, {**tested, waiting[0].stem: games_of(waiting[0], game, settings, watch)})


def run(folder: Path, word: str, limit_s: float) -> int:
    """The same as a process. Returns its exit status; the last line that it has said tells what went wrong."""

    def end() -> None:
        wait_for_end()
        os._exit(startup.INTERRUPTED)

    threading.Thread(target=end, daemon=True).start()
    try:
        play_all(folder, word, limit_s)
    except BoardgymError as error:
        print(error, file=sys.stderr)
        return FAILED
    except Exception:
        traceback.print_exc()
        return FAILED
    return 0


if __name__ == "__main__":
    startup.started()
    sys.exit(run(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
