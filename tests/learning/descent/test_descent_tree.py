"""Trees of Descent: values against brute force and by hand, what is solved, where descents go, what is played. Python alone."""

from itertools import pairwise

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning.descent import descent as ds
from boardgym.baselines.learning.descent import tree as tr
from boardgym.baselines.learning.descent.config import DescentConfig, plan_of
from boardgym.baselines.learning.descent.trainer import DescentTraining
from boardgym.baselines.networks import cells as cells_of_games
from boardgym.compile import uncompiled
from boardgym.core.game import GAMES
from boardgym.core.random import stream
from boardgym.core.verbs import rule
from tests.core.shuttle import Shuttle, game_of

pytestmark = pytest.mark.plain

MUCH = 100_000  # more than any tree here has


class Treadmill(Shuttle):
    """The game of tests with repetition, without an end by the rules; repetition pays seat 0 a half."""

    __slots__ = ()


@rule(Treadmill)
def legal_actions(position, out):
    n = 0
    for action in (0, 1):
        if 0 <= position.own + 2 * action - 1 <= 3:
            out[n] = action
            n += 1
    return n


@rule(Treadmill)
def is_terminal(position):
    return False


@rule(Treadmill)
def draw_returns(position, seat):
    return 0.5 if seat == 0 else -0.5


TREADMILL = game_of(Treadmill, "Treadmill")


class Search:
    """Descents from the position of a board, with weights drawn at random."""

    def __init__(self, board, seed=1, plies=0, **settings):
        given = {"game": board.game.id, "tuples": ("cells(0,0)",), "nodes": MUCH, "budget": MUCH, "seed": seed, **settings}
        self.training = DescentTraining(DescentConfig(**given))
        training, self.board, self.plies = self.training, board, plies
        weights = training.memory.weights
        weights[:] = np.random.default_rng(seed).normal(0.0, 0.5, weights.shape)
        self.net = ds.Net(training.cells.settings, training.network, training.memory)
        self.plan, self.rng, self.tree = plan_of(training.config), stream(seed), training.tree
        with uncompiled():
            ds.has_repeated(board.position, training.scratch.keys, plies)
            tr.plant(self.tree, plies)

    def descend(self):
        """One descent. Returns how many states it has expanded, and the nodes of its path."""
        training = self.training
        self.tree.path[self.plies + 1 :] = -1
        with uncompiled():
            count = ds.descend(
                training.learner, self.plan, self.net, self.board.position, self.plies, self.tree, training.scratch, self.rng
            )
        path = self.tree.path[self.plies :]
        return count, path[path >= 0].tolist()

    def search(self):
        training = self.training
        with uncompiled():
            place = self.board.position, self.plies, self.tree
            ds.search(training.learner, self.plan, self.net, *place, training.scratch, self.rng)
        return self

    def children(self, node):
        first = int(self.tree.firsts[node])
        return range(first, first + max(int(self.tree.counts[node]), 0))

    def walk(self, node=0):
        """(node, who has moved there, the board) of each state of the tree but the root."""
        for child in self.children(node):
            mover = self.board.to_play
            self.board.push(int(self.tree.actions[child]))
            yield child, mover
            yield from self.walk(child)
            self.board.pop()


def minimax(board, limit):
    """What perfect play pays seat 0. limit: plies after which the game is a draw."""
    if board.is_terminal:
        return board.returns()[0]
    if board.ply >= limit:
        return 0.0
    found = []
    for action in board.legal_actions:
        board.push(action)
        found.append(minimax(board, limit))
        board.pop()
    return max(found) if board.to_play == 0 else min(found)


def check_solved(search, limit):
    """All that is solved is worth what perfect play says. Returns how many are solved, of how many."""
    solved, count = 0, 0
    for node, mover in search.walk():
        count += 1
        if search.tree.solved[node]:
            value = minimax(search.board, limit) * (1 if mover == 0 else -1)
            assert (search.tree.values[node], search.tree.results[node]) == (value, int(value))
            solved += 1
    return solved, count


@pytest.fixture
def small_samples(monkeypatch):
    """Fewer random positions, of shorter games, to find out about a board."""
    monkeypatch.setattr(cells_of_games, "SAMPLES", 300)
    monkeypatch.setattr(cells_of_games, "MOST_PLIES", 100)
    monkeypatch.setattr(cells_of_games, "_BOARDS", {})


