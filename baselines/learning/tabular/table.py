"""A hash table from (position, action) to a value and a number of visits, which grows while kernels write to it.

The key is the exact position, as the words of the verb `compact`, and the action; no two share an entry. Open addressing with
linear probing; the probe begins where the position's hash says, so that all actions of a position lie together and one look at
memory finds them. An entry is 8 bytes a word of the position, and 8 more.

The table is cut into segments by the highest bits of the hash. A full segment grows by an eighth, alone: its entries are
written in the order in which they lie, into room that one segment needs, and copied back. So the table is never there twice,
no growth takes longer than that of a segment, and between 71 and 80 in 100 slots are in use. The arrays span the room that the
table may ever take; the operating system gives them memory where they are first written.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import Pieces, as_pieces
from boardgym.compile import inner, kernel
from boardgym.compile.words import GOLDEN, mix
from boardgym.core.bits import as_int64, as_uint64, wrapping_add
from boardgym.core.random import S32

SEGMENT_BITS = 6
SEGMENTS = 1 << SEGMENT_BITS
FIRST_SLOTS = 64  # of a segment
FULL, GROWTH = (4, 5), (9, 8)  # in use, of how many; new size, of the old one
MOST_VISITS = 65535  # where counting stops
VALUE_OF_POSITION = 65534  # in place of an action: the value of a position for the seat that has just moved
ABSENT, NO_ROOM, CROWDED = -1, -2, -3
LOW_32 = np.uint64(0xFFFF_FFFF)
TO_SEGMENT = np.uint64(64 - SEGMENT_BITS)
LEAST_BYTES = 1 << 16
FEW = 1 << 16  # entries that are copied for a file at once: a segment at a time takes longer where each has few
MOST_STEPS = 1 << 62  # of `copy_in`: any number


class Table(NamedTuple):
    """Views of the entries' fields, and the segments. n is the number of slots that the table may ever have.

    keys: int64 (n, words). actions: uint16 (n,), the action + 1, 0 in an empty slot. visits: uint16 (n,), at most MOST_VISITS.
    values: float32 (n,). spare: (keys, actions, visits, values) of one segment. sizes, used: int64 (SEGMENTS,), slots and
    entries of each.
    """

    keys: NDArray[np.int64]
    actions: NDArray[np.uint16]
    visits: NDArray[np.uint16]
    values: NDArray[np.float32]
    spare: tuple[NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.float32]]
    sizes: NDArray[np.int64]
    used: NDArray[np.int64]


def entry_bytes(words: int) -> int:
    """Bytes of an entry whose position takes so many words."""
    return 8 * words + 8


def make_table(words: int, max_bytes: int) -> Table:
    """An empty table. words: of a position. max_bytes: what its slots may come to take. Raises MemoryError."""
    slots = max(max_bytes, LEAST_BYTES) // entry_bytes(words) // (SEGMENTS + 1)

    def fields(count: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        kind = np.dtype([("key", np.int64, (words,)), ("action", np.uint16), ("visits", np.uint16), ("value", np.float32)])
        entries = np.zeros(count, kind)
        return entries["key"], entries["action"], entries["visits"], entries["value"]

    sizes = np.full(SEGMENTS, min(FIRST_SLOTS, slots), np.int64)
    keys, actions, visits, values = fields(SEGMENTS * slots)
    return Table(keys, actions, visits, values, fields(slots), sizes, np.zeros(SEGMENTS, np.int64))


@inner
def hash_words(words: NDArray[np.int64]) -> np.uint64:
    """uint64 hash of a position's words, int64 (n,)."""
    state = GOLDEN
    for i in range(words.shape[0]):
        state = wrapping_add(mix(state ^ as_uint64(words[i])), GOLDEN)
    return mix(state)


@inner
def room_of(table: Table) -> int:
    """Slots that a segment may have."""
    return table.actions.shape[0] // SEGMENTS


@inner
def segment_of(hashed: np.uint64) -> int:
    """The number of the segment of a position with this hash."""
    return as_int64(hashed >> TO_SEGMENT)


@inner
def home_of(hashed: np.uint64, size: int) -> int:
    """Where in a segment of `size` slots the probe for a hash begins. It keeps the order of hashes, whatever the size."""
    return as_int64(((hashed & LOW_32) * np.uint64(size)) >> S32)


@inner
def is_key(keys: NDArray[np.int64], slot: int, words: NDArray[np.int64]) -> bool:
    """Whether a slot holds these words."""
    for i in range(words.shape[0]):  # noqa: SIM110  (compiled)
        if keys[slot, i] != words[i]:
            return False
    return True


@inner
def first_slot(table: Table, words: NDArray[np.int64]) -> tuple[int, int, int]:
    """Where the probe for a position begins: (first slot of its segment, slots of the segment, place in it)."""
    hashed = hash_words(words)
    segment = segment_of(hashed)
    size = table.sizes[segment]
    return segment * room_of(table), size, home_of(hashed, size)


