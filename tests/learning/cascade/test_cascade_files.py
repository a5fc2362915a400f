"""Cascade networks as files, also hostile ones, and as evaluations of searches."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from cascade_problems import two_spirals

from boardgym.baselines.learning.cascade.regressor import CascadeRegressor, load_regressor
from boardgym.baselines.networks import cascade_functions as cf
from boardgym.baselines.networks import cascade_network as cn
from boardgym.baselines.networks.cascade_files import CASCADES, load_cascade, save_cascade
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.baselines.search.evaluations import CascadeEvaluation, cascade_evaluation, register_evaluation
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from tests.support import found_in_plain_python

QUICK = {"max_units": 3, "min_epochs": 5, "max_epochs": 10, "groups": 1}


def random_net(inputs, units=4, outputs=1, seed=1, span=0.6):
    rng = np.random.default_rng(seed)
    hidden = [
        (int(rng.integers(10)), float(rng.choice([0.25, 1.0])), span * rng.normal(size=inputs + 1 + k)) for k in range(units)
    ]
    return cn.make_cascade(inputs, hidden, [(1, 0.5, span * rng.normal(size=inputs + 1 + units)) for _ in range(outputs)])


def outputs_of(net, rows):
    out = np.empty((len(rows), int(net.sizes[2])))
    cn.forward_kernel(net, rows, out)
    return out


def test_a_file_brings_the_network_back(tmp_path):
    X, y = two_spirals(100, 1)
    path = tmp_path / "cascade.safetensors"
    for targets in (y, np.stack([y, -y], 1)):
        model = CascadeRegressor(**QUICK).fit(X, targets)
        model.save(path)
        again = load_regressor(path)
        assert again.predict(X).tolist() == model.predict(X).tolist()
        assert again.best_units_ == model.best_units_
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    with pytest.raises(OptionError, match="call fit"):
        CascadeRegressor().save(path)


def test_a_file_brings_the_training_back(tmp_path):
    """Settings, history and feature map: what is loaded and saved again is the same file, and learns the same."""
    features, path, rng = feature_map("planes", "TicTacToe-v0"), tmp_path / "cascade.safetensors", np.random.default_rng(1)
    X, y = rng.random((60, len(features.names))), 5.0 * rng.random(60)
    model = CascadeRegressor(**QUICK, output="linear", functions=("sin", "gaussian"), seed=7, num_threads=2).fit(X, y)
    model.save(path, features=features)
    again, before = load_regressor(path), path.read_bytes()
    assert again.get_params() == model.get_params()
    assert again.history_ == model.history_
    assert again.score(X, y) == model.score(X, y)
    assert (again.features_.text, again.features_.game.id) == ("planes", "TicTacToe-v0")
    again.save(path)
    assert path.read_bytes() == before
    assert again.fit(X, y).predict(X).tolist() == model.predict(X).tolist()
    assert again.features_ is None  # of the file's inputs, not of others that are learnt later
    save_cascade(path, model.net_)  # by another program
    assert load_regressor(path).get_params() == CascadeRegressor().get_params()
    assert load_regressor(path).history_ == []


ERRORS = {"train_error": 1.0, "test_error": 1.0, "holdout_error": None}


@pytest.mark.parametrize(
    ("training", "message"),
    [
        ({"groups": "2"}, "the settings and the history"),
        ({"groups": 0}, "groups=0: expected a whole number"),
        ({"seed": -1}, "seed=-1"),
        ({"is_flat": 1}, "the settings and the history"),
        ({"history": [{"units": 0}]}, "the settings and the history"),
        (
            {"history": [{"units": 1, **ERRORS}]},
            "expected a history of 0, 1",
        ),
        (
            {"history": [{"units": 0, **ERRORS}]},
            "the network's 4 among them",
        ),
    ],
)
def test_settings_of_a_stranger(tmp_path, training, message):
    path = tmp_path / "cascade.safetensors"
    save_cascade(path, random_net(3), training=training)
    with pytest.raises(SpecError, match=message):
        load_regressor(path)


def test_features_of_a_stranger(tmp_path):
    path, arrays = tmp_path / "cascade.safetensors", {"functions": np.ones(1, np.int64), "steepnesses": np.ones(1)}
    for changes, message in (
        ({"game": "TicTacTo-v0"}, "TicTacToe-v0"),
        ({"options": {"size": 9}}, "size"),
        ({"features": "plane"}, "planes"),
        ({"features_version": 2}, "over version 2"),
        ({}, "3 inputs; .* has"),
    ):
        header = {"inputs": 3, "units": 0, "outputs": 1, "game": "TicTacToe-v0", "options": {}, "features": "planes", **changes}
        CASCADES.write(path, {**arrays, "weights": np.zeros(4)}, header)
        with pytest.raises(SpecError, match=message):
            load_regressor(path)


def test_the_forward_pass_by_hand():
    net = cn.make_cascade(2, [(4, 1.0, np.array([1.0, -2.0, 0.5]))], [(10, 1.0, np.array([0.25, 0.0, 1.0, -4.0]))])
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 2.0]])
    sums = [1.5, -1.5, -0.5]
    hidden = [0.5 + 0.5 * s / (1.0 + abs(s)) for s in sums]
    wanted = [0.25 * row[0] + 1.0 - 4.0 * z for row, z in zip(rows.tolist(), hidden, strict=True)]
    assert outputs_of(net, rows)[:, 0] == pytest.approx(wanted, abs=1e-15)


def test_damaged_files_are_refused_or_unharmed(tmp_path):
    net, path = random_net(5), tmp_path / "cascade.safetensors"
    save_cascade(path, net, training={"note": "x"})
    whole, rng, refused = path.read_bytes(), np.random.default_rng(1), []
    for trial in range(400):
        damaged = bytearray(whole)
        if trial % 4 == 0:
            damaged = damaged[: int(rng.integers(len(whole)))]
        else:
            for _ in range(int(rng.integers(1, 4))):
                damaged[int(rng.integers(len(whole)))] = int(rng.integers(256))
        path.write_bytes(damaged)
        try:
            found, _ = load_cascade(path)
        except SpecError as error:
            refused.append(str(error))
        else:
            assert found.weights.tolist() == net.weights.tolist()
    assert len(refused) > 380
    assert all(str(path) in message for message in refused)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": np.full(54, np.nan)}, "weights beyond"),
        ({"weights": np.full(54, 1e9)}, "weights beyond -1500 to 1500"),
        ({"weights": np.zeros(53)}, r"weights is float64 \(53,\), expected float64 \(54,\)"),
        ({"functions": np.array([0, 1, 2, 3, 4, 99])}, "functions beyond 0 to 10"),
        ({"functions": np.array([0, 1, 2, 3, 99, 1])}, "functions of hidden units beyond 0 to 9"),
        ({"functions": np.array([0, 1, 10, 3, 4, 1])}, "functions of hidden units beyond 0 to 9"),  # linear
        ({"functions": np.zeros(6, np.int32)}, "functions is int32"),
        ({"steepnesses": np.zeros(6)}, "steepnesses beyond"),
        ({"inputs": 10**9}, "header"),
        ({"units": -1}, "header"),
        ({"units": True}, "header"),
        ({"features": 3}, "header"),
    ],
)
def test_files_of_a_stranger(tmp_path, changes, message):
    path = tmp_path / "cascade.safetensors"
    arrays = {"functions": np.ones(6, np.int64), "steepnesses": np.ones(6), "weights": np.zeros(54)}
    header = {"inputs": 3, "units": 5, "outputs": 1}
    CASCADES.write(path, arrays, header)
    assert load_cascade(path)[0].sizes.tolist() == [3, 5, 1]
    for name, value in changes.items():
        (arrays if name in arrays else header)[name] = value
    CASCADES.write(path, arrays, header)
    with pytest.raises(SpecError, match=message):
        load_cascade(path)
    with pytest.raises(SpecError, match="no file"):
        load_cascade(tmp_path / "none")


def test_a_search_asks_it_at_the_depth(tmp_path):
    """The search in plain Python, which is quicker than to compile it for one more evaluation."""
    features, path = feature_map("planes", "TicTacToe-v0"), tmp_path / "cascade.safetensors"
    net = random_net(len(features.names), span=0.2)
    save_cascade(path, net, features=features)
    script = f"""
