"""The games' heuristics are worth having: minimax of one and two plies against random play, with draws counted half.

400 games of each are measured by hand (docs/policies.md); these few are enough to catch a wrong sign.
"""

import pytest

from boardgym.baselines.arena.match import play_match

# The least share of the points, of 40 games. With eight cards nobody can do much better than 87 % against random play:
# tests/reference/test_card_points.py.
LEAST = {
    "ConnectFour-v0": (0.8, 0.9),
    "Othello-v0": (0.8, 0.9),
    "NineMensMorris-v0": (0.9, 0.95),
    "Abalone-v0": (0.9, 0.95),
    "Backgammon-v0": (0.85, 0.9),
    "CardPoints-v0": (0.65, 0.65),
}


@pytest.mark.parametrize("game", LEAST)
def test_minimax_beats_random_play(game):
    for depth, least in enumerate(LEAST[game], start=1):
        match = play_match(f"minimax:{depth}", "random", game, games=40, seed=2)
        assert sum(played.score for played in match.games) / 40 >= least
