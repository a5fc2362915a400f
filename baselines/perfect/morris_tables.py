"""Endgames of Nine Men's Morris by retrograde analysis: every position without men in hand, up to so many men a side.

A position is a pair of words, the men of the side to play (a of them) and of the other (b). A value is a byte: 0 a draw, else
1 + turns to the end of the game with best play, so that odd codes are lost (0, 2, ... turns) and even ones won (1, 3, ...). A
turn is a slide or flight with the removal that it may bring; the winner hurries, the loser delays. No clock and no repetition
stops the game here: `morris.py` says when a value holds under the rules that do.

Positions that the 16 symmetries make equal share one byte. The own men are sent to the representative of their orbit by a
fixed symmetry; of what the symmetries that leave it alone make of the other men, the least counts. The byte of (a, b) is at
`start[a, b] + orbit * C(24 - a, b) + rank of the other men among the points left`; bytes that no position has hold DEAD.

Layers: turn 0 holds the blocked positions. In an odd layer the predecessors of what was lost in the layer before are won; in
an even one those of what was won are lost if all their moves lead to won positions. What captures lead to is known before: the
tables of fewer men are complete; `captures` holds the best that a capture gives. Tables (a, b) and (b, a) are made together.

Threads share a pass over a table, by orbits of the own men. `begin_table` and `settle_table` write a position's own byte alone;
`extend_table` marks those of others, all with the same mark. Of bytes that others write in the same pass, it matters only
whether they hold a code of an earlier layer, and those stay. So tables are the same for any number of threads.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel, plain, shared
from boardgym.core.bits import lowest_bit, popcount
from boardgym.games.nine_mens_morris.rules import ALL_POINTS, IMAGES, MILLS, MILLS_OF, NEIGHBOURS, NUM_POINTS

FEWEST, MOST = 3, 9
DRAW, NO_CAPTURE, DEAD, MARK = 0, 0, 255, 253
WON_NOW = 2  # a turn that leaves the other two men
CAPTURE_DRAWS = 255  # in `captures`: the best capture draws
LONGEST = 250  # turns that a code can tell
MOST_ACTIONS = 64  # three men that fly, and one to spare


class Maps(NamedTuple):
    """How positions become indices; m is the number of men that an array speaks of.

    images: int64 (16, 3, 256), what symmetry k makes of a byte of a word. binomials: int64 (25, 25). words: int64, all words of
    m men ascending, from word_start[m] on. orbits: int64 beside them, 16 * number of the orbit + symmetry to its
    representative. representatives, stabilisers: int64 from orbit_start[m] on, a word and the set of symmetries but the
    identity that leave it alone. start: int64 (10, 10), where the table of (a, b) begins, -1 if it is not there.
    """

    images: NDArray[np.int64]
    binomials: NDArray[np.int64]
    words: NDArray[np.int64]
    orbits: NDArray[np.int64]
    word_start: NDArray[np.int64]
    representatives: NDArray[np.int64]
    stabilisers: NDArray[np.int64]
    orbit_start: NDArray[np.int64]
    start: NDArray[np.int64]


Words = NDArray[np.int64]
PlainMaps = tuple[Words, ...]  # in the order of `Maps`
Bytes = NDArray[np.uint8]  # codes, one a position
Rule = tuple[int, int]  # (board, flies)

BINOMIALS = np.array([[math.comb(n, k) for k in range(25)] for n in range(25)])
BYTE_IMAGES = np.zeros((16, 3, 256), np.int64)
for _point in range(NUM_POINTS):
    _has_point = np.arange(256) >> _point % 8 & 1 == 1
    for _k in range(16):
        BYTE_IMAGES[_k, _point // 8, _has_point] |= 1 << int(IMAGES[_k, _point])


def orbits_of(men: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(words, orbits, representatives, stabilisers) of so many men, as `Maps` has them."""
    every = np.zeros(1, np.int64)
    for count in range(1, men + 1):  # words of `count` men: a highest man above those of one less, which are ascending
        every = np.concatenate([every[: math.comb(p, count - 1)] | 1 << p for p in range(count - 1, NUM_POINTS)])
    images = np.stack(
        [
            BYTE_IMAGES[k, 0, every & 255] | BYTE_IMAGES[k, 1, every >> 8 & 255] | BYTE_IMAGES[k, 2, every >> 16]
            for k in range(16)
        ]
    )
    symmetry = images.argmin(axis=0)
    representatives, number = np.unique(images.min(axis=0), return_inverse=True)
    place = np.searchsorted(every, representatives)
    keeps = images[:, place] == representatives
    keeps[0] = False
    stabilisers = (keeps * (1 << np.arange(16))[:, None]).sum(axis=0)
    return every, 16 * number + symmetry, representatives, stabilisers


