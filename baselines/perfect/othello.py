"""Othello endgames solved, and the 4 x 4 board as a whole; the search is in `othello_search.py`.

Scores are disc differences for the seat to play, squares that stay empty counted for the winner (as the World Othello
Federation counts), so they are even. The game itself pays only win, draw or loss: with mode=result nothing more is looked for,
which is quicker.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import check_memory
from boardgym.baselines.perfect.othello_search import (
    COUNT,
    LEAST_TABLE_BITS,
    LENGTH,
    MOST_TABLE_BITS,
    NODES,
    PASS,
    STOPPED,
    TABLE_BITS,
    solve_kernel,
    working_memory,
)
from boardgym.baselines.perfect.policy import Detail, Solution
from boardgym.baselines.perfect.sharing import check_threads, share
from boardgym.core.bits import as_int64, popcount
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy_spec import read_number
from boardgym.games.othello import Othello

DEFAULT_EMPTIES = 20
EVERY = -1  # the word of all squares


def spread(word: Any, size: int) -> int:
    """A word of the game as a word of 8 x 8, the board in its corner, as an int64."""
    rows = (int(word) >> size * row & (1 << size) - 1 for row in range(size))
    return int(as_int64(sum(bits << 8 * row for row, bits in enumerate(rows))))


def action_of(square: int, size: int) -> int:
    """The game's action for a square of 8 x 8, or for a pass."""
    return size * size if square == PASS else square // 8 * size + square % 8


