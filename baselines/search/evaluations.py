"""Evaluations for searches by name: `minimax:2,evaluation=distance(off_board=8)`; `register_evaluation` for one's own.

An evaluation takes the place of the game's heuristic wherever a search of two seats would ask for that: at the depth, and where
actions are put in order. `evaluation.py` has the two verbs that make one. A network that values positions is one too:
`minimax:2,evaluation=network(file:agent.safetensors)`, or `evaluation_of(features, net)`; `cascade_evaluation.py` and
`ntuple_evaluation.py` have others.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.cascade_files import CascadeHeader, load_cascade
from boardgym.baselines.networks.cascade_network import CascadeNet
from boardgym.baselines.networks.feature_maps import VERSION_FIELD, GameFeatures, feature_map, read_settings, split_settings
from boardgym.baselines.networks.scale import PAID_SO_FAR, scale_of_output
from boardgym.baselines.search.abalone_evaluations import Distance, Terminator
from boardgym.baselines.search.cascade_evaluation import CascadeValue
from boardgym.baselines.search.common import SLOWER
from boardgym.baselines.search.evaluation import evaluate_kernel
from boardgym.baselines.search.morris_evaluations import Mills
from boardgym.baselines.search.network_evaluation import NetworkValue
from boardgym.baselines.search.othello_evaluations import League, MaximumDisc, Mobility, Parity, Positional
from boardgym.baselines.typed_json import plain_data
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError, nearest
from boardgym.core.escape import shown
from boardgym.core.game import Game, get_game
from boardgym.core.policy import token_of
from boardgym.core.policy_spec import PATH_ADVICE, Spec, build_policy, parse_spec
from boardgym.games.abalone.two import Abalone
from boardgym.games.nine_mens_morris.rules import NineMensMorris
from boardgym.games.othello import Othello

NETWORK = "network"  # in place of a name: the evaluation is that of an agent in brackets
CASCADE = "cascade"  # the same, of a file in brackets
NTUPLE = "ntuple"  # the same, of a file behind a colon: `evaluation=ntuple:agent.safetensors`
OF_FILES = (NETWORK, CASCADE, NTUPLE)
FILES = ("file", "ntuple")  # specs of agents that are files of this project's
MOST_READ = 4  # evaluations of such files that are kept
_READ: dict[tuple[Any, ...] | None, "Evaluation"] = {}


class Evaluation:
    """An evaluation for a game; call it with a board and the seat that has moved there.

    Attributes:
        text: that names it. settings: of it. game: that it is for.
        arrays: read-only, that its rule `make_room` takes; a token may stand among them.
        slower: how many times longer than plain minimax a search with it may take for a position.
    """

    slower = SLOWER

    def __init__(self, text: str, settings: Any, game: Game, arrays: tuple[Any, ...] = ()) -> None:
        self.text, self.settings, self.game, self.arrays = text, settings, game, arrays

    def __repr__(self) -> str:
        return f"Evaluation({self.text!r}, {self.game.id!r})"

    @property
    def data(self) -> tuple[Any, ...]:
        """What a search reads: token, row, arrays."""
        token = token_of(type(self.settings))
        return token, token.row(self.settings), *self.arrays

    def __call__(self, board: Board, seat: int) -> float:
        """The value of a position that is not over for a seat, in [-1, 1]. Raises UnsupportedGameError, ValueError."""
        if board.game.token.name != self.game.token.name:
            raise UnsupportedGameError(f"{self!r} was given a board of {board.game.id} {dict(board.game.options)}")
        if board.is_terminal:
            raise ValueError(f"{self!r} was asked about a game that is over: {board.fen()!r}")
        return float(evaluate_kernel(self.game.token, board.row, self.data, seat))


class NetworkEvaluation(Evaluation):
    """The evaluation of a network and its feature map, see `network_evaluation.py`. The weights are not copied.

    pays: what a win and a loss were worth to the learner, None if it was paid as the game pays, see `neural/scale.py`.

    Raises:
        OptionError: the network has not as many inputs as the map; pays in which a win is not worth more.
        UnsupportedGameError: a game that is not for two.
    """

    def __init__(self, features: GameFeatures, net: pn.Perceptron, pays: tuple[float, float] | None = None) -> None:
        game, inputs = features.game, int(net.sizes[0])
        if inputs != len(features.names):
            raise OptionError(f"a network of {inputs} inputs for {features!r}, which has {len(features.names)}")
        if game.num_seats != 2:
            raise UnsupportedGameError(f"a network's evaluation is for games of two seats; {game.id} has {game.num_seats}")
        settings = NetworkValue(*scale_of_output(game, pays), inputs)
        planes = np.zeros(game.observation_shape, game.observation_dtype)
        self.features, self.net, self.pays, self.slower = features, net, pays, SLOWER + len(net.weights) // 64
        super().__init__(NETWORK, settings, game, (features.token, features.row, *net[:4], planes))

    def __reduce__(self) -> Any:
        return _with_network, (self.features.text, self.game, self.net, self.pays)


def _with_network(text: str, game: Game, net: pn.Perceptron, pays: tuple[float, float] | None) -> NetworkEvaluation:
    """An evaluation from its copy or pickle."""
    return NetworkEvaluation(feature_map(text, game), net, pays)


def evaluation_of(features: GameFeatures, net: pn.Perceptron, *, pays: tuple[float, float] | None = None) -> Evaluation:
    """A network's value of what a feature map sees, as an evaluation. Args and errors as `NetworkEvaluation`."""
    return NetworkEvaluation(features, net, pays)


