"""Each learner of weights and its plain twin, trained with the same seeds, end with the same."""

import numpy as np
import pytest
from twin_files import twin

from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber
from boardgym.baselines.learning.descent.config import DescentConfig
from boardgym.baselines.learning.descent.trainer import DescentTraining
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.baselines.learning.q_sarsa import QSarsa, QSarsaConfig
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.risk_td import learn_model, outcomes_of
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.solo import RiskProblem

SEEDS = (1, 2, 3)
EPISODES = 400  # of TD(lambda)
CLOSE = 1e-12  # NumPy adds up the products of a layer in another order than the kernels


def compiled_weights(seed, episodes, kappa="0", **settings):
    """(the weights that a training begins with, those that it ends with), float64 (W,) each."""
    config = NetworkConfig(
        game="TicTacToe-v0",
        option=(),
        features="planes",
        hidden=(10,),
        output_activation="tanh",
        weight_span=0.5,
        opponent="learner",
        seat="0",
        episodes=episodes,
        epsilon="0.1",
        step_size="0.1",
        discount="0.9",
        trace_decay="0.7",
        kappa=kappa,
        seed=seed,
        **settings,
    )
    trainer = NetworkTrainer(config)
    first = trainer.net.weights.copy()
    return first, trainer.run().net.weights


def row_of(net):
    """A twin's weights in the order of the compiled network."""
    return np.concatenate([part.ravel() for part in net])


@pytest.mark.parametrize("kappa", [0.0, -0.5, 1.0])
def test_td_network(kappa):
    for seed in SEEDS:
        first, last = compiled_weights(seed, EPISODES, str(kappa))
        assert row_of(twin("td_network").train(0, seed=seed)).tolist() == first.tolist()
        found = row_of(twin("td_network").train(EPISODES, kappa=kappa, seed=seed))
        assert np.abs(found - last).max() < CLOSE
        assert np.abs(last - first).max() > 0.1


@pytest.mark.parametrize(("depth", "episodes"), [(1, 100), (2, 100), (3, 60)])
def test_td_leaf(depth, episodes):
    """Depth 1 is TD(lambda); at depth 3 the leaf lies behind an own turn, whose discount counts."""
    for seed in SEEDS[: 3 if depth < 3 else 1]:
        first, last = compiled_weights(seed, episodes, search_depth=depth)
        found = row_of(twin("td_leaf").train(episodes, depth=depth, seed=seed))
        assert np.abs(found - last).max() < CLOSE
        assert np.abs(last - first).max() > 0.01
    if depth == 1:
        assert row_of(twin("td_network").train(episodes, seed=seed)) == pytest.approx(found, abs=CLOSE)


@pytest.mark.parametrize("wins_of", ["all", "decided"])
def test_coevolution(wins_of):
    """To the last bit: weights are only added up, and nets are only compared."""
    settings = {"generations": 60, "games": 4, "step": 0.1, "noise": 0.3, "epsilon": 0.1, "wins_of": wins_of}
    for seed in SEEDS:
        climber = HillClimber(CoevolutionConfig(game="TicTacToe-v0", keep_every=1, seed=seed, **settings))
        climber.run()
        champions, results = twin("coevolution").train(seed=seed, **settings)
        assert climber.results().tolist() == results
        assert climber.champions()[1].tolist() == [champion.tolist() for champion in champions]
        assert climber.followed().sum() > 3


@pytest.mark.parametrize("kappa", [-1.0, -0.5, 0.0, 0.8])
def test_risk_td(kappa):
    """To the last bit."""
    model = RiskProblem(0.3, 2.0).transitions()
    for seed in SEEDS:
        ours = learn_model(outcomes_of(model), kappa, discount=0.8, steps=2000, seed=seed)
        theirs = twin("risk_td").learn(model, kappa, discount=0.8, steps=2000, seed=seed)
        assert theirs.tolist() == ours.tolist()
        assert np.abs(ours).max() > 0.1


@pytest.mark.parametrize("groups", [1, 2])
def test_cascade(groups):
    """The two add up their sums in another order."""
    rng = np.random.default_rng(1)
    X, test = rng.normal(size=(60, 3)), rng.normal(size=(30, 3))
    y, test_y = np.tanh(X[:, 0] * X[:, 1] - X[:, 2]), np.tanh(test[:, 0] * test[:, 1] - test[:, 2])
    for seed in SEEDS:
        settings = {"max_units": 3, "groups": groups, "seed": seed}
        ours = CascadeRegressor(**settings, min_epochs=10, max_epochs=30).fit(X, y, test=(test, test_y))
        errors, hidden, weights = twin("cascade").train(X, y, (test, test_y), **settings, least=10, most=30)
        assert errors == [pytest.approx((it.train_error, it.test_error), abs=1e-9) for it in ours.history_]
        assert [(name, steepness) for name, steepness, _ in hidden] == [(it.function, it.steepness) for it in ours.history_[1:]]
        net = ours.net_.weights.reshape(4 + ours.best_units_, -1)
        for k, (_, _, own) in enumerate(hidden[: ours.best_units_]):
            assert np.abs(net[: 4 + k, k] - own).max() < 1e-9
        assert np.abs(net[:, -1] - weights).max() < 1e-9
        assert errors[-1][0] < 0.5 * errors[0][0]


