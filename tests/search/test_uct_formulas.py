"""The formulas of the refined UCT by hand, on small trees: the functions run as plain Python."""

import contextlib
import math

import numpy as np
import pytest
from forest import CHILDREN, DELAYED, FOREST, GRABBED, THREE, Forest, tree
from search_games import as_written, board_at

from boardgym.baselines.search import uct_playouts as po
from boardgym.baselines.search import uct_policies
from boardgym.baselines.search import uct_tree as uct
from boardgym.baselines.search.evaluation import Heuristic
from boardgym.baselines.search.uct_selection import add_rave, pick_child
from boardgym.baselines.search.uct_tree import UNPROVEN
from boardgym.compile import as_python, plain
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import next_word, stream

VISITS, MEANS, PRIORS, HINTS = (10, 4, 6), (0.2, 0.5, -0.1), (0.2, 0.3, 0.5), (0.1, -0.4, 0.9)


def settings(options, game="TicTacToe-v0"):
    return make_policy(f"uct:100,{options}", game, seed=0).settings


def tree_of(policy, opened=3):
    """A root of 20 visits with three children, the first `opened` of them visited."""
    tree = uct.new_tree(policy, 4, ())
    for column in uct.node_columns(tree):
        if column is not None:
            column[:] = 0
    tree.size[:] = 4, 0
    tree.visits[0], tree.first[0], tree.count[0], tree.opened[0] = 20, 1, 3, opened
    tree.proof[:], tree.first[1:], tree.count[1:] = UNPROVEN, -1, -1
    tree.action[1:], tree.prior[1:], tree.hint[1:] = range(3), PRIORS, HINTS
    for i in range(opened):
        tree.visits[i + 1], tree.total[i + 1] = VISITS[i], VISITS[i] * MEANS[i]
    return tree


def picked(options, opened=3, change=lambda tree: None):
    """Which child is visited. change: alters the tree before."""
    policy = settings(options)
    tree = tree_of(policy, opened)
    change(tree)
    return plain(pick_child)(policy, tree, 0) - 1


@pytest.fixture
def searched(monkeypatch):
    """What a search of the trees finds, as Python."""
    monkeypatch.setattr(uct_policies.EntryPoints, "find", lambda self, compiled, *_: as_python(compiled))  # on threads
    monkeypatch.setattr(uct_policies, "crew_of", lambda helpers: contextlib.nullcontext((0, 0)))

    def analyse(spec, board):
        policy = make_policy(spec, FOREST, seed=1)
        return (as_written(policy) if isinstance(policy, uct_policies.UCTPolicy) else policy).analyse(board)

    return analyse


def best(scores):
    return max(range(len(scores)), key=lambda i: scores[i])


@pytest.mark.parametrize("c", [0.0, 0.3, 0.7, 3.0, 50.0])
def test_ucb(c):
    scores = [q + c * math.sqrt(2 * math.log(20) / n) for q, n in zip(MEANS, VISITS, strict=True)]
    assert picked(f"c={c},fpu=-100") == best(scores)


@pytest.mark.parametrize("constant", [0.05, 0.5, 2.0, 30.0])
def test_puct(constant):
    for opened in (0, 1, 2, 3):
        seen = [(MEANS[i], VISITS[i]) if i < opened else (0.0, 0) for i in range(3)]
        scores = [q + constant * p * math.sqrt(20) / (1 + n) for (q, n), p in zip(seen, PRIORS, strict=True)]
        assert picked(f"puct={constant}", opened) == best(scores)


@pytest.mark.parametrize("k", [1.0, 60.0, 5000.0])
def test_rave(k):
    rave = ((30, -0.5), (3, 0.9), (40, 0.7))

    def change(tree):
        for i, (count, mean) in enumerate(rave):
            tree.rave_visits[i + 1], tree.rave_total[i + 1] = count, count * mean

    beta = math.sqrt(k / (3 * 20 + k))
    scores = [beta * r + (1 - beta) * q for (_, r), q in zip(rave, MEANS, strict=True)]
    assert picked(f"rave={k},c=0", change=change) == best(scores)


