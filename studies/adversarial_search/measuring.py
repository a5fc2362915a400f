"""What the measurements of searches have in common: positions to search, and what a search finds there."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boardgym.baselines.search.common import NODES, VALUE, make_reply
from boardgym.baselines.search.probcut import random_board
from boardgym.core.board import Board
from boardgym.core.game import Game
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import make_policy
from boardgym.studies.parts import Figures
from boardgym.studies.verdicts import Found, all_of, of_never

NO_AIDS = "table=0,killers=0,history=0"  # alpha-beta and nothing else
EQUAL = 1e-9  # values of the same position by two searches


def analyse(spec: str, board: Board) -> Analysis:
    """What a search finds."""
    found: Analysis = make_policy(spec, board.game, seed=0).analyse(board)
    return found


def played(spec: str, board: Board) -> tuple[int, float, int]:
    """Action, value and positions visited as in play, where the root is pruned too: `analyse` values each of its actions."""
    policy, reply = make_policy(spec, board.game, seed=0), make_reply(0)
    action = policy._search(board, policy.rng.copy(), True, reply)
    return action, float(reply.report[VALUE]), int(reply.report[NODES])


def played_nodes(spec: str, board: Board) -> int:
    """Positions visited as in play; none where there is one action only."""
    return played(spec, board)[2]


def analysed_nodes(spec: str, board: Board) -> int:
    """Positions visited where each action of the root is valued."""
    return analyse(spec, board).nodes


def last_nodes(depth: int, options: str, board: Board, count: Callable[[str, Board], int] = played_nodes) -> int:
    """Positions that the last iteration of `minimax:depth,options` visits, the root left out. count: of all iterations."""
    counts = [count(f"minimax:{d},{options}", board) for d in (depth - 1, depth) if d > 0]
    return counts[-1] - (counts[0] if len(counts) > 1 else 0)


def random_boards(game: Game, count: int, plies: tuple[int, int], seed: int) -> list[Board]:
    """Boards after random plies, none of them over."""
    rng, boards = np.random.default_rng(seed), list[Board]()
    while len(boards) < count:
        board = random_board(game, rng, plies[1])
        if board.ply >= plies[0] and not board.is_terminal:
            boards.append(board)
    return boards


def only(figures: Figures) -> dict[str, Any]:
    """The figures of a part of one piece of work."""
    (found,) = figures["measured"]
    return dict(found)


def never(rights: int, total: int, what: str) -> Found:
    """Of a claim about every one of many instances. rights: of which it holds."""
    verdict, text = of_never([True] * rights + [False] * (total - rights))
    return verdict, f"{what}: {text}"


def all_counted(rights: int, total: int, what: str) -> Found:
    """The same of all instances that there are, which have no others to stand for."""
    return ("shown" if rights == total else "not shown"), f"{what}: {rights:,} of {total:,}"


def every(parts: Sequence[tuple[int, int, str]]) -> Found:
    """The same of several kinds of instances: (of how many it holds, how many there are, what)."""
    found = [never(*part) for part in parts]
    return all_of([verdict for verdict, _ in found]), "; ".join(text for _, text in found)
