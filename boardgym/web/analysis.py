"""The room Analyse: searches over a WebSocket, games judged ply by ply, trees of searches, opening trees.

    WS   /api/analysis            {panel, game, options, start, moves, policy, seconds, nodes, lines} or {panel, stop: true}
    POST /api/analysis/position   {game, options, start, moves} -> {game, state, has_solver}
    POST /api/analysis/game       the same with policy -> server-sent events, one a position
    GET  /api/analysis/tree       of a small minimax or uct search, folded out to some plies under a node
    POST /api/analysis/openings   a file of records (multipart) -> {id, games, others, positions}
    POST /api/analysis/openings/ID   {game, options, start, moves} -> {games, moves: [{move, games, wins, draws, score}]}

A socket has up to three panels, each with one search: another request for the panel takes the place of the one before.
"""

import asyncio
import contextlib
import itertools
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, HTTPException, Query, Request, UploadFile, WebSocket, WebSocketDisconnect
from fastapi.sse import EventSourceResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import HTTPConnection

from boardgym.baselines.arena.formats import FORMATS, by_suffix
from boardgym.baselines.arena.opening_tree import OpeningTree
from boardgym.baselines.perfect.policy import SOLVERS
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError
from boardgym.core.game import get_game
from boardgym.web.analysis_process import Processes

router = APIRouter(prefix="/api")

PULSE_S = 0.25  # between two signs that a search goes on
MOST_S = 600.0  # of a search
MOST_MESSAGE = 64_000  # characters of a message
MOST_UPLOAD = 8_000_000  # bytes of a file of records
KEPT_OPENINGS = 8

Move = Annotated[str, Field(max_length=60)]
Option = bool | int | float | Annotated[str, Field(max_length=60)]


class Strict(BaseModel):
    """A body without any field but its own."""

    model_config = ConfigDict(extra="forbid")


class Place(Strict):
    """A position: a game, where it began and what has been played."""

    game: str = Field(max_length=100)
    options: dict[Annotated[str, Field(max_length=60)], Option] = Field(default_factory=dict, max_length=30)
    start: str | None = Field(None, max_length=4000)
    moves: list[Move] = Field(default_factory=list, max_length=2000)


class Search(Place):
    """What a panel is to find out. seconds, nodes: limits in place of the policy's own."""

    panel: Literal["first", "second", "perfect"] = "first"
    policy: str = Field("perfect", max_length=400)
    seconds: float | None = Field(None, ge=0.05, le=MOST_S)
    nodes: int | None = Field(None, ge=1, le=1_000_000_000)
    lines: int = Field(1, ge=1, le=5)


class Stop(Strict):
    """A panel that is to end."""

    panel: Literal["first", "second", "perfect"] = "first"
    stop: Literal[True]


class GameToJudge(Place):
    """A game, and the policy that judges it."""

    policy: str = Field("perfect", max_length=400)


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


# ---------------------------------------------------------------- live search


@router.websocket("/analysis")
async def analyse(socket: WebSocket) -> None:
    """Searches, each in its panel, until the page closes the socket."""
    await socket.accept()
    panels = Panels(socket)
    try:
        while True:
            await panels.obey(await socket.receive_text())
    except (WebSocketDisconnect, KeyError):  # KeyError: bytes in place of text
        pass
    finally:
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
        loop, panel = asyncio.get_running_loop(), asked.panel
        request = asked.model_dump(exclude={"panel"})
        if request["seconds"] is None:
            request["seconds"] = None if request["nodes"] or ":" in asked.policy else MOST_S
        started, pulse = loop.time(), asyncio.create_task(self.pulse(panel, loop.time()))
        found = processes(self.socket).run("position", request)
        try:
            async with asyncio.timeout(MOST_S), contextlib.aclosing(found):
                async for answer in found:
                    await self.tell({"panel": panel, **answer})
        except TimeoutError:
            await self.tell({"panel": panel, "kind": "done", "was_stopped": True, "elapsed": loop.time() - started})
        except BoardgymError as error:
            await self.tell({"panel": panel, "kind": "error", "error": str(error)})
        finally:
            pulse.cancel()

    async def pulse(self, panel: str, started: float) -> None:
        """Says every quarter of a second for how long a search has gone on."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PULSE_S)
            await self.tell({"panel": panel, "kind": "pulse", "elapsed": loop.time() - started})

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

    async def close(self) -> None:
        """Stops all."""
        for panel in list(self.tasks):
            await self.end(panel)


def sentence_of(error: ValidationError) -> str:
    """The first thing that is wrong with a message, in words."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the message"
    return f"{place[:80]}: {first['msg']}"


