"""What a cascade learns; that threads, processes and interruptions change nothing; what it refuses."""

import inspect
import itertools
import json

import numpy as np
import pytest
from cascade_problems import parity, two_spirals

from boardgym.baselines import memory
from boardgym.baselines.array_files import OWN_FIELDS
from boardgym.baselines.learning.cascade import cascade as cc
from boardgym.baselines.learning.cascade.checkpoint import CHECKPOINTS
from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.baselines.learning.cascade.settings import CascadeSettings
from boardgym.core.errors import OptionError, SpecError
from tests.support import found_in_plain_python

SMALL = {"max_units": 3, "min_epochs": 5, "max_epochs": 12, "functions": ("sigmoid_symmetric", "gaussian"),
         "steepnesses": (0.5,), "groups": 2}  # fmt: skip


def weights_of(regressor):
    return [*regressor.net_.weights.tolist(), *regressor.net_.functions.tolist(), *regressor.net_.steepnesses.tolist()]


@pytest.mark.parametrize("criterion", ["cascade2", "covariance"])
def test_two_spirals(criterion):
    X, y = two_spirals(300, 1)
    fresh = two_spirals(200, 2)
    for seed in (1, 2, 3):
        model = CascadeRegressor(max_units=14, criterion=criterion, seed=seed).fit(X, y)
        linear = model.history_[0].train_error
        assert linear > 0.4
        assert model.history_[-1].train_error < 0.05 * linear
        assert np.mean(np.sign(model.predict(fresh[0])) == np.sign(fresh[1])) > 0.9
        assert model.score(*fresh) > 0.7


def test_training_errors_fall():
    """By less than the fraction of a gain that the outputs' training does not tell from none, they may rise."""
    X, y = two_spirals(300, 5)
    for rule in ("irprop-", "irprop+"):
        model = CascadeRegressor(max_units=12, rule=rule).fit(X, y)
        errors = [it.train_error for it in model.history_]
        slack = model.change_fraction * errors[0]
        assert all(b <= a + slack for a, b in itertools.pairwise(errors))
        assert errors[-1] < 0.1 * errors[0]


def test_parity_with_all_words_for_training_and_tests():
    X, y = parity(5)
    model = CascadeRegressor(max_units=4, desired_error=0.01).fit(X, y, test=(X, y))
    assert model.history_[-1].train_error <= 0.01
    assert np.sign(model.predict(X)).tolist() == np.sign(y).tolist()
    assert len(model.history_) - 1 <= 4


def test_errors_that_are_reported_are_those_of_the_network():
    X, y = two_spirals(300, 3)
    test, holdout, seen = two_spirals(80, 4), two_spirals(90, 5), []
    model = CascadeRegressor(max_units=5).fit(X, y, test=test, holdout=holdout, callback=seen.append)
    assert seen == model.history_
    assert [it.units for it in seen] == [0, 1, 2, 3, 4, 5]
    best = min(seen, key=lambda it: it.test_error)
    assert model.best_units_ == best.units
    for error, (rows, targets) in ((best.train_error, (X, y)), (best.test_error, test), (best.holdout_error, holdout)):
        assert np.square(model.predict(rows) - targets).mean() == pytest.approx(error, rel=1e-12)
    assert all(it.function in model.functions and it.steepness in model.steepnesses for it in seen[1:])


def test_patience_and_a_callback_end_it():
    X, y = np.random.default_rng(1).random((60, 4)), np.random.default_rng(2).uniform(-1, 1, 60)  # noise
    model = CascadeRegressor(patience=2, max_units=40, min_epochs=20, max_epochs=40).fit(X, y)
    assert len(model.history_) - 1 == model.best_units_ + 2
    assert len(CascadeRegressor().fit(X, y, callback=lambda it: it.units == 1).history_) == 2
    assert len(CascadeRegressor(**SMALL).fit(X, y, callback=lambda it: np.bool_(it.units == 1)).history_) == 2
    assert len(CascadeRegressor(max_epochs=50).fit(X, y).history_) - 1 == 4  # as many units as inputs


def test_several_outputs_linear():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (300, 3))
    y = np.stack([3.0 * X[:, 0] * X[:, 1], 2.0 + np.sin(3.0 * X[:, 2]), X[:, 0] - X[:, 1]], 1)
    for criterion in ("cascade2", "covariance"):
        model = CascadeRegressor(output="linear", max_units=8, criterion=criterion, output_steepness=1.0).fit(X, y)
        assert model.predict(X).shape == y.shape
        assert model.score(X, y) > 0.95


