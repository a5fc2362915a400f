"""The formulas of the refined UCT by hand, on small trees: the functions run as plain Python."""

import math

import numpy as np
import pytest
from forest import CHILDREN, DELAYED, FOREST, GRABBED, THREE, Forest, tree
from search_games import board_at

from boardgym.baselines.search import uct_playouts as po
from boardgym.baselines.search import uct_tree as uct
from boardgym.baselines.search.uct import UNPROVEN
from boardgym.baselines.search.uct_refined import pick_child
from boardgym.compile import plain
from boardgym.core.policy import make_policy

VISITS, MEANS, PRIORS, HINTS = (10, 4, 6), (0.2, 0.5, -0.1), (0.2, 0.3, 0.5), (0.1, -0.4, 0.9)


def settings(options, game="TicTacToe-v0"):
    return make_policy(f"uct:100,{options}", game, seed=0).settings


def tree_of(opened=3, seats=2):
    """A root of 20 visits with three children, the first `opened` of them visited."""
    ints, floats = np.zeros((4, uct.RAVE_VISITS + 1), np.int32), np.zeros((4, uct.PROOF + seats))
    tree = uct.Tree(ints, floats, np.array([4, 0]), np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64))
    ints[0] = 20, 0, 1, 3, opened, 0
    floats[:, uct.PROOF :] = UNPROVEN
    for i in range(3):
        floats[i + 1, uct.PRIOR], floats[i + 1, uct.HINT] = PRIORS[i], HINTS[i]
        ints[i + 1, uct.ACTION], ints[i + 1, uct.FIRST], ints[i + 1, uct.COUNT] = i, -1, -1
        if i < opened:
            ints[i + 1, uct.VISITS], floats[i + 1, uct.TOTAL] = VISITS[i], VISITS[i] * MEANS[i]
    return tree


def picked(options, tree):
    return plain(pick_child)(settings(options), tree, 0, 0) - 1


def best(scores):
    return max(range(len(scores)), key=lambda i: scores[i])


@pytest.mark.parametrize("c", [0.0, 0.3, 0.7, 3.0, 50.0])
def test_ucb(c):
    scores = [q + c * math.sqrt(2 * math.log(20) / n) for q, n in zip(MEANS, VISITS, strict=True)]
    assert picked(f"c={c},fpu=-100", tree_of()) == best(scores)


@pytest.mark.parametrize("constant", [0.05, 0.5, 2.0, 30.0])
def test_puct(constant):
    for opened in (0, 1, 2, 3):
        seen = [(MEANS[i], VISITS[i]) if i < opened else (0.0, 0) for i in range(3)]
        scores = [q + constant * p * math.sqrt(20) / (1 + n) for (q, n), p in zip(seen, PRIORS, strict=True)]
        assert picked(f"puct={constant}", tree_of(opened)) == best(scores)


@pytest.mark.parametrize("k", [1.0, 60.0, 5000.0])
def test_rave(k):
    tree, rave = tree_of(), ((30, -0.5), (3, 0.9), (40, 0.7))
    for i, (count, mean) in enumerate(rave):
        tree.ints[i + 1, uct.RAVE_VISITS], tree.floats[i + 1, uct.RAVE_TOTAL] = count, count * mean
    beta = math.sqrt(k / (3 * 20 + k))
    scores = [beta * r + (1 - beta) * q for (_, r), q in zip(rave, MEANS, strict=True)]
    assert picked(f"rave={k},c=0", tree) == best(scores)


@pytest.mark.parametrize("weight", [0.1, 1.0, 20.0])
def test_progressive_bias(weight):
    scores = [q + weight * h / (1 + n) for q, h, n in zip(MEANS, HINTS, VISITS, strict=True)]
    assert picked(f"bias={weight},c=0", tree_of()) == best(scores)
    assert picked(f"bias={weight}", tree_of(opened=1)) == 2  # of those without visits the one of the best hint


