"""UCT as policies: a refined search, one that keeps its tree between moves, and several searches at once on threads."""

import copy
import dataclasses
import threading
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.interrupt import memory_in_words, run_interruptible
from boardgym.baselines.search.uct import UCTPolicy
from boardgym.baselines.search.uct_tree import PROOF, RAVE_VISITS, reroot
from boardgym.core.board import Board
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, StreamPolicy, check_board
from boardgym.core.random import next_word, stream

Arrays = tuple[NDArray[Any], ...]


def no_tree(num_seats: int) -> Arrays:
    """What a search gets in `data` that keeps no tree: arrays without room."""
    return np.empty((0, RAVE_VISITS + 1), np.int32), np.empty((0, PROOF + num_seats)), np.zeros(2, np.int64)


class RefinedPolicy(UCTPolicy):
    """UCT with refinements on boards. Args as `SearchPolicy`; data: as the settings' `make_scratch` takes it."""

    def __init__(self, game: Game, settings: Any, spec: str, *, data: Arrays | None = None, **rest: Any) -> None:
        super().__init__(game, settings, spec, **rest)
        self.data = no_tree(game.num_seats) if data is None else data

    def __reduce__(self) -> Any:
        rest = {"seconds": self.seconds, "is_short": self.is_short, "seed": 0}
        own = self.game, self.settings, self.spec, self.data, rest, self.epsilon, self.rng
        return _restore, own

    def like(self, settings: Any) -> "RefinedPolicy":
        """A search with other settings, and a stream of its own."""
        return RefinedPolicy(self.game, settings, self.spec, data=self.data, seed=0)


def _restore(
    game: Game, settings: Any, spec: str, data: Arrays, rest: dict[str, Any], epsilon: float, rng: NDArray[np.uint64]
) -> RefinedPolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = RefinedPolicy(game, settings, spec, data=tuple(array.copy() for array in data), **rest)
    policy.epsilon, policy.rng = epsilon, rng.copy()
    return policy


