"""Games in one kernel against the same games played ply by ply; what stopped games count."""

import math

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.arena.duels import Duels
from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber
from boardgym.baselines.learning.learner import greedy
from boardgym.compile import plain
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, stream, uniform
from tests.support import found_in_plain_python

GAME = get_game("TicTacToe-v0")


def players(*, adds_reward=False):
    """Two linear players."""
    climber = HillClimber(CoevolutionConfig(game=GAME.id, adds_reward=adds_reward))
    rng = np.random.default_rng(3)
    return [climber.player(rng.normal(size=36), epsilon=epsilon) for epsilon in (0.1, 0.3)]


def rated(board, weights, adds_reward):
    """What a linear player finds of each legal action, by the formula: in the order of the weights, as the kernel adds."""
    values, seat = [], board.to_play
    for action in board.legal_actions:
        board.push(action)
        net = 0.0
        for x, w in zip(board.observation(seat).ravel().tolist(), weights.tolist(), strict=True):
            net += x * w
        value = 2.0 / (1.0 + math.exp(-net)) - 1.0
        values.append(board.returns()[seat] if adds_reward and board.is_terminal else value)
        board.pop()
    return values


def played(agents, rng, seat, adds_reward):
    """(score of the first, plies) of a game, by a board."""
    board = Board(GAME)
    while not board.is_terminal:
        agent = agents[0 if board.to_play == seat else 1]
        legal = board.legal_actions
        if uniform(rng) < agent.epsilon:
            board.push(legal[draw(rng, len(legal))])
            continue
        values = np.array(rated(board, 2.0 * agent.net.weights, adds_reward)).round(12)
        board.push(legal[plain(greedy)(values, len(values), rng)])
    return board.returns()[seat], board.ply


@pytest.mark.parametrize("adds_reward", [False, True])
def test_games_are_those_of_a_board(adds_reward):
    agents = players(adds_reward=adds_reward)
    found = Duels(GAME).play(*agents, 40, seed=7, path=(1, 2), seat=1)
    wanted = [played(agents, stream(7, 1, 2, k), 1 - k % 2, adds_reward) for k in range(40)]
    assert list(zip(found.scores.tolist(), found.plies.tolist(), strict=True)) == wanted
    assert len(set(wanted)) > 6
    shared = Duels(GAME, num_threads=2).play(*agents, 40, seed=7, path=(1, 2), seat=1)
    assert [a.tolist() for a in shared] == [a.tolist() for a in found]


def test_stopped_games_are_drawn():
    found = Duels(GAME, max_plies=4).play(*players(), 20, seed=1)
    assert (found.scores.tolist(), found.plies.tolist()) == ([0] * 20, [4] * 20)


def test_a_linear_player_on_a_board():
    agent, board = players()[0], Board(GAME)
    board.push(4)
    values = agent.action_values(board)
    assert list(values) == board.legal_actions
    assert list(values.values()) == pytest.approx(rated(board, 2.0 * agent.net.weights, False), abs=1e-12)


STOPPED = """
import json
from boardgym import Board
from boardgym.baselines.arena.duels import Duels
from boardgym.baselines.players.simple import Random
from boardgym.core.game import get_game
from boardgym.core.policy import CompiledPolicy

found = {}
for rewards in ("material", "outcome"):
    game = get_game("Abalone-v0", rewards=rewards, no_push_limit=0, repetition_limit=0)
    one, other = (CompiledPolicy(game, Random(), "random", seed=0) for _ in range(2))
    games = Duels(game, max_plies=300).play(one, other, 6, seed=3)
    ahead = []
    for k, row in enumerate(games.positions):
        position = game.token.position(row)
        own = position.own_score - position.other_score
        ahead.append(own if position.seat == k % 2 else -own)
    found[rewards] = games.scores.tolist(), games.plies.tolist(), ahead
print(json.dumps(found))
"""


def test_stopped_games_count_by_what_was_paid():
    found = found_in_plain_python(STOPPED)
    scores, plies, ahead = found["material"]
    assert plies == [300] * 6
    assert scores == np.sign(ahead).tolist()
    assert len(set(scores)) > 1
    assert found["outcome"][0] == [0] * 6


def test_who_cannot_play():
    one, other = players()
    for policy in (make_policy("uct:0.01s", GAME), object()):
        with pytest.raises(UnsupportedGameError, match="expected a compiled policy without a clock"):
            Duels(GAME).play(one, policy, 2, seed=1)
    with pytest.raises(UnsupportedGameError, match="was asked to play ConnectFour-v0"):
        Duels(get_game("ConnectFour-v0")).play(one, other, 2, seed=1)
    with pytest.raises(OptionError, match="every draw of its random plies ends the game"):
        Duels(GAME, setup="random:9").play(one, other, 2, seed=1)