# ---------------------------------------------------------------- positions, games, trees


def board_of(place: Place) -> Board:
    """The board of a request. Raises BoardgymError."""
    board = Board(get_game(place.game, **place.options), place.start, auto_roll=False)
    board.play(place.moves)
    return board


@router.post("/analysis/position")
def position(place: Place) -> dict[str, Any]:
    """The board after some moves, and whether the game has perfect play."""
    from boardgym.core.description import describe_board, describe_game

    board = board_of(place)
    return {"game": describe_game(board.game), "state": describe_board(board), "has_solver": board.game.name in SOLVERS}


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


async def answer_of(request: Request, kind: str, asked: dict[str, Any]) -> dict[str, Any]:
    """The one answer of a job. Raises HTTPException with its sentence."""
    found, answer = processes(request).run(kind, asked), dict[str, Any]()
    try:
        async with asyncio.timeout(MOST_S / 10), contextlib.aclosing(found):
            async for data in found:
                if data["kind"] == "error":
                    raise HTTPException(422, data["error"])
                answer = answer or data
    except TimeoutError:
        raise HTTPException(422, f"No answer within {MOST_S / 10:g} s; take something smaller.") from None
    return answer


class TreeQuery(Strict):
    """A node of a tree. moves, under: separated by spaces. option: NAME=VALUE."""

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
    from boardgym.core.game import read_options

    data = asked.model_dump(exclude={"option"})
    return await answer_of(
        request,
        "tree",
        {**data, "options": read_options(asked.option), "moves": asked.moves.split(), "under": asked.under.split()},
    )


# ---------------------------------------------------------------- openings


class Openings:
    """The opening trees that the server keeps, the latest of them."""

    def __init__(self) -> None:
        self.trees: OrderedDict[str, OpeningTree] = OrderedDict()
        self.numbers = itertools.count(1)

    def keep(self, tree: OpeningTree) -> str:
        """Keeps a tree. Returns its id."""
        name = str(next(self.numbers))
        self.trees[name] = tree
        while len(self.trees) > KEPT_OPENINGS:
            self.trees.popitem(last=False)
        return name


def openings_of(connection: HTTPConnection) -> Openings:
    """The opening trees of this server."""
    state = connection.app.state
    if not hasattr(state, "openings"):
        state.openings = Openings()
    found: Openings = state.openings
    return found


async def count_file(request: Request, game: str, options: dict[str, Any], content: bytes, name: str) -> dict[str, Any]:
    """Counts the games of a file of records. Raises HTTPException with what is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="boardgym-") as folder:
        path = Path(folder) / f"records{FORMATS[name].suffixes[0] if name else '.unknown'}"
        path.write_bytes(content)
        data = await answer_of(request, "openings", {"game": game, "options": options, "path": str(path), "format": name})
    found = OpeningTree.from_dict(get_game(game, **options), data)
    if not found.games:
        raise HTTPException(422, f"None of the {found.others:,} games is of {game} with these options.")
    return {
        "id": openings_of(request).keep(found),
        "games": found.games,
        "others": found.others,
        "positions": len(found.branches),
    }


@router.post("/analysis/openings", status_code=201)
async def add_openings(
    request: Request,
    file: Annotated[UploadFile, File()],
    game: Annotated[str, Form(max_length=100)],
    option: Annotated[list[str], Form(max_length=30)] = [],  # noqa: B006  (FastAPI copies it)
) -> dict[str, Any]:
    """Counts the games of a file in any format of records, told by its name or how it begins."""
    from boardgym.core.game import read_options

    content = await file.read(MOST_UPLOAD + 1)
    if len(content) > MOST_UPLOAD:
        raise HTTPException(413, f"A file of more than {MOST_UPLOAD // 1_000_000} MB; take fewer games.")
    return await count_file(request, game, read_options(option), content, by_suffix(file.filename or ""))


@router.post("/analysis/openings/{name}")
def opening_moves(request: Request, name: str, place: Place) -> dict[str, Any]:
    """The moves that were played from a position, with games, wins of each seat, draws and score."""
    found = openings_of(request).trees.get(name)
    if found is None:
        raise HTTPException(404, "These openings are no longer kept: give the file again.")
    return {"games": found.games, "moves": found.moves_at(board_of(place))}
