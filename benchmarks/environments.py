"""Environments: the AEC loop beside PettingZoo's own Connect Four, and the native batch step."""

import functools
import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import boardgym
from benchmarks.measure import Effort, Row, Work, rates
from boardgym.core.game import Game
from boardgym.envs.batch import Batch

GAME = "ConnectFour-v0"
OF_EVERY_COUNT = 720_720  # divisible by most counts of legal actions, so that none is preferred
NUM_ENVS = 1024


def aec_loop(env: Any) -> Work:
    """The loop that users write, random legal actions read off the mask; counts plies."""
    numbers = random.Random(1).choices(range(OF_EVERY_COUNT), k=4096)

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


def aec(effort: Effort) -> Row:
    from pettingzoo.classic.connect_four import connect_four

    subjects = [("boardgym.make", aec_loop(boardgym.make(GAME))), ("pettingzoo env()", aec_loop(connect_four.env()))]
    ours, peer = rates(subjects, effort)
    return Row("aec", "AEC loop, Connect Four", "plies/s", ours, peer, at_least_ratio=12.0)


def aec_raw(effort: Effort) -> Row:
    from pettingzoo.classic.connect_four import connect_four

    subjects = [("boardgym.make", aec_loop(boardgym.make(GAME))), ("pettingzoo raw_env", aec_loop(connect_four.raw_env()))]
    ours, peer = rates(subjects, effort)
    return Row("aec_raw", "AEC loop, Connect Four, unwrapped peer", "plies/s", ours, peer)


def aec_alone(effort: Effort, name: str, game_id: str) -> Row:
    (ours,) = rates([("boardgym.make", aec_loop(boardgym.make(game_id)))], effort)
    return Row(name, f"AEC loop, {boardgym.get_game(game_id).title}", "plies/s", ours)


def gym_loop(env: Any) -> Work:
    """The loop of one learner, random legal actions read off the mask; counts the learner's steps."""
    numbers = random.Random(1).choices(range(OF_EVERY_COUNT), k=4096)
    _observation, info = env.reset(seed=1)

    def work(n: int) -> int:
        nonlocal info
        for k in range(n):
            legal = info["action_mask"].nonzero()[0]
            _observation, _reward, terminated, _truncated, info = env.step(int(legal[numbers[k & 4095] % len(legal)]))
            if terminated:
                _observation, info = env.reset()
        return n

    return work


def gym_alone(effort: Effort, name: str, game_id: str, opponent: str) -> Row:
    """Of the unwrapped environment: Gymnasium's wrappers take a time of their own."""
    env = gymnasium.make(f"boardgym/{game_id}", opponent=opponent).unwrapped
    (ours,) = rates([("gymnasium.make", gym_loop(env))], effort)
    return Row(name, f"gym.step, {boardgym.get_game(game_id).title}, opponent {opponent}", "steps/s", ours)


def batch_loop(opponent: str, game: str | Game = GAME) -> Work:
    """Native steps of a learner that takes the first legal action; games that end begin anew. Counts the learner's plies."""
    batch = Batch(game, NUM_ENVS, opponent=opponent, seat="random", setup="random:0-4")
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
            steps += NUM_ENVS
        return steps

    return work


def batch_random(effort: Effort, name: str, game: Game) -> Row:
    (ours,) = rates([("Batch", batch_loop("random", game))], effort)
    title = f"native batch of {NUM_ENVS}, {game.title}, opponent random"
    return Row(name, title, "steps/s", ours)


def batch_mixture(effort: Effort) -> Row:
    opponent = "mix(0.15*random, 0.4*epsilon:0.1(greedy), 0.15*greedy, 0.2*epsilon:0.2(minimax:2), 0.1*uct:50)"
    (ours,) = rates([("Batch", batch_loop(opponent))], effort)
    title = f"native batch of {NUM_ENVS}, Connect Four, mixture"
    return Row("batch_mixture", title, "steps/s", ours, notes={"opponent": opponent})


def rows() -> dict[str, Callable[[Effort], Row]]:
    """The rows with peers, and for each game those without."""
    found: dict[str, Callable[[Effort], Row]] = {"aec": aec, "aec_raw": aec_raw, "batch_mixture": batch_mixture}
    for opponent in ("random", "minimax:2"):
        name = f"gym_{opponent.partition(':')[0]}"
        found[name] = functools.partial(gym_alone, name=name, game_id=GAME, opponent=opponent)
    for game_id in boardgym.list_games():
        game = boardgym.get_game(game_id)
        if game_id != GAME:
            name = f"aec_{game.module_name}"
            found[name] = functools.partial(aec_alone, name=name, game_id=game_id)
        name = f"batch_{game.module_name}"
        found[name] = functools.partial(batch_random, name=name, game=game)
    return found


ROWS = rows()
