"""Pgx on one core: boards stepped by a compiled JAX function, finished games begun anew by its own `auto_reset`.

What is timed gives Pgx its best: sixteen plies in one compiled call, the state's memory reused, and a choice of a legal
action by one uniform number and a running count, which is up to twice as fast as `jax.random.categorical` over the mask.
The step computes observation and mask itself. Jax runs in this process, on the one core that it is pinned to.
"""

import os
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Work

NAMES = {
    "ConnectFour": "connect_four",
    "Othello": "othello",
    "TicTacToe": "tic_tac_toe",
    "Backgammon": "backgammon",
}  # in Backgammon, as with us, a ply plays one die
PLIES = 16  # in one compiled call
RECORDED = 128  # plies that are replayed to time the step without the choice
ONE_CORE = {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}


def start() -> tuple[Any, Any]:
    """The modules jax and pgx, told to use one core. Raises ModuleNotFoundError."""
    for name, value in ONE_CORE.items():
        os.environ.setdefault(name, value)
    import jax
    import pgx

    return jax, pgx


def choose_by_count(jax: Any, key: Any, mask: Any) -> Any:
    """A legal action of each board: the k-th, k drawn below their number."""
    counts = jax.numpy.cumsum(mask.astype("int32"), axis=-1)
    drawn = jax.random.uniform(key, (mask.shape[0], 1))
    k = (drawn * counts[:, -1:]).astype("int32")
    return jax.numpy.sum(counts <= k, axis=-1).astype("int32")


def choose_by_category(jax: Any, key: Any, mask: Any) -> Any:
    """The choice as Pgx's own examples make it."""
    return jax.random.categorical(key, jax.numpy.where(mask, 0.0, -jax.numpy.inf), axis=-1)


def stepper(game: str, boards: int) -> tuple[Any, Any, Any, Any]:
    """jax, the first states, the step (states, actions, key), and its key."""
    jax, pgx = start()
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(NAMES[game])
    step = jax.vmap(auto_reset(env.step, env.init))
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), boards))
    return jax, states, lambda state, actions, key: step(state, actions, jax.random.split(key, boards)), jax.random.PRNGKey(1)


def pgx_random(game: str, boards: int, choose: Callable[[Any, Any, Any], Any] = choose_by_count) -> Work:
    """Random legal plies on all boards."""
    jax, states, step, key = stepper(game, boards)

    def ply(carry: Any) -> Any:
        state, key = carry
        key, for_choice, for_step = jax.random.split(key, 3)
        return step(state, choose(jax, for_choice, state.legal_action_mask), for_step), key

    plies = jax.jit(lambda state, key: jax.lax.fori_loop(0, PLIES, lambda _, carry: ply(carry), (state, key)), donate_argnums=0)
    held = [states, key]

    def work(n: int) -> int:
        done = 0
        while done < n:
            held[:] = plies(*held)
            jax.block_until_ready(held[0])
            done += PLIES * boards
        return done

    return work


def pgx_step(game: str, boards: int) -> Work:
    """The step alone: plies that were chosen before are played again, from the same states with the same keys."""
    jax, states, step, key = stepper(game, boards)

    def ply(carry: Any, actions: Any) -> tuple[Any, Any]:
        state, key = carry
        key, for_choice, for_step = jax.random.split(key, 3)
        if actions is None:
            actions = choose_by_count(jax, for_choice, state.legal_action_mask)
        return (step(state, actions, for_step), key), actions

    record = jax.jit(lambda *carry: jax.lax.scan(ply, carry, None, RECORDED))
    (states, key), _ = record(states, key)  # boards come to stand all over their games
    _, recorded = record(states, key)
    replay = jax.jit(lambda carry, actions: jax.lax.scan(ply, carry, actions)[0])

    def work(n: int) -> int:
        done = 0
        while done < n:
            jax.block_until_ready(replay((states, key), recorded))
            done += RECORDED * boards
        return done

    return work


def pgx_bytes(game: str, boards: int) -> int:
    """Bytes of that many states, as one batch."""
    jax, pgx = start()
    states = jax.vmap(pgx.make(NAMES[game]).init)(jax.random.split(jax.random.PRNGKey(0), boards))
    return sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(states))
