"""What the searches have in common: their reply to the caller, their budgets, repetition along a path."""

import contextlib
import math
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, overloaded
from boardgym.compile.registry import class_of
from boardgym.core import engine, verbs
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, read_number

VALUE, DEPTH, NODES, PROVEN, LINE_LENGTH, NUM_ACTIONS, CUTOFFS, TABLE_HITS, COLUMNS = range(9)  # of Reply.report
# Positions that a search may visit where Ctrl-C does not reach it: 40 ms where measured, 0.13 us for each in the slowest plain
# search (Othello) and 0.84 us in the slowest with options (Abalone, quiescence=40 with order=heuristic).
SHORT_NODES, SLOWER = 300_000, 6

Kept = dict[str, Any]  # what was read of files for searches of one game, by what their specs say of it
_KEPT: ContextVar[Kept | None] = ContextVar("kept", default=None)


class Reply(NamedTuple):
    """What a search writes besides its choice, and the flag that ends it. The first item of a search's scratch.

    stop: int64 (1,), set from outside. report: float64 (COLUMNS,), see the names above. actions, counts: int64, values:
    float64, line: int64: filled in only if they have room (max_legal_actions; any length for the best line).
    """

    stop: NDArray[np.int64]
    report: NDArray[np.float64]
    actions: NDArray[np.int64]
    counts: NDArray[np.int64]
    values: NDArray[np.float64]
    line: NDArray[np.int64]


@inner
def silent_reply():
    """A reply that nobody reads, for searches within other kernels."""
    nothing = np.empty(0, np.int64)
    return Reply(np.zeros(1, np.int64), np.zeros(COLUMNS, np.float64), nothing, nothing, np.empty(0, np.float64), nothing)


def make_reply(room: int) -> Reply:
    """A reply with room for so many actions, and for a line; none if room is 0."""
    words, line = np.zeros(room, np.int64), np.zeros(128 if room else 0, np.int64)
    return Reply(np.zeros(1, np.int64), np.zeros(COLUMNS), words, words.copy(), np.zeros(room), line)


def column(policy: Any, option: str, shape: Any, dtype: Any) -> Any:
    """An array without content if the class of the settings has an option on, else None: which is known at compile time."""
    return np.empty(shape, dtype) if getattr(type(policy), option) else None


@overloaded(column, prefer_literal=True)
def _column(policy, option, shape, dtype):
    if getattr(class_of(policy), option.literal_value):
        return lambda policy, option, shape, dtype: np.empty(shape, dtype)
    return lambda policy, option, shape, dtype: None


@inner
def is_repeated(position, history, keys, ply):
    """Whether the game ends at keys[ply] by repetition of an earlier position, of the game or of the path."""
    limit, key, length = verbs.repetition_limit(position), keys[ply], history.shape[0]
    if limit <= 0:
        return False
    first = engine.first_counted(position, length + ply)
    times = engine.occurrences(history, first, length, key) + engine.occurrences(keys, max(first - length, 0), ply, key)
    return times + 1 >= limit


def is_short_budget(branches: int, depth: int, max_nodes: int, slower: int = 1) -> bool:
    """Whether a search visits so few positions that nobody needs to interrupt it.

    branches: the most positions that follow one. depth: in plies, 0 if positions deeper than that are visited. max_nodes: 0 for
    no limit. slower: how many times longer than plain minimax it may take for each position.
    """
    most, branches = SHORT_NODES // slower, max(branches, 1)
    inner_too = 2.0 * math.log(branches / max(branches - 1, 1))  # the plies above the last, and the depths before the greatest
    return 0 < max_nodes <= most or (depth > 0 and depth * math.log(branches) + inner_too <= math.log(most))


def require_two_seats(spec: Spec, game: Game) -> None:
    """Raises UnsupportedGameError for a game that is not for two, or where seat 1 may not get the opposite of seat 0.

    The searches read what seat 0 gets at the end of the game, and nothing else: what a game pays on the way adds up to that.
    """
    if game.num_seats != 2:
        raise UnsupportedGameError(
            f"policy spec {spec.text!r}: {spec.name} plays games of two seats; {game.id} has num_seats = {game.num_seats}"
        )
    if game.min_return != -game.max_return:
        raise UnsupportedGameError(
            f"policy spec {spec.text!r}: {spec.name} plays games where one seat wins what the other "
            f"loses; {game.id} has min_return = {game.min_return:g}, max_return = "
            f"{game.max_return:g}"
        )


