"""What TD-Leaf keeps of its turns and makes of its weights, against a search by definition: run by `test_td_leaf.py`."""

import numpy as np
from training import Training

from boardgym import Board
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td.td_network import OVER, VALUED
from boardgym.baselines.networks import perceptron as pn
from boardgym.compile import plain

DISCOUNT, WIN, LOSS = 0.9, 1.0, 0.0


def value(training, board, seat):
    """V of what a seat has moved into, and its inputs."""
    inputs = training.features(board, seat)
    training.net.units[: len(inputs)] = inputs
    return float(plain(pn.value)(training.net)), inputs


def search(training, board, seat, left):
    """(what `seat` may expect, inputs of the leaf, factor) from a board on: minimax by its definition."""
    mover = 1 - board.to_play
    if left == 0:
        v, inputs = value(training, board, mover)
        return (v, inputs, 1.0) if mover == seat else (WIN + LOSS - v, inputs, -1.0)
    found = []
    for action in board.legal_actions:
        player = board.to_play
        board.push(action)
        if board.is_terminal:
            paid = {1.0: WIN, 0.0: 0.5, -1.0: LOSS}[board.returns()[seat]]
            found.append((paid, None, 0.0))
        else:
            weight = DISCOUNT if player == seat else 1.0
            rest, inputs, factor = search(training, board, seat, left - 1)
            found.append((weight * rest, inputs, weight * factor))
        board.pop()
    worths = [worth for worth, _, _ in found]
    best = max(worths) if board.to_play == seat else min(worths)
    return found[worths.index(best)]


def check_turns(depth, games):
    """Each turn of some games: the action is the best, what was kept is the leaf of a search from where it led."""
    kinds = set()
    for game in range(games):
        training = Training(
            "TicTacToe-v0",
            "planes",
            hidden=3,
            seed=7 + game,
            pays=(WIN, 0.5, LOSS),
            search_depth=depth,
            win=WIN,
            draw=0.5,
            loss=LOSS,
            discount=DISCOUNT,
        )
        training.rows[:] = training.rows[1]  # neither learns: the network stays as it is
        training.net.weights[:] *= 4.0  # so that values differ
        moves = [int(m) for m in training.run_recorded()]
        actions, kept, gains, _ = training.turns(0)
        size, board, t = len(training.features.names), Board("TicTacToe-v0"), 0
        for ply, move in enumerate(moves):
            if ply % 2 == 0:
                worths = {}
                for action in board.legal_actions:
                    board.push(action)
                    worths[action] = (
                        (WIN if board.outcome().winner == 0 else 0.5)
                        if board.is_terminal
                        else (DISCOUNT * search(training, board, 0, depth - 1)[0])
                    )
                    board.pop()
                assert abs(worths[move] - max(worths.values())) < 1e-12, (board.fen(), worths, move)
            board.push(move)
            if ply % 2 == 0:
                assert (actions[t] == OVER) == board.is_terminal
                if actions[t] == VALUED:
                    worth, inputs, factor = search(training, board, 0, depth - 1)
                    offset, kept_factor = kept[t, size], kept[t, size + 1]
                    training.net.units[:size] = kept[t, :size]
                    assert abs(offset + kept_factor * float(plain(pn.value)(training.net)) - worth) < 1e-12
                    assert kept_factor == factor
                    assert inputs is None or (kept[t, :size] == inputs).all()
                    assert gains[t] == 0.0
                    kinds.add(factor)
                t += 1
    return kinds


def weights_after(**settings):
    """The weights after some games, of a network that learns from both seats."""
    rates = {ln.STEP_SIZE: 0.3, ln.EXPLORATION: 0.2}
    training = Training("TicTacToe-v0", "planes", hidden=3, pays=(1.0, 0.0, -1.0), opponent="both", rates=rates, **settings)
    return training.run(6).net.weights


if __name__ == "__main__":
    assert (weights_after(search_depth=1) == weights_after()).all()
    assert check_turns(1, 1) == {1.0}
    assert check_turns(2, 4) == {-1.0, 0.0}
    assert check_turns(3, 2) == {DISCOUNT}
    assert (weights_after(search_depth=2) != weights_after()).any()
    assert np.isfinite(weights_after(search_depth=3)).all()
    print("done")
