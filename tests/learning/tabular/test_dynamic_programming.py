"""Dynamic programming: printed and known values, the three methods beside each other, and what is refused."""

import gymnasium as gym
import numpy as np
import pytest

from boardgym import OptionError
from boardgym.baselines.learning.tabular.dynamic_programming import (
    evaluate_exactly,
    evaluate_policy,
    iterate_policies,
    iterate_values,
    model_of,
    solve,
)

LIMIT = [-59.43, -57.43, -54.29, -51.71, -57.43, -54.57, -49.71, -45.14, -54.29, -49.71, -40.86, -30, -51.71, -45.14, -30, 0]


def model(name, **arguments):
    return model_of(gym.make(name, **arguments))


def printed(values):
    """Whole numbers as the dissertation cuts them, of what is as good as settled."""
    return np.trunc(np.round(values, 4)).astype(int).reshape(4, 4).tolist()


def test_policy_evaluation_of_the_four_by_four_grid():
    """Figure 4.2 of the dissertation on Abalearn: its V1 are the values before the first sweep. Sweeps one after another."""
    grid = model("boardgym/PolicyEvaluationGrid-v0")
    values = {k: evaluate_policy(grid, discount=1.0, sweeps=k - 1).values for k in (1, 2, 3, 999, 1000)}
    assert not values[1].any()
    assert values[2].tolist() == [-1.0] * 15 + [0.0]
    v3 = np.full(16, -2.0)
    v3[[11, 14]], v3[15] = -1.75, 0.0  # beside the corner, printed -1.8; the corner
    assert values[3].tolist() == v3.tolist()
    whole = [[-59, -57, -54, -51], [-57, -54, -49, -45], [-54, -49, -40, -30], [-51, -45, -30, 0]]
    assert printed(values[999]) == printed(values[1000]) == whole
    exact = evaluate_exactly(grid, discount=1.0).values
    assert exact.round(2).tolist() == LIMIT
    for in_place in (False, True):
        found = evaluate_policy(grid, discount=1.0, tolerance=1e-10, in_place=in_place)
        assert np.allclose(found.values, exact, atol=1e-7)
    assert found.sweeps < 0.7 * evaluate_policy(grid, discount=1.0, tolerance=1e-10).sweeps  # in place is faster


def test_a_sweep_in_place_by_hand():
    """Two states in a row, of which the second pays 4 and ends: in their order one sweep leaves 0 and 4, two leave 2 and 4."""
    row = {0: {0: [(1.0, 1, 0.0, False)]}, 1: {0: [(1.0, 0, 4.0, True)]}}
    turned = {0: {0: [(1.0, 0, 4.0, True)]}, 1: {0: [(1.0, 0, 0.0, False)]}}
    for evaluate in (evaluate_policy, iterate_values):
        assert evaluate(row, discount=0.5, sweeps=1, in_place=True).values.tolist() == [0, 4]
        assert evaluate(row, discount=0.5, sweeps=2, in_place=True).values.tolist() == [2, 4]
        assert evaluate(turned, discount=0.5, sweeps=1, in_place=True).values.tolist() == [4, 2]  # the newest value
        assert evaluate(turned, discount=0.5, sweeps=1).values.tolist() == [4, 0]  # the one before the sweep


def test_the_lowest_value_of_the_twenty_by_twenty_grid():
    grid = model("boardgym/GridWorld-v0")
    for sweeps, lowest in ((10, -10), (29, -29), (30, -30), (100, -30)):
        assert iterate_values(grid, discount=1.0, sweeps=sweeps).values.min() == lowest


PROBLEMS = [("boardgym/GridWorld-v0", 1.0, {"height": 7, "width": 8}), ("boardgym/LakesAndTunnel-v0", 0.9, {}),
            ("FrozenLake-v1", 0.95, {}), ("boardgym/RiskProblem-v0", 0.9, {"theta": 0.3})]  # fmt: skip


