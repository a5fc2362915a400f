"""The process that tests a bot at parts of its training: `python -m boardgym.web.part_tester FOLDER GAME`.

It plays the games of each part that is kept in FOLDER and not tested, as `boardgym compare --by-seat` would, and ends when
there is none. It ends at once when its standard input is closed: each part's results are written when its last game is over.
"""

import os
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

from boardgym import startup
from boardgym.baselines.arena.compare import Row, compare
from boardgym.commands.common import load_game
from boardgym.commands.users_games import users_game
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.web.part_files import FILE, RESULTS, SETTINGS, Settings, pending, read_json, write_json
from boardgym.web.trainee import wait_for_end

FAILED = 2


def counts_of(row: Row) -> dict[str, Any]:
    """A row as the page has it; forfeits are lost by whoever makes them."""
    won, lost = row.wins + row.opponent_forfeits, row.losses + row.forfeits
    return {"opponent": row.opponent, "seat": row.seat, "won": won, "drawn": row.draws, "lost": lost}


def games_of(kept: Path, game: Game, settings: Settings) -> dict[str, Any]:
    """The games of the agent that a file speaks of. Raises BoardgymError."""
    said = read_json(kept)
    found = compare(
        said["spec"].replace(FILE, str(kept.parent / said["file"])),
        game,
        settings.opponents,
        games=settings.games,
        openings=settings.openings,
        by_seat=True,
        progress=False,
    )
    return {"done": said["done"], "rows": [counts_of(row) for row in found.rows]}


def play_all(folder: Path, word: str) -> None:
    """Tests all parts, also those that are kept meanwhile. word: for the game, as on the command line. Raises BoardgymError."""
    settings = Settings(**read_json(folder / SETTINGS))
    game = load_game(users_game(word), settings.option)
    while waiting := pending(folder):
        tested = read_json(folder / RESULTS)
        write_json(folder / RESULTS, {**tested, waiting[0].stem: games_of(waiting[0], game, settings)})


def run(folder: Path, word: str) -> int:
    """The same as a process. Returns its exit status; the last line that it has said tells what went wrong."""

    def end() -> None:
        wait_for_end()
        os._exit(startup.INTERRUPTED)

    threading.Thread(target=end, daemon=True).start()
    try:
        play_all(folder, word)
    except BoardgymError as error:
        print(error, file=sys.stderr)
        return FAILED
    except Exception:
        traceback.print_exc()
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[2]))