def test_the_first_units_output_weight():
    """Of cascade2 0.4 times the candidate's own; of covariance 0.4 times that of least squares."""
    X, y = two_spirals(100, 1)
    for criterion in ("cascade2", "covariance"):
        settings = CascadeSettings(criterion=criterion, output="linear")
        cascade = cc.Cascade(settings, cc.as_examples(X, y[:, None]), cc.as_examples(X, y[:, None]))
        cascade.grow()
        candidates, best, _, _ = cascade.train_candidates()
        left = cascade.errors[:, 0].copy()
        cascade.install(candidates, best)
        values = cascade.train.units[:, 3]
        wanted = candidates.weights[3, best] if criterion == "cascade2" else np.polyfit(values, left, 1)[0]
        assert cascade.output_weights[0, 3] == pytest.approx(0.4 * wanted, rel=1e-9)


@pytest.mark.parametrize("criterion", ["cascade2", "covariance"])
def test_the_number_of_threads_changes_nothing(criterion):
    X, y = two_spirals(2300, 1)
    X, settings = np.hstack([X, X * X]), {**SMALL, "criterion": criterion}
    found = [CascadeRegressor(**settings, num_threads=threads).fit(X, y) for threads in (1, 2, 3)]
    assert found[0].history_ == found[1].history_ == found[2].history_
    assert weights_of(found[0]) == weights_of(found[1]) == weights_of(found[2])
    assert weights_of(CascadeRegressor(**settings, seed=2).fit(X, y)) != weights_of(found[0])


