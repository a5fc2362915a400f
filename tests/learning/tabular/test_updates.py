"""Four transitions and more of every learner, worked by hand: the kernels that learn, on records filled with what was played.

Step size, discount and trace decay are 1/2 throughout, and all numbers are such that float32 holds them exactly.
"""

import numpy as np
import pytest

from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.q_learning import ALWAYS, FORWARD, NEVER, ON_LOSS, REVERSE, MinimaxQ, QLearning
from boardgym.baselines.learning.tabular.sarsa import Sarsa
from boardgym.baselines.learning.tabular.solo import finish_kernel, learn_kernel
from boardgym.baselines.learning.tabular.td import KNOWN, TD
from boardgym.core.verbs import Token

MISLEADING = 1000.0  # in columns that the learner must not read
SEAT_0, SEAT_1 = tb.VALUE_OF_POSITION, tb.VALUE_OF_POSITION - 1


class Episode:
    """A record and a table whose positions are single numbers.

    turns: (position, action, reward) each. entries: {(position, action): value}, what the table holds before.
    """

    def __init__(self, learner, turns, entries, *, trace_decay=0.0):
        self.token = Token(type(learner))
        self.settings = self.token.row(learner)
        self.table = tb.make_table(1, 1 << 20)
        keys, actions = np.array([[p] for p, _ in entries]), np.array([a for _, a in entries], np.uint16)
        values, visits = np.array([*entries.values()], np.float32), np.ones(len(entries), np.uint16)
        assert tb.copy_in(self.table, keys, actions, values, visits, tb.MOST_STEPS) >= 0
        self.record = ln.Record(*(field[0] for field in ln.make_records(1, 16, 1)))
        for t, (position, action, reward) in enumerate(turns):
            self.record.keys[t], self.record.actions[t], self.record.rewards[t] = position, action, reward
        self.record.length[0], self.record.counts[:] = len(turns), 2
        self.record.rates[[ln.STEP_SIZE, ln.DISCOUNT, ln.TRACE_DECAY]] = 0.5, 0.5, trace_decay
        self.record.values[:, : ln.HAS_REPLY] = MISLEADING

    def learn(self, column, values):
        """Learns turn by turn, as play goes on. values: of `column`, at the time when that turn came."""
        for t in range(self.record.length[0]):
            if t + 1 < self.record.length[0]:
                self.record.values[t + 1, column] = values[t + 1]
            assert learn_kernel(self.token, self.settings, self.table, self.record, t) == 0
        return self.entries()

    def finish(self, result):
        assert finish_kernel(self.token, self.settings, self.table, self.record, result) == 0
        return self.entries()

    def entries(self):
        columns = tb.columns_of(self.table)
        return {(int(k), int(a)): float(v) for (k,), a, v in zip(columns.keys, columns.actions, columns.values, strict=True)}


PAIRS = {(2, 0): 4.0, (2, 1): 2.0, (3, 1): -8.0, (4, 0): 6.0}
LOST = [(1, 0, 0.0), (2, 1, 4.0), (3, 1, 0.0), (4, 0, -50.0)]
BESTS = [0.0, 4.0, 0.0, 6.0]  # of positions 1 to 4; in 3 the action that is not in the table
LEARNT = {
    (1, 0): 1.0,  # 0 + (0 + 4/2 - 0)/2
    (2, 0): 4.0,
    (2, 1): 3.0,  # 2 + (4 + 0 - 2)/2
    (3, 1): -2.5,  # -8 + (0 + 6/2 + 8)/2
    (4, 0): -22.0,  # 6 + (-50 - 6)/2, the end
}


def test_q_learning():
    episode = Episode(QLearning(), LOST, PAIRS)
    assert episode.learn(ln.BEST, BESTS) == LEARNT
    assert episode.finish(ln.LOSS) == LEARNT  # it has no sweep


def swept(order):
    episode = Episode(QLearning(sweep=ON_LOSS, order=order), LOST, PAIRS)
    assert episode.learn(ln.BEST, BESTS) == LEARNT
    assert episode.finish(ln.WIN) == episode.finish(ln.DRAW) == LEARNT
    return episode


def test_pessimistic_sweep_from_the_last_turn_to_the_first():
    assert swept(REVERSE).finish(ln.LOSS) == {
        (4, 0): -36.0,  # -22 + (-50 + 22)/2
        (3, 1): -10.25,  # -2.5 + (-36/2 + 2.5)/2: the least in 4 is -36, the other action is 0
        (2, 1): 0.9375,  # 3 + (4 - 10.25/2 - 3)/2
        (2, 0): 4.0,
        (1, 0): 0.734375,  # 1 + (0.9375/2 - 1)/2: the least in 2, where both actions are known
    }


