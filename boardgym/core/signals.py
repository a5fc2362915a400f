"""Ctrl-C around what has to be done whole: processes and threads that are started."""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Processes that are started within do not get Ctrl-C before they have a handler of their own."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def ctrl_c_held() -> Iterator[None]:
    """What is within is done whole: Ctrl-C is raised at its end. Processes that are started within do not get it.

    A mask alone does not do: another thread takes the signal, and Python raises in the main one.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:  # where Python raises nothing
        with ctrl_c_blocked():
            yield
        return
    noted = []
    signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        with ctrl_c_blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
        if noted:
            signal.raise_signal(signal.SIGINT)
