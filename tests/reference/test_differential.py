"""200,000 random plies of each game against OpenSpiel: see `tests.reference.differential` for what is compared and how."""

import pytest

from tests.reference.differential import GAMES, compare_games


@pytest.mark.parametrize("game_id", GAMES)
def test_random_games_agree_with_openspiel_at_every_ply(game_id):
    assert compare_games(game_id, 200_000, seed=20) >= 200_000
