"""PPO with masks in one file, top to bottom, by self-play: boards, network and loop stay on one device.

One network plays all seats of n games at once and learns from every ply (J. Schulman et al., "Proximal policy optimization
algorithms", 2017). It sees each board as the seat to play, and a value is that seat's: where the other seat is next, the value
and the sum of errors that follow change their sign. So both seats learn from the end of a game. Logits of illegal actions are
minus infinity, when acting and when learning alike.

With `--device cuda` boards are stepped on the card and read there without a copy. Between iterations boards, network and a few
numbers go to the host, for the checkpoint and the progress bar. It has not been run on a card yet. It plays games of two seats
whose rewards sum to 0, dice included. What it reaches on a CPU is in docs/ppo.md.
"""

import argparse
import copy
import dataclasses
import functools
import math
import sys
import time
from dataclasses import dataclass
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
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import read_data
from boardgym.core.errors import BoardgymError, OptionError, UnsupportedGameError
from boardgym.core.game import Game, check_two_seats, get_game, read_options
from boardgym.core.policy_spec import make_policy
from boardgym.wrappers.sb3_features import Windows

EXAMPLES = """examples:
  python examples/ppo.py --game TicTacToe --iterations 60 --out runs/tic_tac_toe
  python examples/ppo.py --game Othello --preset full --device cuda --out runs/othello
  boardgym compare network:runs/ppo/agent.safetensors --opponents random minimax:2

After Ctrl-C the same command goes on from the last iteration."""

WINDOW = 4  # cells a side of what the first layer looks at, on boards that are as large; the whole board on smaller ones
MAX_GRADIENT = 0.5  # its norm is clipped to that
Count = Annotated[int, Meta(ge=1, le=10**6)]


@dataclass
class Args:
    """What to train, for how long, and with what. A preset gives the other settings; what you set yourself counts."""

    preset: Literal["small", "full"] = "small"  # small: for one core of a CPU, minutes. full: the size for a GPU
    game: str = "ConnectFour-v0"  # id of the game
    option: tuple[str, ...] = ()  # rule options, as width=5
    iterations: Count = 400  # rounds of playing and learning; the learning rate falls to 0 over them
    boards: Count = 256  # games played at once
    plies: Annotated[int, Meta(ge=2, le=10**6)] = 32  # on each board, of an iteration
    setup: str = "random:0-8"  # where games start: after some random plies
    max_plies: Annotated[int, Meta(ge=0, le=10**9)] = 0  # games are cut after so many; 0: after the game's own `max_plies`
    channels: Annotated[int, Meta(ge=1, le=4096)] = 32  # outputs of the first layer for each window
    hidden: Annotated[int, Meta(ge=1, le=10**5)] = 128  # units of each of the two dense layers
    epochs: Count = 4  # passes over the plies of an iteration
    batch: Count = 1024  # plies of a gradient step
    learning_rate: Annotated[float, Meta(ge=1e-9, le=1)] = 5e-3  # of Adam at the start
    trace_decay: Annotated[float, Meta(ge=0, le=1)] = 0.9  # lambda of the sums of errors
    clip: Annotated[float, Meta(ge=1e-3, le=100)] = 0.2  # how far the ratio of probabilities counts
    entropy: Annotated[float, Meta(ge=0, le=100)] = 0.05  # weight of the entropy bonus
    opponents: Annotated[tuple[str, ...], Meta(min_length=1)] = ("random", "minimax:2")  # of the table at the end
    eval_games: Annotated[int, Meta(ge=0, le=10**6, multiple_of=2)] = 400  # against each, half from each seat; 0: no table
    seed: Annotated[int, Meta(ge=0, le=2**62)] = 1  # of all draws: on a CPU the same seed gives the same agent
    device: str = "cpu"  # of the boards and of torch: cpu or cuda
    out: Path = Path("runs/ppo")  # folder: agent.safetensors, checkpoint.safetensors


PRESETS = {
    "small": Args(),
    "full": Args(preset="full", iterations=1000, boards=8192, plies=64, channels=256, hidden=512, batch=32_768),
}
MAY_CHANGE = ("preset", "opponents", "eval_games", "device", "out")  # of a run that goes on


