"""Many plies in one call: a policy plays every seat of many games, and new games begin where one is over."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined, shared
from boardgym.core import rows as rw
from boardgym.core import verbs
from boardgym.core.engine import NOT_OVER
from boardgym.core.policy import choose_or_stray, make_scratch

PLIES_AT_ONCE = 64  # of a compiled call, at most: the keys of so many positions find room, and Ctrl-C comes between


# (what plays up to so many plies in a compiled call, and says how many, 0 if it cannot; what brings the tally up to date)
Playing = tuple[Callable[[int], int], Callable[[], None]]


class Tally(NamedTuple):
    """What `play` has counted on each of n boards.

    games: int64 (n,), that ended. rewards: float64 (n, num_seats), what each seat was paid, over all plies.
    """

    games: NDArray[np.int64]
    rewards: NDArray[np.float64]


def play_ply(boards: Any, policy: Any, tally: Tally, how: tuple[bool, bool]) -> int:
    """Plays a ply on each board of a `BatchBoard` by calls of its own. how: whether deterministic, and whether new games begin.

    Returns 1.
    """
    before = np.array(boards.done)
    boards.step(boards.act(policy, deterministic=how[0]))
    tally.games[...] += np.asarray(boards.done) & ~before
    tally.rewards[...] += np.asarray(boards.rewards)
    if how[1]:
        boards.reset(boards.done)
    return 1


class Plan(NamedTuple):
    """How games are played; made within kernels.

    plies: of a call. deterministic: whether the policy plays its best actions. auto_reset: whether new games begin. starts:
    int64 rows of the set-up's positions. low, high: fewest and most of its random plies.
    """

    plies: int
    deterministic: bool
    auto_reset: bool
    starts: NDArray[np.int64]
    low: int
    high: int


@inlined
def play_plies(
    token: Any,
    chooser: Any,
    epsilon: float,
    plan: Plan,
    rows: rw.Rows,
    i: int,
    views: rw.Views,
    tally: Tally,
    scratch: Any,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
) -> bool:
    """Plays game i: the same as so many times `choose_rows`, `step_rows` and, if new games begin, `restart_rows`.

    Returns whether all was right: where the policy plays an illegal action it stops, and leaves that in `tally.games[i]`.
    """
    for _ in range(plan.plies):
        action, was_over = 0, rows.endings[i] != NOT_OVER
        if not was_over:
            position, history = verbs.unpack(token, rows.positions[i]), rows.keys[i, : rows.num_keys[i]]
            action = choose_or_stray(
                token, chooser, epsilon, position, history, rows.rngs[i : i + 1], scratch, legal, plan.deterministic
            )
            if rw.is_illegal(i, action, rows.endings, views.masks):
                tally.games[i] = action
                return False
        rw.step_row(token, rows, i, action, views, legal, probabilities)
        is_over = rows.endings[i] != NOT_OVER
        if is_over and not was_over:
            tally.games[i] += 1
        for seat in range(tally.rewards.shape[1]):
            tally.rewards[i, seat] += views.rewards[i, seat]
        if plan.auto_reset:
            if is_over:
                rw.restart_row(token, rows, i, plan.starts, plan.low, plan.high, views, legal, probabilities)
            for seat in range(tally.rewards.shape[1]):
                views.rewards[i, seat] = 0.0
    return True


@shared
def play_rows(
    low: int,
    high: int,
    token: Any,
    policy: Any,
    settings: Any,
    data: Any,
    epsilon: float,
    rows: rw.Rows,
    views: rw.Views,
    tally: Tally,
    starts: NDArray[np.int64],
    setup_plies: tuple[int, int],
    max_choices: int,
    plies: int,
    deterministic: bool,
    auto_reset: bool,
) -> int:
    """Plays so many plies of every game, see `play_plies`. Returns the first whose policy broke the rules, -1 if none did."""
    if low == high:
        return -1
    rows, views, tally, chooser = verbs.borrow(rows), verbs.borrow(views), verbs.borrow(tally), verbs.unpack(policy, settings)
    buffers = (
        rw.make_buffers(max_choices),
        make_scratch(chooser, verbs.unpack(token, rows.positions[low]), max_choices, data),
    )
    (legal, probabilities), scratch = verbs.borrow(buffers)
    plan, bad = Plan(plies, deterministic, auto_reset, starts, setup_plies[0], setup_plies[1]), -1
    for i in range(low, high):
        if not play_plies(token, chooser, epsilon, plan, rows, i, views, tally, scratch, legal, probabilities):
            bad = i
            break
    verbs.keep(buffers)
    return bad
