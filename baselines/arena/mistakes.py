"""A game looked at ply by ply: the value of each position, and the moves that gave value away, in words.

The loss of a move is the value of the position less the value of what it led to, both for the seat that moved, in [0, 2]
(`regret` averages the same measure over many games). Where both values are exact, the words say so: "4 turned a win into a
draw". Else two estimates are made, from the values of the two positions and from the value that the first search gave the
move, and the lesser counts, from INACCURACY on, and only if it is greater than twice the spread of the two values.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from boardgym.baselines.perfect.policy import PerfectPolicy, UnsolvedPositionError
from boardgym.baselines.search.analysis_data import known_values
from boardgym.baselines.search.common import scale_of
from boardgym.core.board import Board
from boardgym.core.policy import Analysis

INACCURACY, MISTAKE, BLUNDER = 0.2, 0.4, 0.8  # loss of value; from a win to a draw is 1, to a loss 2
EXACT_NOISE = 1e-9  # losses below it are rounding
SPREADS = 2.0
RESULTS = {1.0: "a win", 0.0: "a draw", -1.0: "a loss"}


@dataclass(frozen=True)
class Worth:
    """What is known of a position. All is for the seat to play.

    value: in [-1, 1]; None if unknown. is_exact: whether it is proven. spread: standard error of the value, of searches by
    simulations; None of others. how: what found it, in words. best: the action to play, None at the end of the game.
    action_values: of those actions that have been looked at.
    """

    value: float | None
    is_exact: bool = False
    spread: float | None = None
    how: str = ""
    best: int | None = None
    action_values: dict[int, float] | None = None


@dataclass(frozen=True)
class Ply:
    """A position of a game, and the move that led to it.

    ply: moves and rolls before the position. move, seat: that led here, None at the start; seat -1 for chance.
    values: for each seat, None where unknown. is_exact: whether they are proven. best: the move to play here, None if unknown
    or the game is over. note: why nothing is known. loss: what the move gave away, None if unknown. better: the move in its
    place, None if it was the best. mark: "", "inaccuracy", "mistake" or "blunder". words: what to say of the move, empty if
    nothing.
    """

    ply: int
    move: str | None
    seat: int | None
    values: list[float | None]
    is_exact: bool
    best: str | None
    note: str = ""
    loss: float | None = None
    better: str | None = None
    mark: str = ""
    words: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def judge_game(start: Board, actions: Sequence[int], policy: Any) -> Iterator[Ply]:
    """The positions of a game, from the first to the last, each as soon as it has been looked at.

    Args:
        start: where the game began; it is left as it was.
        actions: what was played, rolls included.
        policy: with `analyse`; `perfect` judges exactly where it can.

    Raises: IllegalActionError for an action that is not allowed; as the policy's `analyse`.
    """
    board = start.copy()
    board.auto_roll = False
    before = after = worth_of(board, policy)
    yield _as_ply(board, after, move=None, seat=None)
    for action in actions:
        seat, move, was = board.to_play, board.move_text(action), board.copy()
        board.push(action)
        before, after = after, worth_of(board, policy)
        ply = _as_ply(board, after, move=move, seat=seat)
        yield ply if seat < 0 else _judged(ply, was, action, before, _after_move(was, board, action, before, after, policy))


def worth_of(board: Board, policy: Any) -> Worth:
    """What a policy knows of a position; at the end of a game what it paid. Nothing where chance is to act."""
    if board.is_terminal:
        return Worth(board.returns()[board.last_mover or 0] * scale_of(board.game), is_exact=True, how="the end of the game")
    if board.is_chance:
        return Worth(None, how="chance is to act")
    try:
        if isinstance(policy, PerfectPolicy):
            found = policy.solution(board, detail="action")
            if found is not None:
                return Worth(found.value, True, None, policy.solver.name, found.best, found.action_values)
        return _searched(policy.analyse(board), policy)
    except UnsolvedPositionError as error:
        return Worth(None, how=error.reason or str(error))


def _searched(found: Analysis, policy: Any) -> Worth:
    spread, how = None, f"{policy.spec}, depth {found.depth}"
    if found.visit_counts and not found.is_proven and found.cutoffs == found.table_hits == 0 and _simulates(found):
        spread = math.sqrt(max(1.0 - found.value**2, 0.0) / max(found.nodes, 1))
        how = f"{policy.spec}, {found.nodes:,} simulations"
    return Worth(found.value, found.is_proven, spread, how, found.action, known_values(found))


def _simulates(found: Analysis) -> bool:
    """Whether the counts are visits, which add up to the simulations."""
    return sum(found.visit_counts.values()) == found.nodes


def _values(board: Board, worth: Worth) -> list[float | None]:
    """The value for each seat: of two, one gets what the other does not; of more, only that of the seat to play is known."""
    game = board.game
    if board.is_terminal:
        return [pay * scale_of(game) for pay in board.returns()]
    values: list[float | None] = [None] * game.num_seats
    if worth.value is not None:
        values[board.to_play] = worth.value
        if game.num_seats == 2:
            values[1 - board.to_play] = -worth.value + 0.0
    return values


def _as_ply(board: Board, worth: Worth, *, move: str | None, seat: int | None) -> Ply:
    best = None if worth.best is None else board.move_text(worth.best)
    note = worth.how if worth.value is None else ""
    return Ply(len(board.actions), move, seat, _values(board, worth), worth.is_exact, best, note)


def _after_move(was: Board, board: Board, action: int, before: Worth, after: Worth, policy: Any) -> Worth:
    """What a move led to, for the seat that played it."""
    value = None if after.value is None else _values(board, after)[was.to_play]
    if value is not None:
        return Worth(value, after.is_exact, after.spread, after.how)
    values = before.action_values or {}  # chance comes between, or a third seat, or the solver's limit
    if action not in values and isinstance(policy, PerfectPolicy) and before.is_exact:
        found = policy.solution(was, detail="values")
        values = {} if found is None else found.action_values
    return Worth(values.get(action), before.is_exact, before.spread, before.how)


def _judged(ply: Ply, was: Board, action: int, before: Worth, after: Worth) -> Ply:
    """The position with what is to be said of the move."""
    if before.value is None or after.value is None or len(was.legal_actions) == 1:
        return ply
    is_exact = before.is_exact and after.is_exact
    loss = max(before.value - after.value, 0.0)
    if not is_exact and before.action_values is not None:
        loss = max(min(loss, before.value - before.action_values.get(action, -1.0)), 0.0)
    better = None if before.best in (None, action) else was.move_text(before.best)
    fields = {**asdict(ply), "loss": loss, "better": better if loss > EXACT_NOISE else None}
    spread = None if before.spread is None and after.spread is None else math.hypot(before.spread or 0.0, after.spread or 0.0)
    is_counted = loss > EXACT_NOISE if is_exact else loss >= INACCURACY and loss > SPREADS * (spread or 0.0)
    if is_counted:
        fields["mark"] = "blunder" if loss >= BLUNDER * (1 + is_exact) else "mistake" if loss >= MISTAKE else "inaccuracy"
        fields["words"] = in_words(ply.move or "", before, after, loss, is_exact=is_exact, spread=spread, better=better)
    return Ply(**fields)


def in_words(
    move: str, before: Worth, after: Worth, loss: float, *, is_exact: bool, spread: float | None, better: str | None
) -> str:
    """What a move gave away, as a sentence without full stop that says how sure it is."""
    assert before.value is not None
    assert after.value is not None
    best = f"; {better} was better" if better else ""
    change = f"{before.value:+.2f} to {after.value + 0.0:+.2f}"
    if is_exact:
        if before.value in RESULTS and after.value in RESULTS:
            return f"{move} turned {RESULTS[before.value]} into {RESULTS[after.value]}{best}"
        return f"{move} gave away {loss:.2f} of value ({change}){best}"
    sure = "not proven" if spread is None else f"give or take {SPREADS * spread:.2f}"
    return f"{move} gave away about {loss:.2f} of value ({change}; {before.how}, {sure}){best}"
