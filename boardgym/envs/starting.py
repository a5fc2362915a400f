"""How the environments start a game, and how they say what came of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardgym.core.board import Board, Outcome
from boardgym.core.errors import NotationError, OptionError, nearest
from boardgym.core.game import Game
from boardgym.core.random import stream

RESET_OPTIONS = ("position", "setup")
UPSTREAM_PROBE = {"options": 1}  # PettingZoo's api_test passes this to any environment, to see whether options are taken


def read_options(game: Game, options: Mapping[str, Any] | None, *, default: str) -> tuple[Any, str]:
    """The `options` of a reset: (position or None, name of the set-up).

    Raises:
        OptionError: an unknown option or set-up, both a position and a set-up, or a position at which the game is over.
        NotationError: a position string that cannot be read.
    """
    if not options or options == UPSTREAM_PROBE:
        return None, default
    if not isinstance(options, Mapping):
        raise OptionError(f"reset options: expected a dict with 'position' or 'setup', got {options!r}")
    for name in options:
        if name not in RESET_OPTIONS:
            raise OptionError(f"no reset option {name!r}; {nearest(str(name), RESET_OPTIONS)}")
    if len(options) > 1:
        raise OptionError(f"reset options: expected 'position' or 'setup', got both: {dict(options)!r}")
    setup = options.get("setup", default)
    if not isinstance(setup, str):
        raise OptionError(f"reset option 'setup': expected the name of a set-up, got {setup!r}")
    game.setup(setup)
    if "position" not in options:
        return None, setup
    if not isinstance(options["position"], str):
        raise NotationError(f"reset option 'position': expected a position string, got {options['position']!r}")
    board = Board(game, options["position"], auto_roll=False)
    if board.is_terminal:
        raise OptionError(f"reset option 'position': the game is over at {options['position']!r}")
    return board.position, setup


def episode_stream(np_random: np.random.Generator) -> np.ndarray:
    """The stream of an environment's games, uint64 (1,), from the generator that `reset(seed=...)` made.

    It goes on from game to game, so that a board of a native batch, which keeps nothing but the stream, plays the same ones.
    """
    return stream(int(np_random.integers(2**63)))


def start_at(board: Board, position: Any, setup: str, rng: np.ndarray) -> None:
    """Starts a board at a position of `read_options`, or, if that is None, from a set-up. rng: advanced by draws and dice."""
    if position is None:
        board.reset(setup, rng=rng)
    else:
        board.set_position(position, rng=rng, check=False)


def outcome_code(outcome: Outcome | None, seat: int) -> int:
    """1 if the seat won, -1 if another did, 0 for a draw and while the game goes on."""
    if outcome is None or outcome.winner is None:
        return 0
    return 1 if outcome.winner == seat else -1
