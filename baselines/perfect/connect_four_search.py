"""Connect Four's exact search: boards as words, a table of positions, and an opening book if there is one.

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
 * a seat that has no line left to fill cannot win;
 * a position of one disc more than the book has is worth at least what its predecessors in the book let it be: none of them
   is worth less than any move from it.
It runs on a stack of its own: one loop, which can be stopped at any node.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, lowest_bit, popcount, wrapping_mul
from boardgym.core.verbs import constant
from boardgym.games.connect_four import bottom_row, has_four, winning_cells

HASH_FACTOR = 0x9E3779B97F4A7C15
BIAS = 32  # added to a bound to make it a number of 6 bits that is not 0
ALL_BITS = 63
WORK_AT, MOST_WORK = 12, 31
TABLED_EMPTY = 11  # with fewer empty cells, a search is quicker than the memory
LOOKAHEAD_EMPTY = 12  # with fewer empty cells, looking up all successors takes longer than searching them
UNKNOWN, STOPPED = -1000, -100  # no scores
NODES_BETWEEN_LOOKS = 1 << 12
OWN, OCCUPIED, MOVES, POSSIBLE, BEST, HASH, NODES = range(7)  # columns of the stack

# ---------------------------------------------------------------- kernels


@inner
def mirrored(word: int, width: int, height: int) -> int:
    """A word of columns in reverse order."""
    out, column_bits = 0, (1 << (height + 1)) - 1
    for column in range(width):
        out |= ((word >> (column * (height + 1))) & column_bits) << ((width - 1 - column) * (height + 1))
    return out


@inner
def canonical_key(own: int, occupied: int, width: int, height: int) -> int:
    """One number for a position and its mirror image: in each column the discs are counted up by those of the seat to play."""
    key = own + occupied
    return min(key, mirrored(key, width, height))


@inner
def hash_of(key: int) -> int:
    """A one-to-one map of 64-bit numbers."""
    product = as_int64(wrapping_mul(as_uint64(key), np.uint64(HASH_FACTOR)))
    return product ^ ((product >> 32) & 0xFFFFFFFF)


@inner
def entry_of(table: NDArray[np.int64], code: int) -> int:
    """What the table holds of a hash; 0 if nothing. The low bits choose the pair of slots, the high ones are compared."""
    low_bits = (table.shape[0] >> 1) - 1
    slot = (code & low_bits) << 1
    for i in range(slot, slot + 2):
        entry = table[i]
        if entry & ~low_bits == code & ~low_bits:
            return entry & low_bits
    return 0


@inner
def store_entry(table: NDArray[np.int64], code: int, lower: int, upper: int, work: int) -> None:
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
def book_score(
    own: int, occupied: int, width: int, height: int, book_keys: NDArray[np.int64], book_scores: NDArray[np.int8]
) -> int:
    """The book's score; UNKNOWN where it has none."""
    key = canonical_key(own, occupied, width, height)
    i = np.searchsorted(book_keys, key)
    return int(book_scores[i]) if i < len(book_keys) and book_keys[i] == key else UNKNOWN


@inner
def least_after_book(
    own: int, occupied: int, width: int, height: int, book_keys: NDArray[np.int64], book_scores: NDArray[np.int8]
) -> int:
    """A lower bound of a score by the positions that one disc of the other seat less leaves; UNKNOWN if none is in the book."""
    bottom, other, least = bottom_row(width, height), own ^ occupied, UNKNOWN
    tops = (occupied + bottom) >> 1  # the topmost disc of each column, or below an empty one nothing that counts
    for column in range(width):
        disc = tops & other & (((1 << height) - 1) << (column * (height + 1)))
        if disc != 0:
            score = book_score(other ^ disc, occupied ^ disc, width, height, book_keys, book_scores)
            if score != UNKNOWN:
                least = max(least, -score)
    return least


@inner
def without_lines(own: int, other: int, occupied: int, alpha: int, width: int, height: int) -> int:
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
def known_successor(
    own: int,
    occupied: int,
    possible: int,
    alpha: int,
    table: NDArray[np.int64],
    columns: NDArray[np.int64],
    width: int,
    height: int,
) -> int:
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
def ranked(own: int, occupied: int, possible: int, threats: int, columns: NDArray[np.int64], width: int, height: int) -> int:
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
def is_above(
    position: Any,
    alpha: int,
    table: NDArray[np.int64],
    stack: NDArray[np.int64],
    columns: NDArray[np.int64],
    book_keys: NDArray[np.int64],
    book_scores: NDArray[np.int8],
    book_discs: int,
    stop: NDArray[np.int64],
    report: NDArray[np.int64],
) -> int:
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
def score_kernel(
    game: Any, row: NDArray[np.int64], low: int, high: int, book_discs: int, arrays: tuple[NDArray[Any], ...]
) -> int:
    """The score of a position where a seat is to play: exact within low and high, else a bound beyond them. STOPPED if stopped.

    Exact in any case, and without a search, where the book has it or the seat can win at once.

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
    discs = popcount(occupied)
    if discs <= book_discs:
        value = book_score(position.own, occupied, width, height, book_keys, book_scores)
        if value != UNKNOWN:
            return value
    elif discs == book_discs + 1:
        low = max(low, least_after_book(position.own, occupied, width, height, book_keys, book_scores))
    left = width * height - discs
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
