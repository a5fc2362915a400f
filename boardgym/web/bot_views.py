"""What a bot plays and thinks of positions, and games that it plays: for the snapshots of its training.

These functions run in the processes of policies (`policies`), which may be killed: arguments and results can be pickled.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgym.baselines.arena.game import as_policy, ask, play_game
from boardgym.core.board import Board
from boardgym.core.description import describe_board
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.core.random import draw, stream
from boardgym.web.export import replay_data
from boardgym.web.policy_worker import Said

PLIES = (0, 2, 5)  # after which the fixed positions are taken
SEED = 0  # of the moves before them
PERFECT = "perfect:time=10s"
VALUE, CHANCE = "value", "probability"  # what stands on a move


@dataclass(frozen=True)
class Question:
    """What is asked about a bot.

    Attributes:
        spec: of the bot as it was; PERFECT for perfect play.
        game: what it plays. seat: the one that it learns, -1 for all.
        fen: a position besides the fixed ones; empty: none.
    """

    spec: str
    game: Game
    seat: int
    fen: str = ""


def views(question: Question) -> Said:
    """("views", [view, ...]) of the fixed positions and of that which is asked for, or ("error", sentence).

    A view is {"name", "state": BoardState, "action": the move it would play or None, "move": its text, "values": {action:
    number}, "kind": VALUE, in [-1, 1] for the side to play, or CHANCE, of its playing it}, "why": why it says nothing.
    """
    try:
        boards = positions(question.game, question.seat)
        if question.fen:
            boards = [*boards, ("Your position", Board(question.game, question.fen, auto_roll=False))]
        policy = as_policy(question.spec, question.game, seed=SEED)
        return "views", [view(policy, name, board) for name, board in boards]
    except Exception as error:  # a policy or a game of a user's own may raise anything
        return "error", words_of(error)


def positions(game: Game, seat: int) -> list[tuple[str, Board]]:
    """The fixed positions of a game, named, in which a seat is to play (-1: any): the start, and some later ones.

    The moves to them are drawn from one seed, so that they are the same at each call.
    """
    found = dict[str, tuple[str, Board]]()
    for plies in PLIES:
        board, rng = Board(game, seed=SEED), stream(SEED, plies)
        while not board.is_terminal and (board.ply < plies or (seat >= 0 and board.to_play != seat)):
            board.push(board.legal_actions[draw(rng, len(board.legal_actions))])
        if not board.is_terminal:
            name = "Start" if board.ply == 0 else f"After {board.ply} {'ply' if board.ply == 1 else 'plies'}"
            found.setdefault(board.fen(), (name, board))
    return list(found.values())


def view(policy: Any, name: str, board: Board) -> dict[str, Any]:
    """What a policy would play in a position, and thinks of its moves."""
    found: dict[str, Any] = {"name": name, "state": describe_board(board), "action": None, "move": "", "values": {},
                             "kind": VALUE, "why": ""}  # fmt: skip
    if board.is_terminal or board.is_chance:
        return found | {"why": "the game is over here" if board.is_terminal else "chance is to act here"}
    try:
        action, values, kind = opinion(policy, board)
    except BoardgymError as error:  # such as a solver's that does not cover the position
        return found | {"why": getattr(error, "reason", "") or words_of(error)}
    return found | {"action": action, "move": board.move_text(action), "values": values, "kind": kind}


def opinion(policy: Any, board: Board) -> tuple[int, dict[int, float], str]:
    """(the move that a policy plays, a number on each move that it tells one of, what the numbers are)."""
    if callable(getattr(policy, "analyse", None)):
        known = policy.analyse(board)
        return int(known.action), {int(move): float(value) for move, value in known.action_values.items()}, VALUE
    if callable(getattr(policy, "action_probabilities", None)):
        chances = policy.action_probabilities(board)
        return int(np.argmax(chances)), {int(move): float(chances[move]) for move in board.legal_actions}, CHANCE
    return ask(policy, board, deterministic=True), {}, VALUE


def game_between(question: Question, opponent: str, seed: int) -> Said:
    """("game", what <boardgym-replay> shows, with "players"), or ("error", sentence): a bot against an opponent.

    opponent: a spec; empty: the bot itself. Each plays its best move where it has one; other draws follow from the seed.
    """
    game, seat = question.game, max(question.seat, 0)
    try:
        specs = [opponent or question.spec] * game.num_seats
        specs[seat] = question.spec
        policies = [as_policy(spec, game, seed=seed) for spec in specs]
        best = [spec == question.spec for spec in specs]
        record = play_game(Board(game, seed=seed), policies, deterministic=best, seed=seed)
        players = ["the bot" if spec == question.spec else spec for spec in specs]
        return "game", {**replay_data(record), "players": players, "message": record.message}
    except Exception as error:
        return "error", words_of(error)


def words_of(error: Exception) -> str:
    """A sentence of an error."""
    return str(error) if isinstance(error, (BoardgymError, ValueError)) else f"{type(error).__name__}: {error}"
