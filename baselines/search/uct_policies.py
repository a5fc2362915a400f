"""UCT as policies: a search, one that keeps its tree between moves, and several searches at once on threads."""

import copy
import dataclasses
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import Reply, make_reply
from boardgym.baselines.search.interrupt import SearchPolicy, memory_in_words, read_reply, run_interruptible
from boardgym.baselines.search.uct_tree import USED, Tree, new_tree, new_trees, node_columns, reroot, room_for, tree_at
from boardgym.compile import EntryPoints, TypedTuple, WorkClock, plain, shared
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, StreamPolicy, check_board, choose, make_scratch
from boardgym.core.random import next_word, stream
from boardgym.core.threads import SHARED, crew_of

Columns = tuple[Any, ...]  # of a tree: arrays, None where an option is off
Data = tuple[tuple[Any, ...], ...]  # see `uct.make_scratch`
KEPT = 2  # where in it the tree is that is kept


class UCTPolicy(SearchPolicy):
    """UCT on boards. Args as `SearchPolicy`; data: what the settings' `make_scratch` takes, nothing if left out."""

    def __init__(self, game: Game, settings: Any, spec: str, *, data: Data = ((), (), ()), **rest: Any) -> None:
        super().__init__(game, settings, spec, **rest)
        self.data = TypedTuple(data)

    def __reduce__(self) -> Any:
        rest = {"seconds": self.seconds, "is_short": self.is_short, "evaluation": self.evaluation, "seed": 0}
        data = (*self.data[:KEPT], ())  # a tree that is kept belongs to `KeptTreePolicy`
        return _restore, (self.game, self.settings, self.spec, data, rest, self.epsilon, self.rng)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        return shares_of(self.analyse(board), self.game)


def shares_of(found: Analysis, game: Game) -> NDArray[np.float64]:
    """Share of the visits of each action, float64 (num_actions,)."""
    shares = np.zeros(game.num_actions)
    shares[list(found.visit_counts)] = list(found.visit_counts.values())
    return shares / shares.sum()


def _restore(
    game: Game, settings: Any, spec: str, data: Data, rest: dict[str, Any], epsilon: float, rng: NDArray[np.uint64]
) -> UCTPolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = UCTPolicy(game, settings, spec, data=data, **rest)
    policy.epsilon, policy.rng = epsilon, rng.copy()
    return policy


