"""Backgammon's last rolls played perfectly: bear-off tables in the user's cache, and the solver that reads them.

`boardgym tables Backgammon --men 6` builds the two-sided table, exact for positions where both sides bear off and neither has
more men left than that; `bearoff_tables.py` says how. A side with so few men has borne some off, so that a game pays one point.

`boardgym tables Backgammon` builds the one-sided table too: `OneSided` tells the rolls that a side alone needs, for all 54,264
arrangements of up to 15 men. It is exact for one side that wants few rolls on average; the chance to win that two such sides
would have is an estimate of the game, and the solver does not use it.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import check_memory
from boardgym.baselines.perfect.bearoff_tables import (
    ALL_MEN,
    MAX_ROLLS,
    MEAN_ROLL,
    MOST_TWO_SIDED,
    POINTS,
    all_plays,
    arrangements,
    count_arrangements,
    one_sided,
    solve_line,
    steps_of,
    words_of,
)
from boardgym.baselines.perfect.policy import Detail, Solution
from boardgym.baselines.perfect.store import SUFFIX, TABLES, tables_folder
from boardgym.baselines.search.common import scale_of
from boardgym.compile import entry_point
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.threads import SHARED, Sharing
from boardgym.games.backgammon.notation import dice_of, men_of

PIECE = 64  # arrangements between two reports

Progress = Callable[[int, int], None]


def two_sided_path(men: int, folder: Path | None = None) -> Path:
    """The file of the two-sided table for so many men a side."""
    return (tables_folder() if folder is None else folder) / f"backgammon-two-sided-{men}{SUFFIX}"


def one_sided_path(folder: Path | None = None) -> Path:
    """The file of the one-sided table."""
    return (tables_folder() if folder is None else folder) / f"backgammon-one-sided{SUFFIX}"


def header_of(kind: str, men: int) -> dict[str, Any]:
    """What the header of a file must hold."""
    return {"kind": f"backgammon bear-off, {kind}", "men": men}


def check_men(men: int) -> int:
    """Raises OptionError for a number of men that a two-sided table cannot have."""
    if not 1 <= men <= MOST_TWO_SIDED:
        raise OptionError(f"a two-sided table of {men} men; expected 1 to {MOST_TWO_SIDED}")
    return men


def build_one_sided(folder: Path | None = None) -> Path:
    """Builds and writes the one-sided table, which takes a second or two. Returns its path."""
    expected, distribution = one_sided()
    path = one_sided_path(folder)
    TABLES.write(path, {"expected": expected, "distribution": distribution.astype(np.float32)}, header_of("one-sided", ALL_MEN))
    return path


def build_two_sided(men: int, folder: Path | None = None, *, num_threads: int = 0, on_progress: Progress | None = None) -> Path:
    """Builds and writes a two-sided table. Returns its path.

    num_threads: that share the work, 0 for one a core; the table does not depend on it. on_progress: told how many of how many
    arrangements of the larger side are done. Ctrl-C leaves nothing behind.
    Raises: OptionError for a number of men or threads that cannot be had, or for which there is not memory enough.
    """
    size, sharing = count_arrangements(check_men(men)), Sharing(num_threads)
    check_memory(2 * 8 * size**2, f"the two-sided table of {men} men and its file", "the number of men")
    starts, plays = all_plays(men)
    win = np.zeros((size, size))
    solve = entry_point(solve_line, *SHARED, (win, 1, True, starts, plays))
    for k in range(1, size):
        if k > 1:
            sharing.run("row", solve, k - 1, (win, k, True, starts, plays))
        sharing.run("column", solve, k, (win, k, False, starts, plays))
        if on_progress is not None and (k % PIECE == 0 or k == size - 1):
            on_progress(k + 1, size)
    path = two_sided_path(men, folder)
    TABLES.write(path, {"win": win}, header_of("two-sided", men))
    return path


class OneSided:
    """How long one side needs to bear off alone, if it makes the mean number of rolls least.

    Args:
        folder: of the tables; None: the user's cache, or what BOARDGYM_TABLES names. The table is built if it is not there.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if not TABLES.is_there(one_sided_path(folder)):
            build_one_sided(folder)
        path, size = one_sided_path(folder), count_arrangements(ALL_MEN)
        arrays, _ = TABLES.read(path, header_of("one-sided", ALL_MEN))
        self.expected = TABLES.array_of(path, arrays, "expected", np.float64, (size,))
        self.distributions = TABLES.array_of(path, arrays, "distribution", np.float32, (size, MAX_ROLLS))
        self.words = words_of(arrangements(ALL_MEN))

    def number(self, men: Sequence[int]) -> int:
        """The number of an arrangement. men: on the points 1 to 6, at most 15. Raises OptionError for anything else."""
        return number_of(men, ALL_MEN, self.words)

    def expected_rolls(self, men: Sequence[int]) -> float:
        """Mean number of rolls."""
        return float(self.expected[self.number(men)])

    def effective_pips(self, men: Sequence[int]) -> float:
        """Mean number of rolls times 49/6, the mean roll: the effective pip count."""
        return self.expected_rolls(men) * MEAN_ROLL

    def distribution(self, men: Sequence[int]) -> NDArray[np.float64]:
        """Probability of needing 0, 1, 2 ... 31 rolls. float64 (32,)."""
        return self.distributions[self.number(men)].astype(np.float64)

    def chance_to_win(self, own: Sequence[int], other: Sequence[int]) -> float:
        """Probability that the side to roll is done first if both only want few rolls on average: an estimate."""
        mine, theirs = self.distribution(own), self.distribution(other)
        return float(mine @ theirs[::-1].cumsum()[::-1])  # the other needs as many rolls, or more


