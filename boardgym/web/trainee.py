"""The process of a training or a tournament: `python -m boardgym.web.trainee FOLDER COMMAND ...` runs `boardgym COMMAND ...`.

It ends as after Ctrl-C, with a checkpoint, when its standard input is closed: by the studio that wants it to stop, or by the
system when the studio has ended, however that was. Meanwhile it writes into FOLDER how far it has come (`progress.json`), and
into the folder of the run the curve and now and then the agent; of a tournament, what `arena_follower` writes.
"""

import _thread
import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path

from boardgym import startup
from boardgym.baselines.arena import game_log
from boardgym.baselines.learning.runs import Training, followed
from boardgym.cli import main
from boardgym.core.errors import BoardgymError
from boardgym.core.files import write_aside
from boardgym.web.arena_follower import ArenaFollower
from boardgym.web.jobs import PROGRESS
from boardgym.web.part_files import Keeper

CURVE_S = 0.3  # between two looks at how far it has come
AGENT_S, AGENT_SHARE = 2.0, 0.05  # between two writings of the agent; and of the time that these may take
GRACE_S = 120.0  # for the last checkpoint, once it has been told to end


class Follower:
    """Writes how far a training has come. folder: for that; is_told: whether the training is to end."""

    def __init__(self, folder: Path, is_told: threading.Event) -> None:
        self.folder, self.is_told = folder, is_told
        self.seen, self.agent_due = 0.0, 0.0
        self.keep = Keeper(folder)

    def __call__(self, training: Training, run: Path) -> None:
        """As of `followed`. Raises KeyboardInterrupt when it is to end, should the first one have been swallowed."""
        if self.is_told.is_set():
            raise KeyboardInterrupt
        self.keep(training, run)
        now = time.monotonic()
        if now - self.seen < CURVE_S:
            return
        with contextlib.suppress(BoardgymError):  # of weights that no file may hold: the training says so at its end
            if now >= self.agent_due and training.has_begun:
                training.write_results(run)
                spent = time.monotonic() - now
                self.agent_due = time.monotonic() + max(AGENT_S, spent / AGENT_SHARE)
            else:
                training.write_curve(run)
        self.tell(training, run)
        self.seen = time.monotonic()

    def tell(self, training: Training, run: Path) -> None:
        """Writes progress.json, whole or not at all."""
        usual = training.played.options
        found = {
            "done": training.done,
            "resumed": training.resumed,
            "total": training.total,
            "unit": training.unit,
            "size": training.size,
            "game": training.played.id,
            "options": dict(usual),
            "agent": str(training.agent_path(run)),
            "spec": training.spec_in(run),
        }
        write_aside(self.folder / PROGRESS, json.dumps(found).encode())


def wait_for_end() -> None:
    """Waits for the end of the standard input."""
    with contextlib.suppress(OSError):
        while os.read(0, 1024):
            pass


def end_with_studio(is_told: threading.Event) -> None:
    """Waits for the end of the standard input, then ends what this process does; at last the process itself."""
    wait_for_end()
    is_told.set()
    _thread.interrupt_main()
    time.sleep(GRACE_S)
    os._exit(startup.INTERRUPTED)


def run(folder: Path, arguments: list[str]) -> int:
    """Runs a command. Returns its exit status."""
    is_told = threading.Event()
    threading.Thread(target=end_with_studio, args=(is_told,), daemon=True).start()
    follower, ended = Follower(folder, is_told), list[tuple[Training, Path]]()
    games = ArenaFollower(folder, is_told)

    def follow(training: Training, at: Path) -> None:
        ended[:] = [(training, at)]
        follower(training, at)

    with followed(follow), game_log.followed(games):
        status = main(arguments)
    games.end()
    for training, at in ended:  # how far it has come in the end
        follower.keep(training, at, is_written=True)
        follower.tell(training, at)
    return status


if __name__ == "__main__":
    startup.handle_interrupts()
    try:
        status = run(Path(sys.argv[1]), sys.argv[2:])
    except KeyboardInterrupt:  # before the command, which answers it by itself, has begun
        status = startup.INTERRUPTED
    sys.exit(status)
