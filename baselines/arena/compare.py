"""How good an agent is: its results against a ladder of opponents, as a table, a dataclass and JSON."""

import dataclasses
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from boardgym.baselines.arena import match as mt
from boardgym.baselines.arena.game import as_policy, is_random, make_ready, policy_name
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.match_games import GameWorkers, game_workers
from boardgym.baselines.arena.openings import Openings, make_openings
from boardgym.baselines.arena.ratings import SCORES, EloEstimate, Interval, estimate_elo, score_interval
from boardgym.baselines.arena.record import FORFEIT, OptionValue
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.typed_json import read_versioned
from boardgym.core.errors import NotationError, OptionError, SpecError
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.core.policy_spec import Spec, parse_spec
from boardgym.core.random import check_seed

if TYPE_CHECKING:
    from boardgym.baselines.arena.table import ComparisonTable

FORMAT, FORMAT_VERSION = "boardgym-comparison", 2
MESSAGES_KEPT = 3

Count = Annotated[int, Meta(ge=0, le=10**9)]
Seed = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True)
class Row:
    """The agent's results against one opponent.

    Attributes:
        opponent: its spec.
        games, distinct_games: how many were played, and how many differ in opening or moves.
        wins, draws, losses: of the agent, in games that were played; caps are among the draws.
        forfeits, opponent_forfeits: games that the agent, or its opponent, lost by an exception or an illegal action.
        pairs: how many pairs of games scored 0, 1/4, 1/2, 3/4 and 1; with a seat there are none.
        score_by_seat: the agent's score rate at seat 0 and at seat 1; None at a seat that it did not have.
        score: score rate with its 95 % interval over pairs, with a seat over games; a forfeit is a loss of who forfeits.
        elo: the difference that the score rate means, or a bound; none if a player forfeited every game.
        caps: games stopped at the limit of plies, counted as draws.
        trained_against: whether the agent was trained against this opponent; None if the agent does not say.
        has_clock: whether a player thinks for a time, so that the row depends on the machine.
        messages: the first few different messages of forfeits.
        seat: of the agent in every game; None: games are pairs with the seats swapped.
        won, not_lost: shares of games, with intervals as that of the score; None in files of earlier versions.
    """

    opponent: str
    games: Count
    distinct_games: Count
    wins: Count
    draws: Count
    losses: Count
    forfeits: Count
    opponent_forfeits: Count
    pairs: tuple[Count, Count, Count, Count, Count]
    score_by_seat: tuple[float | None, float | None]
    score: Interval
    elo: EloEstimate
    caps: Count
    trained_against: bool | None
    has_clock: bool
    messages: tuple[str, ...]
    seat: Literal[0, 1] | None = None
    won: Interval | None = None
    not_lost: Interval | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for counts and rates that contradict each other: a row may come from a file."""
        won, lost = self.wins + self.opponent_forfeits, self.losses + self.forfeits
        if self.seat is not None and self.pairs == (lost, 0, self.draws, 0, won):
            object.__setattr__(self, "pairs", (0, 0, 0, 0, 0))  # the first files by seat have the scores of games here
        in_pairs = self.games if self.seat is None else 0
        if not 0 < self.games == won + self.draws + lost or 2 * sum(self.pairs) != in_pairs:
            raise ValueError(f"a row of {self.games} games, whose parts have other sums")
        shares = [share for share in (self.score, self.won, self.not_lost) if share is not None]
        rates = [rate for share in shares for rate in (share.value, share.low, share.high)]
        if not all(0.0 <= rate <= 1.0 for rate in (*rates, *(rate for rate in self.score_by_seat if rate is not None))):
            raise ValueError("a row with a rate outside 0 to 1")
        if any((rate is None) != (self.seat == 1 - seat) for seat, rate in enumerate(self.score_by_seat)):
            raise ValueError(f"a row at seat {self.seat} with the score rates {self.score_by_seat}")
        scored = won + 0.5 * self.draws
        by_pairs = scored if self.seat is not None else 2 * float(SCORES @ self.pairs)
        if not (abs(self.score.value * self.games - scored) < 1e-3 and abs(by_pairs - scored) < 1e-3):
            raise ValueError(f"a row whose games score {scored}, its pairs {by_pairs}, and its score rate {self.score.value}")
        for name, share, count in (("won", self.won, won), ("not lost", self.not_lost, won + self.draws)):
            if share is not None and not abs(share.value * self.games - count) < 1e-3:
                raise ValueError(f"a row of {self.games} games, {count} of them {name}, and the share {share.value} {name}")

    @property
    def key(self) -> str | tuple[str, int]:
        """What names the row in a comparison: the opponent, with a seat (opponent, seat)."""
        return self.opponent if self.seat is None else (self.opponent, self.seat)

    @property
    def absent(self) -> Literal["agent", "opponent"] | None:
        """Who forfeited every game, and so never played."""
        return {self.forfeits: "agent", self.opponent_forfeits: "opponent"}.get(self.games)  # type: ignore[return-value]


@dataclass(frozen=True)
class Comparison:
    """An agent's results against several opponents. `print` shows the table.

    Attributes:
        agent: its spec. game, options: what was played. openings, seed: where games began. deterministic: whether the
        agent was asked for its best actions. rows: one an opponent.
    """

    agent: str
    game: str
    options: dict[str, OptionValue]
    openings: str
    seed: Seed
    deterministic: bool
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        """Raises ValueError for rows of pairs beside rows of one seat: a comparison may come from a file."""
        if len({row.seat is None for row in self.rows}) > 1:
            raise ValueError("a comparison with rows of pairs and rows of games at one seat")

    def row(self, opponent: str, seat: int | None = None) -> Row:
        """The row of an opponent.

        Args:
            opponent: its spec.
            seat: the agent's, needed where each seat has a row of its own (`compare(..., by_seat=True)`).

        Raises:
            KeyError: no such row, or several; it names the rows that there are.
        """
        found = [row for row in self.rows if row.opponent == opponent and seat in (None, row.seat)]
        if len(found) == 1:
            return found[0]
        asked = repr(opponent) if seat is None else f"{opponent!r} at seat {seat}"
        if not found:
            raise KeyError(f"{asked}; there are rows for {[row.key for row in self.rows]}")
        raise KeyError(f"{asked} has {len(found)} rows: {[row.key for row in found]}; name one by seat=, or take it from rows")

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, strings and numbers."""
        return {"format": FORMAT, "format_version": FORMAT_VERSION, **dataclasses.asdict(self)}

    def to_json(self) -> str:
        """Indented JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Comparison":
        """The inverse of `to_json`. Raises NotationError for text that is none."""
        return read_versioned(text, cls, FORMAT, FORMAT_VERSION, NotationError, "the JSON of a comparison")

    def table(self) -> "ComparisonTable":
        """For `rich`'s `Console.print`: all columns where the terminal is wide enough, else the most important ones."""
        from boardgym.baselines.arena.table import ComparisonTable

        return ComparisonTable(self)

    def __rich__(self) -> "ComparisonTable":
        return self.table()

    def __str__(self) -> str:
        from boardgym.baselines.arena.table import as_text

        return as_text(self.table())


