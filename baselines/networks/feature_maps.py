"""Feature maps by name: what a network sees of a position. `feature_map("planes", game)`, `register_feature_map` for one's own.

A map is a NamedTuple of settings with the verb `features`, and the names of its inputs. Text names one, with settings:
`planes`, `atributos`, `atributos(is_scaled=1, centre=2)`.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.abalone_features import GOAL, Atributos, Cells, Differences, Directo, Espacial
from boardgym.baselines.networks.abalone_formation import Formation
from boardgym.baselines.networks.backgammon_features import Tesauro
from boardgym.baselines.networks.bit_features import CELLS, MorrisBits, OthelloBits, OthelloSigns
from boardgym.compile import kernel
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, OptionError, SpecError, UnsupportedGameError, nearest
from boardgym.core.escape import shown
from boardgym.core.game import Game, get_game
from boardgym.core.policy import token_of
from boardgym.core.verbs import rule
from boardgym.games.abalone.hexagon import NAME, NUM_CELLS
from boardgym.games.abalone.two import Abalone
from boardgym.games.backgammon.rules import Backgammon
from boardgym.games.nine_mens_morris.rules import LINES, NineMensMorris
from boardgym.games.othello import Othello

LARGEST = 2.0**53  # setting: beyond it whole numbers have gaps
VERSION_FIELD = "features_version"  # of the headers of files
EXCHANGED = ("version 1 had the values of 'own pushed off' and 'other pushed off' exchanged",)


class Planes(NamedTuple):
    """The observation, flattened: every game has it. scale: what it is divided by."""

    BOUNDS = {"scale": (1e-6, 1e6)}  # type: ignore[misc]

    scale: float = 1.0


@rule(Planes)
def features(feature_map: Any, position: Any, seat: int, sheet: nv.Sheet) -> None:
    """Every number of every plane, in the order of the observation's axes."""
    verbs.observe(position, seat, sheet.planes)
    flat = sheet.planes.reshape(sheet.planes.size)
    for i in range(flat.shape[0]):
        sheet.inputs[i] = flat[i] / feature_map.scale


@kernel
def features_kernel(game: Any, row: NDArray[np.int64], feature_map: Any, settings: Any, seat: int, sheet: nv.Sheet) -> None:
    """Fills the sheet with the features of one position."""
    nv.features(verbs.unpack(feature_map, settings), verbs.unpack(game, row), seat, sheet)


class GameFeatures:
    """A feature map for a game: call it with a board.

    Attributes:
        text: that names it, with every setting that is not the usual one.
        settings: of the map. token, row: the same for kernels.
        names: of the inputs, as many as there are.
        changes: what each version of the map has changed, from version 2 on.
    """

    def __init__(self, text: str, settings: Any, names: tuple[str, ...], game: Game, changes: tuple[str, ...] = ()) -> None:
        self.text, self.settings, self.names, self.game, self.changes = text, settings, names, game, changes
        self.token = token_of(type(settings))
        self.row = self.token.row(settings)

    def __repr__(self) -> str:
        return f"GameFeatures({self.text!r}, {self.game.id!r})"

    def make_sheet(self) -> nv.Sheet:
        """What the map writes on."""
        return nv.Sheet(np.zeros(len(self.names)), np.zeros(self.game.observation_shape, self.game.observation_dtype))

    def __call__(self, board: Board, seat: int) -> NDArray[np.float64]:
        """The features of a position for a seat, float64 (len(names),). Raises UnsupportedGameError."""
        if board.game.token.name != self.game.token.name:
            raise UnsupportedGameError(f"{self!r} was given a board of {board.game.id} {dict(board.game.options)}")
        sheet = self.make_sheet()
        features_kernel(self.game.token, board.row, self.token, self.row, seat, sheet)
        return sheet.inputs

    @property
    def is_binary(self) -> bool:
        """Whether every input is 0 or 1: its class says so by BITS, or the game's observations hold nothing else."""
        if isinstance(self.settings, Planes):
            return self.settings.scale == 1.0 and self.game.observation_max == 1
        return bool(getattr(type(self.settings), "BITS", False))

    @property
    def version(self) -> int:
        """Of the map, from 1: another one where the same position gives other inputs."""
        return 1 + len(self.changes)

    def header(self) -> dict[str, Any]:
        """What the files of networks over these features say of them."""
        return {"features": self.text, VERSION_FIELD: self.version}

    def check_header(self, path: Path, header: Mapping[str, Any]) -> None:
        """Raises SpecError if the header of a file has another version of the map; a file that names none has the first."""
        theirs = header.get(VERSION_FIELD, 1)
        if type(theirs) is int and theirs == self.version:
            return
        since = self.changes[theirs - 1 :] if type(theirs) is int and 1 <= theirs < self.version else ()
        why = f": {'; '.join(since)}" if since else ""
        raise SpecError(
            f"{path}: a network over version {shown(repr(theirs))} of the features {self.text!r}; this package has "
            f"version {self.version}{why}; train it again"
        )


