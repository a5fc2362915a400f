"""Activation functions against FANN's formulas, and the polynomials against the system's mathematics."""

import math

import numpy as np
import pytest

from boardgym.baselines.networks import cascade_functions as cf
from boardgym.compile import kernel, plain
from boardgym.compile.words import float_of_word, word_of_float


@kernel
def activate_kernel(functions, steepnesses, sums, values, slopes, alone):
    """As `activate_row`; alone: filled with what each unit gives by itself."""
    cf.activate_row(functions, steepnesses, sums, values, slopes)
    for c in range(sums.shape[0]):
        alone[c] = cf.activated(functions[c], steepnesses[c], sums[c])


def activate(name, steepness, sums):
    """(values, derivatives) of a row of sums."""
    sums = np.array(sums, float)
    values, slopes, alone = np.empty_like(sums), np.empty_like(sums), np.empty_like(sums)
    functions, steepnesses = np.full(len(sums), cf.FUNCTIONS.index(name)), np.full(len(sums), steepness)
    activate_kernel(functions, steepnesses, sums, values, slopes, alone)
    np.testing.assert_array_equal(alone, values)  # a unit by itself gives the same bits as in a row
    return values, slopes


@pytest.mark.parametrize(
    ("name", "value", "slope"),  # of a sum of 0.8 and a steepness of 0.5, by pocket calculator
    [
        ("sigmoid", 0.6899744811, 0.2139096965),
        ("sigmoid_symmetric", 0.3799489623, 0.4278193930),
        ("gaussian", 0.8521437890, -0.3408575156),
        ("gaussian_symmetric", 0.7042875779, -0.6817150312),
        ("elliot", 0.6428571429, 0.0771604938),  # FANN: 0.5 / (2 * 1.8 * 1.8), from the sum, not the sum times the steepness
        ("elliot_symmetric", 0.2857142857, 0.1543209877),
        ("sin", 0.6947091712, 0.2302652485),
        ("sin_symmetric", 0.3894183423, 0.4605304970),
        ("cos", 0.9605304970, -0.0973545856),
        ("cos_symmetric", 0.9210609940, -0.1947091712),
        ("linear", 0.4, 0.5),
    ],
)
def test_values_worked_by_hand(name, value, slope):
    values, slopes = activate(name, 0.5, [0.8] * 9)  # a row that is longer than what is computed at once
    assert values == pytest.approx([value] * 9, abs=1e-10)
    assert slopes == pytest.approx([slope] * 9, abs=1e-10)


def test_far_out_sigmoids_still_have_a_slope_and_sums_are_limited():
    assert activate("sigmoid", 1.0, [400.0, -400.0])[1] == pytest.approx([2.0 * 0.01 * 0.99] * 2)
    assert activate("sigmoid_symmetric", 0.25, [4000.0, -4000.0])[1] == pytest.approx([0.25 * (1.0 - 0.98**2)] * 2)
    assert activate("sin_symmetric", 1.0, [1e6])[0] == pytest.approx([math.sin(150.0)], abs=1e-15)
    assert activate("linear", 1.0, [1e6])[0] == [1e6]
    assert np.isfinite(activate("gaussian", 1.0, [1e90, -1e90])).all()


@pytest.mark.parametrize("name", [name for name in cf.FUNCTIONS if not name.startswith("elliot")])
def test_slopes_are_the_derivatives(name):
    sums = np.linspace(-1.7, 1.9, 37)
    for steepness in (0.25, 0.5, 1.0):
        step = 1e-6
        numeric = (activate(name, steepness, sums + step)[0] - activate(name, steepness, sums - step)[0]) / (2.0 * step)
        assert activate(name, steepness, sums)[1] == pytest.approx(numeric, abs=1e-9)


def test_elliots_slope_is_the_derivative_where_the_steepness_is_1():
    numeric = (activate("elliot", 1.0, [0.7 + 1e-6])[0] - activate("elliot", 1.0, [0.7 - 1e-6])[0]) / 2e-6
    assert activate("elliot", 1.0, [0.7])[1] == pytest.approx(numeric, abs=1e-9)


def test_polynomials_are_right_to_the_last_bits():
    x = np.linspace(-150.0, 150.0, 20_001)
    for name, found in (("sin_symmetric", np.sin(x)), ("cos_symmetric", np.cos(x)), ("sigmoid_symmetric", np.tanh(x))):
        assert np.abs(activate(name, 1.0, x)[0] - found).max() < 5e-16
    small = np.linspace(-26.0, 0.0, 5_001)  # e^-676
    assert activate("gaussian", 1.0, small)[0] == pytest.approx(np.exp(-small * small), rel=3e-16 * 3, abs=0.0)


@kernel
def bits_kernel(words, numbers):
    """Each number's bits, and the number of each word."""
    for i in range(words.shape[0]):
        word, number = words[i], numbers[i]
        words[i], numbers[i] = word_of_float(number), float_of_word(word)


def test_bits_of_floats_compiled_and_plain():
    numbers = np.array([0.0, -0.0, 1.0, -2.5, 1e300, np.inf, 5e-324])
    words = numbers.view(np.int64).copy()
    compiled, uncompiled = (words.copy(), numbers.copy()), (words.copy(), numbers.copy())
    bits_kernel(*compiled)
    plain(bits_kernel)(*uncompiled)
    for found in (compiled, uncompiled):
        assert found[0].tolist() == words.tolist()
        assert found[1].tobytes() == numbers.tobytes()
