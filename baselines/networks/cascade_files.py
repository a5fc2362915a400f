"""Cascade networks on the disk: safetensors with a typed header, written whole or not at all. Reading one executes nothing."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.networks.cascade_functions import FUNCTIONS, LINEAR
from boardgym.baselines.networks.cascade_network import MOST_WEIGHT, CascadeNet, with_room
from boardgym.baselines.networks.feature_maps import GameFeatures
from boardgym.baselines.typed_json import plain_data, read_data
from boardgym.compile import plain
from boardgym.core.errors import OptionError, SpecError

MOST_BYTES = 1 << 29  # of a file
MOST_INPUTS, MOST_HIDDEN, MOST_OUTPUTS = 1_000_000, 10_000, 10_000
MOST_STEEPNESS = 100.0


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "expected one that CascadeRegressor.save() of this version wrote"


CASCADES = ArrayFiles("boardgym cascade", 1, "a cascade network", SpecError, advice)


class CascadeHeader(msgspec.Struct):
    """What the file of a cascade says of it.

    game, options, features: what its inputs are, if they are of a game's positions.
    training: settings and errors, for people.
    """

    inputs: Annotated[int, msgspec.Meta(ge=1, le=MOST_INPUTS)]
    units: Annotated[int, msgspec.Meta(ge=0, le=MOST_HIDDEN)]
    outputs: Annotated[int, msgspec.Meta(ge=1, le=MOST_OUTPUTS)]
    game: str = ""
    options: dict[str, Any] = {}
    features: str = ""
    features_version: int = 1
    training: dict[str, Any] = {}


def save_cascade(
    path: str | Path, net: CascadeNet, *, features: GameFeatures | None = None, training: dict[str, Any] | None = None
) -> None:
    """Writes a network.

    features: the map that its inputs are of, None if the inputs are not a game's positions. training: plain data about it.

    Raises: OptionError for features of another number; OSError.
    """
    inputs, units, outputs = net.sizes.tolist()
    header: dict[str, Any] = {"inputs": inputs, "units": units, "outputs": outputs, "training": plain_data(training or {})}
    if features is not None:
        if len(features.names) != inputs:
            raise OptionError(f"a network of {inputs} inputs for {features!r}, which has {len(features.names)}")
        header |= {"game": features.game.id, "options": plain_data(dict(features.game.options)), **features.header()}
    arrays = {"functions": net.functions, "steepnesses": net.steepnesses, "weights": net.weights}
    CASCADES.write(Path(path), arrays, header)


def load_cascade(path: str | Path) -> tuple[CascadeNet, CascadeHeader]:
    """(the network, the header) of a file. Raises SpecError: there is no such file, or it holds no network."""
    path = Path(path)
    if not path.is_file():
        raise SpecError(f"no file {str(path)!r}; {advice(path)}")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise SpecError(f"{path}: {size:,} bytes; expected at most {MOST_BYTES:,}; {advice(path)}")
    arrays, found = CASCADES.read(path, {})
    header = read_data(found, CascadeHeader, SpecError, f"the header of a cascade network in {path}")
    columns = header.units + header.outputs
    functions = CASCADES.array_of(path, arrays, "functions", np.int64, (columns,))
    steepnesses = CASCADES.array_of(path, arrays, "steepnesses", np.float64, (columns,))
    weights = CASCADES.array_of(path, arrays, "weights", np.float64, ((header.inputs + 1 + header.units) * columns,))
    # chains of linear units could grow beyond all bounds; with bounded ones every output of finite inputs is finite
    for name, array, low, high in (("functions of hidden units", functions[: header.units], 0, LINEAR - 1),
                                   ("functions", functions, 0, len(FUNCTIONS) - 1),
                                   ("steepnesses", steepnesses, 1e-6, MOST_STEEPNESS),
                                   ("weights", weights, -MOST_WEIGHT, MOST_WEIGHT)):  # fmt: skip
        if not np.all((array >= low) & (array <= high)):
            raise SpecError(f"{path}: {name} beyond {low:g} to {high:g}; {advice(path)}")
    sizes = np.array([header.inputs, header.units, header.outputs], np.int64)
    return plain(with_room)(sizes, functions, steepnesses, weights), header
