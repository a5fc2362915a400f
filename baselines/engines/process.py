"""A program in another process that is spoken to line by line, with time-outs, and that does not outlive its owner."""

import contextlib
import io
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from typing import IO

from boardgym.baselines.engines.lines import bounded_lines
from boardgym.core.errors import EngineError, SpecError
from boardgym.core.escape import printable

QUIT_S = 0.5  # given to end by itself
LATE_S = 1.0  # after a deadline, for what came before it and has not been read
LINES_KEPT, LINE_LENGTH = 2_000, 1 << 14  # of output not read yet; of a longer line only so much is read
MOST_HEARD, LINE_COST = 1 << 24, 64  # bytes in answer to a request, each line with what it costs in memory
THREAD = "boardgym-engine"
SEND_AGAIN_S = 0.005  # where its input is full
WORDS_KEPT, WORDS_LENGTH = 5, 200  # lines of stderr, and characters of each, for messages


def read_command(text: str, spec: str) -> list[str]:
    """The words of a command line, read as a shell does, without one. Raises SpecError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SpecError(f"policy spec {spec!r}: the command {text!r}: {error}") from None
    if not words:
        raise SpecError(f"policy spec {spec!r}: a command is missing, as in engine:gtp:gtp-rhino")
    return words


_running: "weakref.WeakSet[EngineProcess]" = weakref.WeakSet()
_starting, _may_start = threading.Lock(), [True]


class EngineProcess:
    """A running engine. Every failure to answer ends it and raises EngineError.

    Args:
        command: program and arguments; no shell.
        timeout: seconds to wait until it reads a line.

    Raises: EngineError if it cannot be started.
    """

    def __init__(self, command: list[str], *, timeout: float) -> None:
        self.command, self.timeout, self.heard = command, timeout, 0
        self.is_interrupted, self.sending = False, threading.Lock()
        with _starting:
            if not _may_start[0]:
                raise EngineError(f"engine {shlex.join(command)}: cannot be started: this program is ending")
            try:
                self.process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # Ctrl-C is for us, and what it has started ends with it
                )
            except OSError as error:
                raise EngineError(f"engine {shlex.join(command)}: cannot be started: {error.strerror or error}") from None
            self.lines: queue.Queue[str | None] = queue.Queue(LINES_KEPT)
            self._end = weakref.finalize(self, end_process, self.process, self.lines)  # also at the interpreter's exit
            _running.add(self)
        assert isinstance(self.process.stdin, io.BufferedWriter)
        self.input = self.process.stdin.raw  # what is not read could not be given up if it stood in a buffer
        os.set_blocking(self.input.fileno(), False)
        self.complaints: deque[str] = deque(maxlen=WORDS_KEPT)
        # neither thread may hold this object, or it would never be collected
        reader = threading.Thread(target=_pump, args=(self.process.stdout, self.lines), name=THREAD, daemon=True)
        self.listener = threading.Thread(target=_listen, args=(self.process.stderr, self.complaints), name=THREAD, daemon=True)
        reader.start()
        self.listener.start()

    def send(self, line: str) -> None:
        """Writes a line, from whichever thread. Raises EngineError if the engine is gone, or does not read in time."""
        self.heard, rest, deadline = 0, line.encode() + b"\n", time.monotonic() + self.timeout
        with self.sending:
            while rest:
                try:
                    written = self.input.write(rest)
                except (OSError, ValueError):
                    raise self.failure(f"has ended before {line!r}") from None
                rest = rest[written or 0 :]
                if not written:  # its input is full
                    if time.monotonic() > deadline:
                        raise self.failure(f"did not read {line[:WORDS_LENGTH]!r} in time")
                    time.sleep(SEND_AGAIN_S)

    def interrupt(self) -> None:
        """Kills it at once, from another thread: who waits for its answer gets an EngineError."""
        self.is_interrupted = True
        _kill(self.process)

    def read_line(self, what: str, *, deadline: float, may_wait: bool = False) -> str:
        """The next line of its output. what: it is to answer, for messages. deadline: by `time.monotonic`.

        What would steer a terminal is written as an escape.

        Raises: EngineError when the time is over, the engine has ended, or has written MOST_HEARD since the last line that it
            was sent; TimeoutError in place of the first, if it `may_wait`, and nothing is ended.
        """
        left = deadline - time.monotonic()
        try:
            if left < -LATE_S:
                raise queue.Empty  # it writes and writes, and nothing of it is the answer
            line = self.lines.get(timeout=max(left, 0.001))
        except queue.Empty:
            if may_wait:
                raise TimeoutError from None
            raise self.failure(f"gave no answer to {what!r} in time") from None
        if line is None:
            raise self.failure(f"has ended, asked {what!r}")
        self.heard += len(line) + LINE_COST
        if self.heard > MOST_HEARD:
            raise self.failure(f"writes without end, asked {what!r}")
        return line

    def failure(self, what: str) -> EngineError:
        """Ends the engine. Returns the error that says what happened, its exit status, and its last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(QUIT_S if self.process.poll() is None and "ended" in what else 0.0)
        status = self.process.returncode
        self.close()
        self.listener.join(QUIT_S)  # for its last words
        if self.is_interrupted:
            what = "was interrupted"
        how = "" if status is None else f" (exit status {status})" if status >= 0 else f" ({_signal_name(-status)})"
        words = " | ".join(self.complaints)
        return EngineError(f"engine {shlex.join(self.command)}: {what}{how}{f'; its last words: {words}' if words else ''}")

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def is_open(self) -> bool:
        """Whether it has not been closed."""
        return self._end.alive

    def close(self) -> None:
        """Ends the process, and what it has started, for good."""
        self._end()


