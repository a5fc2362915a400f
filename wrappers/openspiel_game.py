"""The games as OpenSpiel's: `pyspiel` games and states over a `Board`, registered as `boardgym_connect_four` and so on."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game, get_game, on_register
from boardgym.core.verbs import has_rule
from boardgym.wrappers.missing import missing_extra

try:
    import pyspiel
    from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped, unused-ignore]
    from open_spiel.python.observation import IIGObserverForPublicInfoGame  # type: ignore[import-untyped, unused-ignore]
except ModuleNotFoundError as error:
    raise missing_extra(error, "OpenSpiel", "boardgym[openspiel]") from error

__all__ = ["Observer", "SpielGame", "SpielState", "game_type", "load_game", "mcts", "pays_on_the_way", "pyspiel", "short_name",
           "state_of"]  # fmt: skip

POSITION = "position"  # the parameter that says where games start, beside the rule options
PLAIN = " /|.:;-+*'"  # what stands in it as it is: OpenSpiel's game strings give commas, brackets and "=" a meaning


def short_name(game: Game) -> str:
    """What OpenSpiel calls a game of ours: "boardgym_connect_four"."""
    return f"boardgym_{game.module_name.rpartition('_v')[0]}"


def pays_on_the_way(game: Game) -> bool:
    """Whether rewards are paid before the end; OpenSpiel's searches refuse such games."""
    return has_rule("reward", game.position_class)


def game_type(game: Game) -> Any:
    """A `pyspiel.GameType`: sequential, perfect information; zero-sum for two seats, as our laws demand, else general-sum."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(game),
        long_name=f"{game.title} of boardgym",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.num_outcomes else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if game.num_seats == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.REWARDS if pays_on_the_way(game) else kinds.RewardModel.TERMINAL,
        max_num_players=game.num_seats,
        min_num_players=game.num_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**game.options, POSITION: ""},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours as a `pyspiel.Game`; made by `load_game` or `pyspiel.load_game`.

    max_game_length is `Game.max_plies`, rolls and deals not counted; a variant without any limit of plies says 1,000,000.

    Attributes:
        rules: the `Game`.
        start: the `Board` that new states begin as copies of; it does not roll.

    Raises: OptionError, NotationError for bad parameters.
    """

    def __init__(self, game: Game, params: Mapping[str, Any]) -> None:
        game = game.with_options(**{name: params[name] for name in game.options if name in params})
        start = Board(game, unquote(params.get(POSITION, "")) or None, auto_roll=False)
        bounds = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=game.num_outcomes,
            num_players=game.num_seats,
            min_utility=game.min_return,
            max_utility=game.max_return,
            utility_sum=0.0 if game.num_seats == 2 else None,
            max_game_length=game.max_plies,
        )
        super().__init__(game_type(game), bounds, dict(params))
        self.rules, self.start = game, start

    def new_initial_state(self, state: Any = None) -> "SpielState":
        """The state that games begin with. Raises OptionError for `state`: give `position` to `load_game`."""
        if state is not None:
            raise OptionError(f"{short_name(self.rules)}: to start elsewhere give position= to load_game, not {state!r}")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What OpenSpiel fills observation tensors and strings with. Raises OptionError for parameters: there are none."""
        if params:
            raise OptionError(f"{short_name(self.rules)}: its observations have no parameters, got {params!r}")
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game in progress as a `pyspiel.State`. Dice and deals are chance nodes.

    `str(state)` is the position string; it does not tell how often the position has occurred. An illegal action raises
    IllegalActionError and changes nothing.

    Attributes:
        board: the `Board`, to look at and search from; only `apply_action` may change it.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.board = game.start.copy()
        self._paid = np.zeros(game.rules.num_seats)  # for the last action; used by games that pay on the way
        self._total = np.zeros(game.rules.num_seats)

    def current_player(self) -> int:
        """The seat to play, or OpenSpiel's constants for chance and the end."""
        if self.board.is_terminal:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.board.is_chance else self.board.to_play

    def _legal_actions(self, player: int) -> list[int]:
        return self.board.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of all that chance may bring."""
        return self.board.outcomes

    def _apply_action(self, action: int) -> None:
        board, game = self.board, self.board.game
        if pays_on_the_way(game):
            observation = np.empty(game.observation_shape, game.observation_dtype)
            board.push_and_look(action, observation, np.empty(game.num_actions, np.int8), self._paid)
            self._total += self._paid
        else:
            board.push(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.board.move_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.board.is_terminal

    def rewards(self) -> list[float]:
        """What the last action paid each seat."""
        return self._paid.tolist() if pays_on_the_way(self.board.game) else self.board.returns()

    def returns(self) -> list[float]:
        """What each seat has been paid so far; zeros before the end in most games."""
        return self._total.tolist() if pays_on_the_way(self.board.game) else self.board.returns()

    def __str__(self) -> str:
        return self.board.fen()


class Observer:
    """OpenSpiel's interface for observations: the planes as a seat sees them, float32.

    Attributes:
        tensor: (H * W * C,), overwritten by `set_from`.
        dict: {"observation": a view of it as (H, W, C)}.
    """

    def __init__(self, game: Game) -> None:
        self.tensor = np.zeros(int(np.prod(game.observation_shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(game.observation_shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fills the tensor with what a seat sees."""
        self.dict["observation"][:] = state.board.observation(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position string: all seats see everything."""
        return state.board.fen()


def load_game(game: str | Game, *, position: str | None = None, setup: str = "standard", **options: Any) -> SpielGame:
    """A game of ours for OpenSpiel's algorithms; `pyspiel.load_game("boardgym_othello(size=6)")` gives the same.

    Args:
        game: an id such as "Othello-v0", or a `Game`.
        position: the position string to start from.
        setup: the name of a set-up to start from that leaves nothing to draw; not together with position.
        options: the game's rule options.

    Raises:
        UnknownGameError, OptionError, NotationError: for what they name.
        UnsupportedGameError: the set-up draws: OpenSpiel's chance does not reach before a game.
    """
    game = get_game(game, **options)
    if position is not None and setup != "standard":
        raise OptionError("give position or setup, not both")
    chosen = game.setup(setup)
    if position is None and not chosen.is_fixed:
        raise UnsupportedGameError(f"set-up {setup!r} of {game.id} draws where games start; OpenSpiel needs one position")
    start = chosen.positions[0] if position is None else game.from_fen(position)
    params = {} if start == game.start else {POSITION: quote(game.to_fen(start), safe=PLAIN)}
    return pyspiel.load_game(short_name(game), {**game.options, **params})  # type: ignore[no-any-return]


def state_of(board: Board) -> SpielState:
    """A board as a state with the same start and record; changing one does not change the other."""
    state = load_game(board.game, position=board.game.to_fen(board.history[0])).new_initial_state()
    replay(state, board.actions)
    return state


def replay(state: Any, actions: Sequence[int]) -> None:
    """Applies actions and outcomes."""
    for action in actions:
        state.apply_action(action)


def _register(game: Game) -> None:
    def make(params: Mapping[str, Any]) -> SpielGame:
        return SpielGame(get_game(game.name), params)  # by name: a game that was registered again is the new one

    # OpenSpiel lets go of it when the interpreter has ended already, where freeing it would abort the process
    make.itself = make  # type: ignore[attr-defined]
    pyspiel.register_game(game_type(game), make)


on_register(_register)
