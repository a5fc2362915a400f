"""What Q-learning with networks leaves: the networks of all seats as one policy, and as a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import OWN_FIELDS, Pieces
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.agent import LearntAgent
from boardgym.baselines.learning.agent_files import AGENTS, AgentHeader, advice, check_game, open_agent
from boardgym.baselines.learning.q_network import networks as qn
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.baselines.learning.q_network.config import num_outputs, pass_action
from boardgym.baselines.learning.td.td_network import joined
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.feature_maps import VERSION_FIELD, GameFeatures, feature_map, stored_map
from boardgym.baselines.typed_json import read_data
from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import Game, get_game
from boardgym.core.verbs import rule

KIND = "q-network"
MOST_WEIGHT = 1e30  # in size
FILE_FIELDS = (*OWN_FIELDS, "kind", "game", "options", "features", VERSION_FIELD, "form", "hidden", "networks",
               "play_symmetries")  # fmt: skip


class QValues(NamedTuple):
    """Settings of a policy; those that are used have a feature map's beside them.

    form: SINGLE, MULTI or PAIR. pass_action: of the game, or NO_PASS. is_opposed: 1 for two seats, one of which wins what the
    other loses, without chance: what one expects is the opposite of what the other does.
    """

    form: int = qn.SINGLE
    pass_action: int = qg.NO_PASS
    is_opposed: int = 0


class SymmetricQValues(QValues):
    """Settings of a policy that takes the mean of what its networks say of a position under all symmetries of the board."""

    __slots__ = ()


class Memory(NamedTuple):
    """What a policy reads.

    nets: the networks. state, sheet: as of `q_network.Scratch`. hidden: float64 (M, H). outputs: float64 (M,). legal: int64
    (M,).
    """

    nets: qn.QNetworks
    state: qn.State
    sheet: nv.Sheet
    hidden: NDArray[np.float64]
    outputs: NDArray[np.float64]
    legal: NDArray[np.int64]


@rule(QValues)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The networks with room of their own for states and units, buffers for the choices, no key."""
    first, second, biases, inputs, planes = data
    nets = qn.QNetworks(policy.form, qn.Weights(first, second, biases))
    state = qn.State(np.zeros_like(inputs), np.zeros(inputs.shape[0], np.int64), np.zeros(1, np.int64))
    sheet, hidden = nv.Sheet(state.inputs, np.zeros_like(planes)), np.zeros((max_actions, second.shape[2]))
    memory = Memory(nets, state, sheet, hidden, np.zeros(max_actions), np.zeros(max_actions, np.int64))
    return memory, ln.make_choices(max_actions, 1), np.empty(1, np.int64)


@inner
def look_once(policy: Any, position: Any, memory: Any, key: NDArray[np.int64], choices: ln.Choices, count: int) -> int:
    """Writes Q(s, a) of each action.

    Of a pass, which no network values: the opposite of what the other seat may then expect; 0 in games of chance or of more
    seats, and where the other seat too can only pass.
    """
    choices.visits[:count] = 0.0
    seat, values = verbs.to_play(position), qn.Values(memory.hidden, choices.values)
    if count != 1 or choices.legal[0] != policy.pass_action:
        nv.features(policy, position, seat, memory.sheet)
        qn.note_places(memory.state)
        qn.write_values(memory.nets, qg.network_of(memory.nets, seat), memory.state, choices.legal, count, values)
        return 0
    choices.values[0] = 0.0
    if policy.is_opposed == 0:
        return 0
    after, greatest = verbs.apply(position, policy.pass_action), 0.0
    replies, other = verbs.legal_actions(after, memory.legal), verbs.to_play(after)
    if replies == 0 or memory.legal[0] == policy.pass_action:
        return 0
    nv.features(policy, after, other, memory.sheet)
    qn.note_places(memory.state)
    for k in range(replies):
        qn.write_value(memory.nets, qg.network_of(memory.nets, other), memory.state, memory.legal[k], values, 0)
        greatest = values.outputs[0] if k == 0 else max(greatest, values.outputs[0])
    values.outputs[0] = -greatest
    return 0


@rule(QValues)
def look(policy: Any, position: Any, memory: Any, key: NDArray[np.int64], choices: ln.Choices, count: int) -> int:
    """Writes Q(s, a) of each action, and of a pass what `look_once` says."""
    return look_once(policy, position, memory, key, choices, count)