@pytest.mark.parametrize("c", [0.0, 0.3, 2.0])
def test_neural_mcts(c):
    """As its source has it, with the heuristic for its network's value."""
    for opened in (0, 1, 2, 3):
        scores = [1.0 + (h + 1) / 2 for h in HINTS]
        for i in range(opened):
            scores[i] = MEANS[i] + (HINTS[i] + 1) / 2 * c * math.sqrt(2 * (1 + math.log(20)) / VISITS[i])
        assert picked(f"neural_mcts=1,c={c}", tree_of(opened)) == best(scores)


def test_first_play_urgency():
    seen = MEANS[0] + 0.7 * math.sqrt(2 * math.log(20) / VISITS[0])
    assert picked(f"fpu={seen - 0.01},c=0.7", tree_of(opened=1)) == 0
    assert picked(f"fpu={seen + 0.01},c=0.7", tree_of(opened=1)) == 1
    assert picked("rave=50,c=0.7", tree_of(opened=1)) == 1  # without it a child without visits goes first


def test_urgency_of_what_is_unexplored():
    for opened in (1, 2):
        for c in (0.01, 0.5, 3.0):
            scores = [MEANS[i] + c * math.sqrt(2 * math.log(20) / VISITS[i]) for i in range(opened)]
            urgency = c * math.sqrt(2 * math.log(20)) * (3 - opened) / 3
            assert picked(f"urgency=1,c={c}", tree_of(opened)) == (opened if urgency > max(scores) else best(scores))


def test_proven_losses_are_passed_over():
    tree = tree_of()
    tree.floats[2, uct.PROOF :] = -1.0, 1.0
    assert picked("c=0,fpu=0", tree) == 0
    tree.floats[1, uct.PROOF :] = 0.0, 0.0  # proven draws count with their value
    tree.floats[3, uct.TOTAL] = 0.06
    assert picked("c=0,fpu=0", tree) == 2


def test_proofs_of_three_seats_give_each_its_own():
    """Seat 2 is to move at the root, and takes what is best for itself once all is known."""
    tree, policy = tree_of(seats=3), settings("fpu=1", "Abalone3-v0")
    tree.path[:2], tree.seats[0] = (0, 3), 2
    tree.floats[1, uct.PROOF :], tree.floats[3, uct.PROOF :] = (1.0, -1.0, -0.5), (-1.0, 0.25, 0.5)
    plain(uct.back_up_proof)(policy, tree, 1)
    assert tree.floats[0, uct.PROOF] == UNPROVEN  # one child is open
    tree.floats[2, uct.PROOF :] = -0.5, 0.5, 0.0
    plain(uct.back_up_proof)(policy, tree, 1)
    assert tree.floats[0, uct.PROOF :].tolist() == [-1.0, 0.25, 0.5]
    tree.floats[0, uct.PROOF :] = tree.floats[2, uct.PROOF :] = UNPROVEN
    tree.floats[3, uct.PROOF :] = 0.0, 0.0, 1.0  # the most that there is needs no others
    plain(uct.back_up_proof)(policy, tree, 1)
    assert tree.floats[0, uct.PROOF :].tolist() == [0.0, 0.0, 1.0]


def test_rave_counts_actions_from_the_node_on():
    tree, policy = tree_of(), settings("rave=10")
    record = np.zeros((8, po.FACTS + 2), np.int64)
    record[:4, :2] = (0, 2), (1, 0), (0, 1), (1, 1)  # seat, action
    memory = po.Memory(record, np.zeros((1, 3)), np.full(18, -1), np.array([0.6, -0.6]), np.zeros(2), np.zeros(9), np.zeros(9))
    tree.path[:2] = 0, 3
    plain(uct.add_rave)(policy, tree, memory, 4, 1, 7)
    assert tree.ints[1:, uct.RAVE_VISITS].tolist() == [0, 1, 1]  # action 0 was the other seat's
    assert tree.floats[1:, uct.RAVE_TOTAL].tolist() == [0.0, 0.6, 0.6]


def memory_of(policy, plies, result):
    """What playouts remember, with a record of plies (seat, action, words)."""
    record = np.zeros((po.RECORD, po.FACTS + 2), np.int64)
    for i, ply in enumerate(plies):
        record[i] = ply
    slots = 2 * 9 if policy.playout in (po.MAST, po.TO_MAST) else 3 * 2 * 64
    table = np.zeros((slots, 3))
    table[:, po.WEIGHT] = 1.0
    return po.Memory(record, table, np.zeros(1), np.array(result), np.zeros(2), np.zeros(9), np.zeros(9))


