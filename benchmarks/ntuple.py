"""An n-tuple network that learns Connect Four, against perfect play: `python -m benchmarks.ntuple`.

Trains as `boardgym train ntuple` does, for so many games. The agent then moves first against a perfect opponent that chooses at
random among its best moves, and second against one that now and then plays a random move that does not lose at once. Prints
processor time, seconds of the clock; games, updates and weights written a second, beside those that a plain loop writes; games
won, drawn and lost, how many of them differ, and the share of wins with its interval. `--agents` measures other policies in
the same way, without a training, and `--positions` counts wrong moves in solved positions.

With `--device cuda --batch 4096` a card learns. It has not been run on one yet.
"""

import dataclasses
import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import tyro
from numpy.typing import NDArray

from boardgym.baselines import make_policy, rate_interval
from boardgym.baselines.learning.game_totals import UPDATES
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.compile import kernel
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError
from boardgym.core.random import stream

WRITES, ROUNDS = 4_000_000, 5  # of the plain loop
FIRST = 8  # games that compile or load, and are not measured
AGENT_STREAM = 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Trains networks and measures them.

    Attributes:
        game: that is learnt.
        tuples: of the network.
        step_size: of the training, a number or a schedule.
        epsilon: of the training, a number or a schedule.
        learn_through: as of the training.
        batch: games that are learnt at once.
        threads: that share them, on the CPU.
        device: where they are played.
        average_from: shares of the games after which weights are averaged; each is a training of its own.
        weights: which weights are measured, the latest ones or the mean; without a mean, the latest.
        lengths: games of a training; each is a training of its own, with its schedules.
        agents: specs of policies to measure in place of trainings, as "ntuple:FILE" or "perfect:ties=random".
        games: against each opponent.
        first: specs of the opponents against which the agent moves first.
        second: of those against which it moves second.
        positions: a file of solved positions of Connect Four, in each of which the agent chooses a move: the moves so far
            (columns from 1, "-" for none), the score, and the scores of the columns, "x" where one is full.
        seeds: of trainings and of opponents; those of `agents` are made from them.
        out: folder to save trained agents in. Files that are there are never written over.
        json: print a line of JSON for each training, match and set of positions.
        quick: a few games of a small network, to see that it runs; the figures mean nothing.
    """

    game: str = "ConnectFour-v0"
    tuples: tuple[str, ...] = ("walk(70, 8)",)
    step_size: str = NTupleConfig.step_size
    epsilon: str = NTupleConfig.epsilon
    learn_through: Literal["none", "first", "second", "both"] = NTupleConfig.learn_through
    batch: int = NTupleConfig.batch
    threads: int = NTupleConfig.threads
    device: Literal["cpu", "cuda"] = "cpu"
    average_from: tuple[float, ...] = (NTupleConfig.average_from,)
    weights: tuple[Literal["latest", "mean"], ...] = ("latest", "mean")
    lengths: tuple[int, ...] = (600_000, 6_000_000)
    agents: tuple[str, ...] = ()
    games: int = 200
    first: tuple[str, ...] = ("perfect:ties=random",)
    second: tuple[str, ...] = ("slip:0.2(perfect:ties=random)",)
    positions: str = ""
    seeds: tuple[int, ...] = (1,)
    out: str = ""
    json: bool = False
    quick: bool = False


@dataclass(frozen=True)
class Trained:
    """A training.

    config: its settings. minutes: of processor time. seconds: of the clock. updates: of the network. games_s, updates_s: a
    second of processor time, on a card of the clock. writes_s: weights that updates write a second. limit_s: what a plain loop
    writes.
    """

    config: NTupleConfig
    minutes: float
    seconds: float
    updates: int
    games_s: float
    updates_s: float
    writes_s: float
    limit_s: float


@dataclass(frozen=True)
class Point:
    """How an agent played against an opponent.

    agent: "latest" or "mean", the weights of a training, or a spec of `Settings.agents`. seed: of `Settings.seeds`. opponent:
    its spec. seat: of the agent. won, drawn, lost, distinct: of the games. win_rate: won / games, draws are no wins. low, high:
    its 95 % interval.
    """

    agent: str
    seed: int
    opponent: str
    seat: int
    won: int
    drawn: int
    lost: int
    distinct: int
    win_rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Moves:
    """How an agent moved in solved positions.

    agent, seed: as of a `Point`. wrong: moves that gave a result away. choices: positions in which there is such a move, of
    `positions` in all. ms: milliseconds a move.
    """

    agent: str
    seed: int
    wrong: int
    choices: int
    positions: int
    ms: float


@dataclass(frozen=True)
class Solved:
    """A position. results: action -> 1, 0 or -1 with best play, for the seat to play."""

    board: Board
    results: dict[int, int]


def read_solved(path: Path) -> list[Solved]:
    """The positions of a file, as `Settings.positions` says. Raises ValueError with a sentence if it is no such file."""
    found = list[Solved]()
    for number, line in enumerate(path.read_text("ascii").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            moves, _, scores = line.split()
            board = Board("ConnectFour-v0")
            board.play(list(moves.removeprefix("-")))
            results = {column: (int(x) > 0) - (int(x) < 0) for column, x in enumerate(scores.split(",")) if x != "x"}
            if [*results] != board.legal_actions:
                raise ValueError
        except (ValueError, BoardgymError):
            raise ValueError(f"{path}, line {number}: expected moves, a score, and the scores of the columns") from None
        found.append(Solved(board, results))
    if not found:
        raise ValueError(f"{path} has no positions")
    return found


def wrong_moves(agent: Any, positions: list[Solved]) -> tuple[int, int, int, float]:
    """As the fields of `Moves`, from `wrong` on."""
    wrong, spent = 0, 0.0
    agent.act(Board("ConnectFour-v0"), deterministic=True)  # loads its kernels
    for position in positions:
        began = time.perf_counter()
        chosen = agent.act(position.board, deterministic=True)
        spent += time.perf_counter() - began
        wrong += position.results[chosen] < max(position.results.values())
    choices = sum(len({*position.results.values()}) > 1 for position in positions)
    return wrong, choices, len(positions), 1000.0 * spent / len(positions)


def play(agent: Any, opponent: Any, games: int, seat: int) -> tuple[list[float], int]:
    """(what games pay the agent in this seat, how many games differ)."""
    paid, seen = list[float](), set[tuple[int, ...]]()
    for _ in range(games):
        board = Board(agent.game)
        while not board.is_terminal:
            board.push((agent if board.to_play == seat else opponent).act(board))
        paid.append(board.returns()[seat])
        seen.add(tuple(board.actions))
    return paid, len(seen)


@kernel
def write_kernel(weights: NDArray[np.float32], places: NDArray[np.int64]) -> None:
    """Reads and writes a weight at each place."""
    for place in places:
        weights[place] += np.float32(1.0)


def limit_of(training: NTupleTraining) -> float:
    """Random weights that a plain loop reads and writes a second of processor time, in an array as large as a table."""
    weights = np.zeros(training.memory.weights.shape[1], np.float32)
    places = np.random.default_rng(1).integers(len(weights), size=WRITES)
    write_kernel(weights, places)
    began = time.process_time()
    for _ in range(ROUNDS):
        write_kernel(weights, places)
    return ROUNDS * WRITES / (time.process_time() - began)


def train(config: NTupleConfig) -> tuple[NTupleTraining, Trained]:
    """A training, and what it took."""
    training = NTupleTraining(config)
    training.play_to(FIRST)
    before, first = int(training.totals.counts[:, UPDATES].sum()), training.done
    began, started = time.process_time(), time.perf_counter()
    training.play_to(config.games)
    spent, seconds = time.process_time() - began, time.perf_counter() - started
    clock = spent if config.device == "cpu" else seconds
    updates = int(training.totals.counts[:, UPDATES].sum()) - before
    updates_s = updates / clock
    writes_s, limit = len(training.network.bases) * updates_s, limit_of(training)
    games_s = (config.games - first) / clock
    return training, Trained(config, spent / 60.0, seconds, updates, games_s, updates_s, writes_s, limit)


def configs_of(settings: Settings) -> list[NTupleConfig]:
    """The trainings; none where agents are given."""
    if settings.agents:
        return []
    names = ("game", "tuples", "step_size", "epsilon", "learn_through", "batch", "threads", "device")
    common = NTupleConfig(**{name: getattr(settings, name) for name in names})
    return [
        dataclasses.replace(common, seed=seed, games=length, average_from=share)
        for seed, length, share in itertools.product(settings.seeds, settings.lengths, settings.average_from)
    ]


def weights_of(settings: Settings, config: NTupleConfig) -> tuple[str, ...]:
    """Which weights of a training are measured."""
    return settings.weights if config.average_from < 1.0 else ("latest",)


def file_of(settings: Settings, config: NTupleConfig, weights: str) -> Path:
    """Where weights of a training go."""
    share = f"-from-{config.average_from:g}" if config.average_from < 1.0 else ""
    return Path(settings.out) / f"seed-{config.seed}-games-{config.games}{share}-{weights}.safetensors"


def meet(settings: Settings, positions: list[Solved], name: str, seed: int, agent: Any) -> Iterator[Point | Moves]:
    """What an agent does against all opponents and in all positions."""
    for seat, spec in [*((0, spec) for spec in settings.first), *((1, spec) for spec in settings.second)]:
        paid, distinct = play(agent, make_policy(spec, settings.game, seed=seed), settings.games, seat)
        won, lost = sum(one > 0.0 for one in paid), sum(one < 0.0 for one in paid)
        rate = rate_interval(won / len(paid), len(paid))
        numbers = won, len(paid) - won - lost, lost, distinct, rate.value, rate.low, rate.high
        yield Point(name, seed, spec, seat, *numbers)
    if positions:
        yield Moves(name, seed, *wrong_moves(agent, positions))


def measure(settings: Settings, positions: list[Solved]) -> Iterator[Trained | Point | Moves]:
    """All that is measured, as soon as it is."""
    for seed, spec in itertools.product(settings.seeds, settings.agents):
        own_seed = int(stream(seed, AGENT_STREAM)[0]) >> 1  # the opponent has the seed itself
        yield from meet(settings, positions, spec, seed, make_policy(spec, settings.game, seed=own_seed))
    for config in configs_of(settings):
        training, trained = train(config)
        agents = {name: training.agent(latest=name == "latest") for name in weights_of(settings, config)}
        if settings.out:
            for name, agent in agents.items():
                agent.save(file_of(settings, config, name))
        yield trained
        for name, agent in agents.items():
            yield from meet(settings, positions, name, config.seed, agent)


def text_of(found: Trained | Point | Moves) -> str:
    """What was measured, for people."""
    if isinstance(found, Trained):
        speeds = f"{found.games_s:,.0f} games/s, {found.updates_s:,.0f} updates/s"
        writes = f"{found.writes_s / 1e6:,.0f} million weights/s, a plain loop {found.limit_s / 1e6:,.0f}"
        times = f"{found.minutes:.1f} min, {found.seconds:.0f} s of the clock"
        config = found.config
        names = ("game", "tuples", "step_size", "epsilon", "learn_through", "average_from", "batch", "threads", "device")
        settings = ", ".join(f"{name}={getattr(config, name)}" for name in names)
        return f"seed {config.seed}, {config.games:,} games, {times}: {speeds}, {writes}\n  {settings}"
    if isinstance(found, Moves):
        where = f"{found.positions} positions, of which {found.choices} have one"
        return f"  {found.agent}: {found.wrong} wrong moves in {where}; {found.ms:.3f} ms a move"
    where = f"{found.agent}, {'first' if found.seat == 0 else 'second'} against {found.opponent}"
    results = f"{found.won} won, {found.drawn} drawn, {found.lost} lost, {found.distinct} distinct"
    return f"  {where}: {results}: {100 * found.win_rate:.1f} % won [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def json_of(found: Trained | Point | Moves) -> str:
    """What was measured, as a line of JSON."""
    return json.dumps({"kind": type(found).__name__.lower(), **dataclasses.asdict(found)})


def check(settings: Settings) -> list[Solved]:
    """The solved positions. Raises ValueError or BoardgymError for settings that cannot be measured, before anything is."""
    first = -(-FIRST // max(settings.batch, 1)) * settings.batch
    configs = configs_of(settings)
    if settings.games < 1 or not settings.seeds or not (configs or settings.agents):
        raise ValueError("expected at least one game, one seed, and one length and share of a training, or one agent")
    if configs and min(settings.lengths) <= first:
        raise ValueError(f"lengths={settings.lengths}: expected more than {first} games")
    for spec in (*settings.agents, *settings.first, *settings.second):
        make_policy(spec, settings.game, seed=settings.seeds[0])
    for config in configs:
        NTupleTraining(config)
    if settings.positions and settings.game != Settings.game:
        raise ValueError(f"game={settings.game}: solved positions are of {Settings.game}")
    positions = read_solved(Path(settings.positions)) if settings.positions else []
    if settings.out:
        files = [file_of(settings, config, name) for config in configs for name in weights_of(settings, config)]
        if len({*files}) < len(files) or not files:
            raise ValueError(f"out={settings.out}: expected trainings, none of them twice")
        for file in files:
            if file.exists():
                raise ValueError(f"{file} is there already; give another folder")
        Path(settings.out).mkdir(parents=True, exist_ok=True)
    return positions


def main(settings: Settings) -> list[Trained | Point | Moves]:
    """Measures, and prints."""
    if settings.quick:
        settings = dataclasses.replace(settings, tuples=("walk(2, 3)",), lengths=(100,), games=4, seeds=settings.seeds[:1])
    try:
        positions = check(settings)
    except (ValueError, BoardgymError, OSError) as error:
        raise SystemExit(str(error)) from None
    found = list[Trained | Point | Moves]()
    for one in measure(settings, positions):
        print(json_of(one) if settings.json else text_of(one), flush=True)
        found.append(one)
    return found


if __name__ == "__main__":
    main(tyro.cli(Settings, description=__doc__))
