"""A policy at positions whose right actions are known: the second figure of the base test.

A table need not have met these positions: what it gets here tells how far it generalises, which a table does not, and
what a search or a network does. See `positions` for the files.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from boardgym.baselines.arena.game import as_policy, ask, is_random, make_ready, policy_name
from boardgym.baselines.arena.ratings import Interval
from boardgym.baselines.arena.table import as_text
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.thesis_tests.lines import is_unknown, visits_of
from boardgym.baselines.thesis_tests.positions import BasePosition, BaseSet, base_set_of, check_set
from boardgym.baselines.thesis_tests.shares import clustered, head
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, OptionError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import Policy
from boardgym.core.random import check_seed, stream


@dataclass(frozen=True)
class CategoryScore:
    """How a policy did in a category of positions of one seat.

    positions: how many. right: in how many its deterministic action is right. kept: in how many it keeps the best result that
    there is. unknown, unknown_right: positions that its table does not know, and how often the action was right there all the
    same; 0 for policies that are no tables. quality: the share right, with its 95 % interval over positions drawn like these,
    or over rows like theirs. floor, floor_kept: shares right and kept, in expectation, of actions taken at random.
    """

    seat: int
    category: str
    positions: int
    right: int
    kept: int
    unknown: int
    unknown_right: int
    quality: Interval
    floor: float
    floor_kept: float


@dataclass(frozen=True)
class Answer:
    """A policy's answer at a position. floors: the shares of actions that are right, and that keep the best result."""

    seat: int
    category: str
    group: str
    is_right: bool
    is_kept: bool
    is_new: bool
    floors: tuple[float, float]


def score_of(seat: int, category: str, answers: Sequence[Answer]) -> CategoryScore:
    """The score of some answers, at least one."""
    groups: dict[str, list[int]] = {}
    for answer in answers:
        group = groups.setdefault(answer.group, [0, 0])
        group[0] += answer.is_right
        group[1] += 1
    hits, sizes = zip(*groups.values(), strict=True)
    n = len(answers)
    right, kept, new, by_luck = (
        sum(flags) for flags in zip(*((a.is_right, a.is_kept, a.is_new, a.is_new and a.is_right) for a in answers), strict=True)
    )
    floor, floor_kept = (sum(floors) / n for floors in zip(*(a.floors for a in answers), strict=True))
    return CategoryScore(seat, category, n, right, kept, new, by_luck, clustered(hits, sizes), floor, floor_kept)


@dataclass(frozen=True)
class PositionsTest:
    """A policy at positions whose right actions are known. game, options, agent, seed: as in `BaseTest`. answers: in order."""

    game: str
    options: dict[str, Any]
    agent: str
    seed: int
    answers: tuple[Answer, ...]

    @property
    def categories(self) -> tuple[CategoryScore, ...]:
        """By seat and category."""
        groups: dict[tuple[int, str], list[Answer]] = {}
        for answer in self.answers:
            groups.setdefault((answer.seat, answer.category), []).append(answer)
        return tuple(score_of(*key, answers) for key, answers in groups.items())

    @property
    def seats(self) -> tuple[int, ...]:
        """Those that there are positions of."""
        return tuple(sorted({answer.seat for answer in self.answers}))

    def total(self, seat: int) -> CategoryScore:
        """All categories of a seat together. Raises OptionError for a seat without positions."""
        mine = [answer for answer in self.answers if answer.seat == seat]
        if not mine:
            raise OptionError(f"seat {seat}: there are positions of seats {self.seats}")
        return score_of(seat, "all", mine)

    @property
    def quality(self) -> Interval:
        """The share of positions with the right action, of the first seat that there are any of."""
        return self.total(self.seats[0]).quality

    @property
    def floor(self) -> float:
        """The same of actions taken at random, in expectation."""
        return self.total(self.seats[0]).floor

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        totals = [asdict(self.total(seat)) for seat in self.seats]
        return {
            "test": "positions",
            "game": self.game,
            "options": self.options,
            "agent": self.agent,
            "seed": self.seed,
            "quality": asdict(self.quality),
            "floor": self.floor,
            "totals": totals,
            "categories": [asdict(score) for score in self.categories],
            "right": [answer.is_right for answer in self.answers],
        }

    def table(self) -> Table:
        """A row for each seat and category."""
        foot = (
            "percent; quality: the deterministic action is right; random: quality of actions at random; kept: it keeps the "
            "best result; new: positions that its table does not know; known: quality at the others; intervals: 95 %, over "
            "such positions, or such rows"
        )
        table = head("positions", self.agent, self.game, self.options, foot)
        for name in ("number", "quality", "random", "kept", "new", "known"):
            table.add_column(name, justify="right", no_wrap=True)
        game, categories = get_game(self.game, **self.options), self.categories
        for seat in self.seats:
            for score in (*(one for one in categories if one.seat == seat), self.total(seat)):
                known, quality = score.positions - score.unknown, score.quality
                share = f"{100 * (score.right - score.unknown_right) / known:.1f}" if known else "-"
                interval = f"{100 * quality.value:.1f} [{100 * quality.low:.1f}, {100 * quality.high:.1f}]"
                table.add_row(
                    f"{game.seat_name(seat)}: {score.category}",
                    str(score.positions),
                    interval,
                    f"{100 * score.floor:.1f}",
                    f"{100 * score.kept / score.positions:.1f}",
                    str(score.unknown),
                    share,
                )
        return table

    def __str__(self) -> str:
        return as_text(self.table())


