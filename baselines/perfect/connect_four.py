"""Connect Four solved exactly: the answers of the search in `connect_four_search.py`, which says what a score is."""

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import new_words
from boardgym.baselines.perfect.connect_four_book import Book, find_book
from boardgym.baselines.perfect.connect_four_search import STOPPED, score_kernel
from boardgym.baselines.perfect.policy import Detail, Solution
from boardgym.baselines.perfect.sharing import check_threads, share
from boardgym.compile import entry_point
from boardgym.core.bits import popcount
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import Game
from boardgym.core.policy_spec import read_number

LEAST_TABLE_BITS, MOST_TABLE_BITS = 18, 30
TABLE_BITS = 23  # 64 MB
LEAST = -100  # below every score, as its negative is above


class ConnectFourSolver:
    """Exact scores of every position of a board size. See `boardgym.baselines.perfect.policy.Solver`.

    Args:
        game: Connect Four, of any size.
        table_bits: the table has 2**table_bits words of 8 bytes; 18 to 30.
        book: known scores of early positions; None: those of `find_book`, if there are any.
        table: of another solver for the same board size, as `new_table` makes it, to share; None: a new one.
        num_threads: that share the moves where the scores of all are wanted, 1 to 64. The scores do not depend on it; how many
            nodes are visited differs from call to call where there are several.

    What has been found stays in the table for later questions. A solver is not for several threads at once, but solvers in
    several threads may share a table: an entry is one word, right whoever wrote it. Attributes: nodes, visited so far.

    Raises SpecError for other numbers.
    """

    name = "the Connect Four solver"
    is_quick = False

    def __init__(
        self,
        game: Game,
        *,
        table_bits: int = TABLE_BITS,
        book: Book | None = None,
        table: NDArray[np.int64] | None = None,
        num_threads: int = 1,
    ) -> None:
        self.game, self.width, self.height = game, int(game.options["width"]), int(game.options["height"])
        self.book = find_book(self.width, self.height) if book is None else book
        middle_first = sorted(range(self.width), key=lambda column: (abs(2 * column - self.width + 1), column))
        columns = [((1 << self.height) - 1) << (column * (self.height + 1)) for column in middle_first]
        self.table = new_table(table_bits) if table is None else table
        self._stack = np.zeros((self.width * self.height + 1, 7), np.int64)
        self._columns, self._report = np.array(columns, np.int64), np.zeros(1, np.int64)
        self._kernel: Any = None
        self._helpers = [
            ConnectFourSolver(game, book=self.book, table=self.table)
            for _ in range(min(check_threads(num_threads), self.width) - 1)
        ]

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._report[0]) + sum(helper.nodes for helper in self._helpers)

    def forget(self) -> None:
        """Empties the table."""
        self.table.fill(0)

    def covers(self, board: Board) -> str:
        """Empty: it can answer at every board of its size."""
        same = board.game.token.name == self.game.token.name
        return "" if same else f"it solves {self.game.id} {dict(self.game.options)}"

    def score(self, row: NDArray[np.int64], stop: NDArray[np.int64], low: int = LEAST, high: int = -LEAST) -> int | None:
        """Score of a position that is not over, for the seat to play; None if stopped.

        Exact if within low and high, or in the book; else a bound beyond the one that it passes. row: int64, its words
        (`Board.row`).
        """
        arrays = (self.table, self._stack, self._columns, self.book.keys, self.book.scores, stop, self._report)
        arguments = (self.game.token, np.ascontiguousarray(row, np.int64), low, high, self.book.discs, arrays)
        if self._kernel is None:
            self._kernel = entry_point(score_kernel, *arguments)
        score = int(self._kernel(*arguments))
        return None if score == STOPPED else score

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """See `Solver`. Unless detail="full", scores are only those of the choice and what the book tells."""
        first, left = self.nodes, self._cells_left(board)
        is_in_book = left > self.width * self.height - self.book.discs  # and so is every position after it
        try:
            if detail == "full" or (detail == "values" and is_in_book):
                scores = self._every_score(board, stop)
                best, values = max(scores.values()), {action: float(np.sign(score)) for action, score in scores.items()}
            else:
                best = self._score(board.row, stop)
                choice, most = self._choose(board, best, stop)
                scores, values = {choice: best}, {choice: float(np.sign(best))}
                if detail == "values":
                    values = {action: self._value_after(board, action, most[action], stop) for action in board.legal_actions}
            line = self._best_line(board, best, stop) if detail == "full" else ()
        except _StoppedError:
            return Solution({}, nodes=self.nodes - first, is_exact=False)
        return Solution(
            action_values=values,
            scores=scores,
            distances={action: plies_to_end(score, left) for action, score in scores.items()},
            line=line,
            nodes=self.nodes - first,
        )

    def every_score(self, board: Board, stop: NDArray[np.int64]) -> dict[int, int] | None:
        """The score of each action; None if stopped."""
        try:
            return self._every_score(board, stop)
        except _StoppedError:
            return None

    def _choose(self, board: Board, best: int, stop: NDArray[np.int64]) -> tuple[int, dict[int, int]]:
        """(first of the actions with the score `best`, action -> the most that it can be worth). Raises _StoppedError.

        best: the score of the position.
        """
        most = {action: min(best, self._bound_after(board, action, stop)) for action in board.legal_actions}
        *earlier, last = (action for action in most if most[action] == best)
        for action in earlier:
            most[action] = min(best, self._score_after(board, action, best - 1, best, stop))
            if most[action] == best:
                return action, most
        return last, most  # one of them is worth what the position is: no search has to say so of the last

    def _every_score(self, board: Board, stop: NDArray[np.int64]) -> dict[int, int]:
        """The score of each action, each found by one of the threads. Raises _StoppedError."""
        scores = dict.fromkeys(board.legal_actions, 0)

        def worker(solver: ConnectFourSolver) -> Callable[[int], None]:
            def work(action: int) -> None:
                scores[action] = solver._score_after(board, action, LEAST, -LEAST, stop)

            return work

        middle_first = sorted(scores, key=lambda action: abs(2 * action - self.width + 1))  # which take longest
        share(middle_first, [worker(solver) for solver in (self, *self._helpers)], stop)
        return scores

    def _value_after(self, board: Board, action: int, most: int, stop: NDArray[np.int64]) -> float:
        """Whether an action wins, draws or loses: 1, 0 or -1. most: as `_choose` returns. Raises _StoppedError."""
        return -1.0 if most < 0 else float(np.sign(self._score_after(board, action, -1, min(most, 1), stop)))

    def _score_after(self, board: Board, action: int, low: int, high: int, stop: NDArray[np.int64]) -> int:
        """The score of an action: exact within low and high, else a bound beyond them. Raises _StoppedError."""
        after = board.copy()
        after.push(action)
        if not after.is_terminal:
            return -self._score(after.row, stop, -high, -low)
        return (self._cells_left(board) + 1) >> 1 if after.returns()[board.to_play] > 0.0 else 0

    def _bound_after(self, board: Board, action: int, stop: NDArray[np.int64]) -> int:
        """The most that an action can be worth, as far as it is known without a search. Raises _StoppedError."""
        return self._score_after(board, action, -LEAST, -LEAST, stop)

    def _best_line(self, board: Board, best: int, stop: NDArray[np.int64]) -> tuple[int, ...]:
        """Best play to the end of the game from a score of `best`, always the first of the best. Raises _StoppedError."""
        ahead, line = board.copy(), list[int]()
        while not ahead.is_terminal:
            line.append(self._choose(ahead, best, stop)[0])
            ahead.push(line[-1])
            best = -best
        return tuple(line)

    def _score(self, row: NDArray[np.int64], stop: NDArray[np.int64], low: int = LEAST, high: int = -LEAST) -> int:
        """As `score`. Raises _StoppedError."""
        found = self.score(row, stop, low, high)
        if found is None:
            raise _StoppedError
        return found

    def _cells_left(self, board: Board) -> int:
        """How many cells are empty."""
        return self.width * self.height - popcount(board.position.own | board.position.other)


