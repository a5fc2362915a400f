"""The learners on one-player problems: numbers by hand, what they find, prediction, the bandit, and what is refused."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.spaces import Discrete

from boardgym import OptionError
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.tabular.bandit import softmax_bandit
from boardgym.baselines.learning.tabular.dynamic_programming import evaluate_exactly, model_of, solve
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.q_learning import ON_LOSS, QLearning
from boardgym.baselines.learning.tabular.sarsa import Sarsa
from boardgym.baselines.learning.tabular.solo import SoloLearner, SoloPredictor
from boardgym.baselines.learning.tabular.td import TD
from boardgym.solo import draw_rewards, draw_tasks
from tests.support import found_in_plain_python

WORLD = "boardgym/LakesAndTunnel-v0"


class Told(gym.Env):
    """Goes through the states it is told, one list an episode, whatever is done. The reward comes with the last state.

    State 0 is the end. ends: "terminated" or "truncated". first: the number of the first state and the first action.
    """

    def __init__(self, episodes, reward, *, ends="terminated", states=6, actions=1, first=0):
        self.observation_space, self.action_space = Discrete(states, start=first), Discrete(actions, start=first)
        self.episodes, self.reward, self.ends, self.first = iter(episodes), reward, ends, first

    def reset(self, *, seed=None, options=None):
        self.rest = list(next(self.episodes))
        return self.rest.pop(0) + self.first, {}

    def step(self, action):
        assert self.action_space.contains(int(action))
        state, is_over = self.rest.pop(0), not self.rest
        over = (is_over, False) if self.ends == "terminated" else (False, is_over)
        return state + self.first, self.reward * is_over, *over, {}


A, B, C, D, E = 1, 2, 3, 4, 5
WALKS = [[C, D, C, D, E, 0], [C, B, C, D, E, 0]]  # two random walks over A to E that leave on the right, for a reward of 1


def test_prediction_of_a_random_walk_by_hand():
    """Step size and lambda 1/2, no discount, values from 0, accumulating traces.

    First walk: nothing is found out before the last step, with error 1 and traces E 1, D 1/2 + 1/8, C 1/4 + 1/16, so that
        E = 1/2, D = 5/16, C = 5/32.
    Second walk: C to B, error 0 - 5/32: C = 5/32 - 5/64 = 5/64.
        B to C: error 5/64 (C's new value) - 0: B = 5/128, C = 5/64 + 5/256 = 25/256.
        C to D: error 5/16 - 25/256 = 55/256. Traces: C 1 + 1/4, B 1/2. C = 25/256 + 275/2048 = 475/2048, B = 5/128 + 55/1024.
        D to E: error 1/2 - 5/16 = 3/16. D 1, C 5/8, B 1/4. D = 13/32, C += 15/256, B += 3/128.
        E to the end: error 1/2. E 1, D 1/2, C 5/16, B 1/8. E = 3/4, D += 1/8, C += 5/64, B += 1/32.
    """
    predictor = SoloPredictor(Told(WALKS, 1.0), step_size=0.5, discount=1.0, trace_decay=0.5, seed=1)
    assert predictor.run(1).lengths.tolist() == [5]
    assert predictor.state_values().tolist() == [0, 0, 0, 5 / 32, 5 / 16, 1 / 2]
    done = predictor.run(1)
    assert (done.returns.tolist(), done.lengths.tolist()) == ([1.0], [5])
    b, c = 5 / 128 + 55 / 1024 + 3 / 128 + 1 / 32, 475 / 2048 + 15 / 256 + 5 / 64
    assert predictor.state_values().tolist() == [0, 0, b, c, 13 / 32 + 1 / 8, 3 / 4]


def test_prediction_without_traces_and_with_replacing_ones():
    plain = SoloPredictor(Told(WALKS, 1.0), step_size=0.5, discount=1.0, seed=1)
    plain.run(2)  # the first walk finds E = 1/2; the second D = 1/4, E = 3/4
    assert plain.state_values().tolist() == [0, 0, 0, 0, 1 / 4, 3 / 4]
    replacing = SoloPredictor(Told(WALKS, 1.0), step_size=0.5, discount=1.0, trace_decay=0.5, replaces=True, seed=1)
    replacing.run(1)  # traces E 1, D 1/2, C 1/4: the older ones were replaced
    assert replacing.state_values().tolist() == [0, 0, 0, 1 / 8, 1 / 4, 1 / 2]


def test_prediction_finds_the_values_of_a_policy():
    """Of going east or south at random in a world of 4 x 4 cells; means over many episodes."""
    env = gym.make("boardgym/PolicyEvaluationGrid-v0", max_episode_steps=500)
    policy = np.tile([0.0, 0.5, 0.5, 0.0], (16, 1))
    predictor = SoloPredictor(env, policy, step_size="harmonic(0.2, 300)", discount=0.9, trace_decay=0.5, seed=3)
    predictor.run(3000)
    exact = evaluate_exactly(model_of(env), policy, discount=0.9).values
    assert np.abs(predictor.state_values() - exact).max() < 0.5
    assert np.ptp(exact) > 5


def test_q_learning_and_sarsa_by_hand():
    """One action, states C, D, E; step size and discount 1/2; a reward of 8 at the end. An episode finds what others left.

    Episode 1: E = 8/2 = 4. Episode 2: D = 4/2/2 = 1, E = 4 + (8 - 4)/2 = 6.
    Episode 3: C = 1/2/2 = 1/4, D = 1 + (6/2 - 1)/2 = 2, E = 7.
    """
    for learner in (QLearning(), Sarsa()):
        solo = SoloLearner(Told([[C, D, E, 0]] * 3, 8.0), learner, step_size=0.5, discount=0.5, seed=1)
        found = [solo.run(1) and solo.action_values()[:, 0].tolist() for _ in range(3)]
        assert found == [[0, 0, 0, 0, 0, 4], [0, 0, 0, 0, 1, 6], [0, 0, 0, 0.25, 2, 7]]


def test_an_episode_that_is_cut_off_goes_on_in_value():
    """A reward of 8 with every last step, into C, where the next episode begins: C = 8/2 = 4; then 4 + (8 + 4/2 - 4)/2 = 7."""
    for learner in (QLearning(sweep=ON_LOSS), Sarsa()):
        solo = SoloLearner(Told([[C, C]] * 2, 8.0, ends="truncated"), learner, step_size=0.5, discount=0.5, seed=1)
        assert [solo.run(1) and float(solo.action_values()[C, 0]) for _ in range(2)] == [4, 7]


def test_a_lost_episode_is_swept():
    """Rewards are -8, and D has an action that was never tried, of value 0: the maximum hides the loss from C, the minimum not.

    Learning: C = 0, D = -8/2 = -4. Sweep: D = -4 + (-8 + 4)/2 = -6, C = 0 + (-6/2 - 0)/2 = -3/2.
    """
    for sweep, values in ((0, [0, -4]), (ON_LOSS, [-1.5, -6])):
        env = Told([[C, D, 0]], -8.0, actions=2)
        solo = SoloLearner(env, QLearning(sweep=sweep), step_size=0.5, discount=0.5, exploration=1.0, seed=1)
        solo.run(1)
        assert solo.action_values().min(axis=1)[[C, D]].tolist() == values


def test_long_episodes_numbers_from_elsewhere_and_schedules():
    """More steps than a record has at first; states and actions that are numbered from 3; a rate that falls to 0."""
    episodes = [[C, D] * 400 + [0], [E, 0]]
    solo = SoloLearner(Told(episodes, 8.0, first=3, actions=2), step_size="linear(0.5, 0)", discount=1.0, seed=1)
    assert solo.run(2).lengths.tolist() == [800, 1]
    values = solo.action_values()
    assert values[D].max() == 4
    assert values[E].max() == 8 * 0.25  # halfway from 1/2 to 0
    assert set(solo.policy()) <= {3, 4}


def greedy_walk(env, policy, most=100):
    """The states of a walk."""
    walk, is_over = [env.reset()[0]], False
    while not is_over and len(walk) < most:
        state, _, is_over, _, _ = env.step(int(policy[walk[-1]]))
        walk.append(state)
    return walk


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("learner", "rates"), [(QLearning(), {"step_size": 0.5}), (Sarsa(replaces=1), {"step_size": 0.2, "trace_decay": 0.7})]
)
def test_lakes_and_tunnel(learner, rates, seed):
    """Mean lengths fall over 300 episodes as in the dissertation's plot, and the greedy walk takes the tunnel."""
    env = gym.make(WORLD)
    solo = SoloLearner(env, learner, discount=0.9, exploration=0.1, seed=seed, **rates)
    done = solo.run(300)
    assert done.lengths[-50:].mean() < done.lengths[:50].mean() / 5
    walk = greedy_walk(env, solo.policy())
    assert walk[-2] == env.unwrapped.tunnel
    assert walk[-1] == env.unwrapped.goal
    assert len(walk) - 1 <= 24  # 20 is the best


def test_same_seed_same_episodes():
    runs = []
    for pieces in ([40], [25, 15]):
        solo = SoloLearner(gym.make("FrozenLake-v1"), exploration=0.3, seed=5)
        runs.append((np.concatenate([solo.run(n).returns for n in pieces]).tolist(), solo.action_values().tolist()))
    assert runs[0] == runs[1]


def test_frozen_lake_is_learnt():
    """On ice that is slippery; judged by the exact value of the greedy policy."""
    env = gym.make("FrozenLake-v1")
    solo = SoloLearner(env, QLearning(default=0.5), step_size="harmonic(0.5, 200)", discount=0.95, exploration=0.1, seed=1)
    solo.run(1500)
    best = solve(env, discount=0.95).values[0]
    assert evaluate_exactly(model_of(env), solo.policy(), discount=0.95).values[0] > 0.9 * best


MENACE = """
import json
import gymnasium as gym
import boardgym
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.solo import SoloLearner

two = {"first": 2.0, "second": 2.0, "third": 2.0, "later": 2.0, "won": 10.0, "drawn": 0.0}  # to fall pays 0, as a draw
solo = SoloLearner(gym.make("FrozenLake-v1", is_slippery=False), Menace(**two), seed=2)
print(json.dumps(solo.run(250).returns[-50:].mean()))
"""


def test_menace_on_dry_ground():
    """Random walks reach the goal in 1 to 2 of 100 episodes."""
    assert found_in_plain_python(MENACE) > 0.8


REFERENCE = {(10, 0.01): (1.04, 0.34), (10, 0.1): (1.27, 0.55), (10, 0.4): (1.33, 0.63), (10, 1.0): (0.81, 0.33),
             (2, 0.4): (0.51, 0.87), (5, 0.4): (1.02, 0.72)}  # fmt: skip


@pytest.mark.parametrize(("n", "temperature"), REFERENCE)
def test_softmax_bandit(n, temperature):
    """Last 50 of 500 plays: mean reward and share of the best arm, over 2,000 tasks as the reference, which has two digits.

    Both are means of samples: their difference has the standard error of one times the root of 2.
    """
    rng = np.random.default_rng(1)
    done = softmax_bandit(draw_tasks(rng, 2000, n), temperature, plays=500, rng=rng, draw_rewards=draw_rewards)
    for samples, reference in zip((done.rewards, done.is_optimal), REFERENCE[n, temperature], strict=True):
        means = samples[-50:].mean(axis=0)
        assert abs(means.mean() - reference) < 3 * np.sqrt(2 / 2000) * means.std() + 0.005


def test_sample_averages_by_hand():
    """At a temperature next to 0 the best average is played, at first 0 and 0. An arm is told to pay 4, -2 and -4.

    It averages 4, (4 - 2)/2 = 1 and (4 - 2 - 4)/3 = -2/3, so that the other comes after its third play. That one pays -1/2,
    which is still better, and -3/2: it averages -1, and the first comes back.
    """
    paid = iter([4.0, -2.0, -4.0, -0.5, -1.5, 0.0])
    done = softmax_bandit(
        np.array([[1.0, 2.0]]),
        0.001,
        plays=6,
        rng=np.random.default_rng(1),
        draw_rewards=lambda rng, means: np.full(means.shape, next(paid)),
    )
    arms = done.is_optimal[:, 0]
    assert (arms == arms[0]).tolist() == [True, True, True, False, False, True]
    assert done.rewards[:, 0].tolist() == [4.0, -2.0, -4.0, -0.5, -1.5, 0.0]


def test_refusals():
    lake = gym.make("FrozenLake-v1")
    for call, words in (
        (lambda: SoloLearner(gym.make("CartPole-v1")), "observation_space is Box"),
        (lambda: SoloLearner(lake, TD()), "TD values the position after an action"),
        (lambda: SoloLearner(lake, step_size=2), "step_size='2': expected values from 0 to 1"),
        (lambda: SoloLearner(lake, exploration="linear(0.5)"), "exploration='linear"),
        (lambda: SoloLearner(lake).run(-1), "episodes=-1"),
        (lambda: SoloLearner(lake, trace_decay=0.9), "trace_decay=0.9: trace_decay says nothing to QLearning; leave it out"),
        (lambda: SoloLearner(lake, Menace(), step_size="0.5"), "step_size='0.5': step_size says nothing to Menace"),
        (lambda: SoloLearner(Told([], 0.0, states=10**13)), "the values of 10,000,000,000,000 states and 1 actions need"),
        (lambda: SoloPredictor(lake, [1, 2]), "policy: expected an action of each of the 16 states"),
        (lambda: SoloPredictor(lake, np.full((16, 4), 0.5)), "policy"),
        (lambda: softmax_bandit(np.zeros((2, 3)), 0.0, plays=1, rng=None, draw_rewards=None), "temperature=0.0"),
        (lambda: softmax_bandit(np.zeros(3), 1.0, plays=1, rng=None, draw_rewards=None), "tasks"),
    ):
        with pytest.raises(OptionError, match=words):
            call()
    assert SoloLearner(lake, QLearning(way=ln.BOLTZMANN), exploration=5.0).run(0).returns.size == 0  # a temperature