@pytest.mark.parametrize(("name", "discount", "arguments"), PROBLEMS, ids=[name for name, _, _ in PROBLEMS])
def test_the_methods_agree(name, discount, arguments):
    problem = model(name, **arguments)
    best = iterate_policies(problem, discount=discount)
    others = [
        iterate_values(problem, discount=discount),
        iterate_values(problem, discount=discount, in_place=True),
        iterate_policies(problem, discount=discount, evaluation_sweeps=3),
        solve(gym.make(name, **arguments), discount=discount),
    ]
    for other in others:
        assert np.allclose(other.values, best.values, atol=1e-6)
        own = evaluate_exactly(problem, other.policy, discount=discount).values  # ties may be broken otherwise
        assert np.allclose(own, best.values, atol=1e-6)
    assert np.allclose(best.action_values.max(axis=1), best.values)
    assert (best.values >= evaluate_exactly(problem, discount=discount).values - 1e-9).all()  # of the random policy
    assert others[1].sweeps <= others[0].sweeps
    assert best.sweeps < others[0].sweeps  # few policies


def test_states_with_fewer_actions_and_chances():
    """State 0: stay for 1, or go to 1 with chance 1/4 for 0. State 1 has one action, the end for 32. Discount 1/2.

    Staying is worth 1/(1 - 1/2) = 2. Going: V = 1/2 (32/4 + 3 V/4), so V = 32/5 = 6.4.
    """
    problem = {
        0: {0: [(1.0, 0, 1.0, False)], 1: [(0.25, 1, 0.0, False), (0.75, 0, 0.0, False)]},
        1: {0: [(1.0, 0, 32.0, True)]},
    }
    found = solve(type("Env", (), {"unwrapped": type("Known", (), {"P": problem})})(), discount=0.5)
    assert found.values == pytest.approx([6.4, 32])
    assert found.policy.tolist() == [1, 0]
    assert found.action_values[1, 1] == -np.inf
    assert evaluate_exactly(problem, [0, 0], discount=0.5).values == pytest.approx([2, 32])
    mixed = evaluate_policy(problem, [[0.5, 0.5], [1.0, 0.0]], discount=0.5, tolerance=1e-12)
    assert mixed.values == pytest.approx([(0.5 + 2.0) / (1 - 0.25 - 0.1875), 32])  # V = (1 + V/2)/2 + (4 + 3 V/8)/2


def test_refusals():
    row = {0: {0: [(1.0, 1, 0.0, False)]}, 1: {0: [(1.0, 0, 1.0, False)]}}  # goes on for ever
    for call, words in (
        (lambda: iterate_values(row, discount=1.5), "discount=1.5"),
        (lambda: iterate_values(row, discount=1.0), "not settled"),
        (lambda: iterate_policies(row, discount=1.0), "does not end"),
        (lambda: evaluate_exactly(row, discount=1.0), "does not end"),
        (lambda: iterate_values(row, discount=0.5, tolerance=0.0), "tolerance=0.0"),
        (lambda: iterate_values(row, discount=0.5, sweeps=-1), "sweeps=-1"),
        (lambda: iterate_policies(row, discount=0.5, evaluation_sweeps=0), "evaluation_sweeps=0"),
        (lambda: evaluate_policy(row, [0, 1], discount=0.5), "policy"),
        (lambda: evaluate_policy(row, [[0.5], [1.0]], discount=0.5), "policy"),
        (lambda: iterate_values({}, discount=0.5), "model"),
        (lambda: iterate_values({0: {0: [(0.5, 0, 0.0, True)]}}, discount=0.5), "add up to 0.5"),
        (lambda: iterate_values({0: {0: [(1.0, 7, 0.0, True)]}}, discount=0.5), "next state"),
        (lambda: solve(gym.make("CartPole-v1"), discount=0.5), "unwrapped.P"),
    ):
        with pytest.raises(OptionError, match=words):
            call()
