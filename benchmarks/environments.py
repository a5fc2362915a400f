"""Environments: the AEC loop beside PettingZoo's own Connect Four, and the native batch step."""

import random
import warnings
from typing import Any

import numpy as np

import boardgym
from benchmarks.measure import Effort, Row, Work, rates
from boardgym.envs.vector import Batch

GAME = "ConnectFour-v0"
NUM_ENVS = 1024


def aec_loop(env: Any) -> Work:
    """The loop that users write, random legal actions read off the mask; counts plies."""
    numbers = random.Random(1).choices(range(5040), k=4096)  # 5040: divisible by every count of legal columns

    def work(n: int) -> int:
        plies = 0
        while plies < n:
            env.reset()
            for _agent in env.agent_iter():
                observation, _reward, terminated, truncated, _info = env.last()
                action = None
                if not (terminated or truncated):
                    legal = observation["action_mask"].nonzero()[0]
                    action = int(legal[numbers[plies & 4095] % len(legal)])
                    plies += 1
                env.step(action)
        return plies

    return work


def peer_module() -> Any:
    """PettingZoo's Connect Four in its documented manner, which it has begun to replace: hence a warning on import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.classic import connect_four_v3
    return connect_four_v3


def aec(effort: Effort) -> Row:
    subjects = [("boardgym.make", aec_loop(boardgym.make(GAME))), ("pettingzoo env()", aec_loop(peer_module().env()))]
    ours, peer = rates(subjects, effort)
    return Row("aec", "AEC loop, Connect Four", "plies/s", ours, peer, at_least_ratio=12.0)


def aec_raw(effort: Effort) -> Row:
    subjects = [("boardgym.make", aec_loop(boardgym.make(GAME))), ("pettingzoo raw_env", aec_loop(peer_module().raw_env()))]
    ours, peer = rates(subjects, effort)
    return Row("aec_raw", "AEC loop, Connect Four, unwrapped peer", "plies/s", ours, peer)


def batch_loop(opponent: str) -> Work:
    """Native steps of a learner that takes the first legal action; games that end begin anew. Counts the learner's plies."""
    batch = Batch(GAME, NUM_ENVS, opponent=opponent, seat="random", setup="random:0-4")
    batch.seed(list(range(NUM_ENVS)))
    batch.restart(batch.everywhere)
    actions = np.empty(NUM_ENVS, np.int64)

    def work(n: int) -> int:
        steps = 0
        while steps < n:
            np.argmax(batch.masks, axis=1, out=actions)
            over = batch.step(actions)
            if over.any():
                batch.restart(over)
            batch.observe()
            steps += NUM_ENVS
        return steps

    return work


def batch_random(effort: Effort) -> Row:
    (ours,) = rates([("Batch", batch_loop("random"))], effort)
    return Row("batch_random", f"native batch of {NUM_ENVS}, Connect Four, opponent random", "steps/s", ours)


def batch_mixture(effort: Effort) -> Row:
    opponent = "mix(0.15*random, 0.4*epsilon:0.1(greedy), 0.15*greedy, 0.2*epsilon:0.2(minimax:2), 0.1*uct:50)"
    (ours,) = rates([("Batch", batch_loop(opponent))], effort)
    title = f"native batch of {NUM_ENVS}, Connect Four, mixture"
    return Row("batch_mixture", title, "steps/s", ours, notes={"opponent": opponent})


ROWS = {"aec": aec, "aec_raw": aec_raw, "batch_random": batch_random, "batch_mixture": batch_mixture}
