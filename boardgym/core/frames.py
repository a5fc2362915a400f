"""The record of a game as kernels see it: one int64 row a ply, a `frame`, from which play can go on or back.

A frame holds: [COUNT, ENDING, KEY, TO_PLAY, fields of the position ..., choices ...]. COUNT is how many choices follow, 0
when the game is over; they are the legal actions, or where chance is to act its outcomes. ENDING says why the game is over;
KEY is the position's key without clocks; TO_PLAY is a seat or CHANCE.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import as_python, entry_point, inner, is_there, kernel, plain
from boardgym.core import engine, verbs
from boardgym.core.engine import BY_REPETITION, BY_RULE, NOT_OVER

COUNT, ENDING, KEY, TO_PLAY, FIELDS = range(5)
ILLEGAL = -1
CHANCE = verbs.CHANCE
WHO_IS_TO_PLAY = -2
BEFORE_THE_START = -1


def frame_width(token: verbs.Token, max_choices: int) -> int:
    """Number of int64 columns of a frame."""
    return FIELDS + len(token.fields) + max_choices


@inner
def write_frame(token: Any, frames: NDArray[np.int64], ply: int, position: Any) -> int:
    """Fills frames[ply] for a position. Returns the number of choices."""
    frame = frames[ply]
    choices, seat = frame[FIELDS + verbs.num_fields(token) :], verbs.to_play(position)
    if verbs.awaits_chance(position):
        count = verbs.chance(position, choices, np.empty(len(choices)))
    else:
        count = verbs.legal_actions(position, choices)
    ending = BY_RULE if count == 0 else NOT_OVER
    frame[KEY] = engine.key_of(position)
    if count > 0 and engine.is_repetition(position, frame[KEY], frames[:, KEY], ply):
        count, ending = 0, BY_REPETITION
    frame[COUNT], frame[ENDING], frame[TO_PLAY] = count, ending, seat
    verbs.pack(position, frame[FIELDS : FIELDS + verbs.num_fields(token)])
    return count


@inner
def position_of(token: Any, frames: NDArray[np.int64], ply: int) -> Any:
    """The position of frames[ply]."""
    return verbs.unpack(token, frames[ply, FIELDS : FIELDS + verbs.num_fields(token)])


@inner
def is_listed(token: Any, frame: NDArray[np.int64], action: int) -> bool:
    """Whether an action or outcome is among the choices of a frame."""
    first = FIELDS + verbs.num_fields(token)
    for i in range(first, first + frame[COUNT]):  # noqa: SIM110 (generators are not compiled)
        if frame[i] == action:
            return True
    return False


@kernel
def push(token: Any, frames: NDArray[np.int64], ply: int, action: int) -> int:
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


@kernel
def roll(
    token: Any,
    frames: NDArray[np.int64],
    ply: int,
    rng: NDArray[np.uint64],
    played: NDArray[np.int64],
    rewards: NDArray[np.float64],
) -> int:
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
            rewards[seat] += engine.reward(position, frames[ply + 1, ENDING], seat)
        ply += 1
    return ply


@kernel
def chances(
    token: Any, frames: NDArray[np.int64], ply: int, outcomes: NDArray[np.int64], probabilities: NDArray[np.float64]
) -> int:
    """What chance may bring at frames[ply], as the verb `chance` writes it; 0 if it is not to act."""
    position = position_of(token, frames, ply)
    return verbs.chance(position, outcomes, probabilities) if verbs.awaits_chance(position) else 0


@kernel
def first_invalid(token: Any, rows: NDArray[np.int64]) -> int:
    """The first of some positions, int64 (n, fields), that the verb `is_valid` refuses; -1 if there is none."""
    for i in range(rows.shape[0]):
        if not verbs.is_valid(verbs.unpack(token, rows[i])):
            return i
    return -1


@kernel
def pay(token: Any, frames: NDArray[np.int64], ply: int, seat: int) -> float:
    """What the game pays a seat at frames[ply]: float64; 0.0 when it is not over."""
    ending = frames[ply, ENDING]
    return 0.0 if ending == NOT_OVER else engine.final_return(position_of(token, frames, ply), ending, seat)


@inner
def write_mask(token: Any, frame: NDArray[np.int64], mask: NDArray[np.int8]) -> None:
    """Sets an int8 mask to 1 at the legal actions of a frame, 0 elsewhere."""
    first = FIELDS + verbs.num_fields(token)
    engine.mark_legal(mask, frame, first, first if frame[TO_PLAY] == CHANCE else first + frame[COUNT])


@kernel
def look(token: Any, frames: NDArray[np.int64], ply: int, seat: int, observation: NDArray[Any], mask: NDArray[np.int8]) -> None:
    """Fills the observation of a seat and its mask: the legal actions, or zeros if it is not to play.

    seat: a seat, or WHO_IS_TO_PLAY: seat 0 where chance is.
    """
    if seat == WHO_IS_TO_PLAY:
        seat = max(frames[ply, TO_PLAY], 0)
    verbs.observe(position_of(token, frames, ply), seat, observation)
    if frames[ply, TO_PLAY] == seat:
        write_mask(token, frames[ply], mask)
    else:
        engine.fill_mask(mask, 0)


@kernel
def canonical(token: Any, frames: NDArray[np.int64], ply: int, row: NDArray[np.int64]) -> tuple[int, np.uint64]:
    """Writes the canonical image of the position at frames[ply] into an int64 row. Returns (its symmetry, its key)."""
    position = position_of(token, frames, ply)
    k = verbs.canonical_symmetry(position)
    image = verbs.transform(position, k)
    verbs.pack(image, row)
    return k, verbs.key(image)


@kernel
def step(
    token: Any,
    frames: NDArray[np.int64],
    ply: int,
    action: int,
    observation: NDArray[Any],
    mask: NDArray[np.int8],
    rewards: NDArray[np.float64],
) -> tuple[int, int, bool]:
    """Plays an action as `push` does, and fills what an environment shows next, in one call.

    observation, mask: of the seat to play next, seat 0 if it is CHANCE. rewards: float64 (num_seats,), what the ply paid
    each seat. They are left alone if the action is ILLEGAL.

    Returns:
        (number of choices or ILLEGAL, seat to play next or CHANCE, whether the ply paid anybody).
    """
    if not is_listed(token, frames[ply], action):
        return ILLEGAL, np.int64(0), False  # type: ignore[return-value]
    position = verbs.apply(position_of(token, frames, ply), action)
    count = write_frame(token, frames, ply + 1, position)
    frame = frames[ply + 1]
    seat, has_paid = frame[TO_PLAY], False
    for payee in range(len(rewards)):
        rewards[payee] = engine.reward(position, frame[ENDING], payee)
        has_paid = has_paid or rewards[payee] != 0.0
    verbs.observe(position, max(seat, 0), observation)
    write_mask(token, frame, mask)
    return count, seat, has_paid


@kernel
def estimate(token: Any, frames: NDArray[np.int64], ply: int, seat: int) -> float:
    """The heuristic of frames[ply] for a seat; where the game is over, what it pays."""
    position = position_of(token, frames, ply)
    if frames[ply, COUNT] == 0:
        return engine.final_return(position, frames[ply, ENDING], seat)
    return verbs.heuristic(position, seat)


KERNELS = {
    "push": push,
    "look": look,
    "step": step,
    "chances": chances,
    "pay": pay,
    "canonical": canonical,
    "estimate": estimate,
}


class Calls:
    """The kernels that `Board` calls, of one game: compiled when first used, then called without a look at their arguments.

    So arrays have to be in one piece and of these dtypes: frames, outcomes and row int64, probabilities and rewards float64,
    mask int8, observation as the game has it. `roll` and `first_invalid` look at theirs, for a stream may be a user's own.
    """

    def __init__(self, token: verbs.Token, dtype: Any) -> None:
        self._token, self._dtype = token, dtype
        self.roll, self.first_invalid = roll, first_invalid

    def __getattr__(self, name: str) -> Any:
        """An entry point, kept from then on."""
        if name not in KERNELS:
            raise AttributeError(name)
        entry = entry_point(KERNELS[name], *examples_for(KERNELS[name], self._token, self._dtype))
        setattr(self, name, entry)
        return entry


class PlainCalls:
    """As `Calls`, the rules run as Python: nothing is compiled, and a ply takes a hundred times as long."""

    def __init__(self) -> None:
        self.roll, self.first_invalid = as_python(roll), as_python(first_invalid)

    def __getattr__(self, name: str) -> Any:
        """A function, kept from then on."""
        if name not in KERNELS:
            raise AttributeError(name)
        setattr(self, name, function := as_python(KERNELS[name]))
        return function


PLAIN_CALLS = PlainCalls()
calls_of = functools.cache(Calls)


def examples_for(compiled: Any, token: verbs.Token, dtype: Any = np.int8) -> list[Any]:
    """Arguments such as a kernel of this module takes. dtype: of observations."""
    words, floats = np.empty(1, np.int64), np.empty(1)
    examples = {
        "token": token,
        "frames": np.empty((1, 1), np.int64),
        "observation": np.empty((1, 1, 1), dtype),
        "mask": np.empty(1, np.int8),
        **dict.fromkeys(("rewards", "probabilities"), floats),
        **dict.fromkeys(("outcomes", "row"), words),
    }
    function = plain(compiled)
    return [examples.get(name, 0) for name in function.__code__.co_varnames[: function.__code__.co_argcount]]


def is_compiled(token: verbs.Token) -> bool:
    """Whether a game's `push` is in this process, or on the disk, and so need not be compiled."""
    return is_there(push, *examples_for(push, token))
