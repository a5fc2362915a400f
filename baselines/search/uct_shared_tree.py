"""Tree parallelisation of UCT: several leaves of one tree at a time, whose playouts threads share.

A round selects up to `most` leaves one after the other, plays all of them out, and backs up what they pay, in their order. What
is found thus follows from the settings and the seed alone, whatever the number of threads. While a leaf waits, each node of its
path counts as visited once more, with the mean that it has, so that this widens the search and changes no value; the new leaf
itself, which has none, counts as lost for the seat that moved to it (A. Liu et al., "Watch the unobserved: a simple approach
to parallelizing Monte Carlo tree search", ICLR 2020; G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree
search", 2008).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import Reply
from boardgym.baselines.search.interrupt import Searching, memory_in_words, run_interruptible
from boardgym.baselines.search.uct import answer, back_up, begin, descend, known_value
from boardgym.baselines.search.uct_playouts import make_memory, play_out
from boardgym.baselines.search.uct_policies import shares_of
from boardgym.baselines.search.uct_tree import MAX_PATH, UNPROVEN, make_tree, room_for
from boardgym.compile import EntryPoints, TypedTuple, in_pieces, inlined, inner, kernel
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_uint64, wrapping_add
from boardgym.core.board import Board
from boardgym.core.game import Game
from boardgym.core.policy import StreamPolicy, token_of
from boardgym.core.random import branch
from boardgym.core.threads import crew_of

PIECES_EACH = 4  # of a round's playouts, for a thread


class Leaves(NamedTuple):
    """The leaves that wait for their playouts. In shapes L is how many there may be, S the number of seats.

    positions: int64 (L, fields). seeds: uint64 (L,), of their playouts. starts: int64 (L + 1,): the path of leaf k lies from
    starts[k] to starts[k + 1] - 1 of the next three. paths, seats: int64 (L * MAX_PATH,), as those of `Tree`. lent: float64
    (L * MAX_PATH,), what was added to the total of each node of the path for the time that the leaf waits. paid: float64
    (L * playouts, S), what each playout paid each seat.
    """

    positions: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    starts: NDArray[np.int64]
    paths: NDArray[np.int64]
    seats: NDArray[np.int64]
    lent: NDArray[np.float64]
    paid: NDArray[np.float64]


@inner
def make_leaves(most: int, games: int, fields: int, seats: int) -> Leaves:
    """Room for so many leaves, with so many playouts each."""
    return Leaves(
        np.empty((most, fields), np.int64),
        np.empty(most, np.uint64),
        np.zeros(most + 1, np.int64),
        np.empty(most * MAX_PATH, np.int64),
        np.empty(most * MAX_PATH, np.int64),
        np.empty(most * MAX_PATH, np.float64),
        np.empty((most * games, seats), np.float64),
    )


@inlined
def let_wait(tree: Any, leaves: Leaves, k: int, depth: int, games: int) -> None:
    """Lets the leaf at the end of the path wait as number k, and counts it in the tree as `games` visits."""
    visits, total, start = tree.visits, tree.total, leaves.starts[k]
    leaves.starts[k + 1] = start + depth + 1
    for d in range(depth + 1):
        node = tree.path[d]
        lent = games * total[node] / visits[node] if visits[node] > 0 else -games
        visits[node] += games
        total[node] += lent
        leaves.paths[start + d], leaves.seats[start + d], leaves.lent[start + d] = node, tree.seats[d], lent


@inlined
def take_back(tree: Any, leaves: Leaves, k: int, games: int) -> int:
    """Makes the path of leaf k the tree's again, without what `let_wait` counted. Returns its depth."""
    start = leaves.starts[k]
    depth = leaves.starts[k + 1] - start - 1
    for d in range(depth + 1):
        node = leaves.paths[start + d]
        tree.visits[node] -= games
        tree.total[node] -= leaves.lent[start + d]
        tree.path[d], tree.seats[d] = node, leaves.seats[start + d]
    return depth


@inner
def note_paid(paid: NDArray[np.float64], value: float, results: Any) -> None:
    """Writes down what a playout paid. value, results: as `play_out` leaves them."""
    paid[0] = value
    if results is not None:
        for seat in range(results.shape[0]):
            paid[seat] = results[seat]


