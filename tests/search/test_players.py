"""Random and greedy: what they must do, and how strong they are."""

import numpy as np
import pytest
from search_games import random_boards

from boardgym.baselines.arena.match import play_match
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.core.shuttle import SHUTTLE


def winning_actions(board):
    """The actions that end the game at once with a win."""
    won, seat = [], board.to_play
    for action in board.legal_actions:
        board.push(action)
        if board.is_terminal and board.returns()[seat] > 0:
            won.append(action)
        board.pop()
    return won


def score_rate(match):
    return sum(game.score for game in match.games) / len(match.games)


def test_random_is_uniform_and_seeded():
    board = Board("TicTacToe-v0", "xo1/1x1/1o1 x")
    policy = make_policy("random", board.game, seed=3)
    draws = [policy.act(board) for _ in range(5000)]
    counts = np.bincount(draws, minlength=9)
    assert set(draws) == set(board.legal_actions)
    expected = 5000 / len(board.legal_actions)
    assert (np.abs(counts[board.legal_actions] - expected) < 5 * np.sqrt(expected)).all()
    policy.reset(seed=3)
    assert [policy.act(board) for _ in range(50)] == draws[:50]
    assert policy.act(board, deterministic=True) == board.legal_actions[0]


@pytest.mark.parametrize("name", ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"])
def test_greedy_takes_every_immediate_win(name):
    plies = {"TicTacToe-v0": (4, 8), "ConnectFour-v0": (8, 36), "Othello-v0": (56, 60)}[name]
    policy, seen = make_policy("greedy", name, seed=1), 0
    for board in random_boards(get_game(name), 400, plies, seed=1):
        won = winning_actions(board)
        if won:
            seen += 1
            assert policy.act(board) in won
            assert policy.act(board, deterministic=True) in won
    assert seen >= 30


@pytest.mark.parametrize(("name", "least"), [("ConnectFour-v0", 0.95), ("Othello-v0", 0.85)])
def test_greedy_beats_random(name, least):
    match = play_match("greedy", "random", name, games=400, openings="heldout", seed=1)
    assert sum(game.score == 1.0 for game in match.games) >= least * 400


def test_greedy_holds_its_own_against_uct_100():
    match = play_match("greedy", "uct:100", "ConnectFour-v0", games=400, openings="heldout", seed=1)
    assert score_rate(match) >= 0.4


def test_greedy_without_a_heuristic_sees_wins_and_losses_alone():
    """From cell 2 of 3 a step up wins; from cell 1 neither action does, and both are played."""
    greedy = make_policy("greedy", SHUTTLE, seed=1)
    assert {greedy.act(Board(SHUTTLE, "2 1 0 6")) for _ in range(20)} == {1}
    assert {greedy.act(Board(SHUTTLE)) for _ in range(20)} == {0, 1}


def test_slip_strays_to_moves_that_do_not_lose_at_once():
    """x threatens to complete the lower row: of o's six moves only c1 does not lose at once."""
    board = Board("TicTacToe-v0", "3/1o1/xx1 o")
    slip = make_policy("slip:1(greedy)", "TicTacToe-v0", seed=1)
    assert {board.move_text(slip.act(board)) for _ in range(20)} == {"c1"}
    free = Board("TicTacToe-v0", "3/1x1/3 o")
    assert {slip.act(free) for _ in range(200)} == set(free.legal_actions)


def test_slip_plays_any_move_where_all_lose_at_once():
    lost = Board("TicTacToe-v0", "x1x/1o1/x1o o")
    slip = make_policy("slip:1(random)", "TicTacToe-v0", seed=1)
    assert {slip.act(lost) for _ in range(100)} == set(lost.legal_actions)


def test_slip_strays_as_often_as_it_says():
    board = Board("ConnectFour-v0")
    policy = make_policy("slip:0.25(minimax:1)", "ConnectFour-v0", seed=3)
    usual = policy.inner.act(board, deterministic=True)
    other = sum(policy.act(board, deterministic=True) != usual for _ in range(2000))
    assert abs(other / 2000 - 0.25 * 6 / 7) < 0.04  # four standard errors


@pytest.mark.parametrize("name", ["Backgammon-v0", "NineMensMorris-v0", "CardPoints-v0", "Abalone-v0"])
def test_slip_plays_games_of_every_kind_to_their_end(name):
    """Dice, several actions of one seat in a row, hidden deals, many replies: boards are left as they were."""
    board, slip = Board(name, seed=5), make_policy("slip:1(random)", name, seed=1)
    for _ in range(12):
        before = board.fen()
        action = slip.act(board)
        assert board.fen() == before
        board.push(action)
        if board.is_terminal:
            break


@pytest.mark.parametrize("spec", ["random:3", "greedy:2", "random,x=1", "greedy(random)"])
def test_plain_players_take_no_settings(spec):
    with pytest.raises(SpecError):
        make_policy(spec, "TicTacToe-v0")


def test_strength_grows_with_the_budget():
    for strong, weak in (("minimax:4", "greedy"), ("uct:400", "uct:25")):
        match = play_match(strong, weak, "ConnectFour-v0", games=100, openings="heldout", seed=2, deterministic=False)
        assert score_rate(match) > 0.6, (strong, weak)
