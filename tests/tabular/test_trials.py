"""Random test, clone test, every line of tic-tac-toe, the command: against figures by hand and plain enumeration."""

import json

import numpy as np
import pytest

from boardgym.baselines.perfect.tic_tac_toe import TicTacToeSolver
from boardgym.baselines.tabular.agent import TabularAgent
from boardgym.baselines.tabular.table import Columns, table_of
from boardgym.baselines.trials.base import base_test, every_line
from boardgym.baselines.trials.play import clone_test, plays_batches, random_test
from boardgym.baselines.trials.positions import BasePosition
from boardgym.cli import main
from boardgym.commands import trial
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.cache import plain
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy import make_policy

TIC_TAC_TOE = get_game("TicTacToe-v0")


class Player:
    """Answers by a function of the board."""

    def __init__(self, answer, spec="player"):
        self.answer, self.spec = answer, spec

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        return self.answer(board)


def first_legal(board):
    return board.legal_actions[0]


def perfectly(board):
    return TicTacToeSolver().solve(board, np.zeros(1, np.int64)).best


def scripted(*moves):
    return Player(lambda board: board.action_of(moves[board.ply]), "scripted")


def table_agent(*entries):
    """A table of tic-tac-toe with entries (position string, move, value)."""
    rows = []
    for fen, move, value in entries:
        board, key = Board(TIC_TAC_TOE, fen), np.zeros(1, np.int64)
        plain(verbs.find_rule("compact", TIC_TAC_TOE.position_class))(board.position, key)
        rows.append((int(key[0]), board.action_of(move), value))
    rows.sort()
    columns = Columns(
        np.array([[row[0]] for row in rows], np.int64).reshape(-1, 1),
        np.array([row[1] for row in rows], np.uint16),
        np.array([row[2] for row in rows], np.float32),
        np.ones(len(rows), np.uint16),
    )
    facts = {"values": "pairs", "default": 0.0, "way": 0, "uses_symmetry": 0}
    return TabularAgent(TIC_TAC_TOE, table_of(columns), facts, seed=1)


# ---------------------------------------------------------------- random test


def test_random_play_of_tic_tac_toe_is_exact():
    found = random_test(TIC_TAC_TOE)
    first, second = found.seats
    assert found.is_exact
    assert found.positions == 5478
    for share, known in ((first.won, 737 / 1260), (first.drawn, 8 / 63), (first.lost, 121 / 420)):
        assert share.value == pytest.approx(known, abs=1e-12)
        assert share.low == share.high == share.value
    assert (second.won, second.lost) == (first.lost, first.won)
    assert first.quality.value == pytest.approx(0.7119, abs=5e-5)
    assert "58.49 %" in str(found)


def test_random_play_with_a_deal_is_exact():
    first, _ = random_test(get_game("CardPoints-v0", n_cards=2)).seats
    assert first.drawn.value == pytest.approx(3 / 51)  # both cards of one rank
    assert first.won.value == pytest.approx(24 / 51)


def test_played_games_agree_with_the_sum():
    found = random_test(TIC_TAC_TOE, games=5_000, seed=3, most_positions=0)
    assert (found.games, found.positions, found.is_exact) == (5_000, 0, False)
    first, second = found.seats
    exact = random_test(TIC_TAC_TOE).seats[0]
    for name in ("won", "drawn", "lost", "quality"):  # four standard deviations
        share = getattr(first, name)
        assert share.value == pytest.approx(getattr(exact, name).value, abs=0.028)
        assert share.low < share.value < share.high
    assert second.won == first.lost
    assert found == random_test(TIC_TAC_TOE, games=5_000, seed=3, most_positions=0)
    assert found.seats != random_test(TIC_TAC_TOE, games=5_000, seed=4, most_positions=0).seats
    with pytest.raises(OptionError, match="games=0"):
        random_test(TIC_TAC_TOE, games=0)


# ---------------------------------------------------------------- clone test


def test_clone_test_plays_the_first_policy_first():
    wins = scripted("a1", "a2", "b1", "b2", "c1")
    found = clone_test(wins, Player(perfectly), TIC_TAC_TOE, games=1)
    assert found.forfeits == (1, 0)  # the script's third move meets an answer that it did not expect
    found = clone_test(wins, wins, TIC_TAC_TOE, games=3)
    assert (found.games, found.distinct_games, found.forfeits) == (3, 1, (0, 0))
    assert (found.shares.won.value, found.shares.lost.value, found.shares.quality.value) == (1.0, 0.0, 1.0)


