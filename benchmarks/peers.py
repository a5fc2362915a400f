"""What users of other libraries write today: PettingZoo's Connect Four for one learner, OpenSpiel's vector environment."""

import random
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from benchmarks.measure import Work

LEARNER = "player_0"
SPIEL_NAMES = {"ConnectFour": "connect_four", "Othello": "othello"}


class SingleAgent(gym.Env):  # type: ignore[type-arg]
    """PettingZoo's Connect Four for one learner, player_0; the other agent plays random legal actions.

    Observation: the planes of PettingZoo's dictionary. `action_masks` gives the mask, as MaskablePPO asks for it.
    """

    def __init__(self) -> None:
        from pettingzoo.classic.connect_four import connect_four

        self.env = connect_four.env()
        self.env.reset()
        space: Any = self.env.observation_space(LEARNER)
        planes = space["observation"]
        self.observation_space = Box(planes.low, planes.high, planes.shape, planes.dtype)
        self.action_space = Discrete(int(self.env.action_space(LEARNER).n))
        self.rng = random.Random()
        self.mask: NDArray[Any] = np.ones(int(self.env.action_space(LEARNER).n), np.int8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins a game, up to the learner's first ply."""
        super().reset(seed=seed)
        if seed is not None:
            self.rng = random.Random(seed)
        self.env.reset(seed=seed)
        return self.until_learner()[0], {}

    def until_learner(self) -> tuple[NDArray[Any], float, bool]:
        """Lets the other agent reply. Returns the learner's planes, its reward, and whether the game is over."""
        while True:
            observation, reward, terminated, truncated, _info = self.env.last()
            over = terminated or truncated
            if self.env.agent_selection == LEARNER:
                self.mask = observation["action_mask"]
                return observation["observation"], float(reward), over
            legal = observation["action_mask"].nonzero()[0]
            self.env.step(None if over else int(self.rng.choice(legal)))

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """The learner's ply and the reply."""
        self.env.step(int(action))
        planes, reward, over = self.until_learner()
        return planes, reward, over, False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (7,)."""
        return self.mask.astype(bool)


def spiel_vector_plies(game: str, boards: int) -> Work:
    """Random legal plies of both sides in OpenSpiel's `SyncVectorEnv`; its lists are left as they are."""
    import pyspiel
    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    theirs, draw = pyspiel.load_game(SPIEL_NAMES[game]), random.Random(1).random
    kind = rl_environment.ObservationType.OBSERVATION
    env = SyncVectorEnv([rl_environment.Environment(theirs, observation_type=kind) for _ in range(boards)])
    held = [env.reset()]

    def work(n: int) -> int:
        done = 0
        while done < n:
            outputs = []
            for time_step in held[0]:
                seen = time_step.observations
                legal = seen["legal_actions"][seen["current_player"]]
                outputs.append(StepOutput(legal[int(draw() * len(legal))], None))
            held[0], _rewards, _done, _unreset = env.step(outputs, reset_if_done=True)
            done += boards
        return done

    return work


def masked_steps(env: Any, boards: int) -> Work:
    """Random legal steps in an SB3 vector environment, with its masks asked for as MaskablePPO does."""
    choose = chooser(boards)
    env.reset()

    def work(n: int) -> int:
        done = 0
        while done < n:
            env.step(choose(np.stack(env.env_method("action_masks"))))
            done += boards
        return done

    return work


def chooser(boards: int) -> Callable[[NDArray[Any]], NDArray[np.int64]]:
    """A function that draws one legal action of each mask, (boards, num_actions), evenly."""
    draw = np.random.default_rng(1).random

    def choose(masks: NDArray[Any]) -> NDArray[np.int64]:
        counts = masks.cumsum(axis=1)
        return (counts <= (draw((boards, 1)) * counts[:, -1:]).astype(np.int64)).sum(axis=1)

    return choose
