"""UCT: proven values, strength where the value is known, bounds of the tree, draws."""

from typing import NamedTuple

import numpy as np
import pytest
from search_games import SHUTTLE, TWICE, Twice, analyse, as_written, board_at, plain_minimax, random_boards, small_game

from boardgym.baselines.search.uct import UCT
from boardgym.baselines.search.uct_policies import UCTPolicy
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import rule

GAMES = ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"]


def lost_positions(policy, board, seat, seen):
    """Counts ends lost by `seat`, played by the policy, over all replies; each position is asked for once."""
    if board.is_terminal:
        return int(board.returns()[seat] < 0)
    if board.position in seen:
        return 0
    seen.add(board.position)
    lost = 0
    for action in [policy.act(board)] if board.to_play == seat else board.legal_actions:
        board.push(action)
        lost += lost_positions(policy, board, seat, seen)
        board.pop()
    return lost


@pytest.mark.parametrize("seat", [0, 1])
def test_never_loses_tic_tac_toe(seat):
    policy = make_policy("uct:20000", "TicTacToe-v0", seed=1)
    assert lost_positions(policy, Board("TicTacToe-v0"), seat, set()) == 0


def test_proofs_are_true_everywhere_in_tic_tac_toe():
    memo = {}
    for board in random_boards(get_game("TicTacToe-v0"), 150, (2, 8), seed=1):
        found = analyse("uct:3000", board)
        if found.is_proven:
            assert found.value == plain_minimax(board, 9, memo)
    for board in random_boards(get_game("TicTacToe-v0"), 60, (4, 8), seed=2):
        found = analyse("uct:20000", board)
        assert found.is_proven
        assert found.value == plain_minimax(board, 9, memo)
        assert found.nodes < 20000  # what is proven needs no more simulations


@pytest.mark.parametrize(("name", "plies"), [("ConnectFour-v0", (28, 38)), ("Othello-v0", (54, 58))])
def test_proofs_are_true_late_in_a_game(name, plies):
    game, memo, proven = get_game(name), {}, 0
    for board in random_boards(game, 30, plies, seed=3):
        found = analyse("uct:20000", board)
        if found.is_proven:
            proven += 1
            assert found.value == plain_minimax(board, 30, memo)
    assert proven >= 20


@pytest.mark.plain
def test_a_seat_may_play_twice_running_and_returns_are_scaled():
    memo = {}
    for pile in range(1, 11):
        for ply in range(4):
            board = board_at(TWICE, Twice(pile, ply))
            found = analyse("uct:20000", board)
            assert found.is_proven
            assert found.value == plain_minimax(board, 20, memo) / 2.0


def test_takes_a_proven_win_and_avoids_a_proven_loss():
    board = Board("ConnectFour-v0", "7/7/7/7/ooo4/xxx4 x")
    found = analyse("uct:500", board)
    assert (found.action, found.value, found.is_proven) == (3, 1.0, True)
    assert found.nodes < 500
    board = Board("ConnectFour-v0", "7/7/7/7/7/xxx1oo1 o")  # only column 4 does not lose at once
    found = analyse("uct:500", board)
    assert found.action == 3
    assert not found.is_proven
    lost = [action for action, value in found.action_values.items() if value == -1.0]
    assert lost == [0, 1, 2, 4, 5, 6]
    assert all(found.visit_counts[action] < 30 for action in lost)


@pytest.mark.plain
def test_repetition_ends_a_line():
    board = Board(SHUTTLE, "1 0", compiled=False)
    found = analyse("uct:500", board)
    assert found.action == 1
    for _ in range(3):
        board.push(2)
    assert board.to_play == 1
    assert make_policy("uct:200", SHUTTLE, seed=1).act(board) == 0  # wins at once


def test_deterministic_play_needs_no_seed():
    for name in GAMES:
        board = random_boards(get_game(name), 1, (3, 5), seed=4)[0]
        policies = [make_policy("uct:300", board.game, seed=seed) for seed in (1, 2, 3)]
        before = [policy.rng.copy() for policy in policies]
        assert len({policy.act(board, deterministic=True) for policy in policies}) == 1
        assert all(np.array_equal(a, policy.rng) for a, policy in zip(before, policies, strict=True))


