"""`CascadeRegressor` inside scikit-learn: `make test-sklearn`, after `pip install scikit-learn`."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.core.errors import OptionError

RNG = np.random.default_rng(1)
X = RNG.uniform(-1, 1, (200, 3))
Y = np.tanh(2.0 * X[:, 0] * X[:, 1] - X[:, 2])
QUICK = {"max_units": 2, "min_epochs": 20, "max_epochs": 40, "groups": 1}


def test_cross_validation():
    assert is_regressor(CascadeRegressor())
    assert cross_val_score(CascadeRegressor(**QUICK), X, Y, cv=3).min() > 0.5


def test_a_grid():
    search = GridSearchCV(CascadeRegressor(**QUICK), {"criterion": ["cascade2", "covariance"], "groups": [1, 2]}, cv=2)
    search.fit(X, Y)
    assert search.best_estimator_.groups == search.best_params_["groups"]
    assert search.predict(X).shape == Y.shape


def test_a_pipeline():
    model = make_pipeline(StandardScaler(), CascadeRegressor(**QUICK)).fit(X, Y)
    assert model.score(X, Y) > 0.5
    with pytest.raises(NotFittedError):
        make_pipeline(StandardScaler(), CascadeRegressor()).predict(X)


def test_copies_and_what_is_not_fitted():
    model = CascadeRegressor(**QUICK).fit(X, Y)
    check_is_fitted(model)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)
    for kind in (NotFittedError, OptionError):
        with pytest.raises(kind, match="call fit") as caught:
            copy.predict(X)
        assert isinstance(pickle.loads(pickle.dumps(caught.value)), kind)  # as from a process of joblib
