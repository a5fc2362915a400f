"""Tasks answered by several workers, each with a state of its own that it makes once: processes here, Ray's, or Slurm's jobs.

The processes are those of `concurrent.futures`. Beyond the library: they end soon after Ctrl-C, and with the process that began
them; a killed one is a clear error.
"""

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection
from multiprocessing.reduction import ForkingPickler
from types import FrameType
from typing import Any, Generic, Self, TypeVar

from boardgym import startup
from boardgym.core.errors import BoardgymError, OptionError
from boardgym.core.signals import ctrl_c_blocked

MOST_PROCESSES = 1024
MOST_TRIES = 20  # of a task on a cluster: beyond that the task itself is what ends its process
UNGUARDED = (
    "; a script that starts processes does so within `if __name__ == '__main__':`, and what it sends them stands in a module "
    "that can be imported"
)
AGAIN_S = 1.0  # after which a task that has not ended is told to stop again

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class WorkerError(BoardgymError, RuntimeError):
    """A process was ended from outside, or raised an error that cannot be sent to this one."""


class LostTaskError(WorkerError):
    """A task of a cluster that has no answer, because MOST_TRIES processes ended in it."""


def check_workers(processes: int, executor: str) -> None:
    """Raises OptionError for a number of processes, or an executor, that there cannot be."""
    if type(processes) is not int or not 1 <= processes <= MOST_PROCESSES:
        raise OptionError(f"processes={processes!r}: expected 1 to {MOST_PROCESSES}")
    if executor not in ("processes", "ray", "slurm") and not executor.startswith("ray://"):
        raise OptionError(
            f"executor={executor!r}: expected processes, ray, the address of a Ray cluster, ray://HOST:PORT, or slurm"
        )


class Workers(Generic[Task, Answer]):
    """A context in which workers answer tasks; with one process of this machine it is this one, and nothing is started.

    Other processes ignore Ctrl-C, and end with this one, however it ends. Leaving the context raises KeyboardInterrupt in tasks
    that still run, and waits for the processes.

    Args:
        begin: called once in each process, returns its function task -> answer. `begin`, tasks and answers must be picklable.
        processes: 1 to MOST_PROCESSES. With the same function the answers do not depend on it, only their order.
        executor: where they are: "processes" of this machine; "ray", the cluster of the environment variable
            RAY_ADDRESS, that of this machine, or one begun here; "ray://HOST:PORT", a cluster's client server;
            "slurm", jobs of the Slurm cluster that this machine submits to.

    Raises OptionError for another number of processes, or another executor.
    """

    kept = "what had ended is kept, and the same command goes on"  # what is said of tasks that were answered before a failure

    def __init__(self, begin: Callable[[], Callable[[Task], Answer]], processes: int, executor: str = "processes") -> None:
        check_workers(processes, executor)
        self.begin, self.processes, self.executor = begin, processes, executor

    @property
    def is_here(self) -> bool:
        """Whether it is this process that answers."""
        return self.processes == 1 and self.executor == "processes"

    def __enter__(self) -> Self:
        self._left, self._ahead = contextlib.ExitStack(), 2 * self.processes
        self._submit: Callable[[Task], Future[Answer]]
        if self.is_here:
            self._function = self.begin()
            return self
        if self.executor == "slurm":
            from boardgym.baselines.slurm_executor import SlurmExecutor  # an optional part

            self._submit = self._left.enter_context(SlurmExecutor(self.begin, self.processes)).submit
            return self
        if self.executor != "processes":
            from boardgym.baselines.ray_executor import RayExecutor  # an optional part

            address = "" if self.executor == "ray" else self.executor
            self._submit = self._left.enter_context(RayExecutor(self.begin, address)).submit
            self._ahead = self.processes  # of its tasks all run that have room
            return self
        context = multiprocessing.get_context("spawn")
        told, tell = context.Pipe(duplex=False)
        executor = ProcessPoolExecutor(self.processes, context, _begin, (self.begin, told))
        self._submit = lambda task: executor.submit(_answer, task)
        self._left.callback(told.close)
        self._left.callback(executor.shutdown, cancel_futures=True)
        self._left.callback(tell.close)  # called first: it tells the processes to stop
        return self

    def __exit__(self, *error: object) -> None:
        left = self._left
        del self._left
        left.close()

    def run(
        self, tasks: Iterable[Task], lost: Callable[[LostTaskError], Answer] | None = None
    ) -> Iterator[tuple[Task, Answer]]:
        """(task, answer) of each task, as they are answered. Takes at most two tasks a process in advance.

        lost: gives the answer in place of one that a cluster has not; None: that ends the run.

        Raises what `begin` and its function raise, with the traceback of the process as its cause; WorkerError with that
        traceback if the error cannot be pickled, and if a process was killed.
        """
        if not hasattr(self, "_left"):
            name = type(self).__name__
            raise OptionError(f"{name}: used outside of its context; expected 'with {name}(...) as workers:'")
        if self.is_here:
            yield from ((task, self._function(task)) for task in tasks)
            return
        waiting, running, has_answers = iter(tasks), dict[Future[Answer], Task](), False
        try:
            while True:
                for task in islice(waiting, self._ahead - len(running)):
                    with ctrl_c_blocked():
                        running[self._submit(task)] = task
                if not running:
                    return
                ended, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(ended, key=lambda one: one.exception() is not None):  # errors after the answers
                    error = future.exception()
                    is_lost = lost is not None and isinstance(error, LostTaskError)
                    yield running.pop(future), lost(error) if is_lost else future.result()  # type: ignore[misc, arg-type]
                    has_answers = True
        except BrokenProcessPool:
            found = "" if has_answers else UNGUARDED
            raise WorkerError(
                f"one of {self.processes} processes was ended from outside, as the system does when memory runs out; "
                f"{self.kept}{found}"
            ) from None


