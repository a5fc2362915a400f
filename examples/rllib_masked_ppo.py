"""RLlib's PPO with action masking: what does a minute against random play make of an untrained network?

Needs an environment of its own (`make test-rllib` makes one): RLlib pins an older gymnasium.
Run: python examples/rllib_masked_ppo.py --game ConnectFour-v0 --batch 2048 --iterations 30
"""

import os
import time

import tyro

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from boardgym.baselines import compare, rate_interval
from boardgym.wrappers.rllib import RLlibEnv, from_rllib


def main(
    game: str = "TicTacToe-v0",
    opponent: str = "random",
    iterations: int = 40,
    batch: int = 1024,
    games: int = 200,
    seed: int = 1,
) -> None:
    """Trains and compares. game: id. opponent: spec. iterations, batch: of PPO. games: before and after. seed: of all draws."""
    torch.set_num_threads(1)
    ray.init(num_cpus=1, include_dashboard=False, logging_level="error", log_to_driver=False)
    config = (
        PPOConfig()
        .environment(RLlibEnv, env_config={"game": game, "opponent": opponent, "seat": "random", "setup": "random:0-2"})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=256,
            num_epochs=6,
            lr=1e-3,
            gamma=0.99,
            lambda_=0.95,
            clip_param=0.2,
            entropy_coeff=0.01,
            use_kl_loss=False,
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config=DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="relu", vf_share_layers=False),
            )
        )
        .debugging(seed=seed, log_level="ERROR")
    )
    algorithm = config.build_algo()

    def score() -> str:
        agent = from_rllib(algorithm.get_module(), game, seed=seed)
        row = compare(agent, game, [opponent], games=games, seed=seed).rows[0]
        return str(rate_interval(row.score.value, row.games))

    before, began = score(), time.monotonic()
    for number in range(1, iterations + 1):
        algorithm.train()
        if number % 5 == 0:
            print(f"iteration {number}: score rate {score()} against {opponent}", flush=True)
    seconds = time.monotonic() - began
    steps = iterations * batch
    print(f"PPO on {game}: score rate against {opponent}, {games} games: ", end="")
    print(f"{before} before, {score()} after {steps} steps, {seconds:.0f} s")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    tyro.cli(main)
