"""The options of minimax: exact ones leave the value of the root, others do what they are for."""

import json

import pytest
from forest import CHILDREN, DELAYED, FOREST, GRABBED, HIDDEN, LAYERS, UNIFORM, UNIFORM_DEPTH, Forest, tree
from search_games import SHUTTLE, TWICE, analyse, as_written, board_at, plain_minimax, played, random_boards

from benchmarks.minimax_options import measure
from boardgym.baselines.search import probcut
from boardgym.baselines.search.alphabeta_stack import options_of
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.minimax import Minimax
from boardgym.baselines.search.minimax import RefinedMinimax as Refined
from boardgym.cli import main
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.support import run_python

EXACT = (
    "alphabeta=0",
    "table=0",
    "killers=0,history=0",
    "order=heuristic",
    "order=worst",
    "pvs=1",
    "aspiration=0.05",
    "pvs=1,aspiration=0.2,order=heuristic",
    "pvs=1,aspiration=0.001,table=0,killers=0",
)
NONE = "table=0,killers=0,history=0"
PLAIN = (
    "alphabeta=1"  # as it is anyway: the same kernel without an option, for games for which plain minimax is not compiled here
)


@pytest.mark.parametrize("options", EXACT)
def test_exact_options_leave_the_value_and_the_choice(options):
    for root in LAYERS[:6]:
        board = tree(root)
        for depth in (1, 3, 6):
            value, plain = plain_minimax(board, depth, {}), analyse(f"minimax:{depth},{PLAIN}", board)
            found = analyse(f"minimax:{depth},{options}", board)
            assert found.value == plain.value == pytest.approx(value, abs=1e-12)
            assert (found.action, found.action_values) == (plain.action, plain.action_values)
            assert played(f"minimax:{depth},{options}", board)[:2] == (plain.action, plain.value)


@pytest.mark.parametrize("options", ["pvs=1,aspiration=0.1,order=heuristic", "alphabeta=0,killers=0"])
def test_exact_options_in_a_game(options):
    for board in random_boards(get_game("TicTacToe-v0"), 5, (2, 5), seed=12):
        for depth in (2, 4, 9):
            found, plain = analyse(f"minimax:{depth},{options}", board), analyse(f"minimax:{depth}", board)
            assert (found.value, found.action, found.depth) == (plain.value, plain.action, plain.depth)


def visited(depth, options):
    """Positions visited by the last iteration of a search of the uniform tree."""
    counts = [analyse(f"minimax:{d},{NONE},{options}", tree(UNIFORM)).nodes for d in (depth - 1, depth)]
    return counts[1] - counts[0]


