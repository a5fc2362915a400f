"""The base test: a policy against every sequence of replies, or at positions whose right actions are known.

Source: A. B. Pereira, dissertation on Pessimistic Q-learning (PUC-Rio, 2012), section 4.1. In tic-tac-toe every line is
played; for Connect Four and CardPoints the package has positions (see `positions`).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from boardgym.baselines.arena.match import as_policy, ask, is_random, policy_name
from boardgym.baselines.arena.openings import check_seed
from boardgym.baselines.arena.progress import GamesBar, Progress
from boardgym.baselines.arena.ratings import Interval, wilson_interval
from boardgym.baselines.arena.table import as_text, plain_table
from boardgym.baselines.trials.play import game_title, percent
from boardgym.baselines.trials.positions import BasePosition, base_set_of
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import Policy
from boardgym.core.random import stream

MOST_POSITIONS = 100_000  # of the policy, in `every_line`
Lines = tuple[int, int, int]  # won, drawn, lost


def knowledge(policy: Policy, board: Board) -> dict[int, tuple[float, int]] | None:
    """What a table has of a position: action -> (value, visits); None for a policy that is no table."""
    look: Callable[[Board], dict[int, tuple[float, int]]] | None = getattr(policy, "action_values", None)
    return look(board) if callable(look) else None


def is_unknown(known: dict[int, tuple[float, int]] | None) -> bool:
    """Whether a table has never updated any action of a position."""
    return known is not None and not any(visits for _, visits in known.values())


# ---------------------------------------------------------------- every line


@dataclass(frozen=True)
class SeatLines:
    """A policy on one seat against every sequence of replies, each line once.

    lines: how many. won, drawn, lost: of them, with the policy's deterministic action. worst_lines, worst_lost: lines and lost
    ones if, of actions of equal value in a table, it took the one with the greatest share of lost lines; without a table the
    same as lines and lost. positions: of the policy on these lines. unknown: of them those that its table does not know.
    """

    seat: int
    lines: int
    won: int
    drawn: int
    lost: int
    worst_lines: int
    worst_lost: int
    positions: int
    unknown: int

    @property
    def quality(self) -> float:
        """Share of lines that are not lost."""
        return 1.0 - self.lost / self.lines

    @property
    def worst_quality(self) -> float:
        """The same with the worst of equal actions."""
        return 1.0 - self.worst_lost / self.worst_lines

    @property
    def is_perfect(self) -> bool:
        """Whether no line is lost, whichever of equal actions is taken."""
        return self.worst_lost == 0 and self.lost == 0


class Walk:
    """Counts the lines below a position: sums over replies, the policy's action on its own turns.

    ask: of a board, the actions to go on with: the first one for the count, all for the worst.
    """

    def __init__(self, seat: int, ask: Callable[[Board], Sequence[int]]) -> None:
        self.seat, self.ask = seat, ask
        self.asked: dict[Any, Sequence[int]] = {}
        self.found: dict[tuple[Any, bool], Lines] = {}

    def lines(self, board: Board, worst: bool) -> Lines:
        """(won, drawn, lost). The board is left as it was."""
        if board.is_terminal:
            pays = board.returns()[self.seat]
            return int(pays > 0.0), int(pays == 0.0), int(pays < 0.0)
        if board.is_chance:
            raise UnsupportedGameError(f"{board.game.id}: chance plays at {board.fen()!r}; every line is for games without it")
        position = board.position
        if (position, worst) not in self.found:
            if board.to_play == self.seat:
                actions = self._choices(board)
                every = [self._below(board, action, worst) for action in (actions if worst else actions[:1])]
                found = max(every, key=lambda lines: lines[2] / sum(lines))
            else:
                every = [self._below(board, action, worst) for action in board.legal_actions]
                found = sum(n[0] for n in every), sum(n[1] for n in every), sum(n[2] for n in every)
            self.found[position, worst] = found
        return self.found[position, worst]

    def _below(self, board: Board, action: int, worst: bool) -> Lines:
        board.push(action)
        found = self.lines(board, worst)
        board.pop()
        return found

    def _choices(self, board: Board) -> Sequence[int]:
        position = board.position
        if position not in self.asked:
            if len(self.asked) == MOST_POSITIONS:
                raise OptionError(f"{board.game.id}: more than {MOST_POSITIONS} positions of seat {self.seat}; every line is "
                                  "for small games")  # fmt: skip
            self.asked[position] = self.ask(board)
        return self.asked[position]


def every_line(policy: Policy, seat: int, board: Board, *, seed: int = 0, label: Callable[[], None] | None = None) -> SeatLines:
    """Plays a policy's seat against every sequence of replies, from a board of a small game without chance.

    Each position of the policy is asked once, with its deterministic action; a policy that is random by its spec draws there.

    Args:
        policy: the policy.
        seat: where it sits.
        board: where lines begin; it is left as it was.
        seed: of its draws.
        label: called after each position that it was asked.

    Raises: OptionError for a game of too many positions, UnsupportedGameError for one of chance.
    """
    unknown = set()

    def choices(at: Board) -> Sequence[int]:
        action, known = ask(policy, at, deterministic=not is_random(policy)), knowledge(policy, at)
        if is_unknown(known):
            unknown.add(at.position)
        if label is not None:
            label()
        if known is None:
            return (action,)
        best = max(value for value, _ in known.values())
        return (action, *(other for other, (value, _) in known.items() if value == best and other != action))

    policy.reset(seed=int(stream(seed, seat)[0]) >> 1)
    walk = Walk(seat, choices)
    won, drawn, lost = walk.lines(board.copy(), worst=False)
    positions, not_known = len(walk.asked), len(unknown)  # of the lines that it plays; the worst ones meet others
    worst = walk.lines(board.copy(), worst=True)
    return SeatLines(seat, won + drawn + lost, won, drawn, lost, sum(worst), worst[2], positions, not_known)


# ---------------------------------------------------------------- positions


@dataclass(frozen=True)
class CategoryScore:
    """How a policy did in a category of positions of one seat.

    positions: how many. right: in how many its deterministic action is right. unknown, unknown_right: those that its table
    does not know, and how often the action was right there all the same; 0 for policies that are no tables. quality: the share
    right, with its 95 % interval (Wilson).
    """

    seat: int
    category: str
    positions: int
    right: int
    unknown: int
    unknown_right: int
    quality: Interval


def score_positions(
    policy: Policy,
    game: Game,
    positions: Sequence[BasePosition],
    *,
    seed: int = 0,
    label: Callable[[], None] | None = None,
) -> tuple[CategoryScore, ...]:
    """Asks a policy for its deterministic action at each position. Returns a score for each seat and category.

    Each position is asked by itself, after a reset. seed: of its draws. label: called after each.

    Raises: IllegalActionError for a policy that breaks the rules.
    """
    counts: dict[tuple[int, str], list[int]] = {}
    is_drawn = is_random(policy)
    for number, known in enumerate(positions):
        board = Board(game, known.fen)
        policy.reset(seed=int(stream(seed, number)[0]) >> 1)
        action = ask(policy, board, deterministic=not is_drawn)
        if action not in known.values:
            raise IllegalActionError(f"{policy_name(policy)} played {action} at {known.fen!r}; legal are "
                                     f"{sorted(known.values)}")  # fmt: skip
        is_right, is_new = action in known.right, is_unknown(knowledge(policy, board))
        count = counts.setdefault((known.seat, known.category), [0, 0, 0, 0])
        for place, one in enumerate((True, is_right, is_new, is_new and is_right)):
            count[place] += one
        if label is not None:
            label()
    return tuple(
        CategoryScore(*key, n, right, unknown, by_luck, wilson_interval(right / n, n))
        for key, (n, right, unknown, by_luck) in counts.items()
    )


# ---------------------------------------------------------------- the test


@dataclass(frozen=True)
class BaseTest:
    """A policy's base test.

    game, options: the game. agent: its spec. seed: of its draws, if it makes any. lines: by seat, where every line is played.
    categories: by seat and category, where there are positions.
    """

    game: str
    options: dict[str, Any]
    agent: str
    seed: int
    lines: tuple[SeatLines, ...] = ()
    categories: tuple[CategoryScore, ...] = ()

    def total(self, seat: int) -> CategoryScore:
        """All categories of a seat together. Raises OptionError for a seat without positions."""
        mine = [score for score in self.categories if score.seat == seat]
        if not mine:
            raise OptionError(f"seat {seat}: there are positions of seats {sorted({s.seat for s in self.categories})}")
        n, right = sum(score.positions for score in mine), sum(score.right for score in mine)
        unknown, by_luck = sum(score.unknown for score in mine), sum(score.unknown_right for score in mine)
        return CategoryScore(seat, "all", n, right, unknown, by_luck, wilson_interval(right / n, n))

    @property
    def quality(self) -> float:
        """The study's figure: of the first seat, the share of lines not lost, or of positions with the right action."""
        return self.lines[0].quality if self.lines else self.total(0).quality.value

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        rows = [{**asdict(row), "quality": row.quality, "worst_quality": row.worst_quality, "is_perfect": row.is_perfect}
                for row in self.lines]  # fmt: skip
        seats = sorted({score.seat for score in self.categories})
        totals = [asdict(self.total(seat)) for seat in seats]
        return {"test": "base", **asdict(self), "quality": self.quality, "lines": rows, "totals": totals}

    def table(self) -> Table:
        """A row for each seat, or for each seat and category."""
        return self._lines_table() if self.lines else self._positions_table()

    def _head(self, foot: str) -> Table:
        table = plain_table(Text(f"base test  {self.agent}  {game_title(self.game, self.options)}", "bold"), foot)
        table.add_column("", overflow="fold", style="cyan")
        return table

    def _lines_table(self) -> Table:
        table = self._head("every line of replies once; quality: lines not lost; worst: of actions of equal value in its table "
                           "the worst is taken; unknown: positions that its table does not know")  # fmt: skip
        for name in ("lines", "won", "drawn", "lost", "quality", "worst", "perfect", "positions", "unknown"):
            table.add_column(name, justify="right", no_wrap=True)
        game = get_game(self.game, **self.options)
        for row in self.lines:
            counts = map(str, (row.lines, row.won, row.drawn, row.lost))
            shares = (f"{100 * row.quality:.2f} %", f"{100 * row.worst_quality:.2f} %", "yes" if row.is_perfect else "no")
            table.add_row(game.seat_name(row.seat), *counts, *shares, str(row.positions), str(row.unknown))
        return table

    def _positions_table(self) -> Table:
        table = self._head("quality: positions where the deterministic action is right; unknown: positions that its table does "
                           "not know; known: quality at the others; intervals: 95 %")  # fmt: skip
        for name in ("positions", "right", "quality", "unknown", "known"):
            table.add_column(name, justify="right", no_wrap=True)
        game = get_game(self.game, **self.options)
        for seat in sorted({score.seat for score in self.categories}):
            mine = [score for score in self.categories if score.seat == seat]
            for score in (*mine, self.total(seat)):
                known = score.positions - score.unknown
                share = f"{100 * (score.right - score.unknown_right) / known:.1f} %" if known else "-"
                table.add_row(f"{game.seat_name(seat)}: {score.category}", str(score.positions), str(score.right),
                              percent(score.quality), str(score.unknown), share)  # fmt: skip
        return table

    def __str__(self) -> str:
        return as_text(self.table())


