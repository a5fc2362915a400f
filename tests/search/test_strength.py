"""The games' heuristics are worth having: what looks one and two plies ahead against random play, with draws
counted half.

400 games of each are measured by hand (docs/policies.md); these few are enough to catch a wrong sign.
"""

import pytest

from boardgym.baselines.arena.match import play_match

# The least share of the points, of 40 games, by players whose kernels other tests need too. With eight cards nobody can do much
# better than 87 % against random play: tests/reference/test_card_points.py.
LEAST = {
    "ConnectFour-v0": {"minimax:1": 0.8, "minimax:2": 0.9},
    "Othello-v0": {"minimax:1": 0.8, "minimax:2": 0.9},
    "NineMensMorris-v0": {"minimax:1": 0.9, "minimax:2": 0.95},
    "Abalone-v0": {"minimax:1": 0.9, "minimax:2": 0.95},
    "Backgammon-v0": {"greedy": 0.85},
    "CardPoints-v0": {"greedy": 0.65},
}


@pytest.mark.parametrize("game", LEAST)
def test_searches_beat_random_play(game):
    for player, least in LEAST[game].items():
        match = play_match(player, "random", game, games=40, seed=2)
        assert sum(played.score for played in match.games) / 40 >= least
