"""The random test and the clone test: what each seat gets from uniformly random play, and a table against a table.

Source: A. B. Pereira, dissertation on Pessimistic Q-learning (PUC-Rio, 2012), section 4.1. Wins, draws and losses are always
told apart; quality is wins and draws. A game is won by a seat that it pays more than 0, lost by one that it pays less.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from boardgym.baselines.arena.game import as_policy, has_clock, make_ready, play_game, policy_name
from boardgym.baselines.arena.record import FORFEIT
from boardgym.baselines.arena.table import as_text
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.thesis_tests.shares import Shares, exactly, game_title, shares_by_start, shares_of, shares_table
from boardgym.core.batch_board import BatchBoard
from boardgym.core.batch_checks import check_count
from boardgym.core.board import Board
from boardgym.core.errors import OptionError
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.core.policy import CompiledPolicy, Policy
from boardgym.core.python_policies import answers_batches
from boardgym.core.random import check_seed, stream

RANDOM_GAMES, CLONE_GAMES = 100_000, 1_000
MOST_POSITIONS = 10_000  # of the exact random test
BATCH = 2_048


def results_of(returns: Any) -> Any:
    """1, 0 or -1 for each payment."""
    return np.sign(returns).astype(np.int64)


# ---------------------------------------------------------------- random test


@dataclass(frozen=True)
class RandomTest:
    """What uniformly random play gives each seat.

    game, options: what was played. games: how many, 0 if the shares are exact. positions: over how many the exact shares were
    summed, 0 if games were played. seed: of the games. seats: the shares of each.
    """

    game: str
    options: dict[str, Any]
    games: int
    positions: int
    seed: int
    seats: tuple[Shares, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the shares are summed over all games, not counted in some."""
        return self.games == 0

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        return {"test": "random", **asdict(self)}

    def table(self) -> Table:
        """A column for each seat."""
        how = (
            f"exact, over {self.positions:,} positions"
            if self.is_exact
            else f"{self.games:,} games, seed {self.seed}; intervals: 95 %"
        )
        game = get_game(self.game, **self.options)
        title = f"random test  {game_title(self.game, self.options)}"
        return shares_table(title, how, [(game.seat_name(shares.seat), shares) for shares in self.seats])

    def __str__(self) -> str:
        return as_text(self.table())


def random_test(
    game: str | Game,
    *,
    games: int = RANDOM_GAMES,
    seed: int = 0,
    most_positions: int = MOST_POSITIONS,
    progress: Progress = None,
) -> RandomTest:
    """The shares of each seat under uniformly random play from the standard start.

    Args:
        game: an id or a `Game`.
        games: how many to play, where the game has too many positions to sum over them all.
        seed: of these games.
        most_positions: sum over the positions where there are at most so many, those of different plies counted apart, and
            repetition plays no part. 0: play.
        progress: see `boardgym.baselines.progress.ProgressBar`.

    Raises: UnknownGameError, OptionError for what they name.
    """
    game, games, seed = get_game(game), check_count(games, "games"), check_seed(seed)
    exact = exact_shares(game, most_positions) if game.repetition_limit == 0 and most_positions > 0 else None
    if exact is not None:
        return RandomTest(game.id, dict(game.options), 0, exact[0], seed, exact[1])
    counts = [Counter[int]() for _ in range(game.num_seats)]
    with ProgressBar(games, progress=progress) as bar:
        for start in range(0, games, BATCH):  # whole batches: to begin anew where a game ends would prefer short ones
            size = min(BATCH, games - start)
            boards = BatchBoard(game, size, seed=int(stream(seed, start)[0]) >> 1)
            totals = np.zeros((size, game.num_seats))
            while not boards.done.all():
                boards.step(boards.act("random"))
                totals += boards.rewards
            for seat, count in enumerate(counts):
                count.update(results_of(totals[:, seat]).tolist())
            bar.advance("random games", size)
    seats = tuple(shares_of(seat, count, games) for seat, count in enumerate(counts))
    return RandomTest(game.id, dict(game.options), games, 0, seed, seats)


