"""What a network's output is worth, by hand: at a loss, at a win, in between, and to the other seat."""

import re

import pytest

from boardgym.baselines.networks.scale import scale_of_output, value_of_output
from boardgym.compile import plain
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game


@pytest.mark.parametrize(
    ("game", "options", "pays", "paid", "values", "total"),
    [
        ("TicTacToe-v0", {}, None, 0.0, {-1.0: -1.0, 0.0: 0.0, 0.25: 0.25, 1.0: 1.0, 1.5: 1.0}, 0.0),
        ("TicTacToe-v0", {}, (1.0, 0.0, -1.0), 0.0, {-1.0: -1.0, 0.5: 0.5, 1.0: 1.0}, 0.0),
        ("TicTacToe-v0", {}, (1.0, 0.5, 0.0), 0.0, {0.0: -1.0, 0.5: 0.0, 1.0: 1.0}, 1.0),  # a share of wins
        ("TicTacToe-v0", {}, (100.0, 0.0, -50.0), 0.0, {-50.0: -1.0, 25.0: 0.0, 100.0: 1.0, -80.0: -1.0}, 50.0),
        ("TicTacToe-v0", {}, (3.0, -1.0), 5.0, {0.0: -0.5}, 2.0),  # nothing is paid on the way to a win
        ("Abalone-v0", {"rewards": "material"}, None, -2.0, {0.5: -0.25, 5.0: 0.5, -5.0: -1.0}, 0.0),
        ("Abalone-v0", {}, None, 5.0, {0.5: 0.5}, 0.0),
    ],
)
def test_values_by_hand(game, options, pays, paid, values, total):
    scale = scale_of_output(get_game(game, **options), pays)
    for output, wanted in values.items():
        assert plain(value_of_output)(scale, output, paid) == pytest.approx(wanted, abs=1e-15)
        if abs(wanted) < 1.0:  # the other seat's: the opposite
            assert plain(value_of_output)(scale, scale.total - output, -paid) == pytest.approx(-wanted, abs=1e-15)
    assert scale.total == pytest.approx(total)


@pytest.mark.parametrize("pays", [(0.0, 0.0), (-1.0, 0.0, 1.0), (float("nan"), 0.0)])
def test_a_win_is_worth_more(pays):
    with pytest.raises(OptionError, match=re.escape(f"pays={pays}: expected what a win is worth above")):
        scale_of_output(get_game("TicTacToe-v0"), pays)
