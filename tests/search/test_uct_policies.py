"""UCT's kept trees and threads: what they play, what their copies carry, memory, clocks and how they are ended."""

import contextlib
import copy
import pickle
import signal
import threading
import time

import numpy as np
import pytest

from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.baselines.search import uct_policies
from boardgym.baselines.search.uct_policies import KEPT
from boardgym.baselines.search.uct_tree import USED, Tree, new_tree, node_columns, room_for
from boardgym.compile import plain
from boardgym.compile.store import cache_root
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from tests.support import alarm_as_key, run_python

GAME = "TicTacToe-v0"


def tree_of(policy):
    """The tree that a policy keeps."""
    return Tree(*policy.search.data[KEPT])


def test_a_tree_is_kept_between_moves():
    policy, board = make_policy("uct:300,reuse=1", GAME, seed=1), Board(GAME)
    policy.act(board)
    assert policy.kept_visits == 300
    board.push(4)
    policy.act(board)
    assert 301 <= policy.kept_visits < 600  # what the first search knew of this position, and 300 more
    before = policy.kept_visits
    policy.reset(seed=1)
    policy.act(board)
    assert policy.kept_visits == 300 < before
    other = Board(GAME)
    other.push(0)
    policy.act(other)  # not a continuation
    assert policy.kept_visits == 300
    assert policy.analyse(board).nodes == 300


def test_a_kept_tree_takes_another_time():
    """As `perfect:total=` gives it what the solver has left, move by move; a search of so many simulations has none."""
    assert make_policy("uct:300,reuse=1", GAME).seconds is None
    policy = make_policy("perfect:time=0.01s,total=30s(uct:30s,reuse=1)", "ConnectFour-v0", seed=1).fallback
    assert policy.seconds == 30.0
    policy.seconds = 0.05
    started = time.monotonic()
    policy.act(Board("ConnectFour-v0"))
    assert time.monotonic() - started < 10.0
    assert pickle.loads(pickle.dumps(policy)).seconds == 0.05
    policy.seconds = None
    assert policy.search.seconds is policy.fresh.seconds is None


def test_copies_of_kept_trees_carry_the_nodes_and_not_the_room():
    """Environments copy such an opponent for each board."""
    spec = "uct:1s,nodes=200000,reuse=1"
    unused, large = make_policy(spec, GAME, seed=1), make_policy("uct:1s,reuse=1", GAME, seed=1)
    assert large.room == 4_000_000
    for policy in (unused, large):
        assert len(pickle.dumps(policy)) < 20_000
        assert len(tree_of(copy.deepcopy(policy)).visits) == 0
    assert pickle.dumps(unused) == pickle.dumps(make_policy(spec, GAME, seed=1))

    def played():
        policy, board = make_policy("uct:200,reuse=1,nodes=3000", GAME, seed=1), Board(GAME)
        policy.act(board)
        board.push(4)
        policy.act(board)
        return policy, board

    (policy, board), (again, _) = played(), played()
    used = int(tree_of(policy).size[USED])
    assert 100 < used < len(tree_of(policy).visits) == policy.room == 3000
    assert len(pickle.dumps(policy)) < 20_000 + 72 * used
    assert pickle.dumps(policy) == pickle.dumps(again)
    board.push(0)
    other = pickle.loads(pickle.dumps(policy))
    assert other.kept_visits == policy.kept_visits > 200
    assert [other.act(board) for _ in range(3)] == [policy.act(board) for _ in range(3)]
    assert other.kept_visits == policy.kept_visits > 600
    policy.reset()
    assert policy.kept_visits == 0
    assert len(pickle.dumps(policy)) < 20_000


def test_kept_trees_play_whole_games():
    policy, rng = make_policy("uct:4000,reuse=1", GAME, seed=2), np.random.default_rng(1)
    for seat in (0, 1) * 6:
        board = Board(GAME)
        policy.reset()
        while not board.is_terminal:
            board.push(policy.act(board) if board.to_play == seat else int(rng.choice(board.legal_actions)))
        assert board.returns()[seat] >= 0.0


def test_searches_on_threads_have_draws_of_their_own_and_need_no_threads(monkeypatch):
    policy, board = make_policy("uct:300,threads=3", "ConnectFour-v0", seed=1), Board("ConnectFour-v0")
    found = policy.analyse(board)
    assert any(count % 3 for count in found.visit_counts.values())  # three equal searches would add up to multiples of three
    monkeypatch.setattr(uct_policies, "crew_of", lambda helpers: contextlib.nullcontext((0, 0)))
    assert policy.analyse(board).visit_counts == found.visit_counts


def test_copies_and_pickles_of_searches_on_threads_hold_no_room():
    assert len(pickle.dumps(make_policy("uct:1s,threads=4", GAME, seed=1))) < 10_000


ENDS = """
import threading, time
from boardgym import Board
from boardgym.baselines import make_policy

policy, board = make_policy("uct:900s,threads=2", "ConnectFour-v0", seed=1), Board("ConnectFour-v0")
make_policy("uct:9,threads=2", board.game, seed=1).act(board)
threading.Thread(target=policy.act, args=(board,), daemon=True).start()
time.sleep(0.5)
print("ends")
"""


