"""Trainings by Q-learning with networks, in which all seats learn."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.game_training import GameTraining, advice
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
from boardgym.baselines.learning.starts import read_starts
from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.feature_maps import sign_map
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import PositionError, SpecError
from boardgym.core.game import get_game, read_options
from boardgym.core.random import stream
from boardgym.core.validity import check_rows

WEIGHT_STREAM = 0  # the path of the weights' stream under a training's seed
MOST_PAID = 1e6  # in size, in the rewards of the training, which are within [-1, 1] for a whole game

CHECKPOINTS = ArrayFiles("boardgym q-network training", 1, "a checkpoint of Q-learning with networks", SpecError, advice)


class QNetwork(GameTraining):
    """A training, as those of `game_training`. The squared errors of its curve are (r + discount max Q(s', b) - Q(s, a))^2.

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

    kind, label = "q-network", "Q-learning"
    config: QNetworkConfig
    files, most_weight = CHECKPOINTS, MOST_WEIGHT

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
        self.options, fields = options_of(config), len(game.token.row(game.start))
        check_memory(8 * config.replay * (2 * fields + 5), f"{config.replay:,} decisions", "replay")
        self.experience = op.make_experience(max(config.replay, 1), fields)
        self.pending = op.make_pending(seats, config.n_steps, fields)
        self.targets = copied(self.nets) if config.target_every else self.nets
        self._begin([*views(self.nets, config.hidden).values()])

    @property
    def size(self) -> str:
        """The networks, in words."""
        weights = qn.count_weights(self.nets, self.config.hidden)
        return f"{len(self.nets.weights.output_biases)} x {self.config.form}, {weights:,} weights"

    def agent(self) -> QNetworkAgent:
        """The policy that has been learnt so far, with weights of its own: their mean, once there is one."""
        facts = {"pays": None, "training": {"method": self.kind, "done": self.done, **self._settings()}}
        nets, hidden = copied(self.nets), self.config.hidden
        self.mean.add(self.done)  # an interruption may have come before it
        if self.mean.is_on:
            self.mean.write_mean([*views(nets, hidden).values()])
        seen, seed = self.config.play_symmetries, self.config.seed
        return QNetworkAgent(self.features, nets, hidden, facts, play_symmetries=seen, seed=seed, spec=self.kind)

    def _play(self) -> None:
        learner, weights = qg.rows_of_learner(self.learner), self.nets.weights
        common = self.game.token, self.starts, self.features.token, self.features.row, learner, self.nets.form
        ends = self.scratch, self.totals, self.progress, self.rng
        if self.config.has_options:
            options, targets = np.array(self.options, np.int64), self.targets.weights
            op.play_options_kernel(*common, options, weights, targets, self.experience, self.pending, *ends)
        else:
            qg.play_kernel(*common, weights, self.decisions, *ends)

    def _settings(self) -> dict[str, Any]:
        own = {"game": self.game.id, "option": sorted(self.config.option), "features": self.features.text}
        own["temperature"] = temperature_of(self.config)
        found: dict[str, Any] = plain_data({**dataclasses.asdict(self.config), **own})
        return found

    def _state(self) -> dict[str, NDArray[Any]]:
        return {**trimmed(self.nets, self.config.hidden), **self._extras()}

    def _read_state(self, path: Path, arrays: Any) -> None:
        self._read_extras(path, arrays)
        fill(self.nets, path, arrays, CHECKPOINTS, self.config.hidden)

    def _extras(self) -> dict[str, NDArray[Any]]:
        """What options keep from game to game."""
        found: dict[str, NDArray[Any]] = {}
        if self.config.target_every:
            found.update({f"target_{name}": part for name, part in trimmed(self.targets, self.config.hidden).items()})
        if self.config.has_options:
            found.update({f"stored_{name}": part for name, part in self.experience._asdict().items()})
        return found

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