def test_pessimistic_sweep_as_it_was_played():
    assert swept(FORWARD).finish(ln.LOSS) == {
        (1, 0): 1.25,  # 1 + (3/2 - 1)/2: the least in 2 is still 3
        (2, 0): 4.0,
        (2, 1): 2.875,  # 3 + (4 - 2.5/2 - 3)/2
        (3, 1): -6.75,  # -2.5 + (-22/2 + 2.5)/2
        (4, 0): -36.0,  # -22 + (-50 + 22)/2
    }


def test_the_least_counts_what_is_not_in_the_table():
    episode = swept(REVERSE)
    episode.record.counts[1] = 3  # a third action in 2, of value 0
    assert episode.finish(ln.LOSS)[1, 0] == 0.5  # 1 + (0/2 - 1)/2


def test_sweeps_after_every_episode_and_never():
    for sweep, changes in ((ALWAYS, True), (NEVER, False)):
        episode = Episode(QLearning(sweep=sweep), LOST, PAIRS)
        episode.learn(ln.BEST, BESTS)
        assert (episode.finish(ln.WIN) != LEARNT) == changes


def test_minimax_q():
    episode = Episode(MinimaxQ(), LOST, PAIRS)
    episode.record.values[0, [ln.REPLY, ln.HAS_REPLY]] = 6.0, 1.0
    episode.record.values[2, [ln.REPLY, ln.HAS_REPLY]] = -8.0, 1.0
    assert episode.learn(ln.BEST, [0.0, MISLEADING, 4.0, MISLEADING]) == {
        (1, 0): -1.5,  # 0 + (0 - 6/2 - 0)/2: the other's best is worth 6 to it
        (2, 0): 4.0,
        (2, 1): 4.0,  # 2 + (4 + 4/2 - 2)/2: its own turn again
        (3, 1): -2.0,  # -8 + (0 + 8/2 + 8)/2
        (4, 0): -22.0,  # 6 + (-50 - 6)/2
    }


CIRCLE = [(1, 0, 0.0), (2, 1, 4.0), (3, 1, 0.0), (2, 1, -6.0)]  # its last turn is its second again
KNOWN_PAIRS = {(2, 1): 2.0, (3, 1): -8.0}
CHOSEN = [0.0, 2.0, -8.0, 1.0]  # of these turns, each when it came


def test_sarsa():
    assert Episode(Sarsa(), CIRCLE, KNOWN_PAIRS).learn(ln.CHOSEN, CHOSEN) == {
        (1, 0): 0.5,  # 0 + (0 + 2/2 - 0)/2
        (2, 1): -2.5,  # 2 + (4 - 8/2 - 2)/2 = 1, then 1 + (-6 - 1)/2
        (3, 1): -3.75,  # -8 + (0 + 1/2 + 8)/2
    }


@pytest.mark.parametrize("replaces", [0, 1])
def test_sarsa_lambda(replaces):
    """Traces fall to a quarter by each turn.

    Turn 0: error 0 + 2/2 - 0 = 1         (1, 0) = 0 + 1/2 = 0.5
    Turn 1: error 4 - 8/2 - 2 = -2        (2, 1) = 2 - 2/2 = 1; (1, 0) = 0.5 - 2/2/4 = 0.25
    Turn 2: error 0 + 1/2 + 8 = 8.5       (3, 1) = -8 + 8.5/2 = -3.75; (2, 1) = 1 + 8.5/2/4 = 2.0625;
                                          (1, 0) = 0.25 + 8.5/2/16 = 0.515625
    Turn 3: error -6 - 2.0625 = -8.0625   (2, 1) = 2.0625 - 8.0625/2 = -1.96875, and by turn 1, unless its trace was replaced,
                                          8.0625/2/16 = 0.251953125 less; (3, 1) = -3.75 - 8.0625/2/4 = -4.7578125;
                                          (1, 0) = 0.515625 - 8.0625/2/64 = 0.45263671875
    """
    episode = Episode(Sarsa(replaces=replaces), CIRCLE, KNOWN_PAIRS, trace_decay=0.5)
    assert episode.learn(ln.CHOSEN, CHOSEN) == {
        (1, 0): 0.45263671875,
        (2, 1): -1.96875 if replaces else -2.220703125,
        (3, 1): -4.7578125,
    }


