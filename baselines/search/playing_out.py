"""Playing many positions out at once by the playouts of UCT, `uct_playouts.play_out`: the CPU's kernel, and who plays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.uct import UCT
from boardgym.baselines.search.uct_playouts import Memory, if_chance, play_out
from boardgym.baselines.search.uct_values import payoff
from boardgym.compile import EntryPoints, inlined, kernel, shared
from boardgym.compile.words import mix
from boardgym.core import verbs
from boardgym.core.batch_board import BatchBoard
from boardgym.core.engine import BY_REPETITION
from boardgym.core.game import Game
from boardgym.core.policy import token_of
from boardgym.core.random import branch
from boardgym.core.threads import SHARED, Sharing

# settings of playouts that pay what the game does
IN_POINTS = token_of(UCT).row(UCT(simulations=0, max_nodes=0, c_uct=0.0, scale=1.0))  # type: ignore[call-arg]


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