@dataclass
class Counts:
    """What a run has done."""

    iteration: Annotated[int, Meta(ge=0)] = 0
    plies: Annotated[int, Meta(ge=0)] = 0
    games: Annotated[int, Meta(ge=0)] = 0  # that have ended or were cut
    seconds: Annotated[float, Meta(ge=0, le=1e12)] = 0.0  # of CPU time, in iterations: without the table and writing files


# safetensors files with digests, whose reading runs nothing; agents are files of `network:`
CHECKPOINTS = ArrayFiles("ppo-run", 1, "a checkpoint", OptionError, lambda path: "delete it to begin anew")


class Network(nn.Module):
    """Three layers that policy and value share; its policy alone is a network that boardgym plays in compiled code."""

    def __init__(self, game: Game, channels: int, hidden: int) -> None:
        super().__init__()
        torch.set_num_threads(1)  # on the CPU: sums that threads share differ in their last bits with the number of threads
        shape = game.observation_shape
        self.windows = Windows(shape, WINDOW, channels) if min(shape[:2]) >= WINDOW else None
        inputs = self.windows.outputs if self.windows else math.prod(shape)
        self.dense = nn.ModuleList([nn.Linear(inputs, hidden), nn.Linear(hidden, hidden)])
        self.policy, self.value = nn.Linear(hidden, game.num_actions), nn.Linear(hidden, 1)
        for layer in (module for module in self.modules() if isinstance(module, nn.Linear)):
            gain = 0.01 if layer is self.policy else 1.0 if layer is self.value else math.sqrt(2)  # begins near uniform play
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (k, num_actions), -inf where the mask is 0, and values (k,) for the seat to play."""
        x = observations.float()
        x = F.relu(self.windows(x)) if self.windows else x.flatten(1)
        for layer in self.dense:
            x = F.relu(layer(x))
        return self.policy(x).masked_fill(masks == 0, -torch.inf).log_softmax(-1), self.value(x).squeeze(-1)

    def player(self, game: Game) -> NetworkPolicy:
        """The policy as boardgym's own: windows become a dense layer over all cells."""
        network = copy.deepcopy(self).cpu()
        layers = [network.windows.dense()] if network.windows else []
        layers += [(layer.weight.T, layer.bias) for layer in (*network.dense, network.policy)]
        return NetworkPolicy(game, [(weights.detach(), bias.detach()) for weights, bias in layers])


def entropy(log_probs: torch.Tensor) -> torch.Tensor:
    """Of each distribution (k,). Illegal actions count 0: 0 times -inf is no number, nor would its gradient be."""
    return -(log_probs.exp() * log_probs.masked_fill(log_probs.isinf(), 0.0)).sum(-1)


def tensor(array: Any, device: str) -> torch.Tensor:
    """A view of a batch's array on a card; a copy of one on the CPU, where the batch's own memory cannot be written."""
    return torch.as_tensor(array.copy() if isinstance(array, np.ndarray) else array, device=device)


@dataclass
class Plies:
    """What was played, [t, board]; the last five have a row more, for what follows the last ply."""

    actions: torch.Tensor  # int64
    log_probs: torch.Tensor  # of the actions
    rewards: torch.Tensor  # of the seat that played, from -1 to 1
    over: torch.Tensor  # bool: the game ended with this ply
    observations: torch.Tensor
    masks: torch.Tensor
    values: torch.Tensor  # of the network, for the seat to play
    seats: torch.Tensor  # to play
    is_learnt: torch.Tensor  # bool: not the ply with which a game is cut


