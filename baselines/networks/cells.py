"""The cells of a game's board as n-tuple networks read them: `game_cells(game)`, `register_cells` for one's own.

A cell has one of a few states: empty, mine, theirs, and what a game wants to tell apart besides. Cells lie on the grid of the
game's observation and are numbered row by row. Which of them belong to the board, and where symmetries send each, is found out
once by looking at positions of random games under every symmetry that the game declares.

A game may have phases, in each of which a network has weights of its own.
"""

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.feature_maps import read_settings, split_settings
from boardgym.compile import inlined, kernel
from boardgym.core import verbs
from boardgym.core.bits import popcount
from boardgym.core.errors import OptionError, UnsupportedGameError, nearest
from boardgym.core.escape import shown
from boardgym.core.game import Game
from boardgym.core.policy import token_of
from boardgym.core.random import draw, stream
from boardgym.core.verbs import constant, rule
from boardgym.games.connect_four import ConnectFour, bottom_row
from boardgym.games.nine_mens_morris import NineMensMorris
from boardgym.games.othello import Othello, Othello4, Othello6

EMPTY, MINE, THEIRS, REACHABLE = range(4)  # states of a cell
SAMPLES = 4000  # positions that are looked at
MOST_PLIES = 400  # of a random game
SEED = 1
HIGHEST = 10  # column whose states are listed
MOST_PHASES = 64
# Of Nine Men's Morris: a man is to be removed, while others are still to be placed or later; up to a third, up to two thirds,
# or more of the men are to be placed; then: neither seat has only three men, the one that looks, the other one, both.
REMOVES_EARLY, REMOVES, PLACES, SLIDES, MORRIS_PHASES = 0, 1, 2, 5, 9


class Group(NamedTuple):
    """Cells whose states constrain each other. cells: their numbers. states: int64 (R, len(cells)), all that they can have."""

    cells: tuple[int, ...]
    states: NDArray[np.int64]


class PlaneCells(NamedTuple):
    """Three states, read from the first two planes of the observation: own and other.

    phases: how many parts of a game there are, by the pieces on the board: equal shares of the cells of the grid.
    """

    BOUNDS = {"phases": (1, MOST_PHASES)}  # type: ignore[misc]

    phases: int = 1


class OthelloWords(NamedTuple):
    """`PlaneCells` of Othello, read from the words of a position: the same cells, faster."""

    phases: int = 1


class ConnectFourCells(NamedTuple):
    """As `PlaneCells`. reachable: 1 for a fourth state, of an empty cell that the next disc in its column falls to."""

    BOUNDS = {"reachable": (0, 1), "phases": (1, MOST_PHASES)}  # type: ignore[misc]

    reachable: int = 1
    phases: int = 1


class MorrisCells(NamedTuple):
    """As `PlaneCells`. phases: 1 for nine of them, of which the board shows little; 0: one."""

    BOUNDS = {"phases": (0, 1)}  # type: ignore[misc]

    phases: int = 1


@rule(PlaneCells)
def write_cells(cells: Any, position: Any, seat: int, sheet: nv.CellSheet) -> None:
    """One look at the observation."""
    write_phase(cells.phases, write_planes(position, seat, sheet), sheet)


@inlined
def write_phase(phases: int, count: int, sheet: nv.CellSheet) -> None:
    """The phase of a board, by how many of its cells are not empty."""
    if phases > 1:
        sheet.phase[0] = count * phases // (sheet.states.shape[0] + 1)


@inlined
def write_planes(position: Any, seat: int, sheet: nv.CellSheet) -> int:
    """Fills sheet.states from the first two planes of the observation. Returns how many cells are not empty."""
    verbs.observe(position, seat, sheet.planes)
    planes, count = sheet.planes, 0
    columns = planes.shape[1]
    for row in range(planes.shape[0]):
        for column in range(columns):
            state = MINE if planes[row, column, 0] > 0 else THEIRS if planes[row, column, 1] > 0 else EMPTY
            sheet.states[row * columns + column] = state
            count += state != EMPTY
    return count


@rule(MorrisCells, verb="write_cells")
def write_morris_cells(cells: Any, position: Any, seat: int, sheet: nv.CellSheet) -> None:
    """As `PlaneCells`, and the phase."""
    write_planes(position, seat, sheet)
    if cells.phases:
        sheet.phase[0] = morris_phase(position, seat)


