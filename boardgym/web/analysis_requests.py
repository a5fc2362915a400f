"""What the parts of the room Analyse share: positions in requests, and the processes that answer."""

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import Request
from pydantic import Field
from starlette.requests import HTTPConnection

from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.web.analysis_process import Processes
from boardgym.web.errors import UNPROCESSABLE, StudioError
from boardgym.web.play_bodies import Body
from boardgym.web.policy_worker import has_kernels

MOST_ANSWER_S = 60.0

Move = Annotated[str, Field(max_length=60)]
Option = bool | int | float | Annotated[str, Field(max_length=60)]


class Place(Body):
    """A position: a game, where it began and what has been played."""

    game: str = Field(max_length=100)
    options: dict[Annotated[str, Field(max_length=60)], Option] = Field(default_factory=dict, max_length=30)
    start: str | None = Field(None, max_length=4000)
    moves: list[Move] = Field(default_factory=list, max_length=2000)


def processes(connection: HTTPConnection) -> Processes:
    """The processes that search for this server."""
    state = connection.app.state
    if not hasattr(state, "analysis"):
        from boardgym.commands.users_games import REGISTERED

        state.analysis = Processes([str(path) for path in REGISTERED])
        if hasattr(state, "studio"):
            state.studio.at_end.append(state.analysis.close)
    found: Processes = state.analysis
    return found


def board_of(place: Place) -> Board:
    """The board of a request. Rules that are not compiled run as Python: nobody waits. Raises BoardgymError."""
    game = get_game(place.game, **place.options)
    board = Board(game, place.start, auto_roll=False, compiled=has_kernels(game))
    board.play(place.moves)
    return board


async def answer_of(request: Request, kind: str, asked: dict[str, Any]) -> dict[str, Any]:
    """The one answer of a job. Raises StudioError with its sentence."""
    found, answer = processes(request).run(kind, asked), dict[str, Any]()
    try:
        async with asyncio.timeout(MOST_ANSWER_S), contextlib.aclosing(found):
            async for data in found:
                if data["kind"] == "error":
                    raise StudioError(UNPROCESSABLE, data["error"])
                answer = answer or data
    except TimeoutError:
        raise StudioError(UNPROCESSABLE, f"No answer within {MOST_ANSWER_S:g} s; take something smaller.") from None
    return answer
