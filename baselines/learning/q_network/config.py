"""The settings of a training by Q-learning with networks, and what follows from them."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.config import check_types, check_words, refuse_idle
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.game_totals import MOST_GAMES
from boardgym.baselines.learning.q_network import options as op
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.search.common import scale_of
from boardgym.compile import plain
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.random import check_seed

LEAST_TEMPERATURE = 1e-6
MOST_TEMPERATURE = 1e6
GREEDY_SHARE = 0.9  # of the games after which a schedule that is proposed reaches the switch
BELOW = 0.99  # of the switch, which a schedule that is proposed reaches then: strictly below, however it is rounded


@dataclass(frozen=True)
class QNetworkConfig:
    """How to train. Temperature and epsilon are numbers or schedules over the games (`schedules.read_schedule`).

    The defaults are the study's single network, with a temperature that falls over the games that are asked for; its own
    schedule, for 12.4 million games and more, is `temperature="geometric(1, 0.9999995)"`.

    Attributes:
        game: id of the game.
        option: rule options, as "name=value".
        features: the feature map, what networks see; empty: othello_signs, in other games planes.
        form: "single", one network with an output an action; "multi", a network an action; "pair", one network of state and
            action.
        hidden: hidden units of each network.
        shares: one set of networks plays and learns for all seats; else each seat has its own.
        games: games to play, over which schedules run.
        step_size: of Q-learning, alpha in (0, 1]: how far the target is from Q(s, a) towards the return. For target=literal.
        target: "literal", with the step size, as the study has it; "full", the return itself, a step size of 1.
        discount: factor of what comes a decision later, in [0, 1].
        learning_rate: of back-propagation, eta in (0, 1].
        weight_span: weights begin between -span and span; in (0, 1].
        exploration: "softmax", by the temperature; "epsilon", a random action with probability epsilon.
        temperature: of the softmax: a number or a schedule, as "exponential(1, 0.001)", "linear(1, 0)" or
            "geometric(1, 0.9999)" with its factor for each game; empty: from 1 by equal factors to half of `greedy_below`.
        greedy_below: once the temperature is below it, the action of the greatest value is played.
        never_greedy: allow a temperature that never falls below `greedy_below`.
        epsilon: for exploration=epsilon: a number in [0, 1], or a schedule, as "linear(0.5, 0.1)".
        setup: where games start; "random:4" after four plies that are drawn at random, and not learnt from.
        max_plies: plies after which a game ends as a draw; 0: as the rules say.
        n_steps: own decisions until the state whose values a target takes.
        replay: how many of the latest decisions are kept; 0: none. batch: of them, drawn at random, that are learnt one after
            the other at each decision.
        target_every: updates after which the copy of the networks that targets are made of is made anew; 0: no copy.
        double: the copy values the action that the networks find best.
        symmetries: under which a decision is learnt: "none", "random", one of the board's, or "all".
        play_symmetries: under which the agent looks at a position: "none", as it is, or "all" of the board's, and it plays by
            the mean of the values, which takes as many times as long.
        average_from: share of the games after which weights are averaged: the agent has the mean over the later games, of a
            thousand times at most; 1: the weights of the moment.
        seed: of everything.
    """

    game: str = "Othello-v0"
    option: tuple[str, ...] = ()
    features: str = ""
    form: Literal["single", "multi", "pair"] = "single"
    hidden: int = 44
    shares: bool = False
    games: int = 100_000
    step_size: float = 0.1
    target: Literal["literal", "full"] = "literal"
    discount: float = 1.0
    learning_rate: float = 0.1
    weight_span: float = 0.1
    exploration: Literal["softmax", "epsilon"] = "softmax"
    temperature: str = ""
    greedy_below: float = 0.002
    never_greedy: bool = False
    epsilon: str = "0.1"
    setup: str = "standard"
    max_plies: int = 0
    n_steps: int = 1
    replay: int = 0
    batch: int = 1
    target_every: int = 0
    double: bool = False
    symmetries: Literal["none", "random", "all"] = "none"
    play_symmetries: Literal["none", "all"] = "none"
    average_from: float = 1.0
    seed: int = 1

    @property
    def has_options(self) -> bool:
        """Whether any of what the study does not have, and needs another loop, is on."""
        return self.n_steps > 1 or self.replay > 0 or self.target_every > 0 or self.symmetries != "none"


def check_config(config: QNetworkConfig) -> None:
    """Raises OptionError for settings that no training can have."""
    check_types(config)
    check_words(config)
    check_seed(config.seed)
    for name, least, most in (("hidden", 1, 100_000), ("games", 1, MOST_GAMES), ("max_plies", 0, 1_000_000),
                              ("n_steps", 1, 1000), ("replay", 0, 100_000_000), ("batch", 1, 10_000),
                              ("target_every", 0, 1_000_000_000)):  # fmt: skip
        if not least <= getattr(config, name) <= most:
            raise OptionError(f"{name}={getattr(config, name)}: expected a whole number from {least:,} to {most:,}")
    for name in ("step_size", "learning_rate", "weight_span"):
        if not 0.0 < getattr(config, name) <= 1.0:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number above 0, at most 1")
    for name in ("discount", "average_from"):
        if not 0.0 <= getattr(config, name) <= 1.0:
            raise OptionError(f"{name}={getattr(config, name)}: expected a number from 0 to 1")
    if config.double and not config.target_every:
        raise OptionError("double=True: expected target_every too, the updates between two copies of the networks")
    if config.batch > max(config.replay, 1):
        raise OptionError(f"batch={config.batch}: expected at most replay={config.replay}, the decisions that are kept")
    if not LEAST_TEMPERATURE <= config.greedy_below <= MOST_TEMPERATURE:
        raise OptionError(
            f"greedy_below={config.greedy_below}: expected a temperature from {LEAST_TEMPERATURE:g} to {MOST_TEMPERATURE:g}"
        )
    check_idle(config)


def check_idle(config: QNetworkConfig) -> None:
    """Raises OptionError for settings that others leave without effect."""
    for what, holds, names in (
        ("target=full", config.target == "full", ("step_size",)),
        ("exploration=epsilon", config.exploration == "epsilon", ("temperature", "greedy_below", "never_greedy")),
        ("exploration=softmax", config.exploration == "softmax", ("epsilon",)),
    ):
        refuse_idle(config, what, [(holds, names, "has no effect")])


def pass_action(game: Game) -> int:
    """The action that no network values, forced where it is legal; NO_PASS in games without one."""
    return qg.NO_PASS if game.pass_action is None else game.pass_action


def num_outputs(game: Game) -> int:
    """How many actions networks value: all but the pass, which is the last."""
    return game.num_actions - (game.pass_action is not None)


def temperature_of(config: QNetworkConfig) -> str:
    """The schedule of the temperature as text: its own, or the usual one, which is below the switch in the last game.

    In short trainings equal factors over all games would not lead so far: it takes one game less.
    """
    if config.temperature != "":
        return str(config.temperature)
    last, before = 0.5 * config.greedy_below, config.games - 1
    if before < 1 or last ** (before / config.games) < config.greedy_below:
        return f"exponential(1, {last!r})"
    return f"exponential(1, {last!r}, {before})"


def read_temperature(config: QNetworkConfig) -> NDArray[np.float64]:
    """The schedule of the temperature. Raises OptionError for one that does not reach the switch to greedy play."""
    text, games = temperature_of(config), config.games
    schedule = read_schedule("temperature", text, low=0.0, high=MOST_TEMPERATURE, episodes=games)
    last = float(plain(rate_at)(schedule, games - 1))
    is_checked = config.exploration == "softmax" and config.temperature != "" and not config.never_greedy
    if is_checked and last >= config.greedy_below:
        raise OptionError(
            f"temperature={text!r}: still {last:.4g} in the last of {games:,} games, and greedy play begins below "
            f"greedy_below={config.greedy_below:g}; {propose_schedule(float(schedule[1]), config.greedy_below, games)}; "
            "never_greedy=True allows it"
        )
    return schedule


def propose_schedule(first: float, switch: float, games: int) -> str:
    """What to do about a temperature that does not reach the switch, in words: the factor that would reach it, if one does."""
    if games < 2 or first <= switch:
        return "expected one that falls below it"
    rate = math.log(BELOW * switch / first) / max(1.0, math.floor(GREEDY_SHARE * (games - 1)))
    steps = 10.0 ** (math.ceil(-math.log10(-math.expm1(rate))) + 3)  # rounded down, so that it does reach it
    return f"geometric({first:g}, {math.floor(math.exp(rate) * steps) / steps:.15g}) reaches that before the end"


def options_of(config: QNetworkConfig) -> op.Options:
    """What the kernel with options learns by."""
    return op.Options(
        n_steps=config.n_steps,
        batch=config.batch if config.replay else 0,
        target_every=config.target_every,
        is_double=int(config.double),
        symmetries=op.SYMMETRIES.index(config.symmetries),
    )


def learner_of(config: QNetworkConfig, game: Game) -> qg.QLearner:
    """What the kernels play by. Raises OptionError."""
    return qg.QLearner(
        way=qg.WAYS.index(config.exploration),
        temperature=read_temperature(config),
        epsilon=read_schedule("epsilon", config.epsilon, low=0.0, high=1.0, episodes=config.games),
        greedy_below=float(config.greedy_below),
        step_size=1.0 if config.target == "full" else float(config.step_size),
        discount=float(config.discount),
        learning_rate=float(config.learning_rate),
        scale=scale_of(game),
        limit=config.max_plies or game.max_plies,
        pass_action=pass_action(game),
    )