Names = Callable[[Any, Game], tuple[str, ...]]


class Registered(NamedTuple):
    """A map that text can name. kind: of settings. names: of inputs, by (settings, game). position_class: what it is for.

    usual_option: None, but of the usual map of its games the rule options that go with it. changes: of its versions.
    """

    kind: Any
    names: Names
    position_class: type
    usual_option: tuple[str, ...] | None
    changes: tuple[str, ...]


_REGISTERED: dict[str, Registered] = {}


def register_feature_map(
    name: str,
    kind: type,
    names: Names,
    *,
    position_class: type = object,
    usual_option: tuple[str, ...] | None = None,
    changes: tuple[str, ...] = (),
) -> None:
    """Makes a feature map known by a name.

    Args:
        name: letters, digits and underscores.
        kind: a NamedTuple of settings, all with defaults, and the verb `features`, `@rule(kind) def features(...)`. BOUNDS,
            where it has that, says what settings may be: {"centre": (1, 2)}.
        names: the names of its inputs, of (settings, game).
        position_class: of the games that it is for; every game if left out.
        usual_option: given, the map is what a training takes in these games if none is named, and these are the rule options
            that it takes if none are given; () for none.
        changes: a sentence for each version after the first, in which the same position gave other inputs: files of networks
            over an earlier version are refused with it.

    Raises OptionError for a bad name, or one that is taken; for a second usual map of the same games.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in _REGISTERED:
        raise OptionError(f"feature map {name!r}: expected a new name of small letters, digits and underscores")
    if usual_option is not None:
        for other, it in _REGISTERED.items():
            if it.position_class is position_class and it.usual_option is not None:
                raise OptionError(f"feature map {name!r}: {other!r} is the usual one of {position_class.__name__} already")
    _REGISTERED[name] = Registered(kind, names, position_class, usual_option, changes)


def usual_map(game: str | Game) -> tuple[str, tuple[str, ...]]:
    """(the feature map that a game is usually learnt with, rule options that go with it). Raises UnknownGameError."""
    line = get_game(game).position_class.__mro__
    usual = {it.position_class: (name, it.usual_option) for name, it in _REGISTERED.items() if it.usual_option is not None}
    return next(usual[kind] for kind in line if kind in usual)


def feature_maps(game: str | Game) -> tuple[str, ...]:
    """The names of the maps that a game has."""
    game = get_game(game)
    return tuple(name for name, it in _REGISTERED.items() if issubclass(game.position_class, it.position_class))


def feature_map(text: str, game: str | Game) -> GameFeatures:
    """A map by name, with settings in brackets: `atributos(is_scaled=1, centre=2)`.

    Raises:
        OptionError: no such map or setting, or a setting that is no number.
        UnsupportedGameError: the map is not for the game.
    """
    game = get_game(game)
    name, given = split_settings(text)
    if name not in _REGISTERED:
        raise OptionError(f"feature map {shown(text)!r}: {nearest(shown(name), feature_maps(game))}")
    it = _REGISTERED[name]
    if not issubclass(game.position_class, it.position_class):
        raise UnsupportedGameError(f"feature map {name!r} is not for {game.id}; it has {', '.join(feature_maps(game))}")
    settings = read_settings(f"feature map {shown(text)!r}", it.kind, given)
    changed = [f"{key}={value!r}" for key, value in settings._asdict().items() if value != it.kind._field_defaults[key]]
    text = f"{name}({', '.join(changed)})" if changed else name
    return GameFeatures(text, settings, it.names(settings, game), game, it.changes)


class StoredMap(Protocol):
    """What the header of a file says of its feature map."""

    game: str
    options: dict[str, Any]
    features: str
    features_version: int


def stored_map(path: Path, header: StoredMap, num_inputs: int | None, *, of_mover: bool = False) -> GameFeatures:
    """The feature map that a file names, for the game that it names; nothing of the file's is run.

    num_inputs: that the file's weights are for; None: the caller checks them. of_mover: as `mover_map`.

    Raises SpecError: no such game, option or map here, another version of the map, or one of another number of inputs.
    """
    try:
        game = get_game(header.game, **header.options)
        found = mover_map(game, header.features) if of_mover else feature_map(header.features, game)
    except (BoardgymError, TypeError) as error:
        raise SpecError(f"{path}: {error}") from None
    found.check_header(path, {VERSION_FIELD: header.features_version})
    if num_inputs not in (None, len(found.names)):
        raise SpecError(f"{path}: {num_inputs} inputs; {found!r} has {len(found.names)}")
    return found


def mover_map(game: str | Game, text: str = "") -> GameFeatures:
    """The map of what a seat has moved to, to be asked for the `last_mover` of a board, as the UCT-CCNN study sees positions.

    text: the map; empty: `othello_bits`, `morris_bits`, in other games the `planes` of the observation.

    Raises:
        OptionError: no such map or setting.
        UnsupportedGameError: the game has chance or not two seats; the map is not for the game.
    """
    game = get_game(game)
    if game.num_outcomes > 0 or game.num_seats != 2:
        what = "leaves something to chance" if game.num_outcomes > 0 else f"has {game.num_seats} seats"
        raise UnsupportedGameError(f"{game.id} {what}: positions by their last mover are for games of two seats without chance")
    return feature_map(text or usual_of(game, BIT_MAPS), game)


def sign_map(game: str | Game, text: str = "") -> GameFeatures:
    """The map of what a seat sees before its move. text: the map; empty: `othello_signs`, in other games `planes`.

    Raises OptionError, UnsupportedGameError, as `feature_map`.
    """
    game = get_game(game)
    return feature_map(text or usual_of(game, SIGN_MAPS), game)


def usual_of(game: Game, maps: Mapping[type, str]) -> str:
    """The map that a game has among those of classes of positions; `planes` if it has none."""
    return next((name for kind, name in maps.items() if issubclass(game.position_class, kind)), "planes")


def last_mover(board: Board) -> int:
    """The seat that has made the last move, a pass among them, of a board of two seats.

    At the start, where nobody has moved, the seat that is not to play: so the start looks as the same position does later in
    the game, when the other seat has moved to it.
    """
    moved = board.last_mover
    return 1 - board.to_play if moved is None else moved


def split_settings(text: str) -> tuple[str, str]:
    """(NAME, SETTINGS) of `NAME` or `NAME(SETTINGS)`; all of another text as a name, which is nobody's."""
    name, bracket, rest = text.strip().partition("(")
    if bracket and not rest.endswith(")"):
        return text, ""
    return name.rstrip(), rest[:-1]


