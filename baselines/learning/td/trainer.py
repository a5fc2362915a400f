"""Trainings of networks by TD(lambda): what they learn in are the weights of a perceptron over features of positions."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles, Pieces
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning.config import Phase, settings_of
from boardgym.baselines.learning.mean_weights import MeanWeights
from boardgym.baselines.learning.runs import CHECKPOINT_S, Trained, train_into
from boardgym.baselines.learning.td import td_network as td
from boardgym.baselines.learning.td.agent import NetworkAgent, check_finite, load_network_agent
from boardgym.baselines.learning.td.config import (
    NetworkConfig,
    check_settings,
    make_net,
    make_rates,
    phase_of,
    set_input_weights,
    settled,
)
from boardgym.baselines.learning.trainer import Trainer, advice
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import GameFeatures, feature_map
from boardgym.core.errors import SpecError
from boardgym.core.random import stream

CHECKPOINTS = ArrayFiles("boardgym network training", 1, "a checkpoint", SpecError, advice)
WEIGHT_STREAM = 3  # a path under a training's seed, beside those of `Trainer`


class NetworkTrainer(Trainer[NetworkAgent]):
    """A training of a network; see `Trainer`.

    Args:
        config: its settings; `config.settled` says what those are that are left open.
        trust: whether the opponent's spec may load files that could execute code.

    Attributes:
        features: what the network sees. net: the network that learns, that of the agent too unless it has mean weights.

    Raises:
        OptionError, UnknownGameError: settings that cannot be had.
        SpecError: of the opponent, or of a file to start from that holds no such network.
        UnsupportedGameError: the features are not for the game, or the opponent cannot play it.
    """

    config: NetworkConfig
    files = CHECKPOINTS
    kind = "td"

    def __init__(self, config: NetworkConfig, *, trust: bool = False) -> None:
        super().__init__(settled(config), trust=trust)

    @property
    def name(self) -> str:
        """The method."""
        return "td"

    @property
    def size(self) -> str:
        """Weights of the network."""
        return f"{len(self.net.weights):,} weights"

    @property
    def others_role(self) -> int:
        """With itself too: its turns are played by settings of their own, that say whether they are learnt from."""
        return ep.OTHER

    @property
    def most_plies(self) -> int:
        """As the settings say."""
        return self.config.max_plies

    def take_back(self) -> None:
        """As of `Trainer`; and what an episode that is done has left to do."""
        super().take_back()
        self._average()

    def _average(self) -> None:
        """Adds the weights after the latest episode to those that the agent has the mean of, once."""
        self.mean.add(self.episode)
        self._tell_agent()

    def _tell_agent(self) -> None:
        """Gives the agent its weights: means, or those that are learnt, which it has before there are any."""
        if self.mean.is_on:
            self.mean.write_mean([self.agent.net.weights])

    def _play_to(self, goal: int, first: int, phase: Phase) -> None:
        while self.episode < goal:
            super()._play_to(min(goal, self.mean.next_time(self.episode)), first, phase)
            self._average()

    def _read_phases(self) -> list[Phase]:
        check_settings(self.config, self.game)
        self.features = feature_map(self.config.features, self.game)
        self.net = make_net(self.config, self.features)
        phase = phase_of(self.config, self.features)
        return [phase] if phase.episodes > 0 else []

    def _key_words(self) -> int:
        learner, _ = phase_of(self.config, self.features).settings
        return td.num_words(type(learner), len(self.features.names))

    def _make_memory(self) -> td.Memory:
        config = self.config
        if config.start_from:
            self.net.weights[:] = weights_of(config.start_from, self.features, self.net)
        else:
            pn.draw_weights_kernel(self.net, config.weight_span, stream(config.seed, WEIGHT_STREAM))
            set_input_weights(config.input_weights, self.features, self.net)
        self.first_weights = self.net.weights.copy()
        self.mean = MeanWeights([self.net.weights], self.total, self.config.average_from, times=max(self.total, 1))
        return td.make_memory(self.net, self.game, make_rates(config), depth=config.search_depth)

    def _facts(self) -> dict[str, Any]:
        config, settings = self.config, phase_of(self.config, self.features).settings[0]
        pays = None if config.pays_returns else [config.win, config.draw, config.loss]
        return {"method": self.name, "discount": settings.discount, "adds_reward": settings.adds_reward, "pays": pays,
                "reward": config.reward, "training": settings_of(config)}  # fmt: skip

    def _make_agent(self) -> NetworkAgent:
        is_mean = self.config.average_from < 1.0
        net = self.net._replace(weights=self.net.weights.copy()) if is_mean else self.net
        return NetworkAgent(self.features, net, self.facts, seed=self.config.seed, spec=self.name)

    def _pieces(self) -> Mapping[str, NDArray[Any] | Pieces]:
        check_finite(self.net, f"after {self.episode:,} episodes")
        return {
            "weights": self.net.weights,
            "first_weights": self.first_weights,
            "totals": self.mean.sums,
            "sums": self.memory.sums,
            "input_counters": self.memory.counters[0],
        }

    def _header(self) -> dict[str, Any]:
        return self.features.header()

    def _read_memory(self, path: Path, arrays: Mapping[str, Pieces], header: Mapping[str, Any]) -> Callable[[], None]:
        self.features.check_header(path, header)
        memory = self.memory
        weights, first, totals, sums, counters = (
            read_finite(path, arrays, name, found.shape)
            for name, found in (
                ("weights", self.net.weights),
                ("first_weights", self.first_weights),
                ("totals", self.mean.sums),
                ("sums", memory.sums),
                ("input_counters", memory.counters[0]),
            )
        )
        if not 0.0 <= totals[-1] <= self.mean.count_at(self.total):
            raise SpecError(f"{path}: a mean of weights that no training has; {advice(path)}")
        if not np.array_equal(first, self.first_weights):
            raise SpecError(
                f"{path}: a training that began from another network than start_from={self.config.start_from!r} "
                f"holds now; {advice(path)}"
            )

        def fill() -> None:
            self.net.weights[:], self.mean.sums[:], memory.sums[:], memory.counters[0] = weights, totals, sums, counters
            self._tell_agent()

        return fill

    def _clear_memory(self) -> None:
        self.net.weights[:], self.mean.sums[:] = self.first_weights, 0.0
        self.memory.sums[:], self.memory.counters[:] = 0.0, 0.0
        self._tell_agent()


def read_finite(path: Path, arrays: Mapping[str, Pieces], name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """An array of a checkpoint, float64. Raises SpecError if it is not there, of another shape, or not finite."""
    found = CHECKPOINTS.array_of(path, arrays, name, np.float64, shape)
    array = np.concatenate([np.zeros((0, *shape[1:])), *found.parts()])
    if not np.isfinite(array).all():
        raise SpecError(f"{path}: {name} that are infinite or no numbers; {advice(path)}")
    return array


def weights_of(path: str, features: GameFeatures, net: pn.Perceptron) -> NDArray[np.float64]:
    """The weights of an agent's file whose network is like `net`, over the same features.

    Raises SpecError: there is no such file, or another network in it.
    """
    agent = load_network_agent(path)
    ours, theirs = (shape_of(*each) for each in ((features, net), (agent.features, agent.net)))
    if changes := ", ".join(f"{name} {theirs[name]}, not {ours[name]}" for name in ours if theirs[name] != ours[name]):
        raise SpecError(f"start_from={path!r}: a network with {changes}; expected one like that to be trained")
    return agent.net.weights


def shape_of(features: GameFeatures, net: pn.Perceptron) -> dict[str, Any]:
    """What networks have in common that can take each other's weights."""
    activations = [pn.ACTIVATIONS[kind] for kind in net.kinds]
    return {"game": features.game.id, "features": features.text, "sizes": net.sizes.tolist(), "activations": activations,
            "biases": net.biases.tolist()}  # fmt: skip