@pytest.mark.parametrize(("kind", "known"), [("mast", 3), ("to_mast", 2)])
def test_mast_learns_means_and_weighs_by_gibbs(kind, known):
    policy = settings(f"playout={kind},tau=0.5")
    plies = [(0, 4, 0, 0), (1, 2, 0, 0), (0, 5, 0, 0)]
    memory = memory_of(policy, plies, [1.0, -1.0])
    plain(po.learn)(policy, 3, 2, memory)
    memory.results[:] = 0.0
    plain(po.learn)(policy, 1, 1, memory)  # seat 0 has played action 4 twice: once to 1, once to 0
    assert int((memory.table[:, po.COUNT] > 0).sum()) == known
    assert memory.table[4, po.WEIGHT] == pytest.approx(math.exp(0.5 / 0.5))
    assert memory.table[9 + 2, po.WEIGHT] == pytest.approx(math.exp(-1.0 / 0.5))
    assert memory.table[5, po.WEIGHT] == pytest.approx(math.exp(1.0 / 0.5) if kind == "mast" else 1.0)


def test_fast_learns_towards_the_return(monkeypatch):
    """Two plies; the last one's facts learn first, those before it from a mix of its value and the return."""
    monkeypatch.setattr(po, "learned_value", plain(po.learned_value))
    policy, rate, trace = settings("playout=fast"), po.STEP_SIZE, po.TRACE_DECAY
    memory = memory_of(policy, [(0, 4, 0b1, 0b10), (1, 2, 0b10, 0b101)], [1.0, -1.0])
    plain(po.learn_weights)(memory.table, memory.record, 2, 1.0)
    weights = memory.table[:, po.SUM]

    def weight(seat, word, bit):
        return weights[((seat + 1) * 2 + word) * 64 + bit]

    assert [weight(1, 0, 1), weight(1, 1, 0), weight(1, 1, 2)] == pytest.approx([rate / 3] * 3)
    first = rate * trace / 2  # the value of the last ply was 0 before it learned
    assert [weight(0, 0, 0), weight(0, 1, 1)] == pytest.approx([first] * 2)
    assert np.count_nonzero(weights) == 5


def pair(seat, action, word, bit):
    """A slot of PAST where no two pairs meet."""
    return ((seat * 9 + action) * 2 + word) * 64 + bit


def test_past_takes_the_best_pair_that_has_samples(monkeypatch):
    monkeypatch.setattr(po, "pair_slot", pair)
    table, facts = np.zeros((2 * 9 * 2 * 64, 3)), np.array([0b101, 0b10])
    for word, bit, count, mean in ((0, 0, 10, 0.3), (0, 2, 9, 0.9), (1, 1, 40, -0.5), (1, 0, 40, 1.0)):
        table[pair(1, 4, word, bit), [po.SUM, po.COUNT]] = count * mean, count
    value = plain(po.pair_value)
    assert value(table, facts, 1, 4) == pytest.approx(0.3)  # the 0.9 has too few samples, the 1.0 is no fact
    assert value(table, np.array([0b100, 0b10]), 1, 4) == pytest.approx(-0.5)
    assert value(table, np.array([0b100, 0]), 1, 4) == value(table, facts, 0, 4) == value(table, facts, 1, 5) == 0.0
    table[pair(1, 4, 0, 2), [po.SUM, po.COUNT]] = 9.0, 10
    assert value(table, facts, 1, 4) == pytest.approx(0.9)


