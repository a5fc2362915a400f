"""The table of positions and actions: beside a dict, through growth with keys that crowd together, full, and its size."""

import numpy as np
import pytest

from boardgym.baselines.learning.tabular import table as tb
from boardgym.compile import kernel, plain

ROOM = 1 << 22  # bytes


@kernel
def hash_all(keys, hashes):
    """The hash of every row of keys, to uint64 (n,)."""
    for n in range(keys.shape[0]):
        hashes[n] = tb.hash_words(keys[n])


@kernel
def look_at(table, words, actions, values, visits):
    return tb.look_up(table, words, actions, actions.shape[0], values, visits, -1.0)


def put_all(table, keys, actions, values, visits):
    """Whether there was room."""
    columns = keys, actions.astype(np.uint16), values.astype(np.float32), visits.astype(np.uint16)
    return tb.copy_in(table, *columns, tb.MOST_STEPS) >= 0


def as_dict(columns):
    pairs = [(*map(int, key), int(action)) for key, action in zip(columns.keys, columns.actions, strict=True)]
    assert len(set(pairs)) == len(pairs), "two entries of one position and action"
    return dict(zip(pairs, zip(columns.values.tolist(), columns.visits.tolist(), strict=True), strict=True))


def crowded(count, *, at_end):
    """int64 (count, 1): keys of one segment, whose homes are in the first or the last sixty-fourth of it, whatever its size."""
    keys = np.arange(count << 13, dtype=np.int64)[:, None]  # twice as many as are needed
    hashes = np.empty(len(keys), np.uint64)
    hash_all(keys, hashes)
    homes = (hashes & tb.LOW_32) >> np.uint64(26)
    found = keys[((hashes >> tb.TO_SEGMENT) == 5) & (homes == (63 if at_end else 0))]
    assert len(found) >= count
    return found[:count]


@pytest.mark.parametrize("words", [1, 2])
def test_holds_what_a_dict_holds(words):
    rng = np.random.default_rng(words)
    table, twin = tb.make_table(words, ROOM), {}
    for _ in range(3):  # written over, and grown, several times
        keys = rng.integers(-30, 30, (3000, words)) * (1 << 40)
        actions, values, visits = rng.integers(0, 65535, 3000) % 7, rng.normal(size=3000), rng.integers(0, 65536, 3000)
        assert put_all(table, keys, actions, values, visits)
        for key, action, value, count in zip(keys, actions, values.astype(np.float32), visits, strict=True):
            twin[(*map(int, key), int(action))] = float(value), int(count)
        assert as_dict(tb.columns_of(table)) == twin
        assert int(table.used.sum()) == len(twin)


