"""Games on a card are those on the CPU, bit for bit: 10,000 of each game where there is a card, 50 in the simulator.

Fewer against opponents.

`make test-gpu` runs them in the simulator, `python -m pytest tests/optional/gpu/test_games.py` on a card.
"""

import numpy as np
import pytest

import boardgym
from boardgym.compile.cuda import IS_SIMULATED
from tests.core import simulated_batch
from tests.core.card_opponents import OPPONENTS, PLAYERS
from tests.core.simulated_card import ask_both, assert_equal, pair, play_both, quick_switches  # noqa: F401  a fixture

NUM_GAMES, MOST_STEPS = (50, 80) if IS_SIMULATED else (10_000, 10**6)
VARIANTS = [
    *((name, {}) for name in boardgym.list_games()),
    ("Abalone-v0", {"rewards": "material", "no_move": "pass", "setup": "random:4-8"}),
    ("CardPoints-v0", {"n_cards": 12}),
    ("ConnectFour-v0", {"width": 8, "setup": "sequences:2"}),
    ("NineMensMorris-v0", {"draw": "first_repetition", "no_mill_limit": 0}),
    ("NineMensMorris-v0", {"variant": "twelve"}),
    ("Othello-v0", {"size": 6}),
    ("Othello-v0", {"setup": "openings-244"}),
]


@pytest.mark.parametrize(("name", "settings"), VARIANTS, ids=str)
def test_games_are_those_of_the_cpu(name, settings):
    play_both(*pair(name, NUM_GAMES, **settings), MOST_STEPS, every=40)


@pytest.mark.parametrize(("name", "settings"), VARIANTS, ids=str)
def test_many_plies_in_one_call_are_those_of_the_cpu(name, settings):
    cpu, card = pair(name, 8 if IS_SIMULATED else NUM_GAMES, **settings)
    for plies in (20, 3) if IS_SIMULATED else (1000, 70):
        for ours, theirs in zip(cpu.play("random", plies), card.play("random", plies), strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert_equal(cpu, card)


@pytest.mark.parametrize(("name", "kind"), PLAYERS)
def test_what_policies_play_is_what_they_play_on_the_cpu(name, kind, monkeypatch):
    ask_both(*pair(name, 8 if IS_SIMULATED else 1000), [OPPONENTS[kind](boardgym.get_game(name))] * 5, monkeypatch)


@pytest.mark.parametrize(("name", "kind"), PLAYERS)
def test_games_against_opponents_are_those_of_the_cpu(name, kind):
    opponent = OPPONENTS[kind](boardgym.get_game(name))
    both = simulated_batch.pair(name, 8 if IS_SIMULATED else 1000, opponent=opponent, seat="random", mirror=True)
    simulated_batch.play_both(*both, 12 if IS_SIMULATED else 200, share_illegal=0.02)
