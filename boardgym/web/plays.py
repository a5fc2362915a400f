"""The room Play: games that people and policies play, saved before they are told. See docs/studio.md."""

import asyncio
import contextlib
import json
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from boardgym.core.description import why_not
from boardgym.core.game import Game, get_game
from boardgym.core.random import fresh_seed
from boardgym.web import app_state
from boardgym.web.app_state import Studio, plays
from boardgym.web.errors import CONFLICT, LOGGER, NOT_FOUND, UNPROCESSABLE, StudioError
from boardgym.web.models import MoveRow, PlayRow, now
from boardgym.web.play import Clock, Ending, Play, Seat, board_from, has_kernels, new_board
from boardgym.web.policies import PolicyError
from boardgym.web.policy_worker import warm

MOST_OPEN = 1000  # games in memory; others are loaded when they are asked for
MOST_WATCHERS = 50  # of one game
PACE_S = 0.3  # between the moves of a game that policies alone play, so that people can follow
HINT = "puct:1000"
RESUMED = 20  # games whose policies are asked again when the server starts

OptionValue = bool | int | float | str
Text = Annotated[str, Field(max_length=2000)]


class Body(BaseModel):
    """A body of JSON: nothing but what is described."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatBody(Body):
    """Who sits at a seat: a person, or a policy by its spec."""

    kind: Literal["human", "policy"]
    spec: str = Field("", max_length=500)


class ClockBody(Body):
    """Seconds that each seat has, and that each of its moves adds."""

    seconds: float = Field(ge=1, le=86_400)
    increment: float = Field(0.0, ge=0, le=3600)


class PlayBody(Body):
    """A new game. position: a position string to start from, or else setup: the name of a set-up; moves: played at once."""

    game: str = Field(max_length=80)
    options: dict[Annotated[str, Field(max_length=40)], OptionValue] = Field(default_factory=dict, max_length=20)
    seats: list[SeatBody] = Field(min_length=1, max_length=16)
    seed: int | None = Field(None, ge=0, lt=2**53)
    position: Text | None = None
    setup: str | None = Field(None, max_length=80)
    moves: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=2000)
    clock: ClockBody | None = None


class MoveBody(Body):
    """A move: the ply that it is for, and an action or a move in the game's notation."""

    ply: int = Field(ge=0, lt=2**31)
    action: int | None = Field(None, ge=0, lt=2**31)
    move: str | None = Field(None, max_length=80)


class VersionBody(Body):
    """The version that the page shows; where it is another now, nothing is done."""

    version: int | None = Field(None, ge=0)


class ResignBody(VersionBody):
    """Who resigns; None: the person to play."""

    seat: int | None = Field(None, ge=0, lt=16)


class HintBody(Body):
    """Who is asked for a hint."""

    spec: str = Field(HINT, max_length=500)


