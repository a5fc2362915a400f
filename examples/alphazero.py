"""AlphaZero in one file, top to bottom: learns a game from its rules alone, by search over its own games.

Each iteration plays games with a tree search that asks a network for a policy and a value, keeps what the search found, and
teaches it to the network (D. Silver et al., "A general reinforcement learning algorithm", Science 362, 2018). The search is
that of I. Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022: where AlphaZero's own root needs many more
simulations than there are actions before its visits are better than the network's policy, this one improves on it, in
expectation, with any number. A processor affords few. All games are searched at once: trees are arrays [games, nodes,
actions], a simulation adds a node to each, and one call of the network evaluates them all ("batched leaves").

Games of two seats without dice or deals: TicTacToe, ConnectFour, Othello, NineMensMorris, Abalone, your own. What it reaches on
a processor, and how long that takes, is in docs/alphazero.md; a card (`--device cuda`) was not measured.
"""

import argparse
import dataclasses
import io
import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
import tyro
from rich.console import Console
from rich.progress import track
from torch import nn
from torch.nn import functional as F

from boardgym import BatchBoard
from boardgym.baselines import compare
from boardgym.baselines.array_files import ArrayFiles
from boardgym.core.errors import BoardgymError, OptionError, UnsupportedGameError
from boardgym.core.files import write_aside
from boardgym.core.game import Game, get_game, read_options
from boardgym.core.policy import BatchPolicy
from boardgym.core.random import uniform

EXAMPLES = """examples:
  python examples/alphazero.py --game TicTacToe --iterations 20
  python examples/alphazero.py --option width=5 height=5 --out runs/small_board
  python examples/alphazero.py --game Othello --preset full --device cuda

After Ctrl-C the same command goes on from the last iteration."""

LEARNT = ("observations", "masks", "policies", "values")  # of a position
ILLEGAL = -1e9  # logit of an illegal action; not -inf, which times 0 is no number
MAX_VISITS = 50  # c_visit of the paper


@dataclass
class Args:
    """What to train, for how long, and with what. A preset gives the other settings; what you set yourself counts."""

    preset: Literal["small", "full"] = "small"  # small: for one core of a processor, minutes. full: the size for a card, hours
    game: str = "ConnectFour-v0"  # id of the game
    option: tuple[str, ...] = ()  # rule options, as width=5
    iterations: int = 60  # rounds of playing and learning; a run may be given more later
    games: int = 128  # games of an iteration, all played at once
    setup: str = "random:0-2"  # where they start: after some random plies
    simulations: int = 24  # of each search
    considered: int = 8  # actions that the search tries at its root, at most
    value_scale: float = 0.2  # how much values count beside the policy: c_scale of the paper, for values in [-1, 1]
    channels: int = 32  # of the network's convolutions
    blocks: int = 2  # residual blocks of two convolutions
    buffer: int = 30_000  # latest positions that are learnt from
    reuse: float = 4.0  # how often a position is learnt from, in the mean
    batch: int = 256  # positions of a gradient step
    learning_rate: float = 2e-3  # of AdamW
    opponents: tuple[str, ...] = ("random", "uct:100", "minimax:2")  # of the curve
    every: int = 10  # iterations from one point of the curve to the next
    eval_games: int = 40  # against each opponent, half of them from each seat; 0: no curve
    seed: int = 1  # of all draws: the same seed gives the same agent
    device: str = "cpu"  # of torch: cpu or cuda
    threads: int = 1  # of torch
    out: Path = Path("runs/alphazero")  # folder: agent.safetensors, curve.jsonl, curve.png, checkpoint.safetensors


PRESETS = {
    "small": Args(),
    "full": Args(
        preset="full", iterations=400, games=1024, simulations=64, considered=16, channels=128, blocks=8,
        buffer=1_000_000, batch=2048, learning_rate=1e-3, eval_games=100,
    ),
}  # fmt: skip
MAY_CHANGE = ("iterations", "out", "device", "threads")  # of a run that goes on

# safetensors files with digests, whose reading runs nothing
AGENTS = ArrayFiles("alphazero-agent", 1, "an agent of this program", OptionError, lambda path: "train it again")
CHECKPOINTS = ArrayFiles(
    "alphazero-run", 1, "a checkpoint of this program", OptionError, lambda path: "delete it to begin anew"
)


