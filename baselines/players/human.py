"""A person at the terminal."""

import sys
from collections.abc import Callable

from rich.console import Console

from boardgym.baselines.players.terminal import board_text
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, NotationError
from boardgym.core.game import Game
from boardgym.core.policy import check_board
from boardgym.core.policy_spec import Spec, refuse_extras

HELP = """type a move, for example {example}, or
  moves   list the legal moves
  board   show the board again
  fen     show the position as a string
  undo    take your last move back
  quit    leave the game
  help    this list"""


class HumanQuit(KeyboardInterrupt):
    """The person leaves: typed `quit`, or the input ended. Ends a loop over games as Ctrl-C does."""


class UndoRequest(Exception):
    """The person wants the last move back; raised only to a caller that said it can do so."""


class Human:
    """Asks at the terminal for each move, until it is a legal one.

    Args:
        game: the game it plays.
        show: prints a board before each question; None prints it with its colours.
        can_undo: the caller catches `UndoRequest` and takes plies back; otherwise `undo` says that it cannot.
        read: asks for a line, as `input` does; raises EOFError at the end of the input.
    """

    spec = "human"

    def __init__(
        self,
        game: Game,
        *,
        show: Callable[[Board], None] | None = None,
        can_undo: bool = False,
        read: Callable[[str], str] = input,
    ) -> None:
        self.game, self.can_undo, self.read = game, can_undo, read
        self.show = show_board if show is None else show

    def reset(self, *, seed: int | None = None) -> None:
        """Nothing: a person needs no seed."""

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The person's move. Raises HumanQuit when they leave, UndoRequest where the caller allows it."""
        check_board(self, board)
        self.show(board)
        while True:
            try:
                line = self.read(f"{board.game.seat_name(board.to_play)}, your move (help): ").strip()
            except EOFError:
                print()
                raise HumanQuit("the input ended") from None
            if not line:
                continue
            try:
                return board.action_of(line)
            except (NotationError, IllegalActionError) as error:
                if not self._command(line.lower(), board):
                    print(f"  {error}")

    def _command(self, word: str, board: Board) -> bool:
        """Does what a word that is no move asks for. Returns whether it was a command."""
        if word in ("quit", "exit", "q"):
            raise HumanQuit("quit")
        if word == "undo":
            if self.can_undo and board.ply > 0:
                raise UndoRequest
            print("  nothing to take back" if self.can_undo else "  moves cannot be taken back here")
        elif word in ("help", "?", "h"):
            print(HELP.format(example=board.legal_moves[0]))
        elif word in ("moves", "legal"):
            print("  " + " ".join(board.legal_moves))
        elif word == "board":
            self.show(board)
        elif word == "fen":
            print(f"  {board.fen()}")
        else:
            return False
        return True

    def __repr__(self) -> str:
        return f"<human for {self.game.id}>"


def show_board(board: Board) -> None:
    """Prints a board and its legal moves, in colour on a terminal."""
    console = Console(file=sys.stdout, highlight=False)
    console.print(board_text(board, colour=console.is_terminal), soft_wrap=True)
    if not board.is_terminal:
        console.print(f"moves: {' '.join(board.legal_moves)}", style="dim")


def make_human(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Human:
    """`human`."""
    refuse_extras(spec, argument=False)
    return Human(game)