def read_settings(what: str, kind: Any, given: str) -> Any:
    """Settings as `name=value, name=value`, the usual ones where nothing is said. what: they are of, for messages.

    kind: a NamedTuple of numbers, all with defaults; BOUNDS, where it has that, says what they may be. Raises OptionError.
    """
    values = {}
    for part in [part for part in given.split(",") if part.strip()]:
        key, _, value = (piece.strip() for piece in part.partition("="))
        known = [field for field in kind._fields if field != "unused"]
        if key not in known:
            raise OptionError(f"{what}: no setting {shown(key)!r}; {nearest(shown(key), known) if known else 'it has none'}")
        of = type(kind._field_defaults[key])
        number = "a whole number" if of is int else "a number"
        try:
            values[key] = of(value)
        except ValueError:
            raise OptionError(f"{what}: expected {key}= and {number}, not {shown(value)!r}") from None
        low, high = getattr(kind, "BOUNDS", {}).get(key, (-LARGEST, LARGEST))
        if not low <= values[key] <= high:
            raise OptionError(f"{what}: {key}={shown(value)!r}; expected {number} from {low:g} to {high:g}")
    return kind(**values)


# ---------------------------------------------------------------- names of inputs


def plane_names(settings: Planes, game: Game) -> tuple[str, ...]:
    """Of `planes`: row, column and plane."""
    rows, columns, _ = game.observation_shape
    return tuple(f"{plane} {row},{column}" for row in range(rows) for column in range(columns) for plane in game.planes)


def directo_names(settings: Directo, game: Game) -> tuple[str, ...]:
    """Of `directo`: the cells, then what is lost."""
    sides = ("other", "own") if settings.is_relative else ("black", "white")
    lost = [f"{side} lost {k + 1}" for side in sides for k in range(GOAL)]
    return (*(NAME[cell] for cell in range(NUM_CELLS)), *lost)


