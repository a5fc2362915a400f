"""Episodes of a learner with a network, played by the kernel that tables are trained by."""

import numpy as np

from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td import td_network as td
from boardgym.baselines.learning.td.risk import Piecewise
from boardgym.baselines.learning.td.td_leaf import TDLeaf
from boardgym.baselines.learning.td.turns import SLOTS
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map, features_kernel
from boardgym.baselines.networks.scale import scale_of_output
from boardgym.baselines.players.simple import Random
from boardgym.compile import plain
from boardgym.core import rows as rw
from boardgym.core.game import get_game
from boardgym.core.policy import CompiledPolicy, token_of
from boardgym.core.random import stream


class Training:
    """Seat 0 learns; the other plays by the same network, learns too, or is uniformly random. With search_depth, by TD-Leaf."""

    def __init__(
        self, game, features, *, hidden=4, opponent="self", seed=1, rates=None, pays=(), turns=400, slots=SLOTS, **settings
    ):
        self.game = game = get_game(game)
        self.features = feature_map(features, game)
        inputs = len(self.features.names)
        self.net = pn.make_perceptron([inputs, hidden, 1], ["sigmoid", "tanh"])
        plain(pn.draw_weights)(self.net, 0.5, stream(seed, 9))
        depth = settings.get("search_depth", 1)
        self.memory = td.make_memory(self.net, game, np.array([1.0, 0.5]), depth=depth, slots=slots)
        variant = (TDLeaf,) if "search_depth" in settings else ()
        kind = td.learner_class(type(self.features.settings), Piecewise, *variant)
        self.learner = token_of(kind)
        own = {**self.features.settings._asdict(), **settings, "has_pays": int(len(pays) > 0)}
        if variant:
            own["total"] = scale_of_output(game, pays or None).total
        self.settings = kind(**own)
        other = self.settings._replace(is_learning=int(opponent == "both"))
        self.rows = np.array([self.learner.row(self.settings), self.learner.row(other)])
        self.opponent = CompiledPolicy(game, Random(), "random", seed=0)
        role = ep.OPPONENT if opponent == "random" else ep.OTHER
        self.play = self._play([ep.LEARNER, *[role] * (game.num_seats - 1)], td.num_words(kind, inputs), turns)
        self.play.rows.rngs[:] = stream(seed, 1)
        schedules = np.zeros((3, ln.NUM_RATES, 4))
        wanted = {ln.STEP_SIZE: 0.1, ln.DISCOUNT: 0.9, ln.EXPLORATION: 0.0, ln.TRACE_DECAY: 0.7, ln.RISK: 0.0, **(rates or {})}
        for rate, value in wanted.items():
            schedules[:, rate] = (ep.CONSTANT, value, value, 1)
        starts = np.array([game.token.row(game.start)])
        self.terms = ep.Terms(schedules, np.array(pays, np.float64), starts, np.array([0, 0]), np.array([1000, 0, 0]))

    def _play(self, lineup, words, turns):
        game = self.game
        rows = rw.make_rows(game.token, 1, has_history=game.repetition_limit > 0)
        rows.positions[0] = game.token.row(game.start)
        counters = np.zeros(ep.NUM_COUNTERS, np.int64)
        counters[ep.FIXED] = 1
        roles, records = np.array(lineup, np.int64), ln.make_records(game.num_seats, turns, words)
        begun = np.zeros(ep.BEGUN_ENTRIES + game.num_seats, np.int64)
        return ep.Play(
            rows,
            records,
            roles.copy(),
            roles,
            np.zeros(game.num_seats),
            counters,
            np.zeros((100, 3, 3), np.int64),
            np.full(1, -1),
            np.full(1, -1),
            begun,
        )

    def run(self, episodes):
        self.play.counters[ep.UNTIL] += episodes
        while True:
            reason = ep.train_kernel(
                self.game.token,
                self.learner,
                self.rows,
                self.opponent.token,
                self.opponent.row,
                self.opponent.data,
                0.0,
                self.memory,
                self.play,
                self.terms,
                self.game.max_choices,
                False,
            )
            if reason != ep.SHORT:
                assert reason == ep.DONE
                return self
            records = self.play.records
            assert int(records.length.max()) < records.actions.shape[1]
            self.play = self.play._replace(rows=rw.with_room(self.game.token, self.play.rows, 64))

    def run_recorded(self):
        """Plays one episode; returns its actions."""
        actions = []
        self.play.counters[ep.UNTIL] += 1
        while True:
            reason = ep.train_kernel(
                self.game.token,
                self.learner,
                self.rows,
                self.opponent.token,
                self.opponent.row,
                self.opponent.data,
                0.0,
                self.memory,
                self.play,
                self.terms,
                self.game.max_choices,
                True,
            )
            if self.play.told[0] >= 0:
                actions.append(int(self.play.told[0]))
            if reason == ep.DONE:
                return actions
            assert reason == ep.TOLD

    def end(self, seat):
        """The features of the position that the episode before ended in."""
        sheet = self.features.make_sheet()
        features_kernel(self.game.token, self.play.rows.positions[0], self.features.token, self.features.row, seat, sheet)
        return sheet.inputs

    def paid(self, seat):
        """What the episode before paid a seat."""
        return float(self.play.totals[seat])

    def turns(self, seat):
        """Of the episode before: what each turn was, what was kept of it, its gain last, and what it was paid."""
        record = ln.record_of(self.play.records, seat)
        count = int(record.length[0])
        numbers = record.keys[:count].view(np.float64)
        return record.actions[:count].tolist(), numbers[:, :-1], numbers[:, -1], record.rewards[:count]
