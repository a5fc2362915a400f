"""Steps a second of `BatchBoard(device="cuda")` on one card, beside Pgx where that is installed with a JAX for the card.

`python -m benchmarks.gpu [GAME ...] [--boards N ...] [--steps N] [--player SPEC] [--opponent SPEC]`. A step is an action of a
player, `random` if none is named, on every board, the step with observation and mask, and new games where one has ended: by
calls of `act`, `step` and `reset`, and by `play`, many plies in a launch. Pgx does the same with random actions in one compiled
scan. Below the table: the plies a second of random playouts from the start, by `random_playouts`, those of Othello beside the
figure of g2flip, the fastest CUDA program for it known to us. Wants a card and the extra `gpu`. It has not been run on a card
yet.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import boardgym
from benchmarks.peer_pgx import NAMES, choose_by_category
from boardgym.baselines import random_playouts
from boardgym.baselines.search.random_playouts import MOST_AT_ONCE
from boardgym.compile.card import load_cuda
from boardgym.envs.batch import Batch

BOARDS = (4096, 65_536, 1_048_576)
PLAYED_OUT = 2048  # boards, each as often as goes into one launch
G2FLIP = "g2flip on a GTX 1080: 6500 to 7700"  # million moves a second of random full games of Othello
ROUNDS = 3  # the best counts: what else the machine does makes others longer


def best_rate(play: Callable[[], object], plies: int) -> float:
    """Plies a second of the fastest of some rounds, after one that compiles and is not counted."""
    play()
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        play()
        best = min(best, time.perf_counter() - started)
    return plies / best


def ours(name: str, n: int, steps: int, player: str) -> tuple[float, float]:
    """Our steps a second of a player by spec: by calls a ply, and by `play`."""
    cuda = load_cuda()
    boards = boardgym.BatchBoard(name, n, seed=1, device="cuda")

    def play() -> None:
        for _ in range(steps):
            boards.step(boards.act(player))
            boards.reset(boards.done)
        cuda.synchronize()

    return best_rate(play, n * steps), best_rate(lambda: boards.play(player, steps), n * steps)


def against(name: str, n: int, steps: int, opponent: str) -> float:
    """Our steps a second of a learner that plays the first legal action, each with the opponent's reply."""
    import torch

    cuda = load_cuda()
    batch = Batch(name, n, opponent=opponent, seat="random", device="cuda")
    batch.seed(range(n))
    batch.restart(batch.everywhere)
    masks = torch.as_tensor(batch.masks, device="cuda")

    def play() -> None:
        for _ in range(steps):
            batch.restart(batch.step(masks.argmax(1)))
        cuda.synchronize()

    return best_rate(play, n * steps)


def of_pgx(name: str, n: int, steps: int) -> float:
    """Those of Pgx. Raises ModuleNotFoundError where it is not installed."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(NAMES[name.partition("-")[0]])
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def scan(states: Any, key: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            states, key = carry
            key, drawn, rolled = jax.random.split(key, 3)
            states = step(states, choose_by_category(jax, drawn, states.legal_action_mask), jax.random.split(rolled, n))
            return (states, key), states.observation.sum()

        return jax.lax.scan(one, (states, key), None, length=steps)

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
    return best_rate(lambda: jax.block_until_ready(scan(states, jax.random.PRNGKey(1))), n * steps)


def of_playouts(name: str) -> float:
    """Plies a second of random playouts from the start, with the time that it takes to bring their results back."""
    boards, count = boardgym.BatchBoard(name, PLAYED_OUT, seed=1, device="cuda"), MOST_AT_ONCE // PLAYED_OUT
    plies = int(np.sum(random_playouts(boards, count, seed=1).plies))

    def play() -> None:
        random_playouts(boards, count, seed=1)

    return best_rate(play, plies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=boardgym.list_games())
    parser.add_argument("--boards", type=int, nargs="+", default=BOARDS)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--player", default="random", help="who plays our boards: random, greedy, ntuple:FILE ...")
    parser.add_argument(
        "--opponent", help="in place of the boards: steps of Batch against greedy, ntuple:FILE ...; wants PyTorch"
    )
    settings = parser.parse_args()
    print(f"{'game':>20} {'boards':>9} {'million steps/s':>15}" + ("" if settings.opponent else f" {'play':>9} {'Pgx':>9}"))
    for name in settings.games:
        for n in settings.boards:
            if settings.opponent:
                print(f"{name:>20} {n:>9} {against(name, n, settings.steps, settings.opponent) / 1e6:>15.2f}", flush=True)
                continue
            by_steps, by_play = ours(name, n, settings.steps, settings.player)
            row = f"{name:>20} {n:>9} {by_steps / 1e6:>15.2f} {by_play / 1e6:>9.2f}"
            try:
                peer = f"{of_pgx(name, n, settings.steps) / 1e6:>9.2f}"
            except (KeyError, ModuleNotFoundError):
                peer = f"{'-':>9}"
            print(row, peer, flush=True)
    print(f"\n{'game':>20} {'million plies/s of random playouts':>35}")
    for name in settings.games:
        beside = f"  ({G2FLIP})" if name.startswith("Othello") else ""
        print(f"{name:>20} {of_playouts(name) / 1e6:>35.2f}{beside}", flush=True)


if __name__ == "__main__":
    main()
