"""Native batches against single environments, ply for ply, at length: every game, every kind of opponent, 1 and 2 threads.

    python -m tests.reference.equality --plies 50000

The suite plays the same comparison for a few hundred plies (tests/envs/test_batches.py).
"""

import argparse
import time

import boardgym
from boardgym.core import threads
from tests.envs.test_batches import TWO_SEATS, check_equality

KINDS = ("random", "batch", "by hand", "pool", "each", "network")
SEARCHES = ("greedy", "minimax:2", "uct:8", "mix(random, epsilon:0.5(greedy), uct:4)")


def compare(game: str, kind: str, wanted: int, num_threads: int) -> int:
    """Plays until so many plies have been equal. Raises AssertionError at the first difference. Returns the plies."""
    plies, seed = 0, 0
    while plies < wanted:
        plies += check_equality(game, kind, boards=32, steps=100, seed=seed, num_threads=num_threads)[0]
        seed += 1000
    return plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=50_000, help="of each game and opponent (default: 50000)")
    parser.add_argument("--games", nargs="+", default=boardgym.list_games(), help="ids (default: all)")
    wanted = parser.parse_args()
    threads.Pace.choose = lambda pace, most: most  # else these small batches would all be stepped by one thread
    for game in wanted.games:
        for kind in (*KINDS, *(SEARCHES if game in TWO_SEATS else ())):
            started, counts = time.perf_counter(), []
            for num_threads in (1, 2):
                counts.append(compare(game, kind, wanted.plies, num_threads))
            assert counts[0] == counts[1], (game, kind, counts)
            print(
                f"{game:20} {kind:42} {counts[0]:8,} plies, 1 and 2 threads, 0 differences, "
                f"{time.perf_counter() - started:6.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
