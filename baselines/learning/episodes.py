"""Whole games played by learners, against each other or any policy, in one kernel that can be left at any ply.

Everything that a game in progress consists of lies in arrays, so that the kernel may hand back to Python in the middle of
one: to ask a policy that is no kernel, or to get more room. What an unfinished game has changed can be taken back, so that an
interruption leaves a training as it was between two episodes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.learner import Record
from boardgym.baselines.learning.tabular import table as tb
from boardgym.compile import inlined, inner, kernel
from boardgym.compile.references import lend
from boardgym.core import rows as rw
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64
from boardgym.core.engine import NOT_OVER
from boardgym.core.policy import choose_or_stray, make_scratch
from boardgym.core.random import draw
from boardgym.core.verbs import rule

CONSTANT, LINEAR, EXPONENTIAL, HARMONIC, GEOMETRIC = range(5)  # ways in which a rate changes over the episodes
KIND, FIRST, LAST, SPAN = range(4)  # of a schedule

OPPONENT, LEARNER, OTHER = range(3)  # roles: a policy, and the two rows of settings that learners may have

EPISODE, UNTIL, PLIES, UNDER_WAY, FIXED = range(5)  # counters: episodes done, to do; plies; 1 within one; 1 for fixed seats
NUM_COUNTERS = 5

DONE, ASKED, TOLD, NO_ROOM, SHORT, OVER = range(6)  # why the kernel returned; see `train_kernel`
BEGUN_RNG, BEGUN_PLIES, BEGUN_ENTRIES = range(3)  # of `begun`, see Play; the last of the first seat
BLOCK, FIRST_EPISODE, MOST_PLIES = range(3)  # of `counting`, see Terms


class Play(NamedTuple):
    """A game in progress and how it counts. Two or more seats.

    rows: one game. records: of the seats. lineup: int64 (seats,), the role of each in this episode. usual: int64 (seats,),
    the roles that are turned by a draw at the start of an episode unless seats are fixed. totals: float64 (seats,), what each
    was paid. counters: int64 (NUM_COUNTERS,). results: int64 (blocks, 3, 3), for each role its wins, draws and losses in every
    block of episodes. answer: int64 (1,), an action from Python, or -1. told: int64 (1,), the action of the latest ply, or -1
    at the start. begun: int64 (2 + seats,), as the episode began: the stream, the plies, and entries of the seats.
    """

    rows: rw.Rows
    records: Record
    lineup: NDArray[np.int64]
    usual: NDArray[np.int64]
    totals: NDArray[np.float64]
    counters: NDArray[np.int64]
    results: NDArray[np.int64]
    answer: NDArray[np.int64]
    told: NDArray[np.int64]
    begun: NDArray[np.int64]


class Terms(NamedTuple):
    """What does not change in a phase of training.

    schedules: float64 (3, NUM_RATES, 4), of each role: KIND, FIRST, LAST, SPAN in episodes. pays: float64 (3,), what a win, a
    draw and a loss is worth; empty: what the game pays. starts: int64 rows of the set-up's positions. plies: int64 (2,), its
    fewest and most random plies. counting: int64 (3,), episodes of a block of results, the first episode of the phase, and
    the plies after which a game ends as a draw, 0 for none.
    """

    schedules: NDArray[np.float64]
    pays: NDArray[np.float64]
    starts: NDArray[np.int64]
    plies: NDArray[np.int64]
    counting: NDArray[np.int64]


@inner
def rate_at(schedule: NDArray[np.float64], episode: int) -> float:
    """The value of a schedule, float64 (4,), at an episode, counted from 0."""
    first, last, span = schedule[FIRST], schedule[LAST], max(schedule[SPAN], 1.0)
    share = min(np.float64(episode) / span, 1.0)
    if schedule[KIND] == LINEAR:
        return first + (last - first) * share
    if schedule[KIND] == EXPONENTIAL:
        return first * (last / first) ** share
    if schedule[KIND] == HARMONIC:
        return first / (1.0 + np.float64(episode) / span)
    if schedule[KIND] == GEOMETRIC:
        return first * last ** np.float64(episode)
    return first


@inlined
def begin_episode(
    token: Any,
    memory: Any,
    play: Play,
    terms: Terms,
    plies: np.int64,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> tuple[Any, int]:
    """Starts a game: the roles, their rates, the first position. Returns it and its number of legal actions.

    plies: that the counters do not have yet.
    """
    seats = play.lineup.shape[0]
    play.begun[BEGUN_RNG], play.begun[BEGUN_PLIES] = as_int64(play.rows.rngs[0]), play.counters[PLIES] + plies
    turned = 0 if play.counters[FIXED] != 0 else draw(play.rows.rngs[:1], seats)
    episode = play.counters[EPISODE] - terms.counting[FIRST_EPISODE]
    for seat in range(seats):
        role = play.usual[(seat + turned) % seats]
        play.lineup[seat], play.begun[BEGUN_ENTRIES + seat] = role, play.records.entries[seat, 0]
        play.records.length[seat, 0] = 0
        for rate in range(ln.NUM_RATES):
            play.records.rates[seat, rate] = rate_at(terms.schedules[role, rate], episode)
    position, count = rw.begin(
        token, play.rows, 0, terms.starts, terms.plies[0], terms.plies[1], play.totals, legal, probabilities
    )
    play.totals[:] = 0.0
    play.counters[UNDER_WAY] = 1
    ln.remember(memory)
    return position, count


@inner
def result_of(total: float) -> int:
    """WIN, DRAW or LOSS, by what a seat was paid in a game."""
    return ln.WIN if total > 0.0 else ln.LOSS if total < 0.0 else ln.DRAW


@inner
def pay_turns(play: Play, terms: Terms, before: NDArray[np.float64]) -> None:
    """Adds what a ply paid to the turns that are open. before: float64 (seats,), the totals before it."""
    if terms.pays.shape[0] == 0:
        for seat in range(play.lineup.shape[0]):
            t = play.records.length[seat, 0] - 1
            if t >= 0:
                play.records.rewards[seat, t] += play.totals[seat] - before[seat]


@inlined
def end_episode(learner: Any, settings: Any, memory: Any, play: Play, terms: Terms, position: Any, is_cut: bool) -> int:
    """Lets every learner learn from the end of the game, and counts it.

    position: the last one. is_cut: a draw by its length alone, whoever is ahead.
    Returns 0, or table.NO_ROOM.
    """
    block, code = play.counters[EPISODE] // terms.counting[BLOCK], 0
    for seat in range(play.lineup.shape[0]):
        role, result = play.lineup[seat], ln.DRAW if is_cut else result_of(play.totals[seat])
        record = lend(ln.record_of(play.records, seat))
        if role != OPPONENT and record.length[0] > 0:
            chooser, t = verbs.unpack(learner, settings[role - 1]), record.length[0] - 1
            if terms.pays.shape[0] > 0:
                record.rewards[t] += terms.pays[ln.WIN - result]
            ln.see_end(chooser, position, memory, seat)
            code = min(code, ln.learn(chooser, memory, record, t))
            code = min(code, ln.finish(chooser, memory, record, result))
    if code == 0:  # else it was not learnt as a whole, and does not count
        for seat in range(play.lineup.shape[0]):
            result = ln.DRAW if is_cut else result_of(play.totals[seat])
            play.results[min(block, play.results.shape[0] - 1), play.lineup[seat], ln.WIN - result] += 1
        play.counters[EPISODE] += 1
        play.counters[UNDER_WAY] = 0
    return code


@inner
def tell_others(play: Play, seat: int, best: float) -> None:
    """Notes what the position is worth to the seat to play in the last turns of the others, if this is the ply after."""
    for other in range(play.lineup.shape[0]):
        t = play.records.length[other, 0] - 1
        if other != seat and t >= 0 and play.records.values[other, t, ln.HAS_REPLY] == 0.0:
            play.records.values[other, t, ln.REPLY], play.records.values[other, t, ln.HAS_REPLY] = best, 1.0
            play.records.values[other, t, ln.OWN_PAY] = play.records.rewards[other, t]


@inner
def is_cut_off(play: Play, terms: Terms, plies: np.int64) -> bool:
    """Whether a game has come to the most plies. plies: that the counters do not have yet."""
    most = terms.counting[MOST_PLIES]
    return most > 0 and play.counters[PLIES] + plies - play.begun[BEGUN_PLIES] >= most


@rule(tb.Table)
def take_back(memory: Any, records: Record) -> None:
    """Entries as they were; those that the episode has made stay, unvisited."""
    for seat in range(records.length.shape[0]):
        record = ln.record_of(records, seat)
        for t in range(record.length[0] - 1, -1, -1):  # of an entry that was met twice the first turn knows what it was
            slot = tb.find(memory, record.keys[t], record.actions[t])
            if slot != tb.ABSENT:
                memory.values[slot], memory.visits[slot] = record.values[t, ln.CHOSEN], np.int64(record.values[t, ln.VISITS])


@kernel
def take_back_kernel(memory: Any, play: Play) -> None:
    """Takes back what an episode under way has changed, as if it had not begun."""
    memory, play = verbs.borrow(memory), verbs.borrow(play)
    if play.counters[UNDER_WAY] == 0:
        return
    ln.take_back(memory, play.records)
    for seat in range(play.lineup.shape[0]):
        play.records.entries[seat, 0], play.records.length[seat, 0] = play.begun[BEGUN_ENTRIES + seat], 0
    play.rows.rngs[0], play.counters[PLIES] = as_uint64(play.begun[BEGUN_RNG]), play.begun[BEGUN_PLIES]
    play.answer[0], play.counters[UNDER_WAY] = -1, 0


@kernel
def train_kernel(
    token: Any,
    learner: Any,
    settings: Any,
    opponent: Any,
    options: Any,
    data: Any,
    epsilon: float,
    memory: Any,
    play: Play,
    terms: Terms,
    max_choices: int,
    in_python: bool,
) -> int:
    """Plays episodes until counters[UNTIL]. Returns why it stopped.

    DONE; ASKED: for the opponent's action; TOLD: a game has begun, or a ply has been played, see play.told; NO_ROOM: the memory
    is full; SHORT: records or keys want more room; OVER: the game is over where it begins.

    learner, opponent: tokens; settings: int64 (2, fields), rows of the roles LEARNER and OTHER; options, data, epsilon: of the
    opponent's policy. in_python: the opponent is asked outside, TOLD of all that is played; at ASKED, its action goes to
    play.answer.
    """
    memory, play, terms = lend(memory), lend(play), lend(terms)  # a call hands over three addresses, not hundreds of words
    rows, counters, rng = play.rows, play.counters, play.rows.rngs[:1]
    player, seats = verbs.unpack(opponent, options), play.lineup.shape[0]
    position = verbs.unpack(token, rows.positions[0])
    own = (ln.make_choices(max_choices, play.records.keys.shape[2]), np.empty(seats),
           make_scratch(player, position, max_choices, data))  # fmt: skip
    choices, before, scratch = lend(own[0]), verbs.borrow(own[1]), verbs.borrow(own[2])
    count = verbs.legal_actions(position, choices.legal)
    reason, plies = DONE, np.int64(0)  # of the type that it keeps: a literal would compile what takes it twice
    while counters[EPISODE] < counters[UNTIL] or counters[UNDER_WAY] != 0:
        if counters[UNDER_WAY] == 0:
            position, count = begin_episode(token, memory, play, terms, plies, choices.legal, choices.weights)
            play.told[0] = -1
            if count == 0 or in_python:
                reason = OVER if count == 0 else TOLD
                break
        seat = verbs.to_play(position)
        role, turns = play.lineup[seat], play.records.length[seat, 0]
        if not rw.has_room(rows, 0) or turns == play.records.actions.shape[1]:
            reason = SHORT
            break
        if role == OPPONENT:
            if in_python:
                if play.answer[0] < 0:
                    reason = ASKED
                    break
                action = play.answer[0]
                play.answer[0] = -1
            else:
                history = rows.keys[0, : rows.num_keys[0]]
                action = choose_or_stray(token, player, epsilon, position, history, rng, scratch, choices.legal, False)
        else:
            record = lend(ln.record_of(play.records, seat))
            chooser = verbs.unpack(learner, settings[role - 1])
            k, best, code = ln.take_turn(chooser, position, memory, record, choices, count, rng)
            if code < 0:
                reason = NO_ROOM
                break
            tell_others(play, seat, best)
            action = choices.legal[k]
        for other in range(seats):
            before[other] = play.totals[other]
        position, count = rw.play(rows, 0, position, action, play.totals, choices.legal, choices.weights, True)
        pay_turns(play, terms, before)
        plies += 1
        play.told[0] = action
        is_over = rows.endings[0] != NOT_OVER
        if is_over or is_cut_off(play, terms, plies):
            if end_episode(learner, settings, memory, play, terms, position, not is_over) < 0:
                reason = NO_ROOM
                break
        elif in_python:
            reason = TOLD
            break
    counters[PLIES] += plies
    verbs.pack(position, rows.positions[0])
    verbs.keep(own)
    return reason
