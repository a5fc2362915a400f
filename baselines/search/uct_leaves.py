"""Leaf parallelisation of UCT: trees are searched on the CPU, each leaf is played out many times at once, on a card if wanted.

A search stops at each new leaf; the leaves of all boards that wait are then played out together, `games` times each, and the
mean is backed up with the weight of so many games. What a board's search finds does not depend on the boards beside it, nor on
the device. (G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008.)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import Reply, make_reply
from boardgym.baselines.search.interrupt import Searching, memory_in_words
from boardgym.baselines.search.playing_out import PlayoutsOnCPU, player_on_card
from boardgym.baselines.search.random_playouts import MOST_AT_ONCE
from boardgym.baselines.search.uct import answer, back_up, begin, descend, known_value
from boardgym.baselines.search.uct_playouts import make_memory
from boardgym.baselines.search.uct_policies import shares_of
from boardgym.baselines.search.uct_tree import UNPROVEN, new_trees, room_for, tree_at
from boardgym.compile import EntryPoints, TypedTuple, inner, kernel, plain, shared
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_uint64, wrapping_add
from boardgym.core.board import Board
from boardgym.core.engine import NOT_OVER
from boardgym.core.game import Game
from boardgym.core.policy import BatchPolicy, token_of
from boardgym.core.threads import SHARED, Sharing

WAITS, DEPTH, SIMULATIONS, LONGEST, COLUMNS = range(5)  # of `progress`
MOST_BYTES = 1 << 30  # of all trees that are searched at once; a single one may take more


@inner
def mean_of(sums: NDArray[np.float64], scale: float, games: int, results: Any) -> float:
    """What the playouts of a leaf have paid seat 0 on average, in [-1, 1]; of more than two seats also each, in results."""
    if results is not None:
        for seat in range(sums.shape[0]):
            results[seat] = sums[seat] * scale / games
    return sums[0] * scale / games


@shared
def search_on(
    low: int,
    high: int,
    token: Any,
    policy: Any,
    settings: NDArray[np.float64],
    data: Any,
    positions: NDArray[np.int64],
    keys: NDArray[np.int64],
    num_keys: NDArray[np.int64],
    states: NDArray[np.uint64],
    trees: Any,
    progress: NDArray[np.int64],
    leaves: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    sums: NDArray[np.float64],
    games: int,
    simulations: int,
    max_choices: int,
    deterministic: bool,
) -> None:
    """Backs up what the playouts of each leaf that waits have paid, and searches on to the next one, or to the end.

    positions: of the roots. keys, num_keys: of the earlier positions of their games. states: of the streams of the searches.
    progress: int64 (n, COLUMNS); 0: not begun. leaves: int64 (n, fields), written, where WAITS becomes 1. seeds: of their
    playouts, written. sums: float64 (n, num_seats), what the playouts of the leaves have paid. simulations: of each search.
    """
    chooser = verbs.unpack(policy, settings)
    own = make_memory(chooser, verbs.unpack(token, positions[0]), max_choices, data[0])
    memory, trees = verbs.borrow(own), verbs.borrow(trees)
    positions, keys, leaves = verbs.borrow(positions), verbs.borrow(keys), verbs.borrow(leaves)
    for i in range(low, high):
        tree, position, history = tree_at(trees, i), verbs.unpack(token, positions[i]), keys[i, : num_keys[i]]
        waits, depth, done, state = progress[i, WAITS] != 0, progress[i, DEPTH], progress[i, SIMULATIONS], states[i]
        if done == 0 and not waits:
            begin(position, tree, True)
            if deterministic:
                state = mix(as_uint64(verbs.key(position)))
        while True:
            is_end = False
            if waits:
                value = mean_of(sums[i], chooser.scale, games, memory.results)
            elif done >= simulations or tree.proof[0] != UNPROVEN:
                break
            else:
                leaf, depth, is_proven, state = descend(
                    chooser, position, state, tree, memory, memory.weights, tree.prior, memory.probabilities, memory.record
                )
                is_known, value, is_end, _ = known_value(chooser, leaf, history, is_proven, depth, tree, memory, tree.proofs)
                if not is_known:
                    verbs.pack(leaf, leaves[i])
                    state = wrapping_add(state, GOLDEN)
                    seeds[i], waits = mix(state), True
                    break
            back_up(chooser, tree, memory, depth, depth, value, games, is_end, done, tree.proofs, memory.stamps, memory.table)
            waits, done = False, done + 1
            progress[i, LONGEST] = max(progress[i, LONGEST], depth)
        progress[i, WAITS], progress[i, DEPTH], progress[i, SIMULATIONS], states[i] = waits, depth, done, state
    verbs.keep(own)


@kernel
def answer_of(
    token: Any,
    policy: Any,
    settings: NDArray[np.float64],
    positions: NDArray[np.int64],
    states: NDArray[np.uint64],
    trees: Any,
    progress: NDArray[np.int64],
    i: int,
    deterministic: bool,
    reply: tuple[NDArray[Any], ...],
) -> int:
    """The choice of search i when it is through; the state of its stream goes on."""
    chooser, tree = verbs.unpack(policy, settings), tree_at(verbs.borrow(trees), i)
    found = Reply(reply[0], reply[1], reply[2], reply[3], reply[4], reply[5])
    done, longest = progress[i, SIMULATIONS], progress[i, LONGEST]
    position = verbs.unpack(token, positions[i])
    best, states[i] = answer(chooser, position, tree, found, done, longest, deterministic, states[i])
    return np.int64(tree.action[best])  # type: ignore[return-value]


class LeafParallelUCT(BatchPolicy, Searching):
    """UCT whose leaves are played out many times at once, of all boards that it is asked for together.

    Args:
        game: the game it plays.
        settings: of UCT, without options that look into playouts.
        spec: the spec string that names it.
        games: playouts of each leaf.
        device: "cpu", or "cuda" where the caller has seen that there is a card.
        seed: for the draws of `act`.
    """

    def __init__(
        self, game: Game, settings: Any, spec: str, *, games: int, device: str = "cpu", seed: int | None = None
    ) -> None:
        super().__init__(game, seed=seed)
        self.settings, self.spec, self.games, self.device = settings, spec, games, device
        self._token = token_of(type(settings))
        self._row, self._data = self._token.row(settings), TypedTuple(((), (), ()))
        self._sharing, self._entries = Sharing(), EntryPoints()
        self._player: Any = player_on_card(game) if device == "cuda" else PlayoutsOnCPU(game, self._sharing)
        self._nodes, self._trees = plain(room_for)(settings, game.max_choices), TypedTuple(())
        size = sum(column.nbytes for column in new_trees(settings, self._nodes, 1) if column is not None)
        self._most = max(1, MOST_BYTES // size)  # boards that are searched at once
        self._stop = np.zeros(1, np.int64)

    def __reduce__(self) -> Any:
        return _restore, (self.game, self.settings, self.spec, self.games, self.device, self.rng)

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
        """A legal action for each of k boards, int64 (k,); the arguments as `BatchPolicy.act_batch` has them."""
        self._stop, actions = np.zeros(1, np.int64), masks.argmax(axis=1)
        searched, reply = np.flatnonzero(masks.sum(axis=1) > 1), make_reply(0)
        for low in range(0, len(searched), self._most):
            chosen = searched[low : low + self._most]
            states = rng[chosen]
            state = self._search_all(rows[chosen], [history[i] for i in chosen], states, deterministic)
            actions[chosen] = [self._answer(state, i, deterministic, reply) for i in range(len(chosen))]
            if not deterministic:
                rng[chosen] = states
        return actions

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        return shares_of(self.analyse(board), self.game)

    def _search(self, board: Board, rng: NDArray[np.uint64], deterministic: bool, reply: Reply) -> int:
        """The choice on a single board."""
        self._stop, history = reply.stop, [self.game.recent_keys(board.position, board.keys)]
        return self._answer(self._search_all(board.row[None], history, rng, deterministic), 0, deterministic, reply)

    def _search_all(
        self, rows: NDArray[np.int64], history: Sequence[NDArray[np.int64]], states: NDArray[np.uint64], deterministic: bool
    ) -> tuple[Any, ...]:
        """Searches n boards to the end. states: uint64 (n,), changed. Returns what `_answer` goes by."""
        n, seats, fields = len(rows), self.game.num_seats, rows.shape[1]
        keys = np.zeros((n, max(map(len, history), default=0)), np.int64)
        num_keys = np.array([len(earlier) for earlier in history])
        for own, earlier in zip(keys, history, strict=True):
            own[: len(earlier)] = earlier
        with memory_in_words(self.spec, self.game):
            trees = self._trees_for(n)
        progress, leaves = np.zeros((n, COLUMNS), np.int64), np.zeros((n, fields), np.int64)
        seeds, sums, positions = np.zeros(n, np.uint64), np.zeros((n, seats)), np.ascontiguousarray(rows)
        known, most = (self.game.token, self._token, self._row), self.game.max_choices
        at_once = max(1, MOST_AT_ONCE // self.games)
        while True:
            simulations = 1 if self._stop[0] else self.settings.simulations
            args = (*known, self._data, positions, keys, num_keys, states, trees, progress, leaves, seeds, sums, self.games,
                    simulations, most, deterministic)  # fmt: skip
            self._sharing.run("search on", self._entries.find(search_on, *SHARED, args), n, args)
            waiting = np.flatnonzero(progress[:, WAITS])
            if len(waiting) == 0:
                return *known, positions, states, trees, progress
            for low in range(0, len(waiting), at_once):
                some = waiting[low : low + at_once]
                endings = np.full(len(some), NOT_OVER, np.int64)
                sums[some] = self._player.play(leaves[some], endings, seeds[some], self.games)[0].sum(axis=1)

    def _trees_for(self, n: int) -> TypedTuple:
        """Room for so many trees, whose content nobody has looked at; it is kept for the next search."""
        if not self._trees or len(self._trees[0]) < n:
            self._trees = TypedTuple(())  # first, so that old and new ones are not there at once
            self._trees = TypedTuple(new_trees(self.settings, self._nodes, n))
        return self._trees

    def _answer(self, state: tuple[Any, ...], i: int, deterministic: bool, reply: Reply) -> int:
        """The choice of search i, of those that `_search_all` has run; its stream goes on."""
        args = (*state, i, deterministic, tuple(reply))
        return int(self._entries.find(answer_of, *args)(*args))


def _restore(game: Game, settings: Any, spec: str, games: int, device: str, rng: NDArray[np.uint64]) -> LeafParallelUCT:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = LeafParallelUCT(game, settings, spec, games=games, device=device, seed=0)
    policy.rng = rng.copy()
    return policy
