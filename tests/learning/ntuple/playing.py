"""Games of the agents that trainings leave, against random play."""

import numpy as np

from boardgym import Board


def results(agent, games, seed):
    """What games against random moves pay, one seat after the other."""
    rng, found = np.random.default_rng(seed), []
    for game in range(games):
        board, seat = Board("TicTacToe-v0", compiled=False), game % 2
        while not board.is_terminal:
            board.push(agent.act(board) if board.to_play == seat else int(rng.choice(board.legal_actions)))
        found.append(board.returns()[seat])
    return found
