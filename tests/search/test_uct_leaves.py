"""Leaf-parallel UCT: against a search over boards written once more, proofs, batches, what specs may say."""

import copy
import pickle
import threading

import numpy as np
import pytest
from search_games import plain_minimax, random_boards
from slow_leaf_search import assert_written_once_more

import boardgym
from boardgym.baselines.search import uct_leaves
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy

GAME = get_game("TicTacToe-v0")


@pytest.mark.parametrize("games", [1, 5])
def test_it_is_the_search_that_is_written_once_more(games):
    for k, board in enumerate(random_boards(GAME, 4, (0, 5), seed=7)):
        assert_written_once_more(GAME, board, games, 150, k)


def test_its_proofs_are_true_and_its_choice_is_the_best_then():
    memo, proven = {}, 0
    for board in random_boards(GAME, 80, (2, 7), seed=1):
        found = make_policy("uct:1500,leaf_playouts=4", GAME).analyse(board)
        if found.is_proven:
            proven += 1
            assert found.value == plain_minimax(board, 9, memo)
            assert found.action_values[found.action] == found.value
    assert proven > 40


def test_it_blocks_and_wins_where_it_must():
    policy = make_policy("uct:60,leaf_playouts=16", GAME, seed=1)
    block, win = Board(GAME), Board(GAME)
    for action in (0, 4, 1):
        block.push(action)
    for action in (0, 4, 1, 3):
        win.push(action)
    assert policy.act(block) == 2
    assert policy.act(win) == 2
    assert policy.analyse(win).is_proven


def test_what_a_board_gets_does_not_depend_on_those_beside_it():
    name, spec = "ConnectFour-v0", "uct:40,leaf_playouts=3"
    boards = boardgym.BatchBoard(name, 9, seed=3, setup="random:0-25")
    rngs = boards._rows.rngs.copy()
    alone, policy = [], make_policy(spec, name)
    for i in range(9):
        alone.append(policy.act_with(boards.board(i), rngs[i : i + 1]))
    small = make_policy(spec, name)
    small._most = 4  # trees at once
    for other in (spec, small):
        copied = boards.copy()
        assert copied.act(other).tolist() == alone
        np.testing.assert_array_equal(copied._rows.rngs, rngs)
    before = boards._rows.rngs.copy()
    first = boards.act(spec, deterministic=True)
    np.testing.assert_array_equal(boards.act(spec, deterministic=True), first)
    np.testing.assert_array_equal(boards._rows.rngs, before)
    assert first.tolist() == [policy.act(boards.board(i), deterministic=True) for i in range(9)]


def test_a_forced_move_needs_no_search():
    board = Board(GAME)
    for action in (0, 1, 2, 4, 3, 5, 7, 6):
        board.push(action)
    policy = make_policy("uct:10,leaf_playouts=2", GAME, seed=1)
    before = policy.rng.copy()
    assert policy.act(board) == 8
    assert policy.rng == before
    assert policy.analyse(board).visit_counts == {8: 2}


def test_copies_and_pickles_go_on_with_the_same_draws():
    policy, board = make_policy("uct:30,leaf_playouts=2", GAME, seed=5), Board(GAME)
    policy.act(board)
    others = [copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))]
    wanted = [policy.act(board) for _ in range(6)]
    assert [[other.act(board) for _ in range(6)] for other in others] == [wanted, wanted]
    assert len(set(wanted)) > 1


def test_another_thread_ends_it():
    policy, board = make_policy("uct:1000000,leaf_playouts=2", "ConnectFour-v0", seed=5), Board("ConnectFour-v0")
    timer = threading.Timer(0.2, policy.interrupt)
    timer.start()
    found = policy.analyse(board)
    timer.join()
    assert 1 <= found.nodes < 1_000_000
    assert sum(found.visit_counts.values()) == 2 * found.nodes


def test_many_boards_are_searched_in_groups_whose_end_is_one(monkeypatch):
    """Groups of two, of a policy that has searched one board before; the playouts of one leaf at a time. Ctrl-C ends all."""
    boards = boardgym.BatchBoard(GAME, 5, seed=3, setup="random:0-3")
    one, policy = (make_policy("uct:30,leaf_playouts=4", GAME, seed=1) for _ in range(2))
    expected = [one.act(boards.board(i), deterministic=True) for i in range(5)]
    policy.act(boards.board(0))
    policy._most = 2
    monkeypatch.setattr(uct_leaves, "MOST_AT_ONCE", 5)
    assert boards.act(policy, deterministic=True).tolist() == expected
    launches, play = [], policy._player.play

    def interrupted(leaves, *rest):
        launches.append(len(leaves))
        policy.interrupt()
        return play(leaves, *rest)

    monkeypatch.setattr(policy._player, "play", interrupted)
    boards.act(policy)
    assert launches == [1] * 5


@pytest.mark.parametrize("spec", ["uct:99,leaf_playouts=32", "uct:999,nodes=50,device=cpu", "puct:5,leaf=playout,device=cpu"])
def test_all_trees_together_take_what_is_said(spec):
    policy = make_policy(spec, "ConnectFour-v0")
    each = sum(column.nbytes for column in policy._trees_for(1) if column is not None)
    assert uct_leaves.MOST_BYTES - each < policy._most * each <= uct_leaves.MOST_BYTES


def test_what_specs_say():
    assert make_policy("uct:100000000,nodes=1000,device=cpu", GAME).games == 20  # for 2,000,000,000 visits
    usual = make_policy("uct:50,device=cpu", GAME, seed=1)
    assert (usual.games, usual.device) == (32, "cpu")
    assert type(usual) is type(make_policy("uct:50,leaf_playouts=32", GAME))
    assert (
        usual.analyse(Board(GAME)).visit_counts
        == make_policy("uct:50,leaf_playouts=32", GAME).analyse(Board(GAME)).visit_counts
    )
    assert make_policy("puct:50,leaf=playout,leaf_playouts=4", "Othello-v0").settings.prior == 1
    assert repr(usual) == "<uct:50,device=cpu for TicTacToe-v0>"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct:100,leaf_playouts=0", "expected 1 to 65536"),
        ("uct:1000000,leaf_playouts=9999", "expected 1 to 2000"),
        ("uct:100,device=gpu", "did you mean 'cpu'"),
        (
            "uct:100,device=cpu,rave=3",
            "device= does not go with rave=; expected a number of simulations whose playouts are uniform",
        ),
        ("uct:100,leaf_playouts=2,threads=2", "leaf_playouts= does not go with threads="),
        ("uct:100,leaf_playouts=2,playout=mast", "leaf_playouts= does not go with playout="),
        ("uct:100,leaf_playouts=2,leaf=mix", "leaf_playouts= does not go with leaf=mix"),
        ("uct:0.5s,leaf_playouts=2", "leaf_playouts= does not go with the time '0.5s'"),
        ("puct:100,leaf_playouts=2", "leaf_playouts= goes with leaf=playout or leaf=mix"),
    ],
)
def test_what_does_not_go_together_is_refused(spec, message):
    with pytest.raises(SpecError) as caught:
        make_policy(spec, "Othello-v0")
    assert message in str(caught.value)
    assert repr(spec) in str(caught.value)


def test_without_a_card_it_says_so(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(
        SpecError, match=r"'uct:100,device=cuda': device='cuda': (the package numba-cuda is missing|no CUDA card)"
    ):
        make_policy("uct:100,device=cuda", GAME)
