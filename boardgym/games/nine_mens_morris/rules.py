"""The rules of Nine Men's Morris: the boards as tables, the position and its verbs; the package's docstring has the points."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core.bits import lowest_bit, popcount, wrapping_add
from boardgym.core.planes import fill_cells
from boardgym.core.verbs import constant, rule

ZERO, ONE, MINUS_ONE, LAST_EDGE = (np.uint64(word % 2**64) for word in (0, 1, -1, 1 << 63))
AT_ONCE = 8  # slides written in one go, the last of them void: `legal_actions`
NUM_POINTS, ALL_POINTS = 24, (1 << 24) - 1

# ---------------------------------------------------------------- the two boards: 0 without, 1 with diagonals

PLACES = [
    (row, column)
    for row in range(7)
    for column in range(7)
    if (row, column) != (3, 3) and (row == 3 or column == 3 or abs(row - 3) == abs(column - 3))
]
POINT_AT = np.full((7, 7), -1)
POINT_AT[tuple(zip(*PLACES, strict=True))] = range(NUM_POINTS)
POINT_ROW, POINT_COLUMN = np.array(PLACES).T.copy()
POINT_PLANE = np.zeros((7, 7, 10), np.int8)  # of an observation: what is the same in all
POINT_PLANE[POINT_ROW, POINT_COLUMN, 2] = 1
_by_column = sorted(range(NUM_POINTS), key=lambda point: PLACES[point][::-1])
_straight = [tuple(order[i : i + 3]) for order in (range(NUM_POINTS), _by_column) for i in range(0, NUM_POINTS, 3)]
LINES = (_straight, [*_straight, (0, 3, 6), (2, 5, 8), (21, 18, 15), (23, 20, 17)])

MILLS = tuple(np.array([sum(1 << point for point in line) for line in lines]) for lines in LINES)
MILLS_OF = np.zeros((2, NUM_POINTS, 3), np.int64)  # of each point; the last is repeated where there are but two
STARTS = np.zeros((2, 2, 3, 256), np.uint64)  # board, word, byte of the men -> the edges that start at them, see `slides`
ENDS = np.zeros((2, 2, 3, 256), np.uint64)  # ... of the free points -> the edges that end there
EDGE_ACTIONS = np.zeros((2, 2, 64), np.int64)  # board, word, edge -> action
NEIGHBOURS = np.zeros((2, NUM_POINTS), np.int64)
for _board, _lines in enumerate(LINES):
    for _point in range(NUM_POINTS):
        _through = [mill for mill in MILLS[_board] if mill >> _point & 1]
        MILLS_OF[_board, _point] = (_through + _through[-1:])[:3]
    _pairs = [pair for a, b, c in _lines for pair in ((a, b), (b, a), (b, c), (c, b))]
    _sizes = [0, 0]
    for _start, _end in sorted(_pairs):
        NEIGHBOURS[_board, _start] |= 1 << _end
        _word = 1 if _board and _start >= 12 else 0  # 64 edges fit into one word, the 80 with diagonals do not
        _edge = _sizes[_word]
        _sizes[_word] += 1
        EDGE_ACTIONS[_board, _word, _edge] = NUM_POINTS + NUM_POINTS * _start + _end
        for _table, _point in ((STARTS, _start), (ENDS, _end)):
            _has_point = np.arange(256) >> _point % 8 & 1 == 1
            _table[_board, _word, _point // 8, _has_point] |= ONE << np.uint64(_edge)


def image_of(point: int, k: int) -> int:
    """Where symmetry k sends a point: k % 4 quarter turns clockwise, a mirror (4), inner and outer ring exchanged (8)."""
    row, column = (place - 3 for place in PLACES[point])
    for _ in range(k % 4):
        row, column = column, -row
    column = -column if k & 4 else column
    if k & 8:
        row, column = (int(np.sign(place)) * (4 - max(abs(row), abs(column))) for place in (row, column))
    return int(POINT_AT[row + 3, column + 3])


IMAGES = np.array([[image_of(point, k) for point in range(NUM_POINTS)] for k in range(16)])


class NineMensMorris(NamedTuple):
    """Men as words, bit = point; `own` belongs to the seat to play. The constants are the rule options."""

    BOARD = 0  # type: ignore[misc]
    MEN = 9  # type: ignore[misc]
    SLIDES_EARLY = False  # type: ignore[misc]
    FLYING = True  # type: ignore[misc]
    NO_MILL_LIMIT = 100  # type: ignore[misc]
    REPETITION_LIMIT = 3  # type: ignore[misc]
    REPETITION_WINDOW = 0  # type: ignore[misc]
    CLOCKS = ("clock",)  # type: ignore[misc]

    own: int
    other: int
    own_hand: int
    other_hand: int
    must_remove: int  # 1 after a mill: the same seat removes a man
    seat: int
    clock: int  # slides and flights since the last mill, 0 throughout in games without a limit


# ---------------------------------------------------------------- rules


@inner
def slides(position: Any, own: int, empty: int, word: int) -> int:
    """The edges from men of `own` to free points, a word of one bit an edge, in the order of the actions.

    word: 0, or for the board with diagonals 0 and 1, its upper and lower half.
    """
    board = constant(position, "BOARD")
    starts = STARTS[board, word, 0, own & 255] | STARTS[board, word, 1, (own >> 8) & 255] | STARTS[board, word, 2, own >> 16]
    ends = ENDS[board, word, 0, empty & 255] | ENDS[board, word, 1, (empty >> 8) & 255] | ENDS[board, word, 2, empty >> 16]
    return starts & ends


@inner
def count_slides(position: Any, own: int, empty: int) -> int:
    """Number of slides that men of `own` have."""
    count = popcount(slides(position, own, empty, 0))
    return count + popcount(slides(position, own, empty, 1)) if constant(position, "BOARD") else count


@inner
def count_lines(position: Any, own: int, other: int) -> tuple[int, int]:
    """Closed mills, and lines of two men and a free point; each own less the other's."""
    mills, open_lines = 0, 0
    for mill in MILLS[constant(position, "BOARD")]:
        mine, theirs = popcount(own & mill), popcount(other & mill)
        if theirs == 0:
            mills += mine == 3
            open_lines += mine == 2
        elif mine == 0:
            mills -= theirs == 3
            open_lines -= theirs == 2
    return mills, open_lines


