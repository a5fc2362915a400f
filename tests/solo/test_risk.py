"""The two-state risk problem: the closed form against fixed points found by root search, the switch, limits, frequencies."""

from fractions import Fraction
from itertools import product

import gymnasium as gym
import pytest
from scipy import optimize, stats

from boardgym import OptionError
from boardgym.baselines.learning.tabular.dynamic_programming import iterate_values
from boardgym.solo import MOVE, STAY, RiskProblem, critical_rho, is_move_optimal, value_of_move

THETAS, RHOS = (0.01, 0.1, 0.3, 0.5, 0.9, 1.0), (0.0, 0.2, 1.0, 5.0, 80.0)
KAPPAS, GAMMAS = (-0.99, -0.8, -0.3, 0.0, 0.3, 0.8, 0.99), (0.0, 0.5, 0.9, 0.99)


def chi(x, kappa):
    return (1 - kappa) * x if x > 0 else (1 + kappa) * x


def fixed_point(model, action, gamma, kappa):
    """Values (V(0), V(1)) at which the mean of chi(r + gamma V(s') - V(s)) is 0 in both states, one action always taken.

    The mean in a state falls as its own value rises; so does that of state 1 where V(0) follows as the root of state 0.
    """
    bound = 2 * max(abs(t.reward) for t in model[1][action]) / (1 - gamma) + 1

    def mean(state, values):
        return sum(p * chi(r + gamma * values[target] - values[state], kappa) for p, target, r, _ in model[state][action])

    def follow(v1):
        return optimize.brentq(lambda v0: mean(0, (v0, v1)), -2 * bound, 2 * bound, xtol=1e-13 * bound)

    v1 = optimize.brentq(lambda v1: mean(1, (follow(v1), v1)), -bound, bound, xtol=1e-13 * bound)
    return follow(v1), v1


@pytest.mark.parametrize("gamma", GAMMAS)
def test_closed_form_is_the_fixed_point(gamma):
    for theta, rho, kappa in product(THETAS, RHOS, KAPPAS):
        model = RiskProblem(theta, rho).transitions()
        value = value_of_move(gamma, theta, rho, kappa)
        assert value == pytest.approx(fixed_point(model, MOVE, gamma, kappa)[0], abs=1e-8 * (1 + rho) / (1 - gamma))


def test_staying_is_worth_nothing():
    assert fixed_point(RiskProblem(0.3, 2.0).transitions(), STAY, 0.9, 0.5)[0] == pytest.approx(0, abs=1e-9)


def test_move_becomes_optimal_exactly_at_the_critical_loss():
    """In fractions, so that nothing is rounded."""
    tiny = Fraction(1, 10**30)
    for tenth, k in product(range(1, 10), range(-9, 10)):
        theta, kappa = Fraction(tenth, 10), Fraction(k, 10)
        rho = (1 - theta) / theta * (1 - kappa) / (1 + kappa)
        assert critical_rho(theta, kappa) == rho
        for gamma in (Fraction(1, 2), Fraction(99, 100)):
            assert value_of_move(gamma, theta, rho, kappa) == 0
            assert value_of_move(gamma, theta, rho + tiny, kappa) < 0 < value_of_move(gamma, theta, rho - tiny, kappa)
        assert [is_move_optimal(theta, loss, kappa) for loss in (rho - tiny, rho, rho + tiny)] == [True, True, False]


def test_limits():
    for other in (-0.5, 0.0, 0.5):
        assert critical_rho(1.0, other) == 0  # the loss is certain
        assert critical_rho(0.0, other) == float("inf")  # there is none
        assert is_move_optimal(1.0, 0.0, other)
        assert not is_move_optimal(1.0, 1e-9, other)
        assert is_move_optimal(0.0, 1e300, other)
    for theta in (0.1, 0.5, 0.9):
        assert critical_rho(theta, 1.0) == 0  # gains do not count
        assert critical_rho(theta, -1.0) == float("inf")  # losses do not count
        assert value_of_move(0.9, theta, 7.0, -1.0) == pytest.approx(9)  # +1 for ever, from the second step on
        assert value_of_move(0.9, theta, 7.0, 1.0) == pytest.approx(-0.9 / 0.1 * 7 / 1.9)
    assert value_of_move(0.0, 0.3, 1.0, 0.0) == 0


