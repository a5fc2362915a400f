"""TD on afterstates and MENACE in whole games of tic-tac-toe: what gets into the table, and that they learn."""

from collections import Counter

import numpy as np
import pytest

from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.td import TD
from boardgym.core import rows as rw
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from boardgym.core.verbs import Token

PAYS = {"win": 100.0, "draw": 0.0, "loss": -50.0}


class Games:
    """Tic-tac-toe by learners with rates that stay. usual: the roles of the seats."""

    def __init__(self, learner, usual, *, seed=1, step_size=1.0, exploration=1.0, trace_decay=0.0):
        self.game, self.opponent = get_game("TicTacToe"), make_policy("random", "TicTacToe")
        self.token = Token(type(learner))
        self.settings = np.array([self.token.row(learner)] * 2)
        self.table = tb.make_table(1, 1 << 24)
        rows = rw.make_rows(self.game.token, 1, has_history=False)
        rows.positions[0], rows.rngs[:] = self.game.token.row(self.game.start), stream(seed)
        counters = np.zeros(ep.NUM_COUNTERS, np.int64)
        counters[ep.FIXED] = 1
        self.play = ep.Play(
            rows,
            ln.make_records(2, 9, 1),
            np.zeros(2, np.int64),
            np.array(usual),
            np.zeros(2),
            counters,
            np.zeros((100, 3, 3), np.int64),
            np.full(1, -1),
            np.full(1, -1),
            np.zeros(4, np.int64),
        )
        schedules = np.zeros((3, ln.NUM_RATES, 4))
        rates = {ln.STEP_SIZE: step_size, ln.DISCOUNT: 1.0, ln.EXPLORATION: exploration, ln.TRACE_DECAY: trace_decay}
        schedules[:, [*rates], ep.FIRST] = [*rates.values()]
        starts = np.array([self.game.token.row(position) for position in self.game.setup("standard").positions])
        self.terms = ep.Terms(schedules, np.array([*PAYS.values()]), starts, np.zeros(2, np.int64), np.array([1000, 0, 0]))

    def run(self, episodes):
        self.play.counters[ep.UNTIL] += episodes
        other = self.opponent
        reason = ep.train_kernel(
            self.game.token,
            self.token,
            self.settings,
            other.token,
            other.row,
            other.data,
            0.0,
            self.table,
            self.play,
            self.terms,
            9,
            False,
        )
        assert reason == ep.DONE
        return self

    def entries(self):
        """(words of the position, action, value) of each entry."""
        columns = tb.columns_of(self.table)
        return [(int(k), int(a), float(v)) for (k,), a, v in zip(columns.keys, columns.actions, columns.values, strict=True)]


def marks(words):
    return words.bit_count()


@pytest.mark.parametrize("trace_decay", [0.0, 1.0])
def test_a_game_of_td(trace_decay):
    """With a step size of 1 a first game leaves what it paid: in the winner's last position but one, whose next is known to
    win, and in the loser's last; with full traces in all that came before too. The end itself is in no table.
    """
    seen = Counter()
    for seed in range(40):
        games = Games(TD(has_pays=1, **PAYS), [ep.LEARNER, ep.OTHER], seed=seed, trace_decay=trace_decay).run(1)
        wins, draws, _ = games.play.results[0, ep.LEARNER]
        plies = int(games.play.counters[ep.PLIES])
        pays = {0: 0.0, 1: 0.0} if draws else {0: 100.0 if wins else -50.0, 1: -50.0 if wins else 100.0}
        expected = {}
        for number in range(1, plies):  # the position after so many plies, by the seat that moved
            seat = (number - 1) % 2
            is_latest = number + 2 > plies - (seat == (plies - 1) % 2)
            expected[number, tb.VALUE_OF_POSITION - seat] = pays[seat] if trace_decay or is_latest else 0.0
        assert {(marks(words), action): value for words, action, value in games.entries()} == expected
        seen["draw" if draws else "win" if wins else "loss"] += 1
    assert len(seen) == 3


def test_td_learns_to_draw():
    """Both seats learn, with symmetries: tic-tac-toe among those who know it is a draw."""
    learner = TD(has_pays=1, uses_symmetry=1, **PAYS)
    games = Games(learner, [ep.LEARNER, ep.OTHER], step_size=0.2, exploration=0.1, trace_decay=0.5).run(10_000)
    results = games.play.results[:, ep.LEARNER]
    assert results[9, 1] > max(650, results[0, 1])  # of a thousand games, with a tenth of random moves
    positions = [(words & 511, words >> 9) for words, _, _ in games.entries()]  # of the seat to play, of the other
    assert len(positions) == len(set(positions)) <= 626  # up to symmetry there are 765, one of them the start, 138 the end
    assert not any(has_line(other) or own | other == 511 for own, other in positions)
    assert games.play.records.entries.sum() == len(positions)  # each counted for the seat that came there first


def has_line(cells):
    return any(cells & line == line for line in (7, 56, 448, 73, 146, 292, 273, 84))


def test_menace_learns_against_random_play():
    games = Games(Menace(), [ep.LEARNER, ep.OPPONENT]).run(20_000)
    results = games.play.results[:, ep.LEARNER]
    assert results[0, 0] < 780  # of a thousand games: at first little more than the 585 wins of random play
    assert results[19, 0] > 860
    assert results[19, 2] < 90
    first = {action: beads for words, action, beads in games.entries() if words == 0}
    assert sorted(first) == [0, 1, 4]  # a corner, an edge, the centre
    assert all(beads > 100 for beads in first.values())
    assert games.play.records.entries[0, 0] == (tb.columns_of(games.table).visits > 0).sum()


def test_boxes_of_menace():
    """Michie's machine has 304 boxes, 1, 12, 108 and 183 at its turns, and none for a last empty cell, which ours has too."""
    games = Games(Menace(won=0.0, drawn=0.0, lost=0.0), [ep.LEARNER, ep.OPPONENT]).run(100_000)  # its beads stay
    boxes = {}
    for words, _, beads in games.entries():
        boxes.setdefault(marks(words), {}).setdefault(words, set()).add(beads)
    assert {ply: len(found) for ply, found in boxes.items()} == {0: 1, 2: 12, 4: 108, 6: 183, 8: 34}
    for ply, beads in ((0, 4.0), (2, 3.0), (4, 2.0), (6, 1.0), (8, 1.0)):
        assert all(found == {beads} for found in boxes[ply].values())