def test_small_traces_are_left_out():
    """Seven turns back a trace of 1/4 a turn is 6.1e-5, below 1e-4; six turns back it is 2.4e-4."""
    turns = [(number, 0, 64.0 * (number == 8)) for number in range(9)]
    values = Episode(Sarsa(), turns, {(99, 0): 0.0}, trace_decay=0.5).learn(ln.CHOSEN, [0.0] * 9)
    assert [values[number, 0] for number in range(9)] == [0.0, 0.0, *(32.0 / 4**back for back in range(6, -1, -1))]


AFTERSTATES = [(1, SEAT_0, 0.0), (2, SEAT_0, 4.0), (3, SEAT_0, 0.0), (4, SEAT_0, 0.0), (5, KNOWN, 10.0)]
KNOWN_POSITIONS = {(2, SEAT_0): 2.0, (2, SEAT_1): 7.0, (3, SEAT_0): -8.0}
REACHED = [0.0, 2.0, -8.0, 0.0, 10.0]  # the last is the end of the game, whose outcome is known


def test_td_0():
    assert Episode(TD(), AFTERSTATES, KNOWN_POSITIONS).learn(ln.CHOSEN, REACHED) == {
        (1, SEAT_0): 0.5,  # 0 + (0 + 2/2 - 0)/2
        (2, SEAT_0): 1.0,  # 2 + (4 - 8/2 - 2)/2
        (2, SEAT_1): 7.0,  # what the position is worth to the other
        (3, SEAT_0): -4.0,  # -8 + (0 + 0 + 8)/2
        (4, SEAT_0): 2.5,  # 0 + (0 + 10/2 - 0)/2; 5 is in no table
    }


def test_td_lambda():
    """Turn 0: error 1    (1) = 0.5
    Turn 1: error -2   (2) = 2 - 2/2 = 1; (1) = 0.5 - 2/2/4 = 0.25
    Turn 2: error 8    (3) = -8 + 8/2 = -4; (2) = 1 + 8/2/4 = 2; (1) = 0.25 + 8/2/16 = 0.5
    Turn 3: error 5    (4) = 5/2; (3) = -4 + 5/2/4 = -3.375; (2) = 2 + 5/2/16 = 2.15625; (1) = 0.5 + 5/2/64 = 0.5390625
    Turn 4: nothing
    """
    assert Episode(TD(), AFTERSTATES, KNOWN_POSITIONS, trace_decay=0.5).learn(ln.CHOSEN, REACHED) == {
        (1, SEAT_0): 0.5390625,
        (2, SEAT_0): 2.15625,
        (2, SEAT_1): 7.0,
        (3, SEAT_0): -3.375,
        (4, SEAT_0): 2.5,
    }


def test_menace():
    boxes = {(1, 4): 4.0, (1, 0): 4.0, (2, 0): 3.0, (3, 8): 2.0, (4, 1): 1.0}
    episode = Episode(Menace(), [(1, 4, 0.0), (2, 0, 0.0), (3, 8, 0.0), (4, 1, 1.0)], boxes)
    assert episode.learn(ln.BEST, [0.0] * 4) == boxes  # nothing before the end
    assert episode.finish(ln.LOSS) == {(1, 4): 3.0, (1, 0): 4.0, (2, 0): 2.0, (3, 8): 1.0, (4, 1): 0.0}  # one bead less
    assert episode.finish(ln.LOSS)[4, 1] == 0.0  # an empty box loses none
    assert episode.finish(ln.DRAW) == {(1, 4): 3.0, (1, 0): 4.0, (2, 0): 2.0, (3, 8): 1.0, (4, 1): 1.0}  # -1 and +1
    assert episode.finish(ln.WIN) == {(1, 4): 6.0, (1, 0): 4.0, (2, 0): 5.0, (3, 8): 4.0, (4, 1): 4.0}  # three more


def test_step_sizes_that_fall_with_visits():
    """A step of 1/2 divided by the number of visits, of which the table has counted one: 2, 3, 4 and 5."""
    episode = Episode(QLearning(visit_power=1.0), [(1, 0, 64.0)], {(1, 0): 0.0})
    expected, got = 0.0, []
    for visits in (2, 3, 4, 5):
        expected += 0.5 / visits * (64.0 - expected)
        got.append(episode.learn(ln.BEST, [0.0])[1, 0])
        assert got[-1] == pytest.approx(expected, rel=1e-6)
    assert got[:2] == pytest.approx([16.0, 24.0])  # 64/4; 16 + 48/6
