"""Reading what users give as opponents and seats, for single and native environments alike."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import make_policy


def read_seat(seat: Any, game: Game) -> int | None:
    """The learner's seat, None for one drawn each episode. Raises OptionError."""
    if isinstance(seat, str) and seat == "random":
        return None
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not 0 <= seat < game.num_seats:
        raise OptionError(f"seat={seat!r}: expected 0 to {game.num_seats - 1} or 'random' in {game.id}")
    return int(seat)


def refuse_all_seats(seat: Any, where: str) -> None:
    """Raises OptionError for seat="all" in an interface that does not say whose view a board shows."""
    if isinstance(seat, str) and seat == "all":
        raise OptionError(
            f"seat='all': expected a seat's number or 'random' in {where}, which does not tell whose view a "
            "board shows; gymnasium.make_vec, SB3VecEnv and BatchBoard have all seats"
        )


def read_opponents(opponent: Any, game: Game, *, trust: bool) -> list[Policy]:
    """One policy for all other seats, or one for each. Raises OptionError, SpecError, UnsupportedGameError."""
    is_single = isinstance(opponent, str) or callable(getattr(opponent, "act", None))
    if not is_single and not isinstance(opponent, Sequence):
        raise OptionError(f"opponent={opponent!r}: expected a spec string, a policy, or one of these for each other seat")
    wanted = [opponent] if is_single else list(opponent)
    if not is_single and len(wanted) != game.num_seats - 1:
        raise OptionError(f"opponent={opponent!r}: {game.id} has {game.num_seats - 1} other seats, got {len(wanted)} policies")
    policies = [make_policy(spec, game, trust=trust) for spec in wanted]
    for policy in policies:
        members, weights = members_of(policy)
        shares = np.asarray(weights, np.float64)
        if len(members) < 1 or shares.shape != (len(members),) or not (np.isfinite(shares).all() and (shares >= 0.0).all()):
            raise OptionError(
                f"opponent {policy!r}: a mixture of {len(members)} policies, weights {weights!r}; expected at "
                "least one policy, and a weight of at least 0 for each"
            )
        for member in members:
            its_game = getattr(member, "game", None)
            if isinstance(its_game, Game) and its_game.token.name != game.token.name:
                raise UnsupportedGameError(
                    f"opponent {member!r} plays {its_game.id} {dict(its_game.options)}, not {game.id} {dict(game.options)}"
                )
    return policies


def members_of(policy: Any) -> tuple[Sequence[Any], np.ndarray]:
    """The policies of a mixture (anything with `members` and `weights`) and their weights; else the policy itself, weight 1."""
    members = getattr(policy, "members", None)
    return (members, policy.weights) if members is not None else ((policy,), np.ones(1))


def takes_stream(policy: Any) -> bool:
    """Whether a policy takes its draws from a stream that it is handed (`act_with`), rather than keeping one of its own."""
    return callable(getattr(policy, "act_with", None))
