"""Self-play: an agent that meets nobody but itself, and learns from both seats of each game.

The table says how it fares against opponents that it has never met. With the settings as they stand it ends in minutes;
`--steps 25000000 --minutes 30` is a run of `docs/self_play.md`.
Run: python examples/08_self_play.py
"""

from pathlib import Path

import tyro

from boardgym.baselines import compare
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay


def main(
    game: str = "ConnectFour-v0",
    steps: int = 1_000_000,
    minutes: float | None = None,
    judges: tuple[str, ...] = ("random", "greedy", "minimax:2", "uct:100"),
    games: int = 200,
    out: Path = Path("runs/selfplay"),
    seed: int = 1,
) -> None:
    """Trains and compares. judges: of the curve and the table. games: of each row."""
    config = SelfPlayConfig(game=game, steps=steps, minutes=minutes, judges=judges, out=out, seed=seed)
    result = train_selfplay(config)
    print(compare(result.training.model, game, list(judges), games=games, openings="heldout", seed=seed))
    print(f"{result.training.done:,} steps in {result.seconds:.0f} s; {result.player}")


if __name__ == "__main__":
    tyro.cli(main)
