"""The cost formulas of the study of UCT-CCNN against the hours and days that it prints (claim 3)."""

import pytest

from boardgym.studies.uct_ccnn.costs import DAY_S, HOUR_S, PLIES, Examples, Tuning, examples_s, tuning_s


def test_tuning():
    assert tuning_s(Tuning(), PLIES["Othello"]) / HOUR_S == pytest.approx(105.469, abs=5e-4)
    assert tuning_s(Tuning(), PLIES["Othello"]) / DAY_S == pytest.approx(4.394, abs=1e-3)  # printed; 4.3945
    assert tuning_s(Tuning(), PLIES["Nine Men's Morris"]) / DAY_S == pytest.approx(3.7, abs=0.05)


@pytest.mark.parametrize(
    ("game", "seconds", "days"),
    [("Othello", 200, 3.32), ("Othello", 600, 9.96), ("Nine Men's Morris", 200, 2.77), ("Nine Men's Morris", 600, 8.3)],
)
def test_examples(game, seconds, days):
    assert examples_s(Examples(seconds=seconds), PLIES[game]) / DAY_S == pytest.approx(days, abs=0.005)


def test_hours_of_the_first_data_set():
    assert examples_s(Examples(), PLIES["Othello"]) / HOUR_S == pytest.approx(79.687, abs=1e-3)


def test_every_factor_counts():
    """Twice as much of one is twice the time; of threads half."""
    usual = tuning_s(Tuning(), 60)
    for name in Tuning._fields:
        assert tuning_s(Tuning()._replace(**{name: 2 * getattr(Tuning(), name)}), 60) == pytest.approx(2 * usual)
    assert tuning_s(Tuning(), 120) == tuning_s(Tuning(), 60, threads=32) == pytest.approx(2 * usual)
    assert examples_s(Examples(games=0, states=1, repetitions=1, seconds=1.0), 10, threads=1) == 10.0
    assert examples_s(Examples(games=3, states=2, repetitions=5, seconds=2.0), 10, threads=4) == 65.0
