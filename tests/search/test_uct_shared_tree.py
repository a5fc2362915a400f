"""Tree-parallel UCT: against a search over boards written once more, proofs, threads, clocks, what specs may say."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest
from search_games import plain_minimax, random_boards
from slow_leaf_search import assert_written_once_more

from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream

GAME = get_game("TicTacToe-v0")


def findings(found):
    """What an analysis says but for the time that it took."""
    return found.action, found.value, found.action_values, found.visit_counts, found.nodes, found.depth, found.is_proven


@pytest.mark.parametrize(("leaves", "games"), [(1, 1), (3, 1), (7, 5), (200, 2)])
def test_it_is_the_search_that_is_written_once_more(leaves, games):
    for k, board in enumerate(random_boards(GAME, 4, (0, 5), seed=7)):
        assert_written_once_more(GAME, board, games, 150, k, leaves)


def test_its_proofs_are_true_and_its_choice_is_the_best_then():
    memo, proven = {}, 0
    for board in random_boards(GAME, 80, (2, 7), seed=1):
        found = make_policy("uct:2500,leaves=8", GAME).analyse(board)
        if found.is_proven:
            proven += 1
            assert found.value == plain_minimax(board, 9, memo)
            assert found.action_values[found.action] == found.value
    assert proven > 40


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("ConnectFour-v0", "uct:300,leaves=16"),
        ("ConnectFour-v0", "uct:60,leaves=5,leaf_playouts=7"),
        ("Abalone3-v0", "uct:60,leaves=8,cutoff=6"),
    ],
)
def test_any_number_of_threads_finds_the_same(name, spec):
    board = next(iter(random_boards(get_game(name), 1, (4, 8), seed=3)))
    one = make_policy(spec, name, seed=1)
    rng = stream(5)
    expected, state = findings(one.analyse_with(board, rng)), int(rng[0])
    assert sum(expected[3].values()) == expected[4] * one.games
    for threads in (2, 3, 8):
        other = make_policy(f"{spec},threads={threads}", name, seed=1)
        rng = stream(5)
        assert findings(other.analyse_with(board, rng)) == expected
        assert int(rng[0]) == state
        assert other.act(board, deterministic=True) == one.act(board, deterministic=True)
        assert findings(other.analyse(board)) == findings(one.analyse(board))


@pytest.mark.plain(boards=True)
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("CardPoints-v0", "uct:60,leaves=7,solver=0"),
        ("Backgammon-v0", "uct:6,leaves=3,cutoff=4"),
        ("Othello-v0", "uct:12,leaves=5,prior=heuristic,leaf=mix"),
        ("NineMensMorris-v0", "uct:9,leaves=4,cutoff=5,choice=max_child,symmetry=1"),
    ],
)
def test_games_with_chance_and_other_settings_are_searched_as_python(name, spec):
    board = next(iter(random_boards(get_game(name), 1, (2, 6), seed=3)))
    policy = make_policy(spec, name, seed=1)
    found = policy.analyse(board)
    assert sum(found.visit_counts.values()) == found.nodes == policy.settings.simulations
    assert -1.0 <= found.value <= 1.0
    assert found.action in board.legal_actions


def test_many_searches_at_once_find_the_same():
    board, spec = Board("ConnectFour-v0"), "uct:2000,leaves=16,threads=3"
    expected, found = findings(make_policy(spec, "ConnectFour-v0").analyse_with(board, stream(1))), []

    def search():
        found.extend(findings(make_policy(spec, "ConnectFour-v0").analyse_with(board, stream(1))) for _ in range(5))

    callers = [threading.Thread(target=search) for _ in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [expected] * 15


def test_a_leaf_that_waits_is_not_looked_at_again_at_once():
    """Seven leaves at a time: the seven first moves of Connect Four, one each, and then those with the best of them."""
    found = make_policy("uct:7,leaves=7", "ConnectFour-v0").analyse(Board("ConnectFour-v0"))
    assert list(found.visit_counts.values()) == [1] * 7
    found = make_policy("uct:14,leaves=7", "ConnectFour-v0").analyse(Board("ConnectFour-v0"))
    assert sum(found.visit_counts.values()) == 14
    assert max(found.visit_counts.values()) < 8


def test_a_forced_move_needs_no_search():
    board = Board(GAME)
    for action in (0, 1, 2, 4, 3, 5, 7, 6):
        board.push(action)
    policy = make_policy("uct:10,leaves=2", GAME, seed=1)
    before = policy.rng.copy()
    assert policy.act(board) == 8
    assert policy.rng == before
    assert policy.analyse(board).visit_counts == {8: 1}
    assert policy.analyse(board).is_proven


def test_copies_and_pickles_go_on_with_the_same_draws():
    policy, board = make_policy("uct:30,leaves=4,threads=2", GAME, seed=5), Board(GAME)
    policy.act(board)
    others = [copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))]
    wanted = [policy.act(board) for _ in range(6)]
    assert [[other.act(board) for _ in range(6)] for other in others] == [wanted, wanted]
    assert len(set(wanted)) > 1


@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_and_a_clock_end_it(threads):
    board = Board("ConnectFour-v0")
    policy = make_policy(f"uct:900000000,leaves=8,threads={threads}", "ConnectFour-v0", seed=5)
    timer = threading.Timer(0.2, lambda: policy.interrupt())
    timer.start()
    found = policy.analyse(board)
    timer.join()
    assert 1 <= found.nodes == sum(found.visit_counts.values()) < 900_000_000
    by_time = make_policy(f"uct:0.2s,leaves=8,threads={threads}", "ConnectFour-v0", seed=5)
    assert by_time.has_clock
    by_time.act(board)
    began = time.monotonic()
    assert by_time.act(board) in board.legal_actions
    assert 0.2 <= time.monotonic() - began < 2.0


def test_a_full_tree_goes_on_with_what_it_has():
    found = make_policy("uct:500,leaves=4,nodes=20", "ConnectFour-v0").analyse(Board("ConnectFour-v0"))
    assert found.nodes == sum(found.visit_counts.values()) == 500


def test_what_specs_say():
    usual = make_policy("uct:50,leaves=4", GAME)
    assert (usual.leaves, usual.games, usual.threads, usual.is_short, usual.has_clock) == (4, 1, 1, True, False)
    assert repr(usual) == "<uct:50,leaves=4 for TicTacToe-v0>"
    full = make_policy("uct:900000,leaves=4,leaf_playouts=3,threads=2,memory=1MB,least_visits=2", GAME)
    assert (full.games, full.threads, full.settings.max_nodes, full.settings.least_visits) == (3, 2, 27_777, 6)
    assert np.isclose(make_policy("uct:64,leaves=8", GAME).action_probabilities(Board(GAME)).sum(), 1.0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct:100,leaves=0", "expected 1 to 1024"),
        ("uct:100,leaves=64,leaf_playouts=2000", "expected 1 to 1024"),
        ("uct:100,leaves=4,rave=3", "leaves= does not go with rave=; expected playouts that learn nothing from each other"),
        ("uct:100,leaves=4,playout=mast", "leaves= does not go with playout="),
        ("uct:100,leaves=4,device=cpu", "leaves= does not go with device="),
        ("uct:100,leaves=4,reuse=1", "leaves= does not go with reuse="),
        ("uct:100,leaves=4,prior=heuristic,leaf=heuristic", "there is nothing left to share"),
        ("puct:100,leaves=4", "leaves= goes with leaf=playout or leaf=mix"),
    ],
)
def test_what_does_not_go_together_is_refused(spec, message):
    with pytest.raises(SpecError) as caught:
        make_policy(spec, "Othello-v0")
    assert message in str(caught.value)
    assert repr(spec) in str(caught.value)
