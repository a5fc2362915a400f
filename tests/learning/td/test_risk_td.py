"""Risk-sensitive learning of a model: steps by hand, where it comes to, what is refused."""

import numpy as np
import pytest

from boardgym import OptionError
from boardgym.baselines.learning.td.risk_td import SPAN, learn_model, outcomes_of
from boardgym.solo import MOVE, STAY, RiskProblem, value_of_move

ROUND = {0: {0: [(1.0, 1, -1.0, False)]}, 1: {0: [(1.0, 0, 2.0, True)]}}  # -1, then 2 and the end


def test_steps_by_hand():
    """Kappa 1/2 halves what is positive and adds a half to what is not; discount 1/2; the first step is 1/2, the second less.

    First round: V(0) = 1/2 * 3/2 * (-1) = -3/4. V(1) = 1/2 * 1/2 * 2 = 1/2.
    Second, by b = 1/2 / (1 + 1/span): the target of V(0) is -1 + 1/4 = -3/4, no difference. V(1) = 1/2 + b * 1/2 * 3/2.
    The means of four steps are of the last two: V(1) is half of the time what it was before its second update.
    """
    model = outcomes_of(ROUND)
    second = 0.5 + 0.5 / (1 + 1 / SPAN) * 0.75
    found = learn_model(model, 0.5, discount=0.5, steps=4)
    assert found[:, 0] == pytest.approx([-0.75, (0.5 + second) / 2])


def test_arrays_of_a_model():
    model = outcomes_of(RiskProblem(0.25, 2.0).transitions())
    assert model.limits[1, MOVE].tolist() == [0.75, 1.0]
    assert model.after[0, :, 0].tolist() == [0, 1]
    assert model.rewards[1, STAY].tolist() == [1.0, -2.0]
    assert outcomes_of(ROUND).after[:, 0, 0].tolist() == [1, -1]
    assert outcomes_of(RiskProblem().transitions(), [MOVE, STAY]).limits.shape == (2, 1, 2)


@pytest.mark.parametrize("kappa", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_it_comes_to_the_closed_form(kappa):
    values = [
        learn_model(
            outcomes_of(RiskProblem(0.3, 0.2).transitions(), [MOVE, MOVE]), kappa, discount=0.5, steps=400_000, seed=seed
        )[0, 0]
        for seed in range(3)
    ]
    assert np.mean(values) == pytest.approx(value_of_move(0.5, 0.3, 0.2, kappa), rel=0.01)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"kappa": 1.5}, "kappa=1.5"),
        ({"discount": 1.0}, "discount=1.0"),
        ({"steps": 0}, "steps=0"),
        ({"start": 2}, "start=2"),
        ({"span": 0.0}, "span=0.0"),
    ],
)
def test_what_is_refused(changes, text):
    with pytest.raises(OptionError, match=text):
        learn_model(outcomes_of(ROUND), changes.pop("kappa", 0.0), **{"discount": 0.5, "steps": 1, **changes})
    with pytest.raises(OptionError, match="the same actions in every state"):
        outcomes_of({0: {0: [(1.0, 0, 0.0, True)]}, 1: {0: [(1.0, 0, 0.0, True)], 1: [(1.0, 0, 0.0, True)]}})
