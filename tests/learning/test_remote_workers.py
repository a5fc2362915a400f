"""Workers that connect: those that are killed, and who else connects. Slurm's jobs are such ones: tests/optional/slurm."""

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import time

import pytest

from boardgym.baselines import remote_workers
from boardgym.baselines.remote_workers import RemoteWorkers, serve
from boardgym.baselines.slurm_executor import NEEDED
from boardgym.baselines.workers import WorkerError, Workers
from boardgym.core.errors import OptionError

SOON_S = 60  # on a busy machine


def begin():
    return answer


def answer(task):
    if task == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
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
    assert [process.exitcode for process in started.processes] == [-signal.SIGKILL] * 5
    assert not killing.done()
    remote.give_up(WorkerError("no more"))
    for future in (killing, remote.submit(5)):
        with pytest.raises(WorkerError, match=r"^no more$"):
            future.result(SOON_S)


def test_a_task_that_ends_its_workers(started, monkeypatch):
    monkeypatch.setattr(remote_workers, "MOST_TRIES", 2)
    started.start(), started.start()
    started.take_in(2)
    with pytest.raises(WorkerError, match="no answer: 2 workers ended in it"):
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


def test_what_is_missing_is_said(monkeypatch):
    with pytest.raises(OptionError, match=r"executor='condor': expected processes, ray, .*, or slurm"):
        Workers(begin, 1, "condor")
    monkeypatch.setitem(sys.modules, "submitit", None)
    with pytest.raises(OptionError) as error, Workers(begin, 1, "slurm"):
        pass
    assert str(error.value) == NEEDED
