"""The best lines of a position, several beside each other: the search's own, and those that begin with the next best moves.

A search tells one line, its principal variation, and a value for each action. A line that begins with another action is found
by a smaller search of the position after it: one ply less deep, or with the simulations that the action has had.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from boardgym.baselines.search.analysis_data import known_values, ranked
from boardgym.baselines.search.anytime import is_deep, is_search, moves_of, with_argument, with_limits
from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import Spec, build_policy

LEAST_SIMULATIONS = 100
LINE_S = 0.3  # for each line but the first


@dataclass(frozen=True)
class Line:
    """action: its first. value: of that action, for the seat to play; None if the search has none. moves: in notation."""

    action: int
    value: float | None
    moves: list[str]


def best_lines(
    board: Board, spec: Spec, found: Analysis, count: int, *, build: Callable[..., Any] = build_policy
) -> Iterator[Line]:
    """The best lines, the search's own first. The board is left as it was.

    Args:
        board: the position that was searched.
        spec: of the search.
        found: what it found.
        count: of lines, at least 1; fewer come where there are fewer actions with a value.
        build: makes the policies that search for the others, as `build_policy` does.
    """
    values = known_values(found)
    yield Line(found.action, values.get(found.action, found.value), moves_of(board, found.principal_variation))
    for action in [action for action in ranked(found)[1:] if action in values][: count - 1]:
        after = board.copy()
        after.auto_roll = False
        after.push(action)
        answer: tuple[int, ...] = ()
        if not (after.is_terminal or after.is_chance):
            answer = _answer(after, build(_smaller(spec, found, action), after.game, seed=0, trust=False))
        yield Line(action, values[action], moves_of(board, (action, *answer)))


def _smaller(spec: Spec, found: Analysis, action: int) -> Spec:
    """The search of the position after an action."""
    if is_deep(spec):
        return with_limits(spec, depth=max(found.depth - 1, 1), seconds=LINE_S)
    if is_search(spec):
        return with_limits(spec, nodes=max(found.visit_counts.get(action, 0), LEAST_SIMULATIONS), seconds=LINE_S)
    return with_argument(spec, "", detail="full", time=f"{LINE_S}s") if spec.name == "perfect" else spec


def _answer(after: Board, policy: Any) -> tuple[int, ...]:
    """The line that a policy expects, empty where it knows none: a solver may have too little time."""
    try:
        return tuple(policy.analyse(after).principal_variation)
    except UnsupportedGameError:
        return ()