class Table:
    """n games in progress, for all seats, on one device. A game that is over is followed by the next one at once.

    A game that is cut after `max_plies` plays one ply more, which is not learnt from: the value of the position before it
    stands for the rest of the game.
    """

    def __init__(self, game: Game, boards: int, setup: str, max_plies: int, device: str) -> None:
        self.game, self.device, self.max_plies = game, device, max_plies or game.max_plies
        self.boards = BatchBoard(game, boards, setup=setup, seed=0, device=device)
        self.ages = torch.zeros(boards, dtype=torch.int64, device=device)  # plies of each game
        self.num_ended = torch.zeros((), dtype=torch.int64, device=device)
        self.imbalance = torch.zeros((), dtype=torch.float64, device=device)  # greatest sum of rewards of a ply

    def show(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(observations, masks, seats to play), as `tensor`."""
        observations, masks, seats = self.boards.observation, self.boards.mask, self.boards.to_play
        return tensor(observations, self.device), tensor(masks, self.device), tensor(seats, self.device)

    def step(self, actions: torch.Tensor, seats: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Plays an action on each board. Returns (rewards of the seats that played, whether the game is over)."""
        is_cut = self.ages >= self.max_plies
        self.boards.step(actions)
        rewards, over = tensor(self.boards.rewards, self.device), tensor(self.boards.done, self.device).clone()
        self.imbalance = torch.maximum(self.imbalance, rewards.sum(-1).abs().max())
        paid = rewards.gather(1, seats[:, None])[:, 0] / self.game.max_return
        ended = over | is_cut
        self.boards.reset(ended)
        self.ages = torch.where(ended, 0, self.ages + 1)
        self.num_ended = self.num_ended + ended.sum()
        return paid.float(), over

    def take_ended(self) -> int:
        """How many games have ended since the last call. Raises UnsupportedGameError if rewards did not sum to 0."""
        if self.imbalance.item() > 1e-9:
            raise UnsupportedGameError(f"{self.game.id}: this self-play is for games whose rewards sum to 0")
        ended, self.num_ended = self.num_ended, torch.zeros_like(self.num_ended)
        return int(ended.item())

    def state(self) -> Arrays:
        """The games, as arrays on the host: positions, plies, and the keys of earlier positions that repetitions count."""
        keys = self.boards.history(range(len(self.boards))) if self.game.repetition_limit else []
        lengths, joined = np.array([len(key) for key in keys], np.int64), np.concatenate([np.zeros(0, np.int64), *keys])
        positions = tensor(self.boards.rows, self.device).clone().cpu().numpy()
        return {"positions": positions, "ages": self.ages.cpu().numpy(), "lengths": lengths, "keys": joined}

    def begin(self, seed: int, state: Arrays, *, check: bool) -> None:
        """Begins all streams anew, and goes on with the games of a state, if there is one. check: as `set_positions`."""
        self.boards.reset(seed=seed)
        if state:
            keys = np.split(state["keys"], np.cumsum(state["lengths"])[:-1]) if len(state["lengths"]) else None
            self.boards.set_positions(state["positions"], history=keys, check=check)
            self.ages = torch.as_tensor(state["ages"], device=self.device)


def play(network: Network, table: Table, plies: int, generator: torch.Generator) -> Plies:
    """Plays so many plies on every board, each action drawn from the network's policy."""
    shown = table.show()
    n, device = len(shown[0]), table.device
    observations, masks, seats = (torch.empty((plies + 1, *x.shape), dtype=x.dtype, device=device) for x in shown)
    log_probs, rewards, values = (torch.empty((length, n), device=device) for length in (plies, plies, plies + 1))
    over, is_learnt = (torch.empty((length, n), dtype=torch.bool, device=device) for length in (plies, plies + 1))
    actions = torch.empty((plies, n), dtype=torch.int64, device=device)
    with torch.no_grad():
        for t in range(plies + 1):
            observations[t], masks[t], seats[t] = table.show()
            is_learnt[t] = table.ages < table.max_plies
            policy, values[t] = network(observations[t], masks[t])
            if t < plies:
                drawn = torch.multinomial(policy.exp(), 1, generator=generator)
                actions[t], log_probs[t] = drawn[:, 0], policy.gather(1, drawn)[:, 0]
                rewards[t], over[t] = table.step(actions[t], seats[t])
    return Plies(actions, log_probs, rewards, over, observations, masks, values, seats, is_learnt)


def advantages_of(plies: Plies, trace_decay: float) -> torch.Tensor:
    """Generalised advantages (T, n), each for the seat that played: J. Schulman et al., ICLR 2016, eq. (16), discount 1.

    The error of a ply is reward + sign * value of what follows - value, where the sign is -1 if the other seat is next, for a
    seat may play twice in a row. What follows a game that is over is another game, and counts 0; what follows the last ply
    before a cut is that position's value, and no further error.
    """
    sums, carried = torch.zeros_like(plies.rewards), torch.zeros_like(plies.rewards[0])
    for t in reversed(range(len(sums))):
        sign = torch.where(plies.seats[t + 1] == plies.seats[t], 1.0, -1.0) * ~plies.over[t]
        errors = plies.rewards[t] + sign * plies.values[t + 1] - plies.values[t]
        carried = errors + trace_decay * sign * plies.is_learnt[t + 1] * carried
        sums[t] = carried
    return sums


def learn(network: Network, optimizer: torch.optim.Adam, plies: Plies, args: Args, generator: torch.Generator) -> torch.Tensor:
    """Some passes over the plies. Returns the means (value loss, entropy), on the device."""
    advantages = advantages_of(plies, args.trace_decay)
    rows = plies.is_learnt[:-1].flatten().nonzero()[:, 0]
    targets = advantages + plies.values[:-1]
    kept = (plies.observations, plies.masks, plies.actions, plies.log_probs, advantages, targets)
    data = [x[: len(advantages)].flatten(0, 1)[rows] for x in kept]
    data[4] = (data[4] - data[4].mean()) / (data[4].std(correction=0) + 1e-8)
    shown, steps = torch.zeros(2, device=rows.device), 0
    for _ in range(args.epochs):
        for chosen in torch.randperm(len(rows), generator=generator, device=rows.device).split(args.batch):
            seen, legal, action, before, advantage, target = (x[chosen] for x in data)
            policy, values = network(seen, legal)
            ratio = (policy.gather(1, action[:, None])[:, 0] - before).exp()
            gain = torch.minimum(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage).mean()
            value_loss, spread = F.mse_loss(values, target), entropy(policy).mean()
            optimizer.zero_grad()
            (value_loss - gain - args.entropy * spread).backward()
            nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT)
            optimizer.step()
            shown += torch.stack([value_loss, spread]).detach()
            steps += 1
    return shown / steps


