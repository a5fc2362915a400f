"""The rules of backgammon as compiled functions; the package's own page says what they are."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, plain
from boardgym.core.bits import lowest_bit, popcount
from boardgym.core.verbs import CHANCE, constant, rule

BAR, PASS = 25, 150
SIDE = (1 << 26) - 1  # the numbers of a side: off, 24 points, bar
ON_BOARD = SIDE - 1
POINTS = ON_BOARD - (1 << BAR)
HOME = 0x7E  # the points 1 to 6


class Backgammon(NamedTuple):
    """Men of the side to play (or to roll), `own`, and of the other, each by its own numbers.

    How many men stand on a number is written in four bits: bit `number` of low, bit 32 + number of low, and the same two
    of high. Thus a few shifts give the word of all occupied numbers.
    """

    MOST = 3  # type: ignore[misc]  # points that a game may pay

    own_low: int
    own_high: int
    other_low: int
    other_high: int
    seat: int
    dice: int  # those left to play: how many of value d, at bit 4 * d; 0: a roll is due, or the game is over
    opening: int  # 1 before the first roll


# ---------------------------------------------------------------- men of one side


@inner
def occupied(low: int, high: int) -> int:
    """The word of the numbers with men."""
    word = low | high
    return (word | (word >> 32)) & SIDE


@inner
def held(low: int, high: int) -> int:
    """The word of the numbers with two men or more."""
    return ((low >> 32) | high | (high >> 32)) & SIDE


@inner
def count(low: int, high: int, number: int) -> int:
    """How many men stand on a number."""
    pairs = ((low >> (number + 32)) & 1) + 2 * ((high >> number) & 1) + 4 * ((high >> (number + 32)) & 1)
    return ((low >> number) & 1) + 2 * pairs


@inner
def pile(low: int, high: int, number: int, men: int) -> tuple[int, int]:
    """Adds several men to a number that has none."""
    low |= (men & 1) << number | ((men >> 1) & 1) << (number + 32)
    return low, high | ((men >> 2) & 1) << number | (men >> 3) << (number + 32)


START_LOW, START_HIGH = 0, 0  # of either side
for _number, _men in ((6, 5), (8, 3), (13, 5), (24, 2)):
    START_LOW, START_HIGH = plain(pile)(START_LOW, START_HIGH, _number, _men)


@inner
def put(low: int, high: int, number: int) -> tuple[int, int]:
    """Adds a man: the ones are carried from bit to bit."""
    one = 1 << number
    two = (low & one) << 32
    four = (low & two) >> 32
    eight = (high & four) << 32
    return low ^ one ^ two, high ^ four ^ eight


@inner
def take(low: int, high: int, number: int) -> tuple[int, int]:
    """Removes a man."""
    one = 1 << number
    two = (~low & one) << 32
    four = (~low & two) >> 32
    eight = (~high & four) << 32
    return low ^ one ^ two, high ^ four ^ eight


@inner
def turned(word: int) -> int:
    """A word in the numbers of the other side: number to 25 - number."""
    word = ((word >> 1) & 0x55555555) | ((word & 0x55555555) << 1)
    word = ((word >> 2) & 0x33333333) | ((word & 0x33333333) << 2)
    word = ((word >> 4) & 0x0F0F0F0F) | ((word & 0x0F0F0F0F) << 4)
    word = ((word >> 8) & 0x00FF00FF) | ((word & 0x00FF00FF) << 8)
    return ((word >> 16) | ((word & 0xFFFF) << 16)) >> 6


@inner
def sum_of_numbers(low: int, high: int) -> int:
    """The numbers of all men added up: their pips."""
    total = 0
    for k, numbers in enumerate((0x2AAAAAA, 0x0CCCCCC, 0x0F0F0F0, 0x300FF00, 0x3FF0000)):  # those with bit k
        men = popcount(low & numbers) + 2 * popcount((low >> 32) & numbers)
        men += 4 * popcount(high & numbers) + 8 * popcount((high >> 32) & numbers)
        total += men << k
    return total


# ---------------------------------------------------------------- rules


@inner
def sources(mine: int, free: int, die: int) -> int:
    """The word of the numbers from which a man may go by one die.

    mine: the occupied numbers 1 to 25. free: the points that the other does not hold.
    """
    if mine >> BAR:
        return mine & (free << die) & (1 << BAR)
    found = mine & (free << die)
    if mine < 1 << 7:  # all are home
        found |= mine & (1 << die)
        if mine < 1 << die:
            below = mine | (mine >> 1)
            below |= below >> 2
            below |= below >> 4
            found |= below ^ (below >> 1)  # the highest
    return found


@inner
def leaving_room(mine: int, singles: int, free: int, die: int, next_die: int) -> int:
    """Those of the sources of a die after which the next die can be played too. singles: numbers with one man."""
    found, left = 0, sources(mine, free, die)
    after = sources(mine, free, next_die)
    while left:
        source = lowest_bit(left)
        man = 1 << source
        left ^= man
        if after & ~man and source != BAR:  # another man still goes by the next die
            found |= man
        else:
            moved = (mine & ~(man & singles)) | ((man >> die) & ~1)
            if sources(moved, free, next_die):
                found |= man
    return found


@inner
def free_points(other_low: int, other_high: int) -> int:
    """The points, in the numbers of the side to play, on which the other has at most one man."""
    return POINTS & ~turned(held(other_low, other_high))


@inner
def is_side(low: int, high: int) -> bool:
    """Whether two words are the fifteen men of a side."""
    if (low | high) & ~(SIDE | SIDE << 32):
        return False
    return popcount(low & SIDE) + 2 * popcount(low >> 32) + 4 * popcount(high & SIDE) + 8 * popcount(high >> 32) == 15


@inner
def are_dice(dice: int) -> bool:
    """Whether these may be left to play of a roll: one value up to four times, two once each, or none."""
    values, number = 0, 0
    for die in range(1, 7):
        times = (dice >> (4 * die)) & 15
        values += times > 0
        number += times
    return dice & ~0xFFFFFF0 == 0 and ((values <= 1 and number <= 4) or (values == 2 and number == 2))


@inner
def is_start(low: int, high: int) -> bool:
    """Whether a side's men stand as at the start."""
    return low == START_LOW and high == START_HIGH