class Network(nn.Module):
    """A residual tower with two heads. Before it has learnt it gives all actions the same logit, and every position 0."""

    def __init__(self, game: Game, channels: int, blocks: int) -> None:
        super().__init__()
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
        logits, values = (answer.double().cpu().numpy() for answer in network(*arrays))
    return logits, np.where(boards.done, 0.0, values)


# ---------------------------------------------------------------- search


class Trees:
    """A tree for each of G games, all grown together; node 0 is the root, simulation number s adds node s.

    Values are in [-1, 1] for the seat to play at the node. Arrays [games, nodes] and [games, nodes, actions].
    """

    def __init__(self, network: Network, boards: BatchBoard, simulations: int, value_scale: float) -> None:
        self.network, self.value_scale = network, value_scale
        games, nodes, actions = len(boards), simulations + 1, boards.game.num_actions
        self.nodes, self.games = nodes, np.arange(games)
        self.boards = boards.take(np.repeat(self.games, nodes))  # a board for each node, in one batch
        self.pay_scale = 1.0 / boards.game.max_return
        self.logits = np.zeros((games, nodes, actions))
        self.legal = np.zeros((games, nodes, actions), bool)
        self.visits = np.zeros((games, nodes, actions), np.int64)
        self.totals = np.zeros((games, nodes, actions))  # sums of values of actions, for the seat that plays them
        self.child = np.zeros((games, nodes, actions), np.int64)  # 0: none yet
        self.raw = np.zeros((games, nodes))  # the network's value
        self.over = np.zeros((games, nodes), bool)
        self.seat = np.zeros((games, nodes), np.int64)
        self.parent, self.action = np.zeros((2, games, nodes), np.int64)  # how a node is reached
        self.reward, self.sign = np.zeros((2, games, nodes))  # what that pays who does it; -1 where the other seat is next
        self.write(self.games, 0, boards)

    def write(self, g: np.ndarray, node: int, boards: BatchBoard) -> None:
        """Notes what the network says of new nodes, one in each of the games g."""
        self.logits[g, node], self.raw[g, node] = evaluate(self.network, boards)
        self.legal[g, node], self.over[g, node], self.seat[g, node] = boards.mask == 1, boards.done, boards.to_play

    def scores(self, g: np.ndarray, node: np.ndarray) -> np.ndarray:
        """The logits + sigma(completed q), (k, actions), whose softmax is the improved policy.

        Actions without a visit count as the mixed value of the paper's appendix D: a mean of the network's value and of the q
        of the others, weighted by the policy.
        """
        visits, policy = self.visits[g, node], np.exp(self.logits[g, node])
        q = self.totals[g, node] / np.maximum(visits, 1)
        known = np.where(visits > 0, policy, 0.0)
        mean = (known * q).sum(-1) / np.maximum(known.sum(-1), 1e-12)
        count = visits.sum(-1)
        mixed = (self.raw[g, node] + count * mean) / (1 + count)
        completed = np.where(visits > 0, q, mixed[:, None])
        return self.logits[g, node] + (MAX_VISITS + visits.max(-1, keepdims=True)) * self.value_scale * completed

    def choose_within(self, g: np.ndarray, node: np.ndarray) -> np.ndarray:
        """The action whose share of the visits is furthest below the improved policy: no noise within the tree."""
        visits = self.visits[g, node]
        lack = softmax(self.scores(g, node)) - visits / (1 + visits.sum(-1, keepdims=True))
        return np.where(self.legal[g, node], lack, -np.inf).argmax(-1)

    def simulate(self, number: int, first: np.ndarray) -> None:
        """One simulation in each game, from the action `first` (games,) at the root."""
        games, g = self.games, self.games
        node, action = np.zeros(len(games), np.int64), first.copy()
        while True:  # down: all games together, until each has left its tree or come to the end of a game
            below = self.child[g, node[g], action[g]]
            deeper = (below > 0) & ~self.over[g, below]
            g, below = g[deeper], below[deeper]
            if not len(g):
                break
            node[g], action[g] = below, self.choose_within(g, below)

        new = np.flatnonzero(self.child[games, node, action] == 0)  # elsewhere a known end is counted once more
        if len(new):
            leaves = self.boards.take(new * self.nodes + node[new])
            mover = self.seat[new, node[new]]
            leaves.step(action[new])
            self.boards.put(new * self.nodes + number, leaves)
            self.write(new, number, leaves)
            self.child[new, node[new], action[new]] = number
            self.parent[new, number], self.action[new, number] = node[new], action[new]
            self.reward[new, number] = leaves.rewards[np.arange(len(new)), mover] * self.pay_scale
            self.sign[new, number] = np.where(leaves.to_play == mover, 1.0, -1.0)  # a seat may play twice in a row

        g, at = games, self.child[games, node, action]
        value = self.raw[games, at]
        while len(g):  # up: the value for the seat that chose each action
            value[g] = self.reward[g, at[g]] + self.sign[g, at[g]] * value[g]
            up, by = self.parent[g, at[g]], self.action[g, at[g]]
            self.visits[g, up, by] += 1
            self.totals[g, up, by] += value[g]
            at[g] = up
            g = g[up > 0]


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
    g, root = trees.games, np.zeros(len(boards), np.int64)
    legal = trees.legal[:, 0]
    tried = np.minimum(legal.sum(-1), min(args.considered, args.simulations))
    plans = np.array([halving(max(1, count), args.simulations) for count in range(tried.max() + 1)])
    for simulation in range(args.simulations):
        turn = trees.visits[:, 0] == plans[tried, simulation][:, None]
        scores = np.where(legal & turn, gumbel + trees.scores(g, root), -np.inf)
        trees.simulate(simulation + 1, scores.argmax(-1))
    scores, visits = trees.scores(g, root), trees.visits[:, 0]
    most = legal & (visits == visits.max(-1, keepdims=True))  # what the last round has left
    actions = np.where(most, gumbel + scores, -np.inf).argmax(-1)
    return actions, np.where(legal, softmax(scores), 0.0), visits


