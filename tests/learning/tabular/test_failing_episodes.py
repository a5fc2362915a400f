"""The three lost games of the dissertation on Pessimistic Q-learning (section 2.4), which plain Q-learning does not learn from.

The learner is x. In each game it makes a bold move that leads into a fork; cells are 1 to 9, row by row from the top. The
position after the fork has moves that it never tried: to them the maximum clings, the minimum does not.
"""

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.agent import TabularAgent
from boardgym.baselines.learning.tabular.q_learning import FORWARD, NEVER, ON_LOSS, REVERSE, QLearning
from boardgym.baselines.learning.tabular.solo import finish_kernel, learn_kernel
from boardgym.compile import plain
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import Token, find_rule

WIN, LOSS = 100.0, -50.0
TOKEN = Token(QLearning)


class Episode:
    """A game: the moves of both, the ply of the bold one, the moves beside it that do not lose, and the last board."""

    def __init__(self, moves, bold, others, last):
        self.actions, self.bold, self.others, self.last = [cell - 1 for cell in moves], bold, {c - 1 for c in others}, last

    def boards(self):
        """The board before each ply."""
        board = Board("TicTacToe")
        for action in self.actions:
            yield board.copy()
            board.push(action)

    def before_the_bold_move(self):
        return list(self.boards())[self.bold]


EPISODES = [
    Episode([2, 1, 8, 5, 9, 7, 6, 4], 2, {4, 5, 7, 9}, [2, 1, 0, 2, 2, 1, 2, 1, 1]),
    Episode([3, 4, 6, 9, 2, 1, 7, 5], 4, {1, 7}, [2, 1, 1, 2, 2, 1, 1, 0, 2]),
    Episode([5, 9, 8, 2, 7, 3, 4, 6], 4, {1, 3, 4, 6}, [0, 2, 2, 1, 1, 2, 1, 1, 2]),
]
WON = Episode([5, 9, 8, 2, 7, 1, 3], 4, {1, 3, 4, 6}, [2, 2, 1, 0, 1, 0, 1, 1, 2])  # the third, had o answered 1


def words_of(board):
    words = np.zeros(1, np.int64)
    plain(find_rule("compact", type(board.position)))(board.position, words)
    return words


class Learner:
    """x, with an empty table; `replay` learns from a game as the training of both phases does."""

    def __init__(self, **settings):
        self.row = TOKEN.row(QLearning(**settings))
        self.table = tb.make_table(1, 1 << 20)
        facts = {
            "method": "q",
            "values": "pairs",
            "default": 0.0,
            "way": ln.EPSILON,
            "uses_symmetry": 0,
            "pays": [WIN, 0.0, LOSS],
        }
        self.agent = TabularAgent("TicTacToe", self.table, facts, seed=1)

    def values(self, board):
        return self.agent.action_values(board)

    def replay(self, episode, result=ln.LOSS):
        record = ln.Record(*(field[0] for field in ln.make_records(1, 5, 1)))
        record.rates[[ln.STEP_SIZE, ln.DISCOUNT]] = 0.7, 0.7
        turns = [(board, action) for board, action in zip(episode.boards(), episode.actions, strict=True) if board.to_play == 0]
        record.length[0], record.rewards[len(turns) - 1] = len(turns), WIN if result == ln.WIN else LOSS
        for t, (board, action) in enumerate(turns):
            record.keys[t], record.actions[t], record.counts[t] = words_of(board), action, len(board.legal_actions)
            record.values[t, ln.BEST] = max(self.values(board).values())
            if t > 0:
                assert learn_kernel(TOKEN, self.row, self.table, record, t - 1) == 0
        assert learn_kernel(TOKEN, self.row, self.table, record, len(turns) - 1) == 0
        assert finish_kernel(TOKEN, self.row, self.table, record, result) == 0

    def is_bold(self, episode):
        """Whether the bold move's value is at least that of every move that does not lose."""
        values = self.values(episode.before_the_bold_move())
        return values[episode.actions[episode.bold]] >= max(values[action] for action in episode.others)


@pytest.mark.parametrize("episode", EPISODES, ids=["1", "2", "3"])
def test_the_games_are_as_they_are_told(episode):
    board = list(episode.boards())[-1]
    board.push(episode.actions[-1])
    assert board.outcome().winner == 1
    assert [2 - int(x) if x or o else 0 for x, o in board.observation(0)[..., :2].reshape(9, 2)] == episode.last
    before = episode.before_the_bold_move()
    exact = make_policy("perfect", "TicTacToe").analyse(before).action_values
    assert exact[episode.actions[episode.bold]] == -1
    assert {action for action, value in exact.items() if value >= 0} == episode.others


@pytest.mark.parametrize("order", [REVERSE, FORWARD])
@pytest.mark.parametrize("episode", EPISODES, ids=["1", "2", "3"])
def test_the_sweep_learns_to_avoid_the_bold_move(episode, order):
    plain_learner, pessimist = Learner(sweep=NEVER), Learner(sweep=ON_LOSS, order=order)
    for _ in range(10):
        plain_learner.replay(episode)
        pessimist.replay(episode)
    assert plain_learner.is_bold(episode)  # however often it has lost by it
    assert not pessimist.is_bold(episode)
    others = set(pessimist.values(episode.before_the_bold_move())) - {episode.actions[episode.bold]}
    assert {pessimist.agent.act(episode.before_the_bold_move()) for _ in range(60)} == others  # never tried, so far


def test_a_win_by_the_bold_move_does_not_hide_the_fork():
    """The dissertation's word on the third game: had o answered 1, x would win, and the maximum takes that value over."""
    plain_learner, pessimist = Learner(), Learner(sweep=ON_LOSS)
    for learner in (plain_learner, pessimist):
        for _ in range(10):
            learner.replay(WON, ln.WIN)
            learner.replay(EPISODES[2])
    values = plain_learner.values(WON.before_the_bold_move())
    assert max(values, key=values.get) == 7 - 1  # it will play it again
    assert values[7 - 1] > 1.0
    assert not pessimist.is_bold(WON)
