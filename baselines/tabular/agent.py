"""What tabular learners leave: a table as a policy, and as a file."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.agent_files import AGENTS, advice, check_game
from boardgym.baselines.array_files import ArrayFiles, Arrays
from boardgym.baselines.tabular import learning as ln
from boardgym.baselines.tabular import table as tb
from boardgym.baselines.tabular.table import Columns, Table
from boardgym.baselines.tabular.td import PositionValues
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.cache import inner, kernel
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import Analysis, CompiledPolicy, check_board
from boardgym.core.policy import make_scratch as scratch_of
from boardgym.core.rows import compact_row
from boardgym.core.verbs import rule

KIND = "tabular"


class PairValues(NamedTuple):
    """Settings of a policy by values of pairs of position and action, of the fields of the same name of a learner."""

    default: float
    way: int
    uses_symmetry: int


@inner
def readable(data):
    """The table of a policy's data, without what only writing needs."""
    keys, actions, visits, values, sizes = data
    return Table(keys, actions, visits, values, (keys[:0], actions[:0], visits[:0], values[:0]), sizes, sizes)


@rule(PairValues, PositionValues)
def make_scratch(policy, position, max_actions, data):
    """The table, buffers for the choices, room for a key."""
    words = data[0].shape[1]
    return readable(data), ln.make_choices(max_actions, words), np.empty(words, np.int64)


@rule(PairValues, PositionValues)
def choose(policy, position, history, rng, scratch, deterministic):
    """The action of the greatest value; equals at random, deterministic: the first of them."""
    table, choices, key = scratch
    count = verbs.legal_actions(position, choices.legal)
    ln.look(policy, position, table, key, choices, count)
    if deterministic:
        return choices.legal[ln.first_best(choices.values, count)]
    return choices.legal[ln.explore(policy.way, 0.0, choices, count, rng)]


@kernel
def values_kernel(game, row, policy, settings, data, max_choices, actions, values, visits):
    """Fills what a policy knows of a position's legal actions. int64, float64, float64 (max_choices,). Returns how many."""
    position, chooser = verbs.unpack(game, row), verbs.unpack(policy, settings)
    table, choices, key = scratch_of(chooser, position, max_choices, data)
    count = verbs.legal_actions(position, choices.legal)
    ln.look(chooser, position, table, key, choices, count)
    for k in range(count):
        actions[k], values[k], visits[k] = choices.legal[k], choices.values[k], choices.visits[k]
    return count


def num_words(game: Game) -> int:
    """Words of a position's key."""
    return int(compact_row(game.token, game.token.row(game.start), np.zeros(len(game.token.fields), np.int64)))


class TabularAgent(CompiledPolicy):
    """A table of values as a compiled policy: plays the best action, on boards and in native environments.

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

    def action_values(self, board: Board) -> dict[int, tuple[float, int]]:
        """Of every legal action: its value, in the rewards that it was taught with, and how often it was updated."""
        check_board(self, board)
        most = self.game.max_choices
        actions, values, visits = np.empty(most, np.int64), np.empty(most), np.empty(most)
        count = values_kernel(self.game.token, board.row, self.token, self.row, self.data, most, actions, values, visits)
        return {int(actions[k]): (float(values[k]), int(visits[k])) for k in range(count)}

    def evaluate(self, board: Board) -> float:
        """The best value of the position for the seat to play, in [-1, 1]: a win of the rewards is 1, a loss -1."""
        return self.scaled(max(value for value, _ in self.action_values(board).values()))

    def scaled(self, value: float) -> float:
        """A value in its rewards as one in [-1, 1]."""
        win, _, loss = self.facts.get("pays") or (1.0, 0.0, -1.0)
        return min(max(value / abs(win if value > 0.0 else loss), -1.0), 1.0)

    def analyse(self, board: Board) -> Analysis:
        """What it knows of the position; counts are visits. See `Analysis`; nothing is searched or proven."""
        known = self.action_values(board)
        best = max(known, key=lambda action: known[action][0])
        values = {action: self.scaled(value) for action, (value, _) in known.items()}
        visits = {action: count for action, (_, count) in known.items()}
        return Analysis(best, values[best], (best,), values, visits, 1, len(known), 0.0, False)

    def save(self, path: str | Path) -> None:
        """Writes the table with what it is, as `file:PATH` reads it; whole or not at all. Raises OSError."""
        columns = self.columns()
        header = {
            **self.facts,
            "kind": KIND,
            "game": self.game.id,
            "options": dict(self.game.options),
            "entries": len(columns.actions),
        }
        AGENTS.write(Path(path), columns._asdict(), header)


def read_columns(path: Path, arrays: Arrays, words: int, files: ArrayFiles) -> Columns:
    """The columns of a file's arrays. files: of what kind it is. Raises SpecError for arrays that are none."""
    n = len(arrays.get("actions", ()))
    columns = Columns(
        files.array_of(path, arrays, "keys", np.int64, (n, words)),
        files.array_of(path, arrays, "actions", np.uint16, (n,)),
        files.array_of(path, arrays, "values", np.float32, (n,)),
        files.array_of(path, arrays, "visits", np.uint16, (n,)),
    )
    if not np.isfinite(columns.values).all():
        raise SpecError(f"{path}: values that are infinite or no numbers; {files.advice(path)}")
    return columns


