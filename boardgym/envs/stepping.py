"""The compiled steps of native environments: many games of one learner against opponents.

A step runs in turns: the learner's plies (`learner_plies`), the replies of each compiled opponent (`replies`) and of each
other one (`waiting_views`, then `apply_actions`) until the learner is to play or the game is over, and what the learner sees
(`observe_all`). New games begin with `restart`, and replies again where an opponent opens. Each board draws from its own
stream, in the order: seat, member of each mixture, set-up with its dice, symmetry, seeds of opponents that keep streams of
their own, then the opponents' moves, dice after each ply; so results depend on nothing but the board's seed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined, kernel, shared
from boardgym.core import engine, verbs
from boardgym.core import rows as rw
from boardgym.core.engine import BY_ILLEGAL, NOT_OVER
from boardgym.core.policy import choose_or_stray, make_scratch
from boardgym.core.random import draw, draw_by_weight, next_word

LEARNER, NOBODY = -1, -2  # in Sides.waits, where otherwise the number of an opponent stands
ILLEGAL_TERMINATES, ILLEGAL_RAISES, ILLEGAL_IS_RANDOM = range(3)
RANDOM_SEAT, ALL_SEATS = -1, -2
ONE = np.uint64(1)


class Sides(NamedTuple):
    """Who plays n games, and what the learner sees. All arrays have n entries along axis 0.

    seats: int64 (n,), the learner's; where it plays all of them, the one to play, and at the end the one that played last.
    payees: int64 (n,), the seat that `rewards` are of: that of the learner's latest ply. members: int64 (n, slots), which
    member of each slot's mixture plays; slot k is the k-th seat after the learner's, or all of them if there is one slot.
    seeds: int64 (n, slots), for opponents that keep streams of their own. waits: int64 (n,), who is to play: LEARNER, NOBODY
    where the game is over, or an opponent's number. outcomes: int64 (n,), of a game that is over: 1 the learner won, 0 a
    draw, -1 another did. symmetries: int64 (n,), under which the learner sees the board. paid: float64 (n, num_seats), in
    this step. observations: (n, *observation_shape). masks: int8 (n, num_actions). rewards: float64 (n,), the share of `paid`
    that payees have.
    """

    seats: NDArray[np.int64]
    payees: NDArray[np.int64]
    members: NDArray[np.int64]
    seeds: NDArray[np.int64]
    waits: NDArray[np.int64]
    outcomes: NDArray[np.int64]
    symmetries: NDArray[np.int64]
    paid: NDArray[np.float64]
    observations: NDArray[Any]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]


class Slots(NamedTuple):
    """The opponents of each slot; no slots where the learner plays all seats.

    numbers: int64 (slots, most members), an opponent's number, -1 beyond the last member.

    weights: float64, beside it. is_seeded: bool (number of opponents,): whether it is reset with a seed for each game.
    """

    numbers: NDArray[np.int64]
    weights: NDArray[np.float64]
    is_seeded: NDArray[np.bool_]


@inlined
def set_next_actor(slots: Slots, sides: Sides, rows: rw.Rows, i: int, position: Any) -> None:
    """Sets who is to play game i, or what came of it."""
    if rows.endings[i] != NOT_OVER:
        winner = engine.winner(position, rows.endings[i], sides.paid.shape[1])
        sides.waits[i], sides.outcomes[i] = NOBODY, 0 if winner < 0 else (1 if winner == sides.seats[i] else -1)
        return
    if slots.numbers.shape[0] == 0:
        sides.seats[i], sides.waits[i] = verbs.to_play(position), LEARNER
        return
    distance = (verbs.to_play(position) - sides.seats[i]) % sides.paid.shape[1]
    if distance == 0:
        sides.waits[i] = LEARNER
    else:
        slot = min(distance, slots.numbers.shape[0]) - 1
        sides.waits[i] = slots.numbers[slot, sides.members[i, slot]]


@inlined
def action_shown_as(position: Any, legal: NDArray[np.int64], count: int, action: int, symmetry: int) -> int:
    """The legal action that shows as `action` under a symmetry, or -1."""
    for k in range(count):
        if (verbs.transform_action(position, legal[k], symmetry) if symmetry > 0 else legal[k]) == action:
            return legal[k]
    return np.int64(-1)  # type: ignore[return-value]


@inlined
def is_shown_legal(sides: Sides, i: int, action: int) -> bool:
    """Whether the learner's mask allows an action, as the learner sees it."""
    return 0 <= action < sides.masks.shape[1] and sides.masks[i, action] != 0