@inlined
def morris_phase(position: Any, seat: int) -> int:
    """One of the phases above."""
    hand = position.own_hand + position.other_hand
    if position.must_remove:
        return REMOVES_EARLY if hand > 0 else REMOVES
    if hand > 0:
        return PLACES + (hand - 1) * 3 // (2 * constant(position, "MEN"))
    own, other = popcount(position.own) <= 3, popcount(position.other) <= 3
    mine, theirs = (own, other) if seat == verbs.to_play(position) else (other, own)
    return SLIDES + (1 if mine else 0) + (2 if theirs else 0)


@rule(ConnectFourCells, verb="write_cells")
def write_connect_four_cells(cells: Any, position: Any, seat: int, sheet: nv.CellSheet) -> None:
    """By the words of the position."""
    mine, theirs = (position.own, position.other) if seat == verbs.to_play(position) else (position.other, position.own)
    width, height, bits = constant(position, "WIDTH"), constant(position, "HEIGHT"), constant(position, "CELL_BITS")
    reachable = (mine | theirs) + bottom_row(width, height) if cells.reachable else 0
    for cell in range(len(bits)):
        bit = bits[cell]
        sheet.states[cell] = ((mine >> bit) & 1) + THEIRS * ((theirs >> bit) & 1) + REACHABLE * ((reachable >> bit) & 1)
    write_phase(cells.phases, popcount(mine | theirs), sheet)


@rule(OthelloWords, verb="write_cells")
def write_othello_cells(cells: Any, position: Any, seat: int, sheet: nv.CellSheet) -> None:
    """By the words of the position."""
    mine, theirs = (position.own, position.other) if seat == verbs.to_play(position) else (position.other, position.own)
    one = np.uint64(1)
    for cell in range(sheet.states.shape[0]):
        square = np.uint64(cell)
        sheet.states[cell] = np.int64(((mine >> square) & one) + np.uint64(THEIRS) * ((theirs >> square) & one))
    write_phase(cells.phases, popcount(mine | theirs), sheet)


def column_groups(settings: ConnectFourCells, game: Game) -> list[Group]:
    """Of `ConnectFourCells`: a column holds discs from below, above them an empty cell that is reachable, then others."""
    height, width = game.observation_shape[:2]
    if height > HIGHEST:
        return []
    free = REACHABLE if settings.reachable else EMPTY
    rows = []
    for level in range(height + 1):
        above = [EMPTY] * (height - level - 1) + [free] * (level < height)
        rows += [[*above, *discs] for discs in itertools.product((MINE, THEIRS), repeat=level)]
    states = np.array(rows, np.int64)
    return [Group(tuple(row * width + column for row in range(height)), states) for column in range(width)]


@kernel
def sample_kernel(
    game: Any,
    start: NDArray[np.int64],
    cells: Any,
    settings: NDArray[np.int64],
    sheet: nv.CellSheet,
    legal: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    rng: NDArray[np.uint64],
    samples: NDArray[np.int8],
    phases: NDArray[np.int64],
) -> None:
    """Fills the states of the cells in positions of random games, and in their images under every symmetry.

    game, cells: tokens; start, settings: their rows. legal, probabilities: room for the choices. samples: int8
    (positions, symmetries, cells). phases: int64 (2,), the first and the last that were seen.
    """
    first, reader = verbs.unpack(game, start), verbs.unpack(cells, settings)
    position, plies = first, 0
    for n in range(samples.shape[0]):
        for k in range(samples.shape[1]):
            nv.write_cells(reader, verbs.transform(position, k), 0, sheet)
            for cell in range(sheet.states.shape[0]):
                samples[n, k, cell] = sheet.states[cell]
            phases[0], phases[1] = min(phases[0], sheet.phase[0]), max(phases[1], sheet.phase[0])
        if verbs.awaits_chance(position):
            position, plies = verbs.apply(position, verbs.roll(position, rng, legal, probabilities)), plies + 1
            continue
        count = verbs.legal_actions(position, legal)
        if count == 0 or plies >= MOST_PLIES:
            position, plies = first, 0
        else:
            position, plies = verbs.apply(position, legal[draw(rng, count)]), plies + 1


def image_under(images: NDArray[np.int8], seen: NDArray[np.int8], live: tuple[int, ...]) -> dict[int, int]:
    """Where a symmetry sends live cells: to those that have the same states in the images as they in the positions."""
    by_states = {images[:, cell].tobytes(): cell for cell in live}
    return {cell: by_states[states] for cell in live if (states := seen[:, cell].tobytes()) in by_states}


def _have_equal_states(group: Group, image: Sequence[int], other: Group) -> bool:
    """Whether a group has the states of another one. image: where its cells go, those of the other one."""
    turned = other.states[:, [other.cells.index(cell) for cell in image]]
    return np.array_equal(np.unique(group.states, axis=0), np.unique(turned, axis=0))