def cell_names(settings: Cells, game: Game) -> tuple[str, ...]:
    """Of `cells`."""
    return tuple(NAME[cell] for cell in range(NUM_CELLS))


def espacial_names(settings: Espacial, game: Game) -> tuple[str, ...]:
    """Of `espacial`."""
    return tuple(f"{side} {what}" for side in ("own", "other") for what in ("centre", "middle", "border", "pushed off"))


def atributos_names(settings: Atributos, game: Game) -> tuple[str, ...]:
    """Of `atributos`."""
    regions = ("own centre", "other centre", "own middle", "other middle")
    counts = ("own lost", "other lost") if settings.lists else ("other border", "material")
    return (*regions, *counts, "protected", "closeness" if settings.is_signed else "distance", "threatened")


def differences_names(settings: Differences, game: Game) -> tuple[str, ...]:
    """Of `differences`."""
    return ("centre", "middle", "border", "protected", "closeness", "material", "can push off", "threatened")


def formation_names(settings: Formation, game: Game) -> tuple[str, ...]:
    """Of `formation`."""
    rings = [f"closer than ring {ring + 1}" for ring in range(4)]
    return (*rings, "corners", "pairs", "lines", "protected", "wedges", "material", "can push off", "threatened")


def tesauro_names(settings: Tesauro, game: Game) -> tuple[str, ...]:
    """Of `tesauro`."""
    points = [
        f"{side} {point}: {unit}" for side in ("own", "other") for point in range(1, 25) for unit in ("1", "2", "3", "more")
    ]
    return (*points, "own bar", "other bar", "own off", "other off", "own turn", "other turn")


def othello_names(settings: OthelloBits, game: Game) -> tuple[str, ...]:
    """Of `othello_bits`: the square, as the moves are written, and the side."""
    size = game.observation_shape[0]
    squares = [game.move_text(game.start, square) for square in range(size * size)]
    kinds = ("", " may move") if settings.moves else ("",)
    return tuple(f"{square} {side}{kind}" for kind in kinds for square in squares for side in ("other", "own"))


def sign_names(settings: OthelloSigns, game: Game) -> tuple[str, ...]:
    """Of `othello_signs`: the squares, as the moves are written."""
    return tuple(game.move_text(game.start, square) for square in range(game.num_actions - 1))


def morris_names(settings: MorrisBits, game: Game) -> tuple[str, ...]:
    """Of `morris_bits`: row and column of the matrix, and the place of the bit; a mill by its points, "a7 d7 g7: own"."""
    cells = [f"{cell // 7},{cell % 7}: {bit}" for cell in range(CELLS) for bit in (4, 2, 1)]
    lines = LINES[game.position_class.BOARD] if settings.mills else ()  # type: ignore[attr-defined]
    mills = [" ".join(game.move_text(game.start, point) for point in line) for line in lines]
    kinds = ("own", "other", "own two and a gap", "other two and a gap")
    return (*cells, "phase: 2", "phase: 1", *(f"{mill}: {kind}" for mill in mills for kind in kinds))


BIT_MAPS: Mapping[type, str] = {Othello: "othello_bits", NineMensMorris: "morris_bits"}  # the usual ones of the UCT-CCNN study
SIGN_MAPS: Mapping[type, str] = {Othello: "othello_signs"}  # of Q-learning with networks
register_feature_map("planes", Planes, plane_names, usual_option=())
register_feature_map("directo", Directo, directo_names, position_class=Abalone)
register_feature_map("cells", Cells, cell_names, position_class=Abalone)
register_feature_map("espacial", Espacial, espacial_names, position_class=Abalone, changes=EXCHANGED)
register_feature_map("atributos", Atributos, atributos_names, position_class=Abalone, usual_option=("rewards=material",))
register_feature_map("differences", Differences, differences_names, position_class=Abalone)
register_feature_map("formation", Formation, formation_names, position_class=Abalone)
register_feature_map("othello_bits", OthelloBits, othello_names, position_class=Othello)
register_feature_map("othello_signs", OthelloSigns, sign_names, position_class=Othello)
register_feature_map("morris_bits", MorrisBits, morris_names, position_class=NineMensMorris)
register_feature_map("tesauro", Tesauro, tesauro_names, position_class=Backgammon, usual_option=())
