"""The bandit: its draws, its model, and the learning curves of the sample-average agent with softmax choice."""

import gymnasium as gym
import numpy as np
import pytest
from scipy import stats

from boardgym import OptionError
from boardgym.solo import Bandit, draw_rewards, draw_tasks

NUM_TASKS, PLAYS, LAST = 2000, 500, 50
REFERENCE = {  # (n, temperature): mean reward and share of the optimal arm in the last 50 of 500 plays, two digits
    (10, 0.01): (1.04, 0.34), (10, 0.1): (1.27, 0.55), (10, 0.4): (1.33, 0.63), (10, 1.0): (0.81, 0.33),
    (2, 0.4): (0.51, 0.87), (5, 0.4): (1.02, 0.72), (100, 0.4): (1.82, 0.30),
}  # fmt: skip


def softmax_agents(n, temperature, seed):
    """One agent a task, sample averages from 0. Returns each one's mean reward and share of optimal plays at the end."""
    rng = np.random.default_rng(seed)
    values = draw_tasks(rng, NUM_TASKS, n)
    best, tasks = values.argmax(axis=1), np.arange(NUM_TASKS)
    estimates, counts = np.zeros((NUM_TASKS, n)), np.zeros((NUM_TASKS, n))
    rewards, optimal = np.zeros(NUM_TASKS), np.zeros(NUM_TASKS)
    for play in range(PLAYS):
        weights = np.exp((estimates - estimates.max(axis=1, keepdims=True)) / temperature).cumsum(axis=1)
        marks = rng.random((NUM_TASKS, 1)) * weights[:, -1:]
        arms = (weights <= marks).sum(axis=1)
        paid = draw_rewards(rng, values[tasks, arms])
        counts[tasks, arms] += 1
        estimates[tasks, arms] += (paid - estimates[tasks, arms]) / counts[tasks, arms]
        if play >= PLAYS - LAST:
            rewards += paid / LAST
            optimal += (arms == best) / LAST
    return rewards, optimal


@pytest.fixture(scope="module")
def curves():
    return {setting: softmax_agents(*setting, seed=number) for number, setting in enumerate(REFERENCE)}


@pytest.mark.parametrize("setting", REFERENCE)
def test_softmax_agents_reach_the_reference(curves, setting):
    for measured, printed in zip(curves[setting], REFERENCE[setting], strict=True):
        error = measured.std(ddof=1) / np.sqrt(NUM_TASKS)
        # the reference comes from as many tasks, and is rounded
        assert abs(measured.mean() - printed) < 3.3 * np.sqrt(2) * error + 0.005


def test_findings(curves):
    reward, share = ({key: curve[i].mean() for key, curve in curves.items()} for i in (0, 1))
    assert max((0.01, 0.1, 0.4, 1.0), key=lambda temperature: reward[10, temperature]) == 0.4
    assert min((0.01, 0.1, 0.4, 1.0), key=lambda temperature: reward[10, temperature]) == 1.0
    assert reward[2, 0.4] < reward[5, 0.4] < reward[10, 0.4] < reward[100, 0.4]
    assert share[2, 0.4] > share[5, 0.4] > share[10, 0.4] > share[100, 0.4]


def test_tasks_are_standard_normal():
    env = gym.make("boardgym/Bandit-v0", n=100).unwrapped
    env.reset(seed=1)
    values = []
    for _ in range(50):
        env.reset()
        values.extend(env.action_values)
    assert stats.kstest(values, "norm").pvalue > 0.001
    assert stats.kstest(draw_tasks(np.random.default_rng(1), 500, 10).ravel(), "norm").pvalue > 0.001
    same = draw_tasks(np.random.default_rng(5), 1, 100)[0]  # the environment draws by this very function
    env.reset(seed=5)
    env.np_random.bit_generator.state = np.random.default_rng(5).bit_generator.state
    env.reset()
    assert env.action_values.tolist() == same.tolist()


def test_rewards_follow_the_model():
    env = gym.make("boardgym/Bandit-v0", n=5, plays=20_000).unwrapped
    _, info = env.reset(seed=3)
    model, paid = env.transitions(), [[] for _ in range(5)]
    for play in range(20_000):
        assert (env._is_running, info["play"]) == (True, play)
        _, reward, terminated, truncated, info = env.step(play % 5)
        assert (terminated, truncated) == (False, play == 19_999)
        assert info["is_optimal"] == (play % 5 == info["optimal_action"])
        paid[play % 5].append(reward)
    assert model == env.P
    means = [model[0][arm][0].reward for arm in range(5)]
    assert means == env.action_values.tolist()
    assert info["optimal_action"] == int(np.argmax(means))
    for arm in range(5):
        assert model[0][arm] == [(1.0, 0, means[arm], False)]
        assert stats.kstest(np.array(paid[arm]) - means[arm], "norm").pvalue > 0.001


def test_episodes_are_new_tasks_of_500_plays():
    env = gym.make("boardgym/Bandit-v0")
    assert (env.action_space.n, env.observation_space.n) == (10, 1)
    tasks = set()
    for _ in range(3):
        observation, info = env.reset()
        assert (observation, info["play"]) == (0, 0)
        tasks.add(tuple(env.unwrapped.action_values))
        plays, truncated = 0, False
        while not truncated:
            observation, _, terminated, truncated, info = env.step(0)
            plays += 1
            assert (observation, terminated, info["play"]) == (0, False, plays)
        assert plays == 500
    assert len(tasks) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n": 1}, "n=1: expected a whole number, 2 or more"),
        ({"n": "10"}, "n='10': expected a whole number, 2 or more"),
        ({"plays": 0}, "plays=0: expected a whole number, 1 or more"),
        ({"render_mode": "human"}, "no render mode 'human'"),
    ],
)
def test_bad_arguments(arguments, words):
    with pytest.raises(OptionError) as caught:
        Bandit(**arguments)
    assert words in str(caught.value)


def test_no_reset_options():
    with pytest.raises(OptionError, match="reset options: Bandit has none"):
        Bandit().reset(options={"start": 0})


def test_text_and_picture():
    env = gym.make("boardgym/Bandit-v0", n=3, render_mode="ansi").unwrapped
    _, info = env.reset(seed=2)
    paid = [env.step(1)[1] for _ in range(2)]
    lines = env.render().split("\n")
    assert lines[0].split() == ["arm", "plays", "mean", "value"]
    values = [f"{value:.2f}" for value in env.action_values]
    shown = [line.rstrip(" *").split() for line in lines[1:]]
    assert shown[1] == ["1", "2", f"{np.mean(paid):.2f}", values[1]]
    assert shown[0] == ["0", "0", "-", values[0]]
    assert [line.endswith("*") for line in lines[1:]].index(True) == info["optimal_action"]
    env = gym.make("boardgym/Bandit-v0", n=100, render_mode="rgb_array").unwrapped
    env.reset(seed=2)
    before = env.render()
    assert (before.dtype, before.shape[2]) == (np.uint8, 3)
    for arm in range(100):
        env.step(arm)
    assert env.render().shape == before.shape
    assert (env.render() != before).any()