@inner
def mean_paid(paid: NDArray[np.float64], k: int, games: int, results: Any) -> float:
    """What the playouts of leaf k have paid seat 0 on average; of more than two seats also each, in results."""
    value = 0.0
    if results is not None:
        results[:] = 0.0
    for j in range(k * games, (k + 1) * games):
        value += paid[j, 0]
        if results is not None:
            for seat in range(results.shape[0]):
                results[seat] += paid[j, seat] / games
    return value / games


@inlined
def play_leaves(
    low: int,
    high: int,
    token: Any,
    policy: Any,
    settings: NDArray[np.float64],
    data: Any,
    leaves: Leaves,
    games: int,
    max_actions: int,
    stop: NDArray[np.int64],
) -> None:
    """Plays leaves out, each `games` times: playout j of leaf i is number i * games + j, among low to high - 1.

    stop: int64 (1,); when it becomes 1, playouts that have not begun pay NaN, but for those of leaf 0.
    """
    chooser = verbs.unpack(policy, settings)
    own = make_memory(chooser, verbs.unpack(token, leaves.positions[0]), max_actions, data[0])
    memory = verbs.borrow(own)
    for number in range(low, high):
        i = number // games
        if stop[0] != 0 and i > 0:
            leaves.paid[number, 0] = np.nan
            continue
        start, end = leaves.starts[i], leaves.starts[i + 1]
        position = verbs.unpack(token, leaves.positions[i])
        count = verbs.legal_actions(position, memory.moves)
        state = mix(branch(leaves.seeds[i], number - i * games))
        value, _, _, _ = play_out(
            chooser, position, leaves.seats[start:end], count, end - start - 1, state, memory,
            memory.probabilities, None, None, memory.estimates, None, None,
        )  # fmt: skip
        note_paid(leaves.paid[number], value, memory.results)
    verbs.keep(own)


play_in_pieces = in_pieces(play_leaves)


@inlined
def select_leaves(
    policy: Any,
    position: Any,
    history: NDArray[np.int64],
    state: np.uint64,
    stop: NDArray[np.int64],
    tree: Any,
    memory: Any,
    leaves: Leaves,
    games: int,
    done: int,
    longest: int,
) -> tuple[int, int, int, np.uint64]:
    """Selects leaves until there is room for no more. What is known at once, such as an end of the game, is backed up.

    done: simulations so far. Returns how many leaves wait, the simulations that are through, the length of the longest path,
    and the state of the stream.
    """
    waiting = 0
    while (
        waiting < leaves.seeds.shape[0]
        and done + waiting < policy.simulations
        and tree.proof[0] == UNPROVEN
        and (stop[0] == 0 or done + waiting == 0)
    ):
        leaf, depth, is_proven, state = descend(
            policy, position, state, tree, memory, memory.weights, tree.prior, memory.probabilities, memory.record
        )
        longest = max(longest, depth)
        is_known, value, is_end, _ = known_value(policy, leaf, history, is_proven, depth, tree, memory, tree.proofs)
        if is_known:
            back_up(policy, tree, memory, depth, depth, value, games, is_end, done, tree.proofs, memory.stamps, memory.table)
            done += 1
        else:
            verbs.pack(leaf, leaves.positions[waiting])
            state = wrapping_add(state, GOLDEN)
            leaves.seeds[waiting] = mix(state)
            let_wait(tree, leaves, waiting, depth, games)
            waiting += 1
    return waiting, done, longest, state


