"""Every line of play: a policy against each sequence of replies, from one start or from many, and what it loses of them.

A table may value actions alike. Then it is taken to break each tie at random, and what counts is the expected number of lines
not lost, of the expected number of lines (which may depend on what it plays).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.arena.game import ask, is_random
from boardgym.baselines.arena.ratings import Interval, score_interval
from boardgym.baselines.thesis_tests.shares import clustered, exactly
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.policy import Policy
from boardgym.core.random import stream

MOST_POSITIONS, MOST_PLIES = 100_000, 200  # of the policy, and of a line, from one start
DRAWS = 50  # of the actions of a policy that is random by its spec, from a single start


@dataclass(frozen=True)
class SeatLines:
    """A policy on one seat against sequences of replies, all of them or a fixed set.

    lines: how many. won, drawn, lost: of them, the expected numbers where ties are broken at random. turns: the policy's, on
    all lines; unknown: of them those of which its table knows nothing (0 for a policy that is no table). In all of these each
    start counts alike, however many lines begin there. is_perfect: whether no line is lost by the policy's deterministic
    actions, of a table whichever of equal actions it takes; None for fixed sequences, and for a policy that is random by its
    spec. outcomes: share of lines not lost of each start, sequence or draw, in order. quality: their mean, of draws that of
    all their lines, with a 95 % interval over starts, sequences or draws of the same kind, of no width where all
    lines there are were played. floor: the quality of uniformly random play in the same test.
    """

    seat: int
    lines: float
    won: float
    drawn: float
    lost: float
    turns: float
    unknown: float
    is_perfect: bool | None
    outcomes: tuple[float, ...]
    quality: Interval
    floor: Interval


def visits_of(policy: Policy, board: Board) -> dict[int, int]:
    """How often a table has updated each legal action of a position; empty for a policy that is no table."""
    look: Callable[[Board], dict[int, int]] | None = getattr(policy, "visit_counts", None)
    return look(board) if callable(look) else {}


def is_unknown(visits: Mapping[int, int]) -> bool:
    """Whether a table has never updated any action of a position."""
    return len(visits) > 0 and not any(visits.values())


def best_actions(policy: Policy, board: Board) -> tuple[tuple[int, ...], bool]:
    """(the actions of equal value that a policy may take, whether its table knows nothing of the position).

    The first is its deterministic action, or a draw for a policy that is random by its spec. Raises IllegalActionError, through
    the board, only when the action is played.
    """
    action, visits = ask(policy, board, deterministic=not is_random(policy)), visits_of(policy, board)
    if not visits:
        return (action,), False
    values: dict[int, float] = policy.action_values(board)  # type: ignore[attr-defined]
    best = max(values.values())
    return (action, *(other for other, value in values.items() if value == best and other != action)), is_unknown(visits)


class Below(NamedTuple):
    """How many lines below a position are won, drawn and lost, and the turns on them, at unknown positions among them."""

    won: float
    drawn: float
    lost: float
    turns: float
    unknown: float

    @property
    def lines(self) -> float:
        """How many."""
        return self.won + self.drawn + self.lost

    @property
    def kept(self) -> float:
        """The share not lost."""
        return 1.0 - self.lost / self.lines


class Walk:
    """Counts the lines below a position: sums over replies; at the turns of a seat, means over the actions that it may take.

    choices: of a board, these actions and whether nothing is known of it.
    """

    def __init__(self, seat: int, choices: Callable[[Board], tuple[Sequence[int], bool]]) -> None:
        self.seat, self.choices = seat, choices
        self.found: dict[Any, Below] = {}
        self.asked = self.depth = 0

    def lines(self, board: Board) -> Below:
        """What lies below. The board is left as it was. Raises OptionError, UnsupportedGameError as `every_line`."""
        if board.is_terminal:
            pays = board.returns()[self.seat]
            return Below(float(pays > 0.0), float(pays == 0.0), float(pays < 0.0), 0.0, 0.0)
        if board.is_chance:
            raise UnsupportedGameError(f"{board.game.id}: chance plays at {board.fen()!r}; every line is for games without it")
        position = board.position
        found = self.found.get(position)
        if found is None:
            if board.to_play == self.seat:
                found = self._turn(board)
            else:
                found = Below(*map(sum, zip(*(self._after(board, action) for action in board.legal_actions), strict=True)))
            self.found[position] = found
        return found

    def _turn(self, board: Board) -> Below:
        if self.asked == MOST_POSITIONS:
            raise OptionError(
                f"{board.game.id}: more than {MOST_POSITIONS:,} positions of seat {self.seat}; every line is for small games"
            )
        self.asked += 1
        actions, is_new = self.choices(board)
        each = [self._after(board, action) for action in actions]
        won, drawn, lost, turns, unknown = (sum(column) / len(each) for column in zip(*each, strict=True))
        lines = won + drawn + lost
        return Below(won, drawn, lost, turns + lines, unknown + lines * is_new)

    def _after(self, board: Board, action: int) -> Below:
        if self.depth == MOST_PLIES:
            raise OptionError(f"{board.game.id}: a line of more than {MOST_PLIES} plies; every line is for small games")
        board.push(action)
        self.depth += 1
        found = self.lines(board)
        self.depth -= 1
        board.pop()
        return found


def random_share(board: Board, seat: int) -> float:
    """The share of lines below a board that are not lost, if the seat takes any action: exact.

    It is the expected number of lines not lost, of the expected number of lines. Raises OptionError, UnsupportedGameError as
    `every_line`.
    """
    return Walk(seat, lambda at: (at.legal_actions, False)).lines(board.copy()).kept


def every_line(
    policy: Policy,
    seat: int,
    boards: Sequence[Board],
    *,
    seed: int = 0,
    floor: Callable[[Board, int], float] = random_share,
    label: Callable[[], None] | None = None,
) -> SeatLines:
    """Plays a policy's seat against every sequence of replies, from boards of a small game without chance.

    Each position of the policy is asked once. A policy that is random by its spec draws there; from a single start all that is
    done DRAWS times, and the interval is over such draws.

    Args:
        policy: the policy.
        seat: where it sits.
        boards: where lines begin; they are left as they were. Each counts alike.
        seed: of the policy's draws.
        floor: what gives the share of lines below a board that are not lost if the seat takes any action.
        label: called after each start.

    Raises:
        OptionError: a game of too many positions, or too long lines.
        UnsupportedGameError: a game of chance, or one in which repetitions count, so that a position alone does not say what
            lies below it.
        IllegalActionError: a policy that breaks the rules.
    """
    game, is_drawn = boards[0].game, is_random(policy)
    if game.repetition_limit > 0:
        raise UnsupportedGameError(
            f"{game.id}: repetitions count (repetition_limit={game.repetition_limit}); every line is "
            "for games in which they do not"
        )
    found, floors = [], []
    draws = DRAWS if is_drawn and len(boards) == 1 else 1
    for number, board in enumerate(boards):
        for draw in range(draws):
            policy.reset(seed=int(stream(seed, seat, number + draw)[0]) >> 1)
            found.append(Walk(seat, lambda at: best_actions(policy, at)).lines(board.copy()))
        floors.append(floor(board, seat))
        if label is not None:
            label()
    outcomes, lines = tuple(below.kept for below in found), sum(below.lines for below in found)
    if draws > 1:  # as of a table that breaks ties at random: of all their lines, however many a draw has
        alike = [1.0] * draws
        quality = clustered([below.won + below.drawn for below in found], [below.lines for below in found])
    else:
        alike, quality = [lines / (len(found) * below.lines) for below in found], interval_of(outcomes)
    won, drawn, lost, turns, unknown = (
        float(sum(weight * n for weight, n in zip(alike, column, strict=True))) for column in zip(*found, strict=True)
    )
    is_perfect = None if is_drawn else lost == 0.0
    floors_mean = exactly(float(np.mean(floors)))
    return SeatLines(seat, lines, won, drawn, lost, turns, unknown, is_perfect, outcomes, quality, floors_mean)


def interval_of(outcomes: Sequence[float]) -> Interval:
    """The mean with its interval over starts like these; of a single start, which is all there is, of no width."""
    return exactly(outcomes[0]) if len(outcomes) == 1 else score_interval(outcomes)
