"""The room Analyse: searches over a WebSocket, games judged ply by ply, trees of searches, opening trees.

    WS   /api/analysis            {panel, number, game, options, start, moves, policy, seconds, nodes, lines}, or
                                  {panel, stop: true}
    POST /api/analysis/position   {game, options, start, moves} -> {game, state, has_solver, rolls}
    POST /api/analysis/game       the same with policy -> server-sent events, one a position
    GET  /api/analysis/tree       of a small minimax or uct search, folded out to some plies under a node

A socket has up to three panels, each with one search: another request for the panel takes the place of the one before.
Messages bear the number of the request that they answer, so that a page can pass over those that were on their way.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.sse import EventSourceResponse
from pydantic import ConfigDict, Field, ValidationError

from boardgym.baselines.perfect.policy import SOLVERS
from boardgym.core.description import describe_board, describe_game
from boardgym.core.errors import BoardgymError
from boardgym.core.game import read_options
from boardgym.web import analysis_openings
from boardgym.web.analysis_requests import Place, answer_of, board_of, processes
from boardgym.web.errors import unexpected
from boardgym.web.play_bodies import Body

router = APIRouter(prefix="/api")
router.include_router(analysis_openings.router)

PULSE_S = 0.25  # between two signs that a search goes on
MOST_S = 600.0  # of a search
MOST_MESSAGE = 64_000  # characters of a message


class Search(Place):
    """What a panel is to find out. seconds, nodes: limits in place of the policy's own.

    number: of the request, which its messages bear.
    """

    panel: Literal["first", "second", "perfect"] = "first"
    number: int = Field(0, ge=0, lt=2**53)
    policy: str = Field("perfect", max_length=400)
    seconds: float | None = Field(None, ge=0.05, le=MOST_S)
    nodes: int | None = Field(None, ge=1, le=1_000_000_000)
    lines: int = Field(1, ge=1, le=5)


class Stop(Body):
    """A panel that is to end."""

    panel: Literal["first", "second", "perfect"] = "first"
    stop: Literal[True]


class GameToJudge(Place):
    """A game, and the policy that judges it."""

    policy: str = Field("perfect", max_length=400)


# ---------------------------------------------------------------- live search


@router.websocket("/analysis")
async def analyse(socket: WebSocket) -> None:
    """Searches, each in its panel, until the page closes the socket."""
    await socket.accept()
    processes(socket).enter()
    panels = Panels(socket)
    try:
        while True:
            await panels.obey(await socket.receive_text())
    except (WebSocketDisconnect, KeyError):  # KeyError: bytes in place of text
        pass
    finally:
        panels.cancel()  # at once: what waits below may be cancelled itself
        processes(socket).leave()
        await panels.close()


class Panels:
    """The searches of one socket."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket, self.tasks = socket, dict[str, asyncio.Task[None]]()

    async def obey(self, text: str) -> None:
        """Does what a message asks, or says why not."""
        if len(text) > MOST_MESSAGE:
            await self.tell({"kind": "error", "panel": None, "error": f"A message of more than {MOST_MESSAGE:,} characters."})
            return
        try:
            asked = Stop.model_validate_json(text) if '"stop"' in text else Search.model_validate_json(text)
        except ValidationError as error:
            await self.tell({"kind": "error", "panel": None, "error": sentence_of(error)})
            return
        await self.end(asked.panel)
        if isinstance(asked, Search):
            self.tasks[asked.panel] = asyncio.create_task(self.search(asked))

    async def search(self, asked: Search) -> None:
        """Streams what a search finds, with a pulse while it finds nothing new."""
        loop, head = asyncio.get_running_loop(), {"panel": asked.panel, "number": asked.number}
        request = asked.model_dump(exclude={"panel", "number"})
        if request["seconds"] is None:
            request["seconds"] = None if request["nodes"] or ":" in asked.policy else MOST_S
        started, pulse = loop.time(), asyncio.create_task(self.pulse(head, loop.time(), is_ready=False))
        found = processes(self.socket).run("position", request)
        try:
            async with asyncio.timeout(MOST_S), contextlib.aclosing(found):
                async for answer in found:
                    if answer["kind"] == "ready":
                        pulse.cancel()
                        started, pulse = loop.time(), asyncio.create_task(self.pulse(head, loop.time(), is_ready=True))
                    else:
                        await self.tell({**head, **answer})
        except TimeoutError:
            await self.tell({**head, "kind": "done", "was_stopped": True, "elapsed": loop.time() - started})
        except BoardgymError as error:
            await self.tell({**head, "kind": "error", "error": str(error)})
        except Exception as error:  # or the panel would wait for ever
            await self.tell({**head, "kind": "error", "error": sentence_of_ours(error)})
        finally:
            pulse.cancel()

    async def pulse(self, head: dict[str, Any], started: float, *, is_ready: bool) -> None:
        """Says every quarter of a second for how long a search has gone on, or has been made ready."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PULSE_S)
            await self.tell({**head, "kind": "pulse", "is_ready": is_ready, "elapsed": loop.time() - started})

    async def tell(self, data: dict[str, Any]) -> None:
        """Sends a message; one that the page no longer waits for is lost."""
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.send_json(data)

    async def end(self, panel: str) -> None:
        """Stops what a panel searches; nothing of it is sent after this."""
        task = self.tasks.pop(panel, None)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    def cancel(self) -> None:
        """Tells all searches to stop."""
        for task in self.tasks.values():
            task.cancel()

    async def close(self) -> None:
        """Stops all."""
        for panel in list(self.tasks):
            await self.end(panel)


def sentence_of_ours(error: Exception) -> str:
    """What is said of an error that nobody has foreseen, which is logged."""
    return str(json.loads(bytes(unexpected(error).body))["error"])


def sentence_of(error: ValidationError) -> str:
    """The first thing that is wrong with a message, in words."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the message"
    return f"{place[:80]}: {first['msg']}"