# Whose words say faster what the first two planes show. By the class itself: one that derives from it may have other planes.
READ_BY_WORDS: dict[type, Any] = {Othello: OthelloWords, Othello6: OthelloWords, Othello4: OthelloWords}
_BOARDS: dict[tuple[Any, ...], tuple[tuple[int, ...], list[dict[int, int]]]] = {}


class GameCells:
    """The cells of a game's board.

    Attributes:
        text: that names the way in which they are read, with every setting that is not the usual one.
        settings: of it. token, row: the same for kernels.
        game: whose board it is. shape: rows and columns of the grid.
        num_states: of a cell: states are in [0, num_states). num_phases: of a game.
        live: the numbers of the cells that belong to the board, ascending.
        groups: of cells whose states constrain each other; a cell is in one at most.
    """

    def __init__(
        self, text: str, settings: Any, num_states: int, game: Game, groups: Sequence[Group] = (), *, num_phases: int = 1
    ) -> None:
        self.text, self.settings, self.num_states, self.game = text, settings, num_states, game
        if not 1 <= num_phases <= MOST_PHASES:
            raise OptionError(f"cells {text!r}: {num_phases} phases; expected 1 to {MOST_PHASES}")
        self.num_phases = num_phases
        self.groups = tuple(groups)
        self.token = token_of(type(settings))
        self.row = self.token.row(settings)
        self.shape = (int(game.observation_shape[0]), int(game.observation_shape[1]))
        self.live, self._images = self._read_board()

    def __repr__(self) -> str:
        return f"GameCells({self.text!r}, {self.game.id!r})"

    def make_sheet(self) -> nv.CellSheet:
        """What cells are written on."""
        shape, dtype = self.game.observation_shape, self.game.observation_dtype
        states, phase = np.zeros(self.shape[0] * self.shape[1], np.int64), np.array([0, self.num_phases], np.int64)
        return nv.CellSheet(states, np.zeros(shape, dtype), phase)

    def _read_board(self) -> tuple[tuple[int, ...], list[dict[int, int]]]:
        """(the cells that ever change, where each symmetry sends them). A board is looked at once in a process."""
        start = self.game.token.row(self.game.start)
        numbers = self.num_states, self.num_phases
        key = (self.game.token.name, start.tobytes(), self.token.name, self.row.tobytes(), *numbers)
        if key not in _BOARDS:
            samples, first, last = self._look(start)
            seen = samples[:, 0]
            if not 0 <= first <= last < self.num_phases:
                found = f"phases from {first} to {last}"
                raise OptionError(f"cells {self.text!r}: {found}; expected them in [0, {self.num_phases})")
            if not 0 <= seen.min() <= seen.max() < self.num_states:
                found = f"states from {seen.min()} to {seen.max()}"
                raise OptionError(f"cells {self.text!r}: {found}; expected them in [0, {self.num_states})")
            live = tuple(np.flatnonzero((seen != seen[0]).any(axis=0)).tolist())
            if not live:
                raise UnsupportedGameError(
                    f"cells {self.text!r}: no cell of {self.game.id} ever changes; register_cells gives it others"
                )
            _BOARDS[key] = live, [image_under(samples[:, k], seen, live) for k in range(self.game.num_symmetries)]
        return _BOARDS[key]

    def _look(self, start: NDArray[np.int64]) -> tuple[NDArray[np.int8], int, int]:
        """(the states of the cells in random positions and their images, the first phase, the last).

        States: int8 (SAMPLES, symmetries, cells).
        """
        game, sheet, phases = self.game, self.make_sheet(), np.zeros(2, np.int64)
        samples = np.zeros((SAMPLES, game.num_symmetries, len(sheet.states)), np.int8)
        legal, probabilities = np.zeros(game.max_choices, np.int64), np.zeros(game.max_choices)
        sample_kernel(game.token, start, self.token, self.row, sheet, legal, probabilities, stream(SEED), samples, phases)
        return samples, int(phases[0]), int(phases[1])

    @functools.cached_property
    def images(self) -> list[dict[int, int]]:
        """Of each symmetry where it sends every live cell; the identity first.

        Raises UnsupportedGameError for a game whose symmetries do more than to exchange cells.
        """
        states = {frozenset(group.cells): group for group in self.groups}
        for k, images in enumerate(self._images):
            for group in self.groups:
                image = [images[cell] for cell in group.cells if cell in images]
                if len(image) < len(group.cells):
                    continue
                other = states.get(frozenset(image))
                if other is None or not _have_equal_states(group, image, other):
                    place = " ".join(map(self.place, group.cells))
                    raise OptionError(
                        f"cells {self.text!r}: symmetry {k} of {self.game.id} sends the group of {place} to no group with the "
                        "same states; expected groups that symmetries send to groups, or symmetries=none"
                    )
            if len(set(images.values())) != len(self.live):
                raise UnsupportedGameError(
                    f"cells {self.text!r}: symmetry {k} of {self.game.id} does not merely exchange cells; expected "
                    "symmetries=none"
                )
        return self._images

    def place(self, cell: int) -> str:
        """A cell as people write it here: "row,column", from 0 at the top left."""
        return "{},{}".format(*divmod(cell, self.shape[1]))


