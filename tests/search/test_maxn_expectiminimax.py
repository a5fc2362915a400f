"""Max-n against its definition, expectiminimax against the mean over all rolls."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from forest import FOREST, FOREST_OF_THREE, LAYERS, SEEMS_LOST, SEEMS_WON, THREE, tree
from search_games import analyse, board_at, plain_minimax

from boardgym.compile import plain
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import CHANCE
from boardgym.testing import dice
from boardgym.testing.by_definition import maxn as vector
from boardgym.testing.dice import DICE, Dice
from tests.support import ROOT


def test_the_mover_decides_and_the_whole_vector_is_passed_up():
    found = analyse("maxn:3", tree(THREE, FOREST_OF_THREE))
    assert (found.value, found.principal_variation, found.is_proven) == (0.1, (0, 0, 0), True)
    assert found.action_values == {0: 0.1, 1: 0.1}  # equal: the first
    assert analyse("maxn:9", tree(THREE, FOREST_OF_THREE)).depth == 3


@pytest.mark.parametrize(("root", "action", "value"), [(SEEMS_WON, 1, 0.5), (SEEMS_LOST, 1, 0.8)])
def test_a_win_of_three_is_sure_only_where_the_others_have_seen_the_end(root, action, value):
    found = analyse("maxn:4", tree(root, FOREST_OF_THREE))
    assert (found.action, found.value, found.depth, found.is_proven) == (action, value, 3, True)
    assert not analyse("maxn:2", tree(root, FOREST_OF_THREE)).is_proven


def test_where_all_looks_lost_the_choice_of_the_depth_before_stands():
    found = analyse("maxn:2", tree(SEEMS_LOST, FOREST_OF_THREE))
    assert (found.action, found.value, found.principal_variation[0]) == (1, -1.0, 1)


@pytest.mark.parametrize("game", [FOREST, FOREST_OF_THREE])
def test_maxn_is_its_definition(game):
    for root in LAYERS[:8]:
        board = tree(root, game)
        for depth in (1, 2, 4):
            found, (values, line) = analyse(f"maxn:{depth}", board), vector(board, depth)
            assert found.value == pytest.approx(values[0], abs=1e-12)
            assert found.principal_variation == tuple(line)
            if game is FOREST:
                assert found.value == plain_minimax(board, depth)


IN_PLAIN_PYTHON = """
import json, sys
sys.path[:0] = sys.argv[1:]
from forest import WALK
from search_games import analyse, played
from boardgym.testing.by_definition import maxn as vector
from boardgym.core.board import Board

board = Board("Abalone3-v0", "ww1bb/ww2bb/ww3bb/ww4bb/ww5bb/w6b/7/rrrrrr/rrrrr 0 0 0 r 0")
found, (values, line) = analyse("maxn:2", board), vector(board, 2)
assert (found.value, found.principal_variation) == (values[2], tuple(line)), (found, values, line)
walks = [played(f"expectiminimax:3,star={star}", Board(WALK)) for star in (0, 1, 2)]
print(json.dumps([found.nodes, walks]))
"""


@pytest.fixture(scope="module")
def in_plain_python():
    """What is quicker there than to compile the searches for these games: max-n in Abalone3, expectiminimax in a walk."""
    done = subprocess.run(
        [sys.executable, "-c", IN_PLAIN_PYTHON, str(Path(__file__).parent), str(ROOT)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_maxn_plays_abalone_for_three(in_plain_python):
    assert in_plain_python[0] > 500


def test_maxn_obeys_its_limits():
    board = tree(LAYERS[0], FOREST_OF_THREE)
    found = analyse("maxn:9,nodes=100", board)
    assert found.nodes <= 101
    assert 0 < found.depth < 9
    assert analyse("maxn:9,nodes=1", board).action in board.legal_actions
    with pytest.raises(SpecError, match="unknown setting 'pvs'"):
        make_policy("maxn:3,pvs=1", FOREST)


def expected(position, seat, depth, counts):
    """The value for `seat` by enumeration of all rolls and actions, as the search counts it. counts[0]: positions looked at."""
    counts[0] += 1
    if plain(dice.is_terminal)(position):
        return plain(dice.returns)(position, seat) / 2.0
    if depth == 0:
        return plain(dice.heuristic)(position, seat)
    mover = plain(dice.to_play)(position)
    if mover == CHANCE:
        children = [Dice(*plain(dice.apply)(position, k)) for k in range(3)]
        return sum(p * expected(child, seat, depth, counts) for p, child in zip((1 / 2, 1 / 3, 1 / 6), children, strict=True))
    children = [Dice(*plain(dice.apply)(position, k)) for k in range(2 if position.other > 0 else 1)]
    best = max(expected(child, mover, depth - 1, counts) for child in children)
    return best if mover == seat else -best


STARTS = ((0, 0, 0, 1), (3, 4, 0, 1), (4, 3, 1, 1), (2, 5, 0, 1), (5, 5, 1, 2), (1, 4, 1, 3), (2, 4, 1, 2))


@pytest.mark.parametrize("star", [0, 1, 2])
def test_expectiminimax_is_the_mean_over_all_rolls(star):
    for start in STARTS:
        board = board_at(DICE, Dice(*start))
        for depth in (1, 2, 3, 4):
            found = analyse(f"expectiminimax:{depth},star={star}", board)
            exact = expected(Dice(*start), board.to_play, found.depth, [0])
            assert found.value == pytest.approx(exact, abs=1e-9)
            assert max(found.action_values.values()) == pytest.approx(exact, abs=1e-9)
            assert found.principal_variation[0] == found.action


def nodes(start, depth, star):
    """Positions that the last iteration looks at below the root's actions."""
    return analyse(f"expectiminimax:{depth},star={star}", board_at(DICE, Dice(*start))).nodes


