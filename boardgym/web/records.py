"""The room Games: recorded games searched, replayed, uploaded and taken elsewhere, at `/api/records`."""

import asyncio
import hashlib
from dataclasses import fields
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response
from pydantic import Field

from boardgym.baselines.arena.formats import by_suffix
from boardgym.baselines.arena.record import FORMAT, FORMAT_VERSION, GameRecord
from boardgym.baselines.typed_json import read_versioned
from boardgym.core.errors import BoardgymError, NotationError
from boardgym.web import record_room
from boardgym.web.errors import CONFLICT, NOT_FOUND, TOO_LARGE, UNPROCESSABLE, StudioError
from boardgym.web.export import replay_data
from boardgym.web.record_files import MOST_UPLOAD, answer_about
from boardgym.web.record_index import beginning
from boardgym.web.record_room import Records

router = APIRouter(prefix="/api/records")

MOST_GAMES = 20_000  # of a file
MOST_DOWNLOAD = 10_000
PAGE, MOST_PAGE = 50, 500
Words = Annotated[str, Query(max_length=2000)]
Name = Annotated[str, Query(max_length=100)]
Date = Annotated[str, Query(pattern=r"^(\d{4}(-\d\d){0,2})?$")]
Count = Annotated[int | None, Query(ge=0, lt=2**31)]
Id = Annotated[int, Path(ge=0, lt=2**31)]


def begin(app: FastAPI) -> None:
    """Makes the server's `Records`."""
    app.state.records = Records(app.state.studio.store)
    app.state.record_uploads = asyncio.Lock()  # one at a time


def records(request: Request) -> Records:
    """The games of the server."""
    found: Records = request.app.state.records
    return found


def follow(request: Request) -> int:
    """Takes in what has been played since, for a while. Returns how many games are left."""
    request.app.state.arena.follow()
    return records(request).follow_plays()


def query(
    game: Name = "",
    players: Words = "",
    result: Annotated[str, Query(pattern=r"^(draw|open|\d{0,2})$")] = "",
    source: Literal["", "play", "file", "arena"] = "",
    file: Count = None,
    tournament: Name = "",
    line: Count = None,
    fewest: Count = None,
    most: Count = None,
    since: Date = "",
    until: Date = "",
    opening: Words = "",
    fen: Words = "",
) -> record_room.Query:
    """What an address looks for."""
    given = locals()
    return record_room.Query(**{field.name: given[field.name] for field in fields(record_room.Query)})


Asked = Annotated[record_room.Query, Depends(query)]


@router.get("")
def find(
    request: Request,
    asked: Asked,
    sort: Literal["date", "game", "players", "result", "plies", "number"] = "date",
    down: bool = True,
    limit: Annotated[int, Query(ge=1, le=MOST_PAGE)] = PAGE,
    offset: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> dict[str, Any]:
    """A page of the games that are found. unread: of the games played here, how many are not yet among those searched."""
    room = records(request)
    unread = follow(request) if asked.file is None else 0
    total, games = room.find(asked, sort, down, limit, offset)
    return {"games": games, "total": total, "unread": unread}


@router.get("/download")
async def download(request: Request, asked: Asked, format: Literal["game", "json"] = "game") -> Response:
    """The games that are found as one file: a game file, or JSON lines."""
    room = records(request)
    await asyncio.to_thread(follow, request)
    found = await asyncio.to_thread(room.records, asked, MOST_DOWNLOAD)
    if not found:
        raise StudioError(NOT_FOUND, "no game is found that could be downloaded")
    text = "\n".join([*found, ""])
    if format == "game":
        text = (await answer_about(request, "game_file", text.encode(), "json"))["text"]
    name = f"games.{'game' if format == 'game' else 'jsonl'}"
    return Response(
        text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.get("/files")
def files(request: Request) -> list[dict[str, Any]]:
    """The files that were uploaded, the latest first."""
    return records(request).files()


@router.post("/files", status_code=201)
async def upload(request: Request, name: Annotated[str, Field(min_length=1, max_length=200)]) -> dict[str, Any]:
    """Takes a file of records, the body, in any format: its games are kept if all of them can be read. name: of the file."""
    if request.app.state.record_uploads.locked():
        raise StudioError(CONFLICT, "another file is being uploaded; try again in a moment")
    async with request.app.state.record_uploads:
        content = await request.body()
        if len(content) > MOST_UPLOAD:
            raise StudioError(TOO_LARGE, f"a file of more than {MOST_UPLOAD // 1_000_000} MB; take fewer games")
        found = await answer_about(request, "records", content, by_suffix(name), most=MOST_GAMES)
        if not found["games"]:
            raise StudioError(UNPROCESSABLE, "there is no game in this file")
        digest = hashlib.sha256(content).hexdigest()
        return await asyncio.to_thread(records(request).add_file, name, digest, found["games"])


@router.delete("/files/{id}", status_code=204)
def forget(request: Request, id: Id) -> None:
    """Deletes a file with its games."""
    records(request).forget_file(id)


@router.get("/{id}")
def one(request: Request, id: Id) -> dict[str, Any]:
    """A game with all its positions, as <boardgym-replay> shows them."""
    found = records(request).one(id)
    text = found.pop("record")
    if not text:
        raise StudioError(UNPROCESSABLE, found["result"])
    record = plain_record(text)
    try:
        replay = replay_data(record, beginning(record))
    except BoardgymError as error:
        raise StudioError(UNPROCESSABLE, f"this game cannot be replayed: {error}") from None
    return {**found, "start": record.start, "seats": list(record.policies), "tags": dict(record.tags), "replay": replay}


def plain_record(text: str) -> GameRecord:
    """A record that was checked when it was taken in: it is played through when it is shown."""
    return read_versioned(text, GameRecord, FORMAT, FORMAT_VERSION, NotationError, "the record of a game")
