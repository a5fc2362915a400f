"""The policy interface and compiled policies. The strings that name policies are read in `policy_spec`.

Any object with `act(board, deterministic=...)` and `reset(seed=...)` is a policy. A compiled policy is described by a
type, like a position: a NamedTuple of settings with the verb `choose`, so that the same machine code plays a single
board and thousands of boards within an environment's step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import TypedTuple, entry_point, inlined, is_there, kernel
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.random import draw, fresh_seed, stream, uniform


@runtime_checkable
class Policy(Protocol):
    """Something that plays: any object with these two methods is a policy.

    Optional methods are looked up by name. `analyse(board)` returns an `Analysis`, `evaluate(board)` the value for the seat to
    play, `action_probabilities(board)` a float64 array (num_actions,). A policy with `analyse` may also have
    `analyses(board)`, an iterator over what is known before the analysis is done, and last what `analyse` returns; and
    `analyse_with(board, rng)`, which draws from a stream, so that the same position may be searched in different ways.

    Example:
        >>> import boardgym
        >>> from boardgym.baselines import play_game
        >>> class FirstAction:
        ...     def act(self, board, *, deterministic=False):
        ...         return board.legal_actions[0]
        ...     def reset(self, *, seed=None):
        ...         pass
        >>> play_game(boardgym.Board("TicTacToe-v0"), [FirstAction(), FirstAction()]).moves
        ('a3', 'b3', 'c3', 'a2', 'b2', 'c2', 'a1')
    """

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """A legal action for the seat to play. The board is not changed.

        Args:
            board: where the game stands.
            deterministic: whether to play the best action, without randomness. An `epsilon` policy still plays random
                actions.

        Returns:
            The action, an int in [0, num_actions).
        """

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game. seed: makes what follows reproducible; None: the policy goes on with its own draws."""


def interrupt(policy: Any) -> None:
    """Ends a policy's search that goes on in another thread, if it has one that can be: it answers with what it has found."""
    end = getattr(policy, "interrupt", None)
    if callable(end):
        end()


NO_KEYS = np.empty(0, np.int64)  # of a game that knows no repetition


@dataclass(frozen=True)
class Analysis:
    """What a search found. Values are for the seat to play, in [-1, 1], 1 a certain win.

    action: the choice. value: of the position. principal_variation: best line as actions. action_values, visit_counts:
    action -> float, int. depth: plies searched in full (UCT: longest path). nodes: positions (UCT: simulations).
    seconds: wall time. is_proven: whether the value is exact. Of the minimax family, else 0: cutoffs, how many positions some
    actions were left out of because of a bound; table_hits, how many positions the transposition table answered.
    """

    action: int
    value: float
    principal_variation: tuple[int, ...]
    action_values: dict[int, float]
    visit_counts: dict[int, int]
    depth: int
    nodes: int
    seconds: float
    is_proven: bool
    cutoffs: int = 0
    table_hits: int = 0


# ---------------------------------------------------------------- compiled policies


@verbs.verb
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The buffers (an array or a tuple of arrays) that `choose` needs; made once per kernel call, whatever it plays.

    policy: the settings; position: only its type counts; max_actions: the game's max_choices. data: a tuple of read-only
    arrays, the policy's weights or tables; what `choose` needs of them goes into the scratch.
    """


@verbs.verb
def choose(  # type: ignore[empty-body]
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """A legal action for the seat to play, int64.

    history: int64 keys of the earlier positions of the game, for repetition rules. rng: stream, uint64 (1,), advanced.
    scratch: from `make_scratch`; nothing in it may outlive the call. deterministic: no draw may decide here;
    an `epsilon` policy strays before it asks, deterministic or not.
    """


@inlined
def choose_or_stray(
    game: Any,
    policy: Any,
    epsilon: float,
    position: Any,
    history: NDArray[np.int64],
    rng: NDArray[np.uint64],
    scratch: Any,
    legal: NDArray[np.int64],
    deterministic: bool,
) -> int:
    """`choose`, or with probability epsilon a uniformly random legal action. legal: int64 buffer."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return legal[draw(rng, verbs.legal_actions(position, legal))]
    return choose(policy, position, history, rng, scratch, deterministic)


@kernel
def act_kernel(
    game: Any,
    row: NDArray[np.int64],
    history: NDArray[np.int64],
    policy: Any,
    settings: Any,
    data: Any,
    rng: NDArray[np.uint64],
    max_choices: int,
    deterministic: bool,
    epsilon: float,
) -> int:
    """One action of a compiled policy. game, policy: tokens; row, settings: int64 rows; data: arrays. Returns int64."""
    position, chooser = verbs.unpack(game, row), verbs.unpack(policy, settings)
    own_scratch, legal = make_scratch(chooser, position, max_choices, data), np.empty(max_choices, np.int64)
    scratch = verbs.borrow(own_scratch)
    action = choose_or_stray(game, chooser, epsilon, position, history, rng, scratch, legal, deterministic)
    verbs.keep(own_scratch)
    return action


class StreamPolicy:
    """What policies share that draw from a stream: their own, or one that is handed to them (`act_with`, which they define).

    game: the game it plays. seed: of its stream; None takes one from the operating system. spec: the string that names it, an
    attribute of the object or of its class.
    """

    spec: str

    def __init__(self, game: Game, *, seed: int | None = None) -> None:
        self.game = game
        self.rng = stream(fresh_seed() if seed is None else seed)

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game; a seed starts its stream anew."""
        if seed is not None:
            self.rng = stream(seed)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """A legal action. Raises UnsupportedGameError for a board of another game, ValueError if the game is over."""
        return self.act_with(board, self.rng, deterministic=deterministic)

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream: the environments give each board its own."""
        raise NotImplementedError(f"{type(self).__name__} has to define act_with()")

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game.id}>"


