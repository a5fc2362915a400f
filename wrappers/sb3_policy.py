"""Stable-Baselines3 models as policies."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import check_board
from boardgym.core.random import draw, fresh_seed, stream, uniform

GAME_ATTRIBUTE = "boardgym_game"  # set on models trained here; stored in their zip as plain JSON
OPPONENT_ATTRIBUTE = "boardgym_opponent"


class SB3Policy:
    """A model of PPO, A2C, MaskablePPO or DQN as a policy: its preferences, restricted to the legal actions.

    Args:
        model: the trained model; its spaces must be those of the game, its observations those of the environments.
        game: the game it plays.
        seed: for stochastic play.

    Raises:
        UnsupportedGameError: the model was trained on another game, or is of another kind.

    Attributes:
        trained_against: specs of the opponents it was trained against, None if the model does not say.
    """

    def __init__(self, model: Any, game: Game, *, seed: int | None = None, spec: str | None = None) -> None:
        self.model, self.game = model, game
        self.spec = spec or f"sb3:{type(model).__name__}"
        trained = getattr(model, GAME_ATTRIBUTE, None)
        shape, actions = model.observation_space.shape, getattr(model.action_space, "n", None)
        if trained not in (None, game.id) or shape != game.observation_shape or actions != game.num_actions:
            raise UnsupportedGameError(
                f"{self.spec} was trained on {trained or 'a game'} with observations {shape} and {actions} actions; "
                f"{game.id} has {game.observation_shape} and {game.num_actions}"
            )
        if not (hasattr(model.policy, "get_distribution") or hasattr(model, "q_net")):
            raise UnsupportedGameError(f"{type(model).__name__}: expected PPO, A2C, MaskablePPO or DQN")
        opponent = getattr(model, OPPONENT_ATTRIBUTE, None)
        self.trained_against = None if opponent is None else (opponent,)
        self.rng = stream(fresh_seed() if seed is None else seed)
        model.policy.set_training_mode(False)  # as its own predict does: no dropout, no batch statistics

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game; a seed fixes the draws."""
        if seed is not None:
            self.rng = stream(seed)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The most probable legal action, or one drawn by probability."""
        check_board(self, board)
        probabilities = self.action_probabilities(board)
        if deterministic:
            return int(probabilities.argmax())
        legal = board.legal_actions
        if hasattr(self.model, "q_net"):  # DQN's own stochastic play is epsilon-greedy
            stray = uniform(self.rng) < self.model.exploration_rate
            return int(legal[draw(self.rng, len(legal))] if stray else probabilities.argmax())
        chosen = np.searchsorted(probabilities.cumsum(), uniform(self.rng) * probabilities.sum(), side="right")
        return int(chosen) if int(chosen) in legal else int(probabilities.argmax())

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """float64 (num_actions,), 0 where illegal. For DQN, 1 at the legal action of greatest value."""
        import torch

        observation, mask = board.look(board.to_play)
        tensor, _ = self.model.policy.obs_to_tensor(observation)
        with torch.no_grad():
            if hasattr(self.model, "q_net"):
                values = self.model.q_net(tensor)[0].cpu().numpy().astype(np.float64)
                return (np.where(mask, values, -np.inf).argmax() == np.arange(len(mask))).astype(np.float64)
            logits = self.model.policy.get_distribution(tensor).distribution.logits[0].cpu().numpy().astype(np.float64)
        shifted = np.where(mask, logits, -np.inf)
        weights = np.exp(shifted - shifted.max())
        return weights / weights.sum()

    def evaluate(self, board: Board) -> float:
        """The critic's value for the seat to play. Raises UnsupportedGameError for a model without one."""
        import torch

        if not hasattr(self.model.policy, "predict_values"):
            raise UnsupportedGameError(f"{self.spec} has no value network")
        tensor, _ = self.model.policy.obs_to_tensor(board.observation())
        with torch.no_grad():
            return float(np.clip(self.model.policy.predict_values(tensor).item(), -1.0, 1.0))

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game.id}>"


def from_sb3(model: Any, game: str | Game, *, seed: int | None = None) -> SB3Policy:
    """A trained model as a policy for a game. Raises UnsupportedGameError if it does not fit the game."""
    return SB3Policy(model, get_game(game), seed=seed)
