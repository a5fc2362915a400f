"""Selection: by UCB1, and with the option GUIDED by more than visits and results: priors, hints, RAVE, urgency.

With N visits of the parent, n of the child, Q the mean of the child's results for its mover, the child with the greatest score
is visited:
    UCB1               Q + c sqrt(2 ln N / n)
    PUCT               Q + c_puct P sqrt(N) / (1 + n)
    RAVE               with Q replaced by b Q' + (1 - b) Q, b = sqrt(k / (3 N + k)), Q' the mean of all simulations in which
                       the seat played the child's action from here on
    progressive bias   and bias H / (1 + n) added, H what the evaluation says of the child
    NeuralMCTS         Q + W c sqrt(2 (1 + ln N) / n), without visits 1 + W, where W = 1 - w / 2 + w H / 2; the study's w is 1
A child without visits goes before all others, unless `fpu` gives it that value in place of Q, PUCT its score with n = 0, or
`urgency` c sqrt(2 ln N) * (children without visits / children). Sources and effects: docs/search_uct.md.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.uct_playouts import ACTION, SEAT
from boardgym.baselines.search.uct_tree import UNPROVEN, pick, swap, value_for
from boardgym.baselines.search.uct_values import HEURISTIC, estimate
from boardgym.compile import inlined, inner, overloaded
from boardgym.compile.registry import class_of
from boardgym.compile.words import GOLDEN
from boardgym.core import verbs
from boardgym.core.bits import wrapping_add
from boardgym.core.verbs import optional_verb

PRIOR_TEMPERATURE = 0.25  # what values are divided by where they become priors


@optional_verb
def write_priors(policy: Any, position: Any, buffers: Any, probabilities: NDArray[np.float64]) -> int:
    """Writes the probability of each legal action, in their order (float64). Returns 1; 0 if it has none to give."""
    return 0


@inlined
def prepare(
    policy: Any, position: Any, seat: int, node: int, prior: Any, tree: Any, memory: Any, buffers: Any, state: np.uint64
) -> tuple[bool, np.uint64]:
    """Gives new children their hints and priors and puts them in random order; a decisive one comes first.

    prior: the tree's. Returns whether there is a child that nothing surpasses, and the new state of the stream.
    """
    start, count = np.int64(tree.first[node]), np.int64(tree.count[node])
    won, most = np.int64(-1), 0.0
    if policy.hints != 0 or policy.decisive != 0:
        won, most = write_hints(policy, position, seat, start, count, tree, memory)
    if policy.c_puct > 0.0 and write_priors(policy, position, buffers, memory.weights) != 0:
        for i in range(count):
            prior[start + i] = memory.weights[i]
    elif policy.c_puct > 0.0:
        total = 0.0
        for child in range(start, start + count):
            prior[child] = math.exp(tree.hint[child] / PRIOR_TEMPERATURE) if policy.prior != 0 else 1.0
            total += prior[child]
        for child in range(start, start + count):
            prior[child] /= total
    if won >= 0:
        swap(tree, tree.rave_visits, start, won)
        if most >= 1.0:
            return True, state
        start, count = start + 1, count - 1
    for i in range(count - 1, 0, -1):
        state = wrapping_add(state, GOLDEN)
        swap(tree, tree.rave_visits, start + i, start + pick(state, i + 1))
    return False, state


@inlined
def write_hints(
    policy: Any, position: Any, seat: int, start: np.int64, count: np.int64, tree: Any, memory: Any
) -> tuple[np.int64, float]:
    """Gives children their hints. Returns the child that wins most at once where that is asked for, else -1; and how much."""
    won, most = np.int64(-1), 0.0
    for child in range(start, start + count):
        after = verbs.apply(position, int(tree.action[child]))
        is_over = verbs.is_terminal(after)
        if policy.hints != 0 or is_over:
            tree.hint[child] = estimate(policy, memory.horizon, after, seat)
            if policy.decisive != 0 and is_over and tree.hint[child] > most:
                won, most = np.int64(child), tree.hint[child]
                if most >= 1.0:
                    break
    return won, most


def known_estimate(policy: Any, tree: Any, depth: int) -> tuple[bool, float]:
    """Whether the hint of the path's node at `depth` is all that evaluating it would find; and that, for seat 0.

    So it is where leaves are worth what the evaluation says, and it was asked of all children of a node when priors were made.
    """
    return hint_of_leaf(policy, tree, depth) if has_known_estimates(type(policy)) else (False, 0.0)


@overloaded(known_estimate)
def _known_estimate(policy: Any, tree: Any, depth: int) -> Any:
    if has_known_estimates(class_of(policy)):
        return lambda policy, tree, depth: hint_of_leaf(policy, tree, depth)
    return lambda policy, tree, depth: (False, 0.0)


def has_known_estimates(kind: Any) -> bool:
    """Whether a kind of policy may find hints where it would evaluate. Hints are of one seat, and three want theirs too."""
    return bool(kind.GUIDED and kind.ESTIMATES and not kind.HAS_MORE_SEATS)


@inner
def hint_of_leaf(policy: Any, tree: Any, depth: int) -> tuple[bool, float]:
    """See `known_estimate`. A decisive child may leave others without hints, and outcomes of chance have none."""
    if policy.leaf != HEURISTIC or policy.hints == 0 or policy.decisive != 0 or depth == 0:
        return False, 0.0
    seat, hint = tree.seats[depth - 1], tree.hint[tree.path[depth]]
    return seat != verbs.CHANCE, hint if seat == 0 else -hint


def due_child(policy: Any, tree: Any, parent: int) -> int:
    """The child of the root with the fewest visits, of equal ones the first, if they are fewer than `least_visits`; else -1.

    A proven child is due no visits. With LEAST_VISITS off and below the root it is -1.
    """
    return least_visited(policy, tree, parent) if type(policy).LEAST_VISITS else -1


@overloaded(due_child)
def _due_child(policy: Any, tree: Any, parent: int) -> Any:
    if class_of(policy).LEAST_VISITS:
        return lambda policy, tree, parent: least_visited(policy, tree, parent)
    return lambda policy, tree, parent: -1


@inner
def least_visited(policy: Any, tree: Any, parent: int) -> int:
    """See `due_child`."""
    due, fewest = -1, policy.least_visits
    if parent != tree.path[0]:
        return due
    for child in range(tree.first[parent], tree.first[parent] + tree.count[parent]):
        if tree.visits[child] < fewest and tree.proof[child] == UNPROVEN:
            due, fewest = child, tree.visits[child]
    return due


@inner
def best_child(
    visits: NDArray[np.int32],
    total: NDArray[np.float64],
    proof: NDArray[np.float64],
    parent: int,
    first: int,
    end: int,
    c_uct: float,
) -> int:
    """The child with the best score among those not lost. first, end: the children of parent, which have all been visited."""
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
def blend(score: float, child: int, trust: float, rave_visits: Any, rave_total: Any) -> float:
    """RAVE: a mean, or the value of a child without visits, drawn towards that of all simulations with its action."""
    if rave_visits is None:
        return score
    if trust > 0.0 and rave_visits[child] > 0:
        return trust * rave_total[child] / rave_visits[child] + (1.0 - trust) * score
    return score


@inner
def trust_of(policy: Any, visits: float, rave_visits: Any) -> float:
    """How much RAVE's values count at a node of so many visits, in [0, 1]."""
    if rave_visits is None:
        return 0.0
    return math.sqrt(policy.rave / (3.0 * visits + policy.rave))