@pytest.mark.parametrize("weight", [0.1, 1.0, 20.0])
def test_progressive_bias(weight):
    scores = [q + weight * h / (1 + n) for q, h, n in zip(MEANS, HINTS, VISITS, strict=True)]
    assert picked(f"bias={weight},c=0") == best(scores)
    assert picked(f"bias={weight}", 1) == 2  # of those without visits the one of the best hint


@pytest.mark.parametrize("weight", [0.0, 0.2, 1.0, 2.0])
@pytest.mark.parametrize("c", [0.0, 0.3, 2.0])
def test_neural_mcts(c, weight):
    """As its source has it with weight 1, with the heuristic for its network's value."""
    shares = [1 - weight / 2 + weight * h / 2 for h in HINTS]
    assert weight != 1.0 or shares == pytest.approx([(h + 1) / 2 for h in HINTS])
    for opened in (0, 1, 2, 3):
        scores = [1.0 + share for share in shares]
        for i in range(opened):
            scores[i] = MEANS[i] + shares[i] * c * math.sqrt(2 * (1 + math.log(20)) / VISITS[i])
        assert picked(f"neural_mcts={weight},c={c}", opened) == best(scores)


def test_first_play_urgency():
    seen = MEANS[0] + 0.7 * math.sqrt(2 * math.log(20) / VISITS[0])
    assert picked(f"fpu={seen - 0.01},c=0.7", 1) == 0
    assert picked(f"fpu={seen + 0.01},c=0.7", 1) == 1
    assert picked("rave=50,c=0.7", 1) == 1  # without it a child without visits goes first


def test_urgency_of_what_is_unexplored():
    for opened in (1, 2):
        for c in (0.01, 0.5, 3.0):
            scores = [MEANS[i] + c * math.sqrt(2 * math.log(20) / VISITS[i]) for i in range(opened)]
            urgency = c * math.sqrt(2 * math.log(20)) * (3 - opened) / 3
            assert picked(f"urgency=1,c={c}", opened) == (opened if urgency > max(scores) else best(scores))


def test_proven_losses_are_passed_over():
    def lose(tree):
        tree.proof[2] = -1.0

    def draw(tree):
        lose(tree)
        tree.proof[1], tree.total[3] = 0.0, 0.06  # proven draws count with their value

    assert picked("c=0,fpu=0", change=lose) == 0
    assert picked("c=0,fpu=0", change=draw) == 2


def test_proofs_of_three_seats_give_each_its_own():
    """Seat 2 is to move at the root, and takes what is best for itself once all is known."""
    tree = tree_of(settings("fpu=1", "Abalone3-v0"))
    tree.path[:2], tree.seats[0], proofs = (0, 3), 2, tree.proofs
    back_up_proof = plain(uct.back_up_proof)

    def prove(node, values):
        proofs[node], tree.proof[node] = values, values[2]

    prove(1, (1.0, -1.0, -0.5))
    prove(3, (-1.0, 0.25, 0.5))
    back_up_proof(tree, proofs, 1)
    assert tree.proof[0] == UNPROVEN  # one child is open
    prove(2, (-0.5, 0.5, 0.0))
    back_up_proof(tree, proofs, 1)
    assert proofs[0].tolist() == [-1.0, 0.25, 0.5]
    assert tree.proof[0] != UNPROVEN
    tree.proof[0] = tree.proof[2] = UNPROVEN
    prove(3, (0.0, 0.0, 1.0))  # the most that there is needs no others
    back_up_proof(tree, proofs, 1)
    assert proofs[0].tolist() == [0.0, 0.0, 1.0]


def test_rave_counts_actions_from_the_node_on():
    policy = settings("rave=10")
    tree, record, stamps = tree_of(policy), np.zeros((8, po.FACTS + 2), np.int64), np.full(18, -1)
    record[:4, :2] = (0, 2), (1, 0), (0, 1), (1, 1)  # seat, action
    memory = po.Memory(np.zeros(9), np.zeros(9), None, record, None, stamps, *[None] * 5, ())
    tree.path[:2] = 0, 3
    plain(add_rave)(policy, stamps, tree, memory, 1, 4, 0.6, 7)
    assert tree.rave_visits[1:].tolist() == [0, 1, 1]  # action 0 was the other seat's
    assert tree.rave_total[1:].tolist() == [0.0, 0.6, 0.6]


