"""Backgammon: dice, plays against a slow twin of the rules, what games pay, views, heuristic, drawing."""

import copy
import pickle
import random

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, OptionError, Reason, get_game
from boardgym.baselines import compare
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.games.backgammon import Backgammon, rules
from boardgym.games.backgammon.notation import dice_of, men_of
from boardgym.testing import check_board
from tests.games.backgammon_twin import PASS, twin_actions, twin_after, twin_sources, without

START = "-b----E-C---eE---c-e----B-"


def board_of(fen, **options):
    """A board that does not roll by itself."""
    return Board("Backgammon-v0", fen, auto_roll=False, **options)


def fen_of(x, o, rest):
    """A position string from the men on the points: {number: men}, each side in its own numbers."""
    letters = ["-"] * 26
    for number, men in x.items():
        letters[number] = chr(64 + men)
    for number, men in o.items():
        letters[25 - number] = chr(96 + men)
    return f"{''.join(letters)} {rest}"


def some_fen(rng):
    """A position that need not come from play: crowded or nearly over, some men on the bar; a roll to play."""
    x, o, free = {}, {}, list(range(1, 25))
    rng.shuffle(free)
    for side, men in ((x, rng.randint(1, 15)), (o, rng.randint(1, 15))):
        points = [free.pop() for _ in range(rng.randint(1, 7))]
        own = [point if side is x else 25 - point for point in points] + [25] * (rng.random() < 0.3)
        if rng.random() < 0.3:  # only near home
            own = [number for number in own if number <= 8] or own
        for _ in range(men):
            number = rng.choice(own)
            side[number] = side.get(number, 0) + 1
    high, low = rng.randint(1, 6), rng.randint(1, 6)
    return fen_of(x, o, f"{rng.choice('xo')} {f'{high}{low}' * (2 if high == low else 1)}")


# ---------------------------------------------------------------- against the twin


def play_turn_with_twin(board, rng):
    """Plays the turn at random, comparing actions and men at every ply. Returns the plies."""
    plies = 0
    while board.to_play != verbs.CHANCE and not board.is_terminal:
        seat, dice = board.to_play, tuple(dice_of(board.position))
        men = men_of(board.position)
        own, other = tuple(men[seat]), tuple(men[1 - seat])
        assert board.legal_actions == twin_actions(own, other, dice), board.fen()
        action = rng.choice(board.legal_actions)
        board.push(action)
        plies += 1
        if action != PASS:
            source, die = action // 6 + 1, action % 6 + 1
            own, other, dice = *twin_after(own, other, source, die), without(dice, die)
        goes_on = action != PASS and any(own[1:]) and any(twin_sources(own, other, die) for die in dice)
        assert (board.position.seat == seat) == goes_on
        assert dice_of(board.position) == (list(dice) if goes_on else [])
        men = men_of(board.position)
        assert (tuple(men[seat]), tuple(men[1 - seat])) == (own, other)
    return plies


def test_plays_agree_with_the_twin_in_random_games():
    rng = random.Random(1)
    for seed in range(6):
        board = Board("Backgammon-v0", seed=seed, auto_roll=False)
        while not board.is_terminal:
            board.roll()
            play_turn_with_twin(board, rng)


def test_plays_agree_with_the_twin_on_any_board():
    rng, plies = random.Random(2), 0
    for _ in range(1200):
        plies += play_turn_with_twin(board_of(some_fen(rng)), rng)
    assert plies > 1500


# ---------------------------------------------------------------- dice


def test_the_first_roll_says_who_begins():
    board = Board("Backgammon-v0", auto_roll=False)
    assert board.fen() == f"{START} - -"
    assert board.to_play == verbs.CHANCE
    assert board.legal_actions == []
    probabilities = dict(board.outcomes)
    assert probabilities == pytest.approx({6 * a + b: 1 / 30 for a in range(6) for b in range(6) if a != b})
    for roll, fen in (("3-1", "x 31"), ("13", "o 31"), ("6-5", "x 65"), ("2-6", "o 62")):
        board.push_move(roll)
        assert board.fen() == f"{START} {fen}"
        assert board.to_play == "xo".index(fen[0])
        board.pop()
    with pytest.raises(ValueError, match="two different dice"):
        board.push_move("3-3")


