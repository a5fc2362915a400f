"""Tasks answered on a Ray cluster, or by a local one that is begun for them, through the face of `concurrent.futures`.

Ray places them where there is room, and those of a process or a node that is lost anew. As their answers follow from the tasks
alone, nothing is lost and nothing counts twice. Every node needs the same boardgym, and files of specs under the same paths.
"""

import contextlib
import logging
import os
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from boardgym.baselines.workers import MOST_TRIES, LostTaskError
from boardgym.core.errors import BoardgymError, OptionError

NEEDED = "the executor 'ray' needs Ray, which is not installed: pip install 'boardgym[ray]'"

END_S = 10.0  # that what is cancelled may take to end

_functions: dict[str, Callable[[Any], Any]] = {}  # in a process of the cluster: what answers the tasks of a run


class RayError(BoardgymError, RuntimeError):
    """A cluster that cannot be reached, or has lost too many processes."""


def answer(run: str, begin: Callable[[], Callable[[Any], Any]], folder: str, task: Any) -> Any:
    """Answers a task in a process of the cluster, which calls `begin` before its first one of a run."""
    if run not in _functions:
        _functions.clear()
        with contextlib.suppress(OSError):  # of a folder that this node has not
            os.chdir(folder)
        _functions[run] = begin()
    return _functions[run](task)


class RayExecutor:
    """Tasks on a cluster, each with one core: a context, which connects to it.

    Args:
        begin: called once in each process, returns its function task -> answer.
        address: "ray://HOST:PORT" of a cluster's client server; empty: the address of the environment variable RAY_ADDRESS,
            else the cluster that this machine belongs to, else one that is begun here. Its token is taken from where Ray looks
            for it: RAY_AUTH_TOKEN, RAY_AUTH_TOKEN_PATH, or the file ~/.ray/auth_token.

    Raises OptionError if Ray is not installed, or another cluster is connected; RayError if the cluster cannot be reached.
    """

    def __init__(self, begin: Callable[[], Callable[[Any], Any]], address: str = "") -> None:
        self.begin, self.address, self.run = begin, address, uuid.uuid4().hex
        self.running: set[Any] = set()  # references to what has no answer yet

    def __enter__(self) -> Self:
        try:
            import ray
        except ModuleNotFoundError:
            raise OptionError(NEEDED) from None
        self.ray = ray
        self.is_ours = not ray.is_initialized()  # else the caller's cluster is used, and left as it is
        if self.is_ours:
            try:
                ray.init(self.address or None, log_to_driver=False, logging_level=logging.ERROR)
            except (ConnectionError, RuntimeError, ImportError, ValueError, OSError, ray.exceptions.RayError) as error:
                where = self.address or os.environ.get("RAY_ADDRESS") or "this machine"
                raise RayError(f"no Ray cluster at {where}: {error}") from None
        elif self.address:
            raise OptionError(f"executor={self.address!r}: this process is connected to a Ray cluster already; expected 'ray'")
        self.lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError)
        self.answer = ray.remote(num_cpus=1, max_retries=MOST_TRIES - 1)(answer)
        self.shared = ray.put(self.begin)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.is_ours:
            self.ray.shutdown()  # ends what is under way
            return
        left = list(self.running)
        with contextlib.suppress(Exception):  # of a cluster that is gone: what ended the context is what is raised
            for reference in left:
                self.ray.cancel(reference)  # raises KeyboardInterrupt in what runs
            if left:
                self.ray.wait(left, num_returns=len(left), timeout=END_S)

    def submit(self, task: Any) -> "Future[Any]":
        """The answer to come.

        Its errors are those that were raised there; LostTaskError for a task whose processes were lost too often; RayError for
        one that has no answer for another reason.
        """
        found: Future[Any] = Future()

        def settle(done: "Future[Any]") -> None:
            error = done.exception()
            self.running.discard(reference)
            if error is None:
                found.set_result(done.result())
            elif isinstance(error, self.ray.exceptions.RayTaskError) and isinstance(error.cause, BaseException):
                found.set_exception(error.cause)
            elif isinstance(error, self.lost):
                found.set_exception(LostTaskError(f"a task had no answer, too many processes ended in it: {error}"))
            else:
                found.set_exception(RayError(f"a task had no answer on the Ray cluster: {error}"))

        reference = self.answer.remote(self.run, self.shared, os.getcwd(), task)
        self.running.add(reference)
        reference.future().add_done_callback(settle)
        return found