def learnt(policy, plies, *simulations):
    """The table after simulations (length, in_tree, value), whose record has plies (seat, action, words)."""
    record = np.zeros((po.RECORD, po.FACTS + 2), np.int64)
    for i, ply in enumerate(plies):
        record[i] = ply
    table = np.zeros((2 * 9 * 2 * 64, 3))
    table[:, po.WEIGHT] = 1.0
    for length, in_tree, value in simulations:
        plain(po.learn)(policy, length, in_tree, record, table, value, None)
    return table


@pytest.mark.parametrize(("kind", "known"), [("mast", 3), ("to_mast", 2)])
def test_mast_learns_means_and_weighs_by_gibbs(kind, known):
    policy = settings(f"playout={kind},tau=0.5")
    plies = [(0, 4, 0, 0), (1, 2, 0, 0), (0, 5, 0, 0)]
    table = learnt(policy, plies, (3, 2, 1.0), (1, 1, 0.0))  # seat 0 has played action 4 twice: once to 1, once to 0
    assert int((table[:, po.COUNT] > 0).sum()) == known
    assert table[4, po.WEIGHT] == pytest.approx(math.exp(0.5 / 0.5))
    assert table[9 + 2, po.WEIGHT] == pytest.approx(math.exp(-1.0 / 0.5))
    assert table[5, po.WEIGHT] == pytest.approx(math.exp(1.0 / 0.5) if kind == "mast" else 1.0)


def test_fast_learns_towards_the_return(monkeypatch):
    """Two plies; the last one's facts learn first, those before it from a mix of its value and the return."""
    monkeypatch.setattr(po, "learned_value", plain(po.learned_value))
    policy, rate, trace = settings("playout=fast"), po.STEP_SIZE, po.TRACE_DECAY
    monkeypatch.setattr(po, "learn_weights", plain(po.learn_weights))
    weights = learnt(policy, [(0, 4, 0b1, 0b10), (1, 2, 0b10, 0b101)], (2, 2, 1.0))[:, po.SUM]

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
    monkeypatch.setattr(po, "learn_pairs", plain(po.learn_pairs))
    table = learnt(settings("playout=past"), [(0, 4, 0b11, 0b1), (1, 2, 0b100, 0)], (2, 1, 0.5), (2, 1, 0.5))
    seen = {pair(0, 4, 0, 0): 1.0, pair(0, 4, 0, 1): 1.0, pair(0, 4, 1, 0): 1.0, pair(1, 2, 0, 2): -1.0}
    assert {slot: table[slot, po.SUM] for slot in np.flatnonzero(table[:, po.COUNT])} == seen
    assert set(table[list(seen), po.COUNT]) == {2.0}


def test_cut_playouts_and_mixed_leaves(searched):
    """A line without choices, worth 0, -0.5, 0.5, -0.9 to the heuristic and -0.9 at its end; the first ply is the tree's."""
    line = int(CHILDREN[CHILDREN[DELAYED, 0], 0])

    def value(options):
        return searched(f"uct:1,{options}", tree(line)).value

    assert value("fpu=0") == -0.9
    assert (value("cutoff=1"), value("cutoff=2")) == (0.5, -0.9)
    assert value("leaf=heuristic") == -0.5
    assert value("leaf=mix,mix=0.25") == pytest.approx(0.25 * -0.9 + 0.75 * -0.5)
    assert value("leaf=mix,mix=0.25,cutoff=1") == pytest.approx(0.25 * 0.5 + 0.75 * -0.5)


def test_playouts_take_the_best_win_at_once(searched):
    """Seat 0 plays twice: one action of the tree, then one of two, of which either the second or the first pays more."""

    def values(branch, options):
        board = board_at(FOREST, Forest(int(CHILDREN[THREE, branch]), 0, 1))
        return searched(f"uct:16,threads=16,{options}", board).action_values  # a playout each

    assert values(0, "decisive=1") == pytest.approx({0: 0.4, 1: 0.7})  # beside 0.1 and 0.6
    assert values(1, "decisive=1") == pytest.approx({0: 0.5, 1: 0.7})  # beside 0.1 and 0.5
    drawn = values(0, "fpu=0")
    assert 0.1 < drawn[0] < 0.4
    assert 0.6 < drawn[1] < 0.7


