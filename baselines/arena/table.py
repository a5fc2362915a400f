"""The table of a comparison, for the terminal."""

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from boardgym.baselines.arena.ratings import Interval
from boardgym.core.errors import UnknownGameError
from boardgym.core.game import Game, get_game

if TYPE_CHECKING:
    from boardgym.baselines.arena.compare import Comparison, Row
    from boardgym.baselines.arena.ladder import Ladder
    from boardgym.baselines.arena.rating_systems import Rating

FEW_DISTINCT = 0.9  # a smaller share of different games is worth a note
FORFEITS = ("forfeits", "opp. f.")  # heads of columns
SHARES = ("share won", "share not lost")  # likewise, of games at one seat
WIDE = 400  # characters: more than any table needs


class ComparisonTable:
    """A comparison for `Console.print`: all columns where there is room for them, else the most important ones."""

    def __init__(self, comparison: "Comparison") -> None:
        self.full, self.short = full_table(comparison), short_table(comparison)

    def fitting(self, width: int) -> Table:
        """The table for so many characters."""
        return self.full if natural_width(self.full) <= width else self.short

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.fitting(options.max_width)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.fitting(options.max_width))


def natural_width(table: RenderableType) -> int:
    """How many characters a table needs."""
    console = Console(width=WIDE, file=io.StringIO())
    return Measurement.get(console, console.options, table).maximum


def as_text(table: RenderableType) -> str:
    """A table as plain text, as wide as it needs."""
    file = io.StringIO()
    Console(file=file, width=natural_width(table), color_system=None, force_terminal=False).print(table)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())


def new_table(comparison: "Comparison") -> Table:
    """A table with the head and foot that both kinds share."""
    title = Text.assemble((comparison.agent, "bold"), f"  {game_text(comparison)}", no_wrap=True, overflow="ellipsis")
    table = plain_table(title, foot(comparison))
    table.add_column("opponent", overflow="fold", style="cyan")
    if is_by_seat(comparison):
        table.add_column("agent plays")
    return table


def game_text(played: "Comparison | Ladder") -> str:
    """The game's id, and the rule options that are not the standard ones."""
    game = known(played.game)
    standard = game.options if game else {}
    return played.game + "".join(
        f" {name}={value}" for name, value in played.options.items() if standard.get(name, value) != value
    )


def plain_table(title: Text, caption: str) -> Table:
    """A table without columns, in the house's looks."""
    return Table(
        title=title,
        title_justify="left",
        title_style="",
        caption=Text(caption, style="table.caption"),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        padding=(0, 1, 0, 0),
    )


def known(game_id: str) -> Game | None:
    """A game, or None where this process does not know it: a comparison may come from a file."""
    try:
        return get_game(game_id)
    except UnknownGameError:
        return None


def seat_names(game_id: str) -> list[str]:
    """What the two seats are called."""
    game = known(game_id)
    return [game.seat_name(seat) if game else f"seat {seat}" for seat in (0, 1)]


def foot(comparison: "Comparison") -> str:
    """What holds for all rows, and what stands out in some."""
    how = "its best actions" if comparison.deterministic else "as its spec says, with draws"
    names = seat_names(comparison.game)
    seats = [f"as {names[seat]}" for seat in (0, 1) if any(row.seat == seat for row in comparison.rows)]
    games = f"each opening in turn, agent {' and '.join(seats)}" if seats else "in pairs with seats swapped"
    lines = [f"openings: {comparison.openings}, {games}; seed {comparison.seed}; the agent plays {how}; intervals: 95 %"]
    if any(row.forfeits + row.opponent_forfeits for row in comparison.rows):
        rates = "score rates and shares" if seats else "score rates"
        lines.append(f"forfeits (opp. f.: the opponent's) are not counted as won or lost; in {rates} they are losses")
    if any(row.has_clock for row in comparison.rows):
        lines.append("(clock): thinks for a time, so the row depends on this machine")
    lines += [f"forfeit against {row.opponent}: {message}" for row in comparison.rows for message in row.messages]
    return "\n".join(dict.fromkeys(lines))  # the rows of two seats may have the same messages


def is_by_seat(comparison: "Comparison") -> bool:
    """Whether the rows are of games at one seat each."""
    return any(row.seat is not None for row in comparison.rows)


