"""Othello endgames solved: alpha-beta to the end of the game, on boards of 4, 6 and 8.

Scores are disc differences for the seat to play, squares that stay empty counted for the winner (as the World Othello
Federation counts), so they are even; the sign turns with every disc and every pass. The game itself pays only win, draw or
loss: with mode=result nothing more is looked for, which is several times quicker.

Far from the end, moves are tried in the order of how few replies they leave ("fastest first"), the table's move before all;
near it, regions with an odd number of empty squares first, because who plays last there moves last in the game. Bounds come
from the table, from the replies' entries in it, and from discs that can never be turned.

Sources: G. Andersson's and R. Delorme's published descriptions of endgame solvers for the orders and for the bound by stable
discs; V. Allis' and J. Schaeffer's for the table of bounds on both sides. The code is ours.
"""

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.perfect.policy import Solution
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, lowest_bit, popcount, wrapping_mul
from boardgym.core.board import Board
from boardgym.core.cache import inner, kernel
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import read_number
from boardgym.core.verbs import constant
from boardgym.games.othello import ONE, ZERO, Othello, flips_of, moves_of, word_of

DEFAULT_EMPTIES = 20
FEW = 6  # empty squares: at most so many are filled by parity alone, without list or table
TABLE_FROM, REPLIES_FROM = 9, 12  # empty squares from which positions are kept, and from which replies are looked up first
NODES, SHIFT = 0, 1  # places in the working memory: positions visited; what turns a hash into a slot
LISTS_AT, LIST_WORDS = 8, 128  # then a list of moves for each number of empty squares: (rating and square, discs turned)
TABLE_AT, ENTRY_WORDS = LISTS_AT + 64 * LIST_WORDS, 4  # then the table: own, other, packed bounds, nothing
MOST_BITS = 21  # log2 of the table's slots: 64 MiB
NO_MOVE = 64
FACTOR_1, FACTOR_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # odd numbers without a pattern
COUNT, LENGTH, STOPPED = range(3)  # places in the kernel's report


def squares_where(size: int, test) -> np.uint64:
    """The word of the squares whose (row, column) pass a test."""
    return word_of(row * size + column for row in range(size) for column in range(size) if test(row, column))