def compare(
    agent: Any,
    game: str | Game,
    opponents: Iterable[Any],
    *,
    games: int = 400,
    openings: Openings = "heldout",
    by_seat: bool = False,
    seed: int = 0,
    deterministic: bool = True,
    trust: bool = False,
    max_plies: int | None = None,
    trained_against: Sequence[str] | None = None,
    progress: Progress = None,
    on_row: Callable[[Comparison], None] | None = None,
    log: GameLog | None = None,
    processes: int | GameWorkers = 1,
) -> Comparison:
    """Plays an agent against each of several opponents, from the same openings.

    Args:
        agent: a spec string, a policy, or a Stable-Baselines3 model.
        game: id or game, of two seats.
        opponents: spec strings or policies.
        games: against each opponent, an even number.
        openings: "heldout", "train", "start", a set-up or a list (`make_openings`); equal for every agent under equal seeds.
        by_seat: two rows an opponent, of the games at each seat alone, as for networks that were trained for one colour. The
            games are the same. `Comparison.row(opponent, seat)` is one of them.
        seed: of openings and draws, 0 to 2**64 - 1; the same seed gives the same table, in any process.
        deterministic: whether the agent is asked for its best action; opponents play as their specs say.
        trust: whether files that could execute code on loading may be loaded.
        max_plies: stop games after so many plies as a draw, counted as a cap.
        trained_against: specs of the agent's training opponents; default: the agent's own attribute of that name.
        progress: None says on stderr how far it is, False nothing; a function gets (games, total, label).
        on_row: called after each opponent with the comparison so far.
        log: writes the games as they end, and has those of an earlier run, which are not played again.
        processes: as in `play_match`; the result does not depend on it, unless a player thinks for a time.

    Returns:
        The results, one row for each opponent, by seat one for each seat. `print` shows them as a table.

    Raises:
        OptionError: an odd number of games, an unknown set of openings, a bad seed.
        UnsupportedGameError: a game of more than two seats, or one that an agent does not play.
        SpecError, UntrustedFileError: as `make_policy`; SpecError also if there are no opponents.
        EngineError: a player that cannot start, before the first game.
        WorkerError: a process was killed; the games before are kept in the log. RayError, SlurmError: a cluster failed.

    Example:
        >>> from boardgym.baselines import compare
        >>> found = compare("perfect", "TicTacToe-v0", ["random", "greedy"], games=20, progress=False)
        >>> for row in found.rows:
        ...     print(f"{row.opponent}: {row.wins} won, {row.draws} drawn, {row.losses} lost, score rate {row.score}")
        random: 19 won, 1 drawn, 0 lost, score rate 0.975 [0.672, 0.999]
        greedy: 8 won, 11 drawn, 1 lost, score rate 0.675 [0.459, 0.787]
    """
    game, seed = get_game(game), check_seed(seed)
    check_games(games, by_seat)
    check_two_seats(game, "a comparison")
    if isinstance(opponents, str):
        opponents = [opponents]
    given = [*opponents]
    policy, *rivals = (as_policy(player, game, seed=seed, trust=trust) for player in (agent, *given))
    if not rivals:
        raise SpecError("no opponents; expected for example opponents=['random', 'minimax:4']")
    make_openings(game, openings, count=1, seed=seed)  # a bad name or list is found before play begins
    make_ready(policy, *rivals)
    told = getattr(policy, "trained_against", None) if trained_against is None else trained_against
    comparison = Comparison(
        agent=policy_name(policy),
        game=game.id,
        options=dict(game.options),
        openings=openings if isinstance(openings, str) else "list",
        seed=seed,
        deterministic=deterministic and not is_random(policy),
        rows=(),
    )
    log = log or GameLog()
    log.begin(comparison, games * len(rivals))
    seats = (0, 1) if by_seat else (None,)
    with ProgressBar(games * len(rivals), progress=progress) as bar, game_workers(processes) as workers:
        if workers.is_here:
            agent, given = policy, rivals  # made once
        for rival, seat in itertools.product(given, seats):
            played = mt.play_match(
                agent,
                rival,
                game,
                games=games // len(seats),
                openings=openings,
                seat=seat,
                seed=seed,
                deterministic=deterministic,
                max_plies=max_plies,
                trust=trust,
                progress=bar,
                log=log,
                processes=workers,
            )
            comparison = dataclasses.replace(comparison, rows=(*comparison.rows, summarise(played, trained_against=told)))
            if on_row is not None:
                on_row(comparison)
    return comparison


