"""Turns of seven plies, more than are looked ahead, against looking ahead by definition: run by `test_td_network.py`.

A seat takes seven of nine cells, from either end, then the other does; the fourth turn ends after five. Plies pay.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from training import Training

from boardgym import Board, Game, Version, rule
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td.td_network import MOST_PLIES, remember, take_back
from boardgym.baselines.networks import perceptron as pn
from boardgym.compile import plain
from boardgym.core import verbs

PLIES, LAST_PLIES = 7, 5


class Cells(NamedTuple):
    """Cells that the seat to play has taken from either end, and those that the other took from the first."""

    low: int
    high: int
    before: int
    seat: int
    turn: int


@rule(Cells)
def to_play(position):
    return position.seat


@rule(Cells)
def legal_actions(position, out):
    out[0], out[1] = 0, 1
    return 0 if is_over(position) else 2


@rule(Cells)
def apply(position, action):
    low, high = position.low + 1 - action, position.high + action
    if low + high == PLIES:
        return 0, 0, low, 1 - position.seat, position.turn + 1
    return low, high, position.before, position.seat, position.turn


def is_over(position):
    """Within the fourth turn."""
    return position.turn == 3 and position.low + position.high == LAST_PLIES


@rule(Cells)
def is_terminal(position):
    return is_over(position)


@rule(Cells)
def reward(position, seat):
    paid = 0.25 * (position.low - position.high) + 0.125 * position.before
    return paid if seat == 0 else -paid


@rule(Cells)
def returns(position, seat):
    return 0.0


@rule(Cells)
def observe(position, seat, out):
    out[0, 0, :] = position.low, position.high, position.before, position.seat == seat, position.turn


@rule(Cells)
def decode(planes):
    low, high, before, is_mine, turn = (int(number) for number in planes[0, 0])
    return low, high, before, 1 - is_mine, turn


GAME = Game(
    name="Cells",
    title="Cells",
    position_class=Cells,
    start=Cells(0, 0, 0, 0, 0),
    num_actions=2,
    max_legal_actions=2,
    observation_shape=(1, 1, 5),
    planes=("low", "high", "before", "mine", "turn"),
    observation_max=9,
    move_text=lambda position, action: str(action),
    parse_move=lambda position, text: int(text),
    to_fen=lambda position: " ".join(map(str, position)),
    from_fen=lambda text: Cells(*map(int, text.split())),
    max_plies=28,
    versions=(Version(0, "0.1.0", "for tests", ""),),
)


def best(training, board, seat, left):
    """What a position is worth to who has moved into it, with so many plies more, by definition."""
    adds_reward = training.settings.adds_reward
    gain = verbs.reward(board.position, seat)
    if board.is_terminal and adds_reward:
        return gain
    if left == 0 or board.is_terminal or board.to_play != seat:
        inputs = training.features(board, seat)
        training.net.units[: len(inputs)] = inputs
        return adds_reward * gain + 0.9 * float(plain(pn.value)(training.net))
    return adds_reward * gain + max(best(training, after, seat, left - 1) for after in followers(board))


def followers(board):
    """The boards that actions lead to."""
    found = [board.copy() for _ in board.legal_actions]
    for after, action in zip(found, board.legal_actions, strict=True):
        after.push(action)
    return found


def looked(training, board):
    """What `look` says of actions."""
    choices = ln.make_choices(2, 6)
    choices.legal[:] = 0, 1
    ln.look(training.settings, board.position, training.memory, np.empty(6, np.int64), choices, 2)
    return choices.values.tolist()


if __name__ == "__main__":
    for slots, adds_reward in product((1, 1024), (0, 1)):
        training, board = Training(GAME, "planes", slots=slots, adds_reward=adds_reward), Board(GAME)
        while not board.is_terminal:
            wanted = [best(training, after, board.to_play, MOST_PLIES) for after in followers(board)]
            assert looked(training, board) == wanted, (slots, adds_reward, board.position)
            board.push(int(np.argmin(wanted)))
        assert board.ply == 3 * PLIES + LAST_PLIES
    board = Board(GAME, fen="3 2 1 0 0")
    looked(training, board)
    for forget in (lambda: remember(training.memory), lambda: take_back(training.memory, training.play.records)):
        remember(training.memory)  # what is to be taken back, the same weights
        looked(training, board)
        kept = training.memory.turn.now[0]
        forget()
        assert (training.memory.turn.turns < training.memory.turn.now).all()
        assert training.memory.turn.now[0] > kept
    print("done")
