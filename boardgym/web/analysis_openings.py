"""Opening trees: the moves played from a position in a file of records, or in all games that the studio has.

POST /api/analysis/openings            a file (multipart: file, game, option) -> {id, games, others, positions}
POST /api/analysis/openings-of-plays   {game, options} -> the same of the games that the room Games has
POST /api/analysis/openings/ID         {game, options, start, moves} -> {games, moves: [{move, games, wins, draws, score}]}
"""

import itertools
from collections import OrderedDict
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from boardgym.baselines.arena.formats import by_suffix
from boardgym.baselines.arena.opening_tree import OpeningTree
from boardgym.core.game import get_game, read_options
from boardgym.web.analysis_requests import Option, Place, board_of
from boardgym.web.errors import NOT_FOUND, TOO_LARGE, UNPROCESSABLE, StudioError
from boardgym.web.play_bodies import Body
from boardgym.web.record_files import MOST_UPLOAD, answer_about
from boardgym.web.records import follow, records

router = APIRouter()

MOST_PLAYS = 5_000  # of the games that the studio has, the latest
KEPT_OPENINGS = 8


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
    """Counts the games of a file of records. Raises StudioError with what is wrong with it."""
    data = await answer_about(request, "openings", content, name, game=game, options=options)
    found = OpeningTree.from_dict(get_game(game, **options), data)
    if not found.games:
        raise StudioError(UNPROCESSABLE, f"None of the {found.others:,} games is of {game} with these options.")
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
    content = await file.read(MOST_UPLOAD + 1)
    if len(content) > MOST_UPLOAD:
        raise StudioError(TOO_LARGE, f"A file of more than {MOST_UPLOAD // 1_000_000} MB; take fewer games.")
    return await count_file(request, game, read_options(option), content, by_suffix(file.filename or ""))


class Rules(Body):
    """A game by its rules."""

    game: str = Field(max_length=100)
    options: dict[Annotated[str, Field(max_length=60)], Option] = Field(default_factory=dict, max_length=30)


@router.post("/analysis/openings-of-plays", status_code=201)
async def add_plays(request: Request, asked: Rules) -> dict[str, Any]:
    """Counts the finished games of a game that the room Games has: played here, of its files, of tournaments."""
    game = get_game(asked.game, **asked.options)
    await run_in_threadpool(follow, request)
    lines = await run_in_threadpool(records(request).finished, game, MOST_PLAYS)
    if not lines:
        raise StudioError(UNPROCESSABLE, f"The studio has no finished game of {game.title} with these rules yet.")
    return await count_file(request, asked.game, asked.options, "\n".join([*lines, ""]).encode(), "json")


@router.post("/analysis/openings/{name}")
def opening_moves(request: Request, name: str, place: Place) -> dict[str, Any]:
    """The moves that were played from a position, with games, wins of each seat, draws and score."""
    found = openings_of(request).trees.get(name)
    if found is None:
        raise StudioError(NOT_FOUND, "These openings are no longer kept: give the file again.")
    return {"games": found.games, "moves": found.moves_at(board_of(place))}
