"""Random test, clone test, every line of tic-tac-toe, the command: against figures by hand and plain enumeration."""

import json

import numpy as np
import pytest

from boardgym.baselines.perfect.tic_tac_toe import TicTacToeSolver
from boardgym.baselines.tabular.agent import TabularAgent
from boardgym.baselines.tabular.table import Columns, table_of
from boardgym.baselines.trials.base import base_test
from boardgym.baselines.trials.lines import every_line
from boardgym.baselines.trials.play import clone_test, plays_batches, random_test
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


def test_clone_test_from_given_starts():
    won, lost = "xx1/oo1/3 x", "xx1/oo1/x2 o"  # whoever is to play wins at once
    for player in ("greedy", Player(perfectly)):  # in batches, and game by game
        found = clone_test(player, player, TIC_TAC_TOE, games=5, starts=[won, lost])
        assert (found.games, found.starts, found.distinct_games) == (5, 2, 2)
        assert (found.shares.won.value, found.shares.lost.value) == (0.6, 0.4)  # games 0, 2 and 4 begin at the first
        assert found.shares.won.low == 0.0  # two starts say little, however many games there are
    assert "over starts like the 2 given" in " ".join(str(found).split())
    assert clone_test("greedy", "greedy", TIC_TAC_TOE, games=4, starts=()).starts == 0
    one = clone_test("random", "random", TIC_TAC_TOE, games=40, starts=["xx1/oo1/x1o x"])
    assert one.shares.won.low > 0.0  # from one start the interval is over games
    with pytest.raises(OptionError, match="the game is over"):
        clone_test("greedy", "greedy", TIC_TAC_TOE, games=2, starts=["xxx/oo1/3 o"])
    with pytest.raises(OptionError, match="chance is to act"):
        clone_test("greedy", "greedy", "CardPoints-v0", games=2, starts=[". . . . . . . . | 0 0 deal"])


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
    found = every_line(Player(first_legal), seat, [Board(TIC_TAC_TOE)])
    assert [found.won, found.drawn, found.lost] == enumerate_lines(first_legal, seat)
    assert found.lines == found.won + found.drawn + found.lost
    assert found.outcomes == (found.quality.value,)
    assert found.quality.low == found.quality.high == found.worst_quality == 1.0 - found.lost / found.lines
    assert found.unknown == 0.0 < found.turns


def test_perfect_play_loses_no_line_and_random_play_many():
    found = base_test("perfect", TIC_TAC_TOE)
    assert [row.lost for row in found.lines] == [0, 0]
    assert all(row.is_perfect for row in found.lines)
    assert (found.quality.value, found.lost, found.is_perfect) == (1.0, 0.0, True)
    assert found.won + found.drawn == pytest.approx(1.0)
    drawn = base_test("random", TIC_TAC_TOE, seed=1, seats=(1,))
    assert drawn.quality.value < 0.9
    assert drawn.is_perfect is False
    assert [row.seat for row in drawn.lines] == [1]
    assert drawn == base_test("random", TIC_TAC_TOE, seed=1, seats=(1,))
    with pytest.raises(OptionError, match="seats="):
        base_test("random", TIC_TAC_TOE, seats=(2,))


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

    careful = every_line(Player(lambda at: perfectly(at) if at.position == trap else bold(at)), 0, [Board(TIC_TAC_TOE)])
    found = every_line(Player(bold), 0, [Board(TIC_TAC_TOE)])
    assert careful.is_perfect
    assert found.lost > 0
    assert not found.is_perfect


def lines_of_any(board):
    """(lines, lost), as expected of a first seat that takes any action, and with the worst one at each turn."""
    if board.is_terminal:
        lost = float(board.returns()[0] < 0.0)
        return (1.0, lost), (1.0, lost)
    below = []
    for action in board.legal_actions:
        board.push(action)
        below.append(lines_of_any(board))
        board.pop()
    means, worsts = zip(*below, strict=True)
    sums = [sum(column) for column in zip(*means, strict=True)]
    if board.to_play == 0:
        return tuple(total / len(below) for total in sums), max(worsts, key=lambda pair: pair[1] / pair[0])
    return tuple(sums), tuple(sum(column) for column in zip(*worsts, strict=True))


