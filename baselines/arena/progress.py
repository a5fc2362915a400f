"""How far a long series of games has come: a bar on the terminal, or a function of the caller's."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

SHOWN_AFTER_S = 2.0

Progress = bool | Callable[[int, int, str], None] | None


class GamesBar:
    """A bar on stderr that appears after two seconds and goes when the games are over.

    Args:
        total: number of games; 0 if it is not known.
        progress: None shows the bar if stderr is a terminal; True, False always and never; a function is called with
            (games played, total, label) instead, whenever games are over.
    """

    def __init__(self, total: int, *, progress: Progress = None) -> None:
        self.total, self.done = total, 0
        self.report = progress if callable(progress) else None
        self.wanted = sys.stderr.isatty() if progress is None else bool(progress) and self.report is None
        self.bar: Any = None
        self.started = time.monotonic()

    def __enter__(self) -> "GamesBar":
        return self

    def advance(self, label: str, games: int = 1) -> None:
        """So many more games are over. label: what is being played."""
        self.done += games
        if self.report is not None:
            self.report(self.done, self.total, label)
        elif self.wanted and (self.bar is not None or time.monotonic() - self.started >= SHOWN_AFTER_S):
            if self.bar is None:
                self._show()
            self.bar.update(self.task, completed=self.done, description=label)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self.bar.start()
        self.task = self.bar.add_task("", total=self.total or None)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()
