"""The record of a game as kernels see it: one int64 row a ply, a `frame`, from which play can go on or back.

A frame holds: [COUNT, ENDING, KEY, TO_PLAY, fields of the position ..., legal actions ...]. COUNT is how many legal
actions follow, 0 when the game is over; ENDING says why; KEY is the position's key without clocks.
"""

import functools
from typing import Any

import numpy as np

from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.cache import entry_point, inner, kernel

COUNT, ENDING, KEY, TO_PLAY, FIELDS = range(5)
NOT_OVER, BY_RULE, BY_REPETITION = range(3)
ILLEGAL = -1
WHO_IS_TO_PLAY = -1


def frame_width(token: verbs.Token, max_legal_actions: int) -> int:
    """Number of int64 columns of a frame."""
    return FIELDS + len(token.fields) + max_legal_actions


@inner
def occurrences(frames, ply, key):
    """How often a key stands in frames[0 : ply]. key: int64."""
    count = 0
    for earlier in range(ply):
        count += frames[earlier, KEY] == key
    return count


@inner
def write_frame(token, frames, ply, position):
    """Fills frames[ply] for a position. Returns the number of legal actions."""
    frame = frames[ply]
    legal = frame[FIELDS + verbs.num_fields(token) :]
    count = verbs.legal_actions(position, legal)
    ending = BY_RULE if count == 0 else NOT_OVER
    frame[KEY] = as_int64(verbs.key(position))
    limit = verbs.repetition_limit(position)
    if limit > 0 and count > 0 and occurrences(frames, ply, frame[KEY]) + 1 >= limit:
        count, ending = 0, BY_REPETITION
    frame[COUNT], frame[ENDING], frame[TO_PLAY] = count, ending, verbs.to_play(position)
    verbs.pack(position, frame[FIELDS : FIELDS + verbs.num_fields(token)])
    return count


@inner
def position_of(token, frames, ply):
    """The position of frames[ply]."""
    return verbs.unpack(token, frames[ply, FIELDS : FIELDS + verbs.num_fields(token)])


@kernel
def begin(token, frames, row):
    """Starts a record: frames[0] from a position's row. Returns the number of legal actions."""
    return write_frame(token, frames, 0, verbs.unpack(token, row))


@inner
def is_listed(token, frame, action):
    """Whether an action is among the legal actions of a frame."""
    first = FIELDS + verbs.num_fields(token)
    for i in range(first, first + frame[COUNT]):  # noqa: SIM110 (generators are not compiled)
        if frame[i] == action:
            return True
    return False


@kernel
def push(token, frames, ply, action):
    """Plays an action at frames[ply] and fills frames[ply + 1]. Returns its number of legal actions, or ILLEGAL."""
    if not is_listed(token, frames[ply], action):
        return ILLEGAL
    return write_frame(token, frames, ply + 1, verbs.apply(position_of(token, frames, ply), action))


@kernel
def pay(token, frames, ply, seat):
    """What the game pays a seat at frames[ply]: float64; 0.0 when it is not over, or drawn by repetition."""
    if frames[ply, ENDING] != BY_RULE:
        return 0.0
    return verbs.returns(position_of(token, frames, ply), seat)


@inner
def write_mask(token, frame, mask):
    """Sets an int8 mask to 1 at the legal actions of a frame, 0 elsewhere."""
    mask[:] = 0
    first = FIELDS + verbs.num_fields(token)
    for i in range(first, first + frame[COUNT]):
        mask[frame[i]] = 1


@kernel
def look(token, frames, ply, seat, observation, mask):
    """Fills the observation of a seat and its mask: the legal actions, or zeros if it is not to play.

    seat: a seat, or WHO_IS_TO_PLAY.
    """
    if seat == WHO_IS_TO_PLAY:
        seat = frames[ply, TO_PLAY]
    verbs.observe(position_of(token, frames, ply), seat, observation)
    if frames[ply, TO_PLAY] == seat:
        write_mask(token, frames[ply], mask)
    else:
        mask[:] = 0


@kernel
def step(token, frames, ply, action, observation, mask, rewards):
    """Plays an action as `push` does, and fills what an environment shows next, in one call.

    observation, mask: of the seat to play next. rewards: float64 (num_seats,), what the ply paid each seat. They are
    left alone if the action is ILLEGAL.

    Returns:
        (number of legal actions or ILLEGAL, seat to play next, whether the ply paid anybody).
    """
    if not is_listed(token, frames[ply], action):
        return ILLEGAL, np.int64(0), False
    position = verbs.apply(position_of(token, frames, ply), action)
    count = write_frame(token, frames, ply + 1, position)
    frame = frames[ply + 1]
    seat, has_paid = frame[TO_PLAY], False
    for payee in range(len(rewards)):
        rewards[payee] = verbs.reward(position, payee)
        has_paid = has_paid or rewards[payee] != 0.0
    verbs.observe(position, seat, observation)
    write_mask(token, frame, mask)
    return count, seat, has_paid


@kernel
def estimate(token, frames, ply, seat):
    """The heuristic of frames[ply] for a seat; where the game is over, what it pays."""
    if frames[ply, COUNT] == 0:
        return verbs.returns(position_of(token, frames, ply), seat) if frames[ply, ENDING] == BY_RULE else 0.0
    return verbs.heuristic(position_of(token, frames, ply), seat)


class Calls:
    """`push` and `look` of one game for `Board`, which calls them at every ply: each is compiled when first asked for.

    They take what the kernels take. frames: C-contiguous. observation: C-contiguous, of the game's dtype.
    """

    def __init__(self, token: verbs.Token, dtype: Any) -> None:
        self.token, self.dtype = token, dtype

    @functools.cached_property
    def push(self) -> Any:
        """The kernel `push`."""
        return entry_point(push, self.token, np.empty((1, 1), np.int64), 0, 0)

    @functools.cached_property
    def look(self) -> Any:
        """The kernel `look`."""
        frames, observation = np.empty((1, 1), np.int64), np.empty((1, 1, 1), self.dtype)
        return entry_point(look, self.token, frames, 0, 0, observation, np.empty(1, np.int8))


calls_of = functools.cache(Calls)
