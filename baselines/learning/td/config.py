"""The settings of a training of a network, and what follows from them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.config import LARGEST, WAYS, Phase, TrainingConfig, check_rewards, check_words, refuse_idle
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.learning.td import td_network as td
from boardgym.baselines.learning.td.risk import TRANSFORMATIONS
from boardgym.baselines.learning.td.td_leaf import TDLeaf, check_td_leaf
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import GameFeatures, read_settings, split_settings, usual_map
from boardgym.baselines.networks.scale import scale_of_output
from boardgym.core import verbs
from boardgym.core.errors import OptionError, nearest
from boardgym.core.escape import shown
from boardgym.core.game import Game

MOST_RATE = 1e6  # of a layer


@dataclass(frozen=True)
class NetworkConfig(TrainingConfig):
    """How to train a network by TD(lambda). Rates, the discount aside, are numbers or schedules (`tabular.schedules`).

    The defaults are Method II of the study of Abalone, with kappa -1.

    Attributes:
        opponent: "self": it plays by the same network, which learns from the learner's turns alone; "learner": the network
            learns from its turns too; else the spec of a policy.
        seat: the learner's seat, or "random" for a random seat in each game.
        option: rule options, as "name=value". None: the defaults of trainings: `rewards=material` in Abalone, none in other
            games. The options that you give replace these, even if you give none.
        pays_returns: use the rewards of the game, ply by ply, instead of win, draw and loss at the end.
        exploration: way to explore. epsilon is its rate, in [0, 1], or, for "boltzmann", its temperature, 0 or more.
            "directed": towards positions whose features have been seen least, see `td_network.py`.
        counter_decay: for "directed": share of its feature counters that is kept after a turn, in [0, 1].
        features: what the network sees: the name of a feature map, with settings in brackets; empty: `atributos` in Abalone,
            `tesauro` in Backgammon, else `planes`.
        hidden: units of each hidden layer, in order; none: the inputs connect to the output.
        hidden_activation: activation of the hidden units.
        output_activation: activation of the output.
        biases: which layers have one: all, all but the output, or none.
        weight_span: weights are drawn from -span to span.
        input_weights: "NAME=VALUE": initial weights of the input of that name to the first layer, instead of random ones.
        layer_rates: factor of the step size in each layer; empty: 1.
        chooses_by: whether an action is chosen by its reward and the value it leads to, or by the value alone.
        traces_of: whether traces hold the gradient at the updated position, as usual, or also that at its successor.
        values_of: positions whose values are learnt: "afterstates", which the learner has moved into, or "states", before its
            own plies, as environments show them. In both cases, actions are chosen by the value of what they lead to.
        bootstraps_at_end: the last position of an episode has the network's value instead of 0.
        reward: reward of a turn: what the learner is paid from that turn to the next, or in the whole episode so far.
        traces_decay_alone: traces decay by trace_decay, not by discount times trace_decay.
        average_from: share of the episodes after which the weights are averaged: the agent gets the mean over the later
            episodes. 1: it gets the final weights.
        coherence: use a rate for each weight, by how far its changes have agreed so far (temporal coherence).
        search_depth: plies to look ahead, including the learner's own; above 1 this is TD-Leaf(lambda), see `td_leaf.py`.
        kappa: risk, in [-1, 1]: below 0 good surprises count for more than bad ones, above 0 for less.
        transformation: how kappa changes temporal differences: "piecewise", or "smooth(sharpness=k)" with k above 0.
        max_plies: plies after which a game ends as a draw; 0: as the rules say.
        start_from: the file of an agent whose network to start from; empty: random weights.
    """

    game: str = "Abalone-v0"
    option: tuple[str, ...] | None = None
    opponent: str = "self"
    seat: str = "random"
    episodes: int = 3_000
    step_size: str = "0.1"
    discount: str = "0.9"
    trace_decay: str = "0.7"
    counter_decay: float = 0.99
    epsilon: str = "geometric(0.9, 0.99)"
    win: float = 1.0
    draw: float = 0.0
    loss: float = -1.0
    pays_returns: bool = True
    features: str = ""
    hidden: tuple[int, ...] = (10,)
    hidden_activation: Literal["sigmoid", "tanh", "linear", "softsign"] = "sigmoid"
    output_activation: Literal["sigmoid", "tanh", "linear", "softsign"] = "sigmoid"
    biases: Literal["all", "hidden", "none"] = "hidden"
    weight_span: float = 0.01
    input_weights: tuple[str, ...] = ()
    layer_rates: tuple[float, ...] = ()
    chooses_by: Literal["reward-and-value", "value"] = "reward-and-value"
    traces_of: Literal["before", "both"] = "before"
    traces_decay_alone: bool = False
    values_of: Literal["afterstates", "states"] = "afterstates"
    bootstraps_at_end: bool = False
    reward: Literal["paid", "paid-so-far"] = "paid"
    average_from: float = 1.0
    coherence: bool = False
    search_depth: int = 1
    kappa: str = "-1"
    transformation: str = "piecewise"
    max_plies: int = 0
    start_from: str = ""


def settled(config: NetworkConfig) -> NetworkConfig:
    """The same settings, with the game's own option and features where none are given. Raises UnknownGameError."""
    features, option = usual_map(config.game)
    return replace(config, option=option if config.option is None else config.option, features=config.features or features)


