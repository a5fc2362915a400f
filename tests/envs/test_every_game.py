"""What every game and its variants must pass as an environment: upstream's checkers, and play that follows the board."""

import copy
import pickle
import random
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import boardgym
from boardgym import Board
from boardgym.envs import render_modes
from tests.envs.test_aec import UPSTREAM_WARNINGS
from tests.variants import TYPICAL, every_environment, every_game


class ByPly:
    """Plays in plain Python: the compiled players are the same for all games, and compiled for each of them anew."""

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        return board.legal_actions[7 * board.ply % len(board.legal_actions)]


@every_environment
def test_pettingzoo(case):
    game, options = case
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in UPSTREAM_WARNINGS:
            warnings.filterwarnings("ignore", message=text)
        api_test(boardgym.make(game, **options), num_cycles=60)
    seed_test(lambda: boardgym.make(game, setup="random:0-1", **options), num_cycles=60)


@every_environment
def test_gymnasium(case):
    game, options = case
    opponent = "greedy" if game in TYPICAL and not options else ByPly()
    env = gym.make(f"boardgym/{game}", opponent=opponent, seat="random", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


@every_game
def test_rendering(game, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(render_modes, "RENDER_FPS", 10_000)  # nobody watches
    render_test(lambda render_mode: boardgym.make(game, render_mode=render_mode))


@every_game
def test_stable_baselines3(game):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for words in ("It seems that your observation", "The minimal resolution for an image"):  # a board is no image
            warnings.filterwarnings("ignore", message=words)
        checker.check_env(gym.make(f"boardgym/{game}").unwrapped)


def choices(env, seed, plies):
    """Plays seeded random actions; yields what the agents see."""
    rng = random.Random(seed)
    for agent in env.agent_iter(plies):
        observation, reward, terminated, _, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        action = None if terminated else int(rng.choice(legal))
        yield agent, observation["observation"].tobytes(), legal.tolist(), reward, terminated, info, action
        env.step(action)


@every_environment
def test_agents_see_what_the_board_says(case):
    """Over several games: views, masks, what is paid and what is said at the end. The board rolls no dice of its own."""
    game, options = case
    env = boardgym.make(game, **options)
    for number in range(3):
        env.reset(seed=number)
        paid = np.zeros(env.game.num_seats)
        for agent, planes, legal, reward, terminated, info, _ in choices(env, number, 3000):
            board, seat = env.board, env.possible_agents.index(agent)
            assert planes == board.observation(seat).tobytes()
            assert terminated is board.is_terminal
            assert legal == board.legal_actions
            assert env.observation_space(agent)["observation"].contains(board.observation(seat))
            paid[seat] += reward
            if not terminated:
                assert seat == board.to_play
                for other in set(range(env.game.num_seats)) - {seat}:
                    assert not board.look(other)[1].any()
            else:
                assert info["reason"] == board.reason != 0
                best = max(board.returns())
                is_draw = board.returns().count(best) > 1
                assert info["outcome"] == (0 if is_draw else 1 if board.returns()[seat] == best else -1)
        assert env.agents == []
        assert paid.tolist() == pytest.approx(env.board.returns())
        again = Board(env.game, auto_roll=False)
        again.play(env.board.moves())
        assert again == env.board


@every_environment
def test_copies_go_on_alike(case):
    game, options = case
    opponent = "random" if game in TYPICAL and not options else ByPly()
    env = gym.make(f"boardgym/{game}", opponent=opponent, seat="random", **options).unwrapped
    _, info = env.reset(seed=5)
    for _ in range(3):
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        action = int(np.flatnonzero(info["action_mask"])[-1])
        observation, reward, terminated, _, info = env.step(action)
        for twin in twins:
            seen = twin.step(action)
            assert seen[0].tobytes() == observation.tobytes()
            assert (seen[1], seen[2]) == (reward, terminated)
        if terminated:
            break
