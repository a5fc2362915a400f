"""Tasks answered on a Ray cluster, or by a local one that is begun for them, through the face of `concurrent.futures`.

A worker or a node that is lost is replaced, and its tasks are answered anew: as their answers follow from the tasks alone,
nothing is lost and nothing counts twice. Every node needs the same boardgym, and the files of specs under the same paths.
"""

import contextlib
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from boardgym.core.errors import BoardgymError, OptionError

MOST_RESTARTS = 20  # of a worker, and tries of a task: beyond that the task itself is what ends them
NEEDED = "the executor 'ray' needs Ray, which is not installed: pip install 'boardgym[ray]'"


class RayError(BoardgymError, RuntimeError):
    """A cluster that cannot be reached, or has lost too many workers."""


class _Worker:
    """Answers tasks in a process of the cluster, with a state of its own."""

    def __init__(self, begin: Callable[[], Callable[[Any], Any]]) -> None:
        self.begin = begin
        self.function: Callable[[Any], Any] | None = None

    def answer(self, task: Any) -> Any:
        if self.function is None:  # here and not before: what `begin` raises is then an error of the task
            self.function = self.begin()
        return self.function(task)


class RayExecutor:
    """Workers on a cluster, each with one core: a context.

    Args:
        begin: called once in each worker, returns its function task -> answer.
        workers: how many; those that the cluster has no room for yet get no tasks.
        address: "ray://HOST:PORT" of a cluster's client server, "HOST:PORT" or "auto" of one that this machine belongs to;
            empty: that of the environment variable RAY_ADDRESS, else the cluster that this machine belongs to, else one that
            is begun here. Its token is taken from where Ray looks for it: RAY_AUTH_TOKEN, RAY_AUTH_TOKEN_PATH, or the file
            ~/.ray/auth_token.

    Raises OptionError if Ray is not installed, RayError if the cluster cannot be reached.
    """

    def __init__(self, begin: Callable[[], Callable[[Any], Any]], workers: int, address: str = "") -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise OptionError(NEEDED) from None
        self.ray = ray
        self.is_ours = not ray.is_initialized()  # else the caller's cluster is used, and left as it is
        if self.is_ours:
            try:
                ray.init(address or None, log_to_driver=False, logging_level=logging.ERROR)
            except (ConnectionError, RuntimeError, ImportError, ValueError, OSError, ray.exceptions.RayError) as error:
                where = address or os.environ.get("RAY_ADDRESS") or "this machine"
                raise RayError(f"no Ray cluster at {where}: {error}") from None
        actor = ray.remote(num_cpus=1, max_restarts=MOST_RESTARTS, max_task_retries=MOST_RESTARTS)(_Worker)
        self.workers = [actor.options(scheduling_strategy="SPREAD").remote(begin) for _ in range(workers)]
        self.coming = {worker.__ray_ready__.remote(): worker for worker in self.workers}
        self.load = dict[Any, int]()  # of each worker that is there, how many tasks it has
        self.lock = threading.Lock()  # answers come on threads of Ray's

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for worker in self.workers:
            with contextlib.suppress(Exception):  # of a cluster that is gone
                self.ray.kill(worker)
        if self.is_ours:
            self.ray.shutdown()

    def submit(self, task: Any) -> "Future[Any]":
        """The answer to come of the worker with the least to do. Waits for a worker if none is there yet.

        Its errors are those that the worker raised; RayError for a task whose workers were lost too often.
        """
        self._look_for_workers()
        with self.lock:
            worker = min(self.load, key=lambda one: self.load[one])
            self.load[worker] += 1
        answer: Future[Any] = Future()

        def settle(found: "Future[Any]") -> None:
            with self.lock:
                self.load[worker] -= 1
            error = found.exception()
            if error is None:
                answer.set_result(found.result())
            elif isinstance(error, self.ray.exceptions.RayTaskError):
                answer.set_exception(error.cause)
            else:
                answer.set_exception(RayError(f"a task had no answer on the Ray cluster: {error}"))

        worker.answer.remote(task).future().add_done_callback(settle)
        return answer

    def _look_for_workers(self) -> None:
        """Takes up workers that have come, at least one."""
        while self.coming:
            there, _ = self.ray.wait([*self.coming], timeout=0.0 if self.load else None)
            if not there:
                return
            with self.lock:
                self.load[self.coming.pop(there[0])] = 0
