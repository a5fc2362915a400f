"""Games in which n-tuple networks learn, of every kind: repetition, pay on the way, dice. Nothing is compiled."""

import numpy as np
import pytest

from boardgym.baselines.learning.game_totals import PLIES, UPDATES
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.networks import cells as cells_of_games
from boardgym.compile import as_python, uncompiled
from boardgym.core import verbs
from boardgym.core.game import GAMES
from boardgym.core.verbs import rule
from boardgym.testing.dice import DICE
from tests.core.shuttle import SHUTTLE, Endless, game_of


class Toll(Endless):
    """The game without repetition in which each ply pays the difference of the cells: to step down pays at once."""

    __slots__ = ()


@rule(Toll)
def reward(position, seat):
    paid = 0.125 * (position.other - position.own)
    return paid if seat == position.seat else -paid


TOLL = game_of(Toll, "Toll")


@pytest.fixture
def train(monkeypatch):
    """Makes trainings of games that are registered for the test, and plays them."""
    monkeypatch.setattr(cells_of_games, "sample_kernel", as_python(cells_of_games.sample_kernel))
    monkeypatch.setattr(cells_of_games, "SAMPLES", 300)
    monkeypatch.setattr(cells_of_games, "_BOARDS", {})
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))
    for game in (SHUTTLE, TOLL, DICE):
        monkeypatch.setitem(GAMES, game.name, game)

    def play(game, **settings):
        config = NTupleConfig(**{"game": game.id, "tuples": ("cells(0,0)",), "games": 1, **settings})
        training = NTupleTraining(config)
        training.play_to(config.games)
        return training

    return play


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_lambda_1_a_position_learns_what_is_paid_from_then_on(train, seed):
    """V is 0 all along, as the step size is. The seats are paid at every ply, in turn more and less."""
    training = train(TOLL, trace_decay=1.0, step_size="0", epsilon="0", max_plies=12, seed=seed)
    counts, record, expected = training.totals.counts[0], training.scratch.record, 0.0
    length = int(counts[PLIES])
    with uncompiled():
        positions = [verbs.unpack(TOLL.token, row) for row in record.rows[:length]]
        for t, seat in enumerate(record.seats[:length].tolist()):
            rest = sum(verbs.reward(position, seat) for position in positions[t + 1 :])
            expected += 0.0 if t + 1 == length and verbs.is_terminal(positions[t]) else rest**2
    assert length >= 5
    assert set(record.seats[:length].tolist()) == {0, 1}
    assert training.totals.errors[0] == pytest.approx(expected)
    assert expected > 0.0
    assert counts[UPDATES] == length - verbs.is_terminal(positions[-1])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_plies_are_not_learnt_from(train, seed):
    """After three of them the other seat begins; all plies that follow are learnt from, but for the last of a game."""
    training = train(TOLL, setup="random:3", step_size="0", max_plies=12, seed=seed)
    counts, record = training.totals.counts[0], training.scratch.record
    with uncompiled():
        first = verbs.unpack(TOLL.token, record.rows[0])
    assert (first.plies, record.seats[:2].tolist()) == (4, [1, 0])
    assert 2 <= counts[PLIES] <= 12
    assert counts[PLIES] - counts[UPDATES] in (0, 1)


def test_a_game_that_ends_by_repetition_is_a_draw(train):
    """Of the third occurrence; with values of 0 nobody is drawn towards the end by force alone."""
    training = train(SHUTTLE, games=60, step_size="0", epsilon="1", seed=3)
    wins, draws, losses = training.totals.counts[:, :3].sum(axis=0)
    assert wins + draws + losses == 60
    assert min(wins, draws) > 0
    assert training.totals.counts[:, PLIES].max() < 40


def test_dice_are_rolled_between_afterstates(train):
    """Only what a seat has moved into is learnt; seats have tables of their own, and learn opposite values of the end."""
    training = train(DICE, games=40, tuples=("cells(0,4 0,8)", "cells(0,2 0,6)"), epsilon="0.3", seed=2)
    counts = training.totals.counts
    assert counts[:, :3].sum() == 40
    assert 0 < counts[:, UPDATES].sum() < counts[:, PLIES].sum() / 2  # every other ply is a roll
    weights = training.memory.weights
    assert np.abs(weights).max(axis=1).min() > 0.05
    assert np.isfinite(weights).all()


def test_a_game_that_is_cut_is_worth_nothing(train):
    training = train(SHUTTLE, games=5, step_size="0", epsilon="1", max_plies=2)
    assert training.totals.counts[:, 1].sum() == 5
    assert training.totals.errors.sum() == 0.0
