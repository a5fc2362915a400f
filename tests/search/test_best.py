"""The policy `best`: a legal move in time in every game, and the right one where perfect play knows it."""

import time

import pytest
from forest import FOREST_OF_THREE
from search_games import SHUTTLE, TWICE

from boardgym import get_game, list_games
from boardgym.baselines.perfect import morris
from boardgym.baselines.perfect.bearoff import build_two_sided
from boardgym.baselines.search import best
from boardgym.baselines.search.anytime import Watched
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.policy_spec import make_policy, meaning_of, parse_spec
from boardgym.testing.dice import DICE

TIME_S, WITHIN_S = 0.1, 0.1  # for a move; what a clock may be late by, as in test_search_interrupt.py
WALK = {"Abalone-v0": "epsilon:0.2(greedy)", "Abalone3-v0": "epsilon:0.2(greedy)"}  # random play hardly ever ends these


@pytest.fixture(autouse=True)
def small_tables(tmp_path, monkeypatch):
    """Of Nine Men's Morris those of three men a side alone, which take a second."""
    monkeypatch.setenv("BOARDGYM_TABLES", str(tmp_path))
    monkeypatch.setattr(morris, "FIRST_MEN", (3, 3))


def spec_for(text: str, game) -> str:
    return meaning_of(parse_spec(text), get_game(game)).text


def before_the_win(game: str, seed: int) -> Board:
    """The last position of a game that its mover then wins."""
    walker = make_policy(WALK.get(game, "random"), game, seed=seed)
    while True:
        board = Board(game, seed=seed)
        while not board.is_terminal:
            board.push(walker.act(board))
        mover, returns = board.last_mover, board.returns()
        if returns[mover] == max(returns) > 0.0:
            board.pop()
            return board
        seed += 1000


@pytest.mark.parametrize("game", list_games())
def test_every_bundled_game_has_its_line_and_gets_a_move_in_time(game):
    assert get_game(game).name in best.SPECS
    policy, board = make_policy(f"best:{TIME_S}s", game, seed=1), Board(game, seed=3)
    walker = make_policy("random", game, seed=2)
    policy.act(board)  # compiled
    overruns = []
    for _ in range(3):
        started = time.monotonic()
        action = policy.act(board)
        overruns.append(time.monotonic() - started - TIME_S)
        assert action in board.legal_actions
        for _ in range(4):
            if not board.is_terminal:
                board.push(walker.act(board))
        if board.is_terminal:
            board = Board(game, seed=4)
    assert min(overruns) < WITHIN_S  # one of three, for other processes may hold up the rest


@pytest.mark.parametrize("game", list_games())
def test_a_win_at_once_is_taken_in_every_game(game):
    for seed in (1, 2):
        board, policy = before_the_win(game, seed), make_policy(f"best:{TIME_S}s", game, seed=seed)
        mover = board.to_play
        while not board.is_terminal and board.to_play == mover:
            board.push(policy.act(board))
        assert board.is_terminal
        assert board.returns()[mover] == max(board.returns()) > 0.0


def test_connect_four_by_the_book():
    """The first six discs are in the book: exact at any time, and the move that the solver would play."""
    board = Board("ConnectFour-v0")
    for move in ("4", "4", "4", "4", "4", "2"):
        found = make_policy(f"best:{TIME_S}s", board.game, seed=1).analyse(board)
        exact = make_policy("perfect", board.game).analyse(board)
        assert (found.is_proven, found.value, found.action) == (True, exact.value, exact.action)
        board.play([move])


def test_othello_at_the_end_is_exact():
    board, walker = Board("Othello-v0", seed=1), make_policy("random", "Othello-v0", seed=5)
    while board.ply < 48:
        board.push(walker.act(board))
    found = make_policy("best:10s", board.game, seed=1).analyse(board)  # 10 s: a slow machine is to be exact here as well
    exact = make_policy("perfect", board.game).analyse(board)
    assert found.is_proven
    assert found.action_values[found.action] == exact.value == found.value
    assert found.scores[found.action] == max(exact.scores.values())


