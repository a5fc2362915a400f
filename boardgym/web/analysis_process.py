"""Processes in which searches run: a search that is asked to stop does within 0.1 s, and one that does not is killed.

The server speaks with each by a pipe, one JSON text a message: {number, kind, request} to it, {number, ...data} from it. The
last message of a job is {"kind": "done"} or {"kind": "error", "error": sentence}.
"""

import asyncio
import contextlib
import itertools
import json
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncGenerator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from boardgym import startup
from boardgym.core.errors import BoardgymError

MOST_PROCESSES, KEPT_IDLE, READY = 6, 3, 2
STOP_S = 0.3  # that a new search waits for the process of one that has been asked to stop
POLITENESS = 5  # of a process, so that the server answers while it searches
LEFT_S = 15.0  # for that to end after all, as when it was compiling; then it is killed
ENDED = {"kind": "error", "error": "The process of the search ended: it ran out of memory, or crashed."}


class BusyError(BoardgymError, RuntimeError):
    """As many searches run as may run at once."""


# ---------------------------------------------------------------- in the process


def work(pipe: Connection, users_files: Sequence[str]) -> None:
    """What the process does until the server's end of the pipe is closed: one job at a time, each on a thread of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    startup.complete()
    from boardgym.commands.users_games import run_file
    from boardgym.web.analysis_jobs import Job

    for path in users_files:
        run_file(Path(path))
    job: Job | None = None
    while True:
        try:
            message = json.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)  # whatever still runs
        if job is not None and (message["kind"] != "stop" or message["number"] == job.number):
            job.stop()
        if message["kind"] != "stop":
            job = Job(message["number"], message["kind"], message["request"])
            threading.Thread(target=do, args=(pipe, job), name="boardgym-analysis", daemon=True).start()


def do(pipe: Connection, job: Any) -> None:
    """Does a job and tells what it finds, and how it ended."""
    from boardgym.baselines.engines.lines import said
    from boardgym.web.analysis_jobs import JOBS, StoppedError

    def tell(data: dict[str, Any]) -> None:
        pipe.send_bytes(json.dumps({"number": job.number, **data}, ensure_ascii=False, allow_nan=False).encode())

    try:
        for data in JOBS[job.kind](job):
            if not job.is_stopped:
                tell(data)
        last = {"kind": "done", "was_stopped": job.is_stopped}
    except StoppedError:
        last = {"kind": "done", "was_stopped": True}
    except (BoardgymError, ValueError, MemoryError, OSError) as error:
        last = {"kind": "error", "error": said(error)}
    except Exception as error:  # a policy of a user's own may raise anything
        last = {"kind": "error", "error": f"The policy failed: {type(error).__name__}: {said(error)}"}
    job.ended.set()
    with contextlib.suppress(OSError):
        tell(last)


# ---------------------------------------------------------------- in the server


class Process:
    """One such process, as the server sees it. is_alive: whether it can take a job."""

    def __init__(self, users_files: Sequence[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, tuple(users_files)), name="boardgym-analysis", daemon=True)
        self.process.start()
        theirs.close()
        self.loop = asyncio.get_running_loop()
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sending = threading.Lock()  # to the pipe, which is closed only when nobody does
        self.is_alive = True
        threading.Thread(target=self._read, name="boardgym-analysis-reader", daemon=True).start()

    def _read(self) -> None:
        """On a thread: what the process says, for the loop.

        This thread alone closes the pipe: were it closed elsewhere while it is read, its number could be another file's.
        """
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            answer: dict[str, Any] | None = {}
            while answer is not None:
                try:
                    answer = json.loads(self.pipe.recv_bytes())
                except (EOFError, OSError, ValueError):
                    answer = None
                self.loop.call_soon_threadsafe(self._take, answer)
        self.process.kill()
        self.process.join()
        with self.sending:
            self.pipe.close()

    def _take(self, answer: dict[str, Any] | None) -> None:
        if answer is None:
            self.is_alive = False
            answer = {"number": -1, **ENDED}
        self.answers.put_nowait(answer)

    def say(self, number: int, kind: str, request: dict[str, Any] | None = None) -> None:
        """Sends a message."""
        with contextlib.suppress(OSError), self.sending:
            self.pipe.send_bytes(json.dumps({"number": number, "kind": kind, "request": request}).encode())

    def kill(self) -> None:
        """Ends the process whatever it does; its pipe is closed when that has happened."""
        self.is_alive = False
        self.process.kill()


class Processes:
    """Those of one server, made as they are needed, and kept for the next search. users_files: sources of users' games."""

    def __init__(self, users_files: Sequence[str] = ()) -> None:
        self.users_files = tuple(users_files)
        self.idle: list[Process] = []
        self.busy: set[Process] = set()
        self.numbers, self.pages = itertools.count(1), 0
        self.ending: set[asyncio.Task[None]] = set()

    def enter(self) -> None:
        """A page has come: starts processes for the searches that it is about to ask for."""
        self.pages += 1
        while len(self.idle) < READY and len(self.idle) + len(self.busy) < MOST_PROCESSES:
            self.idle.append(Process(self.users_files))

    def leave(self) -> None:
        """A page has gone: without any, one process is kept."""
        self.pages -= 1
        while not self.pages and len(self.idle) > 1:
            self.idle.pop().kill()

    async def _take(self) -> Process:
        if not self.idle and self.ending:
            await asyncio.wait(self.ending, timeout=STOP_S, return_when=asyncio.FIRST_COMPLETED)
        while True:
            while self.idle:
                process = self.idle.pop()
                if process.is_alive:
                    self.busy.add(process)
                    return process
            if len(self.busy) < MOST_PROCESSES:
                process = Process(self.users_files)
                self.busy.add(process)
                return process
            if not self.ending:
                raise BusyError(f"{MOST_PROCESSES} searches already run, the most at once: stop one of them")
            await asyncio.wait(self.ending, return_when=asyncio.FIRST_COMPLETED)

    async def run(self, kind: str, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """What a job finds, the last message being that of its end. Closing the iterator stops the job.

        Raises BusyError.
        """
        process, number, is_over = await self._take(), next(self.numbers), False
        process.say(number, kind, request)
        try:
            while not is_over:
                answer = await process.answers.get()
                if answer.pop("number") not in (number, -1):
                    continue  # of a job before
                is_over = answer["kind"] in ("done", "error")
                yield answer
        finally:
            if is_over:
                self._give_back(process)
            else:
                process.say(number, "stop")
                task = asyncio.get_running_loop().create_task(self._end(process, number))
                self.ending.add(task)
                task.add_done_callback(self.ending.discard)

    async def _end(self, process: Process, number: int) -> None:
        """Waits for a job that has been asked to stop; kills a process that does not."""
        try:
            async with asyncio.timeout(LEFT_S):
                while process.is_alive:
                    answer = await process.answers.get()
                    if answer["number"] in (number, -1) and answer["kind"] in ("done", "error"):
                        break
        except TimeoutError:
            process.kill()
        self._give_back(process)

    def _give_back(self, process: Process) -> None:
        self.busy.discard(process)
        if process.is_alive and len(self.idle) < (KEPT_IDLE if self.pages else 1):
            self.idle.append(process)
        else:
            process.kill()

    def close(self) -> None:
        """Kills all processes."""
        for process in [*self.idle, *self.busy]:
            process.kill()
        self.idle.clear()
        self.busy.clear()
