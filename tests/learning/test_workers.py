"""Processes that answer tasks: each begins once, errors arrive as they were raised, and all of them end soon."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import _RemoteTraceback
from functools import partial
from pathlib import Path

import pytest

from boardgym import Board
from boardgym.baselines.workers import WorkerError, Workers, ending
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.policy_spec import make_policy
from tests.support import environment_of

LONG_S = 600  # what no test waits for
SOON_S = 20  # on a busy machine


class Unsendable(SpecError):
    """An error that cannot be made again from its message."""

    def __init__(self, what, where):
        super().__init__(f"no {what} in {where}")


def begin(folder):
    (folder / f"begun-{os.getpid()}").touch(exist_ok=False)  # once in a process
    return partial(answer, folder)


def begin_wrongly():
    raise SpecError("no such policy")


def answer(folder, task):
    """The square of a number; what else there is may fail, or not end."""
    if isinstance(task, int):
        return task * task
    (folder / f"{task}-{os.getpid()}").touch()
    if task == "option":
        raise OptionError("13 is no good")
    if task == "file":
        raise FileNotFoundError(2, "No such file", "agent.json")
    if task == "fault":
        raise ZeroDivisionError("a fault")
    if task == "unsendable":
        raise Unsendable("needle", "haystack")
    if task == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "search":
        return make_policy("uct:1000000000,solver=0", "TicTacToe-v0", seed=1).act(Board("TicTacToe-v0"))
    if task == "stubborn":
        with contextlib.suppress(KeyboardInterrupt):
            time.sleep(LONG_S)
    time.sleep(LONG_S)


def wait_for(folder, pattern, count):
    """The process ids in the names of so many files."""
    deadline = time.monotonic() + 60
    while len(found := [*folder.glob(pattern)]) < count:
        assert time.monotonic() < deadline, f"{len(found)} of {count}: {pattern}"
        time.sleep(0.02)
    return [int(path.name.rpartition("-")[2]) for path in found]


def is_running(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module", params=[1, 2])
def shared(request, tmp_path_factory):
    """(workers, their folder) of one process and of two, on which tests go on."""
    folder = tmp_path_factory.mktemp("shared")
    with Workers(partial(begin, folder), request.param) as workers:
        yield workers, folder
    assert not multiprocessing.active_children()


def test_all_tasks_are_answered_by_processes_that_begin_once(shared):
    workers, folder = shared
    for tasks in (range(50), [57, 58]):  # the same processes go on
        assert sorted(workers.run(tasks)) == [(task, task * task) for task in tasks]
    begun = wait_for(folder, "begun-*", 1)
    assert 1 <= len(begun) <= workers.processes
    assert (os.getpid() in begun) == (not multiprocessing.active_children()) == (workers.processes == 1)


def test_tasks_are_taken_when_a_process_will_soon_be_free(shared):
    taken = []
    answers = shared[0].run(taken.append(task) or task for task in range(1000))
    for done in range(1, 20):
        task, answered = next(answers)
        assert answered == task * task
        assert len(taken) <= done + 2 * shared[0].processes
    assert len(list(answers)) == 1000 - 19


def test_errors_are_those_that_were_raised(shared):
    workers = shared[0]

    def raised(task, kind):
        with pytest.raises(kind) as found:
            list(workers.run([task]))
        return found.value

    assert str(raised("option", OptionError)) == "13 is no good"
    error = raised("file", FileNotFoundError)
    assert (error.errno, error.filename) == (2, "agent.json")
    fault = raised("fault", ZeroDivisionError)
    unsendable = raised("unsendable", Unsendable if workers.processes == 1 else WorkerError)
    assert "no needle in haystack" in str(unsendable)
    if workers.processes == 2:  # where it was raised
        assert isinstance(fault.__cause__, _RemoteTraceback)
        assert 'raise ZeroDivisionError("a fault")' in str(fault.__cause__)
        assert 'raise Unsendable("needle", "haystack")' in str(unsendable)
    assert list(workers.run([3])) == [(3, 9)]  # they go on


def test_what_a_process_cannot_begin_with_is_said():
    with Workers(begin_wrongly, 2) as workers, pytest.raises(SpecError, match=r"^no such policy$"):
        list(workers.run([1]))
    with pytest.raises(SpecError, match=r"^no such policy$"), Workers(begin_wrongly, 1):
        pass


def test_a_killed_process_is_said_after_what_was_answered(tmp_path):
    answers = []
    with Workers(partial(begin, tmp_path), 2) as workers:
        with pytest.raises(WorkerError, match=r"^one of 2 processes was ended from outside, as .* memory runs out; what had"):
            answers.extend(workers.run([1, 2, "killed", 3]))
        with pytest.raises(WorkerError, match="ended from outside"):  # they do not begin again
            next(workers.run([4]))
    assert {(1, 1), (2, 4)} >= set(answers) - {(3, 9)}
    assert not any(map(is_running, wait_for(tmp_path, "begun-*", 1)))


@pytest.mark.parametrize("task", ["sleep", "search", "stubborn"])
def test_what_is_under_way_ends_soon_when_the_context_is_left(task, tmp_path):
    def leave():
        with Workers(partial(begin, tmp_path), 2) as workers:
            assert next(workers.run([1, *[task] * 9])) == (1, 1)
            wait_for(tmp_path, f"{task}-*", 2)
            raise KeyboardInterrupt(time.monotonic())

    with pytest.raises(KeyboardInterrupt) as left:
        leave()
    assert time.monotonic() - left.value.args[0] < SOON_S
    assert not any(map(is_running, wait_for(tmp_path, "begun-*", 2)))
    assert len(wait_for(tmp_path, f"{task}-*", 2)) == 2  # those that waited were not begun


RUN = """
import signal, sys
from functools import partial
from pathlib import Path
from boardgym.baselines.workers import Workers
from tests.learning.test_workers import begin
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
if __name__ == "__main__":
    with Workers(partial(begin, Path(sys.argv[1])), 2) as workers:
        list(workers.run(["search"] * 8))
"""


@pytest.mark.parametrize(("number", "is_early"), [(signal.SIGINT, False), (signal.SIGINT, True), (signal.SIGKILL, False)])
def test_processes_end_with_the_one_that_began_them(number, is_early, tmp_path):
    """Ctrl-C on a terminal, which goes to all of them, while they start or search; or `kill -9` of the first one alone."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)],
        env=environment_of(Path(os.environ.get("NUMBA_CACHE_DIR") or tmp_path / "kernels")),
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while is_early and len(children.read_text().split()) < 3:  # with the one that tracks semaphores
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.1)  # a process that has hardly begun to start says that it cannot
    pids = [int(pid) for pid in children.read_text().split()] if is_early else wait_for(tmp_path, "search-*", 2)
    pressed = time.monotonic()
    os.killpg(process.pid, number) if number == signal.SIGINT else process.kill()
    told = process.communicate(timeout=60)[1]
    assert (process.returncode, told.count("Traceback")) == ((-signal.SIGINT, 1) if number == signal.SIGINT else (-9, 0)), told
    while any(map(is_running, pids)):
        assert time.monotonic() - pressed < SOON_S
        time.sleep(0.02)


def test_what_cannot_be_is_refused():
    for processes in (0, -1, 1025, True, 2.0):
        with pytest.raises(OptionError, match=f"processes={processes}: expected 1 to 1024"):
            Workers(partial(begin, Path()), processes)


def test_an_ending_in_words():
    assert ending(3) == "its process ended with status 3"
    assert ending(-signal.SIGTERM) == "its process was ended by SIGTERM"
