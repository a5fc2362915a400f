"""Shares of games won, drawn and lost, with their intervals, as the tests print them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from boardgym.baselines.arena.ratings import Interval, rate_interval, ratio_interval
from boardgym.baselines.arena.table import plain_table


@dataclass(frozen=True)
class Shares:
    """Of the games of a seat the shares won, drawn and lost, and the quality, won or drawn; with 95 % intervals.

    Exact shares have intervals of no width.
    """

    seat: int
    won: Interval
    drawn: Interval
    lost: Interval
    quality: Interval


def shares_of(seat: int, counts: Counter[int], games: int, *, is_one_game: bool = False) -> Shares:
    """Shares of games that were drawn independently of each other.

    counts: of the results 1, 0 and -1. is_one_game: nothing was drawn, and the games are one that was repeated: no width.
    """
    rates = [count / games for count in (counts[1], counts[0], counts[-1], counts[1] + counts[0])]
    return Shares(seat, *(exactly(rate) if is_one_game else rate_interval(rate, games) for rate in rates))


def shares_by_start(seat: int, counts: Sequence[Counter[int]]) -> Shares:
    """Shares of games from several starts, of one or more each: the interval is that over such starts."""
    games = [count.total() for count in counts]
    rates = [[count[1], count[0], count[-1], count[1] + count[0]] for count in counts]
    return Shares(seat, *(clustered(column, games) for column in zip(*rates, strict=True)))


def exactly(share: float) -> Interval:
    """A share that no chance was needed for."""
    return Interval(share, share, share)


def clustered(hits: Sequence[float], sizes: Sequence[float]) -> Interval:
    """The share of hits in groups that hang together, such as games from one start: 95 % interval over such groups.

    Args:
        hits: of each group, 0 to its size.
        sizes: at least 1 each.
    """
    found = ratio_interval(hits, sizes, most=1.0)
    assert found is not None
    return found


def game_title(game: str, options: dict[str, Any]) -> str:
    """A game with its options."""
    return game + "".join(f" {name}={value}" for name, value in options.items())


def percent(share: Interval) -> str:
    """For example "58.5 % [58.2, 58.8]"; without an interval where it has no width."""
    text = f"{100 * share.value:.2f} %"
    return text if share.low == share.high else f"{text} [{100 * share.low:.2f}, {100 * share.high:.2f}]"


def shares_table(title: str, foot: str, columns: list[tuple[str, Shares]]) -> Table:
    """A column of shares for each name."""
    table = plain_table(Text(title, "bold"), foot)
    table.add_column("", style="cyan")
    for name, _ in columns:
        table.add_column(name, justify="right", overflow="fold")
    for measure in ("won", "drawn", "lost", "quality"):
        table.add_row(measure, *(percent(getattr(shares, measure)) for _, shares in columns))
    return table


def head(test: str, agent: str, game: str, options: dict[str, Any], foot: str) -> Table:
    """A table with its title and the column of names."""
    table = plain_table(Text(f"{test}  {agent}  {game_title(game, options)}", "bold"), foot)
    table.add_column("", overflow="fold", style="cyan")
    return table


def number(count: float) -> str:
    """A count, which may be an expectation: "1,000" or "92.5"."""
    return f"{count:,.0f}" if count == round(count) else f"{count:,.1f}"
