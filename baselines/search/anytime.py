"""Searches that can be watched and stopped: the same search with growing budgets, an `Analysis` after each.

A compiled search tells what it has found when it ends. So a search of depth 8 is run with depth 1, 2, ... 8, one of 8,000
simulations with 500, 1,000, 2,000, 4,000, 8,000. The last is the search that was asked for: watching changes how long it
takes (UCT: twice as long), not what it finds. With a time, all of them together last that long: UCT's in slices that double,
the last of which has about half of it.
"""

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from boardgym.baselines.search.best import LEAST_S, MOST_S
from boardgym.baselines.search.common import Kept, keeping
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, CompiledPolicy, interrupt
from boardgym.core.policy_spec import Spec, build_policy, meaning_of, parse_spec

FIRST_SIMULATIONS = 500
FIRST_SLICE_S = 0.1
SHORTEST_S = 0.001
DEEP_SEARCHES, WIDE_SEARCHES = ("minimax", "maxn", "expectiminimax"), ("uct", "puct")  # whose number is a depth, of simulations
NO_DEPTH, NO_SIMULATIONS = 100, 1_000_000_000  # arguments that do not limit


def as_search(spec: Spec, game: Game) -> Spec:
    """What takes limits: of an agent from a shelf, the search that it is. Raises as `meaning_of`.

    A level stays as it is: whatever the time, it keeps its strength. `best` divides its time itself.
    """
    return meaning_of(spec, game) if spec.name == "agent" else spec


def with_argument(spec: Spec, argument: str, /, **keywords: str) -> Spec:
    """The same search with another budget, and other settings in place of its own."""
    settings = {**spec.keywords, **keywords}
    parts = [argument, *(f"{key}={value}" for key, value in settings.items())]
    inner = f"({', '.join(part.text for part in spec.inner)})" if spec.inner else ""
    text = f"{spec.name}:{','.join(part for part in parts if part)}{inner}"
    return dataclasses.replace(spec, argument=argument, keywords=settings, text=text)


def with_limits(
    spec: Spec, *, depth: int | None = None, nodes: int | None = None, seconds: float | None = None, endless: bool = False
) -> Spec:
    """The same search with other limits, in place of its own; its other settings stay.

    Args:
        spec: of a search; of `best`, or of `perfect` with `total=`, which take the seconds alone; any other policy is returned
            as it is.
        depth: in plies, of a search that has one.
        nodes: positions, or simulations.
        seconds: of time.
        endless: no limit but being interrupted.

    Raises: SpecError for a depth that the search does not have.
    """
    if seconds is not None and not is_search(spec):
        return with_seconds(spec, seconds)
    if not is_search(spec) or (depth is nodes is seconds is None and not endless):
        return spec
    has_depth = is_deep(spec)
    if depth is not None and not has_depth:
        raise SpecError(f"policy spec {spec.text!r}: {spec.name} has no depth; give it nodes or a time")
    keywords = {key: value for key, value in spec.keywords.items() if key != "time" and not (has_depth and key == "nodes")}
    spec = dataclasses.replace(spec, keywords=keywords)
    extra = {"time": f"{seconds!r}s"} if seconds is not None else {}
    if has_depth:
        extra |= {"nodes": str(nodes)} if nodes is not None else {}
        return with_argument(spec, str(NO_DEPTH if depth is None else depth), **extra)
    return with_argument(spec, str(NO_SIMULATIONS if nodes is None else nodes), **extra)


def with_seconds(spec: Spec, seconds: float) -> Spec:
    """`best`, or `perfect` with `total=`, with another time for a move; any other spec is returned as it is.

    The solver of `perfect` keeps its share of the time. Seconds out of the range that `best` takes become the nearest in it.
    """
    seconds = min(max(seconds, LEAST_S), MOST_S)
    if spec.name == "best":
        return with_argument(spec, f"{seconds!r}s")
    if spec.name == "perfect" and "total" in spec.keywords and "time" in spec.keywords:
        share = float(spec.keywords["time"].removesuffix("s")) / float(spec.keywords["total"].removesuffix("s"))
        return with_argument(spec, "", time=f"{seconds * share!r}s", total=f"{seconds!r}s")
    return spec


def is_search(spec: Spec) -> bool:
    """Whether the spec is of a search with a budget after the colon, a number or a time."""
    text = spec.argument.removesuffix("s")
    try:
        return spec.name in (*DEEP_SEARCHES, *WIDE_SEARCHES) and float(text) > 0.0
    except ValueError:
        return False


def is_deep(spec: Spec) -> bool:
    """Whether the spec is of a search with a depth."""
    return is_search(spec) and spec.name in DEEP_SEARCHES


