"""A game between policies: players from specs, what they are asked, and the record of what they played.

What may draw: `deterministic` asks a policy for its best action, with no draw deciding. A policy that is random by its spec
(`random`, or a mixture with it) has no best action and always plays as its spec says; `epsilon` always strays.

A policy that raises an exception or gives an illegal action forfeits: it loses that game, and the message is kept.
"""

import operator
from collections.abc import Sequence
from typing import Any

from boardgym.baselines.arena.record import GameRecord, record_of
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import Spec, make_policy, parse_spec
from boardgym.core.random import check_seed, stream


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
    return "random" in names_within(policy_name(policy))


def names_within(spec: str) -> set[str]:
    """The names of a spec and of all within it; none of what is no spec."""

    def names(spec: Spec) -> set[str]:
        return {spec.name}.union(*(names(part) for part in spec.inner))

    try:
        return names(parse_spec(spec))
    except SpecError:
        return set()


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