def read_time(spec: Spec, name: str = "time") -> float:
    """The seconds that a setting of a spec names. Raises SpecError."""
    text = spec.keywords[name]
    if not text.endswith("s"):
        raise SpecError(f"policy spec {spec.text!r}: the {name} {text!r}; expected seconds, as in {name}=0.5s")
    return float(read_number(text[:-1], spec.text, f"the {name} in seconds", above=0.0))


def read_budget(
    spec: Spec, what: str, most: int, *, most_nodes: int | None = None
) -> tuple[int | None, float | None, int | None]:
    """The limits of a search's spec: (whole number, seconds, nodes), None where not given.

    what: the meaning of the number. most: its greatest value. most_nodes: the greatest number of nodes.

    Raises:
        SpecError: no limit, or one that is not a positive number of its kind, or too great.
    """
    example = f"{spec.name}:4 or {spec.name}:0.5s"
    number = seconds = nodes = None
    if not spec.argument:
        raise SpecError(f"policy spec {spec.text!r}: a budget is missing; expected {what} or a time, as in {example}")
    if spec.argument.endswith("s"):
        seconds = read_number(spec.argument[:-1], spec.text, "the time in seconds", above=0.0)
    else:
        number = read_number(spec.argument, spec.text, what, above=0, kind=int)
        if number > most:
            raise SpecError(f"policy spec {spec.text!r}: {what} {number}; expected at most {most}")
    if "time" in spec.keywords:
        if seconds is not None:
            two = f"{spec.argument!r} and {spec.keywords['time']!r}"
            raise SpecError(f"policy spec {spec.text!r}: two times, {two}; expected one")
        seconds = read_time(spec)
    if "nodes" in spec.keywords:
        nodes = read_number(spec.keywords["nodes"], spec.text, "the number of nodes", above=0, kind=int)
        if most_nodes is not None and nodes > most_nodes:
            raise SpecError(f"policy spec {spec.text!r}: the number of nodes {nodes}; expected at most {most_nodes}")
    return number, seconds, nodes


def room_in_brackets(spec: Spec) -> int:
    """How many parts the brackets of a search's spec may have: those of its evaluation."""
    return len(spec.inner) if "evaluation" in spec.keywords else 0


def evaluation_for(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """What `evaluation=` of a spec names, or None. Raises SpecError, UnsupportedGameError."""
    if "evaluation" not in spec.keywords:
        return None
    from boardgym.baselines.search.evaluations import read_evaluation  # it loads feature maps, which few searches need

    what = f"evaluation={spec.keywords['evaluation']}{spec.inner!r}"
    return read_once(what, lambda: read_evaluation(spec, game, seed=seed, trust=trust))


@contextlib.contextmanager
def keeping(kept: Kept) -> Iterator[None]:
    """A context in which searches that are made have what was read for earlier ones, whatever has become of the files.

    A search with a clock is made anew for each move; an engine goes on with what it began with. kept: of one game.
    """
    token = _KEPT.set(kept)
    try:
        yield
    finally:
        _KEPT.reset(token)


def read_once(what: str, read: Callable[[], Any]) -> Any:
    """What `read` reads of a file, within `keeping` once. what: names it. Raises as `read`."""
    if (kept := _KEPT.get()) is None:
        return read()
    if what not in kept:
        kept[what] = read()
    return kept[what]


def slowness(evaluation: Any, slower: int) -> int:
    """How many times longer than plain minimax a search with options may take for a position. evaluation: its own, or None."""
    return slower if evaluation is None else max(slower, evaluation.slower)


def has_whole_key(game: Game) -> bool:
    """Whether a position's key says all that what follows depends on, so that positions with equal keys are worth the same."""
    return not game.clocks and game.repetition_limit == 0


def scale_of(game: Game) -> float:
    """What turns the game's returns into values in [-1, 1]."""
    return 1.0 / max(abs(game.min_return), abs(game.max_return))
