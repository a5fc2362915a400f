"""A hash table from (position, action) to a value and a number of visits, which grows while kernels write to it.

The key is the exact position, as the words of the verb `compact`, and the action; no two share an entry. Open addressing with
linear probing; the probe begins where the position's hash says, so that all actions of a position lie together and one look at
memory finds them. An entry is 8 bytes a word of the position, and 8 more.

The table is cut into segments by the highest bits of the hash. A full segment grows by an eighth, alone: its entries are
written in the order in which they lie, into room that one segment needs, and copied back. So the table is never there twice,
no growth takes longer than that of a segment, and between 71 and 80 in 100 slots are in use. The arrays span the room that the
table may ever take; the operating system gives them memory where they are first written.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.bits import as_int64, as_uint64, wrapping_add
from boardgym.core.cache import inner, kernel
from boardgym.core.random import GOLDEN, S32, mix

SEGMENT_BITS = 6
SEGMENTS = 1 << SEGMENT_BITS
FIRST_SLOTS = 64  # of a segment
FULL, GROWTH = (4, 5), (9, 8)  # in use, of how many; new size, of the old one
MOST_VISITS = 65535  # where counting stops
VALUE_OF_POSITION = 65534  # in place of an action: the value of a position for the seat that has just moved
ABSENT, NO_ROOM = -1, -2
LOW_32 = np.uint64(0xFFFF_FFFF)
TO_SEGMENT = np.uint64(64 - SEGMENT_BITS)
LEAST_BYTES = 1 << 16


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


def make_table(words: int, max_bytes: int, *, expected: int = 0) -> Table:
    """An empty table. Raises MemoryError.

    words: of a position. max_bytes: what its slots may come to take. expected: how many entries will come at once.
    """
    slots = max(max_bytes, LEAST_BYTES) // entry_bytes(words) // (SEGMENTS + 1)

    def fields(count: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        kind = np.dtype([("key", np.int64, (words,)), ("action", np.uint16), ("visits", np.uint16), ("value", np.float32)])
        entries = np.zeros(count, kind)
        return entries["key"], entries["action"], entries["visits"], entries["value"]

    sizes = np.full(SEGMENTS, first_size(expected, slots), np.int64)
    keys, actions, visits, values = fields(SEGMENTS * slots)
    return Table(keys, actions, visits, values, fields(slots), sizes, np.zeros(SEGMENTS, np.int64))


def first_size(expected: int, room: int) -> int:
    """Slots that each segment begins with. expected: entries that will come at once. room: slots that a segment may have."""
    return min(max(FIRST_SLOTS, expected * FULL[1] // FULL[0] // SEGMENTS * GROWTH[0] // GROWTH[1]), room)


@inner
def hash_words(words):
    """uint64 hash of a position's words, int64 (n,)."""
    state = GOLDEN
    for i in range(words.shape[0]):
        state = wrapping_add(mix(state ^ as_uint64(words[i])), GOLDEN)
    return mix(state)


@inner
def room_of(table):
    """Slots that a segment may have."""
    return table.actions.shape[0] // SEGMENTS


@inner
def segment_of(hashed):
    """The number of the segment of a position with this hash."""
    return as_int64(hashed >> TO_SEGMENT)


@inner
def home_of(hashed, size):
    """Where in a segment of `size` slots the probe for a hash begins. It keeps the order of hashes, whatever the size."""
    return as_int64(((hashed & LOW_32) * np.uint64(size)) >> S32)


@inner
def is_key(keys, slot, words):
    """Whether a slot holds these words."""
    for i in range(words.shape[0]):  # noqa: SIM110  (compiled)
        if keys[slot, i] != words[i]:
            return False
    return True


@inner
def first_slot(table, words):
    """Where the probe for a position begins: (first slot of its segment, slots of the segment, place in it)."""
    hashed = hash_words(words)
    segment = segment_of(hashed)
    size = table.sizes[segment]
    return segment * room_of(table), size, home_of(hashed, size)


@inner
def find(table, words, action):
    """The slot of a position's action, or ABSENT."""
    base, size, place = first_slot(table, words)
    while table.actions[base + place] != 0:
        slot = base + place
        if table.actions[slot] == action + 1 and is_key(table.keys, slot, words):
            return slot
        place = place + 1 if place + 1 < size else 0
    return ABSENT