def test_a_process_ends_beside_a_search_on_threads():
    """Long before the search would, and before `run_python` gives up."""
    assert run_python("-c", ENDS, cache=cache_root()).stdout == "ends\n"


def test_room_for_all_searches_is_asked_for_before_any_begins(monkeypatch):
    def no_room(*_):
        raise MemoryError

    policy = make_policy("uct:900000000,threads=2", GAME, seed=1)
    monkeypatch.setattr(uct_policies, "new_trees", no_room)
    with pytest.raises(MemoryError, match="expected a smaller nodes="):
        policy.act(Board(GAME))


def test_threads_share_the_simulations():
    board = Board(GAME)
    for threads, simulations in ((2, 101), (3, 2), (4, 400)):
        found = make_policy(f"uct:{simulations},threads={threads}", GAME, seed=1).analyse(board)
        assert found.nodes == sum(found.visit_counts.values()) == simulations
        assert found.value == found.action_values[found.action]
        assert found.principal_variation[0] == found.action


def test_the_room_of_a_tree_is_what_the_spec_allows():
    """nodes= is for all threads together, and for each of the two trees of reuse=1."""
    policy = make_policy("uct:1000000,nodes=5000,threads=4", GAME, seed=1)
    assert [kind.max_nodes for kind in policy.kinds] == [1250] * 4
    assert make_policy("uct:1000000,nodes=5000,reuse=1", GAME, seed=1).room == 5000
    assert make_policy("uct:1000000,nodes=1,reuse=1", GAME, seed=1).room == 10  # the root and its children
    for options, nbytes in (("c=1", 36), ("fpu=1", 52), ("rave=50", 68)):
        settings = make_policy(f"uct:1000000,nodes=5000,{options}", GAME, seed=1).settings
        columns = [
            column for column in node_columns(new_tree(settings, plain(room_for)(settings, 9), ())) if column is not None
        ]
        assert ({len(column) for column in columns}, sum(column.itemsize for column in columns)) == ({5000}, nbytes)


@pytest.mark.parametrize("options", ["rave=5", "threads=2", "reuse=1"])
@pytest.mark.parametrize("method", ["act", "analyse"])
def test_a_search_is_ended_from_another_thread(options, method):
    """What the protocols and `boardgym analyse` do at a stop: any search has `interrupt`."""
    policy, board = make_policy(f"uct:1000000000,nodes=40,{options}", GAME, seed=1), Board(GAME)
    getattr(make_policy(f"uct:10,{options}", GAME, seed=1), method)(board)  # compiles
    waits: list[float] = []
    for _ in range(3):
        ended: list[object] = []
        thread = threading.Thread(target=lambda e=ended: e.append(getattr(policy, method)(board)), daemon=True)
        thread.start()
        time.sleep(0.1)
        assert not ended
        started = time.monotonic()
        policy.interrupt()
        thread.join(20.0)
        assert ended
        waits.append(time.monotonic() - started)
    assert sorted(waits)[1] < 0.1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals are sent as POSIX has them")
@pytest.mark.parametrize("options", ["rave=5", "threads=2", "reuse=1"])
def test_ctrl_c_ends_a_search(options):
    policy, board, waits = make_policy(f"uct:1000000000,nodes=40,{options}", GAME, seed=1), Board(GAME), []
    with alarm_as_key():
        for _ in range(3):
            started = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(KeyboardInterrupt):
                policy.act(board)
            waits.append(time.monotonic() - started - 0.1)
    assert sorted(waits)[1] < 0.1


def test_only_short_budgets_run_where_ctrl_c_does_not_reach(tmp_path):
    for options, simulations in (
        ("rave=5", 3333),
        ("decisive=1", 666),
        ("playout=fast", 333),
        ("playout=past", 66),
        ("playout=softmax", 66),
    ):
        assert make_policy(f"uct:{simulations},{options}", GAME).is_short
        assert not make_policy(f"uct:{simulations + 1},{options}", GAME).is_short
    layers = [(np.zeros((int(np.prod(Board(GAME).game.observation_shape)), 9)), np.zeros(9))]
    NetworkPolicy(GAME, layers).save(tmp_path / "net.safetensors")
    assert not make_policy(f"uct:1,prior=network(network:{tmp_path / 'net.safetensors'})", GAME).is_short


def test_clocks_are_obeyed():
    board = Board(GAME)
    for options in ("rave=50", "threads=2", "reuse=1"):
        policy = make_policy(f"uct:0.2s,nodes=30,{options}", GAME, seed=1)  # so little room that nothing is proven
        assert policy.has_clock
        policy.act(board)
        overruns = []
        for _ in range(3):
            started = time.monotonic()
            policy.act(board)
            overruns.append(time.monotonic() - started - 0.2)
        assert min(overruns) > -0.01
        if options == "reuse=1":
            assert 0.0 < policy.search.seconds < policy.fresh.seconds == 0.2  # moving the tree to its new root takes time too
        assert sorted(overruns)[1] < 0.1
