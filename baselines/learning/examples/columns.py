"""Examples as columns, and the files that keep them: one row for each visited child of each root."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import OWN_FIELDS, ArrayFiles, Arrays
from boardgym.baselines.networks.feature_maps import GameFeatures, mover_map, stored_map
from boardgym.baselines.typed_json import plain_data, read_data
from boardgym.core.errors import SpecError
from boardgym.core.game import Game, get_game

FILE = "examples.safetensors"  # in the folder of a run
NUM = "num_examples"  # in a header, for those who look at no more than that
BITS, INPUTS = "bits", "inputs"  # names of the column of a network's inputs: packed, or as they are
COLUMNS: dict[str, type] = {  # of files, beside the inputs and the position
    "game": np.int32, "ply": np.int32, "seat": np.int8, "root": np.uint64, "action": np.int32, "utility": np.float64,
    "visits": np.int64, "result": np.float32,
}  # fmt: skip
MOST_VISITS = 2**40  # of a row
ADVICE = "expected what boardgym examples wrote; delete it, and the same command makes it again"
EXAMPLES = ArrayFiles("boardgym examples", 1, "examples", SpecError, lambda path: ADVICE)


class ExamplesHeader(msgspec.Struct, kw_only=True):
    """What the header of every file of examples says, beside what its writer adds. filters: applied, in their order."""

    game: str
    options: dict[str, Any]
    features: str
    features_version: int
    num_inputs: int
    filters: list[str]


@dataclass(frozen=True)
class Examples:
    """Examples, a row each: the position that a move leads to, as who has moved sees it, and what the search says of it.

    Attributes:
        features: the map of the inputs; its game is the examples' game.
        header: what the file says beside the columns, as plain data: "settings", "counts", "filters" ...
        columns: by name, all of n rows.
            game: int32, number of the game.
            ply: int32, actions of the game before the move, counted from where the game began.
            seat: int8, who has moved.
            root: uint64, key of the position before the move: equal where a repetition rule would call positions equal.
            action: int32, the move; a pass is one.
            bits: uint8 (n, ceil(inputs / 8)), the inputs of 0 and 1, packed as `np.packbits` does; or, where the map gives
                other numbers, in its place inputs: float32 (n, inputs).
            position: int64 (n, fields), the position after the move: a row of the game's token.
            utility: float64, Q / V: the mean result of the simulations through the child, for `seat`, in [-1, 1].
            visits: int64, V, the simulations through the child, at least 1.
            result: float32, what the game paid `seat` in the end, in [-1, 1]: 1 won, 0 drawn, -1 lost.
    """

    features: GameFeatures
    header: dict[str, Any]
    columns: dict[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns["game"])

    def __repr__(self) -> str:
        return f"<{len(self):,} examples of {self.game.id}, {self.features.text}>"

    @property
    def game(self) -> Game:
        """The game that was played, with its rule options."""
        return self.features.game

    @property
    def seen(self) -> NDArray[Any]:
        """The column of inputs as it is kept: packed bits, or numbers."""
        return self.columns[seen_name(self.features)]

    def inputs(self) -> NDArray[np.float64]:
        """A network's inputs, float64 (n, inputs)."""
        if self.features.is_binary:
            return np.unpackbits(self.seen, axis=1, count=len(self.features.names)).astype(np.float64)
        return self.seen.astype(np.float64)

    def take(self, rows: NDArray[Any]) -> "Examples":
        """Some of the rows. rows: bool (n,), or int64 indices in the order that is wanted."""
        return self.with_columns({name: column[rows] for name, column in self.columns.items()})

    def with_columns(self, columns: dict[str, NDArray[Any]]) -> "Examples":
        """The same examples with other columns in place of those of these names."""
        return dataclasses.replace(self, columns={**self.columns, **columns})

    def noted(self, text: str) -> "Examples":
        """The same examples, whose header names one more filter."""
        return dataclasses.replace(self, header={**self.header, "filters": [*self.header["filters"], text]})

    def save(self, path: str | Path) -> Path:
        """Writes a file, whole or not at all. Returns its path. Raises OSError."""
        EXAMPLES.write(Path(path), self.columns, {**self.header, NUM: len(self)})
        return Path(path)


def seen_name(features: GameFeatures) -> str:
    """The name of the column of inputs."""
    return BITS if features.is_binary else INPUTS