class _Worker:
    """A process that answers. It heeds the interrupt signal only when it has been told to stop, and in a task.

    begin: as of `Workers`. told: a pipe whose other end is closed when the process is to stop.
    """

    def __init__(self, begin: Callable[[], Callable[[Any], Any]], told: Any) -> None:
        self.begin = begin
        self.function: Callable[[Any], Any] | None = None
        self.is_busy = self.is_told = False
        signal.signal(signal.SIGINT, self._interrupt)
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        threading.Thread(target=self._wait_for_the_end, args=(told, multiprocessing.parent_process()), daemon=True).start()

    def answer(self, task: Any) -> Any:
        self.is_busy = True
        try:
            if self.is_told:
                raise KeyboardInterrupt
            if self.function is None:
                self.function = self.begin()
            return self.function(task)
        finally:
            self.is_busy = False

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.is_busy and self.is_told:  # Ctrl-C on a terminal reaches all processes: the first one tells the others
            startup.interrupt(number, frame)

    def _wait_for_the_end(self, told: Any, parent: Any) -> None:
        """On a thread of its own: interrupts the tasks when told to, and ends the process with the one that began it."""
        connection.wait([told, parent.sentinel])
        self.is_told = True
        while True:
            os.kill(os.getpid(), signal.SIGINT)  # again and again: what a task calls may swallow one
            if connection.wait([parent.sentinel], AGAIN_S):
                os._exit(1)


_worker: list[_Worker] = []  # of this process, if it is one


def _begin(begin: Callable[[], Callable[[Any], Any]], told: Any) -> None:
    gc.freeze()  # what has been loaded stays, and is not looked through when the process ends
    _worker.append(_Worker(begin, told))


def _answer(task: Any) -> Any:
    try:
        return _worker[0].answer(task)
    except Exception as error:
        if (sent := sendable(error)) is error:
            raise
        raise sent from None


def sendable(error: Exception) -> Exception:
    """The error, or, if it cannot be pickled, a WorkerError with its traceback."""
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:
        return WorkerError("".join(traceback.format_exception(error)))
    return error


def ending(status: int | None) -> str:
    """How a process ended that should not have, in words."""
    if status is None or status >= 0:
        return f"its process ended with status {status}"
    name = signal.Signals(-status).name
    return f"its process was ended by {name}" + (", as the system does when memory runs out" if name == "SIGKILL" else "")
