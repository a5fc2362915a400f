"""Random play of CardPoints, against every reply: the floor of the base test, without playing the lines."""

import numpy as np

from boardgym.core.board import Board
from boardgym.games.card_points.rules import places


def random_share_of_row(board: Board, seat: int) -> float:
    """The share of lines below a row that are not lost, if the seat takes any end: exact.

    It is what `lines.random_share` counts, found without the lines: all of them have one length here, and so one weight, which
    leaves the margins of all plays of the row. board: a position with cards left.
    """
    position = board.position
    row = [rank for rank in places(position) if rank]
    most = sum(row)
    # chances[i]: of the cards from place i on, as many as the loop has come to, the chance of each margin for the seat to play,
    # from -most to most
    chances = [np.eye(1, 2 * most + 1, most)[0] for _ in range(len(row) + 1)]
    for length in range(1, len(row) + 1):  # what an end gives, less the margin of the other seat in the rest
        chances = [
            (np.roll(chances[i + 1][::-1], row[i]) + np.roll(chances[i][::-1], row[i + length - 1])) / 2.0
            for i in range(len(row) - length + 1)
        ]
    sign = 1 if board.to_play == 0 else -1
    ahead = sign * (position.first_points - position.second_points) + np.arange(-most, most + 1)
    is_kept = ahead >= 0 if board.to_play == seat else ahead <= 0
    return float(chances[0][is_kept].sum())