def test_the_number_of_positions_grows_as_branches_times_rolls():
    start, counts = (2, 2, 0, 1), []
    for depth in (1, 2, 3):
        looked_at = [0]
        expected(Dice(*start), 0, depth, looked_at)
        counts.append(looked_at[0] - 1)  # without the root
        assert nodes(start, depth, 0) == sum(counts)
    assert 5.0 < counts[2] / counts[1] < 7.0  # 2 actions, 3 rolls; and the rolls themselves are counted


def test_pruning_saves_positions():
    counts = [sum(nodes(start, 4, star) for start in STARTS) for star in (0, 1, 2)]
    assert counts[1] < counts[0]
    assert counts[1] < counts[2]  # to look first behind each of three outcomes does not pay where there are but two actions


def test_star2_saves_positions_where_the_best_is_looked_at_first(in_plain_python):
    (action, value, every), *less = in_plain_python[1]
    assert [found[:2] for found in less] == [[action, value], [action, value]]
    assert less[1][2] < less[0][2] < every


def test_what_expectiminimax_refuses():
    with pytest.raises(SpecError, match="star=3"):
        make_policy("expectiminimax:2,star=3", DICE)
    with pytest.raises(UnsupportedGameError, match="num_seats = 3"):
        make_policy("expectiminimax:2", FOREST_OF_THREE)


@pytest.mark.plain
def test_expectiminimax_looks_through_the_roll_where_minimax_stops():
    for start in STARTS[:4]:
        board = board_at(DICE, Dice(*start))
        assert analyse("minimax:3", board).value == analyse("minimax:1", board).value
        assert analyse("expectiminimax:1", board).value == analyse("minimax:1", board).value
        assert analyse("expectiminimax:2", board).value != analyse("minimax:2", board).value


SEARCHES = (("maxn:3", "tree(THREE, FOREST_OF_THREE)"), ("minimax:5,pvs=1,quiescence=2,singular=0.3", "tree(LAYERS[0])"),
            ("expectiminimax:3,star=2", "board_at(DICE, Dice(2, 4, 1, 2))"))  # fmt: skip
SCRIPT = """
import sys
sys.path[:0] = sys.argv[1:]
from forest import FOREST, FOREST_OF_THREE, LAYERS, SEEMS_LOST, SEEMS_WON, THREE, tree
from search_games import analyse, board_at
from boardgym.testing.dice import DICE, Dice

"""


def test_searches_run_from_the_cache_in_another_process():
    """A recursion that calls another version of itself is stored with a symbol that nobody can resolve."""
    boards = (tree(THREE, FOREST_OF_THREE), tree(LAYERS[0]), board_at(DICE, Dice(2, 4, 1, 2)))
    here = [analyse(spec, board) for (spec, _), board in zip(SEARCHES, boards, strict=True)]  # compiled and stored, if not yet
    lines = [f'print(analyse("{spec}", {board}))' for spec, board in SEARCHES]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + "\n".join(lines), str(Path(__file__).parent), str(ROOT)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = [re.sub(r"seconds=[^,]*", "", str(line)) for line in (*here, *done.stdout.splitlines())]
    assert shown[:3] == shown[3:]


@pytest.mark.plain
def test_maxn_wins_at_once_and_resists():
    """As minimax: deepening ends at a sure win, and a sure loss leaves the choice to the depth before."""
    board = Board("TicTacToe-v0", "x1o/1x1/o2 x")
    for spec in ("minimax:9", "maxn:9"):
        analysis = make_policy(spec, board.game).analyse(board)
        assert (analysis.action, analysis.principal_variation, analysis.is_proven) == (8, (8,), True)
