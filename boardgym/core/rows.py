"""Many games in progress as kernels see them: arrays with an entry for each game, and the plies played on them.

`Board` keeps the record of one game in frames; here a game is its position, its stream of random numbers and, where the
rules know repetition, the keys of its earlier positions. `BatchBoard` and the native environments stand on this.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined, kernel, shared
from boardgym.core import engine, verbs
from boardgym.core.engine import BY_REPETITION, BY_RULE, MOST_ROLLS, NOT_OVER
from boardgym.core.errors import RuleError
from boardgym.core.game import Game
from boardgym.core.policy import choose_or_stray, make_scratch
from boardgym.core.random import draw

MAX_DRAWS = 1000  # of a set-up's random plies, before it is given up as one that ends every game
SPARE_KEYS = 64  # room kept free for the plies of one call
FIRST_ROOM = 128


class Rows(NamedTuple):
    """n games. All arrays have n entries along axis 0.

    positions: int64 (n, fields). rngs: uint64 (n,), a stream each. plies: int64 (n,), since the start, rolls left out.
    endings: int64 (n,), NOT_OVER or why the game is over. keys: int64 (n, room), of earlier positions, where repetition
    counts; num_keys: int64 (n,), how many.
    """

    positions: NDArray[np.int64]
    rngs: NDArray[np.uint64]
    plies: NDArray[np.int64]
    endings: NDArray[np.int64]
    keys: NDArray[np.int64]
    num_keys: NDArray[np.int64]


def make_rows(token: verbs.Token, n: int, *, has_history: bool) -> Rows:
    """N games that have not begun: over by the rules. has_history: whether the game knows repetition."""
    return Rows(
        np.zeros((n, len(token.fields)), np.int64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.full(n, BY_RULE, np.int64),
        np.zeros((n, FIRST_ROOM if has_history else 0), np.int64),
        np.zeros(n, np.int64),
    )


def keys_of(game: Game, plies: int) -> int:
    """Room for the keys of so many plies beside SPARE_KEYS: where chance acts, rolls are positions too, three a ply at most."""
    return (4 if game.num_outcomes else 1) * plies


def with_room(token: verbs.Token, rows: Rows, keys: int = 0) -> Rows:
    """The same games with room for so many keys and SPARE_KEYS more; new arrays only where they have to grow."""
    room = rows.keys.shape[1]
    if room == 0:
        return rows
    spare = keys + SPARE_KEYS
    needed = int(rows.num_keys.max()) + spare
    if needed <= room:
        return rows
    drop_old_keys(token, rows)
    needed = int(rows.num_keys.max()) + spare
    if needed <= room // 2 + SPARE_KEYS:  # at least half of the room is free again: this happens once in many calls
        return rows
    return with_columns(rows, max(2 * room, needed))


def with_columns(rows: Rows, count: int) -> Rows:
    """The same games with room for at least so many keys each, where they have any; new arrays only if there is less."""
    room = rows.keys.shape[1]
    if room == 0 or count <= room:
        return rows
    grown = np.zeros((len(rows.keys), count), np.int64)
    grown[:, :room] = rows.keys
    return rows._replace(keys=grown)


@kernel
def compact_row(token: Any, row: NDArray[np.int64], out: NDArray[np.int64]) -> int:
    """Writes the words of the verb `compact` of a position to out, int64 (fields,), and returns how many."""
    return verbs.compact(verbs.unpack(token, row), out)


@kernel
def drop_old_keys(token: Any, rows: Rows) -> None:
    """Forgets the keys that no repetition can count any more."""
    for i in range(rows.endings.shape[0]):
        drop_old_keys_of(token, rows, i)


@inlined
def has_room(rows: Rows, i: int) -> bool:
    """Whether the keys of SPARE_KEYS // 2 more positions fit: a ply and the rolls after it."""
    return rows.keys.shape[1] == 0 or rows.num_keys[i] + SPARE_KEYS // 2 <= rows.keys.shape[1]


@inlined
def remember(rows: Rows, i: int, position: Any) -> None:
    """Adds a position to the history before it is left."""
    if verbs.repetition_limit(position) > 0 and rows.num_keys[i] < rows.keys.shape[1]:
        rows.keys[i, rows.num_keys[i]] = engine.key_of(position)
        rows.num_keys[i] += 1


