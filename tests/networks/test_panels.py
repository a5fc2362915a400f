"""Sums of an n-tuple network by panels: those that `follow` and `sum_of` find, bit for bit, for any way to share cells out."""

import numpy as np
import pytest

from boardgym.baselines.networks import panels as pn
from boardgym.baselines.networks.cells import game_cells
from boardgym.baselines.networks.ntuples import check_tuples, follow, make_reading, make_tuples, sum_of
from boardgym.compile import plain
from boardgym.core.game import get_game
from tests.learning.ntuple.test_ntuple_network import GameCellsOfTwo, random_boards, states_of, tuples_of

GAMES = {
    "nine cells": get_game("TicTacToe-v0"),
    "seven columns": get_game("ConnectFour-v0"),
    "four columns": get_game("ConnectFour-v0", width=4, height=4),
}
WAYS = {  # MOST_PATTERNS, MOST_BYTES -> how many panels there are of the games
    "as they are": (pn.MOST_PATTERNS, pn.MOST_BYTES, [3, 7, 4]),
    "two": ((3**5, 1), 1 << 30, [2, 7, 4]),
    "too many bytes for two": ((3**5, 9, 1), 20_000, [5, 7, 4]),
    "too many bytes": (pn.MOST_PATTERNS, 0, [9, 7, 4]),
    "few": ((4**8,), 1 << 40, [1, 7, 2]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_sums_are_those_of_a_reading(name, way, monkeypatch):
    """From either seat, along games and from one to the next, of one table or the other."""
    most, most_bytes, expected = WAYS[way]
    monkeypatch.setattr(pn, "MOST_PATTERNS", most)
    monkeypatch.setattr(pn, "MOST_BYTES", most_bytes)
    cells = game_cells(GAMES[name])
    network = make_tuples(cells, tuples := tuples_of(cells, "walk(8, 5)", "lines(3)"), symmetries=True)
    found = pn.make_panels(network)
    assert len(found.firsts) == expected[list(GAMES).index(name)]
    assert found.rows.dtype == np.int16
    assert not found.rows[0].any()
    weights = np.random.default_rng(1).normal(size=(2, check_tuples(cells, tuples, arrays=1))).astype(np.float32)
    reading, room, sums = plain(make_reading)(network, 2), plain(pn.make_panel_room)(found), set()
    for count, board in enumerate(random_boards(GAMES[name], 2)):
        seat = int(count % 3 == 0)
        states = states_of(board, seat)
        plain(follow)(network, reading, seat, states)
        total = plain(pn.sum_of_states)(found, weights[count % 2], states, room)
        assert room.places.tolist() == reading.places[seat].tolist()
        assert total == plain(sum_of)(weights, count % 2, reading, seat)
        sums.add(total)
    assert len(sums) > count // 2


def test_great_indices_have_greater_steps():
    """A tuple of nine cells with three states has 19,683 weights, which 16 bits hold; twice as many they do not."""
    cells = game_cells(get_game("TicTacToe-v0"))
    network = make_tuples(cells, tuples := [tuple(range(9))], symmetries=False)
    for factor, dtype in ((1, np.int16), (2, np.int32)):
        found = pn.make_panels(network._replace(codes=factor * network.codes))
        room = plain(pn.make_panel_room)(found)
        assert found.rows.dtype == room.added.dtype == dtype
        weights = np.arange(2 * check_tuples(cells, tuples, arrays=1), dtype=np.float32)
        for state in (2, 0, 1, 2):
            total = plain(pn.sum_of_states)(found, weights, np.full(9, state), room)
            assert total == factor * state * (3**9 - 1) // 2


def test_cells_beyond_the_board_change_nothing():
    """Whatever is written into them: here the board is the last two of three cells."""
    cells = GameCellsOfTwo()
    found = pn.make_panels(make_tuples(cells, [(1,), (1, 2)], symmetries=False))
    room, weights = plain(pn.make_panel_room)(found), np.arange(12, dtype=np.float32)
    for beyond in (2, 0):
        assert plain(pn.sum_of_states)(found, weights, np.array([beyond, 1, 2]), room) == 1 + (3 + 1 + 3 * 2)