class KeptTreePolicy:
    """UCT that goes on with the tree of its last move where the game has come to a node of it.

    What it plays depends on the moves before, so that it has no `act_with`: environments give each board its own copy, which
    takes along the nodes that there are, and not the room for others.
    `analyse`, `evaluate` and `action_probabilities` begin with a new tree.

    Args:
        search: what searches, with a new tree each time; it is copied.
        room: nodes of the tree that is kept; the memory is taken when the first move is searched.
    """

    def __init__(self, search: UCTPolicy, room: int) -> None:
        self.game, self.spec, self.room = search.game, search.spec, room
        search.data = TypedTuple((*search.data[:KEPT], tuple(new_tree(search.settings, 0, ()))))
        self.fresh, self.search = search, copy.copy(search)
        self.search.data = search.data
        self.has_clock = search.has_clock
        self._start: Any = None  # the position where the record began that the tree belongs to
        self._known: list[int] = []  # its actions up to the root

    @property
    def _tree(self) -> Tree:
        """The tree that is kept, without room before the first move."""
        return Tree(*self.search.data[KEPT])

    def __reduce__(self) -> Any:
        nodes = int(self._tree.size[USED])
        columns = tuple(column if column is None else column[:nodes].copy() for column in node_columns(self._tree))
        return _restore_kept, (self.fresh, self.room, columns, self.search.rng, self._start, self._known)

    def _make_room(self, columns: Columns) -> None:
        """Takes the memory of the tree, with the nodes of these columns in it."""
        nodes = len(columns[0])
        with memory_in_words(self.spec, self.game):
            tree = new_tree(self.search.settings, max(self.room, nodes), ())
        tree.size[:] = nodes, 1
        for column, known in zip(node_columns(tree), columns, strict=True):
            if column is not None:
                column[:nodes] = known
        self.search.data = TypedTuple((*self.search.data[:KEPT], tuple(tree)))

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game: drops the tree; a seed starts its stream anew."""
        self.search.reset(seed=seed)
        self.fresh.reset(seed=seed)
        self._start, self._known = None, []
        self._tree.size[USED] = 0

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """A legal action. Raises UnsupportedGameError for a board of another game, ValueError if the game is over."""
        check_board(self, board)
        if len(self._tree.visits) == 0:
            self._make_room(node_columns(self._tree))
        tree, size = self._tree, self._tree.size
        start, known, started = board.history[0], len(self._known), time.monotonic()
        if start == self._start and board.actions[:known] == self._known:
            reroot(tree, np.array(board.actions[known:], np.int64))
            if size[USED] + self.game.max_choices > len(tree.visits):
                size[USED] = 0
        else:
            size[USED] = 0
        self._start, self._known = start, list(board.actions)
        if self.fresh.seconds is not None:  # the clock runs while the tree is moved
            self.search.seconds = max(self.fresh.seconds - (time.monotonic() - started), 0.0)
        return self.search.act(board, deterministic=deterministic)

    @property
    def seconds(self) -> float | None:
        """Time for a move; None: as many simulations as the settings say."""
        return self.fresh.seconds

    @seconds.setter
    def seconds(self, seconds: float | None) -> None:
        self.fresh.seconds = self.search.seconds = seconds

    @property
    def kept_visits(self) -> int:
        """Simulations that the tree holds at its root, those of earlier moves among them; 0 without a tree."""
        return int(self._tree.visits[0]) if self._tree.size[USED] else 0

    def interrupt(self) -> None:
        """Ends the search that runs, from another thread, as `SearchPolicy.interrupt`."""
        self.search.interrupt()
        self.fresh.interrupt()

    def analyse(self, board: Board) -> Analysis:
        """What the search finds with a new tree. Raises as `act`."""
        return self.fresh.analyse(board)

    def analyse_with(self, board: Board, rng: NDArray[np.uint64]) -> Analysis:
        """As `analyse`, with draws from a stream."""
        return self.fresh.analyse_with(board, rng)

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.fresh.evaluate(board)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        return self.fresh.action_probabilities(board)

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game.id}>"


def _restore_kept(
    search: UCTPolicy, room: int, columns: Columns, rng: NDArray[np.uint64], start: Any, known: list[int]
) -> KeptTreePolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = KeptTreePolicy(search, room)
    policy.search.rng, policy._start, policy._known = rng.copy(), start, list(known)
    if len(columns[0]) > 0:
        policy._make_room(columns)
    return policy


@shared
def search_rows(
    low: int,
    high: int,
    token: Any,
    row: NDArray[np.int64],
    history: NDArray[np.int64],
    policy: Any,
    settings: NDArray[np.float64],
    data: Any,
    rngs: NDArray[np.uint64],
    max_actions: int,
    reply: tuple[NDArray[Any], ...],
    trees: Any,
    chosen: NDArray[np.int64],
) -> None:
    """Searches a position as often as there are settings, each on its own: those from low to high - 1.

    settings: a row of each. trees: a tree for each, without nodes. rngs: uint64 (n,), their streams. reply: the arrays of
    `Reply`, all but `stop` with a row for each search. chosen: int64 (n,), written, their actions.
    """
    position, history, trees = verbs.unpack(token, row), verbs.borrow(history), verbs.borrow(trees)
    for i in range(low, high):
        chooser = verbs.unpack(policy, settings[i])
        own = make_scratch(chooser, position, max_actions, (data[0], data[1], tree_at(trees, i)))[1]
        answer = Reply(reply[0], reply[1][i], reply[2][i], reply[3][i], reply[4][i], reply[5][i])
        chosen[i] = choose(chooser, position, history, rngs[i : i + 1], verbs.borrow((answer, own)), False)
        verbs.keep(own)


class ParallelPolicy(StreamPolicy):
    """Root parallelisation: independent searches on threads, each with its share of the simulations, whose visits are added.

    The streams of the searches follow from the policy's own, so that the same seed and the same number of threads play the
    same on any machine. Where the system refuses threads, searches run one after the other, and by a clock the later ones make
    a single simulation. (G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008.)

    Args:
        search: with the simulations of all threads together.
        threads: at least 1.
        seed: for its draws.
    """

    def __init__(self, search: UCTPolicy, threads: int, *, seed: int | None = None) -> None:
        super().__init__(search.game, seed=seed)
        self.spec, self.has_clock, self.seconds, self.is_short = search.spec, search.has_clock, search.seconds, search.is_short
        total = search.settings.simulations
        shares = [total // threads + (number < total % threads) for number in range(min(threads, total))]
        room = max(1, search.settings.max_nodes // len(shares))
        change: dict[str, Any] = {"max_nodes": room}
        if type(search.settings).LEAST_VISITS:
            change["least_visits"] = -(-search.settings.least_visits // len(shares))
        self.kinds = [search.settings._replace(simulations=share, **change) for share in shares]
        self._token, self._data = search.token, search.data
        self._nodes = plain(room_for)(self.kinds[0], self.game.max_choices)
        self._rows, self._entries = np.stack([self._token.row(kind) for kind in self.kinds]), EntryPoints()
        self._stop = np.zeros(1, np.int64)

    def interrupt(self) -> None:
        """Ends the searches that run, from another thread, as `SearchPolicy.interrupt`."""
        self._stop[0] = 1

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`, drawing from another stream."""
        check_board(self, board)
        base = int(board.key if deterministic else next_word(rng))
        legal = board.legal_actions
        return legal[0] if len(legal) == 1 else self._search(board, base).action

    def analyse(self, board: Board) -> Analysis:
        """What the searches find together, without any draw of its own. Raises as `act`."""
        check_board(self, board)
        return self._search(board, int(board.key))

    def analyse_with(self, board: Board, rng: NDArray[np.uint64]) -> Analysis:
        """As `analyse`, with draws from a stream."""
        check_board(self, board)
        return self._search(board, int(next_word(rng)))

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.analyse(board).value

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        return shares_of(self.analyse(board), self.game)

    def _search(self, board: Board, base: int) -> Analysis:
        """Runs the searches, with streams that follow from `base`; a clock starts when their kernel has been compiled."""
        n, room = len(self.kinds), self.game.max_choices
        with memory_in_words(self.spec, self.game):  # for all of them, before any begins
            trees = new_trees(self.kinds[0], self._nodes, n)
        trees[0][:] = 0
        self._stop, rngs = np.zeros(1, np.int64), np.concatenate([stream(base, number) for number in range(n)])
        reply = Reply(self._stop, *(np.zeros((n, *part.shape), part.dtype) for part in make_reply(room)[1:]))
        chosen, work = np.zeros(n, np.int64), WorkClock()
        args = (
            self.game.token,
            board.row,
            board.keys,
            self._token,
            self._rows,
            self._data,
            rngs,
            room,
            tuple(reply),
            TypedTuple(trees),
            chosen,
        )
        entry = self._entries.find(search_rows, *SHARED, args)

        with memory_in_words(self.spec, self.game), crew_of(n - 1) as (crew, helpers):
            run_interruptible(lambda: entry(crew, (0, n, 1, helpers), args), self._stop, seconds=self.seconds)
        parts = zip(*reply[1:], strict=True)
        found = [
            read_reply(Reply(self._stop, *own), int(action), work.working_seconds)
            for own, action in zip(parts, chosen, strict=True)
        ]
        return merge(found, by_value=type(self.kinds[0]).MAX_CHILD)


