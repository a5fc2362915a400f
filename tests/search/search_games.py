"""Oracles and small games for the tests of the searches."""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.search.common import make_reply
from boardgym.baselines.search.interrupt import search_kernel
from boardgym.compile import as_python
from boardgym.core.board import Board
from boardgym.core.notation import split_position
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import rule
from boardgym.testing.by_definition import minimax as plain_minimax  # noqa: F401
from boardgym.testing.by_definition import value_after as value_after
from boardgym.testing.trees import board_at as board_at  # for the tests too
from boardgym.testing.trees import small_game


def as_written(policy: Any) -> Any:
    """A search whose kernel runs as Python: for settings and games that are not worth the seconds that compiling takes.

    That searches find the same when compiled are tests of test_uct_refined.py and test_search_modes.py.
    """
    policy._entry, policy._entry_is_for = as_python(search_kernel), policy.data
    return policy


def analyse(spec: str, board: Board) -> Analysis:
    found = make_policy(spec, board.game, seed=0).analyse(board)
    assert isinstance(found, Analysis)
    return found


def played(spec: str, board: Board) -> tuple[int, float, int]:
    """Action, value and positions visited where nobody asks for the value of each action, so that the root is pruned too."""
    policy, reply = make_policy(spec, board.game, seed=0), make_reply(0)
    action = policy._search(board, policy.rng.copy(), True, reply)
    return action, float(reply.report[0]), int(reply.report[2])


def random_boards(game: Any, count: int, plies: tuple[int, int], seed: int) -> list[Board]:
    """Boards after random plies, none of them over."""
    rng, boards = np.random.default_rng(seed), []
    while len(boards) < count:
        board = Board(game)
        for _ in range(int(rng.integers(plies[0], plies[1] + 1))):
            if not board.is_terminal:
                board.push(int(rng.choice(board.legal_actions)))
        if not board.is_terminal:
            boards.append(board)
    return boards


class Twice(NamedTuple):
    """A pile from which each seat takes one to three, twice running; who takes the last gets 2 points, the other -2."""

    pile: int
    ply: int


@rule(Twice)
def to_play(position):
    return (position.ply // 2) % 2


@rule(Twice)
def legal_actions(position, out):
    n = min(3, position.pile)
    for i in range(n):
        out[i] = i
    return n


@rule(Twice)
def apply(position, action):
    return position.pile - action - 1, position.ply + 1


@rule(Twice)
def is_terminal(position):
    return position.pile == 0


@rule(Twice)
def returns(position, seat):
    last = ((position.ply - 1) // 2) % 2
    return 2.0 if seat == last else -2.0


@rule(Twice)
def observe(position, seat, out):
    out[0, 0, 0] = position.pile


@rule(Twice)
def decode(planes):
    return planes[0, 0, 0], 0


class Shuttle(NamedTuple):
    """A cart on a track of 0 to 4: seat 0 wins at 4, seat 1 at 0; a step to and fro for ever is a draw.

    Action 0 moves it left, 1 right, 2 stays; the third time that the cart and the seat are the same, the game is drawn.
    """

    cart: int
    seat: int


@rule(Shuttle)
def to_play(position):  # noqa: F811
    return position.seat


@rule(Shuttle)
def legal_actions(position, out):  # noqa: F811
    if position.cart in (0, 4):
        return 0
    for i in range(3):
        out[i] = i
    return 3


@rule(Shuttle)
def apply(position, action):  # noqa: F811
    step = -1 if action == 0 else (1 if action == 1 else 0)
    return position.cart + step, 1 - position.seat


@rule(Shuttle)
def is_terminal(position):  # noqa: F811
    return position.cart == 0 or position.cart == 4


@rule(Shuttle)
def returns(position, seat):  # noqa: F811
    return 1.0 if (position.cart == 4) == (seat == 0) else -1.0


@rule(Shuttle)
def heuristic(position, seat):
    ahead = 0.2 * (position.cart - 1)
    return ahead if seat == 0 else -ahead


@rule(Shuttle)
def repetition_limit(position):
    return 3


@rule(Shuttle)
def observe(position, seat, out):  # noqa: F811
    out[0, 0, 0] = position.cart


@rule(Shuttle)
def decode(planes):  # noqa: F811
    return planes[0, 0, 0], 0


TWICE = small_game("TestTwice", Twice, Twice(12, 0), most=2.0)
SHUTTLE = small_game("TestShuttle", Shuttle, Shuttle(2, 0))


def obf_line(line: str) -> tuple[str, dict[str, int]]:
    """A line of an OBF file: the position string, and the score of each move."""
    head, *scores = [part.strip() for part in line.split(";") if part.strip()]
    squares, side = split_position(head, "squares side")
    moves = dict(score.split(":") for score in scores)
    return f"{squares} {side}", {move.lower(): int(score) for move, score in moves.items()}
