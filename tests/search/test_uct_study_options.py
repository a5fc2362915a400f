"""Early cut-offs, grouped actions, least visits and the memory limit of UCT, against plain rewritings and numbers by hand."""

import itertools
import math

import numpy as np
import pytest
from search_games import TWICE, plain_minimax, random_boards

from boardgym.baselines.learning.examples.games import play_example_game
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.baselines.search import uct_cutoffs as lv
from boardgym.baselines.search.common import scale_of
from boardgym.baselines.search.interrupt import search_kernel
from boardgym.baselines.search.uct import UCT
from boardgym.compile import as_python, plain, uncompiled
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, stream

GAME, C = "TicTacToe-v0", 0.7


class PlainSearch:
    """UCT without proofs on a board that it plays on and takes back, with the options as their definitions read.

    Nodes are lists [action, mover, visits, total, children, untried actions].
    """

    def __init__(self, board, rng, *, symmetry=0, least_visits=0, cutoff_range=-1.0, stability=0.0, room=math.inf):
        self.board, self.rng, self.scale, self.ends = board.copy(), rng, scale_of(board.game), []
        self.symmetry, self.least, self.range, self.stability, self.room = symmetry, least_visits, cutoff_range, stability, room
        self.nodes, self.cut = 1, 0
        self.root = [-1, -1, 0, 0.0, [], None]

    def actions(self):
        """The legal actions; of those whose boards are images of each other the first."""
        if not self.symmetry:
            return list(self.board.legal_actions)
        groups = {}
        for action in self.board.legal_actions:
            self.board.push(action)
            with uncompiled():
                position = self.board.position
                images = [tuple(verbs.transform(position, k)) for k in range(verbs.num_symmetries(position))]
            self.board.pop()
            groups.setdefault(frozenset(images), action)
        return list(groups.values())

    def select(self, path):
        node = path[-1]
        due = [child for child in node[4] if child[2] < self.least] if len(path) == 1 else []
        if due:
            return min(due, key=lambda child: child[2])
        spread = 2.0 * C * C * math.log(node[2])
        return max(node[4], key=lambda child: child[3] / child[2] + math.sqrt(spread / child[2]))

    def simulate(self):
        board, path, start = self.board, [self.root], len(self.board.actions)
        while not board.is_terminal:
            node, seat = path[-1], board.to_play
            if node[5] is None:
                actions = self.actions()
                if self.nodes + len(actions) > self.room:
                    break
                self.nodes += len(actions)
                node[5] = actions
            if node[5]:
                i = draw(self.rng, len(node[5]))
                action, node[5][i] = node[5][i], node[5][0]
                node[5].pop(0)
                board.push(action)
                path.append([action, seat, 0, 0.0, [], None])
                node[4].append(path[-1])
                break
            path.append(self.select(path))
            board.push(path[-1][0])
        paid = board.returns()[0] * self.scale if board.is_terminal else self.playout(board.position, len(path) - 1)
        for node in path:
            node[2] += 1
            node[3] += paid if node[1] == 0 else -paid
        while len(board.actions) > start:
            board.pop()

    def playout(self, position, depth):
        """What seat 0 gets, by the rules or where the playout is cut by the heuristic."""
        out, scores = np.zeros(60, np.int64), []
        with uncompiled():
            while (count := verbs.legal_actions(position, out)) > 0:
                if self.stability:
                    scores.append(verbs.heuristic(position, 0))
                if self.is_out_of_range(depth) or (self.stability and self.is_stable(scores)):
                    self.cut += 1
                    return verbs.heuristic(position, 0)
                position = type(position)(*verbs.apply(position, int(out[draw(self.rng, count)])))
                depth += 1
            self.ends.append(depth)
            return verbs.returns(position, 0) * self.scale

    def is_out_of_range(self, depth):
        ends = self.ends[: lv.SAMPLED_PLAYOUTS]
        if self.range < 0.0 or len(ends) < lv.SAMPLED_PLAYOUTS:
            return False
        return depth >= min(ends) + self.range * (max(ends) - min(ends))

    def is_stable(self, scores):
        """Whether the mean change since the first one fell below the threshold two plies ago or earlier."""
        changes = [abs(after - before) for before, after in itertools.pairwise(scores)]
        first = next((i for i, change in enumerate(changes) if change), len(changes))
        means = [sum(changes[first : i + 1]) / (i + 1 - first) for i in range(first, len(changes) - 2)]
        return any(0.0 < mean < self.stability for mean in means)


def as_written(spec, board):
    """A search whose kernel runs as Python: that it is the same when compiled is a test of test_uct_refined.py."""
    policy = make_policy(spec, board.game, seed=0)
    policy._entry, policy._entry_is_for = as_python(search_kernel), policy.data
    return policy


