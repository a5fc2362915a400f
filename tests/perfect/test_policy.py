"""The policy `perfect`: its choices, its fallback, its refusals; tic-tac-toe as a whole."""

import copy
import pickle
import threading
import time

import pytest

from boardgym.baselines.arena.match import play_match
from boardgym.baselines.perfect import policy as perfect
from boardgym.baselines.perfect.policy import ExactAnalysis, PerfectPolicy, Solution, UnsolvedPositionError, solver_for
from boardgym.baselines.perfect.tic_tac_toe import outcome
from boardgym.baselines.search.anytime import Watched
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy


def positions_of_tic_tac_toe():
    """Every position that play can reach, as (own, other), found by pushing and popping on a board."""
    board, seen = Board("TicTacToe-v0"), {}

    def visit():
        if tuple(board.position) in seen:
            return
        seen[tuple(board.position)] = board.is_terminal
        for action in board.legal_actions:
            board.push(action)
            visit()
            board.pop()

    visit()
    return seen


def plain_value(own, other, depth=0):
    """(value, plies) by a full search of the tree on sets of cells: no table, no words, lines by coordinates."""

    def wins(cells):
        return any(len(group) == 3 for group in groups(cells))

    def groups(cells):
        for k in range(3):
            yield [c for c in cells if c // 3 == k]
            yield [c for c in cells if c % 3 == k]
        yield [c for c in cells if c // 3 == c % 3]
        yield [c for c in cells if c // 3 + c % 3 == 2]

    if wins(other):
        return -1, 0
    free = [c for c in range(9) if c not in own and c not in other]
    if not free:
        return 0, 0
    found = [plain_value(other, own | {c}) for c in free]
    top = max(-value for value, _ in found)
    plies = [1 + after for value, after in found if -value == top]
    return top, min(plies) if top > 0 else max(plies)


def test_all_positions_of_tic_tac_toe():
    seen = positions_of_tic_tac_toe()
    assert len(seen) == 5478
    ends = [position for position, is_over in seen.items() if is_over]
    assert len(ends) == 958
    values = {position: outcome(*position)[0] for position in seen}
    assert values[0, 0] == 0
    for (own, other), is_over in seen.items():
        cells = [{c for c in range(9) if word >> c & 1} for word in (own, other)]
        if is_over or len(cells[0]) + len(cells[1]) >= 4:  # beyond, by the values of the successors
            assert outcome(own, other) == plain_value(*cells)
        else:
            free = [c for c in range(9) if not (own | other) >> c & 1]
            assert values[own, other] == max(-values[other, own | 1 << c] for c in free)


def test_prefers_the_quickest_win_and_the_slowest_loss():
    # x . .     x to play wins at once on c1 (8); other moves may win too, but later
    # . x .
    # o o .
    board = Board("TicTacToe-v0", "x2/1x1/oo1 x")
    player = make_policy("perfect", board.game)
    analysis = player.analyse(board)
    assert (player.act(board), analysis.value, analysis.principal_variation) == (8, 1.0, (8,))
    assert analysis.is_proven
    assert analysis.distances[8] == 1
    quick = Solution({1: 1.0, 2: 1.0, 3: -1.0}, distances={1: 5, 2: 3, 3: 9})
    assert (quick.best, quick.value) == (2, 1.0)
    assert Solution({4: -1.0, 5: -1.0, 6: -1.0}, distances={4: 2, 5: 6, 6: 6}).best == 5
    assert Solution({4: 1.0, 5: 1.0, 6: 0.0}, scores={4: 2, 5: 8, 6: 0}).best == 5
    assert Solution({7: 0.0, 3: 0.0}).best == 3


def test_ties_at_random():
    """At the start of tic-tac-toe all nine moves draw; after a corner only the centre does."""
    first, drawn = make_policy("perfect", "TicTacToe-v0"), make_policy("perfect:ties=random", "TicTacToe-v0", seed=1)
    start, corner = Board("TicTacToe-v0"), Board("TicTacToe-v0", "3/3/x2 o")
    assert {first.act(start) for _ in range(20)} == {0}
    assert {drawn.act(start) for _ in range(200)} == set(range(9))
    assert {drawn.act(start, deterministic=True) for _ in range(20)} == {0}
    assert {drawn.act(corner) for _ in range(50)} == {4}
    assert drawn.action_probabilities(start).tolist() == [1 / 9] * 9
    assert first.action_probabilities(start).tolist() == [1.0] + [0.0] * 8
    again = [make_policy("perfect:ties=random", "TicTacToe-v0", seed=1) for _ in range(2)]
    again[1] = pickle.loads(pickle.dumps(again[1]))
    moves = [[policy.act(start) for _ in range(20)] for policy in again]
    assert moves[0] == moves[1]


def test_ties_of_connect_four_have_the_best_score():
    board = Board("ConnectFour-v0")
    board.play(list("4455523"))
    drawn = make_policy("perfect:ties=random", "ConnectFour-v0", seed=1)
    scores = make_policy("perfect:detail=full", "ConnectFour-v0").analyse(board).scores
    best = {action for action, score in scores.items() if score == max(scores.values())}
    assert {drawn.act(board) for _ in range(10)} <= best


def test_answers_as_a_policy():
    board = Board("TicTacToe-v0")
    player = make_policy("perfect", board.game)
    assert isinstance(player.analyse(board), ExactAnalysis)
    assert player.analyse(board).action_values == dict.fromkeys(range(9), 0.0)
    assert len(player.analyse(board).principal_variation) == 1
    assert len(make_policy("perfect:detail=full", board.game).analyse(board).principal_variation) == 9
    probabilities = player.action_probabilities(board)
    assert (probabilities.sum(), probabilities[player.act(board)]) == (1.0, 1.0)
    board.play(["b2", "b3"])  # a side in answer to the centre loses
    assert player.evaluate(board) == 1.0
    again = pickle.loads(pickle.dumps(player))
    assert again.act(board) == copy.deepcopy(player).act(board) == player.act(board)
    match = play_match("perfect", "random", "TicTacToe-v0", games=40, openings="start", seed=3)
    assert all(game.score >= 0.5 for game in match.games)
    assert sum(game.score == 1.0 for game in match.games) > 20


class Halves:
    """A solver of tic-tac-toe that answers only while so many marks are on the board, after so long for the details wanted."""

    name, is_quick = "the solver of halves", False

    def __init__(self, marks, seconds=0.0, slow=("action", "values", "full")):
        self.marks, self.seconds, self.slow, self.whole = marks, seconds, slow, solver_for(get_game("TicTacToe-v0"))

    def covers(self, board):
        return "" if board.ply >= self.marks else f"{board.ply} marks, and it begins at {self.marks}"

    def solve(self, board, stop, *, detail="full"):
        deadline = time.monotonic() + self.seconds * (detail in self.slow)
        while time.monotonic() < deadline:
            if stop[0]:
                return Solution({}, is_exact=False)
            time.sleep(0.002)
        return self.whole.solve(board, stop, detail=detail)


def test_a_fallback_plays_where_the_solver_cannot():
    board = Board("TicTacToe-v0")
    player = make_policy("perfect(greedy)", board.game, seed=1)
    player.solver = Halves(2)
    assert player.act(board, deterministic=True) == make_policy("greedy", board.game).act(board, deterministic=True)
    with pytest.raises(UnsupportedGameError, match=r"greedy has no analyse\(\)"):
        player.analyse(board)
    board.play(["b2", "b3"])
    assert player.evaluate(board) == 1.0
    alone = PerfectPolicy(board.game)
    alone.solver = Halves(4)
    with pytest.raises(UnsolvedPositionError, match=r"2 marks, and it begins at 4; .* perfect\(uct:1000\)"):
        alone.act(board)


def test_a_time_limit_ends_the_solver():
    board = Board("TicTacToe-v0")
    player = make_policy("perfect:time=0.05s(random)", board.game, seed=1)
    assert player.has_clock
    player.solver = Halves(0, seconds=20.0)
    started = time.monotonic()
    assert player.act(board) in range(9)
    assert time.monotonic() - started < 0.05 + 0.5
    player.fallback = None
    with pytest.raises(UnsolvedPositionError, match=r"not solved within 0.05 s"):
        player.evaluate(board)
    player.solver = Halves(0, seconds=0.01)
    player.seconds = 20.0
    assert player.evaluate(board) == 0.0


def test_values_come_before_the_details():
    """Where the details do not come in time, or are stopped, the values stand."""
    board = Board("TicTacToe-v0")
    values, full = Watched("perfect:detail=full", board.game).watch(board)
    assert (len(values.principal_variation), len(full.principal_variation)) == (1, 9)
    assert values.action_values == full.action_values
    assert len(list(make_policy("perfect", board.game).analyses(board))) == 1
    player = make_policy("perfect:time=0.05s,detail=full", board.game)
    player.solver = Halves(0, seconds=20.0, slow=("full",))
    (only,) = player.analyses(board)
    assert only.action_values == values.action_values
    player.seconds = None
    found = player.analyses(board)
    assert next(found).action_values == values.action_values
    threading.Timer(0.05, player.interrupt).start()
    assert list(found) == []
    assert copy.deepcopy(player).detail == "full"
    board.play(["b2", "b3"])
    alone = make_policy("perfect(perfect)", board.game)
    alone.solver = Halves(4)
    assert [found.value for found in alone.analyses(board)] == [1.0]


@pytest.mark.parametrize(
    ("spec", "game", "error", "message"),
    [
        ("perfect", "Abalone-v0", UnsupportedGameError, r"no solver for Abalone-v0; there is one for .*TicTacToe"),
        ("perfect:3", "TicTacToe-v0", SpecError, "takes no argument, got '3'"),
        ("perfect:tme=3s", "TicTacToe-v0", SpecError, "unknown setting 'tme'; did you mean 'time'"),
        ("perfect:detail=all", "TicTacToe-v0", SpecError, "the detail 'all'; expected detail=values .* or detail=full"),
        ("perfect:time=3", "TicTacToe-v0", SpecError, "the time '3'; expected seconds, as in time=0.5s"),
        ("perfect:time=-1s", "TicTacToe-v0", SpecError, "the time in seconds '-1'; expected a number above 0"),
        ("perfect(greedy, random)", "TicTacToe-v0", SpecError, "expected 1 policies in brackets, got 2"),
        ("perfect(gredy)", "TicTacToe-v0", SpecError, "did you mean 'greedy'"),
    ],
)
def test_refusals(spec, game, error, message):
    with pytest.raises(error, match=message):
        make_policy(spec, game)


def test_refuses_a_board_of_another_game_and_one_that_is_over():
    player = make_policy("perfect", "TicTacToe-v0")
    with pytest.raises(UnsupportedGameError, match="was given a board of ConnectFour-v0"):
        player.act(Board("ConnectFour-v0"))
    with pytest.raises(ValueError, match="a game that is over"):
        player.act(Board("TicTacToe-v0", "xxx/oo1/3 o"))


def test_every_solver_of_the_table_can_be_imported():
    for name in perfect.SOLVERS:
        found = solver_for(get_game(f"{name}-v0"))
        assert found.name
        assert isinstance(found.is_quick, bool)
    assert set(perfect.SETTINGS) <= set(perfect.SOLVERS)
