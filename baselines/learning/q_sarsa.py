"""Q-Sarsa(lambda) with a cascade network over afterstates, in batches of games that the network plays against itself.

Q(s, a) is what the seat that plays a in s may expect: what the game pays where a ends it, else the output of the network for
the position that a leads to, as that seat sees it. Actions are drawn by softmax: P(a) = e^(Q(s, a) / temperature) / sum over b.
After each batch, for the decisions (s_0, a_0), (s_1, a_1) ... of the last games, with Q of the network that stands:

    q_t = (1 - sigma) max_b Q(s_t, b) + sigma Q(s_t, a_t)
    G_t = c discount ((1 - lambda) q_(t+1) + lambda G_(t+1)),   of the last decision what the game pays
    y_t = Q(s_t, a_t) + step_size (G_t - Q(s_t, a_t))

c is 1 where the same seat decides next, and -1 where the other does, which gets the opposite. So a decision's target is one ply
away, whoever decides there. sigma = 0 is Q-learning, sigma = 1 Sarsa. The network then learns the y_t as cascade correlation
does: the weights of its output are trained anew, from where they are, and a few hidden units are added, each where it lowers
the error of test games. Frozen units stay as they are.

Source: S. Nissen, "Large scale reinforcement learning using Q-SARSA(lambda) and cascading neural networks", 2007. Departures:
afterstates of two seats in place of actions of one; lambda-returns of whole games in place of eligibility traces; test games.
"""

import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.cascade.cascade import Cascade, as_examples
from boardgym.baselines.learning.cascade.settings import CascadeSettings, check_settings, function_of
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.examples.kernels import features_of_rows
from boardgym.baselines.learning.network_players import check_search, spec_of
from boardgym.baselines.learning.q_sarsa_games import lambda_returns, make_decisions, play_kernel, replay_kernel
from boardgym.baselines.learning.q_sarsa_state import BEGINNING, COLUMNS, STEEPNESS, State, read_state, write_state
from boardgym.baselines.learning.run_folders import AGENT, CURVE, Run
from boardgym.baselines.learning.runs import Training, write_table
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.cascade_files import load_cascade, save_cascade
from boardgym.baselines.networks.cascade_network import CascadeNet, make_cascade
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.search.common import scale_of
from boardgym.baselines.search.evaluations import CascadeEvaluation
from boardgym.baselines.typed_json import plain_data
from boardgym.compile import plain
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game, read_options
from boardgym.core.random import check_seed, stream

GAME_STREAM, CASCADE_STREAM = range(2)  # the paths of the streams under a training's seed
TEST_EVERY = 10  # one game in so many is a test game
OUTPUT = "sigmoid_symmetric"  # of the network: tanh, by STEEPNESS of x / 2
LEAST_TEMPERATURE = 0.01


@dataclass(frozen=True)
class QSarsaConfig:
    """How to train. The temperature is a number or a schedule over the batches (`schedules.read_schedule`).

    Attributes:
        game: id of the game, of two seats, without chance.
        option: rule options, as "name=value".
        features: the feature map; empty: othello_bits, morris_bits, in other games planes.
        batches: how many.
        games: of a batch, at least 10.
        window: how many of the last games are learnt from after each batch.
        sigma: share of Sarsa in the targets; the rest is Q-learning's.
        trace_decay: lambda, in [0, 1].
        discount: for each decision, in [0, 1].
        step_size: how far targets are from what the network says towards the returns, in (0, 1].
        temperature: of the softmax that draws actions.
        units: hidden units that a batch may add. max_units: that there may be in all.
        functions: of the candidates for hidden units. groups: how many candidates there are of each function.
        min_epochs, max_epochs: of each training of the output and of candidates.
        max_plies: plies after which a game ends as a draw; 0: as the rules say.
        search: spec of the player, whose playouts ask the network.
        minutes: end with the batch in which they are over; 0: when all batches are done. How far a training comes in its
            minutes cannot be repeated; what it is after so many batches can.
        seed: of everything.
    """

    game: str = "ConnectFour"
    option: tuple[str, ...] = ()
    features: str = ""
    batches: int = 40
    games: int = 200
    window: int = 2000
    sigma: float = 0.5
    trace_decay: float = 0.7
    discount: float = 1.0
    step_size: float = 1.0
    temperature: str = "0.5"
    units: int = 1
    max_units: int = 40
    functions: tuple[str, ...] = CascadeSettings.functions
    groups: int = 1
    min_epochs: int = CascadeSettings.min_epochs
    max_epochs: int = CascadeSettings.max_epochs
    max_plies: int = 0
    search: str = "uct:200,playout=softmax"
    minutes: float = 0.0
    seed: int = 1


