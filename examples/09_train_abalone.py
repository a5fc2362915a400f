"""An Abalone agent from play with itself alone: a value that is linear but for its last bend, and a narrow search.

It learns by TD(lambda), looking one ply ahead, from weights of nearly 0, and has the mean of the weights of the last half; then
it plays by looking three plies ahead, at the few moves that seem best at once. The table says how it fares against the minimax
player of the thesis on Abalearn at depth 3 and against a stand-in for the program Terminator III at depth 2, neither of which
it has met.
Run: python examples/09_train_abalone.py (a minute to train, one to compile; the same command goes on after Ctrl-C)
"""

from pathlib import Path

import tyro

from boardgym.baselines import compare
from boardgym.baselines.neural.config import NetworkConfig
from boardgym.baselines.neural.training import train_network

GAME, EPISODES = "Abalone-v0", 12_000
JUDGES = "minimax:3,evaluation=distance", "minimax:2,avoid=0.05,evaluation=terminator"
AGENT = "minimax:3,beam=5,nodes=50000,evaluation=network(file:{})"  # so few nodes that no thread has to watch over the search


def settings(seed: int, episodes: int = EPISODES) -> NetworkConfig:
    """Of a training."""
    return NetworkConfig(
        game=GAME, option=(), opponent="learner", setup="random:0-6", features="formation", hidden=(), biases="all",
        output_activation="softsign", discount="1", trace_decay="0.95", kappa="0", exploration="boltzmann", epsilon="0.03",
        step_size="exponential(0.01, 0.0003)", average_from=0.5, episodes=episodes, seed=seed,
    )  # fmt: skip


def train(out: Path, seed: int, episodes: int = EPISODES) -> Path | None:
    """Trains into a folder, from where an earlier call was. Returns the agent's file, None if Ctrl-C ended it early."""

    def show(trainer) -> None:
        if trainer.episode * 100 // episodes > show.percent:
            show.percent = trainer.episode * 100 // episodes
            print(f"\rseed {seed}: {trainer.episode:,} of {episodes:,} games", end="", flush=True)

    show.percent = -1

    done = train_network(settings(seed, episodes), out, on_piece=show)
    print(f"; {done.message}")
    return done.agent_path if done.is_finished else None


def main(out: Path = Path("runs/abalone"), games: int = 100, seed: int = 1, episodes: int = EPISODES) -> None:
    """Trains, then compares. games: against each of the two. episodes: of the training."""
    path = train(out, seed, episodes)
    if path is not None:
        print(compare(AGENT.format(path), GAME, JUDGES, games=games, seed=seed))


if __name__ == "__main__":
    tyro.cli(main)
