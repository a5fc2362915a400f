"""Workers on other machines, which connect to this process and are sent one task at a time, and what they do there.

The end of a connection is the end of its worker, whatever ended it: the task that it had goes to another one. As answers follow
from the tasks alone, nothing is lost and nothing counts twice. Who started the workers replaces those that have ended.
"""

import contextlib
import os
import queue
import secrets
import socket
import struct
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from multiprocessing.reduction import ForkingPickler
from typing import Any, Self

from boardgym.baselines.workers import WorkerError, sendable

MOST_TRIES = 20  # of a task: beyond that the task itself is what ends its worker
HANDSHAKE_S = 10  # that a worker may take to show that it has the key


def serve(address: tuple[str, int], key: bytes, name: str, begin: Callable[[], Callable[[Any], Any]]) -> None:
    """Is a worker of the process at an address, until that has no more tasks, or is no more.

    begin: called before the first task, returns the function task -> answer. What both raise is an answer too.

    Raises OSError if that process cannot be reached, AuthenticationError if it has another key.
    """
    function: Callable[[Any], Any] | None = None
    with Client(address, authkey=key) as connection, contextlib.suppress(EOFError, ConnectionError):
        with socket.socket(fileno=os.dup(connection.fileno())) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.send(name)
        while True:
            task = connection.recv_bytes()
            try:
                function = function or begin()
                said = ForkingPickler.dumps((function(ForkingPickler.loads(task)), None, ""))
            except Exception as error:
                said = ForkingPickler.dumps((None, sendable(error), traceback.format_exc()))
            connection.send_bytes(said)


class RemoteWorkers:
    """Tasks for workers that connect, through the face of `concurrent.futures`: a context, which they end with.

    Attributes:
        address, key: what `serve` is given. lines: the workers that have connected and were not hung up, by their names.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.key = secrets.token_bytes(32)
        self.lines: dict[str, socket.socket] = {}
        self._idle: queue.Queue[Connection[Any, Any] | None] = queue.Queue()  # None: none will come
        self._why: Exception = WorkerError("the context of the workers was left")

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("", 0), backlog=self.processes)
        self.address: tuple[str, int] = (socket.gethostname(), self._listener.getsockname()[1])
        self._pool = ThreadPoolExecutor(self.processes)
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.close()
        self._idle.put(None)
        for name in list(self.lines):
            self.hang_up(name)
        self._pool.shutdown(cancel_futures=True)

    def submit(self, task: Any) -> "Future[Any]":
        """The answer to come. Its errors are those of the worker; WorkerError for a task in which too many workers ended."""
        return self._pool.submit(self._ask, task)

    def take_in(self, seconds: float) -> None:
        """Waits so long for a worker that connects; one that has the key is sent tasks from now on."""
        self._listener.settimeout(seconds)
        with contextlib.suppress(AuthenticationError, EOFError, OSError), contextlib.ExitStack() as stranger:
            line = stranger.enter_context(self._listener.accept()[0])
            connection: Connection[Any, Any] = stranger.enter_context(Connection(os.dup(line.fileno())))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", HANDSHAKE_S, 0))
            deliver_challenge(connection, self.key)
            answer_challenge(connection, self.key)
            self.lines[connection.recv()] = line
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 0))
            stranger.pop_all()  # it is none
            self._idle.put(connection)

    def hang_up(self, name: str) -> None:
        """Ends a worker's connection: for one that cannot do so itself."""
        with self.lines.pop(name) as line, contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    def give_up(self, why: Exception) -> None:
        """All tasks without a worker raise this error, from now on."""
        self._why = why
        self._idle.put(None)

    def _ask(self, task: Any) -> Any:
        sent = ForkingPickler.dumps(task)
        for _ in range(MOST_TRIES):
            while (connection := self._idle.get()) is not None and connection.poll():
                pass  # a worker that has no task says nothing: this one has ended
            if connection is None:
                self._idle.put(None)
                raise self._why
            try:
                connection.send_bytes(sent)
                said = connection.recv_bytes()
            except (EOFError, OSError):
                continue
            self._idle.put(connection)
            answer, error, trace = ForkingPickler.loads(said)
            if error is not None:
                raise error from WorkerError(f"in a worker:\n{trace}")
            return answer
        raise WorkerError(f"a task had no answer: {MOST_TRIES} workers ended in it")