@inner
def men_in_mills(position: Any, men: int) -> int:
    """Those of the men that stand in a mill."""
    mills, found = MILLS[constant(position, "BOARD")], 0
    for mill in mills:
        if men & mill == mill:
            found |= mill
    return found


@inner
def is_lost(position: Any) -> bool:
    """Whether the seat to play, with no man to remove, has too few men or no move."""
    own, hand = position.own, position.own_hand
    men = popcount(own)
    if men + hand < 3:
        return True
    if hand > 0 or (men == 3 and constant(position, "FLYING")):
        return False
    return count_slides(position, own, ALL_POINTS & ~(own | position.other)) == 0


@inner
def is_clock_run_out(position: Any) -> bool:
    """Whether the limit of slides without a mill is reached."""
    limit = constant(position, "NO_MILL_LIMIT")
    return limit > 0 and position.clock >= limit


# What no game leads to, as `fault_of` counts it; 0: nothing was found.
(
    SOUND,
    NO_WORDS,
    TOO_MANY_MEN,
    NO_START,
    ONE_SIDE_PLACED,
    MOVED_WITHOUT_MAN,
    HANDS,
    TOO_MANY_LOST,
    OVER_BEFORE,
    UNPAID_MILL,
    NO_MILL,
    NONE_TO_REMOVE,
    EARLY_CLOCK,
    LONG_CLOCK,
) = range(14)


@inner
def fault_of(position: Any) -> tuple[int, int]:
    """The first thing in a position that no game leads to, one of the numbers above, and the seat that it concerns."""
    own, other, seat, clock = position.own, position.other, position.seat, position.clock
    men, may_slide_early, limit = (
        constant(position, "MEN"),
        constant(position, "SLIDES_EARLY"),
        constant(position, "NO_MILL_LIMIT"),
    )
    if (own | other) & ~ALL_POINTS or own & other or not 0 <= seat <= 1 or not 0 <= position.must_remove <= 1 or clock < 0:
        return NO_WORDS, 0
    words = (own, other) if seat == 0 else (other, own)
    hands = (position.own_hand, position.other_hand) if seat == 0 else (position.other_hand, position.own_hand)
    is_removal = position.must_remove == 1
    for side in range(2):
        if not 0 <= hands[side] <= men - popcount(words[side]):
            return TOO_MANY_MEN, side
    placed, left = (men - hands[0], men - hands[1]), (popcount(words[0]) + hands[0], popcount(words[1]) + hands[1])
    mover = seat if is_removal else 1 - seat  # who has acted last
    if placed == (0, 0):
        is_start = seat == 0 and not is_removal and clock == 0 and left == (men, men)
        return (SOUND if is_start else NO_START), 0
    if min(placed) == 0 and (placed != (1, 0) or seat == 0 or is_removal or clock > 0):
        return ONE_SIDE_PLACED, 0
    if words[mover] == 0:
        return MOVED_WITHOUT_MAN, mover
    is_white = 1 if mover == 0 else 0  # white begins, and may have placed one more
    if not may_slide_early and max(hands) > 0 and placed[mover] - placed[1 - mover] != is_white:
        return HANDS, 0
    for side in range(2):
        lost = men - left[side]
        is_placing = not may_slide_early and hands[1 - side] > 0
        most = placed[1 - side] - 2 if is_placing else men - 2
        if lost > max(0, most) or (lost > 0 and placed[1 - side] < 3):
            return TOO_MANY_LOST, side
        if left[side] < 3 and (side == mover or is_removal):
            return OVER_BEFORE, side
        has_just_closed = is_removal and side == mover
        if not has_just_closed and left[1 - side] == men and men_in_mills(position, words[side]) != 0:
            return UNPAID_MILL, side
    if is_removal and men_in_mills(position, own) == 0:
        return NO_MILL, 0
    if is_removal and other == 0:
        return NONE_TO_REMOVE, 0
    if clock > 0 and (is_removal or not (may_slide_early or placed == (men, men))):
        return EARLY_CLOCK, 0
    return (LONG_CLOCK if clock > limit > 0 else SOUND), 0


