"""Sums of an n-tuple network by panels: those that `follow` and `sum_of` find, bit for bit, for any way to share cells out."""

import numpy as np
import pytest

from boardgym.baselines.networks import panels as pn
from boardgym.baselines.networks.cells import game_cells
from boardgym.baselines.networks.ntuples import check_tuples, follow, make_reading, make_tuples, sum_of
from boardgym.compile import plain
from boardgym.core.game import get_game
from tests.learning.ntuple.test_ntuple_network import GameCellsOfTwo, random_boards, states_of, tuples_of

WAYS = {  # MOST_PATTERNS, MOST_BYTES -> panels of tic-tac-toe's nine cells, and of Connect Four's seven columns
    "as they are": (pn.MOST_PATTERNS, pn.MOST_BYTES, [3, 7]),
    "by twos": ((9, 1), 1 << 30, [5, 7]),
    "too many bytes": (pn.MOST_PATTERNS, 0, [9, 7]),
    "one for all": ((3**9,), 1 << 40, [1, 7]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["TicTacToe-v0", "ConnectFour-v0"])
def test_sums_are_those_of_a_reading(name, way, monkeypatch):
    most, most_bytes, expected = WAYS[way]
    monkeypatch.setattr(pn, "MOST_PATTERNS", most)
    monkeypatch.setattr(pn, "MOST_BYTES", most_bytes)
    cells = game_cells(get_game(name))
    network = make_tuples(cells, tuples := tuples_of(cells, "walk(8, 5)", "lines(3)"), symmetries=True)
    found = pn.make_panels(network)
    assert len(found.firsts) == expected[name == "ConnectFour-v0"]
    assert found.rows.dtype == np.int16
    weights = np.random.default_rng(1).normal(size=(2, check_tuples(cells, tuples, arrays=1))).astype(np.float32)
    reading, room, sums = plain(make_reading)(network, 2), plain(pn.make_panel_room)(found), set()
    for count, board in enumerate(random_boards(name, 2)):
        states, seat = states_of(board, count % 2), count % 2
        plain(follow)(network, reading, seat, states)
        total = plain(pn.sum_of_states)(found, weights[1], states, room)
        assert room.places.tolist() == reading.places[seat].tolist()
        assert total == plain(sum_of)(weights, 1, reading, seat)
        sums.add(total)
    assert len(sums) > count // 2


def test_tables_of_many_weights_have_greater_steps(monkeypatch):
    """A tuple of nine cells with three states has 19,683 weights, which 16 bits hold; with what others add they may not."""
    cells = game_cells(get_game("TicTacToe-v0"))
    network = make_tuples(cells, tuples := [tuple(range(9))], symmetries=False)
    greater = network._replace(codes=2 * network.codes)
    for tuples_, dtype in ((network, np.int16), (greater, np.int32)):
        found = pn.make_panels(tuples_)
        room = plain(pn.make_panel_room)(found)
        assert found.rows.dtype == room.added.dtype == dtype
        weights = np.arange(2 * check_tuples(cells, tuples, arrays=1), dtype=np.float32)
        factor = tuples_.codes.max() // network.codes.max()
        assert plain(pn.sum_of_states)(found, weights, np.full(9, 2), room) == factor * (3**9 - 1)


def test_cells_beyond_the_board_change_nothing():
    """Whatever is written into them: here the board is the last two of three cells."""
    cells = GameCellsOfTwo()
    found = pn.make_panels(make_tuples(cells, [(1,), (1, 2)], symmetries=False))
    room, weights = plain(pn.make_panel_room)(found), np.arange(12, dtype=np.float32)
    assert plain(pn.sum_of_states)(found, weights, np.array([2, 1, 2]), room) == 1 + (3 + 1 + 3 * 2)
    assert plain(pn.sum_of_states)(found, weights, np.array([0, 1, 2]), room) == 1 + (3 + 1 + 3 * 2)
