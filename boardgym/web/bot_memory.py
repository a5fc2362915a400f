"""What a tabular bot remembers, position by position: the study's "memory"."""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.tabular.agent import TabularAgent, load_agent
from boardgym.core.board import Board
from boardgym.core.description import describe_board, describe_game
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.web.errors import UNPROCESSABLE, StudioError

MOST_AGENTS = 4  # that are kept: a large table takes as much memory as its training
DEAL_SEED = 0  # of the deals and rolls of games that have them, so that the same moves give the same position

_agents: OrderedDict[tuple[str, int], tuple[TabularAgent, dict[str, Any]]] = OrderedDict()
_lock = threading.Lock()


def agent_at(path: Path) -> tuple[TabularAgent, dict[str, Any]]:
    """(agent, its statistics) of a file as it is now. Raises SpecError."""
    key = str(path), path.stat().st_mtime_ns
    with _lock:
        if key not in _agents:
            agent = load_agent(path)
            _agents[key] = agent, agent.statistics()
        _agents.move_to_end(key)
        while len(_agents) > MOST_AGENTS:
            _agents.popitem(last=False)
        return _agents[key]


def memory_at(path: Path, moves: list[int]) -> dict[str, Any]:
    """What an agent's table holds of the position after some moves from the start.

    Returns:
        {"game": GameDescription, "state": BoardState, "entries": see `entries_of`, none where the game is over,
        "holds": what a value is, "statistics": of the whole table}.

    Raises StudioError for moves that cannot be played, SpecError for a file that is no tabular agent's.
    """
    agent, statistics = agent_at(path)
    board = board_after(agent.game, moves)
    return {
        "game": describe_game(agent.game),
        "state": describe_board(board),
        "entries": [] if board.is_terminal else entries_of(agent, board),
        "holds": holds(agent),
        "statistics": {name: statistics[name] for name in ("entries", "positions", "bytes")},
    }


def board_after(game: Game, moves: list[int]) -> Board:
    """The board after some moves. Raises StudioError."""
    board = Board(game, seed=DEAL_SEED)
    for number, action in enumerate(moves, 1):
        try:
            board.push(action)
        except (BoardgymError, ValueError) as error:
            raise StudioError(UNPROCESSABLE, f"move {number}: {error}") from None
    return board


def entries_of(agent: TabularAgent, board: Board) -> list[dict[str, Any]]:
    """Of every legal action what the table holds."""
    actions, values, visits = agent.look_up(board)
    best = values.max()
    return [
        {
            "action": int(action),
            "move": board.move_text(int(action)),
            "value": float(value),
            "visits": int(count),
            "is_known": count > 0,
            "is_best": bool(value == best),
        }
        for action, value, count in zip(actions.tolist(), values.tolist(), visits.tolist(), strict=True)
    ]


def holds(agent: TabularAgent) -> str:
    """What a value of the table is, in words."""
    if agent.has_beads:
        return "beads: it plays a move as often as it has beads for it"
    pays = agent.facts.get("pays")
    scale = f"rewards: a win is {pays[0]:g}, a draw {pays[1]:g}, a loss {pays[2]:g}" if pays else "returns of the game"
    whose = "of the position that a move leads to" if agent.facts["values"] == "positions" else "of each move"
    return f"values {whose} for the side to play, in {scale}"
