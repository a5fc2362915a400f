"""The hyperbolic tangent and the exponential function that loops are made of, against exact values."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from boardgym.baselines.networks.vector_tanh import exp_of_negative, tanh
from boardgym.compile import as_python, kernel


@kernel
def both_kernel(numbers, tanhs, exponentials):
    for i in range(numbers.shape[0]):
        tanhs[i], exponentials[i] = tanh(numbers[i]), exp_of_negative(-abs(numbers[i]))


def found(numbers, function=both_kernel):
    """(tanh, exp of the negative size) of numbers."""
    tanhs, exponentials = np.empty(len(numbers)), np.empty(len(numbers))
    function(numbers, tanhs, exponentials)
    return tanhs, exponentials


def exact(number):
    """The same of one number, to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        up, down = Decimal(number).exp(), (-Decimal(number)).exp()
        return (up - down) / (up + down), min(up, down)


POINTS = np.concatenate([np.linspace(-22.0, 22.0, 89), [1e-17, 1e-9, 1e-4, 0.1, -0.17, 0.1733, 0.34658, 300.0, -690.0]])


def test_values_are_within_1e_15_of_the_exact_ones():
    tanhs, exponentials = found(POINTS)
    for number, value, power in zip(POINTS.tolist(), tanhs.tolist(), exponentials.tolist(), strict=True):
        of_tanh, of_exp = exact(number)
        assert abs(Decimal(value) - of_tanh) <= Decimal("1e-15") * abs(of_tanh)
        assert abs(Decimal(power) - of_exp) <= Decimal("1e-15") * of_exp


def test_against_the_library_at_many_points():
    numbers = np.random.default_rng(1).normal(size=100_000) * 3.0
    tanhs, exponentials = found(numbers)
    assert np.abs(tanhs - np.tanh(numbers)).max() < 1e-15
    assert np.abs(exponentials / np.exp(-np.abs(numbers)) - 1.0).max() < 1e-15


def test_the_ends():
    tanhs, exponentials = found(np.array([0.0, np.inf, -np.inf, 1e308, -20.0, 20.0, 1e-300, np.nan]))
    assert tanhs[:7].tolist() == [0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1e-300]
    assert exponentials[:4].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert exponentials[4] == pytest.approx(math.exp(-20.0), rel=1e-15)
    assert math.isnan(tanhs[7])


def test_compiled_and_plain_are_equal_to_the_bit_and_tanh_is_odd():
    numbers = np.random.default_rng(2).normal(size=500) * 3.0
    for compiled, python in zip(found(numbers), found(numbers, as_python(both_kernel)), strict=True):
        assert compiled.tolist() == python.tolist()
    assert (-found(-numbers)[0]).tolist() == found(numbers)[0].tolist()
