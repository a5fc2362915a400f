"""Clocks and Ctrl-C end a search within a tenth of a second."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from forest import FOREST_OF_THREE, LOOP, tree
from search_games import board_at

import boardgym
from boardgym.baselines.search.common import is_short_budget
from boardgym.baselines.search.interrupt import run_interruptible
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from boardgym.testing.dice import DICE, Dice
from tests.support import alarm_as_key

ROOT = Path(boardgym.__file__).resolve().parents[1]
WITHIN_S = 0.1

SCRIPT = """
import signal, sys, time
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
signal.signal(signal.SIGINT, signal.default_int_handler)
board = Board("Othello-v0")
make_policy(sys.argv[2], board.game, seed=1).act(board)
policy = make_policy(sys.argv[1], board.game, seed=1)
print("ready", flush=True)
try:
    policy.act(board)
except KeyboardInterrupt:
    print(time.time(), flush=True)
    sys.exit(9)
"""


@pytest.mark.parametrize("spec", ["uct:0.3s", "minimax:0.3s", "minimax:90,time=0.3s", "uct:1000000000,time=0.3s"])
def test_a_clock_is_obeyed(spec):
    board = Board("Othello-v0")
    policy = make_policy(spec, board.game, seed=1)
    assert policy.has_clock
    policy.act(board)
    overruns = []
    for _ in range(3):
        started = time.monotonic()
        assert policy.act(board) in board.legal_actions
        overruns.append(time.monotonic() - started - 0.3)
    assert min(overruns) > -0.01
    assert sorted(overruns)[1] < WITHIN_S


def seconds_of(call):
    """Wall time of a call, and what it raised."""
    started, error = time.monotonic(), None
    try:
        call()
    except KeyboardInterrupt as caught:
        error = caught
    return time.monotonic() - started, error


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize(
    ("spec", "board"),
    [
        ("minimax:90,table=0,quiescence=2,singular=0.2,order=heuristic", lambda: tree(LOOP)),
        ("maxn:90", lambda: tree(LOOP, FOREST_OF_THREE)),
        ("expectiminimax:90", lambda: board_at(DICE, Dice(2, 2, 0, 1))),
        ("uct:1000000000,nodes=30,rave=50", lambda: Board("TicTacToe-v0")),  # so little room that nothing is proven
        ("uct:1000000000,nodes=60,threads=2", lambda: Board("TicTacToe-v0")),
        ("uct:1000000000,nodes=30,reuse=1,cutoff=2", lambda: Board("TicTacToe-v0")),
    ],
)
def test_every_search_obeys_clocks_and_ctrl_c(spec, board):
    """Each loop that looks at the flag, in a search that would go on for ever."""
    board, limit_s = board(), 0.05
    clocked, endless = make_policy(f"{spec},time={limit_s}s", board.game, seed=1), make_policy(spec, board.game, seed=1)
    clocked.act(board)  # compiled
    overruns = [seconds_of(lambda: clocked.act(board))[0] - limit_s for _ in range(3)]
    assert min(overruns) > -0.01
    assert sorted(overruns)[1] < WITHIN_S
    overruns = []
    with alarm_as_key():
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, limit_s)
            taken, error = seconds_of(lambda: endless.act(board))
            assert error is not None
            overruns.append(taken - limit_s)
    assert sorted(overruns)[1] < WITHIN_S


def test_the_clock_starts_after_compilation():
    board = Board("ConnectFour-v0")
    assert make_policy("uct:0.2s", board.game, seed=1).analyse(board).nodes > 1000


def test_a_search_ends_before_its_clock_when_all_is_proven():
    board = Board("TicTacToe-v0")
    policy = make_policy("minimax:20s", board.game, seed=1)
    started = time.monotonic()
    assert policy.analyse(board).is_proven
    assert time.monotonic() - started < 15.0


def test_a_forced_move_takes_no_time():
    board = Board("Othello-v0", "OOOOOOO-OXXXXXO-OOXOOX-OOXOOXOO-OXOOOXOOOOOOOOXOOXXXXXXXOOOOOOOO X")
    board.set_position(board.position._replace(own=np.uint64(1), other=np.uint64(2)))  # X at a1, O at b1: one move
    assert len(board.legal_actions) == 1
    for spec in ("uct:30s", "minimax:30s"):
        started = time.monotonic()
        assert make_policy(spec, board.game, seed=1).act(board) == board.legal_actions[0]
        assert time.monotonic() - started < 25.0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize(("spec", "small"), [("uct:1000000000", "uct:5000"), ("minimax:60", "minimax:4")])
def test_ctrl_c_ends_a_search(spec, small):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, spec, small],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    time.sleep(0.4)
    sent = time.time()
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 9
    assert float(out) - sent < WITHIN_S


def test_ctrl_c_is_raised_after_the_worker_has_ended():
    stop, ended = np.zeros(1, np.int64), []

    def work():
        while stop[0] == 0:
            time.sleep(0.005)
        ended.append(True)

    with alarm_as_key():
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            run_interruptible(work, stop)
        assert time.monotonic() - started < 0.1 + WITHIN_S
        assert ended == [True]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them")
def test_ctrl_c_while_the_worker_begins_leaves_none_at_work():
    """At 400 moments within the first 0.4 ms, while the thread is made, started and waited for."""
    at_work = []

    def search(stop):
        at_work.append(True)
        while stop[0] == 0:
            time.sleep(0.0001)
        at_work.pop()

    def run(seconds, stop):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        run_interruptible(lambda: search(stop), stop)

    with alarm_as_key():
        for number in range(1, 401):
            with pytest.raises(KeyboardInterrupt):
                run(number * 1e-6, np.zeros(1, np.int64))
            assert not at_work
    time.sleep(0.05)
    assert not at_work


def test_errors_of_the_worker_reach_the_caller():
    def work():
        raise ZeroDivisionError("within")

    with pytest.raises(ZeroDivisionError, match="within"):
        run_interruptible(work, np.zeros(1, np.int64))


def test_budgets_tell_whether_they_have_a_clock():
    for spec, has_clock in (("uct:50", False), ("uct:0.5s", True), ("minimax:2", False), ("minimax:4,time=1s", True)):
        assert make_policy(spec, "Othello-v0", seed=1).has_clock is has_clock
        assert make_policy(f"epsilon:0.5({spec})", "Othello-v0", seed=1).has_clock is has_clock


def test_only_short_budgets_are_called_directly():
    for spec in ("uct:50", "minimax:3", "minimax:60,nodes=1000", "minimax:2,pvs=1", "minimax:9,quiescence=4,nodes=1000",
                 "maxn:2", "expectiminimax:2,depth=plies", "expectiminimax:2,nodes=1000"):  # fmt: skip
        assert make_policy(spec, "Othello-v0", seed=1).is_short, spec
    for spec in ("uct:1000000", "minimax:10", "minimax:2,time=1s", "minimax:4", "minimax:60,nodes=1000000", "maxn:4",
                 "minimax:60,nodes=100000,pvs=1", "minimax:2,quiescence=4", "expectiminimax:3,depth=plies",
                 "expectiminimax:1"):  # fmt: skip
        assert not make_policy(spec, "Othello-v0", seed=1).is_short, spec


def test_budgets_beyond_all_numbers_are_not_short():
    assert not is_short_budget(1_000_000, 64, 0)
    assert is_short_budget(1, 100, 0)
    assert is_short_budget(100_000, 1, 0)


def test_interruptible_and_direct_calls_play_alike():
    board = Board("Othello-v0")
    for spec in ("uct:500", "minimax:3"):
        direct, threaded = (make_policy(spec, board.game, seed=3) for _ in range(2))
        assert direct.is_short
        threaded.is_short = False
        assert [direct.act(board) for _ in range(8)] == [threaded.act(board) for _ in range(8)]


def test_copies_and_pickles_go_on_alike():
    board = Board("Othello-v0")
    for spec in ("uct:30", "epsilon:0.3(uct:30)", "minimax:0.3s", "minimax:3"):
        policy = make_policy(spec, board.game, seed=3)
        for other in (copy.copy(policy), copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))):
            assert (type(other), other.spec, other.epsilon) == (type(policy), policy.spec, policy.epsilon)
            assert (other.has_clock, other.seconds, other.is_short) == (policy.has_clock, policy.seconds, policy.is_short)
        if not policy.has_clock:
            other = pickle.loads(pickle.dumps(policy))
            assert [policy.act(board) for _ in range(8)] == [other.act(board) for _ in range(8)]