@kernel
def shared_tree_kernel(
    crew: int,
    helpers: int,
    token: Any,
    row: NDArray[np.int64],
    history: NDArray[np.int64],
    policy: Any,
    settings: NDArray[np.float64],
    data: Any,
    most: int,
    games: int,
    rng: NDArray[np.uint64],
    max_actions: int,
    deterministic: bool,
    reply: tuple[NDArray[Any], ...],
) -> int:
    """The action of a search. Up to `most` of its leaves at a time are played out, `games` times each, by a crew's threads."""
    position, chooser = verbs.unpack(token, row), verbs.unpack(policy, settings)
    memory, tree = (
        make_memory(chooser, position, max_actions, data[0]),
        make_tree(chooser, room_for(chooser, max_actions), ()),
    )
    own = tree, memory, make_leaves(most, games, row.shape[0], verbs.constant(chooser, "SEATS"))
    tree, memory, leaves = verbs.borrow(own)
    found, history = Reply(reply[0], reply[1], reply[2], reply[3], reply[4], reply[5]), verbs.borrow(history)
    state = mix(as_uint64(verbs.key(position))) if deterministic else as_uint64(rng[0])
    begin(position, tree, True)
    done = longest = tree.path[0]
    while done < chooser.simulations and tree.proof[0] == UNPROVEN and (found.stop[0] == 0 or done == 0):
        waiting, done, longest, state = select_leaves(
            chooser, position, history, state, found.stop, tree, memory, leaves, games, done, longest
        )
        units = waiting * games
        if units > 0:
            plan: Any = np.int64(0), units, max(units // (PIECES_EACH * (helpers + 1)), 1), helpers
            play_in_pieces(crew, plan, (token, policy, settings, data, leaves, games, max_actions, found.stop))
        for k in range(waiting):
            depth = take_back(tree, leaves, k, games)
            value = mean_paid(leaves.paid, k, games, memory.results)
            if value == value:  # not NaN: all its playouts have been played
                back_up(
                    chooser, tree, memory, depth, depth, value, games, False, done, tree.proofs, memory.stamps, memory.table
                )
                done += 1
    best, state = answer(chooser, position, tree, found, done, longest, deterministic, state)
    if not deterministic:
        rng[0] = state
    action = np.int64(tree.action[best])
    verbs.keep(own)
    return action  # type: ignore[return-value]


class SharedTreePolicy(Searching, StreamPolicy):
    """UCT with one tree, of which several leaves at a time are played out by threads; any number of threads plays the same.

    Args:
        game: the game it plays.
        settings: of UCT, without options that learn from playouts.
        spec: the spec string that names it.
        leaves: that are played out at a time.
        games: playouts of each.
        threads: that share the playouts.
        data: as of `UCTPolicy`; nothing if left out.
        seconds, is_short: as of `SearchPolicy`.
        seed: for its draws.
    """

    def __init__(
        self,
        game: Game,
        settings: Any,
        spec: str,
        *,
        leaves: int,
        games: int,
        threads: int,
        data: tuple[Any, ...] = ((), (), ()),
        seconds: float | None = None,
        is_short: bool = False,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, seed=seed)
        self.settings, self.spec, self.data = settings, spec, TypedTuple(data)
        self.leaves, self.games, self.threads = leaves, games, threads
        self.seconds, self.is_short, self.has_clock = seconds, is_short and seconds is None, seconds is not None
        self._token = token_of(type(settings))
        self._row, self._entries = self._token.row(settings), EntryPoints()
        self._stop = np.zeros(1, np.int64)

    def __reduce__(self) -> Any:
        options = {
            "leaves": self.leaves,
            "games": self.games,
            "threads": self.threads,
            "data": tuple(self.data),
            "seconds": self.seconds,
            "is_short": self.is_short,
        }
        return _restore, (self.game, self.settings, self.spec, options, self.rng)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        return shares_of(self.analyse(board), self.game)

    def _search(self, board: Board, rng: NDArray[np.uint64], deterministic: bool, reply: Reply) -> int:
        """Runs the kernel, on a worker thread unless it is short; a clock starts when the kernel has been compiled."""
        if len(reply.actions) == 0 and len(legal := board.legal_actions) == 1:
            return legal[0]
        known = self.game.token, board.row, board.keys, self._token, self._row, self.data, self.leaves, self.games
        rest = rng, self.game.max_choices, deterministic, tuple(reply)
        entry = self._entries.find(shared_tree_kernel, 0, 0, *known, *rest)
        self._stop = reply.stop

        most = min(self.threads, self.leaves * self.games)
        with memory_in_words(self.spec, self.game), crew_of(most - 1) as (crew, helpers):

            def call() -> int:
                return int(entry(crew, helpers, *known, *rest))

            return call() if self.is_short else int(run_interruptible(call, reply.stop, seconds=self.seconds))


def _restore(game: Game, settings: Any, spec: str, options: dict[str, Any], rng: NDArray[np.uint64]) -> SharedTreePolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = SharedTreePolicy(game, settings, spec, **options, seed=0)
    policy.rng = rng.copy()
    return policy
