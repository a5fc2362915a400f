"""Random test, clone test, every line of tic-tac-toe, the command: against figures by hand and plain enumeration."""

import json

import numpy as np
import pytest

from boardgym.baselines.perfect.tic_tac_toe import TicTacToeSolver
from boardgym.baselines.thesis_tests import lines
from boardgym.baselines.thesis_tests.base import base_test
from boardgym.baselines.thesis_tests.lines import DRAWS, every_line
from boardgym.baselines.thesis_tests.play import clone_test, plays_batches, random_test
from boardgym.cli import main
from boardgym.commands import trial
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.learning.tabular.players import Player, table_agent

TIC_TAC_TOE = get_game("TicTacToe-v0")


def first_legal(board):
    return board.legal_actions[0]


def perfectly(board):
    return TicTacToeSolver().solve(board, np.zeros(1, np.int64)).best


def scripted(*moves):
    return Player(lambda board: board.action_of(moves[board.ply]), "scripted")


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


def test_one_game_repeated_has_no_interval():
    """However often it is repeated, it is one observation; a single game of players that draw is not."""
    found = clone_test("greedy", "greedy", TIC_TAC_TOE, games=50, starts=["xx1/oo1/3 x"])
    assert found.is_one_game
    assert found.shares.won.low == found.shares.won.high == 1.0
    assert "no intervals: all games are the same" in " ".join(str(found).split())
    single = clone_test("random", "random", TIC_TAC_TOE, games=1)
    assert not single.is_one_game
    assert single.shares.quality.low < single.shares.quality.high


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
    at_once = clone_test(table_agent(TIC_TAC_TOE), "random", TIC_TAC_TOE, games=2_000, seed=1)
    one_by_one = clone_test(table_agent(TIC_TAC_TOE), hidden, TIC_TAC_TOE, games=400, seed=1)
    assert at_once.shares.won.value == pytest.approx(737 / 1260, abs=0.045)  # an empty table draws among all actions
    assert one_by_one.shares.won.low < 737 / 1260 < one_by_one.shares.won.high


def test_a_policy_that_never_loses():
    found = clone_test(Player(perfectly), "random", TIC_TAC_TOE, games=50, seed=1)
    assert (found.shares.lost.value, found.shares.quality.value) == (0.0, 1.0)
    assert clone_test("random", Player(perfectly), TIC_TAC_TOE, games=50, seed=1).shares.won.value == 0.0
    with pytest.raises(UnsupportedGameError, match="3 seats; expected a game of two"):
        clone_test("random", "random", "Abalone3-v0", games=2)


def test_clone_test_from_given_starts():
    won, lost = "xx1/oo1/3 x", "xx1/oo1/x2 o"  # whoever is to play wins at once
    for player in ("greedy", Player(perfectly)):  # in batches, and game by game
        found = clone_test(player, player, TIC_TAC_TOE, games=5, starts=[won, lost])
        assert (found.games, found.starts, found.distinct_games) == (5, 2, 2)
        assert (found.shares.won.value, found.shares.lost.value) == (0.6, 0.4)  # games 0, 2 and 4 begin at the first
        assert found.shares.won.high - found.shares.won.low > 0.95  # two starts say little, however many games there are
    assert "over starts like the 2 given" in " ".join(str(found).split())
    assert clone_test("greedy", "greedy", TIC_TAC_TOE, games=4, starts=()).starts == 0
    assert clone_test("greedy", "greedy", TIC_TAC_TOE, games=1, starts=[won, lost]).starts == 1  # the other was not come to
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
    assert found.quality.low == found.quality.high == 1.0 - found.lost / found.lines
    assert found.is_perfect is (found.lost == 0.0)
    assert found.unknown == 0.0 < found.turns


def test_perfect_play_loses_no_line():
    found = base_test("perfect", TIC_TAC_TOE)
    assert [row.lost for row in found.lines] == [0, 0]
    assert all(row.is_perfect for row in found.lines)
    assert (found.quality.value, found.lost, found.is_perfect) == (1.0, 0.0, True)
    assert found.won + found.drawn == pytest.approx(1.0)
    with pytest.raises(OptionError, match="seats="):
        base_test("random", TIC_TAC_TOE, seats=(2,))


def test_a_random_player_is_drawn_many_times():
    """One draw of its actions says little of it; the interval over draws holds the exact figure of random play."""
    settings = {"starts": ["x2/1o1/3 x"], "seats": (0,), "seed": 1}
    found = base_test("random", TIC_TAC_TOE, **settings)
    assert len(set(found.outcomes)) > 1
    assert len(found.outcomes) == DRAWS
    assert found.quality.low < found.floor.value < found.quality.high
    assert found.quality.low < found.quality.value
    assert found.won + found.drawn == pytest.approx(found.quality.value)
    assert found.is_perfect is None
    assert f"each of {DRAWS} draws of its actions, seed 1" in " ".join(str(found).split())
    assert found == base_test("random", TIC_TAC_TOE, **settings)


def test_starts_count_alike_however_many_lines_they_have():
    ended, open_one = "xx1/oo1/x1o x", "x2/1o1/3 x"
    alone = [base_test(Player(first_legal), TIC_TAC_TOE, starts=[fen]) for fen in (ended, open_one)]
    found = base_test(Player(first_legal), TIC_TAC_TOE, starts=[ended, open_one])
    assert alone[0].lines[0].lines < alone[1].lines[0].lines
    for name in ("won", "drawn", "lost"):
        assert getattr(found, name) == pytest.approx(np.mean([getattr(one, name) for one in alone]))
    assert found.won + found.drawn == pytest.approx(found.quality.value)
    assert found.quality.value not in (alone[0].quality.value, alone[1].quality.value)


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
    """(lines, lost), as expected of a first seat that takes any action."""
    if board.is_terminal:
        return 1.0, float(board.returns()[0] < 0.0)
    below = []
    for action in board.legal_actions:
        board.push(action)
        below.append(lines_of_any(board))
        board.pop()
    sums = [sum(column) for column in zip(*below, strict=True)]
    return tuple(total / len(below) for total in sums) if board.to_play == 0 else tuple(sums)