class _StoppedError(Exception):
    """A search was stopped before it had an answer."""


def plies_to_end(score: int, left: int) -> int:
    """How many plies best play takes. score: of a position or action, for the seat to play; left: its empty cells."""
    if score == 0:
        return left
    plies = left + 2 - 2 * abs(score)  # the last ply, by the seat to play if it wins, else by the other
    return plies - (plies % 2 != (score > 0))


def new_table(table_bits: int) -> NDArray[np.int64]:
    """An empty table, int64 (2**table_bits,). Raises SpecError, and OptionError if there is no room for it."""
    if not LEAST_TABLE_BITS <= table_bits <= MOST_TABLE_BITS:
        raise SpecError(f"table_bits={table_bits}: expected {LEAST_TABLE_BITS} to {MOST_TABLE_BITS}")
    return new_words(1 << table_bits, f"2^{table_bits} words of Connect Four's table", "table_bits")


_tables = WeakValueDictionary[tuple[int, int, int], NDArray[np.int64]]()  # of the policies that there are
_last: list[NDArray[np.int64]] = []  # the one asked for last, kept for the policies to come


def shared_table(width: int, height: int, table_bits: int) -> NDArray[np.int64]:
    """The table of a board size that all policies of this process share. Raises as `new_table`."""
    table = _tables.get((width, height, table_bits))
    if table is None:
        table = _tables.setdefault((width, height, table_bits), new_table(table_bits))
    _last[:] = [table]
    return table


def solver(game: Game, *, table_bits: str = str(TABLE_BITS), threads: str = "1") -> ConnectFourSolver:
    """The solver of a game, for specs; those of a board size share a table. table_bits, threads: as texts.

    Raises SpecError, OptionError.
    """
    bits, number = (
        read_number(text, "perfect", name, kind=int) for text, name in ((table_bits, "table_bits"), (threads, "threads"))
    )
    table = shared_table(int(game.options["width"]), int(game.options["height"]), bits)
    return ConnectFourSolver(game, table=table, num_threads=number)
