"""Backgammon's plays against counts of GNU Backgammon and against OpenSpiel."""

from pathlib import Path

import pytest

from boardgym import Board
from tests.games.backgammon_twin import results
from tests.reference.differential_backgammon import compare_positions

LINES = (Path(__file__).parents[1] / "data/reference/backgammon_plays.txt").read_text().splitlines()
PLAYS = [line.split() for line in LINES if not line.startswith("#")]


def test_the_file_is_whole():
    assert len(PLAYS) == 110
    assert [play[1:3] for play in PLAYS[:21]] == [[str(a), str(b)] for a in range(1, 7) for b in range(1, a + 1)]


@pytest.mark.parametrize(("position_id", "high", "low", "count"), PLAYS)
def test_number_of_plays(position_id, high, low, count):
    board = Board("Backgammon-v0", f"{position_id} {high}{low}", auto_roll=False)
    assert len(results(board)) == int(count)


def test_plays_agree_with_openspiel():
    """All 21 rolls at 100 positions of random games."""
    done, ended = compare_positions(100, seed=5)
    assert done == 100
    assert ended >= 1
