"""The named evaluations of Othello and Nine Men's Morris, and the one-ply players that have their names."""

import copy
import pickle
from typing import NamedTuple

import gymnasium
import numpy as np
import pytest
import slow_evaluations as slow
from search_games import random_boards

from boardgym.baselines.search.abalone_evaluations import Distance
from boardgym.baselines.search.evaluations import evaluations, named_evaluation, register_evaluation
from boardgym.baselines.search.interrupt import search_kernel
from boardgym.compile import as_python, uncompiled
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy, policies_of_games
from boardgym.core.verbs import rule

OTHELLO, MORRIS = "Othello-v0", "NineMensMorris-v0"
PLAYERS = {
    "positional": OTHELLO,
    "mobility": OTHELLO,
    "parity": OTHELLO,
    "max_disc": OTHELLO,
    "league": OTHELLO,
    "mills": MORRIS,
}
SPREADS = {"positional": 100.0, "mobility": 10.0, "parity": 4.0, "max_disc": 20.0, "league": 100.0, "mills": 20.0}
# Black: a1, h8, c4, d4, e4. White: b2, d5, e5, f5.
SCATTERED = "X--------O----------------XXX------OOO-------------------------X"
# All four corners taken, two and two, one more disc for white: an endgame long before 52 discs.
CORNERED = "X------O---------------------------XO------O------------X------O"


class SpreadOfASum(NamedTuple):
    """Its spread is no squashing: literal terminal values would mean nothing."""

    spread: float = 2.0


@rule(SpreadOfASum)
def evaluate(evaluation, position, seat, room):
    return evaluation.spread / 4.0


register_evaluation("test_spread_of_a_sum", SpreadOfASum)


def score_of(text, board, seat):
    """The score behind an evaluation's value."""
    evaluation = named_evaluation(text, board.game)
    with uncompiled():
        value = evaluation(board, seat)
    return value * evaluation.settings.spread / (1.0 - abs(value))


def othello(squares, side, **options):
    return Board(get_game(OTHELLO, **options), f"{squares} {side}")


def test_positional_by_hand():
    board = othello(SCATTERED, "O")
    score = 100 + 100 - 1 - 1 - 1 - (-50 - 1 - 1 - 1)
    assert score_of("positional", board, 0) == pytest.approx(score)
    assert score_of("positional", board, 1) == pytest.approx(-score)


def test_the_endgame_begins_with_the_corners_or_with_52_discs():
    board = othello(CORNERED, "X")
    assert score_of("positional", board, 0) == pytest.approx(3 - 4)
    assert score_of("positional(corner_condition=0)", board, 0) == pytest.approx(200 - 1 - (200 - 1 - 1))
    assert score_of("mobility", board, 0) == pytest.approx(3 - 4)
    assert score_of("mobility(corner_condition=0)", board, 0) == pytest.approx(slow.mobility(board, 0, False))
    for discs, is_endgame in ((51, False), (52, True)):
        board = othello("-" * (64 - discs) + "O" + "X" * (discs - 1), "O")
        assert (score_of("positional", board, 0) == pytest.approx(discs - 2)) == is_endgame


def test_mobility_by_hand():
    """At the start both have four moves; after black's first move white has three, black three more than none."""
    assert score_of("mobility", Board(OTHELLO), 1) == 0.0
    board = othello("X" + "-" * 26 + "OX------XO" + "-" * 27, "O")
    assert score_of("mobility", board, 0) == pytest.approx(10.0)
    assert score_of("mobility(corners=3, moves=0)", board, 1) == pytest.approx(-3.0)
    board.set_position(Board(OTHELLO).position)
    board.play(["d3"])
    with uncompiled():
        assert len(board.legal_moves) == 3
    assert score_of("mobility", board, 0) == pytest.approx(0.0)  # black would have three too


