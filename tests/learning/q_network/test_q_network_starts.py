"""Where the games of Q-learning with networks start."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning import game_totals as gt
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.baselines.learning.starts import draw_start, read_starts
from boardgym.compile import plain
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game
from boardgym.core.random import stream

SMALL = QNetworkConfig(game="TicTacToe-v0", games=60, hidden=12, learning_rate=0.3, target="full")


@pytest.mark.parametrize(
    ("setup", "least", "most"), [("standard", 0, 0), ("random:3", 3, 3), ("random:0-4", 0, 4), ("sequences:2", 0, 0)]
)
@pytest.mark.parametrize("options", [{}, {"n_steps": 2}])
def test_random_plies_are_not_learnt_from(setup, least, most, options):
    """All others are, once each; plies count from the start of a game."""
    training = QNetwork(dataclasses.replace(SMALL, setup=setup, **options))
    training.play_to(60)
    counts = training.totals.counts.sum(axis=0)
    drawn = counts[gt.PLIES] - counts[gt.UPDATES]
    assert 60 * least <= drawn <= 60 * most
    assert least == most or 60 < drawn < 180
    assert (counts[gt.PLIES] > 60 * 7) == (setup != "sequences:2")  # of nine plies two are behind such a start


def test_every_start_is_drawn():
    """By the same draws for the same seed; a set-up without a choice draws nothing."""
    game, rng, again = get_game("TicTacToe-v0"), stream(1), stream(1)
    many = read_starts(game, "sequences:1")
    drawn = [plain(draw_start)(game.token, many, rng) for _ in range(200)]
    assert len({position for position, _ in drawn}) == len(many.rows) == 9
    assert {plies for _, plies in drawn} == {0}
    assert [plain(draw_start)(game.token, many, again) for _ in range(200)] == drawn
    between = read_starts(game, "random:1-3")
    assert {plain(draw_start)(game.token, between, rng)[1] for _ in range(100)} == {1, 2, 3}
    for fixed, plies in (("standard", 0), ("random:3", 3)):
        before = rng.copy()
        position, found = plain(draw_start)(game.token, read_starts(game, fixed), rng)
        assert (np.array_equal(rng, before), position, found) == (True, game.start, plies)


def test_set_ups_that_are_not_there():
    with pytest.raises(OptionError, match="TicTacToe-v0 has no set-up 'openings'; expected 'random:a-b'"):
        QNetwork(dataclasses.replace(SMALL, setup="openings"))
