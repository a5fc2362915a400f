"""OpenSpiel's tabular Q-learner on a game of ours: what do some thousand games against random play teach it?

At tic-tac-toe random play scores 65 % against itself from the first seat; perfect play against it about 99 %.
Run: python examples/openspiel_adapter.py --games 20000
"""

import random

import numpy as np
import tyro
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.tabular_qlearner import QLearner

from boardgym.baselines import rate_interval
from boardgym.wrappers.openspiel import load_game


def play(env: rl_environment.Environment, learner: QLearner, rng: random.Random, games: int, *, learn: bool) -> float:
    """Plays the learner at seat 0 against random play. Returns its score rate: (wins + draws / 2) / games."""
    total = 0.0
    for _ in range(games):
        step = env.reset()
        while not step.last():
            if step.current_player() == 0:
                action = learner.step(step, is_evaluation=not learn).action
            else:
                action = rng.choice(step.observations["legal_actions"][1])
            step = env.step([action])
        if learn:
            learner.step(step)  # the end, where it is paid
        total += (1 + step.rewards[0]) / 2
    return total / games


def main(game: str = "TicTacToe-v0", games: int = 5000, test_games: int = 500, seed: int = 1) -> None:
    """Trains and tests. game: id. games: to learn from. test_games: before and after, without exploring. seed: of all draws."""
    np.random.seed(seed)  # noqa: NPY002  (which OpenSpiel's learner draws from)
    rng = random.Random(seed)
    env = rl_environment.Environment(load_game(game))
    learner = QLearner(player_id=0, num_actions=env.action_spec()["num_actions"], step_size=0.2)
    before = play(env, learner, rng, test_games, learn=False)
    play(env, learner, rng, games, learn=True)
    after = play(env, learner, rng, test_games, learn=False)
    rates = [rate_interval(rate, test_games) for rate in (before, after)]
    print(f"OpenSpiel's Q-learner on {game}: score rate against random, {test_games} games: ", end="")
    print(f"{rates[0]} before, {rates[1]} after {games} games of learning")


if __name__ == "__main__":
    tyro.cli(main)