def test_same_seed_same_play_and_other_seeds_other_play():
    board = Board("Othello-v0")

    def choices(seed):
        policy = make_policy("uct:20", board.game, seed=seed)
        return [policy.act(board) for _ in range(12)]

    assert choices(1) == choices(1)
    assert len({tuple(choices(seed)) for seed in range(6)}) > 1
    policy = make_policy("uct:20", board.game, seed=5)
    first = [policy.act(board) for _ in range(12)]
    policy.reset(seed=5)
    assert [policy.act(board) for _ in range(12)] == first


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("nodes", [1, 9, 70, 500])
def test_the_tree_stays_within_its_room(name, nodes):
    for board in random_boards(get_game(name), 3, (0, 4), seed=nodes):
        found = analyse(f"uct:2000,nodes={nodes}", board)
        assert found.action in board.legal_actions
        assert sum(found.visit_counts.values()) == found.nodes <= 2000


@pytest.mark.parametrize("simulations", [1, 2, 3, 50])
@pytest.mark.parametrize("name", GAMES)
def test_few_simulations(name, simulations):
    board = Board(name)
    policy = make_policy(f"uct:{simulations}", name, seed=1)
    for _ in range(5):
        assert policy.act(board) in board.legal_actions
    found = policy.analyse(board)
    assert found.nodes == simulations
    assert sum(found.visit_counts.values()) == simulations
    assert set(found.visit_counts) == set(board.legal_actions)


def test_analysis_agrees_with_itself():
    board = Board("ConnectFour-v0")
    policy = make_policy("uct:5000", board.game, seed=1)
    found, shares = policy.analyse(board), policy.action_probabilities(board)
    assert shares.shape == (7,)
    assert shares.sum() == pytest.approx(1.0)
    assert np.array_equal(np.round(shares * 5000), [found.visit_counts[a] for a in range(7)])
    assert found.action == shares.argmax() == 3
    assert found.value == found.action_values[3] == policy.evaluate(board)
    line = board.copy()
    for action in found.principal_variation:
        line.push(action)
    assert len(found.principal_variation) >= 3
    assert 3 <= found.depth <= 42


def test_exploration_constant():
    board = Board("ConnectFour-v0")
    spread = [max(analyse(f"uct:2000,c={c}", board).visit_counts.values()) for c in (0.1, 1.0, 20.0)]
    assert spread[0] > spread[1] > spread[2]
    assert spread[2] < 2000 / 7 * 1.5


def test_formula_by_hand():
    """One level, all children known: the next visit goes to the best mean + c sqrt(2 ln V / v)."""
    game = small_game("TestBandit", Bandit, Bandit(0))
    for simulations in (4, 9, 30):
        policy = as_written(UCTPolicy(game, UCT(simulations, 1000, 0.5, 1.0), "by hand", seed=0))
        board = Board(game, compiled=False)
        board.set_position(Bandit(0))
        found = policy.analyse(board)
        visits, values = np.ones(3), np.array([0.5, 0.0, -0.5])
        for total in range(3, simulations):
            visits[np.argmax(values + 0.5 * np.sqrt(2 * np.log(total) / visits))] += 1
        assert [found.visit_counts[a] for a in range(3)] == visits.tolist()
        assert found.action_values == {0: 0.5, 1: 0.0, 2: -0.5}


class Bandit(NamedTuple):
    """One choice of three; then forced plies for longer than the tree grows, so that nothing is proven."""

    state: int


@rule(Bandit)
def to_play(position):
    return 0 if position.state == 0 else 1


@rule(Bandit)
def legal_actions(position, out):
    n = 0
    if position.state == 0:
        n = 3
    elif position.state < 1000:
        n = 1
    for i in range(n):
        out[i] = i
    return n


@rule(Bandit)
def apply(position, action):
    return (position.state + 3 if position.state else 1 + action,)


@rule(Bandit)
def is_terminal(position):
    return position.state >= 1000


@rule(Bandit)
def returns(position, seat):
    value = 0.5 * (1 - (position.state - 1) % 3)
    return value if seat == 0 else -value


@rule(Bandit)
def observe(position, seat, out):
    out[0, 0, 0] = 0


@rule(Bandit)
def decode(planes):
    return (planes[0, 0, 0],)
