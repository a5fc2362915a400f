"""Small neural networks as compiled policies: a multilayer perceptron over the observation plays within native steps.

The observation, flattened, passes through dense layers (rectified or tanh units, no activation after the last); the last
layer has a unit for each action, and the policy is the softmax of the legal ones:

    p(action) = exp(logit(action) / temperature) / sum over legal actions of exp(logit / temperature)

The forward pass is float32 in a fixed order, one input after the other in fours, so that it vectorises without
reordering sums and gives the same on every machine; inputs that are zero, most of a board and half of the rectified
units, are left out.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.baselines.array_files import ArrayFiles, Pieces
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.typed_json import plain_data, read_data
from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.arrays import copy_into
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import CompiledPolicy, check_board
from boardgym.core.policy import make_scratch as scratch_of
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.core.random import draw_by_weight, softmax_weights
from boardgym.core.verbs import rule

ACTIVATIONS = ("relu", "tanh")
MOST_BYTES = 1 << 29  # of a file
MOST_SEEN = 1e6  # in size, of the numbers of an observation
MOST_OUTPUT = 1e38  # in size, of a unit: float32 ends at 3.4e38


class Network(NamedTuple):
    """Settings of a network. is_tanh: 1 for tanh units, 0 for rectified ones."""

    is_tanh: int
    temperature: float


class Buffers(NamedTuple):
    """What `choose` works with. sizes: int64, units of each layer, inputs first. weights: float32, all in a row.

    planes: of the observation's shape and dtype. row, sums: float32 (widest,), inputs and sums of a layer. active: int64
    (widest,), the inputs that are not 0. legal: int64, the legal actions; draw_weights: float64 beside it.
    """

    sizes: NDArray[np.int64]
    weights: NDArray[np.float32]
    planes: NDArray[Any]
    row: NDArray[np.float32]
    sums: NDArray[np.float32]
    active: NDArray[np.int64]
    legal: NDArray[np.int64]
    draw_weights: NDArray[np.float64]


@inner
def make_buffers(sizes: NDArray[np.int64], weights: NDArray[np.float32], planes: NDArray[Any], max_actions: int) -> Buffers:
    """The buffers. planes: a template of the observation."""
    widest = sizes.max()
    return Buffers(
        sizes,
        weights,
        np.empty_like(planes),
        np.empty(widest, np.float32),
        np.empty(widest, np.float32),
        np.empty(widest, np.int64),
        np.empty(max_actions, np.int64),
        np.empty(max_actions, np.float64),
    )


@rule(Network)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The buffers. data: sizes, weights, and planes as a template of the observation."""
    return make_buffers(data[0], data[1], data[2], max_actions)


@inner
def forward(policy: Any, position: Any, scratch: Any) -> tuple[int, float]:
    """Writes exp((logit - greatest) / temperature) of each legal action into `draw_weights`. Returns (how many, their sum)."""
    row, sums, sizes, weights = scratch.row, scratch.sums, scratch.sizes, scratch.weights
    verbs.observe(position, verbs.to_play(position), scratch.planes)
    flat = scratch.planes.reshape(scratch.planes.size)
    for i in range(flat.shape[0]):
        row[i] = np.float32(flat[i])
    start, last = 0, sizes.shape[0] - 2
    for layer in range(last + 1):
        inputs, outputs = sizes[layer], sizes[layer + 1]
        middle = start + inputs * outputs
        copy_into(sums, weights[middle : middle + outputs])
        pn.add_layer(row[:inputs], weights[start:middle], sums[:outputs], scratch.active)
        start = middle + outputs
        if layer < last:
            for j in range(outputs):
                value = sums[j]
                if policy.is_tanh != 0:
                    row[j] = np.float32(math.tanh(np.float64(value)))
                else:
                    row[j] = value if value > np.float32(0.0) else np.float32(0.0)
    count = verbs.legal_actions(position, scratch.legal)
    for k in range(count):
        scratch.draw_weights[k] = np.float64(sums[scratch.legal[k]])
    return count, softmax_weights(scratch.draw_weights, count, policy.temperature, scratch.draw_weights)