def boards():
    return [Board(GAME), Board("ConnectFour-v0"), *random_boards(get_game(GAME), 2, (1, 3), seed=4),
            *random_boards(get_game("ConnectFour-v0"), 2, (1, 16), seed=4)]  # fmt: skip


def both(board, simulations, **options):
    """What the search finds, after a check against the plain one, and the plain one."""
    search = PlainSearch(board, stream(simulations), **options)
    for _ in range(simulations):
        search.simulate()
    given = "".join(f",{'nodes' if key == 'room' else key}={value}" for key, value in options.items())
    found = as_written(f"uct:{simulations},solver=0,c={C}{given}", board).analyse_with(board, stream(simulations))
    visits = {child[0]: child[2] for child in search.root[4]}
    assert {a: n for a, n in found.visit_counts.items() if n} == dict(sorted(visits.items()))
    means = {child[0]: child[3] / child[2] for child in search.root[4]}
    assert {a: q for a, q in found.action_values.items() if visits.get(a)} == pytest.approx(means, abs=1e-9)
    assert list(found.action_values) == sorted(visits)
    return found, search


OPTIONS = [{"symmetry": 1}, {"least_visits": 11}, {"cutoff_range": 0.3}, {"stability": 0.08}, {"room": 40},
           {"symmetry": 1, "least_visits": 20, "cutoff_range": 0.6, "stability": 0.05, "room": 90}]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_option_is_the_search_of_its_definition(options):
    differ = cut = 0
    for board in boards():
        found, search = both(board, 130, **options)
        differ += found.visit_counts != both(board, 130)[0].visit_counts
        cut += search.cut > 0
    assert differ >= 2
    assert (cut >= 4) == ("stability" in options or "cutoff_range" in options)


def test_a_score_is_stable_when_its_mean_change_is_small_and_not_0():
    """0.1, 0.1, 0.5, 0.5, 0.6: the changes from the first one on are 0.4, 0, 0.1 with means 0.4, 0.2, 0.1666..."""
    note_score, settings = plain(lv.note_score), make_policy("uct:10,stability=0.18", GAME).settings

    def stable_at(*scores):
        cuts = np.full(lv.CUTS, 7.0)  # what the playout before has left
        for plies, score in enumerate(scores):
            if plies == 0 or cuts[lv.STABLE_AT] == np.inf:
                note_score(settings, cuts, plies, score)
        return cuts[lv.STABLE_AT]

    assert stable_at(0.1, 0.1, 0.5, 0.5, 0.6) == 4
    assert stable_at(0.1, 0.1, 0.5, 0.5) == np.inf
    assert stable_at(*[0.1] * 20) == np.inf  # it has not changed yet
    assert stable_at(*[0.1] * 7, 0.2, 0.9) == 7


def test_the_range_is_that_of_the_first_ends(monkeypatch):
    """Of 10, 20 and 14 plies a quarter of the way is 12.5; a fourth end does not count."""
    monkeypatch.setattr(lv, "SAMPLED_PLAYOUTS", 3)
    settings, cuts = make_policy("uct:10,cutoff_range=0.25", GAME).settings, np.zeros(lv.CUTS)
    note_end, is_out_of_range = plain(lv.note_end), plain(lv.is_out_of_range)
    plain(lv.forget_ends)(cuts)
    for depth in (10, 20, 14):
        assert not is_out_of_range(settings, cuts, 99)
        note_end(cuts, depth)
    note_end(cuts, 2)
    assert [is_out_of_range(settings, cuts, depth) for depth in (3, 12, 13, 21)] == [False, False, True, True]


def test_tic_tac_toe_has_three_first_moves():
    found = as_written("uct:60,symmetry=1", Board(GAME)).analyse(Board(GAME))
    assert list(found.visit_counts) == [0, 1, 4]  # corner, edge, centre: the first of each
    assert sum(found.visit_counts.values()) == 60
    assert list(as_written("uct:9,symmetry=1", Board("ConnectFour-v0")).analyse(Board("ConnectFour-v0")).visit_counts) == [
        0,
        1,
        2,
        3,
    ]


def test_groups_have_the_same_value_with_fewer_simulations():
    """Of boards that are symmetric to a diagonal, and drawn: which every action must prove."""
    for moves in ((4, 0), (0, 4, 8)):
        board = Board(GAME)
        for action in moves:
            board.push(action)
        one = make_policy(f"uct:30000,{GROUPED}", GAME, seed=1).analyse(board)
        assert one.is_proven
        assert one.value == plain_minimax(board, 9, {}) == 0.0
        other = as_written(f"uct:{one.nodes},puct=1.25", board).analyse(board)
        assert other.nodes == one.nodes
        assert not other.is_proven


