"""The settings of tabular learners, and the phases that they make."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.config import LARGEST, WAYS, Phase, TrainingConfig, check_rewards, check_words, refuse_idle
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.menace import Menace
from boardgym.baselines.learning.tabular.q_learning import ALWAYS, FORWARD, NEVER, ON_LOSS, REVERSE, MinimaxQ, QLearning
from boardgym.baselines.learning.tabular.sarsa import Sarsa
from boardgym.baselines.learning.tabular.td import TD
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game

Method = Literal["q", "pessimistic_q", "minimax_q", "sarsa", "sarsa_lambda", "td", "td_lambda", "menace"]
SWEEPS = {"loss": ON_LOSS, "always": ALWAYS, "never": NEVER}
ORDERS = {"reverse": REVERSE, "forward": FORWARD}


@dataclass(frozen=True)
class TabularConfig(TrainingConfig):
    """How to train a tabular learner. Rates are numbers or schedules (`schedules.read_schedule`).

    Attributes:
        option: rule options, as "name=value".
        opponent: "learner": it learns too, by the same method without the sweep; "self": the learner plays all seats; else
            the spec of a policy.
        episodes: games of the first phase, in which all learners explore.
        step_size: how far a value moves towards its target, in [0, 1].
        trace_decay: for "sarsa_lambda" and "td_lambda": lambda, in [0, 1].
        method: learning method. "pessimistic_q" is "q" with the sweep.
        greedy_episodes: games of the second phase, in which the learner plays greedily, and pessimistic Q-learning sweeps;
            for "menace", this many more episodes.
        phases: "two", or "single": all episodes explore, and pessimistic Q-learning sweeps throughout.
        sweep: for "pessimistic_q": after which episodes to sweep.
        order: order of the sweep: from the last turn of an episode back, or from the first on.
        traces: for "sarsa_lambda" and "td_lambda": whether an entry met again in an episode adds to its trace or replaces it.
        initial: value of an action or position that has not been tried.
        symmetry: whether positions that are symmetric to each other share an entry; None: yes for "menace", else no.
        visit_power: the step size is divided by the number of visits to this power.
        beads: for "menace": beads of each colour in a box first opened at the seat's first, second, third turn, or later.
        bead_changes: for "menace": beads added to a box after a win, a draw and a loss.
        memory: GiB that the table may take; None: four times an estimate from random games, and at most three quarters of the
            machine's memory.
    """

    option: tuple[str, ...] = ()
    opponent: str = "learner"
    episodes: int = 12_000
    step_size: str = "0.7"
    trace_decay: str = "0.7"
    method: Method = "pessimistic_q"
    greedy_episodes: int = 12_000
    phases: Literal["two", "single"] = "two"
    sweep: Literal["loss", "always", "never"] = "loss"
    order: Literal["reverse", "forward"] = "reverse"
    traces: Literal["accumulating", "replacing"] = "accumulating"
    initial: float = 0.0
    symmetry: bool | None = None
    visit_power: float = 0.0
    beads: tuple[float, float, float, float] = (4.0, 3.0, 2.0, 1.0)
    bead_changes: tuple[float, float, float] = (3.0, 1.0, -1.0)
    memory: float | None = None


def learners_of(config: TabularConfig, *, sweeps: bool) -> tuple[Any, Any]:
    """Settings of the learner and of the other. sweeps: whether this phase has the sweep. Raises OptionError."""
    way, symmetry, replaces = WAYS[config.exploration], int(config.symmetry or False), int(config.traces == "replacing")
    kept = (float(np.float32(number)) for number in (config.initial, *config.beads))  # as tables keep them
    initial, first, second, third, later = kept
    common = (initial, way, symmetry, config.visit_power)
    if config.method in ("q", "pessimistic_q"):
        sweep = SWEEPS[config.sweep] if sweeps and config.method == "pessimistic_q" else NEVER
        return QLearning(*common, sweep, ORDERS[config.order]), QLearning(*common)
    if config.method == "minimax_q":
        return MinimaxQ(*common), MinimaxQ(*common)
    if config.method in ("sarsa", "sarsa_lambda"):
        return (Sarsa(*common, replaces),) * 2
    if config.method in ("td", "td_lambda"):
        return (TD(*common, replaces, int(not config.pays_returns), config.win, config.draw, config.loss),) * 2
    boxes = int(config.symmetry is None or config.symmetry)
    return (Menace(0.0, ln.PROPORTIONAL, boxes, first, second, third, later, *config.bead_changes),) * 2


def check_settings(config: TabularConfig, game: Game) -> None:
    """Raises OptionError for settings that no training can have, UnsupportedGameError for a game that the method is not for."""
    check_words(config)
    check_numbers(config)
    check_idle(config)
    if game.num_actions > tb.VALUE_OF_POSITION - game.num_seats:
        raise UnsupportedGameError(f"{game.id} has {game.num_actions} actions; a table has room for fewer than 65,535")
    if config.method == "minimax_q":
        if game.num_seats != 2:
            raise UnsupportedGameError(f"minimax_q is for two seats, {game.id} has {game.num_seats}")
        if not config.pays_returns and config.win != -config.loss:
            raise OptionError(
                f"minimax_q with win={config.win}, loss={config.loss}: expected opposite numbers, as a win is the other's loss"
            )
    if config.seat == "random" and config.opponent == "learner":
        raise OptionError(
            "seat='random' with opponent='learner': both would learn in the entries of both seats; expected a "
            "seat, or opponent='self' without one"
        )


def check_numbers(config: TabularConfig) -> None:
    """Raises OptionError for numbers that no training can have."""
    for name in ("episodes", "greedy_episodes", "seed"):
        if getattr(config, name) < 0:
            raise OptionError(f"{name}={getattr(config, name)}: expected at least 0")
    check_rewards(config)
    for name in ("initial", "visit_power"):
        if not -LARGEST <= getattr(config, name) <= LARGEST:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number of at most {LARGEST:g}")
    for name in ("beads", "bead_changes"):
        numbers = getattr(config, name)
        if not all(abs(number) <= LARGEST for number in numbers) or (name == "beads" and min(numbers) < 0.0):
            raise OptionError(f"{name}={numbers}: expected numbers of at most {LARGEST:g}, and no fewer than 0 beads")
    if config.visit_power < 0.0:
        raise OptionError(f"visit_power={config.visit_power}: expected at least 0")


def check_idle(config: TabularConfig) -> None:
    """Raises OptionError for settings that this training would not heed: who gives one expects it to do something."""
    lambdas, is_menace, pays = ("sarsa_lambda", "td_lambda"), config.method == "menace", ("win", "draw", "loss")
    refuse_idle(
        config,
        f"method={config.method!r}",
        (
            (config.method not in lambdas, ("trace_decay", "traces"), f"is of {' and '.join(lambdas)}"),
            (config.method != "pessimistic_q", ("sweep", "order"), "is of pessimistic_q"),
            (config.sweep == "never", ("order",), "says nothing with sweep='never'"),
            (
                config.sweep != "never" and config.phases == "two" and config.greedy_episodes == 0,
                ("sweep", "order"),
                "says nothing without greedy_episodes, in which it sweeps, or phases='single'",
            ),
            (config.opponent == "self", ("seat",), "says nothing with opponent='self', which is the learner on all seats"),
            (config.pays_returns, pays, "says nothing with pays_returns, where the game pays"),
            (not is_menace, ("beads", "bead_changes"), "is of menace"),
            (is_menace, (*pays, "pays_returns", "initial"), "says nothing to menace, which learns from bead_changes and beads"),
            (
                is_menace,
                ("step_size", "discount", "exploration", "epsilon", "visit_power", "phases"),
                "says nothing to menace, which draws beads in all episodes and has no rates",
            ),
        ),
    )


def phases_of(config: TabularConfig) -> list[Phase]:
    """The phases of a training, those of no episodes left out. Raises OptionError."""
    plan = [(config.episodes, False), (config.greedy_episodes, True)]
    if config.phases == "single":
        plan = [(config.episodes + config.greedy_episodes, False)]
    phases = []
    for count, is_greedy in plan:
        if count == 0:
            continue
        schedules = np.zeros((3, ln.NUM_RATES, 4))
        most = math.inf if config.exploration == "boltzmann" else 1.0
        for role in (ep.LEARNER, ep.OTHER):
            for rate, name, high in ((ln.STEP_SIZE, "step_size", 1.0), (ln.DISCOUNT, "discount", 1.0),
                                     (ln.EXPLORATION, "epsilon", most), (ln.TRACE_DECAY, "trace_decay", 1.0)):  # fmt: skip
                is_off = (rate == ln.EXPLORATION and is_greedy and role == ep.LEARNER) or (
                    rate == ln.TRACE_DECAY and not config.method.endswith("lambda")
                )
                text = "0" if is_off else getattr(config, name)
                schedules[role, rate] = read_schedule(name, text, low=0.0, high=high, episodes=count)
        phases.append(Phase(count, learners_of(config, sweeps=is_greedy or config.phases == "single"), schedules))
    return phases
