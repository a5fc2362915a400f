"""Random playouts on a card are those on the CPU, bit for bit, of all games; in the simulator fewer of them.

`make test-gpu` runs them in the simulator, `python -m pytest tests/optional/gpu/test_playouts.py` on a card.
"""

import pytest

from boardgym.compile.cuda import IS_SIMULATED
from tests.core.simulated_card import pair, quick_switches  # noqa: F401  a fixture
from tests.optional.gpu.test_games import VARIANTS
from tests.search.simulated_playouts import assert_equal_playouts

NUM_BOARDS, PLAYOUTS = (8, 2) if IS_SIMULATED else (1000, 100)


@pytest.mark.parametrize(("name", "settings"), VARIANTS, ids=str)
def test_playouts_are_those_of_the_cpu(name, settings):
    cpu, card = pair(name, NUM_BOARDS, **settings)
    for _ in range(12):
        cpu.step(cpu.act("random"))
    card.put(range(NUM_BOARDS), cpu)
    assert_equal_playouts(cpu, card, PLAYOUTS)
