"""Tree-parallel UCT: against a search over boards written once more, proofs, threads, clocks, what specs may say."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest
from forest import FOREST_OF_THREE, LAYERS, tree
from search_games import SHUTTLE, TWICE, plain_minimax, random_boards
from slow_leaf_search import assert_written_once_more

from boardgym.baselines.search import uct_shared_tree
from boardgym.baselines.search.common import NODES, make_reply
from boardgym.compile import IS_COMPILED, as_python, plain
from boardgym.compile.digest import reached
from boardgym.core import threads
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
    ("board", "spec"),
    [
        (Board("ConnectFour-v0"), "uct:300,leaves=16"),
        (Board("ConnectFour-v0"), "uct:60,leaves=5,leaf_playouts=7"),
        (tree(LAYERS[0], FOREST_OF_THREE), "uct:60,leaves=8,cutoff=1,solver=0"),
    ],
    ids=["one playout", "seven playouts", "three seats"],
)
def test_any_number_of_threads_finds_the_same(board, spec):
    game = board.game
    one = make_policy(spec, game, seed=1)
    rng = stream(5)
    expected, state = findings(one.analyse_with(board, rng)), int(rng[0])
    assert sum(expected[3].values()) == expected[4] * one.games
    for count in (2, 3, 8):
        other = make_policy(f"{spec},threads={count}", game, seed=1)
        rng = stream(5)
        assert findings(other.analyse_with(board, rng)) == expected
        assert int(rng[0]) == state
        assert other.act(board, deterministic=True) == one.act(board, deterministic=True)
        assert findings(other.analyse(board)) == findings(one.analyse(board))


@pytest.mark.plain(boards=True)
@pytest.mark.parametrize(
    ("name", "spec", "plies"),
    [
        ("TicTacToe-v0", "uct:90,leaf_playouts=2", (0, 6)),
        (TWICE, "uct:40,leaf_playouts=2", (0, 3)),  # where a seat plays twice running
        (SHUTTLE, "uct:40,leaf_playouts=2,solver=0", (0, 3)),  # which ends by repetition
        (FOREST_OF_THREE, "uct:40,leaf_playouts=3,solver=0", (0, 0)),
        ("CardPoints-v0", "uct:30,leaf_playouts=2", (0, 3)),
        ("Backgammon-v0", "uct:4,leaf_playouts=1", (2, 4)),
    ],
    ids=["tic-tac-toe", "twice", "repetition", "three seats", "cards", "dice"],
)
def test_with_one_leaf_at_a_time_it_is_the_leaf_parallel_search(name, spec, plies):
    game = get_game(name) if isinstance(name, str) else name
    boards = [tree(LAYERS[0], game)] if game is FOREST_OF_THREE else random_boards(game, 3, plies, seed=2)
    for k, board in enumerate(boards):
        wanted, found = (make_policy(text, game).analyse_with(board, stream(k)) for text in (spec, f"{spec},leaves=1"))
        assert findings(found)[3:] == findings(wanted)[3:]
        assert found.action == wanted.action
        assert found.action_values == pytest.approx(wanted.action_values, abs=1e-12)


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


@pytest.mark.plain(boards=True)
def test_what_is_learnt_when_it_is_ended_in_a_round_is_that_of_leaves_that_are_through():
    """Seven playouts begin: those of two leaves, and one of a third."""

    class Stop:
        reads = 0

        def __getitem__(self, at):
            self.reads += 1
            return int(self.reads > 1 + 5 + 7)  # before a round, before each selection, before each playout

    policy, game = make_policy("uct:100,leaves=5,leaf_playouts=3,solver=0", GAME), GAME
    reply = make_reply(game.max_choices)._replace(stop=Stop())
    known = game.token, Board(GAME).row, Board(GAME).keys, policy._token, policy._row, policy.data, 5, 3
    as_python(uct_shared_tree.shared_tree_kernel)(0, 0, *known, stream(1), game.max_choices, False, tuple(reply))
    assert reply.counts.sum() == 6
    assert reply.report[NODES] == 2
    assert np.isfinite(reply.values).all()


@pytest.mark.plain(boards=True)
def test_an_evaluation_is_asked_and_goes_along_with_copies():
    board = next(iter(random_boards(get_game("Othello-v0"), 1, (6, 8), seed=3)))
    specs = "uct:30,leaves=4,cutoff=2", "uct:30,leaves=4,cutoff=2,evaluation=positional"
    usual, other = (make_policy(spec, "Othello-v0", seed=1) for spec in specs)
    assert findings(other.analyse(board)) != findings(usual.analyse(board))
    for copied in (copy.deepcopy(other), pickle.loads(pickle.dumps(other))):
        assert findings(copied.analyse(board)) == findings(other.analyse(board))


def test_analyses_and_best_actions_draw_nothing_from_its_stream():
    policy, board = make_policy("uct:40,leaves=4", "ConnectFour-v0", seed=1), Board("ConnectFour-v0")
    before = policy.rng.copy()
    policy.analyse(board)
    policy.act(board, deterministic=True)
    assert policy.rng == before
    policy.act(board)
    assert policy.rng != before


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_its_kernel_is_kept_and_names_what_the_threads_play():
    make_policy("uct:40,leaves=4", "ConnectFour-v0", seed=1).act(Board("ConnectFour-v0"))
    kernel = uct_shared_tree.shared_tree_kernel
    assert plain(uct_shared_tree.play_leaves) in reached(plain(kernel))
    assert all(kernel._cache.has_overload(kinds, kernel.targetctx) for kinds in kernel.overloads)


@pytest.mark.skipif(not IS_COMPILED, reason="one thread plays")
@pytest.mark.parametrize("spec", ["uct:3000,leaves=16,threads=3", "uct:300,threads=3"])
def test_threads_are_begun(spec, monkeypatch):
    monkeypatch.setattr(threads, "_IDLE", [])
    make_policy(spec, "ConnectFour-v0", seed=1).act(Board("ConnectFour-v0"))
    assert [len(crew.threads) for crew in threads._IDLE] == [2]


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


@pytest.mark.parametrize("count", [1, 2])
def test_another_thread_and_a_clock_end_it(count):
    board = Board("ConnectFour-v0")
    policy = make_policy(f"uct:900000000,leaves=8,threads={count}", "ConnectFour-v0", seed=5)
    timer = threading.Timer(0.2, lambda: policy.interrupt())
    timer.start()
    found = policy.analyse(board)
    timer.join()
    assert 1 <= found.nodes == sum(found.visit_counts.values()) < 900_000_000
    by_time = make_policy(f"uct:0.2s,leaves=8,threads={count}", "ConnectFour-v0", seed=5)
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
    timed = make_policy("uct:0.5s,leaves=4,leaf_playouts=3", GAME)
    assert pickle.loads(pickle.dumps(timed)).seconds == timed.seconds == 0.5
    assert timed.settings.simulations * timed.games <= 2_000_000_000
    make_policy("perfect:time=0.5s,total=1s(uct:1s,leaves=4)", "Othello-v0")
    assert not make_policy("uct:900,leaves=4,leaf_playouts=100", GAME).is_short
    full = make_policy("uct:900000,leaves=4,leaf_playouts=3,threads=2,memory=1MB,least_visits=2", GAME)
    assert (full.games, full.threads, full.settings.max_nodes, full.settings.least_visits) == (3, 2, 27_777, 6)
    assert np.isclose(make_policy("uct:64,leaves=8", GAME).action_probabilities(Board(GAME)).sum(), 1.0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct:100,leaves=0", "expected 1 to 1024"),
        ("uct:100,leaves=64,leaf_playouts=2000", "expected 1 to 1024"),
        ("uct:100,leaves=4,rave=3", "leaves= does not go with rave=; expected a search by uct: whose playouts learn nothing"),
        ("uct:100,leaves=4,playout=mast", "leaves= does not go with playout="),
        ("uct:100,leaves=4,cutoff_range=0.5", "leaves= does not go with cutoff_range="),
        ("uct:100,leaves=4,stability=0.5", "leaves= does not go with stability="),
        ("uct:100,leaves=4,decisive=1", "leaves= does not go with decisive="),
        ("uct:100,leaves=4,prior=network(random)", "leaves= does not go with prior=network"),
        ("uct:100,leaves=4,leaf=heuristic,leaf_playouts=3", "leaf_playouts= has no effect beside leaf=heuristic"),
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
