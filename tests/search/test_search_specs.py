"""What a spec of a search may say, and what is refused."""

import dataclasses

import pytest
from search_games import TWICE, Twice, small_game

from boardgym.baselines.search.minimax import MAX_DEPTH
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from tests.support import run_python


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("minimax", "a budget is missing"),
        ("uct", "a budget is missing"),
        ("minimax:", "expected a value"),
        ("minimax:nodes=100", "a budget is missing"),
        ("minimax:0", "above 0"),
        ("minimax:-3", "above 0"),
        ("minimax:2.5", "a whole number"),
        ("minimax:four", "a whole number"),
        (f"minimax:{MAX_DEPTH + 1}", f"at most {MAX_DEPTH}"),
        ("minimax:4,nodes=0", "above 0"),
        ("minimax:4,nodes=-5", "above 0"),
        ("minimax:4,nodes=many", "a whole number"),
        ("minimax:4,time=0s", "above 0"),
        ("minimax:4,time=1", "seconds, as in time="),
        ("minimax:0.5s,time=1s", "two times"),
        ("minimax:4,c=1", "unknown setting 'c'"),
        ("minimax:4,dpeth=3", "unknown setting 'dpeth'"),
        ("minimax:4(random)", "no policies in brackets"),
        ("minimax:0s", "above 0"),
        ("minimax:-1s", "above 0"),
        ("minimax:s", "a number"),
        ("minimax:infs", "a number"),
        ("uct:0", "above 0"),
        ("uct:-100", "above 0"),
        ("uct:1e3", "a whole number"),
        ("uct:99999999999", "at most"),
        ("uct:nans", "a number"),
        ("uct:100,c=-1", "0 or more"),
        ("uct:100,c=nan", "a number"),
        ("uct:100,c=1,c_uct=1", "c= and c_uct= are the same setting"),
        ("uct:100,puct=1,c_puct=1", "puct= and c_puct= are the same setting"),
        ("uct:100,c_utc=1", "did you mean 'c_uct'"),
        ("uct:100,c=", "expected a value"),
        ("uct:100,nodes=1.5", "a whole number"),
        ("uct:0.1s,nodes=100000000000", "at most 100000000"),
        ("uct:100,depth=3", "unknown setting 'depth'"),
        ("uct:100,200", "more than one argument"),
    ],
)
def test_bad_budgets_are_refused_by_name(spec, message):
    with pytest.raises(SpecError, match="policy spec") as caught:
        make_policy(spec, "ConnectFour-v0")
    assert message in str(caught.value)
    assert repr(spec) in str(caught.value)


def test_good_budgets():
    policy = make_policy("minimax:6,nodes=1000", "ConnectFour-v0", seed=1)
    assert (policy.settings.depth, policy.settings.max_nodes, policy.seconds) == (6, 1000, None)
    policy = make_policy("minimax:0.25s", "ConnectFour-v0", seed=1)
    assert (policy.settings.depth, policy.settings.max_nodes, policy.seconds) == (MAX_DEPTH, 0, 0.25)
    policy = make_policy("uct:100, c=1.5, nodes=50", "ConnectFour-v0", seed=1)
    assert policy.settings == (100, 50, 1.5, 1.0)
    assert make_policy("uct:100", TWICE, seed=1).settings.scale == 0.5
    assert repr(make_policy("uct:100", "Othello-v0")) == "<uct:100 for Othello-v0>"


def test_shallow_searches_hold_no_table():
    bits = [make_policy(f"minimax:{depth}", "ConnectFour-v0").settings.table_bits for depth in (1, 2, 3, 10, 60)]
    assert bits[:2] == [0, 0]
    assert bits[2] > 0
    assert bits == sorted(bits)
    assert make_policy("minimax:60,nodes=500", "ConnectFour-v0").settings.table_bits <= 10


def test_games_of_three_are_for_uct_and_maxn():
    game = small_game("TestThree", Twice, Twice(12, 0), num_seats=3)
    with pytest.raises(UnsupportedGameError, match="num_seats = 3"):
        make_policy("minimax:3", game)
    assert make_policy("uct:100", game, seed=1).settings.SEATS == 3
    assert make_policy("maxn:3", game, seed=1).settings.seats == 3


def test_games_that_are_not_one_against_the_other_are_refused():
    game = dataclasses.replace(TWICE, min_return=0.0)
    for spec in ("minimax:3", "uct:100"):
        with pytest.raises(UnsupportedGameError, match="min_return = 0, max_return = 2"):
            make_policy(spec, game)


BY_MATERIAL = """
from boardgym import Board
from boardgym.core.policy_spec import make_policy

board = Board("Abalone-v0", "ss2S/1s1SS1/1s5/1s2SssS/3S1S3/S1s2ss1/SSSs3/S2s1s/1SS1s 0 0 w 199", rewards="material")
for spec in ("minimax:2", "uct:2000"):
    found = make_policy(spec, board.game, seed=1).analyse(board)
    print(board.move_text(found.action))
board.push(found.action)
print(*board.fen().split()[1:3])
"""


def test_games_that_pay_on_the_way_are_played_for_the_sum(tmp_path):
    """Abalone by material, a ply before the limit that ends the game: what counts is the marble that one action pushes off.

    In plain Python, which is quicker than to compile both searches for this variant.
    """
    shown = run_python("-c", BY_MATERIAL, cache=tmp_path, NUMBA_DISABLE_JIT="1").stdout
    assert shown.splitlines() == ["f7f8", "f7f8", "0 1"]


def test_boards_that_cannot_be_played_are_refused():
    for spec in ("minimax:3", "uct:100", "uct:0.1s"):
        policy = make_policy(spec, "ConnectFour-v0", seed=1)
        for method in (policy.act, policy.analyse, policy.evaluate):
            with pytest.raises(UnsupportedGameError, match="TicTacToe-v0"):
                method(Board("TicTacToe-v0"))
            with pytest.raises(ValueError, match="over"):
                method(Board("ConnectFour-v0", "7/7/7/7/ooo4/xxxx3 o"))


def test_the_constants_go_by_their_names_elsewhere_too():
    for short, long in (("uct:9,c=0.3", "uct:9,c_uct=0.3"), ("uct:9,puct=2", "uct:9,c_puct=2")):
        assert make_policy(short, "Othello-v0").settings == make_policy(long, "Othello-v0").settings
    assert make_policy("uct:9,c_uct=0.3", "Othello-v0").settings.c_uct == 0.3
