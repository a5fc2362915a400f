"""How nets of the Abalearn study are trained and tested: what is counted, what is frozen, same by seed, stages, refusals."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.studies.abalearn import protocol as pl

GAME = get_game("Abalone-v0", rewards="material")
DISTANCE = "minimax:1,evaluation=distance(off_board=8)"
TERMS = pl.Terms(games=4, max_plies=120)
CONFIG = NetworkConfig(episodes=6, max_plies=60)


def nothing(agent, games):
    return {}


def test_marbles_are_those_of_the_seat():
    row = GAME.token.row(GAME.start._replace(seat=1, own_score=1, other_score=2))
    assert [pl.marbles(GAME, row, seat) for seat in (0, 1)] == [(2, 1), (1, 2)]


def test_games_are_counted_by_six_and_by_marbles():
    net = pl.frozen(NetworkTrainer(CONFIG).agent)
    found = pl.play(net, pl.opponent(DISTANCE, GAME), TERMS, seed=3)
    assert found["won"] + found["drawn"] + found["lost"] == found["ahead"] + found["level"] + found["behind"] == 4
    assert found["behind"] >= 3  # an untrained net
    assert found["gone"] > found["pushed"]
    assert pl.rate(found) == found["ahead"] / 4
    assert pl.rate(found, "lost") == found["lost"] / 4
    assert found == pl.play(net, pl.opponent(DISTANCE, GAME), TERMS, seed=3)
    assert found != pl.play(net, pl.opponent(DISTANCE, GAME), TERMS, seed=4)
    assert found != pl.play(net, pl.opponent(DISTANCE, GAME), TERMS, seed=3, path=(1,))


def test_a_sample_is_of_the_games_since_the_one_before():
    config, told = dataclasses.replace(CONFIG, kappa="0"), []
    samples = pl.train([config], (0, 2, 6), lambda agent, games: {"seen": games}, seed=5, tell=told.append)
    assert [sample["games"] for sample in samples] == [sample["seen"] for sample in samples] == [0, 2, 6]
    assert samples[0]["plies"] is samples[0]["finished"] is None
    assert samples[0]["epsilon"] is None
    assert samples[1]["epsilon"] == pytest.approx(0.9 * 0.99)
    assert samples[2]["epsilon"] == pytest.approx(0.9 * 0.99**5)
    assert 0 < samples[2]["plies"] <= 60
    assert told[-1] == 3
    whole = pl.train([config], (6,), nothing, seed=5, tell=told.append)[0]
    assert whole["weights"] == samples[2]["weights"]
    assert whole["plies"] == pytest.approx((2 * samples[1]["plies"] + 4 * samples[2]["plies"]) / 6)
    assert whole["pushed"] == pytest.approx((2 * samples[1]["pushed"] + 4 * samples[2]["pushed"]) / 6)
    assert set(whole["weights"]) == set(whole["sums"]) >= {"material", "protected", "distance"}
    assert whole["weights"] != pl.train([config], (6,), nothing, seed=6, tell=told.append)[0]["weights"]


def test_a_stage_goes_on_with_the_net_of_the_one_before():
    still = dataclasses.replace(CONFIG, step_size="0")
    seen = []

    def look(agent, games):
        seen.append(agent.net.weights.copy())
        return {}

    pl.train([CONFIG, still], (6, 12), look, seed=5, tell=lambda done: None)
    assert np.array_equal(*seen)
    assert not np.array_equal(seen[0], NetworkTrainer(still).net.weights)


def test_a_frozen_player_stays_as_it_was():
    trainer = NetworkTrainer(CONFIG)
    still, deep = (pl.frozen(trainer.agent, depth=depth) for depth in (1, 2))
    before = still.net.weights.copy()
    trainer.run()
    assert np.array_equal(still.net.weights, before)
    assert not np.array_equal(trainer.agent.net.weights, before)
    assert (still.settings.adds_reward, deep.settings.depth) == (1, 2)
    assert np.array_equal(deep.evaluation.net.weights, before)


def test_what_cannot_be_is_refused():
    for points in ((7,), (3, 2), (-1,)):
        with pytest.raises(OptionError, match="expected numbers that rise"):
            pl.train([CONFIG], points, nothing, seed=1, tell=lambda done: None)
    for game in ("TicTacToe-v0", "Abalone-v0"):
        other = NetworkConfig(game=game, option=(), features="planes", episodes=1)
        with pytest.raises(UnsupportedGameError, match="expected Abalone-v0 with rewards=material"):
            pl.train([other], (1,), nothing, seed=1, tell=lambda done: None)