class CascadeEvaluation(Evaluation):
    """The evaluation of a cascade network of one output and its feature map, see `cascade_evaluation.py`.

    Raises:
        OptionError: the network has not as many inputs as the map, or more than one output.
        UnsupportedGameError: a game that is not for two.
    """

    def __init__(self, features: GameFeatures, net: CascadeNet) -> None:
        game, (inputs, hidden, outputs) = features.game, net.sizes.tolist()
        if (inputs, outputs) != (len(features.names), 1):
            raise OptionError(
                f"a cascade network of {inputs} inputs and {outputs} outputs for {features!r}; expected "
                f"{len(features.names)} inputs and 1 output"
            )
        if game.num_seats != 2:
            raise UnsupportedGameError(f"a network's evaluation is for games of two seats; {game.id} has {game.num_seats}")
        planes = np.zeros(game.observation_shape, game.observation_dtype)
        self.features, self.net, self.slower = features, net, SLOWER + len(net.weights) // 64
        data = (features.token, features.row, net.sizes, net.functions, net.steepnesses, net.weights, planes)
        super().__init__(CASCADE, CascadeValue(inputs, hidden), game, data)

    def __reduce__(self) -> Any:
        return _with_cascade, (self.features.text, self.game, self.net)


def _with_cascade(text: str, game: Game, net: CascadeNet) -> CascadeEvaluation:
    """An evaluation from its copy or pickle."""
    return CascadeEvaluation(feature_map(text, game), net)


def cascade_evaluation(path: str | Path, game: str | Game) -> CascadeEvaluation:
    """The evaluation of a cascade network's file.

    Raises:
        SpecError: no such file, none that holds a cascade network, or one whose inputs are of no game's positions.
        UnsupportedGameError: the network is for another game, or for other rule options.
    """
    game, path = get_game(game), Path(path)
    net, header = load_cascade(path)
    if not header.features:
        raise SpecError(f"{path}: a cascade network over no feature map; expected one that was saved with features=")
    if (header.game, header.options) != (game.id, plain_data(dict(game.options))):
        raise UnsupportedGameError(
            f"{path} is for {shown(header.game)} {header.options}, not for {game.id} {dict(game.options)}"
        )
    return _of_header(path, net, header, game)


def _of_header(path: Path, net: CascadeNet, header: CascadeHeader, game: Game) -> CascadeEvaluation:
    """The evaluation, by the feature map that a header names. Raises SpecError."""
    try:
        features = feature_map(header.features, game)
        features.check_header(path, {VERSION_FIELD: header.features_version})
        return CascadeEvaluation(features, net)
    except OptionError as error:
        raise SpecError(f"{path}: {error}") from None


