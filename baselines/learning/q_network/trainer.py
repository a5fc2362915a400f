"""Trainings by Q-learning with networks, in which all seats learn."""

import dataclasses
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning import game_totals as gt
from boardgym.baselines.learning.agent_files import read_own_header
from boardgym.baselines.learning.mean_weights import MeanWeights
from boardgym.baselines.learning.q_network import networks as qn
from boardgym.baselines.learning.q_network import options as op
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.baselines.learning.q_network.agent import (
    MOST_WEIGHT,
    QNetworkAgent,
    check_play_symmetries,
    copied,
    fill,
    trimmed,
    views,
)
from boardgym.baselines.learning.q_network.config import (
    QNetworkConfig,
    check_config,
    learner_of,
    num_outputs,
    options_of,
    temperature_of,
)
from boardgym.baselines.learning.run_folders import AGENT, CURVE, Run
from boardgym.baselines.learning.runs import Training, write_table
from boardgym.baselines.learning.starts import check_begun, read_starts
from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.feature_maps import sign_map
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import OptionError, PositionError, SpecError
from boardgym.core.game import get_game, read_options
from boardgym.core.random import stream
from boardgym.core.validity import check_rows

WEIGHT_STREAM, GAME_STREAM = range(2)  # the paths of the streams under a training's seed
MOST_COUNT = 1 << 53  # of plies or updates in a block
MOST_PAID = 1e6  # in size, in the rewards of the training, which are within [-1, 1] for a whole game
PIECE_S = 0.1  # seconds between two looks at what else there is to do
PIECES = 64  # calls of a training at least, for those who watch it
POINTS = 100  # of the curve
COLUMNS = ("games", "won", "drawn", "lost", "plies", "td_error")


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "train into another folder (--out), or delete this one"


CHECKPOINTS = ArrayFiles("boardgym q-network training", 1, "a checkpoint of Q-learning with networks", SpecError, advice)


