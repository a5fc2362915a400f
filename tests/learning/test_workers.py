"""Processes that answer tasks: one that is killed loses nothing, one that fails says why."""

import os
import signal
from functools import partial

import pytest

from boardgym.baselines.workers import WorkerError, Workers, ending
from boardgym.core.errors import OptionError


def square(log, task):
    """The answer of a task; 13 cannot be done, and those of `log` kill their process, the first time or always."""
    if task == 13:
        raise OptionError("13 is no good")
    if task == 14:
        raise ZeroDivisionError("a fault")
    if task in (5, 6):
        path = f"{log}/{task}"
        is_first = not os.path.exists(path)
        with open(path, "a") as file:
            file.write(".")
        if task == 6 or is_first:
            os.kill(os.getpid(), signal.SIGKILL)
    return task * task


@pytest.mark.parametrize("processes", [1, 3])
def test_all_tasks_are_answered(processes, tmp_path):
    with Workers(partial(square, str(tmp_path)), processes) as workers:
        for tasks in (range(5), [7, 8]):  # the same processes go on
            assert sorted(workers.run(tasks)) == [(task, task * task) for task in tasks]


def test_a_killed_process_loses_nothing(tmp_path):
    with Workers(partial(square, str(tmp_path)), 2) as workers:
        assert sorted(workers.run(range(3, 6))) == [(3, 9), (4, 16), (5, 25)]
    assert (tmp_path / "5").read_text() == ".."  # killed once, then done by another


def test_a_task_that_kills_again_is_an_error(tmp_path):
    with Workers(partial(square, str(tmp_path)), 2) as workers:
        answers = workers.run([1, 6])
        assert next(answers) == (1, 1)
        with pytest.raises(WorkerError, match=r"6: its process was ended by SIGKILL, as the system does .*, 2 times"):
            next(answers)
    assert (tmp_path / "6").read_text() == ".."
    assert not workers._alive


def test_what_a_task_raises_is_said(tmp_path):
    for task, message in ((13, "^13 is no good$"), (14, "ZeroDivisionError: a fault")):
        with Workers(partial(square, str(tmp_path)), 2) as workers, pytest.raises(WorkerError, match=message):
            list(workers.run([task]))
    with Workers(partial(square, str(tmp_path)), 1) as workers, pytest.raises(OptionError, match="13 is no good"):
        list(workers.run([13]))
    with pytest.raises(OptionError, match="processes=0: expected at least 1"):
        Workers(partial(square, ""), 0)


def test_an_ending_in_words():
    assert ending(3) == "its process ended with status 3"
    assert ending(-signal.SIGTERM) == "its process was ended by SIGTERM"
