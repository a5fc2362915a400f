"""UCT: Monte-Carlo tree search with UCB1 and uniformly random playouts, generic over games of two seats.

    score(child) = total(child) / visits(child) + c_uct * sqrt(2 ln visits(parent) / visits(child))

The mean and all values of a child are for the seat that acts in its parent, so no sign changes in selection; what a
playout pays is kept for seat 0 and turned when it is added. Unvisited children come first, in random order; each
simulation adds one node. Ends of the game are proven and backed up apart from the averages: a node with a won child
is won, a node whose children are all proven has the best of them (M. Winands, Y. Bjornsson, J.-T. Saito, "Monte-Carlo
tree search solver", 2008). Proven losses are not visited again. The choice is the most visited child, or the best of a proven
root.

Where chance is to act, a simulation draws what comes by its probability; no proof is carried over it.

Source of the formula: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006, with the constant as in
the UCT-CCNN study (its `uct` is c_uct; the textbook's C_p is half of it).
"""

import importlib
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.common import is_repeated, make_reply, read_budget, require_two_seats, scale_of, silent_reply
from boardgym.baselines.search.interrupt import SearchPolicy, read_reply, search_kernel
from boardgym.compile import WorkClock, inner
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, wrapping_add
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, Spec, read_number, refuse_extras
from boardgym.core.random import S11, S32
from boardgym.core.verbs import rule

C_UCT = 0.7
MAX_SIMULATIONS = 1_000_000_000
MAX_NODES = 4_000_000  # room of the tree unless the spec says otherwise
MOST_NODES = 100_000_000  # that a spec may say: 3.6 GB, 36 bytes each; the columns of the tree hold int32
MAX_PATH = 512  # nodes from the root to the deepest leaf; below it, playouts only
SHORT_PLIES = 60_000  # simulations times longest game: below it, a search is too short to need interrupting
UNPROVEN = 2.0  # in place of a proven value


class UCT(NamedTuple):
    """Settings of UCT. scale: turns returns into values in [-1, 1]. max_nodes: room of the tree."""

    simulations: int
    max_nodes: int
    c_uct: float
    scale: float


class Tree(NamedTuple):
    """The nodes, the children of one in a row; node 0 is the root. All arrays (nodes,), but for the last five.

    visits: int32. total: float64, sum of results for the seat that moved into the node. proof: float64, that seat's
    proven value or UNPROVEN. action: int32, that led here. first: int32, the first child. count: int32, of children, -1
    before they are made. opened: int32, how many of them have been visited: those in front.
    moves: int64, odds: float64 (max_actions,). path, seats, keys: int64 (MAX_PATH,), nodes from the root, who moves there,
    their keys.
    """

    visits: NDArray[np.int32]
    total: NDArray[np.float64]
    proof: NDArray[np.float64]
    action: NDArray[np.int32]
    first: NDArray[np.int32]
    count: NDArray[np.int32]  # type: ignore[assignment]
    opened: NDArray[np.int32]
    moves: NDArray[np.int64]
    odds: NDArray[np.float64]
    path: NDArray[np.int64]
    seats: NDArray[np.int64]
    keys: NDArray[np.int64]