@rule(SymmetricQValues, verb="look")
def mean_look(policy: Any, position: Any, memory: Any, key: NDArray[np.int64], choices: ln.Choices, count: int) -> int:
    """Writes of each action the mean of Q(s, a) over the symmetries of the board; of a pass what `look_once` says."""
    if count == 1 and choices.legal[0] == policy.pass_action:
        return look_once(policy, position, memory, key, choices, count)
    seat, symmetries = verbs.to_play(position), verbs.num_symmetries(position)
    choices.visits[:count], choices.values[:count] = 0.0, 0.0
    for symmetry in range(symmetries):
        for k in range(count):
            memory.legal[k] = verbs.transform_action(position, choices.legal[k], symmetry)
        nv.features(policy, verbs.transform(position, symmetry), seat, memory.sheet)
        qn.note_places(memory.state)
        values = qn.Values(memory.hidden, memory.outputs)
        qn.write_values(memory.nets, qg.network_of(memory.nets, seat), memory.state, memory.legal, count, values)
        for k in range(count):
            choices.values[k] += memory.outputs[k] / symmetries
    return 0


rule(QValues, verb="choose")(ln.choose_best)


class QNetworkAgent(LearntAgent):
    """Networks of action values as a compiled policy: each seat plays by its own, on boards and in native environments.

    Args:
        features: what the networks see, of the game they play.
        nets: the networks; shared, not copied: a training goes on moving their weights.
        hidden: units of each, without those that it is filled up with.
        facts: what it is, for its file: "pays", None; and whatever else is to be kept, as plain data.
        play_symmetries: "none": it looks at a position as it is; "all": under all symmetries of the board, and takes the means
            of their values. A pass is valued as it is.
        seed: for its draws.
        spec: what names it in tables.

    Attributes:
        features, nets, hidden, facts, play_symmetries.

    Raises OptionError for other words, and for "all" in a game that declares no symmetries.
    """

    def __init__(
        self,
        features: GameFeatures,
        nets: qn.QNetworks,
        hidden: int,
        facts: dict[str, Any],
        *,
        play_symmetries: str = "none",
        seed: int | None = None,
        spec: str = KIND,
    ) -> None:
        game = features.game
        check_play_symmetries(play_symmetries, game)
        map_class: type = type(features.settings)
        kind = joined(SymmetricQValues if play_symmetries == "all" else QValues, map_class)
        settings = kind(**features.settings._asdict(), form=nets.form, pass_action=pass_action(game),
                        is_opposed=int(is_opposed(game)))  # fmt: skip
        planes = np.zeros(game.observation_shape, game.observation_dtype)
        data = (*nets.weights, np.zeros(len(features.names)), planes)
        super().__init__(game, settings, spec, data=data, seed=seed)
        self.features, self.nets, self.hidden, self.facts = features, nets, hidden, facts
        self.play_symmetries = play_symmetries

    def __reduce__(self) -> Any:
        nets = copied(self.nets)
        own = self.facts, self.play_symmetries, self.spec, self.epsilon, self.rng
        return _restore, (self.game, self.features.text, nets, self.hidden, *own)

    def scaled(self, board: Board, value: float) -> float:
        """Itself: networks learn what a game pays as a value in [-1, 1]."""
        return value

    def statistics(self) -> dict[str, Any]:
        """Of the networks: form, numbers of inputs, hidden units and outputs, how many networks, weights of each seat's.

        "weights" with biases; "weights_without_biases" as the study counts.
        """
        first, second = self.nets.weights.input_weights, self.nets.weights.output_weights
        _, groups, rows, _ = first.shape
        outputs, own = second.shape[1], trimmed(self.nets, self.hidden)
        without = groups * (rows - 1) * self.hidden + outputs * self.hidden
        return {
            "form": qn.FORMS[self.nets.form],
            "sizes": [rows - 1, self.hidden, outputs // groups],
            "networks_of_a_seat": groups,
            "seats": len(first),
            "weights": without + groups * self.hidden + outputs,
            "weights_without_biases": without,
            "least_weight": min(float(part.min()) for part in own.values()),
            "greatest_weight": max(float(part.max()) for part in own.values()),
        }

    def header(self) -> dict[str, Any]:
        """What its file says of it."""
        return {
            **self.facts,
            "kind": KIND,
            "game": self.game.id,
            "options": dict(self.game.options),
            **self.features.header(),
            "form": qn.FORMS[self.nets.form],
            "hidden": self.hidden,
            "networks": len(self.nets.weights.output_biases),
            "play_symmetries": self.play_symmetries,
        }

    def _arrays(self) -> Mapping[str, NDArray[Any] | Pieces]:
        """The weights."""
        return trimmed(self.nets, self.hidden)


def is_opposed(game: Game) -> bool:
    """Whether what one seat expects is the opposite of what the other does."""
    return game.num_seats == 2 and game.num_outcomes == 0 and game.min_return == -game.max_return


def check_play_symmetries(play_symmetries: str, game: Game) -> None:
    """Raises OptionError for other words than "none" and "all", and for "all" in a game that declares no symmetries."""
    if play_symmetries not in ("none", "all"):
        raise OptionError(f"play_symmetries={play_symmetries!r}: expected none or all")
    if play_symmetries == "all" and verbs.num_symmetries(game.start) < 2:
        raise OptionError(f"play_symmetries='all': {game.id} declares no symmetries of its board; expected none")


def copied(nets: qn.QNetworks) -> qn.QNetworks:
    """Networks with weights of their own."""
    return qn.QNetworks(nets.form, qn.Weights(*(part.copy() for part in nets.weights)))


def views(nets: qn.QNetworks, hidden: int) -> dict[str, NDArray[np.float64]]:
    """The weights by name, without the units that are filled up with: views, which can be written."""
    first, second, biases = nets.weights
    return {"input_weights": first[..., :hidden], "output_weights": second[..., :hidden], "output_biases": biases}


def trimmed(nets: qn.QNetworks, hidden: int) -> dict[str, NDArray[np.float64]]:
    """The same as a file holds them. Raises OptionError for some that no file may hold."""
    found = {name: np.ascontiguousarray(part) for name, part in views(nets, hidden).items()}
    if not all((np.abs(part) <= MOST_WEIGHT).all() for part in found.values()):
        raise OptionError("weights that are infinite, no numbers or too large; train with a smaller learning_rate")
    return found


def fill(nets: qn.QNetworks, path: Path, arrays: Mapping[str, Any], files: Any, hidden: int, prefix: str = "") -> None:
    """Fills networks with the weights of a file, as `trimmed` made them, under names with a prefix. Raises SpecError."""
    for name, whole in views(nets, hidden).items():
        found = files.array_of(path, arrays, prefix + name, np.float64, whole.shape)
        parts = found.parts() if isinstance(found, Pieces) else (found,)
        array = np.concatenate([np.zeros((0, *whole.shape[1:])), *parts])
        if not (np.abs(array) <= MOST_WEIGHT).all():
            raise SpecError(f"{path}: {prefix}{name} that are infinite, no numbers or too large; {files.advice(path)}")
        whole[...] = array


class Header(AgentHeader, kw_only=True):
    """What the file of an agent says of it."""

    pays: None
    features: str
    features_version: int
    form: Literal["single", "multi", "pair"]
    hidden: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    networks: Annotated[int, msgspec.Meta(ge=1, le=16)]
    play_symmetries: Literal["none", "all"] = "none"


def load_q_network_agent(path: str | Path, game: str | Game | None = None, *, seed: int | None = None) -> QNetworkAgent:
    """An agent that `save` wrote; reading it executes nothing. game: None for the one that it has learnt.

    Raises:
        SpecError: no such file, or no such agent, or features that nobody has registered in this process, or weights that are
            no finite numbers.
        UnsupportedGameError: it has learnt another game.
    """
    path = Path(path)
    arrays, header = open_agent(path, KIND)
    found = read_data(header, Header, SpecError, f"the header of networks in {path}")
    if game is not None:
        check_game(path, header, get_game(game))
    features = stored_map(path, found, None)
    if found.networks not in (1, features.game.num_seats):
        raise SpecError(f"{path}: networks of {found.networks} seats; {advice(path)}")
    try:
        nets = qn.make_networks(
            found.form,
            num_networks=found.networks,
            inputs=len(features.names),
            hidden=found.hidden,
            actions=num_outputs(features.game),
        )
    except OptionError as error:
        raise SpecError(f"{path}: {error}; {advice(path)}") from None
    fill(nets, path, arrays, AGENTS, found.hidden)
    facts = {name: value for name, value in header.items() if name not in FILE_FIELDS}
    try:
        return QNetworkAgent(
            features, nets, found.hidden, facts, play_symmetries=found.play_symmetries, seed=seed, spec=f"file:{path}"
        )
    except OptionError as error:
        raise SpecError(f"{path}: {error}; {advice(path)}") from None


def _restore(
    game: Game,
    features: str,
    nets: qn.QNetworks,
    hidden: int,
    facts: dict[str, Any],
    play_symmetries: str,
    spec: str,
    epsilon: float,
    rng: NDArray[np.uint64],
) -> QNetworkAgent:
    """An agent from its copy or pickle; its stream goes on where it was."""
    agent = QNetworkAgent(feature_map(features, game), nets, hidden, facts, play_symmetries=play_symmetries, seed=0, spec=spec)
    agent.epsilon, agent.rng = epsilon, rng.copy()
    return agent
