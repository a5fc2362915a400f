"""What tabular learners leave: a table as a policy, and as a file."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import OWN_FIELDS, ArrayFiles, Pieces
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.agent import LearntAgent
from boardgym.baselines.learning.agent_files import AGENTS, AgentHeader, Number, advice, check_game, open_agent
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.table import Columns, Table
from boardgym.baselines.learning.tabular.td import PositionValues
from boardgym.baselines.typed_json import read_data
from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.rows import compact_row
from boardgym.core.verbs import rule

KIND = "tabular"
CROWD = 8  # times the mean of a segment's entries, and the actions of a position besides: more are not by chance
STEPS = (64, 8)  # of an entry's probe on average: so many, and for each entry of a position; 10 million need 3 of the latter


class PairValues(NamedTuple):
    """Settings of a policy by values of pairs of position and action, of the fields of the same name of a learner."""

    default: float
    way: int
    uses_symmetry: int


@inner
def readable(data: Any) -> tb.Table:
    """The table of a policy's data, without what only writing needs."""
    keys, actions, visits, values, sizes = data
    return Table(keys, actions, visits, values, (keys[:0], actions[:0], visits[:0], values[:0]), sizes, sizes)


@rule(PairValues, PositionValues)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The table, buffers for the choices, room for a key."""
    words = data[0].shape[1]
    return readable(data), ln.make_choices(max_actions, words), np.empty(words, np.int64)


@rule(PairValues, PositionValues)
def choose(
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """The action of the greatest value, equals at random; of beads, a draw in proportion. deterministic: the first greatest."""
    table, choices, key = scratch
    count = verbs.legal_actions(position, choices.legal)
    ln.look(policy, position, table, key, choices, count)
    if deterministic:
        return choices.legal[ln.first_best(choices.values, count)]
    return choices.legal[ln.explore(policy.way, 0.0, choices, count, rng)]


def num_words(game: Game) -> int:
    """Words of a position's key."""
    return int(compact_row(game.token, game.token.row(game.start), np.zeros(len(game.token.fields), np.int64)))


class TabularAgent(LearntAgent):
    """A table of values as a compiled policy, on boards and in native environments: plays the best action, or draws a bead.

    Args:
        game: the game it plays.
        table: its values. It is shared, not copied: a learner goes on writing to it.
        facts: what it is, for its file: "method" and whatever else is to be kept; "values" is "pairs" or "positions",
            "default", "way" and "uses_symmetry" are the learner's.
        seed: for its draws.
        spec: what names it in tables.
    """

    def __init__(
        self, game: str | Game, table: Table, facts: dict[str, Any], *, seed: int | None = None, spec: str = "tabular"
    ) -> None:
        game = get_game(game)
        common = float(facts["default"]), int(facts["way"]), int(facts["uses_symmetry"])
        if facts["values"] == "pairs":
            settings: Any = PairValues(*common)
        else:
            settings = PositionValues(*common, int(facts["pays"] is not None), *(facts["pays"] or (1.0, 0.0, -1.0)))
        data = (table.keys, table.actions, table.visits, table.values, table.sizes)
        super().__init__(game, settings, spec, data=data, seed=seed)
        self.table, self.facts = table, facts

    def __reduce__(self) -> Any:
        return _restore, (self.game, self.columns(), self.facts, self.spec, self.epsilon, self.rng)

    def __len__(self) -> int:
        """Number of entries."""
        return int(self.table.used.sum())

    def __bool__(self) -> bool:
        return True

    def columns(self) -> Columns:
        """All entries in order; copies."""
        return tb.columns_of(self.table)

    def visit_counts(self, board: Board) -> dict[int, int]:
        """Of every legal action, how often it was updated."""
        actions, _, visits = self.look_up(board)
        return {int(action): int(count) for action, count in zip(actions, visits, strict=True)}

    def _weights(self, values: NDArray[np.float64]) -> NDArray[Any]:
        """Of beads, as many as are in a box."""
        return values if self.has_beads and values.any() else super()._weights(values)

    @property
    def has_beads(self) -> bool:
        """Whether its values are beads, by which it draws, and no returns to expect."""
        return bool(self.settings.way == ln.PROPORTIONAL)

    def scaled(self, board: Board, value: float) -> float:
        """A value in its rewards, or in the game's returns if those were learnt, as one in [-1, 1]: a win is 1, a loss -1.

        Raises: UnsupportedGameError for beads, which say how often an action is played and not what it is worth.
        """
        if self.has_beads:
            raise UnsupportedGameError(
                f"{self.spec} keeps beads, not values; action_values() counts them, "
                "action_probabilities() says how often it plays what"
            )
        win, _, loss = self.facts.get("pays") or (self.game.max_return, 0.0, self.game.min_return)
        best = win if value > 0.0 else loss
        return min(max(value / abs(best), -1.0), 1.0) if best != 0.0 else 0.0

    def statistics(self) -> dict[str, Any]:
        """Counts of its table: see `statistics`."""
        return statistics(self)

    def header(self) -> dict[str, Any]:
        """What its file says of it."""
        whose = {"kind": KIND, "game": self.game.id, "options": dict(self.game.options)}
        return {**self.facts, **whose, "entries": len(self)}

    def _arrays(self) -> Mapping[str, NDArray[Any] | Pieces]:
        """The table."""
        return tb.pieces_of(self.table, in_order=True)


