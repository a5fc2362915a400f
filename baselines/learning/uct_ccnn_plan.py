"""How much of UCT-CCNN fits into minutes, by the time of its first game and of its first hidden unit."""

import dataclasses
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.cascade.cascade import Cascade, as_examples
from boardgym.baselines.learning.cascade.settings import CascadeSettings
from boardgym.baselines.learning.examples.columns import Examples
from boardgym.baselines.learning.examples.games import PlayedGame, play_example_game
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.baselines.learning.tuning.optimisers import POPULATION
from boardgym.baselines.networks.feature_maps import GameFeatures
from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream

TUNE_SHARE, GAMES_SHARE, GROWTH_SHARE, COMPARE_SHARE = 0.15, 0.45, 0.3, 0.1  # of the minutes
LEAST_TUNE_GAMES = 6
LEAST_UNITS = 3  # hidden units that there should be time for, if each takes as many epochs as it may
TIMED_EXAMPLES, LEAST_EXAMPLES = 256, 100
DRAW_STREAM = 2  # the path of the draw of examples under the seed; those before are of `examples.games`

Games = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


@dataclass(frozen=True)
class Plan:
    """How much each stage does.

    start_games, states: as of `ExamplesConfig`. tune_games: of a sample, 0 for no tuning. growth_s: seconds for the network,
    None for no limit. examples: to learn from at most, None for no limit, or before it is known. units: hidden units with which
    the growth has ended by time, None before.
    """

    start_games: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
    states: Games
    tune_games: Games
    growth_s: Annotated[float, msgspec.Meta(gt=0.0, le=1e9)] | None = None
    examples: Annotated[int, msgspec.Meta(ge=1)] | None = None
    units: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None


def read_plan(path: Path) -> Plan:
    """What `write_plan` wrote. Raises SpecError."""
    return read_json(path.read_bytes(), Plan, SpecError, f"the plan of a run in {path}; delete the folder")


def write_plan(path: Path, plan: Plan) -> None:
    """Writes a plan, whole or not at all. Raises OSError."""
    write_aside(path, msgspec.json.encode(plan) + b"\n")


@dataclass(frozen=True)
class Minutes:
    """What the minutes are for.

    seconds: of all of it. processes: that play. tuning: games of a sample that are wanted, 0 for no tuning; iterations: of it;
    tune_share: thinking time in its games, as a share of that in those that examples are taken from.
    """

    seconds: float
    processes: int
    tuning: int
    iterations: int
    tune_share: float

    def plan(self, config: ExamplesConfig, game_s: float) -> Plan:
        """What fits. config: with the numbers of games of the study, which give the shares. game_s: seconds that a game takes.

        The game that was timed has taken its part of the time; it is one of the games of the plan where nothing is tuned.
        """
        games_s = GAMES_SHARE * self.seconds - game_s
        tuned = int(TUNE_SHARE * self.seconds * self.processes / (game_s * self.tune_share) / (POPULATION * self.iterations))
        tuned = min(self.tuning, tuned // 2 * 2)
        games = int(games_s * self.processes / game_s)
        if tuned < LEAST_TUNE_GAMES or games < 1:
            tuned, games = 0, games + 1
        states = games * config.num_states // config.num_games
        start_games = games - states * config.games_per_state
        return Plan(start_games, states, tuned, GROWTH_SHARE * self.seconds)


def timed_game(config: ExamplesConfig, features: GameFeatures, most_s: float) -> tuple[PlayedGame, float]:
    """The first of the games that examples are taken from, and the seconds that it took, without what is compiled first.

    Raises OptionError for one that takes longer than `most_s`, when it has.
    """
    policy = make_policy(config.policy, features.game, seed=0)
    play_example_game(policy, features, 0, seed=config.seed, max_plies=2)
    started = time.monotonic()
    game = play_example_game(
        policy, features, 0, seed=config.seed, max_plies=config.max_plies, until=lambda: time.monotonic() - started > most_s
    )
    seconds = max(time.monotonic() - started, 1e-3)
    if seconds > most_s:
        raise OptionError(
            f"a game of {config.policy} takes more than {most_s:.3g} s, the share of the games ({game.length:,} plies until "
            "then); give it more minutes, fewer simulations, or max_plies"
        )
    return game, seconds


def examples_within(seconds: float, settings: CascadeSettings, X: NDArray[np.float64], y: NDArray[np.float64]) -> int:
    """With how many examples LEAST_UNITS hidden units can be grown in so many seconds, by the time that one takes with a few.

    settings: of the growth. X, y: examples, float64 (n, inputs), (n,). At least LEAST_EXAMPLES.
    """
    quick = dataclasses.replace(settings, min_epochs=1, max_epochs=1)
    few = X[:TIMED_EXAMPLES], y[:TIMED_EXAMPLES].reshape(-1, 1)
    for own in (quick, settings):  # the first compiles what has to be
        cascade = Cascade(own, as_examples(*few), as_examples(*few))
        cascade.grow()
        unit = cascade.grow()
    at_most = unit.seconds * settings.max_epochs / unit.candidate_epochs
    return max(LEAST_EXAMPLES, int(seconds / LEAST_UNITS * len(few[0]) / at_most))


def arrays_of(examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(inputs, float64 (n, I), what they are worth, float64 (n,))."""
    return examples.inputs(), examples.columns["utility"].astype(float)


def drawn(examples: Examples, count: int, *, seed: int) -> Examples:
    """So many of the examples, drawn uniformly, in their order."""
    order = np.random.default_rng(int(stream(seed, DRAW_STREAM)[0])).permutation(len(examples))
    return examples.take(np.sort(order[:count]))