def test_a_win_that_could_be_greater_is_tried_first_and_proves_nothing(searched):
    ends = int(CHILDREN[GRABBED, 0])
    for seat, action, value in ((0, 1, 0.5), (1, 0, 0.8)):
        board = board_at(FOREST, Forest(ends, seat, 2))
        for simulations, proven in ((1, False), (2, True)):
            found = searched(f"uct:{simulations},decisive=1", board)
            assert (found.action, found.value, found.is_proven) == (action, value, proven)


def test_a_tree_is_kept_from_the_node_that_was_reached():
    tree = uct.new_tree(settings("rave=50"), 9, ())
    tree.size[:], tree.first[:], tree.count[:], tree.visits[:] = (9, 1), -1, -1, np.arange(9) + 100
    for column in (tree.total, tree.proof, tree.prior, tree.hint, tree.rave_visits, tree.rave_total):
        column[:] = np.arange(9) + 0.5
    for node, first in ((0, 1), (1, 3), (2, 5), (5, 7)):
        tree.first[node], tree.count[node] = first, 2
    tree.action[1:9] = 0, 1, 0, 1, 6, 7, 2, 3
    uct.reroot(tree, np.array([1]))
    assert tree.size[uct.USED] == 5
    assert tree.visits[:5].tolist() == [102, 105, 106, 107, 108]
    assert tree.first[:5].tolist() == [1, 3, -1, -1, -1]
    assert tree.action[1:5].tolist() == [6, 7, 2, 3]
    for column in (tree.total, tree.proof, tree.prior, tree.hint, tree.rave_visits, tree.rave_total):
        assert column[:5].tolist() == [2.5, 5.5, 6.5, 7.5, 8.5]
    uct.reroot(tree, np.array([6, 3]))
    assert (tree.size[uct.USED], tree.visits[0]) == (1, 108)
    uct.reroot(tree, np.array([4]))
    assert tree.size[uct.USED] == 0


@pytest.mark.parametrize("decisive", [0, 1])
def test_softmax_draws_by_what_the_evaluation_says_of_each_action(monkeypatch, decisive):
    """Shares e^(Q/tau) of three actions, worth 0.5 and -0.5 to the heuristic and, at an end, what that pays."""
    monkeypatch.setattr(po, "look_at", plain(po.look_at))
    monkeypatch.setattr(po, "weigh", plain(po.weigh))
    monkeypatch.setattr(po, "mix", plain(po.mix))
    policy = settings(f"playout=softmax,tau=0.5,decisive={decisive}")
    board = Board("TicTacToe-v0", "xx1/oo1/2x o")  # o wins by c2; c3 keeps x from winning
    moves, record, rng = np.array(board.legal_actions), np.zeros((po.RECORD, po.FACTS + 3), np.int64), stream(1)
    memory = po.Memory(moves, np.zeros(9), None, record, *[None] * 4, np.zeros(0), None, None, (Heuristic(), ()))
    values = []
    for action in board.legal_actions:
        after = board.copy()
        after.push(action)
        values.append(after.returns()[1] if after.is_terminal else verbs.heuristic(after.position, 1))
    assert 1.0 in values
    assert len({*values}) > 1
    draw, given = plain(po.draw_action), (memory, None, memory.values)
    drawn = [int(draw(policy, board.position, len(moves), np.uint64(next_word(rng)), *given)) for _ in range(400)]
    if decisive:
        assert {*drawn} == {values.index(1.0)}
        return
    assert memory.weights[: len(moves)] == pytest.approx(np.exp(np.array(values) / 0.5))
    shares = np.exp(np.array(values) / 0.5) / np.exp(np.array(values) / 0.5).sum()
    assert np.bincount(drawn, minlength=len(moves)) / 400 == pytest.approx(shares, abs=0.08)
