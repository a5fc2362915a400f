"""What a game is, as data: `Game`, and the registry that every environment, policy and command looks in."""

import contextlib
import dataclasses
import functools
import importlib
import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import numpy as np

from boardgym.compile import plain, uncompiled
from boardgym.core import verbs
from boardgym.core.drawing import Drawing
from boardgym.core.errors import OptionError, RuleError, UnknownGameError, UnsupportedGameError, nearest

Options = Mapping[str, Any]
MOST_SEQUENCES = 20_000  # of a set-up


@dataclass(frozen=True)
class Version:
    """One entry of a game's version history, newest first in `Game.versions`.

    number: the v of the id. released: the package version that brought it. change: what behaves differently.
    fingerprint: hash of seeded trajectories (`boardgym.testing.fingerprint`), held by a test.
    """

    number: int
    released: str
    change: str
    fingerprint: str


@dataclass(frozen=True)
class Setup:
    """Where games start: one of `positions`, then `random_plies` (fewest, most) uniformly random plies.

    sequence_plies: not those positions, but where every sequence of so many plies leads to from each. `Game.setup` puts these
    in their place.
    """

    positions: tuple[Any, ...]
    random_plies: tuple[int, int] = (0, 0)
    sequence_plies: int = 0

    @property
    def is_fixed(self) -> bool:
        """Whether nothing is drawn."""
        return len(self.positions) == 1 and self.random_plies[1] == 0 and not self.sequence_plies