def check_games(games: int, by_seat: bool) -> None:
    """Raises OptionError for games that are no even number: half of them at each seat, or pairs with the seats swapped."""
    if by_seat and (not mt.is_whole(games) or games < 2 or games % 2):
        raise OptionError(f"games={games!r}: expected an even number from 2, half of the games at each seat")
    mt.check_games(games)


def summarise(match: mt.Match, *, trained_against: Sequence[str] | None = None) -> Row:
    """The row of a match: its finished pairs, with a seat its games. Raises ValueError if none is finished."""
    games, pairs, together = match.finished_games, match.pair_scores, 2 if match.seat is None else 1

    def share(values: Sequence[float]) -> Interval:
        return score_interval([sum(values[k : k + together]) / together for k in range(0, len(values), together)])

    by_seat = [[game.score for game in games if game.seat == seat] for seat in (0, 1)]
    played = Counter(game.score for game in games if game.record.reason != FORFEIT)
    failed = [(game.record.forfeit == game.seat, game.record.message) for game in games if game.record.reason == FORFEIT]
    forfeits = sum(own for own, _ in failed), sum(not own for own, _ in failed)
    score = share([game.score for game in games])
    return Row(
        opponent=match.b,
        games=len(games),
        distinct_games=len({(game.record.start, game.record.actions) for game in games}),
        wins=played[1.0],
        draws=played[0.5],
        losses=played[0.0],
        forfeits=forfeits[0],
        opponent_forfeits=forfeits[1],
        pairs=tuple(pairs.count(quarters / 4) for quarters in range(5)),  # type: ignore[arg-type]
        score_by_seat=tuple(sum(one) / len(one) if one else None for one in by_seat),  # type: ignore[arg-type]
        score=score,
        elo=estimate_elo(score) if len(games) not in forfeits else EloEstimate(None, None, None),
        caps=sum(mt.is_capped(game.record) for game in games),
        trained_against=None if trained_against is None else is_among(match.b, trained_against),
        has_clock=match.has_clock,
        messages=tuple(dict.fromkeys(message for _, message in failed))[:MESSAGES_KEPT],
        seat=match.seat,  # type: ignore[arg-type]
        won=share([float(game.score == 1.0) for game in games]),
        not_lost=share([float(game.score > 0.0) for game in games]),
    )


