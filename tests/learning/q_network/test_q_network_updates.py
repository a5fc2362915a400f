"""Q-learning with networks: an update by hand, whole games against PyTorch, what is a decision and what is not."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning import game_totals as gt
from boardgym.baselines.learning.q_network import networks as qn
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.compile import as_python
from boardgym.core.errors import RuleError
from boardgym.core.game import GAMES, get_game
from boardgym.core.verbs import rule
from boardgym.testing.dice import DICE
from tests.core.shuttle import SHUTTLE, Endless, game_of
from tests.learning.q_network.reference import Reference


class Paid(Endless):
    """The game without repetition in which each ply pays the difference of the cells."""

    __slots__ = ()


@rule(Paid)
def reward(position, seat):
    paid = 0.125 * (position.own - position.other)
    return paid if seat == position.seat else -paid


PAID = game_of(Paid, "Paid")
CLOSE = 1e-10  # PyTorch adds up its sums in another order


def small(**settings):
    """A training on Tic-Tac-Toe with weights that are not all small."""
    return QNetwork(QNetworkConfig(**{"game": "TicTacToe-v0", "games": 20, "hidden": 5, "weight_span": 0.8, **settings}))


def by_hand(form):
    """A network of two inputs, two hidden units and two actions, and what stands for it under each form."""
    nets = qn.make_networks(form, num_networks=1, inputs=2, hidden=2, actions=2)
    group, output = (1 if form == "multi" else 0), (0 if form == "pair" else 1)
    weights = np.array([[0.1, -0.3], [0.2, 0.4], [0.05, 0.0]])  # a row an input, then the biases
    if form == "pair":  # action 1 adds to the biases what the others lack
        weights = np.insert(weights, 2, [[7.0, 7.0], [0.25, -0.5]], axis=0)
        weights[-1] -= [0.25, -0.5]
    nets.weights.input_weights[0, group, :, :2] = weights
    nets.weights.output_weights[0, output, :2] = 0.5, -0.25
    nets.weights.output_biases[0, output] = 0.1
    if form != "pair":  # of the other action
        nets.weights.output_weights[0, 0, :2], nets.weights.output_biases[0, 0] = (0.3, 0.7), -0.2
    return nets, group, output


@pytest.mark.parametrize("form", qn.FORMS)
def test_an_update_by_hand(form):
    """x = (1, -1), action 1: the sums are -0.05 and -0.7, and a return of 0.8 gives 0.9 Q + 0.1 * 0.8 as the target."""
    nets, group, output = by_hand(form)
    state, values = qn.make_state(2), qn.Values(np.zeros((2, qn.LANES)), np.zeros(2))
    state.inputs[:] = 1.0, -1.0
    as_python(qn.note_places)(state)
    as_python(qn.write_values)(nets, 0, state, np.array([0, 1]), 2, values)
    row = 0 if form == "single" else 1
    assert values.hidden[row, :2] == pytest.approx([-0.04995837495787998, -0.6043677771171636], abs=1e-14)
    assert values.outputs[1] == pytest.approx(0.22233647854666905, abs=1e-14)
    before = nets.weights.input_weights.copy()
    target = 0.9 * values.outputs[1] + 0.1 * 0.8
    as_python(qn.learn_value)(nets, 0, state, 1, values.hidden[row], values.outputs[1], target, 0.1)
    assert nets.weights.output_weights[0, output, :2] == pytest.approx([0.49972567477318075, -0.25331862931249644], abs=1e-14)
    assert nets.weights.output_biases[0, output] == pytest.approx(0.10549107586166545, abs=1e-14)
    moved = (nets.weights.input_weights - before)[0, group, :, :2]
    step = np.array([0.0027386855095618, -0.000871350810249])
    assert moved[0] == pytest.approx(step, abs=1e-14)
    assert moved[1] == pytest.approx(-step, abs=1e-14)
    assert moved[-1] == pytest.approx(step, abs=1e-14)
    if form == "pair":
        assert moved[2].tolist() == [0.0, 0.0]  # of the other action
        assert moved[3] == pytest.approx(step, abs=1e-14)
    elif form == "multi":
        assert nets.weights.input_weights[0, 0].any() == np.False_  # the other action's network
    if form != "pair":
        assert nets.weights.output_weights[0, 0, :2].tolist() == [0.3, 0.7]
        assert nets.weights.output_biases[0, 0] == -0.2
    for weights in (nets.weights.input_weights, nets.weights.output_weights):
        assert not weights[..., 2:].any()  # of what the units are padded with


def differences(training, reference):
    """The greatest difference of any weight."""
    ours = trimmed(training.nets, training.config.hidden)
    theirs = {name: part.detach().numpy() for name, part in reference.weights.items()}
    return max(np.abs(ours[name] - theirs[name]).max() for name in ours)


@pytest.mark.parametrize("form", qn.FORMS)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"shares": True, "target": "full", "discount": 0.9},
        {"exploration": "epsilon", "epsilon": "0.3", "step_size": 0.5, "learning_rate": 0.9},
    ],
)
def test_games_are_those_of_pytorch(form, settings):
    training = small(form=form, **settings)
    reference = Reference(training)
    first = trimmed(training.nets, 5)["input_weights"].copy()
    training.play_to(training.total)
    for game in range(training.total):
        reference.play(0.001 ** (game / training.total))
    assert differences(training, reference) < CLOSE
    assert np.abs(trimmed(training.nets, 5)["input_weights"] - first).max() > 0.01
    assert training.totals.errors.sum() == pytest.approx(reference.errors, rel=1e-10)
    assert training.rng.tolist() == reference.rng.tolist()


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("ConnectFour-v0", {"form": "multi", "games": 2}),  # what was learnt may be played again
        ("Shuttle-v0", {"form": "multi", "games": 20}),  # a draw by repetition
        ("Paid-v0", {"games": 5, "max_plies": 9}),  # every ply pays
        ("Dice-v0", {"games": 10}),  # one point or two
        ("Backgammon-v0", {"games": 1}),  # one to three points, and passes
        ("Abalone3-v0", {"games": 1, "max_plies": 7}),  # three seats
    ],
)
def test_games_of_all_kinds(game, settings, monkeypatch):
    """Not compiled."""
    monkeypatch.setattr(qg, "play_kernel", as_python(qg.play_kernel))
    for one in (SHUTTLE, PAID, DICE):
        monkeypatch.setitem(GAMES, one.name, one)
    training = small(game=game, hidden=3, temperature="5", never_greedy=True, **settings)
    reference = Reference(training)
    first = trimmed(training.nets, 3)["output_biases"].copy()
    training.play_to(training.total)
    for _ in range(training.total):
        reference.play(5.0)
    assert differences(training, reference) < CLOSE
    assert training.rng.tolist() == reference.rng.tolist()
    assert (trimmed(training.nets, 3)["output_biases"] != first).any(axis=1).all()  # of each seat
    assert (reference.num_passes > 0) == (game == "Backgammon-v0")
    assert (reference.num_repeated > 0) == (game == "Shuttle-v0")


def test_passes():
    """The games that have one name it."""
    found = {name: game.pass_action for name, game in GAMES.items() if game.pass_action is not None}
    found["Abalone"] = get_game("Abalone-v0", no_move="pass").pass_action
    assert found == {"Othello": 64, "Backgammon": 150, "Abalone": 1272, "Abalone3": 1272}
    assert get_game("Othello-v0", size=4).pass_action == 16
    assert get_game("Abalone3-v0", no_move="draw").pass_action is None
    with pytest.raises(RuleError, match=r"pass_action=3; expected None or the last, 64"):
        dataclasses.replace(get_game("Othello-v0"), pass_action=3)


@pytest.mark.parametrize(("form", "shares"), [("single", False), ("multi", True)])
def test_othello_with_passes_and_cut_games(form, shares, monkeypatch):
    """On 4 x 4, where every other game has a pass; not compiled."""
    monkeypatch.setattr(qg, "play_kernel", as_python(qg.play_kernel))
    settings = {"game": "Othello-v0", "option": ("size=4",), "form": form, "shares": shares, "games": 12, "max_plies": 11}
    training = small(**settings)
    assert training.features.names[:3] == ("a1", "b1", "c1")
    reference = Reference(training)
    training.play_to(12)
    for game in range(12):
        reference.play(0.001 ** (game / 12))
    assert differences(training, reference) < CLOSE
    counts = training.totals.counts.sum(axis=0)
    assert counts[gt.WINS : gt.LOSSES + 1].sum() == 12
    assert counts[gt.UPDATES] < counts[gt.PLIES]  # a pass is no decision
    assert training.learner.pass_action == 16
    assert training.nets.weights.output_biases.shape == (1 if shares else 2, 16)


def test_a_greedy_game_has_no_draws():
    """Below the switch the best action is played, with no draw; above it an action of small value is played too."""
    training = small(temperature="geometric(1, 0)", games=20)
    training.play_to(1)
    state = training.rng.tolist()
    training.play_to(20)
    assert training.rng.tolist() == state
    values, weights = np.array([0.2, 0.9, 0.1]), np.zeros(3)
    learner, drawn = training.learner, []
    for temperature, least in ((0.0019, 0), (0.0021, 1), (10.0, 1)):
        rng = np.array([5], np.uint64)
        drawn.append({int(qg.choose(learner, temperature, 0.0, values, weights, 3, rng)) for _ in range(50)})
        assert (rng[0] != 5) == bool(least)
    assert drawn == [{1}, {1}, {0, 1, 2}]


def test_softmax_by_hand():
    """Values 0 and 0.1 at temperature 0.1: the second with probability e / (1 + e) = 0.731."""
    training, rng = small(), np.array([7], np.uint64)
    values, weights = np.array([0.0, 0.1]), np.zeros(2)
    drawn = [int(qg.choose(training.learner, 0.1, 0.0, values, weights, 2, rng)) for _ in range(4000)]
    assert weights == pytest.approx([np.exp(-1.0), 1.0], rel=1e-14)
    assert np.mean(drawn) == pytest.approx(0.731, abs=0.02)
