"""Cascade correlation (Cascade 2) for regression, in plain Python.

The twin of baselines/learning/cascade/cascade.py. Run: python examples/twins/cascade.py

A network grows one hidden unit at a time. Each hidden unit sees the inputs, a bias and all units before
it; its weights are frozen once it is installed. The output sees all of them, and is tanh(x / 2).

    e <- (target - output) / 2
    train candidates, unit v with an output weight w of its own:  minimise sum (e - v w)^2
    install the candidate with the least such sum; its output weight <- 0.4 w
    train the output weights:                                     minimise sum (target - output)^2

Weights move by iRprop-, whose g is the gradient and g' that of the epoch before:

    step <- 1.2 step if g g' > 0;   step <- step / 2 and g <- 0 if g g' < 0
    w <- w - sign(g) step

A training ends when its gain has stayed within 1 % of what it was for some epochs. The network of the
least test error is kept.

Sources: S. Nissen, "Large scale reinforcement learning using Q-SARSA(lambda) and cascading neural
networks", 2007, and his library FANN, whose functions, slopes and settings these are; C. Igel,
M. Hüsken, "Improving the Rprop learning algorithm", 2000.
"""

import numpy as np

from boardgym.core.random import stream, uniform

# name -> (f(x), what FANN takes for df/dx), x the sum times the steepness s
FUNCTIONS = {
    "sigmoid": (lambda x: 1 / (1 + np.exp(-2 * x)), lambda x, f, s: 2 * np.clip(f, 0.01, 0.99) * (1 - np.clip(f, 0.01, 0.99))),
    "gaussian": (lambda x: np.exp(-x * x), lambda x, f, s: -2 * x * f),
    "elliot": (lambda x: x / 2 / (1 + abs(x)) + 0.5, lambda x, f, s: 0.5 / (1 + abs(x) / s) ** 2),
    "sin": (lambda x: np.sin(x) / 2 + 0.5, lambda x, f, s: np.cos(x) / 2),
    "cos": (lambda x: np.cos(x) / 2 + 0.5, lambda x, f, s: -np.sin(x) / 2),
}
NAMES = tuple(name for base in FUNCTIONS for name in (base, f"{base}_symmetric"))


def activate(name, steepness, sums):
    """(outputs, slopes) of a unit; a symmetric function is 2 f - 1."""
    function, slope = FUNCTIONS[name.removesuffix("_symmetric")]
    x = np.clip(steepness * sums, -150.0, 150.0)
    f = function(x)
    slopes = steepness * slope(x, f, steepness)
    return (2 * f - 1, 2 * slopes) if name.endswith("_symmetric") else (f, slopes)


class Rprop:
    """iRprop- for one array of weights."""

    def __init__(self, shape):
        self.steps, self.before = np.full(shape, 0.1), np.zeros(shape)

    def move(self, weights, gradient):
        """Moves the weights, in place."""
        product = gradient * self.before
        self.steps[product > 0] = np.minimum(1.2 * self.steps[product > 0], 50.0)
        self.steps[product < 0] = np.maximum(0.5 * self.steps[product < 0], 1e-6)
        self.before = np.where(product < 0, 0.0, gradient)
        weights -= np.sign(self.before) * self.steps


class Stagnation:
    """Whether a training is to end."""

    def __init__(self, least, most, epochs=12):
        self.least, self.epochs, self.gain, self.until = least, epochs, 0.0, most

    def is_over(self, epoch, gain):
        """Told the gain of each epoch."""
        if abs(gain - self.gain) > 0.01 * abs(self.gain) if self.gain else gain > 0.0:
            self.gain, self.until = gain, epoch + self.epochs
        return epoch >= max(self.until, self.least)


def draw(seed, path, count):
    """Numbers in [0, 1)."""
    rng = stream(seed, *path)
    return np.array([uniform(rng) for _ in range(count)])


