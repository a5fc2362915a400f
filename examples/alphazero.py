"""AlphaZero in one file, top to bottom: learns a game from its rules alone, by search over its own games.

Each iteration plays games with a tree search that asks a network for a policy and a value, keeps what the search found, and
teaches it to the network (D. Silver et al., "A general reinforcement learning algorithm", Science 362, 2018). The search is
that of I. Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022: where AlphaZero's own root needs many more
simulations than there are actions before its visits are better than the network's policy, this one improves on it, in
expectation, with any number. A CPU affords few. All games are searched at once: trees are arrays [games, nodes, actions], a
simulation adds a node to each, and one call of the network evaluates them all ("batched leaves").

Games of two seats without dice or deals: TicTacToe, ConnectFour, Othello, NineMensMorris, Abalone, your own. What it reaches on
a CPU, and how long that takes, is in docs/alphazero.md; a GPU (`--device cuda`) was not measured.
"""

import argparse
import dataclasses
import functools
import json
import math
import sys
import time
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
import tyro
from msgspec import Meta
from torch import nn
from torch.nn import functional as F

from boardgym import BatchBoard
from boardgym.baselines import compare
from boardgym.baselines.array_files import ArrayFiles, Arrays
from boardgym.baselines.learning.curve import draw_curve
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import read_data
from boardgym.core.errors import BoardgymError, OptionError, UnsupportedGameError
from boardgym.core.files import write_aside
from boardgym.core.game import Game, get_game, read_options
from boardgym.core.policy import BatchPolicy
from boardgym.core.random import uniform

EXAMPLES = """examples:
  python examples/alphazero.py --game TicTacToe --iterations 20 --out runs/tic_tac_toe
  python examples/alphazero.py --option width=5 height=5 --out runs/small_board
  python examples/alphazero.py --game Othello --preset full --device cuda --out runs/othello

After Ctrl-C the same command goes on from the last iteration."""

LEARNT = ("observations", "masks", "policies", "values")  # of a position
ILLEGAL = -1e9  # logit of an illegal action; not -inf, which times 0 is no number
# What values add to the logits is (MAX_VISITS + most visits of an action) * value_scale * value: sigma of the paper, with its
# c_visit and c_scale. A c_scale for values that go from 0 to 1 is twice as large as one for values from -1 to 1: 0.4, not 0.2.
MAX_VISITS = 50
Count = Annotated[int, Meta(ge=1, le=10**6)]


@dataclasses.dataclass
class Args:
    """What to train, for how long, and with what. A preset gives the other settings; what you set yourself counts."""

    preset: Literal["small", "full"] = "small"  # small: for one core of a CPU, minutes. full: the size for a GPU, hours
    game: str = "ConnectFour-v0"  # id of the game
    option: tuple[str, ...] = ()  # rule options, as width=5
    iterations: Count = 60  # rounds of playing and learning; a run may be given more later
    games: Count = 128  # games of an iteration, all played at once
    setup: str = "random:0-2"  # where they start: after some random plies
    simulations: Count = 24  # of each search
    considered: Count = 8  # actions that the search tries at its root, at most
    value_scale: Annotated[float, Meta(ge=0, le=100)] = 0.2  # weight of values in [-1, 1] beside the policy; see MAX_VISITS
    channels: Annotated[int, Meta(ge=1, le=4096)] = 32  # of the network's convolutions
    blocks: Annotated[int, Meta(ge=0, le=200)] = 2  # residual blocks of two convolutions
    buffer: Annotated[int, Meta(ge=1, le=10**8)] = 30_000  # latest positions that are learnt from
    reuse: Annotated[float, Meta(ge=0.01, le=1000)] = 4.0  # how often a position is learnt from, in the mean
    batch: Count = 256  # positions of a gradient step
    learning_rate: Annotated[float, Meta(ge=1e-9, le=1)] = 2e-3  # of AdamW
    opponents: tuple[str, ...] = ("random", "uct:100", "minimax:2")  # of the curve
    every: Count = 10  # iterations from one point of the curve to the next
    eval_games: Annotated[int, Meta(ge=0, le=10**6)] = 40  # against each opponent, half from each seat; 0: no curve
    seed: Annotated[int, Meta(ge=0, le=2**62)] = 1  # of all draws: on a CPU the same seed gives the same agent
    device: str = "cpu"  # of torch: cpu or cuda
    out: Path = Path("runs/alphazero")  # folder: agent.safetensors, curve.jsonl, curve.png, checkpoint.safetensors


