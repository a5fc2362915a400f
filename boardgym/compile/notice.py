"""Says what is being compiled, when it takes long, and how long all of it took."""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

from numba.core import event

from boardgym.compile import compile_mode
from boardgym.compile.store import OverloadCache

NOTICE_AFTER_S = 0.5


def titles_in(kinds: Iterable[Any]) -> Iterator[str]:
    """The titles of all tokens among Numba types, and within tuples of them."""
    for kind in kinds:
        if hasattr(kind, "types"):
            yield from titles_in(kind.types)
        elif hasattr(kind, "title"):
            yield kind.title


class _CompileNotice(event.Listener):  # type: ignore[misc]
    """Says on stderr what is being compiled when it takes longer than NOTICE_AFTER_S, once per kernel and game.

    seconds: that kernels took to compile so far, in all threads.
    """

    def __init__(self) -> None:
        self.is_quiet = False
        self.running: dict[int, tuple[Any, threading.Timer, float]] = {}  # thread -> outermost dispatcher, timer, when it began
        self.seconds = 0.0
        self.said: set[str] = set()

    def on_start(self, event: Any) -> None:
        dispatcher, thread = event.data["dispatcher"], threading.get_ident()
        if thread in self.running or not isinstance(dispatcher._cache, OverloadCache):
            return  # compiled on behalf of a kernel that is being timed, or not ours
        subjects = list(titles_in(event.data["args"]))
        text = f"compiling {' '.join([*subjects, dispatcher.__name__])}, once"
        timer = threading.Timer(NOTICE_AFTER_S, self._say, (text,))
        timer.daemon = True
        self.running[thread] = dispatcher, timer, time.monotonic()
        timer.start()

    def on_end(self, event: Any) -> None:
        dispatcher, timer, started = self.running.get(threading.get_ident(), (None, None, 0.0))
        if timer is not None and dispatcher is event.data["dispatcher"]:
            timer.cancel()
            self.seconds += time.monotonic() - started
            del self.running[threading.get_ident()]

    def _say(self, text: str) -> None:
        if text not in self.said and not self.is_quiet:
            self.said.add(text)
            print(f"boardgym: {text}", file=sys.stderr, flush=True)
            if not compile_mode.IS_KNOWN and len(self.said) == 1:
                print(f"boardgym: {compile_mode.UNKNOWN}", file=sys.stderr, flush=True)


def be_quiet() -> None:
    """Says nothing more in this process: for one that works for another, which says how far it has come."""
    _NOTICE.is_quiet = True


_NOTICE = _CompileNotice()
event.register("numba:compile", _NOTICE)


class WorkClock:
    """Seconds since it was made, and those of them in which nothing was compiled, of which rates are told."""

    def __init__(self) -> None:
        self._started, self._compiled = time.monotonic(), _NOTICE.seconds

    @property
    def seconds(self) -> float:
        """All of them."""
        return time.monotonic() - self._started

    @property
    def working_seconds(self) -> float:
        """Without those in which this process compiled kernels."""
        return max(self.seconds - (_NOTICE.seconds - self._compiled), 0.0)
