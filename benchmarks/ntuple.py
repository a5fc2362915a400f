"""An n-tuple network that learns Connect Four, against perfect play: `python -m benchmarks.ntuple`.

Trains as `boardgym train ntuple` does, for so many games. The agent then moves first against a perfect opponent that chooses at
random among its best moves, and second against one that now and then plays a random move that does not lose at once. Prints
processor time, seconds of the clock; games, updates and weights written a second, beside those that a plain loop writes; games
won, drawn and lost, how many of them differ, and the share of wins with its interval.

With `--device cuda --batch 4096` a card learns. It has not been run on one yet.
"""

import dataclasses
import itertools
import json
import time
from collections.abc import Callable
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
        games: against each opponent.
        first: specs of the opponents against which the agent moves first.
        second: of those against which it moves second.
        seeds: of trainings.
        out: a folder that the agents are written into; empty: they are not kept.
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
    games: int = 200
    first: tuple[str, ...] = ("perfect:ties=random",)
    second: tuple[str, ...] = ("slip:0.2(perfect:ties=random)",)
    seeds: tuple[int, ...] = (1,)
    out: str = ""
    json: bool = False
    quick: bool = False


@dataclass(frozen=True)
class Point:
    """What was measured of a training against an opponent.

    seed, average_from, games, updates: of the training. is_mean: of the mean of its weights, else of the latest ones. minutes:
    of processor time. seconds: of the clock. games_s, updates_s: a second of processor time, on a card of the clock.
    writes_s: weights that updates write a second. limit_s: what a plain loop writes. seat: of the agent. won, drawn, lost,
    distinct: of the games against the opponent. win_rate: won / games, draws are no wins. low, high: its 95 % interval.
    """

    seed: int
    average_from: float
    is_mean: bool
    minutes: float
    seconds: float
    games: int
    updates: int
    games_s: float
    updates_s: float
    writes_s: float
    limit_s: float
    opponent: str
    seat: int
    won: int
    drawn: int
    lost: int
    distinct: int
    win_rate: float
    low: float
    high: float


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


def measure(settings: Settings, show: Callable[[list[Point]], None] = lambda points: None) -> list[Point]:
    """All points of all trainings. show: called with those that there are, after each."""
    found = list[Point]()
    for seed, length, share in itertools.product(settings.seeds, settings.lengths, settings.average_from):
        config = NTupleConfig(
            game=settings.game,
            tuples=settings.tuples,
            games=length,
            step_size=settings.step_size,
            epsilon=settings.epsilon,
            learn_through=settings.learn_through,
            batch=settings.batch,
            threads=settings.threads,
            device=settings.device,
            average_from=share,
            seed=seed,
        )
        training = NTupleTraining(config)
        training.play_to(FIRST)
        before, first = int(training.totals.counts[:, UPDATES].sum()), training.done
        began, started = time.process_time(), time.perf_counter()
        training.play_to(length)
        spent, seconds = time.process_time() - began, time.perf_counter() - started
        clock = spent if settings.device == "cpu" else seconds
        updates = int(training.totals.counts[:, UPDATES].sum()) - before
        images, limit = len(training.network.bases), limit_of(training)
        names = settings.weights if share < 1.0 else ("latest",)
        agents = {name: training.agent(latest=name == "latest") for name in names}
        if settings.out:
            for name, agent in agents.items():
                agent.save(Path(settings.out) / f"games-{length}-mean-from-{share:g}-seed-{seed}-{name}.safetensors")
        matches = [*((0, spec) for spec in settings.first), *((1, spec) for spec in settings.second)]
        for (name, agent), (seat, spec) in itertools.product(agents.items(), matches):
            opponent = make_policy(spec, training.game, seed=seed)
            paid, distinct = play(agent, opponent, settings.games, seat)
            won, drawn, lost = (sum(one == value for one in paid) for value in (1.0, 0.0, -1.0))
            rate = rate_interval(won / len(paid), len(paid))
            found.append(
                Point(
                    seed, share, name == "mean", spent / 60.0, seconds, length, updates, (length - first) / clock,
                    updates / clock, images * updates / clock, limit, spec, seat, won, drawn, lost, distinct, rate.value,
                    rate.low, rate.high,
                )
            )  # fmt: skip
            show(found)
    return found


def tell(points: list[Point]) -> None:
    """Prints the latest point for people, and before the first of a training what it took."""
    point, before = points[-1], points[:-1]
    if not any((one.seed, one.games, one.average_from) == (point.seed, point.games, point.average_from) for one in before):
        speeds = f"{point.games_s:,.0f} games/s, {point.updates_s:,.0f} updates/s"
        writes = f"{point.writes_s / 1e6:,.0f} million weights/s, a plain loop {point.limit_s / 1e6:,.0f}"
        mean = f", mean of the weights from {point.average_from:g}" if point.average_from < 1.0 else ""
        times = f"{point.minutes:.1f} min, {point.seconds:.0f} s of the clock"
        print(f"seed {point.seed}, {point.games:,} games{mean}, {times}: {speeds}, {writes}")
    where = f"{'first' if point.seat == 0 else 'second'} against {point.opponent}"
    where += ", the mean of the weights" if point.is_mean else ""
    results = f"{point.won} won, {point.drawn} drawn, {point.lost} lost, {point.distinct} distinct"
    print(f"  {where}: {results}: {100 * point.win_rate:.1f} % won [{100 * point.low:.1f}, {100 * point.high:.1f}]", flush=True)


def main(settings: Settings) -> list[Point]:
    """Measures, and prints."""
    if settings.quick:
        settings = dataclasses.replace(settings, tuples=("walk(2, 3)",), lengths=(100,), games=4, seeds=settings.seeds[:1])
    first = -(-FIRST // max(settings.batch, 1)) * settings.batch
    if settings.games < 1 or min(settings.lengths) <= first:
        raise SystemExit(f"expected at least 1 game, and lengths above {first}")
    if settings.out:
        Path(settings.out).mkdir(parents=True, exist_ok=True)
    points = measure(settings, (lambda points: None) if settings.json else tell)
    if settings.json:
        print(json.dumps([dataclasses.asdict(point) for point in points], indent=2))
    return points


if __name__ == "__main__":
    main(tyro.cli(Settings, description=__doc__))