PRESETS = {
    "small": Args(),
    "full": Args(
        preset="full", iterations=400, games=1024, simulations=64, considered=16, channels=128, blocks=8,
        buffer=1_000_000, batch=2048, learning_rate=1e-3, eval_games=100,
    ),
}  # fmt: skip
MAY_CHANGE = ("preset", "iterations", "opponents", "every", "eval_games", "device", "out")  # of a run that goes on


@dataclasses.dataclass
class Counts:
    """What a run has done; with scores, a point of the curve."""

    iteration: Annotated[int, Meta(ge=0)] = 0
    games: Annotated[int, Meta(ge=0)] = 0
    positions: Annotated[int, Meta(ge=0)] = 0
    seconds: Annotated[float, Meta(ge=0, le=1e12)] = 0.0  # of CPU time, those of the curve left out
    scores: dict[str, Annotated[float, Meta(ge=0, le=1)]] = dataclasses.field(default_factory=dict)  # against each opponent
    eval_games: Annotated[int, Meta(ge=0)] = 0  # that each of them is over


# safetensors files with digests, whose reading runs nothing
AGENTS = ArrayFiles("alphazero-agent", 1, "an agent of this program", OptionError, lambda path: "train it again")
CHECKPOINTS = ArrayFiles("alphazero-run", 1, "a checkpoint", OptionError, lambda path: "delete it to begin anew")


