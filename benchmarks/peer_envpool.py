"""EnvPool on one core: its C++ versions of Pgx's games, one worker thread, stepped through its Gymnasium interface."""

from typing import Any

import numpy as np

from benchmarks.measure import Work
from benchmarks.peers import chooser

NAMES = {
    "ConnectFour": "ConnectFour-v1",
    "Othello": "Othello-v1",
    "TicTacToe": "TicTacToe-v1",
    "Backgammon": "Backgammon-v1",
}


def envpool_plies(game: str, boards: int) -> Work:
    """Random legal plies of both sides. The step after an end begins the next game and is no ply: it is not counted."""
    import envpool

    env: Any = envpool.make(NAMES[game], env_type="gymnasium", num_envs=boards, num_threads=1, seed=1)
    choose = chooser(boards)
    _observations, infos = env.reset()
    held = [infos]

    def work(n: int) -> int:
        done = 0
        while done < n:
            held[0] = env.step(choose(held[0]["legal_action_mask"]).astype(np.int32))[4]
            done += int(np.count_nonzero(held[0]["elapsed_step"]))
        return done

    return work