def test_later_rolls():
    board = board_of(f"{START} o -")
    assert board.to_play == verbs.CHANCE
    expected = {6 * a + b: (1 if a == b else 2) / 36 for a in range(6) for b in range(a + 1)}
    assert dict(board.outcomes) == pytest.approx(expected)
    assert sum(dict(board.outcomes).values()) == pytest.approx(1)
    for roll, dice in (("3-1", "31"), ("13", "31"), ("1-3", "31"), ("44", "4444")):
        board.push_move(roll)
        assert board.fen() == f"{START} o {dice}"
        board.pop()


def test_a_board_rolls_by_itself_and_writes_it_down():
    board = Board("Backgammon-v0", seed=4)
    assert len(board.actions) == 1
    assert board.ply == 0
    seat = board.to_play
    while board.to_play == seat:
        board.push(board.legal_actions[0])
    assert len(board.actions) == board.ply + 2


# ---------------------------------------------------------------- plays


@pytest.mark.parametrize(
    ("x", "o", "dice", "moves"),
    [
        # both dice if possible: after 12/7 no man could move by the six
        ({12: 1, 11: 1}, {24: 2, 20: 2}, "65", ["11/6", "12/6"]),
        # either die can be played, not both: the larger
        ({16: 1}, {20: 2}, "65", ["16/10"]),
        # the larger cannot be played at all
        ({16: 1}, {20: 2, 15: 2}, "65", ["16/11"]),
        # from the bar first, by the die that enters
        ({25: 1, 6: 2}, {6: 2, 5: 2}, "62", ["bar/23"]),
        # both men on the bar, both dice
        ({25: 2, 6: 2}, {13: 2}, "31", ["bar/24", "bar/22"]),
        # no way in
        ({25: 1, 6: 2}, {6: 2, 5: 2, 3: 2}, "63", ["pass"]),
        # bearing off: exactly, or the highest by a larger die, or a move within the home
        ({6: 1, 4: 1, 2: 1}, {1: 2}, "42", ["2/off", "4/2", "4/off", "6/4", "6/2"]),
        ({4: 1, 2: 1}, {1: 2}, "61", ["2/1", "4/3", "4/off"]),
        # no bearing off with a man outside; afterwards it is allowed
        ({7: 1, 1: 1}, {1: 2}, "61", ["7/6", "7/1"]),
        # either die would bear this man off
        ({2: 1, 1: 1}, {1: 2}, "65", ["2/off", "2/off:6"]),
        # the last man: one die is enough, and must be the larger
        ({2: 1}, {1: 2}, "65", ["2/off"]),
        ({8: 1, 6: 1}, {22: 1, 20: 1}, "53", ["6/3*", "6/1", "8/5*", "8/3*"]),
    ],
)
def test_moves(x, o, dice, moves):
    board = board_of(fen_of(x, o, f"x {dice}"))
    assert board.legal_moves == moves
    mirrored = board_of(fen_of(o, x, f"o {dice}"))
    assert mirrored.legal_moves == moves
    assert mirrored.legal_actions == board.legal_actions


def test_a_double_is_four_moves_or_as_many_as_there_are():
    board = board_of(f"{START} x 6666")
    board.play(["24/18", "24/18", "13/7"])
    assert board.fen() == "-b----EAC---eD---cBe------ x 6"
    board.push_move("13/7")
    assert board.fen() == "-b----EBC---eC---cBe------ o -"
    board = board_of(fen_of({13: 1}, {24: 2}, "x 6666"))
    board.play(["13/7"])
    assert board.position.dice == 0  # the opponent holds the next point
    assert board.position.seat == 1