def exact_shares(game: Game, most: int) -> tuple[int, tuple[Shares, ...]] | None:
    """(positions, the shares of each seat) by forward recursion: the chance to be in each position after each ply.

    None if there are more than `most` positions.
    """
    board, positions = Board(game, auto_roll=False), 0
    layer: dict[Any, float] = {board.position: 1.0}
    sums = [Counter[int]() for _ in range(game.num_seats)]
    while layer:
        positions += len(layer)
        following: dict[Any, float] = {}
        for position, chance in layer.items():
            board.set_position(position, check=False)
            if board.is_terminal:
                for seat, result in enumerate(results_of(board.returns())):
                    sums[seat][int(result)] += chance  # type: ignore[assignment]
                continue
            legal = board.legal_actions
            steps = board.outcomes if board.is_chance else [(action, 1.0 / len(legal)) for action in legal]
            for action, share in steps:
                board.push(action)
                following[board.position] = following.get(board.position, 0.0) + chance * share
                board.pop()
            if positions + len(following) > most:
                return None
        layer = following

    return positions, tuple(
        Shares(seat, exactly(s[1]), exactly(s[0]), exactly(s[-1]), exactly(s[1] + s[0])) for seat, s in enumerate(sums)
    )


# ---------------------------------------------------------------- clone test


@dataclass(frozen=True)
class CloneTest:
    """One policy on seat 0 against another, or itself, on seat 1; both play as their specs say.

    game, options: what was played. first, second: specs. games, distinct_games: how many were played, and how many differ:
    players without draws repeat theirs. starts: from how many of the given positions, 0 for the standard start. seed: of the
    draws. has_clock: whether a player thinks for a time. forfeits: games that ended with a failure, by seat; they count as lost
    by that seat. shares: of the first policy; their intervals are over such starts, or over games of these players from a
    single start. If these were all the same, as those of players without draws are, the intervals have no width.
    """

    game: str
    options: dict[str, Any]
    first: str
    second: str
    games: int
    distinct_games: int
    starts: int
    seed: int
    has_clock: bool
    forfeits: tuple[int, int]
    shares: Shares

    @property
    def is_one_game(self) -> bool:
        """Whether one game was played again and again, so that the number of games says nothing."""
        return self.distinct_games == 1 < self.games

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        return {"test": "clone", **asdict(self)}

    def table(self) -> Table:
        """One column."""
        over = f"starts like the {self.starts:,} given" if self.starts > 1 else "games of these players"
        lines = [
            f"{self.first} against {self.second}",
            f"{self.games:,} games, {self.distinct_games:,} distinct, seed {self.seed}; quality: won or drawn",
            "no intervals: all games are the same" if self.is_one_game else f"intervals: 95 %, over {over}",
        ]
        names = zip((self.first, self.second), self.forfeits, strict=True)
        lines += [f"forfeits of {name}: {count}" for name, count in names if count]
        if self.has_clock:
            lines.append("a player thinks for a time: the result depends on the machine")
        seat = get_game(self.game, **self.options).seat_name(0)
        return shares_table(f"clone test  {game_title(self.game, self.options)}", "\n".join(lines), [(seat, self.shares)])

    def __str__(self) -> str:
        return as_text(self.table())


