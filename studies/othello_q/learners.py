"""The Q-learners of the Othello study: its two kinds of networks, trained in parts between which they are measured."""

import time
from typing import Any

from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.measuring import measure_agent
from boardgym.studies.othello_q.plans import (
    FIRST_TEMPERATURE,
    GAME,
    LEAST_TEMPERATURE,
    factor_for,
    seed_of,
    switch_of,
)
from boardgym.studies.uct_ccnn.plans import files_of

HIDDEN = {"single": 44, "multi": 36}
# Name -> settings of a training beside the study's. Five trainings of each can tell at most six options from the plain learner:
# the least p of the exact test of five against five is 1/126, and times six it is just below 5 %.
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "full-target": {"target": "full"},
    "one-network": {"shares": True},  # for both colours
    "double-q": {"target_every": 1000, "double": True},
    "replay": {"replay": 10_000, "batch": 4},
    "n-step": {"n_steps": 3},
    "symmetries": {"symmetries": "all"},
}
CHECKPOINT_S = 60.0
WARM_GAMES = 2


def config_of(network: str, games: int, seed: int, **options: Any) -> QNetworkConfig:
    """The study's parameters (section 4.3), with the schedule of a training of so many games. network: single or multi."""
    settings: dict[str, Any] = {
        "game": GAME,
        "form": network,
        "hidden": HIDDEN[network],
        "games": games,
        "step_size": 0.1,
        "target": "literal",
        "discount": 1.0,
        "learning_rate": 0.1,
        "weight_span": 0.1,
        "exploration": "softmax",
        "temperature": f"geometric({FIRST_TEMPERATURE!r}, {factor_for(games)!r})",
        "greedy_below": LEAST_TEMPERATURE,
        "seed": seed_of(seed, 0),
    }
    return QNetworkConfig(**{**settings, **options})


def warm(network: str, **options: Any) -> None:
    """Compiles what a training needs, so that its time is that of its games."""
    config = config_of(network, WARM_GAMES, 1, **{**options, "never_greedy": True})
    QNetwork(config).play_to(WARM_GAMES)


def speed_of(place: Place, option: str, games: int) -> float:
    """Games a second of a training of Single-NN with an option, of processor time."""
    warm("single", **OPTIONS[option])
    training = QNetwork(config_of("single", games, 1, **OPTIONS[option]))
    begun = time.process_time()
    training.play_to(games, lambda: place.tell(0))
    return games / (time.process_time() - begun)


class Parts:
    """A training in a job's folder, which goes on where it was cut short.

    seconds: of processor time that its games have taken.
    """

    def __init__(self, place: Place, config: QNetworkConfig, units: int) -> None:
        self.place, self.training, self.units = place, QNetwork(config), units
        self.path, self.saved = place.folder / "training.safetensors", time.monotonic()
        self.seconds = float((place.read("seconds") or {"seconds": 0.0})["seconds"])
        if self.path.exists():
            self.training.load_checkpoint(self.path)
        self.begun = time.process_time()

    def save(self) -> None:
        """Writes where it is."""
        now = time.process_time()
        self.seconds, self.begun = self.seconds + now - self.begun, now
        self.training.save_checkpoint(self.path)
        self.place.keep("seconds", {"seconds": self.seconds})
        self.saved = time.monotonic()

    def play_to(self, games: int) -> None:
        """Learns until so many games are done in all. What it has learnt is kept when it is told to stop."""
        self.begun = time.process_time()
        try:
            self.training.play_to(games, self._look)
        except KeyboardInterrupt:
            self.save()
            raise
        self.save()

    def _look(self) -> None:
        self.place.tell(self.units * self.training.done // (self.training.total + 1))
        if time.monotonic() - self.saved > CHECKPOINT_S:
            self.save()


def train_in_parts(
    place: Place, network: str, games: int, seed: int, parts: int, units: int, name: str, **options: Any
) -> dict[str, Any]:
    """Trains, and measures what has been learnt before the first game and after each of so many equal parts.

    name: of the agent's file, which is kept. Returns the games, the schedule, and of each checkpoint games, temperature (0:
    greedy play), and what `measure_agent` found.
    """
    config = config_of(network, games, seed, **options)
    factor, found = factor_for(games), []
    warm(network, **options)
    learner = Parts(place, config, units)
    for number in range(parts + 1):
        goal = games * number // parts
        if (point := place.read(f"checkpoint-{number}")) is None:
            learner.play_to(goal)
            measured = measure_agent(learner.training.agent(), seed_of(seed, 1, number))
            temperature = FIRST_TEMPERATURE * factor**goal
            point = place.keep(
                f"checkpoint-{number}",
                {"games": goal, "temperature": temperature if temperature >= LEAST_TEMPERATURE else 0.0, "measured": measured},
            )
        found.append(point)
    learner.training.agent().save(files_of(place, "agents") / f"{name}-{seed}.safetensors")
    return {
        "games": games,
        "factor": factor,
        "switch": switch_of(factor),
        "checkpoints": found,
        "training_seconds": round(learner.seconds, 2),
        "games_a_second": round(games / max(learner.seconds, 1e-9), 1),
    }