# ---------------------------------------------------------------- playing and learning


def self_play(network: Network, game: Game, args: Args, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Plays `args.games` games to their ends; the batch shrinks as they end.

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
        going = np.flatnonzero(~boards.done)
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
    """The player of an agent.safetensors. simulations: other than in training. Raises OptionError, FileNotFoundError."""
    arrays, header = AGENTS.read(Path(path), {})
    args = Args(**{name: tuple(value) if isinstance(value, list) else value for name, value in header["args"].items()})
    network = Network(game_of(args), args.channels, args.blocks)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    args = dataclasses.replace(args, simulations=simulations or args.simulations)
    return Player(network.to(device), game_of(args), args)


# ---------------------------------------------------------------- a run


def game_of(args: Args) -> Game:
    """The game. Raises UnsupportedGameError for games that this search does not play, and what `get_game` raises."""
    game = get_game(args.game, **read_options(args.option))
    if game.num_seats != 2 or game.num_outcomes:
        raise UnsupportedGameError(f"{game.id}: this search is for games of two seats without dice or deals")
    return game


def check(args: Args) -> None:
    """Raises OptionError for numbers that are too small, and a device that torch does not have here."""
    least = {"games": 1, "simulations": 1, "considered": 1, "channels": 1, "blocks": 0, "buffer": 1, "batch": 1, "every": 1}
    for name, low in least.items():
        if getattr(args, name) < low:
            raise OptionError(f"{name}={getattr(args, name)}: expected at least {low}")
    try:
        torch.zeros(1, device=args.device)
    except (RuntimeError, AssertionError) as error:
        raise OptionError(f"device={args.device!r}: torch cannot use it here: {str(error).splitlines()[0]}") from error


class Training:
    """A run: network, optimiser, buffer and curve, kept in a folder after each iteration."""

    def __init__(self, args: Args) -> None:
        check(args)
        self.args, self.game = args, game_of(args)
        torch.set_num_threads(args.threads)
        torch.manual_seed(args.seed)
        self.network = Network(self.game, args.channels, args.blocks).to(args.device)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=args.learning_rate, weight_decay=1e-4)
        self.counts = {"iteration": 0, "games": 0, "positions": 0, "seconds": 0.0}  # of processor time, the curve's left out
        self.data: dict[str, np.ndarray] = {}
        self.curve: list[dict[str, Any]] = []

    def step(self) -> None:
        """An iteration. Its draws depend on the seed and its number alone, so that a run may end and go on between any two."""
        begun, counts, size = time.process_time(), self.counts, self.args.buffer
        rng = np.random.default_rng([self.args.seed, counts["iteration"]])
        new = self_play(self.network, self.game, self.args, rng)
        self.data = {name: np.concatenate([self.data.get(name, new[name][:0]), new[name]])[-size:] for name in new}
        self.learn(math.ceil(len(new["values"]) * self.args.reuse / self.args.batch), rng)
        counts["iteration"] += 1
        counts["games"] += self.args.games
        counts["positions"] += len(new["values"])
        counts["seconds"] += time.process_time() - begun

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
        player = Player(self.network, self.game, self.args, seed=self.args.seed)
        table = compare(player, self.game, self.args.opponents, games=self.args.eval_games, seed=self.args.seed)
        self.curve.append({**self.counts, "scores": {row.opponent: round(row.score.value, 4) for row in table.rows}})
        print(json.dumps(self.curve[-1]), flush=True)

    def save(self) -> None:
        """Writes the folder's files, each whole or not at all."""
        out, args = self.args.out, json.loads(json.dumps(dataclasses.asdict(self.args), default=str))
        weights = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        arrays = {f"network/{name}": array for name, array in weights.items()}
        arrays |= {f"data/{name}": array for name, array in self.data.items()}
        for i, state in self.optimizer.state_dict()["state"].items():
            arrays |= {f"adam/{i}/{name}": tensor.cpu().numpy() for name, tensor in state.items()}
        CHECKPOINTS.write(out / "checkpoint.safetensors", arrays, {"args": args, "counts": self.counts, "curve": self.curve})
        AGENTS.write(out / "agent.safetensors", weights, {"args": args})
        write_aside(out / "curve.jsonl", "".join(json.dumps(point) + "\n" for point in self.curve).encode())

    def resume(self) -> None:
        """Goes on from the folder's checkpoint, if there is one. Raises OptionError for one of other settings, or damaged."""
        path = self.args.out / "checkpoint.safetensors"
        if not path.exists():
            return
        arrays, header = CHECKPOINTS.read(path, {})
        mine = json.loads(json.dumps(dataclasses.asdict(self.args), default=str))
        if differ := [name for name in mine if name not in MAY_CHANGE and header["args"].get(name) != mine[name]]:
            raise OptionError(f"{self.args.out} holds a run with another {', '.join(differ)}; give another --out")
        parts: dict[str, dict[str, Any]] = {"network": {}, "data": {}, "adam": {}}
        for name, array in arrays.items():
            part, _, rest = name.partition("/")
            parts[part][rest] = array if part == "data" else torch.from_numpy(array)
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in parts["adam"].items():
            state.setdefault(int(name.partition("/")[0]), {})[name.partition("/")[2]] = tensor
        self.network.load_state_dict(parts["network"])
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": state})
        self.data, self.counts, self.curve = parts["data"], header["counts"], header["curve"]


