"""One learner, the opponent inside the environment, in Gymnasium's manner: how often does chance beat a little thought?

The greedy opponent looks one ply ahead; random play takes only a few per cent of its Connect Four games.
Run: python examples/02_gymnasium_loop.py --opponent minimax:2
"""

import gymnasium as gym
import tyro

import boardgym  # noqa: F401  (registers the environments)


def main(game: str = "ConnectFour-v0", opponent: str = "greedy", games: int = 500, seed: int = 1) -> None:
    """Plays random actions against an opponent. game: id. opponent: spec string. games: how many. seed: of all draws."""
    env = gym.make(f"boardgym/{game}", opponent=opponent, seat="random", setup="random:0-2")
    env.action_space.seed(seed)
    env.reset(seed=seed)
    results = {1: 0, 0: 0, -1: 0}
    for _ in range(games):
        _observation, info = env.reset()
        is_over = False
        while not is_over:
            action = env.action_space.sample(info["action_mask"])
            _observation, _reward, terminated, truncated, info = env.step(action)
            is_over = terminated or truncated
        results[info["outcome"]] += 1
    print(f"random against {opponent} at {game}: {results[1]} won, {results[0]} drawn, {results[-1]} lost")


if __name__ == "__main__":
    tyro.cli(main)
