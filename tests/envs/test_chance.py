"""Environments of a game of chance: they roll within, and single and native ones play the same games."""

import copy
import pickle

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from boardgym import BoardGameEnv, SingleAgentEnv
from boardgym.core import game as registry
from boardgym.envs.vector import VectorEnv
from boardgym.testing.dice import DICE


def test_aec_environments_roll_within():
    env = BoardGameEnv(DICE)
    api_test(env, num_cycles=200)
    seed_test(lambda: BoardGameEnv(DICE), num_cycles=100)
    env.reset(seed=3)
    while not env.terminations[env.agent_selection]:
        observation, _, _, _, _ = env.last()
        assert observation["action_mask"].any()
        assert observation["observation"][0, 0, 2] > 0  # the die has been rolled
        env.step(int(observation["action_mask"].argmax()))
    assert sorted(env.rewards.values()) in ([-2.0, 2.0], [-1.0, 1.0])


def episode(env, seed, **options):
    seen = []
    _, info = env.reset(seed=seed, **options)
    is_over = False
    while not is_over:
        observation, reward, is_over, _, info = env.step(int(info["action_mask"].argmax()))
        seen.append((observation.tobytes(), reward))
    return seen


def test_single_agent_environments_roll_within(monkeypatch):
    monkeypatch.setattr(registry, "GAMES", {**registry.GAMES, DICE.name: DICE})  # for the deep copy
    env = SingleAgentEnv(DICE, opponent="greedy", seat="random")
    check_env(env, skip_render_check=True)
    assert episode(env, 5) == episode(env, 5)
    assert len({tuple(episode(env, seed)) for seed in range(20)}) > 10
    env.reset(seed=9)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(3):
        env.step(0)
        for twin in twins:
            twin.step(0)
            assert env.board == twin.board
    env.reset(options={"position": "3 2 1 0"}, seed=1)  # the die is rolled by the environment
    assert env.board.history[0].die == 0


@pytest.mark.parametrize("setup", ["standard", "random:1-2"])
@pytest.mark.parametrize("opponent", ["random", "greedy", "mix(0.5*greedy, 0.5*uct:20)"])
def test_native_boards_play_the_games_of_single_environments(opponent, setup):
    n, seed = 6, 21
    settings = {"opponent": opponent, "seat": "random", "setup": setup}
    native, singles = VectorEnv(DICE, n, **settings), [SingleAgentEnv(DICE, **settings) for _ in range(n)]
    observations, infos = native.reset(seed=seed)
    states = [env.reset(seed=seed + i) for i, env in enumerate(singles)]
    rng, ended = np.random.default_rng(0), np.zeros(n, bool)
    for _ in range(30):
        assert np.array_equal(observations, np.stack([state[0] for state in states]))
        assert np.array_equal(infos["action_mask"], np.stack([state[-1]["action_mask"] for state in states]))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, terminated, _, infos = native.step(actions)
        for i, env in enumerate(singles):
            if ended[i]:
                states[i] = env.reset()
                assert rewards[i] == 0.0
            else:
                states[i] = env.step(actions[i])
                assert rewards[i] == states[i][1]
                assert terminated[i] == states[i][2]
        ended = terminated
