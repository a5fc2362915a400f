"""Nine Men's Morris against independent programs: counts, positions, endgames, and play beside OpenSpiel.

See tests/data/reference/SOURCE-morris.txt.
"""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.compile import kernel
from boardgym.core import verbs
from boardgym.core.policy_spec import make_policy
from boardgym.games.nine_mens_morris.notation import NAMES, RANKS
from boardgym.testing import perft
from tests.reference.differential_morris import compare_games

DATA = Path(__file__).parents[1] / "data/reference"
COUNTS = json.loads((DATA / "nmm_perft.json").read_text())["perft"]
DEEPEST = {"actions": 6, "turns": 5}  # under two seconds each


def lines_of(name):
    return [line.split() for line in (DATA / name).read_text().splitlines() if not line.startswith("#")]


POSITIONS, ENDGAMES = lines_of("nmm_positions.txt"), lines_of("nmm_endgame_3v3_4v3.txt")


def fen_of(white, black, side, hands=("0", "0")):
    """The position string of men given as "a1,b2"."""
    sides = [text.split(",") for text in (white, black)]
    marks = "".join("W" if name in sides[0] else "B" if name in sides[1] else "." for name in NAMES)
    ranks = "/".join(marks[a:b] for a, b in itertools.pairwise(RANKS))
    return f"{ranks} {side} {','.join(hands)} 0"


@kernel
def walk_turns(token, row, turns, rows, legal):
    """Number of sequences of exactly `turns` turns, a removal being part of the turn that closed the mill.

    rows: int64 (2 * turns + 1, fields) and legal: int64 (2 * turns + 1, max_legal_actions), one line a ply.
    """
    counts, cursors, done = np.zeros((3, 2 * turns + 1), np.int64)
    rows[0] = row
    counts[0] = verbs.legal_actions(verbs.unpack(token, row), legal[0])
    sequences, ply = 0, 0
    while ply >= 0:
        if cursors[ply] == counts[ply]:
            ply -= 1
            continue
        action = legal[ply, cursors[ply]]
        cursors[ply] += 1
        child = verbs.apply(verbs.unpack(token, rows[ply]), action)
        played = done[ply] + (child.must_remove == 0)
        if played == turns:
            sequences += 1
            continue
        ply += 1
        verbs.pack(child, rows[ply])
        counts[ply], cursors[ply], done[ply] = verbs.legal_actions(child, legal[ply]), 0, played
    return sequences


def turn_perft(board, turns):
    if turns == 0:
        return 1
    rows = np.empty((2 * turns + 1, len(board.row)), np.int64)
    legal = np.empty((2 * turns + 1, board.game.max_legal_actions), np.int64)
    return walk_turns(board.game.token, board.row, turns, rows, legal)


COUNT = {"actions": perft, "turns": turn_perft}


@pytest.mark.parametrize("entry", COUNTS, ids=lambda entry: f"{entry['options']['variant']}-{entry['plies']}")
def test_counts_from_the_start(entry):
    board = Board("NineMensMorris-v0", **entry["options"])
    counts = entry["counts"][: DEEPEST[entry["plies"]] + 1]
    assert len(counts) > 5
    assert [COUNT[entry["plies"]](board, depth) for depth in range(len(counts))] == counts


def test_counts_of_positions():
    assert len(POSITIONS) == 90
    for white, black, *hands, side, turns, actions, kind, _ in POSITIONS:
        board = Board("NineMensMorris-v0", fen_of(white, black, side, hands))
        assert [turn_perft(board, depth) for depth in (1, 2, 3)] == [int(n) for n in turns.split(",")]
        assert [perft(board, depth) for depth in (1, 2, 3)] == [int(n) for n in actions.split(",")]
        men = (white, black)["wb".index(side)].count(",") + 1
        assert kind == ("place" if hands != ["0", "0"] else "fly" if men == 3 else "move")


def test_moves_lead_to_the_positions():
    for white, black, *hands, side, _, _, _, moves in POSITIONS:
        board = Board("NineMensMorris-v0", repetition_limit=0, no_mill_limit=0)
        board.play(moves.split(","))
        assert board.fen() == fen_of(white, black, side, hands)


@pytest.mark.parametrize("value", ["W", "L", "D"])
def test_values_of_endgames(value):
    """Minimax finds a win or loss with the depth of its last removal, and not one ply sooner."""
    found = [row for row in ENDGAMES if row[2] == value and int(row[3]) <= 4]
    assert len(found) == {"W": 40, "L": 19, "D": 40}[value]
    game, exact = get_game("NineMensMorris-v0"), {"W": 1.0, "L": -1.0}
    policies = [make_policy(f"minimax:{depth}", game, seed=0) for depth in range(1, 6)]
    for number, (mine, theirs, _, turns) in enumerate(found):
        men = (mine, theirs) if number % 2 else (theirs, mine)
        board = Board(game, fen_of(*men, "bw"[number % 2]))
        last = int(turns) if value != "D" else 5
        assert abs(policies[last - 1].evaluate(board)) < 1.0
        if value != "D":
            assert policies[last].evaluate(board) == exact[value]


def test_random_games_agree_with_openspiel_at_every_ply():
    plies, ended, capped = compare_games(20_000, seed=20)
    assert plies >= 20_000
    assert min(ended, capped) > 20