def test_parity_by_hand():
    """Two holes: one square, and two that touch by a corner. Who is to play has the last move in the first alone."""
    squares = list("OX" * 32)
    for square in (0, 7, 14):
        squares[square] = "-"
    board = othello("".join(squares), "X")
    assert [score_of("parity", board, seat) for seat in (0, 1)] == [0.0, 0.0]
    squares[0] = "O"
    board = othello("".join(squares), "X")
    assert [score_of("parity", board, seat) for seat in (0, 1)] == pytest.approx([-1.0, 1.0])


def test_mills_by_hand():
    """White has closed a mill and is to remove a man: three men and a mill against one man, which counts as gone."""
    board = Board(MORRIS)
    board.play(["a7", "a1", "d7", "d1", "g7"])
    assert board.position.must_remove
    men, mills, slides = 3 + 6 - (2 + 7) + 1, 1, (1 + 1 + 1) - (2 + 2 - 1)
    assert score_of("mills", board, 0) == pytest.approx(10 * men + 3 * mills + slides)
    assert score_of("mills(men=1, mills=0, mobility=0)", board, 1) == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in PLAYERS),
        *((name, {"size": size}) for name in ("mobility", "parity", "max_disc") for size in (4, 6)),
        ("mills", {"variant": "twelve"}),
    ],
)
def test_as_written_once_more_and_the_same_for_all_images(name, options):
    game = get_game(PLAYERS[name], **options)
    for board in random_boards(game, 25, (0, 11) if options.get("size") == 4 else (2, 56 if game.name == "Othello" else 40), 3):
        found = [score_of(name, board, seat) for seat in (0, 1)]
        assert found == pytest.approx([getattr(slow, name)(board, seat) for seat in (0, 1)], abs=1e-9), board.fen()
        assert found[0] == -found[1]
        image = Board(game)
        with uncompiled():
            image.set_position(verbs.transform(board.position, verbs.num_symmetries(board.position) - 1))
        assert score_of(name, image, 0) == pytest.approx(found[0], abs=1e-9)


def best_actions(name, board, win=1000.0):
    """What a one-ply player may choose, by the slow evaluations."""
    seat, values = board.to_play, {}
    for action in board.legal_actions:
        board.push(action)
        values[action] = win * board.returns()[seat] if board.is_terminal else getattr(slow, name)(board, seat)
        board.pop()
    return {action for action, value in values.items() if abs(value - max(values.values())) < 1e-9}


@pytest.mark.parametrize("name", [*PLAYERS])
def test_a_player_goes_to_the_best_position_and_draws_between_equals(name):
    policy, tied = make_policy(name, PLAYERS[name], seed=1), 0
    for board in random_boards(get_game(PLAYERS[name]), 30, (1, 58 if name != "mills" else 40), 5):
        best = best_actions(name, board)
        assert {policy.act(board) for _ in range(8)} <= best, board.fen()
        assert policy.act(board, deterministic=True) == next(a for a in board.legal_actions if a in best)
        if len(best) == 2:
            assert {policy.act(board) for _ in range(30)} == best
            tied += 1
    assert tied > 0


@pytest.mark.parametrize("literal", [0, 1])
def test_a_literal_win_is_worth_less_than_a_good_square(literal):
    """White ends the game by d2, which turns both black discs; a1 and c1 score 31 and 37, more than the +1 of a win."""
    board = othello("-" * 8 + "OXX" + "-" * 7 + "O" + "-" * 45, "O")
    d2, c1 = 11, 2
    assert best_actions("positional", board) == {d2}
    assert best_actions("positional", board, win=1.0) == {c1}
    for spec in (f"positional:literal_terminal={literal}", f"greedy:literal_terminal={literal},evaluation=positional"):
        assert make_policy(spec, OTHELLO, seed=1).act(board) == (c1 if literal else d2)


def test_what_squashes_has_a_spread():
    kind = type("Squashed", (Distance,), {"SQUASHES": True})
    with pytest.raises(OptionError, match="expected a setting spread"):
        register_evaluation("test_squashed", kind)


