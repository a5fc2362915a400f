"""What the games of a batch change, added up by many threads at once: in whole numbers, whose sum no order changes.

A weight has two words, one for changes upwards and one for those downwards. Each holds how many there are, in its upper bits,
and the sum of their sizes, in its lower ones: so one instruction notes a change.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined
from boardgym.compile.atomics import add_word

WORD_BITS = 63
MOST_CHANGE = 32.0 / 27.0  # in size, of (G - V) (1 - V^2) with G and V in [-1, 1]
LEAST_UNIT = 12  # bits behind the point that a change keeps at least
MOST_CHANGES = (1 << 25) - 1  # of a weight, that leave room for them


class Changes(NamedTuple):
    """Of T tables with W weights each.

    words: int64 (T, 2 W), of a weight those for changes upwards and downwards; (1, 0) where each game learns when it is over.
    bits: int64 (2,): in a word, how many bits the sum of the sizes has; of a size, how many are behind the point.
    """

    words: NDArray[np.int64]
    bits: NDArray[np.int64]


NO_CHANGES = Changes(np.zeros((1, 0), np.int64), np.zeros(2, np.int64))


def bits_for(most: int) -> tuple[int, int]:
    """`Changes.bits` for at most so many changes of one weight, up to MOST_CHANGES."""
    sum_bits, rounded = WORD_BITS - most.bit_length(), MOST_CHANGE + 2.0**-LEAST_UNIT
    return sum_bits, sum_bits - math.ceil(most * rounded).bit_length()


def make_changes(tables: int, weights: int, most: int) -> Changes:
    """No changes of so many weights in each table. most: how many there may be of one weight."""
    return Changes(np.zeros((tables, 2 * weights), np.int64), np.array(bits_for(most), np.int64))


@inlined
def note_change(changes: Changes, table: int, places: NDArray[np.int32], change: float) -> None:
    """Notes a change of the weights at some places of a table, of each as often as it is among them.

    It is cut to MOST_CHANGE, which it exceeds only where a game pays on the way.
    """
    words, unit = changes.words[table], np.float64(np.int64(1) << changes.bits[1])
    word = (np.int64(1) << changes.bits[0]) + np.int64(min(abs(change), MOST_CHANGE) * unit + 0.5)
    side = 1 if change < 0.0 else 0
    for m in range(places.shape[0]):
        add_word(words, 2 * np.int64(places[m]) + side, word)


@inlined
def changes_of(changes: Changes, table: int, place: int) -> tuple[int, float, float]:
    """Of a weight (how many changes, their sum, the sum of their sizes)."""
    up, down = changes.words[table, 2 * place], changes.words[table, 2 * place + 1]
    sum_bits, unit = changes.bits[0], np.float64(np.int64(1) << changes.bits[1])
    upwards, downwards = up - ((up >> sum_bits) << sum_bits), down - ((down >> sum_bits) << sum_bits)
    return (up >> sum_bits) + (down >> sum_bits), (upwards - downwards) / unit, (upwards + downwards) / unit


@inlined
def clear_changes(changes: Changes, table: int, place: int) -> None:
    """Forgets those of a weight."""
    changes.words[table, 2 * place] = 0
    changes.words[table, 2 * place + 1] = 0
