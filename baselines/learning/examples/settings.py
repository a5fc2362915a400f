"""The settings of example generation."""

import math
from dataclasses import dataclass
from typing import Any

from boardgym.core.errors import OptionError
from boardgym.core.random import check_seed

MOST_GAMES = 10_000_000
POLICY = "uct:1000,solver=0,choice=max_child"


@dataclass(frozen=True)
class ExamplesConfig:
    """What is played, and by whom.

    Attributes:
        game: id of the game.
        policy: spec of the search that plays all seats, with the visits of each action in its analysis.
        option: rule options, as "name=value".
        features: the feature map of the inputs; empty: othello_bits, morris_bits, in other games planes.
        start_games: games from the start position (the study's i).
        states: random start states (its e).
        games_per_state: games from each of them (its r).
        scale: factor of start_games and states, above 0; each stays at least 1 where it is not 0.
        max_plies: actions after which a game ends as a draw; 0: as the rules say.
        seed: the same seed and settings give the same examples, unless the search has a clock.
    """

    game: str = "Othello"
    policy: str = POLICY
    option: tuple[str, ...] = ()
    features: str = ""
    start_games: int = 30
    states: int = 300
    games_per_state: int = 5
    scale: float = 1.0
    max_plies: int = 0
    seed: int = 1

    def check(self) -> None:
        """Raises OptionError for a number out of range, or settings by which no game is played."""
        for name in ("start_games", "states", "games_per_state", "max_plies"):
            if not 0 <= getattr(self, name) <= MOST_GAMES:
                raise OptionError(f"{name}={getattr(self, name)}: expected a number from 0 to {MOST_GAMES}")
        if not 0.0 < self.scale <= MOST_GAMES:
            raise OptionError(f"scale={self.scale}: expected a number above 0, 1 for the games of the study")
        check_seed(self.seed)
        if not 0 < self.num_games <= MOST_GAMES:
            raise OptionError(f"{self.num_games} games; expected 1 to {MOST_GAMES}: see start_games, states, games_per_state")

    @property
    def num_start_games(self) -> int:
        """Games from the start position."""
        return self._scaled(self.start_games)

    @property
    def num_states(self) -> int:
        """Random start states, 0 if no game begins there."""
        return self._scaled(self.states) if self.games_per_state else 0

    @property
    def num_games(self) -> int:
        """All games, if there are as many start states as are wanted."""
        return self.num_start_games + self.num_states * self.games_per_state

    def _scaled(self, count: int) -> int:
        return max(1, math.floor(self.scale * count + 0.5)) if count else 0

    def settings(self) -> dict[str, Any]:
        """All but game and features as plain data, as files have it; the scale is in the numbers."""
        return {
            "policy": self.policy,
            "start_games": self.num_start_games,
            "states": self.num_states,
            "games_per_state": self.games_per_state,
            "max_plies": self.max_plies,
            "seed": self.seed,
        }
