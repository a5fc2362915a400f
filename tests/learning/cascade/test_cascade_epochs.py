"""Gradients and scores of outputs and candidates against PyTorch's."""

import numpy as np
import pytest
import torch

from boardgym.baselines.learning.cascade import epochs as ep
from boardgym.baselines.networks import cascade_functions as cf

FUNCTIONS = {  # with true derivatives; Elliot's at a steepness of 1 alone
    "sigmoid": lambda x: torch.sigmoid(2 * x),
    "sigmoid_symmetric": torch.tanh,
    "gaussian": lambda x: torch.exp(-x * x),
    "gaussian_symmetric": lambda x: 2 * torch.exp(-x * x) - 1,
    "elliot": lambda x: x / 2 / (1 + x.abs()) + 0.5,
    "elliot_symmetric": lambda x: x / (1 + x.abs()),
    "sin": lambda x: torch.sin(x) / 2 + 0.5,
    "sin_symmetric": torch.sin,
    "cos": lambda x: torch.cos(x) / 2 + 0.5,
    "cos_symmetric": torch.cos,
}


def problem(examples=75, inputs=6, outputs=2):
    """(units, errors) with zeros among the inputs, as positions of games have."""
    rng = np.random.default_rng(1)
    units = rng.normal(size=(examples, inputs)) * (rng.random((examples, inputs)) < 0.6)
    return units, rng.normal(size=(examples, outputs))


def epoch(units, errors, candidates, slices):
    rows = ep.rows_of(units.shape[1], errors.shape[1], candidates.is_covariance)
    partial, out = np.empty((slices, rows, len(candidates.functions))), np.empty((rows, len(candidates.functions)))
    ep.candidate_slices(0, (0, slices, 1, 0), (units, errors, *candidates, slices, partial))
    ep.add_up(partial, out)
    return out


def candidates_for(units, errors, is_covariance):
    kinds = [(name, 1.0 if "elliot" in name else steepness) for name in FUNCTIONS for steepness in (0.5, 1.0)]
    weights = 0.4 * np.random.default_rng(2).normal(size=(units.shape[1] + errors.shape[1], len(kinds)))
    functions = np.array([cf.FUNCTIONS.index(name) for name, _ in kinds], np.int64)
    return kinds, ep.Candidates(weights, functions, np.array([steepness for _, steepness in kinds]), is_covariance)


def values_by_torch(units, weights, kinds):
    sums = torch.tensor(units) @ weights[: units.shape[1]]
    return torch.stack([FUNCTIONS[name](steepness * sums[:, c]) for c, (name, steepness) in enumerate(kinds)], 1)


@pytest.mark.parametrize("slices", [1, 3])
def test_cascade_2(slices):
    units, errors = problem()
    kinds, candidates = candidates_for(units, errors, 0)
    weights = torch.tensor(candidates.weights, requires_grad=True)
    values = values_by_torch(units, weights, kinds)
    is_sigmoid = [c for c, (name, _) in enumerate(kinds) if name == "sigmoid_symmetric"]
    assert values[:, is_sigmoid].abs().max() < 0.98  # beyond it they are taken to have another slope
    left = torch.tensor(errors)[:, :, None] - values[:, None, :] * weights[units.shape[1] :]
    squares = (left**2).sum((0, 1))
    squares.sum().backward()
    found = epoch(units, errors, candidates, slices)
    assert found[-1] == pytest.approx(squares.detach().numpy(), rel=1e-12)
    assert 2.0 * found[:-1] == pytest.approx(weights.grad.numpy(), abs=1e-10)


def test_covariance():
    units, errors = problem()
    errors -= errors.mean(0)
    kinds, candidates = candidates_for(units, errors, 1)
    weights = torch.tensor(candidates.weights, requires_grad=True)
    values = values_by_torch(units, weights, kinds)
    found, count = epoch(units, errors, candidates, 2), units.shape[1]
    for o in range(errors.shape[1]):
        by_hand = ((values - values.mean(0)) * torch.tensor(errors[:, o : o + 1])).sum(0)
        assert found[2 * count + o] == pytest.approx(by_hand.detach().numpy(), abs=1e-10)
        (gradient,) = torch.autograd.grad(by_hand.sum(), weights, retain_graph=True)
        assert found[o * count : (o + 1) * count] == pytest.approx(gradient.numpy()[:count], abs=1e-10)


@pytest.mark.parametrize("output", ["sigmoid_symmetric", "linear"])
def test_outputs(output):
    units, _ = problem()
    targets = np.random.default_rng(3).uniform(-1, 1, (len(units), 2))
    first = 0.2 * np.random.default_rng(4).normal(size=(2, units.shape[1]))
    weights = torch.tensor(first, requires_grad=True)
    sums = 0.5 * torch.tensor(units) @ weights.T
    left = torch.tensor(targets) - (torch.tanh(sums) if output != "linear" else sums)
    (left**2).sum().backward()
    partial, errors = np.empty((3, 2, units.shape[1] + 1)), np.empty_like(targets)
    for part in ((0, 1), (1, 3)):  # as two threads would
        args = units, targets, first, cf.FUNCTIONS.index(output), 0.5, errors, 3, partial
        ep.output_slices(0, (*part, 1, 0), args)
    found = partial.sum(0)
    assert errors == pytest.approx(left.detach().numpy(), abs=1e-14)
    assert found[:, -1] == pytest.approx((left**2).sum(0).detach().numpy(), rel=1e-12)
    assert 2.0 * found[:, :-1] == pytest.approx(weights.grad.numpy(), abs=1e-10)


def test_slices_hold_every_example_once():
    for examples in (1, 2, 511, 1024, 1500, 100_000):
        slices = ep.slices_of(examples)
        edges = [examples * s // slices for s in range(slices + 1)]
        assert 1 <= slices <= 64
        assert edges[0] == 0
        assert edges[-1] == examples
        assert min(np.diff(edges)) >= min(examples, 250)
