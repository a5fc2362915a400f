"""The room Play's calls: games that people and policies play. A change is saved before it is answered."""

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy import select

from boardgym.core.description import why_not
from boardgym.web import app_state
from boardgym.web.app_state import Studio, plays
from boardgym.web.errors import CONFLICT, UNPROCESSABLE, StudioError
from boardgym.web.games import hint_for
from boardgym.web.models import PlayRow
from boardgym.web.play import Play, Seat
from boardgym.web.play_bodies import HintBody, MoveBody, PlayBody, ResignBody, SeatBody, VersionBody
from boardgym.web.playing import Plays

MOST_WATCHERS = 50  # of one game
HINT_S = 10.0  # that a policy may think about a hint

router = APIRouter(prefix="/api")


async def begin(app: FastAPI) -> None:
    """Makes the server's `Plays`, and goes on with the games in which a policy is to play."""
    studio: Studio = app.state.studio
    studio.plays = Plays(studio)
    studio.at_end.append(studio.plays.close)
    await studio.plays.resume()


async def find(request: Request, id: str) -> Play:
    """The game that an address names."""
    return await plays(request).find(id)


Found = Annotated[Play, Depends(find)]


def as_json(play: Play, status: int = 200) -> Response:
    """A game as its pages get it."""
    return Response(play.text, status, media_type="application/json")


@router.post("/plays", status_code=201)
async def create(request: Request, body: PlayBody) -> Response:
    """Begins a game."""
    return as_json(await plays(request).create(body), 201)


@router.get("/plays")
def list_plays(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    offset: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> list[dict[str, Any]]:
    """The games, the last changed first."""
    with app_state.store(request).session() as session:
        rows = session.scalars(select(PlayRow).order_by(PlayRow.changed.desc()).limit(limit).offset(offset)).all()
    return [
        {
            "id": row.id,
            "game": row.game,
            "options": row.options,
            "seats": row.seats,
            "created": row.created,
            "changed": row.changed,
            "ply": row.ply,
            "is_over": not row.waits_for,
            "result": row.result,
        }
        for row in rows
    ]


@router.get("/plays/{id}")
async def show(play: Found) -> Response:
    """A game as it stands."""
    if play.clock is not None:
        async with play.lock:  # nothing is told that is not saved yet
            play.refresh()
    return as_json(play)


async def find_to_watch(play: Found) -> Play:
    """The game, if there is room for one more who watches it."""
    if play.watchers >= MOST_WATCHERS:
        raise StudioError(CONFLICT, f"{MOST_WATCHERS} pages watch this game already")
    return play


@router.get("/plays/{id}/events", response_class=EventSourceResponse)
async def watch(play: Annotated[Play, Depends(find_to_watch)]) -> AsyncIterator[ServerSentEvent]:
    """The game at once, and again at each change; the event `deleted` at its end."""
    play.watchers += 1
    try:
        while not play.is_deleted:
            changed = play.changed
            yield ServerSentEvent(raw_data=play.text.decode(), id=str(play.version))
            await changed.wait()
        yield ServerSentEvent(event="deleted", raw_data=json.dumps({"id": play.id}))
    finally:
        play.watchers -= 1


@router.post("/plays/{id}/moves")
async def move(request: Request, play: Found, body: MoveBody) -> Response:
    """Plays a person's move: 409 if it comes late or twice, 403 if it is a policy's turn, 422 if it is illegal."""
    if (body.action is None) == (body.move is None):
        raise StudioError(UNPROCESSABLE, "give an action or a move, one of them")
    await plays(request).move(play, body.ply, body.action, body.move)
    return as_json(play)


@router.post("/plays/{id}/undo")
async def undo(request: Request, play: Found, body: VersionBody | None = None) -> Response:
    """Takes back to the last turn of a person."""
    await plays(request).undo(play, body.version if body else None)
    return as_json(play)


@router.post("/plays/{id}/resign")
async def resign(request: Request, play: Found, body: ResignBody | None = None) -> Response:
    """A person gives up."""
    body = body or ResignBody()
    await plays(request).resign(play, body.seat, body.version)
    return as_json(play)


@router.post("/plays/{id}/ask")
async def ask_again(request: Request, play: Found, body: VersionBody | None = None) -> Response:
    """Asks a policy that has failed once more."""
    await plays(request).ask_again(play, body.version if body else None)
    return as_json(play)


@router.post("/plays/{id}/pause")
async def pause(request: Request, play: Found, body: VersionBody | None = None) -> Response:
    """Lets the policies of a game wait; `ask` goes on."""
    await plays(request).pause(play, body.version if body else None)
    return as_json(play)


@router.get("/plays/{id}/states/{count}")
async def past(play: Found, count: Annotated[int, Path(ge=0, lt=2**31)]) -> dict[str, Any]:
    """The board after so many moves, those of chance among them."""
    return play.state_after(count)


@router.post("/plays/{id}/seats/{number}")
async def replace(request: Request, play: Found, number: int, body: SeatBody) -> Response:
    """Gives a seat to another player: a policy that fails to another one, or to a person."""
    await plays(request).replace(play, number, Seat(body.kind, body.spec))
    return as_json(play)


@router.post("/plays/{id}/hint")
async def hint(request: Request, play: Found, body: HintBody | None = None) -> dict[str, Any]:
    """What a policy would play; nothing changes."""
    spec = (body.spec if body else "") or hint_for(play.game)
    if play.is_hinting:
        raise StudioError(CONFLICT, "a hint is being looked for already: wait until it is there")
    play.is_hinting = True
    try:
        await plays(request).check_seat(Seat("policy", spec), play.game)
        async with play.lock:
            if play.is_over:
                raise StudioError(CONFLICT, f"the game is over: {play.result()}")
            board, version, question = play.board.copy(), play.version, play.ask(spec)
        action = await app_state.policies(request).act(question, HINT_S)
    finally:
        play.is_hinting = False
    return {"action": action, "move": board.move_text(action), "spec": spec, "version": version}


@router.get("/plays/{id}/why")
async def why(play: Found, places: Annotated[str, Query(max_length=200)]) -> dict[str, str]:
    """Why clicking these places in this order plays nothing."""
    try:
        numbers = [int(part) for part in places.split(",") if part]
    except ValueError:
        raise StudioError(UNPROCESSABLE, f"places={places[:80]!r}: expected numbers, as in places=1,2") from None
    async with play.lock:
        if play.is_over:
            return {"why": f"the game is over: {play.result()}"}
        if (seat := play.thinking) is not None:
            return {"why": f"it is not your turn: {play.game.seat_name(seat)} is played by {play.seats[seat].spec}"}
        return {"why": why_not(play.board, numbers)}


@router.get("/plays/{id}/record")
async def record(play: Found) -> Response:
    """The game as a .game file."""
    async with play.lock:
        text = play.record_text()
    name = f"{play.game.name}-{play.id}.game"
    return Response(
        text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.delete("/plays/{id}", status_code=204)
async def remove(request: Request, play: Found) -> Response:
    """Deletes a game."""
    await plays(request).remove(play)
    return Response(status_code=204)