class Plays:
    """All games of a server: those in memory, and what is done with them.

    Args:
        studio: the server's parts.
    """

    def __init__(self, studio: Studio) -> None:
        assert studio.store is not None
        assert studio.policies is not None
        self.store, self.policies = studio.store, studio.policies
        self.open: OrderedDict[str, Play] = OrderedDict()
        self._loading = asyncio.Lock()
        self._warming: dict[str, asyncio.Task[None]] = {}

    # ------------------------------------------------------------ finding

    async def find(self, id: str) -> Play:
        """A game by its id. Raises StudioError if there is none."""
        if id in self.open:
            self.open.move_to_end(id)
            return self.open[id]
        async with self._loading:
            if id not in self.open:
                row, actions = await self.store.run(lambda session: load_rows(session, id))
                if row is None:
                    raise StudioError(NOT_FOUND, f"there is no game {id[:40]!r}: it was deleted, or never begun")
                self.keep(await asyncio.to_thread(play_of, row, actions))
        return self.open[id]

    def keep(self, play: Play) -> None:
        """Takes a game into memory, and lets go of those that nobody looks at."""
        self.open[play.id] = play
        self.set_off(play)
        play.announce()
        for id in list(self.open):
            if len(self.open) <= MOST_OPEN:
                break
            old = self.open[id]
            if not old.watchers and old.task is None and old.flag is None and not old.lock.locked() and old is not play:
                del self.open[id]

    # ------------------------------------------------------------ making

    async def create(self, body: PlayBody) -> Play:
        """A new game, saved."""
        game = get_game(body.game, **body.options)
        if len(body.seats) != game.num_seats:
            raise StudioError(UNPROCESSABLE, f"{len(body.seats)} seats for {game.id}; expected {game.num_seats}")
        seats = [Seat(seat.kind, seat.spec) for seat in body.seats]
        for seat in seats:
            await self.check_seat(seat, game)
        seed = fresh_seed() % 2**53 if body.seed is None else body.seed
        board = await asyncio.to_thread(
            new_board, game, fen=body.position, setup=body.setup, moves=body.moves, seed=seed
        )
        clock = None if body.clock is None else Clock(body.clock.seconds, body.clock.increment)
        play = Play(secrets.token_urlsafe(8), board, seats, seed, opening=len(board.actions), clock=clock)
        await self.store.run(lambda session: save_new(session, play))
        self.keep(play)
        self.compile_later(game)
        return play

    async def check_seat(self, seat: Seat, game: Game) -> None:
        """Raises BoardgymError for what cannot sit at a board of the game."""
        if seat.kind == "policy":
            await self.policies.check(seat.spec, game)
        elif seat.spec:
            raise StudioError(UNPROCESSABLE, f"a human seat has no spec, got {seat.spec[:80]!r}")

    def compile_later(self, game: Game) -> None:
        """Compiles the usual rules of a game beside the server, so that later boards have them."""
        if game.is_usual and not has_kernels(game) and game.id not in self._warming:

            async def compile_now() -> None:
                with contextlib.suppress(PolicyError):
                    await self.policies.run(warm, game, limit_s=600.0, who=f"compiling {game.id}")

            self._warming[game.id] = asyncio.create_task(compile_now())

    # ------------------------------------------------------------ changing

    async def move(self, play: Play, ply: int, action: int | None, move: str | None) -> None:
        """Plays a person's move. Raises BoardgymError, with nothing changed."""
        async with play.lock:
            self.check_there(play)
            play.check_move(ply)
            await self.play_on(play, action=action, move=move)

    async def play_on(self, play: Play, *, action: int | None = None, move: str | None = None) -> None:
        """Plays and saves a move; where that fails, the board is as before. The lock is held."""
        before, seat = len(play.board.actions), play.board.to_play
        left = play.stop_clock()
        play.push(action=action, move=move)
        if left is not None and play.clock is not None:
            left[seat] += play.clock.increment
        try:
            added = play.board.actions[before:]
            await self.save(play, added=added, first=before, left=left, message="")
        except BaseException:
            play.go_back(before)
            raise

    async def save(
        self,
        play: Play,
        *,
        added: Sequence[int] = (),
        first: int | None = None,
        left: list[float] | None = None,
        ending: Ending | None = None,
        message: str = "",
        seats: list[Seat] | None = None,
    ) -> None:
        """Writes a change, and then tells it. first: the length of the record that stays, before what is added."""
        version = play.version + 1
        waits_for = "" if ending is not None or play.board.is_terminal else (seats or play.seats)[play.board.to_play].kind
        values: dict[str, Any] = {
            "changed": now(),
            "version": version,
            "message": message,
            "ending": None if ending is None else {"reason": ending.reason, "seat": ending.seat},
            "ply": play.board.ply,
            "waits_for": waits_for,
            "left": left if left is not None else play.left,
        }
        if seats is not None:
            values["seats"] = seat_rows(seats)
        earlier = play.ending
        play.ending = ending
        values["result"] = play.result()
        play.ending = earlier
        await self.store.run(lambda session: save_change(session, play.id, values, first, added))
        play.version, play.message, play.ending = version, message, ending
        play.seats = play.seats if seats is None else seats
        if left is not None:
            play.left = left
        self.set_off(play)
        play.announce()

    def set_off(self, play: Play) -> None:
        """After each change: starts the clock of the seat to play, and asks its policy."""
        loop = asyncio.get_running_loop()
        play.turn_began = asyncio.get_running_loop().time() if False else play.now()
        if play.flag is not None:
            play.flag.cancel()
            play.flag = None
        if play.task is not None and play.task is not asyncio.current_task():
            play.task.cancel()
            play.task = None
        if play.is_over or play.is_deleted:
            return
        version = play.version
        if play.left is not None:
            seconds = max(play.left[play.board.to_play], 0.0)
            play.flag = loop.call_later(seconds, lambda: loop.create_task(self.fall(play, version)))
        if play.thinking is not None and not play.message and play.task is None:
            play.task = loop.create_task(self.think(play))

    async def fall(self, play: Play, version: int) -> None:
        """Ends a game whose clock has run out, unless it has changed meanwhile."""
        async with play.lock:
            if play.version == version and not play.is_over and not play.is_deleted:
                await self.save(play, left=play.stop_clock(), ending=Ending("time", play.board.to_play))

    async def think(self, play: Play) -> None:
        """Asks policies for their moves until it is a person's turn, or one fails."""
        try:
            while play.thinking is not None and not play.message:
                await self.think_once(play)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # of the database: nothing is lost, and the policy can be asked again
            LOGGER.error("the move of a policy could not be saved", exc_info=error)
            play.message = f"the move of {play.seats[play.board.to_play].spec} could not be saved: {error.__cause__ or error}"
            play.announce()
        finally:
            if play.task is asyncio.current_task():
                play.task = None

    async def think_once(self, play: Play) -> None:
        """One move of the policy to play, or the message why there is none."""
        seat = play.thinking
        assert seat is not None
        version, spec = play.version, play.seats[seat].spec
        if all(one.kind == "policy" for one in play.seats) and play.board.ply:
            await asyncio.sleep(PACE_S)
        failure = ""
        try:
            action = await self.policies.act(play.ask(spec))
        except PolicyError as error:
            failure = str(error)
        async with play.lock:
            if play.version != version or play.is_deleted:
                return
            if failure:
                name = play.game.seat_name(seat)
                await self.save(play, left=play.stop_clock(), message=f"{failure}. Ask {name} again, or replace it.")
            else:
                await self.play_on(play, action=action)

    async def undo(self, play: Play, version: int | None) -> None:
        """Takes back to the last turn of a person; what ended the game but for its moves is taken back alone."""
        async with play.lock:
            self.check_there(play, version)
            board = play.board.copy()
            length = len(board.actions) if play.ending is not None else play.length_before()
            play.go_back(length)
            try:
                await self.save(play, first=length)
            except BaseException:
                play.board = board
                raise

    async def resign(self, play: Play, seat: int | None, version: int | None) -> None:
        """Ends a game by resignation."""
        async with play.lock:
            self.check_there(play, version)
            await self.save(play, left=play.stop_clock(), ending=Ending("resigned", play.loser_by_resignation(seat)))

    async def ask_again(self, play: Play, version: int | None) -> None:
        """Asks the policy that has failed once more."""
        async with play.lock:
            self.check_there(play, version)
            if play.thinking is None:
                raise StudioError(CONFLICT, "no policy is to play")
            if play.message:
                await self.save(play)

    async def replace(self, play: Play, number: int, seat: Seat) -> None:
        """Gives a seat to another player."""
        if not 0 <= number < play.game.num_seats:
            raise StudioError(NOT_FOUND, f"{play.game.id} has no seat {number}; expected 0 to {play.game.num_seats - 1}")
        await self.check_seat(seat, play.game)
        async with play.lock:
            self.check_there(play)
            seats = [*play.seats[:number], seat, *play.seats[number + 1 :]]
            await self.save(play, left=play.stop_clock(), ending=play.ending, seats=seats)

    async def remove(self, play: Play) -> None:
        """Deletes a game."""
        async with play.lock:
            self.check_there(play)
            await self.store.run(lambda session: session.execute(delete(PlayRow).where(PlayRow.id == play.id)))
            play.is_deleted = True
            self.open.pop(play.id, None)
            self.set_off(play)
            play.announce()

    def check_there(self, play: Play, version: int | None = None) -> None:
        """Raises StudioError if a game was deleted meanwhile, or is at another version than a page shows."""
        if play.is_deleted:
            raise StudioError(NOT_FOUND, f"there is no game {play.id!r}: it was deleted")
        if version is not None and version != play.version:
            raise StudioError(CONFLICT, "the game has gone on meanwhile: nothing was done")

    async def resume(self) -> None:
        """Goes on with the latest games in which a policy is to play."""
        ids = await self.store.run(
            lambda session: session.scalars(
                select(PlayRow.id)
                .where(PlayRow.waits_for == "policy", PlayRow.message == "")
                .order_by(PlayRow.changed.desc())
                .limit(RESUMED)
            ).all()
        )
        for id in ids:
            try:
                await self.find(id)
            except Exception as error:  # of a game that is no longer installed, say: the others go on
                LOGGER.warning("game %s cannot be resumed: %s", id, error)

    async def close(self) -> None:
        """Ends what goes on by itself."""
        for task in [*self._warming.values(), *(play.task for play in self.open.values())]:
            if task is not None:
                task.cancel()


