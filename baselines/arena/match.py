"""Matches: pairs of games from one opening with the seats swapped, or single ones at one seat.

In a match the agent under test, the first of the two, is asked for its best actions; its opponent plays as its spec says, with
draws. Who forfeits a game loses it, and the match goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgym.baselines.arena.game import has_clock, is_random, policy_name
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.match_games import GameWorkers, Pairing, Players, game_workers, played_games
from boardgym.baselines.arena.openings import Openings
from boardgym.baselines.arena.record import CAP, GameRecord
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.core.errors import OptionError
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.core.random import check_seed


@dataclass(frozen=True)
class MatchGame:
    """One game of a match. seat: of the first agent, whose score it is; opening: number of the opening."""

    record: GameRecord
    seat: int
    opening: int

    @property
    def score(self) -> float:
        """1.0, 0.5 or 0.0."""
        return self.record.score(self.seat)


@dataclass
class Match:
    """What happened between agents a and b: games 2k and 2k + 1 are a pair, a at seat 0 and then at seat 1.

    With a seat, a has it in all games, each from an opening of its own: game k is game 2k + seat of the match of pairs.

    Attributes:
        a, b: their specs.
        game, options: what was played.
        openings: name of the set, or "list".
        seed: of the match.
        deterministic: whether a and b were asked for best actions.
        has_clock: whether either thinks for a time, so that the result depends on the machine.
        games: in order; the list grows while the match is played.
        seat: of a in all games, or None.
    """

    a: str
    b: str
    game: str
    options: dict[str, Any]
    openings: str
    seed: int
    deterministic: tuple[bool, bool]
    has_clock: bool
    games: list[MatchGame]
    seat: int | None = None

    @property
    def finished_games(self) -> list[MatchGame]:
        """The games that count: those of finished pairs; with a seat, all that were played."""
        return self.games[: len(self.games) // 2 * 2] if self.seat is None else self.games[:]

    @property
    def pair_scores(self) -> list[float]:
        """The mean score of a over each finished pair; with a seat there are no pairs."""
        scores = [game.score for game in self.finished_games]
        if self.seat is not None:
            return []
        return [(first + second) / 2.0 for first, second in zip(scores[0::2], scores[1::2], strict=True)]


def check_games(games: int, seat: int | None = None) -> None:
    """Raises OptionError for a seat that is none, or games that are not a positive number, and without a seat an even one."""
    if seat is not None and not (is_whole(seat) and seat in (0, 1)):
        raise OptionError(f"seat={seat!r}: expected 0 or 1, or None for pairs with the seats swapped")
    if seat is None and (not is_whole(games) or games < 2 or games % 2):
        raise OptionError(f"games={games!r}: expected an even number from 2, for pairs with the seats swapped")
    if not is_whole(games) or games < 1:
        raise OptionError(f"games={games!r}: expected a whole number from 1")


def is_whole(number: object) -> bool:
    """Whether a number is an int, of Python or NumPy; True and 1.0 are not."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def play_match(
    a: Any,
    b: Any,
    game: str | Game,
    *,
    games: int = 100,
    openings: Openings = "heldout",
    seat: int | None = None,
    seed: int = 0,
    deterministic: bool | tuple[bool, bool] = True,
    trust: bool = False,
    max_plies: int | None = None,
    progress: Progress | ProgressBar = None,
    on_game: Callable[[Match], None] | None = None,
    log: GameLog | None = None,
    processes: int | GameWorkers = 1,
) -> Match:
    """Plays pairs of games between two agents, each pair from one opening with the seats swapped; with a seat, single games.

    Where the set has fewer openings than are played, they come round again.

    Args:
        a: the agent under test: a spec string, a policy, or a model of another library.
        b: its opponent, likewise.
        game: id or game, of two seats.
        games: how many; an even number, unless there is a seat.
        openings: "heldout", "train", "start", a set-up such as "openings-244" of Othello, "sequences:n", or a list
            (`openings.make_openings`). All 244 in both colours are games=488; where fewer are played, they are spread over
            the set-up.
        seat: 0 or 1: a has it in all games, each from an opening of its own, as for networks that were trained for one
            colour. The games are the same as those at this seat in a match of pairs that is twice as long.
        seed: of openings and draws, 0 to 2**64 - 1; the same seed gives the same match, in any process.
        deterministic: whether a is asked for its best action; a pair of bools says it for each.
        trust: whether files that could execute code on loading may be loaded.
        max_plies: stop games after so many plies as a draw, counted as a cap.
        progress: see `ProgressBar`.
        on_game: called after each game with the match so far.
        log: writes the games as they end, and has those of an earlier run, which are not played again.
        processes: how many play games at a time, or `GameWorkers`; the match does not depend on it, unless a player thinks
            for a time. Other processes make players of their own from a and b: spec strings, or objects that can be pickled.

    Returns:
        The match with the records of its games.

    Raises:
        OptionError: an odd number of games in pairs, an unknown set of openings, a bad seat or seed.
        UnsupportedGameError: a game of more than two seats, or one that an agent does not play.
        SpecError, UntrustedFileError: as `make_policy`.
        EngineError: a player that cannot start, before the first game.
        OptionError, NotationError: the log has other games. OSError: it cannot be written.
        WorkerError: a process was killed; the games before are kept in the log. RayError, SlurmError: a cluster failed.

    Example:
        >>> from boardgym.baselines import play_match
        >>> match = play_match("perfect", "greedy", "TicTacToe-v0", games=6, progress=False)
        >>> [game.score for game in match.games], match.pair_scores
        ([1.0, 0.5, 0.5, 0.5, 1.0, 0.5], [0.75, 0.5, 0.75])
    """
    game, seed = get_game(game), check_seed(seed)
    check_games(games, seat)
    check_two_seats(game, "a match")
    seat = None if seat is None else int(seat)
    asked = (deterministic, False) if isinstance(deterministic, bool) else deterministic
    pairing = Pairing(a, b, game, games, openings, seat, seed, asked, trust, max_plies)
    players = Players(pairing)
    first, second = players.policies
    match = Match(
        a=policy_name(first),
        b=policy_name(second),
        game=game.id,
        options=dict(game.options),
        openings=openings if isinstance(openings, str) else "list",
        seed=seed,
        deterministic=(asked[0] and not is_random(first), asked[1] and not is_random(second)),
        has_clock=has_clock(first) or has_clock(second),
        games=[],
        seat=seat,
    )
    log = log or GameLog()
    log.enter(match, games)
    shown = progress if isinstance(progress, ProgressBar) else ProgressBar(games, progress=progress)
    with shown as bar, game_workers(processes) as workers:
        for number, record in played_games(players, log, workers):
            match.games.append(MatchGame(record, number % 2, players.opening(number)))
            log.tell()
            if on_game is not None:
                on_game(match)
            bar.advance(f"{match.a} - {match.b}", resumed=log.done == log.taken)
    return match


def is_capped(record: GameRecord) -> bool:
    """Whether a game was stopped at the limit of plies."""
    return record.reason == CAP
