"""The random streams: SplitMix64 by independent arithmetic, uniformity, the same compiled and plain."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgym.compile import kernel, plain
from boardgym.core import random as rd

MASK = (1 << 64) - 1


def splitmix64(state):
    """The generator of Steele, Lea and Flood in Python's integers: (next state, output)."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


@kernel
def sample(rng, n, out, floats):
    for i in range(len(out)):
        out[i] = rd.draw(rng, n)
        floats[i] = rd.uniform(rng)


def test_published_outputs():
    """The first outputs for seed 1234567, as other implementations of SplitMix64 print them."""
    rng = np.array([1234567], np.uint64)
    got = [int(rd.next_word(rng)) for _ in range(5)]
    assert got == [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


@pytest.mark.parametrize("function", [rd.next_word, plain(rd.next_word)], ids=["compiled", "plain"])
@given(seed=st.integers(0, MASK))
def test_words(function, seed):
    rng, state = np.array([seed], np.uint64), seed
    for _ in range(3):
        state, word = splitmix64(state)
        assert int(function(rng)) == word
        assert int(rng[0]) == state


@pytest.mark.parametrize("run", [sample, plain(sample)], ids=["compiled", "plain"])
@given(seed=st.integers(0, MASK), n=st.integers(1, 2**31 - 1))
def test_draws_and_floats(run, seed, n):
    out, floats = np.empty(4, np.int64), np.empty(4)
    run(np.array([seed], np.uint64), n, out, floats)
    state = seed
    for drawn, number in zip(out, floats, strict=True):
        state, word = splitmix64(state)
        assert drawn == (word >> 32) * n >> 32
        state, word = splitmix64(state)
        assert number == (word >> 11) / 2**53


@pytest.mark.once
@pytest.mark.parametrize("n", [2, 3, 7, 64, 1000])
def test_draws_are_uniform(n):
    """Chi-square: the statistic lies within six standard deviations of its mean."""
    count = 200 * n
    out, floats = np.empty(count, np.int64), np.empty(count)
    sample(rd.stream(n), n, out, floats)
    assert out.min() >= 0
    assert out.max() < n
    statistic = ((np.bincount(out, minlength=n) - 200.0) ** 2 / 200.0).sum()
    assert abs(statistic - (n - 1)) < 6 * (2 * (n - 1)) ** 0.5
    assert abs(floats.mean() - 0.5) < 6 / (12 * count) ** 0.5
    assert floats.min() >= 0.0
    assert floats.max() < 1.0


def test_streams_do_not_depend_on_the_kind_of_integer_and_differ_by_seed_and_path():
    assert rd.stream(5)[0] == rd.stream(np.int64(5))[0] == rd.stream(np.uint64(5))[0]
    assert rd.stream(MASK)[0] == rd.stream(np.uint64(MASK))[0]
    assert rd.stream(1, -1)[0] == rd.stream(1, MASK)[0]
    assert rd.stream(3).dtype == np.uint64
    assert rd.stream(3).shape == (1,)
    paths = [(), *((i,) for i in range(200)), *((i, j) for i in range(20) for j in range(20))]
    states = {int(rd.stream(seed, *path)[0]) for seed in range(50) for path in paths}
    assert len(states) == 50 * len(paths)


def test_the_arithmetic_of_streams():
    def scramble(x):
        return splitmix64((x - 0x9E3779B97F4A7C15) & MASK)[1]

    state = scramble((scramble((7 + 0x9E3779B97F4A7C15) & MASK) + 3) & MASK)
    assert int(rd.stream(7, 3)[0]) == scramble(state)
    assert int(rd.stream(7)[0]) == scramble(7)


def test_nothing_touches_the_global_generator():
    np.random.seed(1)
    before = np.random.get_state()[1].copy()
    rd.stream(1)
    rd.fresh_seed()
    rd.draw(rd.stream(1), 6)
    assert (np.random.get_state()[1] == before).all()
    assert 0 <= rd.fresh_seed() < 2**63


def test_softmax_weights():
    """Of the first three of four values; the weights may take the place of the values."""
    values, weights = np.array([1.0, 2.0, -1e300, 9.0]), np.full(4, 7.0)
    total = plain(rd.softmax_weights)(values, 3, 0.5, weights)
    assert weights.tolist() == [math.exp(-2.0), 1.0, 0.0, 7.0]
    assert total == math.exp(-2.0) + 1.0
    assert plain(rd.softmax_weights)(values, 3, 0.5, values) == total
    assert values[:3].tolist() == weights[:3].tolist()