def test_best_order_visits_the_critical_tree_and_no_more():
    """Knuth and Moore: b^ceil(d/2) + b^floor(d/2) - 1 leaves at depth d, here at each level below the one first action."""
    levels = range(UNIFORM_DEPTH + 1)
    least = sum(3 ** ((d + 1) // 2) + 3 ** (d // 2) - 1 for d in levels)
    most = sum(3**d for d in levels)
    depth = UNIFORM_DEPTH + 1
    assert visited(depth, "order=heuristic") == least
    assert visited(depth, "alphabeta=0") == most
    given, worst = visited(depth, "order=given"), visited(depth, "order=worst")
    assert least < given < worst <= most
    assert worst > 0.95 * most  # from the worst to the best nothing is cut but by bounds from two levels up or more


def test_the_table_saves_positions():
    saved = [analyse(f"minimax:7,table={on},alphabeta=0", tree(LAYERS[1])) for on in (0, 1)]
    assert saved[0].value == saved[1].value
    assert saved[1].nodes < saved[0].nodes / 2
    assert saved[0].nodes == sum(sum(3**d for d in range(1, k + 1)) for k in range(1, 8))


def count_alpha_beta(board, depth, low, high, counts):
    """Alpha-beta by its definition, the actions as they come. counts: positions, and those of which actions were left out."""
    counts[0] += 1
    if board.is_terminal or depth == 0:
        return board.returns()[board.to_play] if board.is_terminal else board.estimate(board.to_play)
    best, legal = -2.0, board.legal_actions
    for number, action in enumerate(legal):
        board.push(action)
        best = max(best, -count_alpha_beta(board, depth - 1, -high, -max(low, best), counts))
        board.pop()
        if best >= min(high, 1.0):
            counts[1] += number + 1 < len(legal)
            break
    return best


def test_positions_and_cutoffs_are_counted():
    counts = [0, 0]
    for depth in range(1, 6):
        count_alpha_beta(tree(UNIFORM), depth, -2.0, 2.0, counts)
    found = analyse(f"minimax:5,{NONE}", tree(UNIFORM))
    assert [found.nodes, found.cutoffs, found.table_hits] == [counts[0] - 5, counts[1], 0]  # the root is not counted
    for board in random_boards(get_game("TicTacToe-v0"), 3, (1, 3), seed=2):  # both kernels count alike
        plain, refined = analyse("minimax:6", board), analyse("minimax:6,alphabeta=1", board)
        assert (plain.nodes, plain.cutoffs, plain.table_hits) == (refined.nodes, refined.cutoffs, refined.table_hits)
        assert min(plain.cutoffs, plain.table_hits) > 0


def test_hits_of_the_table_are_counted():
    """Without alpha-beta a position is looked up as often as a line comes to it, and all but the first time it is a hit."""
    hits = 0
    for depth in range(3, 8):
        layer = {LAYERS[1]}
        for _ in range(1, depth - 1):  # where two plies or more are left
            ways = [child for node in layer for child in CHILDREN[node]]
            layer = set(ways)
            hits += len(ways) - len(layer)
    found = analyse("minimax:7,alphabeta=0", tree(LAYERS[1]))
    assert (found.table_hits, found.cutoffs) == (hits, 0)


def test_the_size_of_the_table_is_a_setting():
    """The plain kernel and the other one: a smaller table answers less often, and changes nothing else."""
    board = random_boards(get_game("TicTacToe-v0"), 1, (1, 1), seed=3)[0]
    for options in ("", ",alphabeta=0"):
        small, large = (analyse(f"minimax:7,table_bits={bits}{options}", board) for bits in (4, 14))
        assert small.table_hits < large.table_hits
        assert (small.value, small.action, small.action_values) == (large.value, large.action, large.action_values)
    assert make_policy("minimax:2,table_bits=22", "Othello-v0").settings.table_bits == 22


def test_no_room_for_a_table_is_said_in_words():
    board = Board("TicTacToe-v0")
    with pytest.raises(MemoryError, match=r"minimax:9 for TicTacToe-v0: .*table_bits="):
        SearchPolicy(board.game, Minimax(9, 0, 50, 1.0), "minimax:9", seed=0).act(board)


@pytest.mark.parametrize("name", ["alphabeta", "table"])
def test_tic_tac_toe_without_the_one_or_the_other(name):
    """All 549,945 lines' positions below the empty board; either remedy leaves few of them, and the value, which is 0."""
    board, plain = Board("TicTacToe-v0"), "alphabeta=0,table=0"
    every = [analyse(f"minimax:{depth},{plain}", board) for depth in (8, 9)]
    less = [analyse(f"minimax:{depth},{name}=0", board) for depth in (8, 9)]
    assert every[1].nodes - every[0].nodes == 549_945
    assert less[1].nodes - less[0].nodes < 549_945 / 10
    assert every[1].value == less[1].value == 0.0


def test_narrow_windows_cost_nothing_in_best_order():
    depth = UNIFORM_DEPTH + 1
    assert visited(depth, "order=heuristic,pvs=1") == visited(depth, "order=heuristic")
    board = board_at(FOREST, Forest(int(CHILDREN[UNIFORM, 0]), 1, 2))  # three actions, so that the root has windows too
    counts = [played(f"minimax:5,{NONE},order=heuristic{more}", board)[2] for more in ("", ",pvs=1", ",pvs=1,aspiration=0.05")]
    assert counts[0] == counts[1] == counts[2]


def test_narrow_windows_save_positions():
    """Principal variation search as a rule, aspiration where the value of the depth before is close."""
    boards = random_boards(get_game("TicTacToe-v0"), 20, (0, 3), seed=5)
    every, less = (sum(played(f"minimax:4,{NONE}{more}", board)[2] for board in boards) for more in ("", ",pvs=1"))
    assert less < every
    board = board_at(FOREST, Forest(int(CHILDREN[UNIFORM, 0]), 1, 2))
    every, less = (played(f"minimax:5,{NONE}{more}", board)[2] for more in ("", ",aspiration=0.05"))
    assert less < every


def test_quiescence_sees_the_reply():
    board = tree(GRABBED)
    assert (analyse(f"minimax:1,{PLAIN}", board).action, analyse(f"minimax:1,{PLAIN}", board).value) == (0, 0.5)
    for plies in (1, 5):
        found = analyse(f"minimax:1,quiescence={plies}", board)
        assert (found.action, found.value) == (1, 0.1)
        assert found.action_values[0] == -0.8


def test_a_singular_extension_sees_beyond_the_horizon():
    board = tree(DELAYED)
    plain, found = analyse(f"minimax:4,{PLAIN}", board), analyse("minimax:4,singular=0.4", board)
    assert (plain.action, plain.value) == (0, 0.5)
    assert (found.action, found.value) == (1, 0.0)
    assert found.action_values[0] == -0.9
    assert analyse(f"minimax:5,{PLAIN}", board).action == 1
    assert analyse("minimax:4,singular=1.9", board).action == 0  # no reply is better than the others by so much


def test_a_beam_may_miss_the_best():
    board = tree(HIDDEN)
    assert analyse(f"minimax:2,{PLAIN}", board).action == 2
    narrow = analyse("minimax:2,beam=2", board)
    assert (narrow.action, narrow.value, narrow.is_proven) == (0, 0.2, False)
    assert set(narrow.action_values) == {0, 1}
    for root in LAYERS[:5]:
        wide, full, narrow = (analyse(f"minimax:6,{options}", tree(root)) for options in ("beam=3", "table=1", "beam=1"))
        assert (wide.value, wide.nodes) == (full.value, full.nodes)
        assert narrow.nodes < full.nodes / 5
    with pytest.raises(SpecError, match="at most 3"):
        make_policy("minimax:6,beam=4", FOREST)


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Fits are kept in a folder of the test."""
    monkeypatch.setattr(probcut, "path_of", lambda game, deep, shallow: tmp_path / f"{deep}-{shallow}.json")
    return tmp_path


def test_probcut(folder):
    with pytest.raises(SpecError, match="boardgym probcut TestForest --deep 4 --shallow 2"):
        make_policy("minimax:7,probcut=1.5", FOREST)
    fit = probcut.fit_regression(FOREST, 4, 2, positions=80, most_plies=3, seed=1)
    assert 0.2 < fit.slope < 2.0
    assert 0.0 < fit.deviation < 0.5
    probcut.save_regression(FOREST, fit)
    full = [played("minimax:7,table=0", tree(root)) for root in LAYERS]
    assert [played("minimax:7,table=0,probcut=1e9", tree(root)) for root in LAYERS] == full
    found = [played("minimax:7,table=0,probcut=0.5", tree(root)) for root in LAYERS]
    assert sum(f[2] for f in found) < sum(f[2] for f in full)
    errors = [abs(a[1] - b[1]) for a, b in zip(found, full, strict=True)]
    assert 0 < sum(error > 0.0 for error in errors) < len(errors)  # the measured rate of errors: neither none nor all
    assert max(errors) < 1.0
    (folder / "4-2.json").write_text("{}")
    with pytest.raises(SpecError, match=r"a regression in .*4-2\.json, .*; fit it again: .*slope"):
        make_policy("minimax:7,probcut=1.5", FOREST)


def test_regressions_come_with_the_package(folder):
    assert make_policy("minimax:6,probcut=1.5", "Othello-v0").settings[-6:-1] == (4, 2, 1.012, 0.001, 0.0903)
    with pytest.raises(SpecError, match="--deep 6 --shallow 2"):
        make_policy("minimax:7,probcut=1.5,deep=6", "Othello-v0")
    with pytest.raises(SpecError, match="no regression"):
        make_policy("minimax:6,probcut=1.5", get_game("Othello-v0", size=6))
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("pvs=2", "expected 0 (off) or 1 (on)"),
        ("pvs=yes", "expected 0 (off) or 1 (on)"),
        ("pvz=1", "did you mean 'pvs'"),
        ("quiescence=0", "above 0"),
        ("quiescence=99", "at most 50"),
        ("aspiration=0", "above 0"),
        ("singular=3", "at most 2"),
        ("order=best", "known: given, heuristic, worst"),
        ("probcut=-1", "above 0"),
        ("probcut=1,deep=2,shallow=2", "deep > shallow"),
        ("deep=4", "belong to probcut"),
        ("table_bits=3", "expected 4 to 22"),
        ("table_bits=23", "expected 4 to 22, for 2**bits entries of 24 bytes"),
        ("table_bits=many", "a whole number"),
        ("table=0,table_bits=10", "expected one of them"),
        ("alphabeta=0,pvs=1", "which alphabeta=0 switches off"),
        ("alphabeta=0,aspiration=0.1", "which alphabeta=0 switches off"),
        ("alphabeta=0,probcut=1", "which alphabeta=0 switches off"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(SpecError, match="policy spec") as caught:
        make_policy(f"minimax:4,{options}", "TicTacToe-v0")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "game", "lacks"),
    [
        ("order=heuristic", TWICE, "heuristic"),
        ("order=worst", TWICE, "heuristic"),
        ("beam=2", TWICE, "heuristic"),
        ("quiescence=4", TWICE, "noisy_actions"),
        ("quiescence=4", "Backgammon-v0", "noisy_actions"),
        ("table_bits=10", "Abalone-v0", "no table"),
        ("table_bits=10", SHUTTLE, "no table"),
    ],
)
def test_settings_without_effect_in_a_game_are_refused(options, game, lacks):
    with pytest.raises(UnsupportedGameError, match=lacks):
        make_policy(f"minimax:4,{options}", game)
    assert make_policy("minimax:4,order=given,table=0", game).settings.order == 0


def test_plain_minimax_keeps_its_own_kernel():
    assert not isinstance(make_policy("minimax:4,nodes=100,table_bits=9", "Othello-v0").settings, Refined)
    assert isinstance(make_policy("minimax:4,pvs=1", "Othello-v0").settings, Refined)


WHAT_IS_COMPILED = """
from boardgym import Board
from boardgym.baselines.search import alphabeta, alphabeta_stack
from boardgym.core.policy_spec import make_policy
from tests.support import run_python

parts = [getattr(module, name) for module, name in (
    (alphabeta_stack, "rate_moves"), (alphabeta, "ask_table"), (alphabeta_stack, "rate_by_evaluation"),
    (alphabeta_stack, "bring_best"), (alphabeta_stack, "look_ahead"))]
make_policy("minimax:3", "TicTacToe-v0", seed=0).act(Board("TicTacToe-v0"))
print([len(part.overloads) for part in parts])
"""


def test_what_is_off_is_not_compiled(tmp_path):
    """From an empty cache, plain minimax is made of the parts that it needs, and not of the options' parts."""
    assert run_python("-c", WHAT_IS_COMPILED, cache=tmp_path).stdout == "[1, 1, 0, 0, 0]\n"


@pytest.mark.parametrize(
    ("spec", "is_on"),
    [
        ("minimax:4", (1, 0, 0, 0)),
        ("minimax:4,pvs=1,beam=3", (1, 1, 0, 0)),
        ("minimax:4,quiescence=2", (1, 1, 1, 0)),
        ("minimax:4,singular=0.3", (1, 1, 1, 0)),
        ("minimax:4,probcut=1", (1, 1, 1, 0)),
        ("expectiminimax:4", (0, 0, 0, 1)),
    ],
)
def test_the_class_of_the_settings_says_what_is_on(spec, is_on):
    settings = make_policy(spec, "Othello-v0").settings
    assert options_of(settings) == tuple(settings if on else None for on in is_on)


def test_clocks_and_limits_hold_with_options():
    board = Board("TicTacToe-v0")
    found = as_written(make_policy("minimax:9,nodes=50,pvs=1,quiescence=3", board.game, seed=0)).analyse(board)
    assert 40 < found.nodes <= 51
    assert found.action in board.legal_actions


def test_the_table_of_effects():
    exact, beam = measure("TicTacToe-v0", 4, 4, ("alphabeta=0", "beam=2"), plies=3)
    assert exact.same_value == exact.same_action == 1.0
    assert exact.nodes > 1.0 > beam.nodes
    assert measure("TicTacToe-v0", 4, 1, ("probcut=1",)) == []  # no regression has been fitted


def test_the_command_fits_and_keeps_a_regression(folder, capsys):
    assert main(["probcut", "TicTacToe", "--deep", "2", "--shallow", "1", "--positions", "40", "--plies", "3", "--json"]) == 0
    fit = json.loads(capsys.readouterr().out)
    assert (fit["game"], fit["deep"], fit["shallow"], fit["path"]) == ("TicTacToe-v0", 2, 1, str(folder / "2-1.json"))
    settings = make_policy("minimax:4,probcut=1,deep=2,shallow=1", "TicTacToe-v0").settings
    assert (settings.slope, settings.offset, settings.deviation) == (fit["slope"], fit["offset"], fit["deviation"])
    assert main(["probcut", "TicTacToe", "--deep", "2", "--shallow", "2"]) == 2
    assert "expected 0 < shallow < deep" in capsys.readouterr().err.replace("\n", " ")
