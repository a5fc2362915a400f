"""Where the games of Q-learning with networks start."""

import dataclasses

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning import game_totals as gt
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.baselines.learning.starts import begin, read_starts
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game
from boardgym.core.random import stream

SMALL = QNetworkConfig(game="TicTacToe-v0", games=60, hidden=12, learning_rate=0.3, target="full")


@pytest.mark.parametrize("setup", ["standard", "random:3", "random:0-4", "random:7", "sequences:2"])
@pytest.mark.parametrize("options", [{}, {"n_steps": 2}])
def test_all_plies_but_random_ones_are_learnt_from(setup, options):
    """Once each, and no game is over when it starts: of five plies on one seat may have a row."""
    training = QNetwork(dataclasses.replace(SMALL, setup=setup, **options))
    training.play_to(60)
    counts = training.totals.counts.sum(axis=0)
    assert counts[gt.PLIES] == counts[gt.UPDATES] >= 60
    assert counts[: gt.PLIES].sum() == 60
    most = {"standard": 9, "random:3": 6, "random:0-4": 9, "random:7": 2, "sequences:2": 7}[setup]
    assert counts[gt.PLIES] <= 60 * most
    assert (counts[gt.PLIES] > 60 * 7) == (setup == "standard")


@pytest.mark.parametrize("game", ["Othello-v0", "Backgammon-v0", "NineMensMorris-v0", "Abalone3-v0"])
def test_random_plies_are_those_of_the_seats(game):
    """Passes are; rolls of the dice are not, and the last is left to be rolled. From the same place for the same seed."""
    game, rng = get_game(game), stream(5)
    choices, outcomes = np.zeros(game.max_choices, np.int64), np.zeros(max(game.num_outcomes, game.max_choices))
    for plies in (0, 1, 4):
        starts = read_starts(game, f"random:{plies}")
        again = rng.copy()
        position, is_found = plain(begin)(game.token, starts, rng, choices, outcomes)
        assert is_found
        assert plain(begin)(game.token, starts, again, choices, outcomes) == (position, True)
        assert (position == game.start) == (plies == 0)
        board = Board(game)
        board.set_position(position, check=True)
        assert not board.is_terminal
        if plies == 0:
            assert verbs.awaits_chance(position) == (game.id == "Backgammon-v0")
        if game.num_seats == 3:
            assert verbs.to_play(position) == plies % 3


def test_every_start_is_drawn():
    """By the same draws for the same seed; a set-up without a choice draws nothing."""
    game, rng, again = get_game("TicTacToe-v0"), stream(1), stream(1)
    legal, probabilities = np.zeros(9, np.int64), np.zeros(9)

    def starts_of(setup, count, rng):
        starts = read_starts(game, setup)
        found = [plain(begin)(game.token, starts, rng, legal, probabilities) for _ in range(count)]
        assert all(is_found for _, is_found in found)
        return [position for position, _ in found]

    drawn = starts_of("sequences:1", 200, rng)
    assert len(set(drawn)) == 9
    assert starts_of("sequences:1", 200, again) == drawn
    filled = [bin(int(position.own) | int(position.other)).count("1") for position in starts_of("random:1-3", 100, rng)]
    assert set(filled) == {1, 2, 3}
    before = rng.copy()
    assert starts_of("standard", 3, rng) == [game.start] * 3
    assert np.array_equal(rng, before)


def test_a_set_up_that_ends_every_game_is_refused():
    """Nothing is played."""
    training = QNetwork(dataclasses.replace(SMALL, setup="random:9"))
    with pytest.raises(OptionError, match="set-up 'random:9': every draw of its random plies ends the game"):
        training.play_to(60)
    assert training.done == 0


def test_set_ups_that_are_not_there():
    with pytest.raises(OptionError, match="TicTacToe-v0 has no set-up 'openings'; expected 'random:a-b'"):
        QNetwork(dataclasses.replace(SMALL, setup="openings"))