def test_clone_test_of_random_is_the_random_test():
    found = clone_test("random", "random", TIC_TAC_TOE, games=5_000, seed=1)
    assert found.shares.won.value == pytest.approx(737 / 1260, abs=0.028)
    assert found.shares.drawn.value == pytest.approx(8 / 63, abs=0.019)
    assert 2_000 < found.distinct_games < 5_000
    assert found == clone_test("random", "random", TIC_TAC_TOE, games=5_000, seed=1)


def test_batches_and_single_games_agree():
    """A compiled pair is played in batches, the same with one player in Python game by game."""
    random = make_policy("random", TIC_TAC_TOE, seed=1)
    hidden = Player(random.act, "hidden")
    assert plays_batches(random)
    assert not plays_batches(hidden)
    at_once = clone_test(table_agent(), "random", TIC_TAC_TOE, games=2_000, seed=1)
    one_by_one = clone_test(table_agent(), hidden, TIC_TAC_TOE, games=400, seed=1)
    assert at_once.shares.won.value == pytest.approx(737 / 1260, abs=0.045)  # an empty table draws among all actions
    assert one_by_one.shares.won.low < 737 / 1260 < one_by_one.shares.won.high


def test_a_policy_that_never_loses():
    found = clone_test(Player(perfectly), "random", TIC_TAC_TOE, games=50, seed=1)
    assert (found.shares.lost.value, found.shares.quality.value) == (0.0, 1.0)
    assert clone_test("random", Player(perfectly), TIC_TAC_TOE, games=50, seed=1).shares.won.value == 0.0
    with pytest.raises(UnsupportedGameError, match="num_seats=3"):
        clone_test("random", "random", "Abalone3-v0", games=2)


# ---------------------------------------------------------------- every line


def enumerate_lines(answer, seat):
    """[won, drawn, lost] by playing every line to its end."""
    counts = [0, 0, 0]

    def walk(board):
        if board.is_terminal:
            counts[1 - int(board.returns()[seat])] += 1
            return
        for action in [answer(board)] if board.to_play == seat else board.legal_actions:
            after = board.copy()
            after.push(action)
            walk(after)

    walk(Board(TIC_TAC_TOE))
    return counts


@pytest.mark.parametrize("seat", [0, 1])
def test_every_line_is_counted_once(seat):
    found = every_line(Player(first_legal), seat, Board(TIC_TAC_TOE))
    assert [found.won, found.drawn, found.lost] == enumerate_lines(first_legal, seat)
    assert found.lines == found.won + found.drawn + found.lost == found.worst_lines
    assert found.quality == found.worst_quality == 1.0 - found.lost / found.lines


def test_perfect_play_loses_no_line_and_random_play_many():
    found = base_test("perfect", TIC_TAC_TOE)
    assert [row.lost for row in found.lines] == [0, 0]
    assert all(row.is_perfect for row in found.lines)
    assert found.quality == 1.0
    drawn = base_test("random", TIC_TAC_TOE, seed=1)
    assert drawn.quality < 0.9
    assert not drawn.lines[0].is_perfect
    assert drawn == base_test("random", TIC_TAC_TOE, seed=1)


def test_one_losing_move_is_found():
    """Perfect play, but for the bold move of the study's third failing episode: X5 O9 X8 O2 X7, answered by a fork."""
    board = Board(TIC_TAC_TOE)
    for cell in (5, 9, 8, 2):
        board.push(cell - 1)
    trap = board.position

    def bold(at):
        moves = {0: 4, 2: 7}  # X5, X8
        if at.position == trap:
            return 6
        action = moves.get(at.ply)
        return action if action in at.legal_actions and at.ply < 4 else perfectly(at)

    careful = every_line(Player(lambda at: perfectly(at) if at.position == trap else bold(at)), 0, Board(TIC_TAC_TOE))
    found = every_line(Player(bold), 0, Board(TIC_TAC_TOE))
    assert careful.is_perfect
    assert found.lost > 0
    assert not found.is_perfect


