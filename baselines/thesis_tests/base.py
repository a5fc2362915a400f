"""The base test: a policy against fixed sequences of replies.

Source: A. B. Pereira, dissertation on Pessimistic Q-learning (PUC-Rio, 2012), section 4.1: quality is the share of games that
are not lost. In tic-tac-toe every line is played, in CardPoints every line of the package's rows, in Connect Four the sequences
of `sequences`. A second figure, at positions whose right actions are known, is in `answers`.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from boardgym.baselines.arena.game import as_policy, make_ready, policy_name
from boardgym.baselines.arena.ratings import Interval
from boardgym.baselines.arena.table import as_text
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.thesis_tests.cards import random_share_of_row
from boardgym.baselines.thesis_tests.lines import DRAWS, SeatLines, every_line, random_share
from boardgym.baselines.thesis_tests.positions import rows_of
from boardgym.baselines.thesis_tests.sequences import SEQUENCES, Decisions, by_kind, every_sequence
from boardgym.baselines.thesis_tests.shares import head, number, percent
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.random import check_seed, stream


@dataclass(frozen=True)
class BaseTest:
    """A policy's base test. The figures without a seat are those of the first of `lines`.

    game, options: the game. agent: its spec. seed: of its draws, if it makes any. kind: what was played. is_whole: whether that
    is every line, not a fixed set of sequences. lines: by seat. decisions: of Connect Four's sequences, what the policy did
    where something was asked of it.
    """

    game: str
    options: dict[str, Any]
    agent: str
    seed: int
    kind: str
    is_whole: bool
    lines: tuple[SeatLines, ...]
    decisions: tuple[Decisions, ...] = ()

    @property
    def quality(self) -> Interval:
        """Share of lines that are not lost."""
        return self.lines[0].quality

    @property
    def floor(self) -> Interval:
        """The same of uniformly random play."""
        return self.lines[0].floor

    @property
    def outcomes(self) -> tuple[float, ...]:
        """Share of lines not lost of each start, sequence or draw."""
        return self.lines[0].outcomes

    @property
    def won(self) -> float:
        """Share of lines won."""
        return self.lines[0].won / self.lines[0].lines

    @property
    def drawn(self) -> float:
        """Share of lines drawn."""
        return self.lines[0].drawn / self.lines[0].lines

    @property
    def lost(self) -> float:
        """Share of lines lost."""
        return self.lines[0].lost / self.lines[0].lines

    @property
    def is_perfect(self) -> bool | None:
        """Whether no line is lost, of a table whichever of equal actions it takes; None for sequences and random players."""
        return self.lines[0].is_perfect

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        found = asdict(self)
        if not self.is_whole:
            for row, plain in zip(self.lines, found["lines"], strict=True):
                plain["by_kind"] = by_kind(row.outcomes)
        figures = {name: getattr(self, name) for name in ("won", "drawn", "lost", "is_perfect")}
        return {"test": "base", **found, **figures, "quality": asdict(self.quality), "floor": asdict(self.floor)}

    def table(self) -> RenderableType:
        """A column for each seat; in Connect Four a second table of the decisions."""
        return Group(self._lines_table(), Text(), self._decisions_table()) if self.decisions else self._lines_table()

    def _lines_table(self) -> Table:
        foot = [
            f"{self.kind}; quality: lines not lost, ties of a table at random; random play: quality of uniformly random "
            "actions; unknown: turns at which its table knows nothing"
        ]
        if not self.is_whole:
            foot.append("tactical, uniform: quality against the two kinds of sequences")
        elif self.is_perfect is not None:
            foot.append("perfect: no line is lost by its deterministic actions, of a table whichever of equal ones it takes")
        if any(row.quality.low < row.quality.high for row in self.lines):
            foot.append("intervals: 95 %, over starts, sequences or draws like these")
        table = head("base test", self.agent, self.game, self.options, "; ".join(foot))
        game = get_game(self.game, **self.options)
        rows: dict[str, list[str]] = {}
        for row in self.lines:
            table.add_column(game.seat_name(row.seat), justify="right", overflow="fold")
            cells = {"lines": number(row.lines), "won": number(row.won), "drawn": number(row.drawn), "lost": number(row.lost),
                     "quality": percent(row.quality), "random play": f"{100 * row.floor.value:.2f} %"}  # fmt: skip
            if not self.is_whole:
                cells |= {name: f"{100 * share:.2f} %" for name, share in by_kind(row.outcomes).items()}
            elif row.is_perfect is not None:
                cells["perfect"] = "yes" if row.is_perfect else "no"
            cells["unknown"] = f"{100 * row.unknown / max(row.turns, 1.0):.1f} %"
            for name, cell in cells.items():
                rows.setdefault(name, []).append(cell)
        for name, row_cells in rows.items():
            table.add_row(name, *row_cells)
        return table

    def _decisions_table(self) -> Table:
        table = head(
            "decisions",
            self.agent,
            self.game,
            self.options,
            "turns on these lines that ask for something; random: share of right actions there",
        )
        for name in ("met", "right", "share", "random"):
            table.add_column(name, justify="right", no_wrap=True)
        game = get_game(self.game, **self.options)
        for met in self.decisions:
            table.add_row(
                f"{game.seat_name(met.seat)}: {met.category}",
                number(met.met),
                number(met.right),
                f"{100 * met.share:.1f} %",
                f"{100 * met.floor:.1f} %",
            )
        return table

    def __str__(self) -> str:
        return as_text(self.table())


def has_base_test(game: Game) -> bool:
    """Whether `base_test` has lines of its own for a game."""
    return game.name in ("TicTacToe", "ConnectFour") or bool(rows_of(game))


def base_test(
    agent: Any,
    game: str | Game,
    *,
    starts: Sequence[str] = (),
    seats: Sequence[int] = (0, 1),
    seed: int = 0,
    trust: bool = False,
    progress: Progress = None,
) -> BaseTest:
    """Every line of tic-tac-toe, every line of the rows of CardPoints (8 or 12 cards), the reply sequences of Connect Four.

    Args:
        agent: a spec string, a policy or a model.
        game: an id or a `Game`.
        starts: position strings from which to play every line in place of that, of any small game without chance in which
            repetitions do not count.
        seats: those of the policy.
        seed: of the agent's draws, and of ties in Connect Four.
        trust: whether files that could execute code may be loaded.
        progress: see `boardgym.baselines.progress.ProgressBar`.

    Raises:
        UnsupportedGameError: a game without base test, or one that the agent does not play.
        OptionError: seats that there are not, too many positions, too long lines.
        SpecError, NotationError, UntrustedFileError: as `make_policy` and `Board` for what they name.
    """
    game, seed = get_game(game), check_seed(seed)
    if not seats or any(seat not in range(game.num_seats) for seat in seats):
        raise OptionError(f"seats={tuple(seats)}: expected some of 0 to {game.num_seats - 1}")
    if not starts and not has_base_test(game):
        raise UnsupportedGameError(
            f"there is no base test of {game.id} {dict(game.options)}; there is one of TicTacToe, "
            "ConnectFour, and CardPoints of 8 or 12 cards; or give starts"
        )
    policy = as_policy(agent, game, seed=int(stream(seed, game.num_seats)[0]) >> 1, trust=trust)
    make_ready(policy)
    name, lines, decisions = policy_name(policy), list[SeatLines](), list[Decisions]()
    is_whole = bool(starts) or game.name != "ConnectFour"
    if not is_whole:
        kind = f"{SEQUENCES:,} fixed sequences of replies, half uniform, half tactical"
        with ProgressBar(len(seats) * SEQUENCES, progress=progress) as bar:
            for seat in seats:
                found, met = every_sequence(policy, seat, game, seed=seed, label=lambda: bar.advance(name))
                lines.append(found)
                decisions += met
    else:
        fens = tuple(starts) or rows_of(game) or (game.to_fen(game.start),)
        boards = [Board(game, fen, auto_roll=False) for fen in fens]
        kind = "every line of replies" + (f" from {len(boards):,} starts" if len(boards) > 1 else "")
        floor = random_share_of_row if game.name == "CardPoints" else random_share
        with ProgressBar(len(seats) * len(boards), progress=progress) as bar:
            for seat in seats:
                lines.append(every_line(policy, seat, boards, seed=seed, floor=floor, label=lambda: bar.advance(name)))
        if len(lines[0].outcomes) > len(boards):
            kind += f" to each of {DRAWS} draws of its actions, seed {seed}"
    return BaseTest(game.id, dict(game.options), name, seed, kind, is_whole, tuple(lines), tuple(decisions))
