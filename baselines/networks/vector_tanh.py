"""The hyperbolic tangent and the exponential function without branches, for loops of vector instructions.

A library's tanh takes one number at a time, and would take most of the time of a learner with small
networks. These are within 1e-15 of the exact values, and use only sums, products and a quotient in a
fixed order: the same on every machine.
"""

import math

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined
from boardgym.compile.words import float_of_word, word_of_float

PER_LN2 = 1.0 / math.log(2.0)
LN2_HIGH = float.fromhex("0x1.62e42fefa0000p-1")  # with so few bits that its products with whole numbers up to 2**11 are exact
LN2_LOW = float.fromhex("0x1.cf79abc9e3b3ap-40")  # ln 2 less LN2_HIGH
ROUND = 1.5 * 2.0**52  # a sum with it is a whole number, whose lowest bits are those of the float64
BIAS, MANTISSA_BITS = 1023, 52
SATURATED = 40.0  # tanh(x) rounds to 1 from 2 x = 38.2 on
LEAST_EXPONENT = -700.0  # below it exp(x) is 0 here
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = (1.0 / math.factorial(k) for k in range(2, 14))


@inlined
def power_and_rest(x: float) -> tuple[float, float]:
    """(2^k, e^r - 1), with x = k ln 2 + r, k whole and |r| <= ln 2 / 2: e^x = 2^k + 2^k (e^r - 1). x: in [-708, 708].

    The series of e^r - 1 up to r^13, whose rest is below 2e-17 |r|.
    """
    shifted = x * PER_LN2 + ROUND
    k = shifted - ROUND
    power = float_of_word((word_of_float(shifted) + BIAS) << MANTISSA_BITS)
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    series = C10 + r * (C11 + r * (C12 + r * C13))
    series = C6 + r * (C7 + r * (C8 + r * (C9 + r * series)))
    series = C2 + r * (C3 + r * (C4 + r * (C5 + r * series)))
    return power, r + r * r * series


@inlined
def tanh(x: float) -> float:
    """The hyperbolic tangent, (e^2x - 1) / (e^2x + 1), of any x; NaN of NaN."""
    size = 2.0 * abs(x)
    power, rest = power_and_rest(SATURATED if size > SATURATED else size)
    less_one = power * rest + (power - 1.0)  # e^|2x| - 1, without cancellation
    value = np.divide(less_one, less_one + 2.0)  # not /, which asks whether the divisor is 0
    return -value if x < 0.0 else value


@inlined
def exp_of_negative(x: float) -> float:
    """e^x for x <= 0; 0 below -700."""
    power, rest = power_and_rest(LEAST_EXPONENT if x < LEAST_EXPONENT else x)
    return 0.0 if x < LEAST_EXPONENT else power + power * rest


@inlined
def write_tanh(numbers: NDArray[np.float64], count: int) -> None:
    """Replaces numbers[:count] by their tanh. float64 (count,) or more."""
    for i in range(count):
        numbers[i] = tanh(numbers[i])
