"""Bear-off tables of Backgammon: known probabilities and pip counts, the game's own rules, a plain recursion, the solver."""

import dataclasses
import functools
import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.baselines.perfect.bearoff import (
    BearoffSolver,
    OneSided,
    build_two_sided,
    header_of,
    one_sided_path,
    two_sided_path,
)
from boardgym.baselines.perfect.bearoff_tables import ALL_MEN, ROLLS, arrangements, count_arrangements, steps_of, words_of
from boardgym.baselines.perfect.store import TABLES, TableError
from boardgym.cli import main
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from boardgym.games.backgammon.notation import read_id

GO = np.zeros(1, np.int64)
MEN = 6  # of the two-sided table here
DATA = Path(__file__).parents[1] / "data/reference/backgammon_bearoff.txt"

# rolls of 36 that bear off the last two men at once, by their points: as printed in every book on the game
TWO_MEN = {
    (1, 1): 36, (2, 1): 36, (2, 2): 26, (3, 1): 34, (3, 2): 25, (3, 3): 17, (4, 1): 29, (4, 2): 23, (4, 3): 17, (4, 4): 11,
    (5, 1): 23, (5, 2): 19, (5, 3): 14, (5, 4): 10, (5, 5): 6, (6, 1): 15, (6, 2): 13, (6, 3): 10, (6, 4): 8, (6, 5): 6,
    (6, 6): 4,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables")
    reports = []
    build_two_sided(MEN, path, on_progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (count_arrangements(MEN),) * 2
    return path


@pytest.fixture(scope="module")
def alone(folder):
    return OneSided(folder)


@pytest.fixture
def solver(folder):
    return BearoffSolver(get_game("Backgammon"), folder)


def men_on(*points):
    return [points.count(point) for point in range(1, 7)]


# ---------------------------------------------------------------- one side


def test_two_men_in_one_roll(alone):
    for points, rolls in TWO_MEN.items():
        assert alone.distribution(men_on(*points))[1] * 36 == pytest.approx(rolls, abs=1e-4)
    assert alone.distribution(men_on(6))[1:3] == pytest.approx([27 / 36, 9 / 36])
    assert alone.expected_rolls(men_on(6)) == pytest.approx(1.25)


def test_stacks_on_the_ace_point(alone):
    """W. Trice: the effective pip count of n rolls' worth of men on the ace point is 7 n + 1, nearly."""
    for rolls in range(1, 9):
        for men in {2 * rolls - 1, min(2 * rolls, 15)}:
            wanted = 49 / 6 if rolls == 1 else 7 * rolls + 1
            assert alone.effective_pips([men, 0, 0, 0, 0, 0]) == pytest.approx(wanted, abs=0.03)


def test_distributions(alone):
    assert len(alone.expected) == count_arrangements(15) == 54_264
    assert alone.distributions.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
    assert alone.distributions @ np.arange(32.0) == pytest.approx(alone.expected, abs=1e-5)
    assert alone.distributions[:, -1].max() == 0.0


def test_rolls_that_should_bear_off_nothing(alone):
    """Known from a one-sided database of others (bgonline.org forum, 7 November 2013, P. Bennet and Taper_Mike).

    In 3,825 cases of an arrangement and a roll of two dice one man could be borne off, and yet none should be; of two men
    this happens to 6 and 4 alone (position ID AAAAkAAAAAAAAA).
    """
    counts = arrangements(15)
    steps, men = steps_of(counts), counts.sum(axis=1)
    steps[0] = 0
    cases, of_two = 0, []
    for dice in ROLLS:
        if dice[0] == dice[1]:
            continue
        least = np.full((3, len(counts)), np.inf)  # expected rolls if so many men are borne off
        for (first, second), point, next_point in itertools.product((dice, dice[::-1]), range(6), range(6)):
            middle = steps[:, first - 1, point]
            end = steps[middle, second - 1, next_point]
            number = np.flatnonzero((middle >= 0) & (end >= 0))
            off = men[number] - men[end[number]]
            least[off, number] = np.minimum(least[off, number], alone.expected[end[number]])
        keeps = (least[0] < least[1:].min(axis=0) - 1e-12) & np.isfinite(least[1])
        cases += int(keeps.sum())
        of_two += [(counts[number].tolist(), dice) for number in np.flatnonzero(keeps & (men == 2))]
    assert cases == 3825
    assert of_two == [(men_on(6, 4), (5, 2))]
    assert read_id("AAAAkAAAAAAAAA")[0][1:7] == men_on(6, 4)


# ---------------------------------------------------------------- plays


def results(men, dice):
    """The arrangements that a roll can lead to, as tuples, by the rules in plain words."""
    rolls = {dice, dice[::-1]} if len(set(dice)) > 1 else {dice[:1] * 4}
    ends = set()
    for order in rolls:
        places = {tuple(men)}
        for die in order:
            after = set()
            for place in places:
                if not any(place):
                    after.add(place)
                for point in range(1, 7):
                    highest = max((p for p in range(1, 7) if place[p - 1]), default=0)
                    if place[point - 1] and (point >= die or point == highest):
                        moved = list(place)
                        moved[point - 1] -= 1
                        if point > die:
                            moved[point - die - 1] += 1
                        after.add(tuple(moved))
            places = after
        ends |= places
    return ends


def fen_of(own, other, side="x", dice="21"):
    """The position string with these men on the points 1 to 6 of the side to play and of the other; the rest is off."""
    letters = ["-"] * 26
    x_men, o_men = (own, other) if side == "x" else (other, own)
    for point in range(1, 7):
        if x_men[point - 1]:
            letters[point] = chr(ord("A") - 1 + x_men[point - 1])
        if o_men[point - 1]:
            letters[25 - point] = chr(ord("a") - 1 + o_men[point - 1])
    return f"{''.join(letters)} {side} {dice}"


def test_steps_are_the_moves_of_the_game():
    counts = arrangements(6)
    words, steps, draw = words_of(counts), steps_of(counts), random.Random(1)
    assert (np.diff(words) > 0).all()
    assert (steps < np.arange(len(steps))[:, None, None]).all()
    game = get_game("Backgammon")
    for _ in range(60):
        number = draw.randrange(1, len(counts))
        die = draw.randint(1, 6)
        board = Board(game, fen_of(counts[number].tolist(), men_on(3), "xo"[draw.randrange(2)], str(die)), auto_roll=False)
        legal = [6 * point + die - 1 for point in range(6) if steps[number, die - 1, point] >= 0]
        assert board.legal_actions == legal
        for action in legal:
            board.push(action)
            left = [int(men) for men in counts[steps[number, die - 1, action // 6]]]
            assert (
                Board(game, fen_of(men_on(3), left, "ox"[board.history[0].seat], "21"), auto_roll=False).position[:4]
                == (board.position[:4])
            )
            board.pop()


# ---------------------------------------------------------------- two sides


@functools.cache
def win_of(own, other):
    """The probability to win of the side to roll, by plain recursion."""
    total = 0.0
    for dice in ROLLS:
        best = max(1.0 if not any(play) else 1.0 - win_of(other, play) for play in plays_of(own, dice))
        total += best * (1 if dice[0] == dice[1] else 2) / 36
    return total


plays_of = functools.cache(results)


def test_two_sides_against_plain_recursion(solver):
    assert solver.load(MEN)
    two = [tuple(men) for men in arrangements(2).tolist()[1:]]
    for own, other in itertools.product(two, two):
        i, j = (int(np.searchsorted(solver.words, words_of(np.array(men)))) for men in (own, other))
        assert solver.win[i, j] == pytest.approx(win_of(own, other), abs=1e-12)
    six = int(np.searchsorted(solver.words, words_of(np.array(men_on(6)))))
    assert solver.win[six, six] == pytest.approx(0.8125)  # 3/4 at once; else the other misses by 1/4, and then it is certain


def test_two_sides_against_gnu_backgammon(solver):
    """Its database keeps 16 bits of each equity, and computes with them."""
    assert solver.load(MEN)
    lines = [line.split() for line in DATA.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 200
    for own, other, equity in lines:
        i, j = (int(np.searchsorted(solver.words, words_of(np.array(list(map(int, men.split(","))))))) for men in (own, other))
        assert 2 * solver.win[i, j] - 1 == pytest.approx(float(equity), abs=1.5e-4)


def test_solver_values(solver):
    """By 3-1 a man on 6 comes to the 2: it goes with the next roll, which comes if the other's man on 6 stays, by 1/4."""
    board = Board(solver.game, fen_of(men_on(6), men_on(6), "o", "31"), auto_roll=False)
    assert solver.covers(board) == ""
    found = solver.solve(board, GO)
    assert found.action_values == pytest.approx(dict.fromkeys(board.legal_actions, (2 * 0.25 - 1) / 3))
    assert len(found.line) == 2
    draw = random.Random(2)
    for _ in range(20):
        own, other = ([draw.randrange(2) for _ in range(6)] for _ in range(2))
        if not 1 <= sum(own) <= 2 or not 1 <= sum(other) <= 2:
            continue
        dice = draw.choice(ROLLS)
        text = "".join(map(str, dice)) if dice[0] != dice[1] else str(dice[0]) * 4
        board = Board(solver.game, fen_of(own, other, "x", text), auto_roll=False)
        best = max(1.0 if not any(play) else 1.0 - win_of(tuple(other), play) for play in results(own, dice))
        found = solver.solve(board, GO)
        assert found.value == pytest.approx((2 * best - 1) / 3)
        assert set(found.action_values) == set(board.legal_actions)
        for action in found.line:
            board.push(action)
        assert board.is_terminal or board.is_chance


def test_scoring_sets_the_scale(folder):
    game = get_game("Backgammon", scoring="win")
    assert BearoffSolver(game, folder).point == 1.0
    with pytest.raises(UnsupportedGameError):
        BearoffSolver(get_game("TicTacToe"), folder)


def test_estimate_from_one_side_is_near(alone, solver):
    assert solver.load(MEN)
    counts = arrangements(MEN).tolist()
    for i, j in itertools.product(range(1, len(counts), 40), range(1, len(counts), 40)):
        assert alone.chance_to_win(counts[i], counts[j]) == pytest.approx(solver.win[i, j], abs=0.02)


def test_where_it_cannot_answer(solver, folder, tmp_path, monkeypatch):
    game = solver.game
    assert "home boards" in solver.covers(Board(game, seed=1, auto_roll=False))
    assert "--men 7" in solver.covers(Board(game, fen_of([7, 0, 0, 0, 0, 0], men_on(1), "x", "21"), auto_roll=False))
    assert "up to 10" in solver.covers(Board(game, fen_of([11, 0, 0, 0, 0, 0], men_on(1), "x", "21"), auto_roll=False))
    board = Board(game, fen_of(men_on(5, 6), men_on(1), "x", "65"), auto_roll=False)
    assert "not built" in BearoffSolver(game, tmp_path).covers(board)
    path = two_sided_path(MEN, tmp_path)
    path.write_bytes(two_sided_path(MEN, folder).read_bytes()[:-1] + b"\0")
    with pytest.raises(TableError, match="digest"):
        BearoffSolver(game, tmp_path).covers(board)
    for men in (0, 11):
        with pytest.raises(OptionError, match="expected 1 to 10"):
            build_two_sided(men, tmp_path)
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    policy = make_policy("perfect", game)
    assert policy.evaluate(board) == pytest.approx(1 / 3)
    assert policy.act(board) in board.legal_actions


def test_bad_arrangements(alone):
    for men in ([16, 0, 0, 0, 0, 0], [1, 2], [-1, 0, 0, 0, 0, 0]):
        with pytest.raises(OptionError, match="points 1 to 6"):
            alone.expected_rolls(men)


def test_the_command(folder, monkeypatch, capsys):
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    assert main(["tables", "Backgammon", "--men", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["tables"]
    assert [(table["table"], table["arrangements"]) for table in found] == [("one-sided", 54_264), ("two-sided", 28)]
    assert main(["tables", "Backgammon", "--men", "2", "3"]) == 2
    assert "one number" in capsys.readouterr().err


def test_a_table_that_an_older_release_left_is_built_again(tmp_path):
    path = one_sided_path(tmp_path)
    older = dataclasses.replace(TABLES, version=TABLES.version - 1)
    older.write(path, {"expected": np.zeros(1)}, header_of("one-sided", ALL_MEN))
    assert OneSided(tmp_path).expected_rolls([1, 0, 0, 0, 0, 0]) == pytest.approx(1.0)