def stored_actions(game: Game, facts: dict[str, Any]) -> tuple[int, int, int]:
    """What stands for an action in a table of this kind: the least and the greatest number, and how many a position has."""
    if facts["values"] == "positions":
        return tb.VALUE_OF_POSITION - game.num_seats + 1, tb.VALUE_OF_POSITION, game.num_seats
    return 0, game.num_actions - 1, game.max_legal_actions


class StoredColumns:
    """The entries of a file, read in pieces: a table that takes them is the only place where they are all in memory.

    Args:
        files, path, arrays: as `files.open(path)` gives them.
        words: of a position.
        legal: as `stored_actions`.

    Attributes:
        size: number of entries. counts: int64 (SEGMENTS,), how many of them each segment of a table gets.

    Raises: the error of `files`, for arrays that are no entries of a training: infinite, of no action, or all in one segment.
    """

    def __init__(
        self, files: ArrayFiles, path: Path, arrays: dict[str, Pieces], words: int, legal: tuple[int, int, int]
    ) -> None:
        self.files, self.path, self.counts = files, path, np.zeros(tb.SEGMENTS, np.int64)
        keys = files.array_of(path, arrays, "keys", np.int64, (None, words))
        self.size = n = keys.shape[0]
        self.most_steps = n * (STEPS[0] + STEPS[1] * legal[2])
        rest = (("actions", np.uint16), ("values", np.float32), ("visits", np.uint16))
        self._columns = (keys, *(files.array_of(path, arrays, name, dtype, (n,)) for name, dtype in rest))
        for words_of, actions, values, _ in self._pieces():
            if not np.isfinite(values).all():
                raise self._error("values that are infinite or no numbers")
            if len(actions) and not legal[0] <= int(actions.min()) <= int(actions.max()) <= legal[1]:
                raise self._error(f"actions from {actions.min()} to {actions.max()}, expected {legal[0]} to {legal[1]}")
            tb.count_keys(words_of, self.counts)
        if self.counts.max() > CROWD * (n // tb.SEGMENTS) + tb.VALUE_OF_POSITION:  # a position's actions lie together
            raise self._error(f"{self.counts.max():,} of {n:,} entries in one of {tb.SEGMENTS} segments")

    def _pieces(self) -> Iterator[tuple[NDArray[Any], ...]]:
        return zip(*(column.parts() for column in self._columns), strict=True)

    def _error(self, text: str) -> Exception:
        return self.files.error(f"{self.path}: {text}; {self.files.advice(self.path)}")

    def table(self) -> Table:
        """A table with the entries, and little room for more. Raises as `fill`."""
        table = tb.table_for(self._columns[0].shape[1], self.counts)
        self.fill(table)
        return table

    def fill(self, table: Table) -> None:
        """Puts the entries into an empty table that has room for them, see `counts`.

        Raises the error of `files`: some are there twice, they are not those that were counted, or their hashes are so much
        alike, as no game makes them, that it would take hours.
        """
        steps = 0
        for keys, actions, values, visits in self._pieces():
            found = tb.copy_in(table, keys, actions, values, visits, self.most_steps - steps)
            if found < 0:
                raise self._error("positions of one hash" if found == tb.CROWDED else "other entries than were counted")
            steps += found
        if int(table.used.sum()) != self.size:
            raise self._error(f"{self.size - int(table.used.sum()):,} entries of a position and action that others have")


class Header(AgentHeader, kw_only=True):
    """What the file of an agent says of it."""

    values: Literal["pairs", "positions"]
    default: Number
    way: Annotated[int, msgspec.Meta(ge=0, lt=ln.NUM_WAYS)]
    uses_symmetry: Literal[0, 1]


def load_agent(path: str | Path, game: str | Game | None = None, *, seed: int | None = None) -> TabularAgent:
    """An agent that `save` wrote; reading it executes nothing. game: None for the one that it has learnt.

    Raises:
        SpecError: no such file, or no such agent.
        UnsupportedGameError: it has learnt another game.
    """
    path = Path(path)
    arrays, header = open_agent(path, KIND)
    found = read_data(header, Header, SpecError, f"the header of a tabular agent in {path}")
    try:
        game = get_game(found.game, **found.options) if game is None else get_game(game)
        check_game(path, header, game)
        facts = {name: value for name, value in header.items() if name not in FILE_FIELDS}
        table = StoredColumns(AGENTS, path, arrays, num_words(game), stored_actions(game, facts)).table()
        return TabularAgent(game, table, facts, seed=seed, spec=f"file:{path}")
    except (TypeError, ValueError) as error:
        if isinstance(error, SpecError | UnsupportedGameError):
            raise
        raise SpecError(f"{path}: its header does not describe a tabular agent ({error!r}); {advice(path)}") from None
    except MemoryError:
        raise SpecError(f"{path}: a table of its entries takes more memory than can be had") from None


FILE_FIELDS = (*OWN_FIELDS, "kind", "game", "options", "entries")


def merge(agents: Sequence[TabularAgent]) -> TabularAgent:
    """One agent of several that have learnt the same game in the same way: values are means by visits, visits are added up.

    An entry without visits counts as one with a single visit. The facts are what all say; "training" has the settings in which
    they agree, "episodes" is the sum, "merged" how many they are. Raises OptionError for agents that do not fit each other.
    """
    first = agents[0]
    for other in agents[1:]:
        same = [(a.game.id, dict(a.game.options), a.facts.get("method"), type(a.settings).__name__, a.settings._asdict(),
                 a.facts.get("pays")) for a in (first, other)]  # fmt: skip
        if same[0] != same[1]:
            raise OptionError(
                f"{other.spec} is {same[1]}, {first.spec} is {same[0]}: expected agents of one game and one method"
            )
    parts = [agent.columns() for agent in agents]
    columns = Columns(*map(np.concatenate, zip(*parts, strict=True)))
    columns = columns.take(tb.order_of(columns.keys, columns.actions))
    others = columns.actions != np.roll(columns.actions, 1)  # than the action of the entry before
    starts = np.flatnonzero(tb.begins_position(columns.keys) | others)
    weights = np.maximum(columns.visits.astype(np.float64), 1.0)
    means = np.add.reduceat(columns.values * weights, starts) / np.add.reduceat(weights, starts)
    visits = np.minimum(np.add.reduceat(columns.visits.astype(np.int64), starts), tb.MOST_VISITS)
    merged = Columns(columns.keys[starts], columns.actions[starts], means.astype(np.float32), visits.astype(np.uint16))
    facts = common([agent.facts for agent in agents])
    facts["training"] = common([agent.facts.get("training", {}) for agent in agents])
    counts = [agent.facts.get("episodes") for agent in agents]
    if all(isinstance(count, int) for count in counts):
        facts["episodes"] = sum(counts)
    facts["merged"] = len(agents)
    return TabularAgent(first.game, tb.table_of(merged), facts, spec="merged")


def common(facts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What all say, in the order of the first."""
    return {name: value for name, value in facts[0].items() if all(name in other and other[name] == value for other in facts)}


def prune(agent: TabularAgent, min_visits: int) -> TabularAgent:
    """An agent with the entries alone that were updated at least so often; of beads, the boxes with such a colour, as a whole.

    Raises OptionError for fewer than 1.
    """
    if min_visits < 1:
        raise OptionError(f"min_visits={min_visits}: expected at least 1")
    columns = agent.columns()
    kept = columns.visits >= min_visits
    if agent.has_beads and len(kept):  # a box without some of its colours would never play them again
        starts = tb.begins_position(columns.keys)
        kept = np.logical_or.reduceat(kept, np.flatnonzero(starts))[np.cumsum(starts) - 1]
    return TabularAgent(agent.game, tb.table_of(columns.take(kept)), {**agent.facts, "pruned": min_visits}, spec="pruned")


def statistics(agent: TabularAgent) -> dict[str, Any]:
    """Counts of an agent's table: entries, positions, bytes, quantiles of values and visits. Takes 4 bytes an entry."""
    columns, n = tb.pieces_of(agent.table, in_order=False), len(agent)
    marks = (0.0, 0.25, 0.5, 0.75, 1.0)

    def quantiles(column: Pieces) -> list[float]:
        numbers, filled = np.empty(n, column.dtype), 0
        for part in column.parts():
            numbers[filled : filled + len(part)], filled = part, filled + len(part)
        return [] if n == 0 else [float(q) for q in np.quantile(numbers, marks, overwrite_input=True)]

    return {
        "entries": n,
        "positions": tb.num_positions(agent.table),
        "bytes": tb.bytes_in_use(agent.table),
        "bytes_per_entry": round(tb.bytes_in_use(agent.table) / max(n, 1), 2),
        "values": quantiles(columns["values"]),
        "visits": quantiles(columns["visits"]),
    }


def _restore(
    game: Game, columns: Columns, facts: dict[str, Any], spec: str, epsilon: float, rng: NDArray[np.uint64]
) -> TabularAgent:
    """An agent from its copy or pickle; its stream goes on where it was."""
    agent = TabularAgent(game, tb.table_of(columns), facts, seed=0, spec=spec)
    agent.epsilon, agent.rng = epsilon, rng.copy()
    return agent