class Network(nn.Module):
    """A residual tower with two heads. Before it has learnt it gives all actions the same logit, and every position 0."""

    def __init__(self, game: Game, channels: int, blocks: int) -> None:
        super().__init__()
        torch.set_num_threads(1)  # on the CPU: sums that threads share differ in their last bits with the number of threads
        shape = game.observation_shape  # (height, width, planes), or without a board any other
        self.shape = shape if len(shape) == 3 else (1, 1, math.prod(shape))
        height, width, planes = self.shape
        self.stem = nn.Conv2d(planes, channels, 3, padding=1)
        self.tower = nn.ModuleList(
            nn.Sequential(*(nn.Conv2d(channels, channels, 3, padding=1) if i % 2 == 0 else nn.ReLU() for i in range(3)))
            for _ in range(blocks)
        )
        self.policy = nn.Sequential(
            nn.Conv2d(channels, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * height * width, game.num_actions)
        )
        self.value = nn.Sequential(
            nn.Conv2d(channels, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * height * width, 64), nn.ReLU(), nn.Linear(64, 1)
        )
        for layer in (self.policy[-1], self.value[-1], *(block[-1] for block in self.tower)):
            nn.init.zeros_(layer.weight)  # the tower starts as the identity, the heads as knowing nothing
            nn.init.zeros_(layer.bias)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (k, num_actions), about -1e9 where the mask is 0, and values (k,) for the seat to play."""
        x = F.relu(self.stem(observations.reshape(-1, *self.shape).permute(0, 3, 1, 2).float()))
        for block in self.tower:
            x = F.relu(x + block(x))
        logits = self.policy(x).masked_fill(masks == 0, ILLEGAL)
        return logits.log_softmax(-1), self.value(x).squeeze(-1).tanh()


def evaluate(network: Network, boards: BatchBoard) -> tuple[np.ndarray, np.ndarray]:
    """What the network says of each board, in one call: log-probabilities (k, num_actions), values (k,), 0 after the end."""
    device = network.stem.weight.device
    with torch.inference_mode():
        arrays = (torch.from_numpy(array.copy()).to(device) for array in (boards.observation, boards.mask))
        logits, values = (answer.cpu().double().numpy() for answer in network(*arrays))
    return logits, np.where(boards.done, 0.0, values)


class Trees:
    """A tree for each of G games, all grown together; node 0 is the root, simulation number s adds node s.

    Values are in [-1, 1] for the seat to play at the node. Arrays [games, nodes] and [games, nodes, actions].
    """

    def __init__(self, network: Network, boards: BatchBoard, simulations: int, value_scale: float) -> None:
        self.network, self.value_scale = network, value_scale
        games, nodes, actions = len(boards), simulations + 1, boards.game.num_actions
        self.nodes, self.games = nodes, np.arange(games)
        self.boards = boards.take(np.repeat(self.games, nodes))  # a board for each node, in one batch
        self.reward_scale = 1.0 / boards.game.max_return
        shape = (games, nodes, actions)
        self.logits, self.totals = np.zeros((2, *shape))  # totals: sums of values of actions, for the seat that plays them
        self.visits, self.child = np.zeros((2, *shape), np.int64)  # child: its node, 0 where there is none yet
        self.legal = np.zeros(shape, bool)
        self.raw = np.zeros((games, nodes))  # the network's value
        self.over = np.zeros((games, nodes), bool)
        self.seat, self.parent, self.action = np.zeros((3, games, nodes), np.int64)  # who is to play; how the node is reached
        self.reward, self.sign = np.zeros((2, games, nodes))  # what that pays who does it; -1 where the other seat is next
        self.write(self.games, 0, boards)

    def write(self, games: np.ndarray, node: int, boards: BatchBoard) -> None:
        """Notes what the network says of new nodes, one in each of these games."""
        self.logits[games, node], self.raw[games, node] = evaluate(self.network, boards)
        self.legal[games, node], self.over[games, node] = boards.mask == 1, boards.done
        self.seat[games, node] = boards.to_play

    def scores(self, games: np.ndarray, node: np.ndarray) -> np.ndarray:
        """The logits + sigma(completed q), (k, actions), whose softmax is the improved policy.

        Actions without a visit count as the mixed value of the paper's appendix D: a mean of the network's value and of the q
        of the others, weighted by the policy.
        """
        visits, policy = self.visits[games, node], np.exp(self.logits[games, node])
        q = self.totals[games, node] / np.maximum(visits, 1)
        known = np.where(visits > 0, policy, 0.0)
        mean = (known * q).sum(-1) / np.maximum(known.sum(-1), 1e-12)
        count = visits.sum(-1)
        mixed = (self.raw[games, node] + count * mean) / (1 + count)
        completed = np.where(visits > 0, q, mixed[:, None])
        return self.logits[games, node] + (MAX_VISITS + visits.max(-1, keepdims=True)) * self.value_scale * completed

    def choose_within(self, games: np.ndarray, node: np.ndarray) -> np.ndarray:
        """The action whose share of the visits is furthest below the improved policy: no noise within the tree."""
        visits = self.visits[games, node]
        missing = softmax(self.scores(games, node)) - visits / (1 + visits.sum(-1, keepdims=True))
        return np.where(self.legal[games, node], missing, -np.inf).argmax(-1)

    def simulate(self, number: int, first: np.ndarray) -> None:
        """One simulation in each game, from the action `first` (games,) at the root. Raises UnsupportedGameError."""
        games, active = self.games, self.games  # active: those still on their way
        node, action = np.zeros(len(games), np.int64), first.copy()
        while True:  # down: all games together, until each has left its tree or come to the end of a game
            below = self.child[active, node[active], action[active]]
            deeper = (below > 0) & ~self.over[active, below]
            active, below = active[deeper], below[deeper]
            if not len(active):
                break
            node[active], action[active] = below, self.choose_within(active, below)

        new = np.flatnonzero(self.child[games, node, action] == 0)  # elsewhere a known end is counted once more
        if len(new):
            leaves = self.boards.take(new * self.nodes + node[new])
            mover = self.seat[new, node[new]]
            leaves.step(action[new])
            if (np.abs(leaves.rewards.sum(-1)) > 1e-9).any():
                raise UnsupportedGameError(f"{leaves.game.id}: this search is for games whose rewards sum to 0")
            self.boards.put(new * self.nodes + number, leaves)
            self.write(new, number, leaves)
            self.child[new, node[new], action[new]] = number
            self.parent[new, number], self.action[new, number] = node[new], action[new]
            self.reward[new, number] = leaves.rewards[np.arange(len(new)), mover] * self.reward_scale
            self.sign[new, number] = np.where(leaves.to_play == mover, 1.0, -1.0)  # a seat may play twice in a row

        active, node = games, self.child[games, node, action]  # the nodes that were reached
        value = self.raw[games, node]
        while len(active):  # up: the value for the seat that chose each action
            here = node[active]
            value[active] = self.reward[active, here] + self.sign[active, here] * value[active]
            parent, chosen = self.parent[active, here], self.action[active, here]
            self.visits[active, parent, chosen] += 1
            self.totals[active, parent, chosen] += value[active]
            node[active] = parent
            active = active[parent > 0]


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def halving(actions: int, simulations: int) -> list[int]:
    """Sequential halving: how many visits the action has that simulation 0, 1, ... goes to, if so many actions are tried."""
    visits, sequence, left = [0] * actions, [], actions
    rounds = max(1, math.ceil(math.log2(actions)))
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            sequence += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2) if actions > 1 else 1
    return sequence[:simulations]


def search(
    network: Network, boards: BatchBoard, args: Args, gumbel: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Searches all boards at once; none may be over.

    gumbel: noise (games, num_actions), which makes the choice a draw; 0.0 for the best action.

    Returns (actions (games,), improved policies (games, num_actions), visits of the root's actions (games, num_actions)).
    """
    trees = Trees(network, boards, args.simulations, args.value_scale)
    root = np.zeros(len(boards), np.int64)
    legal = trees.legal[:, 0]
    tried = np.minimum(legal.sum(-1), min(args.considered, args.simulations))
    plans = np.array([halving(max(1, count), args.simulations) for count in range(tried.max() + 1)])
    for simulation in range(args.simulations):
        is_due = trees.visits[:, 0] == plans[tried, simulation][:, None]
        scores = np.where(legal & is_due, gumbel + trees.scores(trees.games, root), -np.inf)
        trees.simulate(simulation + 1, scores.argmax(-1))
    scores, visits = trees.scores(trees.games, root), trees.visits[:, 0]
    most = legal & (visits == visits.max(-1, keepdims=True))  # what the last round has left
    actions = np.where(most, gumbel + scores, -np.inf).argmax(-1)
    return actions, np.where(legal, softmax(scores), 0.0), visits


