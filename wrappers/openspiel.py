"""OpenSpiel: our games for its algorithms (`load_game`), its bots as our policies (`from_openspiel_bot`).

    game = load_game("ConnectFour-v0")                   # or pyspiel.load_game("boardgym_connect_four")
    policy = from_openspiel_bot(lambda game, seed: MCTSBot(game, 2.0, 100, evaluator), "ConnectFour-v0")
    make_policy("openspiel:mcts:100", "Othello-v0")      # its search: in C++ on its own rules, in Python on ours

Importing this registers every game with OpenSpiel. Its C++ searches need games in C++: on one in Python, its own included, they
end the process (seen with 2.0.2), so that they are refused on ours.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError, nearest
from boardgym.core.game import Game, get_game
from boardgym.core.policy import check_board
from boardgym.core.policy_spec import Spec, read_number, refuse_extras
from boardgym.core.random import fresh_seed
from boardgym.wrappers.openspiel_game import (
    SpielGame,
    SpielState,
    load_game,
    mcts,
    pays_on_the_way,
    pyspiel,
    short_name,
    state_of,
)

__all__ = ["BotPolicy", "SpielGame", "SpielState", "from_openspiel_bot", "load_game", "make_openspiel", "native_game",
           "native_state", "short_name", "state_of"]  # fmt: skip

BotFactory = Callable[[Any, int], Any]  # (pyspiel.Game, seed) -> pyspiel.Bot
SEARCHES = ("mcts",)
CPP_SEARCHES = (pyspiel.MCTSBot, pyspiel.ISMCTSBot)
C_UCT, MAX_MEMORY_MB = 2.0, 1000


def native_game(game: str | Game, **options: Any) -> Any:
    """OpenSpiel's own C++ game with the same rules and action numbers.

    Raises UnsupportedGameError unless it is tic-tac-toe, Connect Four of any size or Othello on 8 x 8. (Its backgammon
    numbers actions otherwise, its Nine Men's Morris has other draws, and it has no Abalone and no CardPoints.)
    """
    game = get_game(game, **options)
    if game.id == "TicTacToe-v0":
        return pyspiel.load_game("tic_tac_toe")
    if game.id == "ConnectFour-v0":
        return pyspiel.load_game("connect_four", {"rows": game.options["height"], "columns": game.options["width"]})
    if game.id == "Othello-v0" and game.options["size"] == 8:
        return pyspiel.load_game("othello")
    raise UnsupportedGameError(
        f"OpenSpiel's own rules do not serve for {game.id} {dict(game.options)}: only for TicTacToe-v0, "
        "ConnectFour-v0 and Othello-v0 (size=8); leave native out"
    )


def native_state(position: Any, game: Game) -> Any:
    """OpenSpiel's own state at a position of a game that is not over.

    Raises UnsupportedGameError as `native_game`, and for Othello at any other position than the start, which OpenSpiel
    cannot set up.
    """
    own = native_game(game)
    if position == game.start:
        return own.new_initial_state()
    if game.id == "Othello-v0":
        raise UnsupportedGameError(
            f"OpenSpiel's Othello cannot be set up at {game.to_fen(position)!r}: only the record of a "
            "game from the start leads to a state of it; leave native out"
        )
    board = Board(game, game.to_fen(position))
    planes = board.observation(0)  # rows from the top; first the marks of seat 0, then those of seat 1
    cells = np.where(planes[..., 0] > 0, "x", np.where(planes[..., 1] > 0, "o", "."))
    record: dict[str, Any] = {"board": cells.ravel().tolist(), "current_player": "xo"[board.to_play]}
    if game.id == "ConnectFour-v0":
        record |= {"board": cells[::-1].tolist(), "is_terminal": False, "winner": ""}  # rows from the bottom
    return own.new_initial_state(record)


class BotPolicy:
    """An OpenSpiel bot as a policy. It is told of every action of the record, as OpenSpiel's own matches do.

    Args:
        bot: a function (game: pyspiel.Game, seed: int) that makes a bot, or a bot; a bot is restarted but never seeded, and
            a policy made from one cannot be copied.
        game: the game it plays.
        seed: for the first bot; None takes one from the operating system.
        native: True: it plays on OpenSpiel's own C++ state; False: on ours; None: on OpenSpiel's own where a game's record
            leads to one.
        spec: what tables call it.

    Raises:
        UnsupportedGameError: native is True and OpenSpiel has no such game; when it first acts: a C++ search was given for
            our states.
        OptionError: bot is neither.
    """

    def __init__(self, bot: Any, game: Game, *, seed: int | None = None, native: bool | None = False, spec: str = "") -> None:
        if not isinstance(bot, pyspiel.Bot) and not callable(bot):
            raise OptionError(f"bot={bot!r}: expected a pyspiel.Bot, or a function (game, seed) that makes one")
        self.game, self.spec = game, spec or f"openspiel:{getattr(bot, '__name__', type(bot).__name__)}"
        self._given, self._native = bot, native
        if native:
            native_game(game)
        self._seed = fresh_seed() if seed is None else seed
        self._forget()

    def _forget(self) -> None:
        self._state: Any = None
        self._start: Any = None
        self._known: list[int] = []
        self._bot: Any = None  # made at the first action, for the game of the state

    def __getstate__(self) -> dict[str, Any]:
        if isinstance(self._given, pyspiel.Bot):
            raise TypeError(f"{self!r}: OpenSpiel's bots cannot be copied; give from_openspiel_bot a function that makes one")
        kept: dict[str, Any] = {"_bot": None, "_state": None, "_start": None, "_known": []}
        return {**self.__dict__, **kept}  # the copy makes a bot of its own

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game; a seed fixes the draws of the bots that it makes from now on, where a function was given."""
        self._seed = self._seed if seed is None else seed
        self._forget()

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The bot's action. deterministic changes nothing: bots draw as they draw.

        Raises UnsupportedGameError for a board of another game or one that OpenSpiel's own state cannot follow, ValueError
        if the game is over.
        """
        check_board(self, board)
        self._follow(board)
        action = int(self._bot.step(self._state))
        if action in board.legal_actions:  # the caller says what is wrong with one that is not
            self._state.apply_action(action)
            self._known.append(action)
        return action

    def _follow(self, board: Board) -> None:
        """Brings the state to where the board is, and tells the bot."""
        start = board.history[0]
        if self._state is None or start != self._start or board.actions[: len(self._known)] != self._known:
            self._forget()
            self._state, self._start = self._state_at(start), start
            self._bot = self._make_bot(self._state)
            self._bot.restart_at(self._state)
        for action in board.actions[len(self._known) :]:
            self._bot.inform_action(self._state, self._state.current_player(), action)
            self._state.apply_action(action)
            self._known.append(action)

    def _make_bot(self, state: Any) -> Any:
        """The bot for a record: a new one, of another seed, where a function was given."""
        bot = self._given
        if not isinstance(bot, pyspiel.Bot):
            bot = self._given(state.get_game(), self._seed % 2**31)
            self._seed += 1
        if isinstance(bot, CPP_SEARCHES) and isinstance(state, SpielState):
            raise UnsupportedGameError(
                f"{self!r}: OpenSpiel's C++ searches cannot search games in Python; pass native=True in "
                "a game that it has itself, or use open_spiel.python.algorithms.mcts"
            )
        return bot

    def _state_at(self, start: Any) -> Any:
        if self._native or self._native is None:
            try:
                return native_state(start, self.game)
            except UnsupportedGameError:
                if self._native:
                    raise
        return load_game(self.game, position=self.game.to_fen(start)).new_initial_state()

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game.id}>"


def from_openspiel_bot(
    bot: Any, game: str | Game, *, seed: int | None = None, native: bool | None = False, spec: str = ""
) -> BotPolicy:
    """A bot, or a function (game, seed) that makes one, as a policy for a game: see `BotPolicy`."""
    return BotPolicy(bot, get_game(game), seed=seed, native=native, spec=spec)


def make_openspiel(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> BotPolicy:
    """`openspiel:mcts:100`, `openspiel:mcts:100,c=1.4`: OpenSpiel's MCTSBot with random playouts and so many simulations.

    The C++ one on OpenSpiel's own rules where they are the same and its state can be set up, else the same algorithm in
    Python on ours, which is slower. c: its uct_c, 2 by default.

    Raises SpecError for what cannot be read, UnsupportedGameError for a game that pays before its end.
    """
    refuse_extras(spec, keywords=("c",))
    kind, _, count = spec.argument.partition(":")
    if kind not in SEARCHES or not count:
        raise SpecError(
            f"policy spec {spec.text!r}: expected openspiel:mcts:SIMULATIONS, as openspiel:mcts:100"
            + (f"; {nearest(kind, SEARCHES)}" if kind not in SEARCHES else "")
        )
    simulations = read_number(count, spec.text, "number of simulations", above=0, kind=int)
    c_uct = read_number(spec.keywords.get("c", str(C_UCT)), spec.text, "c", above=0.0)
    if simulations >= 2**31:
        raise SpecError(f"policy spec {spec.text!r}: expected fewer than {2**31} simulations")
    if pays_on_the_way(game):
        raise UnsupportedGameError(
            f"{spec.text} plays games that pay at their end only; {game.id} {dict(game.options)} has the verb 'reward'"
        )

    def search(its_game: Any, its_seed: int) -> Any:
        if isinstance(its_game, SpielGame):
            draws = np.random.default_rng(its_seed)
            return mcts.MCTSBot(its_game, c_uct, simulations, mcts.RandomRolloutEvaluator(1, draws), random_state=draws)
        evaluator = pyspiel.RandomRolloutEvaluator(1, its_seed)
        return pyspiel.MCTSBot(its_game, evaluator, c_uct, simulations, MAX_MEMORY_MB, True, its_seed, False)

    return BotPolicy(search, game, seed=seed, native=None, spec=spec.text)
