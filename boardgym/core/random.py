"""Random numbers as an argument: SplitMix64 streams whose whole state is one uint64 that a kernel is handed.

Nothing here touches a global generator. The same state gives the same numbers compiled, plain, in any process.
Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 16
(mix function: variant 13 of D. Stafford's).
"""

from typing import Any

import numpy as np

from boardgym.core.bits import MASK64, wrapping_add, wrapping_mul
from boardgym.core.cache import inner, kernel, plain
from boardgym.core.errors import OptionError

GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
S27, S30, S31, S11, S32 = (np.uint64(s) for s in (27, 30, 31, 11, 32))


@inner
def mix(x):
    """A bijection of uint64 words whose outputs look random: the finaliser of SplitMix64."""
    x = wrapping_mul(x ^ (x >> S30), MIX_1)
    x = wrapping_mul(x ^ (x >> S27), MIX_2)
    return x ^ (x >> S31)


@kernel
def next_word(rng):
    """Advances the stream. rng: uint64 array of shape (1,), changed. Returns uint64."""
    rng[0] = wrapping_add(rng[0], GOLDEN)
    return mix(rng[0])


@kernel
def draw(rng, n):
    """A number in [0, n), n in [1, 2**31); the bias is below n / 2**32. rng: uint64 (1,), changed. Returns int64."""
    return np.int64(((next_word(rng) >> S32) * np.uint64(n)) >> S32)


@kernel
def uniform(rng):
    """A float64 in [0, 1) with 53 random bits. rng: uint64 (1,), changed."""
    return np.float64(next_word(rng) >> S11) * (1.0 / 9007199254740992.0)


def draw_member(weights: np.ndarray, rng: np.ndarray) -> int:
    """An index drawn by weight, by one `uniform`. weights: float64, sum 1. rng: uint64 (1,), changed."""
    mark, index = uniform(rng), 0
    while index + 1 < len(weights) and mark >= weights[index]:
        mark -= weights[index]
        index += 1
    return index


def check_seed(seed: Any) -> int:
    """A seed as an int. Raises OptionError for all but ints and NumPy integers of 0 to 2**64 - 1; a bool is none."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) <= MASK64:
        raise OptionError(f"seed={seed!r}: expected a whole number from 0 to 2**64 - 1")
    return int(seed)


def seeds_from(seed: Any, count: int) -> list[int]:
    """seed, seed + 1 ...: one for each of so many boards. Raises OptionError as `check_seed`, and if the last is too great."""
    first = check_seed(seed)
    if first + count > MASK64 + 1:
        raise OptionError(f"seed={seed!r}: board i gets seed + i; expected at most 2**64 - {count}")
    return list(range(first, first + count))


def stream(seed: int, *path: int) -> np.ndarray:
    """A new stream for a seed and a path of indices (game number, seat ...): uint64 array of shape (1,).

    Streams of different seeds or paths are unrelated. seed: as `check_seed` takes it. Raises OptionError for another one.
    """
    scramble = plain(mix)  # compiled code would hand back a Python int, whose type is lost
    state = np.uint64(check_seed(seed))
    for index in path:
        state = scramble(wrapping_add(scramble(wrapping_add(state, GOLDEN)), np.uint64(int(index) & MASK64)))
    return np.array([scramble(state)], np.uint64)


def fresh_seed() -> int:
    """A seed in [0, 2**63) from the operating system, for those who ask for no reproducibility."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
