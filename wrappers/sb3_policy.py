"""Stable-Baselines3 models as policies."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.core.board import Board
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import BatchPolicy
from boardgym.core.random import draw, uniform
from boardgym.wrappers.sampling import sample_actions

GAME_ATTRIBUTE = "boardgym_game"  # set on models trained here; stored in their zip as plain JSON
OPPONENT_ATTRIBUTE = "boardgym_opponent"


class SB3Policy(BatchPolicy):
    """A model of PPO, A2C, MaskablePPO or DQN as a policy: its preferences, restricted to the legal actions.

    It answers for many boards in one pass of the network (`act_batch`), one draw of a board's stream each. The last bits
    of what torch computes depend on the number of boards in the pass.

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
        super().__init__(game, seed=seed)
        self.model = model
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
        model.policy.set_training_mode(False)  # as its own predict does: no dropout, no batch statistics

    def act_batch(
        self,
        observations: NDArray[Any],
        masks: NDArray[np.int8],
        rows: NDArray[np.int64],
        history: Sequence[NDArray[np.int64]],
        rng: NDArray[np.uint64],
        *,
        deterministic: bool = False,
    ) -> NDArray[np.int64]:
        """The most probable legal action of each board, or one drawn by probability, int64 (k,)."""
        probabilities = self.probabilities(observations, masks)
        chosen = probabilities.argmax(axis=1)
        if deterministic:
            return chosen
        if hasattr(self.model, "q_net"):  # DQN's own stochastic play is epsilon-greedy
            for i, mask in enumerate(masks):
                if uniform(rng[i : i + 1]) < self.model.exploration_rate:
                    legal = np.flatnonzero(mask)
                    chosen[i] = legal[draw(rng[i : i + 1], len(legal))]
            return chosen
        return sample_actions(probabilities, rng)

    def probabilities(self, observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.float64]:
        """float64 (k, num_actions), 0 where illegal. For DQN, 1 at the legal action of greatest value.

        observations: (k, *observation_shape), as the seat to play sees each board. masks: (k, num_actions), not 0 where legal.
        """
        import torch

        tensor, _ = self.model.policy.obs_to_tensor(observations)
        with torch.no_grad():
            if hasattr(self.model, "q_net"):
                values = self.model.q_net(tensor).cpu().numpy().astype(np.float64)
                best = np.where(masks, values, -np.inf).argmax(axis=1)
                return (best[:, None] == np.arange(masks.shape[1])).astype(np.float64)
            logits = self.model.policy.get_distribution(tensor).distribution.logits.cpu().numpy().astype(np.float64)
        shifted = np.where(masks, logits, -np.inf)
        weights = np.exp(shifted - shifted.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """float64 (num_actions,), 0 where illegal. For DQN, 1 at the legal action of greatest value."""
        observation, mask = board.look(board.to_play)
        return self.probabilities(observation[None], mask[None])[0]

    def evaluate(self, board: Board) -> float:
        """The critic's value for the seat to play. Raises UnsupportedGameError for a model without one."""
        import torch

        if not hasattr(self.model.policy, "predict_values"):
            raise UnsupportedGameError(f"{self.spec} has no value network")
        tensor, _ = self.model.policy.obs_to_tensor(board.observation())
        with torch.no_grad():
            return float(np.clip(self.model.policy.predict_values(tensor).item(), -1.0, 1.0))


def from_sb3(model: Any, game: str | Game, *, seed: int | None = None) -> SB3Policy:
    """A Stable-Baselines3 model as a policy for a game.

    Args:
        model: of PPO, A2C, MaskablePPO or DQN.
        game: an id or a `Game`; its spaces must be those of the model.
        seed: for stochastic play; None takes one from the operating system.

    Returns:
        The policy; illegal actions have probability 0.

    Raises:
        UnknownGameError: no such game.
        UnsupportedGameError: the model was trained on another game, or is of another kind.

    Example:
        >>> import boardgym
        >>> from sb3_contrib import MaskablePPO
        >>> from boardgym.wrappers.sb3 import SB3VecEnv, from_sb3
        >>> model = MaskablePPO("MlpPolicy", SB3VecEnv("TicTacToe-v0", num_envs=2), seed=0)
        >>> policy = from_sb3(model, "TicTacToe-v0")
        >>> board = boardgym.Board.from_fen("x2/1o1/2x o", "TicTacToe-v0")
        >>> policy, (policy.action_probabilities(board) > 0.0).astype(int).tolist()
        (<sb3:MaskablePPO for TicTacToe-v0>, [0, 1, 1, 1, 0, 1, 1, 1, 0])
    """
    return SB3Policy(model, get_game(game), seed=seed)