def test_neutral_values_are_those_of_value_iteration():
    for theta, rho in product((0.1, 0.4), (0.5, 2.0, 9.5)):
        action_values = iterate_values(RiskProblem(theta, rho).transitions(), discount=0.9, sweeps=500).action_values
        best = max(0.0, value_of_move(0.9, theta, rho, 0.0))
        assert action_values[0].max() == pytest.approx(best, abs=1e-9)
        assert (action_values[0, MOVE] > action_values[0, STAY]) == is_move_optimal(theta, rho, 0.0)
        assert action_values[1, MOVE] == action_values[1, STAY]


@pytest.mark.parametrize(("theta", "rho"), [(0.1, 5.0), (0.5, 1.0), (0.0, 3.0), (1.0, 0.0)])
def test_steps_follow_the_model(theta, rho):
    env = gym.make("boardgym/RiskProblem-v0", theta=theta, rho=rho).unwrapped
    env.action_space.seed(1)
    state, _ = env.reset(seed=1)
    assert state == 0
    model, losses, gambles = env.transitions(), 0, 0
    assert all(sum(t.probability for t in outcomes) == 1 for row in model.values() for outcomes in row.values())
    for _ in range(20_000):
        action = int(env.action_space.sample())
        target, reward, terminated, truncated, info = env.step(action)
        assert (terminated, truncated, info) == (False, False, {})
        assert (target, reward, False) in [t[1:] for t in model[state][action]]
        if state == 0:
            assert (target, reward) == (action, 0)
        else:
            assert (target, reward) in ((1, 1), (0, -rho))
            gambles, losses = gambles + 1, losses + (target == 0)
        state = target
    assert stats.binomtest(losses, gambles, theta).pvalue > 0.001


def test_cut_off_after_1000_steps():
    env = gym.make("boardgym/RiskProblem-v0")
    env.reset(seed=1)
    assert [env.step(0)[2:4] for _ in range(1000)] == [(False, False)] * 999 + [(False, True)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: RiskProblem(theta=1.5), "theta=1.5: expected a finite number from 0 to 1"),
        (lambda: RiskProblem(rho=-1), "rho=-1: expected a finite number of 0 or more"),
        (lambda: RiskProblem(rho=float("inf")), "rho=inf: expected a finite number of 0 or more"),
        (lambda: RiskProblem(start=2), "start=2: expected 'random' or a state from 0 to 1"),
        (lambda: value_of_move(1.0, 0.1, 1.0, 0.0), "gamma=1.0: expected a finite number from 0 to 1 (excluded)"),
        (lambda: value_of_move(0.9, 0.1, 1.0, 2), "kappa=2: expected a finite number from -1 to 1"),
        (lambda: value_of_move(0.9, None, 1.0, 0.0), "theta=None: expected a finite number from 0 to 1"),
        (lambda: is_move_optimal(0.1, -0.1, 0.0), "rho=-0.1: expected a finite number of 0 or more"),
        (lambda: critical_rho(1.0, -1.0), "theta=1.0, kappa=-1.0: the only temporal difference that occurs weighs 0"),
        (lambda: value_of_move(0.9, 0.0, 1.0, 1.0), "theta=0.0, kappa=1.0: the only temporal difference"),
    ],
)
def test_bad_arguments(call, words):
    with pytest.raises(OptionError) as caught:
        call()
    assert words in str(caught.value)


def test_text_and_picture():
    env = gym.make("boardgym/RiskProblem-v0", theta=0.25, rho=2.5, render_mode="ansi").unwrapped
    env.reset()
    first = env.render()
    assert first == "[0] stay: 0, to 0; move: 0, to 1\n 1  +1, to 1, with probability 0.75; -2.5, to 0, with probability 0.25"
    env.step(MOVE)
    assert env.render().startswith(" 0  stay")
    env = gym.make("boardgym/RiskProblem-v0", render_mode="rgb_array").unwrapped
    env.reset()
    before = env.render()
    env.step(MOVE)
    after = env.render()
    assert before.shape == after.shape == (270, 670, 3)
    assert before[135, 180].tolist() == after[135, 440].tolist() == [0xE8, 0x54, 0x3F]
