"""Nine Men's Morris: place nine men, then slide them; three in a line are a mill, which removes a man of the other's.

Rules: the usual ones, as in R. Gasser, "Solving Nine Men's Morris" (1996). Seat 0 plays white and begins. While a seat has
men in hand it places one on a free point; then it slides a man along a line to the next point, or flies to any free point
with exactly three men left. Who closes a mill removes a man as a second action, one even if two mills were closed; men in
mills are safe unless all are. Who has fewer than three men, on the board and in hand, or cannot move, has lost.

Options: `flying` (False: three men slide too). `no_mill_limit`, default 100: a draw after so many slides and flights, of
both seats together, since the last mill was closed; placing does not count; 0: no limit. `repetition_limit`, default 3: the
game is drawn when board, hands and side to play occur so often; 0: never. `draw`: a rule of the UCT-CCNN study in place of
`repetition_limit`: "first_repetition", or "three_action_loop", where four plies led back. `variant`: "nine"; "lasker", ten
men, which may slide before all are placed; "twelve", twelve men on a board whose corners are joined by diagonals (four
more mills), where the 24th man fills the board and leaves white without a move.

Action: point = place a man there, or remove it; 24 + 24 * from + to = slide or fly; 600 in all, OpenSpiel's numbers too. The
points (files a to g, ranks 7 to 1 from the top); moves are written `d6`, `a4-a7` (`a4a7` is read too), and `xd1` to remove:

     7   0 --------- 1 --------- 2
     6   |   3 ----- 4 ----- 5   |
     5   |   |   6 - 7 - 8   |   |
     4   9 - 10- 11      12- 13- 14
     3   |   |   15- 16- 17  |   |
     2   |   18 ---- 19 ---- 20  |
     1   21 -------- 22 -------- 23
         a   b   c   d   e   f   g

Position string: the points of each rank, `W`, `B` or `.`; the side to play, with an `x` if it is to remove a man; white's and
black's men in hand; the slides since the last mill: `.W./.../.../B...../.../.../... w 8,8 0`. Observation (7, 7, 10): own
men; the other's; the points; ones if a man is to be removed; own men in hand; the other's; slides since the last mill; ones
if the observing seat is to play; ones if it is black; ones.
"""

import functools
import re
from typing import NamedTuple

import numpy as np

from boardgym.core.bits import lowest_bit, popcount
from boardgym.core.cache import inner, plain
from boardgym.core.drawing import CELL, CORNER, EDGE, INK, LABELS, Drawing, Piece, Shape, Spot
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game, Version, register
from boardgym.core.variants import variant as variant_of
from boardgym.core.verbs import constant, rule

ZERO, ONE = np.uint64(0), np.uint64(1)
NUM_POINTS, ALL_POINTS = 24, (1 << 24) - 1
UNLIMITED = 1_000_000  # max_plies of a game without no_mill_limit: random games are far shorter, but nothing bounds them
LARGEST_LIMIT = 32_000  # the clock is a plane of the observation, int16

# ---------------------------------------------------------------- the two boards: 0 without, 1 with diagonals

PLACES = [(row, column) for row in range(7) for column in range(7)
          if row != 3 or column != 3 if row == 3 or column == 3 or abs(row - 3) == abs(column - 3)]  # fmt: skip
POINT_AT = np.full((7, 7), -1)
POINT_AT[tuple(zip(*PLACES, strict=True))] = range(NUM_POINTS)
NAMES = [f"{'abcdefg'[column]}{7 - row}" for row, column in PLACES]
_by_column = sorted(range(NUM_POINTS), key=lambda point: PLACES[point][::-1])
_straight = [tuple(order[i : i + 3]) for order in (range(NUM_POINTS), _by_column) for i in range(0, NUM_POINTS, 3)]
LINES = (_straight, [*_straight, (0, 3, 6), (2, 5, 8), (21, 18, 15), (23, 20, 17)])