def comparison_of(match: mt.Match) -> Comparison:
    """A match as a comparison with one opponent. Raises ValueError if no pair, or with a seat no game, is finished."""
    rows = (summarise(match),)
    return Comparison(match.a, match.game, match.options, match.openings, match.seed, match.deterministic[0], rows)


def is_among(opponent: str, trained_against: Sequence[str]) -> bool:
    """Whether a spec is one of several, or a part of one: a member of a mixture, or what an `epsilon` strays from."""
    parts: set[str] = set()

    def collect(spec: Spec) -> None:
        parts.add(normal(spec))
        for inside in spec.inner:
            collect(inside)

    for text in trained_against:
        try:
            collect(parse_spec(text))
        except SpecError:
            parts.add(text)  # a name that is no spec counts as itself
    try:
        return normal(parse_spec(opponent)) in parts
    except SpecError:
        return opponent in parts


def normal(spec: Spec) -> str:
    """A spec written in one way, whatever its spaces, the order of its settings, and how its numbers are written."""

    def number(text: str) -> str:
        try:
            return f"{float(text):.12g}"
        except ValueError:
            return text

    settings = "".join(f",{key}={number(value)}" for key, value in sorted(spec.keywords.items()))
    weights = spec.weights or (1.0,) * len(spec.inner)
    inside = ", ".join(f"{w / sum(weights):.6g}*{normal(part)}" for w, part in zip(weights, spec.inner, strict=True))
    return f"{spec.name}:{number(spec.argument)}{settings}({inside})"