@pytest.mark.parametrize("at_end", [False, True])
def test_grows_with_keys_that_crowd_together(at_end):
    """Long runs of slots in use, past the end of the segment and on at its beginning; actions 0 and 65534 among them."""
    keys = crowded(200, at_end=at_end)
    table, sizes, twin = tb.make_table(1, ROOM), set(), {}
    for n, key in enumerate(keys):
        for action in (0, 65534):
            assert put_all(table, key[None], np.array([action]), np.array([n]), np.array([action // 2]))
            twin[int(key[0]), action] = float(n), action // 2
        sizes.add(int(table.sizes[5]))
    assert len(sizes) > 10  # of the segment, each an eighth more
    assert np.delete(table.used, 5).sum() == 0
    assert as_dict(tb.columns_of(table)) == twin
    values, visits, actions = np.empty(2), np.empty(2), np.array([65534, 0])
    for n, key in enumerate(keys):
        assert look_at(table, key, actions, values, visits) == 2
        assert values.tolist() == [n, n]
        assert visits.tolist() == [32767, 0]
    others = np.setdiff1d(crowded(230, at_end=at_end), keys)  # that would have their homes among them
    assert all(look_at(table, np.array([other]), actions, values, visits) == 0 for other in others)


def test_look_up_answers_in_the_order_of_the_question():
    table, rng = tb.make_table(2, ROOM), np.random.default_rng(3)
    words = np.array([3, -4])
    actions = rng.permutation(100)[:40]
    assert put_all(table, np.tile(words, (40, 1)), actions, actions / 8, actions + 1)
    for _ in range(5):
        asked = rng.permutation(100)
        values, visits = np.empty(100), np.empty(100)
        assert look_at(table, words, asked, values, visits) == 40
        known = np.isin(asked, actions)
        assert (values == np.where(known, asked / 8, -1.0)).all()
        assert (visits == np.where(known, asked + 1, 0.0)).all()
    assert look_at(table, np.array([3, 4]), actions, np.empty(40), np.empty(40)) == 0


def test_columns_and_back():
    rng = np.random.default_rng(4)
    table = tb.make_table(2, ROOM)
    assert put_all(table, rng.integers(-9, 9, (900, 2)), rng.integers(0, 3, 900), rng.normal(size=900), np.full(900, 7))
    columns = tb.columns_of(table)
    hashes = np.empty(len(columns.keys), np.uint64)
    hash_all(columns.keys, hashes)
    rows = np.column_stack(((hashes >> tb.TO_SEGMENT).astype(np.int64), columns.keys, columns.actions))
    assert rows.tolist() == sorted(rows.tolist())
    again = tb.columns_of(tb.table_of(columns))
    for mine, other in zip(columns, again, strict=True):
        assert mine.dtype == other.dtype
        assert np.array_equal(mine, other)
    some = tb.columns_of(tb.table_of(columns.take(np.arange(10))))
    assert np.array_equal(some.keys, columns.keys[:10])


@pytest.mark.parametrize("in_order", [False, True])
def test_a_file_has_the_same_of_all_at_once_as_of_segments(in_order, monkeypatch):
    rng = np.random.default_rng(4)
    table = tb.make_table(2, ROOM)
    assert put_all(table, rng.integers(-9, 9, (900, 2)), rng.integers(0, 3, 900), rng.normal(size=900), np.full(900, 7))
    found = []
    for few in (tb.FEW, 0):
        monkeypatch.setattr(tb, "FEW", few)
        pieces = tb.pieces_of(table, in_order=in_order)
        parts = {name: [*each.parts()] for name, each in pieces.items()}
        assert {len(each) for each in parts.values()} == {1 if few else tb.SEGMENTS}
        found.append({name: np.concatenate(each).tobytes() for name, each in parts.items()})
        assert [(each.dtype, each.shape) for each in pieces.values()] == [
            (each.dtype, each.shape) for each in tb.columns_of(table)
        ]
    assert found[0] == found[1]


def test_says_when_it_is_full_and_keeps_what_it_has():
    """A table of the least size gives a segment 62 slots, of which four fifths may be in use."""
    table, keys = tb.make_table(1, tb.LEAST_BYTES), crowded(60, at_end=False)
    room = len(table.actions) // tb.SEGMENTS
    most = room * tb.FULL[0] // tb.FULL[1]
    assert put_all(table, keys[:most], np.zeros(most), np.arange(most), np.ones(most))
    before = as_dict(tb.columns_of(table))
    assert not put_all(table, keys[most : most + 1], np.zeros(1), np.zeros(1), np.ones(1))
    assert as_dict(tb.columns_of(table)) == before
    assert put_all(table, keys[:1], np.zeros(1), np.full(1, 5.0), np.ones(1))  # what is there can still be written
    assert as_dict(tb.columns_of(table))[int(keys[0, 0]), 0] == (5.0, 1)


def test_bytes_of_an_entry():
    """8 bytes of position and 8 more, in slots of which 71 to 80 in 100 are in use, and one segment to spare."""
    rng = np.random.default_rng(5)
    table, n = tb.make_table(1, 1 << 26), 0
    for _ in range(12):
        put_all(table, rng.integers(0, 2**62, (50_000, 1)), np.zeros(50_000), np.zeros(50_000), np.ones(50_000))
        n = int(table.used.sum())
        if n > 100_000:
            assert 16 / 0.8 <= tb.bytes_in_use(table) / n <= 24
    assert n > 500_000
    assert table.sizes.max() <= 1.3 * table.sizes.min()


def test_visits_stop_at_the_most_that_is_counted():
    table = tb.make_table(1, ROOM)
    put_all(table, np.zeros((1, 1), np.int64), np.zeros(1), np.zeros(1), np.full(1, tb.MOST_VISITS - 1))
    slot = int(np.flatnonzero(table.actions)[0])
    count = plain(tb.count_visit)
    assert [int(count(table, slot)) for _ in range(2)] == [tb.MOST_VISITS] * 2
    assert table.visits[slot] == tb.MOST_VISITS