def make_maps(largest: int) -> Maps:
    """The maps for up to so many men a side, with no table in them yet."""
    parts = [orbits_of(men) for men in range(FEWEST, largest + 1)]
    word_start, orbit_start = np.full(MOST + 1, -1), np.full(MOST + 1, -1)
    for men in range(FEWEST, largest + 1):
        word_start[men] = sum(len(part[0]) for part in parts[: men - FEWEST])
        orbit_start[men] = sum(len(part[2]) for part in parts[: men - FEWEST])
    words, orbits, representatives, stabilisers = (np.concatenate([part[i] for part in parts]) for i in range(4))
    start = np.full((MOST + 1, MOST + 1), -1)
    return Maps(BYTE_IMAGES, BINOMIALS, words, orbits, word_start, representatives, stabilisers, orbit_start, start)


# ---------------------------------------------------------------- positions and indices


@inner
def rank_among(men: int, own: int, binomials: Words) -> int:
    """Number of a set of men among those of as many men on the points outside `own`."""
    rank, count = 0, 1
    while men:
        point = lowest_bit(men)
        rank += binomials[point - popcount(own & ((1 << point) - 1)), count]
        men &= men - 1
        count += 1
    return rank


@inner
def image(word: int, k: int, images: Words) -> int:
    """What symmetry k makes of a word."""
    return images[k, 0, word & 255] | images[k, 1, (word >> 8) & 255] | images[k, 2, word >> 16]


@inner
def index_of(own: int, other: int, maps: PlainMaps) -> int:
    """Where the byte of a position is. maps: a plain tuple in the order of `Maps`."""
    images, binomials, _, orbits, word_start, representatives, stabilisers, orbit_start, start = maps
    a, b = popcount(own), popcount(other)
    orbit = orbits[word_start[a] + rank_among(own, 0, binomials)]
    number = orbit >> 4
    men, theirs = representatives[orbit_start[a] + number], image(other, orbit & 15, images)
    rank, left = rank_among(theirs, men, binomials), stabilisers[orbit_start[a] + number]
    while left:
        rank = min(rank, rank_among(image(theirs, lowest_bit(left), images), men, binomials))
        left &= left - 1
    return start[a, b] + number * binomials[NUM_POINTS - a, b] + rank


@inner
def spread(word: int, own: int) -> int:
    """The men of a word of points outside `own`, numbered without gaps, as a word of all points: inverse of the ranking."""
    men, point, place = 0, 0, 0
    while word >> place:
        if not (own >> point) & 1:
            men |= ((word >> place) & 1) << point
            place += 1
        point += 1
    return men


@inner
def has_mill(men: int, point: int, board: int) -> bool:
    """Whether a man on `point`, one of `men`, stands in a mill."""
    first, second, third = MILLS_OF[board, point]
    return (men & first == first) | (men & second == second) | (men & third == third)


@inner
def removable(men: int, board: int) -> int:
    """Those of the men that a mill of the other side may take."""
    safe = 0
    for mill in MILLS[board]:
        if men & mill == mill:
            safe |= mill
    return men & ~safe if men & ~safe else men


@inner
def targets_of(point: int, men: int, empty: int, flies: int, board: int) -> int:
    """Where a man may go, or where it may have come from. men: how many its side has."""
    return empty if flies and men == FEWEST else NEIGHBOURS[board, point] & empty


# ---------------------------------------------------------------- values


@inner
def turned(code: int | np.int64) -> int:
    """The code of a position for the side that moves into it: a turn more, won for lost."""
    return code + 1 if code else DRAW  # type: ignore[return-value]


@inner
def merit(code: int) -> int:
    """Orders codes from the longest win to the loss that comes soonest; larger is better."""
    if code == DRAW:
        return 0
    return LONGEST + 2 - code if code & 1 == 0 else code - LONGEST - 2