@inlined
def pick_child(policy: Any, tree: Any, parent: int) -> int:
    """The child to visit, by the formulas at the head of the file; one without visits stands behind those with some."""
    prior, hint, rave_visits, rave_total = tree.prior, tree.hint, tree.rave_visits, tree.rave_total
    start, opened, count = np.int64(tree.first[parent]), tree.opened[parent], tree.count[parent]
    visits = float(max(tree.visits[parent], 1))
    spread = policy.c_uct * math.sqrt(2.0 * (math.log(visits) + (1.0 if policy.neural_mcts >= 0.0 else 0.0)))
    weight = 0.5 * max(policy.neural_mcts, 0.0)  # of the evaluation in NeuralMCTS
    root, trust = math.sqrt(visits), trust_of(policy, visits, rave_visits)
    best, top = start, -np.inf
    for child in range(start, start + opened):
        n, score = float(tree.visits[child]), tree.proof[child]
        if score == UNPROVEN:
            score = blend(tree.total[child] / n, child, trust, rave_visits, rave_total)
        elif score <= -1.0:
            continue
        if policy.c_puct > 0.0:
            score += policy.c_puct * prior[child] * root / (1.0 + n)
        else:
            score += (1.0 - weight + weight * hint[child]) * spread / math.sqrt(n)
        if policy.bias > 0.0:
            score += policy.bias * hint[child] / (1.0 + n)
        if score > top:
            best, top = child, score  # type: ignore[assignment]
    if opened == count:
        return best  # type: ignore[return-value]
    candidate, most = start + opened, -np.inf
    for child in range(start + opened, start + count):
        score = blend(policy.fpu, child, trust, rave_visits, rave_total)
        score += policy.c_puct * prior[child] * root + (policy.bias + weight) * hint[child]
        if score > most:
            candidate, most = child, score
    if policy.urgency != 0:
        most = spread * (count - opened) / count
    elif policy.has_fpu == 0 and policy.c_puct == 0.0:
        return candidate
    return candidate if most > top else best  # type: ignore[return-value]


@inlined
def add_rave(policy: Any, stamps: Any, tree: Any, memory: Any, depth: int, length: int, value: float, simulation: int) -> None:
    """Counts a simulation for the children of each node of the path whose action the seat played there or later.

    stamps: of the memory. depth, length: of the path and of the record. value: as
    `value_for` takes it.
    """
    for ply in range(length - 1, -1, -1):
        seat = memory.record[ply, SEAT]
        if seat == verbs.CHANCE:
            continue
        stamps[seat * policy.num_actions + memory.record[ply, ACTION]] = simulation
        if ply < depth:
            node, paid = tree.path[ply], value_for(value, memory.results, seat)
            for child in range(tree.first[node], tree.first[node] + tree.count[node]):
                if stamps[seat * policy.num_actions + tree.action[child]] == simulation:
                    tree.rave_visits[child] += 1.0
                    tree.rave_total[child] += paid
