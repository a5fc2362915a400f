"""Connect Four's base test: a fixed set of reply sequences, each a deterministic opponent that a policy meets from the start.

A sequence is a list of numbers, one for each of its turns, from a counter-based stream; a number picks one of the columns
that come in question (`tactics.reply_to`). Even sequences pick among all columns; odd ones take a win, else block one, else
pick among all. So every policy meets the same opponents, and two policies can be compared sequence by sequence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.game import is_random
from boardgym.baselines.arena.ratings import Interval, score_interval
from boardgym.baselines.thesis_tests import tactics
from boardgym.baselines.thesis_tests.lines import SeatLines, best_actions
from boardgym.core.board import Board
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.core.random import draw, next_word, stream

SEQUENCES, SEED = 1_000, 1  # the published set
TIE_PLAYS = 10  # of a sequence on which a table met a tie
RANDOM_PLAYS = 100  # of each sequence by the random player: 100,000 games

WIN_NOW, BLOCK, FORK, OPENING = "take the win", "do not let yourself be beaten", "do not allow a fork", "open in the centre"


@dataclass(frozen=True)
class Decisions:
    """A kind of decision that a policy met on the lines of a seat.

    met, right: how many, and how many of them it got right, as expected where ties are broken at random. floor: the share
    that is right, in expectation, of actions taken at random at these very decisions.
    """

    seat: int
    category: str
    met: float
    right: float
    floor: float

    @property
    def share(self) -> float:
        """Right of those met."""
        return self.right / self.met


def by_kind(outcomes: Sequence[float]) -> dict[str, float]:
    """The quality against each kind of sequence. outcomes: of all sequences, in order."""
    return {"tactical": float(np.mean(outcomes[1::2])), "uniform": float(np.mean(outcomes[::2]))}


def reply_numbers(game: Game, count: int = SEQUENCES, seed: int = SEED) -> NDArray[np.int64]:
    """The sequences: int64 (count, turns), each number in [0, 2**32), turns as many as either seat may have."""
    turns = -(-game.max_plies // 2)
    numbers = np.empty((count, turns), np.int64)
    for k in range(count):
        rng = stream(seed, k)
        numbers[k] = [int(next_word(rng)) >> tactics.NUMBER_BITS for _ in range(turns)]
    return numbers


@dataclass(frozen=True)
class Turn:
    """What a policy does at a position: the actions of equal value, whether its table knows nothing there, and what is asked.

    category: "" if nothing is. right: the actions that are right.
    """

    actions: tuple[int, ...]
    is_new: bool
    category: str
    right: frozenset[int]
    legal: int


def asked_of(board: Board) -> tuple[str, frozenset[int]]:
    """(what a position of Connect Four asks of the seat to play, the actions that are right); "" if nothing in particular.

    A win at once is to be taken. Else, of columns some of which lose at the next ply and some do not, these. Else, of columns
    after some of which the other seat forces a win within five plies, those after which it does not. At the start, a middle
    column.
    """
    width = board.game.num_actions
    if board.position == board.game.start:
        return OPENING, frozenset({(width - 1) // 2, width // 2})
    found = np.empty(width, np.int64)
    tactics.weigh_kernel(board.game.token, board.row, found)
    kinds = found.tolist()
    legal = {action for action in range(width) if kinds[action] != tactics.ILLEGAL}
    by_kind = {kind: {action for action in legal if kinds[action] == kind} for kind in set(kinds)}
    for category, right in (
        (WIN_NOW, by_kind.get(tactics.WINS, set())),
        (BLOCK, legal - by_kind.get(tactics.LOSES, set())),
        (FORK, legal - by_kind.get(tactics.FORKED, set())),
    ):
        if 0 < len(right) < len(legal):
            return category, frozenset(right)
    return "", frozenset()


class Plays:
    """A policy on a seat against sequences of replies. Positions are asked once, unless the policy is random by its spec."""

    def __init__(self, policy: Policy, game: Game, seat: int, seed: int) -> None:
        self.policy, self.game, self.seat, self.seed = policy, game, seat, seed
        self.known: dict[Any, Turn] = {}
        self.is_drawn = is_random(policy)
        self.counts = np.zeros(5)  # won, drawn, lost, turns, unknown turns
        self.decisions: dict[str, NDArray[np.float64]] = {}  # met, right, expected of random ones

    def turn(self, board: Board) -> Turn:
        """What the policy does."""
        position = board.position
        found = None if self.is_drawn else self.known.get(position)
        if found is None:
            actions, is_new = best_actions(self.policy, board)
            found = self.known[position] = Turn(actions, is_new, *asked_of(board), len(board.legal_actions))
        return found

    def sequence(self, number: int, replies: list[int]) -> float:
        """Plays a sequence, more than once if there were ties. Returns the share of plays that were not lost."""
        self.policy.reset(seed=int(stream(self.seed, self.seat, number)[0]) >> 1)
        rng, plays, kept = stream(self.seed, self.seat, number, 0), 0, 0
        counts, decisions = np.zeros(5), dict[str, NDArray[np.float64]]()
        for _ in range(TIE_PLAYS):
            board, at, ties, plays = Board(self.game), 0, 0, plays + 1
            while not board.is_terminal:
                if board.to_play != self.seat:
                    board.push(tactics.reply_kernel(self.game.token, board.row, replies[at], number % 2 == 1))
                    at += 1
                    continue
                turn = self.turn(board)
                action = turn.actions[draw(rng, len(turn.actions)) if len(turn.actions) > 1 else 0]
                ties += len(turn.actions) > 1
                counts[3:] += 1.0, turn.is_new
                if turn.category:
                    met = decisions.setdefault(turn.category, np.zeros(3))
                    met += 1.0, action in turn.right, len(turn.right) / turn.legal
                board.push(action)
            pays = board.returns()[self.seat]
            counts[0 if pays > 0.0 else 1 if pays == 0.0 else 2] += 1.0
            kept += pays >= 0.0
            if not ties:
                break
        self.counts += counts / plays
        for category, met in decisions.items():
            self.decisions[category] = self.decisions.get(category, np.zeros(3)) + met / plays
        return kept / plays


def every_sequence(
    policy: Policy,
    seat: int,
    game: Game,
    *,
    seed: int = 0,
    numbers: NDArray[np.int64] | None = None,
    label: Callable[[], None] | None = None,
) -> tuple[SeatLines, tuple[Decisions, ...]]:
    """Plays a policy's seat of Connect Four against the published sequences.

    Args:
        policy: the policy; of a table's equal actions one is drawn, and the sequence played TIE_PLAYS times.
        seat: where it sits.
        game: Connect Four of any size.
        seed: of the policy's draws and of ties.
        numbers: other sequences, as `reply_numbers` gives them.
        label: called after each sequence.

    Raises: IllegalActionError for a policy that breaks the rules.
    """
    numbers = reply_numbers(game) if numbers is None else numbers
    plays, outcomes = Plays(policy, game, seat, seed), []
    for number, replies in enumerate(numbers.tolist()):
        outcomes.append(plays.sequence(number, replies))
        if label is not None:
            label()
    won, drawn, lost, turns, unknown = plays.counts.tolist()
    lines = SeatLines(
        seat,
        float(len(outcomes)),
        won,
        drawn,
        lost,
        turns,
        unknown,
        None,
        tuple(outcomes),
        score_interval(outcomes),
        random_floor(game, seat, numbers),
    )
    found = [
        Decisions(seat, category, float(met[0]), float(met[1]), float(met[2] / met[0]))
        for category in (OPENING, WIN_NOW, BLOCK, FORK)
        if (met := plays.decisions.get(category)) is not None
    ]
    return lines, tuple(found)


def random_floor(game: Game, seat: int, numbers: NDArray[np.int64]) -> Interval:
    """The quality of uniformly random play of a seat against sequences, from RANDOM_PLAYS games of each."""
    results = np.zeros((len(numbers), 3), np.int64)
    row = game.token.row(game.start)
    tactics.random_kernel(game.token, row, numbers, seat, RANDOM_PLAYS, stream(SEED, seat, len(numbers)), results)
    return score_interval((1.0 - results[:, 2] / RANDOM_PLAYS).tolist())
