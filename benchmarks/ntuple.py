"""An n-tuple network that learns Connect Four, against perfect play: `python -m benchmarks.ntuple`.

Trains as `boardgym train ntuple` does, for so many minutes of processor time, and at some points on the way lets the agent, as
it is then, move first against a perfect opponent that chooses at random among its best moves. Prints games and updates a second
of processor time, games won, drawn and lost, how many of them differ, and the share of wins with its interval.
"""

import contextlib
import dataclasses
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

MOST_GAMES = 1_000_000_000  # of a training, which time ends
FIRST = 8  # games that compile or load, and are not measured


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Trains networks and measures them.

    Attributes:
        game: that is learnt.
        tuples: of the network.
        minutes: of processor time, after which it is measured, ascending.
        games: against the opponent each time.
        opponent: its spec; it moves second.
        seeds: of trainings.
        json: print the figures as JSON.
        quick: a few games of a small network, to see that it runs; the figures mean nothing.
    """

    game: str = "ConnectFour-v0"
    tuples: tuple[str, ...] = ("walk(70, 8)",)
    minutes: tuple[float, ...] = (1.0, 2.0, 5.0, 10.0)
    games: int = 200
    opponent: str = "perfect:ties=random"
    seeds: tuple[int, ...] = (1,)
    json: bool = False
    quick: bool = False


@dataclass(frozen=True)
class Point:
    """What was measured after some minutes of a training.

    games, updates: of the training until then. games_s, updates_s: a second of processor time. won, drawn, lost, distinct: of
    the games against the opponent. win_rate: won / games, draws are no wins. low, high: its 95 % interval.
    """

    seed: int
    minutes: float
    games: int
    updates: int
    games_s: float
    updates_s: float
    won: int
    drawn: int
    lost: int
    distinct: int
    win_rate: float
    low: float
    high: float


class EnoughError(Exception):
    """The time of a part is spent."""


def train_for(training: NTupleTraining, seconds: float) -> float:
    """Goes on with a training for so many seconds of processor time, and returns how many it took."""
    began = time.process_time()

    def watch() -> None:
        if time.process_time() - began >= seconds:
            raise EnoughError

    with contextlib.suppress(EnoughError):
        training.play_to(training.total, watch)
    return time.process_time() - began


def play(agent: Any, opponent: Any, games: int) -> tuple[list[float], int]:
    """(what games pay the agent, which moves first; how many games differ)."""
    paid, seen = list[float](), set[tuple[int, ...]]()
    for _ in range(games):
        board = Board(agent.game)
        while not board.is_terminal:
            board.push((agent if board.to_play == 0 else opponent).act(board))
        paid.append(board.returns()[0])
        seen.add(tuple(board.actions))
    return paid, len(seen)


def measure(settings: Settings, show: Callable[[Point], None] = lambda point: None) -> list[Point]:
    """All points of all trainings. show: called with each."""
    found = list[Point]()
    for seed in settings.seeds:
        config = NTupleConfig(game=settings.game, tuples=settings.tuples, games=MOST_GAMES, seed=seed)
        training, spent = NTupleTraining(config), 0.0
        training.play_to(FIRST)
        opponent = make_policy(settings.opponent, training.game, seed=seed)
        before = int(training.totals.counts[:, UPDATES].sum())
        for minutes in settings.minutes:
            spent += train_for(training, 60.0 * minutes - spent)
            paid, distinct = play(training.agent(), opponent, settings.games)
            won, drawn, lost = (sum(one == value for one in paid) for value in (1.0, 0.0, -1.0))
            games, updates = training.done - FIRST, int(training.totals.counts[:, UPDATES].sum()) - before
            rate = rate_interval(won / len(paid), len(paid))
            speeds, results = (games / spent, updates / spent), (won, drawn, lost, distinct)
            found.append(Point(seed, spent / 60.0, games, updates, *speeds, *results, rate.value, rate.low, rate.high))
            show(found[-1])
    return found


def tell(point: Point) -> None:
    """Prints a point for people."""
    speed = f"{point.games:,} games, {point.games_s:,.0f} games/s, {point.updates_s:,.0f} updates/s"
    results = f"{point.won} won, {point.drawn} drawn, {point.lost} lost, {point.distinct} distinct"
    share = f"{100 * point.win_rate:.1f} % won [{100 * point.low:.1f}, {100 * point.high:.1f}]"
    print(f"seed {point.seed}, {point.minutes:.1f} min: {speed}; {results}: {share}", flush=True)


def main(settings: Settings) -> list[Point]:
    """Measures, and prints."""
    if settings.quick:
        settings = dataclasses.replace(settings, tuples=("walk(2, 3)",), minutes=(0.0,), games=4, seeds=settings.seeds[:1])
    points = measure(settings, (lambda point: None) if settings.json else tell)
    if settings.json:
        print(json.dumps([dataclasses.asdict(point) for point in points], indent=2))
    return points


if __name__ == "__main__":
    main(tyro.cli(Settings, description=__doc__))
