"""Risk-sensitive Q-learning over a small known model, in plain Python.

The twin of baselines/learning/td/risk_td.py. Run: python examples/twins/risk_td.py

    Q(s, a) <- Q(s, a) + step chi(r + discount max_b Q(s', b) - Q(s, a))
    chi(x)   = (1 - kappa) x  if x > 0,  else (1 + kappa) x

chi weighs surprises by kappa, in [-1, 1]. Below 0 good surprises count for more, and the learner
seeks risk; above 0 bad surprises do, and it avoids risk.

All actions are tried equally often. With one action in each state this is TD(0) for a fixed
policy. The step for update number k of an entry, from 0, is 1 / 2 / (1 + k / span). The result is
the mean of the values over the second half of the steps, which is less noisy than the last values.

The example: in state 0 one can stay, which pays nothing, or move to state 1. There a step pays 1
with probability 1 - theta; with probability theta it costs rho and leads back to state 0.

Sources: O. Mihatsch, R. Neuneier, "Risk-sensitive reinforcement learning", 2002; P. Campos, thesis
on Abalearn (Technical University of Lisbon, about 2003), eq. 6.1 and 6.2; for the mean B. T.
Polyak, A. B. Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
"""

import numpy as np

from boardgym.core.random import draw, stream, uniform
from boardgym.solo import MOVE, RiskProblem, value_of_move


def chi(x, kappa):
    """How much a surprise counts."""
    return (1.0 - kappa) * x if x > 0.0 else (1.0 + kappa) * x


def draw_outcome(outcomes, rng):
    """One of the outcomes (probability, next state, reward, terminated)."""
    mark, limit = uniform(rng), 0.0
    for outcome in outcomes[:-1]:
        limit += outcome[0]
        if mark < limit:
            return outcome
    return outcomes[-1]


def learn(model, kappa, *, discount, steps, start=0, span=300.0, seed=0):
    """Learns, and returns Q, float64 (states, actions).

    model[state][action]: a list of outcomes. All states have the same number of actions.
    """
    num_states, num_actions = len(model), len(model[0])
    q, means, visits = (np.zeros((num_states, num_actions)) for _ in range(3))
    rng, state, averaged = stream(seed), start, 0
    for step in range(steps):
        action = draw(rng, num_actions) if num_actions > 1 else 0
        _, after, reward, is_end = draw_outcome(model[state][action], rng)
        target = reward + (0.0 if is_end else discount * q[after].max())
        step_size = 0.5 / (1.0 + visits[state, action] / span)
        q[state, action] += step_size * chi(target - q[state, action], kappa)
        visits[state, action] += 1.0
        state = start if is_end else after
        if 2 * step >= steps:
            averaged += 1
            means += (q - means) / averaged
    return means


def main(steps=60_000, theta=0.1, rho=5.0, discount=0.5):
    """The value of always moving, for several kappa, as learnt and by its closed form."""
    model = RiskProblem(theta, rho).transitions()
    always_moving = {state: {0: model[state][MOVE]} for state in model}
    for kappa in (-0.5, 0.0, 0.2, 0.4):
        value = learn(always_moving, kappa, discount=discount, steps=steps, seed=1)[0, 0]
        exact = value_of_move(discount, theta, rho, kappa)
        print(f"kappa {kappa:4}: moving is worth {value:6.3f} (exactly {exact:6.3f}): {'move' if value > 0 else 'stay'}")


if __name__ == "__main__":
    main()
