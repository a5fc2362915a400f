"""Minimax: values against plain minimax, ties, shortest wins, longest losses, repetition, limits."""

import math

import pytest
from search_games import SHUTTLE, TWICE, Twice, analyse, board_at, plain_minimax, random_boards, value_after

from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.minimax import Minimax
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy


def reachable(board, found):
    """All positions below a board that are not over."""
    if not board.is_terminal and board.position not in found:
        found.add(board.position)
        for action in board.legal_actions:
            board.push(action)
            reachable(board, found)
            board.pop()
    return found


def test_tic_tac_toe_is_solved_everywhere():
    game, memo = get_game("TicTacToe-v0"), {}
    positions = sorted(reachable(Board(game), set()))
    assert len(positions) == 4520
    policy = make_policy("minimax:9", game, seed=0)
    for position in positions[::3]:
        board = board_at(game, position)
        found = policy.analyse(board)
        assert found.value == plain_minimax(board, 9, memo)
        assert found.is_proven
        for action, value in found.action_values.items():
            assert value == value_after(board, action, found.depth - 1, memo)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
@pytest.mark.parametrize("name", ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"])
def test_value_of_a_depth_is_that_of_plain_minimax(name, depth):
    game, memo = get_game(name), {}
    if depth == 5 and name != "TicTacToe-v0":
        depth = 4
    for board in random_boards(game, 4, (0, 20 if name != "TicTacToe-v0" else 5), seed=depth):
        assert analyse(f"minimax:{depth}", board).value == plain_minimax(board, depth, memo)


@pytest.mark.parametrize(("name", "plies", "depth", "seed"), [("ConnectFour", (32, 38), 16, 3), ("Othello", (52, 57), 30, 4)])
def test_the_end_of_a_game_is_solved(name, plies, depth, seed):
    memo = {}
    for board in random_boards(get_game(name), 30, plies, seed=seed):
        found = analyse(f"minimax:{depth}", board)
        assert found.value == plain_minimax(board, depth, memo)
        assert found.is_proven


def settings_without_table(game, depth):
    return SearchPolicy(game, Minimax(depth, 0, 0, 1.0), "no table", seed=0)


@pytest.mark.parametrize(("name", "depth"), [("TicTacToe-v0", 7), ("ConnectFour-v0", 7), ("Othello-v0", 6)])
def test_table_changes_neither_value_nor_choice(name, depth):
    game = get_game(name)
    tabled, plain = make_policy(f"minimax:{depth}", game, seed=0), settings_without_table(game, depth)
    assert tabled.settings.table_bits > 0
    saved = 0
    for board in random_boards(game, 12, (0, 4 if name == "TicTacToe-v0" else 24), seed=5):
        a, b = tabled.analyse(board), plain.analyse(board)
        assert (a.value, a.action, a.depth, a.action_values) == (b.value, b.action, b.depth, b.action_values)
        assert tabled.act(board, deterministic=True) == plain.act(board, deterministic=True) == a.action
        saved += b.nodes - a.nodes
    assert saved > 0


def test_a_policy_does_not_remember_earlier_calls():
    game = get_game("ConnectFour-v0")
    policy = make_policy("minimax:7", game, seed=0)
    boards = random_boards(game, 6, (0, 24), seed=6)
    first = [policy.analyse(board) for board in boards]
    again = [policy.analyse(board) for board in reversed(boards)][::-1]
    assert [(a.value, a.action, a.nodes) for a in first] == [(a.value, a.action, a.nodes) for a in again]


def test_never_loses_tic_tac_toe():
    policy = make_policy("minimax:9", "TicTacToe-v0", seed=1)
    for seat in (0, 1):
        assert lost_games(policy, Board("TicTacToe-v0"), seat, {}) == 0


def lost_games(policy, board, seat, memo):
    """Number of lines in which `seat`, played by the policy, loses, over all replies. memo: the replies of the policy."""
    if board.is_terminal:
        return int(board.returns()[seat] < 0)
    if board.to_play == seat:
        if board.position not in memo:
            memo[board.position] = policy.act(board)
        actions = [memo[board.position]]
    else:
        actions = board.legal_actions
    lost = 0
    for action in actions:
        board.push(action)
        lost += lost_games(policy, board, seat, memo)
        board.pop()
    return lost


def test_ties_go_to_the_first_or_to_each():
    board = Board("TicTacToe-v0")
    policy = make_policy("minimax:9", board.game, seed=1)
    assert policy.act(board, deterministic=True) == 0
    chosen = {policy.act(board) for _ in range(200)}
    assert chosen == set(range(9))  # all nine openings are drawn


def test_plays_the_shortest_win_and_resists_longest():
    found = analyse("minimax:8", Board("ConnectFour-v0", "7/7/7/7/ooo4/xxx4 x"))
    assert (found.action, found.value, found.depth, found.is_proven) == (3, 1.0, 1, True)
    found = analyse("minimax:8", Board("ConnectFour-v0", "7/7/7/7/2oo3/2xxx2 o"))  # two open ends
    assert (found.value, found.depth, found.is_proven) == (-1.0, 2, True)


def test_resists_longest_where_it_can_choose():
    # in every lost position the choice is one that an iteration before did not yet call lost
    game = get_game("ConnectFour-v0")
    policy, checked = make_policy("minimax:8", game, seed=0), 0
    for board in random_boards(game, 60, (14, 26), seed=8):
        found = policy.analyse(board)
        if found.value == -1.0 and found.depth > 2:
            child = board.copy()
            child.push(found.action)
            assert analyse(f"minimax:{found.depth - 2}", child).value < 1.0
            checked += 1
    assert checked >= 3


def test_principal_variation_is_legal_and_leads_to_the_value():
    for board in random_boards(get_game("ConnectFour-v0"), 10, (24, 36), seed=9):
        found, line = analyse("minimax:16", board), board.copy()
        assert found.principal_variation[0] == found.action
        for action in found.principal_variation:
            line.push(action)
        assert set(found.action_values) == set(board.legal_actions)
        assert found.value == max(found.action_values.values())


@pytest.mark.plain(boards=True)
def test_a_seat_may_play_twice_running_and_returns_are_scaled():
    memo = {}
    for pile in range(1, 15):
        for ply in range(4):
            board = board_at(TWICE, Twice(pile, ply))
            found = analyse("minimax:20", board)
            assert found.value == plain_minimax(board, 20, memo) / 2.0
            assert abs(found.value) == 1.0


@pytest.mark.plain(boards=True)
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6, 7])
def test_repetition_is_a_draw_on_the_path_and_in_the_record(depth):
    policy = make_policy(f"minimax:{depth}", SHUTTLE, seed=0)
    assert policy.settings.table_bits == 0
    for moves in ([], [2], [2, 2], [2, 2, 2], [1, 0], [1, 0, 1], [2, 0, 2], [0, 1, 2], [0, 1, 0]):
        board = Board(SHUTTLE)
        for action in moves:
            board.push(action)
        assert policy.analyse(board).value == pytest.approx(plain_minimax(board, depth))


