"""Sample averages on an n-armed bandit, with arms drawn by a softmax, in plain Python.

The twin of baselines/learning/tabular/bandit.py. Run: python examples/twins/bandit.py

A bandit has n arms. Each play of arm a pays a random number with the mean Q*(a), which is not
known. Q(a) is the average of what the arm has paid so far, r its latest payment, and n(a) how
often it was played.

    Q(a)  <- Q(a) + (r - Q(a)) / n(a)
    Pr(a)  = exp(Q(a) / temperature) / sum over b of exp(Q(b) / temperature)

At a low temperature nearly all plays go to the arm with the best average, at a high one all arms
are played alike.

Source: R. S. Sutton, A. G. Barto, "Reinforcement Learning: An Introduction", 1998, sections 2.2
to 2.5.
"""

import numpy as np


def draw_arm(averages, temperature, rng):
    """An arm, drawn by the softmax of the averages. rng: a NumPy generator."""
    greatest = max(averages)  # subtracted so that no exponential overflows; probabilities are the same
    weights = [np.exp((average - greatest) / temperature) for average in averages]
    mark = rng.random() * sum(weights)
    for arm, limit in enumerate(np.cumsum(weights)):
        if mark < limit:
            return arm
    return len(averages) - 1


def play_bandit(true_values, temperature, *, plays, rng):
    """Plays one bandit. Returns (rewards, whether each play was of the best arm, the averages)."""
    n = len(true_values)
    averages, counts = [0.0] * n, [0] * n
    rewards, is_optimal = [], []
    for _ in range(plays):
        arm = draw_arm(averages, temperature, rng)
        reward = true_values[arm] + rng.standard_normal()
        counts[arm] += 1
        averages[arm] += (reward - averages[arm]) / counts[arm]
        rewards.append(reward)
        is_optimal.append(arm == int(np.argmax(true_values)))
    return rewards, is_optimal, averages


def main(tasks=200, plays=500, arms=10):
    """Mean reward and share of the best arm, in the last tenth of the plays of many bandits."""
    last = max(plays // 10, 1)
    for temperature in (0.01, 0.1, 0.4, 1.0):
        rng = np.random.default_rng(1)
        rewards, optimal = [], []
        for _ in range(tasks):
            paid, is_optimal, _ = play_bandit(rng.standard_normal(arms), temperature, plays=plays, rng=rng)
            rewards += paid[-last:]
            optimal += is_optimal[-last:]
        print(f"temperature {temperature:4}: mean reward {np.mean(rewards):.2f}, best arm {np.mean(optimal):.2f}")


if __name__ == "__main__":
    main()
