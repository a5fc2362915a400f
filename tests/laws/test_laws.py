"""Every game obeys the laws, under random play and under moves that Hypothesis chooses; and the checker sees every fault."""

import dataclasses
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardgym
from boardgym.core.game import Setup
from boardgym.testing import check_board, check_game, laws
from tests.support import found_in_plain_python
from tests.variants import VARIANTS, as_parameter, compiled_or_plain, every_game, is_compiled


def test_every_registered_game_is_checked():
    known = map(boardgym.get_game, boardgym.list_games())
    ours = {game.id for game in known if game.position_class.__module__.startswith("boardgym.")}
    assert ours == {game_id for game_id, _ in VARIANTS}


IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"


@pytest.mark.parametrize("case", [compiled_or_plain(case) for case in VARIANTS])
def test_laws_under_random_play(case):
    """Long games of variants that pay at the end are left after 200 plies.

    The checker is compiled for each variant anew: for one of each game, beside the usual one. The others run as Python, from
    the usual set-up alone, and their long games are left after 3 plies, as all are without the compiler: the fingerprints
    compare the usual rules with the compiled ones, and the next test looks at the others later in a game.
    """
    game = boardgym.get_game(case[0], **case[1])
    is_long = game.max_plies > 130
    if IS_COMPILED and is_compiled(case):
        games, max_plies = (2, None if case[1].keys() <= {"rewards"} else 200) if is_long else (12, None)
    else:
        games, max_plies = (1, 3) if is_long else (4, None)
        if case[1]:
            game = dataclasses.replace(game, setups={"standard": game.setups["standard"]})
    assert check_game(game, games=games, max_plies=max_plies) > games


@pytest.mark.plain(boards=True)
@pytest.mark.parametrize("case", [as_parameter(case) for case in VARIANTS if not is_compiled(case)])
def test_laws_late_in_a_game(case):
    """Of each variant that runs as Python above: a position on the way, and the last one."""
    board, rng = boardgym.Board(case[0], seed=3, **case[1]), random.Random(3)
    while not board.is_terminal:
        if board.ply == 60:
            check_board(board)
        board.push(rng.choice(board.legal_actions))
    check_board(board)


def test_all_positions_of_a_set_up_are_checked(monkeypatch):
    """Those that its sequences lead to, not the one where they begin."""
    game, checked = boardgym.get_game("TicTacToe-v0"), []
    pairs = {"standard": game.setups["standard"], "pairs": Setup((game.start,), sequence_plies=2)}
    monkeypatch.setattr(laws, "check_position", lambda game, row: checked.append(tuple(row.tolist())))
    check_game(dataclasses.replace(game, setups=pairs), games=0)
    assert [len(checked), len(set(checked))] == [1 + 72, 1 + 72]


@every_game
def test_laws_under_chosen_play(game):
    """In plain Python fewer games, as above."""

    @settings(max_examples=25 if IS_COMPILED else 8, deadline=None, derandomize=True)
    @given(st.lists(st.integers(0, 63), max_size=64))
    def run(choices):
        board = boardgym.Board(game, seed=len(choices))
        for choice in choices:
            if board.is_terminal:
                break
            legal = board.legal_actions
            board.push(legal[choice % len(legal)])
        check_board(board)

    run()