@inner
def after_removal(own: int, other: int, victim: int, values: Bytes, maps: PlainMaps) -> int:
    """The code, for the side that takes `victim`, of the turn that ends so. own, other: the men after the move."""
    if popcount(other) == FEWEST:
        return WON_NOW
    return turned(np.int64(values[index_of(other & ~(1 << victim), own, maps)]))


@inner
def best_removal(own: int, other: int, board: int, values: Bytes, maps: PlainMaps) -> int:
    """The best code of a turn that has closed a mill."""
    left, best = removable(other, board), -1
    while left:
        code = after_removal(own, other, lowest_bit(left), values, maps)
        if best < 0 or merit(code) > merit(best):
            best = code
        left &= left - 1
    return best


@inner
def is_lost_by(own: int, other: int, turns: int, rule: Rule, values: Bytes, capture: int | np.int64, maps: PlainMaps) -> bool:
    """Whether all moves lead to positions won within `turns` - 1 turns, and the best capture, if any, loses within `turns`."""
    board, flies = rule
    if capture != NO_CAPTURE and (capture & 1 == 0 or capture == CAPTURE_DRAWS or capture - 1 > turns):
        return False
    empty, men = ALL_POINTS & ~(own | other), own
    while men:
        source = lowest_bit(men)
        men &= men - 1
        targets = targets_of(source, popcount(own), empty, flies, board)
        while targets:
            target = lowest_bit(targets)
            targets &= targets - 1
            moved = (own ^ (1 << source)) | (1 << target)
            if not has_mill(moved, target, board):
                code = np.int64(values[index_of(other, moved, maps)])
                if code == DRAW or code & 1:  # drawn or not decided, lost, or marked
                    return False
    return True


@shared
def begin_table(
    low: int, high: int, values: Bytes, captures: Bytes, a: int, b: int, rule: Rule, maps: PlainMaps, longest: Words
) -> None:
    """Turn 0 and the captures of the table (a, b), for own men of the orbits from low to high - 1.

    values: uint8, all tables; captures: uint8, zeros, for the last of them, which are being made. rule: (board, flies).
    longest: int64, for each orbit, filled: the longest code of a capture.
    """
    _, binomials, words, _, word_start, representatives, _, orbit_start, start = maps
    board, flies = rule
    size, offset = binomials[NUM_POINTS - a, b], len(values) - len(captures)
    place = start[a, b] + low * size
    for number in range(low, high):
        own, most = representatives[orbit_start[a] + number], 0
        for rank in range(size):
            other = spread(words[word_start[b] + rank], own)
            if index_of(own, other, maps) != place:
                values[place] = DEAD
                place += 1
                continue
            empty, men, can_move, best = ALL_POINTS & ~(own | other), own, False, -1
            while men:
                source = lowest_bit(men)
                men &= men - 1
                targets = targets_of(source, a, empty, flies, board)
                can_move |= targets != 0
                while targets:
                    target = lowest_bit(targets)
                    targets &= targets - 1
                    moved = (own ^ (1 << source)) | (1 << target)
                    if has_mill(moved, target, board):
                        code = best_removal(moved, other, board, values, maps)
                        if best < 0 or merit(code) > merit(best):
                            best = code
            if not can_move:
                values[place] = 1
            elif best >= 0:
                captures[place - offset] = CAPTURE_DRAWS if best == DRAW else best
                most = max(most, best)
            place += 1
        longest[number] = most


@shared
def extend_table(
    low: int, high: int, values: Bytes, turns: int, a: int, b: int, rule: Rule, maps: PlainMaps, marked: Words
) -> None:
    """Marks, in the table (b, a), what leads to positions of (a, b) decided in the layer before `turns`, at least 1.

    marked: int64, for each orbit, filled: about how many, for threads can mark the same byte at the same time. Others: as
    `begin_table` has them.
    """
    _, binomials, words, _, word_start, representatives, _, orbit_start, start = maps
    board, flies = rule
    size = binomials[NUM_POINTS - a, b]
    place = start[a, b] + low * size
    for number in range(low, high):
        own, count = representatives[orbit_start[a] + number], 0
        for rank in range(size):
            if values[place] == turns:  # the code of turns - 1
                other = spread(words[word_start[b] + rank], own)
                empty, men = ALL_POINTS & ~(own | other), other
                while men:
                    target = lowest_bit(men)
                    men &= men - 1
                    if has_mill(other, target, board):
                        continue  # who came there took a man
                    origins = targets_of(target, b, empty, flies, board)
                    while origins:
                        before = (other ^ (1 << target)) | (1 << lowest_bit(origins))
                        origins &= origins - 1
                        earlier = index_of(before, own, maps)
                        if values[earlier] == DRAW:
                            values[earlier] = MARK
                            count += 1
            place += 1
        marked[number] = count


