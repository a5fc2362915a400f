"""The policy `perfect`: plays what a game's solver has proven best.

Values are for the seat to play, in [-1, 1]. A solver says of any board whether it can answer there (`covers`), and answers
with the exact value of the actions (`solve`), with more only if asked. `perfect(SPEC)` lets another policy play where it
cannot: early in Othello, say, or before an endgame's table begins.

Of actions of equal value the one with the best score is played (the most discs, the quickest win); without scores, the one
that wins soonest or loses latest, where the solver knows; of equals the first, or any of them (ties=random).
"""

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import read_time
from boardgym.baselines.search.interrupt import SearchPolicy, run_interruptible
from boardgym.baselines.search.uct_policies import KeptTreePolicy, ParallelPolicy
from boardgym.baselines.search.uct_shared_tree import SharedTreePolicy
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, Policy, StreamPolicy, check_board, interrupt
from boardgym.core.policy_spec import Spec, build_policy, refuse_extras
from boardgym.core.random import draw

SOLVERS = {  # name of a game -> "module:factory"; the factory takes (game, **settings as texts) and returns a Solver
    "Backgammon": "boardgym.baselines.perfect.bearoff:solver",
    "CardPoints": "boardgym.baselines.perfect.card_points:solver",
    "ConnectFour": "boardgym.baselines.perfect.connect_four:solver",
    "NineMensMorris": "boardgym.baselines.perfect.morris:solver",
    "Othello": "boardgym.baselines.perfect.othello:solver",
    "TicTacToe": "boardgym.baselines.perfect.tic_tac_toe:solver",
}
SETTINGS: dict[str, tuple[str, ...]] = {  # name of a game -> the keywords that its factory knows
    "ConnectFour": ("table_bits", "threads"),
    "Othello": ("empties", "mode", "table_bits", "threads"),
}

Detail = Literal["action", "values", "full"]
Ties = Literal["first", "random"]
TIMED = SearchPolicy, KeptTreePolicy, ParallelPolicy, SharedTreePolicy  # searches whose time for a move can be set
LEAST_S = 0.001  # of a fallback for which the solver has left no time


