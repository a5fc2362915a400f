"""Abalone: set-ups and counts of move sequences against independent programs: see tests/data/reference."""

import json
from pathlib import Path

import pytest

from boardgym import Board, get_game
from boardgym.testing import perft
from tests.games.abalone_twin import ENDLESS, marbles_of, placed

FOLDER = Path(__file__).parents[1] / "data/reference"
REFERENCE = json.loads((FOLDER / "abalone_perft.json").read_text())


def table(name):
    """The lines of a text file as lists of words, comments left out."""
    lines = (FOLDER / name).read_text().splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


VARIANTS, POSITIONS = table("abalone_variants.txt"), table("abalone_positions.txt")
RENAMED = {"classical": "standard", "snakes": "snakes_gym", "domination": "domination_gym"}


def setup_of(variant):
    return RENAMED.get(variant, variant.replace("-", "_"))


@pytest.mark.parametrize("entry", REFERENCE["perft"], ids=lambda entry: entry["game"].split("-")[0] + "-" + entry["setup"])
def test_counts(entry):
    board = Board(entry["game"], setup=entry["setup"])
    assert [perft(board, depth) for depth in range(len(entry["counts"]))] == entry["counts"]


@pytest.mark.parametrize("layout", REFERENCE["layouts"])
def test_layouts(layout):
    cells = REFERENCE["layouts"][layout]
    assert marbles_of(Board("Abalone-v0", setup=layout)) == (cells["black"], cells["white"])


def test_three_sides():
    three = REFERENCE["three"]
    assert marbles_of(Board("Abalone3-v0")) == (three["right"], three["left"], three["lower"])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant[0])
def test_variants(variant):
    name, black, white, *counts = variant
    board = Board("Abalone-v0", setup=setup_of(name))
    assert marbles_of(board) == tuple(" ".join(sorted(side.split(","))) for side in (black, white))
    assert [perft(board, depth) for depth in (1, 2, 3)] == [int(count) for count in counts]


def test_every_set_up_is_in_a_list():
    names = set(REFERENCE["layouts"]) | {setup_of(variant[0]) for variant in VARIANTS}
    assert set(get_game("Abalone-v0").setups) == names
    assert len(names) == 12 + 60 - 10  # ten stand in both


@pytest.mark.parametrize("line", POSITIONS, ids=lambda line: f"{line[8]}-{line[5]}-{line[6]}")
def test_positions(line):
    black, white, lost_black, lost_white, side, *counts, layout, moves = line
    seat = "bw".index(side)
    scores = [int(lost_white), int(lost_black)]
    board = placed(black.replace(",", " "), white.replace(",", " "), seat=seat, scores=scores)
    assert [perft(board, depth) for depth in (1, 2, 3)] == [int(count) for count in counts]
    played = Board("Abalone-v0", setup=layout, compiled=False, **ENDLESS)
    played.play(moves.split(","))
    assert played.position._replace(clock=0) == tuple(board.position)
    assert Board("Abalone-v0", board.fen()).position == board.position
