"""Connect Four solved exactly: a search of boards as words, with a table of positions and an opening book if there is one.

Score of a position, for the seat to play: 0 a draw; k, a win with the last but k - 1 of the discs that this seat has for a
full board (7 x 6: 22 less the discs it has played when it wins); -k, a loss to such a win. It tells who wins and how soon.

The search asks one question, whether the score is above a number, and bisects. Its means, each of which leaves the score as
it is:
 * moves that let the other seat win at once are left out; a double threat is seen without a move (P. Pons,
   "Solving Connect 4", 2015, whose order of moves by the threats they make is also the one used here, refined: a threat
   right above one of the other seat's is not counted, for that cell will never be reached);
 * a position and its mirror image are one entry of the table. Its hash can be inverted: an entry needs no more than one
   word and is never taken for another's. It holds a lower and an upper bound; of two slots the one with more work is kept;
 * before the moves of a node are ranked, the table is asked whether one of them is known to be enough;
 * where every column holds an even number of discs, the other seat can answer each disc with one on top of it (V. Allis,
   "A knowledge-based approach of Connect-Four", 1988: claimeven). If the seat to play then gets no line, it cannot win;
 * a seat that has no line left to fill cannot win.
It runs on a stack of its own: one loop, which can be stopped at any node.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import new_words
from boardgym.baselines.perfect.connect_four_book import Book, find_book
from boardgym.baselines.perfect.policy import Solution
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, lowest_bit, popcount, wrapping_mul
from boardgym.core.board import Board
from boardgym.core.cache import entry_point, inner, kernel
from boardgym.core.errors import SpecError
from boardgym.core.game import Game
from boardgym.core.policy import read_number
from boardgym.core.verbs import constant
from boardgym.games.connect_four import bottom_row, has_four, winning_cells

HASH_FACTOR = 0x9E3779B97F4A7C15
BIAS = 32  # added to a bound to make it a number of 6 bits that is not 0
ALL_BITS = 63
WORK_AT, MOST_WORK = 12, 31
LEAST_TABLE_BITS, MOST_TABLE_BITS = 18, 30
TABLE_BITS = 23  # 64 MB
TABLED_EMPTY = 11  # with fewer empty cells, a search is quicker than the memory
LOOKAHEAD_EMPTY = 12  # with fewer empty cells, looking up all successors takes longer than searching them
UNKNOWN, STOPPED = -1000, -100  # no scores
NODES_BETWEEN_LOOKS = 1 << 12
OWN, OCCUPIED, MOVES, POSSIBLE, BEST, HASH, NODES = range(7)  # columns of the stack

# ---------------------------------------------------------------- kernels


@inner
def mirrored(word, width, height):
    """A word of columns in reverse order."""
    out, column_bits = 0, (1 << (height + 1)) - 1
    for column in range(width):
        out |= ((word >> (column * (height + 1))) & column_bits) << ((width - 1 - column) * (height + 1))
    return out


@inner
def canonical_key(own, occupied, width, height):
    """One number for a position and its mirror image: in each column the discs are counted up by those of the seat to play."""
    key = own + occupied
    return min(key, mirrored(key, width, height))


@inner
def hash_of(key):
    """A one-to-one map of 64-bit numbers."""
    product = as_int64(wrapping_mul(as_uint64(key), np.uint64(HASH_FACTOR)))
    return product ^ ((product >> 32) & 0xFFFFFFFF)


@inner
def entry_of(table, code):
    """What the table holds of a hash; 0 if nothing. The low bits choose the pair of slots, the high ones are compared."""
    low_bits = (table.shape[0] >> 1) - 1
    slot = (code & low_bits) << 1
    for i in range(slot, slot + 2):
        entry = table[i]
        if entry & ~low_bits == code & ~low_bits:
            return entry & low_bits
    return 0


@inner
def store_entry(table, code, lower, upper, work):
    """Narrows the bounds of a hash. A new one takes the first slot from an entry of no more work, else the second."""
    low_bits = (table.shape[0] >> 1) - 1
    slot = (code & low_bits) << 1
    tag, first = code & ~low_bits, table[slot]
    at = slot + 1
    if first & ~low_bits == tag and first & low_bits != 0:
        at = slot
    elif table[at] & ~low_bits != tag and (first >> WORK_AT) & MOST_WORK <= work:
        table[at], at = first, slot
    old = table[at]
    if old & ~low_bits == tag and old & low_bits != 0:
        lower, upper = max(lower, (old & ALL_BITS) - BIAS), min(upper, ((old >> 6) & ALL_BITS) - BIAS)
    table[at] = tag | (work << WORK_AT) | ((upper + BIAS) << 6) | (lower + BIAS)


@inner
def book_score(own, occupied, width, height, book_keys, book_scores):
    """The book's score; UNKNOWN where it has none."""
    key = canonical_key(own, occupied, width, height)
    i = np.searchsorted(book_keys, key)
    return int(book_scores[i]) if i < len(book_keys) and book_keys[i] == key else UNKNOWN


