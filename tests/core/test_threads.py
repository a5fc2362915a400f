"""How calls over many games are shared: by how many threads, in which parts, and what comes between them."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from boardgym.compile import shared
from boardgym.core import threads
from boardgym.core.batch_board import BatchBoard
from boardgym.core.errors import OptionError
from boardgym.core.threads import Pace, Sharing

pytestmark = pytest.mark.once
HANG_S = 120  # far more than anything here takes


@shared
def count(low, high, loops, counts):
    """Counts each game, at a cost of so many loops."""
    for i in range(low, high):
        value = i
        for _ in range(loops):
            value = (value * 1103515245 + 12345) % 2147483648
        counts[i] += 1 if value != 99 else 2


@pytest.fixture
def always(monkeypatch):
    """Calls are shared however short they are."""
    monkeypatch.setattr(threads, "SHORT_S", 0.0)
    monkeypatch.setattr(Pace, "choose", lambda pace, most: most)


@pytest.mark.parametrize("number", [-1, 1.5, True, "2", None])
def test_numbers_of_threads(number):
    with pytest.raises(OptionError, match="expected a whole number, 0 for as many as there are cores"):
        Sharing(number)


def test_long_calls_come_in_parts_and_ctrl_c_between_them():
    sharing, seen = Sharing(1), []

    def call(crew, plan, args):
        low, high = plan[:2]
        seen.append((low, high))
        time.sleep(0.02 * (high - low))
        return -1

    assert sharing.run("slow", call, 20, ()) == -1
    assert seen[0] == (0, 0)
    assert [low for low, _ in seen[2:]] == [high for _, high in seen[1:-1]]
    assert seen[-1][1] == 20
    assert max(high - low for low, high in seen) <= 4
    calls = len(seen)

    def interrupted(crew, plan, args):
        seen.append(plan)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sharing.run("slow", interrupted, 20, ())
    assert len(seen) == calls + 1


def test_games_after_one_that_stops_are_left_out():
    sharing, seen = Sharing(1), []

    def call(crew, plan, args):
        seen.append(plan[:2])
        time.sleep(0.02 * (plan[1] - plan[0]))
        return 5 if plan[0] <= 5 < plan[1] else -1

    assert sharing.run("slow", call, 20, ()) == 5
    assert seen[-1][1] < 20


@pytest.mark.parametrize("num_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 1000])
def test_every_game_is_played_once(n, num_threads, always):
    sharing, counts = Sharing(num_threads), np.zeros(n, np.int64)
    for _ in range(5):
        assert sharing.run("count", count, n, (10, counts)) == -1
    assert counts.tolist() == [5] * n


def test_ctrl_c_ends_a_shared_call_and_the_threads_go_on(always):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
    sharing, counts = Sharing(3), np.zeros(100_000, np.int64)
    sharing.run("warm", count, 100, (10, counts))
    counts[:] = 0
    interrupt = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        sharing.run("long", count, len(counts), (1_000_000, counts))
    interrupt.join()
    signal.signal(signal.SIGINT, before)
    assert counts.sum() < len(counts)
    after = counts.copy()
    time.sleep(0.1)
    np.testing.assert_array_equal(counts, after)  # nobody is still at work
    counts[:] = 0
    for _ in range(3):
        sharing.run("short", count, 1000, (10, counts))
    assert counts[:1000].tolist() == [3] * 1000


def played(num_threads, seed, plies=60):
    """All that a batch of tic-tac-toe shows in so many plies."""
    batch = BatchBoard("TicTacToe-v0", 50, seed=seed, num_threads=num_threads)
    shown = []
    for _ in range(plies):
        batch.step(batch.act("random"))
        shown += [batch.rows.copy(), batch.mask.copy(), batch.rewards.copy()]
        batch.reset(batch.done)
    return np.concatenate([array.ravel() for array in shown])


def test_batches_stepped_at_once_by_several_threads(always):
    expected, found = [played(1, seed) for seed in range(4)], [None] * 4

    def play(seed):
        found[seed] = played(3, seed)

    callers = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(HANG_S)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_many_batches_have_the_same_threads(always):
    played(3, 0, 2)
    before = threading.active_count()
    for seed in range(20):
        played(3, seed, 2)
    assert threading.active_count() <= before


def test_forked_processes_start_threads_of_their_own(always):
    expected, crews = played(2, 1), len(threads._IDLE)
    assert crews > 0
    is_over, batch = threading.Event(), BatchBoard("TicTacToe-v0", 50, seed=2, num_threads=2)

    def keep_playing():  # what it calls is compiled, so that no fork comes while a lock of the compiler is held
        while not is_over.is_set():
            batch.step(batch.act("random"))
            batch.reset(batch.done)

    other = threading.Thread(target=keep_playing)  # so that forks come while a job is open
    other.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                signal.alarm(HANG_S)
                is_right = not threads._IDLE and np.array_equal(played(2, 1), expected) and len(threads._IDLE) == 1
                os._exit(0 if is_right else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        is_over.set()
        other.join(HANG_S)


def test_short_calls_are_for_one_thread_and_longer_ones_for_more():
    assert Pace(10e-6).choose(16) == 1
    chosen = []
    for alone in (60e-6, 200e-6, 10e-3, 10.0):
        pace = Pace(alone)
        pace.choose(16)  # the first is for one thread, to see what that takes
        chosen.append(pace.choose(16))
    assert chosen == [2, 8, 16, 16]
    assert Pace(10.0).choose(16) == 16  # too long to be tried by one


def simulate(calls, alone, together, most=4):
    """How many of the calls are shared, where they take these seconds by one thread and by several."""
    pace, shared_calls = Pace(alone), 0
    for _ in range(calls):
        chosen = pace.choose(most)
        shared_calls += chosen > 1
        pace.note(chosen, together if chosen > 1 else alone)
    return shared_calls


def test_short_calls_of_a_name_tell_nothing_about_its_long_ones():
    """As an opponent's, which answers few boards after a restart, and nearly all after a step."""
    sharing, chosen = Sharing(4), []

    def call(crew, plan, args):
        if plan[1] > plan[0] and args[0] > 64:
            chosen.append(plan[3] + 1)
        time.sleep(args[0] * 20e-6 / (plan[3] + 1) * (plan[1] - plan[0]) / 1024)
        return -1

    for _ in range(50):
        for busy in (1000, 30):
            assert sharing.run("opponent", call, 1024, (busy,), busy) == -1
    assert chosen.count(4) > 40