def test_a_pass_is_an_action_and_turns_end_by_themselves():
    board = board_of(fen_of({25: 1, 6: 2}, dict.fromkeys(range(1, 7), 2), "x 6666"))
    assert board.legal_actions == [PASS]
    with pytest.raises(IllegalActionError):
        board.push_move("bar/19")
    board.push_move("pass")
    assert board.fen().endswith(" o -")
    with pytest.raises(IllegalActionError):
        board_of(f"{START} x 31").push_move("pass")


def test_men_are_hit_and_enter_again():
    board = board_of(fen_of({8: 1, 6: 1}, {20: 1, 18: 1, 1: 2}, "x 31"))
    board.push_move("8/7")
    assert men_of(board.position)[1][25] == 1
    board.push_move("7/4")
    assert board.fen() == fen_of({4: 1, 6: 1}, {20: 1, 25: 1, 1: 2}, "o -")
    board.push_move("6-5")
    assert board.legal_moves == ["bar/20", "bar/19*"]
    board.push_move("bar/19*")
    assert board.fen() == fen_of({4: 1, 25: 1}, {20: 1, 19: 1, 1: 2}, "o 5")


# ---------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("o", "points"),
    [
        ({1: 14}, 1),  # one man borne off
        ({18: 15}, 2),  # a gammon: none
        ({18: 14, 25: 1}, 3),  # a backgammon: on the bar
        ({1: 14, 19: 1}, 3),  # in the winner's home
        ({25: 1, 3: 13}, 1),
    ],
)
@pytest.mark.parametrize("scoring", ["points", "win"])
@pytest.mark.parametrize("winner", [0, 1])
def test_what_a_win_pays(o, points, scoring, winner):
    x = {1: 1}
    board = board_of(fen_of(*((x, o) if winner == 0 else (o, x)), f"{'xo'[winner]} 21"), scoring=scoring)
    board.push_move("1/off")
    assert board.is_terminal
    assert board.reason is Reason.RULES
    assert board.legal_actions == []
    assert board.outcome().winner == winner
    paid = points if scoring == "points" else 1
    assert board.returns() == ([paid, -paid] if winner == 0 else [-paid, paid])
    assert board.game.max_return == -board.game.min_return == (3 if scoring == "points" else 1)
    assert board.game.from_fen(board.fen()) == board.position


def test_options():
    assert get_game("Backgammon-v0").options == {"scoring": "points"}
    assert get_game("Backgammon-v0").position_class is Backgammon
    win = get_game("Backgammon-v0", scoring="win")
    assert win.position_class.MOST == 1
    assert pickle.loads(pickle.dumps(win)) is win
    assert pickle.loads(pickle.dumps(win.start)) == win.start == copy.copy(win.start)
    for wrong in ("gammon", "", 3, None):
        with pytest.raises(OptionError, match="scoring"):
            get_game("Backgammon-v0", scoring=wrong)


# ---------------------------------------------------------------- views, estimates, drawing


def test_laws_of_positions_that_need_not_come_from_play():
    rng = random.Random(3)
    for _ in range(40):
        check_board(Board("Backgammon-v0", some_fen(rng), auto_roll=False))


def test_observation():
    board = board_of("ab----F-C---bB---c-d-c-BAA o 3333")
    planes = board.observation(0)[0].T
    assert planes.shape == (12, 26)
    x, o = men_of(board.position)
    assert planes[0].tolist() == x
    assert planes[1].tolist() == o[::-1]
    assert planes[2:, 0].tolist() == [0, 0, 4, 0, 0, 0, 0, 0, 0, 1]
    planes = board.observation(1)[0].T
    assert planes[0].tolist() == o
    assert planes[1].tolist() == x[::-1]
    assert planes[2:, 25].tolist() == [0, 0, 4, 0, 0, 0, 1, 1, 0, 1]


