"""UCT without proofs that plays the greatest mean, as in the UCT-CCNN study: against its pseudo-code in Python."""

import copy
import math
import pickle

import numpy as np
import pytest
from search_games import SHUTTLE, TWICE, analyse, as_written, random_boards

from boardgym.baselines.search.common import scale_of
from boardgym.baselines.search.uct import UCT
from boardgym.compile import uncompiled
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, stream

STUDY = "solver=0,choice=max_child"
C = 0.7
WIN = 8  # the action that wins at once on the board of one test


class Node:
    """A node of the study's tree: visits, wins less losses of the seat that acted in the parent, children in their order."""

    def __init__(self, action, mover, board):
        self.action, self.mover, self.visits, self.total = action, mover, 0, 0.0
        self.children, self.untried = [], list(board.legal_actions)


def plain_uct(board, simulations, rng):
    """The search of the study's section 4 on a board that it plays on and takes back: (the action, the root)."""
    scale, root = scale_of(board.game), Node(-1, board.to_play, board)
    for _ in range(simulations):
        path, start = [root], len(board.actions)
        while not board.is_terminal:
            node, seat = path[-1], board.to_play
            if node.untried:  # expand one at random; the first takes its place
                i = draw(rng, len(node.untried))
                action, node.untried[i] = node.untried[i], node.untried[0]
                node.untried.pop(0)
                board.push(action)
                node.children.append(Node(action, seat, board))
                path.append(node.children[-1])
                break
            child = max(node.children, key=lambda child: score(node, child))
            board.push(child.action)
            path.append(child)
        paid = (board.returns()[0] if board.is_terminal else plain_playout(board.position, rng)) * scale
        for node in path:
            node.visits += 1
            node.total += paid if node.mover == 0 else -paid
        while len(board.actions) > start:
            board.pop()
    return min(root.children, key=lambda child: (-child.total / child.visits, child.action)).action, root


def plain_playout(position, rng):
    """What seat 0 gets when both seats draw their actions, by the rules alone: playouts count no repetitions."""
    out = np.zeros(60, np.int64)
    with uncompiled():
        while (count := verbs.legal_actions(position, out)) > 0:
            position = type(position)(*verbs.apply(position, int(out[draw(rng, count)])))
        return verbs.returns(position, 0)


def score(parent, child):
    """Q / V + c sqrt(2 ln V(parent) / V), in the order in which the kernel rounds."""
    share = 1.0 / child.visits
    return child.total * share + math.sqrt(2.0 * C * C * math.log(parent.visits) * share)


def boards():
    """Boards, and whether the search is to run as Python on them."""
    for board in (
        *random_boards(get_game("TicTacToe-v0"), 6, (0, 6), seed=2),
        Board("TicTacToe-v0", "3/oo1/xx1 x"),  # a win in one
        Board("TicTacToe-v0", "3/1o1/xx1 o"),  # all but one action lose
    ):
        yield board, False
    for pile, ply in ((2, 0), (5, 1), (7, 2)):
        yield Board(TWICE, f"{pile} {ply}", compiled=False), True
    for cart, seat in ((1, 0), (2, 1)):  # which ends by repetition
        yield Board(SHUTTLE, f"{cart} {seat}", compiled=False), True


@pytest.mark.parametrize("simulations", [1, 40, 300])
def test_it_is_the_search_of_the_study(simulations):
    seen_proofs = seen_lost = 0
    for board, is_python in boards():
        policies = [make_policy(f"uct:{simulations}{more}", board.game, seed=0) for more in (f",{STUDY}", "")]
        first, usual = map(as_written, policies) if is_python else policies
        found = first.analyse_with(board, stream(simulations))
        action, root = plain_uct(board.copy(), simulations, stream(simulations))
        visits = {child.action: child.visits for child in root.children}
        means = {child.action: child.total / child.visits for child in root.children}
        assert found.nodes == simulations == sum(visits.values())  # nothing ends it early
        assert {a: n for a, n in found.visit_counts.items() if n} == dict(sorted(visits.items()))
        assert {a: q for a, q in found.action_values.items() if visits.get(a)} == pytest.approx(means, abs=1e-12)
        best = max(means.values())
        assert means[found.action] == best
        assert found.action == action or list(means.values()).count(best) > 1  # ties are drawn
        assert not found.is_proven
        proven = usual.analyse(board)
        seen_proofs += proven.is_proven
        seen_lost += -1.0 in proven.action_values.values()
    assert simulations < 300 or (seen_proofs >= 4 and seen_lost >= 2)  # there was something to prove


