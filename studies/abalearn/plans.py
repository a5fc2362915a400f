"""The trainings of the Abalearn study by name: stages of settings, and after how many games their nets are tested.

What the study leaves open is read in one place, READING, which the part `readings` has found; methods change in it what they
say of themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from boardgym.baselines.learning.config import settings_of
from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.studies.abalearn.protocol import train
from boardgym.studies.abalearn.readings import PRESET
from boardgym.studies.parts import scaled

READING = replace(PRESET, kappa="0")
ESPACIAL = replace(READING, features="espacial", hidden=(3,), input_weights=())  # it has no input of the name material
DISTANCE = next(name for name in feature_map(READING.features, "Abalone-v0").names if name in ("distance", "closeness"))
MINIMAX = "minimax:1,evaluation=distance(off_board=0)"  # the study's minimax player, as it is printed
MINDFUL = "minimax:1,evaluation=distance(off_board=5)"  # one that minds its marbles
WARY = "minimax:1,evaluation=distance(off_board=4.5)"  # one to which a lost marble is half a step worse than one on the rim
PLAYERS = {"test": MINIMAX, "mindful": MINDFUL, "wary": WARY}  # whom nets are tested against, by name of the test
KAPPAS = ("0", "-0.3", "-0.8", "-1")
FIRST = 1000  # games against random play

EARLY = (10, 250, 500, 750, 1000)  # of table 5.1
TABLE = (500, 1000, 2000, 3000)  # of table 5.3
SAMPLED = (*range(10, 100, 10), *range(100, 1000, 50), *range(1000, 10_001, 250))  # looked at without a test


class Plan(NamedTuple):
    """A training. stages: one after another. tested: after how many games."""

    stages: tuple[NetworkConfig, ...]
    tested: tuple[int, ...]

    @property
    def games(self) -> int:
        """In all."""
        return sum(config.episodes for config in self.stages)

    def plain(self) -> list[Any]:
        """What results depend on."""
        headers = [feature_map(config.features, config.game).header() for config in self.stages]
        return [[{**settings_of(config), **header} for config, header in zip(self.stages, headers, strict=True)], self.tested]


def classical(reading: NetworkConfig, trace_decay: str, games: int, then: str = "self") -> tuple[NetworkConfig, ...]:
    """Methods I and I(a): greedy and risk-neutral, FIRST games against random play, then others up to `games`."""
    first = replace(reading, trace_decay=trace_decay, epsilon="0", opponent="random", episodes=FIRST)
    return (first, replace(first, opponent=then, episodes=games - FIRST)) if games > FIRST else (first,)


def sensitive(kappa: str, games: int, **more: Any) -> tuple[NetworkConfig, ...]:
    """Method II: self-play from the first game."""
    return (replace(READING, kappa=kappa, episodes=games, **more),)


PLANS = {  # what runs into the cap of plies is trained for fewer games than the study has
    "II_kappa_-1": Plan(sensitive("-1", 3000), (0, *EARLY, 2000, 3000)),
    "II_kappa_-0.8": Plan(sensitive("-0.8", 3000), (*EARLY, 2000, 3000)),
    "II_kappa_0": Plan(sensitive("0", FIRST), EARLY),
    "Ia": Plan(classical(READING, "0.7", FIRST), EARLY),
    "I": Plan(classical(ESPACIAL, "0.7", 3000), (0, 10, 250, 300, 500, 750, 1000, 1500, 2000, 3000)),
    "counters": Plan(sensitive("0", FIRST, exploration="directed"), EARLY),
    "II_kappa_-0.3": Plan(sensitive("-0.3", FIRST), EARLY),
    "I_lambda_0.3": Plan(classical(ESPACIAL, "0.3", FIRST), EARLY),
    "I_lambda_0.1": Plan(classical(ESPACIAL, "0.1", FIRST), EARLY),
    "I_expert": Plan(classical(ESPACIAL, "0.7", 1500, f"epsilon:0.1({MINIMAX})"), (1250, 1500)),
    "I_undiluted": Plan(classical(ESPACIAL, "0.7", 1500, MINIMAX), (1250, 1500)),
}


def follow(
    plan: Plan,
    points: Sequence[int],
    look: Callable[[NetworkAgent, int], dict[str, Any]],
    *,
    seed: int,
    size: float,
    tell: Callable[[int], None],
) -> list[dict[str, Any]]:
    """Trains by a plan at a size: as `protocol.train`, with points, and what is told of games, as at the full size."""
    stages = [replace(config, episodes=scaled(config.episodes, size)) for config in plan.stages]
    most, waiting = sum(config.episodes for config in stages), iter(points)
    samples = train(
        stages,
        [min(scaled(point, size, min(point, 1)), most) for point in points],
        lambda agent, games: look(agent, next(waiting)),
        seed=seed,
        tell=tell,
    )
    return [{**sample, "games": point} for sample, point in zip(samples, points, strict=True)]