@pytest.mark.parametrize(
    "fen", ["xo1/1x1/2o x", "x2/1o1/2x o", "xox/1o1/3 x", "1o1/1x1/xo1 x", "xx1/oo1/3 x", "xox/1o1/1x1 o", "1x1/1o1/x1o x"]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_solved_position_has_the_value_of_minimax(fen, seed):
    """Whatever the network says; and so has every state of its tree that is solved."""
    board = Board.from_fen(fen, "TicTacToe-v0")
    search = Search(board, seed).search()
    mover = 1 - board.to_play
    assert search.tree.solved[0] == 1
    assert search.tree.values[0] == search.tree.results[0] == minimax(board, 9) * (1 if mover == 0 else -1)
    solved, count = check_solved(search, 9)
    assert 0 < solved <= count == search.tree.used[0] - 1


@pytest.mark.plain(boards=True)
@pytest.mark.parametrize("limit", [3, 8, 10])
def test_repetitions_and_limits(small_samples, monkeypatch, limit):
    """By the line that leads to a state: the third occurrence pays seat 0 a half, and nobody anything after so many plies."""
    monkeypatch.setitem(GAMES, TREADMILL.name, TREADMILL)
    search = Search(Board(TREADMILL), max_plies=limit).search()
    solved, count = check_solved(search, limit)
    assert search.tree.solved[0] == 1
    assert solved == count
    assert search.tree.values[0] == -minimax(search.board, limit)
    kinds = search.tree.counts[: search.tree.used[0]].tolist()
    assert (tr.CUT in kinds, tr.REPEATED in kinds) == (True, limit >= 8)


def test_a_descent_goes_to_the_end_by_the_best():
    """At each ply the unsolved state of the greatest value; the first that is met is estimated by the network."""
    search = Search(Board("TicTacToe-v0"), 3)
    count, path = search.descend()
    tree = search.tree
    assert count >= 5
    assert tree.solved[path].tolist() == [0] * (len(path) - 1) + [1]
    assert tree.visits[path[1:]].tolist() == [1] * (len(path) - 1)
    assert tree.used[0] == 1 + sum(9 - k for k in range(count))
    agent = search.training.agent()
    for node, child in pairwise(path):
        estimates = agent.action_values(search.board)
        siblings = {other: int(tree.actions[other]) for other in search.children(node)}
        unsolved = {other: estimates[action] for other, action in siblings.items() if tree.counts[other] != tr.ENDED}
        assert unsolved[child] == max(unsolved.values())
        assert all(tree.values[other] == np.float32(unsolved[other]) for other in unsolved if other != child)
        assert tree.values[node] == -max(tree.values[other] for other in siblings)
        search.board.push(siblings[child])


def tree_of(*rows):
    """A tree by hand. rows: (value, result, solved, turn, first, count, visits) of each node."""
    tree = tr.make_tree(len(rows), 4)
    tree.used[0] = len(rows)
    for node, row in enumerate(rows):
        columns = tree.values, tree.results, tree.solved, tree.turns, tree.firsts, tree.counts, tree.visits
        for column, entry in zip(columns, row, strict=True):
            column[node] = entry
    return tree


def leaf(value, result=0, solved=0, visits=0):
    return value, result, solved, -1, 0, tr.ENDED if solved else tr.NEW, visits


def test_values_are_backed_up():
    """By hand: the root, whose mover is the other; node 1 whose mover plays again; node 2 whose mover does not."""
    tree = tree_of(
        (0.0, 0, 0, -1, 1, 3, 0), (0.0, 0, 0, 1, 4, 2, 0), (0.0, 0, 0, -1, 6, 2, 0), leaf(0.25), leaf(-0.5), leaf(0.125),
        leaf(-0.75), leaf(0.0, 0, 1),
    )  # fmt: skip
    tree.path[:3] = 0, 1, 4
    with uncompiled():
        tr.back_up(tree, 0, 2)
    assert tree.values[:3].tolist() == [-0.25, 0.125, 0.0]
    tree.path[1] = 2
    tree.values[3] = -0.25
    with uncompiled():
        tr.back_up(tree, 0, 1)
    assert tree.values[:3].tolist() == [-0.125, 0.125, 0.0]
    assert tree.solved[:3].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ([leaf(0.9), leaf(0.4, 1, 1)], (-0.4, -1, 1)),  # a win is better than what seems to be worth more, and decides
        ([leaf(-0.9), leaf(-1.0, -1, 1)], (0.9, 0, 0)),  # a loss is worse than anything
        ([leaf(-0.6, -1, 1), leaf(-1.0, -1, 1)], (0.6, 1, 1)),  # the later loss
        ([leaf(0.0, 0, 1), leaf(-1.0, -1, 1)], (0.0, 0, 1)),  # all is known
        ([leaf(0.0, 0, 1), leaf(-0.1)], (0.0, 0, 0)),  # a draw at least
    ],
)
def test_what_is_solved(children, expected):
    tree = tree_of((0.0, 0, 0, -1, 1, len(children), 0), *children)
    with uncompiled():
        tr.settle(tree, 0)
    assert (tree.values[0], tree.results[0], tree.solved[0]) == pytest.approx(expected)


