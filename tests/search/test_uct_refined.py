"""UCT with refinements at play: proofs, budgets, seeds, kept trees, threads, more seats, what specs may say."""

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from search_games import plain_minimax, random_boards

import boardgym
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy

GAME = "TicTacToe-v0"
ROOT = Path(boardgym.__file__).resolve().parents[1]
GUIDES = ["fpu=0.8", "puct=1.25", "prior=heuristic", "bias=1", "neural_mcts=1,c=2", "urgency=1"]
# Which kinds of options there are is compiled in, their numbers are not: five kernels have each of them.
REFINEMENTS = [*(f"{guide},symmetry=1,least_visits=1" for guide in GUIDES),
               "rave=50,puct=1,prior=heuristic,decisive=1,playout=mast,tau=0.1", "rave=50,fpu=0.8,decisive=1,playout=to_mast",
               "rave=50,urgency=1,decisive=1,playout=past", "rave=50,bias=1,decisive=1,playout=fast",
               "playout=softmax,cutoff_range=0.5,stability=0.1",
               "reuse=1,c=0.5,cutoff=2", "reuse=1,leaf=heuristic", "reuse=1,leaf=mix,mix=0.3",
               "threads=3"]  # fmt: skip
ALONE = [*GUIDES, "rave=50", "decisive=1", "playout=mast", "playout=to_mast", "playout=past", "playout=fast", "playout=softmax",
         "cutoff=2", "leaf=heuristic", "leaf=mix,mix=0.3", "reuse=1,c=0.5", "cutoff_range=0.5,stability=0.1"]  # fmt: skip

SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from typing import NamedTuple
from forest import HIDDEN, tree
from search_games import Twice, small_game
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.core.board import Board
from boardgym.core.policy import choose, make_scratch
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import rule
from boardgym.testing.dice import DICE, Dice

class Three(Twice):
    pass

@rule(Three)
def to_play(position):
    return position.ply % 3

@rule(Three)
def returns(position, seat):
    return 1.0 if seat == (position.ply - 1) % 3 else -1.0

def told(board, spec, sims):
    found = make_policy(f"uct:{sims},{spec}", board.game, seed=1).analyse(board)
    values = [round(value, 9) + 0.0 for value in found.action_values.values()]
    return [found.action, round(found.value, 9) + 0.0, values, list(found.visit_counts.values()), found.depth, found.nodes,
            found.is_proven, list(found.principal_variation)]

board = Board("TicTacToe-v0")
board.push(0)
shown = {"options": {spec: told(board, spec, 100) for spec in sys.argv[2].split(";")}}
if sys.argv[3] == "all":
    game = small_game("TestThree", Three, Three(12, 0), num_seats=3)
    policy, stream = make_policy("uct:60,rave=20,playout=mast", "TicTacToe-v0"), np.array([7], np.uint64)
    own = policy.settings, board.position, 9, policy.data
    used, boards = make_scratch(*own), [Board("TicTacToe-v0", fen) for fen in ("3/3/3 x", "xx1/oo1/3 x", "x2/1o1/2x o")]
    shown["scratch"] = [[int(choose(policy.settings, it.position, it.keys, stream.copy(), scratch, False)) for it in boards]
                        for scratch in (used, used, make_scratch(*own))]
    shown["three"] = {}
    for pile in range(1, 8):
        board = Board(game)
        board.set_position(Three(pile, 1))
        shown["three"][pile] = told(board, "fpu=100", 400)
    board = Board(DICE)
    board.set_position(Dice(2, 5, 0, 1))
    shown["dice"] = told(board, "rave=20,playout=mast", 1000)
    hidden = np.zeros((int(np.prod(Board("TicTacToe-v0").game.observation_shape)), 9))
    NetworkPolicy("TicTacToe-v0", [(hidden, np.array([0, 0, 0, 0, 0, 20.0, 0, 0, 0]))]).save(sys.argv[4])
    board = Board("TicTacToe-v0")
    shown["network"] = told(board, f"puct=1.5,fpu=-1,prior=network(network:{sys.argv[4]})", 20)
    shown["uniform"] = told(board, "puct=1.5,fpu=-1", 20)
    shown["hidden"] = {}
    for spec in ("uct:200", "uct:200,fpu=1", "uct:3000,urgency=1", "uct:200,rave=50", "uct:200,puct=1"):
        found = make_policy(spec, tree(HIDDEN).game, seed=1).analyse(tree(HIDDEN))
        shown["hidden"][spec] = [found.action, found.value, found.is_proven]
