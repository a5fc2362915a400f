"""Stable-Baselines3 models as policies, and when their files are trusted (loading one can execute code from it)."""

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numba.misc.appdirs import user_data_dir
from numpy.typing import NDArray

from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError, UntrustedFileError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import Spec, check_board, refuse_extras
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


def make_sb3(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> SB3Policy:
    """`sb3:PATH`. Raises SpecError for a path that holds no model, UntrustedFileError without trust."""
    refuse_extras(spec)
    path = Path(spec.argument)
    if not spec.argument or not path.is_file():
        raise SpecError(f"policy spec {spec.text!r}: no file {spec.argument!r}; expected the zip that model.save() wrote")
    content = path.read_bytes()  # once, so that what is trusted is what is loaded
    if not trust and _digest(content) not in _remembered():
        raise UntrustedFileError(f"{path}: loading an SB3 model can execute code from the file, and no run on this machine "
                                 "wrote it; pass trust=True (--trust) if you know where it comes from")  # fmt: skip
    return SB3Policy(load_model(content, str(path)), game, seed=seed, spec=spec.text)


def load_model(content: bytes, name: str) -> Any:
    """Loads a model of whichever class wrote it. content: of a trusted file. Raises SpecError if it is no such model."""
    import sb3_contrib
    import stable_baselines3

    kinds: dict[str, Any] = {"MaskablePPO": sb3_contrib.MaskablePPO, "DQN": stable_baselines3.DQN}
    kinds |= {"PPO": stable_baselines3.PPO, "A2C": stable_baselines3.A2C}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            data = json.loads(archive.read("data"))
        module = data["policy_class"]["__module__"]
        if "maskable" in module or ".dqn" in module:
            kind = "MaskablePPO" if "maskable" in module else "DQN"
        else:
            kind = "PPO" if "clip_range" in data else "A2C"
        return kinds[kind].load(io.BytesIO(content), device="cpu")
    except (OSError, KeyError, TypeError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise SpecError(f"{name}: not a model that Stable-Baselines3 saved ({error})") from None


def _trust_file() -> Path:
    return Path(user_data_dir(appname="boardgym", appauthor=False)) / "written-models.txt"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _remembered() -> set[str]:
    try:
        return set(_trust_file().read_text(encoding="ascii").split())
    except (OSError, UnicodeDecodeError):
        return set()


def remember_file(path: str | os.PathLike[str]) -> None:
    """Notes that this machine wrote a model file, so that it loads without further trust while it is unchanged."""
    file = _trust_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="ascii") as lines:
            lines.write(_digest(Path(path).read_bytes()) + "\n")
    except OSError:
        return  # a read-only home: the file will ask for trust, as any other does
