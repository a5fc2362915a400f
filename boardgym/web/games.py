"""The games: which there are, what they look like, positions set up by hand, and the contract of any game.

The contract is that of Wisebots' web service ("Pessimistic Q-learning", chapter 3): five questions about positions, each of
them a position string, from which a client in any language can play, search and learn.
"""

import functools
import re
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from boardgym.baselines.perfect.policy import SOLVERS
from boardgym.baselines.players.levels import load_levels
from boardgym.core.board import Board
from boardgym.core.board_summary import winning_seats
from boardgym.core.description import describe_board, set_up
from boardgym.core.errors import OptionError
from boardgym.core.game import GAMES, Game, get_game, load_installed_games, read_options
from boardgym.core.policy_spec import policies_of_games
from boardgym.core.verbs import CHANCE
from boardgym.web.errors import UNPROCESSABLE, StudioError
from boardgym.web.play import ENCODER, game_text
from boardgym.web.play_bodies import Body, OptionValue
from boardgym.web.policy_worker import has_kernels

LARGEST_TRIED = 40  # of a rule option that is a number, to find which ones a game takes
SUGGESTED = {  # by what a game is
    "two": ("random", "greedy", "minimax:2", "minimax:4", "uct:1000", "puct:1000", "best:1s"),
    "chance": ("random", "greedy", "expectiminimax:1", "expectiminimax:2", "uct:1000", "best:1s"),
    "many": ("random", "greedy", "maxn:2", "uct:1000", "best:1s"),
}
SUGGESTED_LEVELS = ("level:5", "level:10", "level:15")
HINTS = {"two": "puct:1000", "chance": "expectiminimax:1", "many": "maxn:2"}  # who is asked for a hint

router = APIRouter(prefix="/api")

Position = Annotated[str, Query(max_length=2000)]
Options = Annotated[list[str], Query(max_length=20)]
Action = Annotated[int, Query(ge=0, lt=2**31)]
Player = Annotated[int, Query(ge=0, lt=16)]


class PiecesBody(Body):
    """A position set up by hand: for each spot 0, or k for piece k - 1 of the brush; and the seat to play."""

    game: str = Field(max_length=80)
    options: dict[Annotated[str, Field(max_length=40)], OptionValue] = Field(default_factory=dict, max_length=20)
    pieces: list[Annotated[int, Field(ge=0, lt=256)]] = Field(max_length=1000)
    seat: int = Field(ge=0, lt=16)


class FenBody(Body):
    """A position string to be checked."""

    game: str = Field(max_length=80)
    options: dict[Annotated[str, Field(max_length=40)], OptionValue] = Field(default_factory=dict, max_length=20)
    fen: str = Field(max_length=2000)


# ---------------------------------------------------------------- which there are


@router.get("/games")
def list_games() -> list[dict[str, Any]]:
    """All games, with the options, set-ups and policies that forms offer."""
    load_installed_games()
    return [summary(game) for game in sorted(GAMES.values(), key=lambda game: game.title)]


def summary(game: Game) -> dict[str, Any]:
    """What forms say of a game."""
    return {
        "id": game.id,
        "title": game.title,
        "seats": [game.seat_name(seat) for seat in range(game.num_seats)],
        "options": {name: {"value": value, **choices_of(game.id, name)} for name, value in game.options.items()},
        "setups": list(game.setups),
        "policies": policies_for(game),
        "has_chance": game.num_outcomes > 0,
    }


@functools.lru_cache(100)
def choices_of(id: str, name: str) -> dict[str, Any]:
    """What a rule option may be: {"choices": [...]}, {"range": [lowest, None]} where there is no end in sight, or {}."""
    game = get_game(id)
    value = game.options[name]
    if type(value) is bool:
        return {"choices": [False, True]}
    if type(value) is int:
        found = [number for number in range(LARGEST_TRIED + 1) if takes(game, name, number)]
        return {"choices": found} if found and found[-1] < LARGEST_TRIED else {"range": [min(found, default=value), None]}
    if type(value) is str:
        try:
            game.with_options(**{name: "?"})
        except OptionError as error:  # which says what is expected
            words = [value, *re.findall(r"'([^']*)'", str(error).partition("expected")[2])]
            return {"choices": [word for word in dict.fromkeys(words) if takes(game, name, word)]}
    return {}


def takes(game: Game, name: str, value: Any) -> bool:
    """Whether a rule option may be so."""
    try:
        game.with_options(**{name: value})
    except OptionError:
        return False
    return True


