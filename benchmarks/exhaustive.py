"""Alpha-beta and the counting of move sequences (perft) for each game, without peers: for comparisons of two checkouts.

A search is counted as one, not by its positions: a search that cuts more looks at fewer of them.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.measure import Effort, Row, Work, rates
from boardgym.baselines import make_policy
from boardgym.core.board import Board
from boardgym.core.game import Game, get_game, list_games
from boardgym.testing import perft

OPENING = 6  # random actions before the position that is searched


class Depths(NamedTuple):
    """Of one game: plies of the search and of the counting; some milliseconds each. policy: that searches."""

    search: int
    count: int
    policy: str = "minimax"


DEPTHS = {
    "TicTacToe-v0": Depths(9, 8),
    "ConnectFour-v0": Depths(12, 8),
    "Othello-v0": Depths(8, 7),
    "CardPoints-v0": Depths(8, 7, "expectiminimax"),
    "NineMensMorris-v0": Depths(5, 4),
    "Abalone-v0": Depths(4, 3),
    "Abalone3-v0": Depths(3, 3, "maxn"),
    "Backgammon-v0": Depths(2, 3, "expectiminimax"),
}


def start(game: Game) -> Board:
    """A position some plies into a random game, the same in every checkout."""
    board, policy = Board(game, seed=1), make_policy("random", game, seed=1)
    for _ in range(OPENING if game.max_plies > 2 * OPENING else 1):
        board.push(policy.act(board))
    return board


def searches(game: Game, spec: str) -> Work:
    policy, board = make_policy(spec, game, seed=1), start(game)

    def work(n: int) -> int:
        for _ in range(n):
            policy.act(board, deterministic=True)
        return n

    return work


def counting(game: Game, depth: int) -> Work:
    board = start(game)

    def work(n: int) -> int:
        done = 0
        while done < n:
            done += perft(board, depth)
        return done

    return work


def search_row(effort: Effort, name: str, game: Game, depths: Depths) -> Row:
    spec = f"{depths.policy}:{2 if effort.is_quick else depths.search}"
    return Row(name, f"{spec}, {game.title}", "searches/s", *rates([(spec, searches(game, spec))], effort))


def count_row(effort: Effort, name: str, game: Game, depths: Depths) -> Row:
    depth = 2 if effort.is_quick else depths.count
    return Row(name, f"perft of {depth}, {game.title}", "sequences/s", *rates([("perft", counting(game, depth))], effort))


def rows() -> dict[str, Callable[[Effort], Row]]:
    """Two for each game."""
    found: dict[str, Callable[[Effort], Row]] = {}
    for game in map(get_game, list_games()):
        for kind, make in (("minimax", search_row), ("perft", count_row)):
            name = f"{kind}_{game.module_name}"
            found[name] = functools.partial(make, name=name, game=game, depths=DEPTHS[game.id])
    return found


ROWS = rows()