MILLS = tuple(tuple(sum(1 << point for point in line) for line in lines) for lines in LINES)
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
            for _value in range(256):
                if _value >> _point % 8 & 1:
                    _table[_board, _word, _point // 8, _value] |= ONE << np.uint64(_edge)


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
def slides(position, own, empty, word):
    """The edges from men of `own` to free points, a word of one bit an edge, in the order of the actions.

    word: 0, or for the board with diagonals 0 and 1, its upper and lower half.
    """
    board = constant(position, "BOARD")
    starts = STARTS[board, word, 0, own & 255] | STARTS[board, word, 1, (own >> 8) & 255] | STARTS[board, word, 2, own >> 16]
    ends = ENDS[board, word, 0, empty & 255] | ENDS[board, word, 1, (empty >> 8) & 255] | ENDS[board, word, 2, empty >> 16]
    return starts & ends


@inner
def count_slides(position, own, empty):
    """Number of slides that men of `own` have."""
    count = popcount(slides(position, own, empty, 0))
    return count + popcount(slides(position, own, empty, 1)) if constant(position, "BOARD") else count


@inner
def men_in_mills(position, men):
    """Those of the men that stand in a mill."""
    mills, found = MILLS[constant(position, "BOARD")], 0
    for mill in mills:
        if men & mill == mill:
            found |= mill
    return found


@inner
def write_points(points, out):
    """Writes the numbers of a word's points. Returns how many."""
    n = 0
    while points:
        out[n] = lowest_bit(points)
        points &= points - 1
        n += 1
    return n


@inner
def write_slides(position, own, empty, out, n):
    """Writes the slides from out[n] on. Returns the length."""
    board = constant(position, "BOARD")
    for word in range(board + 1):
        edges = slides(position, own, empty, word)
        while edges:
            out[n] = EDGE_ACTIONS[board, word, lowest_bit(edges)]
            edges &= edges - ONE
            n += 1
    return n


@inner
def write_flights(own, empty, out):
    """Writes the moves of all men to all free points. Returns how many."""
    start = lowest_bit(own)
    count = n = write_points(empty, out)
    for i in range(count):
        out[i] += NUM_POINTS + NUM_POINTS * start
    own &= own - 1
    while own:
        further = NUM_POINTS * (lowest_bit(own) - start)
        for i in range(count):
            out[n + i] = out[i] + further
        n += count
        own &= own - 1
    return n


@inner
def is_lost(position):
    """Whether the seat to play, with no man to remove, has too few men or no move."""
    own, hand = position.own, position.own_hand
    men = popcount(own)
    if men + hand < 3:
        return True
    if hand > 0 or (men == 3 and constant(position, "FLYING")):
        return False
    return count_slides(position, own, ALL_POINTS & ~(own | position.other)) == 0


@inner
def is_clock_run_out(position):
    """Whether the limit of slides without a mill is reached."""
    limit = constant(position, "NO_MILL_LIMIT")
    return limit > 0 and position.clock >= limit


@rule(NineMensMorris)
def to_play(position):
    return position.seat


@rule(NineMensMorris)
def legal_actions(position, out):
    own, other, hand = position.own, position.other, position.own_hand
    if position.must_remove:
        free_to_remove = other & ~men_in_mills(position, other)
        return write_points(free_to_remove if free_to_remove else other, out)
    men = popcount(own)
    if men + hand < 3 or is_clock_run_out(position):
        return 0
    empty = ALL_POINTS & ~(own | other)
    if hand > 0:
        n = write_points(empty, out)
        return write_slides(position, own, empty, out, n) if constant(position, "SLIDES_EARLY") else n
    if men == 3 and constant(position, "FLYING"):
        return write_flights(own, empty, out)
    return write_slides(position, own, empty, out, 0)


@rule(NineMensMorris)
def apply(position, action):
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
    if own & first == first or own & second == second or own & third == third:
        return own, other, hand, position.other_hand, 1, position.seat, 0
    return other, own, position.other_hand, hand, 0, 1 - position.seat, clock


@rule(NineMensMorris)
def is_terminal(position):
    if position.must_remove:
        return False
    return is_clock_run_out(position) or is_lost(position)


@rule(NineMensMorris)
def returns(position, seat):
    if not is_lost(position):
        return 0.0
    return -1.0 if seat == position.seat else 1.0


@rule(NineMensMorris)
def repetition_limit(position):
    return constant(position, "REPETITION_LIMIT")


@rule(NineMensMorris)
def repetition_window(position):
    return constant(position, "REPETITION_WINDOW")


@inner
def count_blocked(position, men, empty):
    """How many of the men have no free point beside them."""
    count = 0
    while men:
        count += NEIGHBOURS[constant(position, "BOARD"), lowest_bit(men)] & empty == 0
        men &= men - 1
    return count


@rule(NineMensMorris)
def heuristic(position, seat):
    """Men (one more for a removal to come), mills, lines that lack one man, mobility and blocked men; in (-1, 1).

    The terms are those of S. Petcu and S. Holban, "Nine Men's Morris: evaluation functions" (2008); the weights are ours.
    """
    own, other = position.own, position.other
    empty = ALL_POINTS & ~(own | other)
    men = popcount(own) + position.own_hand - popcount(other) - position.other_hand + position.must_remove
    mills, open_lines = 0, 0
    for mill in MILLS[constant(position, "BOARD")]:
        mine, theirs = popcount(own & mill), popcount(other & mill)
        if theirs == 0:
            mills += mine == 3
            open_lines += mine == 2
        elif mine == 0:
            mills -= theirs == 3
            open_lines -= theirs == 2
    mobility = count_slides(position, own, empty) - count_slides(position, other, empty)
    blocked = count_blocked(position, own, empty) - count_blocked(position, other, empty)
    score = 0.5 * men + 0.12 * mills + 0.08 * open_lines + 0.02 * mobility - 0.03 * blocked
    value = score / (1.0 + abs(score))
    return value if seat == position.seat else -value


@rule(NineMensMorris)
def observe(position, seat, out):
    is_observer = seat == position.seat
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    my_hand, their_hand = position.own_hand, position.other_hand
    if not is_observer:
        my_hand, their_hand = their_hand, my_hand
    for row in range(7):
        for column in range(7):
            point, plane = POINT_AT[row, column], out[row, column]
            is_point = point >= 0
            plane[0] = (mine >> point) & 1 if is_point else 0
            plane[1] = (theirs >> point) & 1 if is_point else 0
            plane[2] = is_point
            plane[3] = position.must_remove
            plane[4] = my_hand
            plane[5] = their_hand
            plane[6] = position.clock
            plane[7] = is_observer
            plane[8] = seat
            plane[9] = 1


@rule(NineMensMorris)
def decode(planes):
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
        return NineMensMorris(mine, theirs, my_hand, their_hand, must_remove, seat, clock)
    return NineMensMorris(theirs, mine, their_hand, my_hand, must_remove, 1 - seat, clock)


@rule(NineMensMorris)
def num_symmetries(position):
    return 16


@rule(NineMensMorris)
def transform(position, k):
    own, other = 0, 0
    for point in range(NUM_POINTS):
        own |= ((position.own >> point) & 1) << IMAGES[k, point]
        other |= ((position.other >> point) & 1) << IMAGES[k, point]
    return own, other, position.own_hand, position.other_hand, position.must_remove, position.seat, position.clock


@rule(NineMensMorris)
def transform_action(position, action, k):
    start, end = action // NUM_POINTS - 1, action % NUM_POINTS
    return IMAGES[k, end] if start < 0 else NUM_POINTS + NUM_POINTS * IMAGES[k, start] + IMAGES[k, end]


# ---------------------------------------------------------------- notation


def by_seat(position) -> tuple[tuple[int, int], tuple[int, int]]:
    """White's and black's men: (word, in hand)."""
    sides = (position.own, position.own_hand), (position.other, position.other_hand)
    return sides if position.seat == 0 else sides[::-1]


def move_text(position, action):
    start, end = action // NUM_POINTS - 1, NAMES[action % NUM_POINTS]
    if start >= 0:
        return f"{NAMES[start]}-{end}"
    return f"x{end}" if position.must_remove else end


def parse_move(position, text):
    match = re.fullmatch(r"(x?)\s*([a-g][1-7])(?:\s*-?\s*([a-g][1-7]))?", text.strip().lower())
    points = [name for name in match.groups()[1:] if name] if match else []
    if not match or (match[1] and len(points) == 2):
        raise NotationError(f"{text!r} is no move; expected 'd6' to place, 'a4-a7' to move or 'xd1' to remove a man, one at a time")
    for name in points:
        if name not in NAMES:
            raise NotationError(f"{text!r}: {name} is no point of the board; expected one of {' '.join(NAMES)}")
    if bool(match[1]) != bool(position.must_remove):
        expected = "a man is to be removed, as in 'xd1'" if position.must_remove else "no man is to be removed"
        raise NotationError(f"{text!r}: {expected}")
    numbers = [NAMES.index(name) for name in points]
    return numbers[0] if len(numbers) == 1 else NUM_POINTS + NUM_POINTS * numbers[0] + numbers[1]


RANKS = (0, 3, 6, 9, 15, 18, 21, 24)  # the first point of each rank from the top
EXAMPLE = ".W./.../.../B...../.../.../... w 8,8 0"


def to_fen(position):
    (white, white_hand), (black, black_hand) = by_seat(position)
    marks = [".WB"[(white >> point & 1) + 2 * (black >> point & 1)] for point in range(NUM_POINTS)]
    ranks = "/".join("".join(marks[a:b]) for a, b in zip(RANKS, RANKS[1:], strict=False))
    side = "wb"[position.seat] + "x" * position.must_remove
    return f"{ranks} {side} {white_hand},{black_hand} {position.clock}"


def read_fen(text, position_class):
    parts = text.split() if isinstance(text, str) else []
    if len(parts) != 4:
        raise NotationError(f"position string {text!r}: expected points, side, men in hand and slides, as in {EXAMPLE!r}")
    ranks, side = parts[0].split("/"), parts[1]
    if [len(rank) for rank in ranks] != [b - a for a, b in zip(RANKS, RANKS[1:], strict=False)]:
        raise NotationError(f"{parts[0]!r}: expected 7 ranks of 3, 3, 3, 6, 3, 3 and 3 points, separated by '/'")
    marks = "".join(ranks)
    for point, mark in enumerate(marks):
        if mark not in "WB.":
            raise NotationError(f"{parts[0]!r}: {mark!r} on {NAMES[point]}; expected 'W', 'B' or '.'")
    if side not in ("w", "b", "wx", "bx"):
        raise NotationError(f"side to play {side!r}: expected 'w' or 'b', with 'x' if it is to remove a man")
    hands = re.fullmatch(r"([0-9]{1,2}),([0-9]{1,2})", parts[2], re.ASCII)
    if not hands:
        raise NotationError(f"men in hand {parts[2]!r}: expected white's and black's, as in '8,8'")
    if not re.fullmatch(r"[0-9]{1,5}", parts[3], re.ASCII):
        raise NotationError(f"slides since the last mill {parts[3]!r}: expected a number")
    words = [sum(1 << point for point in range(NUM_POINTS) if marks[point] == mark) for mark in "WB"]
    sides = list(zip(words, (int(hands[1]), int(hands[2])), strict=True))
    seat = "wb".index(side[0])
    (own, own_hand), (other, other_hand) = sides[seat], sides[1 - seat]
    position = position_class(own, other, own_hand, other_hand, int(len(side) == 2), seat, int(parts[3]))
    if problem := problem_of(position):
        raise NotationError(f"{text!r}: {problem}")
    return position


def problem_of(position) -> str:
    """What no game leads to in a position, "" if nothing was found."""
    men, may_slide_early = position.MEN, position.SLIDES_EARLY
    sides, clock = by_seat(position), position.clock
    placed = [men - hand for _, hand in sides]
    total = [popcount(word) + hand for word, hand in sides]
    mover = position.seat if position.must_remove else 1 - position.seat  # who has acted last
    for name, word_and_hand, all_men in zip(("white", "black"), sides, total, strict=True):
        if all_men > men:
            return f"{name} has {popcount(word_and_hand[0])} men and {word_and_hand[1]} in hand; expected {men} at most"
    if placed == [0, 0]:
        is_start = position.seat == 0 and not position.must_remove and clock == 0 and total == [men, men]
        return "" if is_start else "no man is placed yet; expected white to play and no slides"
    if not sides[mover][0]:
        return f"{('white', 'black')[mover]} has just moved; expected a man on the board"
    ahead = placed[mover] - placed[1 - mover]  # the mover may have placed one more, white having begun
    if not may_slide_early and any(hand for _, hand in sides) and ahead != (mover == 0):
        return f"{sides[0][1]} and {sides[1][1]} men in hand do not fit the side to play; white begins, one at a time"
    for seat in (0, 1):
        lost = men - total[seat]
        is_placing = not may_slide_early and sides[1 - seat][1] > 0
        most = placed[1 - seat] - 2 if is_placing else men - 2
        if lost > max(0, most) or (lost and placed[1 - seat] < 3):
            return f"{('white', 'black')[seat]} has lost {lost} men; the other side cannot have closed as many mills"
        if total[seat] < 3 and (seat == mover or position.must_remove):
            return f"{('white', 'black')[seat]} has {total[seat]} men left; the game was over before"
    if position.must_remove:
        if not plain(men_in_mills)(position, position.own):
            return "a man is to be removed, but the side to play has no mill"
        if not position.other:
            return "a man is to be removed, but none is on the board"
    may_have_slid = not position.must_remove and (may_slide_early or placed == [men, men])
    if clock > (position.NO_MILL_LIMIT if may_have_slid else 0):
        most = f"{position.NO_MILL_LIMIT} at most" if may_have_slid else "0 while men are placed or removed"
        return f"{clock} slides since the last mill; expected {most}"
    return ""


# ---------------------------------------------------------------- drawing

DISCS = (Piece("disc", 0, "W"), Piece("disc", 1, "B"))
LINE, WOOD = "#5a4630", "#e6cfa5"
TEMPLATE = (
    "7 .-----.-----. ",
    "6 | .---.---. | ",
    "5 | | .-.-. | | ",
    "4 .-.-.   .-.-. ",
    "3 | | .-.-. | | ",
    "2 | .---.---. | ",
    "1 .-----.-----. ",
    "  a b c d e f g ",
)


def drawing_of(board: int) -> Drawing:
    """The drawing of the board 0 or 1, without or with diagonals."""
    spots = tuple(Spot(LABELS + (c + 0.5) * CELL, EDGE + (r + 0.5) * CELL, r, 2 + 2 * c) for r, c in PLACES)
    side = 7 * CELL
    backdrop = [
        Shape("rect", (LABELS - 3, EDGE - 3, side + 6, side + 6, CORNER), LINE),
        Shape("rect", (LABELS, EDGE, side, side, CORNER - 3), WOOD),
    ]
    for first, _, last in LINES[board]:
        ends = (spots[first].x, spots[first].y, spots[last].x, spots[last].y)
        backdrop.append(Shape("line", ends, "none", LINE, 3.5))
    backdrop += [Shape("circle", (spot.x, spot.y, 6.0), LINE) for spot in spots]
    for k in range(7):
        backdrop.append(Shape("text", (LABELS + (k + 0.5) * CELL, EDGE + side + LABELS / 2 + 1, 15.0), INK, text="abcdefg"[k]))
        backdrop.append(Shape("text", (LABELS / 2 - 1, EDGE + (k + 0.5) * CELL, 15.0), INK, text=str(7 - k)))
    return Drawing(
        (LABELS + side + EDGE, EDGE + side + LABELS),
        spots,
        pieces,
        TEMPLATE,
        tuple(backdrop),
        ("#fbf8ef", "#24211f"),
        WOOD,
        LINE,
        action_spots=action_spots,
        notes=notes,
    )


def pieces(position):
    (white, _), (black, _) = by_seat(position)
    return [DISCS[0] if white >> p & 1 else DISCS[1] if black >> p & 1 else None for p in range(NUM_POINTS)]


def action_spots(position, action):
    start, end = action // NUM_POINTS - 1, action % NUM_POINTS
    return (end,) if start < 0 else (start, end)


def notes(position):
    lines = []
    for name, (word, hand) in zip(("white", "black"), by_seat(position), strict=True):
        lines.append(f"{name}: {hand} in hand, {position.MEN - hand - popcount(word)} lost")
    return (*lines, f"{('white', 'black')[position.seat]}: remove a man") if position.must_remove else tuple(lines)


# ---------------------------------------------------------------- options

VARIANTS = {
    "nine": {},
    "lasker": {"MEN": 10, "SLIDES_EARLY": True},
    "twelve": {"MEN": 12, "BOARD": 1},
}
DRAWS = {"": None, "first_repetition": (2, 0), "three_action_loop": (2, 4)}  # repetition limit and window


def nine_mens_morris(
    flying: bool = True, repetition_limit: int = 3, no_mill_limit: int = 100, draw: str = "", variant: str = "nine"
) -> Game:
    """The game with the options that the module's docstring explains.

    Raises OptionError for a variant or draw that it does not name, for a repetition_limit of 1 or below 0, and for a
    no_mill_limit below 0 or above 32,000.
    """
    if variant not in VARIANTS:
        raise OptionError(f"variant={variant!r}: expected one of {', '.join(map(repr, VARIANTS))}")
    if draw not in DRAWS:
        raise OptionError(f"draw={draw!r}: expected one of {', '.join(map(repr, DRAWS))}")
    if type(flying) is not bool:
        raise OptionError(f"flying={flying!r}: expected True or False")
    if type(repetition_limit) is not int or repetition_limit < 0 or repetition_limit == 1:
        raise OptionError(f"repetition_limit={repetition_limit!r}: expected 0 (no such draw) or at least 2 occurrences")
    if type(no_mill_limit) is not int or not 0 <= no_mill_limit <= LARGEST_LIMIT:
        raise OptionError(f"no_mill_limit={no_mill_limit!r}: expected 0 (no limit) to {LARGEST_LIMIT}")
    return game_of(flying, repetition_limit, no_mill_limit, draw, variant)


def longest_game(men: int, no_mill_limit: int) -> int:
    """A bound of a game's plies.

    All men are placed; either side may lose all but three men and one of them one more; each of these removals follows a
    mill, which at most no_mill_limit - 1 other slides precede; no_mill_limit slides without a mill are the end.
    """
    removals = 2 * (men - 3) + 1
    return 2 * men + removals * (no_mill_limit + 1) + no_mill_limit if no_mill_limit else UNLIMITED


@functools.cache
def game_of(flying, repetition_limit, no_mill_limit, draw, variant):
    limit, window = DRAWS[draw] or (repetition_limit, 0)
    constants = {"FLYING": flying, "NO_MILL_LIMIT": no_mill_limit, "REPETITION_LIMIT": limit, "REPETITION_WINDOW": window}
    position_class = variant_of(NineMensMorris, **constants, **VARIANTS[variant])
    men = position_class.MEN
    largest = max(men, no_mill_limit)
    return Game(
        name="NineMensMorris",
        title="Nine Men's Morris",
        position_class=position_class,
        start=position_class(0, 0, men, men, 0, 0, 0),
        num_actions=NUM_POINTS + NUM_POINTS**2,
        max_legal_actions=60,  # three men that fly to 20 points: the other side has just moved, so that it has one there
        observation_shape=(7, 7, 10),
        planes=("own", "other", "points", "man to be removed", "own in hand", "other in hand", "slides since the last mill",
                "observer to play", "observer is black", "ones"),  # fmt: skip
        observation_max=largest,
        observation_dtype=np.int8 if largest <= 127 else np.int16,
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=longest_game(men, no_mill_limit),
        versions=(Version(0, "0.1.0", "first release", "0000000000000000"),),
        options={"flying": flying, "repetition_limit": repetition_limit, "no_mill_limit": no_mill_limit, "draw": draw,
                 "variant": variant},  # fmt: skip
        configure=nine_mens_morris,
        seat_names=("white", "black"),
        drawing=drawing_of(position_class.BOARD),
    )


GAME = register(nine_mens_morris())
