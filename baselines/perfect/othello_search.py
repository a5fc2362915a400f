"""The search that solves Othello endgames: alpha-beta to the end of the game, fail-soft, on words of discs.

Scores are for the seat to play; the sign turns with every disc and every pass. All sizes are searched as 8 x 8 with the board
in the corner a1: lines end there at squares that nobody may take.

Far from the end, moves are tried in the order of how few replies they leave ("fastest first"), the table's move before all;
near it, regions with an odd number of empty squares first, because who plays last there moves last in the game. Bounds come
from the table, from the replies' entries in it, and from discs that can never be turned.

These ideas are the common ones of Othello programs; a table that keeps a lower and an upper bound of each position is described
by A. Plaat et al., "Best-first fixed-depth minimax algorithms", 1996.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import new_words
from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, lowest_bit, popcount, wrapping_mul
from boardgym.games.othello import ONE, ZERO, Othello, flips_of, masks, moves_of, word_of

FEW = 6  # empty squares: at most so many are filled by parity alone, without list or table
TABLE_FROM, REPLIES_FROM = 9, 12  # empty squares from which positions are kept, and from which replies are looked up first
NODES, SHIFT, KIND, AREA = range(4)  # places in the working memory: positions visited; hash to slot; size // 2 - 2; squares
LISTS_AT, LIST_WORDS = 8, 128  # then a list of moves for each number of empty squares: (rating and square, discs turned)
TABLE_AT, ENTRY_WORDS = LISTS_AT + 64 * LIST_WORDS, 4  # then the table: own, other, packed bounds, nothing
TABLE_BITS, LEAST_TABLE_BITS, MOST_TABLE_BITS = 21, 6, 30  # log2 of the table's slots of 32 bytes: 64 MiB if nothing is said
NO_MOVE, PASS = 64, 64
FACTOR_1, FACTOR_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # odd numbers without a pattern
COUNT, LENGTH, STOPPED = range(3)  # places in the kernel's report


def squares_where(size: int, test: Callable[..., bool]) -> np.uint64:
    """The word of the squares of the board, in the corner of 8 x 8, whose (row, column) pass a test."""
    return word_of(row * 8 + column for row in range(size) for column in range(size) if test(row, column))


SIZES = (4, 6, 8)  # the first index of the constants that follow
BOARDS = np.array([squares_where(s, lambda r, c: True) for s in SIZES], np.uint64)
CORNER_WORDS = np.array([squares_where(s, lambda r, c, e=s - 1: r in (0, e) and c in (0, e)) for s in SIZES], np.uint64)
QUADRANTS = np.array(
    [[squares_where(s, lambda r, c, h=s // 2, k=k: (r // h, c // h) == divmod(k, 2)) for k in range(4)] for s in SIZES],
    np.uint64,
)
LINES = np.array(  # by direction: rows, one diagonal, columns, the other (as the shifts 1, 7, 8, 9)
    [
        [[squares_where(s, lambda r, c, d=d, k=k: (r, r + c, c, r - c + 7)[d] == k) for k in range(15)] for d in range(4)]
        for s in SIZES
    ],
    np.uint64,
)
RIMS = np.array(  # by direction: squares with no neighbour on one side
    [
        [squares_where(s, lambda r, c, d=d, e=s - 1: (d != 2 and c in (0, e)) or (d != 0 and r in (0, e))) for d in range(4)]
        for s in SIZES
    ],
    np.uint64,
)
NEIGHBOURS = np.array(
    [squares_where(8, lambda r, c, q=q: max(abs(r - q // 8), abs(c - q % 8)) == 1) for q in range(64)], np.uint64
)
NOT_LEFT, NOT_RIGHT = squares_where(8, lambda r, c: c > 0), squares_where(8, lambda r, c: c < 7)
SHIFTS: Any = masks(8)["SHIFTS"]
FULL_SIZE = Othello(ZERO, ZERO, 0)  # its type says how the lines of 8 x 8 run


@inner
def find_moves(own: np.uint64, other: np.uint64, words: NDArray[np.int64]) -> np.uint64:
    """The squares where `own` may place a disc."""
    return moves_of(own, other, FULL_SIZE) & BOARDS[words[KIND]]


@inner
def find_flips(own: np.uint64, other: np.uint64, disc: np.uint64) -> np.uint64:
    """The discs that a disc placed by `own` turns."""
    return flips_of(own, other, disc, FULL_SIZE)


@inner
def final_score(own: np.uint64, other: np.uint64, area: int) -> int:
    """The disc difference at the end of the game, empty squares counted for the winner."""
    mine, theirs = popcount(own), popcount(other)
    if mine > theirs:
        return area - 2 * theirs
    return 2 * mine - area if mine < theirs else 0


@inner
def last_one(own: np.uint64, other: np.uint64, disc: np.uint64, area: int) -> int:
    """The score with one empty square left. disc: that square."""
    turned = popcount(find_flips(own, other, disc))
    if turned > 0:
        return 2 * (popcount(own) + turned + 1) - area
    turned = popcount(find_flips(other, own, disc))
    if turned > 0:
        return area - 2 * (popcount(other) + turned + 1)
    return final_score(own, other, area)


@inner
def fill_few(own: np.uint64, other: np.uint64, low: int, high: int, words: NDArray[np.int64]) -> int:
    """Alpha-beta, fail-soft, with at least one and at most FEW empty squares, odd regions first.

    A function that calls itself must do so with arguments of the same types, and a literal's type is its value: otherwise it
    is compiled once for each, and code of functions that call each other in a circle does not survive the disk.
    """
    words[NODES] += 1
    empty = BOARDS[words[KIND]] & ~(own | other)
    if empty & (empty - ONE) == ZERO:
        return last_one(own, other, empty, words[AREA])
    odd, best = ZERO, -128
    for k in range(4):
        if popcount(empty & QUADRANTS[words[KIND], k]) & 1:
            odd |= QUADRANTS[words[KIND], k]
    for turn in range(2):
        squares = empty & odd if turn == 0 else empty & ~odd
        while squares != ZERO:
            disc = squares & ~(squares - ONE)
            squares ^= disc
            if NEIGHBOURS[lowest_bit(disc)] & other == ZERO:
                continue
            flips = find_flips(own, other, disc)
            if flips != ZERO:
                value = -fill_few(other & ~flips, own | flips | disc, -high, -low, words)
                if value > best:
                    best = value
                    if value >= high:
                        return best
                    low = max(low, value)
    if best > -128:
        return best
    if find_moves(other, own, words) == ZERO:
        return final_score(own, other, words[AREA])
    return -fill_few(other, own, -high, -low, words)


@inner
def stable_discs(own: np.uint64, occupied: np.uint64, kind: int) -> np.uint64:
    """Discs of `own` that can never be turned.

    In each direction the line is full, or ends beside the disc, or goes on there with a disc that can never be turned.
    """
    safe_0, safe_1, safe_2, safe_3 = RIMS[kind, 0], RIMS[kind, 1], RIMS[kind, 2], RIMS[kind, 3]
    for k in range(15):
        safe_0 |= LINES[kind, 0, k] if occupied & LINES[kind, 0, k] == LINES[kind, 0, k] else ZERO
        safe_1 |= LINES[kind, 1, k] if occupied & LINES[kind, 1, k] == LINES[kind, 1, k] else ZERO
        safe_2 |= LINES[kind, 2, k] if occupied & LINES[kind, 2, k] == LINES[kind, 2, k] else ZERO
        safe_3 |= LINES[kind, 3, k] if occupied & LINES[kind, 3, k] == LINES[kind, 3, k] else ZERO
    stable, before = own & safe_0 & safe_1 & safe_2 & safe_3, ZERO
    while stable != before:  # where a shift wraps round, it lands on a rim, which is safe in that direction anyway
        before = stable
        stable |= (
            own
            & (safe_0 | (stable << SHIFTS[0]) | (stable >> SHIFTS[0]))
            & (safe_1 | (stable << SHIFTS[1]) | (stable >> SHIFTS[1]))
            & (safe_2 | (stable << SHIFTS[2]) | (stable >> SHIFTS[2]))
            & (safe_3 | (stable << SHIFTS[3]) | (stable >> SHIFTS[3]))
        )
    return stable


@inner
def find_entry(own: np.uint64, other: np.uint64, words: NDArray[np.int64]) -> tuple[int, int]:
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
def bounds_of(word: int) -> tuple[int, int, int]:
    """(lower bound, upper bound, best move) of an entry."""
    return ((word >> 16) & 255) - 128, ((word >> 8) & 255) - 128, word & 255


@inner
def keep_bounds(own: np.uint64, other: np.uint64, n: int, lower: int, upper: int, move: int, words: NDArray[np.int64]) -> None:
    """Writes an entry: over the same position, else over the first of two unless that has more empty squares."""
    at, free = find_entry(own, other, words)
    if at < 0:
        at = free if words[free + 2] >> 24 <= n else free ^ ENTRY_WORDS
    words[at], words[at + 1] = as_int64(own), as_int64(other)
    words[at + 2] = (n << 24) | ((lower + 128) << 16) | ((upper + 128) << 8) | move


@inner
def list_moves(own: np.uint64, other: np.uint64, moves: np.uint64, n: int, first: int, words: NDArray[np.int64]) -> int:
    """Writes the rated moves of a position with n empty squares to its list. first: the move to try first. Returns how many."""
    at, row, corner_word = LISTS_AT + LIST_WORDS * n, SHIFTS[2], CORNER_WORDS[words[KIND]]
    count, empty, odd = popcount(moves), BOARDS[words[KIND]] & ~(own | other), ZERO
    for k in range(4):
        if popcount(empty & QUADRANTS[words[KIND], k]) & 1:
            odd |= QUADRANTS[words[KIND], k]
    for i in range(count):
        disc = moves & ~(moves - ONE)
        moves ^= disc
        flips, square = find_flips(own, other, disc), lowest_bit(disc)
        mine, theirs = own | flips | disc, other & ~flips
        replies, corners = find_moves(theirs, mine, words), mine & corner_word
        reach = mine | ((mine & NOT_RIGHT) << ONE) | ((mine & NOT_LEFT) >> ONE)
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
def pick_move(n: int, i: int, count: int, words: NDArray[np.int64]) -> tuple[int, np.uint64]:
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
def search(own: np.uint64, other: np.uint64, low: int, high: int, words: NDArray[np.int64], stop: NDArray[np.int64]) -> int:
    """Alpha-beta, fail-soft: the score for `own` to play, a bound where it lies outside of low and high (low < high).

    Meaningless once stop[0] is set.
    """
    area = words[AREA]
    n = popcount(BOARDS[words[KIND]] & ~(own | other))
    if n == 0:
        return final_score(own, other, words[AREA])
    if n <= FEW:
        return fill_few(own, other, low, high, words)
    words[NODES] += 1
    if stop[0] != 0:
        return low
    moves = find_moves(own, other, words)
    if moves == ZERO:
        if find_moves(other, own, words) == ZERO:
            return final_score(own, other, words[AREA])
        return -search(other, own, -high, -low, words, stop)
    if low >= 2 * n - 4:
        bound = area - 2 * popcount(stable_discs(other, own | other, words[KIND]))
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
    count = list_moves(own, other, moves, n, first, words)
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
            value = -search(theirs, mine, -high, -floor, words, stop)
        else:
            value = -search(theirs, mine, -floor - 1, -floor, words, stop)
            if floor < value < high:
                value = -search(theirs, mine, -high, -floor, words, stop)
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
def follow_line(
    own: np.uint64,
    other: np.uint64,
    score: int,
    bound: int,
    words: NDArray[np.int64],
    stop: NDArray[np.int64],
    line: NDArray[np.int64],
) -> int:
    """Writes actions of best play from a position of known score. Returns how many; it may end early once stopped.

    Of equals it takes the one that is rated best by the position alone: the same whatever the table holds.
    """
    length = 0
    while length < line.shape[0] and stop[0] == 0:
        moves = find_moves(own, other, words)
        if moves == ZERO:
            if find_moves(other, own, words) == ZERO:
                break
            line[length], own, other = PASS, other, own
        else:
            n = popcount(BOARDS[words[KIND]] & ~(own | other))
            count, is_found = list_moves(own, other, moves, n, NO_MOVE, words), False
            for i in range(count):
                square, flips = pick_move(n, i, count, words)
                mine, theirs = own | flips | (ONE << as_uint64(square)), other & ~flips
                if max(-bound, -search(theirs, mine, -score, 1 - score, words, stop)) >= score:
                    line[length], own, other, is_found = square, theirs, mine, stop[0] == 0
                    break
            if not is_found:
                break
        length, score = length + 1, -score
    return length


@kernel
def solve_kernel(
    discs: NDArray[np.int64],
    among: int,
    bound: int,
    is_wide: bool,
    actions: NDArray[np.int64],
    scores: NDArray[np.int64],
    line: NDArray[np.int64],
    report: NDArray[np.int64],
    own_words: NDArray[np.int64],
    own_stop: NDArray[np.int64],
) -> None:
    """Solves a position: scores between -bound and bound, of all actions if is_wide, else of the best, the first of equals.

    discs: int64 (2,), the words of the discs, those of the seat to play first. among: the word of the squares that it may
    choose from, of those where it can move. bound: 1, or the number of squares. actions, scores, line: int64, filled in,
    actions as squares of 8 x 8; line may have no room. report: int64 (3,).
    """
    words, stop = verbs.borrow(own_words), verbs.borrow(own_stop)
    own, other, best, chosen, count = as_uint64(discs[0]), as_uint64(discs[1]), -128, -1, 0
    moves = find_moves(own, other, words)
    if moves == ZERO:
        best = -search(other, own, -bound, bound, words, stop)
        best, chosen = max(-bound, min(bound, best)), PASS
        actions[0], scores[0], count = chosen, best, 1
    else:
        n = popcount(BOARDS[words[KIND]] & ~(own | other))
        num_moves = list_moves(own, other, moves & as_uint64(among), n, NO_MOVE, words)
        for i in range(num_moves):
            square, flips = pick_move(n, i, num_moves, words)
            mine, theirs = own | flips | (ONE << as_uint64(square)), other & ~flips
            if is_wide or i == 0:
                value = -search(theirs, mine, -bound, bound, words, stop)
            else:
                low = best - 1 if square < chosen else best
                if low >= bound:
                    continue
                value = -search(theirs, mine, -low - 1, -low, words, stop)
                if low < value < bound:
                    value = -search(theirs, mine, -bound, -low, words, stop)
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
            flips = find_flips(own, other, disc)
            own |= flips | disc
        report[LENGTH] = 1 + follow_line(other & ~flips, own, -best, bound, words, stop, line[1:])


def working_memory(size: int, empties: int, table_bits: int = TABLE_BITS) -> NDArray[np.int64]:
    """The words of a search on a board of size x size, its table empty and fit for so many empty squares.

    table_bits: log2 of the most slots that it may have, of 32 bytes each. Raises OptionError if there is no room for them.
    """
    bits = min(max(empties + 1, LEAST_TABLE_BITS), table_bits)
    words = new_words(TABLE_AT + (ENTRY_WORDS << bits), f"2^{bits} slots of Othello's table", "table_bits")
    words[SHIFT], words[KIND], words[AREA] = 64 - bits, SIZES.index(size), size * size
    return words
