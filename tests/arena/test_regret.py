"""Regret: losses worked out by hand, counts, intervals, the command."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.solve_othello import problems
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.regret import Judge, Tally, count_reasons, make_judge, measure_regret
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.cli import main
from boardgym.commands import regret as command
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game

TIC_TAC_TOE = get_game("TicTacToe-v0")


class Scripted:
    """Plays given moves in order, for both seats, then the first legal action."""

    spec = "scripted"

    def __init__(self, *moves):
        self.moves = moves

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        return board.action_of(self.moves[board.ply]) if board.ply < len(self.moves) else board.legal_actions[0]


def losses(fen, move, game="TicTacToe-v0"):
    board = Board(game, fen)
    return make_judge("perfect", board.game).losses(board, board.action_of(move))


def test_losses_by_hand():
    assert losses("3/3/3 x", "a1") == (0.0, None)
    assert losses("3/1x1/3 o", "a1") == (0.0, None)
    assert losses("3/1x1/3 o", "b3") == (1.0, None)  # a side in answer to the centre turns a draw into a loss
    # x . .    x wins on c1; on any other cell o has three in a row on c1 itself
    # . x .
    # o o .
    assert losses("x2/1x1/oo1 x", "c1") == (0.0, None)
    assert losses("x2/1x1/oo1 x", "a2") == (2.0, None)
    assert losses(". . . . 3 2 A 4 | 10 10 first", "right", "CardPoints-v0") == (2.0, 20.0)
    assert losses(". . . . 3 2 A 4 | 10 10 first", "left", "CardPoints-v0") == (0.0, 0.0)


def test_losses_by_the_scores_of_every_move():
    path = Path(__file__).parents[1] / "data/reference/othello_endgame_small.obf"
    for _, board, scores in list(problems(path))[:30]:
        judge = make_judge("perfect", board.game)
        best = max(scores.values())
        for move, score in scores.items():
            lost = judge.losses(board, board.action_of(move))
            assert lost == (np.sign(best) - np.sign(score), best - score)
    with pytest.raises(UnsolvedPositionError) as raised:
        make_judge("perfect:empties=3", board.game).losses(board, board.legal_actions[0])
    assert raised.value.reason.endswith("squares are empty, it answers with at most 3 (empties=N sets another limit)")


def test_a_game_by_hand():
    # o answers the centre on a side, which loses; x goes on below it, where it threatens nothing
    found = measure_regret(Scripted("b2", "b3", "b1", "a3"), TIC_TAC_TOE, games=2, openings="start")
    assert (found.agent, found.opponent, found.games, found.distinct_games) == ("scripted", "scripted", 2, 1)
    judge, board, lost, plies = make_judge("perfect", TIC_TAC_TOE), Board("TicTacToe-v0"), 0.0, 0
    player = Scripted("b2", "b3", "b1", "a3")
    while not board.is_terminal:
        action = player.act(board)
        if len(board.legal_actions) > 1:
            lost, plies = lost + judge.losses(board, action)[0], plies + 1
        board.push(action)
    assert lost >= 1.0
    assert found.plies == 2 * plies
    assert found.loss.value == pytest.approx(lost / plies)
    one = measure_regret(Scripted("b2", "b3", "b1", "a3"), TIC_TAC_TOE, opponent="perfect", games=2, openings="start")
    assert one.opponent == "perfect"
    assert one.plies < found.plies
    more = measure_regret(Scripted("b2", "b3", "b1", "a3"), TIC_TAC_TOE, games=8, openings="start")
    assert (more.distinct_games, more.plies, more.loss) == (1, 4 * found.plies, found.loss)  # repeats say nothing new


def test_perfect_play_has_none():
    found = measure_regret("perfect", TIC_TAC_TOE, games=20, seed=1)
    assert (found.loss.value, found.best.value, found.mistakes, found.unsolved) == (0.0, 1.0, 0, 0)
    assert found.plies > 40
    assert found.distinct_games <= 10  # the games of a pair are the same
    assert 2 > found.loss.high >= 2 * (1 - 0.025 ** (1 / found.distinct_games))
    assert found.best.low == pytest.approx(1 - found.loss.high / 2)


def test_random_play_has_some_and_the_seed_decides():
    found = measure_regret("random", TIC_TAC_TOE, games=20, seed=1)
    assert found == measure_regret("random", TIC_TAC_TOE, games=20, seed=1)
    assert found != measure_regret("random", TIC_TAC_TOE, games=20, seed=2)
    assert 0.2 < found.loss.low < found.loss.value < found.loss.high < 2.0
    assert found.best.value == pytest.approx(1 - found.mistakes / found.plies)
    cards = measure_regret("random", "CardPoints-v0", games=10, opponent="perfect")
    assert cards.score_loss.value > 0
    assert cards.forced > 0


def test_ctrl_c_within_a_game_leaves_none_of_it():
    class Tired(Judge):
        def losses(self, board, action):
            if len(tally.rows) == 1:  # the second game
                asked.append(action)
                if len(asked) == 3:
                    raise KeyboardInterrupt
                if len(asked) == 2:
                    raise UnsolvedPositionError("tired", "tired")
            return super().losses(board, action)

    asked = []
    tally = Tally(Tired(make_judge("perfect", "CardPoints-v0").perfect), is_alone=True)
    game = get_game("CardPoints-v0")
    before = []

    def judge(match):
        tally.match = match
        before.append(tally.result() if tally.rows else None)
        tally.add(match.games[-1].record, (0, 1))

    with pytest.raises(KeyboardInterrupt):
        play_match("random", "random", game, games=4, on_game=judge)
    assert (before[1].games, before[1].plies > 0) == (1, True)
    assert tally.result() == before[1]


def test_reasons_are_counted():
    found = count_reasons(
        [Counter({"9 are empty": 2, "no table": 1}), Counter({"8 are empty": 1, "no table": 1, "9 are empty": 1})]
    )
    assert list(found.items()) == [("9 are empty", 4), ("no table", 2)]


def test_refusals():
    with pytest.raises(SpecError, match=r"expected perfect, with settings"):
        measure_regret("random", TIC_TAC_TOE, solver="random")
    with pytest.raises(SpecError, match="a fallback cannot judge"):
        measure_regret("random", TIC_TAC_TOE, solver="perfect(greedy)")
    with pytest.raises(UnsupportedGameError, match="no solver for Abalone-v0"):
        measure_regret("random", "Abalone-v0")
    with pytest.raises(OptionError, match="games=3"):
        measure_regret("random", TIC_TAC_TOE, games=3)


def test_nothing_judged_says_why(capsys):
    asked = ["regret", "random", "Othello", "--games", "2", "--solver", "perfect:empties=1"]  # with one empty, all is forced
    assert main(asked) == 1
    shown = capsys.readouterr()
    assert "0 plies; left out:" in shown.out
    assert "no ply could be judged:" in shown.err
    for text in (shown.out, shown.err):
        assert "squares are empty, it answers with at most 1 (empties=N sets another limit)" in text
    assert main([*asked, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["plies"] == 0
    assert [*found["reasons"].values()] == [found["unsolved"]]  # one reason, whatever the number of squares
    assert found["unsolved"] > 60


def test_the_command(capsys, monkeypatch):
    assert main(["regret", "random", "TicTacToe", "--games", "4", "--draws"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("random on TicTacToe-v0 against itself: 4 games")
    assert "loss per ply" in shown
    assert main(["regret", "random", "TicTacToe", "--games", "4", "--opponent", "perfect", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["opponent"], found["games"]) == ("boardgym-regret", "perfect", 4)
    assert found["loss"]["low"] <= found["loss"]["value"] <= found["loss"]["high"]
    assert main(["regret", "random", "Abalone"]) == 2
    assert "no solver for Abalone-v0" in capsys.readouterr().err

    def interrupted(*arguments, on_game, **settings):
        def stop_after_two(tally):
            on_game(tally)
            if len(tally.rows) == 2:
                raise KeyboardInterrupt

        return measure_regret(*arguments, on_game=stop_after_two, **settings)

    monkeypatch.setattr(command, "measure_regret", interrupted)
    assert main(["regret", "random", "TicTacToe", "--games", "40", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["games"] == 2