def stages(spec: Spec) -> Iterator[Spec]:
    """The searches that lead to the one of a spec; a policy without a budget is its own only one."""
    has_time = spec.argument.endswith("s")
    if not is_search(spec):
        yield spec
    elif is_deep(spec):
        if has_time:
            spec = with_argument(spec, str(NO_DEPTH), time=spec.argument)
        for depth in range(1, int(spec.argument) + 1):
            yield with_argument(spec, str(depth))
    elif has_time:
        seconds, count = float(spec.argument[:-1]), 1
        while seconds / (2 ** (count + 1) - 1) >= FIRST_SLICE_S:
            count += 1
        for stage in range(count):
            yield with_argument(spec, f"{seconds * 2**stage / (2**count - 1)!r}s")
    else:
        simulations = FIRST_SIMULATIONS
        while 2 * simulations <= int(spec.argument):
            yield with_argument(spec, str(simulations))
            simulations *= 2
        yield spec


def seconds_left(spec: Spec, spent: float) -> float | None:
    """What is left of a search's `time=`, which limits all stages together, after `spent` seconds; None where there is none."""
    text = spec.keywords.get("time", "") if is_search(spec) else ""
    return float(text[:-1]) - spent if text.endswith("s") else None


def warm(spec: Spec, game: Game, *, trust: bool = False) -> None:
    """Compiles what a policy needs to choose, be it alone or part of another, by a few choices with the least budget.

    Engines in other processes are not started. Raises as `make_policy`.
    """
    spec = meaning_of(spec, game)
    if is_search(spec):
        policy = build_policy(with_limits(spec, nodes=1), game, seed=0, trust=trust)
        board = Board(game, seed=0)
        policy.analyse(board)
        for _ in range(1 + game.num_seats):  # the second choice of a search that keeps its tree needs more
            if not board.is_terminal:
                board.push(policy.act(board))
        return
    for part in spec.inner:
        warm(part, game, trust=trust)
    policy = build_policy(spec, game, seed=0, trust=trust)
    if callable(getattr(policy, "warm", None)):
        policy.warm(Board(game, seed=0))
    elif isinstance(policy, CompiledPolicy) and not spec.inner:
        policy.act(Board(game, seed=0))


class Watched:
    """A policy whose search can be watched while it goes on, and stopped by another thread.

    Args:
        spec: of the policy, as text or parsed.
        game: the game it plays.
        seed: for its draws.
        trust: whether files may be loaded, and programs run, that could do anything.
        build: makes the policies, as `build_policy` does; another one may hand out those that it has kept.
        kept: what was read of files for other searches of the same owner; None: nothing. All stages read a file once.

    Raises: SpecError, UnsupportedGameError, UntrustedFileError: as `make_policy`; UnsupportedGameError also for a policy that
        tells no values.
    """

    def __init__(
        self,
        spec: str | Spec,
        game: Game,
        *,
        seed: int | None = 0,
        trust: bool = False,
        build: Callable[..., Any] = build_policy,
        kept: Kept | None = None,
    ) -> None:
        spec = meaning_of(parse_spec(spec) if isinstance(spec, str) else spec, game)
        self.spec, self.game, self.seed, self.trust = spec, game, seed, trust
        self.build, self.kept = build, {} if kept is None else kept
        self.running = self._make(self.spec)
        self.is_stopped = False
        if not callable(getattr(self.running, "analyse", None)):
            raise UnsupportedGameError(
                f"{self.spec.text}: this policy tells no values; searches such as minimax:6 and uct:1000 do"
            )

    def _make(self, spec: Spec) -> Any:
        with keeping(self.kept):
            return self.build(spec, self.game, seed=self.seed, trust=self.trust)

    def warm(self, board: Board) -> None:
        """Compiles the search, so that its time will be that of searching."""
        if is_search(self.spec):
            self._make(with_limits(self.spec, nodes=1)).analyse(board)

    def watch(self, board: Board) -> Iterator[Analysis]:
        """What has been found so far, again and again, the last time when the search is over. Raises as `act`."""
        best, started = None, time.perf_counter()
        for spec in stages(self.spec):
            left = seconds_left(spec, time.perf_counter() - started)
            if best is not None and (self.is_stopped or (left is not None and left <= 0.0)):
                return
            if left is not None:
                spec = with_argument(spec, spec.argument, time=f"{max(left, SHORTEST_S)!r}s")
            self.running = policy = self._make(spec)
            for found in policy.analyses(board) if hasattr(policy, "analyses") else (policy.analyse(board),):
                was_cut = self.is_stopped or left is not None or spec.argument.endswith("s")
                if best is None or not was_cut or found.nodes >= best.nodes:  # else it knows less than the one before
                    best = found
                    yield found
            if found.is_proven or (is_deep(spec) and found.depth < int(spec.argument)):
                return

    def stop(self) -> None:
        """Ends what `watch` is doing in another thread. To be repeated until it has ended: a stage may be about to begin."""
        self.is_stopped = True
        interrupt(self.running)


def moves_of(board: Board, line: Iterable[int]) -> list[str]:
    """The moves of a line, as far as no dice fall."""
    trial, moves = board.copy(), []
    trial.auto_roll = False
    for action in line:
        if trial.is_chance or action not in trial.legal_actions:
            break
        moves.append(trial.move_text(action))
        trial.push(action)
    return moves
