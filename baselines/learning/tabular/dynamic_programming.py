"""Dynamic programming over a known model: policy evaluation, policy iteration, value iteration.

A model is what one-player problems tell of themselves, `env.unwrapped.transitions()`, or Gymnasium's own as `env.unwrapped.P`:
model[state][action] is a list of outcomes (probability, next state, reward, terminated); states are numbered from 0.

    q(s, a) = sum of p (r + discount V(s') (1 - terminated)) over the outcomes of a in s

    policy evaluation:  V(s) <- sum over a of policy(a | s) q(s, a), until V changes no more, or so many sweeps
    policy iteration:   evaluation, then policy(s) <- the a of the greatest q(s, a), until it is the same policy
    value iteration:    V(s) <- max over a of q(s, a)

A sweep goes over all states: synchronous, all from the values before it; in place, in their order, each from the newest values.
Source: R. S. Sutton and A. G. Barto, "Reinforcement Learning: An Introduction", 2nd edition, 2018, chapter 4; R. Bellman,
"Dynamic Programming", 1957.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.core.errors import OptionError

Outcomes = Sequence[Any]  # of (probability, next state, reward, terminated)
Model = Mapping[int, Mapping[int, Outcomes]]

MOST_SWEEPS = 100_000
TIE = 1e-9  # two actions whose values differ by less, relative to their size, are equally good


class Solution(NamedTuple):
    """What was found. Terminal states have the value 0.

    values: float64 (states,). policy: int64 (states,), the best action by these values, the first of equals. sweeps: how many
    there were; of policy iteration, how many policies were looked at. action_values: float64 (states, actions), -inf where
    there is no such action.
    """

    values: NDArray[np.float64]
    policy: NDArray[np.int64]
    sweeps: int
    action_values: NDArray[np.float64]


class ModelArrays:
    """A model as arrays of its outcomes.

    Args:
        model: as the module says. States and actions are numbered from 0; a state may lack some actions.
        discount: from 0 to 1.

    Attributes:
        is_action: bool (states, actions).

    Raises: OptionError for a model or a discount that is none.
    """

    def __init__(self, model: Model, discount: float) -> None:
        if not 0.0 <= discount <= 1.0:
            raise OptionError(f"discount={discount!r}: expected a number from 0 to 1")
        if sorted(model) != list(range(len(model))) or not model or not all(model.values()):
            raise OptionError("model: expected states numbered from 0, each with an action at least")
        self.num_states, self.discount = len(model), discount
        self.num_actions = 1 + max(action for choices in model.values() for action in choices)
        self.is_action = np.zeros((self.num_states, self.num_actions), bool)
        pairs, weights, afters, rewards = [], [], [], []
        for state in range(self.num_states):
            for action, outcomes in model[state].items():
                self.is_action[state, action] = True
                total = 0.0
                for probability, after, reward, terminated in outcomes:
                    pairs.append(state * self.num_actions + action)
                    weights.append(0.0 if terminated else discount * probability)
                    afters.append(after)
                    rewards.append(probability * reward)
                    total += probability
                if not math.isclose(total, 1.0, abs_tol=1e-6):
                    raise OptionError(f"model[{state}][{action}]: its probabilities add up to {total:g}, expected 1")
        order = np.argsort(pairs, kind="stable")
        self._pairs = np.array(pairs, np.int64)[order]
        self._weights = np.array(weights)[order]
        self._afters = np.array(afters, np.int64)[order]
        if self._afters.min() < 0 or self._afters.max() >= self.num_states:
            raise OptionError(f"model: a next state that is none of 0 to {self.num_states - 1}")
        size = self.num_states * self.num_actions
        self._rewards = np.bincount(self._pairs, np.array(rewards)[order], size).reshape(self.is_action.shape)
        self._rewards[~self.is_action] = -np.inf
        self._bounds = np.searchsorted(self._pairs, np.arange(self.num_states + 1) * self.num_actions)  # outcomes of a state

    def action_values(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Action values of all states, float64 (states, actions), by values of states, float64 (states,)."""
        future = np.asarray(np.bincount(self._pairs, self._weights * values[self._afters], self._rewards.size), np.float64)
        return self._rewards + future.reshape(self._rewards.shape)

    def action_values_of(self, state: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Action values of one state, float64 (1, actions)."""
        part = slice(self._bounds[state], self._bounds[state + 1])
        pairs = self._pairs[part] - state * self.num_actions
        future = np.asarray(np.bincount(pairs, self._weights[part] * values[self._afters[part]], self.num_actions), np.float64)
        return self._rewards[state : state + 1] + future

    def matrix_of(self, policy: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Discounted transitions (states, states) and rewards (states,), float64, under a policy (states, actions)."""
        onward = np.zeros((self.num_states, self.num_states))
        np.add.at(onward, (self._pairs // self.num_actions, self._afters), policy.reshape(-1)[self._pairs] * self._weights)
        return onward, np.where(self.is_action, policy * np.where(self.is_action, self._rewards, 0.0), 0.0).sum(axis=1)

    def read_policy(self, policy: ArrayLike | None) -> NDArray[np.float64]:
        """A policy as probabilities, float64 (states, actions).

        policy: None for the uniform one; int (states,), an action each; or float (states, actions). Raises OptionError.
        """
        if policy is None:
            return self.is_action / self.is_action.sum(axis=1, keepdims=True)
        given = np.asarray(policy)
        if (
            given.shape == (self.num_states,)
            and given.dtype.kind in "iu"
            and (given >= 0).all()
            and (given < self.num_actions).all()
        ):
            given = np.eye(self.num_actions)[given]
        fits = given.shape == self.is_action.shape and given.dtype.kind in "iuf" and (given >= 0).all()
        if not fits or (given[~self.is_action] > 0).any() or not np.allclose(given.sum(axis=1), 1.0):
            raise OptionError(
                f"policy: expected an action of each of the {self.num_states} states, or probabilities of shape "
                f"{self.is_action.shape} that add up to 1 in each, none for actions that a state has not"
            )
        return given.astype(np.float64)

    def solution(self, values: NDArray[np.float64], sweeps: int) -> Solution:
        """What values mean: the best policy by them."""
        q = self.action_values(values)
        return Solution(values, are_best(q).argmax(axis=1), sweeps, q)


def back_up(q: NDArray[np.float64], policy: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Values of states (n,), by their action values (n, actions): the mean under a policy (n, actions), or the best."""
    return q.max(axis=1) if policy is None else (policy * np.where(policy > 0.0, q, 0.0)).sum(axis=1)


def sweep(
    arrays: ModelArrays, values: NDArray[np.float64], policy: NDArray[np.float64] | None, in_place: bool
) -> NDArray[np.float64]:
    """The values, float64 (states,), after a sweep. policy: float64 (states, actions), or None for the best action."""
    if not in_place:
        return back_up(arrays.action_values(values), policy)
    values = values.copy()
    for state in range(arrays.num_states):
        of_state = None if policy is None else policy[state : state + 1]
        values[state] = back_up(arrays.action_values_of(state, values), of_state)[0]
    return values


def sweep_until(
    arrays: ModelArrays, policy: NDArray[np.float64] | None, tolerance: float, sweeps: int | None, in_place: bool
) -> Solution:
    """Sweeps from values of 0. Raises OptionError for a bad tolerance or number, and for values that do not settle."""
    if sweeps is None and not 0.0 < tolerance < math.inf:
        raise OptionError(f"tolerance={tolerance!r}: expected a number above 0")
    if sweeps is not None and sweeps < 0:
        raise OptionError(f"sweeps={sweeps!r}: expected 0 or more, or None to go on until the values settle")
    values, change = np.zeros(arrays.num_states), math.inf
    for done in range(MOST_SWEEPS if sweeps is None else sweeps):
        if sweeps is None and change < tolerance:
            return arrays.solution(values, done)
        old, values = values, sweep(arrays, values, policy, in_place)
        change = float(np.abs(values - old).max())
    if sweeps is None:
        raise OptionError(
            f"the values have not settled after {MOST_SWEEPS:,} sweeps: with discount={arrays.discount:g} there "
            "are ways that go on for ever; give a smaller discount, or a number of sweeps"
        )
    return arrays.solution(values, sweeps)


def evaluate_policy(
    model: Model,
    policy: ArrayLike | None = None,
    *,
    discount: float,
    tolerance: float = 1e-9,
    sweeps: int | None = None,
    in_place: bool = False,
) -> Solution:
    """The values of a policy, by sweeps from 0; the policy returned is the greedy one by them.

    Args:
        model: as the module says.
        policy: None, the uniformly random one; int (states,), an action each; or float (states, actions), probabilities.
        discount: from 0 to 1.
        tolerance: it ends with a sweep that changes no value by as much.
        sweeps: so many, whatever the tolerance.
        in_place: each value from the newest of the others.

    Raises: OptionError, saying which argument is none, or that the values do not settle.
    """
    arrays = ModelArrays(model, discount)
    return sweep_until(arrays, arrays.read_policy(policy), tolerance, sweeps, in_place)


def evaluate_exactly(model: Model, policy: ArrayLike | None = None, *, discount: float) -> Solution:
    """The values of a policy, by solving its linear equations; for some thousand states. Arguments as `evaluate_policy`.

    Raises: OptionError if with a discount of 1 the policy never ends, so that there are no such values.
    """
    arrays = ModelArrays(model, discount)
    return arrays.solution(_solve(arrays, arrays.read_policy(policy)), 0)


def _solve(arrays: ModelArrays, policy: NDArray[np.float64]) -> NDArray[np.float64]:
    onward, rewards = arrays.matrix_of(policy)
    equations = np.eye(arrays.num_states) - onward
    try:
        if np.linalg.cond(equations, 1) < 1e14:
            return np.asarray(np.linalg.solve(equations, rewards), np.float64)
    except np.linalg.LinAlgError:
        pass
    raise OptionError(
        f"discount={arrays.discount:g}: a policy that does not end everywhere has no values without a discount; "
        "give a smaller one, or use value iteration"
    )


def are_best(q: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which actions of a state are as good as its best, (states, actions), whatever the last digits on this machine."""
    best = q.max(axis=1, keepdims=True)
    found: NDArray[np.bool_] = q >= best - TIE * np.maximum(1.0, np.abs(best))
    return found


def iterate_policies(
    model: Model, *, discount: float, evaluation_sweeps: int | None = None, in_place: bool = False
) -> Solution:
    """The best policy, by evaluating one and improving it in turn, from the uniformly random one.

    Args:
        model: as the module says.
        discount: from 0 to 1.
        evaluation_sweeps: sweeps of an evaluation, each from the values before it; None: evaluate exactly.
        in_place: of those sweeps.

    Raises: OptionError as `evaluate_exactly`, and for policies that go on changing, as after too few sweeps they may.
    """
    arrays = ModelArrays(model, discount)
    if evaluation_sweeps is not None and evaluation_sweeps < 1:
        raise OptionError(f"evaluation_sweeps={evaluation_sweeps!r}: expected 1 or more, or None for exact evaluation")
    policy, values = arrays.read_policy(None), np.zeros(arrays.num_states)
    for rounds in range(1, MOST_SWEEPS):
        before = values
        values = _solve(arrays, policy) if evaluation_sweeps is None else values
        for _ in range(evaluation_sweeps or 0):
            values = sweep(arrays, values, policy, in_place)
        q = arrays.action_values(values)
        best = are_best(q)
        held = best & (policy == 1.0)  # what is as good as the best is kept: no going round
        improved = np.eye(arrays.num_actions)[np.where(held.any(axis=1), held.argmax(axis=1), best.argmax(axis=1))]
        is_settled = evaluation_sweeps is None or np.abs(values - before).max() < TIE
        if is_settled and (improved == policy).all():
            return Solution(values, improved.argmax(axis=1), rounds, q)
        policy = improved
    raise OptionError("evaluation_sweeps: the policies go on changing; give more sweeps, or None")


def iterate_values(
    model: Model, *, discount: float, tolerance: float = 1e-9, sweeps: int | None = None, in_place: bool = False
) -> Solution:
    """The best policy and its values, by sweeps from 0. Arguments and errors as `evaluate_policy`."""
    return sweep_until(ModelArrays(model, discount), None, tolerance, sweeps, in_place)


def model_of(env: Any) -> Model:
    """The model of a Gymnasium environment that has one, as `P`, wrapped or not. Raises OptionError if it has none."""
    model = getattr(env.unwrapped, "P", None)
    if not isinstance(model, Mapping):
        raise OptionError(f"{env}: expected an environment that tells its model as env.unwrapped.P")
    return model


def solve(env: Any, *, discount: float) -> Solution:
    """The best policy of any Gymnasium environment that has a model, by policy iteration with exact evaluation.

    Raises: OptionError if it has no model, and as `iterate_policies`.
    """
    return iterate_policies(model_of(env), discount=discount)
