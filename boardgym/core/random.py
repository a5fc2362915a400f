"""Random numbers as an argument: SplitMix64 streams whose whole state is one uint64 that a kernel is handed.

Nothing here touches a global generator. The same state gives the same numbers compiled, plain, in any process.
Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 16
(mix function: variant 13 of D. Stafford's).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel, plain
from boardgym.compile.words import GOLDEN, MASK64, mix, wrapping_add
from boardgym.core.errors import OptionError

S11, S32 = np.uint64(11), np.uint64(32)


@kernel
def next_word(rng: NDArray[np.uint64]) -> np.uint64:
    """Advances the stream. rng: uint64 array of shape (1,), changed. Returns uint64."""
    rng[0] = wrapping_add(rng[0], GOLDEN)
    return mix(rng[0])


@inner
def branch(state: np.uint64, index: int) -> np.uint64:
    """One index of the path of `stream`, whose state is `mix` of what the last one gives. state: the seed, or of the path."""
    return mix(wrapping_add(mix(wrapping_add(state, GOLDEN)), np.uint64(index)))


@kernel
def draw(rng: NDArray[np.uint64], n: int) -> int:
    """A number in [0, n), n in [1, 2**31); the bias is below n / 2**32. rng: uint64 (1,), changed. Returns int64."""
    return np.int64(((next_word(rng) >> S32) * np.uint64(n)) >> S32)  # type: ignore[return-value]


@kernel
def uniform(rng: NDArray[np.uint64]) -> float:
    """A float64 in [0, 1) with 53 random bits. rng: uint64 (1,), changed."""
    return np.float64(next_word(rng) >> S11) * (1.0 / 9007199254740992.0)


@inner
def index_at(weights: NDArray[np.float64], count: int, mark: float) -> int:
    """The index whose part holds a mark where weights[:count] are laid end to end; the last above 0 for a mark beyond them."""
    last = 0
    for index in range(count):
        if weights[index] > 0.0:
            last = index
            if mark < weights[index]:
                return index
            mark -= weights[index]
    return last


@inner
def softmax_weights(values: NDArray[np.float64], count: int, temperature: float, weights: NDArray[np.float64]) -> float:
    """Writes e^((value - the greatest) / temperature) of values[:count]. Returns the sum, for `draw_by_weight`.

    temperature: above 0. weights: float64 (count,) or more; may be the values themselves.
    """
    greatest, total = -np.inf, 0.0
    for k in range(count):
        greatest = max(greatest, values[k])
    for k in range(count):
        weights[k] = math.exp((values[k] - greatest) / temperature)
        total += weights[k]
    return total


@inner
def draw_by_weight(weights: NDArray[np.float64], count: int, total: float, rng: NDArray[np.uint64]) -> int:
    """An index in [0, count) drawn by weight, by one `uniform`.

    weights: float64, none below 0. total: of weights[:count]. rng: uint64 (1,), changed. Returns int64.
    """
    return index_at(weights, count, uniform(rng) * total)


def draw_index(weights: np.ndarray, rng: np.ndarray) -> int:
    """As `draw_by_weight`, from Python, of weights that add up to 1."""
    return int(plain(index_at)(weights, len(weights), uniform(rng)))


def normals(rng: NDArray[np.uint64], count: int) -> NDArray[np.float64]:
    """Numbers of the standard normal distribution, two by two from two `uniform` each. float64 (count,).

    G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", 1958.
    """
    found = np.empty(count + count % 2)
    for k in range(0, len(found), 2):
        radius, angle = math.sqrt(-2.0 * math.log(1.0 - uniform(rng))), 2.0 * math.pi * uniform(rng)
        found[k], found[k + 1] = radius * math.cos(angle), radius * math.sin(angle)
    return found[:count]


def check_seed(seed: Any) -> int:
    """A seed as an int. Raises OptionError for all but ints and NumPy integers of 0 to 2**64 - 1; a bool is none."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) <= MASK64:
        raise OptionError(f"seed={seed!r}: expected a whole number from 0 to 2**64 - 1")
    return int(seed)


def seeds_from(seed: Any, count: int) -> list[int]:
    """`count` consecutive seeds, one a board. Raises OptionError as `check_seed`, and if the last is too great."""
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