class QNetwork(Training):
    """A training, as those of `runs`: `train_into(QNetwork(config), folder)`, or in parts by `play_to`.

    Parts do not change the result: `play_to(50_000)`, `save_checkpoint`, and in another process `load_checkpoint` and
    `play_to(100_000)` end with the same bits as one `play_to(100_000)`.

    Args:
        config: its settings.

    Attributes:
        features: what the networks see. nets: the networks that learn.

    Raises OptionError, UnknownGameError, UnsupportedGameError for settings that cannot be had.

    Example:
        >>> from boardgym.baselines.learning.q_network.config import QNetworkConfig
        >>> from boardgym.baselines.learning.q_network.trainer import QNetwork
        >>> training = QNetwork(QNetworkConfig(game="TicTacToe-v0", games=200, hidden=8))
        >>> training.play_to(100)
        >>> agent = training.agent()  # as it plays now: it does not change when the training goes on
        >>> training.play_to(200)
        >>> training.done, training.size
        (200, '2 x single, 754 weights')
    """

    kind, unit, label = "q-network", "games", "Q-learning"
    config: QNetworkConfig

    def __init__(self, config: QNetworkConfig) -> None:
        check_config(config)
        self.config = config
        self.game = game = get_game(config.game, **read_options(config.option))
        self.features = sign_map(game, config.features)
        check_play_symmetries(config.play_symmetries, game)
        self.learner, self.starts = learner_of(config, game), read_starts(game, config.setup)
        self.num_inputs, seats = len(self.features.names), game.num_seats
        self.nets = qn.make_networks(
            config.form,
            num_networks=1 if config.shares else seats,
            inputs=self.num_inputs,
            hidden=config.hidden,
            actions=num_outputs(game),
        )
        qn.draw_weights(self.nets.weights, config.hidden, config.weight_span, stream(config.seed, WEIGHT_STREAM))
        units = qn.padded(config.hidden)
        self.decisions = qg.make_decisions(seats, self.num_inputs, units)
        self.scratch = qg.make_scratch(game, self.num_inputs, units, self.learner.limit)
        size = math.ceil(config.games / POINTS)
        blocks = math.ceil(config.games / size)
        self.totals = gt.Totals(np.zeros((blocks, 5), np.int64), np.zeros(blocks), np.array([size]))
        self.progress = np.zeros(2, np.int64)  # games done, and those to stop after
        self.rng = stream(config.seed, GAME_STREAM)
        self.options, fields = options_of(config), len(game.token.row(game.start))
        check_memory(8 * config.replay * (2 * fields + 5), f"{config.replay:,} decisions", "replay")
        self.experience = op.make_experience(max(config.replay, 1), fields)
        self.pending = op.make_pending(seats, config.n_steps, fields)
        self.targets = copied(self.nets) if config.target_every else self.nets
        self.mean = MeanWeights([*views(self.nets, config.hidden).values()], config.games, config.average_from)

    # ------------------------------------------------------------ how far it has come

    @property
    def done(self) -> int:
        """Games done."""
        return int(self.progress[0])

    @property
    def total(self) -> int:
        """Games in all."""
        return self.config.games

    @property
    def size(self) -> str:
        """The networks, in words."""
        weights = qn.count_weights(self.nets, self.config.hidden)
        return f"{len(self.nets.weights.output_biases)} x {self.config.form}, {weights:,} weights"

    @property
    def has_begun(self) -> bool:
        """Whether a game is done."""
        return self.done > 0

    def agent(self) -> QNetworkAgent:
        """The policy that has been learnt so far, with weights of its own: their mean, once there is one."""
        facts = {"pays": None, "training": {"method": self.kind, "done": self.done, **self._settings()}}
        nets, hidden = copied(self.nets), self.config.hidden
        self.mean.add(self.done)  # an interruption may have come before it
        if self.mean.is_on:
            self.mean.write_mean([*views(nets, hidden).values()])
        seen, seed = self.config.play_symmetries, self.config.seed
        return QNetworkAgent(self.features, nets, hidden, facts, play_symmetries=seen, seed=seed, spec=self.kind)

    # ------------------------------------------------------------ games

    def play_to(self, goal: int, watch: Callable[[], None] | None = None) -> None:
        """Plays and learns until so many games are done in all; nothing if they are.

        watch: called every tenth of a second or so, between games; what it raises ends it.

        Raises OptionError for a goal beyond the games of the settings.
        """
        if goal > self.total:
            raise OptionError(f"{goal:,} games: the training is of {self.total:,}, which its schedules are for")
        piece = 1
        self.mean.add(self.done)
        while self.done < goal:
            began, self.progress[1] = time.perf_counter(), min(goal, self.done + piece, self.mean.next_time(self.done))
            self._play()
            check_begun(self.progress, self.config.setup)
            self.mean.add(self.done)
            spent = time.perf_counter() - began
            piece = min(max(1, int(piece * min(max(PIECE_S / max(spent, 1e-6), 0.25), 4.0))), max(self.total // PIECES, 1))
            if watch is not None:
                watch()

    def _play(self) -> None:
        """Plays the games of a piece."""
        learner, weights = qg.rows_of_learner(self.learner), self.nets.weights
        common = self.game.token, self.starts, self.features.token, self.features.row, learner, self.nets.form
        ends = self.scratch, self.totals, self.progress, self.rng
        if self.config.has_options:
            options, targets = np.array(self.options, np.int64), self.targets.weights
            op.play_options_kernel(*common, options, weights, targets, self.experience, self.pending, *ends)
        else:
            qg.play_kernel(*common, weights, self.decisions, *ends)

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`."""
        while self.done < self.total:
            self.play_to(self.part_end, watch)

    # ------------------------------------------------------------ in a folder

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return Run(self.kind, self._settings(), self.checkpoint, self.written, adopts=False)

    def _settings(self) -> dict[str, Any]:
        own = {"game": self.game.id, "option": sorted(self.config.option), "features": self.features.text}
        own["temperature"] = temperature_of(self.config)
        found: dict[str, Any] = plain_data({**dataclasses.asdict(self.config), **own})
        return found

    def save_checkpoint(self, path: Path) -> None:
        """As of `Training`. Raises OptionError too, if weights have gone beyond all numbers."""
        self.mean.add(self.done)  # an interruption may have come before it
        arrays = {
            **trimmed(self.nets, self.config.hidden),
            "counts": self.totals.counts,
            "errors": self.totals.errors,
            "rng": self.rng,
            **self._extras(),
        }
        CHECKPOINTS.write(Path(path), arrays, {"training": self._settings(), "done": self.done})

    def _extras(self) -> dict[str, NDArray[Any]]:
        """What options keep from game to game."""
        found: dict[str, NDArray[Any]] = {}
        if self.config.target_every:
            found.update({f"target_{name}": part for name, part in trimmed(self.targets, self.config.hidden).items()})
        if self.config.has_options:
            found.update({f"stored_{name}": part for name, part in self.experience._asdict().items()})
        if self.mean.is_on:
            found["weight_sums"] = self.mean.sums
        return found

    def _read_sums(self, path: Path, arrays: Any, done: int) -> NDArray[np.float64]:
        """The sums of the weights from a checkpoint, if there is a mean. Raises SpecError."""
        if not self.mean.is_on:
            return self.mean.sums
        sums = CHECKPOINTS.array_of(path, arrays, "weight_sums", np.float64, self.mean.sums.shape)
        if not self.mean.fits(sums, done, MOST_WEIGHT):
            raise SpecError(f"{path}: a mean of weights that no training has; {advice(path)}")
        return sums

    def _read_extras(self, path: Path, arrays: Any) -> None:
        """What options keep, from a checkpoint. Raises SpecError."""
        if self.config.target_every:
            fill(self.targets, path, arrays, CHECKPOINTS, self.config.hidden, prefix="target_")
        if not self.config.has_options:
            return
        kept = {
            name: CHECKPOINTS.array_of(path, arrays, f"stored_{name}", part.dtype.type, part.shape)
            for name, part in self.experience._asdict().items()
        }
        self._check_stored(path, op.Experience(**kept))
        for name, part in self.experience._asdict().items():
            part[...] = kept[name]

    def _check_stored(self, path: Path, kept: op.Experience) -> None:
        """Raises SpecError for decisions that no game has: the kernels would look up what is not there."""
        count, most = min(int(kept.counts[op.STORED]), len(kept.rows)), [self.game.num_seats, num_outputs(self.game), 2]
        facts, numbers = kept.facts[: max(count, 0)], kept.numbers
        is_sound = (kept.counts >= 0).all() and ((facts >= 0) & (facts < most)).all() and (np.abs(numbers) <= MOST_PAID).all()
        if not is_sound:
            raise SpecError(f"{path}: stored decisions that no game has; {advice(path)}")
        try:
            for rows in (kept.rows, kept.nexts):
                check_rows(self.game, rows[:count])
        except PositionError as error:
            raise SpecError(f"{path}: {error}; {advice(path)}") from None

    def load_checkpoint(self, path: Path) -> None:
        """As of `Training`."""
        path = Path(path)
        arrays, header = CHECKPOINTS.read(path, {"training": self._settings()})
        done = header.get("done")
        counts = CHECKPOINTS.array_of(path, arrays, "counts", np.int64, self.totals.counts.shape)
        errors = CHECKPOINTS.array_of(path, arrays, "errors", np.float64, self.totals.errors.shape)
        rng = CHECKPOINTS.array_of(path, arrays, "rng", np.uint64, (1,))
        if type(done) is not int or not 0 <= done <= self.total or not self._are_sound(done, counts, errors):
            raise SpecError(f"{path}: counts of games that no training has; {advice(path)}")
        sums = self._read_sums(path, arrays, done)
        self._read_extras(path, arrays)
        fill(self.nets, path, arrays, CHECKPOINTS, self.config.hidden)
        self.mean.sums[:] = sums
        self.totals.counts[:], self.totals.errors[:], self.rng[:], self.progress[0] = counts, errors, rng, done

    def _are_sound(self, done: int, counts: NDArray[np.int64], errors: NDArray[np.float64]) -> bool:
        """Whether these are totals of so many games, each in its block."""
        size = int(self.totals.size[0])
        games = np.clip(done - size * np.arange(len(counts)), 0, size)
        is_bounded = ((counts >= 0) & (counts <= MOST_COUNT)).all() and np.isfinite(errors).all() and (errors >= 0.0).all()
        return bool(is_bounded and (counts[:, :3].sum(axis=1) == games).all() and not counts[games == 0].any())

    # ------------------------------------------------------------ what it leaves

    def is_written(self, folder: Path) -> bool:
        """As of `Training`: the agent's file says after how many games it was written."""
        return self.has_written(folder, read_own_header, plain_data(self.agent().header()))

    def curve(self) -> list[list[Any]]:
        """A row of COLUMNS for each hundredth of the games, as far as they are done.

        games: until then. won, drawn, lost: of the seat that begins, in these games. plies: of a game, the mean. td_error: the
        root of the mean of (r + discount max Q(s', b) - Q(s, a))^2.
        """
        rows, ends = list[list[Any]](), 0
        for counts, error in zip(self.totals.counts, self.totals.errors, strict=True):
            played = int(counts[:3].sum())
            if played == 0:
                break
            ends += played
            updates = max(int(counts[gt.UPDATES]), 1)
            mean = math.sqrt(float(error) / updates)
            rows.append([ends, *(int(counts[k]) for k in range(3)), float(counts[gt.PLIES]) / played, mean])
        return rows

    def write_results(self, folder: Path) -> None:
        """The curve and the agent."""
        self.write_curve(folder)
        self.write_agent(folder / AGENT)

    def write_agent(self, path: Path) -> None:
        """As of `Training`."""
        self.agent().save(path)

    def write_curve(self, folder: Path) -> None:
        """As of `Training`."""
        write_table(folder / CURVE, COLUMNS, self.curve())

    @property
    def most_plies(self) -> int:
        """As of `Training`."""
        return self.config.max_plies

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`: the last row of the curve."""
        rows = self.curve()
        found: dict[str, Any] = plain_data(dict(zip(COLUMNS[1:], rows[-1][1:], strict=True))) if rows else {}
        return found
