"""Games between policies, and matches: pairs of games from one opening with the seats swapped, or single ones at one seat.

What may draw: `deterministic` asks a policy for its best action, with no draw deciding. In a match it applies to the agent
under test, the first of the two; its opponent plays as its spec says, with draws. A policy that is random by its spec
(`random`, or a mixture with it) has no best action and always plays as its spec says; `epsilon` always strays. All draws
come from the match's seed by the number of the game and the seat, so a match is the same in every process.

A policy that raises an exception or gives an illegal action forfeits: it loses that game, the match goes on, and the
message is kept.
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgym.baselines.arena.game_log import GameLog, GameQuestion
from boardgym.baselines.arena.openings import Openings, make_openings
from boardgym.baselines.arena.record import CAP, GameRecord, record_of
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import Spec, make_policy, parse_spec
from boardgym.core.random import check_seed, stream

GAME_STREAM, DICE_STREAM = 1, 2  # the paths of the games' and the dice's seeds under a match's seed; `openings` uses 0


def as_policy(agent: Any, game: Game, *, seed: int | None = None, trust: bool = False) -> Policy:
    """The policy that a spec string, a policy or a model of another library stands for.

    Raises:
        SpecError, UntrustedFileError: as `make_policy`; SpecError also for an object that is nothing of all that.
        UnsupportedGameError: it plays another game.
    """
    policy = make_policy(agent, game, seed=seed, trust=trust)
    own = getattr(policy, "game", None)
    if isinstance(own, Game) and own.token.name != game.token.name:
        raise UnsupportedGameError(
            f"{policy_name(policy)} plays {own.id} {dict(own.options)}, asked to play {game.id} {dict(game.options)}"
        )
    return policy  # type: ignore[no-any-return]


def policy_name(policy: Any) -> str:
    """The spec of a policy, or the name of its class."""
    return str(getattr(policy, "spec", None) or type(policy).__name__)


def has_clock(policy: Any) -> bool:
    """Whether a policy, or one within it, thinks for a time and not for a count, so that its play depends on the machine."""
    return bool(getattr(policy, "has_clock", False)) or any(has_clock(part) for part in parts_of(policy))


def make_ready(*policies: Any) -> None:
    """Before the first game starts what has to be started, such as engines in other processes, also within other policies.

    Raises EngineError, UnsupportedGameError for a player that cannot play: no game is to be forfeited for that.
    """
    for policy in policies:
        if hasattr(policy, "start_engine"):
            policy.start_engine()
        make_ready(*parts_of(policy))


def parts_of(policy: Any) -> list[Any]:
    """The policies within one of ours: a user's own class may mean something else by such a name."""
    found = [*members] if isinstance(members := getattr(policy, "members", ()), Sequence) else []
    found += [getattr(policy, name, None) for name in ("inner", "fallback")]
    return [part for part in found if callable(getattr(part, "act", None))]


def is_random(policy: Any) -> bool:
    """Whether a policy is random by its spec, so that there is no best action to ask it for."""

    def names(spec: Spec) -> set[str]:
        return {spec.name}.union(*(names(part) for part in spec.inner))

    try:
        return "random" in names(parse_spec(policy_name(policy)))
    except SpecError:
        return False


# ---------------------------------------------------------------- one game


def play_game(
    board: Board,
    policies: Sequence[Policy],
    *,
    deterministic: bool | Sequence[bool] = False,
    seed: int | None = None,
    max_plies: int | None = None,
    dice_seed: int | None = None,
) -> GameRecord:
    """Plays a game from a board to its end. The board itself is left as it was.

    A policy that raises an exception, or gives an illegal action, loses the game by forfeit; the record has the message.

    Args:
        board: where to begin; its record counts for repetition and stands in the game's record.
        policies: one for each seat; `reset` is called on each.
        deterministic: whether to ask for best actions, for all or for each seat; not heeded by `is_random` ones.
        seed: for the policies' draws, 0 to 2**64 - 1; None lets them go on with their own.
        max_plies: stop after so many plies of the record and call it a draw; None: the game's own longest.
        dice_seed: for the dice; None: they follow from `seed`, or without one fall as the board's own would.

    Returns:
        The record of the game.

    Raises:
        OptionError: a number of policies that is not the number of seats, max_plies below 1, or a bad seed.

    Example:
        >>> import boardgym
        >>> from boardgym.baselines import make_policy, play_game
        >>> policies = [make_policy(spec, "TicTacToe-v0") for spec in ("perfect", "random")]
        >>> record = play_game(boardgym.Board("TicTacToe-v0"), policies, seed=0)
        >>> record.moves, record.winner
        (('a3', 'b1', 'c3', 'a1', 'b3'), 0)
    """
    game, seed = board.game, None if seed is None else check_seed(seed)
    if len(policies) != game.num_seats:
        raise OptionError(f"{len(policies)} policies for {game.id}; expected one for each of its {game.num_seats} seats")
    if max_plies is not None and max_plies < 1:
        raise OptionError(f"max_plies={max_plies}: expected at least 1")
    asked = (deterministic,) * game.num_seats if isinstance(deterministic, bool) else tuple(deterministic)
    best = asked_best(policies, asked)
    limit = game.max_plies + board.ply if max_plies is None else max_plies
    board, start, forfeit = board.copy(), len(board.actions), None
    if dice_seed is None and seed is not None:
        dice_seed = int(stream(seed, game.num_seats)[0]) >> 1  # the seats' policies have the paths before it
    if dice_seed is not None:
        board.reseed(dice_seed)
    board.auto_roll = True
    seat = 0
    try:
        for seat, policy in enumerate(policies):
            policy.reset(seed=None if seed is None else int(stream(seed, seat)[0]) >> 1)
        while not board.is_terminal and board.ply < limit:
            seat = board.to_play
            board.push(ask(policies[seat], board, deterministic=best[seat]))
    except Exception as error:  # whatever a player does wrong is that player's loss, not the end of the match
        forfeit = seat, f"{type(error).__name__}: {error}"
    capped = forfeit is None and not board.is_terminal
    names = tuple(map(policy_name, policies))
    return record_of(board, names, deterministic=best, seed=seed, opening_plies=start, forfeit=forfeit, capped=capped)