def test_least_visits_hold_for_threads_together_and_for_proven_children_not():
    board = Board("ConnectFour-v0", "7/7/7/7/7/xxx1oo1 o")  # all but one action lose
    policy = make_policy("uct:200,least_visits=21,threads=4", board.game, seed=1)
    assert [kind.least_visits for kind in policy.kinds] == [6] * 4
    found = as_written("uct:300,least_visits=30", board).analyse(board)
    assert {a for a, n in found.visit_counts.items() if n < 30} == {a for a, q in found.action_values.items() if q == -1.0}
    few = as_written("uct:20,least_visits=20,solver=0", board).analyse(board)
    assert set(few.visit_counts.values()) == {2, 3}  # too few simulations: as equal as they can be


def test_examples_have_at_least_so_many_visits():
    game = get_game(GAME)
    policy = as_written("uct:120,solver=0,least_visits=12", Board(GAME))
    played = play_example_game(policy, feature_map("planes", game), 0, seed=1, max_plies=2)
    assert played.columns["visits"].min() >= 12
    assert len(played.columns["visits"]) == 9 + 8


@pytest.mark.parametrize(
    ("options", "bytes_each"), [("c=1", 36), ("symmetry=1,least_visits=3", 36), ("fpu=1", 52), ("rave=50", 68)]
)
def test_memory_is_that_of_the_nodes(options, bytes_each):
    for memory, size in (("9kb", 9000), ("64MB", 64_000_000), ("0.5GB", 500_000_000)):
        policy = make_policy(f"uct:100,memory={memory},{options}", GAME, seed=1)
        assert policy.settings.max_nodes == size // bytes_each
    board = Board(GAME)
    one, other = (
        make_policy(f"uct:400,{room},{options}", GAME, seed=1) for room in ("memory=9KB", f"nodes={9000 // bytes_each}")
    )
    assert as_written(one.spec, board).analyse(board).visit_counts == as_written(other.spec, board).analyse(board).visit_counts


def test_nothing_of_it_is_in_plain_uct():
    policy = make_policy("uct:100,memory=1MB,symmetry=0", GAME)
    assert type(policy.settings) is UCT
    assert [UCT.SYMMETRY, UCT.LEAST_VISITS, UCT.EARLY_CUTS] == [False] * 3


GROUPED = "puct=1.25,symmetry=1,least_visits=1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("symmetry=2", "known: 0, 1"),
        ("least_visits=0", "expected 1 to 100"),
        ("least_visits=101", "expected 1 to 100"),
        ("least_visits=1.5", "a whole number"),
        ("cutoff_range=1.1", "the part of the range in cutoff_range=1.1; expected 0 to 1"),
        ("cutoff_range=-0.5", "expected 0 to 1"),
        ("stability=0", "the threshold stability=0; expected 1e-06 to 2"),
        ("stability=often", "a number"),
        ("stability=0.1,leaf=heuristic", "stability= goes with leaf=playout"),
        ("cutoff_range=0.1,leaf=heuristic", "cutoff_range= goes with leaf=playout"),
        ("memory=1MB,nodes=100", "the same limit; expected one of them"),
        ("memory=1000", "expected KB, MB or GB, as in memory=64MB"),
        ("memory=someMB", "the memory"),
        ("memory=-1MB", "the memory"),
        ("memory=0.3KB", "memory=0.3KB holds 8 nodes of 36 bytes; expected 10 to 100,000,000 nodes, 1KB to 3600MB"),
        ("memory=1KB,threads=3", "expected 30 to"),
        ("memory=4GB", "holds 111,111,111 nodes"),
        ("memory=1e305MB", "expected 10 to 100,000,000 nodes"),
        ("memory=3GB,cutoff=20", "expected 10 to 50,000,000 nodes"),
        ("memory=4GB,rave=3", "expected 10 to 50,000,000 nodes, 1KB to 3400MB"),
        ("symmetry=1,prior=network(network:file)", "symmetry=1 with prior=network"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(SpecError) as caught:
        make_policy(f"uct:100,{options}", GAME)
    assert message in str(caught.value)


def test_what_a_game_does_not_have_is_refused():
    with pytest.raises(UnsupportedGameError, match="'transform', which TestTwice-v0 does not define"):
        make_policy("uct:100,symmetry=1", TWICE)
    for options in ("cutoff_range=0.5", "stability=0.1"):
        with pytest.raises(UnsupportedGameError, match="'heuristic', which TestTwice-v0 does not define"):
            make_policy(f"uct:100,{options}", TWICE)
