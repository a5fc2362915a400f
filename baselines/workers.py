"""Processes that answer tasks, and one that is killed loses nothing but the task that it was at, which another then does."""

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import connection
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from boardgym.core.errors import BoardgymError, OptionError

ATTEMPTS = 2  # at one task, by processes that are killed

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class WorkerError(BoardgymError, RuntimeError):
    """A task that a process has failed at, or was killed at again and again."""


class Workers(Generic[Task, Answer]):
    """A context in which several processes answer tasks; with one process it is this one.

    Args:
        function: task -> answer, a function of a module or a partial of one. It, tasks and answers can be sent to processes.
        processes: at least 1.

    Raises OptionError for fewer processes.
    """

    def __init__(self, function: Callable[[Task], Answer], processes: int) -> None:
        if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
            raise OptionError(f"processes={processes!r}: expected at least 1")
        self.function, self.processes = function, processes
        self._context = multiprocessing.get_context("spawn")
        self._alive: dict[Any, Any] = {}  # pipe -> process
        self._tasks: dict[Any, Task] = {}  # pipe -> what it is at

    def __enter__(self) -> "Workers[Task, Answer]":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for process in self._alive.values():
            process.terminate()
            process.join()
        self._alive.clear()
        self._tasks.clear()

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Answer]]:
        """(task, answer) of each task, as they are answered.

        Raises what the function raises, from other processes as a WorkerError with its message; WorkerError for a task at
        which ATTEMPTS processes were killed.
        """
        if self.processes == 1:
            yield from ((task, self.function(task)) for task in tasks)
            return
        waiting, again = iter(tasks), list[Task]()
        killed: list[Task] = []
        while True:
            self._give(waiting, again)
            if not self._tasks:
                return
            for pipe in cast(list[Any], connection.wait(list(self._tasks))):
                task = self._tasks.pop(pipe)
                try:
                    is_done, answer = pipe.recv()
                except (EOFError, OSError):
                    process = self._alive.pop(pipe)
                    process.join()
                    killed.append(task)
                    if killed.count(task) >= ATTEMPTS:
                        raise WorkerError(f"{task}: {ending(process.exitcode)}, {ATTEMPTS} times") from None
                    again.append(task)
                    continue
                if not is_done:
                    raise WorkerError(answer)
                yield task, answer

    def _give(self, waiting: Iterator[Task], again: list[Task]) -> None:
        """Gives every process that is free a task, and starts what is missing of them."""
        for pipe in [*self._alive, *[None] * (self.processes - len(self._alive))]:
            if pipe in self._tasks:
                continue
            task = again.pop() if again else next(waiting, None)
            if task is None:
                return
            free = self._start() if pipe is None else pipe
            self._tasks[free] = task
            with contextlib.suppress(OSError):  # its end is seen when the pipe is read
                free.send(task)

    def _start(self) -> Any:
        """A new process. Returns the pipe to it."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(self.function, theirs), daemon=True)
        process.start()
        theirs.close()  # else its end would not be seen here
        self._alive[ours] = process
        return ours


def _serve(function: Callable[[Any], Any], pipe: "connection.Connection[Any, Any]") -> None:
    """A process that answers the tasks of a pipe, until whoever sends them ends it or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the first ends the others
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            try:
                answer = True, function(task)
            except (BoardgymError, OSError, MemoryError) as error:
                answer = False, str(error) or type(error).__name__
            except Exception:
                answer = False, traceback.format_exc()
            pipe.send(answer)


def _end_with(parent: Any) -> None:
    """Ends this process when the one that began it has ended, however it did."""
    connection.wait([parent.sentinel])
    os._exit(1)


def ending(status: int | None) -> str:
    """How a process ended that should not have, in words."""
    if status is None or status >= 0:
        return f"its process ended with status {status}"
    name = signal.Signals(-status).name
    return f"its process was ended by {name}" + (", as the system does when memory runs out" if name == "SIGKILL" else "")
