"""Tic-tac-toe solved: the value of all positions, by looking ahead to the end of the game once.

Values are for the seat to play; the sign turns at every ply. The distance of a position counts plies to the end of the game
if the winner hurries and the loser delays; all draws fill the board.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.perfect.policy import Detail, Solution
from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.games.tic_tac_toe import FULL, LINES, TicTacToe

HAS_LINE = tuple(any(marks & line == line for line in LINES) for marks in range(FULL + 1))


@cache
def outcome(own: int, other: int) -> tuple[int, int]:
    """(value -1, 0 or 1, plies to the end) of a position by its two 9-bit words, `own` to play."""
    if HAS_LINE[other]:
        return -1, 0
    if own | other == FULL:
        return 0, 0
    best, plies = -2, 0
    for cell in range(9):
        if not (own | other) >> cell & 1:
            value, after = outcome(other, own | 1 << cell)
            value, after = -value, after + 1
            if value > best or (value == best and (after < plies if value > 0 else after > plies)):
                best, plies = value, after
    return best, plies


class TicTacToeSolver:
    """Answers everywhere, from a table that the first question fills."""

    name, is_quick = "the table of tic-tac-toe", True

    def covers(self, board: Board) -> str:
        """All positions."""
        return ""

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """Values and distances of every action. See `policy.Solver`."""
        solution, line = self._look(board.position.own, board.position.other), []
        own, other = board.position.own, board.position.other
        while detail == "full" and not (HAS_LINE[other] or own | other == FULL):
            action = self._look(own, other).best
            line.append(action)
            own, other = other, own | 1 << action
        return Solution(solution.action_values, distances=solution.distances, line=tuple(line))

    def _look(self, own: int, other: int) -> Solution:
        values, distances = {}, {}
        for cell in range(9):
            if not (own | other) >> cell & 1:
                value, plies = outcome(other, own | 1 << cell)
                values[cell], distances[cell] = float(-value), plies + 1
        return Solution(values, distances=distances)


def solver(game: Game) -> TicTacToeSolver:
    """The solver of a game. Raises UnsupportedGameError for other rules under the name."""
    if game.position_class is not TicTacToe:
        raise UnsupportedGameError(f"the table of tic-tac-toe knows its own rules, not {game.position_class.__qualname__}")
    return TicTacToeSolver()
