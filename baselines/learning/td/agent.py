"""What a training of a network leaves: a perceptron over features as a policy, and as a file."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import OWN_FIELDS, Pieces
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.agent import LearntAgent
from boardgym.baselines.learning.agent_files import AGENTS, AgentHeader, advice, check_game, open_agent
from boardgym.baselines.learning.td.td_network import MOST_PLIES, NetworkValues, Reader, policy_class
from boardgym.baselines.learning.td.turns import SLOTS, make_turn
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import VERSION_FIELD, GameFeatures, feature_map
from boardgym.baselines.networks.scale import PAID_SO_FAR, paid_kernel, scale_of_output, value_of_output
from boardgym.baselines.networks.verbs import Sheet
from boardgym.baselines.typed_json import read_data
from boardgym.compile import plain
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.verbs import rule

KIND = "network"
MOST_INPUT = 1e30  # in size, of a feature
MOST_OUTPUT = 1e200  # in size, of a unit
FILE_FIELDS = (*OWN_FIELDS, "kind", "game", "options", "features", VERSION_FIELD, "sizes", "activations",
               "biases")  # fmt: skip


@rule(NetworkValues)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The network with units of its own, buffers for the choices, no key."""
    sizes, kinds, biases, weights, planes = data
    net = pn.of_weights(sizes, kinds, biases, weights)
    sheet, room = Sheet(net.units[: sizes[0]], np.zeros_like(planes)), np.zeros((MOST_PLIES, max_actions), np.int64)
    reader = Reader(net, sheet, room, make_turn(len(position), SLOTS))
    return reader, ln.make_choices(max_actions, 1), np.empty(1, np.int64)


rule(NetworkValues, verb="choose")(ln.choose_best)


class NetworkAgent(LearntAgent):
    """A perceptron over features as a compiled policy: plays the best action, on boards and in native environments.

    An action is worth what it pays and the discounted value of where the turn leads. A turn of several plies is looked
    through to its end.

    Args:
        features: what the network sees, of the game it plays.
        net: it is shared, not copied: a learner goes on moving its weights.
        facts: what it is, for its file: "discount" in [0, 1]; "adds_reward": 1, or 0 to choose by values alone; "pays": what
            a win, a draw and a loss are worth, None for what the game pays; perhaps "reward", of a turn, as in
            `NetworkConfig`; and whatever else is to be kept, as plain data.
        seed: for its draws.
        spec: what names it in tables.

    Attributes:
        features, net, facts. scale: of its values.

    Raises:
        OptionError: a network of other inputs than the features.
    """

    def __init__(
        self, features: GameFeatures, net: pn.Perceptron, facts: dict[str, Any], *, seed: int | None = None, spec: str = KIND
    ) -> None:
        game = features.game
        if net.sizes[0] != len(features.names):
            raise OptionError(f"a network of {net.sizes[0]} inputs; expected {len(features.names)}, of {features.text}")
        kind = policy_class(type(features.settings))
        win, draw, loss = facts["pays"] or (1.0, 0.0, -1.0)
        settings = kind(
            **features.settings._asdict(),
            way=ln.EPSILON,
            discount=float(facts["discount"]),
            adds_reward=int(facts["adds_reward"]),
            has_pays=int(facts["pays"] is not None),
            win=float(win),
            draw=float(draw),
            loss=float(loss),
        )
        planes = np.zeros(game.observation_shape, game.observation_dtype)
        super().__init__(game, settings, spec, data=(net.sizes, net.kinds, net.biases, net.weights, planes), seed=seed)
        self.features, self.net, self.facts = features, net, facts
        scale = scale_of_output(game, facts["pays"])
        self.scale = scale._replace(share=0.0) if facts.get("reward") == PAID_SO_FAR else scale

    def __reduce__(self) -> Any:
        net = [part.copy() for part in self.net]
        return _restore, (self.game, self.features.text, net, self.facts, self.spec, self.epsilon, self.rng)

    def scaled(self, board: Board, value: float) -> float:
        """What the seat to play may expect, in the rewards of the agent, as a value in [-1, 1], 1 the most that a game pays.

        See `scale.py`.
        """
        paid = paid_kernel(self.game.token, board.row, board.to_play) if self.scale.share != 0.0 else 0.0
        return float(plain(value_of_output)(self.scale, value, paid))

    def statistics(self) -> dict[str, Any]:
        """Of the network: sizes, activations, biases, number of weights, the span of them.

        "inputs", with one hidden layer: of each input its name, the mean of its weights, and the logarithm of
        sum over hidden units h of w_ih v_h, v_h the weight from h to the output; None where that sum is not above 0.
        """
        net, layers = self.net, pn.layers_of(self.net)
        found: dict[str, Any] = {
            "sizes": net.sizes.tolist(),
            "activations": [pn.ACTIVATIONS[kind] for kind in net.kinds],
            "biases": [bool(bias) for bias in net.biases],
            "weights": len(net.weights),
            "least_weight": float(net.weights.min()),
            "greatest_weight": float(net.weights.max()),
        }
        if len(layers) == 2:
            first, second = layers[0][: net.sizes[0]], layers[1][: net.sizes[1], 0]
            sums = first @ second
            found["inputs"] = [
                {"name": name, "mean_weight": float(mean), "log_sum": math.log(total) if total > 0.0 else None}
                for name, mean, total in zip(self.features.names, first.mean(axis=1), sums, strict=True)
            ]
        return found

    def header(self) -> dict[str, Any]:
        """What its file says of it."""
        return {
            **self.facts,
            "kind": KIND,
            "game": self.game.id,
            "options": dict(self.game.options),
            **self.features.header(),
            "sizes": self.net.sizes.tolist(),
            "activations": [pn.ACTIVATIONS[kind] for kind in self.net.kinds],
            "biases": [bool(bias) for bias in self.net.biases],
        }

    def _arrays(self) -> Mapping[str, NDArray[Any] | Pieces]:
        """The weights."""
        check_finite(self.net, "of the agent")
        return {"weights": self.net.weights}


