"""Train sb3-contrib's MaskablePPO on native batches, then find out how good it is.

The table says what 300,000 steps reach against the opponents of the mixture and against others that were not in it; a
longer run, self-play and a network made for such boards are what `boardgym demo` adds.
Run: python examples/03_train_maskable_ppo.py --steps 300000
"""

from pathlib import Path

import torch
import tyro
from sb3_contrib import MaskablePPO

from boardgym.baselines import compare
from boardgym.wrappers.sb3 import SB3VecEnv


def main(
    game: str = "ConnectFour-v0",
    opponent: str = "mix(0.3*random, 0.7*epsilon:0.1(greedy))",
    steps: int = 300_000,
    games: int = 200,
    out: Path = Path("runs/ppo.zip"),
    seed: int = 1,
) -> None:
    """Trains and compares. game: id. opponent: spec string. steps: of the learner. games: a row. out: the model's file."""
    torch.set_num_threads(1)  # more of them wait for one another over networks as small as these
    env = SB3VecEnv(game, num_envs=64, opponent=opponent, seat="random", setup="random:0-4", seed=seed)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.01,
        learning_rate=lambda left: 1e-3 * left,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )
    model.learn(steps)
    out.parent.mkdir(parents=True, exist_ok=True)
    model.save(out)
    print(compare(model, game, ["random", "greedy", "minimax:2"], games=games, seed=seed))
    print(f"model: {out}")


if __name__ == "__main__":
    tyro.cli(main)