def draw_curve(curve: list[dict[str, Any]], path: Path, title: str) -> None:
    """The score rates over the processor time of training, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot(xlabel="minutes of processor time in training", ylabel="score rate", ylim=(0, 1.02), title=title)
    minutes = [point["seconds"] / 60 for point in curve]
    for opponent in curve[0]["scores"]:
        axes.plot(minutes, [point["scores"][opponent] for point in curve], marker="o", label=opponent)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=110)
    write_aside(path, stream.getvalue())


def train(args: Args) -> Training:
    """A run from its start or its checkpoint to `args.iterations`."""
    run = Training(args)
    run.resume()
    if args.eval_games and not run.curve:
        run.measure()
    for number in track(range(run.counts["iteration"] + 1, args.iterations + 1), "training", console=Console(stderr=True)):
        run.step()
        if args.eval_games and (number % args.every == 0 or number == args.iterations):
            run.measure()
        run.save()
    if run.curve:
        title = f"{run.game.title}, {args.simulations} simulations a move, seed {args.seed}"
        draw_curve(run.curve, args.out / "curve.png", title)
    return run


def main(arguments: list[str]) -> None:
    """Reads the command line; the preset, wherever it stands, gives what the other options do not."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--preset", choices=PRESETS, default="small")
    preset = PRESETS[first.parse_known_args(arguments)[0].preset]
    args = tyro.cli(Args, args=arguments, default=preset, description=f"{__doc__}\n{EXAMPLES}")
    try:
        counts = train(args).counts
        print(f"{counts['games']} games, {counts['seconds']:.0f} s of processor time; {args.out / 'agent.safetensors'}")
    except KeyboardInterrupt:
        raise SystemExit(f"stopped; the same command goes on from the last iteration in {args.out}") from None
    except (BoardgymError, OSError) as error:
        raise SystemExit(f"error: {error}") from None


if __name__ == "__main__":
    main(sys.argv[1:])