def check_settings(config: NetworkConfig, game: Game) -> None:
    """Raises OptionError for settings that no training can have, or that this one would not heed.

    UnsupportedGameError for a game that TD-Leaf is not for.
    """
    check_words(config)
    if config.search_depth != 1:
        check_td_leaf(game, config.search_depth)
        if config.exploration == "directed":
            raise OptionError(
                "exploration='directed' with search_depth: its counters are of positions one turn ahead; "
                "expected another way to explore, or search_depth=1"
            )
    for name in ("episodes", "seed", "max_plies"):
        if getattr(config, name) < 0:
            raise OptionError(f"{name}={getattr(config, name)}: expected at least 0")
    if not 0.0 <= config.counter_decay <= 1.0:
        raise OptionError(f"counter_decay={config.counter_decay}: expected 0 to 1")
    if not 0.0 <= config.average_from <= 1.0:
        raise OptionError(f"average_from={config.average_from}: expected 0 to 1")
    if not 0.0 <= config.weight_span <= LARGEST:
        raise OptionError(f"weight_span={config.weight_span}: expected 0 to {LARGEST:g}")
    layers = len(config.hidden) + 1
    if len(config.layer_rates) not in (0, layers) or not all(0.0 <= rate <= MOST_RATE for rate in config.layer_rates):
        raise OptionError(
            f"layer_rates={config.layer_rates}: expected none, or one of 0 to {MOST_RATE:g} for each of {layers} layers"
        )
    refuse_idle(config, f"hidden={config.hidden}", (
        (config.pays_returns, ("win", "draw", "loss"), "says nothing with pays_returns, where the game pays"),
        (not config.hidden, ("hidden_activation",), "is of hidden layers, and there is none"),
        (config.exploration != "directed", ("counter_decay",), "is of exploration='directed'"),
        (not config.pays_returns, ("reward",), "is of what the game pays ply by ply, with pays_returns"),
        (not verbs.has_rule("reward", game.position_class), ("reward",),
         f"says nothing where all is paid at the end, as in {game.id} with these options"),
        (config.search_depth != 1, ("values_of", "bootstraps_at_end"), "is of looking one ply ahead, without search_depth"),
        (config.start_from != "", ("weight_span", "input_weights"), "is of weights that are drawn, and it starts from others"),
        (is_always_zero(config, "kappa"), ("transformation",), "says nothing where kappa is 0"),
    ))  # fmt: skip
    if not config.pays_returns:
        check_rewards(config)


def is_always_zero(config: NetworkConfig, name: str) -> bool:
    """Whether a rate is 0 in all episodes. Raises OptionError."""
    _, first, last, _ = read_schedule(name, getattr(config, name), low=-1.0, high=1.0, episodes=config.episodes)
    return bool(first == last == 0.0)


