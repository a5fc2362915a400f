"""Whole games and whole layers of positions, counted by independent programs: see tests/data/reference."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.compile import inner, kernel
from boardgym.core import verbs

REFERENCE = json.loads((Path(__file__).parents[1] / "data/reference/perft.json").read_text())
FACTS = {(entry["game"], entry["fact"]): entry["count"] for entry in REFERENCE["facts"]}


@inner
def is_less(a, b):
    """Whether row a comes before row b."""
    for i in range(len(a)):
        if a[i] != b[i]:
            return a[i] < b[i]
    return False


@kernel
def least_image(token, row, image, least):
    """Fills `least` with the first, in order, of a position's images under the board's symmetries."""
    position = verbs.unpack(token, row)
    least[:] = row
    for k in range(verbs.num_symmetries(position)):
        verbs.pack(verbs.transform(position, k), image)
        if is_less(image, least):
            least[:] = image


@kernel
def expand(token, rows, legal, children):
    """Writes the successors of all positions into the rows of `children`. Returns (successors, positions that are over)."""
    n, over = 0, 0
    for i in range(len(rows)):
        position = verbs.unpack(token, rows[i])
        count = verbs.legal_actions(position, legal)
        over += verbs.is_terminal(position)
        for k in range(count):
            verbs.pack(verbs.apply(position, legal[k]), children[n])
            n += 1
    return n, over


def layers(game, plies, *, up_to_symmetry=False):
    """For each ply: (distinct positions, how many of them are over)."""
    legal = np.empty(game.max_legal_actions, np.int64)
    rows = game.token.row(game.start)[None]
    for _ in range(plies + 1):
        children = np.empty((len(rows) * game.max_legal_actions, rows.shape[1]), np.int64)
        n, over = expand(game.token, rows, legal, children)
        yield len(rows), over
        rows = np.unique(children[:n], axis=0)
        if up_to_symmetry:
            image, least = np.empty_like(rows[0]), np.empty_like(rows)
            for i, row in enumerate(rows):
                least_image(game.token, row, image, least[i])
            rows = np.unique(least, axis=0)


class Enumeration:
    """All positions of a small game, each visited once, with the games that lead from it to an end."""

    def __init__(self, game_id, **options):
        self.board = Board(game_id, **options)
        self.games = {}  # row -> Counter of (winner, plies to the end)
        self.total = self.visit()

    def visit(self):
        board, row = self.board, tuple(self.board.row)
        if row not in self.games:
            found = Counter()
            if board.is_terminal:
                found[board.outcome().winner, 0] = 1
            for action in board.legal_actions:
                board.push(action)
                for (winner, plies), count in self.visit().items():
                    found[winner, plies + 1] += count
                board.pop()
            self.games[row] = found
        return self.games[row]


def test_all_of_tic_tac_toe():
    found = Enumeration("TicTacToe-v0")
    fact = {name: count for (game, name), count in FACTS.items() if game == "TicTacToe-v0"}

    def games(winner):
        return sum(count for (who, _), count in found.total.items() if who == winner)

    assert found.total.total() == fact["complete games"] == 255_168
    assert games(0) == fact["complete games won by X"] == 131_184
    assert games(1) == fact["complete games won by O"] == 77_904
    assert games(None) == fact["complete games drawn"] == 46_080
    for ply in range(5, 10):
        assert sum(count for (_, plies), count in found.total.items() if plies == ply) == fact[f"games ending at ply {ply}"]

    game = get_game("TicTacToe-v0")
    assert len(found.games) == fact["reachable positions incl. empty"] == 5_478
    ends = {row: next(iter(total))[0] for row, total in found.games.items() if (0 in (plies for _, plies in total))}
    assert len(ends) == fact["terminal positions"]
    for winner, name in ((0, "X wins"), (1, "O wins"), (None, "draw")):
        assert sum(who == winner for who in ends.values()) == fact[f"terminal positions: {name}"]

    image, least, classes = np.empty(2, np.int64), np.empty(2, np.int64), {}
    for row in found.games:
        least_image(game.token, np.array(row), image, least)
        classes.setdefault(tuple(least), set()).add(row)
    assert len(classes) == fact["reachable positions up to symmetry"] == 765
    assert sum(min(rows) in ends for rows in classes.values()) == fact["terminal positions up to symmetry"]
    for winner, name in ((0, "X wins"), (1, "O wins"), (None, "draw")):
        count = sum(min(rows) in ends and ends[min(rows)] == winner for rows in classes.values())
        assert count == fact[f"terminal up to symmetry: {name}"]

    for row in found.games:  # every position there is has a string of its own that reads back
        position = game.token.position(np.array(row))
        assert game.from_fen(game.to_fen(position)) == position
    assert len({game.to_fen(game.token.position(np.array(row))) for row in found.games}) == 5_478


def test_values_of_tic_tac_toe():
    """Minimax over all positions: how many are won, drawn and lost for the side to move."""
    board, values = Board("TicTacToe-v0"), {}

    def value():
        row = tuple(board.row)
        if row not in values:
            if board.is_terminal:
                return board.returns()[board.to_play]
            best = -1.0
            for action in board.legal_actions:
                board.push(action)
                best = max(best, -value())
                board.pop()
            values[row] = best
        return values[row]

    assert value() == 0.0
    counts = Counter(values.values())
    for number, name in ((1.0, "won for side to move"), (0.0, "drawn"), (-1.0, "lost for side to move")):
        assert counts[number] == FACTS["TicTacToe-v0", f"non-terminal positions {name}"]


def test_all_games_of_small_othello():
    assert Enumeration("Othello-v0", size=4).total.total() == FACTS["Othello-v0", "4x4 total number of complete games"]


@pytest.mark.parametrize("entry", REFERENCE["positions"], ids=lambda entry: entry["fact"])
def test_distinct_positions(entry):
    up_to_symmetry, only_over = "up to symmetry" in entry["fact"], "already won" in entry["fact"]
    found = list(layers(get_game(entry["game"]), max(map(int, entry["counts"])), up_to_symmetry=up_to_symmetry))
    for ply, count in entry["counts"].items():
        assert found[int(ply)][only_over] == count
