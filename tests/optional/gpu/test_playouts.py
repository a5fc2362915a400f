"""Random playouts on a card, and searches by them, are those on the CPU, bit for bit, of all games; in the simulator fewer.

`make test-gpu` runs them in the simulator, `python -m pytest tests/optional/gpu/test_playouts.py` on a card.
"""

import pytest

import boardgym
from boardgym.compile.cuda import IS_SIMULATED
from tests.core.simulated_card import pair, quick_switches  # noqa: F401  a fixture
from tests.optional.gpu.test_games import VARIANTS
from tests.search.simulated_playouts import assert_equal_playouts, assert_equal_searches

NUM_BOARDS, PLAYOUTS = (8, 2) if IS_SIMULATED else (1000, 100)


@pytest.mark.parametrize(("name", "settings"), VARIANTS, ids=str)
def test_playouts_are_those_of_the_cpu(name, settings):
    cpu, card = pair(name, NUM_BOARDS, **settings)
    for _ in range(12):
        cpu.step(cpu.act("random"))
    card.put(range(NUM_BOARDS), cpu)
    assert_equal_playouts(cpu, card, PLAYOUTS)


@pytest.mark.parametrize("name", boardgym.list_games())
def test_searches_are_those_of_the_cpu(name):
    boards = boardgym.BatchBoard(name, NUM_BOARDS, seed=1)
    for _ in range(5):
        boards.step(boards.act("random"))
    assert_equal_searches("uct:6,leaf_playouts=2" if IS_SIMULATED else "uct:200,leaf_playouts=32", boards)