@rule(Network)
def choose(
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """An action drawn by its probability, with one draw; deterministic: the most probable, of equals the first."""
    count, total = forward(policy, position, scratch)
    if deterministic:
        best = 0
        for k in range(1, count):
            if scratch.draw_weights[k] > scratch.draw_weights[best]:
                best = k
        return scratch.legal[best]
    return scratch.legal[draw_by_weight(scratch.draw_weights, count, total, rng)]


@kernel
def probabilities_kernel(
    game: Any, row: NDArray[np.int64], policy: Any, settings: Any, data: Any, max_choices: int, out: NDArray[np.float64]
) -> None:
    """Fills out, float64 (num_actions,), with the probabilities of a network; 0 where illegal."""
    position, chooser = verbs.unpack(game, row), verbs.unpack(policy, settings)
    scratch = scratch_of(chooser, position, max_choices, data)
    count, total = forward(chooser, position, scratch)
    out[:] = 0.0
    for k in range(count):
        out[scratch.legal[k]] = scratch.draw_weights[k] / total


Layers = Sequence[tuple[ArrayLike, ArrayLike]]


class NetworkPolicy(CompiledPolicy):
    """A multilayer perceptron over the flattened observation as a compiled policy.

    Args:
        game: the game it plays.
        layers: (weights, bias) of each, the input layer first: float32 (inputs, outputs) and (outputs,). The first has
            H * W * C inputs, the last num_actions outputs.
        activation: of all layers but the last, "relu" or "tanh".
        temperature: the logits are divided by it; greater is more random; above 0.
        seed: for its draws.
        spec: what names it in tables.

    Raises:
        OptionError: sizes that do not fit each other or the game, weights that are not finite or so large that units could be
            infinite, an unknown activation.
    """

    def __init__(
        self,
        game: str | Game,
        layers: Layers,
        activation: str = "relu",
        temperature: float = 1.0,
        *,
        seed: int | None = None,
        spec: str = "network",
    ) -> None:
        game = get_game(game)
        if activation not in ACTIVATIONS:
            raise OptionError(f"activation={activation!r}: expected 'relu' or 'tanh'")
        if not 0.0 < temperature < math.inf:
            raise OptionError(f"temperature={temperature!r}: expected a number above 0")
        sizes, weights = flatten(game, layers, activation)
        planes = np.zeros(game.observation_shape, game.observation_dtype)
        settings = Network(int(activation == "tanh"), float(temperature))
        super().__init__(game, settings, spec, data=(sizes, weights, planes), seed=seed)

    def __reduce__(self) -> Any:
        return _restore, (self.game, self.layers, self.activation, self.temperature, self.spec, self.epsilon, self.rng)

    @property
    def activation(self) -> str:
        """Of all layers but the last."""
        return ACTIVATIONS[self.settings.is_tanh]

    @property
    def temperature(self) -> float:
        """What the logits are divided by."""
        return float(self.settings.temperature)

    @property
    def layers(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Copies of the weights (inputs, outputs) and the bias (outputs,) of each layer."""
        sizes, flat = self.data[0], self.data[1]
        layers, start = [], 0
        for inputs, outputs in zip(sizes[:-1].tolist(), sizes[1:].tolist(), strict=True):
            middle = start + inputs * outputs
            layers.append((flat[start:middle].reshape(inputs, outputs).copy(), flat[middle : middle + outputs].copy()))
            start = middle + outputs
        return layers

    def set_layers(self, layers: Layers) -> None:
        """Gives it other weights of the same sizes, wherever it plays at present. Raises OptionError for other sizes."""
        sizes, weights = flatten(self.game, layers, self.activation)
        if sizes.tolist() != self.data[0].tolist():
            raise OptionError(f"layers of sizes {sizes.tolist()}: expected {self.data[0].tolist()}")
        self.data[1][:] = weights

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """float64 (num_actions,), 0 where illegal. Raises as `act`."""
        check_board(self, board)
        out = np.empty(self.game.num_actions)
        probabilities_kernel(self.game.token, board.row, self.token, self.row, self.data, self.game.max_choices, out)
        return out

    def save(self, path: str | Path) -> None:
        """Writes the network as safetensors, under another name first, then renamed. Raises OSError."""
        header = {"kind": "policy", "game": self.game.id, "options": dict(self.game.options), "activation": self.activation,
                  "temperature": self.temperature}  # fmt: skip
        tensors: dict[str, NDArray[np.float32]] = {}
        for number, (weights, bias) in enumerate(self.layers):
            tensors |= {f"{number}.weights": weights, f"{number}.bias": bias}
        NETWORKS.write(Path(path), tensors, header)


class Header(msgspec.Struct):
    """What the file of a network says of it."""

    kind: Literal["policy"]
    game: str
    options: dict[str, Any]
    activation: Literal["relu", "tanh"]
    temperature: Annotated[float, msgspec.Meta(gt=0.0)]


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return (
        "expected one that NetworkPolicy.save() of this version wrote; one of an earlier version is made anew from its "
        "model, for instance by from_sb3_network(model, game).save(path)"
    )


NETWORKS = ArrayFiles("boardgym network", 2, "a network", SpecError, advice)


def flatten(game: Game, layers: Layers, activation: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Layers as sizes, int64 (layers + 1,), and all weights in a row, float32. Raises OptionError for what does not fit."""
    inputs = math.prod(game.observation_shape)
    if not layers:
        raise OptionError("layers: expected at least one (weights, bias)")
    sizes, parts, stacked = [inputs], [], []
    for number, (weights, bias) in enumerate(layers):
        matrix, vector = np.asarray(weights, np.float32), np.asarray(bias, np.float32)
        outputs = game.num_actions if number == len(layers) - 1 else matrix.shape[-1] if matrix.ndim == 2 else 0
        if matrix.shape != (sizes[-1], outputs) or vector.shape != (outputs,) or outputs < 1:
            raise OptionError(
                f"layer {number}: weights of shape {matrix.shape} and bias of shape {vector.shape}; expected "
                f"({sizes[-1]}, {outputs or 'outputs'}) and ({outputs or 'outputs'},) for {game.id}"
            )
        sizes.append(outputs)
        parts += [matrix.ravel(), vector]
        stacked.append(np.vstack([matrix, vector]))
    greatest = pn.greatest_unit(inputs, stacked, [activation == "tanh"] * len(stacked), most=MOST_SEEN)
    if not greatest < MOST_OUTPUT:
        raise OptionError(
            "weights that are infinite or no numbers, or so large that units could be; expected finite ones, "
            f"with units below {MOST_OUTPUT:g} (they could be {greatest:.3g})"
        )
    return np.array(sizes, np.int64), np.concatenate(parts)


def load_network(path: str | Path, game: str | Game, *, seed: int | None = None) -> NetworkPolicy:
    """A network that `NetworkPolicy.save` wrote; reading it executes nothing.

    Raises:
        SpecError: no such file, or none that holds a network, or weights with which units could be infinite.
        UnsupportedGameError: it is for another game, or another board.
    """
    game, path, spec = get_game(game), Path(path), f"network:{path}"
    if not path.is_file():
        raise SpecError(f"policy spec {spec!r}: no file {str(path)!r}; {advice(path)}")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise SpecError(f"{path}: {size:,} bytes; expected at most {MOST_BYTES:,}; {advice(path)}")
    arrays, found = NETWORKS.open(path, {})
    header = read_data(found, Header, SpecError, f"the header of a network in {path}")
    if (header.game, header.options) != (game.id, plain_data(dict(game.options))):
        raise UnsupportedGameError(f"{spec} is for {header.game} {header.options}, not for {game.id} {dict(game.options)}")
    try:
        return NetworkPolicy(game, read_layers(path, arrays), header.activation, header.temperature, seed=seed, spec=spec)
    except OptionError as error:
        raise SpecError(f"{path}: no network for {game.id}: {error}") from None


def read_layers(path: Path, arrays: Mapping[str, Pieces]) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """The layers in a file. Raises SpecError."""
    count = len(arrays) // 2
    if set(arrays) != {f"{number}.{part}" for number in range(count) for part in ("weights", "bias")}:
        raise SpecError(f"{path}: expected the arrays 0.weights, 0.bias, 1.weights ..., got {sorted(arrays)}; {advice(path)}")
    for name, array in arrays.items():
        shape = (None, None) if name.endswith("weights") else (None,)
        NETWORKS.array_of(path, arrays, name, np.float32, shape)
        if 0 in array.shape:
            raise SpecError(f"{path}: {name} is of shape {array.shape}; expected at least one unit; {advice(path)}")
    whole = {name: np.concatenate([*array.parts()]) for name, array in arrays.items()}
    return [(whole[f"{number}.weights"], whole[f"{number}.bias"]) for number in range(count)]


def make_network(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> NetworkPolicy:
    """`network:PATH`."""
    refuse_extras(spec)
    return load_network(spec.argument, game, seed=seed)


def _restore(
    game: Game, layers: Layers, activation: str, temperature: float, spec: str, epsilon: float, rng: NDArray[np.uint64]
) -> NetworkPolicy:
    """A network from its copy or pickle; its stream goes on where it was."""
    policy = NetworkPolicy(game, layers, activation, temperature, seed=0, spec=spec)
    policy.epsilon, policy.rng = epsilon, rng.copy()
    return policy