class UnsolvedPositionError(UnsupportedGameError):
    """A solver was asked about a position that it cannot answer, or did not in the time that it had. reason: why, alone."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Solution:
    """What a solver says of a position. All is for the seat to play.

    action_values: action -> value in [-1, 1], of every legal action whose value is certain, or, if only the choice was asked
    for, of that alone and of whatever else was found on the way. scores: action -> whole number of the solver's own finer
    scale, greater is better (disc difference, margin, Connect Four's score), of those actions whose score was found, the
    choice among them; None if the solver has none. distances: action -> plies to the end of the game if both play best,
    this action counted (Nine Men's Morris: turns, 0 for draws), of actions as for scores; None if unknown. line: actions of
    best play, as far as known, possibly empty. nodes: positions visited, 0 for a look into a table. is_exact: False if the
    solver was stopped before it had an answer: then nothing else counts.
    """

    action_values: dict[int, float]
    scores: dict[int, int] | None = None
    distances: dict[int, int] | None = None
    line: tuple[int, ...] = ()
    nodes: int = 0
    is_exact: bool = True

    def rank(self, action: int) -> tuple[float, float, float]:
        """What puts actions in order, the greatest first: value, score, then soon won or late lost."""
        value = self.action_values[action]
        score = 0.0 if self.scores is None else self.scores.get(action, -np.inf)
        plies = 0 if self.distances is None else self.distances.get(action, 0)
        return value, score, float(-plies if value > 0 else plies if value < 0 else 0)

    @property
    def best(self) -> int:
        """The action to play: the first of the greatest rank."""
        return max(sorted(self.action_values), key=self.rank)

    @property
    def equals(self) -> list[int]:
        """The actions of the greatest rank, ascending; all of them only where the solver was asked for "full"."""
        best = self.rank(self.best)
        return [action for action in sorted(self.action_values) if self.rank(action) == best]

    @property
    def value(self) -> float:
        """Value of the position."""
        return max(self.action_values.values())


class Solver(Protocol):
    """Knows the exact value of positions of one game (with its options), of all of them or of those that it `covers`.

    name: what it is called in messages. is_quick: whether every answer takes a few hundredths of a second at most; else it
    is asked on a worker thread, and has to look at `stop`.
    """

    name: str
    is_quick: bool

    def covers(self, board: Board) -> str:
        """Empty if it can answer at this board; else why it cannot, in words that end a sentence (no full stop)."""

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """The solution of a board that it covers, where a seat is to play. The board is left as it was.

        stop: int64 (1,); once it is not 0, the solver returns within 0.1 s, with `is_exact` False if it had no answer; where it
        is 1 from the start, it only makes ready (compiles, reads its table).
        detail: what has to be found, nothing else being searched for: the "action" to play with its value; the "values" of
        all actions; or in "full" their scores and distances too, and the line. The choice is the same with each.
        """


@dataclass(frozen=True)
class ExactAnalysis(Analysis):
    """An `Analysis` by a solver, with what it knows beyond values: see `Solution`."""

    scores: dict[int, int] | None = None
    distances: dict[int, int] | None = None


def solver_for(game: Game, settings: Mapping[str, str] | None = None) -> Solver:
    """The solver of a game. settings: as texts, those that SETTINGS names.

    Raises UnsupportedGameError if there is none for the game or its options, SpecError for a bad setting.
    """
    if game.name not in SOLVERS:
        raise UnsupportedGameError(f"there is no solver for {game.id}; there is one for {', '.join(sorted(SOLVERS))}")
    module, _, factory = SOLVERS[game.name].partition(":")
    make: Callable[..., Solver] = getattr(importlib.import_module(module), factory)
    return make(game, **(settings or {}))


class PerfectPolicy(StreamPolicy):
    """Plays a proven best action; where the solver cannot answer, what `fallback` plays.

    Args:
        game: the game.
        spec: the spec string that names it.
        settings: of the solver, as texts.
        seconds: time of the solver for each move; None: as long as it takes.
        total: time of the solver and the fallback together for each move: the fallback, a search, gets what the solver leaves.
            None: the fallback has its own time.
        detail: what `analyse` finds out, "values" or "full": see `Solver.solve`.
        ties: which of equally good actions is played: the "first", or one drawn at "random". To draw takes longer, as the
            solver is asked for the scores of all actions.
        fallback: plays where the solver does not cover the position, or ran out of time; None: that is an error.
        seed: of what is drawn among equals, and of the fallback's draws.
    """

    def __init__(
        self,
        game: Game,
        spec: str = "perfect",
        *,
        settings: Mapping[str, str] | None = None,
        seconds: float | None = None,
        total: float | None = None,
        detail: Detail = "values",
        ties: Ties = "first",
        fallback: Policy | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, seed=seed)
        self.spec, self.settings, self.seconds, self.fallback = spec, dict(settings or {}), seconds, fallback
        self.total, self._spent = total, 0.0
        self.detail: Detail = detail
        self.ties: Ties = ties
        self.has_clock = seconds is not None or bool(getattr(fallback, "has_clock", False))
        self.solver = solver_for(game, self.settings)
        self._is_compiled, self._stop = False, np.zeros(1, np.int64)

    def __reduce__(self) -> Any:
        settings = {"settings": self.settings, "seconds": self.seconds, "total": self.total, "detail": self.detail}
        return _restore, (self.game, self.spec, {**settings, "ties": self.ties, "fallback": self.fallback}, self.rng)

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game; a seed is handed on to the fallback."""
        super().reset(seed=seed)
        if self.fallback is not None:
            self.fallback.reset(seed=seed)

    def solution(self, board: Board, *, detail: Detail = "full") -> Solution | None:
        """What the solver says; None where it cannot answer and there is a fallback. detail: see `Solver.solve`.

        Raises:
            UnsupportedGameError, ValueError: as `act` of any policy, for boards that it cannot be asked about.
            UnsolvedPositionError: it cannot answer, and there is no fallback.
        """
        found, reason = self._ask(board, detail, self.seconds)
        if found is None and self.fallback is None:
            raise UnsolvedPositionError(
                f"{self.solver.name} cannot answer at {board.fen()!r}: {reason}; name a policy that "
                "plays there, as in perfect(uct:1000)",
                reason,
            )
        return found

    def _ask(self, board: Board, detail: Detail, seconds: float | None) -> tuple[Solution | None, str]:
        """(what the solver says, ""), or (None, why it says nothing). Raises as `act` for boards that it is not for."""
        check_board(self, board)
        self._spent = 0.0
        if reason := self.solver.covers(board):
            return None, reason
        self._stop = stop = np.zeros(1, np.int64)

        def call() -> Solution:
            return self.solver.solve(board, stop, detail=detail)

        if seconds is not None and not self._is_compiled:  # the clock starts when the solver's kernels are there
            self.warm(board)
        started = time.monotonic()
        found: Solution = call() if self.solver.is_quick else run_interruptible(call, stop, seconds=seconds)
        self._spent = time.monotonic() - started
        if found.is_exact:
            return found, ""
        return None, f"not solved within {self.seconds:g} s" if self.seconds is not None else "the solver was stopped"

    def act_with(self, board: Board, rng: NDArray[np.uint64], *, deterministic: bool = False) -> int:
        """As `act`; ties are drawn from the other stream, and the fallback draws from it."""
        is_drawn = self.ties == "random" and not deterministic
        found = self.solution(board, detail="full" if is_drawn else "action")
        if found is not None:
            return found.equals[draw(rng, len(found.equals))] if is_drawn else found.best
        fallback: Any = self._fallback_in_time()
        if callable(getattr(fallback, "act_with", None)):
            return int(fallback.act_with(board, rng, deterministic=deterministic))
        return int(fallback.act(board, deterministic=deterministic))

    def analyse(self, board: Board) -> Analysis:
        """Every action's exact value, with the policy's detail beyond it; else the fallback's analysis.

        Raises as `solution`, and UnsupportedGameError if a fallback is asked that cannot analyse.
        """
        started = time.perf_counter()
        found = self.solution(board, detail=self.detail)
        if found is None:
            return self._ask_fallback("analyse", board)  # type: ignore[no-any-return]
        return exact_analysis(found, time.perf_counter() - started)

    def analyses(self, board: Board) -> Iterator[Analysis]:
        """The values as soon as they are there, then the details if they are wanted and come in time.

        The last is what `analyse` returns, unless time runs out between. Raises as `analyse`.
        """
        started = time.perf_counter()
        found = self.solution(board, detail="values")
        if found is None:
            yield self._ask_fallback("analyse", board)
            return
        spent = time.perf_counter() - started
        yield exact_analysis(found, spent)
        if self.detail == "full":
            more, _ = self._ask(board, "full", None if self.seconds is None else max(0.0, self.seconds - spent))
            if more is not None:
                more = replace(more, nodes=found.nodes + more.nodes)
                yield exact_analysis(more, time.perf_counter() - started)

    def warm(self, board: Board) -> None:
        """Compiles and reads what the solver needs at a board that it covers."""
        if not self.solver.covers(board):
            for detail in get_args(Detail):
                self.solver.solve(board, np.ones(1, np.int64), detail=detail)
            self._is_compiled = True

    def interrupt(self) -> None:
        """Ends what runs, from another thread: the solver has then no answer, the fallback the one that it has found."""
        self._stop[0] = 1
        interrupt(self.fallback)

    def evaluate(self, board: Board) -> float:
        """Value for the seat to play, in [-1, 1]: exact, or the fallback's. Raises as `analyse`."""
        found = self.solution(board, detail="action")
        return float(self._ask_fallback("evaluate", board)) if found is None else found.value

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """float64 (num_actions,): equal for all that it may play, 0 elsewhere; or the fallback's. Raises as `analyse`."""
        found = self.solution(board, detail="full" if self.ties == "random" else "action")
        if found is None:
            return self._ask_fallback("action_probabilities", board)  # type: ignore[no-any-return]
        probabilities = np.zeros(self.game.num_actions)
        played = found.equals if self.ties == "random" else [found.best]
        probabilities[played] = 1.0 / len(played)
        return probabilities

    def _fallback_in_time(self) -> Policy | None:
        """The fallback, with the time that the solver has left it."""
        if self.total is not None:
            self.fallback.seconds = max(self.total - self._spent, LEAST_S)  # type: ignore[union-attr]
        return self.fallback

    def _ask_fallback(self, what: str, board: Board) -> Any:
        method = getattr(self._fallback_in_time(), what, None)
        if not callable(method):
            raise UnsupportedGameError(
                f"{self.spec}: {self.solver.name} cannot answer at {board.fen()!r}, and "
                f"{getattr(self.fallback, 'spec', self.fallback)} has no {what}()"
            )
        return method(board)


def exact_analysis(found: Solution, seconds: float) -> ExactAnalysis:
    """A solution as an analysis. seconds: that it took."""
    line = found.line if found.line[:1] == (found.best,) else (found.best,)
    return ExactAnalysis(
        action=found.best,
        value=found.value,
        principal_variation=line,
        action_values=dict(sorted(found.action_values.items())),
        visit_counts={},
        depth=len(line),
        nodes=found.nodes,
        seconds=seconds,
        is_proven=True,
        scores=found.scores,
        distances=found.distances,
    )


def _restore(
    game: Game,
    spec: str,
    settings: dict[str, Any],
    rng: NDArray[np.uint64],
) -> PerfectPolicy:
    """A policy from its copy or pickle; its stream goes on where it was."""
    policy = PerfectPolicy(game, spec, **settings, seed=0)
    policy.rng = rng.copy()
    return policy


def make_perfect(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> PerfectPolicy:
    """`perfect`, `perfect(SPEC)`; time=10s limits the solver; detail=full; ties=random; others are the solver's (SETTINGS).

    total=20s limits solver and fallback together, which is a search by time: `perfect:time=10s,total=20s(uct:20s)`.

    Raises SpecError, UnsupportedGameError.
    """
    own = SETTINGS.get(game.name, ())
    refuse_extras(spec, keywords=("time", "total", "detail", "ties", *own), argument=False, inner=min(len(spec.inner), 1))
    seconds, total = (read_time(spec, name) if name in spec.keywords else None for name in ("time", "total"))
    detail = spec.keywords.get("detail", "values")
    if detail not in ("values", "full"):
        raise SpecError(
            f"policy spec {spec.text!r}: the detail {detail!r}; expected detail=values (of every action) or detail=full "
            "(scores, distances and the line too)"
        )
    ties = spec.keywords.get("ties", "first")
    if ties not in get_args(Ties):
        raise SpecError(
            f"policy spec {spec.text!r}: the ties {ties!r}; expected ties=random (any of equally good moves) or ties=first"
        )
    fallback = build_policy(spec.inner[0], game, seed=seed, trust=trust) if spec.inner else None
    if total is not None and not (isinstance(fallback, TIMED) and fallback.seconds is not None):
        raise SpecError(
            f"policy spec {spec.text!r}: total= is shared with a search by time; expected one in brackets, as in "
            f"perfect:time=0.5s,total=1s(uct:1s)"
        )
    if total is not None and (seconds is None or seconds > total):
        raise SpecError(
            f"policy spec {spec.text!r}: total={total:g}s, with {'no time=' if seconds is None else f'time={seconds:g}s'}; "
            "expected a time for the solver, at most the total, as in perfect:time=0.5s,total=1s(uct:1s)"
        )
    settings = {key: text for key, text in spec.keywords.items() if key in own}
    return PerfectPolicy(
        game,
        spec.text,
        settings=settings,
        seconds=seconds,
        total=total,
        detail=cast("Detail", detail),
        ties=cast("Ties", ties),
        fallback=fallback,
        seed=seed,
    )
