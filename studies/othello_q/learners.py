"""The Q-learners of the Othello study: its two kinds of networks, trained in parts between which they are measured."""

import time
from typing import Any

from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.q_network.config import QNetworkConfig, read_temperature
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.compile import plain
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
# Name -> settings of a training beside the study's: one setting of each, not tuned. Six trainings of each tell seven options
# from the plain learner even if two runs are in the wrong order: the least p of the exact test of six against six is 1/462,
# that of one such overlap 2/462, and times seven these are 0.015 and 0.030.
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "full-target": {"target": "full"},
    "one-network": {"shares": True},  # for both colours
    "double-q": {"target_every": 1000, "double": True},
    "replay": {"replay": 10_000, "batch": 4},
    "n-step": {"n_steps": 3},
    "symmetries": {"symmetries": "all"},
    "wide": {"hidden": 128},
}
CHECKPOINT_S = 60.0
WARM_GAMES, ROUGH_GAMES = 2, 200  # to compile; to tell how many games a pilot has, which is greedy at last if it has 177


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


def speed_of(place: Place, option: str, seconds: float) -> float:
    """Games a second of processor time of Single-NN with an option, over a whole training of about so many seconds."""

    def speed(games: int) -> float:
        training = QNetwork(config_of("single", games, 1, **OPTIONS[option]))
        begun = time.process_time()
        training.play_to(games, lambda: place.tell(0))
        return games / (time.process_time() - begun)

    warm("single", **OPTIONS[option])
    return speed(max(ROUGH_GAMES, int(seconds * speed(ROUGH_GAMES))))


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
    schedule, factor, found = read_temperature(config), factor_for(games), []
    warm(network, **options)
    learner = Parts(place, config, units)
    for number in range(parts + 1):
        goal = games * number // parts
        if (point := place.read(f"checkpoint-{number}")) is None:
            learner.play_to(goal)
            measured = measure_agent(learner.training.agent(), seed_of(seed, 1, number))
            temperature = float(plain(rate_at)(schedule, goal))
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