def self_play(network: Network, game: Game, args: Args, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Plays `args.games` games to their ends, or to a draw after the game's max_plies; the batch shrinks as they end.

    Returns all positions: observations, masks, policies (of the search) and values, what the seat to play got from there on.
    """
    boards = BatchBoard(game, args.games, setup=args.setup, seed=int(rng.integers(2**63)))
    games, paid = np.arange(args.games), np.zeros((args.games, game.num_seats))
    found: dict[str, list[np.ndarray]] = {name: [] for name in (*LEARNT[:3], "games", "seats", "before")}
    while len(games):
        actions, policies, _ = search(network, boards, args, rng.gumbel(size=boards.mask.shape))
        before, policies = paid[games, boards.to_play], policies.astype(np.float32)
        kept = (boards.observation, boards.mask, policies, games, boards.to_play, before)
        for name, array in zip(found, kept, strict=True):
            found[name].append(array.copy())
        boards.step(actions)
        paid[games] += boards.rewards
        going = np.flatnonzero(~boards.done & (boards.ply < game.max_plies))
        games = games[going]
        if 0 < len(going) < len(boards):
            boards = boards.take(going)
    data = {name: np.concatenate(arrays) for name, arrays in found.items()}
    values = (paid[data.pop("games"), data.pop("seats")] - data.pop("before")) / game.max_return
    return {**data, "values": values.astype(np.float32)}


class Player(BatchPolicy):
    """The agent as a policy: search with its network. `compare`, environments and your own code may ask it."""

    spec = "alphazero"

    def __init__(self, network: Network, game: Game, args: Args, *, seed: int | None = None) -> None:
        super().__init__(game, seed=seed)
        self.network, self.args = network, args

    def act_batch(self, observations, masks, rows, history, rng, *, deterministic=False):  # type: ignore[no-untyped-def]
        """As `BatchPolicy.act_batch`: all boards are searched at once, with the repetitions that their histories bring."""
        boards = BatchBoard(self.game, len(rows), seed=0)
        boards.set_positions(rows, history=history, check=False)
        gumbel = np.zeros(masks.shape)
        if not deterministic:
            for i in range(len(rows)):  # from each board's own stream
                gumbel[i] = np.random.default_rng(int(uniform(rng[i : i + 1]) * 2**53)).gumbel(size=masks.shape[1])
        return search(self.network, boards, self.args, gumbel)[0]


def load_player(path: Path | str, *, simulations: int | None = None, device: str = "cpu") -> Player:
    """The player of an agent.safetensors. simulations: other than in training. Raises BoardgymError, FileNotFoundError."""
    arrays, header = AGENTS.read(path := Path(path), {})
    args = read_data(header.get("args"), Args, OptionError, f"the settings of an agent in {path}")
    args = dataclasses.replace(args, device=device, simulations=args.simulations if simulations is None else simulations)
    check(args)
    with torch.device("meta"):  # shapes alone: the memory is that of the file, whatever its header says
        network = Network(game_of(args), args.channels, args.blocks)
    network.load_state_dict(read_like(AGENTS, path, arrays, "", network.state_dict()), assign=True)
    return Player(network.to(device), game_of(args), args)


def read_like(files: ArrayFiles, path: Path, arrays: Arrays, prefix: str, like: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Tensors of a file, by names without the prefix. Raises OptionError unless they have the shapes of those in `like`."""
    shapes = {name: tuple(tensor.shape) for name, tensor in like.items()}
    return {n: torch.from_numpy(files.array_of(path, arrays, prefix + n, np.float32, shapes[n])) for n in like}


def game_of(args: Args) -> Game:
    """The game. Raises UnsupportedGameError for games that this search does not play, and what `get_game` raises."""
    game = get_game(args.game, **read_options(args.option))
    if game.num_seats != 2 or game.num_outcomes:
        raise UnsupportedGameError(f"{game.id}: this search is for games of two seats without dice or deals")
    return game


def settings_of(args: Args) -> dict[str, Any]:
    """The settings as files keep them: without `out`, a place on this machine."""
    return {name: value for name, value in dataclasses.asdict(args).items() if name != "out"}


def check(args: Args) -> None:
    """Raises OptionError for settings of another type or out of their range, and a device that torch does not have here."""
    for name, value in settings_of(args).items():
        read_data({name: value}, Args, OptionError, f"another value than {name}={value!r}")
    try:
        torch.zeros(1, device=args.device).item()
    except (RuntimeError, AssertionError) as error:
        raise OptionError(f"device={args.device!r}: torch cannot use it here: {str(error).splitlines()[0]}") from error


class Training:
    """A run: network, optimiser, buffer and curve, kept in a folder after each iteration."""

    def __init__(self, args: Args) -> None:
        check(args)
        self.game = game_of(args)
        options = tuple(f"{name}={value}" for name, value in sorted(self.game.options.items()))
        self.args = args = dataclasses.replace(args, game=self.game.id, option=options)  # one spelling, so that runs compare
        torch.manual_seed(args.seed)
        self.network = Network(self.game, args.channels, args.blocks).to(args.device)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=args.learning_rate, weight_decay=1e-4)
        self.counts = Counts()
        self.data: dict[str, np.ndarray] = {}
        self.curve: list[Counts] = []

    def step(self) -> None:
        """An iteration. Its draws depend on the seed and its number alone, so that a run may end and go on between any two."""
        begun, counts, size = time.process_time(), self.counts, self.args.buffer
        rng = np.random.default_rng([self.args.seed, counts.iteration])
        new = self_play(self.network, self.game, self.args, rng)
        self.data = {name: np.concatenate([self.data.get(name, new[name][:0]), new[name]])[-size:] for name in new}
        self.learn(math.ceil(len(new["values"]) * self.args.reuse / self.args.batch), rng)
        counts.iteration += 1
        counts.games += self.args.games
        counts.positions += len(new["values"])
        counts.seconds += time.process_time() - begun

    def learn(self, steps: int, rng: np.random.Generator) -> None:
        """Gradient steps on positions drawn from the buffer, each under a random symmetry of the board."""
        data, boards = self.data, BatchBoard(self.game, 1, seed=0)
        for _ in range(steps):
            rows = rng.integers(len(data["values"]), size=self.args.batch)
            symmetries = rng.integers(self.game.num_symmetries, size=self.args.batch)
            observations, policies = boards.augment(data["observations"][rows], data["policies"][rows], symmetries)
            _, masks = boards.augment(data["observations"][rows], data["masks"][rows], symmetries)
            arrays = (observations, masks, policies, data["values"][rows])
            seen, legal, target, outcome = (torch.from_numpy(array).to(self.args.device) for array in arrays)
            logits, values = self.network(seen, legal)
            loss = F.mse_loss(values, outcome) - (target * logits).sum(-1).mean()
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
            self.optimizer.step()

    def measure(self) -> None:
        """A point of the curve: score rates from held-out openings, the same at every point."""
        args, game = self.args, self.game
        player = Player(self.network, game, args, seed=args.seed)
        table = compare(player, game, args.opponents, games=args.eval_games, seed=args.seed, progress=False)
        scores = {row.opponent: round(row.score.value, 4) for row in table.rows}
        self.curve.append(dataclasses.replace(self.counts, scores=scores, eval_games=args.eval_games))
        lines = [json.dumps(dataclasses.asdict(point)) for point in self.curve]
        print(lines[-1], flush=True)
        self.args.out.mkdir(parents=True, exist_ok=True)
        write_aside(self.args.out / "curve.jsonl", "".join(f"{line}\n" for line in lines).encode())

    def save(self) -> None:
        """Writes agent and checkpoint, each whole or not at all. The checkpoint comes last: a kill before it loses nothing."""
        weights = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        AGENTS.write(self.args.out / "agent.safetensors", weights, {"args": settings_of(self.args)})
        arrays = {f"network/{name}": array for name, array in weights.items()}
        arrays |= {f"data/{name}": array for name, array in self.data.items()}
        for i, state in self.optimizer.state_dict()["state"].items():
            arrays |= {f"adam/{i}/{name}": tensor.cpu().numpy() for name, tensor in state.items()}
        curve = [dataclasses.asdict(point) for point in self.curve]
        header = {"args": settings_of(self.args), "counts": dataclasses.asdict(self.counts), "curve": curve}
        CHECKPOINTS.write(self.args.out / "checkpoint.safetensors", arrays, header)

    def resume(self) -> None:
        """Goes on from the folder's checkpoint, if there is one. Raises OptionError for one of other settings, or damaged."""
        path = self.args.out / "checkpoint.safetensors"
        if not path.exists():
            return
        arrays, header = CHECKPOINTS.read(path, {})
        what = f"the header of a checkpoint in {path}"
        args = read_data(header.get("args"), Args, OptionError, what)
        self.counts = read_data(header.get("counts"), Counts, OptionError, what)
        self.curve = read_data(header.get("curve"), list[Counts], OptionError, what)
        mine = settings_of(self.args)
        if differ := [name for name in mine if name not in MAY_CHANGE and getattr(args, name) != mine[name]]:
            raise OptionError(f"{self.args.out} holds a run with another {', '.join(differ)}; give another --out")
        stored = functools.partial(read_like, CHECKPOINTS, path, arrays)
        self.network.load_state_dict(stored("network/", self.network.state_dict()))
        moments = [{"step": torch.zeros(()), "exp_avg": p, "exp_avg_sq": p} for p in self.network.parameters()]
        state = {i: stored(f"adam/{i}/", like) for i, like in enumerate(moments)}
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": state})
        n, actions = min(self.args.buffer, self.counts.positions), self.game.num_actions
        shapes = ((n, *self.game.observation_shape), (n, actions), (n, actions), (n,))
        dtypes = (self.game.observation_dtype, np.int8, np.float32, np.float32)
        for name, dtype, shape in zip(LEARNT, dtypes, shapes, strict=True):
            self.data[name] = CHECKPOINTS.array_of(path, arrays, f"data/{name}", dtype, shape)