def square_of(action: int, size: int) -> int:
    """The word of the square of 8 x 8, as an int64, for an action of the game that is no pass."""
    return int(as_int64(1 << action // size * 8 + action % size))


def empty_squares(position: Any) -> int:
    """How many squares are empty."""
    return int(position.SIZE**2 - popcount(position.own | position.other))


class OthelloSolver:
    """Answers with at most `empties` empty squares. Scores: disc differences, empty squares for the winner.

    is_exact: whether to look for them; else only for the result, and there are no scores. table_bits: log2 of the greatest
    number of slots of its table, of 32 bytes each; 6 to 30. num_threads: that share the moves where all are solved, each with
    such a table, 1 to 64; scores and line do not depend on it, how many positions are visited does. Raises SpecError for other
    numbers.
    """

    is_quick = False

    def __init__(
        self,
        game: Game,
        empties: int = DEFAULT_EMPTIES,
        *,
        is_exact: bool = True,
        table_bits: int = TABLE_BITS,
        num_threads: int = 1,
    ) -> None:
        if not LEAST_TABLE_BITS <= table_bits <= MOST_TABLE_BITS:
            raise SpecError(f"table_bits={table_bits}: expected {LEAST_TABLE_BITS} to {MOST_TABLE_BITS}")
        self.game, self.empties, self.is_exact, self.table_bits = game, empties, is_exact, table_bits
        constants: Any = game.position_class
        self.num_threads = check_threads(num_threads)
        self._memories(min(num_threads, empties), constants.SIZE, empties)  # refused here, not in the middle of a game
        self.name = "the endgame solver of Othello"

    def covers(self, board: Board) -> str:
        """Positions with few empty squares."""
        empties = empty_squares(board.position)
        if empties <= self.empties:
            return ""
        return f"{empties} squares are empty, it answers with at most {self.empties} (empties=N sets another limit)"

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """Values, and scores unless mode=result, whatever the detail. See `policy.Solver`."""
        actions, empties, size = board.legal_actions, empty_squares(board.position), board.position.SIZE
        room = 2 * empties if detail == "full" else 0
        threads = max(min(self.num_threads, len(actions)), 1) if detail != "action" else 1
        memories = self._memories(threads, size, empties)
        if threads == 1:
            scores, line = self._ask(board, EVERY, memories[0], stop, is_wide=detail != "action", room=room)
        else:
            scores, line = self._ask_in_turn(board, memories, stop, room)
        nodes = sum(int(words[NODES]) for words in memories)
        if not scores:
            return Solution({}, nodes=nodes, is_exact=False)
        return Solution(
            {action: float((score > 0) - (score < 0)) for action, score in sorted(scores.items())},
            scores=dict(sorted(scores.items())) if self.is_exact else None,
            line=line,
            nodes=nodes,
        )

    def _memories(self, count: int, size: int, empties: int) -> list[NDArray[np.int64]]:
        """The memories of so many threads. Raises OptionError if there is no room for them."""
        first = working_memory(size, empties, self.table_bits)
        check_memory(count * first.nbytes, f"{count} of Othello's tables", "threads or table_bits")
        return [first, *(working_memory(size, empties, self.table_bits) for _ in range(count - 1))]

    def _ask(
        self, board: Board, among: int, words: NDArray[np.int64], stop: NDArray[np.int64], *, is_wide: bool, room: int
    ) -> tuple[dict[int, int], tuple[int, ...]]:
        """(scores, line), both empty if stopped. among, is_wide: as of `solve_kernel`; room: for the line."""
        position, size = board.position, board.position.SIZE
        discs = np.array([spread(position.own, size), spread(position.other, size)], np.int64)
        actions, scores, report = np.zeros(64, np.int64), np.zeros(64, np.int64), np.zeros(3, np.int64)
        line, bound = np.zeros(room, np.int64), size * size if self.is_exact else 1
        solve_kernel(discs, among, bound, is_wide, actions, scores, line, report, words, stop)
        if report[STOPPED]:
            return {}, ()
        count = int(report[COUNT])
        found = {action_of(a, size): score for a, score in zip(actions[:count].tolist(), scores[:count].tolist(), strict=True)}
        return found, tuple(action_of(square, size) for square in line[: report[LENGTH]].tolist())

    def _ask_in_turn(
        self, board: Board, memories: list[NDArray[np.int64]], stop: NDArray[np.int64], room: int
    ) -> tuple[dict[int, int], tuple[int, ...]]:
        """As `_ask` of every action, where there are several, each by a thread with a memory of its own."""
        size, scores, solved_in = board.position.SIZE, dict[int, int](), dict[int, NDArray[np.int64]]()

        def worker(words: NDArray[np.int64]) -> Callable[[int], None]:
            def work(action: int) -> None:
                scores.update(self._ask(board, square_of(action, size), words, stop, is_wide=True, room=0)[0])
                solved_in[action] = words

            return work

        share(board.legal_actions, [worker(words) for words in memories], stop)
        if len(scores) < len(solved_in):
            return {}, ()
        best = max(sorted(scores), key=lambda action: scores[action])
        if room == 0:
            return scores, ()
        return scores, self._ask(board, square_of(best, size), solved_in[best], stop, is_wide=True, room=room)[1]


def solver(
    game: Game, empties: str = "", mode: str = "discs", table_bits: str = str(TABLE_BITS), threads: str = "1"
) -> OthelloSolver:
    """The solver of a game. empties: the most empty squares that it answers with. mode: "discs" or "result". All as texts.

    Raises SpecError for a bad setting, OptionError for more memory than there is, UnsupportedGameError for other rules under
    the name.
    """
    if not issubclass(game.position_class, Othello):
        raise UnsupportedGameError(f"the endgame solver of Othello knows its own rules, not {game.position_class.__qualname__}")
    if mode not in ("discs", "result"):
        raise SpecError(f"perfect:mode={mode}: expected mode=discs (disc differences) or mode=result (win, draw or loss)")
    most = (
        read_number(empties, f"perfect:empties={empties}", "the empty squares", above=0, kind=int)
        if empties
        else DEFAULT_EMPTIES
    )
    bits = read_number(table_bits, "perfect", "table_bits", kind=int)
    number = read_number(threads, "perfect", "threads", kind=int)
    return OthelloSolver(game, most, is_exact=mode == "discs", table_bits=bits, num_threads=number)