print(json.dumps(shown))
"""


def run(path, specs, what, **extra):
    """What a process of its own finds."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), ";".join(specs), what, str(path / "net.safetensors")],
        env={**os.environ, "PYTHONPATH": str(ROOT), **extra},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def in_plain_python(tmp_path_factory):
    return run(tmp_path_factory.mktemp("plain"), REFINEMENTS, "all", NUMBA_DISABLE_JIT="1")


def test_compiled_and_plain_find_the_same(in_plain_python, tmp_path):
    assert run(tmp_path, REFINEMENTS, "some")["options"] == in_plain_python["options"]
    assert len({json.dumps(found) for found in in_plain_python["options"].values()}) > len(REFINEMENTS) - 3


def test_what_one_board_leaves_behind_does_not_reach_another(in_plain_python):
    """Environments hand the same scratch to one board after another."""
    first, again, fresh = in_plain_python["scratch"]
    assert first == again == fresh
    assert first[1] == 2  # wins at once


def test_three_seats_each_play_for_themselves(in_plain_python):
    """Who takes the last of the pile wins alone; piles of four are lost whatever is taken, one and all of 1 to 3 are won."""
    found = {int(pile): values for pile, values in in_plain_python["three"].items()}
    for pile in (1, 2, 3):
        assert found[pile][:2] == [pile - 1, 1.0]
    assert found[4][1] == -1.0
    assert found[5][2] == [-1.0, -1.0, -1.0]  # what one leaves, the next takes or leaves to the third
    assert not any(values[6] for values in found.values())  # nothing is called proven


def test_a_game_of_chance(in_plain_python):
    value, counts = in_plain_python["dice"][1], in_plain_python["dice"][3]
    assert -1.0 < value < 0.0  # the other needs one step, and one may only set it back
    assert counts[1] > counts[0]
    assert sum(counts) == 1000


def test_priors_of_a_network_lead_the_search(in_plain_python):
    assert in_plain_python["network"][3] == [0, 0, 0, 0, 0, 20, 0, 0, 0]  # it is all but sure of one action
    assert max(in_plain_python["uniform"][3]) < 20


def count_proofs(options, simulations, boards):
    """How many boards a search proves the value of, as minimax has it."""
    memo, proven = {}, 0
    for board in boards:
        found = make_policy(f"uct:{simulations},{options}", GAME, seed=0).analyse(board)
        assert found.action in board.legal_actions
        assert sum(found.visit_counts.values()) == found.nodes <= simulations
        if found.is_proven:
            proven += 1
            assert found.value == plain_minimax(board, 9, memo)
    return proven


@pytest.mark.parametrize("options", REFINEMENTS)
def test_proofs_are_true(options):
    assert count_proofs(options, 3000, random_boards(get_game(GAME), 12, (3, 8), seed=1)) >= 9


@pytest.mark.plain
@pytest.mark.parametrize("options", ALONE)
def test_proofs_are_true_with_one_option(options):
    """Few actions from the end; what is compiled for it is compiled for the options together."""
    boards = random_boards(get_game(GAME), 8, (5, 8), seed=1)
    assert count_proofs(options, 300, boards) == len(boards)
    policy = make_policy(f"uct:2,{options}", GAME, seed=0)
    assert policy.act(boards[0]) in boards[0].legal_actions
    assert policy.analyse(boards[0]).nodes == 2


@pytest.mark.parametrize("options", REFINEMENTS)
def test_same_seed_same_play(options):
    board = Board(GAME)

    def choices(seed, deterministic):
        policy = make_policy(f"uct:25,{options}", GAME, seed=seed)
        return [policy.act(board, deterministic=deterministic) for _ in range(6)]

    assert choices(1, False) == choices(1, False)
    assert len({tuple(choices(seed, False)) for seed in range(5)}) > 1
    if "reuse" not in options:
        assert {action for seed in range(3) for action in choices(seed, True)} == {choices(0, True)[0]}
    policy = make_policy(f"uct:25,{options}", GAME, seed=3)
    policy.act(board)
    for other in (copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))):
        twin = copy.deepcopy(policy)
        assert [other.act(board) for _ in range(4)] == [twin.act(board) for _ in range(4)]
        assert other.spec == policy.spec


@pytest.mark.parametrize("options", REFINEMENTS)
def test_few_simulations_and_little_room(options):
    board = Board(GAME)
    make_policy(f"uct:9,{options}", GAME, seed=0).interrupt()  # whatever the settings, it can be ended: test_uct_policies.py
    for budget in ("1", "2", "60,nodes=1", "60,nodes=12"):
        policy = make_policy(f"uct:{budget},{options}", GAME, seed=0)
        assert policy.act(board) in board.legal_actions
        assert policy.analyse(board).nodes == int(budget.split(",")[0])


