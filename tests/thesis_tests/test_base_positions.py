"""The positions of the base test: their answers, by solvers and by plain recursion, their categories, and how they are made."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from benchmarks import base_positions as maker
from boardgym.baselines.perfect.connect_four import ConnectFourSolver
from boardgym.baselines.thesis_tests.answers import positions_test
from boardgym.baselines.thesis_tests.positions import (
    DATA,
    FILES,
    BasePosition,
    BaseSet,
    base_set_of,
    file_name,
    read_base_set,
    read_positions,
)
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, NotationError, SpecError
from boardgym.core.game import get_game
from boardgym.core.policy import act_kernel
from tests.learning.tabular.players import ranks_of

CONNECT_FOUR, CARDS_8, CARDS_12 = (get_game(game, **dict(options)) for game, options in FILES)
GAMES = [CONNECT_FOUR, CARDS_8, CARDS_12]
QUICK_TO_SOLVE = 14  # discs


def name_of(game):
    return file_name(game.id, game.options)


def discs(position):
    return sum(letter in "xo" for letter in position.fen.split()[0])


def in_category(category, step=1):
    return [known for known in base_set_of(CONNECT_FOUR).positions if known.category == category][::step]


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_files_hold_what_they_say(game):
    known = base_set_of(game)
    assert known.facts["game"] == game.id
    assert known.facts["made by"].startswith("python -m benchmarks.base_positions")
    assert known.to_text() == (DATA / name_of(game)).read_text(encoding="utf-8")
    assert sum(position.seat == 0 for position in known.positions) >= 1000
    boards = [Board(game, position.fen, compiled=False) for position in known.positions]
    for position, board in zip(known.positions, boards, strict=True):
        assert board.to_play == position.seat
        assert list(position.values) == board.legal_actions
        assert 0 < len(position.right) < len(position.values)
        if position.category != maker.WIN_NOW:
            assert max(position.values[action] for action in position.right) == max(position.values.values())
    images = {board.canonical()[0] if game is CONNECT_FOUR else board.position for board in boards}
    assert len(images) == len(boards)


# ---------------------------------------------------------------- Connect Four


def test_connect_four_covers_the_study():
    counts = Counter((known.seat, known.category) for known in base_set_of(CONNECT_FOUR).positions)
    assert counts[0, maker.OPENING] == 1
    for category in (maker.WIN_NOW, maker.BLOCK, maker.FORK):
        assert counts[0, category] >= 333
        assert counts[1, category] > 0
    assert {discs(known) for known in base_set_of(CONNECT_FOUR).positions if known.seat == 0} == {0, *range(6, 31, 2)}


def winning(board):
    """The actions that win at once."""
    found = []
    for action in board.legal_actions:
        after = board.copy()
        after.push(action)
        outcome = after.outcome()
        if outcome is not None and outcome.winner == board.to_play:
            found.append(action)
    return found


def forces(board, plies):
    """Whether the seat to play wins within so many plies, an odd number, whatever the other does: by looking at every play."""
    if winning(board):
        return True
    if plies < 3:
        return False
    for action in board.legal_actions:
        board.push(action)
        holds = not board.is_terminal and not winning(board)
        for reply in board.legal_actions if holds else ():
            board.push(reply)
            holds = not board.is_terminal and forces(board, plies - 2)
            board.pop()
            if not holds:
                break
        board.pop()
        if holds:
            return True
    return False


def losing_within(known, plies):
    """The actions after which the other seat wins within so many plies."""
    board, found = Board(CONNECT_FOUR, known.fen), []
    for action in board.legal_actions:
        board.push(action)
        if not board.is_terminal and forces(board, plies):
            found.append(action)
        board.pop()
    return found


def test_categories_hold_on_the_board():
    for known in in_category(maker.WIN_NOW):
        assert winning(Board(CONNECT_FOUR, known.fen)) == list(known.right)
    for known in in_category(maker.BLOCK):
        assert winning(Board(CONNECT_FOUR, known.fen)) == []
        safe = set(known.values) - set(losing_within(known, 1))
        assert safe == set(known.right)
        assert len(safe) == 1
        assert known.values[known.right[0]] >= 0
    for known in in_category(maker.FORK):
        assert winning(Board(CONNECT_FOUR, known.fen)) == losing_within(known, 1) == []
        assert {action for action, value in known.values.items() if value < 0} == set(known.values) - set(known.right)


def test_forks_are_forced_within_five_plies():
    for known in in_category(maker.FORK, 60):
        assert losing_within(known, 5) == [action for action in known.values if action not in known.right]


def test_values_agree_with_the_solver():
    """The exact scores of all actions, which the maker does not ask for."""
    solver, stop = ConnectFourSolver(CONNECT_FOUR), np.zeros(1, np.int64)
    easy = [known for known in base_set_of(CONNECT_FOUR).positions if discs(known) >= QUICK_TO_SOLVE]
    sample = easy[:: len(easy) // 30]
    assert len(sample) >= 30
    for known in sample:
        scores = solver.every_score(Board(CONNECT_FOUR, known.fen), stop)
        assert {action: int(np.sign(score)) for action, score in scores.items()} == known.values


def test_players_of_connect_four():
    easy = [known for known in base_set_of(CONNECT_FOUR).positions if discs(known) >= QUICK_TO_SOLVE][::10]
    assert positions_test("perfect", CONNECT_FOUR, known=BaseSet({}, (), tuple(easy))).quality.value == 1.0
    found = positions_test("random", CONNECT_FOUR, seed=1)
    assert found.quality.low < found.floor < found.quality.high
    mine = [known for known in base_set_of(CONNECT_FOUR).positions if known.seat == 0]
    assert found.floor == pytest.approx(np.mean([len(known.right) / len(known.values) for known in mine]))
    kept = np.mean([list(known.values.values()).count(max(known.values.values())) / len(known.values) for known in mine])
    assert found.total(0).floor_kept == pytest.approx(kept)
    assert found.floor < kept
    assert {score.category for score in found.categories if score.quality.value > 0.8} <= {maker.OPENING}
    total = found.total(0)
    assert total.positions == sum(score.positions for score in found.categories if score.seat == 0) >= 1000
    assert total.quality.low < total.quality.value < total.quality.high
    assert "x: take the win" in str(found)


# ---------------------------------------------------------------- CardPoints


@cache
def result(row, ahead):
    """1, 0 or -1 for the seat to play, which is so many points ahead, by playing every end of a row out."""
    if not row:
        return (ahead > 0) - (ahead < 0)
    return max(-result(row[1:], -(ahead + row[0])), -result(row[:-1], -(ahead + row[-1])))


@pytest.mark.parametrize("game", [CARDS_8, CARDS_12], ids=name_of)
def test_cards_agree_with_plain_recursion(game):
    seen = Counter()
    rows = {layout.split("|")[0].strip() for layout in base_set_of(game).layouts}
    assert len(rows) == 500
    for known in base_set_of(game).positions:
        cards = ranks_of(known.fen)
        first, second, _ = known.fen.split("|")[1].split()
        ahead = (int(first) - int(second)) * (1 - 2 * known.seat)
        values = {0: -result(cards[1:], -(ahead + cards[0])), 1: -result(cards[:-1], -(ahead + cards[-1]))}
        assert values == known.values
        assert known.right == (max(values, key=values.get),)
        own, other = (cards[0], cards[-1]) if known.right == (0,) else (cards[-1], cards[0])
        assert known.category == (maker.LARGER if own > other else maker.SMALLER if own < other else maker.EQUAL)
        seen[known.seat, known.category] += 1
    assert seen[0, maker.SMALLER] == 320
    assert seen[0, maker.EQUAL] == 60
    result.cache_clear()


PLAIN = pytest.mark.plain(boards=True, only=(act_kernel,))


@pytest.mark.parametrize("game", [CARDS_8, pytest.param(CARDS_12, marks=PLAIN)], ids=name_of)
def test_players_of_cards(game):
    perfect = positions_test("perfect", game)
    assert perfect.quality.value == 1.0
    assert perfect.total(0).kept == perfect.total(0).right == perfect.total(0).positions
    found = positions_test("random", game, seed=1)
    assert found.floor == 0.5
    assert found.quality.value == pytest.approx(0.5, abs=0.07)
    groups = base_set_of(game).groups()
    assert len(groups) == len(base_set_of(game).positions)
    assert 300 < len(set(groups)) <= 500  # so many rows: the interval is over these
    for known, group in zip(base_set_of(game).positions, groups, strict=True):
        row, layout = known.fen.split("|")[0].split(), group.split("|")[0].split()
        assert all(card in (".", whole) for card, whole in zip(row, layout, strict=True))


class Wrong:
    """Never plays a right action of CardPoints; at `illegal`, none at all."""

    spec = "wrong"

    def __init__(self, illegal=""):
        self.illegal = illegal
        self.right = {known.fen: known.right[0] for known in base_set_of(CARDS_8).positions}

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        return 7 if board.fen() == self.illegal else 1 - self.right[board.fen()]


def test_wrong_actions_are_counted():
    found = positions_test(Wrong(), CARDS_8)
    assert [score.right for score in found.categories] == [0] * len(found.categories)
    assert found.to_dict()["totals"][0]["positions"] == found.total(0).positions
    position = base_set_of(CARDS_8).positions[5]
    with pytest.raises(IllegalActionError, match="wrong played 7"):
        positions_test(Wrong(position.fen), CARDS_8)


# ---------------------------------------------------------------- making and reading files


@pytest.mark.parametrize("game", ["CardPoints", "ConnectFour"])
def test_a_file_is_made_the_same_twice(game, tmp_path, capsys):
    paths = [tmp_path / name for name in ("one.tsv", "two.tsv", "other.tsv")]
    for path, seed in zip(paths, ("1", "1", "2"), strict=True):
        maker.main(["--game", game, "--seed", seed, "--quick", "--out", str(path)])
    one, two, other = (path.read_bytes() for path in paths)
    assert one == two != other
    made = read_base_set(one.decode(), "one.tsv")
    categories = (maker.LARGER, maker.SMALLER) if game == "CardPoints" else (maker.WIN_NOW, maker.BLOCK, maker.FORK)
    assert {position.category for position in made.positions if position.seat == 0} >= set(categories)
    assert made.facts["made by"].endswith("--seed 1 --quick")


def test_the_published_cards_are_what_the_maker_makes():
    assert maker.build(CARDS_8, 1, maker.Sizes(), lambda done, total: None) == base_set_of(CARDS_8)


def test_mistakes_are_told(tmp_path):
    with pytest.raises(SystemExit, match="expected ConnectFour, or CardPoints of 8 or 12 cards"):
        maker.main(["--game", "Othello", "--out", str(tmp_path / "x.tsv")])
    with pytest.raises(SystemExit, match="does not exist"):
        maker.main(["--game", "CardPoints", "--out", str(tmp_path / "no" / "x.tsv")])
    good = "# boardgym base positions, version 1\nposition\tseat\tcategory\tright\tvalues\n"
    known = BasePosition("7/7/7/7/7/7 x", 0, "some", (3,), {3: 1, 4: 0})
    assert read_base_set(good + "7/7/7/7/7/7 x\t0\tsome\t3\t3=1 4=0\n", "f").positions == (known,)
    for line, said in (
        ("7/7 x\t0\tsome", "line 3"),
        ("7/7 x\tone\tsome\t3\t3=1", "line 3"),
        ("x\t0\tsome\t5\t3=1", "right actions"),
    ):
        with pytest.raises(NotationError, match=said):
            read_base_set(good + line + "\n", "f")
    with pytest.raises(NotationError, match="first line"):
        read_base_set("position\n", "f")


def test_positions_that_are_none_of_the_game(tmp_path):
    fen, values = "7/7/7/7/7/7 x", dict.fromkeys(range(7), 0)
    good = BasePosition(fen, 0, "some", (3,), values)
    for facts, position, said in (
        ({"game": "Othello-v0"}, good, "positions of Othello-v0"),
        ({}, BasePosition(fen, 1, "some", (3,), values), "expected the seat to play"),
        ({}, BasePosition(fen, 0, "some", (3,), {3: 1}), "its legal actions"),
        ({}, BasePosition("3/3/3 x", 0, "some", (3,), values), "3/3/3"),
    ):
        with pytest.raises(NotationError, match=said):
            positions_test("greedy", CONNECT_FOUR, known=BaseSet(facts, (), (position,)))
    with pytest.raises(NotationError, match="known: no positions"):
        positions_test("greedy", CONNECT_FOUR, known=BaseSet({}, (), ()))
    with pytest.raises(NotationError, match="a layout that is no row"):
        positions_test("greedy", CONNECT_FOUR, known=BaseSet({}, ("x y",), (good,)))
    path = tmp_path / "latin.tsv"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="not text"):
        read_positions(path)
    with pytest.raises(SpecError, match="No such file"):
        read_positions(tmp_path / "none.tsv")


class Table(Wrong):
    """Knows some positions of tic-tac-toe, and plays the first legal action everywhere."""

    def __init__(self, known):
        self.known = known

    def act(self, board, *, deterministic=False):
        return board.legal_actions[0]

    def action_values(self, board):
        return dict.fromkeys(board.legal_actions, 0.0)

    def visit_counts(self, board):
        return dict.fromkeys(board.legal_actions, int(board.fen() in self.known))


def test_positions_that_a_table_does_not_know_are_counted_apart():
    fens = {"3/3/3 x": (0, True), "x2/1o1/3 x": (1, False), "x2/3/3 o": (1, True), "1x1/3/3 o": (1, False)}
    asked = [
        BasePosition(fen, int(fen[-1] == "o"), "any", (right,), {a: int(a == 8) for a in range(9) if fen_cells(fen)[a] == "."})
        for fen, (right, _) in fens.items()
    ]
    agent = Table({fen for fen, (_, is_known) in fens.items() if is_known})
    x, o = positions_test(agent, "TicTacToe-v0", known=BaseSet({}, (), tuple(asked))).categories
    assert (x.positions, x.right, x.kept, x.unknown, x.unknown_right) == (2, 2, 0, 1, 1)
    assert (o.positions, o.right, o.kept, o.unknown, o.unknown_right) == (2, 1, 0, 1, 0)
    assert x.floor == pytest.approx((1 / 9 + 1 / 7) / 2)


def fen_cells(fen):
    """The nine cells of a position string of tic-tac-toe."""
    rows = fen.split()[0].split("/")
    return "".join("." * int(letter) if letter.isdigit() else letter for row in rows for letter in row)