def test_equal_actions_count_as_expected():
    """What is known of a position is certain; where nothing is known, all actions are equal."""
    lines, lost = lines_of_any(Board(TIC_TAC_TOE, "x2/3/3 o"))
    taught = every_line(table_agent(TIC_TAC_TOE, ("3/3/3 x", "a3", 1.0)), 0, [Board(TIC_TAC_TOE)])
    assert (taught.lines, taught.lost) == (pytest.approx(lines), pytest.approx(lost))
    assert taught.turns - taught.unknown == pytest.approx(lines)  # the first turn of each line is known
    empty = every_line(table_agent(TIC_TAC_TOE), 0, [Board(TIC_TAC_TOE)])
    assert empty.quality == empty.floor == taught.floor  # a table that knows nothing plays at random
    assert empty.unknown == empty.turns


@pytest.mark.parametrize(("value", "is_perfect"), [(1.0, True), (0.0, False)])
def test_a_table_is_perfect_whichever_of_equal_actions_it_takes(value, is_perfect):
    """O threatens b1, which x must take; to take of three equal moves another loses, so a tie is enough not to be perfect."""
    start = "xox/xo1/o2 x"
    agent = table_agent(TIC_TAC_TOE, *((start, move, value * (move == "b1")) for move in ("c2", "b1", "c1")))
    found = every_line(agent, 0, [Board(TIC_TAC_TOE, start)])
    assert found.is_perfect is is_perfect


def test_games_without_a_base_test(monkeypatch):
    with pytest.raises(UnsupportedGameError, match="Othello-v0"):
        base_test("random", "Othello-v0")
    with pytest.raises(UnsupportedGameError, match="8 or 12 cards"):
        base_test("random", get_game("CardPoints-v0", n_cards=4))
    with pytest.raises(UnsupportedGameError, match="without it"):
        every_line(Player(first_legal), 0, [Board("CardPoints-v0", auto_roll=False)])
    with pytest.raises(UnsupportedGameError, match="repetitions count"):
        base_test(Player(first_legal), "Abalone-v0", starts=[Board("Abalone-v0").fen()])
    monkeypatch.setattr(lines, "MOST_PLIES", 8)
    with pytest.raises(OptionError, match="more than 8 plies"):
        base_test(Player(first_legal), TIC_TAC_TOE)
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
    path.write_text(
        "# boardgym base positions, version 1\nposition\tseat\tcategory\tright\tvalues\n"
        "xx1/oo1/3 x\t0\twin\t2\t2=1 5=0 6=-1 7=-1 8=-1\n"
    )
    assert main(["trial", "greedy", "TicTacToe", "--test", "positions", "--positions", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["positions"]
    assert (found["quality"]["value"], found["floor"]) == (1.0, 0.2)
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
        (["greedy", "TicTacToe", "--positions", "none.tsv"], "none.tsv: No such file"),
        (["greedy", "TicTacToe", "--positions", "empty.tsv"], "empty.tsv: no positions"),
        (["greedy", "TicTacToe", "--positions", "short.tsv"], "its legal actions"),
        (["greedy", "TicTacToe", "--positions", "other.tsv"], "other.tsv: positions of Othello-v0, not of TicTacToe-v0"),
        (["greedy", "TicTacToe", "--positions", "row.tsv"], "row.tsv: a layout that is no row of CardPoints"),
    ],
)
def test_mistakes_are_told_before_any_work(arguments, said, capsys, monkeypatch, tmp_path):
    def worked(*arguments, **settings):
        raise AssertionError("it began to work")

    position = "xx1/oo1/3 x\t0\twin\t2\t2=1 5=0 6=-1 7=-1 8=-1\n"
    files = {"empty": "", "short": position.replace(" 8=-1", ""), "other": "# game: Othello-v0\n" + position,
             "row": "# layout: x y\n" + position}  # fmt: skip
    for name, text in files.items():
        head = "# boardgym base positions, version 1\nposition\tseat\tcategory\tright\tvalues\n"
        (tmp_path / f"{name}.tsv").write_text(head + text)
    monkeypatch.chdir(tmp_path)
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


def test_a_test_that_fails_does_not_take_the_others_with_it(monkeypatch, capsys):
    def failed(*arguments, **settings):
        raise OptionError("it went wrong")

    monkeypatch.setattr(trial, "base_test", failed)
    assert main(["trial", "greedy", "TicTacToe", "--games", "5", "--json"]) == 2
    out, err = capsys.readouterr()
    assert list(json.loads(out)) == ["random", "clone"]
    assert "it went wrong" in err


def test_only_what_plays_is_made(monkeypatch, capsys):
    """A table of gigabytes is not read twice where it plays once."""
    made = []

    def make(spec, *arguments, **settings):
        made.append(spec)
        return make_policy(spec, TIC_TAC_TOE)

    monkeypatch.setattr(trial, "as_policy", make)
    for test, specs in (("random", []), ("base", ["greedy"]), ("clone", ["greedy", "greedy"])):
        made.clear()
        assert main(["trial", "greedy", "TicTacToe", "--test", test, *(["--games", "2"] if test == "clone" else [])]) == 0
        assert made == specs