def check_config(config: QSarsaConfig) -> None:
    """Raises OptionError for numbers that no training can have."""
    check_seed(config.seed)
    for name, least, most in (("batches", 1, 1_000_000), ("games", TEST_EVERY, 1_000_000), ("window", config.games, 10_000_000),
                              ("units", 0, 1000), ("max_plies", 0, 1_000_000)):  # fmt: skip
        if not least <= getattr(config, name) <= most:
            raise OptionError(f"{name}={getattr(config, name)}: expected a whole number from {least:,} to {most:,}")
    for name in ("sigma", "trace_decay", "discount"):
        if not 0.0 <= getattr(config, name) <= 1.0:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number from 0 to 1")
    if not 0.0 < config.step_size <= 1.0:
        raise OptionError(f"step_size={config.step_size}: expected a number above 0, at most 1")
    if not 0.0 <= config.minutes < math.inf:
        raise OptionError(f"minutes={config.minutes}: expected 0 or more")
    check_settings(cascade_settings(config, 0, 1))


def cascade_settings(config: QSarsaConfig, batch: int, num_threads: int) -> CascadeSettings:
    """How the network grows after a batch; the draws of each batch are its own."""
    return CascadeSettings(
        max_units=config.max_units,
        output_steepness=STEEPNESS,
        functions=config.functions,
        steepnesses=(STEEPNESS,),
        groups=config.groups,
        min_epochs=config.min_epochs,
        max_epochs=config.max_epochs,
        seed=int(stream(config.seed, CASCADE_STREAM, batch)[0]) >> 1,
        num_threads=num_threads,
    )