@dataclass(frozen=True)
class Game:
    """The description of a game. A rules file ends with one; `register` makes it known.

    Attributes:
        name: the id without the version, CamelCase: "ConnectFour".
        title: for people: "Connect Four".
        position_class: the `NamedTuple` over which the verbs are registered.
        start: the standard start position.
        num_actions: actions are int in [0, num_actions).
        max_legal_actions: most actions that any position has; sizes the buffers of kernels.
        observation_shape: (H, W, C).
        planes: one name for each of the C planes.
        move_text: (position, action) -> the move as people write it; where chance is to act, the outcome.
        parse_move: (position, text) -> action; raises NotationError where the text cannot be read.
        to_fen, from_fen: position <-> position string; from_fen raises NotationError.
        parse_turn: (position, text) -> the actions of a turn that people write as one move; raises NotationError. None where
            a move is an action.
        max_plies: longest possible game, in plies of the seats.
        versions: newest first.
        num_seats: players at the board.
        num_outcomes: outcomes of chance are int in [0, num_outcomes); 0: nothing is left to chance.
        min_return, max_return: bounds of `returns`.
        observation_max: largest value in an observation, for its space.
        setups: named starts; "standard" is always there.
        options: the rule options and the values that this game has.
        configure: keyword options -> the game with them, where the game has options.
        drawing: how the board is drawn; None: as the position string.
        seat_names: what people call the seats.
        pass_action: the pass, the last of the actions: legal only where a seat can do nothing else. None: the game has none.
        clocks: names of the position's fields that `key` ignores (the class attribute CLOCKS).
    """

    name: str
    title: str
    position_class: type
    start: Any
    num_actions: int
    max_legal_actions: int
    observation_shape: tuple[int, int, int]
    planes: tuple[str, ...]
    move_text: Callable[[Any, int], str]
    parse_move: Callable[[Any, str], int]
    to_fen: Callable[[Any], str]
    from_fen: Callable[[str], Any]
    max_plies: int
    versions: tuple[Version, ...]
    num_seats: int = 2
    num_outcomes: int = 0
    min_return: float = -1.0
    max_return: float = 1.0
    observation_max: int = 1
    observation_dtype: Any = np.int8
    setups: Mapping[str, Setup] = field(default_factory=dict)
    options: Options = field(default_factory=dict)
    configure: Callable[..., "Game"] | None = None
    drawing: Drawing | None = None
    parse_turn: Callable[[Any, str], tuple[int, ...]] | None = None
    seat_names: tuple[str, ...] = ()
    pass_action: int | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", self.name):
            raise RuleError(f"a game's name is CamelCase letters and digits, got {self.name!r}")
        if not self.versions:
            raise RuleError(f"{self.name}: versions is empty; give at least Version(0, ...)")
        missing = [
            v
            for v in ("to_play", "legal_actions", "apply", "is_terminal", "returns", "observe", "decode")
            if not verbs.has_rule(v, self.position_class)
        ]
        if missing:
            kind = self.position_class.__qualname__
            raise RuleError(f"{self.name}: no rule {', '.join(missing)}; each rule is a function below @boardgym.rule({kind})")
        if verbs.has_rule("chance", self.position_class) != (self.num_outcomes > 0):
            raise RuleError(
                f"{self.name}: num_outcomes={self.num_outcomes}; a game with the verb 'chance' has at least 1, and no other"
            )
        if self.pass_action not in (None, self.num_actions - 1):
            raise RuleError(f"{self.name}: pass_action={self.pass_action}; expected None or the last, {self.num_actions - 1}")
        if len(self.planes) != self.observation_shape[2]:
            raise RuleError(f"{self.name}: {len(self.planes)} plane names for observation_shape {self.observation_shape}")
        if "standard" not in self.setups:
            object.__setattr__(self, "setups", {"standard": Setup((self.start,)), **self.setups})

    @property
    def version(self) -> int:
        """The v of the id."""
        return self.versions[0].number

    @property
    def id(self) -> str:
        """For example "ConnectFour-v0"."""
        return f"{self.name}-v{self.version}"

    @property
    def module_name(self) -> str:
        """For example "connect_four_v0": PettingZoo's way to write the id."""
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.name).lower()
        return f"{snake}_v{self.version}"

    @property
    def max_choices(self) -> int:
        """Most actions or outcomes that any position has: the room for them in a frame."""
        return max(self.max_legal_actions, self.num_outcomes)

    @property
    def clocks(self) -> tuple[str, ...]:
        """Names of the position's fields that `key` ignores."""
        return tuple(getattr(self.position_class, "CLOCKS", ()))

    @functools.cached_property
    def repetition_limit(self) -> int:
        """How many times a position may occur before the game is drawn; 0: there is no such rule."""
        limit = verbs.find_rule("repetition_limit", self.position_class)
        return 0 if limit is None else int(plain(limit)(self.start))

    def recent_keys(self, position: Any, keys: np.ndarray) -> np.ndarray:
        """Of the keys of earlier positions, int64 (k,), the latest last: those that a repetition of `position` may count."""
        if self.repetition_limit == 0:
            return keys[:0]
        window = verbs.find_rule("repetition_window", self.position_class)
        count = 0 if window is None else int(plain(window)(position))
        return keys[-count:] if 0 < count < len(keys) else keys

    @functools.cached_property
    def num_symmetries(self) -> int:
        """Number of symmetries of the board, the identity among them."""
        number = verbs.find_rule("num_symmetries", self.position_class)
        return 1 if number is None else int(plain(number)(self.start))

    @functools.cached_property
    def token(self) -> verbs.Token:
        """The stand-in for this game in kernel calls; making it fixes the rules."""
        return verbs.Token(self.position_class)

    @functools.cached_property
    def agents(self) -> list[str]:
        """The seats as PettingZoo calls them."""
        return [f"player_{seat}" for seat in range(self.num_seats)]

    @property
    def is_usual(self) -> bool:
        """Whether it has the options that it is registered with."""
        return self.name in GAMES and dict(GAMES[self.name].options) == dict(self.options)

    def __reduce__(self) -> Any:
        return _find_again, (self.position_class.__module__, self.id, dict(self.options))

    def seat_name(self, seat: int) -> str:
        """What people call a seat; "chance" for CHANCE."""
        if seat == verbs.CHANCE:
            return "chance"
        return self.seat_names[seat] if self.seat_names else f"player_{seat}"

    def with_options(self, /, **options: Any) -> "Game":
        """This game with other rule options. Raises OptionError for a name or value that it does not have."""
        for name in options:
            if name not in self.options:
                known = nearest(name, self.options) if self.options else "it has none"
                raise OptionError(f"{self.id} has no option {name!r}; {known}")
            options[name] = self._option(name, options[name])
        changed = {name: value for name, value in options.items() if value != self.options[name]}
        if not changed or self.configure is None:
            return self
        return self.configure(**{**self.options, **changed})

    def _option(self, name: str, value: Any) -> Any:
        """An option's value as the type that the game has for it. Raises OptionError: 8.0 and True are no board sizes."""
        kind = type(self.options[name])
        if kind is int and isinstance(value, np.integer):
            return int(value)
        if type(value) is kind is int and not -(2**31) <= value < 2**31:
            raise OptionError(f"{self.id}, {name}={value}: expected a number of at most {2**31 - 1}")
        if type(value) is not kind:
            raise OptionError(f"{self.id}, {name}={value!r}: expected {kind.__name__}, as {self.options[name]!r}")
        return value

    def setup(self, name: str) -> Setup:
        """A set-up by name, "random:a-b" or "sequences:n". Raises OptionError.

        "random:a-b": a to b random plies from the standard start. "sequences:n": every sequence of n plies from there, in the
        order of the actions; sequences that lead to equal positions are kept, those after which the game is over left out.
        """
        if not isinstance(name, str):
            raise OptionError(f"expected the name of a set-up, got {name!r}")
        if name in self.setups:
            chosen = self.setups[name]
        elif match := re.fullmatch(r"random:([0-9]{1,9})(?:-([0-9]{1,9}))?", name):
            low = int(match[1])
            high = int(match[2] or low)
            if not low <= high <= self.max_plies:
                raise OptionError(f"set-up {name!r}: expected 0 <= a <= b <= {self.max_plies} plies")
            chosen = dataclasses.replace(self.setups["standard"], random_plies=(low, high))
        elif match := re.fullmatch(r"sequences:([0-9]{1,9})", name):
            if int(match[1]) > self.max_plies:
                raise OptionError(f"set-up {name!r}: expected 0 <= n <= {self.max_plies} plies")
            chosen = dataclasses.replace(self.setups["standard"], sequence_plies=int(match[1]))
        else:
            sequences = "" if self.num_outcomes else ", 'sequences:n'"
            raise OptionError(
                f"{self.id} has no set-up {name!r}; expected 'random:a-b'{sequences}, or {nearest(name, self.setups)}"
            )
        return self._expanded(name, chosen) if chosen.sequence_plies else chosen

    @functools.cached_property
    def _expansions(self) -> dict[str, Setup]:
        """Set-ups whose sequences have been played, by name."""
        return {}

    def _expanded(self, name: str, setup: Setup) -> Setup:
        """A set-up with the positions that its sequences lead to. Raises OptionError."""
        if name not in self._expansions:
            if self.num_outcomes:
                raise OptionError(f"set-up {name!r}: {self.id} leaves plies to chance; expected 'random:a-b'")
            found = setup.positions
            with uncompiled():  # a few thousand calls at most, which are not worth a compilation in each process
                for _ in range(setup.sequence_plies):
                    found = self._after_one_ply(found)
                    if not found:
                        break
                    if len(found) > MOST_SEQUENCES:
                        raise OptionError(
                            f"set-up {name!r}: {self.id} has more than {MOST_SEQUENCES} such sequences; expected fewer plies"
                        )
                found = tuple(position for position in found if not verbs.is_terminal(position))
            if not found:
                raise OptionError(f"set-up {name!r}: after so many plies every game of {self.id} is over; expected fewer")
            self._expansions[name] = dataclasses.replace(setup, positions=found, sequence_plies=0)
        return self._expansions[name]

    def _after_one_ply(self, positions: tuple[Any, ...]) -> tuple[Any, ...]:
        """Where each legal action leads to from each position."""
        legal, found = np.empty(self.max_choices, np.int64), list[Any]()
        for position in positions:
            count = verbs.legal_actions(position, legal)
            found += [verbs.apply(position, int(action)) for action in legal[:count]]
            if len(found) > MOST_SEQUENCES:
                break
        return tuple(found)


