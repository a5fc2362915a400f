"""Playouts on a card against those on the CPU: tests for a process with NUMBA_ENABLE_CUDASIM=1.

`test_random_playouts` begins it.
"""

import numpy as np
import pytest

from boardgym.baselines import random_playouts
from boardgym.core.engine import BY_REPETITION
from tests.core.simulated_card import pair, quick_switches  # noqa: F401  a fixture


def assert_equal_playouts(cpu, card, count):
    """Playouts of both are the same, bit for bit, and differ from each other."""
    ours, theirs = random_playouts(cpu, count, seed=3), random_playouts(card, count, seed=3)
    for name, one, other in zip(ours._fields, ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other, name)
    assert len(set(ours.plies)) > 1 or ours.returns.std() > 0


@pytest.mark.parametrize(
    ("name", "n", "plies", "count", "settings"),
    [
        ("TicTacToe-v0", 9, 4, 5, {}),
        ("ConnectFour-v0", 3, 20, 3, {}),
        ("Backgammon-v0", 2, 60, 1, {}),
        ("CardPoints-v0", 3, 2, 2, {}),
    ],
    ids=str,
)
def test_playouts_are_those_of_the_cpu(name, n, plies, count, settings):
    cpu, card = pair(name, n, **settings)
    for _ in range(plies):
        cpu.step(cpu.act("random"))
    card.put(range(n), cpu)
    assert_equal_playouts(cpu, card, count)


def test_a_board_that_a_repetition_has_ended_pays_a_draw():
    cpu, card = pair("NineMensMorris-v0", 12, draw="first_repetition")
    for _ in range(60):
        cpu.step(cpu.act("random"))
    is_repeated = cpu._rows.endings == BY_REPETITION
    chosen = [*np.flatnonzero(is_repeated)[:3], *np.flatnonzero(~cpu.done)[:1]]
    assert len(chosen) == 4
    card.put(range(12), cpu)
    cpu, card = cpu.take(chosen), card.take(chosen)
    assert_equal_playouts(cpu, card, 2)
    found = random_playouts(card, 2, seed=3)
    assert not found.returns[:3].any()
    assert found.plies.astype(bool).tolist() == [False, False, False, True]