def test_the_sums_of_least_squares_are_added_in_order():
    """Those of BLAS, which are not, depend on how many threads it has: here every bit is that of additions one by one."""
    rng, n = np.random.default_rng(1), 20_000
    examples, left = cc.as_examples(rng.random((n, 1)), np.zeros((n, 2))), rng.normal(size=(n, 2))
    values = rng.normal(size=n)
    column, sums = (values - values.mean()).tolist(), np.zeros(3)
    for s in range(64):
        own = [0.0, 0.0, 0.0]
        for i in range(n * s // 64, n * (s + 1) // 64):
            for k, factor in enumerate((*left[i].tolist(), column[i])):
                own[k] += column[i] * factor
        sums = sums + own
    for threads in (1, 3):
        cascade = cc.Cascade(CascadeSettings(criterion="covariance", num_threads=threads), examples, examples)
        assert cascade.least_squares(values, left).tolist() == (sums[:2] / sums[2]).tolist()


@pytest.mark.parametrize(("criterion", "groups"), [("cascade2", 1), ("cascade2", 30), ("covariance", 1)])
def test_the_memory_of_the_sums_is_counted(criterion, groups):
    rng, epochs = np.random.default_rng(1), {"min_epochs": 1, "max_epochs": 2}
    X, y = rng.random((600, 5)), rng.uniform(-1, 1, (600, 4))
    settings = CascadeSettings(criterion=criterion, functions=("sin",), steepnesses=(1.0,), groups=groups, **epochs)
    cascade = cc.Cascade(settings, cc.as_examples(X, y), cc.as_examples(X, y))
    for hidden in range(4):
        cascade.grow()
        assert cascade.room.nbytes == cc.sums_bytes(settings, 600, 5, 4, hidden)


def test_another_process_without_the_compiler_has_the_same_bits():
    X, y = parity(3)
    settings = {**SMALL, "functions": ("sigmoid", "gaussian_symmetric", "elliot", "sin", "cos_symmetric"), "groups": 1}
    script = f"""
import json
import numpy as np
from boardgym.baselines.learning.cascade.checkpoint import CHECKPOINTS
from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
X, y = np.array({X.tolist()}), np.array({y.tolist()})
print(json.dumps(CascadeRegressor(**{settings!r}).fit(X, y, test=(X, y)).net_.weights.tolist()))
"""
    here = CascadeRegressor(**settings).fit(X, y, test=(X, y)).net_.weights.tolist()
    assert len(here) > 4
    assert found_in_plain_python(script) == json.loads(json.dumps(here))


class Stopped(Exception):
    pass


@pytest.mark.parametrize("error", [KeyboardInterrupt, Stopped])
def test_what_has_grown_is_kept_when_it_is_interrupted(tmp_path, error):
    X, y = two_spirals(200, 1)
    whole, model = CascadeRegressor(**SMALL).fit(X, y), CascadeRegressor(**SMALL)

    def stop_at(units):
        def stop(progress):
            if progress.units == units:
                raise error

        return stop

    with pytest.raises(error):
        model.fit(X, y, callback=stop_at(2))
    assert model.history_ == whole.history_[:3]
    best = min(model.history_, key=lambda it: it.test_error)
    assert model.best_units_ == best.units
    assert weights_of(model) == weights_of(CascadeRegressor(**{**SMALL, "max_units": 2}).fit(X, y))
    with pytest.raises(error):
        CascadeRegressor(**SMALL).fit(X, y, checkpoint=tmp_path / "checkpoint", callback=stop_at(1))
    resumed = CascadeRegressor(**SMALL)
    with pytest.raises(error):
        resumed.fit(X, y, checkpoint=tmp_path / "checkpoint", callback=stop_at(2))
    assert (resumed.history_, weights_of(resumed)) == (model.history_, weights_of(model))


@pytest.mark.parametrize("criterion", ["cascade2", "covariance"])
def test_a_training_that_is_interrupted_goes_on_to_the_same_bits(tmp_path, criterion):
    X, y = two_spirals(200, 1)
    settings, path = {**SMALL, "max_units": 5, "criterion": criterion}, tmp_path / "checkpoint.safetensors"
    whole = CascadeRegressor(**settings).fit(X, y)

    def stop(progress):
        if progress.units == 2:
            raise Stopped

    with pytest.raises(Stopped):
        CascadeRegressor(**settings).fit(X, y, checkpoint=path, callback=stop)
    shorter = CascadeRegressor(**{**settings, "max_units": 3}, num_threads=1).fit(X, y, checkpoint=path)
    assert shorter.history_ == whole.history_[:4]
    again = CascadeRegressor(**settings).fit(X, y, checkpoint=path)
    assert again.history_ == whole.history_
    assert weights_of(again) == weights_of(whole)
    before = path.read_bytes()
    assert weights_of(CascadeRegressor(**settings).fit(X, y, checkpoint=path)) == weights_of(whole)  # nothing is left to do
    assert path.read_bytes() == before
    for other, message in (
        ({**settings, "seed": 2}, r"other settings \(seed\)"),
        ({**settings, "groups": 1}, r"other settings \(groups\)"),
    ):
        with pytest.raises(SpecError, match=message):
            CascadeRegressor(**other).fit(X, y, checkpoint=path)
    with pytest.raises(SpecError, match="other examples"):
        CascadeRegressor(**settings).fit(X, 0.5 * y, checkpoint=path)
    with pytest.raises(OptionError, match=r"max_units=4: .* has 5 already"):
        CascadeRegressor(**{**settings, "max_units": 4}).fit(X, y, checkpoint=path)
    path.write_bytes(before[:-9])
    with pytest.raises(SpecError, match=r"not a checkpoint|digest"):
        CascadeRegressor(**settings).fit(X, y, checkpoint=path)


X4, Y4 = np.eye(4), np.array([0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X4[0], Y4), r"X is of shape \(4,\); expected \(examples, inputs\)"),
        ((np.zeros((0, 3)), np.zeros(0)), r"X is of shape \(0, 3\); expected"),
        ((X4, Y4[:3]), r"y is of shape \(3,\); expected \(4,\) or \(4, outputs\)"),
        ((X4, np.zeros((4, 1, 1))), r"y is of shape \(4, 1, 1\)"),
        ((X4 * np.nan, Y4), r"X\[0, 0\] is .*nan.*; expected finite numbers"),
        ((X4, [0.1, np.inf, 0.3, 0.4]), r"y\[1\] is .*inf.*; expected finite"),
        ((X4 * 1e200, Y4), r"X\[0, 0\] is .*1e\+200"),
        ((X4, ["a"] * 4), "y: expected an array of numbers, got list"),
        ((X4, 3.0 * Y4), r"y is from 0.3 to 1.2; expected within \[-1, 1\] for output='sigmoid_symmetric'"),
        ((X4[:1], Y4[:1]), "X has 1 examples, of which none is left to train with"),
    ],
)
def test_examples_that_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        CascadeRegressor().fit(*arguments)


def test_sets_that_are_refused():
    with pytest.raises(ValueError, match="no test examples: expected test="):
        CascadeRegressor(test_fraction=0.0).fit(X4, Y4)
    with pytest.raises(ValueError, match=r"X of test has 3 columns; expected 4, as in training"):
        CascadeRegressor().fit(X4, Y4, test=(X4[:, :3], Y4))
    with pytest.raises(ValueError, match=r"X of holdout is of shape \(0, 4\)"):
        CascadeRegressor().fit(X4, Y4, holdout=(X4[:0], Y4[:0]))
    with pytest.raises(ValueError, match=r"test=ndarray: expected a pair"):
        CascadeRegressor().fit(X4, Y4, test=X4)
    model = CascadeRegressor(**SMALL).fit(X4[:1], Y4[:1], test=(X4, Y4))  # one example to train with is enough
    with pytest.raises(ValueError, match=r"X is of shape \(4, 3\); expected \(n, 4\)"):
        model.predict(X4[:, :3])
    with pytest.raises(ValueError, match=r"y has 2 columns; expected 1, as in training"):
        model.score(X4, np.stack([Y4, Y4], 1))
    assert model.score(X4, 3.0 * Y4) < 1.0  # targets that no output reaches: none the less it has a score
    with pytest.raises(OptionError, match="call fit"):
        CascadeRegressor().predict(X4)
    with pytest.raises(OptionError, match="call fit"):
        CascadeRegressor().score(X4, Y4)


