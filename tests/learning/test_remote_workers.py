"""Workers that connect: those that are killed, and who else connects. Slurm's jobs are such ones: tests/optional/slurm."""

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from multiprocessing.connection import Client

import pytest

from boardgym.baselines import remote_workers
from boardgym.baselines.remote_workers import RemoteWorkers, serve
from boardgym.baselines.slurm_executor import NEEDED
from boardgym.baselines.workers import WorkerError, Workers
from boardgym.core.errors import OptionError
from boardgym.core.signals import ctrl_c_held

SOON_S = 60  # on a busy machine


def begin():
    return answer


def answer(task):
    if task == "killed":
        os._exit(1)
    if task == "fault":
        raise ZeroDivisionError("a fault")
    return task * task


class Started:
    """RemoteWorkers, and processes of this machine that are their workers."""

    def __init__(self, remote):
        self.remote, self.processes = remote, []

    def start(self, key=None):
        words = (self.remote.address, key or self.remote.key, str(len(self.processes)), begin)
        process = multiprocessing.get_context("spawn").Process(target=serve, args=words)
        process.start()
        self.processes.append(process)
        return process

    def take_in(self, count):
        """Waits until so many are connected."""
        deadline = time.monotonic() + SOON_S
        while len(self.remote.lines) < count:
            assert time.monotonic() < deadline
            self.remote.take_in(0.1)


@pytest.fixture
def started():
    with RemoteWorkers(2) as remote:
        started = Started(remote)
        yield started
    for process in started.processes:
        process.join(SOON_S)
        assert process.exitcode is not None  # they end with the context


def test_a_task_goes_on_to_another_worker(started, monkeypatch):
    """Workers that ended before it are no tries of a task."""
    monkeypatch.setattr(remote_workers, "MOST_TRIES", 3)
    for process in [started.start() for _ in range(3)]:
        started.take_in(len(started.processes))
        process.kill()
        process.join(SOON_S)
    remote = started.remote
    first = remote.submit(3)
    started.start()
    started.take_in(4)
    assert first.result(SOON_S) == 9
    with pytest.raises(ZeroDivisionError, match="a fault") as error:
        remote.submit("fault").result(SOON_S)
    assert 'raise ZeroDivisionError("a fault")' in str(error.value.__cause__)
    assert remote.submit(4).result(SOON_S) == 16  # it goes on
    killing = remote.submit("killed")
    started.processes[-1].join(SOON_S)
    started.start()
    started.take_in(5)
    started.processes[-1].join(SOON_S)
    assert all(process.exitcode for process in started.processes)  # none ended of itself
    assert not killing.done()
    remote.give_up(WorkerError("no more"))
    for future in (killing, remote.submit(5)):
        with pytest.raises(WorkerError, match=r"^no more$"):
            future.result(SOON_S)


def test_a_task_that_ends_its_workers(started, monkeypatch):
    monkeypatch.setattr(remote_workers, "MOST_TRIES", 2)
    started.start(), started.start()
    started.take_in(2)
    with pytest.raises(WorkerError, match=r"no answer: 2 workers ended in it; expected .* SBATCH_TIMELIMIT"):
        started.remote.submit("killed").result(SOON_S)


def test_strangers_are_turned_away(started, monkeypatch):
    """They know where the workers connect, but not the key: they say nothing, something else, or hang up."""
    monkeypatch.setattr(remote_workers, "HANDSHAKE_S", 1)
    with contextlib.ExitStack() as stack:
        for said in (b"", b"GET / HTTP/1.1\r\n\r\n", None):
            stranger = stack.enter_context(socket.create_connection(started.remote.address))
            if said is None:
                stranger.close()
            else:
                stranger.sendall(said)
        impostor = started.start(key=b"another")
        deadline = time.monotonic() + SOON_S
        while impostor.exitcode is None:
            assert time.monotonic() < deadline
            started.remote.take_in(0.1)
        assert impostor.exitcode == 1
        assert not started.remote.lines
        started.start()
        started.take_in(1)
        assert started.remote.submit(3).result(SOON_S) == 9