@rule(UCT)
def make_scratch(policy, position, max_actions, data):
    """The reply, and a tree with room for the budget."""
    room = min(1 + policy.simulations * max_actions, max(policy.max_nodes, 1 + max_actions))
    tree = Tree(
        np.empty(room, np.int32),
        np.empty(room, np.float64),
        np.empty(room, np.float64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(max_actions, np.int64),
        np.empty(max_actions, np.float64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
    )
    return silent_reply(), tree


@inner
def pick(state, n):
    """A number in [0, n) from a stream's state, as `random.draw` does from the stream."""
    return np.int64(((mix(state) >> S32) * np.uint64(n)) >> S32)


@inner
def draw_outcome(state, count, odds):
    """The index of an outcome, by its probability, from a stream's state. odds: float64, of `count` outcomes."""
    mark, i = np.float64(mix(state) >> S11) * (1.0 / 9007199254740992.0), 0
    while i + 1 < count and mark >= odds[i]:
        mark -= odds[i]
        i += 1
    return i


@inner
def after_chance(position, state, moves, odds):
    """The position in which a seat is to play, or the game is over, and the new state of the stream."""
    while verbs.awaits_chance(position):
        state = wrapping_add(state, GOLDEN)
        position = verbs.apply(position, moves[draw_outcome(state, verbs.chance(position, moves, odds), odds)])
    return position, state


@inner
def playout(position, count, state, moves, odds):
    """Plays uniformly random actions to the end of the game.

    count: of the legal actions, that stand in moves; 0 where chance is to act. Returns what the game pays seat 0, and the
    new state of the stream.
    """
    if verbs.has_chance(position) and count == 0:
        position, state = after_chance(position, state, moves, odds)
        count = verbs.legal_actions(position, moves)
    while count > 0:
        state = wrapping_add(state, GOLDEN)
        position = verbs.apply(position, moves[pick(state, count)])
        if verbs.has_chance(position):
            position, state = after_chance(position, state, moves, odds)
        count = verbs.legal_actions(position, moves)
    return verbs.returns(position, 0), state


@inner
def new_node(tree, node, action):
    """Makes a node without visits or children."""
    tree.visits[node], tree.total[node], tree.proof[node] = 0, 0.0, UNPROVEN
    tree.action[node], tree.first[node], tree.count[node], tree.opened[node] = action, -1, -1, 0


@inner
def select(visits, total, proof, parent, first, end, c_uct):
    """The child with the best score among those not lost. first, end: the children of parent."""
    spread = 2.0 * c_uct * c_uct * math.log(visits[parent])
    best, top = first, -np.inf
    for child in range(first, end):
        proven = proof[child]
        if proven > -1.0:
            share = 1.0 / visits[child]
            mean = total[child] * share if proven == UNPROVEN else proven
            score = mean + math.sqrt(spread * share)
            if score > top:
                best, top = child, score
    return best


@inner
def back_up_proof(tree, depth):
    """Carries the proof of the last node of the path towards the root, as far as it decides."""
    while depth > 0:
        parent, mover = tree.path[depth - 1], tree.seats[depth - 1]
        if mover == verbs.CHANCE:
            return
        value = tree.proof[tree.path[depth]]
        if value < 1.0:
            if tree.opened[parent] < tree.count[parent]:
                return
            for child in range(tree.first[parent], tree.first[parent] + tree.count[parent]):
                if tree.proof[child] == UNPROVEN:
                    return
                value = max(value, tree.proof[child])
        if depth > 1 and (tree.seats[depth - 2] == 0) != (mover == 0):  # below chance as if seat 1 had moved, as in `grow`
            value = -value
        tree.proof[parent] = value
        depth -= 1


@inner
def grow(policy, position, history, state, stop, tree):
    """Runs the simulations. Returns how many, the length of the longest path, and the state of the stream."""
    visits, total, proof, action = tree.visits, tree.total, tree.proof, tree.action
    first, count, opened = tree.first, tree.count, tree.opened
    moves, odds, path, seats, keys = tree.moves, tree.odds, tree.path, tree.seats, tree.keys
    limit = verbs.repetition_limit(position)
    new_node(tree, 0, 0)
    path[0], used, simulations, longest = 0, 1, 0, 0
    if limit > 0:
        keys[0] = as_int64(verbs.key(position))
    while simulations < policy.simulations and proof[0] == UNPROVEN and (stop[0] == 0 or simulations == 0):
        current, node, depth, value, is_end = position, 0, 0, 0.0, False
        while True:
            seat = verbs.to_play(current)
            is_chance = verbs.has_chance(current) and seat == verbs.CHANCE
            outcomes = verbs.chance(current, moves, odds) if is_chance else 0
            if count[node] < 0:
                n = outcomes if is_chance else verbs.legal_actions(current, moves)
                if used + n > visits.shape[0] or depth + 1 >= path.shape[0]:
                    value, state = playout(current, 0 if is_chance else n, state, moves, odds)
                    value *= policy.scale
                    break
                for i in range(n):
                    new_node(tree, used + i, moves[i])
                first[node], count[node] = used, n
                used += n
            start, end = first[node], first[node] + count[node]
            is_new = opened[node] < count[node]
            seats[depth] = seat
            depth += 1
            if is_chance:
                opened[node] = count[node]
                state = wrapping_add(state, GOLDEN)
                node = start + draw_outcome(state, outcomes, odds)
                is_new = visits[node] == 0
            elif is_new:
                node, parent = start + opened[node], node
                opened[parent] += 1
                state = wrapping_add(state, GOLDEN)
                other = node + pick(state, end - node)
                action[node], action[other] = action[other], action[node]
            else:
                node = select(visits, total, proof, node, start, end, policy.c_uct)
            path[depth] = node
            if proof[node] != UNPROVEN:
                value = proof[node] if seat == 0 else -proof[node]
                break
            current = verbs.apply(current, int(action[node]))
            if limit > 0:
                keys[depth] = as_int64(verbs.key(current))
            if is_new:
                n = verbs.legal_actions(current, moves)
                is_end = n == 0 and not verbs.awaits_chance(current)
                if limit > 0 and not is_end and is_repeated(current, history, keys, depth):
                    value, is_end = verbs.draw_returns(current, 0) * policy.scale, True
                elif is_end:
                    value = verbs.returns(current, 0) * policy.scale
                else:
                    value, state = playout(current, n, state, moves, odds)
                    value *= policy.scale
                break
        visits[0] += 1
        for d in range(depth, 0, -1):
            visits[path[d]] += 1
            total[path[d]] += value if seats[d - 1] == 0 else -value
        if is_end:
            proof[node] = value if seats[depth - 1] == 0 else -value
            back_up_proof(tree, depth)
        longest = max(longest, depth)
        simulations += 1
    return simulations, longest, state


@inner
def final_choice(visits, action, proof, first, end, is_proven, deterministic, state):
    """The child to play: if the node is proven, of its best proven children, else of all that are not lost, the most visited.

    visits, action, proof: columns of the nodes, proof for the seat that chooses. first, end: the children that have been
    visited. is_proven: whether the node is. Ties: at random from the state of a stream, deterministic: the least action.
    Returns a node, -1 if there is none, and the state.
    """
    best, most, ties, top = -1, -1, 0, -2.0
    if is_proven:
        for child in range(first, end):
            if proof[child] != UNPROVEN:
                top = max(top, proof[child])
    for pass_over_lost in (True, False):
        for child in range(first, end):
            if (top > -2.0 and proof[child] != top) or (pass_over_lost and proof[child] == -1.0):
                continue
            weight = np.int64(visits[child])
            if weight > most:
                best, most, ties = child, weight, 1
            elif weight == most:
                ties += 1
                state = wrapping_add(state, GOLDEN)
                if action[child] < action[best] if deterministic else pick(state, ties) == 0:
                    best = child
        if best >= 0:
            break
    return best, state


@inner
def final_value(visits, total, proof, node):
    """Value of a node for the seat whose total and proof the columns hold: proven, or the mean; 0 without visits."""
    if proof[node] != UNPROVEN:
        return proof[node]
    return total[node] / visits[node] if visits[node] else 0.0


@inner
def choice(tree, node, deterministic, state):
    """`final_choice` of a node."""
    first = np.int64(tree.first[node])
    is_proven = tree.proof[node] != UNPROVEN
    return final_choice(tree.visits, tree.action, tree.proof, first, first + tree.opened[node], is_proven, deterministic, state)


@inner
def value_of(tree, node):
    """Value of a node for the seat that moved into it."""
    return final_value(tree.visits, tree.total, tree.proof, node)


@rule(UCT)
def choose(policy, position, history, rng, scratch, deterministic):
    """The most visited action. deterministic: the playouts are drawn from the position's key, ties go to the first."""
    reply, tree = scratch[0], scratch[1]
    if verbs.legal_actions(position, tree.moves) == 1 and reply.actions.shape[0] == 0:
        return tree.moves[0]
    state = mix(as_uint64(verbs.key(position))) if deterministic else as_uint64(rng[0])
    simulations, longest, state = grow(policy, position, history, state, reply.stop, tree)
    best, state = choice(tree, 0, deterministic, state)
    if not deterministic:
        rng[0] = state
    report = reply.report
    report[reply_at.VALUE], report[reply_at.DEPTH], report[reply_at.NODES] = value_of(tree, best), longest, simulations
    report[reply_at.PROVEN] = tree.proof[0] != UNPROVEN
    if reply.actions.shape[0] > 0:
        children = tree.count[0]
        for i in range(children):
            node = tree.first[0] + i
            reply.actions[i], reply.counts[i], reply.values[i] = tree.action[node], tree.visits[node], value_of(tree, node)
        node, length, current = best, 0, position
        while node >= 0 and length < reply.line.shape[0]:
            reply.line[length] = tree.action[node]
            length += 1
            current = verbs.apply(current, int(tree.action[node]))
            if tree.count[node] <= 0 or verbs.awaits_chance(current):
                break
            node, state = choice(tree, node, True, state)
        report[reply_at.NUM_ACTIONS], report[reply_at.LINE_LENGTH] = children, length
    return np.int64(tree.action[best])


class UCTPolicy(SearchPolicy):
    """UCT on boards."""

    def analyse_with(self, board: Board, rng: NDArray[np.uint64], stop: NDArray[np.int64]) -> Analysis:
        """What the search finds with draws from a stream, on this thread; it ends when stop[0] is not 0. Checks nothing."""
        reply = make_reply(self.game.max_choices)._replace(stop=stop)
        work = WorkClock()
        action = int(search_kernel(self.game.token, board.row, board.keys, self.token, self.row, self.data, rng,
                                   self.game.max_choices, False, tuple(reply)))  # fmt: skip
        return read_reply(reply, action, work.working_seconds)

    def like(self, settings: Any) -> "UCTPolicy":
        """A search with other settings, and a stream of its own."""
        return UCTPolicy(self.game, settings, self.spec, seed=0)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """Share of the visits of each action, float64 (num_actions,). Raises as `act`."""
        counts = self.analyse(board).visit_counts
        shares = np.zeros(self.game.num_actions)
        shares[list(counts)] = list(counts.values())
        return shares / shares.sum()


def make_uct(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`uct:N` simulations or `uct:0.5s`; c= the exploration constant, nodes= the room of the tree, time= as well.

    threads= for searches beside each other.

    At most MAX_SIMULATIONS simulations, and MOST_NODES nodes. With any other setting, or more seats than two: `uct_options`.

    Raises SpecError, UnsupportedGameError.
    """
    options = importlib.import_module("boardgym.baselines.search.uct_options")
    if game.num_seats > 2 or not {"c", "nodes", "time", "threads"}.issuperset(spec.keywords):
        return options.make_refined(spec, game, seed=seed, trust=trust)
    refuse_extras(spec, keywords=("c", "nodes", "time", "threads"))
    require_two_seats(spec, game)
    simulations, seconds, nodes = read_budget(spec, "the number of simulations", MAX_SIMULATIONS, most_nodes=MOST_NODES)
    c_uct = read_number(spec.keywords["c"], spec.text, "the exploration constant c") if "c" in spec.keywords else C_UCT
    if c_uct < 0.0:
        raise SpecError(f"policy spec {spec.text!r}: the exploration constant c {c_uct:g}; expected 0 or more")
    settings = UCT(simulations or MAX_SIMULATIONS, nodes or MAX_NODES, c_uct, scale_of(game))
    is_short = settings.simulations * game.max_plies <= SHORT_PLIES
    policy = UCTPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed)
    return options.on_threads(policy, spec, seed=seed)
