"""The positions of the base test: `python -m benchmarks.base_positions --game ConnectFour --seed 1 --out FILE`.

The same game and seed give the same file, byte for byte. Connect Four takes some three minutes of one core, CardPoints seconds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro

from boardgym.baselines.perfect.card_points import interval_table
from boardgym.baselines.perfect.connect_four import ConnectFourSolver
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.thesis_tests.positions import BasePosition, BaseSet, file_name
from boardgym.baselines.thesis_tests.sequences import BLOCK, FORK, OPENING, WIN_NOW
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, UnsupportedGameError
from boardgym.core.files import write_aside
from boardgym.core.game import Game, get_game
from boardgym.core.random import draw, stream
from boardgym.games.card_points.rules import COPIES, HIGHEST, LEFT, LOWEST, RANK_NAMES, RIGHT

LARGER, SMALLER, EQUAL = "take the larger card", "take the smaller card", "equal cards"

START_VALUES = (-1, -1, 0, 1, 0, -1, -1)  # of Connect Four's columns: L. V. Allis, "A knowledge-based approach", 1988
FORK_PLIES = 5  # a fork wins for the other seat within so many plies, the first one its own
FEW_DISCS = 6  # of these the solver takes seconds each, so fewer are drawn
ATTEMPTS = 1_000_000


@dataclass(frozen=True)
class Sizes:
    """How many positions: of Connect Four in each category for each number of discs, by seat; of CardPoints as below.

    few: of FEW_DISCS discs. fewest: discs, by seat; most: discs. layouts: rows of CardPoints. larger, smaller, equal: positions
    of them, by seat, as far as the layouts have so many.
    """

    discs: tuple[int, int] = (28, 8)
    few: int = 10
    layouts: int = 500
    larger: tuple[int, int] = (640, 120)
    smaller: tuple[int, int] = (320, 80)
    equal: tuple[int, int] = (60, 20)
    fewest: tuple[int, int] = (6, 9)
    most: int = 30


QUICK = Sizes(discs=(1, 1), layouts=20, larger=(10, 5), smaller=(5, 2), equal=(2, 1), fewest=(22, 23), most=28)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Makes the file of positions of a game.

    game: its id. n_cards: of CardPoints. seed: of the positions. out: the file. quick: few positions, to see that it runs.
    """

    game: str
    n_cards: int = 8
    seed: int = 1
    out: Path
    quick: bool = False


# ---------------------------------------------------------------- Connect Four


def wins_at_once(board: Board) -> list[int]:
    """The actions that end the game with a win."""
    found, seat = [], board.to_play
    for action in board.legal_actions:
        board.push(action)
        if board.is_terminal and board.returns()[seat] > 0.0:
            found.append(action)
        board.pop()
    return found


def safe_actions(board: Board) -> list[int]:
    """The actions after which the other seat has no win at once."""
    found = []
    for action in board.legal_actions:
        board.push(action)
        if board.is_terminal or not wins_at_once(board):
            found.append(action)
        board.pop()
    return found


def semi_random_game(game: Game, discs: int, rng: np.ndarray) -> Board | None:
    """A position of so many discs: each ply is, half the time, any; else it wins or blocks if it can, and likes the centre.

    None if the game ends before.
    """
    board = Board(game)
    while board.ply < discs:
        legal = board.legal_actions
        if not legal:
            return None
        if draw(rng, 2):
            choices = wins_at_once(board) or safe_actions(board) or legal
            pair = [choices[draw(rng, len(choices))] for _ in range(2)]
            action = min(pair, key=lambda column: abs(column - 3))  # the nearer to the centre of two
        else:
            action = legal[draw(rng, len(legal))]
        board.push(action)
    return None if board.is_terminal else board


