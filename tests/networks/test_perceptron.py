"""The network against numbers worked by hand and against PyTorch's gradients; how its weights move."""

import math

import numpy as np
import pytest
import torch

from boardgym.baselines.learning.td import risk
from boardgym.baselines.learning.td.risk import Piecewise, Smooth
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.verbs import transformed
from boardgym.compile import plain
from boardgym.core.errors import OptionError
from boardgym.core.random import stream


def make(sizes, activations, biases=True, seed=1):
    net = pn.make_perceptron(sizes, activations, biases=biases)
    net.weights[:] = np.random.default_rng(seed).normal(size=len(net.weights))
    return net


def by_torch(net, inputs):
    """(output, gradient) with the weights in the same order."""
    layers = [torch.tensor(layer.copy(), dtype=torch.float64, requires_grad=True) for layer in pn.layers_of(net)]
    functions = {0: torch.sigmoid, 1: torch.tanh, 2: lambda x: x, 3: torch.nn.functional.softsign}
    y = torch.tensor(inputs, dtype=torch.float64)
    for layer, kind, bias in zip(layers, net.kinds.tolist(), net.biases.tolist(), strict=True):
        y = functions[kind](torch.cat([y, torch.ones(1, dtype=torch.float64)]) @ layer if bias else y @ layer)
    y.sum().backward()
    return y.item(), np.concatenate([layer.grad.numpy().ravel() for layer in layers])


@pytest.mark.parametrize(
    ("sizes", "activations", "biases"),
    [
        ([9, 10, 1], ["sigmoid", "sigmoid"], True),
        ([8, 3, 1], ["sigmoid", "sigmoid"], [True, False]),
        ([5, 4, 3, 1], ["tanh", "sigmoid", "linear"], False),
        ([6, 1], ["tanh"], True),
        ([4, 3, 1], ["softsign", "softsign"], True),
    ],
)
def test_gradients_are_those_of_pytorch(sizes, activations, biases):
    net = make(sizes, activations, biases)
    rng, traces, want = np.random.default_rng(2), np.zeros(len(net.weights)), np.zeros(len(net.weights))
    for _ in range(4):
        inputs = rng.normal(size=sizes[0]) * (rng.random(sizes[0]) < 0.7)  # some are 0, which are passed over
        net.units[: sizes[0]] = inputs
        output = pn.gradient_kernel(net, 0.63, traces)
        wanted, gradient = by_torch(net, inputs)
        want = 0.63 * want + gradient
        assert output == pytest.approx(wanted, abs=1e-12)
        assert traces == pytest.approx(want, abs=1e-10)


@pytest.mark.parametrize("active", range(10))
def test_sums_are_added_in_the_order_of_the_inputs(active):
    """To the last bit, however many inputs are not 0: four of them at a time are added one after the other."""
    net = make([12, 5, 1], ["linear", "linear"], seed=active)
    rng, first, second = np.random.default_rng(active), *pn.layers_of(net)
    net.units[:12] = 0.0
    net.units[rng.choice(12, active, replace=False)] = rng.normal(size=active)
    output = second[5, 0]
    for j in range(5):
        total = first[12, j]
        for i in range(12):
            total = total + net.units[i] * first[i, j]
        output = output + total * second[j, 0]
    assert pn.gradient_kernel(net, 0.0, np.zeros(len(net.weights))) == output