def test_nine_mens_morris_by_the_tables():
    board = Board("NineMensMorris-v0", "W../.../W../...B../W../.B./..B w 0,0 0")
    policy = make_policy(f"best:{TIME_S}s", board.game, seed=1)
    found, exact = policy.analyse(board), make_policy("perfect", board.game).analyse(board)
    assert found.is_proven
    assert (found.action, found.value, found.distances) == (exact.action, exact.value, exact.distances)


def test_backgammon_by_the_bear_off_table(tmp_path):
    build_two_sided(2, tmp_path)
    board = Board("Backgammon-v0", "-A----A------------a------ x 31", auto_roll=False)
    found = make_policy(f"best:{TIME_S}s", board.game, seed=1).analyse(board)
    assert found.is_proven
    assert found.value == make_policy("perfect", board.game).analyse(board).value


def test_agents_play_the_games_that_they_have_learnt():
    """With the usual options alone; other variants have the search that they had."""
    assert spec_for("best:2s", "NineMensMorris-v0") == "perfect(agent:nine-mens-morris,time=2.0s)"
    assert spec_for("best:2s", get_game("NineMensMorris-v0", flying=False)) == "perfect(minimax:2.0s)"
    othello = spec_for("best:0.1s", "Othello-v0")
    assert othello == "perfect:empties=17,time=0.05s,total=0.1s(agent:othello,time=0.1s,reuse=1)"
    assert "puct:0.1s" in spec_for("best:0.1s", get_game("Othello-v0", size=6))


def test_games_of_a_users_own():
    assert spec_for("best:2s", DICE) == "expectiminimax:2.0s"  # dice and a heuristic
    assert spec_for("best:2s", SHUTTLE) == "minimax:2.0s"  # a heuristic
    assert spec_for("best", TWICE) == "uct:1.0s"  # none
    assert spec_for("best", FOREST_OF_THREE) == "puct:1.0s"  # three seats and a heuristic


def test_the_time_decides_when_othello_is_solved():
    assert [best.empties_in(seconds) for seconds in (1e-9, 0.02, 0.05, 0.5, 1e9)] == [8, 16, 17, 19, 24]
    assert "empties=17,time=0.05s,total=0.1s" in spec_for("best:0.1s", "Othello-v0")


def test_another_spec_stands_for_itself():
    assert spec_for("uct:50", "Othello-v0") == "uct:50"


def test_it_goes_by_its_own_name_and_can_be_watched():
    game = get_game("Othello-v0")
    assert make_policy("best:0.2s", game).spec == "best:0.2s"
    assert make_policy("best", game).has_clock
    found = list(Watched("best:0.2s", game).watch(Board(game)))
    assert found[-1].action in Board(game).legal_actions


REFUSED = ("best:3", "best:0s", "best:s", "best:-1s", "best:5e-324s", "best:1e308s", "best:1s,nodes=3", "best(random)",
           "best:1s(uct:3)")  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_it_refuses(text):
    with pytest.raises(SpecError) as caught:
        make_policy(text, "Othello-v0")
    assert text in str(caught.value)


def test_solver_and_fallback_share_a_time():
    """The solver cannot be done in its time: the search gets what is left, and not its own time again."""
    board = Board("Othello-v0")
    player = make_policy("perfect:empties=60,time=0.1s,total=1s(minimax:1s)", board.game, seed=1)
    assert isinstance(player.fallback, SearchPolicy)
    assert player.act(board) in board.legal_actions
    assert 0.0 < player.fallback.seconds <= 0.9
    assert player.fallback.seconds == pytest.approx(1.0 - player._spent)


@pytest.mark.parametrize(
    "text",
    [
        "perfect:total=1s",
        "perfect:total=1s(random)",
        "perfect:total=1s(minimax:3)",
        "perfect:time=0.5s,total=1s(best:1s)",
        "perfect:time=0.5s,total=1s(perfect:time=1s)",
        "perfect:time=0.5s,total=1s(uct:100,reuse=1)",
        "perfect:total=1(uct:1s)",
        "perfect:total=1s(uct:1s)",
        "perfect:time=2s,total=1s(uct:1s)",
    ],
)
def test_a_shared_time_needs_a_search_and_the_solvers_part(text):
    with pytest.raises(SpecError, match="total"):
        make_policy(text, "Othello-v0")
