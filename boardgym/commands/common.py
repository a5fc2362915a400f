"""What several commands share: the terminal, rule options, boards to begin from."""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

import tyro
from rich.console import Console, RenderableType

import boardgym.games  # noqa: F401  (registers the games)
from boardgym.baselines.arena.table import as_text
from boardgym.commands.arguments import UsageError as UsageError
from boardgym.core.board import Board
from boardgym.core.escape import printable
from boardgym.core.game import Game, get_game, read_options
from boardgym.startup import INTERRUPTED as INTERRUPTED

T = TypeVar("T")

GameWord = tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]

PositionText = Annotated[str, tyro.conf.arg(metavar="FEN")]

RuleOptions = tyro.conf.UseAppendAction[Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")]]

OpeningSet = Annotated[
    str,
    tyro.conf.arg(
        metavar="NAME",
        help="Where games begin: after random plies in a held-out quarter of all positions (heldout) or in the others (train), "
        "at the standard start (start), or from the positions of a set-up, such as openings-244 of Othello or sequences:2. "
        "Each opening takes two games: of a set-up with more than half as many positions as games, some are played, spread "
        "evenly over its list. All of openings-244 need --games 488.",
    ),
]

Executor = Annotated[
    str,
    tyro.conf.arg(
        metavar="NAME",
        help="Where these processes are: processes, on this machine; ray, on the Ray cluster of the environment variable "
        "RAY_ADDRESS, of this machine, or begun here; ray://HOST:10001, on the cluster at that address; slurm, in jobs of the "
        "Slurm cluster that this machine submits to. How many: --processes.",
    ),
]

Trust = Annotated[bool, tyro.conf.arg(help="Load model files that could execute code, run the programs of engines.")]


class Terminal(Console):
    """A console that leaves a broken pipe to the command line's own handling."""

    def on_broken_pipe(self) -> None:
        """Raises the BrokenPipeError that is being handled."""
        raise


def terminal(*, stderr: bool = False) -> Terminal:
    """The console for results (stdout) or for what is said about them (stderr)."""
    return Terminal(stderr=stderr, highlight=False)


def print_table(table: RenderableType) -> None:
    """A table that fits the terminal; into a file or pipe, plain text as wide as it needs."""
    console = terminal()
    if console.is_terminal:
        console.print(table)
    else:
        print(as_text(table))


def print_json(value: Any) -> None:
    """Writes JSON to stdout, without colours."""
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)) + "\n")


def say(text: str, *, style: str = "dim") -> None:
    """One line on stderr."""
    terminal(stderr=True).print(printable(text), style=style, markup=False, soft_wrap=True)


def load_game(game: str, options: Sequence[str]) -> Game:
    """A game with rule options as given on the command line. Raises UnknownGameError, OptionError."""
    return get_game(game, **read_options(options))


def load_board(game: Game, fen: Sequence[str], moves: Sequence[str], *, seed: int | None = None) -> Board:
    """A board at a position string (the start if empty) after some moves, rolls included. It does not roll by itself.

    seed: of its dice. Raises NotationError, IllegalActionError.
    """
    board = Board(game, " ".join(fen) or None, seed=seed, auto_roll=False)
    board.play(moves)
    return board


def until_interrupted(work: Callable[[Callable[[T], None]], object]) -> tuple[T, bool]:
    """(what `work` has told last, whether it came to its end). work: is given a function to which it tells its results so far.

    Raises KeyboardInterrupt if Ctrl-C was pressed before it had told anything.
    """
    told: list[T] = []

    def keep(result: T) -> None:
        told[:] = [result]

    try:
        work(keep)
    except KeyboardInterrupt:
        if not told:
            raise
        return told[0], False
    return told[0], True