@rule(NineMensMorris)
def is_valid(position: Any) -> bool:
    """What a position string may say: see `fault_of`. Without a limit of slides no clock runs."""
    fault, _ = fault_of(position)
    return fault == SOUND and position.clock <= constant(position, "NO_MILL_LIMIT")


@rule(NineMensMorris)
def to_play(position: Any) -> int:
    return position.seat


@rule(NineMensMorris)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    """One function with one way out: else Numba counts references to `out`, which would cost a third of a playout's speed.

    Slides are written AT_ONCE at a time: processors foresee the end of a loop whose length varies less. What is written
    beyond the last is void, and stays within the 60 of max_legal_actions: without flights there are 52 actions at most.
    52 bounds the free points and the slides of 12 men on the board with diagonals, added up, though no position has both.
    """
    own, other, hand, board = position.own, position.other, position.own_hand, constant(position, "BOARD")
    empty, points, sliders, fliers, first, n = ALL_POINTS & ~(own | other), 0, 0, 0, 0, 0
    if position.must_remove:
        points = other & ~men_in_mills(position, other)
        if points == 0:
            points = other
    elif popcount(own) + hand >= 3 and not is_clock_run_out(position):
        if hand > 0:
            points = empty
        if hand == 0 and popcount(own) == 3 and constant(position, "FLYING"):
            points, fliers, first = empty, own & (own - 1), NUM_POINTS + NUM_POINTS * lowest_bit(own)
        elif hand == 0 or constant(position, "SLIDES_EARLY"):
            sliders = own
    while points:  # to place or remove a man, or to fly with the first
        out[n] = first + lowest_bit(points)
        points &= points - 1
        n += 1
    count = n
    while fliers:
        further = NUM_POINTS + NUM_POINTS * lowest_bit(fliers) - first
        for i in range(count):
            out[n + i] = out[i] + further
        n += count
        fliers &= fliers - 1
    for word in range(board + 1):
        edges = slides(position, sliders, empty, word)
        count = popcount(edges)
        for begin in range(n, n + count, AT_ONCE):
            for i in range(begin, begin + AT_ONCE):
                out[i] = EDGE_ACTIONS[board, word, lowest_bit(edges | LAST_EDGE)]
                edges &= wrapping_add(edges, MINUS_ONE)
        n += count
    return n


@rule(NineMensMorris)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    """The men that may be removed after a mill; else what makes a mill."""
    count, n = legal_actions(position, out), 0
    for i in range(count):
        start, end, own = out[i] // NUM_POINTS - 1, out[i] % NUM_POINTS, position.own
        if position.must_remove == 0:
            own = own | (1 << end) if start < 0 else (own ^ (1 << start)) | (1 << end)
        first, second, third = MILLS_OF[constant(position, "BOARD"), end]
        is_mill = (own & first == first) | (own & second == second) | (own & third == third)
        out[n] = out[i]
        n += 1 if position.must_remove != 0 or is_mill else 0
    return n


@rule(NineMensMorris)
def apply(position: Any, action: int) -> Any:
    own, other, hand, clock = position.own, position.other, position.own_hand, position.clock
    if position.must_remove:
        return other & ~(1 << action), own, position.other_hand, hand, 0, 1 - position.seat, 0
    start, end = action // NUM_POINTS - 1, action % NUM_POINTS
    if start < 0:
        hand -= 1
    else:
        own ^= 1 << start
        if constant(position, "NO_MILL_LIMIT") > 0:
            clock += 1
    own |= 1 << end
    first, second, third = MILLS_OF[constant(position, "BOARD"), end]
    if (own & first == first) | (own & second == second) | (own & third == third):
        return own, other, hand, position.other_hand, 1, position.seat, 0
    return other, own, position.other_hand, hand, 0, 1 - position.seat, clock


