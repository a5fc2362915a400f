"""Score rates, shares and Elo differences against hand numbers and SciPy; intervals: that they are monotone, and cover."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats

from boardgym.baselines.arena.ratings import (
    SCORES,
    EloEstimate,
    chance_above_zero,
    elo_difference,
    estimate_elo,
    rate_interval,
    ratio_interval,
    score_interval,
    weighted_quantile,
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


@pytest.mark.parametrize(
    ("counts", "chance"),
    [([1, 3, 2, 0, 9], 0.025), ([1, 0, 0, 1, 50], 0.975), ([1, 0, 200, 0, 1], 0.5), ([2, 0.5, 3.5, 0, 1], 0.9)],
)
def test_quantiles_of_weighted_means_are_those_of_drawn_weights(counts, chance):
    counts = np.array(counts, float)
    found = weighted_quantile(SCORES, np.ones(5), counts, chance)
    drawn = np.random.default_rng(1).gamma(counts, size=(400_000, 5))
    below = (drawn @ SCORES / drawn.sum(axis=1) < found).mean()
    assert below == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 400_000) ** 0.5)


@pytest.mark.parametrize("tail", [0.025, 0.0005])
def test_weights_of_two_scores_have_a_beta_distribution(tail):
    for won, lost in ((1, 1), (0.5, 7), (3, 197), (1, 100_000), (60_000, 40_000)):
        for chance in (tail, 1 - tail):
            found = weighted_quantile(np.array([0.0, 1.0]), np.ones(2), np.array([lost, won], float), chance)
            assert found == pytest.approx(scipy.stats.beta.ppf(chance, won, lost), abs=1e-9)
    assert chance_above_zero(np.array([-1.0, -2.0]), np.ones(2)) == 0.0
    assert chance_above_zero(np.array([1.0, -1.0]), np.ones(2)) == pytest.approx(0.5, abs=1e-9)


def test_the_audits_examples():
    """60 games: no win had a greater high end than one or two. Ten: a draw had a greater low end than none."""
    none, one, two, split = (score_interval([0.0] * 28 + last) for last in ([0, 0], [0, 0.5], [0, 1], [0.5, 0.5]))
    assert none.high < one.high < min(two.high, split.high)
    assert score_interval([1.0] * 4 + [0.75]).low < score_interval([1.0] * 5).low


@pytest.mark.parametrize("pairs", range(1, 7))
def test_a_better_score_never_lowers_an_end(pairs):
    """All samples of so many pairs, each against those in which one pair scored a quarter more."""
    found = {}
    for ranks in itertools.combinations_with_replacement(range(5), pairs):
        interval = score_interval(SCORES[list(ranks)])
        assert interval.low <= interval.value <= interval.high
        found[ranks] = interval.low, interval.high
    compared = 0
    for ranks, (low, high) in found.items():
        for k in (k for k, rank in enumerate(ranks) if rank < 4):
            better = found[tuple(sorted((*ranks[:k], ranks[k] + 1, *ranks[k + 1 :])))]
            assert better[0] >= low
            assert better[1] >= high
            compared += 1
    assert compared >= 4 * pairs


def test_coverage_by_summing_over_all_samples():
    """Seven pairs, of 400 distributions of scores: random ones, of two scores only, and near an end."""
    samples = list(itertools.combinations_with_replacement(range(5), 7))
    counts = np.array([np.bincount(ranks, minlength=5) for ranks in samples])
    ends = np.array([(found.low, found.high) for found in (score_interval(SCORES[list(ranks)]) for ranks in samples)])
    ways = np.array([math.factorial(7) / math.prod(map(math.factorial, row)) for row in counts.tolist()])
    rng = np.random.default_rng(3)
    chances = [*rng.dirichlet(np.ones(5), 150), *rng.dirichlet(np.full(5, 0.2), 150)]
    chances += [np.bincount([low, 4], [1 - share, share], 5) for low in (0, 2, 3) for share in np.linspace(0.01, 0.99, 34)]
    least = 1.0
    for chance in chances:
        truth = chance @ SCORES
        held = (ends[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[:, 1])
        weights = ways * np.prod(chance**counts, axis=1)
        assert weights.sum() == pytest.approx(1.0)
        least = min(least, weights[held].sum())
    assert 0.95 <= least < 0.99


@pytest.mark.parametrize("pairs", [20, 60, 200])
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.99])
def test_coverage_by_simulation(pairs, rate):
    """By two games of a pair that go apart, and by two that go alike; with few draws and with many."""
    samples, rng = 1_500, np.random.default_rng(pairs)
    for draws, alike in ((0.0, 1.0), (0.3, 0.0)):
        drawn = min(draws, 2 * (1 - rate))
        game = np.array([1 - rate - drawn / 2, drawn, rate - drawn / 2])
        chance = (1 - alike) * np.convolve(game, game)
        chance[::2] += alike * game
        rows, times = np.unique(rng.multinomial(pairs, chance, samples), axis=0, return_counts=True)
        missed = sum(int(n) for row, n in zip(rows, times, strict=True) if not holds(row.astype(float), rate))
        assert missed / samples <= 0.05 + 2 * (0.05 * 0.95 / samples) ** 0.5


def holds(counts, truth):
    """Whether the interval of so many pairs of each score holds a mean: `score_interval` without looking for its ends."""
    worst, best = counts + np.eye(5)[0], counts + np.eye(5)[4]
    above, below = (chance_above_zero((SCORES - truth)[shapes > 0], shapes[shapes > 0]) for shapes in (worst, best))
    return above <= 0.975 and below >= 0.025


def test_pairs_and_not_games_are_the_unit():
    """Pairs that always split 1 - 1 say nothing of chance between them, though single games differ."""
    interval = score_interval([0.5] * 50)
    assert interval.value == 0.5
    assert interval.high - interval.low == pytest.approx(1 - 0.025 ** (1 / 50))


def test_clean_sweep_is_a_bound():
    """200 pairs won: 0.025^(1/200), the chance of which to sweep 200 pairs is 2.5 %."""
    others = 1 - 0.025 ** (1 / 200)
    assert others == pytest.approx(0.018275, abs=1e-6)
    won, lost = score_interval([1.0] * 200), score_interval([0.0] * 200)
    assert (won.value, won.high) == (1.0, 1.0)
    assert won.low == pytest.approx(1 - others)
    assert (lost.value, lost.low) == (0.0, 0.0)
    assert lost.high == pytest.approx(others)
    elo = estimate_elo(won)
    assert elo == EloEstimate(None, pytest.approx(400 * math.log10((1 - others) / others)), None)
    assert str(elo) == "> +692"
    assert str(estimate_elo(lost)) == "< -692"


def test_elo_text():
    assert str(EloEstimate(35.2, -4.4, None)) == "+35 [-4, +inf]"
    assert str(EloEstimate(-35.2, None, 4.4)) == "-35 [-inf, +4]"


@pytest.mark.parametrize("pairs", [[], [0.5, 1.2], [math.nan]])
def test_bad_pairs_are_refused(pairs):
    with pytest.raises(ValueError, match="pair_scores"):
        score_interval(pairs)


@pytest.mark.parametrize(("won", "games"), [(0, 7), (3, 10), (200, 512), (512, 512)])
def test_the_interval_of_a_share_is_that_of_clopper_and_pearson(won, games):
    for confidence in (0.95, 0.99):
        found = rate_interval(won / games, games, confidence)
        expected = scipy.stats.binomtest(won, games).proportion_ci(confidence, "exact")
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
        assert found.value == won / games
        pairs = score_interval([1.0] * won + [0.0] * (games - won), confidence=confidence)
        assert (pairs.low, pairs.high) == pytest.approx((found.low, found.high), abs=1e-8)


def test_draws_make_an_interval_narrower_than_that_of_its_rate():
    for counts in ([3, 0, 4, 0, 13], [0, 0, 20, 0, 0], [10, 0, 1, 0, 0]):
        scores = np.repeat(SCORES, counts)
        known, rate = score_interval(scores), rate_interval(float(scores.mean()), len(scores))
        assert rate.low < known.low < known.high < rate.high


@pytest.mark.parametrize(("rate", "games"), [(-0.1, 5), (1.1, 5), (float("nan"), 5), (0.5, 0)])
def test_the_interval_of_nothing(rate, games):
    with pytest.raises(ValueError, match="expected a rate from 0 to 1, of at least one game"):
        rate_interval(rate, games)


def test_ratios_by_hand():
    """Equal counts: the interval of scores, in other units."""
    sums = [0.0, 3.0, 6.0, 0.0, 1.5]
    found, scores = ratio_interval(sums, [3] * 5, most=2.0), score_interval([s / 6 for s in sums])
    assert (found.value, found.low, found.high) == pytest.approx((2 * scores.value, 2 * scores.low, 2 * scores.high), abs=1e-8)
    assert ratio_interval([0.0, 0.0], [3, 3], most=2.0).high == pytest.approx(2 * (1 - 0.025**0.5))
    assert ratio_interval([0.0], [0], most=1.0) is None
    assert ratio_interval([0.0, 0.0], [3, 3], most=None) is None
    assert ratio_interval([5.0], [3], most=None) is None
    known, unknown = (ratio_interval([5.0, 1.0, 0.0], [3, 4, 5], most=most) for most in (64.0, None))
    assert known.low == unknown.low < unknown.value < unknown.high < known.high


def test_ratios_are_monotone_and_cover():
    lost = [ratio_interval([0.0] * (8 - k) + [1.0] * k, [5] * 8, most=2.0) for k in range(9)]
    assert all(a.low <= b.low and a.high < b.high for a, b in itertools.pairwise(lost))
    rng, held = np.random.default_rng(0), 0
    for _ in range(300):
        counts = rng.integers(1, 6, size=30)
        found = ratio_interval(rng.binomial(counts, 0.02), counts, most=1.0)
        held += found.low <= 0.02 <= found.high
    assert held >= 0.95 * 300
