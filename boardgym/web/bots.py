"""Bots: made, trained, stopped, gone on with, tried, browsed, and their files taken elsewhere: `/api/bots`, `/api/agents`."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse
from fastapi.sse import EventSourceResponse
from pydantic import Field

from boardgym.core.files import write_aside
from boardgym.core.game import Game
from boardgym.web import app_state
from boardgym.web.bot_history import bots, snapshots_of
from boardgym.web.bot_list import KEEP_ALIVE_S, LOOK_S, BotList
from boardgym.web.bot_models import BotRow
from boardgym.web.bot_room import Bots
from boardgym.web.bot_rows import changed_options
from boardgym.web.errors import CONFLICT, NOT_FOUND, UNPROCESSABLE, StudioError, answer
from boardgym.web.forms import FormError
from boardgym.web.jobs import AT_ONCE, Jobs, curve_of, log_of
from boardgym.web.part_tests import PartTestsBody
from boardgym.web.play_bodies import Body, Text

router = APIRouter(prefix="/api")

LIMIT = "limit.json"  # how many bots train at once, in the folder of the bots
MOST_LIMIT = 64
MOST_MOVES = 2000
NOT_HERE = re.compile(r"[^A-Za-z0-9._-]+")  # in the name of a file that is downloaded

Scalar = bool | int | float | Text | None


class NewBot(Body):
    """A filled form. given: what differs from what the form shows at first. tests: at ten parts of the training; null: none."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    description: Text = ""
    form: Annotated[str, Field(max_length=40)]
    given: Annotated[dict[Annotated[str, Field(max_length=40)], Scalar | list[Scalar]], Field(max_length=200)] = {}
    tests: PartTestsBody | None = None


class Limit(Body):
    """How many bots train at once."""

    limit: Annotated[int, Field(ge=1, le=MOST_LIMIT)]


def begin(app: FastAPI) -> None:
    """Takes the bots up where the last studio has left them; nothing trains before somebody says so."""
    studio = app.state.studio
    jobs = Jobs(AT_ONCE)
    app.state.bots = room = Bots(studio.store, studio.folder, jobs, studio.move_limit_s)
    with contextlib.suppress(OSError, ValueError):  # never set
        jobs.limit = Limit.model_validate_json((room.folder / LIMIT).read_bytes()).limit
    app.state.bot_list = BotList(lambda: listing(room))
    studio.at_end.append(room.close)


# ------------------------------------------------------------ the list


def listing(room: Bots) -> dict[str, Any]:
    """All bots, and how many train at once."""
    return {"bots": [room.described(row) for row in room.rows()], "limit": room.jobs.limit}


@router.get("/bots")
def list_bots(request: Request) -> dict[str, Any]:
    """All bots, the newest first."""
    return listing(bots(request))


@router.get("/bots/events", response_class=EventSourceResponse)
async def list_events(request: Request) -> AsyncIterator[dict[str, Any]]:
    """The list of bots: all of them first, then what changes; see `BotList.changes`."""
    watched: BotList = request.app.state.bot_list
    async with contextlib.aclosing(watched.changes()) as found:
        async for change in found:
            yield change


@router.put("/bots/limit")
def set_limit(request: Request, body: Limit) -> dict[str, int]:
    """How many bots train at once; the others wait."""
    room = bots(request)
    write_aside(room.folder / LIMIT, body.model_dump_json().encode())
    room.jobs.set_limit(body.limit)
    return {"limit": body.limit}


@router.post("/bots", status_code=201, response_model=None)
def make_bot(request: Request, body: NewBot) -> dict[str, Any] | JSONResponse:
    """Makes a bot, which begins to train. An answer 422 has "errors" by field beside its sentence."""
    room, workers = bots(request), app_state.policies(request)

    def prepare(game: Game, folder: Path) -> None:
        if body.tests is not None:
            body.tests.settings(game, workers).write(folder)

    try:
        row = room.create(body.name.strip() or "Bot", body.description, body.form, dict(body.given), prepare)
    except FormError as error:
        return answer(UNPROCESSABLE, str(error), errors=error.errors)
    return room.described(row)


# ------------------------------------------------------------ one bot


def whole(room: Bots, key: str) -> dict[str, Any]:
    """A bot with its curve, what its process has said, and its tests at parts of its training."""
    row = room.row(key)
    folder = room.folder_of(key)
    return {
        "bot": room.described(row),
        "curve": curve_of(folder),
        "snapshots": snapshots_of(room, row) if row.learner else [],
        "log": log_of(folder),
        "tests": room.tests.described(key),
    }


def existing(request: Request, key: str) -> BotRow:
    """The row of the bot that an address names. Raises StudioError."""
    return bots(request).row(key)


@router.get("/bots/{key}")
def one_bot(request: Request, key: str) -> dict[str, Any]:
    """A bot, its curve, what its process has said, and its tests at parts of its training."""
    return whole(bots(request), key)