def end_all(*, at_once: bool = False) -> None:
    """Ends every engine of this program, which starts no other from now on: for an exit that runs no finalisers.

    at_once: kills them, without a word to them before.
    """
    with _starting:
        _may_start[0] = False
        engines = list(_running)
    for engine in engines:
        if not at_once:
            engine.close()
        if engine.is_open or engine.is_running:
            _kill(engine.process)


def end_process(process: "subprocess.Popen[bytes]", lines: "queue.Queue[str | None]") -> None:
    """Closes an engine's input, waits a little, and kills it. lines: its output, that nobody will read any more."""
    with lines.mutex:  # or the thread that reads from it might wait for room for ever
        lines.maxsize = sys.maxsize
        lines.not_full.notify_all()
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        if process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(QUIT_S)
        _signal_all(process, signal.SIGTERM)
    finally:  # after one more Ctrl-C too
        _signal_all(process, signal.SIGKILL)


def _kill(process: "subprocess.Popen[bytes]", number: signal.Signals = signal.SIGKILL) -> None:
    """Sends a signal to the process and its children, whether it is gone or not."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _signal_all(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """The same, and waits a little."""
    _kill(process, number)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(QUIT_S)


def _pump(pipe: IO[bytes], lines: "queue.Queue[str | None]") -> None:
    """Carries the output into a queue, None at its end."""
    for line in _lines_of(pipe):
        lines.put(line)
    lines.put(None)


def _listen(pipe: IO[bytes], complaints: "deque[str]") -> None:
    """Keeps the last lines of stderr."""
    for line in _lines_of(pipe):
        if text := line.strip():
            complaints.append(text[:WORDS_LENGTH])


def _lines_of(pipe: IO[bytes]) -> Iterator[str]:
    """The lines of a program's output, without what would steer a terminal; the first LINE_LENGTH bytes of long ones."""
    assert isinstance(pipe, io.BufferedReader)
    with contextlib.suppress(OSError, ValueError):
        yield from map(printable, bounded_lines(pipe.read1, LINE_LENGTH))


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return f"ended by {signal.Signals(number).name}"
    return f"ended by signal {number}"