@pytest.mark.plain(boards=True)
def test_repetition_decides():
    board = Board(SHUTTLE, "2 1")
    assert analyse("minimax:1", board).action_values == pytest.approx({0: 0.0, 1: -0.4, 2: -0.2})
    board = Board(SHUTTLE, "2 0")
    for _ in range(3):
        board.push(2)
    assert board.position == (2, 1)  # to stay once more is a draw
    found = analyse("minimax:1", board)
    assert found.action_values == pytest.approx({0: 0.0, 1: -0.4, 2: 0.0})
    assert found.depth == 1


@pytest.mark.plain(boards=True)
def test_without_heuristic_the_horizon_is_worth_nothing():
    found = analyse("minimax:2", board_at(TWICE, Twice(14, 0)))
    assert found.value == 0.0
    assert not found.is_proven


@pytest.mark.parametrize("nodes", [1, 7, 100, 5000])
def test_node_limit(nodes):
    board = Board("Othello-v0")
    policy = make_policy(f"minimax:8,nodes={nodes}", board.game, seed=0)
    found = policy.analyse(board)
    assert found.nodes <= nodes + 1 + len(board.legal_actions)
    assert found.action in board.legal_actions
    assert policy.act(board) in board.legal_actions
    assert found.depth < 8


def test_deepening_ends_when_the_game_is_solved():
    board = Board("TicTacToe-v0", "xox/oxo/3 x")
    found = analyse("minimax:60", board)
    assert found.is_proven
    assert found.depth <= 3


def test_to_look_deeper_does_not_change_what_is_solved():
    for board in random_boards(get_game("TicTacToe-v0"), 10, (4, 6), seed=10):
        found = analyse("minimax:9", board)
        assert found.is_proven
        for depth in (found.depth, found.depth + 1, 50):
            deeper = analyse(f"minimax:{depth}", board)
            assert (deeper.value, deeper.action, deeper.is_proven) == (found.value, found.action, True)


def test_no_zero_has_a_minus_sign():
    board = Board("TicTacToe")
    board.play(("b2", "a1"))
    found = make_policy("minimax:4", board.game, seed=0).analyse(board)
    zeros = [value for value in (found.value, *found.action_values.values()) if value == 0.0]
    assert zeros
    assert all(math.copysign(1.0, value) == 1.0 for value in zeros)