def test_strangers_that_take_their_time_keep_nobody_waiting(started, monkeypatch):
    """They send a byte now and then: each is hung up in the end, and meanwhile a worker is admitted."""
    monkeypatch.setattr(remote_workers, "HANDSHAKE_S", 2.0)
    with contextlib.ExitStack() as stack:
        strangers = [stack.enter_context(socket.create_connection(started.remote.address)) for _ in range(3)]
        hung_up, begun = [], time.monotonic()

        def dribble(stranger):
            with contextlib.suppress(OSError):
                while time.monotonic() - begun < SOON_S:
                    stranger.sendall(b"\0")
                    time.sleep(0.1)
                return
            hung_up.append(time.monotonic() - begun)

        threads = [threading.Thread(target=dribble, args=[stranger]) for stranger in strangers]
        for thread in threads:
            thread.start()
        started.start()
        while len(hung_up) < len(strangers):
            before = time.monotonic()
            started.remote.take_in(0.1)
            assert time.monotonic() - before < 1.5  # none is waited for
            assert before - begun < SOON_S
        for thread in threads:
            thread.join()
        started.take_in(1)
        assert started.remote.submit(3).result(SOON_S) == 9


def test_a_stranger_does_not_hold_up_the_end():
    with RemoteWorkers(1) as remote, socket.create_connection(remote.address) as stranger:
        stranger.sendall(b"\0")
        remote.take_in(SOON_S)
        left = time.monotonic()
    assert time.monotonic() - left < remote_workers.HANDSHAKE_S / 2


def test_more_strangers_than_are_let_in(started, monkeypatch):
    monkeypatch.setattr(remote_workers, "MOST_STRANGERS", 2)
    monkeypatch.setattr(remote_workers, "HANDSHAKE_S", 1.0)
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(socket.create_connection(started.remote.address))
        started.start()
        started.take_in(1)
    assert started.remote.submit(3).result(SOON_S) == 9


@pytest.mark.skipif(sys.platform == "win32", reason="limits are set as POSIX has them")
def test_open_files():
    """One for each worker. The limit is raised for them, or the error says so."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 + remote_workers.MOST_STRANGERS + remote_workers.OTHER_FILES

    def connect(address, key):
        with Client(address, authkey=key) as connection:
            connection.send(threading.current_thread().name)
            over.wait(SOON_S)

    over, workers = threading.Event(), []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed - 1, before[1]))
        with RemoteWorkers(2) as remote:
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == needed
            opened = len(os.listdir("/dev/fd"))
            for count in (1, 2):
                workers.append(threading.Thread(target=connect, args=(remote.address, remote.key)))
                workers[-1].start()
                Started(remote).take_in(count)
                assert len(os.listdir("/dev/fd")) == opened + 2 * count  # one at either end
            with pytest.raises(
                OptionError, match=r"so many workers need \d+ open files, of which the system allows \d+; expected"
            ):
                remote_workers.allow_files(10**12)
    finally:
        over.set()
        for worker in workers:
            worker.join()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")
def test_ctrl_c_is_held():
    """It comes on any thread, once or twice, and is raised when what is within is done."""
    done = []

    def interrupted():
        with ctrl_c_held():
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)  # a thread whose mask lets it through takes it
                time.sleep(0.2)
            done.append("all")

    free, over = threading.Thread(target=lambda: over.wait(SOON_S)), threading.Event()
    free.start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert done == ["all"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with ctrl_c_held():
            pass  # none came since
    finally:
        signal.signal(signal.SIGINT, before)
        over.set()
        free.join()


def test_what_is_missing_is_said(monkeypatch):
    with pytest.raises(OptionError, match=r"executor='condor': expected processes, ray, .*, or slurm"):
        Workers(begin, 1, "condor")
    monkeypatch.setitem(sys.modules, "submitit", None)
    with pytest.raises(OptionError) as error, Workers(begin, 1, "slurm"):
        pass
    assert str(error.value) == NEEDED