def check_finite(net: pn.Perceptron, when: str) -> None:
    """Raises OptionError for weights that are no finite numbers, or so large that units would be none.

    when: for the message.
    """
    bounded = [pn.ACTIVATIONS[kind] != "linear" for kind in net.kinds]
    greatest = pn.greatest_unit(int(net.sizes[0]), pn.layers_of(net), bounded, most=MOST_INPUT)
    if not greatest < MOST_OUTPUT:
        raise OptionError(
            f"weights {when} that are infinite or no numbers, or so large that units could be; train with a "
            "smaller step_size, scaled features or activations that are bounded"
        )


class Header(AgentHeader, kw_only=True):
    """What the file of an agent says of it."""

    features: str
    sizes: list[int]
    activations: list[str]
    biases: list[bool]
    discount: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
    adds_reward: Literal[0, 1]
    reward: Literal["paid", "paid-so-far"] = "paid"


def load_network_agent(path: str | Path, game: str | Game | None = None, *, seed: int | None = None) -> NetworkAgent:
    """An agent that `save` wrote; reading it executes nothing. game: None for the one that it has learnt.

    Raises:
        SpecError: no such file, or no such agent, or features that nobody has registered in this process, or weights that are
            no finite numbers, or so large that values would be none.
        UnsupportedGameError: it has learnt another game.
    """
    path = Path(path)
    arrays, header = open_agent(path, KIND)
    found = read_data(header, Header, SpecError, f"the header of a network in {path}")
    try:
        game = get_game(found.game, **found.options) if game is None else get_game(game)
        check_game(path, header, game)
        features = feature_map(found.features, game)
        features.check_header(path, header)
        net = pn.make_perceptron(found.sizes, found.activations, biases=found.biases)
        parts = AGENTS.array_of(path, arrays, "weights", np.float64, net.weights.shape).parts()
        net.weights[:] = np.concatenate([np.zeros(0), *parts])
        check_finite(net, "of the agent")
        facts = {name: value for name, value in header.items() if name not in FILE_FIELDS}
        return NetworkAgent(features, net, facts, seed=seed, spec=f"file:{path}")
    except (TypeError, ValueError) as error:
        if isinstance(error, SpecError | UnsupportedGameError):
            raise
        raise SpecError(f"{path}: its header does not describe a network ({error!r}); {advice(path)}") from None


def _restore(
    game: Game,
    features: str,
    parts: list[NDArray[Any]],
    facts: dict[str, Any],
    spec: str,
    epsilon: float,
    rng: NDArray[np.uint64],
) -> NetworkAgent:
    """An agent from its copy or pickle; its stream goes on where it was."""
    agent = NetworkAgent(feature_map(features, game), plain(pn.of_weights)(*parts[:4]), facts, seed=0, spec=spec)
    agent.epsilon, agent.rng = epsilon, rng.copy()
    return agent