def test_the_choice_is_the_greatest_mean_with_proofs_too():
    differ = 0
    for board in random_boards(get_game("ConnectFour-v0"), 25, (4, 20), seed=3):
        found = as_written(make_policy("uct:30,choice=max_child", board.game, seed=0)).analyse(board)
        tried = {a: value for a, value in found.action_values.items() if found.visit_counts[a]}
        if not found.is_proven:  # else it is one of the proven ones
            assert found.action == max(tried, key=lambda a: (tried[a], -a))
        assert found.value == tried[found.action]
        differ += found.visit_counts[found.action] < max(found.visit_counts.values())
        robust = analyse("uct:30", board)
        assert robust.visit_counts == found.visit_counts  # nothing but the choice
        lost = [a for a, value in robust.action_values.items() if value == -1.0]
        if robust.action not in lost and not robust.is_proven:
            assert robust.visit_counts[robust.action] == max(n for a, n in robust.visit_counts.items() if a not in lost)
    assert differ >= 3
    board = Board("ConnectFour-v0", "7/7/7/7/ooo4/xxx4 x")
    found = as_written(make_policy("uct:500,choice=max_child", board.game, seed=0)).analyse(board)
    assert (found.action, found.value, found.is_proven) == (3, 1.0, True)


def test_the_usual_search_is_plain_uct():
    board = Board("TicTacToe-v0")
    usual = make_policy("uct:50", board.game, seed=1)
    assert type(usual.settings) is UCT
    assert type(make_policy("uct:50,solver=1,choice=robust_child", board.game, seed=1).settings) is UCT
    first = make_policy(f"uct:50,{STUDY}", board.game, seed=1)
    assert (type(first.settings).SOLVES, type(first.settings).MAX_CHILD) == (False, True)
    for twin in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert twin.act(board) == copy.deepcopy(first).act(board)
        assert type(twin.settings) is type(first.settings)


@pytest.mark.parametrize(
    "extra",
    ["rave=30,decisive=1", "threads=2", pytest.param("reuse=1", marks=pytest.mark.plain), "puct=1,leaf=mix,prior=heuristic"],
)
def test_it_goes_with_other_settings(extra):
    board = Board("TicTacToe-v0", "3/oo1/xx1 x")
    policy = make_policy(f"uct:200,{STUDY},{extra}", board.game, seed=1)
    if "," in extra:
        as_written(policy)
    found = policy.analyse(board)
    assert (found.action, found.value, found.is_proven, found.nodes) == (WIN, 1.0, False, 200)
    assert policy.act(board) == WIN
    assert found.action_values[WIN] == 1.0
    one, other = (policy.analyse_with(board, stream(5)) for _ in range(2))
    assert one.visit_counts == other.visit_counts
    assert one.action == WIN


def test_an_analysis_from_a_stream_is_what_the_policy_plays():
    board, rng, twin = Board("TicTacToe-v0"), stream(4), stream(4)
    policy = make_policy("uct:20", board.game, seed=0)
    played = [policy.act_with(board, twin) for _ in range(6)]
    assert [policy.analyse_with(board, rng).action for _ in range(6)] == played
    assert np.array_equal(rng, twin)
    assert len(set(played)) > 1


@pytest.mark.parametrize(("setting", "message"), [("solver=2", "solver=2"), ("choice=max", "max_child")])
def test_other_values_are_refused(setting, message):
    with pytest.raises(SpecError, match=message):
        make_policy(f"uct:50,{setting}", "TicTacToe-v0")
