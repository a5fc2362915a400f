"""Files of Nine Men's Morris that do not hold what they should, and keys pressed while they are read."""

import numpy as np
import pytest

from boardgym import get_game
from boardgym.baselines.perfect import morris_build
from boardgym.baselines.perfect.morris_build import EndgameTables, orders
from boardgym.baselines.perfect.morris_tables import DEAD, make_maps
from boardgym.baselines.perfect.store import PART, TABLES, TableError


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Tables whose bytes are 7, of 3 men against 3 and 4 against 3: of the right size, and of no known digest."""
    monkeypatch.setattr(morris_build, "KNOWN", {})
    made = EndgameTables(get_game("NineMensMorris"), tmp_path)
    for pair in ((3, 3), (4, 3)):
        maps = make_maps(pair[0])
        arrays = {f"{a}-{b}": np.full(made.size(a, b, maps), 7, np.uint8) for a, b in orders(pair)}
        TABLES.write(made.path(pair), arrays, made.header(pair))
    return made


def test_a_key_pressed_while_tables_are_read_leaves_none_half_read(tables, monkeypatch):
    """Wherever the size of a table is asked for, from the plan to the last copy: else a position would be taken for a draw."""
    tables.load(3, 3)
    size, left = EndgameTables.size, []

    def press(a, b, maps):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return size(a, b, maps)

    for calls in range(50):
        left[:] = range(calls)
        with monkeypatch.context() as patch:
            patch.setattr(EndgameTables, "size", staticmethod(press))
            try:
                tables.load(4, 3)
                break
            except KeyboardInterrupt:
                pass
        assert tables.pairs == [(3, 3)]
        assert (tables.table(3, 3) == 7).all()
    assert calls > 4
    assert tables.pairs == [(3, 3), (4, 3)]
    assert (tables.values == 7).all()


def test_a_table_that_does_not_fit_is_refused_each_time(tables):
    tables.load(3, 3)
    few, header = np.zeros(4, np.uint8), tables.header((4, 3))
    for arrays, message in (
        ({"4-3": few, "3-4": few}, r"4-3 is uint8 \(4,\), expected uint8 \(\d+,\)"),
        ({"3-4": few}, "4-3 is not there, expected"),
        ({"4-3": np.zeros(tables.size(4, 3, make_maps(4)), np.int8)}, "4-3 is int8"),
    ):
        TABLES.write(tables.path((4, 3)), arrays, header)
        for _ in range(2):
            with pytest.raises(TableError, match=message):
                tables.load(4, 3)
            assert tables.pairs == [(3, 3)]
            assert (tables.table(3, 3) == 7).all()


def test_an_unfinished_file_that_does_not_fit_is_refused(tables):
    """One byte would be spread over the whole table; each message says that the work in the file is lost."""
    path, header = tables.path((3, 3)), tables.header((3, 3))
    path.unlink()
    whole = np.zeros(tables.size(3, 3, make_maps(3)), np.uint8)
    for table, layer, message in (
        (np.full(1, DEAD, np.uint8), 5, r"3-3 is uint8 \(1,\)"),
        (np.zeros(5, np.uint8), 5, r"3-3 is uint8 \(5,\)"),
        (whole, 0, "layer is 0, expected 1 to 251"),
        (whole, "5", "layer is '5'"),
    ):
        TABLES.write(path.with_suffix(PART), {"3-3": table}, {**header, "layer": layer})
        with pytest.raises(TableError, match=f"{message}.*the work in it is lost"):
            tables.build(3, 3)
        assert tables.pairs == []
