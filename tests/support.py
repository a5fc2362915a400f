"""What several tests share: drawn boards, texts of pictures, and Python in another process with a kernel cache of its own."""

import gc
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from numba.core import event

import boardgym
from boardgym.compile import as_python
from boardgym.compile.kernels import KernelDispatcher
from boardgym.core import frames
from boardgym.render.glyphs import STROKES

ROOT = Path(boardgym.__file__).resolve().parents[1]


def rows_of(drawing: str) -> list[str]:
    """The rows of a drawn board, from the top, without the blanks between cells."""
    return ["".join(line.split()) for line in drawing.strip().splitlines()]


def drawn(drawing: str, side: str) -> str:
    """The position string of a drawn board: rows joined by "/" (tic-tac-toe, Connect Four)."""
    return f"{'/'.join(rows_of(drawing))} {side}"


def drawn_squares(drawing: str, side: str) -> str:
    """The position string of a drawn Othello board: `.` empty, `X` black, `O` white."""
    return f"{''.join(rows_of(drawing)).replace('.', '-')} {side}"


def read(picture: ET.Element) -> list[str]:
    """The texts of an SVG in their order, without blanks, read off their strokes."""
    letters = {stroke: letter for letter, stroke in STROKES.items()}
    texts = (
        "".join(letters.get(path.get("d", ""), "") for path in group) for group in picture.iter() if group.tag.endswith("}g")
    )
    return [text for text in texts if text]


def environment_of(cache: Path, folder: Path | None = None, **extra: str) -> dict[str, str]:
    """The environment of a Python process that imports boardgym from here and its own modules from `folder`."""
    paths = [str(p) for p in (folder, ROOT) if p is not None]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_") and k != "PYTHONHASHSEED"}
    return {**inherited, "PYTHONPATH": os.pathsep.join(paths), "NUMBA_CACHE_DIR": str(cache), **extra}


def run_python(*arguments: str, cache: Path, folder: Path | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in `folder`. Raises AssertionError with its stderr if it fails. extra: environment variables."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment_of(cache, folder, **extra),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def found_in_plain_python(script: str) -> Any:
    """What a script prints as JSON, in a process without the compiler, which makes games of one test each quick."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def uncompiled_throughout(*, boards: bool = False, only: Collection[Any] = ()) -> Iterator[None]:
    """Kernels run as Python within, on all threads, as the marker "plain" asks.

    boards: those of boards too, which otherwise are compiled, as they are for nearly all tests, and have to be quick.
    only: the kernels that do; if there are none, all do.
    """
    compile_one = KernelDispatcher.compile

    def is_compiled(kernel: Any) -> bool:
        return (not boards and kernel.py_func.__module__ == frames.__name__) or bool(only and kernel not in only)

    def call(kernel: Any, *args: Any) -> Any:
        return super(KernelDispatcher, kernel).__call__(*args) if is_compiled(kernel) else as_python(kernel)(*args)

    def compile(kernel: Any, sig: Any) -> Any:
        return compile_one(kernel, sig) if is_compiled(kernel) else as_python(kernel)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KernelDispatcher, "__call__", call)
        patch.setattr(KernelDispatcher, "compile", compile)
        if boards:
            patch.setattr(frames, "calls_of", lambda token, dtype: frames.PLAIN_CALLS)
        yield


@contextmanager
def counting_compilations() -> Iterator[list[str]]:
    """The names of the functions that Numba compiles in the context, as a list that grows."""
    names: list[str] = []

    class Listener(event.Listener):
        def on_start(self, event):
            names.append(event.data["dispatcher"].py_func.__qualname__)

        def on_end(self, event):
            pass

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield names
    finally:
        event.unregister("numba:compile", listener)


@contextmanager
def alarm_as_key() -> Iterator[int]:
    """The signal that stands for Ctrl-C within: SIGALRM, because a runner in the background ignores SIGINT.

    No garbage is collected meanwhile: Hypothesis has a callback for that, and Python drops what is raised in it.
    """

    def press(*_):
        raise KeyboardInterrupt

    before, collects = signal.signal(signal.SIGALRM, press), gc.isenabled()
    gc.disable()
    try:
        yield signal.SIGALRM
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if collects:
            gc.enable()


def overrun(policy, board, error, seconds: float = 0.1) -> float:
    """By how much longer than `seconds` a policy thinks that is to end then with an error, its own clock's or Ctrl-C's."""
    with alarm_as_key():
        if error is KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        started = time.monotonic()
        with pytest.raises(error):
            policy.analyse(board)
        return time.monotonic() - started - seconds
