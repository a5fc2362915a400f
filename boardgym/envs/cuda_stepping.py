"""The kernels of `stepping` for a CUDA card: a thread for each game, what the learner sees staged in shared memory.

They are made of the same functions as on the CPU, so that games are the same. `core/cuda_rows.py` says more of staging.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.compile import inlined
from boardgym.compile.cuda import card_kernel, cuda, types
from boardgym.core import rows as rw
from boardgym.core import verbs
from boardgym.core.cuda_policies import begin_scratch, local_memory
from boardgym.core.cuda_rows import block_of, make_staged
from boardgym.core.engine import BY_RULE, NOT_OVER
from boardgym.core.game import Game
from boardgym.envs import stepping as st

_KERNELS: dict[Any, Any] = {}  # by tokens and local memory: a second batch compiles nothing
NONE_FOUND = 2**62  # in `found`, which kernels lower


class Kernels(NamedTuple):
    """Those of a game, but for `replies`. In `found`, int64 (1,), the least of what threads have found is left.

    learner, restart, reassign, observe: as in `stepping`; observe has `block.shared` bytes of shared memory. check: the first
    board whose action is illegal. waiting: a board that waits for an opponent. wanted: copies `where`, which may be a part of
    another array, and finds one that holds. over: keeps `where` where games are over, and finds one. most_keys: NONE_FOUND
    less the most. forget_keys, forget_paid, abandon: of boards.
    """

    block: Any
    learner: Any
    restart: Any
    reassign: Any
    observe: Any
    check: Any
    waiting: Any
    wanted: Any
    over: Any
    most_keys: Any
    forget_keys: Any
    forget_paid: Any
    abandon: Any


@inlined
def lower(found: Any, number: int) -> None:
    """Leaves the least of what threads have found: most see that theirs is not less, and need not wait for one another."""
    if number < found[0]:
        cuda.atomic.min(found, 0, number)


def make_kernels(game: Game) -> Kernels:
    """The kernels of a game; they are compiled when they are first launched. Raises UnsupportedGameError: see `block_of`."""
    if game.token.name in _KERNELS:
        return _KERNELS[game.token.name]
    token, most, block = game.token, game.max_choices, block_of(game)

    def learner(rows, sides, slots, where, actions, illegal):
        i = cuda.grid(1)
        if i < where.shape[0]:
            legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
            action = np.int64(actions[i])
            st.learner_row(token, rows, sides, slots, i, where[i], action, illegal, legal, probabilities)

    def restart(rows, sides, slots, where, starts, low, high, seat, is_mirrored):
        i = cuda.grid(1)
        if i < where.shape[0] and where[i]:
            legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
            st.restart_row(token, rows, sides, slots, i, starts, (low, high), seat, is_mirrored, legal, probabilities)

    def reassign(rows, sides, slots):
        i = cuda.grid(1)
        if i < sides.waits.shape[0]:
            st.reassign_row(token, rows, sides, slots, i)

    @inlined
    def is_hidden(i, args):
        return not args[2][i]

    @inlined
    def show(i, t, begin, end, seen, allowed, args):
        rows, sides, where, done = args
        is_shown = where[i]  # read first: it may be the same array as `done`
        done[i] = rows.endings[i] != NOT_OVER
        if is_shown:
            st.observe_row(token, rows, sides, i, seen[t], allowed[t], cuda.local.array(most, types.int64))

    staged = make_staged(game, block, is_hidden, show)

    def observe(rows, sides, where, observations, masks, done):
        staged(observations, masks, where.shape[0], (rows, sides, where, done))

    def check(sides, where, actions, found):
        i = cuda.grid(1)
        is_asked = i < where.shape[0] and where[i] and sides.waits[i] == st.LEARNER
        if is_asked and not st.is_shown_legal(sides, i, np.int64(actions[i])):
            lower(found, i)

    def waiting(sides, found):
        i = cuda.grid(1)
        if i < sides.waits.shape[0] and sides.waits[i] >= 0:
            lower(found, i)

    def wanted(where, kept, found):
        i = cuda.grid(1)
        if i < where.shape[0]:
            kept[i] = where[i]
            if kept[i]:
                lower(found, i)

    def over(where, endings, found):
        i = cuda.grid(1)
        if i < where.shape[0] and where[i]:
            where[i] = endings[i] != NOT_OVER
            if where[i]:
                lower(found, i)

    def most_keys(rows, found):
        i = cuda.grid(1)
        if i < rows.endings.shape[0] and rows.num_keys[i] > 0:
            lower(found, NONE_FOUND - rows.num_keys[i])

    def forget_keys(rows):
        i = cuda.grid(1)
        if i < rows.endings.shape[0]:
            rw.drop_old_keys_of(token, rows, i)

    def forget_paid(where, sides):
        i = cuda.grid(1)
        if i < where.shape[0] and where[i]:
            for seat in range(sides.paid.shape[1]):
                sides.paid[i, seat] = 0.0

    def abandon(where, rows, sides):
        i = cuda.grid(1)
        if i < where.shape[0] and where[i]:
            rows.endings[i], sides.waits[i], sides.outcomes[i] = BY_RULE, st.NOBODY, 0

    functions: tuple[Any, ...] = (
        learner,
        restart,
        reassign,
        observe,
        check,
        waiting,
        wanted,
        over,
        most_keys,
        forget_keys,
        forget_paid,
        abandon,
    )
    _KERNELS[game.token.name] = Kernels(block, *map(card_kernel, functions))
    return _KERNELS[game.token.name]


def make_replies(game: Game, policy: verbs.Token, words: int) -> Any:
    """A kernel as `stepping.replies`, of an opponent. policy: its token. words: of the memory of a thread."""
    token, most, (local_words, is_local) = game.token, game.max_choices, local_memory(words)
    key = token.name, policy.name, local_words, is_local
    if key in _KERNELS:
        return _KERNELS[key]

    def replies(number, is_checked, rows, sides, slots, settings, epsilon, parts, begun, memory, wrong, found):
        own = cuda.local.array(local_words, types.uint64) if is_local else memory[cuda.grid(1)]
        (scratch,), chooser = begin_scratch(parts, begun, own), verbs.unpack(policy, settings)
        legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
        for i in range(cuda.grid(1), sides.waits.shape[0], cuda.gridsize(1)):
            if st.reply_row(
                token, chooser, epsilon, is_checked, number, rows, sides, slots, i, wrong, scratch, legal, probabilities
            ):
                lower(found, i)

    _KERNELS[key] = card_kernel(replies)
    return _KERNELS[key]
