"""Policy evaluation, policy iteration and value iteration, in plain Python.

The twin of baselines/learning/tabular/dynamic_programming.py.
Run: python examples/twins/dynamic_programming.py

If the model of a problem is known, nothing has to be tried. model[state][action] is a list of what
can happen: (probability p, next state s', reward r, terminated). V(s') counts as 0 if the episode
has terminated.

    q(s, a) = sum of p (r + discount V(s')) over what can happen

    Policy evaluation    V(s) <- sum over a of policy(a | s) q(s, a), until V no longer changes
    Policy iteration     evaluate the policy; policy(s) <- the a with the greatest q(s, a);
                         again, until the policy no longer changes
    Value iteration      V(s) <- max over a of q(s, a), until V no longer changes

A sweep goes over all states: synchronous, using the values from before the sweep, or in place,
using the newest values.

Sources: R. Bellman, "Dynamic Programming", 1957; R. S. Sutton, A. G. Barto, "Reinforcement
Learning: An Introduction", 2nd edition, 2018, chapter 4.
"""

import numpy as np

from boardgym.solo import GridWorld

TIE = 1e-9  # actions whose values differ by less, relative to their size, are equally good


def action_value(model, values, state, action, discount):
    """q(s, a)."""
    total = 0.0
    for p, after, reward, is_end in model[state][action]:
        total += p * (reward + (0.0 if is_end else discount * values[after]))
    return total


def uniform_policy(model):
    """policy[state][action] = a probability, the same for all actions."""
    return [{action: 1.0 / len(model[state]) for action in model[state]} for state in range(len(model))]


def mean_value(model, values, state, policy, discount):
    """Sum over a of policy(a | s) q(s, a)."""
    return sum(share * action_value(model, values, state, action, discount) for action, share in policy[state].items())


def best_value(model, values, state, discount):
    """Max over a of q(s, a)."""
    return max(action_value(model, values, state, action, discount) for action in model[state])


def greedy_policy(model, values, discount):
    """The best action of each state, the first of equals: the last digits are not the same on every machine."""
    found = []
    for state in range(len(model)):
        q = {action: action_value(model, values, state, action, discount) for action in sorted(model[state])}
        best = max(q.values())
        found.append(next(action for action in q if q[action] >= best - TIE * max(1.0, abs(best))))
    return found


def sweeps_until(model, back_up, tolerance, in_place):
    """Sweeps from V = 0 until all changes are below the tolerance. Returns (V, how many sweeps)."""
    values, sweeps, change = [0.0] * len(model), 0, float("inf")
    while change >= tolerance:
        old = values.copy()
        for state in range(len(model)):
            values[state] = back_up(values if in_place else old, state)
        sweeps, change = sweeps + 1, max(abs(new - before) for new, before in zip(values, old, strict=True))
    return values, sweeps


def evaluate_policy(model, policy, *, discount, tolerance=1e-9, in_place=False):
    """V of a policy, by sweeps. policy: as `uniform_policy`. Returns (V, sweeps)."""
    return sweeps_until(model, lambda values, s: mean_value(model, values, s, policy, discount), tolerance, in_place)


def evaluate_exactly(model, policy, *, discount):
    """V of a policy, by solving V(s) - sum of policy p discount V(s') = sum of policy p r."""
    matrix, rewards = np.eye(len(model)), np.zeros(len(model))
    for state, shares in enumerate(policy):
        for action, share in shares.items():
            for p, after, reward, is_end in model[state][action]:
                rewards[state] += share * p * reward
                matrix[state, after] -= 0.0 if is_end else share * p * discount
    return np.linalg.solve(matrix, rewards).tolist()


def iterate_policies(model, *, discount):
    """Policy iteration from the uniform policy. Returns (V, the best actions, how many rounds)."""
    shares, actions, rounds = uniform_policy(model), [None] * len(model), 0
    while True:
        values, rounds = evaluate_exactly(model, shares, discount=discount), rounds + 1
        improved = greedy_policy(model, values, discount)
        for state, action in enumerate(actions):  # keep what is as good as the best, else it may cycle
            best = best_value(model, values, state, discount)
            if action is not None and action_value(model, values, state, action, discount) >= best - TIE * max(1.0, abs(best)):
                improved[state] = action
        if improved == actions:
            return values, actions, rounds
        actions, shares = improved, [{action: 1.0} for action in improved]


def iterate_values(model, *, discount, tolerance=1e-9, in_place=False):
    """Value iteration. Returns (V, the best actions, sweeps)."""
    values, sweeps = sweeps_until(model, lambda values, s: best_value(model, values, s, discount), tolerance, in_place)
    return values, greedy_policy(model, values, discount), sweeps


def show(values, width=4):
    """Values of a grid world, row by row."""
    for first in range(0, len(values), width):
        print(" ".join(f"{value:7.2f}" for value in values[first : first + width]))


def main(discount=0.9):
    """Solves a grid of 4 x 4 cells: every step pays -1, the goal is the lower right corner."""
    model = GridWorld(4, 4, goal=15, step_reward=-1.0, bump_reward=-1.0).transitions()
    values, sweeps = evaluate_policy(model, uniform_policy(model), discount=discount)
    print(f"values of random walking, after {sweeps} sweeps:")
    show(values)
    best, actions, rounds = iterate_policies(model, discount=discount)
    again, _, sweeps = iterate_values(model, discount=discount)
    print(f"best values, after {rounds} rounds of policy iteration or {sweeps} sweeps of value iteration:")
    show(best)
    print("best actions:", " ".join("NSEW"[action] for action in actions))
    print(f"both agree to {max(abs(a - b) for a, b in zip(best, again, strict=True)):.0e}")


if __name__ == "__main__":
    main()