@rule(Backgammon)
def is_valid(position: Any) -> bool:
    """Fifteen men a side, no point of both, dice that a turn leaves; who is to play has men to bear off; one first roll."""
    if not is_side(position.own_low, position.own_high) or not is_side(position.other_low, position.other_high):
        return False
    if not are_dice(position.dice) or not 0 <= position.seat <= 1 or not 0 <= position.opening <= 1:
        return False
    mine = occupied(position.own_low, position.own_high) & ON_BOARD
    theirs = occupied(position.other_low, position.other_high) & ON_BOARD
    if mine == 0 or mine & POINTS & turned(theirs & POINTS):
        return False
    if (position.opening or theirs == 0) and position.dice:
        return False
    if position.opening and (
        position.seat != 0
        or not is_start(position.own_low, position.own_high)
        or not is_start(position.other_low, position.other_high)
    ):
        return False
    die = lowest_bit(position.dice) >> 2 if position.dice else 0
    if 0 < position.dice >> (4 * die) < 4 and sources(mine, free_points(position.other_low, position.other_high), die) == 0:
        return False  # some dice of the roll are played, and no man can move by those left: the turn would be over
    homes = held(position.own_low, position.own_high) & held(position.other_low, position.other_high) & HOME
    return mine >> BAR == 0 or theirs >> BAR == 0 or homes != HOME  # else nobody ever moves again


@rule(Backgammon)
def to_play(position: Any) -> int:
    if position.dice or not occupied(position.other_low, position.other_high) & ON_BOARD:
        return position.seat
    return CHANCE