class KeptTreePolicy:
    """UCT that goes on with the tree of its last move where the game has come to a node of it.

    What it plays depends on the moves before, so that it has no `act_with`: environments give each board its own copy, which
    takes along the nodes that there are, and not the room for others.
    `analyse`, `evaluate` and `action_probabilities` begin with a new tree.

    Args:
        search: what searches; it is copied.
        room: nodes of the tree that is kept; the memory is taken when the first move is searched.
    """

    def __init__(self, search: RefinedPolicy, room: int) -> None:
        self.game, self.spec, self.room = search.game, search.spec, room
        self.fresh, self.search = search, copy.copy(search)
        self.has_clock = search.has_clock
        self._start: Any = None  # the position where the record began that the tree belongs to
        self._known: list[int] = []  # its actions up to the root

    def __reduce__(self) -> Any:
        ints, floats, used = self.search.data[:3]
        nodes = int(used[0])
        tree = ints[:nodes].copy(), floats[:nodes].copy()
        return _restore_kept, (self.fresh, self.room, tree, self.search.rng, self._start, self._known)

    def _make_room(self, ints: NDArray[np.int32], floats: NDArray[np.float64]) -> None:
        """Takes the memory of the tree, with these nodes in it."""
        room = max(self.room, len(ints))
        with memory_in_words(self.spec, self.game):
            kept = np.empty((room, ints.shape[1]), np.int32), np.empty((room, floats.shape[1])), np.array([len(ints), 1])
        kept[0][: len(ints)], kept[1][: len(floats)] = ints, floats
        self.search.data = (*kept, *self.search.data[3:])
        reroot(kept[0], kept[1], kept[2], np.zeros(0, np.int64))  # compiled before a clock runs

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game: drops the tree; a seed starts its stream anew."""
        self.search.reset(seed=seed)
        self.fresh.reset(seed=seed)
        self._start, self._known = None, []
        if len(self.search.data[0]) > 0:
            self.search.data[2][0] = 0

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """A legal action. Raises UnsupportedGameError for a board of another game, ValueError if the game is over."""
        check_board(self, board)
        if len(self.search.data[0]) == 0:
            self._make_room(*self.search.data[:2])
        ints, floats, used = self.search.data[:3]
        start, known, started = board.history[0], len(self._known), time.monotonic()
        if start == self._start and board.actions[:known] == self._known:
            reroot(ints, floats, used, np.array(board.actions[known:], np.int64))
            if used[0] + self.game.max_choices > len(ints):
                used[0] = 0
        else:
            used[0] = 0
        self._start, self._known = start, list(board.actions)
        if self.fresh.seconds is not None:  # the clock runs while the tree is moved
            self.search.seconds = max(self.fresh.seconds - (time.monotonic() - started), 0.0)
        return self.search.act(board, deterministic=deterministic)

    @property
    def kept_visits(self) -> int:
        """Simulations that the tree holds at its root, those of earlier moves among them; 0 without a tree."""
        ints, _, used = self.search.data[:3]
        return int(ints[0, 0]) if used[0] else 0

    def interrupt(self) -> None:
        """Ends the search that runs, from another thread, as `SearchPolicy.interrupt`."""
        self.search.interrupt()
        self.fresh.interrupt()

    def analyse(self, board: Board) -> Analysis:
        """What the search finds with a new tree. Raises as `act`."""
        return self.fresh.analyse(board)

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.fresh.evaluate(board)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        return self.fresh.action_probabilities(board)

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game.id}>"


def _restore_kept(
    search: RefinedPolicy, room: int, tree: Arrays, rng: NDArray[np.uint64], start: Any, known: list[int]
) -> KeptTreePolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = KeptTreePolicy(search, room)
    policy.search.rng, policy._start, policy._known = rng.copy(), start, list(known)
    if len(tree[0]) > 0:
        policy._make_room(*tree)
    return policy


class ParallelPolicy(StreamPolicy):
    """Root parallelisation: independent searches on threads, each with its share of the simulations, whose visits are added.

    The streams of the searches follow from the policy's own, so that the same seed and the same number of threads play the
    same on any machine. (G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo tree search", 2008.)

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
        kinds = [search.settings._replace(simulations=share, max_nodes=room) for share in shares]
        self.searches = [search.like(kind) for kind in kinds]
        self._is_compiled = False
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

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.analyse(board).value

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        counts, shares = self.analyse(board).visit_counts, np.zeros(self.game.num_actions)
        shares[list(counts)] = list(counts.values())
        return shares / shares.sum()

    def _search(self, board: Board, base: int) -> Analysis:
        """Runs the searches, with streams that follow from `base`; a clock starts when their kernel has been compiled."""
        self._stop = np.zeros(1, np.int64)
        if self.has_clock and not self._is_compiled:
            self._run(board, base, np.ones(1, np.int64))
            self._is_compiled = True
        with memory_in_words(self.spec, self.game):
            return merge(self._run(board, base, self._stop))

    def _run(self, board: Board, base: int, stop: NDArray[np.int64]) -> list[Analysis]:
        """What each search finds. stop: int64 (1,); when it becomes 1 they end, after one simulation at least."""
        failures = list[BaseException]()
        found: list[Any] = [None] * len(self.searches)

        def search(number: int) -> None:
            try:
                found[number] = self.searches[number].analyse_with(board, stream(base, number), stop)
            except BaseException as error:
                failures.append(error)
                stop[0] = 1

        def call() -> None:
            helpers = [threading.Thread(target=search, args=(n,), daemon=True) for n in range(1, len(found))]
            for helper in helpers:
                helper.start()
            search(0)
            for helper in helpers:
                helper.join()

        run_interruptible(call, stop, seconds=self.seconds)
        if failures:
            raise failures[0]
        return found


def merge(found: list[Analysis]) -> Analysis:
    """What several searches of one position found, as one: visits are added, values averaged by visits.

    A proof counts for all. Of actions with equally many visits the one with the better value is chosen, then the first.
    """
    proven = [one for one in found if one.is_proven]
    actions = list(found[0].visit_counts)
    counts = {a: sum(one.visit_counts.get(a, 0) for one in found) for a in actions}
    values = {a: sum(one.action_values[a] * one.visit_counts[a] for one in found) / max(counts[a], 1) for a in actions}
    best = proven[0].action if proven else max(actions, key=lambda a: (counts[a], values[a], -a))
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
