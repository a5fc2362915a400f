"""The record of a game as kernels see it: one int64 row a ply, a `frame`, from which play can go on or back.

A frame holds: [COUNT, ENDING, KEY, TO_PLAY, fields of the position ..., choices ...]. COUNT is how many choices follow, 0
when the game is over; they are the legal actions, or where chance is to act its outcomes. ENDING says why the game is over;
KEY is the position's key without clocks; TO_PLAY is a seat or CHANCE.
"""

import functools
from typing import Any

import numpy as np

from boardgym.compile import as_python, entry_point, inner, is_there, kernel
from boardgym.core import verbs
from boardgym.core.bits import as_int64

COUNT, ENDING, KEY, TO_PLAY, FIELDS = range(5)
NOT_OVER, BY_RULE, BY_REPETITION = range(3)
ILLEGAL = -1
CHANCE = verbs.CHANCE
WHO_IS_TO_PLAY = -2
BEFORE_THE_START = -1


def frame_width(token: verbs.Token, max_choices: int) -> int:
    """Number of int64 columns of a frame."""
    return FIELDS + len(token.fields) + max_choices


@inner
def occurrences(frames, first, ply, key):
    """How often a key stands in frames[first : ply]. key: int64."""
    count = 0
    for earlier in range(first, ply):
        count += frames[earlier, KEY] == key
    return count


@inner
def write_frame(token, frames, ply, position):
    """Fills frames[ply] for a position. Returns the number of choices."""
    frame = frames[ply]
    choices, seat = frame[FIELDS + verbs.num_fields(token) :], verbs.to_play(position)
    if verbs.awaits_chance(position):
        count = verbs.chance(position, choices, np.empty(len(choices)))
    else:
        count = verbs.legal_actions(position, choices)
    ending = BY_RULE if count == 0 else NOT_OVER
    frame[KEY] = as_int64(verbs.key(position))
    limit, window = verbs.repetition_limit(position), verbs.repetition_window(position)
    if limit > 0 and count > 0:
        first = ply - window if 0 < window < ply else 0
        if occurrences(frames, first, ply, frame[KEY]) + 1 >= limit:
            count, ending = 0, BY_REPETITION
    frame[COUNT], frame[ENDING], frame[TO_PLAY] = count, ending, seat
    verbs.pack(position, frame[FIELDS : FIELDS + verbs.num_fields(token)])
    return count


@inner
def position_of(token, frames, ply):
    """The position of frames[ply]."""
    return verbs.unpack(token, frames[ply, FIELDS : FIELDS + verbs.num_fields(token)])


@inner
def is_listed(token, frame, action):
    """Whether an action or outcome is among the choices of a frame."""
    first = FIELDS + verbs.num_fields(token)
    for i in range(first, first + frame[COUNT]):  # noqa: SIM110 (generators are not compiled)
        if frame[i] == action:
            return True
    return False


@kernel
def push(token, frames, ply, action):
    """Plays an action or outcome at frames[ply] and fills frames[ply + 1]. Returns its number of choices, or ILLEGAL.

    ply: BEFORE_THE_START to begin a record, whatever the action, with the position whose fields stand in frames[0].
    """
    if ply == BEFORE_THE_START:  # not a kernel of its own: it would cost as much time to compile as this one
        position = position_of(token, frames, 0)
    elif is_listed(token, frames[ply], action):
        position = verbs.apply(position_of(token, frames, ply), action)
    else:
        return ILLEGAL
    return write_frame(token, frames, ply + 1, position)


@inner
def reward_at(frames, ply, position, seat):
    """What the ply that led to the position at frames[ply] paid a seat."""
    if frames[ply, ENDING] == BY_REPETITION and not verbs.has_reward(position):
        return verbs.draw_returns(position, seat)
    return verbs.reward(position, seat)


@kernel
def roll(token, frames, ply, rng, played, rewards):
    """Lets chance act from frames[ply] on until a seat is to play, the game is over or the frames are full.

    rng: stream, uint64 (1,), advanced. played: int64 (len(frames),), filled with the outcomes from index ply on. rewards:
    float64 (num_seats,), increased by what they pay. Returns the ply that has been reached.
    """
    outcomes = np.empty(frames.shape[1], np.int64)
    probabilities = np.empty(frames.shape[1])
    while frames[ply, TO_PLAY] == CHANCE and frames[ply, COUNT] > 0 and ply + 1 < frames.shape[0]:
        position = position_of(token, frames, ply)
        played[ply] = verbs.roll(position, rng, outcomes, probabilities)
        position = verbs.apply(position, played[ply])
        write_frame(token, frames, ply + 1, position)
        for seat in range(len(rewards)):
            rewards[seat] += reward_at(frames, ply + 1, position, seat)
        ply += 1
    return ply


@kernel
def odds(token, frames, ply, outcomes, probabilities):
    """What chance may bring at frames[ply], as the verb `chance` writes it; 0 if it is not to act."""
    position = position_of(token, frames, ply)
    return verbs.chance(position, outcomes, probabilities) if verbs.awaits_chance(position) else 0