@rule(Backgammon)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    dice = position.dice
    if dice == 0:
        return 0
    mine = occupied(position.own_low, position.own_high) & ON_BOARD
    free = free_points(position.other_low, position.other_high)
    small, rest = lowest_bit(dice) >> 2, dice & (dice - 1)
    large = lowest_bit(rest) >> 2 if rest else small
    by_small, by_large = sources(mine, free, small), 0
    if large != small:
        # Equal dice need no looking ahead: what one man may do, the move of another never takes away. Different dice do.
        singles = mine & ~held(position.own_low, position.own_high)
        small_first = leaving_room(mine, singles, free, small, large)
        large_first = leaving_room(mine, singles, free, large, small)
        if small_first | large_first:
            by_small, by_large = small_first, large_first
        else:
            by_large = sources(mine, free, large)
            if by_large:
                by_small = 0
    n, left = 0, by_small | by_large
    if left == 0:
        out[0] = PASS
        return 1
    while left:
        source = lowest_bit(left)
        left &= left - 1
        if (by_small >> source) & 1:
            out[n] = 6 * source - 7 + small
            n += 1
        if (by_large >> source) & 1:
            out[n] = 6 * source - 7 + large
            n += 1
    return n


@inner
def roll_dice(position: Any, first: int, second: int) -> tuple[int, int, int, int, int, int, int]:
    """The position after a roll."""
    dice = (4 if first == second else 1) << (4 * first)
    if first != second:
        dice |= 1 << (4 * second)
    if position.opening and second > first:
        return position.other_low, position.other_high, position.own_low, position.own_high, 1 - position.seat, dice, 0
    return position.own_low, position.own_high, position.other_low, position.other_high, position.seat, dice, 0


@rule(Backgammon)
def apply(position: Any, action: int) -> Any:
    first, second = action // 6 + 1, action % 6 + 1  # the dice rolled; or the source and the die
    if position.dice == 0:
        return roll_dice(position, first, second)
    own_low, own_high = position.own_low, position.own_high
    other_low, other_high = position.other_low, position.other_high
    dice, target = 0, max(first - second, 0)
    if action != PASS:
        own_low, own_high = take(own_low, own_high, first)
        own_low, own_high = put(own_low, own_high, target)
        if target and count(other_low, other_high, 25 - target):
            other_low, other_high = take(other_low, other_high, 25 - target)
            other_low, other_high = put(other_low, other_high, BAR)
        dice = position.dice - (1 << (4 * second))
    if dice:  # all of one value now
        mine = occupied(own_low, own_high) & ON_BOARD
        if sources(mine, free_points(other_low, other_high), lowest_bit(dice) >> 2):
            return own_low, own_high, other_low, other_high, position.seat, dice, 0
    return other_low, other_high, own_low, own_high, 1 - position.seat, 0, 0


@rule(Backgammon)
def chance(position: Any, outcomes: NDArray[np.int64], probabilities: NDArray[np.float64]) -> int:
    n = 0
    for first in range(1, 7):
        for second in range(1, 7):
            if first != second if position.opening else first >= second:
                outcomes[n] = 6 * first - 7 + second
                probabilities[n] = 1 / 30 if position.opening else (1 / 36 if first == second else 2 / 36)
                n += 1
    return n


@rule(Backgammon)
def is_terminal(position: Any) -> bool:
    return occupied(position.other_low, position.other_high) & ON_BOARD == 0


@rule(Backgammon)
def returns(position: Any, seat: int) -> float:
    lost = occupied(position.own_low, position.own_high)
    points = 1 if lost & 1 else (3 if lost >> 19 else 2)  # a backgammon: a man on the bar or in the winner's home
    points = min(points, constant(position, "MOST"))
    return float(-points if seat == position.seat else points)


@inner
def danger(low: int, high: int, other_low: int, other_high: int) -> float:
    """Pips that a side stands to lose with its single men that the other can hit, roughly."""
    singles = occupied(low, high) & ~held(low, high) & POINTS
    hitters, near, far = turned(occupied(other_low, other_high) & ON_BOARD), 0, 0
    for pips in range(1, 12):
        if pips <= 6:
            near |= singles & (hitters << pips)
        else:
            far |= singles & (hitters << pips)
    far &= ~near
    return 0.35 * (25 * popcount(near) - sum_of_numbers(near, 0)) + 0.1 * (25 * popcount(far) - sum_of_numbers(far, 0))


