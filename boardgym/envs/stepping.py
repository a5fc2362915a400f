"""The compiled steps of native environments: many games of one learner against opponents, a row of int64 each.

A board's state is [STATUS, SEAT, MEMBER, SYMMETRY, PLY, fields of the position ...]. A step runs in turns: the learner's
plies (`learner_plies`), the replies of each opponent (`replies`, once per policy of the mixture), new games where one is
over (`restart`, and `replies` again where an opponent begins), observations and masks (`observe_all`). What a ply pays the
learner's seat reaches `rewards`, whoever played it. Each board draws from its own stream, in the order: seat,
member of the mixture, set-up, symmetry, then the opponents' moves, dice after each ply; so results depend on nothing but
the board's seed.
"""

import numpy as np

from boardgym.core import verbs
from boardgym.core.cache import inner, kernel
from boardgym.core.policy import choose_or_stray, make_scratch
from boardgym.core.random import draw, uniform

STATUS, SEAT, MEMBER, SYMMETRY, PLY, FIRST_FIELD = range(6)
LEARNER, OPPONENT, OVER, OVER_ILLEGAL = range(4)  # STATUS: who is to play, or why nobody is
ILLEGAL_TERMINATES, ILLEGAL_RAISES, ILLEGAL_IS_RANDOM = range(3)
RANDOM_SEAT = -1
MAX_DRAWS = 1000  # of a set-up's random plies, before it is given up as one that ends every game


@inner
def after_chance(position, seat, rng, outcomes, probabilities):
    """Lets chance act until a seat is to play or the game is over. The arrays are overwritten.

    Returns (the position, what the outcomes paid `seat`).
    """
    paid = 0.0
    while verbs.awaits_chance(position):
        position = verbs.apply(position, verbs.roll(position, rng, outcomes, probabilities))
        paid += verbs.reward(position, seat)
    return position, paid


@inner
def play_ply(position, action, board, rng, outcomes, probabilities):
    """Plays an action, and what chance brings after it. Returns (the position, what that paid the learner)."""
    position = verbs.apply(position, action)
    paid = verbs.reward(position, board[SEAT])
    position, more = after_chance(position, board[SEAT], rng, outcomes, probabilities)
    board[PLY] += 1
    settle(position, board)
    return position, paid + more


@inner
def settle(position, board):
    """Sets a board's status after a ply."""
    if verbs.is_terminal(position):
        board[STATUS] = OVER
    elif verbs.to_play(position) == board[SEAT]:
        board[STATUS] = LEARNER
    else:
        board[STATUS] = OPPONENT


@inner
def seen_action(position, legal, count, action, symmetry):
    """The legal action that shows as `action` under a symmetry, or -1."""
    for k in range(count):
        if verbs.transform_action(position, legal[k], symmetry) == action:
            return legal[k]
    return np.int64(-1)


@kernel
def learner_plies(token, boards, rngs, actions, rewards, illegal, max_choices):
    """Plays the learner's action on every board whose status is LEARNER; `rewards` (float64) is overwritten.

    actions: int64 (n,). Returns the first board with an illegal action under ILLEGAL_RAISES, where nothing is changed
    on any board, else -1.
    """
    legal, odds = np.empty(max_choices, np.int64), np.empty(max_choices)
    if illegal == ILLEGAL_RAISES:
        for i in range(boards.shape[0]):
            if boards[i, STATUS] == LEARNER:
                position = verbs.unpack(token, boards[i, FIRST_FIELD:])
                count = verbs.legal_actions(position, legal)
                if seen_action(position, legal, count, actions[i], boards[i, SYMMETRY]) < 0:
                    return i
    rewards[:] = 0.0
    for i in range(boards.shape[0]):
        board = boards[i]
        if board[STATUS] != LEARNER:
            continue
        position = verbs.unpack(token, board[FIRST_FIELD:])
        count = verbs.legal_actions(position, legal)
        action = seen_action(position, legal, count, actions[i], board[SYMMETRY])
        if action < 0:
            if illegal == ILLEGAL_TERMINATES:
                board[STATUS], rewards[i] = OVER_ILLEGAL, -1.0
                continue
            action = legal[draw(rngs[i : i + 1], count)]
        position, rewards[i] = play_ply(position, action, board, rngs[i : i + 1], legal, odds)
        verbs.pack(position, board[FIRST_FIELD:])
    return -1


