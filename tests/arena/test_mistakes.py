"""Games judged ply by ply: exact words, estimates of searches and how sure they are, chance and three seats."""

import pytest

from boardgym import Board
from boardgym.baselines.arena.mistakes import BLUNDER, INACCURACY, MISTAKE, judge_game
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import make_policy


class Says:
    """A policy that gives each position the value that it was told, for the seat to play, and every action `action_value`."""

    spec = "says"

    def __init__(self, values, *, nodes=0, action_value=-1.0, visits=False):
        self.values, self.nodes, self.action_value, self.visits = values, nodes, action_value, visits

    def analyse(self, board):
        legal = board.legal_actions
        counts = dict.fromkeys(legal, self.nodes // len(legal)) if self.visits else {}
        return Analysis(
            action=legal[-1],
            value=self.values[board.ply],
            principal_variation=(),
            action_values=dict.fromkeys(legal, self.action_value),
            visit_counts=counts,
            depth=3,
            nodes=sum(counts.values()),
            seconds=0.0,
            is_proven=False,
        )


def last_of(policy, moves=("b2",), game="TicTacToe"):
    board = Board(game)
    board.play(moves)
    return list(judge_game(Board(game), board.actions, policy))[-1]


def test_exact_play_is_judged_in_words():
    board = Board("TicTacToe")
    board.play(["b2", "a1", "b1", "b3", "a2"])
    start = Board("TicTacToe")
    plies = list(judge_game(start, board.actions, make_policy("perfect", start.game)))
    assert start.ply == 0
    assert [ply.move for ply in plies] == [None, "b2", "a1", "b1", "b3", "a2"]
    assert all(ply.is_exact and ply.mark == "" and ply.loss in (None, 0.0) for ply in plies)
    board = Board("TicTacToe")
    board.play(["b2", "b1", "c3", "c2", "a1"])  # b1 loses; a1 wins at once
    plies = list(judge_game(start, board.actions, make_policy("perfect", start.game)))
    assert [(ply.ply, ply.mark) for ply in plies if ply.mark] == [(2, "mistake")]
    assert plies[2].words.startswith("b1 turned a draw into a loss; ")
    assert plies[-1].values == [1.0, -1.0]  # of the end of the game
    assert plies[-1].best is None


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (INACCURACY - 0.01, ""),
        (INACCURACY, "inaccuracy"),
        (MISTAKE, "mistake"),
        (BLUNDER, "blunder"),
    ],
)
def test_an_estimated_loss_has_its_mark(loss, mark):
    found = last_of(Says({0: 0.25 + loss - 0.25, 1: 0.0}))
    assert found.loss == pytest.approx(loss)
    assert found.mark == mark
    assert ("not proven" in found.words) == bool(mark)


def test_the_lesser_of_two_estimates_counts():
    assert last_of(Says({0: 0.5, 1: 0.0}, action_value=0.45)).loss == pytest.approx(0.05)
    assert last_of(Says({0: 0.5, 1: 0.0}, action_value=-0.5)).loss == pytest.approx(0.5)


def test_a_loss_within_the_spread_of_few_simulations_is_no_mistake():
    few = last_of(Says({0: 0.5, 1: 0.0}, nodes=9, visits=True))
    assert (few.loss, few.mark) == (0.5, "")
    many = last_of(Says({0: 0.5, 1: 0.0}, nodes=9000, visits=True))
    assert many.mark == "mistake"
    assert "9,000 simulations, give or take 0.0" in many.words


def test_where_chance_comes_between_the_first_search_judges():
    board = Board("Backgammon", auto_roll=False, seed=1, compiled=False)
    board.roll()
    while not board.is_chance:
        board.push(board.legal_actions[0])
    says = Says(dict.fromkeys(range(9), 0.4), action_value=-0.2)
    plies = list(judge_game(Board("Backgammon", auto_roll=False, compiled=False), board.actions, says))
    assert [ply.ply for ply in plies] == list(range(len(board.actions) + 1))
    assert (plies[1].seat, plies[0].note) == (-1, "chance is to act")
    assert plies[-1].values == [None, None]
    assert plies[-1].loss == pytest.approx(0.6)


def test_what_a_solver_cannot_answer_is_said():
    othello = Board("Othello", compiled=False)
    plies = list(judge_game(othello, othello.legal_actions[:1], make_policy("perfect", "Othello")))
    assert plies[0].values == [None, None]
    assert plies[0].note
    assert plies[1].loss is None