class Registered(NamedTuple):
    """An evaluation that text can name. kind: of settings. position_class, options: of the games that it is for."""

    kind: Any
    position_class: type
    options: Mapping[str, Any]

    def plays(self, game: Game) -> bool:
        """Whether it is for a game with its rule options."""
        return issubclass(game.position_class, self.position_class) and self.options.items() <= dict(game.options).items()


_REGISTERED: dict[str, Registered] = {}


def register_evaluation(
    name: str, kind: type, *, position_class: type = object, options: Mapping[str, Any] | None = None
) -> None:
    """Makes an evaluation known by a name.

    Args:
        name: small letters, digits and underscores.
        kind: a NamedTuple of settings, numbers that all have defaults, with the verb `evaluate`, and `make_room` if it needs
            that. BOUNDS, where it has that, says what settings may be: {"off_board": (0, 30)}. SQUASHES = True says that its
            value is `squash(score, spread)` of a score, with spread one of its settings; literal_terminal=1 of one-ply players
            is for those alone.
        position_class: of the games that it is for, and those derived from it; every game if left out.
        options: the rule options that such a game must have, {"size": 8}; any if left out.

    Raises OptionError for a bad name, one that is taken, a kind without the verb or without defaults, or one that has SQUASHES
    but no spread.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in _REGISTERED or name in OF_FILES:
        raise OptionError(f"evaluation {name!r}: expected a new name of small letters, digits and underscores")
    if not verbs.has_rule("evaluate", kind) or set(getattr(kind, "_field_defaults", ())) != set(getattr(kind, "_fields", (0,))):
        raise OptionError(
            f"evaluation {name!r}: {kind!r}; expected a NamedTuple whose fields have defaults, with the verb "
            f"'evaluate', as in @rule(Mine) def evaluate(evaluation, position, seat, room)"
        )
    if getattr(kind, "SQUASHES", False) and "spread" not in kind._fields:  # type: ignore[attr-defined]
        raise OptionError(f"evaluation {name!r}: {kind!r} has SQUASHES; expected a setting spread too")
    _REGISTERED[name] = Registered(kind, position_class, dict(options or {}))


def evaluations(game: str | Game) -> tuple[str, ...]:
    """The names of the evaluations that a game has."""
    game = get_game(game)
    return tuple(name for name, it in _REGISTERED.items() if it.plays(game))


def named_evaluation(text: str, game: str | Game) -> Evaluation:
    """An evaluation by name, with settings in brackets: `distance`, `distance(off_board=8)`.

    Raises:
        OptionError: no such evaluation or setting, or a setting that is no number in its bounds.
        UnsupportedGameError: it is not for the game.
    """
    game = get_game(game)
    name, given = split_settings(text)
    if name not in _REGISTERED:
        known = (*evaluations(game), *OF_FILES)
        raise OptionError(f"no evaluation is called {shown(name)!r}; {nearest(shown(name), known)}")
    it = _REGISTERED[name]
    if not issubclass(game.position_class, it.position_class):
        raise UnsupportedGameError(
            f"evaluation {name!r} is not for {game.id}; it has {', '.join((*evaluations(game), *OF_FILES))}"
        )
    if not it.plays(game):
        needed = ", ".join(f"{key}={value!r}" for key, value in it.options.items())
        raise UnsupportedGameError(f"evaluation {name!r} is for {game.id} with {needed}, not with {dict(game.options)}")
    settings = read_settings(f"evaluation {shown(text)!r}", it.kind, given)
    return Evaluation(text.strip(), settings, game)


def read_evaluation(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Evaluation:
    """What `evaluation=` of a search's spec names. Raises SpecError, UnsupportedGameError.

    `evaluation=NAME`, `evaluation=NAME(setting=value, ...)`, or `evaluation=network(SPEC)` with the spec of an agent that has
    `as_evaluation()`, or `features` and `net`, and perhaps `facts`, or `evaluation=cascade(file:PATH)` with the file of a
    cascade network; brackets stand at the end of the search's spec. `evaluation=ntuple:PATH` is `network(ntuple:PATH)`.
    """
    name = spec.keywords["evaluation"]
    if name.partition(":")[0] == NTUPLE:
        if spec.inner:
            raise SpecError(f"policy spec {spec.text!r}: brackets behind {name!r}; expected none{PATH_ADVICE}")
        return _evaluation_of_agent(spec, parse_spec(name), game, seed=seed, trust=trust)
    if name == CASCADE:
        if len(spec.inner) != 1 or spec.inner[0].name != "file":
            raise SpecError(
                f"policy spec {spec.text!r}: expected one file in brackets, as in evaluation=cascade(file:cascade.safetensors)"
            )
        return cascade_evaluation(spec.inner[0].argument, game)
    if name == NETWORK:
        if len(spec.inner) != 1:
            raise SpecError(
                f"policy spec {spec.text!r}: expected one agent in brackets, as in evaluation=network(file:agent.safetensors)"
            )
        return _evaluation_of_agent(spec, spec.inner[0], game, seed=seed, trust=trust)
    given = ", ".join(part.text for part in spec.inner)
    try:
        return named_evaluation(f"{name}({given})" if given else name, game)
    except OptionError as error:
        raise SpecError(f"policy spec {spec.text!r}: {error}") from None


def _evaluation_of_agent(spec: Spec, inner: Spec, game: Game, *, seed: int | None, trust: bool) -> Evaluation:
    """The values of an agent as an evaluation. spec: of the search; inner: of the agent. Raises SpecError.

    That of a file is kept while the file stays as it is: a search that is watched, or has a clock, is made anew each time.
    """
    key = _state_of_file(inner, game) if inner.name in FILES else None
    if (kept := _READ.get(key)) is not None:  # at once: another thread may drop it
        return kept
    found = _evaluation_made(spec, inner, game, seed=seed, trust=trust)
    if key is not None:
        if len(_READ) >= MOST_READ:
            _READ.pop(next(iter(_READ)), None)
        _READ[key] = found
    return found


def _state_of_file(inner: Spec, game: Game) -> tuple[Any, ...] | None:
    """What an agent's file is known by as it is now; None if it cannot be looked at."""
    try:
        found = Path(inner.argument).stat()
    except OSError:
        return None
    start = game.token.row(game.start).tobytes()
    return inner.name, inner.argument, found.st_ino, found.st_size, found.st_mtime_ns, game.id, game.token.name, start