@kernel
def replies(token, policy, settings, data, epsilon, member, boards, rngs, rewards, max_choices):
    """Lets one policy of the mixture play on the boards that wait for it, until the learner is to play or the game is over."""
    chooser = verbs.unpack(policy, settings)
    legal, odds, history = np.empty(max_choices, np.int64), np.empty(max_choices), np.empty(0, np.int64)
    scratch = make_scratch(chooser, verbs.unpack(token, boards[0, FIRST_FIELD:]), max_choices, data)
    for i in range(boards.shape[0]):
        board, rng = boards[i], rngs[i : i + 1]
        if board[STATUS] != OPPONENT or board[MEMBER] != member:
            continue
        position = verbs.unpack(token, board[FIRST_FIELD:])
        while board[STATUS] == OPPONENT:
            action = choose_or_stray(token, chooser, epsilon, position, history, rng, scratch, legal, False)
            position, paid = play_ply(position, action, board, rng, legal, odds)
            rewards[i] += paid
        verbs.pack(position, board[FIRST_FIELD:])


@inner
def draw_start(token, starts, low, high, rng, legal, odds):
    """A start position and low to high random plies, drawn anew while the game is over, up to MAX_DRAWS times."""
    position = verbs.unpack(token, starts[0])
    for _ in range(MAX_DRAWS):
        which = draw(rng, starts.shape[0]) if starts.shape[0] > 1 else 0
        position, _ = after_chance(verbs.unpack(token, starts[which]), 0, rng, legal, odds)
        plies = low + draw(rng, high - low + 1) if high > 0 else 0
        for _ in range(plies):
            count = verbs.legal_actions(position, legal)
            if count > 0:
                position, _ = after_chance(verbs.apply(position, legal[draw(rng, count)]), 0, rng, legal, odds)
        if not verbs.is_terminal(position):
            break
    return position


@kernel
def restart(token, boards, rngs, where, starts, plies, seat, num_seats, weights, is_mirrored, max_choices):
    """Starts new games on the boards where `where` (bool) holds.

    starts: int64 rows of the set-up's positions; plies: (fewest, most) random plies; seat: of the learner, or
    RANDOM_SEAT; weights: float64 of the mixture's members; is_mirrored: whether each game is seen under a random symmetry.
    A board whose set-up ended MAX_DRAWS games is left over; the caller has to look.
    """
    legal, odds = np.empty(max_choices, np.int64), np.empty(max_choices)
    for i in range(boards.shape[0]):
        if not where[i]:
            continue
        board, rng = boards[i], rngs[i : i + 1]
        board[SEAT] = draw(rng, num_seats) if seat == RANDOM_SEAT else seat
        board[MEMBER] = 0
        if weights.shape[0] > 1:
            mark = uniform(rng)
            while board[MEMBER] + 1 < weights.shape[0] and mark >= weights[board[MEMBER]]:
                mark -= weights[board[MEMBER]]
                board[MEMBER] += 1
        position = draw_start(token, starts, plies[0], plies[1], rng, legal, odds)
        board[SYMMETRY] = draw(rng, verbs.num_symmetries(position)) if is_mirrored else 0
        board[PLY] = 0
        verbs.pack(position, board[FIRST_FIELD:])
        settle(position, board)


@kernel
def observe_all(token, boards, where, observations, masks, max_choices):
    """Fills observation and mask of the learner on the boards where `where` holds; all ones where a game is over."""
    legal = np.empty(max_choices, np.int64)
    for i in range(boards.shape[0]):
        if not where[i]:
            continue
        board = boards[i]
        position, symmetry = verbs.unpack(token, board[FIRST_FIELD:]), board[SYMMETRY]
        if symmetry > 0:
            verbs.observe(verbs.transform(position, symmetry), board[SEAT], observations[i])
        else:
            verbs.observe(position, board[SEAT], observations[i])
        if board[STATUS] == LEARNER:
            masks[i] = 0
            for k in range(verbs.legal_actions(position, legal)):
                masks[i, verbs.transform_action(position, legal[k], symmetry)] = 1
        else:
            masks[i] = 1
