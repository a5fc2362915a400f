"""A transposition table: position key -> remaining depth, bound, whether closed, action, value.

Arrays, so that kernels can hold it. Each search begins a new generation, which empties the table at no cost and keeps a
search from depending on earlier ones. Two slots a key: the first keeps the deeper entry, the second the latest.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner

EXACT, LOWER, UPPER = range(3)
ACTION_BITS, LEFT_BITS, BOUND_BITS = 24, 7, 2  # of a word, from below; then 1 bit whether closed; then the generation
BOUND_AT = ACTION_BITS + LEFT_BITS
CLOSED_AT = BOUND_AT + BOUND_BITS
GENERATION_AT = CLOSED_AT + 1
ACTION_MASK = (1 << ACTION_BITS) - 1
ENTRY_BYTES = 24


class Table(NamedTuple):
    """entries: int64 (slots, 2), a key and a word packed as said above. values: float64 (slots,). generation: int64 (1,)."""

    entries: NDArray[np.int64]
    values: NDArray[np.float64]
    generation: NDArray[np.int64]


@inner
def make_table(bits: int) -> Table:
    """An empty table of 2**bits slots; bits 0: no table."""
    slots = 1 << bits
    return Table(np.zeros((slots, 2), np.int64), np.empty(slots, np.float64), np.zeros(1, np.int64))


@inner
def left_of(word: int) -> int:
    """The remaining depth of an entry."""
    return (word >> ACTION_BITS) & ((1 << LEFT_BITS) - 1)


@inner
def find_entry(table: Table, key: int) -> int:
    """The slot that holds a key, all 64 bits of it; -1 if there is none."""
    slot = key & (table.values.shape[0] - 1)
    for _ in range(2):
        if table.entries[slot, 0] == key and table.entries[slot, 1] >> GENERATION_AT == table.generation[0]:
            return slot
        slot ^= 1
    return -1


@inner
def read_entry(table: Table, slot: int, left: int, low: float, high: float) -> tuple[int, float, bool, bool]:
    """The action, the value, whether it is closed, and whether it answers a search of `left` plies within low and high.

    It does if the depths are equal or a closed subtree ended within fewer plies: then the value is that of a search.
    """
    word, value = table.entries[slot, 1], table.values[slot]
    bound, is_closed = (word >> BOUND_AT) & ((1 << BOUND_BITS) - 1), (word >> CLOSED_AT) & 1 == 1
    known = left_of(word)
    answers = known == left or (is_closed and known < left)
    if bound == LOWER:
        answers = answers and value >= high
    elif bound == UPPER:
        answers = answers and value <= low
    return word & ACTION_MASK, value, is_closed, answers


@inner
def store_entry(table: Table, key: int, left: int, bound: Any, is_closed: bool, action: int, value: float) -> None:
    """Writes to the slot of the key, else to the first of two if that is older or no deeper, else to the second."""
    slot = find_entry(table, key)
    if slot < 0:
        slot = key & (table.values.shape[0] - 1)
        word = table.entries[slot, 1]
        if word >> GENERATION_AT == table.generation[0] and left_of(word) > left:
            slot ^= 1
    word = (((table.generation[0] << 1) | int(is_closed)) << BOUND_BITS) | bound
    table.entries[slot, 1] = (((word << LEFT_BITS) | left) << ACTION_BITS) | (action & ACTION_MASK)
    table.entries[slot, 0], table.values[slot] = key, value
