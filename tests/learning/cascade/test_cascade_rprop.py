"""Rprop against numbers worked by hand, and iRprop- against PyTorch's."""

import numpy as np
import pytest
import torch

from boardgym.baselines.learning.cascade import rprop as rp


def run(rule, gradients, errors, first_step=0.1):
    """The weight after each of the gradients, from 0."""
    weights, state, found = np.zeros((1, 1)), rp.make_state(1, 1, first_step), []
    for g, error in zip(gradients, errors, strict=True):
        rp.update(weights, np.array([[g]]), np.array([error]), state, rp.Rprop(rp.RULES.index(rule)))
        found.append(weights[0, 0])
    return found


GRADIENTS = [2.0, 0.5, -1.0, -1.0, -3.0]


def test_irprop_minus_by_hand():
    """Steps 0.1, 0.12, 0.06 (no move), 0.06, 0.072."""
    assert run("irprop-", GRADIENTS, [5, 4, 9, 9, 9]) == pytest.approx([-0.1, -0.22, -0.22, -0.16, -0.088])


def test_irprop_plus_takes_back_a_step_if_the_error_has_grown():
    """The same steps; in the third epoch the 0.12 of the second are taken back."""
    assert run("irprop+", GRADIENTS, [5, 4, 9, 8, 7]) == pytest.approx([-0.1, -0.22, -0.1, -0.04, 0.032])
    assert run("irprop+", GRADIENTS, [5, 4, 3, 2, 1]) == pytest.approx(run("irprop-", GRADIENTS, [1] * 5))


def test_steps_and_weights_have_limits():
    assert np.diff(run("irprop-", [-1.0] * 40, [1] * 40))[-1] == pytest.approx(50.0)
    assert run("irprop-", [-1.0] * 80, [1] * 80)[-1] == 1500.0
    there_and_back = run("irprop-", [1.0, -1.0, 0.0, -1.0, 1.0, 0.0] * 30, [1] * 180, first_step=1e-5)
    assert there_and_back[-3] - there_and_back[-4] == pytest.approx(1e-6, rel=1e-9)  # halved 60 times but for the limit


def test_columns_have_errors_of_their_own():
    weights, state = np.zeros((2, 2)), rp.make_state(2, 2, 0.1)
    for sign, errors in ((1.0, [1.0, 1.0]), (-1.0, [2.0, 0.5])):
        rp.update(weights, np.full((2, 2), sign), np.array(errors), state, rp.Rprop(rp.PLUS))
    assert weights.tolist() == [[0.0, -0.1], [0.0, -0.1]]


def test_irprop_minus_is_that_of_pytorch():
    """On an error with a valley, whose gradients change their signs and are 0 at times."""
    target, scales = np.linspace(-2.0, 2.0, 24).reshape(6, 4), np.geomspace(0.1, 40.0, 24).reshape(6, 4)
    weights, state = np.zeros((6, 4)), rp.make_state(6, 4, 0.1)
    parameter = torch.zeros((6, 4), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Rprop([parameter], lr=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0))
    changes = 0
    for _ in range(120):
        gradients = scales * np.sign(weights - target) * np.abs(weights - target) ** 1.5
        gradients[0, 0] = 0.0
        before = state.gradients.copy()
        rp.update(weights, gradients, np.zeros(4), state, rp.Rprop())
        parameter.grad = torch.tensor(gradients)
        optimiser.step()
        assert weights.tolist() == parameter.detach().numpy().tolist()
        changes += (before * gradients < 0.0).sum()
    assert changes > 100
    assert np.abs(weights - target)[0, 1:].max() < 0.1