Groups = Callable[[Any, Game], Sequence[Group]]


def no_groups(settings: Any, game: Game) -> Sequence[Group]:
    """Every cell may have any state, whatever the others have."""
    return ()


def one_phase(settings: Any) -> int:
    """A network has the same weights throughout a game."""
    return 1


class Registered(NamedTuple):
    """Cells that text can name. kind: of settings. num_states: by settings. The others: as of `register_cells`."""

    kind: Any
    num_states: Callable[[Any], int]
    position_class: type
    groups: Groups
    num_phases: Callable[[Any], int]


_REGISTERED: dict[str, Registered] = {}


def register_cells(
    name: str,
    kind: type,
    num_states: Callable[[Any], int],
    *,
    position_class: type = object,
    groups: Groups = no_groups,
    num_phases: Callable[[Any], int] = one_phase,
) -> None:
    """Makes a way to read the cells of boards known by a name; the latest one for a class of positions is its usual one.

    Args:
        name: small letters, digits and underscores.
        kind: a NamedTuple of settings, all with defaults, and the verb `write_cells`. BOUNDS, where it has that, says what
            settings may be.
        num_states: how many states a cell has, of the settings.
        position_class: of the games that it is for; every game if left out.
        groups: of (settings, game), the cells whose states constrain each other, which saves weights that no position reads.
            Symmetries have to send groups to groups with the same states.
        num_phases: how many phases a game has, of the settings. `write_cells` sets sheet.phase[0] where there are several.

    Raises OptionError for a bad name, or one that is taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in _REGISTERED:
        raise OptionError(f"cells {name!r}: expected a new name of small letters, digits and underscores")
    _REGISTERED[name] = Registered(kind, num_states, position_class, groups, num_phases)


def cells_of(game: Game) -> tuple[str, ...]:
    """The names of the ways to read the cells of a game, the usual one first."""
    has_planes = game.planes[:2] == ("own", "other")
    return tuple(
        name
        for name, it in reversed(_REGISTERED.items())
        if issubclass(game.position_class, it.position_class) and (it.kind is not PlaneCells or has_planes)
    )


def game_cells(game: Game, text: str = "") -> GameCells:
    """The cells of a game. text: how they are read, with settings in brackets, `connect_four(reachable=0)`; empty: as usual.

    Raises:
        OptionError: nothing of that name, or a setting that cannot be.
        UnsupportedGameError: a game whose board nobody has described as cells.
    """
    known = cells_of(game)
    if not known:
        raise UnsupportedGameError(
            f"{game.id} has no cells: its first planes are {', '.join(game.planes[:2])}, not own, other; register_cells gives "
            "it some"
        )
    name, given = split_settings(text or known[0])
    if name not in known:
        raise OptionError(f"cells {shown(text)!r} of {game.id}: {nearest(shown(name), known)}")
    it = _REGISTERED[name]
    settings = read_settings(f"cells {shown(text)!r}", it.kind, given)
    if it.kind is PlaneCells:
        settings = READ_BY_WORDS.get(game.position_class, PlaneCells)(*settings)
    changed = [f"{key}={value!r}" for key, value in settings._asdict().items() if value != it.kind._field_defaults[key]]
    named = f"{name}({', '.join(changed)})" if changed else name
    groups, num_phases = it.groups(settings, game), it.num_phases(settings)
    return GameCells(named, settings, it.num_states(settings), game, groups, num_phases=num_phases)


register_cells("planes", PlaneCells, lambda settings: 3, num_phases=lambda settings: settings.phases)
register_cells(
    "connect_four",
    ConnectFourCells,
    lambda settings: 3 + settings.reachable,
    position_class=ConnectFour,
    groups=column_groups,
    num_phases=lambda settings: settings.phases,
)
register_cells(
    "morris",
    MorrisCells,
    lambda settings: 3,
    position_class=NineMensMorris,
    num_phases=lambda settings: MORRIS_PHASES if settings.phases else 1,
)