def merge(found: list[Analysis], *, by_value: bool = False) -> Analysis:
    """What several searches of one position found, as one: visits are added, values averaged by visits.

    A proof counts for all. Of actions with equally many visits the one with the better value is chosen, then the first.
    by_value: the visited action with the best value is chosen, then the one with more visits, then the first.
    """
    proven = [one for one in found if one.is_proven]
    actions = list(found[0].visit_counts)
    counts = {a: sum(one.visit_counts.get(a, 0) for one in found) for a in actions}
    values = {a: sum(one.action_values[a] * one.visit_counts[a] for one in found) / max(counts[a], 1) for a in actions}
    order: Any = (lambda a: (counts[a] > 0, values[a], counts[a], -a)) if by_value else (lambda a: (counts[a], values[a], -a))
    best = proven[0].action if proven else max(actions, key=order)
    agreeing = [one for one in found if one.action == best]
    return dataclasses.replace(
        proven[0] if proven else found[0],
        action=best,
        value=proven[0].value if proven else values[best],
        principal_variation=max((one.principal_variation for one in agreeing), key=len, default=(best,)),
        action_values=proven[0].action_values if proven else values,
        visit_counts=counts,
        depth=max(one.depth for one in found),
        nodes=sum(one.nodes for one in found),
        seconds=max(one.seconds for one in found),
    )