@shared
def settle_table(
    low: int, high: int, values: Bytes, captures: Bytes, turns: int, a: int, b: int, rule: Rule, maps: PlainMaps, decided: Words
) -> None:
    """Ends the layer `turns` of the table (a, b): by captures, and what is marked, if it is won, or lost by all its moves.

    decided: int64, for each orbit, filled: how many positions were decided. Others: as `begin_table` has them.
    """
    _, binomials, words, _, word_start, representatives, _, orbit_start, start = maps
    size, offset = binomials[NUM_POINTS - a, b], len(values) - len(captures)
    place = start[a, b] + low * size
    for number in range(low, high):
        count = 0
        for rank in range(size):
            value, capture = values[place], np.int64(captures[place - offset])
            if value == MARK or (value == DRAW and capture == turns + 1):
                is_decided = turns & 1 == 1
                if not is_decided:
                    own = representatives[orbit_start[a] + number]
                    other = spread(words[word_start[b] + rank], own)
                    is_decided = is_lost_by(own, other, turns, rule, values, capture, maps)
                values[place] = turns + 1 if is_decided else DRAW
                count += is_decided
            place += 1
        decided[number] = count


@kernel
def probe(own: int, other: int, removes: bool, rule: Rule, values: Bytes, maps: PlainMaps, actions: Words, codes: Words) -> int:
    """The codes of all legal actions for the side to play, 1 + turns to the end, this one included; returns how many.

    own, other: words without men in hand; removes: whether a man is to be removed; actions, codes: int64 arrays, filled.
    """
    board, flies = rule
    if removes:
        n, men = 0, removable(other, board)
        while men:
            victim = lowest_bit(men)
            men &= men - 1
            actions[n], codes[n] = victim, after_removal(own, other, victim, values, maps)
            n += 1
        return n
    n, empty, men = 0, ALL_POINTS & ~(own | other), own
    while men:
        source = lowest_bit(men)
        men &= men - 1
        targets = targets_of(source, popcount(own), empty, flies, board)
        while targets:
            target = lowest_bit(targets)
            targets &= targets - 1
            moved = (own ^ (1 << source)) | (1 << target)
            if has_mill(moved, target, board):
                code = best_removal(moved, other, board, values, maps)
            else:
                code = turned(np.int64(values[index_of(other, moved, maps)]))
            actions[n], codes[n] = NUM_POINTS + NUM_POINTS * source + target, code
            n += 1
    return n


@shared
def count_faults(low: int, high: int, values: Bytes, a: int, b: int, rule: Rule, maps: PlainMaps, faults: Words) -> None:
    """How many bytes of the table (a, b) are not what the positions after a turn say, by moves forward, for each orbit.

    No fault in any table proves them all: a win is followed by a shorter one, and a draw has a move that draws and none that
    wins. faults: int64, filled. Others: as `begin_table` has them.
    """
    _, binomials, words, _, word_start, representatives, _, orbit_start, start = maps
    actions, codes = np.empty(MOST_ACTIONS, np.int64), np.empty(MOST_ACTIONS, np.int64)
    size = binomials[NUM_POINTS - a, b]
    place = start[a, b] + low * size
    for number in range(low, high):
        own, count = representatives[orbit_start[a] + number], 0
        for rank in range(size):
            other = spread(words[word_start[b] + rank], own)
            expected, removes = 1, rank < 0  # blocked: lost; a literal False would have `probe` compiled once more
            for k in range(probe(own, other, removes, rule, values, maps, actions, codes)):
                if k == 0 or merit(codes[k]) > merit(expected):
                    expected = codes[k]
            is_own_place = index_of(own, other, maps) == place
            count += values[place] != (expected if is_own_place else DEAD)
            place += 1
        faults[number] = count


def rank_code(code: int) -> int:
    """Orders codes for the side to play, from Python: the greatest is best."""
    return int(plain(merit)(code))


@kernel
def code_of(own: int, other: int, values: Bytes, maps: PlainMaps) -> int:
    """The code of a position without a man to remove."""
    return np.int64(values[index_of(own, other, maps)])  # type: ignore[return-value]
