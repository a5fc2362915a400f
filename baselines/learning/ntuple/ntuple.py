"""Games in which an n-tuple network learns by TD(lambda) on afterstates, with temporal coherence; compiled.

V(s) is what the seat that has moved into s may expect, from -1 to 1. Each ply t of a game, by seat p, leads to an afterstate
s_t. A seat plays the action of the greatest r + V(s), or with probability epsilon any action. When the game is over, its
afterstates learn, from the last to the first:

    G_t = r_t                                                  nothing follows: the game has ended
    G_t = r_t +- ((1 - lambda) V(s_t+1) + lambda G_t+1)        + if the same seat has moved into s_t+1, - if the other

r_t is what p is paid from then on until s_t+1, and V(s_t+1) as it was when the ply was chosen. Where ply t + 1 was drawn at
random and is not among the best, s_t learns nothing unless the game ended by it, and G_t+1 above is V(s_t+1) alone where that
one has none. Random plies of the seats in `Learner.through` are learnt through like any other ply. Every weight w that s_t
reads moves by

    d = (G_t - V(s_t)) (1 - V(s_t)^2),    w <- w + a(|N| / A) step_size / M d,    N <- N + d,    A <- A + |d|

M is the number of weights that s_t reads, and N and A belong to w, as they were before s_t learns. a(x) = x, or
e^(2.7 (x - 1)), and 1 while A = 0. So weights whose changes agree go on at full speed, and those that are pushed to and fro
slow down.

At the end both seats learn: who is paid at the last ply, and the other, whose afterstate before it has G = r. That is the
final adaptation of the literature; it needs no rule of its own here.

Against an opponent, another policy, the network plays one seat and learns from its own afterstates alone: s_t+1 is the next of
these, and what the opponent does between is part of the way there, as dice are.

Games may also be played in batches, by the weights of the moment, which then learn from all of them at once: `batches`.

Sources: D. F. Beal, M. C. Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999; S. Bagheri, M. Thill,
P. Koch, W. Konen, "Online adaptable learning rates for the game Connect-4", IEEE Transactions on Computational Intelligence
and AI in Games, 2014, for a(x) and its 2.7.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.game_totals import UPDATES, Totals, count_result, has_repeated
from boardgym.baselines.learning.learner import greedy
from boardgym.baselines.learning.ntuple.changes import NO_CHANGES, Changes, note_change
from boardgym.baselines.learning.starts import GIVEN_UP, Starts, begin
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cells import GameCells
from boardgym.baselines.networks.ntuples import NTuples, Reading, change_of, follow, make_reading, sum_of, table_of, value_of
from boardgym.baselines.networks.vector_tanh import exp_of_negative, tanh
from boardgym.compile import inlined, kernel, plain
from boardgym.core import engine, verbs
from boardgym.core.game import Game
from boardgym.core.policy import choose_or_stray
from boardgym.core.policy import make_scratch as make_player_scratch
from boardgym.core.random import draw, uniform

COHERENCE = ("none", "linear", "exponential")
NONE, LINEAR, EXPONENTIAL = range(3)
STEEPNESS = 2.7  # of the exponential transfer function
ON, EXPLORED, ENDED = range(3)  # kinds of plies, see `Record`


class Learner(NamedTuple):
    """Settings. Kernels take them as `LearnerRows`.

    step_size, epsilon: float64 (4,), schedules over the games. trace_decay: lambda. coherence: NONE, LINEAR or EXPONENTIAL.
    scale: turns what the game pays into [-1, 1]. limit: plies after which a game is cut, a draw. through: a mask,
    bit p for seat p, of the seats whose random plies are learnt through.
    """

    step_size: NDArray[np.float64]
    epsilon: NDArray[np.float64]
    trace_decay: float
    coherence: int
    scale: float
    limit: int
    through: int = 0


class LearnerRows(NamedTuple):
    """schedules: float64 (2, 4), step size and epsilon. numbers: float64 (5,), the others."""

    schedules: NDArray[np.float64]
    numbers: NDArray[np.float64]


class Memory(NamedTuple):
    """What is learnt. T tables, of W weights: for each phase of the game one for each seat, or one for both.

    weights: float32 (T, W). nets, sums: float32 (T, W), N and A of the formulas; (T, 0) without temporal coherence.
    """

    weights: NDArray[np.float32]
    nets: NDArray[np.float32]
    sums: NDArray[np.float32]


class Record(NamedTuple):
    """The afterstates of a game. P is the most plies.

    rows: int64 (P, fields), positions. seats: int64 (P,), who moved there. kinds: int64 (P,): ENDED if the game was over then;
    EXPLORED if the ply was drawn at random, is not among the best, and learning stops there; else ON. values: float64 (P,), V
    when it was chosen. pays: float64 (P,), r of the formulas.
    """

    rows: NDArray[np.int64]
    seats: NDArray[np.int64]
    kinds: NDArray[np.int64]
    values: NDArray[np.float64]
    pays: NDArray[np.float64]


class Scratch(NamedTuple):
    """What a kernel writes and forgets. M is the most choices of a position.

    sheet: of cells. reading: of both seats. record: of the game. factors: float64, one a weight that is
    read. legal: int64 (M,). values, probabilities: float64 (M,). keys:
    int64 (limit + 1,), of the game's positions, or (0,) in games without a rule of repetition. changes: of a batch, shared by
    all who play its games.
    """

    sheet: nv.CellSheet
    reading: Reading
    record: Record
    factors: NDArray[np.float64]
    legal: NDArray[np.int64]
    values: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    keys: NDArray[np.int64]
    changes: Changes


@inlined
def make_record(fields: int, limit: int) -> Record:
    """Room for the afterstates of a game."""
    numbers = np.zeros(limit, np.int64), np.zeros(limit, np.int64)
    return Record(np.zeros((limit, fields), np.int64), *numbers, np.zeros(limit), np.zeros(limit))


def make_scratch(cells: GameCells, tuples: NTuples, limit: int, changes: Changes = NO_CHANGES) -> Scratch:
    """Room for a game of at most so many plies. changes: where it is one of a batch."""
    game: Game = cells.game
    most, reading = game.max_choices, plain(make_reading)(tuples, game.num_seats)
    keys = np.zeros(limit + 1 if game.repetition_limit else 0, np.int64)
    record = plain(make_record)(len(game.token.row(game.start)), limit)
    values, probabilities, factors = np.zeros(most), np.zeros(most), np.zeros(len(tuples.bases))
    return Scratch(cells.make_sheet(), reading, record, factors, np.zeros(most, np.int64), values, probabilities, keys, changes)


def rows_of_learner(learner: Learner) -> LearnerRows:
    """A learner for a kernel. Whole numbers are exact in float64 up to 2**53."""
    numbers = np.array([learner.trace_decay, learner.coherence, learner.scale, learner.limit, learner.through], np.float64)
    return LearnerRows(np.array([learner.step_size, learner.epsilon]), numbers)


@inlined
def learner_of_rows(rows: LearnerRows) -> Learner:
    """The learner that a kernel was given."""
    x, schedules = rows.numbers, rows.schedules
    return Learner(schedules[0], schedules[1], x[0], np.int64(x[1]), x[2], np.int64(x[3]), np.int64(x[4]))  # type: ignore[arg-type]


@inlined
def write_values(
    tuples: NTuples,
    weights: NDArray[np.float32],
    cells: Any,
    position: Any,
    scale: float,
    legal: NDArray[np.int64],
    count: int,
    values: NDArray[np.float64],
    sheet: nv.CellSheet,
    reading: Reading,
) -> None:
    """Writes r + V of what each of `count` legal actions leads to, for the seat to play.

    The sum of weights is taken once, before the action; of each action only what it changes. Where an action leads into another
    phase of the game, the sum is taken of that phase's weights.
    """
    seat = verbs.to_play(position)
    nv.write_cells(cells, position, seat, sheet)
    table = table_of(weights, seat, sheet.phase)
    follow(tuples, reading, seat, sheet.states)
    total = sum_of(weights, table, reading, seat)
    for k in range(count):
        after = verbs.apply(position, legal[k])
        is_over = verbs.is_terminal(after)
        paid = engine.reward(after, engine.BY_RULE if is_over else engine.NOT_OVER, seat) * scale
        values[k] = paid
        if not is_over:
            nv.write_cells(cells, after, seat, sheet)
            after_table = table_of(weights, seat, sheet.phase)
            if after_table != table:
                table, total = after_table, sum_of(weights, after_table, reading, seat)
            values[k] += tanh(total + change_of(tuples, weights, table, reading, seat, sheet.states))


@inlined
def exponential(share: float) -> float:
    """The factor that belongs to |N| / A with EXPONENTIAL."""
    return exp_of_negative(STEEPNESS * (min(share, 1.0) - 1.0))


@inlined
def write_factors(memory: Memory, table: int, places: NDArray[np.int32], coherence: int, factors: NDArray[np.float64]) -> None:
    """Writes the factor a(|N| / A) of the step size of each weight that is read, in [0, 1]; not for NONE."""
    nets, sums = memory.nets[table], memory.sums[table]
    for m in range(places.shape[0]):
        place = np.uint64(places[m])
        size = np.float64(sums[place])
        share = abs(np.float64(nets[place])) / (size if size > 0.0 else 1.0)
        factors[m] = share if size > 0.0 else 1.0
    if coherence == EXPONENTIAL:
        for m in range(places.shape[0]):  # apart: the compiler makes vector instructions of it
            factors[m] = exponential(factors[m])


@inlined
def learn_value(
    memory: Memory, table: int, reading: Reading, seat: int, coherence: int, step_size: float, target: float,
    factors: NDArray[np.float64],
) -> float:  # fmt: skip
    """Moves the value of what a seat's reading shows towards a target. factors: room for one a weight.

    Returns the error, as it was.
    """
    places = reading.places[seat]
    weights, count = memory.weights[table], places.shape[0]
    value = value_of(memory.weights, table, reading, seat)
    change = (target - value) * (1.0 - value * value)
    step = step_size / count * change
    if coherence == NONE:
        for m in range(count):
            weights[np.uint64(places[m])] += np.float32(step)
        return target - value
    nets, sums = memory.nets[table], memory.sums[table]
    write_factors(memory, table, places, coherence, factors)
    for m in range(count):
        place = np.uint64(places[m])
        weights[place] += np.float32(step * factors[m])
        nets[place] += np.float32(change)
        sums[place] += np.float32(abs(change))
    return target - value


@inlined
def note_error(memory: Memory, table: int, reading: Reading, seat: int, target: float, changes: Changes) -> float:
    """As `learn_value`, but that the d of the formulas goes to the changes of a batch, and no weight moves yet."""
    value = value_of(memory.weights, table, reading, seat)
    note_change(changes, table, reading.places[seat], (target - value) * (1.0 - value * value))
    return target - value


@inlined
def learn_game(
    learner: Learner,
    tuples: NTuples,
    memory: Memory,
    cells: Any,
    first: Any,
    length: int,
    step_size: float,
    scratch: Scratch,
) -> tuple[int, float]:
    """Learns from the afterstates of a game. length: how many. first: any position, for its type.

    Returns (how many have learnt, the sum of their squared errors).
    """
    record, reading, gain, has_gain = scratch.record, scratch.reading, 0.0, False
    updates, squares = 0, 0.0
    for back in range(length):
        t = length - 1 - back
        if record.kinds[t] == ENDED:
            continue
        is_last = t + 1 == length or record.kinds[t + 1] == ENDED
        if not is_last and record.kinds[t + 1] == EXPLORED:
            has_gain = False
            continue
        target = record.pays[t]
        if not is_last:
            following = record.values[t + 1]
            if has_gain:
                following += learner.trace_decay * (gain - following)
            target += following if record.seats[t + 1] == record.seats[t] else -following
        seat, position = record.seats[t], verbs.unpack(first, record.rows[t])
        nv.write_cells(cells, position, seat, scratch.sheet)
        follow(tuples, reading, seat, scratch.sheet.states)
        table = table_of(memory.weights, seat, scratch.sheet.phase)
        if scratch.changes.words.shape[1] > 0:
            error = note_error(memory, table, reading, seat, target, scratch.changes)
        else:
            error = learn_value(memory, table, reading, seat, learner.coherence, step_size, target, scratch.factors)
        updates, squares = updates + 1, squares + error * error
        gain, has_gain = target, True
    return updates, squares


@inlined
def choose(
    tuples: NTuples, memory: Memory, cells: Any, position: Any, scale: float, epsilon: float, count: int, scratch: Scratch,
    rng: NDArray[np.uint64],
) -> tuple[int, int]:  # fmt: skip
    """(the number of an action of `count` in scratch.legal, ON or EXPLORED). Of equal values one at random."""
    values = scratch.values
    write_values(tuples, memory.weights, cells, position, scale, scratch.legal, count, values, scratch.sheet, scratch.reading)
    k = greedy(values, count, rng)
    if epsilon > 0.0 and uniform(rng) < epsilon:
        drawn = draw(rng, count)
        return drawn, EXPLORED if values[drawn] < values[k] else ON
    return k, ON


@inlined
def play_game(
    game: Any,
    learner: Learner,
    tuples: NTuples,
    memory: Memory,
    cells: Any,
    epsilon: float,
    position: Any,
    player: Any,
    stray: float,
    buffers: Any,
    opponents_seat: int,
    scratch: Scratch,
    rng: NDArray[np.uint64],
) -> tuple[Any, int, int, int]:
    """Plays a game from a position on; its afterstates, those of the network alone, are then in scratch.record.

    player, stray, buffers: of an opponent, see `play_kernel`, and opponents_seat where it sits, -1: nowhere. Returns (the last
    position, how it has ended, plies, afterstates).
    """
    record, plies, length, ending = scratch.record, 0, 0, engine.NOT_OVER
    count, _ = verbs.legal_actions(position, scratch.legal), has_repeated(position, scratch.keys, 0)
    while ending == engine.NOT_OVER and plies < learner.limit:
        if verbs.awaits_chance(position):
            is_own, action = False, verbs.roll(position, rng, scratch.legal, scratch.probabilities)
        elif verbs.to_play(position) == opponents_seat:
            action = choose_or_stray(game, player, stray, position, scratch.keys[:plies], rng, buffers, scratch.legal, False)
            is_own = False
        else:
            seat = verbs.to_play(position)
            k, kind = choose(tuples, memory, cells, position, learner.scale, epsilon, count, scratch, rng)
            is_own, action = True, scratch.legal[k]
            if (learner.through >> seat) & 1:
                kind = ON
            record.seats[length], record.kinds[length], record.values[length] = seat, kind, scratch.values[k]
        position, plies = verbs.apply(position, action), plies + 1
        count = verbs.legal_actions(position, scratch.legal)
        if count == 0 and not verbs.awaits_chance(position):
            ending = engine.BY_RULE
        elif has_repeated(position, scratch.keys, plies):
            ending = engine.BY_REPETITION
        if length > 0:
            record.pays[length - 1] += engine.reward(position, ending, record.seats[length - 1]) * learner.scale
        if is_own:
            note_ply(learner, position, ending, length, record)
            length += 1
    return position, ending, plies, length


@kernel
def play_kernel(
    game: Any,
    starts: Starts,
    cells_token: Any,
    cells_row: NDArray[np.int64],
    own_learner: LearnerRows,
    own_tuples: NTuples,
    own_memory: Memory,
    own_scratch: Scratch,
    totals: Totals,
    games: NDArray[np.int64],
    rng: NDArray[np.uint64],
    opponent: Any,
    options: NDArray[np.int64],
    data: Any,
    stray: float,
    has_opponent: bool,
) -> None:
    """Plays games, and learns from each when it is over.

    game, cells_token, opponent: tokens. starts: of the games. cells_row: the row of the cells. games: int64 (2,), the number of
    the next game, which is advanced, and that of the game to stop before. rng: uint64 (1,), advanced. options, data, stray: of
    the opponent, a compiled policy: its settings as a row, its arrays and its epsilon. has_opponent: whether it plays one seat,
    drawn for each game, and `totals` has the network's results; else the network plays both, and `totals` has those of seat 0.
    """
    learner, cells = learner_of_rows(own_learner), verbs.unpack(cells_token, cells_row)
    tuples, memory, scratch = verbs.borrow(own_tuples), verbs.borrow(own_memory), verbs.borrow(own_scratch)
    player, most = verbs.unpack(opponent, options), scratch.legal.shape[0]
    own_buffers = make_player_scratch(player, verbs.unpack(game, starts.rows[0]), most, data)
    buffers = verbs.borrow(own_buffers)
    while games[0] < games[1]:
        block = games[0] // totals.size[0]
        step_size, epsilon = rate_at(learner.step_size, games[0]), rate_at(learner.epsilon, games[0])
        position, is_found = begin(game, starts, rng, scratch.legal, scratch.probabilities)
        if not is_found:
            games[1] = GIVEN_UP
            continue
        opponents_seat = draw(rng, 2) if has_opponent else -1
        position, ending, plies, length = play_game(
            game, learner, tuples, memory, cells, epsilon, position, player, stray, buffers, opponents_seat, scratch, rng
        )
        updates, squares = learn_game(learner, tuples, memory, cells, position, length, step_size, scratch)
        totals.counts[block, UPDATES] += updates
        totals.errors[block] += squares
        count_result(position, ending, plies, totals, block, 1 - opponents_seat if has_opponent else 0)
        games[0] += 1
    verbs.keep(own_tuples)
    verbs.keep(own_memory)
    verbs.keep(own_scratch)
    verbs.keep(own_buffers)


@inlined
def note_ply(learner: Learner, position: Any, ending: int, t: int, record: Record) -> None:
    """Notes the afterstate of ply t. record.values[t] holds r + V, of which V is kept."""
    record.values[t] -= engine.reward(position, engine.NOT_OVER, record.seats[t]) * learner.scale
    record.pays[t] = 0.0
    if ending != engine.NOT_OVER:
        record.kinds[t] = ENDED
    verbs.pack(position, record.rows[t])
