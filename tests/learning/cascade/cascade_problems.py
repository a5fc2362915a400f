"""Problems that a cascade is to learn."""

import numpy as np


def two_spirals(n, seed):
    """(X, y) of two spirals that wind around each other one and a half times, targets -0.9 and 0.9."""
    rng = np.random.default_rng(seed)
    turn, side = np.sqrt(rng.random(n)) * 3.0 * np.pi, rng.integers(0, 2, n) * 2 - 1
    return np.stack([side * turn * np.cos(turn), side * turn * np.sin(turn)], 1) / (3.0 * np.pi), 0.9 * side


def parity(bits):
    """(X, y) of all words of so many bits, 0.9 where the number of ones is odd, else -0.9."""
    X = (np.arange(1 << bits)[:, None] >> np.arange(bits)) & 1
    return X.astype(float), np.where(X.sum(1) % 2, 0.9, -0.9)