def _evaluation_made(spec: Spec, inner: Spec, game: Game, *, seed: int | None, trust: bool) -> Evaluation:
    """The same, made anew."""
    agent = build_policy(inner, game, seed=seed, trust=trust)
    if callable(own := getattr(agent, "as_evaluation", None)):
        found: Evaluation = own()
        return found
    features, net = getattr(agent, "features", None), getattr(agent, "net", None)
    if not (isinstance(features, GameFeatures) and isinstance(net, pn.Perceptron)):
        raise SpecError(
            f"policy spec {spec.text!r}: {inner.text!r} has no value network; expected the file of an "
            f"agent that was trained as a network"
        )
    facts = getattr(agent, "facts", {})
    if facts.get("reward") == PAID_SO_FAR:
        raise SpecError(
            f"policy spec {spec.text!r}: {inner.text!r} was trained with reward={PAID_SO_FAR!r}, so it "
            "adds up the leads of turns, which is no value of a position; expected reward='paid'"
        )
    pays = facts.get("pays")  # of a win, a draw and a loss
    return evaluation_of(features, net, pays=None if pays is None else (pays[0], pays[2]))


register_evaluation("distance", Distance, position_class=Abalone)
register_evaluation("terminator", Terminator, position_class=Abalone)
register_evaluation("positional", Positional, position_class=Othello, options={"size": 8})
register_evaluation("mobility", Mobility, position_class=Othello)
register_evaluation("parity", Parity, position_class=Othello)
register_evaluation("max_disc", MaximumDisc, position_class=Othello)
register_evaluation("league", League, position_class=Othello, options={"size": 8})
register_evaluation("mills", Mills, position_class=NineMensMorris)