@inner
def seek(table: Table, base: int, size: int, place: int, words: NDArray[np.int64], action: int | np.int64) -> int:
    """The slot of a position's action, or where it is not there: ~slot, below 0, of the empty slot that ends the probe."""
    while table.actions[base + place] != 0:
        slot = base + place
        if table.actions[slot] == action + 1 and is_key(table.keys, slot, words):
            return slot
        place = place + 1 if place + 1 < size else 0
    return ~(base + place)


@inner
def find(table: Table, words: NDArray[np.int64], action: int) -> int:
    """The slot of a position's action, or ABSENT."""
    base, size, place = first_slot(table, words)
    return max(seek(table, base, size, place, words, action), ABSENT)


@inner
def put(table: Table, words: NDArray[np.int64], action: int | np.int64, value: float) -> int:
    """The slot of a position's action, made with `value` and no visits if it was absent; NO_ROOM if the table is full."""
    base, size, place = first_slot(table, words)
    slot = seek(table, base, size, place, words, action)
    if slot >= 0:
        return slot
    segment = base // room_of(table)
    if (table.used[segment] + 1) * FULL[1] > size * FULL[0]:
        if size == room_of(table):
            return NO_ROOM
        grow(table, segment)
        base, size, place = first_slot(table, words)
        slot = seek(table, base, size, place, words, action)
    slot = ~slot
    for i in range(words.shape[0]):
        table.keys[slot, i] = words[i]
    table.actions[slot], table.visits[slot], table.values[slot] = action + 1, 0, value
    table.used[segment] += 1
    return slot