@pytest.mark.parametrize("rates", [{}, {"sigma": 0.0, "discount": 0.9, "trace_decay": 0.4, "step_size": 0.6}])
def test_q_sarsa(rates, tmp_path):
    """The two add up their sums in another order, and grow on games that these have chosen the actions of."""
    grown = 0
    for seed in SEEDS[: 1 if rates else 2]:
        settings = {"batches": 5, "games": 40, "window": 150, "groups": 3, "seed": seed, **rates}
        config = QSarsaConfig(game="TicTacToe", temperature="0.3", functions=("sigmoid_symmetric",), min_epochs=10,
                              max_epochs=30, max_units=9, **settings)  # fmt: skip
        state = train_into(QSarsa(config), tmp_path / str(seed)).training.state
        errors, (hidden, weights) = twin("q_sarsa").train(**settings, least=10, most=30)
        assert errors == pytest.approx([row[5] for row in state.curve], abs=1e-9)
        assert len(hidden) == len(state.hidden)
        assert all(np.abs(own - ours).max() < 1e-9 for own, (_, _, ours) in zip(hidden, state.hidden, strict=True))
        assert np.abs(weights - state.output_weights[0]).max() < 1e-9
        grown += len(hidden)
    assert grown > 0


@pytest.mark.parametrize(
    ("shares", "rates"), [(False, {}), (True, {"step_size": 0.6, "learning_rate": 0.05, "discount": 0.9, "weight_span": 0.5})]
)
def test_q_network(shares, rates):
    names = {"step_size": "alpha", "learning_rate": "eta", "discount": "discount", "weight_span": "span"}
    for seed in SEEDS:
        training = QNetwork(QNetworkConfig(game="TicTacToe-v0", games=EPISODES, hidden=9, shares=shares, seed=seed, **rates))
        first = row_of(trimmed(training.nets, 9).values())
        training.play_to(EPISODES)
        settings = {names[name]: value for name, value in rates.items()}
        found = row_of(twin("q_network").train(EPISODES, hidden=9, shares=shares, seed=seed, **settings))
        last = row_of(trimmed(training.nets, 9).values())
        assert np.abs(found - last).max() < 1e-10
        assert np.abs(last - first).max() > 0.01


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"epsilon": 0.3, "alpha": 0.5, "trace_decay": 0.7},
        {"through": (0,)},
        {"epsilon": 0.3, "through": (1,)},
        {"epsilon": 0.3, "through": (0, 1)},
    ],
)
def test_ntuple(settings):
    """Weights, N and A of both seats, after the same games: both lay out the tables alike."""
    names = {"epsilon": "epsilon", "alpha": "step_size", "trace_decay": "trace_decay"}
    rates = {name: value for name, value in settings.items() if name != "through"}
    given = {names[name]: value if name == "trace_decay" else str(value) for name, value in rates.items()}
    given["learn_through"] = {(): "none", (0,): "first", (1,): "second", (0, 1): "both"}[settings.get("through", ())]
    tuples = tuple(f"cells({' '.join('{},{}'.format(*divmod(cell, 3)) for cell in cells)})" for cells in twin("ntuple").TUPLES)
    for seed in SEEDS:
        training = NTupleTraining(NTupleConfig(game="TicTacToe-v0", games=200, tuples=tuples, seed=seed, **given))
        training.play_to(200)
        found = twin("ntuple").train(200, seed=seed, **settings)
        for own, ours in zip(found, training.memory, strict=True):
            assert own.shape == ours.shape == (2, 162)
            assert np.abs(own - ours).max() < 1e-6
        assert np.abs(found[0]).max() > 0.1


@pytest.mark.parametrize("settings", [{}, {"epsilon": 0.0, "budget": 1, "alpha": 1.5}])
def test_descent(settings):
    """Weights of both seats and the results, after the same games and trees: both lay out the tables alike."""
    names = {"epsilon": "epsilon", "alpha": "step_size", "budget": "budget"}
    given = {"epsilon": 0.3, "budget": 10, "alpha": 0.5, **settings}
    config = {names[name]: value if name == "budget" else str(value) for name, value in given.items()}
    tuples = tuple(f"cells({' '.join('{},{}'.format(*divmod(cell, 3)) for cell in cells)})" for cells in twin("descent").LINES)
    for seed in SEEDS:
        common = {"tuples": tuples, "symmetries": "none", "coherence": "none", "nodes": 20_000, "seed": seed}
        training = DescentTraining(DescentConfig(game="TicTacToe-v0", games=60, **common, **config))
        training.play_to(60)
        weights, ends = twin("descent").train(60, seed=seed, **settings)
        assert weights.shape == training.memory.weights.shape == (2, 216)
        assert np.abs(weights - training.memory.weights).max() < 1e-6
        assert [ends.count(result) for result in (1.0, 0.0, -1.0)] == training.totals.counts[:, :3].sum(axis=0).tolist()
        assert np.abs(weights).max() > 0.5
