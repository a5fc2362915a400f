"""Compares what the digest of a kernel covers with what Numba compiles for it: code that it missed would be loaded stale."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from numba.core import event

import boardgym.compile
from boardgym.compile.digest import reached
from boardgym.compile.registry import classes_in
from boardgym.compile.store import OverloadCache

ROOM = boardgym.compile.__path__[0]


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """A code object and all within it."""
    yield code
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield from codes_of(item)


def is_elsewhere(code: CodeType) -> bool:
    """Whether a function is Numba's, NumPy's or the compile room's: the name of the folder of kernels stands for these."""
    place = code.co_filename
    return "/numba/" in place or "/numpy/" in place or place.startswith(ROOM) or place.startswith("<")


class Reach(event.Listener):
    """Notes each function that is compiled on behalf of a kernel and that the kernel's digest does not cover."""

    def __init__(self) -> None:
        self.kernels: dict[int, tuple[Any, Any, list[Any]]] = {}  # thread -> outermost kernel, its arguments, what it took
        self.checked: list[str] = []
        self.missed: list[str] = []

    def on_start(self, event: Any) -> None:
        dispatcher, thread = event.data["dispatcher"], threading.get_ident()
        if thread in self.kernels:
            self.kernels[thread][2].append(dispatcher.py_func)
        elif isinstance(dispatcher._cache, OverloadCache):
            self.kernels[thread] = dispatcher, event.data["args"], []

    def on_end(self, event: Any) -> None:
        dispatcher, args, compiled = self.kernels.get(threading.get_ident(), (None, (), []))
        if dispatcher is not event.data["dispatcher"]:
            return
        del self.kernels[threading.get_ident()]
        kernel = dispatcher._cache.function
        covered = {
            code
            for thing in reached(kernel, *classes_in(args))
            if hasattr(thing, "__code__")
            for code in codes_of(thing.__code__)
        }
        self.checked.append(kernel.__qualname__)
        self.missed += [
            f"{function.__module__}.{function.__qualname__}, of which {kernel.__qualname__} is made"
            for function in compiled
            if function.__code__ not in covered and not is_elsewhere(function.__code__)
        ]


@contextmanager
def checking_reach() -> Iterator[Reach]:
    """Compares all that is compiled in the context."""
    listener = Reach()
    event.register("numba:compile", listener)
    try:
        yield listener
    finally:
        event.unregister("numba:compile", listener)