def number_of(men: Sequence[int], most: int, words: NDArray[np.int64]) -> int:
    """The number of an arrangement of up to `most` men. words: of all of them. Raises OptionError for anything else."""
    if len(men) != POINTS or min(men) < 0 or sum(men) > most:
        raise OptionError(f"arrangement {tuple(men)}: expected the men on the points 1 to 6, at most {most} in all")
    return int(np.searchsorted(words, words_of(np.array(men, np.int64))))


class BearoffSolver:
    """Answers where both sides bear off and the two-sided table has as many men.

    Values are win probabilities as returns: (2 p - 1) times the one point that is at stake, on the scale of the game.

    Args:
        game: Backgammon with any options.
        folder: of the tables; None: the user's cache, or what BOARDGYM_TABLES names.
    """

    name, is_quick = "the bear-off table of Backgammon", True

    def __init__(self, game: Game, folder: Path | None = None) -> None:
        if game.name != "Backgammon":
            raise UnsupportedGameError(f"bear-off tables are for Backgammon, not for {game.id}")
        self.game, self.point = game, scale_of(game)
        self.folder = tables_folder() if folder is None else folder
        self.men = 0
        self.win: NDArray[np.float64] = np.zeros((1, 1))
        self.words: NDArray[np.int64] = np.zeros(1, np.int64)
        self.steps: NDArray[np.int64] = np.zeros((1, POINTS, POINTS), np.int64)

    def covers(self, board: Board) -> str:
        """Empty if it can answer; else why not. See `policy.Solver`. Raises TableError if the table is damaged."""
        sides = men_of(board.position)
        if any(sum(men[POINTS + 1 :]) for men in sides):
            return "not all men are in their home boards or off"
        most = max(sum(men[1:]) for men in sides)
        if most > MOST_TWO_SIDED:
            return f"a side has {most} men left, and tables hold up to {MOST_TWO_SIDED}"
        return (
            ""
            if self.load(most)
            else (f"the table of {most} men is not built, which boardgym tables Backgammon --men {max(most, 6)} does")
        )

    def load(self, men: int) -> bool:
        """Reads the smallest table for so many men; False if there is none. Raises TableError if it is damaged."""
        if men <= self.men:
            return True
        for number in range(men, MOST_TWO_SIDED + 1):
            path = two_sided_path(number, self.folder)
            if TABLES.is_there(path):
                size = count_arrangements(number)
                arrays, _ = TABLES.read(path, header_of("two-sided", number))
                win = TABLES.array_of(path, arrays, "win", np.float64, (size, size))
                places = arrangements(number)
                self.win, self.words, self.steps, self.men = win, words_of(places), steps_of(places), number
                return True
        return False

    def solve(self, board: Board, stop: NDArray[np.int64], *, detail: Detail = "full") -> Solution:
        """Values of every action. See `policy.Solver`; the line ends with the turn."""
        position = board.position
        sides = men_of(position)
        own, other = (
            number_of(sides[seat][1 : POINTS + 1], self.men, self.words) for seat in (position.seat, 1 - position.seat)
        )

        @cache
        def best(number: int, dice: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
            """(probability to win, actions) of the rest of a turn."""
            if number == 0:
                return 1.0, ()
            if not dice:
                return 1.0 - float(self.win[other, number]), ()
            return max((after(number, dice, action) for action in actions(number, dice)), key=lambda found: found[0])

        def actions(number: int, dice: tuple[int, ...]) -> list[int]:
            return sorted(
                6 * point + die - 1 for die in set(dice) for point in range(POINTS) if self.steps[number, die - 1, point] >= 0
            )

        def after(number: int, dice: tuple[int, ...], action: int) -> tuple[float, tuple[int, ...]]:
            point, die = divmod(action, 6)
            place = dice.index(die + 1)
            chance, rest = best(int(self.steps[number, die, point]), dice[:place] + dice[place + 1 :])
            return chance, (action, *rest)

        found = {action: after(own, tuple(dice_of(position)), action) for action in board.legal_actions}
        values = {action: (2.0 * chance - 1.0) * self.point for action, (chance, _) in found.items()}
        return Solution(values, line=found[Solution(values).best][1])


def solver(game: Game) -> BearoffSolver:
    """The solver of a game. Raises UnsupportedGameError for another game."""
    return BearoffSolver(game)