@inner
def without_lines(own, other, occupied, alpha, width, height):
    """A score where one seat cannot win any more and that answers whether it is above alpha; else UNKNOWN."""
    bottom = bottom_row(width, height)
    board = bottom * ((1 << height) - 1)
    empty = board & ~occupied
    if alpha < 0:
        return UNKNOWN if has_four(other | empty, height) else 0
    if not has_four(own | empty, height):
        return 0
    upper_cells = bottom * (0x2AAAAAAAAAAAAAAA & ((1 << height) - 1))  # of the pairs of cells in each column
    is_paired = height & 1 == 0 and (occupied + bottom) & upper_cells == 0
    return 0 if is_paired and not has_four(own | (empty & ~upper_cells), height) else UNKNOWN


@inner
def known_successor(own, occupied, possible, alpha, table, columns, width, height):
    """A score above alpha that the table has for one of the moves; UNKNOWN if it has none."""
    for i in range(width):
        move = possible & columns[i]
        if move != 0:
            entry = entry_of(table, hash_of(canonical_key(own ^ occupied, occupied | move, width, height)))
            score = BIAS - ((entry >> 6) & ALL_BITS)
            if entry != 0 and score > alpha:
                return score
    return UNKNOWN


@inner
def ranked(own, occupied, possible, threats, columns, width, height):
    """The moves as a set of numbers, the best the lowest: by new threats, then by the distance from the middle."""
    shift = 3 if width <= 8 else 4
    most, empty = (ALL_BITS - width) >> shift, ~occupied & (bottom_row(width, height) * ((1 << height) - 1))
    moves = 0
    for i in range(width):
        move = possible & columns[i]
        if move != 0:
            count = popcount(winning_cells(own | move, height) & empty & ~move & ~(threats << 1))
            moves |= 1 << (((most - min(count, most)) << shift) + i)
    return moves


@inner
def is_above(position, alpha, table, stack, columns, book_keys, book_scores, book_discs, stop, report):
    """A bound of the score by a search that only asks whether it is above alpha: at least it if above, at most if not.

    The seat to play must not be able to win at once. STOPPED if stopped.
    """
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    area, bottom = width * height, bottom_row(width, height)
    board, rank_bits = bottom * ((1 << height) - 1), 7 if width <= 8 else 15
    own, occupied, depth, nodes, limit = position.own, position.own | position.other, 0, report[0], alpha
    discs = popcount(occupied)
    while True:
        nodes += 1
        if nodes & (NODES_BETWEEN_LOOKS - 1) == 0 and stop[0] != 0:
            report[0] = nodes
            return STOPPED
        # a new node: is it decided already?
        other = own ^ occupied
        possible = (occupied + bottom) & board
        threats = winning_cells(other, height) & board & ~occupied
        forced = possible & threats
        if forced & (forced - 1) != 0:
            possible = 0
        elif forced != 0:
            possible = forced
        possible &= ~(threats >> 1)
        least, most = -((area - 2 - discs) >> 1), (area - 1 - discs) >> 1
        value, code = UNKNOWN, 0
        if possible == 0:
            value = -((area - discs) >> 1)
        elif discs >= area - 2:
            value = 0
        elif least > limit:
            value = least
        elif most <= limit:
            value = most
        else:
            if discs <= book_discs:
                value = book_score(own, occupied, width, height, book_keys, book_scores)
            if value == UNKNOWN:
                value = without_lines(own, other, occupied, limit, width, height)
            if value == UNKNOWN and area - discs >= TABLED_EMPTY:
                code = hash_of(canonical_key(own, occupied, width, height))
                entry = entry_of(table, code)
                if entry != 0:
                    lower, upper = (entry & ALL_BITS) - BIAS, ((entry >> 6) & ALL_BITS) - BIAS
                    if lower > limit:
                        value = lower
                    elif upper <= limit:
                        value = upper
            if value == UNKNOWN and area - discs >= LOOKAHEAD_EMPTY:
                value = known_successor(own, occupied, possible, limit, table, columns, width, height)
        if value == UNKNOWN:
            moves = ranked(own, occupied, possible, threats, columns, width, height)
            stack[depth, OWN], stack[depth, OCCUPIED], stack[depth, POSSIBLE] = own, occupied, possible
            stack[depth, BEST], stack[depth, HASH], stack[depth, NODES] = STOPPED, code, nodes
        else:  # back, as far as nodes are done
            moves = 0
            while depth > 0:
                depth, discs, limit = depth - 1, discs - 1, -limit - 1
                value = max(-value, stack[depth, BEST])
                moves = stack[depth, MOVES]
                if value <= limit and moves != 0:
                    stack[depth, BEST] = value
                    own, occupied, possible = stack[depth, OWN], stack[depth, OCCUPIED], stack[depth, POSSIBLE]
                    break
                moves, work = 0, 1
                if area - discs < TABLED_EMPTY:
                    continue
                while (nodes - stack[depth, NODES]) >> work != 0 and work < MOST_WORK:
                    work += 1
                lower, upper = (value, BIAS - 1) if value > limit else (1 - BIAS, value)
                store_entry(table, stack[depth, HASH], lower, upper, work)
            if moves == 0:
                report[0] = nodes
                return value
        # on to the best move that is left
        stack[depth, MOVES] = moves & (moves - 1)
        own, occupied = own ^ occupied, occupied | (possible & columns[lowest_bit(moves) & rank_bits])
        depth, discs, limit = depth + 1, discs + 1, -limit - 1