def answer_positions(
    policy: Policy,
    game: Game,
    positions: Sequence[BasePosition],
    *,
    groups: Sequence[str] = (),
    seed: int = 0,
    label: Callable[[], None] | None = None,
) -> tuple[Answer, ...]:
    """Asks a policy for its deterministic action at each position, each by itself, after a reset.

    groups: of each position, the name of those that hang together, such as positions of one row; empty: each by itself. seed:
    of the policy's draws. label: called after each.

    Raises: IllegalActionError for a policy that breaks the rules.
    """
    answers, is_drawn = [], is_random(policy)
    for place, known in enumerate(positions):
        board = Board(game, known.fen)
        policy.reset(seed=int(stream(seed, place)[0]) >> 1)
        action = ask(policy, board, deterministic=not is_drawn)
        if action not in known.values:
            raise IllegalActionError(
                f"{policy_name(policy)} played {action} at {known.fen!r}; legal are {sorted(known.values)}"
            )
        best, n = max(known.values.values()), len(known.values)
        floors = len(known.right) / n, sum(value == best for value in known.values.values()) / n
        answers.append(
            Answer(
                known.seat,
                known.category,
                groups[place] if groups else str(place),
                action in known.right,
                known.values[action] == best,
                is_unknown(visits_of(policy, board)),
                floors,
            )
        )
        if label is not None:
            label()
    return tuple(answers)


def positions_test(
    agent: Any,
    game: str | Game,
    *,
    known: BaseSet | None = None,
    seed: int = 0,
    trust: bool = False,
    progress: Progress = None,
) -> PositionsTest:
    """A policy at the positions that the package has of Connect Four and CardPoints (8 or 12 cards), or at others.

    Args:
        agent: a spec string, a policy or a model.
        game: an id or a `Game`.
        known: others than those of the package, of any game; at least one.
        seed: of the agent's draws: its ties are broken without any, but a search by playouts draws.
        trust: whether files that could execute code may be loaded.
        progress: see `boardgym.baselines.progress.ProgressBar`.

    Raises:
        UnsupportedGameError: a game without positions, or one that the agent does not play.
        NotationError: no positions, or some that are none of the game.
        SpecError, OptionError, UntrustedFileError: as `make_policy` and for what they name.
    """
    game, seed = get_game(game), check_seed(seed)
    if known is None:
        known = base_set_of(game)
    else:
        check_set(game, known, "known")
    policy = as_policy(agent, game, seed=int(stream(seed, game.num_seats)[0]) >> 1, trust=trust)
    make_ready(policy)
    name = policy_name(policy)
    with ProgressBar(len(known.positions), progress=progress) as bar:
        answers = answer_positions(
            policy, game, known.positions, groups=known.groups(), seed=seed, label=lambda: bar.advance(name)
        )
    return PositionsTest(game.id, dict(game.options), name, seed, answers)