def test_where_a_descent_goes():
    """To the greatest value that is not solved; of equals to the least visited, of these to any."""
    rng, found = stream(1), []
    children = [leaf(0.5, visits=2), leaf(0.9, 1, 1), leaf(0.5, visits=1), leaf(0.1), leaf(0.5, visits=1)]
    tree = tree_of((0.0, 0, 0, -1, 1, 5, 0), *children)
    with uncompiled():
        found = [tr.pick(tree, 0, rng) for _ in range(200)]
    assert set(found) == {3, 5}
    assert 70 < found.count(3) < 130


def test_the_order_of_actions():
    """Won, then by value, then by visits; lost last. Equals stay in their order."""
    children = [leaf(-1.0, -1, 1), leaf(0.2, visits=1), leaf(0.2, visits=3), leaf(0.1, 1, 1), leaf(0.3), leaf(0.2, visits=1)]
    tree, ranks = tree_of((0.0, 0, 0, -1, 1, 6, 0), *children), np.zeros(6, np.int64)
    with uncompiled():
        assert tr.rank(tree, 0, ranks) == 6
    assert ranks.tolist() == [4, 5, 3, 2, 6, 1]


@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [(0.3, [0.8, 0.17, 0.03]), (0.0, [1.0, 0.0, 0.0]), (1.0, [1 / 3, 1 / 3, 1 / 3]), (0.6, [0.6, 0.28, 0.12])],
)
def test_the_ordinal_distribution(epsilon, expected):
    """By hand: 0.7 + 0.3 / 3 = 0.8; (0.7 + 0.3 / 2) 0.2 = 0.17; what is left."""
    probabilities = np.zeros(3)
    with uncompiled():
        ds.write_ordinal(probabilities, 3, epsilon)
    assert probabilities == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("exploration", "expected"), [("ordinal", (0.8, 0.17, 0.03)), ("uniform", (0.8, 0.1, 0.1))])
def test_actions_are_drawn(exploration, expected):
    search, plays = Search(Board.from_fen("xo1/1x1/oxo x", "TicTacToe-v0"), exploration=exploration), 3000
    tree = tree_of((0.0, 0, 0, -1, 1, 3, 0), leaf(0.1), leaf(0.9), leaf(0.5))
    with uncompiled():
        found = [ds.choose(search.plan, tree, 0, 0.3, search.training.scratch, search.rng) for _ in range(plays)]
    assert [found.count(node) / plays for node in (2, 3, 1)] == pytest.approx(expected, abs=0.025)


def test_quick_wins_count_for_more_by_depth():
    """x wins at ply 5 + 1 of at most 9: (9 - 6 + 1) / 9; a draw is worth nothing."""
    board = Board("TicTacToe-v0")
    for action in (0, 3, 1, 4, 8):
        board.push(action)
    search = Search(board, plies=5, payoff="depth").search()
    assert board.to_play == 1
    assert (search.tree.values[0], search.tree.results[0]) == (pytest.approx(-4 / 9), -1)
    assert Search(board, plies=5).search().tree.values[0] == -1.0


def test_the_same_seat_may_move_again(small_samples):
    """Who closes a mill removes a man: its value is the best of that, not the other's."""
    board = Board.from_fen("WW./.../.../B.B.../.../.../... w 7,7 0", "NineMensMorris-v0")
    search = Search(board, budget=1, max_plies=3).search()
    turns = {int(search.tree.actions[node]): int(search.tree.turns[node]) for node in search.children(0)}
    assert turns[2] == 1
    assert {turn for action, turn in turns.items() if action != 2} == {-1}
    for node in search.children(0):
        if search.tree.counts[node] > 0:
            best = max(search.tree.values[child] for child in search.children(node))
            assert search.tree.values[node] == search.tree.turns[node] * best