@kernel
def first_illegal(sides: Sides, where: NDArray[np.bool_], actions: NDArray[np.int64]) -> int:
    """The first board where `where` holds that waits for the learner and whose action is illegal, or -1."""
    for i in range(actions.shape[0]):
        if where[i] and sides.waits[i] == LEARNER and not is_shown_legal(sides, i, actions[i]):
            return i
    return -1


@inlined
def learner_row(
    token: Any,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    i: int,
    takes_part: bool,
    action: int,
    illegal: int,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> None:
    """Plays the learner's action on game i if that takes part and it is to play; `paid` is overwritten."""
    paid = sides.paid[i]
    for seat in range(paid.shape[0]):
        paid[seat] = 0.0
    if sides.waits[i] != LEARNER or not takes_part:
        return
    position = verbs.unpack(token, rows.positions[i])
    sides.payees[i] = sides.seats[i]
    if not is_shown_legal(sides, i, action):
        if illegal == ILLEGAL_TERMINATES:
            rows.endings[i], sides.waits[i], sides.outcomes[i] = BY_ILLEGAL, NOBODY, -1
            paid[sides.seats[i]] = -1.0
            return
        count = verbs.legal_actions(position, legal)
        action = legal[draw(rows.rngs[i : i + 1], count)]
    elif sides.symmetries[i] > 0:
        count = verbs.legal_actions(position, legal)
        action = action_shown_as(position, legal, count, action, sides.symmetries[i])
    position, _ = rw.play(rows, i, position, action, paid, legal, probabilities, False)
    set_next_actor(slots, sides, rows, i, position)
    verbs.pack(position, rows.positions[i])


@shared
def learner_plies(
    low: int,
    high: int,
    token: Any,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    where: NDArray[np.bool_],
    actions: NDArray[np.int64],
    illegal: int,
    max_choices: int,
) -> None:
    """Plays the learner's action where `where` holds and it is to play; `paid` is overwritten.

    actions: int64 (n,), as the learner sees them.
    """
    rows, sides, slots = verbs.borrow(rows), verbs.borrow(sides), verbs.borrow(slots)
    buffers = rw.make_buffers(max_choices)
    legal, probabilities = verbs.borrow(buffers)
    for i in range(np.uint64(low), np.uint64(high)):  # without a sign, as in `boardgym.core.rows`
        learner_row(token, rows, sides, slots, i, where[i], actions[i], illegal, legal, probabilities)
    verbs.keep(buffers)


@inlined
def reply_row(
    token: Any,
    chooser: Any,
    epsilon: float,
    is_checked: bool,
    number: int,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    i: int,
    wrong: NDArray[np.int64],
    scratch: Any,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> bool:
    """Lets an opponent play on game i as `replies` does. Returns whether it has broken the rules."""
    if sides.waits[i] != number:
        return False
    is_broken = False
    position, paid, rng = verbs.unpack(token, rows.positions[i]), sides.paid[i], rows.rngs[i : i + 1]
    while sides.waits[i] == number and rw.has_room(rows, i):  # without room the caller makes some, and calls again
        history = rows.keys[i, : rows.num_keys[i]]
        action = choose_or_stray(token, chooser, epsilon, position, history, rng, scratch, legal, False)
        if is_checked and action_shown_as(position, legal, verbs.legal_actions(position, legal), action, 0) < 0:
            is_broken, wrong[i] = True, action
            break
        position, _ = rw.play(rows, i, position, action, paid, legal, probabilities, False)
        set_next_actor(slots, sides, rows, i, position)
    verbs.pack(position, rows.positions[i])
    return is_broken


@shared
def replies(
    low: int,
    high: int,
    token: Any,
    policy: Any,
    settings: Any,
    data: Any,
    epsilon: float,
    is_checked: bool,
    number: int,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    wrong: NDArray[np.int64],
    max_choices: int,
) -> int:
    """Lets one opponent play on the boards that wait for it, until they wait for another or for nobody.

    is_checked: whether its actions are looked up among the legal ones. Returns the board where one is not, and stops before it,
    the action in wrong, int64 (n,), at that board; else -1.
    """
    if low == high:
        return -1
    broken = -1
    rows, sides, slots = verbs.borrow(rows), verbs.borrow(sides), verbs.borrow(slots)
    chooser = verbs.unpack(policy, settings)
    buffers = rw.make_buffers(max_choices), make_scratch(chooser, verbs.unpack(token, rows.positions[low]), max_choices, data)
    (legal, probabilities), scratch = verbs.borrow(buffers)
    for i in range(np.uint64(low), np.uint64(high)):  # without a sign, as in `boardgym.core.rows`
        if reply_row(token, chooser, epsilon, is_checked, number, rows, sides, slots, i, wrong, scratch, legal, probabilities):
            broken = int(i)
            break
    verbs.keep(buffers)
    return broken


@kernel
def waiting_views(
    token: Any, rows: rw.Rows, indices: NDArray[np.int64], observations: NDArray[Any], masks: NDArray[np.int8], max_choices: int
) -> None:
    """Fills what the seat to play sees on some boards, with its mask. indices: int64 (k,); the arrays have k entries."""
    rows, observations, masks = verbs.borrow(rows), verbs.borrow(observations), verbs.borrow(masks)
    buffers = rw.make_buffers(max_choices)
    legal, _ = verbs.borrow(buffers)
    for k in range(indices.shape[0]):
        position = verbs.unpack(token, rows.positions[indices[k]])
        verbs.observe(position, verbs.to_play(position), observations[k])
        rw.show_mask(position, legal, verbs.legal_actions(position, legal), 0, masks[k])
    verbs.keep(buffers)


@kernel
def apply_actions(
    token: Any,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    indices: NDArray[np.int64],
    actions: NDArray[np.int64],
    max_choices: int,
) -> None:
    """Plays one legal action on each of some boards. indices, actions: int64 (k,)."""
    rows, sides, slots = verbs.borrow(rows), verbs.borrow(sides), verbs.borrow(slots)
    buffers = rw.make_buffers(max_choices)
    legal, probabilities = verbs.borrow(buffers)
    for k in range(indices.shape[0]):
        i = indices[k]
        position = verbs.unpack(token, rows.positions[i])
        position, _ = rw.play(rows, i, position, actions[k], sides.paid[i], legal, probabilities, False)
        set_next_actor(slots, sides, rows, i, position)
        verbs.pack(position, rows.positions[i])
    verbs.keep(buffers)


@inlined
def draw_members(sides: Sides, slots: Slots, i: int, rng: NDArray[np.uint64]) -> None:
    """Draws the member of each mixture that plays game i; no draw where there is no choice."""
    for slot in range(slots.numbers.shape[0]):
        sides.members[i, slot] = 0
        if slots.numbers.shape[1] > 1 and slots.numbers[slot, 1] >= 0:
            sides.members[i, slot] = draw_by_weight(slots.weights[slot], slots.weights.shape[1], 1.0, rng)


@inlined
def draw_seeds(sides: Sides, slots: Slots, i: int, rng: NDArray[np.uint64]) -> None:
    """A seed for each opponent of game i that is reset with one, in the order of the slots."""
    for slot in range(slots.numbers.shape[0]):
        number = slots.numbers[slot, sides.members[i, slot]]
        sides.seeds[i, slot] = -1
        if number >= 0 and slots.is_seeded[number]:
            for earlier in range(slot):
                if slots.numbers[earlier, sides.members[i, earlier]] == number:
                    sides.seeds[i, slot] = sides.seeds[i, earlier]
            if sides.seeds[i, slot] < 0:
                sides.seeds[i, slot] = np.int64(next_word(rng) >> ONE)


@inlined
def restart_row(
    token: Any,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    i: int,
    starts: NDArray[np.int64],
    plies: tuple[int, int],
    seat: int,
    is_mirrored: bool,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> None:
    """Starts a new game i, as `restart` says."""
    rng = rows.rngs[i : i + 1]
    sides.seats[i] = draw(rng, sides.paid.shape[1]) if seat == RANDOM_SEAT else max(seat, 0)
    draw_members(sides, slots, i, rng)
    position, _ = rw.begin(token, rows, i, starts, plies[0], plies[1], sides.paid[i], legal, probabilities)
    sides.symmetries[i] = draw(rng, verbs.num_symmetries(position)) if is_mirrored else 0
    draw_seeds(sides, slots, i, rng)
    verbs.pack(position, rows.positions[i])
    set_next_actor(slots, sides, rows, i, position)
    sides.payees[i] = sides.seats[i]


@shared
def restart(
    low: int,
    high: int,
    token: Any,
    rows: rw.Rows,
    sides: Sides,
    slots: Slots,
    where: NDArray[np.bool_],
    starts: NDArray[np.int64],
    plies: tuple[int, int],
    seat: int,
    is_mirrored: bool,
    max_choices: int,
) -> None:
    """Starts new games on the boards where `where` (bool) holds.

    starts: int64 rows of the set-up's positions; plies: (fewest, most) random plies; seat: of the learner, RANDOM_SEAT or
    ALL_SEATS; is_mirrored: whether each game is seen under a random symmetry. A board whose set-up ended every game that
    was tried is left over; the caller has to look.
    """
    rows, sides, slots = verbs.borrow(rows), verbs.borrow(sides), verbs.borrow(slots)
    buffers = rw.make_buffers(max_choices)
    legal, probabilities = verbs.borrow(buffers)
    for i in range(np.uint64(low), np.uint64(high)):  # without a sign, as in `boardgym.core.rows`
        if where[i]:
            restart_row(token, rows, sides, slots, i, starts, plies, seat, is_mirrored, legal, probabilities)
    verbs.keep(buffers)


@inlined
def reassign_row(token: Any, rows: rw.Rows, sides: Sides, slots: Slots, i: int) -> None:
    """Draws the opponents of game i anew, if it is under way."""
    if rows.endings[i] == NOT_OVER:
        draw_members(sides, slots, i, rows.rngs[i : i + 1])
        draw_seeds(sides, slots, i, rows.rngs[i : i + 1])
        set_next_actor(slots, sides, rows, i, verbs.unpack(token, rows.positions[i]))


@kernel
def reassign(token: Any, rows: rw.Rows, sides: Sides, slots: Slots) -> None:
    """Draws opponents anew for the games under way, after the opponents have been changed."""
    for i in range(rows.endings.shape[0]):
        reassign_row(token, rows, sides, slots, i)


@inlined
def observe_row(
    token: Any,
    rows: rw.Rows,
    sides: Sides,
    i: int,
    observation: NDArray[Any],
    mask: NDArray[np.int8],
    legal: NDArray[np.int64],
) -> None:
    """Fills what the learner sees of game i, and its reward."""
    position, symmetry, seat = verbs.unpack(token, rows.positions[i]), sides.symmetries[i], sides.seats[i]
    rw.show(position, seat, symmetry, observation)
    sides.rewards[i] = sides.paid[i, sides.payees[i]]
    if sides.waits[i] == LEARNER:
        rw.show_mask(position, legal, verbs.legal_actions(position, legal), symmetry, mask)
    else:
        engine.fill_mask(mask, 1)


@shared
def observe_all(
    low: int, high: int, token: Any, rows: rw.Rows, sides: Sides, where: NDArray[np.bool_], max_choices: int
) -> None:
    """Fills the learner's observations, masks and rewards where `where` holds; masks of ones where a game is over."""
    rows, sides = verbs.borrow(rows), verbs.borrow(sides)
    buffers = rw.make_buffers(max_choices)
    legal, _ = verbs.borrow(buffers)
    for i in range(np.uint64(low), np.uint64(high)):  # without a sign, as in `boardgym.core.rows`
        if where[i]:
            observe_row(token, rows, sides, i, sides.observations[i], sides.masks[i], legal)
    verbs.keep(buffers)