@rule(NineMensMorris)
def is_terminal(position: Any) -> bool:
    if position.must_remove:
        return False
    return is_clock_run_out(position) or is_lost(position)


@rule(NineMensMorris)
def returns(position: Any, seat: int) -> float:
    if not is_lost(position):
        return 0.0
    return -1.0 if seat == position.seat else 1.0


@rule(NineMensMorris)
def repetition_limit(position: Any) -> int:
    return constant(position, "REPETITION_LIMIT")


@rule(NineMensMorris)
def repetition_window(position: Any) -> int:
    return constant(position, "REPETITION_WINDOW")


@inner
def count_blocked(position: Any, men: int, empty: int) -> int:
    """How many of the men have no free point beside them."""
    count = 0
    while men:
        count += NEIGHBOURS[constant(position, "BOARD"), lowest_bit(men)] & empty == 0
        men &= men - 1
    return count


@inner
def can_fly(position: Any, men: int, hand: int) -> bool:
    """Whether a side with these men on the board, and so many in hand, may go from any point to any other."""
    return constant(position, "FLYING") and hand == 0 and popcount(men) == 3


@rule(NineMensMorris)
def heuristic(position: Any, seat: int) -> float:
    """Men (one more for a removal to come), mills, lines that lack one man, mobility and blocked men; in (-1, 1).

    Men, mills, two-man lines and blocked men are terms of S. Petcu and S. Holban, "Nine Men's Morris: evaluation functions"
    (DAS 2008); mobility and the weights are ours. Both count for nothing of a side that can fly: no man of it is blocked.
    """
    own, other = position.own, position.other
    empty = ALL_POINTS & ~(own | other)
    men = popcount(own) + position.own_hand - popcount(other) - position.other_hand + position.must_remove
    mills, open_lines = count_lines(position, own, other)
    mobility, blocked = 0, 0
    if not can_fly(position, own, position.own_hand):
        mobility, blocked = count_slides(position, own, empty), count_blocked(position, own, empty)
    if not can_fly(position, other, position.other_hand):
        mobility -= count_slides(position, other, empty)
        blocked -= count_blocked(position, other, empty)
    score = 0.5 * men + 0.12 * mills + 0.08 * open_lines + 0.02 * mobility - 0.03 * blocked
    value = score / (1.0 + abs(score))
    return value if seat == position.seat else -value


@inner
def write_men(men: int, out: NDArray[Any], channel: int) -> None:
    """Writes ones into a plane of an observation that is zero, at the points of a word."""
    while men:
        point = lowest_bit(men)
        out[POINT_ROW[point], POINT_COLUMN[point], channel] = 1
        men &= men - 1


@rule(NineMensMorris)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    is_observer = seat == position.seat
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    my_hand, their_hand = position.own_hand, position.other_hand
    if not is_observer:
        my_hand, their_hand = their_hand, my_hand
    same = (0, 0, 0, position.must_remove, my_hand, their_hand, position.clock, int(is_observer), seat, 1)
    fill_cells(out, POINT_PLANE, same)
    write_men(mine, out, 0)
    write_men(theirs, out, 1)


@rule(NineMensMorris)
def decode(planes: NDArray[Any]) -> Any:
    mine, theirs = 0, 0
    for row in range(7):
        for column in range(7):
            point = int(POINT_AT[row, column])
            if point >= 0:
                mine |= int(planes[row, column, 0]) << point
                theirs |= int(planes[row, column, 1]) << point
    corner = planes[0, 0]
    must_remove, seat, clock = int(np.int64(corner[3])), int(np.int64(corner[8])), int(np.int64(corner[6]))
    my_hand, their_hand = int(np.int64(corner[4])), int(np.int64(corner[5]))  # int() alone keeps int8 when compiled
    if corner[7]:
        return NineMensMorris(mine, theirs, my_hand, their_hand, must_remove, seat, clock)  # type: ignore[call-arg]
    return NineMensMorris(theirs, mine, their_hand, my_hand, must_remove, 1 - seat, clock)  # type: ignore[call-arg]


@rule(NineMensMorris)
def num_symmetries(position: Any) -> int:
    return 16


@rule(NineMensMorris)
def transform(position: Any, k: int) -> Any:
    own, other = 0, 0
    for point in range(NUM_POINTS):
        own |= ((position.own >> point) & 1) << IMAGES[k, point]
        other |= ((position.other >> point) & 1) << IMAGES[k, point]
    return own, other, position.own_hand, position.other_hand, position.must_remove, position.seat, position.clock


@rule(NineMensMorris)
def transform_action(position: Any, action: int, k: int) -> int:
    start, end = action // NUM_POINTS - 1, action % NUM_POINTS
    return IMAGES[k, end] if start < 0 else NUM_POINTS + NUM_POINTS * IMAGES[k, start] + IMAGES[k, end]