def test_views_and_estimates_where_chance_is_to_act():
    board, rng, seen = Board("Backgammon-v0", seed=1, auto_roll=False), random.Random(4), 0
    while not board.is_terminal:
        if board.is_chance:
            for seat in (0, 1):
                assert plain(rules.decode)(board.observation(seat)) == board.position
            assert abs(board.estimate(0)) < 1
            assert board.estimate(0) == -board.estimate(1)
            seen += 1
            board.roll()
        else:
            board.push(rng.choice(board.legal_actions))
    assert seen > 20


def test_heuristic():
    def estimate(x, o, rest="x -", **options):
        return board_of(fen_of(x, o, rest), **options).estimate(0)

    assert Board("Backgammon-v0", auto_roll=False).estimate(0) == 0.0
    assert estimate({6: 5}, {6: 5}) > 0 > estimate({6: 5}, {6: 5}, "o -")  # the first to roll
    assert estimate({6: 5}, {6: 9}) > estimate({6: 5}, {6: 6})  # the race
    assert estimate({6: 5}, {18: 15}) > 1 / 3 > estimate({6: 5}, {18: 14}) > 0  # a gammon is possible, or is not
    assert estimate({6: 5}, {18: 15}, scoring="win") > estimate({6: 5}, {18: 15})
    assert estimate({21: 1, 19: 1}, {8: 3}, "o -") < estimate({20: 2}, {8: 3}, "o -")  # single men in danger


@pytest.mark.once
def test_greedy_beats_random_play():
    """And so does minimax: tests/search/test_strength.py."""
    table = compare("greedy", "Backgammon-v0", ["random"], games=100, openings="start", progress=False)
    assert table.rows[0].score.value > 0.9


def test_drawing():
    board = board_of("ab----F-C---bB---c-d-c-BAA x 31")
    assert (
        str(board)
        == """\
x 13 14 15 16 17 18     19 20 21 22 23 24
o 12 11 10  9  8  7      6  5  4  3  2  1
 | X  .  .  .  O  . |   | O  .  O  .  X  X |
 | X           O    |   | O     O     X    |
 |             O    | X | O     O          |
 |                  |   | O                |
 |                  |   |                  |
 |                  |   |     3 1          |
 |                  |   | 6                |
 |                  |   | X                |
 |             X    | O | X                |
 | O           X    |   | X              O |
 | O  .  .  .  X  . |   | X  .  .  .  .  O |
x 12 11 10  9  8  7      6  5  4  3  2  1
o 13 14 15 16 17 18     19 20 21 22 23 24
x: 181 pips
o: 159 pips
x has 3 1 to play"""
    )


def test_men_on_the_bar_and_off_show_whose_they_are():
    lines = str(board_of(fen_of({25: 1, 1: 2}, {25: 3, 2: 6}, "x 31"))).splitlines()
    assert "".join(line[22] for line in lines[2:13]) == "  X     O3 "
    assert "".join(line.ljust(46)[45] for line in lines[2:13]) == "O6       CX"


def test_every_man_is_drawn():
    drawing, rng = get_game("Backgammon-v0").drawing, random.Random(6)
    for _ in range(100):
        board = board_of(some_fen(rng))
        placed, (x, o) = drawing.pieces(board.position), men_of(board.position)
        for colour, men in ((0, x), (1, o)):
            drawn = [piece for piece in placed if piece and piece.kind == "disc" and piece.colour == colour]
            extra = sum(
                int(piece.label) - (5 if k < 120 else 2)
                for k, piece in enumerate(placed)
                if piece in drawn and piece.label and piece.colour == colour
            )
            assert len(drawn) + extra == sum(men) == 15
        for action in board.legal_actions:
            spots = drawing.action_spots(board.position, action)
            assert len(spots) == (0 if action == PASS else 2)
            after = board.copy()
            after.push(action)
            if spots:
                assert placed[spots[0]].colour == board.to_play
                assert drawing.pieces(after.position)[spots[1]].colour == board.to_play
    assert np.all([0 < spot.x < drawing.size[0] and 0 < spot.y < drawing.size[1] for spot in drawing.spots])
