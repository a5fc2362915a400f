"""An n-tuple network that learns Connect Four, against perfect play: `python -m benchmarks.ntuple`.

Trains as `boardgym train ntuple` does, for so many games. The agent then moves first against a perfect opponent that chooses at
random among its best moves, and second against one that now and then plays a random move that does not lose at once. Prints
processor time, seconds of the clock; games, updates and weights written a second, beside those that a plain loop writes; games
won, drawn and lost, how many of them differ, and the share of wins with its interval. `--agents` measures other policies so.

With `--device cuda --batch 4096` a card learns. It has not been run on one yet.
"""

import dataclasses
import itertools
import json
import time
from collections.abc import Callable, Iterator
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

WRITES, ROUNDS = 4_000_000, 5  # of the plain loop
FIRST = 8  # games that compile or load, and are not measured


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
        agents: specs of policies, measured in place of trainings, as "ntuple:FILE" or "perfect:ties=random".
        games: against each opponent.
        first: specs of the opponents against which the agent moves first.
        second: of those against which it moves second.
        positions: a file of solved positions of Connect Four: moves (columns from 1, "-" for none), score, and the scores of
            the columns, "x" where one is full; empty: none are asked.
        seeds: of trainings.
        out: a folder for the agents of trainings, which replaces none; empty: they are not kept.
        json: print the figures as JSON.
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
    """A training that was measured.

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

    agent: "latest" or "mean", the weights of a training; or a spec of `Settings.agents`. trained: the training, if there was
    one. seed: of its training, or of the policy. seat: of the agent. won, drawn, lost, distinct: of the games. win_rate:
    won / games, draws are no wins. low, high: its 95 % interval.
    """

    agent: str
    trained: Trained | None
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
    """How an agent moves in solved positions. wrong: times that it gave a result away. positions: how many. ms: a move's time.

    agent, trained, seed: as of a `Point`.
    """

    agent: str
    trained: Trained | None
    seed: int
    wrong: int
    positions: int
    ms: float


Found = list[Point | Moves]


def wrong_moves(agent: Any, path: Path) -> tuple[int, int, float]:
    """(wrong moves, positions, milliseconds a move) in the positions of a file, as `Settings.positions` says."""
    wrong, count, spent = 0, 0, 0.0
    agent.act(Board("ConnectFour-v0"), deterministic=True)  # loads its kernels
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        moves, _, scores = line.split()
        board = Board("ConnectFour-v0")
        for column in moves.removeprefix("-"):
            board.push(int(column) - 1)
        results = {column: np.sign(int(score)) for column, score in enumerate(scores.split(",")) if score != "x"}
        began = time.perf_counter()
        action = agent.act(board, deterministic=True)
        spent += time.perf_counter() - began
        wrong, count = wrong + (results[action] < max(results.values())), count + 1
    return wrong, count, 1000.0 * spent / count


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


def file_of(settings: Settings, config: NTupleConfig, weights: str) -> Path:
    """Where weights of a training go."""
    mean = f"-{weights}-from-{config.average_from:g}" if weights == "mean" else ""
    return Path(settings.out) / f"seed-{config.seed}-games-{config.games}{mean}.safetensors"


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


def agents_of(settings: Settings) -> Iterator[tuple[str, Trained | None, int, Any]]:
    """(name, training, seed, policy) of all agents, those of a training when it is done."""
    for seed, spec in itertools.product(settings.seeds, settings.agents):
        yield spec, None, seed, make_policy(spec, settings.game, seed=seed)
    for config in configs_of(settings):
        training, trained = train(config)
        agents = {name: training.agent(latest=name == "latest") for name in weights_of(settings, config)}
        if settings.out:
            for name, agent in agents.items():
                agent.save(file_of(settings, config, name))
        for name, agent in agents.items():
            yield name, trained, config.seed, agent


def measure(settings: Settings, show: Callable[[Found], None] = lambda found: None) -> Found:
    """What was found of all agents. show: called with what there is, after each."""
    found: Found = []
    matches = [*((0, spec) for spec in settings.first), *((1, spec) for spec in settings.second)]
    for name, trained, seed, agent in agents_of(settings):
        for seat, spec in matches:
            paid, distinct = play(agent, make_policy(spec, settings.game, seed=seed), settings.games, seat)
            won, drawn, lost = (sum(one == value for one in paid) for value in (1.0, 0.0, -1.0))
            rate = rate_interval(won / len(paid), len(paid))
            numbers = won, drawn, lost, distinct, rate.value, rate.low, rate.high
            found.append(Point(name, trained, seed, spec, seat, *numbers))
            show(found)
        if settings.positions:
            found.append(Moves(name, trained, seed, *wrong_moves(agent, Path(settings.positions))))
            show(found)
    return found


def tell(found: Found) -> None:
    """Prints what was found last, and before the first of a training what it took."""
    point, before = found[-1], found[:-1]
    if (trained := point.trained) and not any(one.trained is trained for one in before):
        config = trained.config
        speeds = f"{trained.games_s:,.0f} games/s, {trained.updates_s:,.0f} updates/s"
        writes = f"{trained.writes_s / 1e6:,.0f} million weights/s, a plain loop {trained.limit_s / 1e6:,.0f}"
        times = f"{trained.minutes:.1f} min, {trained.seconds:.0f} s of the clock"
        names = ("tuples", "step_size", "epsilon", "learn_through", "average_from", "batch")
        print(f"seed {config.seed}, {config.games:,} games, {times}: {speeds}, {writes}")
        print(f"  {', '.join(f'{name}={getattr(config, name)}' for name in names)}")
    if isinstance(point, Moves):
        print(
            f"  {point.agent}: {point.wrong} wrong moves in {point.positions} positions, {point.ms:.3f} ms a move", flush=True
        )
        return
    where = f"{point.agent}, {'first' if point.seat == 0 else 'second'} against {point.opponent}"
    results = f"{point.won} won, {point.drawn} drawn, {point.lost} lost, {point.distinct} distinct"
    print(f"  {where}: {results}: {100 * point.win_rate:.1f} % won [{100 * point.low:.1f}, {100 * point.high:.1f}]", flush=True)


def check(settings: Settings) -> None:
    """Exits with a sentence if the settings cannot be measured, or agents would be written over."""
    first = -(-FIRST // max(settings.batch, 1)) * settings.batch
    if settings.games < 1 or min(settings.lengths) <= first:
        raise SystemExit(f"expected at least 1 game, and lengths above {first}")
    if settings.positions and not Path(settings.positions).is_file():
        raise SystemExit(f"positions={settings.positions}: there is no such file; expected one of solved positions")
    if not settings.out:
        return
    try:
        Path(settings.out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"out={settings.out}: {error.strerror}; expected a folder, or a new one") from None
    for config in configs_of(settings):
        for name in weights_of(settings, config):
            if (file := file_of(settings, config, name)).exists():
                raise SystemExit(f"{file} is there already; give another folder")


def main(settings: Settings) -> Found:
    """Measures, and prints."""
    if settings.quick:
        settings = dataclasses.replace(settings, tuples=("walk(2, 3)",), lengths=(100,), games=4, seeds=settings.seeds[:1])
    check(settings)
    found = measure(settings, (lambda found: None) if settings.json else tell)
    if settings.json:
        print(json.dumps([dataclasses.asdict(one) for one in found], indent=2))
    return found


if __name__ == "__main__":
    main(tyro.cli(Settings, description=__doc__))