def test_a_call_of_a_new_size_begins_at_what_others_take():
    """Its first games may be idle ones, which tell nothing."""
    sharing, parts = Sharing(1), []

    def call(crew, plan, args):
        parts.append(plan[:2])
        busy = range(max(plan[0], 1024 - args[0]), max(plan[1], 1024 - args[0]))  # the last games
        time.sleep(0.4e-3 * len(busy))
        return -1

    sharing.run("opponent", call, 1024, (1024,), 1024)
    parts.clear()
    sharing.run("opponent", call, 1024, (500,), 500)
    assert max(high - low for low, high in parts) <= 512


def test_the_quicker_way_is_taken_and_the_other_one_tried_now_and_then():
    assert simulate(2000, alone=1e-3, together=0.4e-3) == 2000 - 8
    assert 2 <= simulate(2000, alone=1e-3, together=1.5e-3) <= 8
    assert simulate(20_000, alone=1e-3, together=10e-3) <= 12


def test_a_call_that_waited_for_a_core_is_no_measure():
    pace = Pace(10e-6)
    pace.note(1, 5e-3)
    assert pace.choose(4) == 1
    for _ in range(12):
        pace.note(1, 5e-3)  # but this is how long they take
    assert pace.alone == 5e-3


def test_calls_that_have_become_short_are_no_longer_shared():
    pace = Pace(5e-3)
    for _ in range(20):
        if (chosen := pace.choose(16)) > 1:
            pace.note(chosen, 12e-6)
    assert pace.choose(16) == 1