def asked_best(policies: Sequence[Policy], wanted: Sequence[bool]) -> tuple[bool, ...]:
    """Which policies are asked for their best actions: of those of which it is wanted, all but random ones."""
    return tuple(best and not is_random(policy) for policy, best in zip(policies, wanted, strict=True))


def ask(policy: Policy, board: Board, *, deterministic: bool) -> int:
    """The action of a policy as an int, with the board held to be as it was.

    Raises IllegalActionError if the policy played on the board, TypeError if its answer is no integer.
    """
    before = len(board.actions)
    action = operator.index(policy.act(board, deterministic=deterministic))
    if len(board.actions) != before:
        while len(board.actions) > before:
            board.pop()
        raise IllegalActionError(f"{policy_name(policy)} changed the board that it was shown; play on board.copy()")
    return action


# ---------------------------------------------------------------- a match


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

    Returns:
        The match with the records of its games.

    Raises:
        OptionError: an odd number of games in pairs, an unknown set of openings, a bad seat or seed.
        UnsupportedGameError: a game of more than two seats, or one that an agent does not play.
        SpecError, UntrustedFileError: as `make_policy`.
        EngineError: a player that cannot start, before the first game.
        OptionError, NotationError: the log has other games. OSError: it cannot be written.

    Example:
        >>> from boardgym.baselines import play_match
        >>> match = play_match("perfect", "greedy", "TicTacToe-v0", games=6, progress=False)
        >>> [game.score for game in match.games], match.pair_scores
        ([1.0, 0.5, 0.5, 0.5, 1.0, 0.5], [0.75, 0.5, 0.75])
    """
    game, seed = get_game(game), check_seed(seed)
    check_games(games, seat)
    seat = None if seat is None else int(seat)
    check_two_seats(game, "a match")
    first, second = (as_policy(agent, game, seed=seed, trust=trust) for agent in (a, b))
    make_ready(first, second)
    boards = make_openings(game, openings, count=games // 2 if seat is None else games, seed=seed)
    asked = (deterministic, False) if isinstance(deterministic, bool) else deterministic
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
    numbers = range(games) if seat is None else range(seat, 2 * games, 2)  # of games in the match of pairs
    with progress if isinstance(progress, ProgressBar) else ProgressBar(games, progress=progress) as bar:
        for number in numbers:
            opening, place = (number // 2) % len(boards), number % 2
            by_seat, best = ((first, second), asked) if place == 0 else ((second, first), asked[::-1])
            own_seed = int(stream(seed, GAME_STREAM, number)[0]) >> 1
            dice = int(stream(seed, DICE_STREAM, number // 2)[0]) >> 1  # both games of a pair have the same dice
            board = boards[opening]
            names, drawless = tuple(map(policy_name, by_seat)), asked_best(by_seat, best)
            record = log.take(GameQuestion(game, names, drawless, board.fen(), own_seed, max_plies))
            if record is None:
                record = play_game(board, by_seat, deterministic=best, seed=own_seed, max_plies=max_plies, dice_seed=dice)
                log.keep(record)
            match.games.append(MatchGame(record, place, opening))
            log.tell()
            if on_game is not None:
                on_game(match)
            bar.advance(f"{match.a} - {match.b}")
    return match


def is_capped(record: GameRecord) -> bool:
    """Whether a game was stopped at the limit of plies."""
    return record.reason == CAP