# ---------------------------------------------------------------- the tables


def seat_rows(seats: Sequence[Seat]) -> list[dict[str, str]]:
    """Seats as the table has them."""
    return [{"kind": seat.kind, "spec": seat.spec} for seat in seats]


def save_new(session: Session, play: Play) -> None:
    """Writes a new game."""
    time = now()
    clock = None if play.clock is None else {"seconds": play.clock.seconds, "increment": play.clock.increment}
    session.execute(
        insert(PlayRow).values(
            id=play.id,
            created=time,
            changed=time,
            game=play.game.id,
            options=dict(play.game.options),
            start=play.start,
            seats=seat_rows(play.seats),
            seed=str(play.seed),
            opening=play.opening,
            clock=clock,
            left=play.left,
            ply=play.board.ply,
            waits_for=play.waits_for,
        )
    )
    add_moves(session, play.id, 0, play.board.actions)


def add_moves(session: Session, id: str, first: int, actions: Sequence[int]) -> None:
    """Writes actions from a number on."""
    if actions:
        time = now()
        rows = [{"play_id": id, "number": first + k, "action": action, "at": time} for k, action in enumerate(actions)]
        session.execute(insert(MoveRow), rows)


def save_change(session: Session, id: str, values: dict[str, Any], first: int | None, added: Sequence[int]) -> None:
    """Writes a change: the columns, and where `first` is a number, what stands in the record from there on."""
    session.execute(update(PlayRow).where(PlayRow.id == id).values(**values))
    if first is not None:
        if not added:
            session.execute(delete(MoveRow).where(MoveRow.play_id == id, MoveRow.number >= first))
        add_moves(session, id, first, added)


