"""Snapshots of an agent in the course of its training: a bounded set, spread evenly over what was done.

They are agents' files in the folder `history` of the run, named by how many units were done, as in
`history/000000012000.safetensors`.
Which are kept follows from the names alone; so a run that was killed needs to know no more to go on with its history.
"""

import contextlib
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from boardgym.core.errors import BoardgymError, OptionError
from boardgym.core.files import remove_parts

if TYPE_CHECKING:
    from boardgym.baselines.learning.runs import Training

HISTORY = "history"  # in the folder of a run
NAME = re.compile(r"(\d{12,18})\.(safetensors|zip)")
FEWEST, MOST = 2, 1000  # that a history may be asked to keep
MOST_BYTES = 2**30  # of all snapshots of a run: fewer are kept of agents that are large
FREE_S, SHARE = 2.0, 0.05  # that writing them may take: some time at first, and a share of that of the training


class History:
    """The snapshots of one training, kept while it goes on.

    Args:
        folder: of the run.
        most: how many are kept at most, 0 for none. Raises OptionError for another number than that or FEWEST to MOST.
    """

    def __init__(self, folder: Path, most: int) -> None:
        if most != 0 and not FEWEST <= most <= MOST:
            raise OptionError(f"snapshots={most}: expected 0 for none, or {FEWEST} to {MOST:,}")
        self.folder, self.most = folder / HISTORY, most
        self.begun, self.spent = time.monotonic(), 0.0

    def open(self, done: int) -> None:
        """Deletes what is of a later moment than the checkpoint that the run goes on from, and what killed writers left."""
        if not self.folder.is_dir():
            return
        remove_parts(self.folder)
        for number, path in found_in(self.folder).items():
            if number > done:
                path.unlink(missing_ok=True)

    def look(self, training: "Training") -> None:
        """Writes a snapshot of a training as it is, where one is due. Raises OSError."""
        number, started = training.done, time.monotonic()
        if self.most == 0 or number < 1 or not training.has_begun:
            return
        if self.spent > FREE_S + SHARE * (started - self.begun):
            return
        kept = found_in(self.folder)
        if number in kept or number not in thinned([*kept, number], self.room(kept.values())):
            return
        self.folder.mkdir(exist_ok=True)
        path = self.folder / f"{number:012d}{training.agent_path(self.folder).suffix}"
        with contextlib.suppress(BoardgymError):  # of weights that no file may hold: the training says so at its end
            training.write_agent(path)
            kept = found_in(self.folder)
            for other in set(kept) - set(thinned(kept, self.room(kept.values()))):
                kept[other].unlink(missing_ok=True)
        self.spent += time.monotonic() - started

    def room(self, paths: Iterable[Path]) -> int:
        """How many are kept, of files like these."""
        largest = max((path.stat().st_size for path in paths), default=0)
        return max(min(self.most, MOST_BYTES // max(largest, 1)), FEWEST)


def found_in(history: Path) -> dict[int, Path]:
    """The snapshots of a folder `history`: {units done: path}, in their order. Empty if there is none."""
    try:
        matches = [(NAME.fullmatch(path.name), path) for path in history.iterdir()]
    except FileNotFoundError:
        return {}
    return dict(sorted((int(match[1]), path) for match, path in matches if match))


def thinned(numbers: Iterable[int], most: int) -> list[int]:
    """At most so many of some numbers of 0 or more: the first of each interval, of the shortest length that leaves no more.

    Numbers that are added one by one and thinned each time stay spread over all: of the two that are closest one goes.

    Example:
        >>> thinned(range(1, 30), 4)
        [1, 8, 16, 24]
    """
    ordered, length = sorted(set(numbers)), 1
    while True:
        first = dict[int, int]()
        for number in ordered:
            first.setdefault(number // length, number)
        if len(first) <= most:
            return list(first.values())
        length *= 2
