"""Board games as reinforcement-learning environments, compiled, with opponents from random to perfect.

    env = boardgym.make("Othello-v0")                                    # PettingZoo AEC environment
    env = gymnasium.make("boardgym/Othello-v0", opponent="greedy")       # one learner, one opponent
    envs = gymnasium.make_vec("boardgym/Othello-v0", num_envs=1024, opponent="greedy")  # many of them, in compiled steps
    board = boardgym.Board("Othello-v0")                                 # a game in progress
    boards = boardgym.BatchBoard("Othello-v0", 1024)                     # many games, all seats

Importing this registers every game with Gymnasium (`boardgym/Othello-v0`) and with PettingZoo's registry where it exists
(`boardgym/othello-v0`), and the one-player problems of `boardgym.solo` with Gymnasium. Nothing is compiled before a game is
first played.
"""

from boardgym import startup  # before all else: it answers Ctrl-C while the rest is imported

# isort: split

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if not startup.IS_STUDIO:  # which needs little of it, and loads the rest when somebody asks for it: a user's game, say
    from boardgym.core.batch_board import BatchBoard
    from boardgym.core.board import Board, Outcome, Reason
    from boardgym.core.description import describe_board, describe_game, set_up, why_not
    from boardgym.core.drawing import Drawing, Piece, Shape, Spot
    from boardgym.core.errors import (
        BoardgymError,
        IllegalActionError,
        NotationError,
        OptionError,
        PositionError,
        RuleError,
        SpecError,
        UnknownGameError,
        UnsupportedGameError,
        UntrustedFileError,
    )
    from boardgym.core.game import Game, Setup, Version, get_game, list_games, register
    from boardgym.core.grid import grid_drawing
    from boardgym.core.places import Controls, Place
    from boardgym.core.variants import variant
    from boardgym.core.verbs import CHANCE, rule
    from boardgym.envs.aec import BoardGameEnv, make
    from boardgym.envs.registration import start_registration
    from boardgym.envs.single_agent import SingleAgentEnv
    from boardgym.solo import register_problems

    importlib.import_module("boardgym.games")  # registers the games

    start_registration()
    register_problems()

__all__ = [
    "CHANCE",
    "BatchBoard",
    "Board",
    "BoardGameEnv",
    "BoardgymError",
    "Controls",
    "Drawing",
    "Game",
    "IllegalActionError",
    "NotationError",
    "OptionError",
    "Outcome",
    "Piece",
    "Place",
    "PositionError",
    "Reason",
    "RuleError",
    "Setup",
    "Shape",
    "SingleAgentEnv",
    "SpecError",
    "Spot",
    "UnknownGameError",
    "UnsupportedGameError",
    "UntrustedFileError",
    "Version",
    "__version__",
    "describe_board",
    "describe_game",
    "get_game",
    "grid_drawing",
    "list_games",
    "make",
    "register",
    "rule",
    "set_up",
    "variant",
    "why_not",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Of the studio: what importing the package has left out."""
        if name in __all__:
            startup.complete()
            if name in globals():
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