@router.get("/bots/{key}/events", response_class=EventSourceResponse, dependencies=[Depends(existing)])
async def bot_events(request: Request, key: str) -> AsyncIterator[dict[str, Any]]:
    """The same, anew whenever something changes; ends when the bot is deleted."""
    room = bots(request)
    async for found in changes(lambda: whole(room, key)):
        yield found


async def changes(look: Callable[[], dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """What `look` gives, whenever it is not what it gave before; ends when it raises StudioError."""
    before, since = "", 0.0
    while True:
        try:
            found = await asyncio.to_thread(look)
        except StudioError:
            return
        text = json.dumps(found)
        since += LOOK_S
        if text != before or since > KEEP_ALIVE_S:
            before, since = text, 0.0
            yield found
        await asyncio.sleep(LOOK_S)


@router.post("/bots/{key}/stop")
def stop_bot(request: Request, key: str) -> dict[str, Any]:
    """Stops a bot as Ctrl-C does: a checkpoint is kept."""
    room = bots(request)
    room.stop(key)
    return room.described(room.row(key))


@router.post("/bots/{key}/resume")
def resume_bot(request: Request, key: str) -> dict[str, Any]:
    """Goes on with a bot from its last checkpoint."""
    room = bots(request)
    room.resume(key)
    return room.described(room.row(key))


@router.delete("/bots/{key}", status_code=204)
def delete_bot(request: Request, key: str) -> None:
    """Ends a bot and deletes all that it has learnt."""
    bots(request).delete(key)


@router.post("/bots/{key}/trials", status_code=202)
def try_bot(request: Request, key: str) -> dict[str, Any]:
    """Begins the study's trials of what a bot has learnt so far; they are seen in the bot when they have ended."""
    room = bots(request)
    room.try_out(key)
    return room.described(room.row(key))


@router.post("/bots/{key}/tests", status_code=202)
def go_on_testing(request: Request, key: str) -> dict[str, Any]:
    """Goes on with the tests at parts of a training, where they have failed. They were asked for when the bot was made."""
    room = bots(request)
    if room.tests.described(room.row(key).id) is None:
        raise StudioError(CONFLICT, "it was made without tests at parts of its training")
    room.tests.watch(key)
    return whole(room, key)


@router.post("/bots/{key}/snapshot")
def keep_snapshot(request: Request, key: str) -> dict[str, Any]:
    """The spec of what a bot has learnt so far, to play against: it does not change while the bot goes on."""
    room = bots(request)
    row = room.row(key)
    return {"spec": room.snapshot(row), "game": row.game, "options": changed_options(row), "seat": max(row.seat, 0)}


@router.get("/bots/{key}/memory")
def look_into(request: Request, key: str, moves: Annotated[str, Field(max_length=10_000)] = "") -> dict[str, Any]:
    """What a tabular bot remembers of the position after some moves. moves: actions from the start, "4,0,8"."""
    from boardgym.web.bot_memory import memory_at

    room = bots(request)
    row = room.row(key)
    agent = room.agent_of(row)
    if agent is None:
        raise StudioError(CONFLICT, "it has learnt nothing yet")
    words = [word for word in moves.split(",") if word]
    if len(words) > MOST_MOVES or not all(re.fullmatch(r"\d{1,6}", word) for word in words):
        raise StudioError(UNPROCESSABLE, f"moves={moves[:80]!r}: expected at most {MOST_MOVES} actions, such as 4,0,8")
    return memory_at(agent, [int(word) for word in words])


@router.get("/bots/{key}/agent")
def download(request: Request, key: str) -> FileResponse:
    """The file of what a bot has learnt so far: it can be uploaded elsewhere, and is `file:PATH` on the command line."""
    room = bots(request)
    row = room.row(key)
    agent = room.agent_of(row)
    if agent is None:
        raise StudioError(NOT_FOUND, "it has learnt nothing yet")
    name = NOT_HERE.sub("-", row.name).strip("-.") or "bot"
    return FileResponse(agent, filename=f"{name}{agent.suffix}", media_type="application/octet-stream")


@router.post("/agents", status_code=201)
async def upload(
    request: Request,
    name: Annotated[str, Field(min_length=1, max_length=80)],
    description: Text = "",
    game: Annotated[str, Field(max_length=80)] = "",
) -> dict[str, Any]:
    """Takes an agent's file, the body, as a bot. game: the one that it has to be for; empty: any.

    The file is read as numbers and checked as a whole; nothing in it is executed. The server limits its size.
    """
    room = bots(request)
    if room.uploading.locked():
        raise StudioError(CONFLICT, "another file is being uploaded; try again in a moment")
    async with room.uploading:
        row = await asyncio.to_thread(room.upload, name, description, game, await request.body())
    return await asyncio.to_thread(room.described, row)
