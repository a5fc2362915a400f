"""Ratings of many players: anchors that are printed, the fit against the library choix, and where there is no rating."""

import choix
import numpy as np
import pytest

from boardgym.baselines.arena.rating_systems import (
    ELO,
    expected_score,
    fit_bradley_terry,
    log_strengths,
    server_points,
    updated_elo,
)
from boardgym.core.errors import OptionError


def test_elo_by_hand():
    assert expected_score(1500, 1500) == 0.5
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)
    assert updated_elo(1500, 1500, 1.0) == (1510.0, 1490.0)
    assert updated_elo(1900, 1500, 0.0, k=11.0) == pytest.approx((1890.0, 1510.0))
    with pytest.raises(OptionError, match=r"score=2: expected 0 to 1"):
        updated_elo(1500, 1500, 2)


@pytest.mark.parametrize(
    ("winner", "loser", "winner_games", "loser_games", "points"),
    [(1500, 1500, 30, 30, 8.5), (1500, 1500, 0, 0, 8.5), (1700, 1300, 400, 20, 0.19), (1300, 1900, 60, 400, 27.3)],
)
def test_points_of_the_abalone_server(winner, loser, winner_games, loser_games, points):
    assert server_points(winner, loser, winner_games, loser_games) == pytest.approx(points, abs=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_is_that_of_choix(seed):
    rng = np.random.default_rng(seed)
    count = 3 + seed
    strength = rng.normal(size=count)
    wins = np.zeros((count, count))
    for i in range(count):
        for j in range(i):
            games = int(rng.integers(5, 40))
            won = rng.binomial(games, 1 / (1 + np.exp(strength[j] - strength[i])))
            wins[i, j], wins[j, i] = won + 0.5, games - won + 0.5
    names = [f"p{i}" for i in range(count)]
    found = {rating.name: rating for rating in fit_bradley_terry(names, wins)}
    data = [(i, j) for i in range(count) for j in range(count) for _ in range(round(2 * wins[i, j]))]
    want = choix.opt_pairwise(count, data)  # twice the games, the same maximum
    assert [found[name].elo for name in names] == pytest.approx((ELO * (want - want.mean())).tolist(), abs=1e-3)
    assert sum(rating.games for rating in found.values()) == wins.sum() * 2
    assert [rating.elo for rating in fit_bradley_terry(names, wins)] == sorted((r.elo for r in found.values()), reverse=True)


def test_two_players_have_the_elo_of_their_score():
    """150 of 200: 400 log10 3 apart. The width of the interval: the score's, by the slope of the logistic function."""
    strong, weak = fit_bradley_terry(["strong", "weak"], [[0, 150], [50, 0]])
    assert strong.elo - weak.elo == pytest.approx(400 * np.log10(3))
    assert strong.high - strong.low == pytest.approx(2 * 1.96 * ELO / 2 / np.sqrt(200 * 0.75 * 0.25), rel=1e-3)
    assert str(strong) == "strong +95 [+68, +123]"


def test_intervals_hold_the_truth_as_often_as_they_say():
    rng, truth, held = np.random.default_rng(7), np.array([0.8, 0.1, -0.2, -0.7]), 0
    for _ in range(200):
        wins = np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                won = rng.binomial(60, 1 / (1 + np.exp(truth[j] - truth[i])))
                wins[i, j], wins[j, i] = won, 60 - won
        first = next(rating for rating in fit_bradley_terry("abcd", wins) if rating.name == "a")
        held += first.low <= ELO * truth[0] <= first.high
    assert 180 <= held <= 198  # of 200, 190 on average


def test_an_anchor_has_no_error():
    wins = [[0, 60, 5], [40, 0, 30], [5, 20, 0]]
    free = {rating.name: rating for rating in fit_bradley_terry("abc", wins)}
    tied = {rating.name: rating for rating in fit_bradley_terry("abc", wins, anchor="b")}
    assert (tied["b"].elo, tied["b"].low, tied["b"].high) == pytest.approx((0, 0, 0), abs=1e-6)
    assert tied["a"].elo - tied["c"].elo == pytest.approx(free["a"].elo - free["c"].elo)
    two = {rating.name: rating for rating in fit_bradley_terry("ab", [[0, 60], [40, 0]], anchor="b")}
    width = 1.96 * ELO / np.sqrt(100 * 0.6 * 0.4)  # of the log odds, by the slope of the logistic function
    assert two["a"].high - two["a"].elo == pytest.approx(width, rel=1e-3)
    with pytest.raises(OptionError, match="anchor='d': expected one of the players, a, b, c"):
        fit_bradley_terry("abc", wins, anchor="d")


def test_prior_draws_are_between_those_who_have_met():
    """A chain: adding a rung above a clean sweep does not change the distance across it."""
    chain = np.zeros((4, 4))
    chain[1, 0], chain[2, 1], chain[3, 2], chain[2, 3] = 40, 30, 20, 10
    chain[1, 2] = 10
    short, long = (
        {r.name: r.elo for r in fit_bradley_terry("abcd"[:n], chain[:n, :n], prior_draws=1.0, anchor="a")} for n in (2, 4)
    )
    assert short["b"] == pytest.approx(400 * np.log10(81)) == pytest.approx(long["b"])
    assert long["c"] - long["b"] == pytest.approx(400 * np.log10(30.5 / 10.5))


def test_many_tables_at_once_are_fitted_as_one_by_one():
    rng = np.random.default_rng(2)
    tables = rng.integers(1, 30, (7, 5, 5)).astype(float) * (1 - np.eye(5))
    together, information = log_strengths(tables)
    for k, table in enumerate(tables):
        alone, known = log_strengths(table)
        assert together[k] == pytest.approx(alone, abs=1e-9)
        assert information[k] == pytest.approx(known, abs=1e-6)


def test_where_there_is_no_rating():
    clean = [[0, 5, 5], [0, 0, 3], [0, 2, 0]]
    with pytest.raises(OptionError, match="nobody else has won or drawn against a; play on"):
        fit_bradley_terry("abc", clean)
    with pytest.raises(OptionError, match="against b, c; play on"):
        fit_bradley_terry("abc", np.array([[0, 0, 0], [5, 0, 3], [5, 2, 0]]))
    found = fit_bradley_terry("abc", clean, prior_draws=0.1)
    assert [rating.name for rating in found] == ["a", "b", "c"]
    assert found[0].games == 10
    for names, wins, message in (
        ("ab", [[0, 1, 1]], "square"),
        ("aa", [[0, 1], [1, 0]], "a name of its own"),
        ("ab", [[0, -1], [1, 0]], "from 0"),
        ("ab", [[1, 1], [1, 0]], "against itself"),
    ):
        with pytest.raises(OptionError, match=message):
            fit_bradley_terry(names, wins)
