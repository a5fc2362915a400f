"""Threads that share compiled calls: atomic instructions, jobs, and the life of a crew."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from boardgym.compile import Crew, as_python, kernel, shared
from boardgym.compile.atomics import add, exchange, keep_least, load, store
from boardgym.compile.store import cache_root
from tests.support import run_python

pytestmark = pytest.mark.once
HANG_S = 120  # far more than anything here takes


@kernel
def add_up(at, times):
    for _ in range(times):
        add(at, 1)
        before = load(at + 8)
        while not exchange(at + 8, before, before + 1):
            before = load(at + 8)


@kernel
def keep(at, values):
    for value in values:
        keep_least(at, value)


@kernel
def write(at, value):
    store(at, value)


@shared
def mark(low, high, loops, marks, stops, crash):
    """Counts each game in marks, at a cost of so many loops; stops where `stops` holds, raises at game `crash`."""
    for i in range(low, high):
        if i == crash:
            raise ValueError("game that must not be played")
        value = i
        for _ in range(loops):
            value = (value * 1103515245 + 12345) % 2147483648
        marks[i] += 1 if value != 99 else 2
        if stops[i]:
            return i
    return -1


def arguments(n, *, loops=10, stops=(), crash=-1):
    where = np.zeros(n, bool)
    where[list(stops)] = True
    return loops, np.zeros(n, np.int64), where, crash


def test_the_same_runs_as_python():
    args = arguments(5, stops=[3])
    assert as_python(mark)(0, (0, 5, 1, 1), args) == 3
    assert args[1].tolist() == [1, 1, 1, 1, 0]
    with pytest.raises(ValueError, match="must not be played"):
        as_python(mark)(0, (0, 5, 1, 1), arguments(5, crash=2))


def test_without_helpers_hired_the_caller_does_it_and_is_told_what_fails():
    crew, args = Crew(), arguments(100)
    assert mark(crew.address, (0, 100, 7, 2), args) == -1
    assert args[1].tolist() == [1] * 100
    assert mark(crew.address, (np.int32(0), np.int32(100), np.int32(7), np.int32(2)), args) == -1
    with pytest.raises(ZeroDivisionError):
        mark(crew.address, (0, 100, 0, 2), args)  # pieces of no game


def test_no_addition_of_two_threads_is_lost():
    words, times = np.zeros(2, np.int64), 1_000_000
    add_up(words.ctypes.data, 0)
    threads = [threading.Thread(target=add_up, args=(words.ctypes.data, times)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert words.tolist() == [2 * times, 2 * times]


def test_the_least_is_kept_and_minus_one_is_no_number():
    word = np.full(1, -1, np.int64)
    keep(word.ctypes.data, np.array([-1, 7, -1, 3, 5]))
    assert word.tolist() == [3]
    write(word.ctypes.data, -1)
    assert word.tolist() == [-1]


@pytest.mark.parametrize("rows", [1, 7, 64, 1000])
@pytest.mark.parametrize("helpers", [0, 1, 2, 7])
def test_each_game_is_played_once(helpers, rows):
    crew = Crew()
    assert crew.hire(helpers) == helpers
    for low, high in ((0, 1000), (3, 4), (5, 5), (100, 999)):
        args = arguments(1000)
        for _ in range(20):
            assert mark(crew.address, (low, high, rows, helpers), args) == -1
        expected = np.zeros(1000, np.int64)
        expected[low:high] = 20
        np.testing.assert_array_equal(args[1], expected)


def test_helpers_do_take_part():
    crew, deadline, has_helped = Crew(), time.monotonic() + HANG_S, False
    crew.hire(1)
    while not has_helped and time.monotonic() < deadline:
        own, all_threads = time.thread_time(), time.process_time()
        mark(crew.address, (0, 64, 1, 1), arguments(64, loops=200_000))
        has_helped = time.process_time() - all_threads > 1.2 * (time.thread_time() - own)
    assert has_helped


@pytest.mark.parametrize("helpers", [0, 3])
def test_the_least_game_that_stops_is_told(helpers):
    crew = Crew()
    crew.hire(helpers)
    for stops in ([200], [900, 31, 640], [999]):
        assert mark(crew.address, (0, 1000, 10, helpers), arguments(1000, stops=stops)) == min(stops)


@pytest.mark.parametrize("helpers", [0, 3])
def test_what_a_piece_raises_is_raised_and_nobody_is_at_work_then(helpers):
    crew = Crew()
    crew.hire(helpers)
    for crash in (0, 499, 999):
        args = arguments(1000, loops=2000, crash=crash)
        with pytest.raises(ValueError, match="game that must not be played"):
            mark(crew.address, (0, 1000, 10, helpers), args)
        marks = args[1].copy()
        time.sleep(0.05)
        np.testing.assert_array_equal(args[1], marks)
        assert marks[crash] == 0
    args = arguments(1000)
    assert mark(crew.address, (0, 1000, 10, helpers), args) == -1
    assert args[1].tolist() == [1] * 1000


def test_threads_end_when_nobody_holds_the_crew():
    crew = Crew()
    crew.hire(3)
    threads = list(crew.threads)
    time.sleep(0.05)  # some sleep by now
    del crew
    for thread in threads:
        thread.join(HANG_S)
    assert not any(thread.is_alive() for thread in threads)


def test_idle_helpers_take_no_time():
    crew = Crew()
    crew.hire(3)
    mark(crew.address, (0, 1000, 1, 3), arguments(1000))
    time.sleep(0.5)
    started = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - started < 0.5
    args = arguments(1000)
    mark(crew.address, (0, 1000, 1, 3), args)
    assert args[1].tolist() == [1] * 1000


def test_a_forked_process_does_the_work_alone():
    crew = Crew()
    crew.hire(3)
    for _ in range(10):
        mark(crew.address, (0, 1000, 1, 3), arguments(1000))
        child = os.fork()
        if child == 0:
            signal.alarm(HANG_S)
            args = arguments(1000)
            is_right = mark(crew.address, (0, 1000, 1, 3), args) == -1 and args[1].tolist() == [1] * 1000
            del crew  # without waiting for threads that are not there
            os._exit(0 if is_right else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


PROCESS = """
import threading, time
from boardgym.core.batch_board import BatchBoard
from boardgym.core.threads import Pace

Pace.choose = lambda pace, most: most
{body}
print("done", flush=True)
"""
STEPS = """
def play(seconds):
    batch = BatchBoard("TicTacToe-v0", 4096, seed=1, num_threads=3)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        batch.step(batch.act("random"))
        batch.reset(batch.done)

play(0.1)
"""


@pytest.mark.parametrize("more", ["", "threading.Thread(target=play, args=(1e9,), daemon=True).start()\ntime.sleep(0.2)"])
def test_a_process_ends_with_its_helpers(more):
    started = time.monotonic()
    result = run_python("-c", PROCESS.format(body=STEPS + more), cache=cache_root())
    assert result.stdout.strip() == "done"
    assert time.monotonic() - started < HANG_S
