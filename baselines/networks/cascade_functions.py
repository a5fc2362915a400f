"""The activation functions of cascade networks, as the library FANN has them, and the arithmetic under them.

f takes the sum of a unit times its steepness, x, and gives a number in [0, 1]; a `_symmetric` function is 2 f - 1, in [-1, 1]:

    sigmoid 1 / (1 + e^(-2x))    gaussian e^(-x^2)    elliot x / 2 / (1 + |x|) + 1/2    sin, cos (sin x + 1) / 2    linear x

so that sigmoid_symmetric is tanh x. Source: S. Nissen, "Implementation of a fast artificial neural network library", 2003, and
the library. Exponentials, sines and cosines are polynomials here, right to the last bits: several times as fast for a row of
units as calls of the system's library, and the same to the last bit on every machine.
"""

import math

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined, inner
from boardgym.compile.words import float_of_word, word_of_float

FUNCTIONS = ("sigmoid", "sigmoid_symmetric", "gaussian", "gaussian_symmetric", "elliot", "elliot_symmetric", "sin",
             "sin_symmetric", "cos", "cos_symmetric", "linear")  # fmt: skip
SIGMOID, GAUSSIAN, ELLIOT, SIN, COS = range(0, 10, 2)  # an odd number is the symmetric form of the one before
SIGMOID_SYMMETRIC, LINEAR = 1, 10
MOST_SUM = 150.0  # in size, of a sum times the steepness, but for linear units
LEAST_EXPONENT = -708.0  # e^x of less is taken for this one's
ROUNDING = 1.5 * 2.0**52  # added and taken away again, it leaves a whole number; the lowest bits of the sum are that number
LOG2_E, HALF_TURNS = 1.4426950408889634, 0.6366197723675814  # 1 / ln 2 and 2 / pi
LN_2, LN_2_REST = 0.6931471803691238, 1.9082149292705877e-10  # with few bits, so that their multiples are exact, and the rest
QUARTER, QUARTER_MORE, QUARTER_REST = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21  # pi / 2
E_TERMS = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))
S15, S13, S11, S9, S7, S5, S3 = (-((-1.0) ** (k // 2 + 1)) / math.factorial(k) for k in range(15, 1, -2))
C16, C14, C12, C10, C8, C6, C4 = ((-1.0) ** (k // 2) / math.factorial(k) for k in range(16, 2, -2))
E13, E12, E11, E10, E9, E8, E7, E6, E5, E4, E3, E2, _, _ = E_TERMS


@inner
def exponential(x: float) -> float:
    """e^x for x up to 700: 2^n e^r with n whole and r within half of ln 2."""
    x = max(x, LEAST_EXPONENT)
    shifted = x * LOG2_E + ROUNDING
    n = shifted - ROUNDING
    r = (x - n * LN_2) - n * LN_2_REST
    p = ((((E13 * r + E12) * r + E11) * r + E10) * r + E9) * r + E8
    p = ((((((p * r + E7) * r + E6) * r + E5) * r + E4) * r + E3) * r + E2) * r + 1.0
    return (p * r + 1.0) * float_of_word((word_of_float(shifted) + 1023) << 52)


@inlined
def sine_and_cosine(x: float) -> tuple[float, float]:
    """(sin x, cos x) for x up to 1e5 in size: of what is left of n quarters of a turn, by n modulo 4."""
    n = (x * HALF_TURNS + ROUNDING) - ROUNDING
    r = ((x - n * QUARTER) - n * QUARTER_MORE) - n * QUARTER_REST
    z = r * r
    sine = r + r * z * ((((((S15 * z + S13) * z + S11) * z + S9) * z + S7) * z + S5) * z + S3)
    cosine = 1.0 - 0.5 * z + z * z * ((((((C16 * z + C14) * z + C12) * z + C10) * z + C8) * z + C6) * z + C4)
    quarter = n - 4.0 * math.floor(0.25 * n)
    is_odd = quarter == 1.0 or quarter == 3.0
    a, b = (cosine, sine) if is_odd else (sine, cosine)
    return (-a if quarter >= 2.0 else a), (-b if quarter == 1.0 or quarter == 2.0 else b)


@inner
def limited(x: float) -> float:
    """X, within MOST_SUM in size."""
    return min(max(x, -MOST_SUM), MOST_SUM)


@inner
def sigmoid(x: float) -> float:
    """1 / (1 + e^(-2x)). np.divide, since a plain division looks for a divisor of 0, one number at a time."""
    return np.divide(1.0, 1.0 + exponential(-2.0 * x))


@inner
def elliot(x: float) -> float:
    """Of x / 2 / (1 + |x|) + 1/2."""
    return np.divide(0.5 * x, 1.0 + abs(x)) + 0.5


@inner
def activated(function: int, steepness: float, total: float) -> float:
    """What a unit gives. function: a place in FUNCTIONS. total: its sum."""
    if function == LINEAR:
        return steepness * total
    x, family = limited(steepness * total), function & ~1
    if family == SIGMOID:
        value = sigmoid(x)
    elif family == GAUSSIAN:
        value = exponential(-x * x)
    elif family == ELLIOT:
        value = elliot(x)
    else:
        sine, cosine = sine_and_cosine(x)
        value = 0.5 * (sine if family == SIN else cosine) + 0.5
    return 2.0 * value - 1.0 if function & 1 else value


@inner
def activate_row(
    functions: NDArray[np.int64],
    steepnesses: NDArray[np.float64],
    sums: NDArray[np.float64],
    values: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> None:
    """Fills values with what units give, and slopes with what FANN takes for the derivatives by their sums.

    All (units,), functions int64, a function or its symmetric form, and the others float64. Sigmoids are taken to be at least
    0.01 away from 0 and 1, so that a unit that is far out still learns. The derivative of Elliot's function is taken where the
    sum is without its steepness, which is right where that is 1.
    """
    family = functions[0] & ~1
    if family == LINEAR:
        for c in range(sums.shape[0]):
            values[c] = steepnesses[c] * sums[c]
            slopes[c] = steepnesses[c]
    elif family == SIGMOID:
        for c in range(sums.shape[0]):
            value, scale = sigmoid(limited(steepnesses[c] * sums[c])), 1.0 + (functions[c] & 1)
            held = min(max(value, 0.01), 0.99)
            values[c] = scale * value + (1.0 - scale)
            slopes[c] = scale * 2.0 * steepnesses[c] * held * (1.0 - held)
    elif family == GAUSSIAN:
        for c in range(sums.shape[0]):
            x, scale = limited(steepnesses[c] * sums[c]), 1.0 + (functions[c] & 1)
            value = exponential(-x * x)
            values[c] = scale * value + (1.0 - scale)
            slopes[c] = scale * -2.0 * steepnesses[c] * x * value
    elif family == ELLIOT:
        for c in range(sums.shape[0]):
            x, scale = limited(steepnesses[c] * sums[c]), 1.0 + (functions[c] & 1)
            values[c] = scale * elliot(x) + (1.0 - scale)
            beyond = 1.0 + np.divide(abs(x), steepnesses[c])
            slopes[c] = scale * np.divide(0.5 * steepnesses[c], beyond * beyond)
    else:
        is_sine = family == SIN
        for c in range(sums.shape[0]):
            sine, cosine = sine_and_cosine(limited(steepnesses[c] * sums[c]))
            scale = 1.0 + (functions[c] & 1)
            values[c] = scale * (0.5 * (sine if is_sine else cosine) + 0.5) + (1.0 - scale)
            slopes[c] = scale * 0.5 * steepnesses[c] * (cosine if is_sine else -sine)
