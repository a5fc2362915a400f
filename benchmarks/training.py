"""Training: MaskablePPO's frames a second on `SB3VecEnv`, on the usual route, and on an environment that costs nothing.

64 boards, 128 steps each a rollout, 4 epochs, one torch thread; `MlpPolicy` as SB3 makes it. A frame is one step of one
board. The usual route: PettingZoo's Connect Four made single-agent (`benchmarks.peers.SingleAgent`) in a `DummyVecEnv`.
"""

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from benchmarks.measure import Effort, Figure, Row, Work, figure, if_installed, rates
from benchmarks.peers import SingleAgent

GAME = "ConnectFour-v0"
BOARDS, STEPS, EPOCHS = 64, 128, 4
LARGE_BATCH, DEFAULT_BATCH = 1024, 64
QUICK_BOARDS, QUICK_STEPS = 2, 8
WANTED_RATIO = 4.0
WANTED_SHARE = 10.0  # per cent, of the training time
WANTED_SHARE_OF = "minimax:2"


@contextmanager
def one_thread() -> Iterator[None]:
    """Lets torch use one thread for a while."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def sizes(effort: Effort) -> tuple[int, int]:
    """Boards, and steps of each in a rollout."""
    return (QUICK_BOARDS, QUICK_STEPS) if effort.is_quick else (BOARDS, STEPS)


def rollout(effort: Effort) -> int:
    """Frames of one rollout, the least that can be trained on."""
    boards, steps = sizes(effort)
    return boards * steps


def agent(env: Any, effort: Effort, batch_size: int) -> Any:
    """An untrained MaskablePPO."""
    from sb3_contrib import MaskablePPO

    boards, steps = sizes(effort)
    return MaskablePPO(
        "MlpPolicy", env, n_steps=steps, batch_size=min(batch_size, boards * steps), n_epochs=EPOCHS, seed=1, device="cpu"
    )


def frames(env: Any, effort: Effort, batch_size: int) -> Work:
    """Training: rollouts and updates."""
    model = agent(env, effort, batch_size)

    def work(n: int) -> int:
        before = model.num_timesteps
        model.learn(n, reset_num_timesteps=False)
        return model.num_timesteps - before

    return work


def ours(effort: Effort, opponent: str) -> Any:
    from boardgym.wrappers.sb3 import SB3VecEnv

    return SB3VecEnv(GAME, sizes(effort)[0], seed=1, opponent=opponent)


def usual(effort: Effort) -> Any:
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([SingleAgent] * sizes(effort)[0])


def costless(effort: Effort) -> Any:
    """An environment of the same spaces that gives the same arrays at each step: what no environment can beat."""
    from boardgym.wrappers.sb3 import SB3VecEnv

    class Costless(SB3VecEnv):
        def reset(self) -> Any:
            self.given = super().reset(), np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, bool)
            self.masks = list(np.ones((self.num_envs, int(self.action_space.n)), bool))
            return self.given[0]

        def step_async(self, actions: Any) -> None:
            pass

        def step_wait(self) -> Any:
            return *self.given, [{}] * self.num_envs

        def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
            return self.masks if method_name == "action_masks" else super().env_method(method_name, *args, **kwargs)

    return Costless(GAME, sizes(effort)[0], seed=1)


def train_row(effort: Effort, name: str, batch_size: int, wanted: float | None) -> Row:
    """Against the usual route, and in the notes what a costless environment gives."""
    with one_thread():
        subjects = [
            ("SB3VecEnv", frames(ours(effort, "random"), effort, batch_size)),
            ("costless", frames(costless(effort), effort, batch_size)),
        ]
        if theirs := if_installed(lambda: frames(usual(effort), effort, batch_size)):
            subjects.append(("PettingZoo in DummyVecEnv", theirs))
        mine, bound, *others = rates(subjects, effort, first=rollout(effort))
    return Row(
        name,
        f"MaskablePPO, Connect Four, {BOARDS} boards, opponent random, batch {batch_size:,}",
        "frames/s",
        mine,
        others[0] if others else None,
        at_least_ratio=wanted,
        absent=None if others else "PettingZoo",
        notes={"a costless environment": bound.value, "rollout": STEPS, "epochs": EPOCHS},
    )


def bound_row(effort: Effort, name: str, opponent: str) -> Row:
    """Against a costless environment."""
    with one_thread():
        subjects = [
            (f"SB3VecEnv, {opponent}", frames(ours(effort, opponent), effort, LARGE_BATCH)),
            ("costless environment", frames(costless(effort), effort, LARGE_BATCH)),
        ]
        figures = rates(subjects, effort, first=rollout(effort))
    title = f"MaskablePPO, Connect Four, {BOARDS} boards, opponent {opponent}, batch {LARGE_BATCH:,}"
    return Row(name, title, "frames/s", *figures)


def share_row(effort: Effort, name: str, opponent: str) -> Row:
    """Per cent of the training time that `step` and `action_masks` take."""
    with one_thread():
        env = ours(effort, opponent)
        model, spent = agent(env, effort, LARGE_BATCH), [0.0, 0.0]
        env.step, env.env_method = watched(env.step, spent), watched(env.env_method, spent)
        start = time.process_time()
        model.learn(rollout(effort))
        warm_up_s, shares = time.process_time() - start, []
        for _ in range(effort.repeats):
            spent[:], cpu, wall = (0.0, 0.0), time.process_time(), time.perf_counter()
            model.learn(rollout(effort), reset_num_timesteps=False)
            took = time.process_time() - cpu, time.perf_counter() - wall
            shares.append([100.0 * part / whole for part, whole in zip(spent, took, strict=True)])
    found: Figure = figure("SB3VecEnv", *zip(*shares, strict=True), warm_up_s=warm_up_s)
    title = f"MaskablePPO, Connect Four, {BOARDS} boards, opponent {opponent}: time in step and action_masks"
    return Row(name, title, "%", found, at_most=WANTED_SHARE if opponent == WANTED_SHARE_OF else None)


def watched(call: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """The same call, which adds its processor and wall seconds to `spent`."""

    def timed(*args: Any, **kwargs: Any) -> Any:
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            return call(*args, **kwargs)
        finally:
            spent[0] += time.process_time() - cpu
            spent[1] += time.perf_counter() - wall

    return timed


ROWS: dict[str, Callable[[Effort], Row]] = {
    "train": functools.partial(train_row, name="train", batch_size=LARGE_BATCH, wanted=WANTED_RATIO),
    "train_default": functools.partial(train_row, name="train_default", batch_size=DEFAULT_BATCH, wanted=None),
    "train_bound": functools.partial(bound_row, name="train_bound", opponent="random"),
    "train_minimax": functools.partial(bound_row, name="train_minimax", opponent="minimax:2"),
    "share": functools.partial(share_row, name="share", opponent="random"),
    "share_minimax": functools.partial(share_row, name="share_minimax", opponent="minimax:2"),
}