def test_named_everywhere():
    assert [name for names in policies_of_games().values() for name in names] == [*PLAYERS]
    assert {name for name in PLAYERS if name in evaluations(OTHELLO)} == {*PLAYERS} - {"mills"}
    assert "mills" in evaluations(MORRIS)
    assert "positional" not in evaluations(get_game(OTHELLO, size=6))
    policy = make_policy("epsilon:0.25(mobility:corners=3,corner_condition=0)", OTHELLO, seed=4)
    assert policy.epsilon == 0.25
    again = pickle.loads(pickle.dumps(policy)), copy.deepcopy(policy)
    board = Board(OTHELLO)
    assert len({tuple(p.act(board) for _ in range(20)) for p in again}) == 1


def test_as_opponents_in_environments():
    """Each ply of the opponent is one that the evaluation likes best; the first it draws, for all four are equal."""
    env, firsts = gymnasium.make("boardgym/Othello-v0", opponent="positional", seat=1), set()
    for seed in range(3):
        _, info = env.reset(seed=seed)
        for _ in range(5):
            _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        actions, board = env.unwrapped.board.actions, Board(OTHELLO)
        firsts.add(actions[0])
        for action in actions:
            assert board.to_play == 1 or action in best_actions("positional", board), board.fen()
            board.push(action)
        assert board.ply >= 11
    assert len(firsts) > 1
    env.close()


@pytest.mark.parametrize("spec", ["minimax:1", "uct:{children},leaf=heuristic"])
def test_in_searches(spec):
    """At depth 1, and in a tree with one visit a child, actions are worth what the evaluation says to who makes them."""
    board = Board(OTHELLO)
    board.play(["d3", "c3"])
    spec = spec.format(children=len(board.legal_actions))
    policy = make_policy(f"{spec},evaluation=positional", OTHELLO, seed=1)
    policy._entry, policy._entry_is_for = as_python(search_kernel), policy.data  # compiling them would take seconds
    found, seat = policy.analyse(board), board.to_play
    assert set(found.action_values) == set(board.legal_actions)
    assert len(set(found.action_values.values())) > 1
    assert "uct" not in spec or set(found.visit_counts.values()) == {1}
    for action, value in found.action_values.items():
        board.push(action)
        assert value == pytest.approx(slow.positional(board, seat) / (100 + abs(slow.positional(board, seat))))
        board.pop()


@pytest.mark.parametrize(
    ("spec", "game", "error", "message"),
    [
        ("positional", "TicTacToe-v0", UnsupportedGameError, "evaluation 'positional' is not for TicTacToe-v0"),
        ("mills", OTHELLO, UnsupportedGameError, "it has positional, mobility, parity, max_disc, league"),
        ("positional", "Othello-v0 6", UnsupportedGameError, "is for Othello-v0 with size=8, not with {'size': 6}"),
        ("positional:2", OTHELLO, SpecError, "takes no argument"),
        ("positional(random)", OTHELLO, SpecError, "no policies in brackets"),
        ("positional:corners=1", OTHELLO, SpecError, "no setting 'corners'"),
        ("mobility:corner_condition=2", OTHELLO, SpecError, "from 0 to 1"),
        ("positional:literal_terminal=2", OTHELLO, SpecError, "expected 0 or 1"),
        ("greedy:literal_terminal=1", OTHELLO, SpecError, "expected evaluation= too"),
        ("greedy:literal_terminal=1,evaluation=distance", "Abalone-v0", SpecError, "squash a score"),
        ("greedy:literal_terminal=1,evaluation=test_spread_of_a_sum", OTHELLO, SpecError, "squash a score"),
        ("greedy:evaluation=positionl", OTHELLO, SpecError, "did you mean 'positional'"),
        ("minimax:2,evaluation=positional", "Othello-v0 6", UnsupportedGameError, "with size=8"),
    ],
)
def test_what_is_refused(spec, game, error, message):
    name, _, size = game.partition(" ")
    with pytest.raises(error) as caught:
        make_policy(spec, get_game(name, **({"size": int(size)} if size else {})))
    assert message in str(caught.value)