def game_of(args: Args) -> Game:
    """The game. Raises UnsupportedGameError for other than two seats, and what `get_game` raises."""
    game = get_game(args.game, **read_options(args.option))
    check_two_seats(game, "this self-play")
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
    """A run: network, optimiser and games, kept in a folder after each iteration."""

    def __init__(self, args: Args) -> None:
        check(args)
        self.game = game_of(args)
        for opponent in args.opponents if args.eval_games else ():
            make_policy(opponent, self.game, seed=args.seed)  # a bad name is found before training
        options = tuple(f"{name}={value}" for name, value in sorted(self.game.options.items()))
        self.args = args = dataclasses.replace(args, game=self.game.id, option=options)  # one spelling, so that runs compare
        torch.manual_seed(args.seed)
        self.network = Network(self.game, args.channels, args.hidden).to(args.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=args.learning_rate, eps=1e-5)
        self.table = Table(self.game, args.boards, args.setup, args.max_plies, args.device)
        self.games: Arrays = {}  # in progress between iterations; none before the first
        self.counts = Counts()

    def step(self) -> str:
        """An iteration; says how it went. Its draws depend on the seed and its number alone: a run may end and go on there.

        Raises UnsupportedGameError.
        """
        begun, clock, args, counts, table = time.process_time(), time.perf_counter(), self.args, self.counts, self.table
        draws = np.random.default_rng([args.seed, counts.iteration])
        table.begin(int(draws.integers(2**63)), self.games, check=False)
        generator = torch.Generator(args.device).manual_seed(int(draws.integers(2**63)))
        self.optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - counts.iteration / args.iterations)
        plies = play(self.network, table, args.plies, generator)
        value_loss, spread = learn(self.network, self.optimizer, plies, args, generator).tolist()
        counts.games += table.take_ended()
        self.games = table.state()
        counts.iteration += 1
        counts.plies += args.plies * args.boards
        counts.seconds += time.process_time() - begun
        rate = args.plies * args.boards / (time.perf_counter() - clock)
        return f"{rate:,.0f} steps/s, entropy {spread:.3f}, value loss {value_loss:.3f}"

    def save(self) -> None:
        """Writes agent and checkpoint, each whole or not at all. The checkpoint comes last: a kill before it loses nothing."""
        self.network.player(self.game).save(self.args.out / "agent.safetensors")
        arrays = {f"network/{name}": x.cpu().numpy() for name, x in self.network.state_dict().items()}
        arrays |= {f"games/{name}": array for name, array in self.games.items()}
        for i, state in self.optimizer.state_dict()["state"].items():
            arrays |= {f"adam/{i}/{name}": x.cpu().numpy() for name, x in state.items()}
        header = {"args": settings_of(self.args), "counts": dataclasses.asdict(self.counts)}
        CHECKPOINTS.write(self.args.out / "checkpoint.safetensors", arrays, header)

    def resume(self) -> None:
        """Goes on from the folder's checkpoint, if there is one. Raises BoardgymError if it is damaged or of other settings."""
        path = self.args.out / "checkpoint.safetensors"
        if not path.exists():
            return
        arrays, header = CHECKPOINTS.read(path, {})
        args = read_data(header.get("args"), Args, OptionError, f"the settings of a checkpoint in {path}")
        self.counts = read_data(header.get("counts"), Counts, OptionError, f"the counts of a checkpoint in {path}")
        mine = settings_of(self.args)
        if differ := [name for name in mine if name not in MAY_CHANGE and getattr(args, name) != mine[name]]:
            raise OptionError(f"{self.args.out} holds a run with another {', '.join(differ)}; give another --out")
        stored = functools.partial(read_like, path, arrays)
        self.network.load_state_dict(stored("network/", self.network.state_dict()))
        moments = [{"step": torch.zeros(()), "exp_avg": p, "exp_avg_sq": p} for p in self.network.parameters()]
        state = {i: stored(f"adam/{i}/", like) for i, like in enumerate(moments)}
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": state})
        shapes = {name: array.shape for name, array in self.table.state().items()} | {"lengths": (None,), "keys": (None,)}
        self.games = {n: CHECKPOINTS.array_of(path, arrays, f"games/{n}", np.int64, shape) for n, shape in shapes.items()}
        self.network.player(self.game)  # raises OptionError for weights with which units could be infinite
        self.table.begin(0, self.games, check=True)
        if self.table.show()[2].min() < 0:
            raise OptionError(f"{path}: games/positions has a game that is over; {CHECKPOINTS.advice(path)}")


