"""Snapshots of Stable-Baselines3 models that play on while the model learns: compiled networks where that can be."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.wrappers.missing import missing_extra

try:
    import torch
    from stable_baselines3.common.preprocessing import is_image_space
    from stable_baselines3.common.torch_layers import FlattenExtractor
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.wrappers.sb3_features import SharedLayers, Windows
from boardgym.wrappers.sb3_policy import SB3Policy

UNITS = {torch.nn.ReLU: "relu", torch.nn.Tanh: "tanh"}


def from_sb3_network(model: Any, game: str | Game, *, temperature: float = 1.0, seed: int | None = None) -> NetworkPolicy:
    """The actor of a PPO, A2C or MaskablePPO model as a compiled policy, with a copy of its weights.

    The actor must be a multilayer perceptron with units of one kind, rectified or tanh: "MlpPolicy" as it comes, or with
    `SharedLayers`.

    Raises:
        UnsupportedGameError: the model plays another game, or its actor is something else.
    """
    game = get_game(game)
    SB3Policy(model, game, seed=0)  # refuses models of other games
    layers, activation = actor_layers(model)
    return NetworkPolicy(game, layers, activation, temperature, seed=seed, spec=f"network:{type(model).__name__}")


def actor_layers(model: Any) -> tuple[list[tuple[NDArray[np.float32], NDArray[np.float32]]], str]:
    """Weights (inputs, outputs) and bias of each layer of a model's actor, and its units' kind. Raises as above."""
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
    units: list[str] = []
    for module in _modules(model):
        if isinstance(module, torch.nn.Linear):
            if module.bias is None:
                raise _refused(model, "a layer has no bias")
            layers.append((module.weight.detach().cpu().numpy().T.copy(), module.bias.detach().cpu().numpy().copy()))
        elif isinstance(module, Windows):
            weights, bias = module.dense()
            layers.append((weights.cpu().numpy().copy(), bias.cpu().numpy().copy()))
        elif type(module) in UNITS:
            units.append(UNITS[type(module)])
            if len(units) != len(layers):
                raise _refused(model, f"{module} does not follow a layer")
        elif not isinstance(module, torch.nn.Flatten):
            raise _refused(model, f"it has a {type(module).__name__}")
    if len(units) != len(layers) - 1:
        raise _refused(model, f"{len(layers)} layers with {len(units)} activations between them")
    if len(set(units)) > 1:
        raise _refused(model, "it has rectified and tanh units; give policy_kwargs activation_fn=torch.nn.ReLU, or net_arch=[]")
    return layers, units[0] if units else "relu"


def _modules(model: Any) -> Iterator[Any]:
    """What an observation passes through on its way to the logits."""
    policy = model.policy
    if not all(hasattr(policy, name) for name in ("mlp_extractor", "action_net", "pi_features_extractor")):
        raise _refused(model, "it has no actor; expected PPO, A2C or MaskablePPO")
    if policy.normalize_images and is_image_space(model.observation_space):
        raise _refused(model, "it divides images by 255")
    extractor = policy.pi_features_extractor
    if isinstance(extractor, SharedLayers):
        yield from extractor.layers
    elif not isinstance(extractor, FlattenExtractor):
        raise _refused(model, f"its features come from {type(extractor).__name__}")
    yield from policy.mlp_extractor.policy_net
    yield policy.action_net


def _refused(model: Any, why: str) -> UnsupportedGameError:
    return UnsupportedGameError(
        f"{type(model).__name__} as a compiled network: {why}; expected a multilayer perceptron, as "
        "'MlpPolicy' with its own or SharedLayers' features (from_sb3 takes any)"
    )


class _Frozen:
    """What `SB3Policy` asks of a model, with weights that stay."""

    def __init__(self, model: Any) -> None:
        self.observation_space, self.action_space = model.observation_space, model.action_space
        with torch.random.fork_rng(devices=[]):  # the draws of its first weights are none of the training's
            self.policy = type(model.policy)(**model.policy._get_constructor_parameters()).to(model.device)
        self.policy.load_state_dict(model.policy.state_dict())
        if hasattr(model, "q_net"):
            self.q_net, self.exploration_rate = self.policy.q_net, model.exploration_rate


def snapshot(model: Any, game: str | Game, *, temperature: float = 1.0, seed: int | None = None) -> NetworkPolicy | SB3Policy:
    """A model as it is now, as a policy: a compiled network where the model can be one, else a frozen copy of it.

    temperature: of a compiled network; a frozen copy draws as the model does.

    Raises: UnsupportedGameError: the model plays another game.
    """
    game = get_game(game)
    SB3Policy(model, game, seed=0)
    try:
        return from_sb3_network(model, game, temperature=temperature, seed=seed)
    except UnsupportedGameError:
        return SB3Policy(_Frozen(model), game, seed=seed, spec=f"snapshot:{type(model).__name__}")


def refresh(policy: NetworkPolicy | SB3Policy, model: Any) -> None:
    """Gives a snapshot the weights that its model has now, wherever it plays at present."""
    if isinstance(policy, NetworkPolicy):
        policy.set_layers(actor_layers(model)[0])
    else:
        policy.model.policy.load_state_dict(model.policy.state_dict())