def train_network(
    config: NetworkConfig,
    out: str | Path,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    trust: bool = False,
    on_piece: Callable[[NetworkTrainer], None] | None = None,
) -> Trained[NetworkTrainer]:
    """Trains a network into a folder, or goes on with the training that the folder holds: see `runs.train_into`.

    Args:
        config: the settings.
        out: the folder, made if it is not there.
        checkpoint_s: seconds between checkpoints, 0 or more.
        trust: whether the opponent's spec may load files that could execute code.
        on_piece: called with the training now and then, between episodes; what it raises ends the training.

    Returns:
        How the training ended; `training.agent` plays what it has learnt, and `player` is the spec of its file.

    Raises:
        OptionError, SpecError, UnknownGameError, UnsupportedGameError: as `NetworkTrainer`; SpecError also if the folder
            holds a checkpoint of other settings, or damaged files; OptionError also if another run has the folder, what is
            learnt has gone beyond all numbers, no game can begin, or checkpoint_s is no number of seconds.
        OSError: the folder cannot be written.
        IllegalActionError: of the opponent; and whatever else it raises.

    Example:
        >>> import tempfile, boardgym
        >>> from boardgym.baselines.learning.td.config import NetworkConfig
        >>> from boardgym.baselines.learning.td.trainer import train_network
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trained = train_network(NetworkConfig(game="TicTacToe-v0", episodes=100), folder)
        ...     print(trained.message, trained.training.size, sep=": ")
        all episodes are done: 380 weights
        >>> board = boardgym.Board.from_fen("xx1/oo1/3 x", "TicTacToe-v0")
        >>> board.move_text(trained.training.agent.act(board, deterministic=True))
        'c3'
    """
    return train_into(NetworkTrainer(config, trust=trust), out, checkpoint_s=checkpoint_s, on_piece=on_piece)