def test_equal_actions_count_at_their_worst():
    empty = every_line(table_agent(), 0, Board(TIC_TAC_TOE))
    assert [empty.won, empty.drawn, empty.lost] == enumerate_lines(first_legal, 0)
    assert empty.unknown == empty.positions > 0
    assert empty.worst_lost / empty.worst_lines > empty.lost / empty.lines
    assert worst_share(Board(TIC_TAC_TOE)) == (empty.worst_lost, empty.worst_lines)
    taught = every_line(table_agent(("3/3/3 x", "b2", 1.0)), 0, Board(TIC_TAC_TOE))
    centre = Board(TIC_TAC_TOE)
    centre.push_move("b2")
    assert (taught.worst_lost, taught.worst_lines) == worst_share(centre)  # its first move is certain, the rest are ties
    assert taught.unknown == taught.positions - 1


def test_positions_that_a_table_does_not_know_are_counted_apart():
    def asking(fen, *moves):
        board = Board(TIC_TAC_TOE, fen)
        return BasePosition(
            fen, board.to_play, "any", tuple(map(board.action_of, moves)), dict.fromkeys(board.legal_actions, 0)
        )

    asked = [
        asking("3/3/3 x", "c1"),  # known, right
        asking("3/1x1/3 o", "a1"),  # known, wrong
        asking("o2/1x1/3 x", "c3"),  # unknown, wrong
        asking("x2/3/3 o", *Board(TIC_TAC_TOE, "x2/3/3 o").legal_moves),  # unknown, right
    ]
    agent = table_agent(("3/3/3 x", "c1", 1.0), ("3/1x1/3 o", "b1", 1.0))
    x, o = base_test(agent, TIC_TAC_TOE, positions=asked).categories
    assert (x.positions, x.right, x.unknown, x.unknown_right) == (2, 1, 1, 0)
    assert (o.positions, o.right, o.unknown, o.unknown_right) == (2, 1, 1, 1)


def worst_share(board):
    """(lost, lines) of a first seat that takes the action with the greatest share of lost lines."""
    if board.is_terminal:
        return int(board.returns()[0] < 0.0), 1
    below = []
    for action in board.legal_actions:
        board.push(action)
        below.append(worst_share(board))
        board.pop()
    if board.to_play == 0:
        return max(below, key=lambda pair: pair[0] / pair[1])
    return sum(lost for lost, _ in below), sum(lines for _, lines in below)


def test_games_without_a_base_test():
    with pytest.raises(UnsupportedGameError, match="Othello-v0"):
        base_test("random", "Othello-v0")
    with pytest.raises(UnsupportedGameError, match="width"):
        base_test("random", get_game("ConnectFour-v0", width=5))
    with pytest.raises(UnsupportedGameError, match="without it"):
        every_line(Player(first_legal), 0, Board("CardPoints-v0", auto_roll=False))


# ---------------------------------------------------------------- the command


def test_command(capsys):
    assert main(["trial", "greedy", "TicTacToe", "--games", "20", "--opponent", "random", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["random", "clone", "base"]
    assert found["random"]["seats"][0]["won"]["value"] == pytest.approx(737 / 1260)
    assert (found["clone"]["first"], found["clone"]["second"], found["clone"]["games"]) == ("greedy", "random", 20)
    assert [row["lost"] for row in found["base"]["lines"]] == [line.lost for line in base_test("greedy", TIC_TAC_TOE).lines]
    assert main(["trial", "greedy", "TicTacToe", "--test", "base"]) == 0
    assert "base test  greedy  TicTacToe-v0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["greedy", "Othello", "--test", "base"], "there are for ConnectFour-v0"),
        (["greedy", "TicTacToe", "--games", "-1"], "--games -1: expected at least 1"),
        (["gredy", "TicTacToe", "--test", "clone"], "did you mean 'greedy'"),
        (["greedy", "TicTacToe", "--test", "random", "--seed", "-1"], "seed=-1"),
    ],
)
def test_mistakes_are_told(arguments, said, capsys):
    assert main(["trial", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in " ".join(err.split())
    assert "Traceback" not in err


def test_interrupted_command_shows_what_is_finished(monkeypatch, capsys):
    def interrupted(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(trial, "clone_test", interrupted)
    assert main(["trial", "greedy", "TicTacToe"]) == 130
    out, err = capsys.readouterr()
    assert "random test" in out
    assert "base test" not in out
    assert "finished: random of random, clone, base" in err
