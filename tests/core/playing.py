"""Many plies in one call against the loop that they stand for: for tests on the CPU, and on a card."""

import numpy as np


def play_by_steps(boards, policy, plies, *, auto_reset=True, deterministic=False):
    """(games that ended on each board, what was paid), by calls of `act`, `step` and `reset`, one a ply."""
    games, rewards = np.zeros(len(boards), np.int64), np.zeros((len(boards), boards.game.num_seats))
    for _ in range(plies):
        was_over = np.array(boards.done)
        boards.step(boards.act(policy, deterministic=deterministic))
        games += boards.done & ~was_over
        rewards += boards.rewards
        if auto_reset:
            boards.reset(boards.done)
    return games, rewards
