"""The kernels of `core/rows.py` for a CUDA card: a thread for each game, what it shows staged in shared memory.

A step is the same function as on the CPU, `step_row`, of the rows and views of one block: its games' part of the state, and
observations and masks in shared memory, which the block then writes out together as whole words. In a sketch of
this on an H100, threads that wrote their own observations byte by byte were 15 times slower.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.compile import inlined
from boardgym.compile.cuda import IS_SIMULATED, card_kernel, cuda, types
from boardgym.compile.words import mix
from boardgym.core import rows as rw
from boardgym.core.engine import NOT_OVER
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.random import branch
from boardgym.core.rows import Rows, Views

SHARED_BYTES = 48 * 1024  # that a block may have on any card
MOST_THREADS = 4 if IS_SIMULATED else 128  # in the simulator each is a Python thread


class Block(NamedTuple):
    """The games of a block. threads: how many, a multiple of 4, and of 32 where that can be. shared: bytes of shared memory.

    observation_words, mask_words: uint32 words that the observations, and behind them the masks, of a block take.
    """

    threads: int
    shared: int
    observation_words: int
    mask_words: int


def block_of(game: Game) -> Block:
    """How the games are divided. Raises UnsupportedGameError for a game whose observation and mask are too large."""
    observation = int(np.prod(game.observation_shape)) * np.dtype(game.observation_dtype).itemsize
    size = observation + game.num_actions
    threads = min(MOST_THREADS, SHARED_BYTES // size)
    threads -= threads % (32 if threads >= 32 else 4)
    if threads == 0:
        raise UnsupportedGameError(
            f"{game.id}: its observation and mask have {size} bytes; on a card they may have {SHARED_BYTES // 4}, a quarter of "
            "a block's shared memory"
        )
    return Block(threads, threads * size, threads * observation // 4, threads * game.num_actions // 4)


@inlined
def load_words(block: int, t: int, count: int, threads: int, source: Any, offset: int, staged: Any) -> None:
    """Thread t of a block brings its share of the block's words, `count` in all, into shared memory."""
    for k in range(t, count, threads):
        staged[offset + k] = source[block * count + k]


@inlined
def store_words(block: int, t: int, count: int, threads: int, staged: Any, offset: int, target: Any) -> None:
    """The reverse of `load_words`."""
    for k in range(t, count, threads):
        target[block * count + k] = staged[offset + k]