@inner
def structure(low: int, high: int, other_low: int, other_high: int) -> float:
    """Points held that stop the other, more of them while it has men on the bar."""
    word, on_bar = held(low, high), count(other_low, other_high, BAR)
    home = popcount(word & HOME)
    blocks, anchors = popcount(word & 0x7F0), min(popcount(word & 0x1F80000), 2)
    return home * (1.5 + 2.0 * on_bar) + 2.0 * blocks + 3.0 * anchors


@inner
def stake(low: int, high: int, other_low: int, other_high: int, most: int) -> float:
    """What a win over the side `low`, `high` may pay, as a share of `most` points: gammons by the pips still missing."""
    if occupied(low, high) & 1 or most == 1:
        return 1.0 / most
    missing = sum_of_numbers((low >> 6) & (0xFFFFF | 0xFFFFF << 32), (high >> 6) & (0xFFFFF | 0xFFFFF << 32))
    left = sum_of_numbers(other_low, other_high)
    return (1.0 + missing / (missing + left + 1.0)) / most


@rule(Backgammon)
def heuristic(position: Any, seat: int) -> float:
    """The race in pips, dice to come included; while men can still meet also single men in danger and points held.

    Squashed, times what the leading side may win. The weights are ours.
    """
    own_low, own_high = position.own_low, position.own_high
    other_low, other_high = position.other_low, position.other_high
    mine, theirs = occupied(own_low, own_high) & ON_BOARD, occupied(other_low, other_high) & ON_BOARD
    to_come = 0 if position.opening else 8  # the mean of a roll
    if position.dice:
        to_come = 0
        for die in range(1, 7):
            to_come += die * ((position.dice >> (4 * die)) & 15)
    ahead = sum_of_numbers(other_low, other_high) - sum_of_numbers(own_low, own_high) + to_come
    ahead += 2 * (count(own_low, own_high, 0) - count(other_low, other_high, 0))
    total = sum_of_numbers(other_low, other_high) + sum_of_numbers(own_low, own_high)
    score = ahead + 0.0
    if mine > turned(theirs) & -turned(theirs):  # somebody's last man has not passed the other's yet
        own_danger, other_danger = (
            danger(own_low, own_high, other_low, other_high),
            danger(other_low, other_high, own_low, own_high),
        )
        if position.dice == 0:
            own_danger *= 0.3  # it rolls first
        score += other_danger - own_danger
        score += structure(own_low, own_high, other_low, other_high) - structure(other_low, other_high, own_low, own_high)
    score /= 8.0 + 0.12 * total
    value, most = score / (1.0 + abs(score)), constant(position, "MOST")
    if value > 0.0:
        value *= stake(other_low, other_high, own_low, own_high, most)
    else:
        value *= stake(own_low, own_high, other_low, other_high, most)
    return value if seat == position.seat else -value


@rule(Backgammon)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    is_observer = seat == position.seat
    for column in range(26):
        plane = out[0, column]
        own = count(position.own_low, position.own_high, column if is_observer else 25 - column)
        other = count(position.other_low, position.other_high, 25 - column if is_observer else column)
        plane[0], plane[1] = (own, other) if is_observer else (other, own)
        for die in range(1, 7):
            plane[1 + die] = (position.dice >> (4 * die)) & 15
        plane[8] = is_observer
        plane[9] = seat
        plane[10] = position.opening
        plane[11] = 1


@rule(Backgammon)
def decode(planes: NDArray[Any]) -> Any:
    own_low, own_high, other_low, other_high, dice = 0, 0, 0, 0, 0
    is_observer = planes[0, 0, 8] == 1
    for column in range(26):
        mine, theirs = int(np.int64(planes[0, column, 0])), int(np.int64(planes[0, column, 1]))  # int() alone keeps int8
        own, other = (mine, theirs) if is_observer else (theirs, mine)
        number = column if is_observer else 25 - column
        own_low, own_high = pile(own_low, own_high, number, own)
        other_low, other_high = pile(other_low, other_high, 25 - number, other)
    for die in range(1, 7):
        dice |= int(np.int64(planes[0, 0, 1 + die])) << (4 * die)
    observer, opening = int(np.int64(planes[0, 0, 9])), int(np.int64(planes[0, 0, 10]))
    return Backgammon(  # type: ignore[call-arg]
        own_low, own_high, other_low, other_high, observer if is_observer else 1 - observer, dice, opening
    )
