"""What each option of minimax costs and saves: positions and CPU time at equal depth, beside plain `minimax:D`.

python -m benchmarks.minimax_options ConnectFour --depth 8 --positions 50
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boardgym.baselines.search.common import NODES, VALUE, make_reply
from boardgym.baselines.search.probcut import random_board
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy

OPTIONS = (
    "alphabeta=1", "table=0", "killers=0", "history=0", "order=heuristic", "pvs=1", "pvs=1,order=heuristic", "aspiration=0.1",
    "pvs=1,aspiration=0.1", "quiescence=4", "singular=0.3", "beam=4", "probcut=1", "probcut=1.5", "probcut=2",
)  # fmt: skip


@dataclass(frozen=True)
class Effect:
    """An option beside plain minimax: ratios of positions and of CPU time; shares of boards with its value and its action."""

    options: str
    nodes: float
    time: float
    same_value: float
    same_action: float
    largest_error: float


def search_all(spec: str, boards: Sequence[Board]) -> tuple[list[tuple[int, float, float]], float]:
    """Of each board the action, its value and the positions visited, as in play; and the CPU time of all, compiled before."""
    policy, found = make_policy(spec, boards[0].game, seed=0), []
    policy.is_short = True  # no thread beside it, which takes as long as a small search
    policy.act(boards[0], deterministic=True)
    started = time.process_time()
    for board in boards:
        reply = make_reply(0)
        action = policy._search(board, policy.rng.copy(), True, reply)
        found.append((action, float(reply.report[VALUE]), float(reply.report[NODES])))
    return found, time.process_time() - started


def measure(
    game_id: str, depth: int, positions: int, options: Sequence[str] = OPTIONS, *, plies: int = 24, seed: int = 0
) -> list[Effect]:
    """The effect of each option over boards after 0 to `plies` random plies. What a game has no regression for is left out."""
    game, rng = get_game(game_id), np.random.default_rng(seed)
    boards = [random_board(game, rng, plies) for _ in range(positions)]
    plain, plain_s = search_all(f"minimax:{depth}", boards)
    effects = []
    for text in options:
        try:
            make_policy(f"minimax:{depth},{text}", game)
        except SpecError:
            continue
        found, found_s = search_all(f"minimax:{depth},{text}", boards)
        errors = [abs(a[1] - b[1]) for a, b in zip(found, plain, strict=True)]
        effects.append(
            Effect(
                text,
                sum(f[2] for f in found) / sum(p[2] for p in plain),
                found_s / max(plain_s, 1e-9),
                sum(error < 1e-9 for error in errors) / positions,
                sum(a[0] == b[0] for a, b in zip(found, plain, strict=True)) / positions,
                max(errors),
            )
        )
    return effects


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--plies", type=int, default=24, help="most random plies before a position")
    arguments = parser.parse_args()
    print(f"{arguments.game}, minimax:{arguments.depth}, {arguments.positions} positions; plain minimax is 1\n")
    print("| option | positions | CPU time | same value | same action | largest error |\n|---|---|---|---|---|---|")
    for effect in measure(arguments.game, arguments.depth, arguments.positions, plies=arguments.plies):
        print(
            f"| `{effect.options}` | {effect.nodes:.2f} | {effect.time:.2f} | {effect.same_value:.0%} | "
            f"{effect.same_action:.0%} | {effect.largest_error:.2f} |"
        )


if __name__ == "__main__":
    main()
