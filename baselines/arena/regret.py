"""Regret: how much value a policy gives away against perfect play, at the positions that it meets in games.

The regret of an action is the value of the position less the value of the action, both for the seat to play and exact, in
[0, 2]: turning a win into a draw costs 1, into a loss 2. Where the solver has a finer score (discs, margin), what is lost of
that is counted too. Plies without a choice are left out, and so are positions that the solver cannot answer.

The unit of chance is the distinct game, since plies of one game depend on each other, and policies that draw nothing repeat a
game from the same opening: intervals are 95 % ones of the ratio (sum over plies) / (number of plies) over distinct games, each
with all its repeats (`ratings.ratio_interval`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from boardgym.baselines.arena.match import Match, play_match
from boardgym.baselines.arena.openings import Openings
from boardgym.baselines.arena.ratings import Interval, ratio_interval
from boardgym.baselines.arena.record import FORFEIT, GameRecord
from boardgym.baselines.perfect.policy import Detail, PerfectPolicy, Solution, UnsolvedPositionError
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import Game, get_game
from boardgym.core.policy_spec import make_policy

FORMAT, FORMAT_VERSION = "boardgym-regret", 1
MOST_LOSS = 2.0  # from a certain win to a certain loss
NOISE = 1e-9  # losses below it are rounding
REASONS_SHOWN = 3


@dataclass(frozen=True)
class Regret:
    """What a policy gave away.

    Attributes:
        agent, opponent: specs; the opponent is the agent itself unless another was named.
        game, options: what was played. openings, seed: where games began.
        deterministic: whether the agent was asked for its best actions. has_clock: whether a player thinks for a time.
        solver: what judged.
        games, distinct_games: how many were played, and how many differ in opening or moves. forfeits: lost by a failure.
        plies: of the agent that were judged. forced: left out, without a choice. unsolved: left out, beyond the solver.
        reasons: why, in the words of the first such position, with the number of positions left out for reasons that differ
            from it in numbers alone; the most frequent first.
        mistakes: judged plies that gave value away.
        loss: value given away per judged ply, in [0, 2]. best: share of judged plies without loss of value.
        score_loss: what was lost of the solver's score per judged ply; None where it has none.
        All three have 95 % intervals; they are None if no ply was judged.
    """

    agent: str
    opponent: str
    game: str
    options: dict[str, Any]
    openings: str
    seed: int
    deterministic: bool
    has_clock: bool
    solver: str
    games: int
    distinct_games: int
    forfeits: int
    plies: int
    forced: int
    unsolved: int
    reasons: dict[str, int]
    mistakes: int
    loss: Interval | None
    best: Interval | None
    score_loss: Interval | None

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        return {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(self)}

    def __str__(self) -> str:
        against = "itself" if self.opponent == self.agent else self.opponent
        lines = [
            f"{self.agent} on {self.game} against {against}: {self.games} games, {self.distinct_games} distinct, "
            f"openings {self.openings}, seed {self.seed}",
            f"  judged by      {self.solver}: {self.plies} plies; left out: {self.forced} forced, {self.unsolved} beyond it",
        ]
        if self.loss is not None and self.best is not None:
            lines.append(
                f"  loss per ply   {self.loss.value:.4f} [{self.loss.low:.4f}, {self.loss.high:.4f}] of value (win 1, "
                "draw 0, loss -1)"
            )
            lines.append(f"  best actions   {self.best}; {self.mistakes} mistakes")
        if self.score_loss is not None:
            value, low, high = self.score_loss.value, self.score_loss.low, self.score_loss.high
            lines.append(f"  score per ply  {value:.3f} [{low:.3f}, {high:.3f}] lost of the solver's score")
        counted = list(self.reasons.items())
        lines += [f"  beyond it      {count} plies: {reason}" for reason, count in counted[:REASONS_SHOWN]]
        if more := counted[REASONS_SHOWN:]:
            lines.append(f"  beyond it      {sum(count for _, count in more)} plies for {len(more)} other reasons")
        if self.forfeits:
            lines.append(f"  forfeits       {self.forfeits}")
        if self.has_clock:
            lines.append("  a player thinks for a time: the result depends on the machine")
        return "\n".join(lines)


class Judge:
    """Knows what an action gave away. Values of positions are remembered, unless repetition counts in the game."""

    def __init__(self, perfect: PerfectPolicy) -> None:
        self.perfect = perfect
        self.known: dict[bytes, tuple[float, int | None]] | None = {} if perfect.game.repetition_limit == 0 else None

    def losses(self, board: Board, action: int) -> tuple[float, float | None]:
        """(value lost, score lost or None) of an action. The board is left as it was.

        The values of the position before and after are enough, and quicker to find than those of all actions, unless the
        game ends, or chance or the solver's limit comes between.

        Raises UnsolvedPositionError where the solver cannot answer.
        """
        solver = self.perfect.solver
        if reason := solver.covers(board):
            raise UnsolvedPositionError(f"{solver.name} cannot answer at {board.fen()!r}: {reason}", reason)
        after = board.copy()
        after.auto_roll = False
        after.push(action)
        if after.is_terminal or after.is_chance or solver.covers(after):
            return _losses_among(self._solve(board, detail="full"), action)
        (value, score), (value_after, score_after) = self._worth(board), self._worth(after)
        sign = 1 if after.to_play == board.to_play else -1
        lost = None if score is None or score_after is None else float(score - sign * score_after)
        return value - sign * value_after, lost

    def _worth(self, board: Board) -> tuple[float, int | None]:
        """(value, score or None) of a position for the seat to play."""
        key = board.row.tobytes()
        if self.known is not None and key in self.known:
            return self.known[key]
        found = self._solve(board, detail="action")
        worth = found.value, None if found.scores is None else found.scores[found.best]
        if self.known is not None:
            self.known[key] = worth
        return worth

    def _solve(self, board: Board, detail: Detail) -> Solution:
        found = self.perfect.solution(board, detail=detail)
        assert found is not None, "a judge has no fallback"
        return found


def _losses_among(found: Solution, action: int) -> tuple[float, float | None]:
    lost = None if found.scores is None else float(found.scores[found.best] - found.scores[action])
    return found.value - found.action_values[action], lost


@dataclass
class Judged:
    """What was judged in one game, for one seat or both: see `Regret`. score_lost: None if there are no scores."""

    plies: int = 0
    mistakes: int = 0
    lost: float = 0.0
    score_lost: float | None = 0.0
    forced: int = 0
    unsolved: Counter[str] = field(default_factory=Counter)  # by reason


@dataclass
class Tally:
    """What has been judged so far; one entry for each game, whole: Ctrl-C within a game leaves none of it."""

    judge: Judge
    is_alone: bool
    match: Match | None = None
    rows: list[Judged] = field(default_factory=list)

    def add(self, record: GameRecord, seats: Sequence[int]) -> None:
        """Judges the plies of some seats in a game."""
        board, row = record.start_board(), Judged()
        for number, action in enumerate(record.actions):
            if number >= record.opening_plies and not board.is_chance and board.to_play in seats:
                if len(board.legal_actions) == 1:
                    row.forced += 1
                else:
                    self._judge_ply(board, action, row)
            board.push(action)
        self.rows.append(row)

    def _judge_ply(self, board: Board, action: int, row: Judged) -> None:
        try:
            lost, score_lost = self.judge.losses(board, action)
        except UnsolvedPositionError as error:
            row.unsolved[error.reason] += 1
            return
        row.plies, row.mistakes, row.lost = row.plies + 1, row.mistakes + (lost > NOISE), row.lost + max(0.0, lost)
        row.score_lost = None if score_lost is None or row.score_lost is None else row.score_lost + score_lost

    def result(self) -> Regret:
        """The regret over the games that have been judged."""
        match = self.match
        assert match is not None, "no game has been played"
        rows = list(self.rows)
        games = match.games[: len(rows)]
        has_scores = all(row.score_lost is not None for row in rows)
        sums: dict[Any, Any] = {}
        for game, row in zip(games, rows, strict=True):
            key = game.record.start, game.record.actions
            sums[key] = sums.get(key, 0) + np.array([row.plies, row.mistakes, row.lost, row.score_lost or 0.0], np.float64)
        plies, mistakes, lost, score_lost = np.array(list(sums.values())).T
        reasons = count_reasons(row.unsolved for row in rows)
        loss = ratio_interval(lost, plies, most=MOST_LOSS)
        wrong = ratio_interval(mistakes, plies, most=1.0)
        return Regret(
            agent=match.a,
            opponent=match.b,
            game=match.game,
            options=match.options,
            openings=match.openings,
            seed=match.seed,
            deterministic=match.deterministic[0],
            has_clock=match.has_clock,
            solver=self.judge.perfect.solver.name,
            games=len(games),
            distinct_games=len(sums),
            forfeits=sum(g.record.reason == FORFEIT and (self.is_alone or g.record.forfeit == g.seat) for g in games),
            plies=int(plies.sum()),
            forced=sum(row.forced for row in rows),
            unsolved=sum(reasons.values()),
            reasons=reasons,
            mistakes=int(mistakes.sum()),
            loss=loss,
            best=None if wrong is None else Interval(1.0 - wrong.value, 1.0 - wrong.high, 1.0 - wrong.low),
            score_loss=ratio_interval(score_lost, plies, most=None) if has_scores else None,
        )


def count_reasons(counts: Iterable[Counter[str]]) -> dict[str, int]:
    """How often each reason occurs, those that differ in numbers alone together under the first; the most frequent first."""
    first, total = dict[str, str](), Counter[str]()
    for counter in counts:
        for reason, count in counter.items():
            total[first.setdefault(re.sub(r"\d+", "0", reason), reason)] += count
    return dict(total.most_common())


def make_judge(solver: str, game: Game) -> Judge:
    """The judge that a spec names. Raises SpecError for anything but `perfect`, or with a fallback; UnsupportedGameError."""
    perfect = make_policy(solver, game)
    if not isinstance(perfect, PerfectPolicy):
        raise SpecError(f"solver {solver!r}: expected perfect, with settings if wanted, as in perfect:empties=14")
    if perfect.fallback is not None:
        raise SpecError(f"solver {solver!r}: a fallback cannot judge; expected {solver.partition('(')[0]!r}")
    return Judge(perfect)


def measure_regret(
    agent: Any,
    game: str | Game,
    *,
    opponent: Any = None,
    games: int = 100,
    openings: Openings = "heldout",
    seed: int = 0,
    deterministic: bool = True,
    solver: str = "perfect",
    trust: bool = False,
    progress: Progress | ProgressBar = None,
    on_game: Callable[[Tally], None] | None = None,
) -> Regret:
    """Plays games and judges every ply of the agent that a solver can answer.

    Args:
        agent: a spec string, a policy, or a model of another library.
        game: id or game, with a solver.
        opponent: likewise; None: the agent plays itself, and both seats are judged.
        games: how many, even: pairs from one opening with the seats swapped.
        openings: as `play_match`.
        seed: as `play_match`.
        deterministic: whether the agent is asked for its best action.
        solver: the spec of the judge, `perfect` with settings.
        trust: whether files that could execute code on loading may be loaded.
        progress: as `play_match`.
        on_game: called after each game with what has been judged so far (`tally.result()`).

    Raises:
        UnsupportedGameError: a game without solver, or one that a policy does not play.
        SpecError, OptionError, UntrustedFileError: as `play_match` and `make_judge`.
    """
    game = get_game(game)
    is_alone = opponent is None
    tally = Tally(make_judge(solver, game), is_alone)

    def judge_latest(match: Match) -> None:
        latest = match.games[-1]
        tally.match = match
        tally.add(latest.record, (0, 1) if is_alone else (latest.seat,))
        if on_game is not None:
            on_game(tally)

    play_match(
        agent,
        agent if is_alone else opponent,
        game,
        games=games,
        openings=openings,
        seed=seed,
        deterministic=(deterministic, deterministic and is_alone),
        trust=trust,
        progress=progress,
        on_game=judge_latest,
    )
    return tally.result()
