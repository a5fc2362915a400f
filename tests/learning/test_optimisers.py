"""The optimisers of tuning: the equations on paper, and the optimum of a noisy function found from several seeds."""

import sys
from pathlib import Path

import numpy as np
import pytest

from boardgym.baselines.learning.tuning import optimisers
from boardgym.baselines.learning.tuning.optimisers import CovarianceMatrix, CrossEntropy, Range, has_converged
from boardgym.core.errors import OptionError
from boardgym.core.random import normals, stream

UCT = Range(0.2, 2.0)


def test_the_study_starts_in_the_middle_with_half_the_width():
    method = CrossEntropy([UCT])
    assert (method.mean.item(), method.spread.item()) == (pytest.approx(1.1), pytest.approx(0.9))
    assert (method.population, method.elite_size, method.step_size) == (15, 2, 0.5)


@pytest.mark.parametrize(("rate", "population", "size"), [(0.134, 15, 2), (0.29, 100, 29), (0.1, 30, 3), (1.0, 4, 4)])
def test_the_elite_is_rounded_down(rate, population, size):
    assert CrossEntropy([UCT], population=population, elite_rate=rate).elite_size == size


def test_an_iteration_on_paper():
    """The best two of 15 are 0.5 and 0.9, with mean 0.7 and standard deviation 0.2, of which half is taken."""
    method = CrossEntropy([UCT])
    samples, fitness = np.full((15, 1), 1.7), np.full(15, 0.4)
    samples[3], samples[11], fitness[3], fitness[11] = 0.5, 0.9, 0.8, 0.6
    method.tell(samples, fitness)
    assert method.mean.item() == pytest.approx(0.5 * 0.7 + 0.5 * 1.1)
    assert method.spread.item() == pytest.approx(0.5 * 0.2 + 0.5 * 0.9)
    method.tell(samples, fitness)
    assert method.mean.item() == pytest.approx(0.5 * 0.7 + 0.5 * 0.9)
    assert method.spread.item() == pytest.approx(0.5 * 0.2 + 0.5 * 0.55)


def test_two_numbers_are_fitted_apart_and_equals_go_by_their_order():
    method = CrossEntropy([Range(0.0, 10.0), Range(0.0, 1.0)], population=4, elite_rate=0.5, step_size=1.0)
    samples = np.array([[1.0, 0.9], [2.0, 0.1], [6.0, 0.5], [9.0, 0.2]])
    method.tell(samples, np.array([0.1, 0.7, 0.7, 0.7]))
    assert method.mean == pytest.approx([4.0, 0.3])
    assert method.spread == pytest.approx([2.0, 0.2])


def test_samples_are_drawn_from_the_distribution_and_clipped_to_the_nearest_limit():
    method = CrossEntropy([UCT], population=2000, seed=7)
    expected = 1.1 + 0.9 * normals(stream(7, 0), 2000)
    samples = method.ask()[:, 0]
    assert samples.tolist() == np.clip(expected, 0.2, 2.0).tolist()
    assert (samples == 0.2).mean() == pytest.approx((samples == 2.0).mean(), abs=0.05)  # a sixth on either side
    assert (samples == 0.2).sum() == (expected < 0.2).sum() > 250
    assert method.ask()[:, 0].tolist() == samples.tolist()
    method.tell(method.ask(), np.zeros(2000))
    assert not np.isin(method.ask(), samples[(samples > 0.2) & (samples < 2.0)]).any()


def climb(method, seed, iterations=12):
    """The mean after so many iterations on -(x - 0.78)^2 - (y - 30)^2 / 10,000, with noise of 0.02."""
    for number in range(iterations):
        samples = method.ask()
        assert (samples >= [0.2, -100.0]).all()
        assert (samples <= [2.0, 100.0]).all()
        noise = 0.02 * normals(stream(seed, 99, number), len(samples))
        method.tell(samples, noise - (samples[:, 0] - 0.78) ** 2 - (samples[:, 1] - 30.0) ** 2 / 10_000)
    return method.mean


RANGES = [UCT, Range(-100.0, 100.0, mean=-20.0)]


@pytest.mark.parametrize("seed", range(6))
def test_the_cross_entropy_method_finds_the_optimum_of_a_noisy_quadratic(seed):
    x, y = climb(CrossEntropy(RANGES, population=30, elite_rate=0.2, seed=seed), seed)
    assert abs(x - 0.78) < 0.15
    assert abs(y - 30.0) < 15.0


@pytest.mark.parametrize("seed", range(6))
def test_cma_es_finds_the_optimum_of_a_noisy_quadratic(seed):
    pytest.importorskip("cma")
    before = np.random.get_state()[1].tolist()
    method = CovarianceMatrix(RANGES, population=30, seed=seed)
    x, y = climb(method, seed)
    assert abs(x - 0.78) < 0.15
    assert abs(y - 30.0) < 15.0
    assert climb(CovarianceMatrix(RANGES, population=30, seed=seed), seed).tolist() == [x, y]
    assert np.random.get_state()[1].tolist() == before


def test_cma_es_starts_where_it_is_told_and_tunes_one_number_too():
    pytest.importorskip("cma")
    method = CovarianceMatrix([Range(0.0, 4.0, mean=1.0, spread=0.5), Range(0.0, 10.0)])
    assert method.mean == pytest.approx([1.0, 5.0])
    assert method.spread == pytest.approx([0.5, 10.0 / 3.0], rel=1e-3)
    one = CovarianceMatrix([UCT], seed=1)
    for _ in range(8):
        samples = one.ask()
        one.tell(samples, -((samples[:, 0] - 0.5) ** 2))
    assert one.mean.item() == pytest.approx(0.5, abs=0.05)


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(OptionError, match=r"pip install 'boardgym\[tune\]'"):
        CovarianceMatrix([UCT])


def test_convergence_is_by_the_width_of_each_range():
    ranges = [Range(0.0, 1.0), Range(0.0, 1000.0)]
    assert has_converged(np.array([0.001, 1.0]), ranges, 0.001)
    assert not has_converged(np.array([0.001, 1.1]), ranges, 0.001)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Range(2.0, 2.0), "range 2 to 2: expected two numbers, the second greater than the first"),
        (lambda: Range(2.0, 0.2), "range 2 to 0.2"),
        (lambda: Range(0.0, float("inf")), "range 0 to inf"),
        (lambda: Range(float("nan"), 1.0), "range nan to 1"),
        (lambda: Range(0.0, 1.0, mean=1.5), "mean 1.5: expected a number from 0 to 1, the range"),
        (lambda: Range(0.0, 1.0, spread=0.0), "spread 0: expected a number above 0"),
        (lambda: CrossEntropy([UCT], population=1), "population=1: expected a whole number from 2"),
        (lambda: CrossEntropy([UCT], elite_rate=0.0), "elite_rate=0.0: expected a number above 0, 1 at most"),
        (lambda: CrossEntropy([UCT], elite_rate=0.05), "an elite of no sample; expected a rate of at least 0.0667"),
        (lambda: CrossEntropy([UCT], step_size=1.5), "step_size=1.5: expected a number above 0, 1 at most"),
    ],
)
def test_what_cannot_be_is_refused(make, message):
    with pytest.raises(OptionError, match=message):
        make()


def test_nothing_imports_cma_before_it_is_asked_for():
    tops = [line for line in Path(optimisers.__file__).read_text().splitlines() if line.startswith(("import", "from"))]
    assert not any("cma" in line for line in tops)
