"""What trainings leave: policies that value every action of a position by what they have learnt."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import Pieces
from boardgym.baselines.learning.agent_files import AGENTS
from boardgym.baselines.learning.learner import values_kernel
from boardgym.core.board import Board
from boardgym.core.policy import Analysis, CompiledPolicy, check_board


class LearntAgent(CompiledPolicy):
    """A compiled policy that plays the action of the greatest value, of equals one at random.

    Attributes:
        facts: what it is, for its file: "method", "training" with the settings, and what its kind of agent needs.
    """

    facts: dict[str, Any]

    @abstractmethod
    def scaled(self, board: Board, value: float) -> float:
        """A value in the rewards that it was taught with as one in [-1, 1], for the seat to play."""

    @abstractmethod
    def statistics(self) -> dict[str, Any]:
        """Figures of what it has learnt, plain data."""

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """What its file says of it, plain data."""

    @abstractmethod
    def _arrays(self) -> Mapping[str, NDArray[Any] | Pieces]:
        """What its file holds. Raises OptionError for what no file may hold."""

    def look_up(self, board: Board) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """(legal actions, their values, how often each was updated, 0 where that is not counted), in the actions' order.

        Raises UnsupportedGameError for a board of another game, ValueError if the game is over.
        """
        check_board(self, board)
        most = self.game.max_choices
        actions, values, visits = np.empty(most, np.int64), np.empty(most), np.empty(most)
        count = values_kernel(self.game.token, board.row, self.token, self.row, self.data, most, actions, values, visits)
        return actions[:count], values[:count], visits[:count]

    def action_values(self, board: Board) -> dict[int, float]:
        """Of every legal action its value, in the rewards that it was taught with. Raises as `look_up`."""
        actions, values, _ = self.look_up(board)
        return dict(zip(actions.tolist(), values.tolist(), strict=True))

    def visit_counts(self, board: Board) -> dict[int, int]:
        """Of every legal action how often it was updated; empty where that is not counted. Raises as `look_up`."""
        return {}

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """How often it plays each action, float64 (num_actions,): the best alike; with its `epsilon`, all legal ones alike."""
        actions, values, _ = self.look_up(board)
        probabilities = np.zeros(self.game.num_actions)
        probabilities[actions] = self._weights(values)
        probabilities *= (1.0 - self.epsilon) / probabilities.sum()
        probabilities[actions] += self.epsilon / len(actions)
        return probabilities

    def _weights(self, values: NDArray[np.float64]) -> NDArray[Any]:
        """By which it draws among actions of these values."""
        return values == values.max()

    def evaluate(self, board: Board) -> float:
        """The value of the best action for the seat to play, in [-1, 1]. Raises as `look_up` and `scaled`."""
        return self.scaled(board, max(self.action_values(board).values()))

    def analyse(self, board: Board) -> Analysis:
        """What it knows of the position, one turn ahead; nothing is searched or proven. Raises as `evaluate`."""
        known = self.action_values(board)
        best = max(known, key=known.__getitem__)
        values = {action: self.scaled(board, value) for action, value in known.items()}
        return Analysis(best, values[best], (best,), values, self.visit_counts(board), 1, len(known), 0.0, False)

    def save(self, path: str | Path) -> None:
        """Writes what was learnt with what it is, as `file:PATH` reads it; whole or not at all.

        Raises: OSError; OptionError for weights that are no finite numbers, or so large that values would be none.
        """
        AGENTS.write(Path(path), self._arrays(), self.header())
