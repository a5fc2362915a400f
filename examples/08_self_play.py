"""Self-play: an agent that meets nobody but itself, trained against a pool of its earlier selves.

The table says how it fares against opponents that it has never met. With the settings as they stand it ends in minutes;
`--minutes 30` is the run of `docs/self_play.md`.
Run: python examples/08_self_play.py
"""

from pathlib import Path

import tyro

from boardgym.baselines import compare, make_policy
from boardgym.wrappers.selfplay_training import SelfPlayConfig, train_selfplay


def main(
    game: str = "ConnectFour-v0",
    steps: int = 1_000_000,
    minutes: float | None = None,
    every: int = 100_000,
    judges: tuple[str, ...] = ("random", "greedy", "minimax:2", "uct:100"),
    games: int = 200,
    out: Path = Path("runs/selfplay"),
    seed: int = 1,
) -> None:
    """Trains and compares. every: steps between snapshots. judges: of the curve and the table. games: of each row."""
    config = SelfPlayConfig(game=game, steps=steps, minutes=minutes, every=every, judges=judges, out=out, seed=seed)
    result = train_selfplay(config)
    agent = make_policy(f"network:{result.network_path}", game)
    print(compare(agent, game, list(judges), games=games, openings="heldout", seed=seed))
    print(f"{result.steps:,} steps in {result.seconds:.0f} s; network:{result.network_path}")


if __name__ == "__main__":
    tyro.cli(main)