class Judge:
    """The categories of Connect Four, decided by the exact solver."""

    def __init__(self, game: Game) -> None:
        self.solver, self.cells = ConnectFourSolver(game), game.options["width"] * game.options["height"]
        self.stop = np.zeros(1, np.int64)

    def score(self, board: Board, low: int, high: int) -> int:
        """The solver's score of a position that is not over: exact within low and high, else beyond."""
        found = self.solver.score(board.row, self.stop, low, high)
        assert found is not None, "nothing stops it"
        return found

    def values(self, board: Board) -> dict[int, int]:
        """The value of every action."""
        values, seat = {}, board.to_play
        for action in board.legal_actions:
            board.push(action)
            if board.is_terminal:
                values[action] = int(board.returns()[seat])
            else:
                values[action] = int(-np.sign(self.score(board, -1, 1)))
            board.pop()
        return values

    def allows_fork(self, board: Board, action: int) -> bool:
        """Whether the other seat can force a win within FORK_PLIES plies after an action."""
        board.push(action)
        at_once = (self.cells - board.ply + 1) // 2  # the score of a win at once; each two plies later it is one less
        least = at_once - (FORK_PLIES - 1) // 2
        found = not board.is_terminal and self.score(board, least - 1, least) >= least
        board.pop()
        return found

    def judge(self, board: Board, wanted: set[str]) -> BasePosition | None:
        """The position with its category, if that is one of those wanted."""
        winning = wins_at_once(board)
        if winning:
            return self._known(board, WIN_NOW, winning) if WIN_NOW in wanted else None
        legal, safe = board.legal_actions, safe_actions(board)
        if len(safe) == 1 and len(legal) > 1 and BLOCK in wanted:
            known = self._known(board, BLOCK, safe)
            return known if known.values[safe[0]] >= 0 else None
        if len(safe) == len(legal) and FORK in wanted:
            forks = [action for action in legal if self.allows_fork(board, action)]
            if 0 < len(forks) < len(legal):
                known = self._known(board, FORK, [action for action in legal if action not in forks])
                return known if all(known.values[action] >= 0 for action in known.right) else None
        return None

    def _known(self, board: Board, category: str, right: list[int]) -> BasePosition:
        return BasePosition(board.fen(), board.to_play, category, tuple(right), self.values(board))


def connect_four_positions(game: Game, seed: int, sizes: Sizes, report: Callable[[int, int], None]) -> list[BasePosition]:
    """Of each number of discs and each category so many positions, no two of them equal or mirror images."""
    judge, found = Judge(game), [BasePosition(game.to_fen(game.start), 0, OPENING, (3,), dict(enumerate(START_VALUES)))]
    turns = sorted([*range(sizes.fewest[0], sizes.most + 1, 2), *range(sizes.fewest[1], sizes.most + 1, 2)])
    for number, discs in enumerate(turns):
        each = min(sizes.few, sizes.discs[0]) if discs == FEW_DISCS else sizes.discs[discs % 2]
        by_category: dict[str, list[BasePosition]] = {category: [] for category in (WIN_NOW, BLOCK, FORK)}
        seen = set()
        for attempt in range(ATTEMPTS):
            wanted = {category for category, positions in by_category.items() if len(positions) < each}
            if not wanted:
                break
            board = semi_random_game(game, discs, stream(seed, discs, attempt))
            if board is None or board.canonical()[0] in seen:
                continue
            position = judge.judge(board, wanted)
            if position is not None:
                seen.add(board.canonical()[0])
                by_category[position.category].append(position)
        for positions in by_category.values():
            found += positions
        report(number + 1, len(turns))
    return found


# ---------------------------------------------------------------- CardPoints


def deal_rows(n_cards: int, seed: int, count: int) -> list[list[int]]:
    """Rows of ranks, each dealt from a deck of its own."""
    rows = []
    for number in range(count):
        rng, deck = stream(seed, n_cards, number), [rank for rank in range(LOWEST, HIGHEST + 1) for _ in range(COPIES)]
        rows.append([deck.pop(draw(rng, len(deck))) for _ in range(n_cards)])
    return rows


def asking_plays(row: Sequence[int]) -> Iterator[tuple[int, int, str, tuple[int, ...], dict[int, int]]]:
    """(cards left, seat, category, actions that lead there, values) of all positions of a row with one right action.

    Of several plays that lead to one position the first counts.
    """
    table, n = interval_table(row), len(row)
    layer: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}  # (cards taken from the left, seat 0's points less seat 1's)
    for left in range(n, 1, -1):
        seat = (n - left) % 2
        sign, following = 1 - 2 * seat, dict[tuple[int, int], tuple[int, ...]]()
        for (first, ahead), actions in layer.items():
            ends = row[first], row[first + left - 1]
            margins = (sign * ahead + ends[0] - table[left - 1][first + 1], sign * ahead + ends[1] - table[left - 1][first])
            values = {LEFT: int(np.sign(margins[0])), RIGHT: int(np.sign(margins[1]))}
            if values[LEFT] != values[RIGHT]:
                right = max(values, key=lambda action: values[action])
                own, other = ends[right], ends[1 - right]
                yield left, seat, LARGER if own > other else SMALLER if own < other else EQUAL, actions, values
            following.setdefault((first + 1, ahead + sign * ends[0]), (*actions, LEFT))
            following.setdefault((first, ahead + sign * ends[1]), (*actions, RIGHT))
        layer = following


