"""Workers on other machines, which connect to this process and are sent one task at a time, and what they do there.

The end of a connection is the end of its worker, whatever ended it: the task that it had goes to another one. As answers follow
from the tasks alone, nothing is lost and nothing counts twice. Who started the workers replaces those that have ended.
"""

import contextlib
import queue
import secrets
import socket
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from multiprocessing.reduction import ForkingPickler
from typing import Any, Self

from boardgym.baselines.workers import MOST_TRIES, LostTaskError, WorkerError, sendable
from boardgym.core.errors import OptionError

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

HANDSHAKE_S = 10.0  # that a worker may take to show that it has the key, from first to last
MOST_STRANGERS = 64  # that may be at it at one time
OTHER_FILES = 256  # that this process may open beside one for each worker
ALIVE = {
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 10,
    "TCP_KEEPCNT": 6,
}  # seconds, seconds, probes: a machine that is gone is noticed


def serve(address: tuple[str, int], key: bytes, name: str, begin: Callable[[], Callable[[Any], Any]]) -> None:
    """Is a worker of the process at an address, until that has no more tasks, or is no more.

    begin: called before the first task, returns the function task -> answer. What both raise is an answer too.

    Raises OSError if that process cannot be reached, AuthenticationError if it has another key.
    """
    function: Callable[[Any], Any] | None = None
    with Client(address, authkey=key) as connection, contextlib.suppress(EOFError, ConnectionError):
        _keep_alive(connection)
        connection.send(name)
        while True:
            task = connection.recv_bytes()
            try:
                function = function or begin()
                said = ForkingPickler.dumps((function(ForkingPickler.loads(task)), None, ""))
            except Exception as error:
                said = ForkingPickler.dumps((None, sendable(error), traceback.format_exc()))
            connection.send_bytes(said)


@contextlib.contextmanager
def _line(connection: "Connection[Any, Any]") -> Iterator[socket.socket]:
    """The socket of a connection, which keeps it; OSErrors end what is done with it."""
    with contextlib.suppress(OSError):
        line = socket.socket(fileno=connection.fileno())
        try:
            yield line
        finally:
            line.detach()


def _keep_alive(connection: "Connection[Any, Any]") -> None:
    with _line(connection) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name in ALIVE.keys() & vars(socket).keys():  # not every system has them
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), ALIVE[name])


def _hang_up(connection: "Connection[Any, Any]") -> None:
    with _line(connection) as line:
        line.shutdown(socket.SHUT_RDWR)  # whoever reads from it, or writes to it, is at its end


def allow_files(count: int) -> None:
    """Raises this process's limit of open files to at least a count; OptionError if the system does not let it."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
        except ValueError:
            needed = f"{count} open files, of which the system allows {hard}"
            raise OptionError(
                f"so many workers need {needed}; expected fewer of them, or a higher limit (ulimit -Hn)"
            ) from None


class RemoteWorkers:
    """Tasks for workers that connect, through the face of `concurrent.futures`: a context, which they end with.

    Attributes:
        address, key: what `serve` is given. lines: the workers that have connected and were not hung up, by their names.

    Entering raises OptionError if the system allows too few open files.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.key = secrets.token_bytes(32)
        self.lines: dict[str, Connection[Any, Any]] = {}  # which keeps them open
        self._strangers: dict[Connection[Any, Any], float] = {}  # those without a key as yet, and when they are hung up
        self._idle: queue.Queue[Connection[Any, Any] | None] = queue.Queue()  # None: none will come
        self._why: Exception = WorkerError("the context of the workers was left")

    def __enter__(self) -> Self:
        allow_files(self.processes + MOST_STRANGERS + OTHER_FILES)
        self._listener = socket.create_server(("", 0), backlog=self.processes)
        self.address: tuple[str, int] = (socket.gethostname(), self._listener.getsockname()[1])
        self._pool, self._door = ThreadPoolExecutor(self.processes), ThreadPoolExecutor(MOST_STRANGERS)
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.close()
        for stranger in list(self._strangers):
            _hang_up(stranger)
        self._door.shutdown()
        self._idle.put(None)
        for name in list(self.lines):
            self.hang_up(name)
        self._pool.shutdown(cancel_futures=True)

    def submit(self, task: Any) -> "Future[Any]":
        """The answer to come. Its errors are those of the worker; LostTaskError for a task in which too many workers ended."""
        return self._pool.submit(self._ask, task)

    def take_in(self, seconds: float) -> None:
        """Waits at most so long for one that connects; once it has shown that it has the key, it is sent tasks."""
        for stranger, until in list(self._strangers.items()):
            if time.monotonic() >= until:
                _hang_up(stranger)
        if len(self._strangers) >= MOST_STRANGERS:
            time.sleep(min(seconds, 0.05))
            return
        self._listener.settimeout(seconds)
        with contextlib.suppress(OSError):
            connection: Connection[Any, Any] = Connection(self._listener.accept()[0].detach())
            self._strangers[connection] = time.monotonic() + HANDSHAKE_S
            self._door.submit(self._welcome, connection)

    def _welcome(self, connection: "Connection[Any, Any]") -> None:
        """On a thread of its own: a stranger may take its time."""
        try:
            deliver_challenge(connection, self.key)
            answer_challenge(connection, self.key)
            name = connection.recv()
        except Exception:  # whatever it says; a worker that is turned away says why where it runs
            return  # which closes it, as soon as no other thread hangs it up
        finally:
            del self._strangers[connection]
        _keep_alive(connection)
        self.lines[name] = connection
        self._idle.put(connection)

    def hang_up(self, name: str) -> None:
        """Ends a worker's connection: for one that cannot do so itself."""
        _hang_up(self.lines.pop(name))

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
        needed = "expected one that ends within their time and memory; of Slurm's jobs: SBATCH_TIMELIMIT, SBATCH_MEM_PER_CPU"
        raise LostTaskError(f"a task had no answer: {MOST_TRIES} workers ended in it; {needed}")