def test_a_network_by_hand():
    """Two inputs, one hidden unit, one output; all sigmoid, biases in both layers."""
    net = pn.make_perceptron([2, 1, 1], ["sigmoid", "sigmoid"])
    net.weights[:] = [0.5, -0.25, 0.1, 2.0, -1.0]  # w1, w2, bias; v, bias
    net.units[:2] = [1.0, 2.0]
    hidden = 1 / (1 + math.exp(-0.1))  # 0.5 * 1 - 0.25 * 2 + 0.1 = 0.1
    output = 1 / (1 + math.exp(-(2 * hidden - 1)))
    assert (round(hidden, 6), round(output, 6)) == (0.524979, 0.512487)
    traces = np.ones(5)
    assert plain(pn.gradient_kernel)(net, 0.5, traces) == pytest.approx(output, abs=1e-15)
    at_output = output * (1 - output)  # 0.249844
    at_hidden = at_output * 2.0 * hidden * (1 - hidden)  # 0.124610
    assert (round(at_output, 6), round(at_hidden, 6)) == (0.249844, 0.12461)
    want = [0.5 + at_hidden, 0.5 + 2 * at_hidden, 0.5 + at_hidden, 0.5 + hidden * at_output, 0.5 + at_output]
    assert traces == pytest.approx(want, abs=1e-15)
    plain(pn.move_weights)(net, np.array([0.1, 0.2]), 3.0, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert net.weights == pytest.approx([0.5 + 0.3, -0.25 + 0.6, 0.1 + 0.9, 2.0 + 2.4, -1.0 + 3.0])


def test_coherent_weights_slow_down_where_their_changes_cancel():
    net, sums = pn.make_perceptron([2, 1], ["linear"], biases=False), np.zeros((2, 2))
    moves = [(1.0, [1.0, 1.0]), (1.0, [1.0, -1.0]), (-1.0, [-1.0, -1.0])]  # changes: 1, 1, 1 and 1, -1, 1
    seen = []
    for change, traces in moves:
        before = net.weights.copy()
        plain(pn.move_coherently)(net, np.array([0.5]), change, np.array(traces), sums)
        seen.append((net.weights - before).tolist())
    assert seen == [[0.5, 0.5], [0.5, -0.5], [0.5, 0.0]]  # of the second |1 - 1| / 2 = 0 is left
    assert sums.tolist() == [[3.0, 1.0], [3.0, 3.0]]


def test_weights_are_drawn_evenly():
    net = pn.make_perceptron([50, 40, 1], ["tanh", "linear"])
    plain(pn.draw_weights)(net, 0.01, stream(3))
    assert -0.01 <= net.weights.min() < -0.0099
    assert 0.0099 < net.weights.max() < 0.01
    assert abs(net.weights.mean()) < 4 * 0.01 / math.sqrt(3 * len(net.weights))
    again = pn.make_perceptron([50, 40, 1], ["tanh", "linear"])
    plain(pn.draw_weights)(again, 0.01, stream(3))
    assert again.weights.tolist() == net.weights.tolist()


def test_far_out_plain_python_is_as_kernels_are():
    """Where e^x is beyond all numbers: no error, and no number that kernels do not give."""
    net, traces = pn.make_perceptron([1, 1], ["sigmoid"], biases=False), np.zeros(1)
    net.weights[:] = 1.0
    for total, wanted in ((-1e4, 0.0), (-709.0, math.exp(-709.0)), (1e4, 1.0)):
        net.units[0] = total
        assert plain(pn.value)(net) == pytest.approx(wanted, rel=1e-12, abs=0.0)
        assert pn.gradient_kernel(net, 0.0, traces) == pytest.approx(wanted, rel=1e-12, abs=0.0)
    assert math.isnan(plain(pn.activated)(pn.SIGMOID, math.nan))
    for x, wanted in ((-1e4, -math.inf), (-700.0, -math.expm1(700.0)), (1e4, 1.0)):
        assert plain(risk.transformed)(Smooth(), x, 1.0) == pytest.approx(wanted, rel=1e-12)
        assert transformed(Smooth(), x, 1.0) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("x", [-2.0, -0.1, 0.0, 0.3, 4.0])
def test_surprises_are_weighed_by_risk(x):
    for kappa, (up, down) in {0.0: (1.0, 1.0), -0.8: (1.8, 0.2), -1.0: (2.0, 0.0), 0.5: (0.5, 1.5)}.items():
        assert transformed(Piecewise(), x, kappa) == pytest.approx((up if x > 0 else down) * x)
    assert transformed(Smooth(), x, 0.0) == x
    assert transformed(Smooth(2.0), x, -0.5) == pytest.approx(math.exp(x) - 1.0)
    step = 1e-6
    assert (transformed(Smooth(), x + step, 0.7) - transformed(Smooth(), x - step, 0.7)) / (2 * step) == pytest.approx(
        math.exp(-0.7 * x)
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([3, 2], ["sigmoid"]), "and last 1"),
        (([3, 0, 1], ["sigmoid", "tanh"]), "above 0"),
        (([3], []), "whole numbers"),
        (([3, 1], ["relu"]), "known: linear, sigmoid, softsign, tanh"),
        (([3, 2, 1], ["tanh"]), "2 layers, 1 activations"),
        (([5000, 5000, 1], ["tanh", "tanh"]), "expected at most 16,777,216"),
    ],
)
def test_bad_shapes_are_refused(arguments, message):
    with pytest.raises(OptionError) as caught:
        pn.make_perceptron(*arguments)
    assert message in str(caught.value)