def card_positions(game: Game, seed: int, sizes: Sizes) -> tuple[list[str], list[BasePosition]]:
    """(the layouts, positions drawn from them, spread over the numbers of cards left as evenly as there are any)."""
    n = game.options["n_cards"]
    rows = deal_rows(n, seed, sizes.layouts)
    layouts = [f"{' '.join(RANK_NAMES[rank - LOWEST] for rank in row)} | 0 0 first" for row in rows]
    pools: dict[tuple[int, str, int], list[tuple[int, tuple[int, ...], dict[int, int]]]] = {}
    for number, row in enumerate(rows):
        for left, seat, category, actions, values in asking_plays(row):
            pools.setdefault((seat, category, left), []).append((number, actions, values))
    found = []
    for seat in (0, 1):
        shares = {LARGER: sizes.larger[seat], SMALLER: sizes.smaller[seat], EQUAL: sizes.equal[seat]}
        for place, (category, wanted) in enumerate(shares.items()):
            rng = stream(seed, n, sizes.layouts + seat, place)
            chosen: list[tuple[int, int, tuple[int, ...], dict[int, int]]] = []
            mine = {left: pools[seat, category, left] for left in range(n, 1, -1) if (seat, category, left) in pools}
            while len(chosen) < wanted and any(mine.values()):
                for left, pool in mine.items():
                    if pool and len(chosen) < wanted:
                        chosen.append((-left, *pool.pop(draw(rng, len(pool)))))
            for _, number, actions, values in sorted(chosen, key=lambda one: one[:3]):
                board = Board(game, layouts[number])
                for action in actions:
                    board.push(action)
                right = max(values, key=lambda action: values[action])
                found.append(BasePosition(board.fen(), seat, category, (right,), values))
    return layouts, found


# ---------------------------------------------------------------- the command


def build(game: Game, seed: int, sizes: Sizes, report: Callable[[int, int], None]) -> BaseSet:
    """The positions of a game. Raises UnsupportedGameError where there is no recipe."""
    if file_name(game.id, game.options) is None:
        raise UnsupportedGameError(f"{game.id} {dict(game.options)}: expected ConnectFour, or CardPoints of 8 or 12 cards")
    option = f" --n-cards {game.options['n_cards']}" if game.name == "CardPoints" else ""
    facts = {
        "game": game.id,
        "options": ", ".join(f"{name}={value}" for name, value in sorted(game.options.items())),
        "seed": str(seed),
        "made by": f"python -m benchmarks.base_positions --game {game.name}{option} --seed {seed}"
        + (" --quick" if sizes == QUICK else ""),
    }
    if game.name == "ConnectFour":
        facts["source"] = (
            "semi-random games, decided by boardgym.baselines.perfect.connect_four; the start's columns: L. V. Allis, 1988"
        )
        return BaseSet(facts, (), tuple(connect_four_positions(game, seed, sizes, report)))
    facts["source"] = "plays of the layouts below, decided by boardgym.baselines.perfect.card_points"
    layouts, positions = card_positions(game, seed, sizes)
    return BaseSet(facts, tuple(layouts), tuple(positions))


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes the file and says what is in it."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.base_positions", description=__doc__, args=arguments)
    try:
        game = get_game(settings.game)
        if game.name == "CardPoints":
            game = get_game(settings.game, n_cards=settings.n_cards)
        if not settings.out.parent.is_dir():
            raise SystemExit(f"--out {str(settings.out)!r}: the folder {str(settings.out.parent)!r} does not exist")
        with ProgressBar(label=game.title) as bar:
            made = build(
                game, settings.seed, QUICK if settings.quick else Sizes(), lambda done, total: bar.show(done, total=total)
            )
        write_aside(settings.out, made.to_text().encode())
    except (BoardgymError, OSError) as error:
        raise SystemExit(str(error)) from None
    counts: dict[tuple[int, str], int] = {}
    for position in made.positions:
        counts[position.seat, position.category] = counts.get((position.seat, position.category), 0) + 1
    for (seat, category), count in counts.items():
        print(f"{game.seat_name(seat)}: {category} {count}")


if __name__ == "__main__":
    main()