def full_table(comparison: "Comparison") -> Table:
    """All columns."""
    table, seats = new_table(comparison), seat_names(comparison.game)
    shares = SHARES if is_by_seat(comparison) else tuple(f"as {name}" for name in seats)
    for name in ("games", "distinct", "won", "drawn", "lost", *FORFEITS, "caps", *shares, "score rate", "Elo difference"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("trained", no_wrap=True)
    for row in comparison.rows:
        table.add_row(
            *names_of(row, seats),
            str(row.games),
            str(row.distinct_games),
            str(row.wins),
            str(row.draws),
            str(row.losses),
            *forfeits(row),
            alarm(row.caps),
            *(shares_of(row) if row.seat is not None else (f"{score:.3f}" for score in row.score_by_seat)),
            score_text(row.score),
            str(row.elo),
            {True: "yes", False: "no", None: "-"}[row.trained_against],
        )
    return table


def short_table(comparison: "Comparison") -> Table:
    """The columns that fit 80 characters; what is out of the ordinary stands below."""
    table, seats = new_table(comparison), seat_names(comparison.game)
    has_forfeits = any(row.forfeits + row.opponent_forfeits for row in comparison.rows)
    if is_by_seat(comparison):  # two wide shares: a head of two lines, and forfeits below, leave room for the opponent
        heads, has_forfeits = ["won-drawn-\nlost", *SHARES], False
    else:
        heads = ["won-drawn-lost", *FORFEITS[: 2 * has_forfeits], "score rate", "Elo difference"]
    for name in heads:
        table.add_column(name, justify="right", no_wrap=True)
    notes = []
    for row in comparison.rows:
        last = shares_of(row) if row.seat is not None else [score_text(row.score), str(row.elo)]
        table.add_row(*names_of(row, seats), results(row), *forfeits(row)[: 2 * has_forfeits], *last)
        counts = [("caps", row.caps)]
        if row.seat is not None:
            counts += zip(FORFEITS, (row.forfeits, row.opponent_forfeits), strict=True)
        marks = [f"{count} {name}" for name, count in counts if count]
        if row.distinct_games < FEW_DISTINCT * row.games:
            marks.append(f"{row.distinct_games} of {row.games} games distinct")
        if row.trained_against:
            marks.append("trained against it")
        if marks:
            notes.append(f"{', agent as '.join(names_of(row, seats))}: {', '.join(marks)}")
    table.caption = Text("\n".join([*notes, foot(comparison)]), style="table.caption")
    return table


def ladder_table(ladder: "Ladder") -> Table:
    """A row for each rung, from the first to the last that is finished."""
    lines = [
        f"{ladder.games} games a row, against the row above; openings: {ladder.openings}, in pairs with seats swapped; "
        f"seed {ladder.seed}; all play as their specs say, with draws; intervals: 95 %; Elo: one Bradley-Terry fit of all "
        f"games, {ladder.rungs[ladder.anchor]} = 0, with a drawn game added to each row: after a clean sweep that game makes "
        "the number, and one end of the interval is infinite"
    ]
    if any(row.has_clock for row in ladder.rows):
        lines.append("A spec with a time depends on this machine.")
    for rung, row in zip(ladder.rungs[1:], ladder.rows, strict=False):
        lines += [f"forfeit, {rung} against {row.opponent}: {message}" for message in row.messages]
    table = plain_table(Text(game_text(ladder), "bold"), "\n".join(lines))
    table.add_column("policy", overflow="fold", style="cyan")
    has_forfeits = any(row.forfeits + row.opponent_forfeits for row in ladder.rows)
    for name in ("won-drawn-lost", *FORFEITS[: 2 * has_forfeits], "score rate", "Elo difference", "Elo"):
        table.add_column(name, justify="right", no_wrap=True)
    for rating, step in zip(ladder.ratings(), (None, *ladder.rows), strict=True):
        if step is None:
            cells: list[RenderableType] = [""] * (5 if has_forfeits else 3)
        else:
            cells = [results(step), *forfeits(step)[: 2 * has_forfeits], score_text(step.score), str(step.elo)]
        table.add_row(rating.name, *cells, rating_text(rating))
    return table


def rating_text(rating: "Rating") -> str:
    """For example "416 [370, 470]"; of the anchor "0"; "none" where there is no rating."""
    if math.isnan(rating.elo):
        return "none"
    if rating.low == rating.high == 0.0:
        return "0"
    return f"{rating.elo:.0f} [{rating.low:.0f}, {rating.high:.0f}]"


def results(row: "Row") -> str:
    """Games won, drawn and lost, without forfeits."""
    return f"{row.wins}-{row.draws}-{row.losses}"


def forfeits(row: "Row") -> list[Text]:
    """Forfeits of the agent and of its opponent."""
    return [alarm(row.forfeits), alarm(row.opponent_forfeits)]


def names_of(row: "Row", seats: Sequence[str]) -> list[str]:
    """The opponent, marked if the clock decides its play, and what the agent plays if that is one seat. seats: their names."""
    opponent = f"{row.opponent}{' (clock)' if row.has_clock else ''}"
    return [opponent] if row.seat is None else [opponent, seats[row.seat]]


def shares_of(row: "Row") -> list[str]:
    """The shares of games won and not lost, with their intervals."""
    return [
        "" if share is None else f"{share.value:.3f} [{share.low:.3f}, {share.high:.3f}]" for share in (row.won, row.not_lost)
    ]


def score_text(score: Interval) -> Text:
    """For example "0.915 [0.89, 0.94]", coloured by whether the interval lies above or below one half."""
    style = "green" if score.low > 0.5 else "red" if score.high < 0.5 else ""
    return Text(f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]", style)


def alarm(count: int) -> Text:
    """A count that should be zero."""
    return Text(str(count), "bold red" if count else "dim")
