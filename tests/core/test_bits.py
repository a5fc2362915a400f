"""Bit operations against Python's integers, compiled and plain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgym.compile import kernel, plain
from boardgym.core import bits

WORD = 1 << 64
words = st.integers(0, WORD - 1)
unsigned = words.map(np.uint64)
signed = st.integers(0, (1 << 62) - 1)


@kernel
def ask_uint64(a, b):
    return (
        bits.popcount(a),
        bits.lowest_bit(a | np.uint64(1 << 63)),
        bits.wrapping_add(a, b),
        bits.wrapping_mul(a, b),
        bits.as_int64(a),
        bits.as_uint64(bits.as_int64(a)),
    )


@kernel
def ask_int64(a):
    return bits.popcount(a), bits.lowest_bit(a | (1 << 62)), bits.as_uint64(a)


def expected_uint64(a, b):
    return (
        bin(a).count("1"),
        next(i for i in range(64) if (a | 1 << 63) >> i & 1),
        (a + b) % WORD,
        a * b % WORD,
        a - WORD if a >= 1 << 63 else a,
        a,
    )


@pytest.mark.parametrize("ask", [ask_uint64, plain(ask_uint64)], ids=["compiled", "plain"])
@given(a=unsigned, b=unsigned)
def test_unsigned_words(ask, a, b):
    assert tuple(map(int, ask(a, b))) == expected_uint64(int(a), int(b))


@pytest.mark.parametrize("ask", [ask_int64, plain(ask_int64)], ids=["compiled", "plain"])
@given(a=signed)
def test_signed_words(ask, a):
    lowest = next(i for i in range(63) if (a | 1 << 62) >> i & 1)
    assert tuple(map(int, ask(a))) == (bin(a).count("1"), lowest, a)


@pytest.mark.parametrize("word", [0, 1, (1 << 63) - 1, -1, -(1 << 63)])
def test_extremes_keep_their_bits(word):
    assert int(bits.as_uint64(word)) == word % WORD
    assert bits.as_int64(bits.as_uint64(word)) == word
    assert bits.popcount(word) == bin(word % WORD).count("1")


def test_plain_results_have_the_compiled_types():
    a = np.uint64(WORD - 1)
    with np.errstate(all="raise"):
        for value in (bits.wrapping_add(a, a), bits.wrapping_mul(a, a), bits.as_uint64(-1)):
            assert type(value) is np.uint64