def _find_again(module: str, game_id: str, options: Options) -> Game:
    """The registered game behind a copy or a pickle; its rules file is imported in a process that has not done so."""
    if game_id.rpartition("-v")[0] not in GAMES:
        with contextlib.suppress(ImportError):  # then get_game says what is missing
            importlib.import_module(module)
    return get_game(game_id, **options)


ENTRY_POINTS = "boardgym.games"
GAMES: dict[str, Game] = {}
_LISTENERS: list[Callable[[Game], None]] = []


def register(game: Game) -> Game:
    """Makes a game known to `make`, Gymnasium, PettingZoo, the policies and the command line.

    Registering again from the same module, as a notebook cell that is run twice does, replaces the game.

    Args:
        game: the game, under its own name.

    Returns:
        The same game.

    Raises:
        RuleError: the name belongs to a game of another module, or a rule breaks the contract.

    Example:
        >>> import dataclasses, boardgym
        >>> small = boardgym.get_game("ConnectFour-v0", width=5, height=4)
        >>> mini = boardgym.register(dataclasses.replace(small, name="MiniFour", options={}, configure=None))
        >>> mini.id, boardgym.Board("MiniFour-v0").legal_moves
        ('MiniFour-v0', ['1', '2', '3', '4', '5'])
    """
    known = GAMES.get(game.name)
    if known is not None and known.position_class.__module__ != game.position_class.__module__:
        raise RuleError(f"{known.id} is registered by {known.position_class.__module__}; choose another name")
    game.token  # noqa: B018  (fixes the rules, and refuses bad fields now rather than at the first use)
    GAMES[game.name] = game
    for listener in _LISTENERS:
        listener(game)
    return game