def make_staged(game: Game, block: Block, stays: Any, show: Any) -> Any:
    """What a kernel calls that shows what n games show, (observations, masks, n, args); it has `block.shared` bytes.

    observations, masks: uint32, by words. Each thread has one game of a block, and where there are fewer blocks than games
    want, those of further ones. stays(i, args): whether what game i shows may stay as it is, or is read. show(i, t, begin, end,
    seen, allowed, args): fills entry t of the observations and masks of games begin to end - 1. Both `inlined`.
    """
    threads, observation_words, mask_words = block.threads, block.observation_words, block.mask_words
    shape, mask_shape = (threads, *game.observation_shape), (threads, game.num_actions)
    element = getattr(types, np.dtype(game.observation_dtype).name)
    numbers, before_masks = int(np.prod(shape)), 4 * observation_words
    behind_masks = before_masks + 4 * mask_words

    @inlined
    def staged(observations, masks, n, args):
        t = cuda.threadIdx.x
        words = cuda.shared.array(0, types.uint32)
        for number in range(cuda.blockIdx.x, (n + threads - 1) // threads, cuda.gridDim.x):
            begin = number * threads
            end = min(begin + threads, n)
            i = begin + t
            if cuda.syncthreads_or(np.int32(1 if i >= end or stays(i, args) else 0)):
                load_words(number, t, observation_words, threads, observations, 0, words)
                load_words(number, t, mask_words, threads, masks, observation_words, words)
                cuda.syncthreads()
            if i < end:
                seen = cuda.shared.array(0, element)[:numbers].reshape(shape)
                allowed = cuda.shared.array(0, types.int8)[before_masks:behind_masks].reshape(mask_shape)
                show(i, t, begin, end, seen, allowed, args)
            cuda.syncthreads()
            store_words(number, t, observation_words, threads, words, 0, observations)
            store_words(number, t, mask_words, threads, words, observation_words, masks)
            cuda.syncthreads()  # before the next games are staged

    return staged


@inlined
def rows_of(rows: Rows, begin: int, end: int) -> Rows:
    """The games of a block."""
    return Rows(
        rows.positions[begin:end],
        rows.rngs[begin:end],
        rows.plies[begin:end],
        rows.endings[begin:end],
        rows.keys[begin:end],
        rows.num_keys[begin:end],
    )


@inlined
def views_of(seen: Any, allowed: Any, shown: Any, begin: int, end: int) -> Views:
    """What the games of a block show. shown: rewards, done and to_play, of all games."""
    rewards, done, to_play = shown
    return Views(seen, allowed, rewards[begin:end], done[begin:end], to_play[begin:end])


class Kernels(NamedTuple):
    """Those of a game, to be launched with `block.threads` threads, of `block.shared` bytes the first two.

    Their arguments are arrays, not tuples of them, of which a launch by Numba takes ten times as long.

    step(rows ..., actions, observations, masks, shown ...), see `views_of`. restart(rows ..., where, starts, low, high,
    observations, masks, shown ..., first): `first`, int64 (1,), is lowered to the first game whose start was over at once.
    check(actions, endings, masks, first): lowered to the first game whose action is illegal. seed(rngs, where, seed).
    forget(rows ...): the keys that no repetition can count.
    """

    block: Block
    step: Any
    restart: Any
    check: Any
    seed: Any
    forget: Any


def make_kernels(game: Game) -> Kernels:
    """The kernels of a game; they are compiled when they are first launched. Raises UnsupportedGameError: see `block_of`."""
    token, most, block = game.token, game.max_choices, block_of(game)

    @inlined
    def is_over(i, args):
        return args[0].endings[i] != NOT_OVER

    @inlined
    def show_step(i, t, begin, end, seen, allowed, args):
        rows, actions, shown = args
        legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
        views = views_of(seen, allowed, shown, begin, end)
        rw.step_row(token, rows_of(rows, begin, end), t, np.int64(actions[i]), views, legal, probabilities)

    @inlined
    def goes_on(i, args):
        return not args[1][i]

    @inlined
    def show_restart(i, t, begin, end, seen, allowed, args):
        rows, where, starts, low, high, shown, first = args
        views = views_of(seen, allowed, shown, begin, end)
        if where[i]:
            legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
            rw.restart_row(token, rows_of(rows, begin, end), t, starts, low, high, views, legal, probabilities)
            if rows.endings[i] != NOT_OVER:
                cuda.atomic.min(first, 0, i)
        for seat in range(views.rewards.shape[1]):
            views.rewards[t, seat] = 0.0

    stepped, restarted = make_staged(game, block, is_over, show_step), make_staged(game, block, goes_on, show_restart)

    def step(
        positions, rngs, plies, endings, keys, num_keys, actions, observations, masks, rewards, done, to_play
    ):  # fmt: skip
        rows, shown = Rows(positions, rngs, plies, endings, keys, num_keys), (rewards, done, to_play)
        stepped(observations, masks, endings.shape[0], (rows, actions, shown))

    def restart(
        positions, rngs, plies, endings, keys, num_keys, where, starts, low, high,
        observations, masks, rewards, done, to_play, first
    ):  # fmt: skip
        rows, shown = Rows(positions, rngs, plies, endings, keys, num_keys), (rewards, done, to_play)
        restarted(observations, masks, endings.shape[0], (rows, where, starts, low, high, shown, first))

    def check(actions, endings, masks, first):
        i = cuda.grid(1)
        if i < endings.shape[0] and rw.is_illegal(i, np.int64(actions[i]), endings, masks):
            cuda.atomic.min(first, 0, i)

    def seed(rngs, where, start):
        """As `core.random.stream(start, i)`."""
        i = cuda.grid(1)
        if i < rngs.shape[0] and where[i]:
            rngs[i] = mix(branch(start[0], i))

    def forget(positions, rngs, plies, endings, keys, num_keys):
        i = cuda.grid(1)
        if i < endings.shape[0]:
            rw.drop_old_keys_of(token, Rows(positions, rngs, plies, endings, keys, num_keys), i)

    return Kernels(block, *(card_kernel(function) for function in (step, restart, check, seed, forget)))
