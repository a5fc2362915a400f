"""How far long work has come, on stderr: a bar on a terminal, a line now and then elsewhere; or a function of the caller's."""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Any

from boardgym.core.escape import printable

SHOWN_AFTER_S = 2.0
LONGEST_SILENCE_S = 60.0

Progress = bool | Callable[[float, float, str], None] | None


class ProgressBar:
    """Says how far work has come that takes more than two seconds: a context, whose bar goes when the work is over.

    Where stderr is no terminal, lines come after 2 seconds, then 2, 4, 8 ... later, and at last every minute.

    Args:
        total: how much there is to do; 0 if it is not known.
        label: what is being done.
        progress: None and True say so on stderr; False says nothing; a function is called with (done, total, label) instead,
            whenever something is done.
    """

    def __init__(self, total: float = 0, label: str = "", *, progress: Progress = None) -> None:
        self.total, self.label, self.count, self.note = total, label, "", ""
        self.done: float = 0
        self.report = progress if callable(progress) else None
        self.wanted = progress is not False
        self.bar: Any = None
        self.started = time.monotonic()
        self.due, self.silence = self.started + SHOWN_AFTER_S, SHOWN_AFTER_S
        self.first: tuple[float, float] | None = None  # when something was first done, and how much by then: compiling is over

    def __enter__(self) -> "ProgressBar":
        return self

    def advance(self, label: str, done: int = 1, *, resumed: bool = False) -> None:
        """So much more is done. label: what is being done. resumed: an earlier run did it; it tells nothing of the pace."""
        self.show(self.done + done, label=label, resumed=resumed)

    def show(
        self,
        done: float,
        *,
        total: float | None = None,
        label: str | None = None,
        count: str = "",
        note: str | None = None,
        resumed: bool = False,
    ) -> None:
        """So much is done in all. count: the same in words, where numbers would say less. note: what else there is to say.

        resumed: as in `advance`.
        """
        now = time.monotonic()
        self.done, self.count = done, count
        self.total = self.total if total is None else total
        self.label = self.label if label is None else label
        self.note = self.note if note is None else note
        if not resumed:
            self.first = self.first or (now, done)
        if self.report is not None:
            self.report(done, self.total, self.label)
        elif self.wanted and now >= self.due:
            self._draw(now)

    def say(self, text: str) -> None:
        """A line of its own, above the bar."""
        if self.bar is not None:
            self.bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
        elif self.wanted:
            print(printable(text), file=sys.stderr, flush=True)

    def _draw(self, now: float) -> None:
        counted = self.count or (f"{self.done:,}/{self.total:,}" if self.total else f"{self.done:,}" if self.done else "")
        if not sys.stderr.isatty():
            self.due, self.silence = now + self.silence, min(2.0 * self.silence, LONGEST_SILENCE_S)
            parts = (self.label, counted, self.note, f"{clock(now - self.started)} so far", self._left(now))
            print(printable(f"boardgym: {', '.join(part for part in parts if part)}"), file=sys.stderr, flush=True)
            return
        if self.bar is None:
            self._begin()
        self.bar.update(
            self.task, completed=self.done, total=self.total or None, description=self.label, count=counted, note=self.note
        )

    def _left(self, now: float) -> str:
        """How long the rest will take at this pace; empty if that is not known."""
        since, before = self.first or (now, self.done)
        if not self.total or self.done <= before:
            return ""
        return f"{clock((self.total - self.done) * (now - since) / (self.done - before))} left"

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        texts = [TextColumn(f"{{task.{name}}}", markup=False) for name in ("description", "fields[count]", "fields[note]")]
        columns = (texts[0], BarColumn(), texts[1], TimeElapsedColumn(), TimeRemainingColumn(), texts[2])
        # prints go above the bar, unless stdout is no terminal: what is meant for a file would end up here
        self.bar = Bar(*columns, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty())
        self.bar.start()
        self.task = self.bar.add_task("", total=None, count="", note="")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()


def clock(seconds: float) -> str:
    """As 1:02:03."""
    return str(timedelta(seconds=round(seconds)))