def load_rows(session: Session, id: str) -> tuple[PlayRow | None, list[int]]:
    """A game and its actions."""
    row = session.get(PlayRow, id)
    actions = session.scalars(select(MoveRow.action).where(MoveRow.play_id == id).order_by(MoveRow.number)).all()
    return row, list(actions)


def play_of(row: PlayRow, actions: Sequence[int]) -> Play:
    """A game from the tables."""
    return Play(
        row.id,
        board_from(get_game(row.game, **row.options), row.start, actions),
        [Seat(**seat) for seat in row.seats],
        int(row.seed),
        opening=row.opening,
        clock=None if row.clock is None else Clock(**row.clock),
        left=row.left,
        ending=None if row.ending is None else Ending(**row.ending),
        message=row.message,
        version=row.version,
    )


# ---------------------------------------------------------------- the interface

router = APIRouter(prefix="/api")


async def begin(app: FastAPI) -> None:
    """Makes the server's `Plays`, and goes on with the games in which a policy is to play."""
    studio: Studio = app.state.studio
    studio.plays = Plays(studio)
    studio.at_end.append(studio.plays.close)
    await studio.plays.resume()


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
async def show(request: Request, id: str) -> Response:
    """A game as it stands."""
    play = await plays(request).find(id)
    if play.clock is not None:
        play.announce()  # the clocks as they are now
    return as_json(play)