@kernel
def score_kernel(game, row, low, high, book_discs, arrays):
    """The score of a position where a seat is to play: exact within low and high, else a bound beyond them. STOPPED if stopped.

    game: token; row: int64 row of the position. book_discs: the most discs of a position in the book, -1 if there is none.
    arrays: table, int64 (power of two,), kept between calls; stack, int64 (cells + 1, 7); columns, int64 (width,), the cells
    of each, from the middle outwards; the book's keys, int64, ascending, and scores, int8; stop, int64 (1,); report,
    int64 (1,), to which the nodes are added.
    """
    position = verbs.unpack(game, row)
    table, stack, columns, book_keys, book_scores, stop, report = verbs.borrow(arrays)
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    bottom, occupied = bottom_row(width, height), position.own | position.other
    playable = (occupied + bottom) & (bottom * ((1 << height) - 1))
    if winning_cells(position.own, height) & playable != 0:
        return (width * height + 1 - popcount(occupied)) >> 1
    left = width * height - popcount(occupied)
    low, high = max(low, -(left >> 1)), min(high, (left + 1) >> 1)
    value = low
    while low < high:
        alpha = (low + high) >> 1
        if alpha <= 0 and -(-low >> 1) < alpha:  # nearer to 0, where a search is shorter
            alpha = -(-low >> 1)
        elif alpha >= 0 and high >> 1 > alpha:
            alpha = high >> 1
        value = is_above(position, alpha, table, stack, columns, book_keys, book_scores, book_discs, stop, report)
        if value == STOPPED:
            return STOPPED
        if value > alpha:
            low = value
        else:
            high = value
    return value


# ---------------------------------------------------------------- the solver