def base_test(
    agent: Any,
    game: str | Game,
    *,
    positions: Sequence[BasePosition] | None = None,
    seed: int = 0,
    trust: bool = False,
    progress: Progress = None,
) -> BaseTest:
    """Every line of tic-tac-toe; in Connect Four and CardPoints (8 or 12 cards) the positions of the package.

    Args:
        agent: a spec string, a policy or a model.
        game: an id or a `Game`.
        positions: others than those of the package, of any game.
        seed: of the agent's draws: its ties are broken without any, but a search by playouts draws.
        trust: whether files that could execute code may be loaded.
        progress: see `boardgym.baselines.arena.progress.GamesBar`.

    Raises:
        UnsupportedGameError: a game without base test, or one that the agent does not play.
        SpecError, OptionError, UntrustedFileError: as `make_policy` and for what they name.
    """
    game, seed = get_game(game), check_seed(seed)
    is_small = positions is None and game.name == "TicTacToe"
    asked = () if is_small else base_set_of(game).positions if positions is None else positions
    policy = as_policy(agent, game, seed=int(stream(seed, game.num_seats)[0]) >> 1, trust=trust)
    name = policy_name(policy)
    with GamesBar(0 if is_small else len(asked), progress=progress) as bar:
        if is_small:
            lines = tuple(every_line(policy, seat, Board(game), seed=seed, label=lambda: bar.advance(name)) for seat in (0, 1))
            return BaseTest(game.id, dict(game.options), name, seed, lines=lines)
        scores = score_positions(policy, game, asked, seed=seed, label=lambda: bar.advance(name))
    return BaseTest(game.id, dict(game.options), name, seed, categories=scores)
