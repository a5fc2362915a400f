"""The settings that trainings have in common, and the phases that they make."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning import learner as ln
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import OptionError, nearest

WAYS = {"epsilon": ln.EPSILON, "boltzmann": ln.BOLTZMANN, "directed": ln.DIRECTED}
LARGEST = 1e30  # reward: tables hold float32
NUMBERS: dict[object, tuple[type | tuple[type, ...], str]] = {
    int: (int, "a whole number"),
    float: ((int, float), "a number"),
    bool: (bool, "True or False"),
}


@dataclass(frozen=True)
class TrainingConfig:
    """What all trainings have in common. Rates are numbers or schedules (`schedules.read_schedule`).

    Attributes:
        game: id of the game.
        option: rule options, as "name=value"; None: the defaults of the method and the game.
        opponent: "learner": it learns too; "self": the learner plays all seats; else the spec of a policy.
        seat: the learner's seat, or "random" for a random seat in each episode.
        episodes: how many games to play.
        step_size: how far a value moves towards its target, in [0, 1].
        discount: factor of what comes a turn later, in [0, 1].
        trace_decay: lambda, in [0, 1].
        exploration: way to explore. epsilon is its rate, in [0, 1], or, for "boltzmann", its temperature, 0 or more.
        epsilon: the rate of exploration.
        win: reward of a game that was won.
        draw: reward of a game that was drawn.
        loss: reward of a game that was lost.
        pays_returns: use the returns of the game instead of win, draw and loss.
        setup: where games start.
        starts: position strings where episodes begin, one drawn for each episode; empty: as `setup` says.
        seed: the same seed and settings give the same training.
    """

    game: str = "TicTacToe-v0"
    option: tuple[str, ...] | None = ()
    opponent: str = "learner"
    seat: str = "0"
    episodes: int = 12_000
    step_size: str = "0.7"
    discount: str = "0.7"
    trace_decay: str = "0.7"
    exploration: Literal["epsilon", "boltzmann", "directed"] = "epsilon"
    epsilon: str = "0.3"
    win: float = 100.0
    draw: float = 0.0
    loss: float = -50.0
    pays_returns: bool = False
    setup: str = "standard"
    starts: tuple[str, ...] = ()
    seed: int = 1


def settings_of(config: TrainingConfig) -> dict[str, Any]:
    """A configuration as plain data, as files have it."""
    plain: dict[str, Any] = plain_data(dataclasses.asdict(config))
    return plain


@dataclass(frozen=True)
class Phase:
    """Part of a training. episodes: how many. settings: of the roles LEARNER and OTHER. schedules: as in `Terms`."""

    episodes: int
    settings: tuple[Any, Any]
    schedules: NDArray[np.float64]


def check_types(config: Any) -> None:
    """Raises OptionError for a number that is none of its kind, as 2.5 units; no whole number is true or false.

    config: of any class of settings, "seed" aside.
    """
    for name, hint in get_type_hints(type(config)).items():
        kinds, what = NUMBERS.get(hint, (object, ""))
        value = getattr(config, name)
        if name != "seed" and (not isinstance(value, kinds) or (isinstance(value, bool) and hint in (int, float))):
            raise OptionError(f"{name}={value!r}: expected {what}")


def check_words(config: Any) -> None:
    """Raises OptionError for a word that a setting does not know. config: of any class of settings."""
    for name, hint in get_type_hints(type(config)).items():
        if get_origin(hint) is Literal and getattr(config, name) not in (words := get_args(hint)):
            raise OptionError(f"{name}={getattr(config, name)!r}; {nearest(str(getattr(config, name)), words)}")


def check_rewards(config: TrainingConfig) -> None:
    """Raises OptionError for what no game may be worth."""
    for name in ("win", "draw", "loss"):
        if not -LARGEST <= getattr(config, name) <= LARGEST:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number of at most {LARGEST:g}")
    if not config.win > config.draw > config.loss or config.win <= 0.0 or config.loss >= 0.0:
        raise OptionError(
            f"win={config.win}, draw={config.draw}, loss={config.loss}: expected win > draw > loss, and 0 between win and loss"
        )


def refuse_idle(config: Any, what: str, idle: Sequence[tuple[bool, tuple[str, ...], str]]) -> None:
    """Raises OptionError for settings that are not the usual ones and not heeded.

    config: of any class of settings. idle: (whether that is so, names of settings, the reason in words). what: of the training,
    for the message.
    """
    for holds, names, words in idle:
        for name in names:
            if holds and getattr(config, name) != getattr(type(config), name):
                raise OptionError(f"{name}={getattr(config, name)!r}: {name} {words} ({what}); leave it out")