@inner
def put(table, words, action, value):
    """The slot of a position's action, made with `value` and no visits if it was absent; NO_ROOM if the table is full."""
    hashed = hash_words(words)
    segment = segment_of(hashed)
    room = room_of(table)
    base, size = segment * room, table.sizes[segment]
    place = home_of(hashed, size)
    while table.actions[base + place] != 0:
        slot = base + place
        if table.actions[slot] == action + 1 and is_key(table.keys, slot, words):
            return slot
        place = place + 1 if place + 1 < size else 0
    if (table.used[segment] + 1) * FULL[1] > size * FULL[0]:
        if size == room:
            return NO_ROOM
        grow(table, segment)
        size = table.sizes[segment]
        place = home_of(hashed, size)
        while table.actions[base + place] != 0:
            place = place + 1 if place + 1 < size else 0
    slot = base + place
    for i in range(words.shape[0]):
        table.keys[slot, i] = words[i]
    table.actions[slot], table.visits[slot], table.values[slot] = action + 1, 0, value
    table.used[segment] += 1
    return slot


@inner
def grow(table, segment):
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
def look_up(table, words, actions, count, values, visits, default):
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
def count_visit(table, slot):
    """Adds a visit to an entry. Returns how many it has."""
    visits = min(np.int64(table.visits[slot]) + 1, MOST_VISITS)
    table.visits[slot] = visits
    return visits


# ---------------------------------------------------------------- all entries at once


class Columns(NamedTuple):
    """Entries in the order of their positions and actions.

    keys: int64 (n, words). actions: uint16 (n,). values: float32 (n,). visits: uint16 (n,).
    """

    keys: NDArray[np.int64]
    actions: NDArray[np.uint16]
    values: NDArray[np.float32]
    visits: NDArray[np.uint16]

    def take(self, which: NDArray[Any]) -> "Columns":
        """Some of the entries. which: their numbers, or a mask."""
        return Columns(self.keys[which], self.actions[which], self.values[which], self.visits[which])


@kernel
def copy_out(table, keys, actions, values, visits):
    """Writes all entries to columns, as they lie."""
    n = 0
    for segment in range(table.sizes.shape[0]):
        base = segment * room_of(table)
        for slot in range(base, base + table.sizes[segment]):
            if table.actions[slot] != 0:
                for i in range(keys.shape[1]):
                    keys[n, i] = table.keys[slot, i]
                actions[n], values[n], visits[n] = table.actions[slot] - 1, table.values[slot], table.visits[slot]
                n += 1


@kernel
def copy_in(table, keys, actions, values, visits):
    """Puts columns into a table; an entry that is there already is overwritten. Returns whether there was room."""
    for n in range(actions.shape[0]):
        slot = put(table, keys[n], np.int64(actions[n]), values[n])
        if slot == NO_ROOM:
            return False
        table.values[slot], table.visits[slot] = values[n], visits[n]
    return True


def columns_of(table: Table, *, in_order: bool = True) -> Columns:
    """All entries, sorted by position and action, or as they lie."""
    n, words = int(table.used.sum()), table.keys.shape[1]
    columns = Columns(np.empty((n, words), np.int64), np.empty(n, np.uint16), np.empty(n, np.float32), np.empty(n, np.uint16))
    copy_out(table, *columns)
    return sort_columns(columns) if in_order else columns


def sort_columns(columns: Columns) -> Columns:
    """The same entries in order."""
    return columns.take(np.lexsort((columns.actions, *columns.keys.T[::-1])))


def table_of(columns: Columns) -> Table:
    """A table with these entries and little room for more."""
    n, words = columns.keys.shape
    table = make_table(words, (n + 64 * FIRST_SLOTS) * entry_bytes(words) * 3 // 2, expected=n)
    if not copy_in(table, *columns):
        raise AssertionError("the table of a file's entries is too small")
    return table


def refill(table: Table, columns: Columns) -> bool:
    """Gives a table these entries in place of its own. Returns whether there was room for them."""
    room = len(table.actions) // SEGMENTS
    for segment, size in enumerate(table.sizes.tolist()):  # not all that there may ever be: that would give it memory
        table.actions[segment * room : segment * room + size] = 0
    table.used[:] = 0
    # at once as large as it needs to be: entries in the order of their hashes would crowd the beginning of a small segment
    table.sizes[:] = first_size(len(columns.actions), len(table.actions) // SEGMENTS)
    return bool(copy_in(table, *columns))


def bytes_in_use(table: Table) -> int:
    """Bytes of the slots that there are, used or not, and of the spare segment."""
    return int(table.sizes.sum() + table.sizes.max()) * entry_bytes(table.keys.shape[1])