def train(args: Args) -> Training:
    """A run from its start or its checkpoint to `args.iterations`."""
    run = Training(args)
    run.resume()
    with ProgressBar(args.iterations, "training") as bar:
        if args.eval_games and not run.curve:
            run.measure()
        for number in range(run.counts.iteration + 1, args.iterations + 1):
            bar.show(number - 1)
            run.step()
            if args.eval_games and (number % args.every == 0 or number == args.iterations):
                run.measure()
            run.save()
    if points := [(point.positions, point.scores) for point in run.curve if point.eval_games == args.eval_games]:
        title = f"{run.game.title}, {args.simulations} simulations a move, seed {args.seed}"
        draw_curve(args.out / "curve.png", title, points, args.eval_games)
    return run


def main(arguments: list[str]) -> None:
    """Reads the command line; the preset, wherever it stands, gives what the other options do not."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--preset", choices=PRESETS, default="small")
    preset = PRESETS[first.parse_known_args(arguments)[0].preset]
    args = tyro.cli(Args, args=arguments, default=preset, description=f"{__doc__}\n{EXAMPLES}")
    try:
        counts = train(args).counts
        print(f"{counts.games} games, {counts.seconds:.0f} s of CPU time; {args.out / 'agent.safetensors'}")
    except KeyboardInterrupt:
        raise SystemExit(f"stopped; the same command goes on from the last iteration in {args.out}") from None
    except (BoardgymError, OSError) as error:
        raise SystemExit(f"error: {error}") from None
    except (MemoryError, RuntimeError) as error:  # of a CPU's memory torch says so in any RuntimeError's text
        if not isinstance(error, MemoryError | torch.OutOfMemoryError) and "can't allocate memory" not in str(error):
            raise
        raise SystemExit("error: not enough memory; give less --games, --simulations, --channels or --buffer") from None


if __name__ == "__main__":
    main(sys.argv[1:])
