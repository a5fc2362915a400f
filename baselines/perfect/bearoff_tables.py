"""Bear-off tables of Backgammon: how long one side needs alone, and who wins when both bear off.

An arrangement is how many men stand on the points 1 to 6, with at most so many men in all; they are numbered by ascending
words of four bits a point, so that every play leads to a lower number, and 0 is the end. No man of the other side is in the
way, so both dice can always be played while men are left.

One-sided: expected[i] = 1 + sum over rolls of p(roll) * min over plays of expected[play]: the plays that make the mean number
of rolls least; distribution[i, r] is the probability that those take r rolls. What k dice of one value do best from an
arrangement is known once all lower ones are, which makes a roll a matter of a few looks: no plays are listed.

Two-sided: win[i, j], the probability that the side to roll, with i, wins against j:
win[i, j] = sum over rolls of p(roll) * max over plays of (1 if play = 0 else 1 - win[j, play]).
A play leads to a lower number, so that row k needs what is known of the first k - 1 arrangements, and column k needs row k as
well. Threads share the entries of a row, and then of a column.
"""

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel, shared

POINTS, DICE = 6, 6
ALL_MEN = 15
MOST_TWO_SIDED = 10  # 8,008 arrangements of a side: 513 MB
MAX_ROLLS = 32  # columns of a distribution; the longest bear-off takes fewer
MEAN_ROLL = 49 / 6  # pips, doubles counted four times
ROLLS = [(first, second) for first in range(1, DICE + 1) for second in range(1, first + 1)]
NUM_ROLLS = len(ROLLS)
FIRST, SECOND = (np.array([roll[k] for roll in ROLLS]) - 1 for k in (0, 1))  # dice counted from 0 here
WEIGHT = np.where(FIRST == SECOND, 1.0, 2.0) / 36


def count_arrangements(men: int) -> int:
    """Number of arrangements of at most so many men."""
    return math.comb(men + POINTS, POINTS)


def words_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The words of arrangements. counts: int64 (..., 6), men on the points 1 to 6."""
    return (counts << (4 * np.arange(POINTS))).sum(axis=-1)


def arrangements(men: int) -> NDArray[np.int64]:
    """All arrangements of at most so many men by number: int64 (n, 6)."""
    bars = np.array(list(itertools.combinations(range(men + POINTS), POINTS)))
    counts = np.diff(bars, axis=1, prepend=-1) - 1
    return counts[np.argsort(words_of(counts))]


def steps_of(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64 (n, 6, 6): the number after die + 1 has moved a man from point + 1; -1 where it cannot. counts: `arrangements`."""
    words = words_of(counts)
    steps = np.full((len(counts), DICE, POINTS), -1)
    for die, point in itertools.product(range(DICE), range(POINTS)):
        can = counts[:, point] > 0
        if die > point:
            can &= counts[:, point + 1 :].sum(axis=1) == 0  # a larger die bears off from the highest point alone
        after = words[can] - (1 << 4 * point)
        if die < point:
            after += 1 << 4 * (point - die - 1)
        steps[can, die, point] = np.searchsorted(words, after)
    return steps


@kernel
def solve_one_sided(
    steps: NDArray[np.int64], expected: NDArray[np.float64], distribution: NDArray[np.float64], best: NDArray[np.int64]
) -> None:
    """Fills the tables of one side. steps: `steps_of`; expected: float64 (n,), distribution: float64 (n, MAX_ROLLS), zeros.

    best: int64 (4, 6, n), zeros: what k more dice of a value lead to, played best; k = 0 is the arrangement itself.
    """
    distribution[0, 0] = 1.0
    for i in range(len(expected)):
        best[0, :, i] = i
        if i == 0:
            continue
        for roll in range(NUM_ROLLS):
            first, second, chosen = FIRST[roll], SECOND[roll], -1
            for order in range(2):
                die, other = (first, second) if order == 0 else (second, first)
                for point in range(POINTS):
                    after = steps[i, die, point]
                    if after >= 0:
                        final = best[3, die, after] if die == other else best[1, other, after]
                        if chosen < 0 or expected[final] < expected[chosen]:
                            chosen = final
            expected[i] += WEIGHT[roll] * (1.0 + expected[chosen])
            for rolls in range(1, MAX_ROLLS):
                distribution[i, rolls] += WEIGHT[roll] * distribution[chosen, rolls - 1]
        for k in range(1, 4):
            for die in range(DICE):
                chosen = -1
                for point in range(POINTS):
                    after = steps[i, die, point]
                    if after >= 0:
                        final = best[k - 1, die, after]
                        if chosen < 0 or expected[final] < expected[chosen]:
                            chosen = final
                best[k, die, i] = chosen