@pytest.mark.parametrize("nodes", [10, 25, 60])
def test_a_full_tree_is_learnt_from_and_begun_anew(nodes):
    """Where no other state has room, descents end; games come to their ends all the same."""
    config = {"game": "TicTacToe-v0", "tuples": ("lines(3)",), "games": 4, "budget": 50}
    small, large = (DescentTraining(DescentConfig(nodes=room, **config)) for room in (nodes, MUCH))
    small.play_to(4)
    large.play_to(4)
    counts, more = small.totals.counts.sum(axis=0), large.totals.counts.sum(axis=0)
    assert counts[:3].sum() == 4
    assert 20 <= counts[3] <= 36
    assert 0 < counts[4] < more[4]
    assert small.tree.used[0] <= nodes < large.tree.used[0]


@pytest.mark.plain(boards=True)
def test_games_end_in_the_tree_as_on_a_board(small_samples, monkeypatch):
    """By repetition, which counts what was played before, and by the limit: in each state of the tree of a whole game."""
    monkeypatch.setitem(GAMES, TREADMILL.name, TREADMILL)
    kinds = set()
    for seed in range(1, 9):
        search = Search(Board(TREADMILL), seed, max_plies=10, games=1, budget=1, epsilon="1")
        search.training.play_to(1)
        for node, _ in search.walk():
            is_over = search.board.is_terminal
            ended = tr.REPEATED if is_over else tr.CUT if search.board.ply == 10 else tr.NEW
            assert min(int(search.tree.counts[node]), tr.NEW) == ended
        counts, plies = search.training.totals.counts[0], int(search.training.totals.counts[0, 3])
        last = int(search.tree.counts[search.tree.path[plies]])
        assert counts[:3].tolist() == ([1, 0, 0] if last == tr.REPEATED else [0, 1, 0])
        assert counts[4] == sum(search.tree.counts[node] > 0 for node, _ in search.walk())
        kinds.add(last)
    assert kinds == {tr.REPEATED, tr.CUT}


def test_states_learn_for_the_seat_that_has_moved_there(small_samples):
    """After all that they lead to, also where a seat moves twice in a row: it closes a mill, and removes a man."""
    board = Board.from_fen("WW./.../.../B.B.../.../.../... w 7,7 0", "NineMensMorris-v0")
    search = Search(board, budget=60, max_plies=3, coherence="none").search()
    training, tree = search.training, search.tree
    memory = type(search.net.memory)(*(part.copy() for part in search.net.memory))
    expected = search.net._replace(memory=memory)
    common = training.scratch, training.totals, 0
    movers, after_mill = list[tuple[int, int]](), 0

    def learn(node):
        nonlocal after_mill
        for child in search.children(node):
            mover = board.to_play
            board.push(int(tree.actions[child]))
            learn(child)
            if tree.counts[child] > 0:
                movers.append((board.ply, mover))
                after_mill += mover == board.to_play
                ds.learn_state(training.learner, expected, board.position, mover, tree.values[child], 0.5, *common)
            board.pop()

    with uncompiled():
        ds.learn_tree(training.learner, search.net, board.position, 0.5, tree, *common)
        updates = int(training.totals.counts[0, 4])
        learn(0)
    assert updates == len(movers)
    assert after_mill > 0
    assert len(set(movers)) > 2  # both seats at one ply, by whether a mill was closed
    for own, wanted in zip(search.net.memory, memory, strict=True):
        assert own.tolist() == wanted.tolist()


def test_a_tree_that_is_begun_anew_learns_from_where_it_begins():
    """With a weight for each position, and room for no more than a root's actions: only ends of the game learn."""
    whole = f"cells({' '.join(f'{row},{column}' for row in range(3) for column in range(3))})"
    config = DescentConfig(game="TicTacToe-v0", tuples=(whole,), symmetries="none", coherence="none", games=20, nodes=10)
    training = DescentTraining(config)
    training.play_to(20)
    _, learnt = np.nonzero(training.memory.weights)
    stones = [np.base_repr(place, 3).replace("0", "") for place in learnt]
    assert len(stones) > 5
    assert min(map(len, stones)) >= 5