@pytest.mark.plain
def test_decisive_moves_are_found_at_once():
    board = Board(GAME, "oo1/xx1/3 x")
    found = make_policy("uct:1,decisive=1", GAME, seed=0).analyse(board)
    assert (found.value, found.is_proven, found.nodes) == (1.0, True, 1)
    board.push(found.action)
    assert board.outcome().winner == 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct:100,rvae=3", "did you mean 'rave'"),
        ("uct:100,playout=msat", "did you mean 'mast' or 'past'"),
        ("uct:100,leaf=heuristics", "did you mean 'heuristic'"),
        ("uct:100,prior=net", "'network'"),
        ("uct:100,prior=network", "expected 1 policies in brackets"),
        ("uct:100,prior=network(random)", "expected network(network:FILE)"),
        ("uct:100,rave=0", "expected 1e-06 to"),
        ("uct:100,rave=many", "a number"),
        ("uct:100,decisive=2", "known: 0, 1"),
        ("uct:100,tau=1", "tau= goes with playout="),
        ("uct:100,playout=mast,tau=0.001", "expected 0.02 to"),
        ("uct:100,mix=0.5", "mix= goes with leaf=mix"),
        ("uct:100,leaf=heuristic,cutoff=3", "cutoff= goes with leaf=playout"),
        ("uct:100,puct=1,bias=1", "bias= has no effect beside puct= or prior="),
        ("uct:100,cutoff=2.5", "a whole number"),
        ("uct:100,threads=0", "expected 1 to 256"),
        ("uct:100,threads=2,reuse=1", "expected one of them"),
        ("uct:100,puct=1,c=0", "c= has no effect beside puct= or prior="),
        ("uct:100,prior=uniform,c=0.5", "c= has no effect beside puct= or prior="),
        ("uct:100,puct=1,urgency=1", "urgency= has no effect beside puct= or prior="),
        ("uct:100,neural_mcts=1,fpu=0", "fpu= has no effect beside neural_mcts="),
        ("uct:100,neural_mcts=1,bias=1", "bias= has no effect beside neural_mcts="),
        ("uct:100,neural_mcts=1,rave=50", "rave= has no effect beside neural_mcts="),
        ("uct:100,neural_mcts=2.5", "neural_mcts=2.5; expected 0 to 2"),
        ("uct:100,evaluation=network(random)", "has no value network"),
        ("uct:100,urgency=1,fpu=0", "fpu= has no effect beside urgency=1; both say what a child without visits is worth"),
        ("uct:100,rave=9,nodes=50000001", "expected at most 50000000"),
        ("uct,rave=3", "no policy is called"),
        ("uct:rave=3", "a budget is missing"),
    ],
)
def test_bad_options_are_refused_by_name(spec, message):
    with pytest.raises(SpecError) as caught:
        make_policy(spec, GAME)
    assert message in str(caught.value)


def test_what_a_game_does_not_have_is_refused():
    with pytest.raises(UnsupportedGameError, match="fast plays games of two seats; Abalone3-v0"):
        make_policy("uct:100,playout=fast", "Abalone3-v0")
    from search_games import TWICE

    for options in ("prior=heuristic", "bias=1", "cutoff=3", "leaf=mix", "playout=softmax"):
        with pytest.raises(UnsupportedGameError, match="'heuristic', which TestTwice-v0 does not define"):
            make_policy(f"uct:100,{options}", TWICE)


def test_puct_has_the_strongest_settings_unless_it_says_others():
    from search_games import TWICE

    def settings(spec, game=GAME):
        policy = make_policy(spec, game)
        assert policy.spec == spec
        return policy.settings

    assert settings("puct:100") == settings("uct:100,prior=heuristic,leaf=heuristic")
    assert settings("puct:100,puct=2,leaf=mix,mix=0.3") == settings("uct:100,puct=2,prior=heuristic,leaf=mix,mix=0.3")
    assert settings("puct:100,prior=uniform") == settings("uct:100,prior=uniform,leaf=heuristic")
    assert settings("puct:100", TWICE) == settings("uct:100", TWICE)  # it has no heuristic
    for given, message in (
        ("c=1", "c= has no effect beside puct= or prior="),
        ("neural_mcts=1", "expected it with uct:"),
        ("cutoff=10", "puct has leaf=heuristic unless told, without playouts; cutoff= goes with leaf=playout or leaf=mix"),
    ):
        with pytest.raises(SpecError, match=message):
            make_policy(f"puct:100,{given}", GAME)


def test_of_a_proven_root_the_best_is_played(in_plain_python):
    """Also where games pay something between a win and a loss, and the visits went elsewhere."""
    assert len(in_plain_python["hidden"]) == 5
    for spec, (action, value, is_proven) in in_plain_python["hidden"].items():
        assert is_proven, spec
        assert (action, value) == (2, pytest.approx(0.8)), spec