def on_register(listener: Callable[[Game], None]) -> None:
    """Calls `listener` with every game that is registered, those that are already included."""
    _LISTENERS.append(listener)
    for game in GAMES.values():
        listener(game)


def list_games() -> list[str]:
    """The ids of all registered games, sorted.

    Example:
        >>> import boardgym
        >>> [name for name in boardgym.list_games() if name < "C"]
        ['Abalone-v0', 'Abalone3-v0', 'Backgammon-v0']
    """
    return sorted(game.id for game in GAMES.values())


def load_installed_games(name: str | None = None) -> None:
    """Imports the modules that installed packages name as entry points of the group "boardgym.games", and that register games.

    An entry point is named like its game: `[project.entry-points."boardgym.games"]`, `Nim = "my_package.nim"`.

    Args:
        name: of one game alone; None: all.

    Raises:
        UnknownGameError: such a module cannot be imported.
    """
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        if entry.name == name or name is None:
            try:
                entry.load()
            except Exception as error:
                raise UnknownGameError(
                    f"the installed game {entry.name!r} cannot be imported from {entry.value}: {type(error).__name__}: {error}"
                ) from error


def get_game(game: "str | Game", /, **options: Any) -> Game:
    """A game by id: "Othello-v0", "boardgym/Othello-v0" or "Othello" (the newest version), with rule options.

    A name that is not registered is looked up among the games of installed packages: see `load_installed_games`.

    Args:
        game: an id, or a `Game`.
        options: rule options, such as size=6; those that are not given stay as they are.

    Returns:
        The game with these options.

    Raises:
        UnknownGameError: no such game or version; the message names the nearest.
        OptionError: the game has no such option, or the option no such value.

    Example:
        >>> import boardgym
        >>> game = boardgym.get_game("ConnectFour-v0", width=5, height=4)
        >>> game.num_actions, game.observation_shape, game.planes
        (5, (4, 5, 4), ('own', 'other', 'observer to play', 'ones'))
    """
    if isinstance(game, Game):
        return game.with_options(**options)
    if not isinstance(game, str):
        raise UnknownGameError(f"expected a game id such as 'ConnectFour-v0', got {game!r}")
    match = re.fullmatch(r"(?:boardgym/)?([A-Za-z0-9]+?)(?:-v([0-9]{1,9}))?", game)
    if match is not None and match[1] not in GAMES:
        load_installed_games(match[1])
    if match is None or match[1] not in GAMES:
        raise UnknownGameError(f"no game {game!r}; {nearest(game.removeprefix('boardgym/'), list_games())}")
    found = GAMES[match[1]]
    if match[2] is not None and int(match[2]) != found.version:
        raise UnknownGameError(f"{found.name} has no version {match[2]}; the newest is {found.id}")
    return found.with_options(**options)


def check_two_seats(game: Game, what: str) -> None:
    """Raises UnsupportedGameError unless a game has two seats. what: that needs them, for the message."""
    if game.num_seats != 2:
        raise UnsupportedGameError(f"{what} is for two seats: {game.id} has {game.num_seats} seats; expected a game of two")


def check_names(game: "str | Game", names: Collection[str], *takers: Callable[..., Any]) -> None:
    """Checks what a caller has named as settings of `takers`, constructors, and rule options of a game.

    Raises: OptionError naming the nearest of both for what is neither. UnknownGameError.
    """
    options = get_game(game).options if names else {}
    if unknown := [name for name in names if name not in options]:
        known = {
            name
            for taker in takers
            for name, parameter in inspect.signature(taker).parameters.items()
            if parameter.kind is not parameter.VAR_KEYWORD
        }
        for name in unknown:
            if name not in known:
                raise OptionError(f"{get_game(game).id} has no option {name!r}; {nearest(name, {*options, *known} - {'game'})}")


def read_options(texts: Sequence[str]) -> dict[str, Any]:
    """Rule options from "size=6". Numbers and true or false are read as such. Raises OptionError for other forms."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise OptionError(f"option {text!r}: expected NAME=VALUE, as in size=6")
        if name in options:
            raise OptionError(f"option {name} is given twice: {options[name]!r} and {value!r}")
        options[name] = _option_of(value)
    return options


def _option_of(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
