"""FANN itself, from Debian's package: `make test-fann`, after `apt-get install libfann2`. Its MSE is ours / 4."""

import numpy as np
import pytest

from benchmarks.peer_fann import FannCascade, library
from boardgym.baselines.learning.cascade.cascade import Cascade, as_examples
from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.baselines.learning.cascade.settings import CascadeSettings

SEEDS = range(1, 11)


def test_the_library_is_there():
    assert library() is not None, "expected libdoublefann, from Debian's package libfann2"


def examples(n, seed, *, is_binary):
    """Noisy targets of a function with products of inputs, within [-1, 1]."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, 10)) < 0.4).astype(float) if is_binary else rng.uniform(-1, 1, (n, 10))
    signal = X @ np.linspace(-1, 1, 10) + 1.5 * X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3] + np.sin(2.0 * X[:, 4]) * X[:, 5]
    return X, np.clip(np.tanh(signal) + 0.15 * rng.normal(size=n), -1, 1)


@pytest.mark.parametrize("units", [1, 4, 10])
@pytest.mark.parametrize("is_binary", [False, True])
def test_errors_are_alike_over_ten_seeds(is_binary, units):
    """Means of ten trainings each, closer than three standard errors of their difference. All seeds are fixed."""
    train, test = examples(800, 1, is_binary=is_binary), examples(2000, 2, is_binary=is_binary)
    ours, theirs = [], []
    for seed in SEEDS:
        model = CascadeRegressor(max_units=units, seed=seed).fit(*train, test=test)
        ours.append((model.history_[-1].train_error, model.history_[-1].test_error))
        with FannCascade(*train, seed=seed) as fann:
            fann.grow(units)
            theirs.append((fann.error(*train), fann.error(*test)))
    mine, fanns = np.array(ours), np.array(theirs)
    between = np.sqrt((mine.var(0, ddof=1) + fanns.var(0, ddof=1)) / len(SEEDS))
    assert (np.abs(mine.mean(0) - fanns.mean(0)) < 3.0 * between).all()


def test_output_training_ends_where_fanns_does():
    """Without hidden units there is one least error, which both come to."""
    X, y = examples(800, 1, is_binary=False)
    part = as_examples(X, y[:, None])
    ours = Cascade(CascadeSettings(), part, part).grow()
    with FannCascade(X, y, seed=1) as fann:
        fann.grow(0)
        assert fann.error(X, y) == pytest.approx(ours.train_error, rel=1e-3)
        assert np.square(fann.outputs(X) - y).mean() == pytest.approx(fann.error(X, y), rel=1e-5)
