"""Games on a card are those on the CPU, bit for bit: 10,000 of each game where there is a card, 50 in the simulator.

`make test-gpu` runs them in the simulator, `python -m pytest tests/optional/gpu/test_games.py` on a card.
"""

import pytest

import boardgym
from boardgym.compile.cuda import IS_SIMULATED
from tests.core.card_opponents import OPPONENTS, WITHOUT_CELLS
from tests.core.simulated_card import ask_both, pair, play_both, quick_switches  # noqa: F401  a fixture

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


@pytest.mark.parametrize("kind", OPPONENTS)
@pytest.mark.parametrize("name", boardgym.list_games())
def test_what_policies_play_is_what_they_play_on_the_cpu(name, kind, monkeypatch):
    """A greedy player of card points does not compile for a card."""
    if kind == "ntuple" and name in WITHOUT_CELLS:
        return
    if (kind, name) == ("greedy", "CardPoints-v0") and not IS_SIMULATED:
        return
    ask_both(*pair(name, 8 if IS_SIMULATED else 1000), [OPPONENTS[kind](boardgym.get_game(name))] * 5, monkeypatch)
