"""Batches of games: all are played by the same weights, which then learn from all of them at once.

What a game does depends on its number alone, and whole numbers add up what it changes. So threads of the CPU, or those of a
card, share the games, and the result is the same however many there are.

A weight with n changes in a batch moves by

    a(|N| / A) step_size / M (sum of its d) min(n, MOST_STEPS) / n

as in `ntuple`, but that all of its changes together are worth MOST_STEPS of one game after the other: they are from the same
weights, and all of them would lead far beyond the values that each of them aims at. Then N and A take up all of them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.game_totals import column_of
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.changes import Changes, changes_of, clear_changes
from boardgym.baselines.learning.starts import Starts, begin
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cells import GameCells
from boardgym.baselines.networks.ntuples import NTuples, make_reading
from boardgym.compile import EntryPoints, inlined, shared
from boardgym.compile.words import mix
from boardgym.core import verbs
from boardgym.core.game import Game
from boardgym.core.policy import make_scratch as make_player_scratch
from boardgym.core.random import branch, draw
from boardgym.core.threads import SHARED, Sharing

MOST_STEPS = 4.0
RESULT, PLIES, UPDATES = range(3)  # columns of `Results.counts`
NO_START = -1  # as a result


class Results(NamedTuple):
    """Of the games of a batch, B of them.

    counts: int64 (B, 3): the result, as a column of `Totals.counts`, or NO_START; plies; updates. squares: float64 (B,), the
    sum of squared errors.
    """

    counts: NDArray[np.int64]
    squares: NDArray[np.float64]


class Opponent(NamedTuple):
    """Who plays the other seat, as of `ntuple.play_kernel`. sits: whether anybody does."""

    token: Any
    options: NDArray[np.int64]
    data: Any
    stray: float
    sits: bool


class Plan(NamedTuple):
    """What batches are of, as a training has it.

    model: a scratch as each thread needs one, with the changes of all. streams: uint64 (1,), of which game n has
    `branch(streams[0], n)`.
    """

    game: Game
    starts: Starts
    cells: GameCells
    learner: nt.Learner
    tuples: NTuples
    memory: nt.Memory
    model: nt.Scratch
    opponent: Opponent
    streams: NDArray[np.uint64]


def make_results(games: int) -> Results:
    """Room for so many games."""
    return Results(np.zeros((games, 3), np.int64), np.zeros(games))


@inlined
def another_scratch(scratch: nt.Scratch, tuples: NTuples) -> nt.Scratch:
    """One like it for another thread; the changes are those of all."""
    sheet, (plies, fields) = scratch.sheet, scratch.record.rows.shape
    return nt.Scratch(
        nv.CellSheet(sheet.states.copy(), sheet.planes.copy(), sheet.phase.copy()),
        make_reading(tuples, len(scratch.reading.places)),
        nt.make_record(fields, plies),
        scratch.factors.copy(),
        scratch.legal.copy(),
        scratch.values.copy(),
        scratch.probabilities.copy(),
        scratch.keys.copy(),
        scratch.changes,
    )


@inlined
def play_and_note(
    game: Any,
    starts: Starts,
    learner: nt.Learner,
    epsilon: float,
    tuples: NTuples,
    memory: nt.Memory,
    cells: Any,
    player: Any,
    stray: float,
    has_opponent: bool,
    buffers: Any,
    scratch: nt.Scratch,
    rng: NDArray[np.uint64],
    i: int,
    results: Results,
) -> None:
    """Plays game i of a batch, and notes what it changes and how it went. The arguments are those of `ntuple.play_kernel`."""
    results.counts[i, RESULT] = NO_START
    position, is_found = begin(game, starts, rng, scratch.legal, scratch.probabilities)
    if is_found:
        opponents_seat = draw(rng, 2) if has_opponent else -1
        position, ending, plies, length = nt.play_game(
            game, learner, tuples, memory, cells, epsilon, position, player, stray, buffers, opponents_seat, scratch, rng
        )
        updates, squares = nt.learn_game(learner, tuples, memory, cells, position, length, 0.0, scratch)
        results.counts[i, RESULT] = column_of(position, ending, 1 - opponents_seat if has_opponent else 0)
        results.counts[i, PLIES], results.counts[i, UPDATES] = plies, updates
        results.squares[i] = squares


@shared
def play_games(
    low: int,
    high: int,
    game: Any,
    starts: Starts,
    cells_token: Any,
    cells_row: NDArray[np.int64],
    own_learner: nt.LearnerRows,
    own_tuples: NTuples,
    own_memory: nt.Memory,
    model: nt.Scratch,
    opponent: Any,
    options: NDArray[np.int64],
    data: Any,
    stray: float,
    has_opponent: bool,
    epsilon: float,
    streams: NDArray[np.uint64],
    first: int,
    results: Results,
) -> None:
    """Plays the games of a batch from low to high - 1. first: the number of its first one.

    streams: uint64 (1,), of which game n has `branch(streams[0], n)`. model: a scratch as each thread needs one.
    """
    learner, cells = nt.learner_of_rows(own_learner), verbs.unpack(cells_token, cells_row)
    own_scratch, player = another_scratch(model, own_tuples), verbs.unpack(opponent, options)
    tuples, memory, scratch = verbs.borrow(own_tuples), verbs.borrow(own_memory), verbs.borrow(own_scratch)
    own_buffers = make_player_scratch(player, verbs.unpack(game, starts.rows[0]), scratch.legal.shape[0], data)
    buffers, rng = verbs.borrow(own_buffers), np.empty(1, np.uint64)
    for i in range(low, high):
        rng[0] = mix(branch(streams[0], first + i))
        play_and_note(
            game,
            starts,
            learner,
            epsilon,
            tuples,
            memory,
            cells,
            player,
            stray,
            has_opponent,
            buffers,
            scratch,
            rng,
            i,
            results,
        )
    verbs.keep(own_tuples)
    verbs.keep(own_memory)
    verbs.keep(own_scratch)
    verbs.keep(own_buffers)


@inlined
def move_weight(memory: nt.Memory, changes: Changes, table: int, place: int, coherence: int, rate: float) -> None:
    """Moves a weight by its changes, which are then forgotten. rate: step_size / M."""
    count, net, size = changes_of(changes, table, place)
    if count > 0:
        factor = 1.0
        if coherence != nt.NONE:
            net_before, size_before = memory.nets[table, place], np.float64(memory.sums[table, place])
            if size_before > 0.0:
                share = abs(np.float64(net_before)) / size_before
                factor = nt.exponential(share) if coherence == nt.EXPONENTIAL else share
            memory.nets[table, place] = net_before + np.float32(net)
            memory.sums[table, place] += np.float32(size)
        step = rate * factor * net * (min(np.float64(count), MOST_STEPS) / np.float64(count))
        memory.weights[table, place] += np.float32(step)
        clear_changes(changes, table, place)


@shared
def move_weights(low: int, high: int, memory: nt.Memory, changes: Changes, coherence: int, rate: float) -> None:
    """`move_weight` for the weights from low to high - 1, where those of all tables are counted on."""
    length = memory.weights.shape[1]
    for number in range(low, high):
        table = number // length
        move_weight(memory, changes, table, number - table * length, coherence, rate)


class BatchesOnCPU:
    """Plays batches and learns from them, on threads that are shared.

    Args:
        plan: what they are of.
        num_threads: as of `Sharing`.
    """

    def __init__(self, plan: Plan, num_threads: int = 1) -> None:
        self.plan, cells = plan, plan.cells
        rows = nt.rows_of_learner(plan.learner)
        self._network = (
            plan.game.token, plan.starts, cells.token, cells.row, rows, plan.tuples, plan.memory, plan.model, *plan.opponent
        )  # fmt: skip
        self._sharing, self._entries = Sharing(num_threads), EntryPoints()

    def begin(self) -> None:
        """Takes up the memory of the training, before a batch is played."""

    def fetch(self) -> None:
        """Brings the memory of the training up to the last batch that was learnt."""

    def forget(self) -> None:
        """Forgets the changes of a batch that was cut short."""
        self.plan.model.changes.words[...] = 0

    def play(self, first: int, count: int, epsilon: float) -> Results:
        """Plays `count` games, of which number `first` is the first one, and notes what they change."""
        results = make_results(count)
        args = *self._network, epsilon, self.plan.streams, first, results
        self._sharing.run("play", self._entries.find(play_games, *SHARED, args), count, args)
        return results

    def learn(self, rate: float) -> None:
        """Moves the weights by what has been noted."""
        memory, changes = self.plan.memory, self.plan.model.changes
        args = memory, changes, self.plan.learner.coherence, rate
        self._sharing.run("learn", self._entries.find(move_weights, *SHARED, args), memory.weights.size, args)
