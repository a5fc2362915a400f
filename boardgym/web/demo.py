"""`boardgym studio --demo`: a few games and three small bots for a new user's first minute, and a guide to them: `/api/demo`.

Everything is made as people would make it: the games by asking policies for their moves, the bots by the ordinary learners,
while the page is there already. What has been made is noted in the folder, so that another start makes nothing twice.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request

from boardgym.core.errors import BoardgymError
from boardgym.core.files import write_aside
from boardgym.core.game import get_game
from boardgym.web.app_state import Studio
from boardgym.web.bot_room import Bots
from boardgym.web.errors import LOGGER, StudioError
from boardgym.web.forms import Value
from boardgym.web.play import new_board
from boardgym.web.play_bodies import OptionValue, PlayBody, SeatBody
from boardgym.web.policy_worker import Ask
from boardgym.web.wisebots import NAME, RANDOM

MADE = "demo.json"  # in the folder: what has been made, {name: id}
SEED = 1  # of the games
DELETED = "It was deleted."
LOOK_S = 0.5  # between two looks at whether a bot has learnt all

router = APIRouter(prefix="/api")


@dataclass(frozen=True)
class DemoGame:
    """A game of the demo. plies: that are played at first; 0: all. seats: who has them; moves: who plays these plies."""

    game: str
    seats: tuple[str, ...]
    moves: str
    plies: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoBot:
    """A bot of the demo. form, given: as the page would fill it."""

    name: str
    description: str
    form: str
    given: Mapping[str, Value]


GAMES = {
    "finished": DemoGame("ConnectFour-v0", ("greedy", "greedy"), "greedy"),
    "dice": DemoGame("CardPoints-v0", ("random", "random"), "random"),
    "othello": DemoGame("Othello-v0", ("human", "positional"), "positional", 24),
    "mill": DemoGame("NineMensMorris-v0", ("human", "greedy"), "greedy", 12),
    "begun": DemoGame("TicTacToe-v0", ("human", "minimax:2"), "greedy", 2),
}
BOTS = {
    "play": DemoBot(
        "Tic-tac-toe bot", "Pessimistic Q-learning against an opponent that learns too: the form as it stands.", NAME, {}
    ),
    "watch": DemoBot(
        "Connect Four bot",
        "A network that learns the small board of 5 by 4 by playing both sides: TD(lambda). It takes a few minutes.",
        "td",
        {"game": "ConnectFour-v0", "preset": "none", "option": ["width=5", "height=4"], "episodes": 3_000_000},
    ),
    "cards": DemoBot(
        "Card bot",
        "Pessimistic Q-learning of a game with dice, against an opponent that plays at random.",
        NAME,
        {"game": "CardPoints-v0", "opponent_type": RANDOM},
    ),
}


class Demo:
    """What the demo has made.

    Args:
        parts: of the server.
        bots: of the server.

    Attributes:
        made: name of `GAMES` or `BOTS` -> id.
        message: what could not be made; empty otherwise.
    """

    def __init__(self, parts: Studio, bots: Bots) -> None:
        self.parts, self.bots, self.message = parts, bots, ""
        try:
            self.made = {str(name): str(id) for name, id in json.loads((parts.folder / MADE).read_bytes()).items()}
        except (OSError, ValueError, AttributeError):
            self.made = {}

    def note(self, name: str, id: str) -> None:
        """Keeps what has been made."""
        self.made[name] = id
        write_aside(self.parts.folder / MADE, json.dumps(self.made).encode())

    async def run(self) -> None:
        """Makes what is missing, and goes on with bots that were interrupted."""
        try:
            for name in BOTS:
                await asyncio.to_thread(self.set_off, name)
            for name in GAMES:
                if name not in self.made:
                    self.note(name, await self.play(GAMES[name]))
            await asyncio.gather(*(self.try_out(name) for name in BOTS))
        except Exception as error:  # of a full disk, say: the page tells it, and another start goes on
            self.message = f"the demo is not whole: {error}"
            LOGGER.error(self.message, exc_info=None if isinstance(error, BoardgymError) else error)

    def set_off(self, name: str) -> None:
        """Lets a bot train that has not been made yet, or was interrupted; one that was deleted stays away."""
        if name not in self.made:
            bot = BOTS[name]
            self.note(name, self.bots.create(bot.name, bot.description, bot.form, dict(bot.given)).id)
        elif (row := self.bots.get(self.made[name])) is not None and row.state == "interrupted":
            self.bots.resume(row.id)

    async def try_out(self, name: str) -> None:
        """The trials of a bot once it has learnt all, if it has had none."""
        while (row := await asyncio.to_thread(self.bots.get, self.made[name])) is not None and not row.trials_state:
            if row.state == "finished":
                await asyncio.to_thread(self.bots.try_out, row.id)
            elif row.state not in ("waiting", "training"):
                return
            await asyncio.sleep(LOOK_S)

    async def play(self, one: DemoGame) -> str:
        """Plays a game as far as it is shown. Returns its id.

        The last move of one that is shown finished is played by its seats, since no game begins at its end.
        """
        assert self.parts.policies is not None
        assert self.parts.plays is not None
        game = get_game(one.game, **one.options)
        board = await asyncio.to_thread(new_board, game, fen=None, setup=None, moves=[], seed=SEED)
        start, before = game.to_fen(board.history[0]), list[str]()
        while not board.is_terminal and (not one.plies or board.ply < one.plies):
            before = board.moves()
            board.push(await self.parts.policies.act(Ask(one.moves, game, start, tuple(board.actions), SEED)))
        seats = [SeatBody(kind="human") if spec == "human" else SeatBody(kind="policy", spec=spec) for spec in one.seats]
        moves = before if board.is_terminal else board.moves()
        body = PlayBody(game=game.id, options=dict(one.options), seats=seats, seed=SEED, moves=moves)
        return (await self.parts.plays.create(body)).id

    # ------------------------------------------------------------ telling

    async def guide(self) -> dict[str, Any]:
        """What the page's first screen says: {"folder", "message", "is_whole", "steps": [{"title", "text", "address"}, ...]}.

        The address of a step is empty until there is something to see.
        """
        bots = [await asyncio.to_thread(self.described, name) for name in ("play", "watch")]
        steps = [self.play_step(bots[0]), self.watch_step(bots[1]), await self.analyse_step()]
        return {
            "folder": str(self.parts.folder),
            "message": self.message,
            "is_whole": {*GAMES, *BOTS} <= set(self.made),
            "steps": steps,
        }

    def described(self, name: str) -> dict[str, Any] | None:
        """A bot as the page has it; None if there is none."""
        row = self.bots.get(self.made.get(name, ""))
        return None if row is None else self.bots.described(row)

    def play_step(self, bot: dict[str, Any] | None) -> dict[str, str]:
        """To play against the first bot."""
        if bot is None or not bot["has_agent"]:
            is_deleted = bot is None and "play" in self.made
            return step("Play this bot", DELETED if is_deleted else "It trains; in a few seconds you can play it.")
        query = urlencode({"game": bot["game"], "seats": f"bot:{bot['id']};human"})
        done = (bot["progress"] or {}).get("done") or 0
        return step("Play this bot", f"{bot['name']}: {done:,} games played so far. You are o.", f"#/play?{query}")

    def watch_step(self, bot: dict[str, Any] | None) -> dict[str, str]:
        """To look at a bot that trains."""
        if bot is None:
            return step("Watch it train", DELETED if "watch" in self.made else "It is being made.")
        said = {"waiting": "waits for its turn", "training": "trains right now"}.get(bot["state"], "has learnt all it will")
        return step("Watch it train", f"{bot['name']} {said}: its curve, its command, its trials.", f"#/train/{bot['id']}")

    async def analyse_step(self) -> dict[str, str]:
        """To analyse the finished game."""
        assert self.parts.plays is not None
        title = "Analyse this game"
        try:
            play = await self.parts.plays.find(self.made.get("finished", ""))
        except StudioError:
            return step(title, DELETED if "finished" in self.made else "Two policies are playing it.")
        query = urlencode({"game": play.game.id, "moves": " ".join(play.board.moves())})
        return step(title, f"{play.game.title}, {play.result() or 'not over yet'}: which moves lost it?", f"#/analyse?{query}")


def step(title: str, text: str, address: str = "") -> dict[str, str]:
    """A step of the guide."""
    return {"title": title, "text": text, "address": address}


def begin(app: FastAPI) -> None:
    """Of a demo: makes it, while the page is there."""
    parts: Studio = app.state.studio
    app.state.demo = None
    if not parts.is_demo:
        return
    app.state.demo = demo = Demo(parts, app.state.bots)
    task = asyncio.get_running_loop().create_task(demo.run())

    def end() -> None:
        task.cancel()

    parts.at_end.append(end)


@router.get("/demo")
async def guide(request: Request) -> dict[str, Any]:
    """The guide of a demo; without steps where this is none."""
    demo: Demo | None = request.app.state.demo
    return {"folder": "", "message": "", "is_whole": True, "steps": []} if demo is None else await demo.guide()