class CompiledPolicy(StreamPolicy):
    """A policy that is settings and a verb `choose`: plays on a board, and inside the step of native environments.

    Args:
        game: the game it plays.
        settings: a NamedTuple of numbers whose type defines `make_scratch` and `choose`.
        spec: the spec string that names it.
        epsilon: probability of a uniformly random action in place of its own.
        data: read-only arrays that kernels hand to `make_scratch`: weights, tables.
        seed: for its draws; None takes one from the operating system.

    Attributes that environments read: token, row, data, epsilon; has_clock: whether the choice depends on the machine's
    speed; is_for_cards: whether its choices take so little time that a CUDA card may play it, and `BatchBoard.play` many plies
    in a call, as they may all but searches.
    """

    has_clock, is_for_cards = False, True

    def __init__(
        self,
        game: Game,
        settings: Any,
        spec: str,
        *,
        epsilon: float = 0.0,
        data: tuple[NDArray[Any], ...] = (),
        seed: int | None = None,
    ) -> None:
        super().__init__(game, seed=seed)
        self.settings, self.spec, self.epsilon = settings, spec, epsilon
        self.data: tuple[Any, ...] = TypedTuple(data)
        self.token = token_of(type(settings))
        self.row = self.token.row(settings)
        self._entry: Any = None  # the kernel's entry point, for data of these types
        self._entry_is_for: Any = None

    def __reduce__(self) -> Any:
        return _restore, (self.game, self.settings, self.spec, self.epsilon, tuple(self.data), self.rng)

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream."""
        check_board(self, board)
        check_stream(rng)
        state = self._state_of(board)
        if self._entry_is_for is not self.data:
            self._entry = entry_point(act_kernel, *state, rng, 0, False, 0.0)
            self._entry_is_for = self.data
        return int(self._entry(*state, rng, self.game.max_choices, deterministic, self.epsilon))

    def is_compiled_for(self, board: Board) -> bool:
        """Whether it answers on such a board at once: its kernel for the game is in this process, or on the disk."""
        return is_there(act_kernel, *self._state_of(board), self.rng, 0, False, 0.0)

    def _state_of(self, board: Board) -> tuple[Any, ...]:
        """What kernels take first: the game, where it stands, and the policy."""
        history = board.keys if self.game.repetition_limit else NO_KEYS
        return self.game.token, board.row, history, self.token, self.row, self.data


def _restore(
    game: Game, settings: Any, spec: str, epsilon: float, data: tuple[NDArray[Any], ...], rng: NDArray[np.uint64]
) -> CompiledPolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = CompiledPolicy(game, settings, spec, epsilon=epsilon, data=data, seed=0)
    policy.rng = rng.copy()
    return policy


_TOKENS: dict[type, verbs.Token] = {}


def token_of(settings_class: type) -> verbs.Token:
    """The token of a settings type, made once."""
    if settings_class not in _TOKENS:
        _TOKENS[settings_class] = verbs.Token(settings_class)
    return _TOKENS[settings_class]


def check_stream(rng: Any) -> None:
    """Raises TypeError for what is not a stream: entry points take its memory as it is."""
    if not isinstance(rng, np.ndarray) or rng.dtype != np.uint64 or rng.shape != (1,):
        raise TypeError(f"rng: expected a stream, an array of uint64 of shape (1,), got {rng!r}")


def check_board(policy: Any, board: Board) -> None:
    """Raises UnsupportedGameError for a board of another game, ValueError where the game is over or chance is to act."""
    if board.game is not policy.game and board.game.token.name != policy.game.token.name:
        raise UnsupportedGameError(f"{policy!r} was given a board of {board.game.id} {dict(board.game.options)}")
    if board.is_terminal:
        raise ValueError(f"{policy!r} was asked to play in a game that is over: {board.fen()!r}")
    if board.is_chance:
        raise ValueError(f"{policy!r} was asked to play where chance is to act: {board.fen()!r}; roll() first")


# ---------------------------------------------------------------- policies that play many boards in one call


class BatchPolicy(StreamPolicy):
    """Base of policies in Python (torch models and others) that answer for many boards at once.

    A subclass defines `act_batch`, which native environments ask for the boards that wait for this policy; `act` asks it
    for one. What it draws for a board comes from that board's own stream, so that a board's game does not depend on the
    batch in which it is played.

    Args:
        game: the game it plays.
        seed: of the draws of `act`; None takes one from the operating system.
    """

    spec = "batch policy"

    def act_batch(
        self,
        observations: NDArray[Any],
        masks: NDArray[np.int8],
        rows: NDArray[np.int64],
        history: Sequence[NDArray[np.int64]],
        rng: NDArray[np.uint64],
        *,
        deterministic: bool = False,
    ) -> NDArray[np.int64]:
        """A legal action for each of k boards, int64 (k,).

        observations: (k, *observation_shape), as the seat to play sees each board. masks: int8 (k, num_actions), its legal
        actions. rows: int64 (k, fields), the positions (`game.token.position(row)`). history: k arrays of int64, the
        keys of the earlier positions of each game that a repetition may count. rng: uint64 (k,), a stream for each board,
        advanced in place by draws from `rng[i : i + 1]`.
        """
        raise NotImplementedError(f"{type(self).__name__} has to define act_batch()")

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream."""
        check_board(self, board)
        observation, mask = board.look(board.to_play)
        keys = self.game.recent_keys(board.position, board.keys)
        chosen = self.act_batch(observation[None], mask[None], board.row[None], [keys], rng, deterministic=deterministic)
        return int(chosen[0])
