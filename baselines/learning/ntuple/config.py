"""The settings of a training of an n-tuple network, and what follows from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from boardgym.baselines.learning.config import check_types, check_words
from boardgym.baselines.learning.game_totals import MOST_GAMES
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.changes import MOST_CHANGES
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.memory import check_memory
from boardgym.baselines.search.common import scale_of
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.random import check_seed

LEARN_THROUGH = ("none", "first", "second", "both")  # the index is a mask: bit p for seat p
MOST_STEP = 10.0
MOST_BATCH, MOST_THREADS = 1 << 16, 1024
Counts = Sequence[tuple[str, int, int]]


@dataclass(frozen=True)
class SelfPlayConfig:
    """What trainings of n-tuple networks have in common. Step size and epsilon are numbers or schedules over the games.

    Attributes:
        game: id of the game, for two seats, one of which wins what the other loses.
        option: rule options, as "name=value".
        cells: how the cells of the board are read, as `connect_four(reachable=0)`, and the phases of the game, each with
            weights of its own, as `planes(phases=6)`; empty: the usual way of the game.
        tuples: descriptions of tuples: "walk(70, 8)", so many random walks of so many cells; "lines(4)", all straight lines;
            "shape(xx/xx)", a shape wherever it fits; "shapes(3)", all shapes of so many cells; "cells(0,0 0,1 1,1)", one by
            hand, as row,column from the top left. None: 70 walks of 8 cells; on boards of 20 to 29 cells in several rows, with
            three or four states each, all lines of 3 and 40 walks of 6; on other boards of fewer than 30 cells 10 walks of 5.
        symmetries: "shared": the images of a tuple under the symmetries of the board read its table too; "none": they do not.
        shares: one table of weights for both seats, in each phase of the game; else each seat has its own.
        games: games to play, over which schedules run.
        step_size: of an update. 1 takes all of an error away, before temporal coherence and the slope of tanh.
        coherence: temporal coherence, a step size for each weight, by how far its changes have agreed: the share |N| / A
            itself, "linear", e^(2.7 (|N| / A - 1)), "exponential", or "none".
        epsilon: share of the plies that are drawn at random, in [0, 1].
        average_from: share of the games after which weights are averaged: the agent has the mean over the later games, of a
            thousand times at most; 1: the weights of the moment.
        setup: where games start; "random:4" after four plies that are drawn at random, and not learnt from.
        max_plies: plies after which a game ends as a draw; 0: as the rules say.
        seed: of everything.
    """

    game: str = "ConnectFour-v0"
    option: tuple[str, ...] = ()
    cells: str = ""
    tuples: tuple[str, ...] = ()
    symmetries: Literal["shared", "none"] = "shared"
    shares: bool = False
    games: int = 100_000
    step_size: str = "3"
    coherence: Literal["none", "linear", "exponential"] = "exponential"
    epsilon: str = "0.1"
    average_from: float = 1.0
    setup: str = "standard"
    max_plies: int = 0
    seed: int = 1


@dataclass(frozen=True)
class NTupleConfig(SelfPlayConfig):
    """How to train by TD(lambda). Step size and epsilon are numbers or schedules (`schedules.read_schedule`).

    Attributes:
        trace_decay: lambda, in [0, 1].
        learn_through: seats whose random plies are learnt through like any others, in place of stopping there: "first" those
            of seat 0, "second" of seat 1, "both" or "none". Values are then of games in which these seats play a random move
            with probability epsilon, and the others do not.
        opponent: "self": the network plays both seats; else the spec of a compiled policy, as "epsilon:0.1(greedy)": the
            network plays against it, on a seat that is drawn for each game, and learns from its own plies alone.
        batch: games that are played by the same weights, which then learn from all of them at once; 1: each game is learnt when
            it is over. Many cores, or a card, play a batch of hundreds or thousands together; a single core learns more
            without. Step size and epsilon are those of its first game.
        threads: that share the games of a batch; 0: one for each core. The result does not depend on it.
        device: "cpu", or "cuda" for a card, a thread of which plays each game of a batch.
    """

    trace_decay: float = 0.8
    learn_through: Literal["none", "first", "second", "both"] = "none"
    opponent: str = "self"
    batch: int = 1
    threads: int = 1
    device: Literal["cpu", "cuda"] = "cpu"


def check_config(config: SelfPlayConfig, counts: Counts = (), shares: Sequence[str] = ()) -> None:
    """Raises OptionError for settings that no training can have.

    counts: (name, least, most) of further whole numbers. shares: names of further numbers from 0 to 1.
    """
    check_types(config)
    check_words(config)
    check_seed(config.seed)
    for name, least, most in (("games", 1, MOST_GAMES), ("max_plies", 0, 1_000_000), *counts):
        if not least <= getattr(config, name) <= most:
            raise OptionError(f"{name}={getattr(config, name)}: expected a whole number from {least:,} to {most:,}")
    for name in ("average_from", *shares):
        if not 0.0 <= getattr(config, name) <= 1.0:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number from 0 to 1")


def check_batch(config: NTupleConfig, limit: int, game: Game) -> int:
    """How many changes a batch may make of one weight. limit: plies of a game.

    Raises OptionError where nothing is to be shared, or by others, and if they are too many for `Changes`.
    """
    if config.batch == 1 and (config.device != "cpu" or config.threads != 1):
        given = f"device={config.device!r}" if config.device != "cpu" else f"threads={config.threads}"
        raise OptionError(f"{given} with batch=1, one game after the other; expected a batch of games to share, as batch=1024")
    if config.device != "cpu" and config.threads != 1:
        raise OptionError(
            f"threads={config.threads} with device={config.device!r}, which shares the games by itself; expected 1"
        )
    each = limit * game.num_symmetries
    if config.batch * each > MOST_CHANGES:
        raise OptionError(
            f"batch={config.batch:,}: expected at most {MOST_CHANGES // each:,} for games of {game.id} of up to {limit:,} "
            "plies; more of shorter ones (max_plies), as their changes have to be added up"
        )
    return config.batch * each


def check_game(game: Game) -> None:
    """Raises UnsupportedGameError for a game in which the loss of one seat is not the gain of the other."""
    if game.num_seats != 2 or game.min_return != -game.max_return:
        what = f"has {game.num_seats} seats" if game.num_seats != 2 else f"pays from {game.min_return} to {game.max_return}"
        raise UnsupportedGameError(
            f"{game.id} {what}: n-tuple networks learn games of two seats, one of which wins what the other loses"
        )


def learner_of(config: SelfPlayConfig, game: Game, trace_decay: float, *, through: int = 0) -> nt.Learner:
    """What the kernels play by. through: the mask of `nt.Learner`. Raises OptionError."""
    limit = config.max_plies or game.max_plies
    check_memory(8 * limit * (4 + len(game.token.row(game.start))), f"games of {limit:,} plies", "max_plies")
    return nt.Learner(
        step_size=read_schedule("step_size", config.step_size, low=0.0, high=MOST_STEP, episodes=config.games),
        epsilon=read_schedule("epsilon", config.epsilon, low=0.0, high=1.0, episodes=config.games),
        trace_decay=float(trace_decay),
        coherence=nt.COHERENCE.index(config.coherence),
        scale=scale_of(game),
        limit=limit,
        through=through,
    )