def check_facts(facts: dict[str, Any]) -> None:
    """Raises ValueError, KeyError or TypeError for facts of a file that no agent has."""
    pays = facts["pays"] or [1.0, 0.0, -1.0]
    fits = (
        facts["values"] in ("pairs", "positions")
        and math.isfinite(facts["default"])
        and facts["way"] in range(ln.NUM_WAYS)
        and facts["uses_symmetry"] in (0, 1)
        and len(pays) == 3
        and all(map(math.isfinite, pays))
        and pays[0] > 0.0 > pays[2]
    )
    if not fits:
        raise ValueError(f"values={facts['values']!r}, default={facts['default']!r}, way={facts['way']!r}, pays={pays!r}")


def check_order(path: Path, columns: Columns) -> None:
    """Raises SpecError for entries that are not in ascending order of position and action, each once."""
    rows = np.column_stack((columns.keys, columns.actions.astype(np.int64)))
    ahead = rows[1:] != rows[:-1]
    first = ahead.argmax(axis=1)
    take = np.arange(len(first))
    if len(rows) > 1 and not (ahead.any(axis=1) & (rows[1:][take, first] > rows[:-1][take, first])).all():
        raise SpecError(f"{path}: entries that are not in order; {advice(path)}")


def load_agent(path: str | Path, game: str | Game | None = None, *, seed: int | None = None) -> TabularAgent:
    """An agent that `save` wrote; reading it executes nothing. game: None for the one that it has learnt.

    Raises:
        SpecError: no such file, or no such agent.
        UnsupportedGameError: it has learnt another game.
    """
    path = Path(path)
    try:
        arrays, header = AGENTS.read(path, {"kind": KIND})
    except FileNotFoundError:
        raise SpecError(f"no file {str(path)!r}; {advice(path)}") from None
    try:
        game = get_game(header["game"], **header["options"]) if game is None else get_game(game)
        check_game(path, header, game)
        columns = read_columns(path, arrays, num_words(game), AGENTS)
        check_order(path, columns)
        facts = {name: value for name, value in header.items() if name not in FILE_FIELDS}
        check_facts(facts)
        return TabularAgent(game, tb.table_of(columns), facts, seed=seed, spec=f"file:{path}")
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, SpecError | UnsupportedGameError):
            raise
        raise SpecError(f"{path}: its header does not describe a tabular agent ({error!r}); {advice(path)}") from None


FILE_FIELDS = ("format", "version", "sha256", "header_sha256", "kind", "game", "options", "entries")


def merge(agents: Sequence[TabularAgent]) -> TabularAgent:
    """One agent of several that have learnt the same game in the same way: values are means by visits, visits are added up.

    An entry without visits counts as one with a single visit. Raises OptionError for agents that do not fit each other.
    """
    first = agents[0]
    for other in agents[1:]:
        same = [(a.game.id, dict(a.game.options), type(a.settings), a.settings, a.facts.get("pays")) for a in (first, other)]
        if same[0] != same[1]:
            raise OptionError(
                f"{other.spec} is {same[1]}, {first.spec} is {same[0]}: expected agents of one game and one method"
            )
    parts = [agent.columns() for agent in agents]
    columns = tb.sort_columns(Columns(*map(np.concatenate, zip(*parts, strict=True))))
    rows = np.column_stack((columns.keys, columns.actions.astype(np.int64)))
    starts = np.flatnonzero(np.r_[True, (rows[1:] != rows[:-1]).any(axis=1)]) if len(rows) else np.zeros(0, np.int64)
    weights = np.maximum(columns.visits.astype(np.float64), 1.0)
    means = np.add.reduceat(columns.values * weights, starts) / np.add.reduceat(weights, starts)
    visits = np.minimum(np.add.reduceat(columns.visits.astype(np.int64), starts), tb.MOST_VISITS)
    merged = Columns(columns.keys[starts], columns.actions[starts], means.astype(np.float32), visits.astype(np.uint16))
    facts = {**first.facts, "merged": len(agents)}
    return TabularAgent(first.game, tb.table_of(merged), facts, spec="merged")


def prune(agent: TabularAgent, min_visits: int) -> TabularAgent:
    """An agent with the entries alone that were updated at least so often. Raises OptionError for fewer than 1."""
    if min_visits < 1:
        raise OptionError(f"min_visits={min_visits}: expected at least 1")
    columns = agent.columns()
    kept = columns.take(columns.visits >= min_visits)
    return TabularAgent(agent.game, tb.table_of(kept), {**agent.facts, "pruned": min_visits}, spec="pruned")


def statistics(agent: TabularAgent) -> dict[str, Any]:
    """Counts of an agent's table: entries, positions, bytes, quantiles of values and visits."""
    columns = agent.columns()
    n = len(columns.actions)
    positions = 0 if n == 0 else 1 + int((columns.keys[1:] != columns.keys[:-1]).any(axis=1).sum())
    marks = (0.0, 0.25, 0.5, 0.75, 1.0)

    def quantiles(column: NDArray[Any]) -> list[float]:
        return [] if n == 0 else [float(q) for q in np.quantile(column, marks)]

    return {
        "entries": n,
        "positions": positions,
        "bytes": tb.bytes_in_use(agent.table),
        "bytes_per_entry": round(tb.bytes_in_use(agent.table) / max(n, 1), 2),
        "values": quantiles(columns.values),
        "visits": quantiles(columns.visits),
    }


def _restore(
    game: Game, columns: Columns, facts: dict[str, Any], spec: str, epsilon: float, rng: NDArray[np.uint64]
) -> TabularAgent:
    """An agent from its copy or pickle; its stream goes on where it was."""
    agent = TabularAgent(game, tb.table_of(columns), facts, seed=0, spec=spec)
    agent.epsilon, agent.rng = epsilon, rng.copy()
    return agent