import json
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
board = Board("TicTacToe-v0")
board.play(["a1", "b2"])
values = make_policy("minimax:1,evaluation=cascade(file:{path})", board.game, seed=1).analyse(board).action_values
print(json.dumps([[int(action), value] for action, value in values.items()]))
"""
    values, evaluation = found_in_plain_python(script), pickle.loads(pickle.dumps(cascade_evaluation(path, "TicTacToe-v0")))
    assert len({value for _, value in values}) > 3
    board = Board("TicTacToe-v0")
    board.play(["a1", "b2"])
    for action, value in values:
        board.push(action)
        assert value == outputs_of(net, features(board, 0)[None])[0, 0]  # of the seat that has moved
        assert value == evaluation(board, 0)
        board.pop()


def test_a_network_that_overflows_is_worth_nothing():
    """Chains of linear units, which no file may hold, but a network made in Python may: inf - inf is NaN."""
    features = feature_map("planes", "TicTacToe-v0")
    inputs, units = len(features.names), []
    for k in range(150):  # by turns of a chain that begins with the bias, and of one that begins with its opposite
        weights = np.zeros(inputs + 1 + k)
        weights[inputs if k < 2 else -2] = -1500.0 if k == 1 else 1500.0
        units.append((cf.LINEAR, 100.0, weights))
    net = cn.make_cascade(inputs, units, [(cf.SIGMOID_SYMMETRIC, 0.5, np.ones(inputs + 151))])
    with np.errstate(all="ignore"):
        assert np.isnan(outputs_of(net, np.zeros((1, inputs)))).all()
        assert CascadeEvaluation(features, net)(Board("TicTacToe-v0"), 0) == 0.0


def test_evaluations_that_are_refused(tmp_path):
    features, path = feature_map("planes", "TicTacToe-v0"), tmp_path / "cascade.safetensors"
    save_cascade(path, random_net(len(features.names)), features=features)
    for spec in ("minimax:1,evaluation=cascade", "minimax:1,evaluation=cascade(random)"):
        with pytest.raises(SpecError, match="expected one file in brackets"):
            make_policy(spec, "TicTacToe-v0")
    with pytest.raises(UnsupportedGameError, match="is for TicTacToe-v0"):
        make_policy(f"minimax:1,evaluation=cascade(file:{path})", "ConnectFour-v0")
    with pytest.raises(OptionError, match="which has"):
        save_cascade(path, random_net(3), features=features)
    save_cascade(path, random_net(3))
    with pytest.raises(SpecError, match="over no feature map"):
        cascade_evaluation(path, "TicTacToe-v0")
    with pytest.raises(OptionError, match="3 inputs and 2 outputs"):
        CascadeEvaluation(features, random_net(3, outputs=2))
    with pytest.raises(OptionError, match="cascade"):
        register_evaluation("cascade", tuple)
    for changes, message in (({"features": "plane"}, "plane"), ({"features_version": 2}, "over version 2")):
        header = {"inputs": 3, "units": 0, "outputs": 1, "game": "TicTacToe-v0", "options": {}, "features": "planes", **changes}
        CASCADES.write(path, {"functions": np.ones(1, np.int64), "steepnesses": np.ones(1), "weights": np.zeros(4)}, header)
        with pytest.raises(SpecError, match=message):
            cascade_evaluation(path, "TicTacToe-v0")


def test_a_search_imports_nothing_from_learning():
    code = "import sys, boardgym.baselines.search.evaluations; print('boardgym.baselines.learning' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
