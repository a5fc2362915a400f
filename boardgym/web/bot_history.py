"""The snapshots of a bot over its training: what it would have played, and its games then: `/api/bots/ID/...`."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field

from boardgym.baselines.learning.history import HISTORY, found_in
from boardgym.baselines.perfect.policy import SOLVERS
from boardgym.core.description import describe_game
from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game
from boardgym.web.app_state import policies
from boardgym.web.bot_models import BotRow
from boardgym.web.bot_room import Bots
from boardgym.web.bot_rows import game_of
from boardgym.web.bot_views import PERFECT, Question, game_between, views
from boardgym.web.errors import CONFLICT, UNPROCESSABLE, StudioError
from boardgym.web.forms import FormError
from boardgym.web.jobs import RUN, progress_of
from boardgym.web.play_bodies import Body

router = APIRouter(prefix="/api/bots/{key}")

LOOK_S = 180.0  # for one look at all positions, kernels that have to be compiled included
GAME_S = 240.0  # for a game
LATEST = 10**17
ITSELF = ("", "learner", "self")  # opponents of a training that learn too

Count = Annotated[int, Field(ge=0, lt=10**18)]
Fen = Annotated[str, Field(max_length=4000)]


def bots(request: Request) -> Bots:
    """The bots of the server."""
    found: Bots = request.app.state.bots
    return found


class NewGame(Body):
    """A game that is asked for. done: of the bot after about so many units of its training; number: which game of it."""

    done: Count
    number: Annotated[int, Field(ge=0, lt=2**31)] = 0


def snapshots_of(room: Bots, row: BotRow) -> list[int]:
    """After how many units of its training a bot can be looked at, in their order: the last as it is now."""
    kept = list(found_in(room.folder_of(row.id) / RUN / HISTORY))
    now = progress_of(room.folder_of(row.id)).get("done")
    if isinstance(now, int) and room.agent_of(row) is not None:
        kept = [*(number for number in kept if number < now), now]
    return kept


def nearest(room: Bots, row: BotRow, done: int) -> tuple[int, str]:
    """(after how many units, spec) of the snapshot of a bot nearest to so many units. Raises StudioError if there is none."""
    numbers, agent = snapshots_of(room, row), room.agent_of(row)
    if not numbers or agent is None:
        raise StudioError(CONFLICT, "it has learnt nothing yet")
    number = min(numbers, key=lambda it: (abs(it - done), it))
    path = found_in(room.folder_of(row.id) / RUN / HISTORY).get(number, agent)
    return number, room.spec_of(row, path)


def opponent_of(room: Bots, row: BotRow) -> str:
    """The spec of the opponent that a bot trains against; empty where that is itself, or learns too."""
    try:
        _, _, settings = room.read(row.form, row.given, room.folder_of(row.id))
    except FormError:  # of another version of its form
        return ""
    opponent = str(getattr(getattr(settings, "config", settings), "opponent", ""))
    return "" if opponent in ITSELF else opponent


def known_game(row: BotRow) -> Game:
    """The game of a bot, with its rule options. Raises StudioError where the studio does not know it."""
    if (game := game_of(row)) is None:
        raise StudioError(CONFLICT, f"the game {row.game} is of a file of your own: start the studio with --load FILE.py")
    return game.with_options(**row.options)


async def answer_of(request: Request, specs: Sequence[str], limit_s: float, function: Any, *arguments: Any) -> Any:
    """What a function of `bot_views` says of policies, in a process of theirs. Raises StudioError with its sentence."""
    workers = policies(request)
    try:
        for spec in filter(None, specs):
            workers.names_in(spec)  # refuses what may not be asked
        kind, said = await workers.run(function, *arguments, limit_s=limit_s, who=specs[0])
    except BoardgymError as error:
        raise StudioError(UNPROCESSABLE, str(error)) from None
    if kind == "error":
        raise StudioError(UNPROCESSABLE, said)
    return said


@router.get("/views")
async def look(request: Request, key: str, done: Count = LATEST, fen: Fen = "") -> dict[str, Any]:
    """What a bot would have played, and thought, after about so many units of its training, in some fixed positions.

    done: left out, the latest. fen: a position besides.
    """

    def prepare() -> tuple[int, str, Game, int]:
        row = bots(request).row(key)
        return *nearest(bots(request), row, done), known_game(row), row.seat

    number, spec, game, seat = await asyncio.to_thread(prepare)
    seen = await answer_of(request, [spec], LOOK_S, views, Question(spec, game, seat, fen))
    return {"done": number, "game": describe_game(game), "views": seen}


@router.get("/perfect")
async def look_perfect(request: Request, key: str, fen: Fen = "") -> dict[str, Any]:
    """Perfect play in the same positions: {"views": none where there is no solver}."""
    row = await asyncio.to_thread(bots(request).row, key)
    game = known_game(row)
    if game.name not in SOLVERS:
        return {"views": []}
    return {"views": await answer_of(request, [PERFECT], LOOK_S, views, Question(PERFECT, game, row.seat, fen))}


@router.post("/games")
async def play(request: Request, key: str, body: NewGame) -> dict[str, Any]:
    """A game of a bot as it was after about so many units, against the opponent of its training; always the same one.

    Answers {"done", "number", "players", "message", and what <boardgym-replay> shows}.
    """

    def prepare() -> tuple[int, Question, str]:
        room = bots(request)
        row = room.row(key)
        number, spec = nearest(room, row, body.done)
        return number, Question(spec, known_game(row), row.seat), opponent_of(room, row)

    number, question, opponent = await asyncio.to_thread(prepare)
    specs = [question.spec, opponent]
    shown = await answer_of(request, specs, GAME_S, game_between, question, opponent, body.number)
    return {"done": number, "number": body.number, **shown}