@inlined
def make_buffers(max_choices: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Buffers of `settle`, legal and probabilities: to be borrowed, and kept to the end of the kernel."""
    return np.empty(max_choices, np.int64), np.empty(max_choices)


@inlined
def is_repeated(rows: Rows, i: int, position: Any) -> bool:
    """Whether game i is drawn by repetition at a position: the earlier ones are those of its history."""
    if verbs.repetition_limit(position) <= 0:
        return False
    return engine.is_repetition(position, engine.key_of(position), rows.keys[i], rows.num_keys[i])


@inlined
def settle(
    rows: Rows,
    i: int,
    position: Any,
    paid: NDArray[np.float64],
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    is_listed: bool,
) -> tuple[Any, int]:
    """Settles what a position brings that has been reached: the end of the game, payments, the rolls of chance.

    paid: float64 (num_seats,), increased. legal, probabilities: buffers of max_choices; if `is_listed`, `legal` then holds the
    legal actions. Returns (the position after the rolls, the number of legal actions; only whether there are any, if not
    `is_listed`).
    """
    for _ in range(MOST_ROLLS):
        awaits = verbs.awaits_chance(position)
        if awaits:
            count = 1
        elif is_listed:
            count = verbs.legal_actions(position, legal)
        else:
            count = 0 if verbs.is_terminal(position) else 1
        ending = BY_RULE if count == 0 else NOT_OVER
        if count > 0 and is_repeated(rows, i, position):
            ending, count = BY_REPETITION, 0
        rows.endings[i] = ending
        if verbs.has_reward(position) or ending != NOT_OVER:
            for seat in range(paid.shape[0]):
                paid[seat] += engine.reward(position, ending, seat)
        if not awaits or count == 0:
            return position, count
        remember(rows, i, position)
        position = verbs.apply(position, verbs.roll(position, rows.rngs[i : i + 1], legal, probabilities))
    raise RuleError("chance has acted 1000 times without a seat's turn")


@inlined
def play(
    rows: Rows,
    i: int,
    position: Any,
    action: int,
    paid: NDArray[np.float64],
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    is_listed: bool,
) -> tuple[Any, int]:
    """Plays an action of game i, whose position is given, as `settle` goes on. The caller packs what it returns."""
    remember(rows, i, position)
    rows.plies[i] += 1
    return settle(rows, i, verbs.apply(position, action), paid, legal, probabilities, is_listed)


@inlined
def begin(
    token: Any,
    rows: Rows,
    i: int,
    starts: NDArray[np.int64],
    low: int,
    high: int,
    paid: NDArray[np.float64],
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> tuple[Any, int]:
    """Starts game i from a set-up as `Board.reset` does, with the same draws. Returns (position, number of legal actions).

    starts: int64 rows of the set-up's positions. low, high: fewest and most random plies; what ends the game is drawn
    anew, up to MAX_DRAWS times, and then left over. paid: float64 (num_seats,), a buffer.
    """
    rng = rows.rngs[i : i + 1]
    position, count = verbs.unpack(token, starts[0]), 0
    for _ in range(MAX_DRAWS):
        which = draw(rng, starts.shape[0]) if starts.shape[0] > 1 else 0
        position, rows.num_keys[i] = verbs.unpack(token, starts[which]), 0
        played, plies = 0, -1  # -1: not drawn yet
        while True:  # one place where a position is settled, for each costs compilation
            position, count = settle(rows, i, position, paid, legal, probabilities, True)
            if plies < 0:
                plies = low + draw(rng, high - low + 1) if high > 0 else 0
            if played == plies or count == 0:
                break
            remember(rows, i, position)
            position = verbs.apply(position, legal[draw(rng, count)])
            played += 1
        if count > 0:
            if plies > 0:
                rows.num_keys[i] = 0
            break
    rows.plies[i] = 0
    return position, count


@inlined
def show(position: Any, seat: int, symmetry: int, observation: NDArray[Any]) -> None:
    """Fills what a seat observes, under a symmetry of the board."""
    if symmetry > 0:
        position = verbs.transform(position, symmetry)
    verbs.observe(position, seat, observation)


@inlined
def show_mask(position: Any, legal: NDArray[np.int64], count: int, symmetry: int, mask: NDArray[np.int8]) -> None:
    """Sets an int8 mask to 1 at legal[:count], as they show under a symmetry of the board, 0 elsewhere."""
    engine.fill_mask(mask, 0)
    for k in range(count):
        mask[verbs.transform_action(position, legal[k], symmetry) if symmetry > 0 else legal[k]] = 1


class Views(NamedTuple):
    """What n games show, each to the seat to play: seat 0 where the game is over before anybody is.

    observations: (n, *observation_shape). masks: int8 (n, num_actions), ones where the game is over. rewards: float64
    (n, num_seats), of the latest ply. done: bool (n,). to_play: int64 (n,), -1 where the game is over.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    done: NDArray[np.bool_]
    to_play: NDArray[np.int64]


@inlined
def write_view(rows: Rows, i: int, position: Any, legal: NDArray[np.int64], count: int, views: Views) -> None:
    """Fills what game i shows. legal, count: its legal actions."""
    seat, is_over = verbs.to_play(position), rows.endings[i] != NOT_OVER
    verbs.observe(position, max(seat, 0), views.observations[i])
    views.done[i] = is_over
    if is_over:
        views.to_play[i] = -1
        engine.fill_mask(views.masks[i], 1)  # ones, so that a softmax over it stays defined
    else:
        views.to_play[i] = seat
        show_mask(position, legal, count, 0, views.masks[i])


@inlined
def restart_row(
    token: Any,
    rows: Rows,
    i: int,
    starts: NDArray[np.int64],
    low: int,
    high: int,
    views: Views,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> None:
    """Starts a new game i. What its first rolls pay is left in the rewards."""
    position, count = begin(token, rows, i, starts, low, high, views.rewards[i], legal, probabilities)
    verbs.pack(position, rows.positions[i])
    write_view(rows, i, position, legal, count, views)


@inlined
def step_row(
    token: Any,
    rows: Rows,
    i: int,
    action: int,
    views: Views,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> None:
    """Plays a legal action on game i, unless that is over."""
    paid = views.rewards[i]
    for seat in range(paid.shape[0]):
        paid[seat] = 0.0
    if rows.endings[i] == NOT_OVER:
        position = verbs.unpack(token, rows.positions[i])
        position, count = play(rows, i, position, action, paid, legal, probabilities, True)
        verbs.pack(position, rows.positions[i])
        write_view(rows, i, position, legal, count, views)


@inlined
def is_illegal(i: int, action: int, endings: NDArray[np.int64], masks: NDArray[np.int8]) -> bool:
    """Whether game i goes on and its mask does not allow an action."""
    return endings[i] == NOT_OVER and (action < 0 or action >= masks.shape[1] or masks[i, action] == 0)


@inlined
def drop_old_keys_of(token: Any, rows: Rows, i: int) -> None:
    """Forgets the keys of game i that no repetition can count any more."""
    count = rows.num_keys[i]
    first = engine.first_counted(verbs.unpack(token, rows.positions[i]), count)
    if first > 0:
        for k in range(first, count):
            rows.keys[i, k - first] = rows.keys[i, k]
        rows.num_keys[i] = count - first


@kernel
def settle_rows(token: Any, rows: Rows, where: NDArray[np.bool_], views: Views, max_choices: int) -> None:
    """Settles the games where `where` (bool) holds at the positions that have been put there, rolls included; rewards 0."""
    rows, views = verbs.borrow(rows), verbs.borrow(views)
    buffers = make_buffers(max_choices)
    legal, probabilities = verbs.borrow(buffers)
    for i in range(rows.endings.shape[0]):
        if where[i]:
            position, count = settle(
                rows, i, verbs.unpack(token, rows.positions[i]), views.rewards[i], legal, probabilities, True
            )
            verbs.pack(position, rows.positions[i])
            write_view(rows, i, position, legal, count, views)
    views.rewards[:] = 0.0
    verbs.keep(buffers)


@shared
def restart_rows(
    low: int,
    high: int,
    token: Any,
    rows: Rows,
    where: NDArray[np.bool_],
    starts: NDArray[np.int64],
    plies: tuple[int, int],
    views: Views,
    max_choices: int,
) -> None:
    """Starts new games where `where` (bool) holds; the others show what they did, with rewards 0. plies: (fewest, most).

    low, high: of the games, those from low to high - 1, as in all shared kernels.
    """
    rows, views = verbs.borrow(rows), verbs.borrow(views)
    buffers = make_buffers(max_choices)
    legal, probabilities = verbs.borrow(buffers)
    for i in range(low, high):
        if where[i]:
            restart_row(token, rows, i, starts, plies[0], plies[1], views, legal, probabilities)
    views.rewards[low:high] = 0.0
    verbs.keep(buffers)


@shared
def first_illegal(low: int, high: int, actions: NDArray[np.int64], endings: NDArray[np.int64], masks: NDArray[np.int8]) -> int:
    """The first game that goes on whose action its mask does not allow; -1 if there is none."""
    # Numbers of games without a sign, here and below: else each index is looked at for one, which takes a tenth of a step.
    for i in range(np.uint64(low), np.uint64(high)):
        if is_illegal(i, actions[i], endings, masks):
            return int(i)
    return -1


@shared
def step_rows(low: int, high: int, token: Any, rows: Rows, actions: NDArray[np.int64], views: Views, max_choices: int) -> None:
    """Plays a legal action on every game that is not over. actions: int64 (n,), checked by `first_illegal`."""
    rows, views = verbs.borrow(rows), verbs.borrow(views)
    buffers = make_buffers(max_choices)
    legal, probabilities = verbs.borrow(buffers)
    for i in range(np.uint64(low), np.uint64(high)):
        step_row(token, rows, i, actions[i], views, legal, probabilities)
    verbs.keep(buffers)


@shared
def choose_rows(
    low: int,
    high: int,
    token: Any,
    policy: Any,
    settings: Any,
    data: Any,
    epsilon: float,
    rows: Rows,
    actions: NDArray[np.int64],
    max_choices: int,
    deterministic: bool,
) -> None:
    """Fills `actions` (int64) with what a compiled policy plays on every game that is not over, from the games' streams."""
    if low == high:
        return
    rows, chooser = verbs.borrow(rows), verbs.unpack(policy, settings)
    buffers = (
        np.empty(max_choices, np.int64),
        make_scratch(chooser, verbs.unpack(token, rows.positions[low]), max_choices, data),
    )
    legal, scratch = verbs.borrow(buffers)
    for i in range(np.uint64(low), np.uint64(high)):
        if rows.endings[i] == NOT_OVER:
            position, history = verbs.unpack(token, rows.positions[i]), rows.keys[i, : rows.num_keys[i]]
            actions[i] = choose_or_stray(
                token, chooser, epsilon, position, history, rows.rngs[i : i + 1], scratch, legal, deterministic
            )
    verbs.keep(buffers)
