"""Opponents in Python, asked ply by ply on a board that has the whole record of the game."""

import itertools
from typing import Any

from boardgym.baselines.arena.game import ask
from boardgym.baselines.players.human import Human
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError
from boardgym.core.game import Game

MOST_TRIALS = 10_000  # sequences of chance that are tried to find out what fell


class PythonOpponent:
    """An opponent and the game that it plays in. Chance falls in the kernel: what fell is found by where it led.

    Args:
        policy: the opponent.
        game: what is played.
    """

    def __init__(self, policy: Any, game: Game) -> None:
        self.policy, self.board = policy, Board(game, seed=0)

    def begin(self, position: Any, seed: int) -> None:
        """A game begins: its record does so at its first position in which a seat is to play. seed: for the policy's draws."""
        self.board = Board(self.board.game, seed=seed)
        self.board.set_position(position, check=False)
        self.policy.reset(seed=seed)

    def tell(self, action: int, position: Any) -> None:
        """An action has been played, and this is the next position in which a seat is to play."""
        board = self.board
        board.auto_roll = False
        board.push(action)
        if board.is_chance and not self._replay_chance(position):
            board.set_position(position, check=False)  # more may have fallen than can be tried: the record begins anew
        board.auto_roll = True

    def end(self, action: int, position: Any) -> None:
        """The last action has been played, and led here. A person is shown how the game ended."""
        if isinstance(self.policy, Human):
            self.tell(action, position)
            self.policy.show(self.board)

    def _replay_chance(self, position: Any) -> bool:
        """Pushes what chance did to come to a position. Returns whether it was found."""
        board = self.board
        for length in itertools.count(1):
            if max(len(board.outcomes), 2) ** length > MOST_TRIALS:
                return False
            if self._leads_to(position, length):
                return True
        return False

    def _leads_to(self, position: Any, length: int) -> bool:
        """The same with so many outcomes one after another."""
        board = self.board
        for outcome, _ in board.outcomes:
            board.push(outcome)
            if board.position == position or (length > 1 and self._leads_to(position, length - 1)):
                return True
            board.pop()
        return False

    def act(self) -> int:
        """The policy's action. Raises IllegalActionError if there is no such action, or it played on the board."""
        board = self.board
        action = ask(self.policy, board, deterministic=False)
        if action not in board.legal_actions:
            raise IllegalActionError(
                f"{self.policy!r} gave action {action}, which is illegal at {board.fen()!r}; legal: {board.legal_actions}"
            )
        return action