@inner
def payoff(token, frames, ply, seat):
    """What a game that is over pays a seat at frames[ply]."""
    position = position_of(token, frames, ply)
    return verbs.returns(position, seat) if frames[ply, ENDING] == BY_RULE else verbs.draw_returns(position, seat)


@kernel
def first_invalid(token, rows):
    """The first of some positions, int64 (n, fields), that the verb `is_valid` refuses; -1 if there is none."""
    for i in range(rows.shape[0]):
        if not verbs.is_valid(verbs.unpack(token, rows[i])):
            return i
    return -1


@kernel
def pay(token, frames, ply, seat):
    """What the game pays a seat at frames[ply]: float64; 0.0 when it is not over."""
    return 0.0 if frames[ply, ENDING] == NOT_OVER else payoff(token, frames, ply, seat)


@inner
def write_mask(token, frame, mask):
    """Sets an int8 mask to 1 at the legal actions of a frame, 0 elsewhere."""
    mask[:] = 0
    if frame[TO_PLAY] == CHANCE:
        return
    first = FIELDS + verbs.num_fields(token)
    for i in range(first, first + frame[COUNT]):
        mask[frame[i]] = 1


@kernel
def look(token, frames, ply, seat, observation, mask):
    """Fills the observation of a seat and its mask: the legal actions, or zeros if it is not to play.

    seat: a seat, or WHO_IS_TO_PLAY: seat 0 where chance is.
    """
    if seat == WHO_IS_TO_PLAY:
        seat = max(frames[ply, TO_PLAY], 0)
    verbs.observe(position_of(token, frames, ply), seat, observation)
    if frames[ply, TO_PLAY] == seat:
        write_mask(token, frames[ply], mask)
    else:
        mask[:] = 0


@kernel
def canonical(token, frames, ply, row):
    """Writes the canonical image of the position at frames[ply] into an int64 row. Returns (its symmetry, its key)."""
    position = position_of(token, frames, ply)
    k = verbs.canonical_symmetry(position)
    image = verbs.transform(position, k)
    verbs.pack(image, row)
    return k, verbs.key(image)


@kernel
def step(token, frames, ply, action, observation, mask, rewards):
    """Plays an action as `push` does, and fills what an environment shows next, in one call.

    observation, mask: of the seat to play next, seat 0 if it is CHANCE. rewards: float64 (num_seats,), what the ply paid
    each seat. They are left alone if the action is ILLEGAL.

    Returns:
        (number of choices or ILLEGAL, seat to play next or CHANCE, whether the ply paid anybody).
    """
    if not is_listed(token, frames[ply], action):
        return ILLEGAL, np.int64(0), False
    position = verbs.apply(position_of(token, frames, ply), action)
    count = write_frame(token, frames, ply + 1, position)
    frame = frames[ply + 1]
    seat, has_paid = frame[TO_PLAY], False
    for payee in range(len(rewards)):
        rewards[payee] = reward_at(frames, ply + 1, position, payee)
        has_paid = has_paid or rewards[payee] != 0.0
    verbs.observe(position, max(seat, 0), observation)
    write_mask(token, frame, mask)
    return count, seat, has_paid


@kernel
def estimate(token, frames, ply, seat):
    """The heuristic of frames[ply] for a seat; where the game is over, what it pays."""
    if frames[ply, COUNT] == 0:
        return payoff(token, frames, ply, seat)
    return verbs.heuristic(position_of(token, frames, ply), seat)


class Calls:
    """The kernels that `Board` calls, of one game: `push` and `look`, called at every ply, are compiled when first asked for.

    They take what the kernels take. frames: C-contiguous. observation: C-contiguous, of the game's dtype.
    """

    def __init__(self, token: verbs.Token, dtype: Any) -> None:
        self.token, self.dtype = token, dtype
        self.roll, self.odds, self.pay, self.canonical, self.step, self.estimate, self.first_invalid = OTHERS

    @functools.cached_property
    def push(self) -> Any:
        """The kernel `push`."""
        return entry_point(push, *examples_of_push(self.token))

    @functools.cached_property
    def look(self) -> Any:
        """The kernel `look`."""
        frames, observation = np.empty((1, 1), np.int64), np.empty((1, 1, 1), self.dtype)
        return entry_point(look, self.token, frames, 0, 0, observation, np.empty(1, np.int8))


class PlainCalls:
    """As `Calls`, the rules run as Python: nothing is compiled, and a ply takes a hundred times as long."""

    def __init__(self) -> None:
        self.push, self.look = as_python(push), as_python(look)
        self.roll, self.odds, self.pay, self.canonical, self.step, self.estimate, self.first_invalid = map(as_python, OTHERS)


OTHERS: tuple[Any, ...] = (roll, odds, pay, canonical, step, estimate, first_invalid)
PLAIN_CALLS = PlainCalls()
calls_of = functools.cache(Calls)


def examples_of_push(token: verbs.Token) -> tuple[Any, ...]:
    """Arguments such as `push` takes."""
    return token, np.empty((1, 1), np.int64), 0, 0


def is_compiled(token: verbs.Token) -> bool:
    """Whether a game's `push` is in this process, or on the disk, and so need not be compiled."""
    return is_there(push, *examples_of_push(token))