@inner
def play_die(
    steps: NDArray[np.int64],
    die: int,
    before: NDArray[np.int64],
    count: int,
    after: NDArray[np.int64],
    num_after: int,
    seen: NDArray[np.int64],
    mark: int,
) -> int:
    """Adds to `after` what one die makes of the first `count` of `before`, each once; returns how many are there."""
    for k in range(count):
        for point in range(POINTS):
            number = steps[before[k], die, point] if before[k] else 0
            if number >= 0 and seen[number] != mark:
                seen[number] = mark
                after[num_after] = number
                num_after += 1
    return num_after


@kernel
def list_plays(steps: NDArray[np.int64], starts: NDArray[np.int64], plays: NDArray[np.int64]) -> int:
    """What every roll can lead to. Returns the length of the list, which is only counted if `plays` is empty.

    starts: int64 (21 * n + 1,), filled: where the plays of arrangement i by roll r begin, at 21 * i + r. plays: int64.
    """
    n = len(steps)
    seen, buffers, mark, total = np.zeros(n, np.int64), np.empty((2, n), np.int64), 0, 0
    for i in range(n):
        for roll in range(NUM_ROLLS):
            first, second, count = FIRST[roll], SECOND[roll], 0
            if first == second:
                buffers[0, 0], count = i, 1
                for k in range(4):
                    mark += 1
                    count = play_die(steps, first, buffers[k & 1], count, buffers[1 - (k & 1)], 0, seen, mark)
            else:
                reached = 0
                for order in range(2):
                    die, other = (first, second) if order == 0 else (second, first)
                    mark += 1
                    buffers[1, 0] = i
                    between = play_die(steps, die, buffers[1, :1], 1, buffers[1, 1:], 0, seen, mark)
                    mark += 1
                    for k in range(reached):
                        seen[buffers[0, k]] = mark
                    reached = play_die(steps, other, buffers[1, 1:], between, buffers[0], reached, seen, mark)
                count = reached
            starts[NUM_ROLLS * i + roll] = total
            if len(plays):
                plays[total : total + count] = buffers[0, :count]
            total += count
    starts[NUM_ROLLS * n] = total
    return total


@inner
def chance_to_win(i: int, j: int, win: NDArray[np.float64], starts: NDArray[np.int64], plays: NDArray[np.int64]) -> float:
    """win[i, j] from lower entries."""
    total = 0.0
    for roll in range(NUM_ROLLS):
        best = 0.0
        for k in range(starts[NUM_ROLLS * i + roll], starts[NUM_ROLLS * i + roll + 1]):
            best = max(best, 1.0 - win[j, plays[k]])
        total += WEIGHT[roll] * best
    return total


@shared
def solve_line(
    low: int,
    high: int,
    win: NDArray[np.float64],
    k: int,
    is_row: bool,
    starts: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> None:
    """Fills, of row or column k of win, float64 (n, n), the entries from number low + 1 to high. See the module.

    Row and column 0 are 0, so that `1 - win[j, 0]` is a win.
    """
    for number in range(low + 1, high + 1):
        i, j = (k, number) if is_row else (number, k)
        win[i, j] = chance_to_win(i, j, win, starts, plays)


def one_sided(men: int = ALL_MEN) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(expected, distribution) for all arrangements of at most so many men, by number."""
    steps = steps_of(arrangements(men))
    expected, distribution = np.zeros(len(steps)), np.zeros((len(steps), MAX_ROLLS))
    solve_one_sided(steps, expected, distribution, np.zeros((4, DICE, len(steps)), np.int64))
    return expected, distribution


def all_plays(men: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(starts, plays) of `list_plays` for arrangements of at most so many men."""
    steps = steps_of(arrangements(men))
    starts: Any = np.zeros(NUM_ROLLS * len(steps) + 1, np.int64)
    plays = np.zeros(list_plays(steps, starts, np.zeros(0, np.int64)), np.int64)
    list_plays(steps, starts, plays)
    return starts, plays
