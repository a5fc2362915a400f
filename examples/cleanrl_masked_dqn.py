"""Masked double DQN in one file, top to bottom, in the manner of CleanRL, on the native vector environment.

Three things differ from DQN without masks: the greedy action is the best legal one, and exploration draws among the legal
ones; the target's argmax runs over the actions that are legal in the next position, whose mask is stored with it; and the
step in which a board begins its next game (the NEXT_STEP mode of Gymnasium, the default) is no transition and is not stored.

With these settings on Connect Four, two cores, one thread: score rate against random, 512 games, 0.793 [0.756, 0.826] before
(greedy play of a network that has learnt nothing, which prefers some columns) and 0.971 [0.953, 0.982] after (95 % intervals;
one seed); 90 s.
torch 2.13.0, gymnasium 1.4.0, numpy 2.4.6.
Run: python examples/cleanrl_masked_dqn.py --steps 1000000
"""

import copy
import time
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch
import tyro
from rich.console import Console
from rich.progress import track
from torch import nn

import boardgym  # noqa: F401  (registers the environments)
from boardgym.baselines import rate_interval


@dataclass
class Args:
    """What to train, for how long, and the settings of DQN."""

    game: str = "ConnectFour-v0"
    """id of the game"""
    opponent: str = "random"
    """spec string of the opponent in training; the score is always against random"""
    steps: int = 1_000_000
    """plies of the learner, over all boards"""
    eval_games: int = 512
    """games of each score rate"""
    seed: int = 1
    """of all draws"""
    num_envs: int = 128
    """boards played at once"""
    buffer: int = 100_000
    """transitions that are kept, the oldest are overwritten"""
    learning_starts: int = 5_000
    """transitions before the first gradient step"""
    gradient_steps: int = 2
    """for each step of all boards"""
    batch: int = 512
    """transitions of a gradient step"""
    target_every: int = 200
    """gradient steps between copies of the network into the target network"""
    learning_rate: float = 1e-3
    """of Adam at the start; falls linearly to 0"""
    gamma: float = 0.99
    """discount per ply of the learner"""
    epsilon_end: float = 0.05
    """probability of a random legal action; falls linearly from 1 over the first `epsilon_part` of the steps"""
    epsilon_part: float = 0.3
    """see epsilon_end"""
    hidden: int = 128
    """units of each of the two hidden layers"""
    threads: int = 1
    """of torch"""


class QNetwork(nn.Module):
    """Two hidden layers. Observations are small integers, (batch, *shape); one value for each action."""

    def __init__(self, inputs: int, num_actions: int, hidden: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, num_actions)
        )

    def forward(self, observation: np.ndarray, mask: np.ndarray | None = None) -> torch.Tensor:
        """(batch, num_actions); where a mask is given, minus infinity for the illegal ones."""
        values = self.layers(torch.from_numpy(observation).flatten(1).float())
        return values if mask is None else values.masked_fill(torch.from_numpy(mask) == 0, -torch.inf)


class Replay:
    """A ring of transitions in NumPy arrays, in the environment's own small integer types."""

    def __init__(self, capacity: int, observation: np.ndarray, mask: np.ndarray) -> None:
        one, legal = observation.shape[1:], mask.shape[1:]
        self.observation, self.following = (np.zeros((capacity, *one), observation.dtype) for _ in range(2))
        self.following_mask = np.zeros((capacity, *legal), mask.dtype)
        self.action = np.zeros(capacity, np.int64)
        self.reward, self.is_terminal = (np.zeros(capacity, np.float32) for _ in range(2))
        self.capacity, self.next, self.size = capacity, 0, 0

    def add(self, *columns: np.ndarray) -> None:
        """observation, action, reward, following, following_mask, is_terminal, each with one row a transition."""
        count = len(columns[0])
        where = (self.next + np.arange(count)) % self.capacity
        names = ("observation", "action", "reward", "following", "following_mask", "is_terminal")
        for name, column in zip(names, columns, strict=True):
            getattr(self, name)[where] = column
        self.next, self.size = (self.next + count) % self.capacity, min(self.size + count, self.capacity)


