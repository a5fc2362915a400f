"""Games in which an n-tuple network learns by Descent: the minimax values of the trees of its own games; compiled.

Each position of a game is the root of descents. One goes down to a state that is solved, by the greatest value at each ply, and
adds what it meets to the tree. For an action of state s that leads to s', by seat p:

    q(s, a) = what p is paid      the game ends at s', by the rules, a repetition or the limit of plies
    q(s, a) = V(s')               s' is new: the n-tuple network's estimate for p
    q(s, a) = +- max_b q(s', b)   + if p is to play again in s', - if not: s' has been expanded
    c(s, a) = 1, 0, -1            p has won, nothing is decided or it is a draw, p has lost; taken up as q is

An action is better by the greater c, then q, then visits. A state is solved if the game ends there, if the best action has
|c| = 1, or if all of its actions lead to solved states. A descent goes by the greatest q of the actions that are not solved,
of equals by the least visited, of these by any. At its end all states of its path take the best of what they lead to, the
deepest first. Descents begin until the root is solved or `budget` states have been expanded; one that has begun ends as said.

The action played is, of n in the order from the best, number i = 0, 1 ... with the ordinal distribution's probability

    Pr(i) = (1 - epsilon + epsilon / (n - i)) (1 - Pr(0) - ... - Pr(i - 1))

or, with `uniform`, any with probability epsilon and else the best. Its state is the next root, with all that is below it. When
the game is over, each state that was expanded, or ends the game by the rules, learns its q, after all that it leads to; but for
the root, which nobody has moved into:

    d = (q - V(s)) (1 - V(s)^2),    w <- w + a(|N| / A) step_size / M d,    N <- N + d,    A <- A + |d|

as in `ntuple.ntuple`, for each of the M weights w that s reads.

A game is won or lost here only by the most or the least that it pays: what pays less is decided, but c is 0.

With `depth`, what is paid is multiplied by (L - t + 1) / L if the game ends after t plies, L the most plies of a game.

States that several lines lead to are kept once for each, for repetitions and limits depend on the line. The tree has room for
N nodes. Where there is no room for another state's actions, descents end with the estimate there; if that is so before a ply
whose root is not solved, the tree is learnt from, forgotten, and begun anew at this root.

Sources: Q. Cohen-Solal, "Learning to play two-player perfect-information games without knowledge", arXiv 2008.01188, for
descent, completion (c and what is solved), tree learning, the ordinal distribution and the depth heuristic; Q. Cohen-Solal,
T. Cazenave, "Minimax strikes back", arXiv 2012.10700. They learn by neural networks, from a memory of many games; here each
state of a game is learnt once, by what the tree says at the end of the game, when the plies played are backed up too.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.descent.tree import CUT, ENDED, NEW, REPEATED, Tree, back_up, pick, plant, rank, settle
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.game_totals import UPDATES, Totals, count_result, has_repeated
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.starts import GIVEN_UP, Starts, begin
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cells import GameCells
from boardgym.baselines.networks.ntuples import NTuples, Reading, follow, make_reading, table_of
from boardgym.compile import inlined, kernel, plain
from boardgym.core import engine, verbs
from boardgym.core.game import Game
from boardgym.core.random import draw, draw_by_weight, uniform

BUDGET, IS_ORDINAL, IS_BY_DEPTH = range(3)  # of a plan


class Scratch(NamedTuple):
    """What a kernel writes and forgets. M is the most choices of a position, L the most plies.

    sheet: of cells. reading: of both seats. factors: float64, one a weight that is read. legal, ranks: int64 (M,). values,
    probabilities: float64 (M,). keys: int64 (L + 1,), of the positions of the game and the descent, or (0,) in games without a
    rule of repetition. By the depth in the tree: rows: int64 (L + 1, fields), positions; int64 (L + 1,): nodes; following, how
    many of what they lead to have been seen to; seats, who has moved there.
    """

    sheet: nv.CellSheet
    reading: Reading
    factors: NDArray[np.float64]
    legal: NDArray[np.int64]
    ranks: NDArray[np.int64]
    values: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    keys: NDArray[np.int64]
    rows: NDArray[np.int64]
    nodes: NDArray[np.int64]
    following: NDArray[np.int64]
    seats: NDArray[np.int64]


class Net(NamedTuple):
    """The network: settings of the cells, tuples, what is learnt."""

    cells: Any
    tuples: NTuples
    memory: nt.Memory


def make_scratch(cells: GameCells, tuples: NTuples, limit: int) -> Scratch:
    """Room for a game of at most so many plies."""
    game: Game = cells.game
    most, reading = game.max_choices, plain(make_reading)(tuples, game.num_seats)
    return Scratch(
        sheet=cells.make_sheet(),
        reading=reading,
        factors=np.zeros(len(tuples.bases)),
        legal=np.zeros(most, np.int64),
        ranks=np.zeros(most, np.int64),
        values=np.zeros(most),
        probabilities=np.zeros(most),
        keys=np.zeros(limit + 1 if game.repetition_limit else 0, np.int64),
        rows=np.zeros((limit + 1, len(game.token.row(game.start))), np.int64),
        nodes=np.zeros(limit + 1, np.int64),
        following=np.zeros(limit + 1, np.int64),
        seats=np.zeros(limit + 1, np.int64),
    )


# ---------------------------------------------------------------- new states


@inlined
def has_room(tree: Tree, scratch: Scratch) -> bool:
    """Whether all that any position can lead to has room."""
    return tree.used[0] + scratch.legal.shape[0] <= tree.values.shape[0]


@inlined
def expand(learner: nt.Learner, plan: NDArray[np.int64], net: Net, position: Any, plies: int, node: int, tree: Tree,
           scratch: Scratch) -> None:  # fmt: skip
    """Adds what a new state leads to, each valued for the seat to play; what ends the game is solved."""
    seat, limit, first = verbs.to_play(position), learner.limit, tree.used[0]
    count = verbs.legal_actions(position, scratch.legal)
    nt.write_values(
        net.tuples, net.memory.weights, net.cells, position, learner.scale, scratch.legal, count, scratch.values, scratch.sheet,
        scratch.reading,
    )  # fmt: skip
    for k in range(count):
        child, value, kind = first + k, scratch.values[k], NEW
        after = verbs.apply(position, scratch.legal[k])
        if verbs.is_terminal(after):
            kind = ENDED
        elif has_repeated(after, scratch.keys, plies + 1):
            kind, value = REPEATED, engine.final_return(after, engine.BY_REPETITION, seat) * learner.scale
        elif plies + 1 >= limit:
            kind, value = CUT, 0.0
        is_over = kind != NEW
        tree.results[child] = (1 if value >= 1.0 else -1 if value <= -1.0 else 0) if is_over else 0
        if is_over and plan[IS_BY_DEPTH]:
            value *= (limit - plies) / limit
        tree.values[child], tree.solved[child], tree.counts[child], tree.visits[child] = value, is_over, kind, 0
        tree.actions[child] = scratch.legal[k]
        tree.turns[child] = 1 if not is_over and verbs.to_play(after) == seat else -1
    tree.firsts[node], tree.counts[node], tree.used[0] = first, count, first + count


# ---------------------------------------------------------------- descents


@inlined
def descend(learner: nt.Learner, plan: NDArray[np.int64], net: Net, root: Any, plies: int, tree: Tree, scratch: Scratch,
            rng: NDArray[np.uint64]) -> int:  # fmt: skip
    """One descent from the root of a ply. Returns how many states it has expanded."""
    position, depth, node, expanded = root, plies, tree.path[plies], 0
    while True:
        if tree.counts[node] == NEW:
            if not has_room(tree, scratch):
                break
            expand(learner, plan, net, position, depth, node, tree, scratch)
            settle(tree, node)
            expanded += 1
        if tree.solved[node] == 1:
            break
        node = pick(tree, node, rng)
        position, depth = verbs.apply(position, np.int64(tree.actions[node])), depth + 1
        has_repeated(position, scratch.keys, depth)
        tree.path[depth] = node
        tree.visits[node] += 1
    back_up(tree, plies, depth - 1)
    return expanded


@inlined
def search(learner: nt.Learner, plan: NDArray[np.int64], net: Net, root: Any, plies: int, tree: Tree, scratch: Scratch,
           rng: NDArray[np.uint64]) -> None:  # fmt: skip
    """Descents from the root of a ply, until it is solved or the budget is spent."""
    node, expanded = tree.path[plies], 0
    while tree.solved[node] == 0 and expanded < plan[BUDGET] and has_room(tree, scratch):
        expanded += descend(learner, plan, net, root, plies, tree, scratch, rng)


# ---------------------------------------------------------------- the action that is played


@inlined
def write_ordinal(probabilities: NDArray[np.float64], count: int, epsilon: float) -> None:
    """Writes the probabilities of `count` actions, from the best on."""
    left = 1.0
    for i in range(count):
        probabilities[i] = (1.0 - epsilon + epsilon / (count - i)) * left
        left -= probabilities[i]


@inlined
def choose(plan: NDArray[np.int64], tree: Tree, node: int, epsilon: float, scratch: Scratch, rng: NDArray[np.uint64]) -> int:
    """The node that is played from a state."""
    count, ranks, probabilities = rank(tree, node, scratch.ranks), scratch.ranks, scratch.probabilities
    if plan[IS_ORDINAL]:
        write_ordinal(probabilities, count, epsilon)
        return ranks[draw_by_weight(probabilities, count, 1.0, rng)]
    return ranks[draw(rng, count)] if uniform(rng) < epsilon else ranks[0]


# ---------------------------------------------------------------- what is learnt


@inlined
def learn_tree(learner: nt.Learner, net: Net, root: Any, step_size: float, tree: Tree, scratch: Scratch, totals: Totals,
               block: int) -> None:  # fmt: skip
    """Every state of the tree learns its value, after all that it leads to. root: the position of node 0."""
    nodes, following, depth = scratch.nodes, scratch.following, 0
    nodes[0], following[0] = 0, 0
    verbs.pack(root, scratch.rows[0])
    while depth >= 0:
        node = nodes[depth]
        if following[depth] < tree.counts[node]:
            child = np.int64(tree.firsts[node]) + following[depth]
            following[depth] += 1
            if tree.counts[child] > 0 or tree.counts[child] == ENDED:
                position = verbs.unpack(root, scratch.rows[depth])
                depth += 1
                nodes[depth], following[depth], scratch.seats[depth] = child, 0, verbs.to_play(position)
                verbs.pack(verbs.apply(position, np.int64(tree.actions[child])), scratch.rows[depth])
            continue
        if depth > 0:
            position, seat = verbs.unpack(root, scratch.rows[depth]), scratch.seats[depth]
            learn_state(learner, net, position, seat, tree.values[node], step_size, scratch, totals, block)
        depth -= 1


@inlined
def learn_state(learner: nt.Learner, net: Net, position: Any, seat: int, target: float, step_size: float, scratch: Scratch,
                totals: Totals, block: int) -> None:  # fmt: skip
    """One state learns a value for the seat that has moved there."""
    nv.write_cells(net.cells, position, seat, scratch.sheet)
    follow(net.tuples, scratch.reading, seat, scratch.sheet.states)
    table = table_of(net.memory.weights, seat, scratch.sheet.phase)
    error = nt.learn_value(
        net.memory, table, scratch.reading, seat, learner.coherence, step_size, np.float64(target), scratch.factors
    )
    totals.counts[block, UPDATES] += 1
    totals.errors[block] += error * error


# ---------------------------------------------------------------- games


@kernel
def play_kernel(
    game: Any,
    starts: Starts,
    cells_token: Any,
    cells_row: NDArray[np.int64],
    own_learner: nt.LearnerRows,
    plan: NDArray[np.int64],
    own_tuples: NTuples,
    own_memory: nt.Memory,
    own_scratch: Scratch,
    own_tree: Tree,
    totals: Totals,
    games: NDArray[np.int64],
    rng: NDArray[np.uint64],
) -> None:
    """Plays games, and learns from the tree of each when it is over.

    game, cells_token: tokens. starts: of the games. cells_row: the row of the cells. plan: int64 (3,), budget, whether actions
    are drawn by rank, whether quick wins count for more. games: int64 (2,), the number of the next game, which is advanced, and
    that of the game to stop before. rng: uint64 (1,), advanced.
    """
    learner, cells = nt.learner_of_rows(own_learner), verbs.unpack(cells_token, cells_row)
    scratch, tree = verbs.borrow(own_scratch), verbs.borrow(own_tree)
    net = Net(cells, verbs.borrow(own_tuples), verbs.borrow(own_memory))
    while games[0] < games[1]:
        block = games[0] // totals.size[0]
        step_size, epsilon = rate_at(learner.step_size, games[0]), rate_at(learner.epsilon, games[0])
        root, is_found = begin(game, starts, rng, scratch.legal, scratch.probabilities)
        if not is_found:
            games[1] = GIVEN_UP
            continue
        position, plies, first, node = root, 0, 0, 0
        has_repeated(position, scratch.keys, 0)
        plant(tree, 0)
        while tree.counts[node] >= 0:
            if tree.solved[node] == 1 or has_room(tree, scratch):
                search(learner, plan, net, position, plies, tree, scratch, rng)
                node = choose(plan, tree, node, epsilon, scratch, rng)
                position, plies = verbs.apply(position, np.int64(tree.actions[node])), plies + 1
                has_repeated(position, scratch.keys, plies)
                tree.path[plies] = node
            if tree.counts[node] < 0 or not (tree.solved[node] == 1 or has_room(tree, scratch)):
                back_up(tree, first, plies)
                learn_tree(learner, net, root, step_size, tree, scratch, totals, block)
                if tree.counts[node] >= 0:
                    root, first, node = position, plies, 0
                    plant(tree, plies)
        kind = tree.counts[node]
        ending = engine.BY_RULE if kind == ENDED else engine.BY_REPETITION if kind == REPEATED else engine.NOT_OVER
        count_result(position, ending, plies, totals, block)
        games[0] += 1
    verbs.keep(own_tuples)
    verbs.keep(own_memory)
    verbs.keep(own_scratch)
    verbs.keep(own_tree)
