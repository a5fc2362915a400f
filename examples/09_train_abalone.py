"""An Abalone agent from play with itself alone: a value that is linear but for its last bend, and a narrow search.

It learns by TD(lambda), looking one ply ahead, from weights of nearly 0, and has the mean of the weights of the last half; then
it plays by looking three plies ahead, at the few moves that seem best at once. The table says how it fares against the minimax
player of the thesis on Abalearn at depth 3 and against a stand-in for the program Terminator III at depth 2, neither of which
it has met.
Run: python examples/09_train_abalone.py (a minute to train, one to compile; the same command goes on after Ctrl-C)
"""

from dataclasses import replace
from pathlib import Path

import tyro

from boardgym.baselines import compare
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.presets import PRESETS
from boardgym.baselines.learning.td.trainer import train_network

PRESET = PRESETS["abalone"]  # what `boardgym train td` takes on this game
GAME, EPISODES = PRESET.config.game, PRESET.config.episodes
JUDGES = "minimax:3,evaluation=distance", "minimax:2,avoid=0.05,evaluation=terminator"
AGENT = PRESET.player  # with {} in place of the file


def settings(seed: int, episodes: int = EPISODES) -> NetworkConfig:
    """Of a training."""
    return replace(PRESET.config, episodes=episodes, seed=seed)


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