# ---------------------------------------------------------------- positions, games, trees


@router.post("/analysis/position")
def position(place: Place) -> dict[str, Any]:
    """The board after some moves, whether the game has perfect play, and where chance is to act what it may bring."""
    board = board_of(place)
    outcomes = board.outcomes if board.is_chance else []
    return {
        "game": describe_game(board.game),
        "state": describe_board(board),
        "has_solver": board.game.name in SOLVERS,
        "rolls": [{"move": board.move_text(outcome), "probability": probability} for outcome, probability in outcomes],
    }


@router.post("/analysis/game", response_class=EventSourceResponse)
async def judge(request: Request, asked: GameToJudge) -> AsyncIterator[dict[str, Any]]:
    """The positions of a game as they are judged, with mistakes in words; the last event is of the kind "done" or "error"."""
    found = processes(request).run("game", asked.model_dump())
    try:
        async with asyncio.timeout(MOST_S), contextlib.aclosing(found):
            async for answer in found:
                yield answer
    except TimeoutError:
        yield {"kind": "error", "error": f"The game was not judged within {MOST_S:g} s; take a smaller search."}
    except BoardgymError as error:
        yield {"kind": "error", "error": str(error)}
    except Exception as error:
        yield {"kind": "error", "error": sentence_of_ours(error)}


class TreeQuery(Body):
    """A node of a tree. moves, under: separated by spaces. option: NAME=VALUE."""

    model_config = ConfigDict(strict=False)  # numbers of a query are texts

    game: str = Field(max_length=100)
    option: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=30)
    start: str | None = Field(None, max_length=4000)
    moves: str = Field("", max_length=20_000)
    policy: str = Field(max_length=400)
    under: str = Field("", max_length=4000)
    plies: int = Field(1, ge=0, le=6)
    pruning: bool = True
    best_first: bool = False


@router.get("/analysis/tree")
async def tree(request: Request, asked: Annotated[TreeQuery, Query()]) -> dict[str, Any]:
    """A node of the tree of `minimax:D` or `uct:N`, with so many plies below it."""
    data = asked.model_dump(exclude={"option"})
    return await answer_of(
        request,
        "tree",
        {**data, "options": read_options(asked.option), "moves": asked.moves.split(), "under": asked.under.split()},
    )