def clone_test(
    first: Any,
    second: Any,
    game: str | Game,
    *,
    games: int = CLONE_GAMES,
    seed: int = 0,
    starts: Sequence[str] | None = None,
    trust: bool = False,
    progress: Progress = None,
) -> CloneTest:
    """Plays one policy's seat 0 against another's seat 1.

    A table (`file:PATH`) plays its best action, one of equals at random. Two policies that answer for batches of boards play
    all games at once, natively if both are compiled; others one after the other.

    Args:
        first: a spec string, a policy or a model.
        second: the same, for seat 1.
        game: an id or a `Game`, of two seats.
        games: how many.
        seed: of all draws, the dice's included.
        starts: position strings; game i begins at starts[i % len(starts)]. None or empty: the standard start.
        trust: whether files that could execute code may be loaded.
        progress: see `boardgym.baselines.progress.ProgressBar`.

    Raises:
        UnsupportedGameError: a game of other than two seats, or one that a policy does not play. SpecError, OptionError,
        NotationError, UntrustedFileError: as `make_policy` and for what they name; OptionError also for a
            start where the game is over or chance is to act.
    """
    game, games, seed = get_game(game), check_count(games, "games"), check_seed(seed)
    check_two_seats(game, "this test")
    boards = read_starts(game, starts or ())
    pair = [
        as_policy(agent, game, seed=int(stream(seed, seat)[0]) >> 1, trust=trust) for seat, agent in enumerate((first, second))
    ]
    make_ready(*pair)
    results, seen, forfeits = np.zeros(games, np.int64), set[Any](), [0, 0]
    with ProgressBar(games, progress=progress) as bar:
        if all(plays_batches(policy) for policy in pair):
            for begin in range(0, games, BATCH):
                size = min(BATCH, games - begin)
                batch = BatchBoard(game, size, seed=int(stream(seed, 2, begin)[0]) >> 1)
                if boards:
                    batch.set_positions([boards[(begin + i) % len(boards)].position for i in range(size)])
                results[begin : begin + size] = _play_batch(batch, pair, seen)
                bar.advance(f"{policy_name(pair[0])} against {policy_name(pair[1])}", size)
        else:
            for number in range(games):
                board = boards[number % len(boards)] if boards else Board(game)
                record = play_game(board, pair, seed=int(stream(seed, 2, number)[0]) >> 1)
                results[number] = results_of(record.returns[0])
                seen.add((record.start, record.actions))
                if record.reason == FORFEIT and record.forfeit is not None:
                    forfeits[record.forfeit] += 1
                bar.advance(f"{policy_name(pair[0])} against {policy_name(pair[1])}")
    names = policy_name(pair[0]), policy_name(pair[1])
    starts_played = min(len(boards), games)
    if starts_played > 1 and len(seen) > 1:
        shares = shares_by_start(0, [Counter(results[i :: len(boards)].tolist()) for i in range(starts_played)])
    else:
        shares = shares_of(0, Counter(results.tolist()), games, is_one_game=len(seen) == 1 < games)
    return CloneTest(
        game.id,
        dict(game.options),
        *names,
        games,
        len(seen),
        starts_played,
        seed,
        any(map(has_clock, pair)),
        (forfeits[0], forfeits[1]),
        shares,
    )


def read_starts(game: Game, starts: Sequence[str]) -> list[Board]:
    """Boards at positions where a seat is to play. Raises NotationError, OptionError."""
    boards = [Board(game, fen, auto_roll=False) for fen in starts]
    for board in boards:
        if board.is_terminal or board.is_chance:
            raise OptionError(f"starts: {'the game is over' if board.is_terminal else 'chance is to act'} at {board.fen()!r}")
    return boards


def plays_batches(policy: Policy) -> bool:
    """Whether a policy answers for many boards at once, with draws that come from the boards' own streams."""
    return (isinstance(policy, CompiledPolicy) and not policy.has_clock) or answers_batches(policy)


def _play_batch(boards: BatchBoard, pair: list[Policy], seen: set[Any]) -> NDArray[np.int64]:
    """Plays games to their ends. Returns seat 0's results, and adds a number for each distinct game to seen."""
    size = len(boards)
    totals, games = np.zeros(size), [0] * size
    while not boards.done.all():
        asked = [(boards.to_play == seat) & ~boards.done for seat in (0, 1)]
        actions = np.zeros(size, np.int64)
        for policy, where in zip(pair, asked, strict=True):
            if where.any():
                actions[where] = boards.act(policy)[where]
        for i in np.flatnonzero(~boards.done):
            games[i] = hash((games[i], boards.rows[i].tobytes(), int(actions[i])))
        boards.step(actions)
        totals += boards.rewards[:, 0]
    seen.update(games)
    return np.asarray(results_of(totals), np.int64)