class ConnectFourSolver:
    """Exact scores of every position of a board size. See `boardgym.baselines.perfect.policy.Solver`.

    Args:
        game: Connect Four, of any size.
        table_bits: the table has 2**table_bits words of 8 bytes; 18 to 30.
        book: known scores of early positions; None: those of `find_book`, if there are any.

    What has been found stays in the table for later questions. Not for several threads at once. Attributes: nodes, visited
    so far.
    """

    name = "the Connect Four solver"
    is_quick = False

    def __init__(self, game: Game, *, table_bits: int = TABLE_BITS, book: Book | None = None) -> None:
        if not LEAST_TABLE_BITS <= table_bits <= MOST_TABLE_BITS:
            raise SpecError(f"table_bits={table_bits}: expected {LEAST_TABLE_BITS} to {MOST_TABLE_BITS}")
        self.game, self.width, self.height = game, int(game.options["width"]), int(game.options["height"])
        self.book = find_book(self.width, self.height) if book is None else book
        middle_first = sorted(range(self.width), key=lambda column: (abs(2 * column - self.width + 1), column))
        columns = [((1 << self.height) - 1) << (column * (self.height + 1)) for column in middle_first]
        self._table = new_words(1 << table_bits, f"2^{table_bits} words of Connect Four's table", "table_bits")
        self._stack = np.zeros((self.width * self.height + 1, 7), np.int64)
        self._columns, self._report = np.array(columns, np.int64), np.zeros(1, np.int64)
        self._kernel: Any = None

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._report[0])

    def forget(self) -> None:
        """Empties the table."""
        self._table.fill(0)

    def covers(self, board: Board) -> str:
        """Empty: it can answer at every board of its size."""
        same = board.game.token.name == self.game.token.name
        return "" if same else f"it solves {self.game.id} {dict(self.game.options)}"

    def score(self, row: NDArray[np.int64], stop: NDArray[np.int64], low: int = -100, high: int = 100) -> int | None:
        """Score of a position that is not over, for the seat to play; None if stopped.

        Exact if within low and high; else a bound beyond the one that it passes. row: int64, its words (`Board.row`).
        """
        arrays = (self._table, self._stack, self._columns, self.book.keys, self.book.scores, stop, self._report)
        arguments = (self.game.token, np.ascontiguousarray(row, np.int64), low, high, self.book.discs, arrays)
        if self._kernel is None:
            self._kernel = entry_point(score_kernel, *arguments)
        score = int(self._kernel(*arguments))
        return None if score == STOPPED else score

    def solve(self, board: Board, stop: NDArray[np.int64], *, every_action: bool = True) -> Solution:
        """Every action's value, score and distance with the line of best play; or the best action's alone. See `Solver`."""
        first, left = self.nodes, self.width * self.height - popcount(board.position.own | board.position.other)
        scores = self.every_score(board, stop) if every_action else self._best_score(board, stop)
        line = self._best_line(board, stop) if every_action and scores is not None else ()
        if scores is None:
            return Solution({}, nodes=self.nodes - first, is_exact=False)
        return Solution(
            action_values={action: float(np.sign(score)) for action, score in scores.items()},
            scores=scores,
            distances={action: plies_to_end(score, left) for action, score in scores.items()},
            line=line,
            nodes=self.nodes - first,
        )

    def every_score(self, board: Board, stop: NDArray[np.int64]) -> dict[int, int] | None:
        """The score of each action; None if stopped."""
        scores: dict[int, int] = {}
        for action in board.legal_actions:
            score = self._score_after(board, action, stop)
            if score is None:
                return None
            scores[action] = score
        return scores

    def _best_score(self, board: Board, stop: NDArray[np.int64]) -> dict[int, int] | None:
        """The first of the best actions with its score; None if stopped."""
        best = self.score(board.row, stop)
        if best is None:
            return None
        for action in board.legal_actions:
            score = self._score_after(board, action, stop, best)
            if score is None:
                return None
            if score >= best:
                return {action: best}
        raise AssertionError(f"no action of {board.fen()!r} has the score {best} of the position")

    def _score_after(self, board: Board, action: int, stop: NDArray[np.int64], least: int | None = None) -> int | None:
        """The score of an action, or, with `least`, whether it is that or less: None if stopped."""
        after = board.copy()
        after.push(action)
        if after.is_terminal:
            left = self.width * self.height - popcount(board.position.own | board.position.other)
            return (left + 1) >> 1 if after.returns()[board.to_play] > 0.0 else 0
        found = self.score(after.row, stop) if least is None else self.score(after.row, stop, -least, 1 - least)
        return None if found is None else -found

    def _best_line(self, board: Board, stop: NDArray[np.int64]) -> tuple[int, ...]:
        """Best play to the end of the game, always the first of the best actions; cut short if stopped."""
        ahead, line = board.copy(), list[int]()
        while not ahead.is_terminal:
            found = self._best_score(ahead, stop)
            if found is None:
                break
            line.extend(found)
            ahead.push(line[-1])
        return tuple(line)


def plies_to_end(score: int, left: int) -> int:
    """How many plies best play takes. score: of a position or action, for the seat to play; left: its empty cells."""
    if score == 0:
        return left
    plies = left + 2 - 2 * abs(score)  # the last ply, by the seat to play if it wins, else by the other
    return plies - (plies % 2 != (score > 0))


def solver(game: Game, *, table_bits: str = str(TABLE_BITS)) -> ConnectFourSolver:
    """The solver of a game, for specs. table_bits: as text. Raises SpecError."""
    return ConnectFourSolver(game, table_bits=read_number(table_bits, "perfect", "table_bits", kind=int))