BROKEN = """
import json
import numpy as np
from boardgym import Game, Version, rule
from boardgym.games import tic_tac_toe as t
from boardgym.compile import registry
from boardgym.core import verbs
from boardgym.testing import LawBroken, check_game

FIELDS = [f for f in Game.__dataclass_fields__]
base = {name: getattr(t.GAME, name) for name in FIELDS} | {"versions": (Version(0, "0", "broken", ""),)}
found = {}
good = {name: verbs.find_rule(name, t.TicTacToe) for name in registry.ARITY}


def law_of(name, *rules, start=(0, 0), **changes):
    kind = type(name, (t.TicTacToe,), {"__slots__": (), "__module__": __name__})
    for verb in rules:
        rule(kind)(verb)
    changes = {"name": name, "position_class": kind, "start": kind(*start), "setups": {}, **changes}
    if "from_fen" not in changes:
        changes["from_fen"] = lambda text: kind(*t.from_fen(text))
    game = Game(**(base | changes))
    try:
        check_game(game, games=20)
        found[name] = None
    except LawBroken as error:
        found[name] = error.law
        assert name in str(error) and error.law in str(error), str(error)


law_of("Sound")


def legal_actions(position, out):
    n = good["legal_actions"](position, out)
    out[:n] = out[:n][::-1].copy()
    return n
law_of("Unsorted", legal_actions)


def legal_actions(position, out):
    n = good["legal_actions"](position, out)
    for i in range(n):
        out[i] += 1
    return n
law_of("OutOfRange", legal_actions)


def legal_actions(position, out):
    n = good["legal_actions"](position, out)
    out[n] = 8
    return n
law_of("Overfull", legal_actions, max_legal_actions=9)


def is_terminal(position):
    return t.has_line(position.other)
law_of("ForgetsTheFullBoard", is_terminal)


def is_valid(position):
    return good["is_valid"](position) and t.popcount(position.own | position.other) < 6
law_of("Narrow", is_valid)


def to_play(position):
    return 2 if t.popcount(position.own | position.other) == 3 else t.popcount(position.own | position.other) & 1
law_of("ThirdSeat", to_play)


def observe(position, seat, out):
    before = out[1, 1, 3]
    good["observe"](position, seat, out)
    out[1, 1, 3] = before
law_of("UnwrittenPlane", observe)


def observe(position, seat, out):
    good["observe"](position, seat, out)
    out[:, :, 3] = 2
law_of("TooLarge", observe)


def observe(position, seat, out):
    good["observe"](position, 0, out)
law_of("WrongSeat", observe)


def decode(planes):
    own, other = good["decode"](planes)
    return other, own
law_of("WrongDecode", decode)


def heuristic(position, seat):
    return 1.0
law_of("CertainHeuristic", heuristic)


def heuristic(position, seat):
    return 0.25
law_of("OptimistForBoth", heuristic)


def heuristic(position, seat):
    return np.nan
law_of("NoNumber", heuristic)


def returns(position, seat):
    return 2.0 * good["returns"](position, seat)
law_of("DoublePay", returns)


def returns(position, seat):
    return abs(good["returns"](position, seat))
law_of("BothWin", returns)


def reward(position, seat):
    return 0.0
law_of("Unpaid", reward)


def transform(position, k):
    return good["transform"](position, (k + 1) % 8)
law_of("NoIdentity", transform, start=(1, 2))


def transform_action(position, action, k):
    return 0
law_of("NoPermutation", transform_action)


def transform_action(position, action, k):
    return action
law_of("ActionsStay", transform_action, start=(1, 2))


def transform(position, k):
    moved = good["transform"](position, k)
    return (moved[0], moved[1]) if t.popcount(position.own | position.other) != 4 or k == 0 else (moved[1], moved[0])
law_of("ColoursSwap", transform)


def compact(position, out):
    out[0] = position.own | position.other
    return 1
law_of("Colourblind", compact)


def compact(position, out):
    out[0], out[1] = position.own, position.other
    return 1 + (position.other > 0)
law_of("MoreAndMoreWords", compact)


def compact(position, out):
    out[0], out[1] = position.own | (position.other << 9), 0
    return 1
law_of("WordsBesides", compact)


law_of("AlikeMoves", move_text=lambda position, action: "a1")
law_of("UnreadMoves", parse_move=lambda position, text: 0)
law_of("ForgetfulFen", from_fen=lambda text: t.TicTacToe(0, 0))
law_of("TooShort", max_plies=4)
law_of("SmallBuffer", max_legal_actions=9, num_actions=8)
law_of("PassesAtWill", pass_action=8)
print(json.dumps(found))
"""

LAWS = {
    "Sound": None,
    "Unsorted": "legal_actions are ascending, each once",
    "OutOfRange": "legal_actions lie in [0, num_actions)",
    "Overfull": "legal_actions writes no more than max_legal_actions",
    "ForgetsTheFullBoard": "0 legal actions if and only if the position is terminal or chance is to act",
    "Narrow": "is_valid holds for what play leads to",
    "ThirdSeat": "to_play is a seat, or CHANCE while the game goes on",
    "UnwrittenPlane": "observe writes every element",
    "TooLarge": "an observation lies in [0, observation_max]",
    "WrongSeat": "a seat that is not to play sees something else than the one that is",
    "WrongDecode": "decode(observe(position, seat)) == position",
    "CertainHeuristic": "the heuristic lies in (-1, 1)",
    "NoNumber": "the heuristic lies in (-1, 1)",
    "OptimistForBoth": "the heuristics of two seats are opposite",
    "DoublePay": "returns lie in [min_return, max_return]",
    "BothWin": "the returns of two seats are opposite",
    "Unpaid": "the rewards of the plies add up to the returns",
    "NoIdentity": "symmetry 0 is the identity",
    "NoPermutation": "transform_action is a permutation of the actions",
    "ActionsStay": "the legal actions of a transformed position are the transformed legal actions",
    "ColoursSwap": "transform commutes with apply",
    "Colourblind": "compact gives different positions different words",
    "MoreAndMoreWords": "compact writes as many words for every position",
    "WordsBesides": "compact writes as many words for every position",
    "AlikeMoves": "no two legal actions are written alike",
    "UnreadMoves": "parse_move(move_text(action)) == action",
    "ForgetfulFen": "from_fen(to_fen(position)) == position",
    "TooShort": "a game lasts at most max_plies plies",
    "SmallBuffer": "legal_actions lie in [0, num_actions)",
    "PassesAtWill": "a pass is legal alone",
}


@pytest.fixture(scope="module")
def laws_found():
    """What check_game says of each broken game."""
    return found_in_plain_python(BROKEN)


@pytest.mark.once
@pytest.mark.parametrize(("name", "law"), LAWS.items())
def test_a_broken_game_is_caught(laws_found, name, law):
    assert laws_found[name] == law
    assert laws_found.keys() == LAWS.keys()