def make_net(config: NetworkConfig, features: GameFeatures) -> pn.Perceptron:
    """The network, all weights 0. Raises OptionError for sizes that no network has."""
    activations = [*[config.hidden_activation] * len(config.hidden), config.output_activation]
    has_bias = {"all": (True, True), "hidden": (True, False), "none": (False, False)}[config.biases]
    biases = [*[has_bias[0]] * len(config.hidden), has_bias[1]]
    return pn.make_perceptron([len(features.names), *config.hidden, 1], activations, biases=biases)


def set_input_weights(texts: Sequence[str], features: GameFeatures, net: pn.Perceptron) -> None:
    """Sets the weights of inputs to the first layer, given as "NAME=VALUE". Raises OptionError."""
    known = set[str]()
    for text in texts:
        name, _, number = (part.strip() for part in text.rpartition("="))
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST:
            raise OptionError(f"input_weights={shown(text)!r}: expected NAME=VALUE, a number from {-LARGEST:g} to {LARGEST:g}")
        if name not in features.names:
            raise OptionError(f"input_weights={shown(text)!r}: {nearest(shown(name), features.names)}")
        if name in known:
            raise OptionError(f"input_weights={shown(text)!r}: {shown(name)!r} is given twice; expected one value")
        known.add(name)
        pn.layers_of(net)[0][features.names.index(name)] = value


def make_rates(config: NetworkConfig) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the step size is multiplied by, float64 (layers,)."""
    return np.array(config.layer_rates or [1.0] * (len(config.hidden) + 1), np.float64)


def read_transformation(text: str) -> Any:
    """The settings of a transformation of temporal differences: `piecewise`, `smooth(sharpness=2)`. Raises OptionError."""
    name, given = split_settings(text)
    if name not in TRANSFORMATIONS:
        raise OptionError(f"transformation={shown(text)!r}: {nearest(shown(name), TRANSFORMATIONS)}")
    return read_settings(f"transformation={shown(text)!r}", TRANSFORMATIONS[name], given)


def phase_of(config: NetworkConfig, features: GameFeatures) -> Phase:
    """All episodes, with the settings of the learner and of who plays by the same network. Raises OptionError."""
    transformation = read_transformation(config.transformation)
    schedules = np.zeros((3, ln.NUM_RATES, 4))
    most = math.inf if config.exploration == "boltzmann" else 1.0
    for rate, name, low, high in ((ln.STEP_SIZE, "step_size", 0.0, 1.0), (ln.DISCOUNT, "discount", 0.0, 1.0),
                                  (ln.EXPLORATION, "epsilon", 0.0, most), (ln.TRACE_DECAY, "trace_decay", 0.0, 1.0),
                                  (ln.RISK, "kappa", -1.0, 1.0)):  # fmt: skip
        schedules[:, rate] = read_schedule(name, getattr(config, name), low=low, high=high, episodes=config.episodes)
    kind, discount, *_ = schedules[ep.LEARNER, ln.DISCOUNT]
    if kind != ep.CONSTANT:
        raise OptionError(f"discount={config.discount!r}: expected a number; what an action is worth is of one discount")
    is_leaf, pays = config.search_depth > 1, None if config.pays_returns else (config.win, config.loss)
    kind = td.learner_class(type(features.settings), type(transformation), *((TDLeaf,) if is_leaf else ()))
    learner = kind(
        **({"search_depth": config.search_depth, "total": scale_of_output(features.game, pays).total} if is_leaf else {}),
        **features.settings._asdict(),
        **{name: value for name, value in transformation._asdict().items() if name != "unused"},
        way=WAYS[config.exploration],
        counter_decay=config.counter_decay,
        discount=float(discount),
        adds_reward=int(config.chooses_by == "reward-and-value"),
        includes_next=int(config.traces_of == "both"),
        decays_alone=int(config.traces_decay_alone),
        values_states=int(config.values_of == "states"),
        bootstraps_at_end=int(config.bootstraps_at_end),
        pays_so_far=int(config.reward == "paid-so-far"),
        is_coherent=int(config.coherence),
        has_pays=int(not config.pays_returns),
        win=config.win,
        draw=config.draw,
        loss=config.loss,
    )
    other = learner._replace(is_learning=int(config.opponent == "learner"))
    return Phase(config.episodes, (learner, other), schedules)
