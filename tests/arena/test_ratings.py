"""Score rates and Elo differences against hand numbers and SciPy."""

import math

import numpy as np
import pytest
import scipy.stats

from boardgym.baselines.arena.ratings import (
    EloEstimate,
    Interval,
    elo_difference,
    estimate_elo,
    score_interval,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("score", "elo"),
    # 400 log10(s / (1 - s)): 3/4 is 400 log10 3, 10/11 is 400 exactly
    [(0.5, 0.0), (0.75, 190.8485), (10 / 11, 400.0), (0.64, 99.9508), (0.25, -190.8485)],
)
def test_elo_by_hand(score, elo):
    assert elo_difference(score) == pytest.approx(elo, abs=1e-3)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_sweep_has_no_elo(score):
    assert elo_difference(score) is None


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_a_score_outside_is_refused(score):
    with pytest.raises(ValueError, match="expected 0 to 1"):
        elo_difference(score)


def test_bootstrap_against_scipy():
    rng = np.random.default_rng(3)
    pairs = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=120, p=[0.1, 0.1, 0.3, 0.2, 0.3])
    ours = score_interval(pairs.tolist(), seed=0)
    theirs = scipy.stats.bootstrap((pairs,), np.mean, method="percentile", n_resamples=10_000, rng=1).confidence_interval
    assert ours.value == pytest.approx(pairs.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.006)
    assert ours.high == pytest.approx(theirs.high, abs=0.006)


def test_bootstrap_by_hand():
    """Two pairs, 0 and 1: a resample is 0, 1/2 or 1 with chances 1/4, 1/2, 1/4, so the 95 % interval is all of [0, 1]."""
    assert score_interval([0.0, 1.0]) == Interval(0.5, 0.0, 1.0)


def test_bootstrap_is_seeded():
    pairs = [0.0, 0.5, 1.0, 0.75] * 9
    assert score_interval(pairs, seed=7) == score_interval(pairs, seed=7)
    assert score_interval(pairs, seed=7) != score_interval(pairs, seed=8)


def test_pairs_and_not_games_are_the_unit():
    """Pairs that always split 1 - 1 say nothing of chance between them, though single games differ."""
    interval = score_interval([0.5] * 50)
    assert interval.value == 0.5
    assert interval.high - interval.low < 0.07


def test_clean_sweep_is_a_bound():
    """200 pairs won: the exact bound on the share of others is 1 - 0.05^(1/200) = 0.014867, 3 / 200 by the rule of three."""
    others = 1 - 0.05 ** (1 / 200)
    assert others == pytest.approx(0.014867, abs=1e-6)
    won, lost = score_interval([1.0] * 200), score_interval([0.0] * 200)
    assert (won.value, won.high) == (1.0, 1.0)
    assert won.low == pytest.approx(1 - others)
    assert (lost.value, lost.low) == (0.0, 0.0)
    assert lost.high == pytest.approx(others)
    elo = estimate_elo(won)
    assert elo == EloEstimate(None, pytest.approx(400 * math.log10((1 - others) / others)), None)
    assert str(elo) == "> +729"
    assert str(estimate_elo(lost)) == "< -729"


def test_the_bound_covers():
    """A player who draws one pair in 40 sweeps 60 pairs now and then; the bound must not exclude the truth more than 5 %."""
    rng = np.random.default_rng(5)
    truth = 1 - 0.5 / 40
    sweeps = [np.where(rng.random(60) < 1 / 40, 0.5, 1.0) for _ in range(4000)]
    wrong = sum(score_interval(s.tolist()).low > truth for s in sweeps if (s == 1.0).all())
    assert wrong / len(sweeps) < 0.05


def test_elo_text():
    assert str(EloEstimate(35.2, -4.4, None)) == "+35 [-4, +inf]"
    assert str(EloEstimate(-35.2, None, 4.4)) == "-35 [-inf, +4]"


@pytest.mark.parametrize("pairs", [[], [0.5, 1.2], [math.nan]])
def test_bad_pairs_are_refused(pairs):
    with pytest.raises(ValueError, match="pair_scores"):
        score_interval(pairs)


@pytest.mark.parametrize(("won", "games"), [(0, 7), (3, 10), (200, 512), (512, 512)])
def test_wilson_interval_is_that_of_scipy(won, games):
    found, expected = wilson_interval(won / games, games), scipy.stats.binomtest(won, games).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-6)
    assert found.value == won / games
    wider = wilson_interval(won / games, games, 0.99)
    expected = scipy.stats.binomtest(won, games).proportion_ci(0.99, "wilson")
    assert (wider.low, wider.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize(("rate", "games"), [(-0.1, 5), (1.1, 5), (float("nan"), 5), (0.5, 0)])
def test_wilson_interval_of_nothing(rate, games):
    with pytest.raises(ValueError, match="expected a rate from 0 to 1, of at least one game"):
        wilson_interval(rate, games)