def read_like(path: Path, arrays: Arrays, prefix: str, like: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Tensors of a checkpoint, with the shapes of those in `like`, by names without the prefix.

    Raises OptionError for other shapes, numbers that are not finite, and steps or squares of Adam below 0.
    """
    found = {n: CHECKPOINTS.array_of(path, arrays, prefix + n, np.float32, tuple(x.shape)) for n, x in like.items()}
    for name, array in found.items():
        if not np.isfinite(array).all() or (name in ("step", "exp_avg_sq") and (array < 0).any()):
            raise OptionError(f"{path}: {prefix}{name} holds numbers that training cannot give; {CHECKPOINTS.advice(path)}")
    return {name: torch.from_numpy(array) for name, array in found.items()}


def train(args: Args) -> Training:
    """A run from its start or its checkpoint to `args.iterations`."""
    run = Training(args)
    run.resume()
    with ProgressBar(args.iterations, "training") as bar:
        while run.counts.iteration < args.iterations:
            note = run.step()
            run.save()
            bar.show(run.counts.iteration, note=note)
    return run


def main(arguments: list[str]) -> None:
    """Reads the command line; the preset, wherever it stands, gives what the other options do not."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--preset", choices=PRESETS, default="small")
    preset = PRESETS[first.parse_known_args(arguments)[0].preset]
    args = tyro.cli(Args, args=arguments, default=preset, description=f"{__doc__}\n{EXAMPLES}")
    try:
        run = train(args)
        if args.eval_games:
            print(compare(run.network.player(run.game), run.game, args.opponents, games=args.eval_games, seed=args.seed))
        counts, file = run.counts, args.out / "agent.safetensors"
        print(f"{counts.plies:,} steps, {counts.games:,} games, {counts.seconds:.0f} s of CPU time; network:{file}")
    except KeyboardInterrupt:
        raise SystemExit(f"stopped; the same command goes on from the last iteration in {args.out}") from None
    except (BoardgymError, OSError) as error:
        raise SystemExit(f"error: {error}") from None
    except (MemoryError, RuntimeError) as error:  # of a CPU's memory torch says so in any RuntimeError's text
        if not isinstance(error, MemoryError | torch.OutOfMemoryError) and "can't allocate memory" not in str(error):
            raise
        raise SystemExit("error: not enough memory; give less --boards, --plies, --batch, --channels or --hidden") from None


if __name__ == "__main__":
    main(sys.argv[1:])
