"""Random playouts of many positions at once, on the CPU or on a CUDA card: the playouts of UCT, `uct_playouts.play_out`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.uct import UCT
from boardgym.baselines.search.uct_playouts import Memory, if_chance, play_out
from boardgym.baselines.search.uct_values import payoff
from boardgym.compile import EntryPoints, inlined, kernel, shared
from boardgym.compile.words import mix
from boardgym.core import verbs
from boardgym.core.batch_board import BatchBoard, check_count
from boardgym.core.engine import BY_REPETITION
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.policy import token_of
from boardgym.core.random import branch, check_seed, fresh_seed
from boardgym.core.threads import SHARED, Sharing

MOST_AT_ONCE = 1 << 22  # playouts whose results are kept; of a single position there may be more
# settings of playouts that pay what the game does
IN_POINTS = token_of(UCT).row(UCT(simulations=0, max_nodes=0, c_uct=0.0, scale=1.0))  # type: ignore[call-arg]


class Playouts(NamedTuple):
    """What random playouts of n positions have brought.

    count: playouts of each position. returns: float64 (n, num_seats), what they have paid each seat, the mean. wins: int64
    (n, num_seats), of how many the seat has got the most, alone; the others are draws. plies: int64 (n,), of all of them, rolls
    left out.
    """

    count: int  # type: ignore[assignment]
    returns: NDArray[np.float64]
    wins: NDArray[np.int64]
    plies: NDArray[np.int64]


def random_playouts(boards: BatchBoard, count: int, *, seed: int | None = None) -> Playouts:
    """Plays each board to its end `count` times by uniformly random legal moves, where the boards are: on the CPU or a card.

    No board is changed. The same seed gives the same on both, however many threads the boards have: playout k of board i draws
    from a stream of its own. As within UCT, no playout is drawn by repetition, and what counts the plies of a game ends it. A
    board that is over pays what it has paid.

    Args:
        boards: with `device="cuda"`, a thread of the card plays each playout.
        count: playouts of each board, at least 1.
        seed: 0 to 2**64 - 1; None: any.

    Returns:
        A `Playouts` of NumPy arrays.

    Raises:
        OptionError: a bad count or seed, or boards of another kind.

    Example:
        >>> import boardgym
        >>> from boardgym.baselines import random_playouts
        >>> found = random_playouts(boardgym.BatchBoard("TicTacToe-v0", 2, seed=0), 1000, seed=1)
        >>> found.returns.shape, found.wins[0].tolist(), int(found.plies[0])
        ((2, 2), [572, 296], 7662)
    """
    if not isinstance(boards, BatchBoard):
        raise OptionError(f"boards: expected a BatchBoard, got {type(boards).__name__}")
    count, n, seats = check_count(count, "count"), len(boards), boards.game.num_seats
    seeds = np.full(n, fresh_seed() if seed is None else check_seed(seed), np.uint64)
    branch_all(seeds)
    player = player_of(boards)
    found = Playouts(count, np.zeros((n, seats)), np.zeros((n, seats), np.int64), np.zeros(n, np.int64))
    each = max(1, MOST_AT_ONCE // count)
    for low in range(0, n, each):
        some = slice(low, min(low + each, n))
        paid, plies = player.play(boards._rows.positions[some], boards._rows.endings[some], seeds[some], count)
        found.returns[some], found.plies[some] = paid.sum(axis=1) / count, plies.sum(axis=1)
        is_most = paid == paid.max(axis=2, keepdims=True)
        found.wins[some] = (is_most & (is_most.sum(axis=2, keepdims=True) == 1)).sum(axis=1)
    return found


def player_of(boards: BatchBoard) -> Any:
    """What plays out the positions of boards, where they are."""
    if type(boards._rows.positions) is np.ndarray:
        return PlayoutsOnCPU(boards.game, boards._sharing)
    return player_on_card(boards.game)


def player_on_card(game: Game) -> Any:
    """What plays out positions of a game on a card; the caller has seen that there is one."""
    from boardgym.baselines.search.cuda_playouts import PlayoutsOnCard  # brings in numba.cuda, which takes half a second

    return PlayoutsOnCard(game)


class PlayoutsOnCPU:
    """Plays out positions of a game, on threads that are shared."""

    def __init__(self, game: Game, sharing: Sharing) -> None:
        self.game, self._sharing, self._entries = game, sharing, EntryPoints()

    def play(
        self, positions: Any, endings: Any, seeds: NDArray[np.uint64], count: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Plays n positions out, `count` times each. Returns what each playout paid each seat, and its plies.

        positions: int64 (n, fields). endings: int64 (n,), NOT_OVER or why the game is over. seeds: uint64 (n,): playout k draws
        from `stream(seed, k)`. Returns float64 (n, count, num_seats), int32 (n, count).
        """
        n, seats = len(seeds), self.game.num_seats
        paid, plies = np.zeros((n * count, seats)), np.zeros(n * count, np.int32)
        positions, endings = np.ascontiguousarray(positions), np.ascontiguousarray(endings)
        settings = token_of(UCT), IN_POINTS
        args = self.game.token, *settings, positions, endings, seeds, count, paid, plies, self.game.max_choices
        self._sharing.run("play out", self._entries.find(play_rows, *SHARED, args), n * count, args)
        return paid.reshape(n, count, seats), plies.reshape(n, count)


@kernel
def branch_all(states: NDArray[np.uint64]) -> None:
    """Branches off a stream of its own for each number: what was state i becomes `branch(state, i)`, mixed as a seed."""
    for i in range(states.shape[0]):
        states[i] = mix(branch(states[i], i))


@inlined
def play_row(
    token: Any,
    policy: Any,
    row: NDArray[np.int64],
    ending: int,
    seed: np.uint64,
    number: int,
    moves: NDArray[np.int64],
    weights: NDArray[np.float64],
    paid: NDArray[np.float64],
) -> int:
    """Plays a position out once, and returns how many plies that took.

    policy: the settings of plain UCT. moves, weights: buffers of max_choices. paid: float64 (num_seats,), written.
    """
    position = verbs.unpack(token, row)
    if ending == BY_REPETITION:
        payoff(policy, position, True, paid)
        return 0
    probabilities = if_chance(position, weights)
    memory = Memory(moves, weights, probabilities, None, None, None, paid, None, None, None, None, None)
    count = verbs.legal_actions(position, moves)
    state = mix(branch(seed, number))
    return play_out(policy, position, moves, count, 0, state, memory, probabilities, None, None, None, None, None)[1]  # type: ignore[no-any-return]


@shared
def play_rows(
    low: int,
    high: int,
    token: Any,
    policy: Any,
    settings: NDArray[np.float64],
    positions: NDArray[np.int64],
    endings: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    count: int,
    paid: NDArray[np.float64],
    plies: NDArray[np.int32],
    max_choices: int,
) -> None:
    """Plays positions out, each `count` times: playout k of position i is number i * count + k, among low to high - 1."""
    chooser = verbs.unpack(policy, settings)
    buffers = np.empty(max_choices, np.int64), np.empty(max_choices)
    moves, weights = verbs.borrow(buffers)
    positions, paid = verbs.borrow(positions), verbs.borrow(paid)
    for j in range(low, high):
        i = j // count
        plies[j] = play_row(token, chooser, positions[i], endings[i], seeds[i], j - i * count, moves, weights, paid[j])
    verbs.keep(buffers)
