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


class Kernels(NamedTuple):
    """Those of a game, to be launched with `block.threads` threads, of `block.shared` bytes the first two.

    step(rows ..., actions, views ...). restart(rows ..., where, starts, low, high, views ..., first): `first`, int64 (1,), is
    lowered to the first game whose start was over at once. check(actions, endings, masks, first): lowered to the first game
    whose action is illegal. seed(rngs, where, seed). forget(rows ...): the keys that no repetition can count.
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
    threads, observation_words, mask_words = block.threads, block.observation_words, block.mask_words
    shape, mask_shape = (threads, *game.observation_shape), (threads, game.num_actions)
    element = getattr(types, np.dtype(game.observation_dtype).name)
    numbers, before_masks = int(np.prod(shape)), 4 * observation_words
    behind_masks = before_masks + 4 * mask_words

    def step(positions, rngs, plies, endings, keys, num_keys, actions, observations, masks, rewards, done, to_play):
        number, t = cuda.blockIdx.x, cuda.threadIdx.x
        begin = number * threads
        end = min(begin + threads, endings.shape[0])
        i = begin + t
        staged = cuda.shared.array(0, types.uint32)
        if cuda.syncthreads_or(
            np.int32(1 if i >= end or endings[i] != NOT_OVER else 0)
        ):  # what a game shows that is over stays
            load_words(number, t, observation_words, threads, observations, 0, staged)
            load_words(number, t, mask_words, threads, masks, observation_words, staged)
            cuda.syncthreads()
        if i < end:
            views = Views(
                cuda.shared.array(0, element)[:numbers].reshape(shape),
                cuda.shared.array(0, types.int8)[before_masks:behind_masks].reshape(mask_shape),
                rewards[begin:end],
                done[begin:end],
                to_play[begin:end],
            )
            rows = Rows(
                positions[begin:end],
                rngs[begin:end],
                plies[begin:end],
                endings[begin:end],
                keys[begin:end],
                num_keys[begin:end],
            )
            legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
            rw.step_row(token, rows, t, np.int64(actions[i]), views, legal, probabilities)
        cuda.syncthreads()
        store_words(number, t, observation_words, threads, staged, 0, observations)
        store_words(number, t, mask_words, threads, staged, observation_words, masks)

    def restart(
        positions, rngs, plies, endings, keys, num_keys, where, starts, low, high,
        observations, masks, rewards, done, to_play, first
    ):  # fmt: skip
        number, t = cuda.blockIdx.x, cuda.threadIdx.x
        begin = number * threads
        end = min(begin + threads, endings.shape[0])
        i = begin + t
        staged = cuda.shared.array(0, types.uint32)
        if cuda.syncthreads_or(np.int32(1 if i >= end or not where[i] else 0)):
            load_words(number, t, observation_words, threads, observations, 0, staged)
            load_words(number, t, mask_words, threads, masks, observation_words, staged)
            cuda.syncthreads()
        if i < end:
            if where[i]:
                views = Views(
                    cuda.shared.array(0, element)[:numbers].reshape(shape),
                    cuda.shared.array(0, types.int8)[before_masks:behind_masks].reshape(mask_shape),
                    rewards[begin:end],
                    done[begin:end],
                    to_play[begin:end],
                )
                rows = Rows(
                    positions[begin:end], rngs[begin:end], plies[begin:end], endings[begin:end], keys[begin:end],
                    num_keys[begin:end]
                )  # fmt: skip
                legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
                rw.restart_row(token, rows, t, starts, low, high, views, legal, probabilities)
                if endings[i] != NOT_OVER:
                    cuda.atomic.min(first, 0, i)
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = 0.0
        cuda.syncthreads()
        store_words(number, t, observation_words, threads, staged, 0, observations)
        store_words(number, t, mask_words, threads, staged, observation_words, masks)

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