def test_equal_actions_count_as_expected_and_at_their_worst():
    """What is known of a position is certain; where nothing is known, all actions are equal."""
    (lines, lost), (worst_lines, worst_lost) = lines_of_any(Board(TIC_TAC_TOE, "x2/3/3 o"))
    taught = every_line(table_agent(("3/3/3 x", "a3", 1.0)), 0, [Board(TIC_TAC_TOE)])
    assert (taught.lines, taught.lost) == (pytest.approx(lines), pytest.approx(lost))
    assert taught.worst_quality == pytest.approx(1.0 - worst_lost / worst_lines)
    assert taught.worst_quality < taught.quality.value
    assert taught.turns - taught.unknown == pytest.approx(lines)  # the first turn of each line is known
    empty = every_line(table_agent(), 0, [Board(TIC_TAC_TOE)])
    assert empty.quality == empty.floor == taught.floor  # a table that knows nothing plays at random
    assert empty.unknown == empty.turns


def test_games_without_a_base_test():
    with pytest.raises(UnsupportedGameError, match="Othello-v0"):
        base_test("random", "Othello-v0")
    with pytest.raises(UnsupportedGameError, match="8 or 12 cards"):
        base_test("random", get_game("CardPoints-v0", n_cards=4))
    with pytest.raises(UnsupportedGameError, match="without it"):
        every_line(Player(first_legal), 0, [Board("CardPoints-v0", auto_roll=False)])
    late = base_test("greedy", "CardPoints-v0", starts=[". . 3 2 A 4 . . | 12 12 first"])
    assert (late.lines[0].lines, late.lines[0].won) == (2.0, 2.0)  # it takes the 3, for the 4 would give the ace away


# ---------------------------------------------------------------- the command


def test_command(capsys):
    assert main(["trial", "greedy", "TicTacToe", "--games", "20", "--opponent", "random", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["random", "clone", "base"]
    assert found["random"]["seats"][0]["won"]["value"] == pytest.approx(737 / 1260)
    assert (found["clone"]["first"], found["clone"]["second"], found["clone"]["games"]) == ("greedy", "random", 20)
    assert [row["lost"] for row in found["base"]["lines"]] == [line.lost for line in base_test("greedy", TIC_TAC_TOE).lines]
    assert found["base"]["floor"]["value"] == pytest.approx(0.67, abs=0.005)
    assert main(["trial", "greedy", "TicTacToe", "--test", "base"]) == 0
    assert "base test  greedy  TicTacToe-v0" in capsys.readouterr().out


def test_command_with_positions_and_rows_of_ones_own(tmp_path, capsys):
    path = tmp_path / "mine.tsv"
    path.write_text("# boardgym base positions, version 1\nposition\tseat\tcategory\tright\tvalues\n"
                    "xx1/oo1/3 x\t0\twin\t2\t2=1 5=0 6=-1 7=-1 8=-1\n")  # fmt: skip
    assert main(["trial", "greedy", "TicTacToe", "--test", "positions", "--positions", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["positions"]
    assert (found["quality"]["value"], found["floor"]) == (1.0, 0.2)
    path.write_text(path.read_text().replace(" 8=-1", ""))
    assert main(["trial", "greedy", "TicTacToe", "--positions", str(path), "--games", "5"]) == 2
    assert "its legal actions" in capsys.readouterr().err
    assert main(["trial", "greedy", "TicTacToe", "--test", "positions", "--positions", str(tmp_path / "none")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(["trial", "random", "CardPoints", "--test", "clone", "--rows", "--games", "500", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["clone"]
    assert (found["starts"], found["games"], found["distinct_games"]) == (500, 500, 500)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["greedy", "Othello", "--test", "base"], "no base test of Othello-v0"),
        (["greedy", "Othello", "--test", "positions"], "there are for ConnectFour-v0"),
        (["greedy", "TicTacToe", "--games", "-1"], "--games -1: expected at least 1"),
        (["gredy", "TicTacToe"], "did you mean 'greedy'"),
        (["greedy", "TicTacToe", "--opponent", "minmax:2"], "did you mean 'minimax'"),
        (["greedy", "TicTacToe", "--test", "random", "--seed", "-1"], "seed=-1"),
        (["greedy", "TicTacToe", "--test", "base", "--opponent", "random"], "--opponent is for the clone test"),
        (["greedy", "TicTacToe", "--test", "base", "--games", "9"], "--games is for the random and the clone test"),
        (["greedy", "TicTacToe", "--test", "base", "--positions", "x.tsv"], "--positions is for the positions test"),
        (["greedy", "CardPoints", "--test", "base", "--rows"], "--rows is for the clone test"),
        (["greedy", "TicTacToe", "--rows"], "none of TicTacToe-v0"),
    ],
)
def test_mistakes_are_told_before_any_work(arguments, said, capsys, monkeypatch):
    def worked(*arguments, **settings):
        raise AssertionError("it began to work")

    for name in ("random_test", "clone_test"):
        monkeypatch.setattr(trial, name, worked)
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