def test_past_learns_of_every_fact_of_every_ply(monkeypatch):
    monkeypatch.setattr(po, "pair_slot", pair)
    policy = settings("playout=past")
    memory = memory_of(policy, [(0, 4, 0b11, 0b1), (1, 2, 0b100, 0)], [0.5, -0.5])._replace(table=np.zeros((2 * 9 * 2 * 64, 3)))
    for _ in range(2):
        plain(po.learn)(policy, 2, 1, memory)
    seen = {pair(0, 4, 0, 0): 1.0, pair(0, 4, 0, 1): 1.0, pair(0, 4, 1, 0): 1.0, pair(1, 2, 0, 2): -1.0}
    assert {slot: memory.table[slot, po.SUM] for slot in np.flatnonzero(memory.table[:, po.COUNT])} == seen
    assert set(memory.table[list(seen), po.COUNT]) == {2.0}


def test_cut_playouts_and_mixed_leaves():
    """A line without choices, worth 0, -0.5, 0.5, -0.9 to the heuristic and -0.9 at its end; the first ply is the tree's."""
    line = int(CHILDREN[CHILDREN[DELAYED, 0], 0])

    def value(options):
        return make_policy(f"uct:1,{options}", FOREST, seed=1).analyse(tree(line)).value

    assert value("fpu=0") == -0.9
    assert (value("cutoff=1"), value("cutoff=2")) == (0.5, -0.9)
    assert value("leaf=heuristic") == -0.5
    assert value("leaf=mix,mix=0.25") == pytest.approx(0.25 * -0.9 + 0.75 * -0.5)
    assert value("leaf=mix,mix=0.25,cutoff=1") == pytest.approx(0.25 * 0.5 + 0.75 * -0.5)


def test_playouts_take_the_best_win_at_once():
    """Seat 0 plays twice: one action of the tree, then one of two, of which either the second or the first pays more."""

    def values(branch, options):
        board = board_at(FOREST, Forest(int(CHILDREN[THREE, branch]), 0, 1))
        return make_policy(f"uct:16,threads=16,{options}", FOREST, seed=1).analyse(board).action_values  # a playout each

    assert values(0, "decisive=1") == pytest.approx({0: 0.4, 1: 0.7})  # beside 0.1 and 0.6
    assert values(1, "decisive=1") == pytest.approx({0: 0.5, 1: 0.7})  # beside 0.1 and 0.5
    drawn = values(0, "fpu=0")
    assert 0.1 < drawn[0] < 0.4
    assert 0.6 < drawn[1] < 0.7


def test_a_win_that_could_be_greater_is_tried_first_and_proves_nothing():
    ends = int(CHILDREN[GRABBED, 0])
    for seat, action, value in ((0, 1, 0.5), (1, 0, 0.8)):
        board = board_at(FOREST, Forest(ends, seat, 2))
        for simulations, proven in ((1, False), (2, True)):
            found = make_policy(f"uct:{simulations},decisive=1", FOREST, seed=1).analyse(board)
            assert (found.action, found.value, found.is_proven) == (action, value, proven)


def test_a_tree_is_kept_from_the_node_that_was_reached():
    reroot = plain(uct.reroot)
    ints, floats = np.zeros((9, uct.RAVE_VISITS + 1), np.int32), np.arange(9.0 * (uct.PROOF + 2)).reshape(9, -1)
    ints[:, uct.FIRST], ints[:, uct.COUNT], ints[:, uct.VISITS] = -1, -1, np.arange(9) + 100
    ints[0, 2:4], ints[1, 2:4], ints[2, 2:4], ints[5, 2:4] = (1, 2), (3, 2), (5, 2), (7, 2)
    ints[1:9, uct.ACTION] = 0, 1, 0, 1, 6, 7, 2, 3
    before, used = floats.copy(), np.array([9, 1])
    reroot(ints, floats, used, np.array([1]))
    assert used[0] == 5
    assert ints[:5, uct.VISITS].tolist() == [102, 105, 106, 107, 108]
    assert ints[:5, uct.FIRST].tolist() == [1, 3, -1, -1, -1]
    assert ints[1:5, uct.ACTION].tolist() == [6, 7, 2, 3]
    assert np.array_equal(floats[:5], before[[2, 5, 6, 7, 8]])
    reroot(ints, floats, used, np.array([6, 3]))
    assert (used[0], ints[0, uct.VISITS]) == (1, 108)
    reroot(ints, floats, used, np.array([4]))
    assert used[0] == 0