def kind_of(game: Game) -> str:
    """Which policies suit a game: a key of `SUGGESTED` and `HINTS`."""
    return "many" if game.num_seats > 2 else "chance" if game.num_outcomes else "two"


def hint_for(game: Game) -> str:
    """The spec of the policy that is asked for a hint."""
    return HINTS[kind_of(game)]


def policies_for(game: Game) -> list[str]:
    """Policies to suggest, the levels among the first."""
    kind = kind_of(game)
    first, second, *others = SUGGESTED[kind]
    levels = SUGGESTED_LEVELS if game.name in load_levels() else ()
    own = policies_of_games().get(game.name, [])
    return [first, *levels, second, *own, *others, *(["perfect"] if game.name in SOLVERS else [])]


@router.get("/games/{id}")
def describe(id: str, options: Options = []) -> Response:  # noqa: B006  (FastAPI copies it)
    """A game's description, and the state at its start."""
    game = get_game(id, **read_options(options))
    state = describe_board(board_at(game, None))
    return as_json(b'{"game":' + game_text(game) + b',"state":' + ENCODER.encode(state) + b"}")


def as_json(text: bytes) -> Response:
    """JSON that is made already."""
    return Response(text, media_type="application/json")


def board_at(game: Game, fen: str | None) -> Board:
    """A board at a position string, which does not roll; the start if there is none. It is compiled if that costs nothing."""
    return Board(game, fen, seed=0, auto_roll=False, compiled=has_kernels(game))


# ---------------------------------------------------------------- positions


@router.post("/positions")
def from_pieces(body: PiecesBody) -> dict[str, Any]:
    """The position string of pieces put on the board by hand, and its state; 422 says what is wrong with them."""
    game = get_game(body.game, **body.options)
    return checked(game, game.to_fen(set_up(game, body.pieces, body.seat)))


@router.post("/positions/check")
def check(body: FenBody) -> dict[str, Any]:
    """Whether a position string can be read, and its state; 422 says what is wrong with it."""
    return checked(get_game(body.game, **body.options), body.fen)


def checked(game: Game, fen: str) -> dict[str, Any]:
    """A position as pages get it."""
    board = board_at(game, fen)
    return {"fen": board.fen(), "state": describe_board(board)}


# ---------------------------------------------------------------- the contract


@router.get("/contract/{id}/initial")
def initial(id: str, options: Options = []) -> dict[str, Any]:  # noqa: B006
    """The position in which the game begins, and who is to play: -1 is chance."""
    return position_of(board_at(get_game(id, **read_options(options)), None))


@router.get("/contract/{id}/actions")
def actions(id: str, position: Position, options: Options = []) -> dict[str, Any]:  # noqa: B006
    """The legal actions with their moves; where chance is to act, its outcomes with their probabilities."""
    board = board_at(get_game(id, **read_options(options)), position)
    if board.is_chance:
        drawn = [{"action": a, "move": board.move_text(a), "probability": p} for a, p in board.outcomes]
        return {"to_play": CHANCE, "actions": drawn}
    legal = zip(board.legal_actions, board.legal_moves, strict=True)
    return {"to_play": to_play(board), "actions": [{"action": action, "move": text} for action, text in legal]}


@router.get("/contract/{id}/successor")
def successor(id: str, position: Position, action: Action, options: Options = []) -> dict[str, Any]:  # noqa: B006
    """The position after an action, or an outcome of chance."""
    board = board_at(get_game(id, **read_options(options)), position)
    board.push(action)
    return position_of(board)


@router.get("/contract/{id}/has_won")
def has_won(id: str, position: Position, player: Player, options: Options = []) -> dict[str, Any]:  # noqa: B006
    """Whether the game is over and this player has won it."""
    board = board_at(get_game(id, **read_options(options)), position)
    if player >= board.game.num_seats:
        raise StudioError(UNPROCESSABLE, f"player {player}: expected 0 to {board.game.num_seats - 1}")
    return {"has_won": board.is_terminal and player in winning_seats(board)}


@router.get("/contract/{id}/is_over")
def is_over(id: str, position: Position, options: Options = []) -> dict[str, Any]:  # noqa: B006
    """Whether the game is over, and what it pays each player then."""
    board = board_at(get_game(id, **read_options(options)), position)
    returns: Sequence[float] = board.returns()
    return {"is_over": board.is_terminal, "returns": returns}


def position_of(board: Board) -> dict[str, Any]:
    """A position of the contract."""
    return {"position": board.fen(), "to_play": to_play(board)}


def to_play(board: Board) -> int | None:
    """The player to play, -1 for chance, None at the end."""
    return None if board.is_terminal else board.to_play