def kinds_of(features: GameFeatures) -> dict[str, tuple[type, tuple[int | None, ...]]]:
    """Type and shape of every column, None for the number of rows."""
    size = len(features.names)
    seen: tuple[type, tuple[int | None, ...]] = (np.float32, (None, size))
    if features.is_binary:
        seen = np.uint8, (None, -(-size // 8))
    position = np.int64, (None, len(features.game.token.fields))
    return {**{name: (kind, (None,)) for name, kind in COLUMNS.items()}, seen_name(features): seen, "position": position}


def header_of(features: GameFeatures) -> dict[str, Any]:
    """What a file says of the game and of the map of its examples."""
    game = features.game
    return {
        "game": game.id,
        "options": plain_data(dict(game.options)),
        **features.header(),
        "num_inputs": len(features.names),
        "filters": [],
    }


def no_examples(features: GameFeatures) -> Arrays:
    """Columns without rows."""
    kinds = kinds_of(features).items()
    return {name: np.empty([0 if n is None else n for n in shape], kind) for name, (kind, shape) in kinds}


def joined(features: GameFeatures, parts: Sequence[Arrays]) -> Arrays:
    """Columns one after another."""
    whole = (no_examples(features), *parts)
    return {name: np.concatenate([part[name] for part in whole]) for name in kinds_of(features)}


def packed(features: GameFeatures, inputs: NDArray[np.float64]) -> NDArray[Any]:
    """Inputs as they are kept. inputs: float64 (n, inputs). Raises SpecError for a map of bits that gives other numbers."""
    if not features.is_binary:
        return inputs.astype(np.float32)
    bits = inputs == 1.0
    if not np.array_equal(bits, inputs):
        raise SpecError(f"feature map {features.text!r} of {features.game.id}: expected inputs of 0 and 1 alone, got others")
    return np.packbits(bits, axis=1)


def load_examples(path: str | Path, *, game: str | Game | None = None, features: str | None = None) -> Examples:
    """Examples from a file, or from the folder of a finished `boardgym examples`.

    game, features: of which they have to be; None for any. The file names a game by its id, which must be registered.

    Raises:
        SpecError: no such file; it was cut short, changed, or is no file of examples; it is of another game, rule option or
            feature map, or of another version of one.

    Example:
        >>> load_examples("examples-of-othello", game="Othello-v0")
        Traceback (most recent call last):
        boardgym.core.errors.SpecError: no file 'examples-of-othello'; expected what boardgym examples wrote
    """
    path = Path(path)
    if path.is_dir():
        path = path / FILE
        if not path.exists():
            raise SpecError(f"no file {str(path)!r}: the games are not all played; the command that began them goes on")
    try:
        arrays, found = EXAMPLES.read(path, {})
    except FileNotFoundError:
        raise SpecError(f"no file {str(path)!r}; expected what boardgym examples wrote") from None
    header = read_data(found, ExamplesHeader, SpecError, f"the header of examples in {path}")
    own = stored_map(path, header, header.num_inputs, of_mover=True)
    check_wanted(path, header, own, game, features)
    columns = {name: EXAMPLES.array_of(path, arrays, name, kind, shape) for name, (kind, shape) in kinds_of(own).items()}
    check_columns(path, columns)
    return Examples(own, {name: value for name, value in found.items() if name not in (*OWN_FIELDS, NUM)}, columns)


def check_columns(path: Path, columns: Arrays) -> None:
    """Raises SpecError for columns of different lengths, or numbers that are none of examples. Positions are not looked at."""
    if len({len(column) for column in columns.values()}) > 1:
        raise SpecError(f"{path}: columns of different lengths; {ADVICE}")
    for name, low, high in (("seat", 0, 1), ("visits", 1, MOST_VISITS), ("utility", -1.0, 1.0), ("result", -1.0, 1.0)):
        column = columns[name]
        if not ((column >= low) & (column <= high)).all():
            raise SpecError(f"{path}: {name} beyond {low} to {high}; {ADVICE}")
    if INPUTS in columns and not np.isfinite(columns[INPUTS]).all():
        raise SpecError(f"{path}: inputs that are no numbers; {ADVICE}")


def check_wanted(path: Path, header: ExamplesHeader, own: GameFeatures, game: str | Game | None, features: str | None) -> None:
    """Raises SpecError for examples of another game or map than is wanted."""
    if game is not None:
        wanted = get_game(game)
        if wanted.token.name != own.game.token.name:
            raise SpecError(
                f"{path}: examples of {header.game} {header.options}; expected those of {wanted.id} {dict(wanted.options)}"
            )
    if features is not None and (text := mover_map(own.game, features).text) != own.text:
        raise SpecError(f"{path}: examples over the features {own.text!r}; expected {text!r}")