def train_output(units, targets, weights, least, most):
    """Trains the output weights, in place. Returns what is left of the targets."""
    rule, stagnation, first = Rprop(weights.shape), Stagnation(least, most), None
    for epoch in range(most):
        values, slopes = activate("sigmoid_symmetric", 0.5, units @ weights)
        left = targets - values
        error = np.mean(left**2)
        first = error if first is None else first
        if epoch == most - 1 or (epoch and stagnation.is_over(epoch, first - error)):
            break
        rule.move(weights, -(left * slopes) @ units)
    return left


def train_candidates(units, left, kinds, seed, inputs, least, most):
    """The best of new candidates, one of each kind: (kind, weights, output weight)."""
    count = units.shape[1]
    hidden = count - inputs - 1
    scale = np.clip(2.0 * (0.7 * (hidden + 1)) ** (1.0 / inputs), 0.5, 8.0)
    weights = scale * draw(seed, (1, hidden), len(kinds) * (count + 1)).reshape(len(kinds), count + 1)
    weights[:, inputs] = 2.0 * weights[:, inputs] - scale  # of the bias, which may be below 0
    rules, stagnation = [Rprop(count + 1) for _ in kinds], Stagnation(least, most)
    for epoch in range(most):
        scores, gradients = [], []
        for (name, steepness), own in zip(kinds, weights, strict=True):
            values, slopes = activate(name, steepness, units @ own[:-1])
            difference = values * own[-1] - left
            scores.append(np.sum(left**2) - np.sum(difference**2))
            gradients.append(np.append((difference * own[-1] * slopes) @ units, difference @ values))
        best = int(np.argmax(scores))
        if epoch == most - 1 or stagnation.is_over(epoch, scores[best]):
            return kinds[best], weights[best, :-1], weights[best, -1]
        for rule, own, gradient in zip(rules, weights, gradients, strict=True):
            rule.move(own, gradient)


def train(X, y, test, *, max_units, names=NAMES, steepnesses=(0.25, 0.5, 0.75, 1.0), groups=2, least=50, most=150, seed=1):
    """Grows a network. Returns (errors of training and test for each number of units, hidden units, best output weights)."""
    kinds = [(name, steepness) for name in names for steepness in steepnesses for _ in range(groups)]
    sets = [np.hstack([rows, np.ones((len(rows), 1))]) for rows in (X, test[0])]
    weights = 0.1 * (2.0 * draw(seed, (0,), X.shape[1] + 1) - 1.0)
    hidden, errors, best = [], [], weights
    while True:
        left = train_output(sets[0], y, weights, least, most)
        outputs, _ = activate("sigmoid_symmetric", 0.5, sets[1] @ weights)
        errors.append((np.mean(left**2), np.mean((test[1] - outputs) ** 2)))
        best = weights.copy() if errors[-1][1] <= min(error for _, error in errors) else best
        if len(hidden) == max_units:
            return errors, hidden, best
        kind, own, behind = train_candidates(sets[0], left / 2, kinds, seed, X.shape[1], least, most)
        hidden.append((*kind, own))
        sets = [np.column_stack([units, activate(*kind, units @ own)[0]]) for units in sets]
        weights = np.append(weights, 0.4 * behind)


def main(max_units=8, examples=200, seed=1):
    """Two spirals that wind around each other."""
    rng = np.random.default_rng(seed)
    turn, side = np.sqrt(rng.random(2 * examples)) * 3.0 * np.pi, rng.integers(0, 2, 2 * examples) * 2 - 1
    X, y = np.stack([side * turn * np.cos(turn), side * turn * np.sin(turn)], 1) / (3.0 * np.pi), 0.9 * side
    errors, hidden, _ = train(X[:examples], y[:examples], (X[examples:], y[examples:]), max_units=max_units, seed=seed)
    for (error, test_error), (name, steepness, _) in zip(errors, [("no hidden unit", 0, 0), *hidden], strict=True):
        print(f"{name:18} {steepness or '':4}  training error {error:.4f}  test error {test_error:.4f}")


if __name__ == "__main__":
    main()