def score_rate(network: QNetwork, args: Args) -> float:
    """(wins + draws / 2) / games against random play, as many games on each board: short ones must not count more often."""
    boards = min(args.eval_games, 64)
    envs = gym.make_vec(f"boardgym/{args.game}", num_envs=boards, opponent="random", seat="random")
    observation, info = envs.reset(seed=args.seed + 1_000_000)
    quota = args.eval_games // boards + (np.arange(boards) < args.eval_games % boards)
    played, points = np.zeros(boards, int), 0.0
    while (played < quota).any():
        with torch.no_grad():
            action = network(observation, info["action_mask"]).argmax(-1)
        observation, _reward, terminated, truncated, info = envs.step(action.numpy())
        over = (terminated | truncated) & (played < quota)
        points += (0.5 + 0.5 * info["outcome"][over]).sum()
        played += over
    return points / args.eval_games


if __name__ == "__main__":
    args = tyro.cli(Args)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = np.random.default_rng(args.seed)

    envs = gym.make_vec(f"boardgym/{args.game}", num_envs=args.num_envs, opponent=args.opponent, seat="random")
    inputs, num_actions = int(np.prod(envs.single_observation_space.shape)), int(envs.single_action_space.n)
    network = QNetwork(inputs, num_actions, args.hidden)
    target_network = copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate)
    before = score_rate(network, args)

    observation, info = envs.reset(seed=args.seed)
    replay = Replay(args.buffer, observation, info["action_mask"])
    num_steps, gradient_steps = max(1, args.steps // args.num_envs), 0
    started, busy = time.perf_counter(), time.process_time()
    for step in track(range(num_steps), "training", console=Console(stderr=True)):
        epsilon = max(args.epsilon_end, 1 - step / (args.epsilon_part * num_steps))
        with torch.no_grad():
            action = network(observation, info["action_mask"]).argmax(-1).numpy()
        # the largest of one uniform number for each legal action is a uniformly random legal action
        stray = (rng.random(info["action_mask"].shape) * info["action_mask"]).argmax(-1)
        action = np.where(rng.random(args.num_envs) < epsilon, stray, action)

        following, reward, terminated, _truncated, next_info = envs.step(action)
        kept = ~next_info["is_reset"]
        mask = next_info["action_mask"]
        replay.add(observation[kept], action[kept], reward[kept], following[kept], mask[kept], terminated[kept])
        observation, info = following, next_info
        if replay.size < args.learning_starts:
            continue

        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - step / num_steps)
        for _ in range(args.gradient_steps):
            rows = rng.integers(replay.size, size=args.batch)
            with torch.no_grad():  # double DQN: one network chooses the next action, the other one values it
                best = network(replay.following[rows], replay.following_mask[rows]).argmax(-1, keepdim=True)
                following_value = target_network(replay.following[rows]).gather(-1, best).squeeze(-1)
                goes_on = 1 - torch.from_numpy(replay.is_terminal[rows])
                target = torch.from_numpy(replay.reward[rows]) + args.gamma * goes_on * following_value
            value = network(replay.observation[rows]).gather(-1, torch.from_numpy(replay.action[rows])[:, None]).squeeze(-1)
            loss = nn.functional.smooth_l1_loss(value, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            gradient_steps += 1
            if gradient_steps % args.target_every == 0:
                target_network.load_state_dict(network.state_dict())

    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    steps = num_steps * args.num_envs
    after = score_rate(network, args)
    rates = [rate_interval(rate, args.eval_games) for rate in (before, after)]
    print(f"DQN on {args.game}: score rate against random, {args.eval_games} games: {rates[0]} before, {rates[1]} after")
    print(f"{steps:,} steps in {seconds:.1f} s ({busy:.1f} s of CPU time); torch {torch.__version__}")