class QSarsa(Training):
    """A training, as those of `runs`.

    Args:
        config: its settings.
        num_threads: that share the examples, 0 for one a core; results do not depend on it.

    Raises OptionError, SpecError, UnknownGameError, UnsupportedGameError for settings that cannot be had.
    """

    kind, unit, label = "q-sarsa", "batches", "Q-Sarsa"
    config: QSarsaConfig

    def __init__(self, config: QSarsaConfig, *, num_threads: int = 1) -> None:
        check_config(config)
        self.config, self.num_threads = config, num_threads
        self.game = game = get_game(config.game, **read_options(config.option))
        self.features = mover_map(game, config.features)
        if game.min_return != -game.max_return:
            raise UnsupportedGameError(
                f"Q-Sarsa learns games where one seat wins what the other loses; {game.id} has "
                f"min_return = {game.min_return:g}, max_return = {game.max_return:g}"
            )
        self.temperature = read_schedule(
            "temperature", config.temperature, low=LEAST_TEMPERATURE, high=1e6, episodes=config.batches
        )
        check_search(config.search, self.features)
        self.start = Board(game).row
        self.state = BEGINNING

    # ------------------------------------------------------------ how far it has come

    @property
    def done(self) -> int:
        """Batches done."""
        return self.state.done

    @property
    def total(self) -> int:
        """Batches in all."""
        return self.config.batches

    @property
    def size(self) -> str:
        """The network and its error, in words."""
        if not self.state.curve:
            return ""
        return f"{len(self.state.hidden)} hidden units, test error {self.state.curve[-1][COLUMNS.index('test_error')]:.4f}"

    @property
    def has_begun(self) -> bool:
        """Whether a batch is done."""
        return self.done > 0

    @property
    def is_over_time(self) -> bool:
        """Whether the minutes are over."""
        return 0.0 < 60.0 * self.config.minutes <= self.state.seconds

    @property
    def ended(self) -> str:
        """As of `Training`."""
        return "all batches are done" if self.done == self.total else f"the minutes are over, after {self.done:,} batches"

    # ------------------------------------------------------------ a batch

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`; watch: after each batch."""
        while self.done < self.total and not self.is_over_time:
            self.state = self.batch()
            watch()

    @property
    def net(self) -> CascadeNet:
        """The network that stands; before the first batch one that says 0 of everything."""
        weights, inputs = self.state.output_weights, len(self.features.names)
        own = np.zeros(inputs + 1) if weights is None else weights[0]
        return make_cascade(inputs, self.state.hidden, [(function_of(OUTPUT), STEEPNESS, own)])

    def batch(self) -> State:
        """The state after one more batch."""
        started, state, config = time.monotonic(), self.state, self.config
        games = [*np.split(state.actions, state.ends[:-1]), *self.play()] if len(state.ends) else self.play()
        games = games[-config.window :]
        actions, ends = np.concatenate(games), np.cumsum([len(game) for game in games])
        what = f"{len(actions):,} examples with {config.max_units:,} units"
        check_memory(16 * len(actions) * (len(self.features.names) + config.max_units + 2), what, "window or max_units")
        inputs, targets, is_test = self.examples(actions, ends)
        parts = [as_examples(inputs[part], targets[part]) for part in (~is_test, is_test)]
        cascade = Cascade(cascade_settings(config, state.done, self.num_threads), *parts)
        if state.output_weights is not None:
            cascade.start_from(state.hidden, state.output_weights)
        cascade.grow()
        for _ in range(min(config.units, config.max_units - len(state.hidden))):
            cascade.grow()
        units = cascade.best_units
        best = next(it for it in cascade.history if it.units == units)
        done = state.done + 1
        row = [done, done * config.games, units, len(targets), best.train_error, best.test_error, len(actions) / len(games)]
        seconds = state.seconds + time.monotonic() - started
        return State(done, cascade.hidden[:units], cascade.best_weights, actions, ends, seconds, [*state.curve, row])

    @property
    def _limit(self) -> int:
        """Plies after which a game is cut."""
        return self.config.max_plies or self.game.max_plies

    def play(self) -> list[NDArray[np.int64]]:
        """The actions of a batch's games, all from the first position, each drawn from a stream of its own."""
        config, number = self.config, self.done
        data = CascadeEvaluation(self.features, self.net).data
        temperature = float(plain(rate_at)(self.temperature, number))
        moves = np.empty(self.game.max_choices, np.int64)
        actions, found = np.empty(self._limit, np.int64), []
        for game in range(config.games):
            rng = stream(config.seed, GAME_STREAM, number, game)
            plies = play_kernel(self.game.token, self.start, data, scale_of(self.game), temperature, rng, moves, actions)
            found.append(actions[:plies].copy())
        return found

    def examples(
        self, actions: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """(inputs, float64 (n, I), targets, float64 (n, 1), whether of a test game, bool (n,)) of games, but for their ends.

        actions, ends: as of `State`. Raises OptionError where games are so short that there are none.
        """
        config, found = self.config, make_decisions(len(actions), len(self.start))
        data, moves = CascadeEvaluation(self.features, self.net).data, np.empty(self.game.max_choices, np.int64)
        replay_kernel(self.game.token, self.start, data, scale_of(self.game), actions, ends, self._limit, moves, found)
        returns = np.empty(len(actions))
        lambda_returns(found.taken, found.best, found.seats, ends, config.sigma, config.discount, config.trace_decay, returns)
        targets = found.taken + config.step_size * (returns - found.taken)
        first = (self.done + 1) * config.games - len(ends)
        number = first + np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        is_learnt = np.ones(len(actions), bool)
        is_learnt[ends - 1] = False
        is_test = number[is_learnt] % TEST_EVERY == TEST_EVERY - 1
        if is_test.all() or not is_test.any():
            raise OptionError(f"{self.game.id}: games of so few plies that there is nothing to learn between start and end")
        inputs = features_of_rows(self.features, found.rows[is_learnt], found.seats[is_learnt])
        return inputs, targets[is_learnt].reshape(-1, 1), is_test

    # ------------------------------------------------------------ in a folder

    def run_in(self, folder: Path) -> Run:
        """As of `Training`. With other minutes it goes on where it ended."""
        return Run(self.kind, self._settings(), self.checkpoint, self.written, ("minutes", "search"), adopts=False)

    def _settings(self) -> dict[str, Any]:
        own = {"game": self.game.id, "option": sorted(self.config.option)}
        found: dict[str, Any] = plain_data({**dataclasses.asdict(self.config), **own})
        return found

    def _identity(self) -> dict[str, Any]:
        return {name: value for name, value in self._settings().items() if name not in ("minutes", "search")}

    def save_checkpoint(self, path: Path) -> None:
        """As of `Training`."""
        write_state(path, self.state, self._identity())

    def load_checkpoint(self, path: Path) -> None:
        """As of `Training`."""
        self.state = read_state(path, self._identity(), self.game, len(self.features.names))

    # ------------------------------------------------------------ what it leaves

    def is_written(self, folder: Path) -> bool:
        """As of `Training`: the agent's file says after how many batches it was written."""
        return self.has_written(folder, lambda path: load_cascade(path)[1].training, self._training())

    def write_results(self, folder: Path) -> None:
        """The curve and the network."""
        self.write_curve(folder)
        self.write_agent(folder / AGENT)

    def write_agent(self, path: Path) -> None:
        """As of `Training`."""
        save_cascade(path, self.net, features=self.features, training=self._training())

    def write_curve(self, folder: Path) -> None:
        """As of `Training`."""
        whole = {"batch", "games", "units", "examples"}
        rows = [[int(v) if name in whole else v for name, v in zip(COLUMNS, row, strict=True)] for row in self.state.curve]
        write_table(folder / CURVE, COLUMNS, rows)

    def _training(self) -> dict[str, Any]:
        """What the agent's file says of the training."""
        return {"method": self.kind, "done": self.done, **self._identity()}

    def spec_in(self, folder: Path) -> str:
        """The search that asks the network."""
        return spec_of(self.config.search, self.agent_path(folder))

    @property
    def most_plies(self) -> int:
        """As of `Training`."""
        return self.config.max_plies

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`."""
        return dict(zip(COLUMNS[1:], self.state.curve[-1][1:], strict=True)) if self.state.curve else {}

    def lines(self, folder: Path) -> list[tuple[str, str]]:
        """As of `Training`."""
        return [("greedy", f"minimax:1,evaluation=cascade(file:{self.agent_path(folder)})")]