@inner
def grow(table: Table, segment: int) -> None:
    """Gives a segment an eighth more slots, or what is left."""
    keys, actions, visits, values = table.spare
    room, old = room_of(table), table.sizes[segment]
    base, size = segment * room, min(old * GROWTH[0] // GROWTH[1], room)
    actions[:size] = 0
    for slot in range(base, base + old):
        if table.actions[slot] != 0:
            place = home_of(hash_words(table.keys[slot]), size)
            while actions[place] != 0:
                place = place + 1 if place + 1 < size else 0
            for i in range(keys.shape[1]):
                keys[place, i] = table.keys[slot, i]
            actions[place], visits[place], values[place] = table.actions[slot], table.visits[slot], table.values[slot]
    for place in range(size):
        slot = base + place
        table.actions[slot] = actions[place]
        if actions[place] != 0:
            for i in range(keys.shape[1]):
                table.keys[slot, i] = keys[place, i]
            table.visits[slot], table.values[slot] = visits[place], values[place]
    table.sizes[segment] = size


@inner
def look_up(
    table: Table,
    words: NDArray[np.int64],
    actions: NDArray[np.int64],
    count: int,
    values: NDArray[np.float64],
    visits: NDArray[np.float64],
    default: float,
) -> int:
    """Fills values and visits, float64, [:count] with those of actions[:count]; `default` and 0 where there is no entry.

    Returns how many entries there are.
    """
    for k in range(count):
        values[k], visits[k] = default, 0.0
    base, size, place = first_slot(table, words)
    found = 0
    while table.actions[base + place] != 0:
        slot = base + place
        if is_key(table.keys, slot, words):
            for k in range(count):
                if actions[k] + 1 == table.actions[slot]:
                    values[k], visits[k] = np.float64(table.values[slot]), np.float64(table.visits[slot])
                    found += 1
                    break
        place = place + 1 if place + 1 < size else 0
    return found


@inner
def count_visit(table: Table, slot: int) -> int:
    """Adds a visit to an entry. Returns how many it has."""
    visits: Any = min(np.int64(table.visits[slot]) + 1, MOST_VISITS)
    table.visits[slot] = visits
    return visits


# ---------------------------------------------------------------- all entries at once


class Columns(NamedTuple):
    """Entries: segment by segment, and within one in the order of positions and actions, where it says "in order".

    keys: int64 (n, words). actions: uint16 (n,). values: float32 (n,). visits: uint16 (n,).
    """

    keys: NDArray[np.int64]
    actions: NDArray[np.uint16]
    values: NDArray[np.float32]
    visits: NDArray[np.uint16]

    def take(self, which: NDArray[Any]) -> "Columns":
        """Some of the entries. which: their numbers, or a mask."""
        return Columns(self.keys[which], self.actions[which], self.values[which], self.visits[which])


def begins_position(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Of each entry, whether its position is another than that of the entry before it. keys: int64 (n, words)."""
    return np.r_[np.ones(min(len(keys), 1), bool), (keys[1:] != keys[:-1]).any(axis=1)]


@kernel
def copy_in(
    table: Table,
    keys: NDArray[np.int64],
    actions: NDArray[np.uint16],
    values: NDArray[np.float32],
    visits: NDArray[np.uint16],
    most_steps: int,
) -> int:
    """Puts columns into a table; an entry that is there already is overwritten.

    Returns how many slots away from where their probes began the entries lie, in all; NO_ROOM; or CROWDED, when they were
    more than most_steps.
    """
    steps: Any = np.int64(0)
    for n in range(actions.shape[0]):
        slot = put(table, keys[n], np.int64(actions[n]), values[n])
        if slot == NO_ROOM:
            return slot
        table.values[slot], table.visits[slot] = values[n], visits[n]
        base, size, place = first_slot(table, keys[n])  # of the segment as it is now
        away = slot - base - place
        steps += away if away >= 0 else away + size
        if steps > most_steps:
            return CROWDED
    return steps


@kernel
def count_keys(keys: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Adds to counts, int64 (SEGMENTS,), how many rows of keys each segment gets."""
    for n in range(keys.shape[0]):
        counts[segment_of(hash_words(keys[n]))] += 1


def slots_of(table: Table, segment: int, *, in_order: bool) -> NDArray[np.int64]:
    """The slots of a segment's entries, as they lie, or by position and action: the same for equal entries."""
    base = segment * (len(table.actions) // SEGMENTS)
    slots = base + np.flatnonzero(table.actions[base : base + table.sizes[segment]])
    return slots[order_of(table.keys[slots], table.actions[slots])] if in_order else slots


def order_of(keys: NDArray[np.int64], actions: NDArray[np.uint16]) -> NDArray[np.int64]:
    """What sorts entries by position and action."""
    return np.lexsort((actions, *keys.T[::-1]))


def pieces_of(table: Table, *, in_order: bool) -> dict[str, Pieces]:
    """All entries as columns for a file, a segment at a time, so that the table is not there twice; few of them at once.

    in_order: takes 4 bytes an entry to remember the order.
    """
    n, words, room = int(table.used.sum()), table.keys.shape[1], len(table.actions) // SEGMENTS
    if n <= FEW:
        return {name: as_pieces(array) for name, array in entries_of(table, in_order=in_order)._asdict().items()}
    orders = [(slots_of(table, k, in_order=True) - k * room).astype(np.uint32) for k in range(SEGMENTS)] if in_order else []

    def column(field: NDArray[Any], less: int = 0) -> Iterator[NDArray[Any]]:
        for k in range(SEGMENTS):
            slots = orders[k].astype(np.int64) + k * room if in_order else slots_of(table, k, in_order=False)
            yield field[slots] - field.dtype.type(less) if less else field[slots]

    return {
        "keys": Pieces(np.dtype(np.int64), (n, words), lambda: column(table.keys)),
        "actions": Pieces(np.dtype(np.uint16), (n,), lambda: column(table.actions, 1)),
        "values": Pieces(np.dtype(np.float32), (n,), lambda: column(table.values)),
        "visits": Pieces(np.dtype(np.uint16), (n,), lambda: column(table.visits)),
    }


def columns_of(table: Table) -> Columns:
    """All entries in order."""
    return entries_of(table, in_order=True)


def entries_of(table: Table, *, in_order: bool) -> Columns:
    """All entries, at once."""
    slots = np.concatenate([slots_of(table, segment, in_order=in_order) for segment in range(SEGMENTS)])
    return Columns(table.keys[slots], table.actions[slots] - np.uint16(1), table.values[slots], table.visits[slots])


def num_positions(table: Table) -> int:
    """How many positions there are entries of."""
    count = 0
    for segment in range(SEGMENTS):
        slots = slots_of(table, segment, in_order=True)
        count += int(begins_position(table.keys[slots]).sum())
    return count


def slots_for(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many slots each segment takes for so many entries and little room for more."""
    return np.maximum(counts * FULL[1] // FULL[0] * GROWTH[0] // GROWTH[1], FIRST_SLOTS)


def table_for(words: int, counts: NDArray[np.int64]) -> Table:
    """An empty table, for so many entries in each of the segments. Raises MemoryError."""
    sizes = slots_for(counts)
    table = make_table(words, int(sizes.max()) * (SEGMENTS + 1) * entry_bytes(words))
    table.sizes[:] = sizes
    return table


def table_of(columns: Columns) -> Table:
    """A table with these entries and little room for more."""
    counts = np.zeros(SEGMENTS, np.int64)
    count_keys(columns.keys, counts)
    table = table_for(columns.keys.shape[1], counts)
    copy_in(table, *columns, MOST_STEPS)
    return table


def clear(table: Table, counts: NDArray[np.int64]) -> None:
    """Empties a table, and makes it as large at once as it needs to be for so many entries in each of the segments.

    Entries in the order of their hashes would crowd the beginning of a small segment.
    """
    room = len(table.actions) // SEGMENTS
    for segment, size in enumerate(table.sizes.tolist()):  # not all that there may ever be: that would give it memory
        table.actions[segment * room : segment * room + size] = 0
    table.used[:] = 0
    table.sizes[:] = np.minimum(slots_for(counts), room)


def has_room(table: Table, counts: NDArray[np.int64]) -> bool:
    """Whether a table, emptied, could take so many entries in each of the segments."""
    return int(counts.max()) * FULL[1] <= len(table.actions) // SEGMENTS * FULL[0]


def bytes_at_most(table: Table) -> int:
    """Bytes that its slots may come to take, and the spare segment."""
    return (len(table.actions) + len(table.spare[1])) * entry_bytes(table.keys.shape[1])


def bytes_in_use(table: Table) -> int:
    """Bytes of the slots that there are, used or not, and of the spare segment."""
    return int(table.sizes.sum() + table.sizes.max()) * entry_bytes(table.keys.shape[1])