def test_more_memory_than_there_is_is_refused(monkeypatch):
    """The sums of 8,000 candidates, 10 for each of them; the examples themselves would have room."""
    monkeypatch.setattr(memory, "machine_memory", lambda: 1 << 19)
    with pytest.raises(OptionError, match=r"4 examples with 4 units need .* lower max_units or groups"):
        CascadeRegressor(groups=200).fit(X4, Y4)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"criterion": "cascade"}, "did you mean 'cascade2'"),
        ({"rule": "rprop"}, "irprop"),
        ({"max_units": -1}, "max_units=-1: expected a whole number from 0 to 10,000"),
        ({"groups": True}, "groups=True"),
        ({"functions": ("sinus",)}, r"'sinus': did you mean 'sin'"),
        ({"functions": ()}, "make 0 candidates"),
        ({"steepnesses": (0.0,)}, "expected numbers above 0"),
        ({"min_epochs": 200}, "at most max_epochs=150"),
        ({"test_fraction": 1.5}, "test_fraction=1.5: expected a number from 0 to 0.9"),
        ({"first_step": float("nan")}, "first_step=nan"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_settings_that_are_refused(settings, message):
    with pytest.raises(OptionError, match=message):
        CascadeRegressor(**settings).fit(X4, Y4)


def test_parameters_are_those_of_scikit_learn():
    model = CascadeRegressor(groups=1)
    assert [*inspect.signature(CascadeRegressor).parameters] == [*model.get_params()]
    assert CascadeRegressor(**model.get_params()).get_params() == model.get_params()
    assert model.set_params(groups=3, seed=5) is model
    assert (model.groups, model.seed) == (3, 5)
    with pytest.raises(OptionError, match=r"no parameter 'alpha'; known: .*groups"):
        model.set_params(alpha=1)


def test_a_network_goes_on_growing_on_other_examples():
    """Its units are frozen; its output is trained from where it was; the best size is one of those since then."""
    settings = CascadeSettings(**SMALL)
    parts = [cc.as_examples(X, y.reshape(-1, 1)) for X, y in (two_spirals(200, seed) for seed in (1, 2, 3, 4))]
    first = cc.Cascade(settings, *parts[:2])
    for _ in range(4):
        first.grow()
    again = cc.Cascade(settings, *parts[2:])
    again.start_from(first.hidden, first.output_weights)
    before = again.train.error(again.output_weights, again.function, again.steepness)
    reports = [again.grow() for _ in range(3)]
    assert [it.units for it in reports] == [3, 4, 5]
    assert reports[0].train_error < before
    assert all(ours is theirs for ours, theirs in zip(again.hidden, first.hidden, strict=False))
    best = min(reports, key=lambda it: it.test_error)
    assert again.best_units == best.units
    assert again.best_weights.shape == (1, 3 + best.units)
    weights = again.network().weights.reshape(3 + best.units, -1)
    assert [weights[: 3 + k, k].tolist() for k in range(3)] == [own.tolist() for _, _, own in first.hidden]


def test_the_network_of_a_checkpoint_without_the_examples(tmp_path):
    X, y = two_spirals(60, 1)
    path, settings = tmp_path / "checkpoint.safetensors", {**SMALL, "max_units": 3}
    whole = CascadeRegressor(**settings).fit(X, y, checkpoint=path)
    restored = CascadeRegressor(**settings).restore(path)
    assert weights_of(restored) == weights_of(whole)
    assert restored.saved_training() == whole.saved_training()
    assert restored.predict(X).tolist() == whole.predict(X).tolist()
    with pytest.raises(SpecError, match="other settings"):
        CascadeRegressor(**{**settings, "seed": 9}).restore(path)
    arrays, header = CHECKPOINTS.read(path, {})
    for bad in (np.zeros(3), np.zeros((1, 3)), np.full_like(arrays["output_weights"], np.nan)):
        kept = {name: value for name, value in header.items() if name not in OWN_FIELDS}
        CHECKPOINTS.write(path, {**arrays, "output_weights": bad}, kept)
        with pytest.raises(SpecError, match="output_weights"):
            CascadeRegressor(**settings).restore(path)
