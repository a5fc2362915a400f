"""The room Arena: matches, comparisons and ladders, played in processes of their own, at `/api/arena`."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.sse import EventSourceResponse
from pydantic import Field

from boardgym.cli import COMMANDS
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.web import app_state
from boardgym.web.arena_follower import RECORD
from boardgym.web.arena_room import AT_ONCE, KINDS, Tournaments, form_of
from boardgym.web.bot_history import bots
from boardgym.web.bots import NOT_HERE, Scalar, changes
from boardgym.web.errors import NOT_FOUND, UNPROCESSABLE, StudioError, answer
from boardgym.web.forms import FormError, Value
from boardgym.web.jobs import Jobs
from boardgym.web.play_bodies import Body

router = APIRouter(prefix="/api/arena")

BOT = "bot:"  # before the id of a bot, in place of a spec
MOST_PLAYERS = 50


class NewTournament(Body):
    """A filled form. given: what differs from what the form shows at first; a bot is "bot:ID"."""

    name: Annotated[str, Field(max_length=80)] = ""
    kind: Annotated[str, Field(max_length=40)]
    given: Annotated[dict[Annotated[str, Field(max_length=40)], Scalar | list[Scalar]], Field(max_length=50)] = {}


def begin(app: FastAPI) -> None:
    """Takes the tournaments up where the last studio has left them; none is played before somebody says so."""
    studio = app.state.studio
    jobs = Jobs(AT_ONCE)
    app.state.arena = Tournaments(studio.store, studio.folder, jobs, trust=studio.trust)
    studio.at_end.append(lambda: asyncio.to_thread(jobs.close))


def arena(request: Request) -> Tournaments:
    """The tournaments of the server."""
    found: Tournaments = request.app.state.arena
    return found


# ------------------------------------------------------------ forms


@router.get("/forms")
def list_forms() -> list[dict[str, str]]:
    """The kinds of tournaments; the form of each is at /api/arena/forms/KIND."""
    return [{"name": name, "title": name.capitalize(), "help": COMMANDS[name].summary} for name in KINDS]


@router.get("/forms/{kind}")
def one_form(kind: str) -> dict[str, Any]:
    """A form."""
    return asdict(form_of(kind))


@router.post("", status_code=201, response_model=None)
async def make(request: Request, body: NewTournament) -> dict[str, Any] | JSONResponse:
    """Makes a tournament, which begins now or when another one has ended. An answer 422 has "errors" by field."""
    room = arena(request)
    try:
        filled, names = await asyncio.to_thread(with_specs, request, body)
        _, game = await asyncio.to_thread(room.read, body.kind, filled)
        await check_players(request, body, filled, game)
        name = body.name.strip() or f"{body.kind.capitalize()} of {game.title}"
        key = await asyncio.to_thread(room.create, name, body.kind, dict(body.given), filled, names)
    except FormError as error:
        return answer(UNPROCESSABLE, str(error), errors=error.errors)
    return await asyncio.to_thread(lambda: room.described(room.row(key)))


def policy_fields(kind: str) -> list[str]:
    """The fields of a form that are policies."""
    return [field.name for field in form_of(kind).fields if field.is_policy]


def with_specs(request: Request, body: NewTournament) -> tuple[dict[str, Value], dict[str, str]]:
    """(the filled form with the specs of bots as they are now, {spec: name of the bot}). Raises FormError."""
    filled, names = dict[str, Value](body.given), dict[str, str]()

    def spec_of(word: Any) -> Any:
        if not (isinstance(word, str) and word.startswith(BOT)):
            return word
        row = bots(request).row(word.removeprefix(BOT))
        spec = bots(request).snapshot(row)
        names[spec] = row.name
        return spec

    for name in policy_fields(body.kind):
        given = filled.get(name)
        try:
            filled[name] = [spec_of(word) for word in given] if isinstance(given, list) else spec_of(given)
        except StudioError as error:
            raise FormError({name: str(error)}) from None
        if given is None:
            del filled[name]
    return filled, names


async def check_players(request: Request, body: NewTournament, filled: dict[str, Value], game: Game) -> None:
    """Raises FormError for a policy that may not play, as in the room Play."""
    fields = {field.name: field for field in form_of(body.kind).fields if field.is_policy}
    for name, field in fields.items():
        value = filled.get(name, field.default)
        specs = list(dict.fromkeys(str(one) for one in (value if isinstance(value, list) else [value])))
        if len(specs) > MOST_PLAYERS:
            raise FormError({name: f"{len(specs)} policies; expected at most {MOST_PLAYERS}"})
        for spec in specs:
            try:
                await app_state.policies(request).check(spec, game)
            except BoardgymError as error:
                raise FormError({name: str(error)}) from None


# ------------------------------------------------------------ tournaments


def listing(room: Tournaments) -> dict[str, Any]:
    """All tournaments."""
    return {"tournaments": [room.described(row) for row in room.rows()]}


@router.get("")
def list_tournaments(request: Request) -> dict[str, Any]:
    """All tournaments, the newest first."""
    return listing(arena(request))


@router.get("/events", response_class=EventSourceResponse)
async def list_events(request: Request) -> AsyncIterator[dict[str, Any]]:
    """The list, anew whenever something in it changes."""
    room = arena(request)
    async for found in changes(lambda: listing(room)):
        yield found


def existing(request: Request, key: str) -> None:
    """Raises StudioError if an address names no tournament."""
    arena(request).row(key)


@router.get("/{key}")
def one(request: Request, key: str) -> dict[str, Any]:
    """A tournament with its standings and what its process has said."""
    return arena(request).whole(key)


@router.get("/{key}/events", response_class=EventSourceResponse, dependencies=[Depends(existing)])
async def events(request: Request, key: str) -> AsyncIterator[dict[str, Any]]:
    """The same, anew whenever something changes; ends when the tournament is deleted."""
    room = arena(request)
    async for found in changes(lambda: room.whole(key)):
        yield found


@router.post("/{key}/stop")
def stop(request: Request, key: str) -> dict[str, Any]:
    """Stops a tournament; the games that have ended are kept."""
    room = arena(request)
    room.stop(key)
    return room.described(room.row(key))


@router.post("/{key}/resume")
def resume(request: Request, key: str) -> dict[str, Any]:
    """Goes on with a tournament where its games end."""
    room = arena(request)
    room.resume(key)
    return room.described(room.row(key))


@router.delete("/{key}", status_code=204)
def remove(request: Request, key: str) -> None:
    """Ends a tournament and deletes its games."""
    arena(request).delete(key)


@router.get("/{key}/report")
def report(request: Request, key: str) -> Response:
    """What the command prints with --json, of the games that have ended."""
    room = arena(request)
    row = room.row(key)
    found = room.standings(key).get("report")
    if found is None:
        raise StudioError(NOT_FOUND, "no game has ended yet")
    name = f"{NOT_HERE.sub('-', row.name).strip('-.') or row.kind}.json"
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    return Response(text, media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/{key}/record")
def record(request: Request, key: str) -> FileResponse:
    """The games that have ended, as JSON lines."""
    room = arena(request)
    row, path = room.row(key), room.folder / key / RECORD
    if not path.is_file():
        raise StudioError(NOT_FOUND, "no game has ended yet")
    name = NOT_HERE.sub("-", row.name).strip("-.") or row.kind
    return FileResponse(path, filename=f"{name}.jsonl", media_type="text/plain; charset=utf-8")
