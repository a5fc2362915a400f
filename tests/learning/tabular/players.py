"""What the tests of the trials share: a player by a function, a table by its entries, the ranks of a row of cards."""

import numpy as np

from boardgym.baselines.learning.tabular.agent import TabularAgent
from boardgym.baselines.learning.tabular.table import Columns, table_of
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.core.board import Board

RANKS = {str(number): number for number in range(2, 11)} | {"J": 11, "Q": 12, "K": 13, "A": 14}


class Player:
    """Answers by a function of the board."""

    def __init__(self, answer, spec="player"):
        self.answer, self.spec = answer, spec

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        return self.answer(board)


def table_agent(game, *entries):
    """A table with entries (position string, move, value)."""
    rows = []
    for fen, move, value in entries:
        board, key = Board(game, fen), np.zeros(1, np.int64)
        plain(verbs.find_rule("compact", game.position_class))(board.position, key)
        rows.append((int(key[0]), board.action_of(move), value))
    rows.sort()
    columns = Columns(
        np.array([[row[0]] for row in rows], np.int64).reshape(-1, 1),
        np.array([row[1] for row in rows], np.uint16),
        np.array([row[2] for row in rows], np.float32),
        np.ones(len(rows), np.uint16),
    )
    facts = {"values": "pairs", "default": 0.0, "way": 0, "uses_symmetry": 0}
    return TabularAgent(game, table_of(columns), facts, seed=1)


def ranks_of(layout):
    """The ranks of the cards left in a row, from the left."""
    return tuple(RANKS[name] for name in layout.split("|")[0].split() if name != ".")
