"""Games between two compiled policies in one kernel: thousands while `play_match` plays a few, and no record of them.

Each game has a stream of random numbers of its own, from which both policies, the dice and the random plies of the set-up
draw, so that it is the same however the games are shared among threads.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import shared
from boardgym.core import rows as rw
from boardgym.core import verbs
from boardgym.core.engine import NOT_OVER
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game, check_two_seats
from boardgym.core.policy import CompiledPolicy, choose_or_stray, make_scratch
from boardgym.core.random import stream
from boardgym.core.threads import Sharing

MOST_PLIES = 20_000  # of a game: the room for the keys of its positions


class Games(NamedTuple):
    """n games of two seats. rows: where they stand. seats: int64 (n,), of the first policy. scores: int64 (n,), its own.

    A score is 1, 0 or -1: whether the first policy was paid more than the second by the end of the game or its last ply.
    """

    rows: rw.Rows
    seats: NDArray[np.int64]
    scores: NDArray[np.int64]


class Played(NamedTuple):
    """n games that are over. scores: int64 (n,), 1, 0 or -1 for the first policy. plies: int64 (n,). positions: int64 rows."""

    scores: NDArray[np.int64]
    plies: NDArray[np.int64]
    positions: NDArray[np.int64]


class Limits(NamedTuple):
    """starts: int64 rows of the set-up's positions. plies: int64 (3,), its fewest and most random plies; most of a game."""

    starts: NDArray[np.int64]
    plies: NDArray[np.int64]


@shared
def duel_kernel(
    low: int,
    high: int,
    token: Any,
    first: Any,
    first_settings: Any,
    first_data: Any,
    second: Any,
    second_settings: Any,
    second_data: Any,
    epsilons: NDArray[np.float64],
    games: Games,
    limits: Limits,
    max_choices: int,
) -> int:
    """Plays games to their ends. first, second: tokens of policies, with settings and data. epsilons: float64 (2,), of both.

    Returns the first game that could not begin, for every draw of the set-up's random plies ended it; -1 if all could.
    """
    games, limits = verbs.borrow(games), verbs.borrow(limits)
    rows, fewest, random, most = games.rows, limits.plies[0], limits.plies[1], limits.plies[2]
    one, other = verbs.unpack(first, first_settings), verbs.unpack(second, second_settings)
    start = verbs.unpack(token, limits.starts[0])
    own = (np.empty(max_choices, np.int64), np.empty(max_choices, np.int64), np.empty(max_choices), np.zeros(2),
           make_scratch(one, start, max_choices, first_data), make_scratch(other, start, max_choices, second_data))  # fmt: skip
    legal, spare, probabilities, paid, of_one, of_other = verbs.borrow(own)
    failed = -1
    for i in range(low, high):
        position, count = rw.begin(token, rows, i, limits.starts, fewest, random, paid, legal, probabilities)
        if count == 0:
            failed = i
            break
        rng = rows.rngs[i : i + 1]
        paid[:] = 0.0
        while rows.endings[i] == NOT_OVER and rows.plies[i] < most:
            history = rows.keys[i, : rows.num_keys[i]]
            if verbs.to_play(position) == games.seats[i]:
                action = choose_or_stray(token, one, epsilons[0], position, history, rng, of_one, spare, False)
            else:
                action = choose_or_stray(token, other, epsilons[1], position, history, rng, of_other, spare, False)
            position, count = rw.play(rows, i, position, action, paid, legal, probabilities, False)
        ahead = paid[games.seats[i]] - paid[1 - games.seats[i]]
        games.scores[i] = 1 if ahead > 0.0 else -1 if ahead < 0.0 else 0
        verbs.pack(position, rows.positions[i])
    verbs.keep(own)
    return failed


class Duels:
    """Plays games between compiled policies.

    A game is won by who was paid more in it. One that is stopped after `max_plies` is counted by what was paid until then: a
    draw, unless the rules pay before the end (Abalone with rewards=material: who is ahead in marbles has won).

    Args:
        game: of two seats.
        max_plies: stop a game after so many plies, at most MOST_PLIES; None: the game's own longest.
        setup: where games start: a set-up's name, "random:a-b" or "sequences:n" (`Game.setup`).
        num_threads: that share the games, 0 for one a core; results do not depend on it.

    Raises:
        UnsupportedGameError: more or fewer than two seats.
        OptionError: max_plies, setup or num_threads that cannot be had, or no max_plies for a game that nothing else bounds.
    """

    def __init__(self, game: Game, *, max_plies: int | None = None, setup: str = "standard", num_threads: int = 1) -> None:
        check_two_seats(game, "a duel")
        most = game.max_plies if max_plies is None else max_plies
        if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_PLIES:
            raise OptionError(
                f"max_plies={max_plies!r}: {game.id} may last {game.max_plies:,} plies; expected 1 to {MOST_PLIES:,}"
            )
        chosen = game.setup(setup)
        self.game, self.setup, self.max_plies = game, setup, most
        starts = np.stack([game.token.row(position) for position in chosen.positions])
        self.limits = Limits(starts, np.array([*chosen.random_plies, most], np.int64))
        self._sharing = Sharing(num_threads)

    def play(
        self, first: CompiledPolicy, second: CompiledPolicy, games: int, *, seed: int, path: tuple[int, ...] = (), seat: int = 0
    ) -> Played:
        """Games that the two begin in turn.

        seed, path: of the streams: game k has stream(seed, *path, k). seat: of the first policy in the first game.

        Raises:
            UnsupportedGameError: a policy that is not compiled, thinks for a time, or plays another game.
            OptionError: the set-up's random plies end every game.
        """
        for policy in (first, second):
            self._check(policy)
        rows = self._rows(games)
        rows.rngs[:] = [stream(seed, *path, k)[0] for k in range(games)]
        batch = Games(rows, (seat + np.arange(games)) % 2, np.zeros(games, np.int64))
        epsilons = np.array([first.epsilon, second.epsilon])

        players = [(policy.token, policy.row, policy.data) for policy in (first, second)]
        args = self.game.token, *players[0], *players[1], epsilons, batch, self.limits, self.game.max_choices
        if games > 0 and self._sharing.run(f"{games} games of {first.spec} and {second.spec}", duel_kernel, games, args) >= 0:
            raise OptionError(f"set-up {self.setup!r}: every draw of its random plies ends the game")
        return Played(batch.scores, rows.plies, rows.positions)

    def _check(self, policy: Any) -> None:
        if not isinstance(policy, CompiledPolicy) or policy.has_clock:
            raise UnsupportedGameError(f"{policy!r}: expected a compiled policy without a clock; play_match takes any")
        if policy.game.token.name != self.game.token.name:
            raise UnsupportedGameError(f"{policy!r} was asked to play {self.game.id} {dict(self.game.options)}")

    def _rows(self, n: int) -> rw.Rows:
        """N games with room for all keys."""
        game = self.game
        rows = rw.make_rows(game.token, n, has_history=game.repetition_limit > 0)
        if not rows.keys.shape[1]:
            return rows
        room = rw.keys_of(game, int(self.limits.plies[1:].sum())) + rw.SPARE_KEYS
        return rows._replace(keys=np.zeros((n, room), np.int64))