SIZES = (4, 6, 8)  # the first index of the constants that follow is size // 2 - 2
CORNER_WORD = np.array([squares_where(s, lambda r, c, e=s - 1: r in (0, e) and c in (0, e)) for s in SIZES], np.uint64)
INNER_FILES = np.array([squares_where(s, lambda r, c, e=s - 1: c not in (0, e)) for s in SIZES], np.uint64)
QUADRANTS = np.array(
    [[squares_where(s, lambda r, c, h=s // 2, k=k: (r // h, c // h) == divmod(k, 2)) for k in range(4)] for s in SIZES],
    np.uint64,
)
NEIGHBOURS = np.array(  # by square
    [[squares_where(s, lambda r, c, s=s, q=q: max(abs(r - q // s), abs(c - q % s)) == 1) for q in range(64)] for s in SIZES],
    np.uint64,
)
LINES = np.array(  # by direction: rows, one diagonal, columns, the other (as the shifts 1, size - 1, size, size + 1)
    [[[squares_where(s, lambda r, c, d=d, k=k: (r, r + c, c, r - c + 7)[d] == k) for k in range(15)] for d in range(4)]
     for s in SIZES], np.uint64
)  # fmt: skip
RIMS = np.array(  # by direction: squares with no neighbour on one side
    [[squares_where(s, lambda r, c, d=d, e=s - 1: (d != 2 and c in (0, e)) or (d != 0 and r in (0, e))) for d in range(4)]
     for s in SIZES], np.uint64
)  # fmt: skip


@inner
def final_score(own, other, position):
    """The disc difference at the end of the game, empty squares counted for the winner."""
    area, mine, theirs = constant(position, "SIZE") * constant(position, "SIZE"), popcount(own), popcount(other)
    if mine > theirs:
        return area - 2 * theirs
    return 2 * mine - area if mine < theirs else 0


@inner
def last_one(own, other, disc, position):
    """The score with one empty square left. disc: that square."""
    area = constant(position, "SIZE") * constant(position, "SIZE")
    turned = popcount(flips_of(own, other, disc, position))
    if turned > 0:
        return 2 * (popcount(own) + turned + 1) - area
    turned = popcount(flips_of(other, own, disc, position))
    if turned > 0:
        return area - 2 * (popcount(other) + turned + 1)
    return final_score(own, other, position)


@inner
def fill_few(own, other, low, high, position, words):
    """Alpha-beta, fail-soft, with at least one and at most FEW empty squares, odd regions first.

    A function that calls itself must do so with arguments of the same types, and a literal's type is its value: otherwise it
    is compiled once for each, and code of functions that call each other in a circle does not survive the disk.
    """
    words[NODES] += 1
    board, index = constant(position, "BOARD"), constant(position, "SIZE") // 2 - 2
    empty = board & ~(own | other)
    if empty & (empty - ONE) == ZERO:
        return last_one(own, other, empty, position)
    odd, best = ZERO, -128
    for k in range(4):
        if popcount(empty & QUADRANTS[index, k]) & 1:
            odd |= QUADRANTS[index, k]
    for turn in range(2):
        squares = empty & odd if turn == 0 else empty & ~odd
        while squares != ZERO:
            disc = squares & ~(squares - ONE)
            squares ^= disc
            if NEIGHBOURS[index, lowest_bit(disc)] & other == ZERO:
                continue
            flips = flips_of(own, other, disc, position)
            if flips != ZERO:
                value = -fill_few(other & ~flips, own | flips | disc, -high, -low, position, words)
                if value > best:
                    best = value
                    if value >= high:
                        return best
                    low = max(low, value)
    if best > -128:
        return best
    if moves_of(other, own, position) == ZERO:
        return final_score(own, other, position)
    return -fill_few(other, own, -high, -low, position, words)


@inner
def stable_discs(own, occupied, position):
    """Discs of `own` that can never be turned.

    In each direction the line is full, or ends beside the disc, or goes on there with a disc that can never be turned.
    """
    index, shifts = constant(position, "SIZE") // 2 - 2, constant(position, "SHIFTS")
    safe_0, safe_1, safe_2, safe_3 = RIMS[index, 0], RIMS[index, 1], RIMS[index, 2], RIMS[index, 3]
    for k in range(15):
        safe_0 |= LINES[index, 0, k] if occupied & LINES[index, 0, k] == LINES[index, 0, k] else ZERO
        safe_1 |= LINES[index, 1, k] if occupied & LINES[index, 1, k] == LINES[index, 1, k] else ZERO
        safe_2 |= LINES[index, 2, k] if occupied & LINES[index, 2, k] == LINES[index, 2, k] else ZERO
        safe_3 |= LINES[index, 3, k] if occupied & LINES[index, 3, k] == LINES[index, 3, k] else ZERO
    stable, before = own & safe_0 & safe_1 & safe_2 & safe_3, ZERO
    while stable != before:  # where a shift wraps round, it lands on a rim, which is safe in that direction anyway
        before = stable
        stable |= (
            own
            & (safe_0 | (stable << shifts[0]) | (stable >> shifts[0]))
            & (safe_1 | (stable << shifts[1]) | (stable >> shifts[1]))
            & (safe_2 | (stable << shifts[2]) | (stable >> shifts[2]))
            & (safe_3 | (stable << shifts[3]) | (stable >> shifts[3]))
        )
    return stable


@inner
def find_entry(own, other, words):
    """Where the table holds a position, and where it would be written: (place or -1, place)."""
    at = TABLE_AT + ENTRY_WORDS * as_int64(
        wrapping_mul(own ^ wrapping_mul(other, FACTOR_2), FACTOR_1) >> as_uint64(words[SHIFT])
    )
    first, second = at, at ^ ENTRY_WORDS
    if words[first] == as_int64(own) and words[first + 1] == as_int64(other):
        return first, first
    if words[second] == as_int64(own) and words[second + 1] == as_int64(other):
        return second, second
    return -1, first


@inner
def bounds_of(word):
    """(lower bound, upper bound, best move) of an entry."""
    return ((word >> 16) & 255) - 128, ((word >> 8) & 255) - 128, word & 255


@inner
def keep_bounds(own, other, n, lower, upper, move, words):
    """Writes an entry: over the same position, else over the first of two unless that has more empty squares."""
    at, free = find_entry(own, other, words)
    if at < 0:
        at = free if words[free + 2] >> 24 <= n else free ^ ENTRY_WORDS
    words[at], words[at + 1] = as_int64(own), as_int64(other)
    words[at + 2] = (n << 24) | ((lower + 128) << 16) | ((upper + 128) << 8) | move


@inner
def list_moves(own, other, moves, n, first, position, words):
    """Writes the rated moves of a position with n empty squares to its list. first: the move to try first. Returns how many."""
    size, index, at = constant(position, "SIZE"), constant(position, "SIZE") // 2 - 2, LISTS_AT + LIST_WORDS * n
    row, corner_word = np.uint64(size), CORNER_WORD[index]
    count, empty, odd = popcount(moves), constant(position, "BOARD") & ~(own | other), ZERO
    for k in range(4):
        if popcount(empty & QUADRANTS[index, k]) & 1:
            odd |= QUADRANTS[index, k]
    for i in range(count):
        disc = moves & ~(moves - ONE)
        moves ^= disc
        flips, square = flips_of(own, other, disc, position), lowest_bit(disc)
        mine, theirs = own | flips | disc, other & ~flips
        replies, corners = moves_of(theirs, mine, position), mine & corner_word
        reach = mine | ((mine & INNER_FILES[index]) << ONE) | ((mine & INNER_FILES[index]) >> ONE)
        reach = (reach | (reach << row) | (reach >> row)) & empty
        anchored = mine & (corners | (corners << ONE) | (corners >> ONE) | (corners << row) | (corners >> row))
        rating = 1024 * (64 - popcount(replies) - popcount(replies & corner_word)) + 64 * popcount(anchored) - popcount(reach)
        if disc & odd != ZERO:
            rating += 4
        if square == first:
            rating += 1 << 30
        words[at + 2 * i], words[at + 2 * i + 1] = (rating << 8) | square, as_int64(flips)
    return count


@inner
def pick_move(n, i, count, words):
    """Brings the best rated of the moves from the i-th on to the i-th place. Returns its square and the discs it turns."""
    at = LISTS_AT + LIST_WORDS * n
    here, best = at + 2 * i, at + 2 * i
    for j in range(here + 2, at + 2 * count, 2):
        if words[j] > words[best]:
            best = j
    words[here], words[best] = words[best], words[here]
    words[here + 1], words[best + 1] = words[best + 1], words[here + 1]
    return words[here] & 255, as_uint64(words[here + 1])


@inner
def search(own, other, low, high, position, words, stop):
    """Alpha-beta, fail-soft: the score for `own` to play, a bound where it lies outside of low and high (low < high).

    position: only its type counts. Meaningless once stop[0] is set.
    """
    area = constant(position, "SIZE") * constant(position, "SIZE")
    empty = constant(position, "BOARD") & ~(own | other)
    n = popcount(empty)
    if n == 0:
        return final_score(own, other, position)
    if n <= FEW:
        return fill_few(own, other, low, high, position, words)
    words[NODES] += 1
    if stop[0] != 0:
        return low
    moves = moves_of(own, other, position)
    if moves == ZERO:
        if moves_of(other, own, position) == ZERO:
            return final_score(own, other, position)
        return -search(other, own, -high, -low, position, words, stop)
    if low >= 2 * n - 4:
        bound = area - 2 * popcount(stable_discs(other, own | other, position))
        if bound <= low:
            return bound
    lower, upper, first = -area, area, NO_MOVE
    if n >= TABLE_FROM:
        at, _ = find_entry(own, other, words)
        if at >= 0:
            lower, upper, first = bounds_of(words[at + 2])
            if lower >= high or lower == upper:
                return lower
            if upper <= low:
                return upper
            low, high = max(low, lower), min(high, upper)
    count = list_moves(own, other, moves, n, first, position, words)
    if n >= REPLIES_FROM:
        for i in range(count):
            disc = ONE << as_uint64(words[LISTS_AT + LIST_WORDS * n + 2 * i] & 255)
            flips = as_uint64(words[LISTS_AT + LIST_WORDS * n + 2 * i + 1])
            at, _ = find_entry(other & ~flips, own | flips | disc, words)
            if at >= 0 and -bounds_of(words[at + 2])[1] >= high:
                return -bounds_of(words[at + 2])[1]
    best, chosen, floor = -area - 1, NO_MOVE, low
    for i in range(count):
        square, flips = pick_move(n, i, count, words)
        mine, theirs = own | flips | (ONE << as_uint64(square)), other & ~flips
        if i == 0:
            value = -search(theirs, mine, -high, -floor, position, words, stop)
        else:
            value = -search(theirs, mine, -floor - 1, -floor, position, words, stop)
            if floor < value < high:
                value = -search(theirs, mine, -high, -floor, position, words, stop)
        if value > best:
            best, chosen = value, square
            floor = max(floor, value)
            if value >= high:
                break
    if n >= TABLE_FROM and stop[0] == 0:
        if best > low:
            lower = max(lower, best)
        if best < high:
            upper = min(upper, best)
        keep_bounds(own, other, n, lower, upper, chosen, words)
    return best


@inner
def follow_line(own, other, score, bound, position, words, stop, line):
    """Writes actions of best play from a position of known score. Returns how many; it may end early once stopped."""
    length, pass_action = 0, constant(position, "SIZE") * constant(position, "SIZE")
    while length < line.shape[0] and stop[0] == 0:
        moves = moves_of(own, other, position)
        if moves == ZERO:
            if moves_of(other, own, position) == ZERO:
                break
            line[length], own, other = pass_action, other, own
        else:
            n = popcount(constant(position, "BOARD") & ~(own | other))
            at, _ = find_entry(own, other, words)
            count = list_moves(own, other, moves, n, bounds_of(words[at + 2])[2] if at >= 0 else NO_MOVE, position, words)
            is_found = False
            for i in range(count):
                square, flips = pick_move(n, i, count, words)
                mine, theirs = own | flips | (ONE << as_uint64(square)), other & ~flips
                if max(-bound, -search(theirs, mine, -score, 1 - score, position, words, stop)) >= score:
                    line[length], own, other, is_found = square, theirs, mine, stop[0] == 0
                    break
            if not is_found:
                break
        length, score = length + 1, -score
    return length


@kernel
def solve_kernel(game, row, bound, is_wide, actions, scores, line, report, own_words, own_stop):
    """Solves a position: scores between -bound and bound, of all actions if is_wide, else of the best, the first of equals.

    bound: 1, or the number of squares. actions, scores, line: int64, filled in; line may have no room. report: int64 (3,).
    """
    position = verbs.unpack(game, row)
    words, stop = verbs.borrow(own_words), verbs.borrow(own_stop)
    own, other, best, chosen, count = position.own, position.other, -128, -1, 0
    moves = moves_of(own, other, position)
    if moves == ZERO:
        best = -search(other, own, -bound, bound, position, words, stop)
        best, chosen = max(-bound, min(bound, best)), constant(position, "SIZE") * constant(position, "SIZE")
        actions[0], scores[0], count = chosen, best, 1
    else:
        n = popcount(constant(position, "BOARD") & ~(own | other))
        num_moves = list_moves(own, other, moves, n, NO_MOVE, position, words)
        for i in range(num_moves):
            square, flips = pick_move(n, i, num_moves, words)
            mine, theirs = own | flips | (ONE << as_uint64(square)), other & ~flips
            if is_wide or i == 0:
                value = -search(theirs, mine, -bound, bound, position, words, stop)
            else:
                low = best - 1 if square < chosen else best
                if low >= bound:
                    continue
                value = -search(theirs, mine, -low - 1, -low, position, words, stop)
                if low < value < bound:
                    value = -search(theirs, mine, -bound, -low, position, words, stop)
            if stop[0] != 0:
                break
            value = max(-bound, min(bound, value))
            if is_wide:
                actions[count], scores[count] = square, value
                count += 1
            if value > best or (value == best and square < chosen):
                best, chosen = value, square
        if not is_wide:
            actions[0], scores[0], count = chosen, best, 1
    report[COUNT], report[LENGTH], report[STOPPED] = count, 0, stop[0]
    if stop[0] == 0 and line.shape[0] > 0:
        line[0], flips = chosen, ZERO
        if moves != ZERO:
            disc = ONE << as_uint64(chosen)
            flips = flips_of(own, other, disc, position)
            own |= flips | disc
        report[LENGTH] = 1 + follow_line(other & ~flips, own, -best, bound, position, words, stop, line[1:])


def working_memory(empties: int) -> NDArray[np.int64]:
    """The words of a search over so many empty squares, its table empty and of a size that fits them."""
    bits = min(max(empties + 1, 6), MOST_BITS)
    words = np.zeros(TABLE_AT + (ENTRY_WORDS << bits), np.int64)
    words[SHIFT] = 64 - bits
    return words


def empty_squares(position: Othello) -> int:
    """How many squares are empty."""
    return position.SIZE**2 - popcount(position.own | position.other)


class OthelloSolver:
    """Answers with at most `empties` empty squares. Scores: disc differences, empty squares for the winner.

    is_exact: whether to look for them; else only for the result, and there are no scores.
    """

    is_quick = False

    def __init__(self, game: Game, empties: int = DEFAULT_EMPTIES, *, is_exact: bool = True) -> None:
        self.game, self.empties, self.is_exact = game, empties, is_exact
        self.name = "the endgame solver of Othello"

    def covers(self, board: Board) -> str:
        """Positions with few empty squares."""
        empties = empty_squares(board.position)
        if empties <= self.empties:
            return ""
        return f"{empties} squares are empty, it answers with at most {self.empties} (empties=N sets another limit)"

    def solve(self, board: Board, stop: NDArray[np.int64], *, every_action: bool = True) -> Solution:
        """Values, and scores unless mode=result. See `policy.Solver`."""
        room = self.game.max_choices
        actions, scores, report = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(3, np.int64)
        empties = empty_squares(board.position)
        line = np.zeros(2 * empties if every_action else 0, np.int64)
        bound, words = board.position.SIZE**2 if self.is_exact else 1, working_memory(empties)
        solve_kernel(self.game.token, board.row, bound, every_action, actions, scores, line, report, words, stop)
        if report[STOPPED]:
            return Solution({}, nodes=int(words[NODES]), is_exact=False)
        count = int(report[COUNT])
        found = dict(sorted(zip(actions[:count].tolist(), scores[:count].tolist(), strict=True)))
        return Solution(
            {action: float((score > 0) - (score < 0)) for action, score in found.items()},
            scores=found if self.is_exact else None,
            line=tuple(line[: report[LENGTH]].tolist()),
            nodes=int(words[NODES]),
        )


def solver(game: Game, empties: str = "", mode: str = "discs") -> OthelloSolver:
    """The solver of a game. empties: the most empty squares that it answers with. mode: "discs" or "result".

    Raises SpecError for a bad setting, UnsupportedGameError for other rules under the name.
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
    return OthelloSolver(game, most, is_exact=mode == "discs")
