"""What both servers share: a board, a policy by its spec, and the loop that reads commands."""

from collections.abc import Iterator
from typing import Any

import boardgym.games  # noqa: F401  (registers the games)
from boardgym.baselines.search.anytime import as_search, warm, with_limits
from boardgym.baselines.search.common import Kept, keeping
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import Game, get_game
from boardgym.core.policy_spec import Spec, build_policy, parse_spec
from boardgym.core.random import fresh_seed, next_word, stream

NAME, AUTHOR = "boardgym", "The boardgym developers"


class Session:
    """A game in progress and who plays it.

    Evaluations and priors that the policy's spec names are read once, when the game is taken up: limits for a move make the
    search anew, but not what it reads of files, which may change meanwhile.

    Args:
        game: the game.
        spec: of the policy, made anew when the game's options or its limits change.
        seed: of its draws; None takes one from the operating system.
        best: ask it for its best action, without draws.
        trust: whether the policy's files may be loaded that could execute code.

    Raises: SpecError, UnsupportedGameError, UntrustedFileError: as `make_policy`.
    """

    def __init__(self, game: Game, spec: str, *, seed: int | None = None, best: bool = False, trust: bool = False) -> None:
        self.spec, self.seed, self.best, self.trust = parse_spec(spec), seed, best, trust
        if "human" in names_of(self.spec):
            raise SpecError(
                f"policy spec {spec!r}: human asks on the terminal, where the protocol is spoken; expected one "
                "that plays by itself"
            )
        self.draws = stream(fresh_seed() if seed is None else seed)
        self.set_game(game)

    def set_game(self, game: Game) -> None:
        """Takes up another game, or this one with other options, at its start. Raises as the constructor, changing nothing."""
        kept: Kept = {}
        with keeping(kept):
            policy = build_policy(self.spec, game, seed=self.seed, trust=self.trust)
        self.game, self.policy, self.is_warm, self.search = game, policy, False, as_search(self.spec, game)
        self.kept = kept
        self.restart()

    def renew(self) -> None:
        """The same policy anew: whoever still uses the old one keeps it."""
        self.policy = self._build(self.spec, self.seed)

    def _build(self, spec: Spec, seed: int | None) -> Any:
        """A policy for the game, with what has been read of files."""
        with keeping(self.kept):
            return build_policy(spec, self.game, seed=seed, trust=self.trust)

    def set_options(self, **options: Any) -> None:
        """This game with other rule options, at its start. Raises OptionError, changing nothing."""
        self.set_game(get_game(self.game, **options))

    def restart(self, fen: str | None = None) -> None:
        """A new record. Raises NotationError, changing nothing."""
        self.board = Board(self.game, fen, auto_roll=False)

    def warm(self) -> None:
        """Compiles what the policy needs to choose, so that the first move under a clock is not late. Raises as `choose`."""
        if not self.is_warm:
            with keeping(self.kept):
                warm(self.spec, self.game, trust=self.trust)
            self.is_warm = True

    def reseed(self, seed: int) -> None:
        """Starts the policy's draws anew."""
        self.seed, self.draws = seed, stream(seed)
        self.policy.reset(seed=seed)

    def next_seed(self) -> int:
        """A seed in [0, 2**63) for a policy that chooses once: another one for each move."""
        return int(next_word(self.draws)) >> 1

    def limited(self, **limits: Any) -> Any:
        """The search with other limits, see `with_limits`."""
        return with_limits(self.search, **limits)

    def choose(self, *, seconds: float | None = None) -> int:
        """The policy's action. seconds: to think for, in place of a search's own budget."""
        spec = self.limited(seconds=seconds)
        policy = self.policy if spec is self.search else self._build(spec, self.next_seed())
        return int(policy.act(self.board, deterministic=self.best))


def names_of(spec: Spec) -> Iterator[str]:
    """The names of a spec and of all within it."""
    yield spec.name
    for part in spec.inner:
        yield from names_of(part)
