"""An n-tuple network that learns Connect Four, against perfect play: `python -m benchmarks.ntuple`.

Trains as `boardgym train ntuple` does, for so many games. The agent then moves first against a perfect opponent that chooses at
random among its best moves, and second against one that now and then plays a random move that does not lose at once. Prints
processor time, games and updates a second, games won, drawn and lost, how many of them differ, and the share of wins with its
interval.
"""

import dataclasses
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tyro

from boardgym.baselines import make_policy, rate_interval
from boardgym.baselines.learning.game_totals import UPDATES
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.core.board import Board

FIRST = 8  # games that compile or load, and are not measured


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Trains networks and measures them.

    Attributes:
        game: that is learnt.
        tuples: of the network.
        lengths: games of a training; each is a training of its own, with its schedules.
        games: against each opponent.
        first: specs of the opponents against which the agent moves first.
        second: of those against which it moves second.
        seeds: of trainings.
        json: print the figures as JSON.
        quick: a few games of a small network, to see that it runs; the figures mean nothing.
    """

    game: str = "ConnectFour-v0"
    tuples: tuple[str, ...] = ("walk(70, 8)",)
    lengths: tuple[int, ...] = (600_000, 6_000_000)
    games: int = 200
    first: tuple[str, ...] = ("perfect:ties=random",)
    second: tuple[str, ...] = ("slip:0.2(perfect:ties=random)",)
    seeds: tuple[int, ...] = (1,)
    json: bool = False
    quick: bool = False


@dataclass(frozen=True)
class Point:
    """What was measured of a training against an opponent.

    minutes: of processor time. games, updates: of the training. games_s, updates_s: a second of processor time. seat: of the
    agent. won, drawn, lost, distinct: of the games against the opponent. win_rate: won / games, draws are no wins. low, high:
    its 95 % interval.
    """

    seed: int
    minutes: float
    games: int
    updates: int
    games_s: float
    updates_s: float
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


def measure(settings: Settings, show: Callable[[Point], None] = lambda point: None) -> list[Point]:
    """All points of all trainings. show: called with each."""
    found = list[Point]()
    for seed, length in itertools.product(settings.seeds, settings.lengths):
        training = NTupleTraining(NTupleConfig(game=settings.game, tuples=settings.tuples, games=length, seed=seed))
        training.play_to(min(FIRST, length))
        before, began = int(training.totals.counts[:, UPDATES].sum()), time.process_time()
        training.play_to(length)
        spent = time.process_time() - began
        updates = int(training.totals.counts[:, UPDATES].sum()) - before
        for seat, spec in [*((0, spec) for spec in settings.first), *((1, spec) for spec in settings.second)]:
            opponent = make_policy(spec, training.game, seed=seed)
            paid, distinct = play(training.agent(), opponent, settings.games, seat)
            won, drawn, lost = (sum(one == value for one in paid) for value in (1.0, 0.0, -1.0))
            rate = rate_interval(won / len(paid), len(paid))
            found.append(
                Point(
                    seed, spent / 60.0, length, updates, (length - FIRST) / spent, updates / spent,
                    spec, seat, won, drawn, lost, distinct, rate.value, rate.low, rate.high,
                )
            )  # fmt: skip
            show(found[-1])
    return found


def tell(point: Point) -> None:
    """Prints a point for people."""
    speed = f"{point.games:,} games, {point.games_s:,.0f} games/s, {point.updates_s:,.0f} updates/s"
    where = f"{'first' if point.seat == 0 else 'second'} against {point.opponent}"
    results = f"{point.won} won, {point.drawn} drawn, {point.lost} lost, {point.distinct} distinct"
    share = f"{100 * point.win_rate:.1f} % won [{100 * point.low:.1f}, {100 * point.high:.1f}]"
    print(f"seed {point.seed}, {point.minutes:.1f} min: {speed}; {where}: {results}: {share}", flush=True)


def main(settings: Settings) -> list[Point]:
    """Measures, and prints."""
    if settings.quick:
        settings = dataclasses.replace(settings, tuples=("walk(2, 3)",), lengths=(100,), games=4, seeds=settings.seeds[:1])
    points = measure(settings, (lambda point: None) if settings.json else tell)
    if settings.json:
        print(json.dumps([dataclasses.asdict(point) for point in points], indent=2))
    return points


if __name__ == "__main__":
    main(tyro.cli(Settings, description=__doc__))
