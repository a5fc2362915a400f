"""Every line of play: a policy against each sequence of replies, from one start or from many, and what it loses of them.

A table may value actions alike. What counts then is the expectation if each tie is broken at random; beside it stands the
worst, which takes at each turn the action below which the greatest share of lines is lost.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.arena.match import ask, is_random
from boardgym.baselines.arena.ratings import Interval, score_interval
from boardgym.baselines.trials.shares import exactly
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.policy import Policy
from boardgym.core.random import stream
from boardgym.games.card_points import places

MOST_POSITIONS = 100_000  # of the policy, from one start


@dataclass(frozen=True)
class SeatLines:
    """A policy on one seat against sequences of replies, all of them or a fixed set.

    lines: how many. won, drawn, lost: of them, the expected numbers where ties are broken at random. turns: the policy's, on
    all lines; unknown: of them those of which its table knows nothing (0 for a policy that is no table). worst_quality: share
    of lines not lost if of equal actions the worst is taken; None where that was not looked for. outcomes: share of lines not
    lost of each start or sequence, in order. quality: their mean, with a 95 % interval over starts or sequences of the same
    kind (bootstrap), of no width where all lines there are were played. floor: the quality of uniformly random play in the
    same test.
    """

    seat: int
    lines: float
    won: float
    drawn: float
    lost: float
    turns: float
    unknown: float
    worst_quality: float | None
    outcomes: tuple[float, ...]
    quality: Interval
    floor: Interval

    @property
    def is_perfect(self) -> bool | None:
        """Whether no line is lost, whichever of equal actions is taken; None where the worst ones were not looked for."""
        return None if self.worst_quality is None else self.worst_quality == 1.0


def knowledge(policy: Policy, board: Board) -> dict[int, tuple[float, int]] | None:
    """What a table has of a position: action -> (value, visits); None for a policy that is no table."""
    look: Callable[[Board], dict[int, tuple[float, int]]] | None = getattr(policy, "action_values", None)
    return look(board) if callable(look) else None


def is_unknown(known: dict[int, tuple[float, int]] | None) -> bool:
    """Whether a table has never updated any action of a position."""
    return known is not None and not any(visits for _, visits in known.values())


def best_actions(policy: Policy, board: Board) -> tuple[tuple[int, ...], bool]:
    """(the actions of equal value that a policy may take, whether its table knows nothing of the position).

    The first is its deterministic action, or a draw for a policy that is random by its spec. Raises IllegalActionError, through
    the board, only when the action is played.
    """
    action, known = ask(policy, board, deterministic=not is_random(policy)), knowledge(policy, board)
    if known is None:
        return (action,), False
    best = max(value for value, _ in known.values())
    return (action, *(other for other, (value, _) in known.items() if value == best and other != action)), is_unknown(known)


class Below(NamedTuple):
    """The lines below a position: how many are won, drawn and lost, and the turns on them, at unknown positions among them.

    worst_lines, worst_lost: lines, and those lost, if of equal actions the worst is taken.
    """

    won: float
    drawn: float
    lost: float
    turns: float
    unknown: float
    worst_lines: float
    worst_lost: float


class Walk:
    """Counts the lines below a position: sums over replies; at the turns of a seat, means over the actions that it may take.

    choices: of a board, these actions and whether nothing is known of it.
    """

    def __init__(self, seat: int, choices: Callable[[Board], tuple[Sequence[int], bool]]) -> None:
        self.seat, self.choices = seat, choices
        self.found: dict[Any, Below] = {}
        self.asked = 0

    def lines(self, board: Board) -> Below:
        """What lies below. The board is left as it was. Raises OptionError, UnsupportedGameError as `every_line`."""
        if board.is_terminal:
            pays = board.returns()[self.seat]
            return Below(float(pays > 0.0), float(pays == 0.0), float(pays < 0.0), 0.0, 0.0, 1.0, float(pays < 0.0))
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
            raise OptionError(f"{board.game.id}: more than {MOST_POSITIONS:,} positions of seat {self.seat}; every line is "
                              "for small games")  # fmt: skip
        self.asked += 1
        actions, is_new = self.choices(board)
        each = [self._after(board, action) for action in actions]
        won, drawn, lost, turns, unknown = (sum(column) / len(each) for column in list(zip(*each, strict=True))[:5])
        worst = max(each, key=lambda below: below.worst_lost / below.worst_lines)
        lines = won + drawn + lost
        return Below(won, drawn, lost, turns + lines, unknown + lines * is_new, worst.worst_lines, worst.worst_lost)

    def _after(self, board: Board, action: int) -> Below:
        board.push(action)
        found = self.lines(board)
        board.pop()
        return found


def every_line(
    policy: Policy, seat: int, boards: Sequence[Board], *, seed: int = 0, label: Callable[[], None] | None = None
) -> SeatLines:
    """Plays a policy's seat against every sequence of replies, from boards of a small game without chance.

    Each position of the policy is asked once; a policy that is random by its spec draws there.

    Args:
        policy: the policy.
        seat: where it sits.
        boards: where lines begin; they are left as they were. Each counts alike.
        seed: of the policy's draws.
        label: called after each start.

    Raises: OptionError for a game of too many positions, UnsupportedGameError for one of chance, IllegalActionError for a
    policy
        that breaks the rules.
    """
    found, floors = [], []
    for number, board in enumerate(boards):
        policy.reset(seed=int(stream(seed, seat, number)[0]) >> 1)
        found.append(Walk(seat, lambda at: best_actions(policy, at)).lines(board.copy()))
        floors.append(random_share(board, seat))
        if label is not None:
            label()
    outcomes = tuple(1.0 - below.lost / (below.won + below.drawn + below.lost) for below in found)
    worst = float(np.mean([1.0 - below.worst_lost / below.worst_lines for below in found]))
    won, drawn, lost, turns, unknown, _, _ = (float(sum(column)) for column in zip(*found, strict=True))
    floor = exactly(float(np.mean(floors)))  # of these very starts
    return SeatLines(seat, won + drawn + lost, won, drawn, lost, turns, unknown, worst, outcomes, interval_of(outcomes), floor)


def interval_of(outcomes: Sequence[float]) -> Interval:
    """The mean with its interval over starts like these; of a single start, which is all there is, of no width."""
    return exactly(outcomes[0]) if len(outcomes) == 1 else score_interval(outcomes)


def random_share(board: Board, seat: int) -> float:
    """The share of lines below a board that are not lost, in expectation, if the seat takes any action: exact."""
    if board.game.name == "CardPoints":
        return random_share_of_row(board, seat)
    below = Walk(seat, lambda at: (at.legal_actions, False)).lines(board.copy())
    return 1.0 - below.lost / (below.won + below.drawn + below.lost)


def random_share_of_row(board: Board, seat: int) -> float:
    """The same of CardPoints, where all lines have one length and so one weight: from the margins of all plays of the row.

    chances[i]: of the cards from place i on, as many as the loop has come to, the chance of each margin for the seat to play,
    from -most to most.
    """
    position = board.position
    row = [rank for rank in places(position) if rank]
    most = sum(row)
    chances = [np.eye(1, 2 * most + 1, most)[0] for _ in range(len(row) + 1)]
    for length in range(1, len(row) + 1):  # what an end gives, less the margin of the other seat in the rest
        chances = [(np.roll(chances[i + 1][::-1], row[i]) + np.roll(chances[i][::-1], row[i + length - 1])) / 2.0
                   for i in range(len(row) - length + 1)]  # fmt: skip
    sign = 1 if board.to_play == 0 else -1
    ahead = sign * (position.first_points - position.second_points) + np.arange(-most, most + 1)
    is_kept = ahead >= 0 if board.to_play == seat else ahead <= 0
    return float(chances[0][is_kept].sum())