@router.get("/plays/{id}/events", response_class=EventSourceResponse)
async def watch(request: Request, id: str) -> AsyncIterator[ServerSentEvent]:
    """The game at once, and again at each change."""
    play = await plays(request).find(id)
    if play.watchers >= MOST_WATCHERS:
        raise StudioError(CONFLICT, f"{MOST_WATCHERS} pages watch this game already")
    play.watchers += 1
    try:
        while not play.is_deleted:
            changed = play.change()
            yield ServerSentEvent(raw_data=play.text.decode(), id=str(play.version))
            await changed
        yield ServerSentEvent(event="deleted", raw_data=json.dumps({"id": id}))
    finally:
        play.watchers -= 1


@router.post("/plays/{id}/moves")
async def move(request: Request, id: str, body: MoveBody) -> Response:
    """Plays a person's move: 409 if it comes late or twice, 403 if it is a policy's turn, 422 if it is illegal."""
    if (body.action is None) == (body.move is None):
        raise StudioError(UNPROCESSABLE, "give an action or a move, one of them")
    play = await plays(request).find(id)
    await plays(request).move(play, body.ply, body.action, body.move)
    return as_json(play)


@router.post("/plays/{id}/undo")
async def undo(request: Request, id: str, body: VersionBody | None = None) -> Response:
    """Takes back to the last turn of a person."""
    play = await plays(request).find(id)
    await plays(request).undo(play, body.version if body else None)
    return as_json(play)


@router.post("/plays/{id}/resign")
async def resign(request: Request, id: str, body: ResignBody | None = None) -> Response:
    """A person gives up."""
    play, body = await plays(request).find(id), body or ResignBody()
    await plays(request).resign(play, body.seat, body.version)
    return as_json(play)


@router.post("/plays/{id}/ask")
async def ask_again(request: Request, id: str, body: VersionBody | None = None) -> Response:
    """Asks a policy that has failed once more."""
    play = await plays(request).find(id)
    await plays(request).ask_again(play, body.version if body else None)
    return as_json(play)


@router.post("/plays/{id}/seats/{number}")
async def replace(request: Request, id: str, number: int, body: SeatBody) -> Response:
    """Gives a seat to another player: a policy that fails to another one, or to a person."""
    play = await plays(request).find(id)
    await plays(request).replace(play, number, Seat(body.kind, body.spec))
    return as_json(play)


@router.post("/plays/{id}/hint")
async def hint(request: Request, id: str, body: HintBody | None = None) -> dict[str, Any]:
    """What a policy would play; nothing changes."""
    play, body = await plays(request).find(id), body or HintBody()
    await plays(request).check_seat(Seat("policy", body.spec), play.game)
    if play.is_over:
        raise StudioError(CONFLICT, f"the game is over: {play.result()}")
    board, version = play.board.copy(), play.version
    action = await app_state.policies(request).act(play.ask(body.spec))
    return {"action": action, "move": board.move_text(action), "spec": body.spec, "version": version}


@router.get("/plays/{id}/why")
async def why(request: Request, id: str, places: Annotated[str, Query(max_length=200)]) -> dict[str, str]:
    """Why clicking these places in this order plays nothing."""
    play = await plays(request).find(id)
    try:
        numbers = [int(part) for part in places.split(",") if part.isdecimal() or part]
    except ValueError:
        raise StudioError(UNPROCESSABLE, f"places={places[:80]!r}: expected numbers, as in places=1,2") from None
    if play.is_over:
        return {"why": f"the game is over: {play.result()}"}
    if (seat := play.thinking) is not None:
        return {"why": f"it is not your turn: {play.game.seat_name(seat)} is played by {play.seats[seat].spec}"}
    return {"why": why_not(play.board, numbers)}


@router.get("/plays/{id}/record")
async def record(request: Request, id: str) -> Response:
    """The game as a .game file."""
    play = await plays(request).find(id)
    async with play.lock:
        text = play.record_text()
    name = f"{play.game.name}-{play.id}.game"
    return Response(
        text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.delete("/plays/{id}", status_code=204)
async def remove(request: Request, id: str) -> Response:
    """Deletes a game."""
    await plays(request).remove(await plays(request).find(id))
    return Response(status_code=204)
