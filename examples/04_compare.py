"""Where does a player stand on the ladder of bundled opponents?

Deeper search should not lose to shallower: the score rate falls from the top of the table to its bottom.
Run: python examples/04_compare.py --agent uct:200 --game Othello-v0
"""

import tyro

from boardgym.baselines import compare

LADDER = ("random", "greedy", "minimax:2", "minimax:4", "uct:100", "uct:1000")


def main(agent: str = "uct:100", game: str = "ConnectFour-v0", opponents: tuple[str, ...] = LADDER, games: int = 100) -> None:
    """Plays pairs of games with the seats swapped. agent: spec string. game: id. opponents: spec strings. games: a row."""
    comparison = compare(agent, game, opponents, games=games, seed=1)
    print(comparison)
    best = max(comparison.rows, key=lambda row: row.score.value)
    print(f"{agent} does best against {best.opponent}: {best.score.value:.0%} of the points")


if __name__ == "__main__":
    tyro.cli(main)
