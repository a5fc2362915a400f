"""One player, a known model: value iteration finds the tunnel that a learner would have to stumble on.

Without lakes on its way the best walk takes 17 steps and the tunnel: -5 (1 + 0.9 + ... + 0.9^16) = -41.7 at the start.
Run: python examples/07_value_iteration.py --layout-seed 3 --picture world.svg
"""

from pathlib import Path

import gymnasium as gym
import tyro

import boardgym  # noqa: F401  (registers the environments)
from boardgym.baselines.learning.tabular.dynamic_programming import iterate_values


def main(layout_seed: int = 0, gamma: float = 0.9, sweeps: int = 100, picture: Path | None = None) -> None:
    """Solves a world and walks through it. layout_seed: its lakes. gamma: discount. picture: an SVG file for the values."""
    env = gym.make("boardgym/LakesAndTunnel-v0", layout_seed=layout_seed, render_mode="ansi")
    state, _ = env.reset()
    world = env.unwrapped
    print(env.render())
    solution = iterate_values(world.transitions(), discount=gamma, sweeps=sweeps)
    walk, is_over = [world.cell_of(state)], False
    while not is_over and len(walk) <= sweeps:
        state, _reward, is_over, _truncated, _info = env.step(solution.policy[state])
        walk.append(world.cell_of(state))
    print("every fourth cell of the best walk:", *walk[::4])
    way = f"through the tunnel at {walk[-2]}" if world.state_of(*walk[-2]) == world.tunnel else "on foot"
    print(f"value of the start {solution.values[world.start]:.2f}, {len(walk) - 1} steps {way}")
    if picture is not None:
        env.reset()
        picture.write_text(world.svg(solution.values) + "\n")


if __name__ == "__main__":
    tyro.cli(main)
