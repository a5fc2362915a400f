"""CardPoints solved: interval dynamic programming over the cards that are left.

Margins are for the seat to play: its points minus the other's. The seats take turns, so the best margin of an interval is
v(i, j) = max(c_i - v(i + 1, j), c_j - v(i, j - 1)).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.perfect.policy import Detail, Solution
from boardgym.compile import plain
from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.games.card_points.rules import LEFT, RIGHT, CardPoints, card


def interval_table(ranks: Sequence[int]) -> list[list[int]]:
    """table[k][i]: the best margin, of the cards alone, for the seat that is to play with the k cards from place i on left."""
    table = [[0] * (len(ranks) + 1)]
    for length in range(1, len(ranks) + 1):
        shorter = table[-1]
        table.append(
            [max(ranks[i] - shorter[i + 1], ranks[i + length - 1] - shorter[i]) for i in range(len(ranks) - length + 1)]
        )
    return table


class CardPointsSolver:
    """Answers everywhere once the cards are dealt. Scores: the margin at the end of the game."""

    name, is_quick = "the dynamic programme of CardPoints", True

    def covers(self, board: Board) -> str:
        """All positions where a seat is to play."""
        return ""

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """Values and margins of both actions. See `policy.Solver`."""
        position = board.position
        ranks = [int(plain(card)(position, i)) for i in range(position.num_cards)]
        table, count = interval_table(ranks), len(ranks)
        so_far = position.first_points - position.second_points
        if board.to_play == 1:
            so_far = -so_far
        scores = {LEFT: so_far + ranks[0] - table[count - 1][1]}
        if count > 1:
            scores[RIGHT] = so_far + ranks[-1] - table[count - 1][0]
        values = {action: float((score > 0) - (score < 0)) for action, score in scores.items()}
        line, first = [], 0
        for left in range(count if detail == "full" else 0, 0, -1):  # cards left
            is_left = left == 1 or ranks[first] - table[left - 1][first + 1] >= ranks[first + left - 1] - table[left - 1][first]
            line.append(LEFT if is_left else RIGHT)
            first += is_left
        return Solution(values, scores=scores, line=tuple(line), nodes=count * (count + 1) // 2)


def solver(game: Game) -> CardPointsSolver:
    """The solver of a game with rows of any length. Raises UnsupportedGameError for other rules under the name."""
    if not issubclass(game.position_class, CardPoints):
        raise UnsupportedGameError(
            f"the dynamic programme of CardPoints knows its own rules, not {game.position_class.__qualname__}"
        )
    return CardPointsSolver()
