"""Moves that threads share: who does them, and what becomes of errors, of Ctrl-C and of threads that there cannot be."""

import threading

import numpy as np
import pytest

from boardgym.baselines.perfect.sharing import check_threads, share
from boardgym.core.errors import SpecError

HANG_S = 60


def test_workers_work_at_the_same_time_each_on_a_thread_of_its_own():
    meeting, done = threading.Barrier(3), []

    def worker(item):
        meeting.wait(HANG_S)  # all three, or this breaks
        done.append((item, threading.current_thread()))

    share(range(3), [worker] * 3, np.zeros(1, np.int64))
    assert sorted(item for item, _ in done) == [0, 1, 2]
    assert len({thread for _, thread in done}) == 3


def test_an_error_of_a_helper_is_raised_when_all_have_ended():
    stop, begun = np.zeros(1, np.int64), threading.Event()

    def first(item):
        assert begun.wait(HANG_S)
        while stop[0] == 0:
            pass

    def second(item):
        begun.set()
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        share(range(9), [first, second], stop)
    assert stop[0] == 1


def test_ctrl_c_ends_all():
    stop = np.zeros(1, np.int64)

    def first(item):
        raise KeyboardInterrupt

    def second(item):
        while stop[0] == 0:
            pass

    with pytest.raises(KeyboardInterrupt):
        share(range(9), [first, second], stop)
    assert stop[0] == 1
    assert not [thread for thread in threading.enumerate() if thread.name == "boardgym-moves"]


def test_where_threads_are_refused_fewer_share(monkeypatch):
    done = []

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    share(range(5), [done.append] * 3, np.zeros(1, np.int64))
    assert done == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("number", [0, 65, -1, 2.5, True, None, "2"])
def test_numbers_of_threads_that_there_cannot_be(number):
    with pytest.raises(SpecError, match="expected a whole number from 1 to 64"):
        check_threads(number)
