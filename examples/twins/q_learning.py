"""Q-learning, Pessimistic Q-learning and minimax-Q over a table, in plain Python.

The twin of baselines/learning/tabular/q_learning.py. Run: python examples/twins/q_learning.py

Q(s, a) is what the seat to play in state s can expect if it plays action a. Two seats play each
other, and both learn in the same table. A seat's next state s' is the one in which it plays
again, after the other has replied. r is what it was paid in between: nothing until the game is
over, and then win, draw or loss.

Q-learning    Q(s, a) <- Q(s, a) + step_size (r + discount max_a' Q(s', a') - Q(s, a))       [1]
Pessimistic   after a lost game, the same with min in place of max, from the last turn of the
              game back to the first: the "sweep"                                            [2]
Minimax-Q     s' is the state at the very next ply, where the other seat plays. What is good
              for it is bad for us, so max_a' Q(s', a') counts with a minus sign             [3]

[1] C. J. C. H. Watkins, "Learning from delayed rewards", 1989.
[2] A. B. Pereira, dissertation on Pessimistic Q-learning (PUC-Rio, 2012), section 2.4. Training
    has two phases. In the first both seats explore; in the second the learner, seat 0, plays
    greedily, and sweeps the games that it loses.
[3] M. L. Littman, "Markov games as a framework for multi-agent reinforcement learning", 1994,
    here with alternating moves.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform

LEARNER = 0  # the seat that plays greedily in the second phase
PAYS = (100.0, 0.0, -50.0)  # for a win, a draw and a loss


@dataclass
class Turn:
    """A seat's turn. reply: the value of the next ply for the other seat, if there was one."""

    state: Any
    action: int
    legal: list[int]
    reply: float | None = None


def single(number):
    """A number in single precision, as the compiled table stores its values."""
    return float(np.float32(number))


def values_of(q, state, legal):
    """Q of each legal action; 0 for an action that has not been tried."""
    return [q.get((state, action), 0.0) for action in legal]


def choose(values, legal, epsilon, rng):
    """Any action with probability epsilon, else one of the best."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return legal[draw(rng, len(legal))]
    best = [action for action, value in zip(legal, values, strict=True) if value == max(values)]
    return best[draw(rng, len(best))] if len(best) > 1 else best[0]


def move_towards(q, turn, target, step_size):
    """Q(s, a) <- Q(s, a) + step_size (target - Q(s, a))."""
    old = q.get((turn.state, turn.action), 0.0)
    q[turn.state, turn.action] = single(old + step_size * (target - old))


def target_of(method, turn, reward, following, discount):
    """What Q(s, a) moves towards. following: Q of the actions in s', empty if the game is over."""
    if method == "minimax_q" and turn.reply is not None:
        return -discount * turn.reply  # nothing is paid before the end of the game
    return reward + (discount * max(following) if following else 0.0)


def sweep(q, turns, reward, step_size, discount):
    """The pessimistic sweep over a seat's turns in a finished game."""
    target = reward
    for t in reversed(range(len(turns))):
        move_towards(q, turns[t], target, step_size)
        target = discount * min(values_of(q, turns[t].state, turns[t].legal))  # for the turn before


def train(
    method="pessimistic_q", episodes=3000, greedy_episodes=3000, *, step_size=0.7, discount=0.7, epsilon=0.3, pays=PAYS, seed=1
):
    """Plays and learns. Returns the table, (state, action) -> value.

    method: "q", "pessimistic_q" or "minimax_q". pays: what a win, a draw and a loss are worth.
    """
    q, rng = {}, stream(seed, 0)
    for episode in range(episodes + greedy_episodes):
        is_greedy = episode >= episodes
        board, turns = Board("TicTacToe"), ([], [])
        while not board.is_terminal:
            seat, state, legal = board.to_play, board.position, board.legal_actions
            values = values_of(q, state, legal)
            if turns[seat]:  # now we know what the turn before led to
                target = target_of(method, turns[seat][-1], 0.0, values, discount)
                move_towards(q, turns[seat][-1], target, step_size)
            if turns[1 - seat]:
                turns[1 - seat][-1].reply = max(values)
            rate = 0.0 if is_greedy and seat == LEARNER else epsilon
            action = choose(values, legal, rate, rng)
            turns[seat].append(Turn(state, action, legal))
            board.push(action)
        for seat, result in enumerate(board.returns()):
            reward = pays[0] if result > 0 else pays[2] if result < 0 else pays[1]
            move_towards(q, turns[seat][-1], target_of(method, turns[seat][-1], reward, [], discount), step_size)
            if method == "pessimistic_q" and is_greedy and seat == LEARNER and result < 0:
                sweep(q, turns[seat], reward, step_size, discount)
    return q


def lines(q, board):
    """(lost, all) lines of play in which the learner is greedy and the other tries every reply."""
    if board.is_terminal:
        return int(board.returns()[LEARNER] < 0), 1
    actions = board.legal_actions
    if board.to_play == LEARNER:
        values = values_of(q, board.position, actions)
        actions = [actions[values.index(max(values))]]
    lost, total = 0, 0
    for action in actions:
        board.push(action)
        found = lines(q, board)
        board.pop()
        lost, total = lost + found[0], total + found[1]
    return lost, total


def main(episodes=3000):
    """Trains by each method, then counts the ways to beat the greedy learner.

    Minimax-Q needs more games: it learns the values of best play by both, in all positions.
    """
    for method, factor, loss in (("q", 1, -50.0), ("pessimistic_q", 1, -50.0), ("minimax_q", 2, -100.0)):
        q = train(method, factor * episodes, factor * episodes, pays=(100.0, 0.0, loss))
        lost, total = lines(q, Board("TicTacToe"))
        games = 2 * factor * episodes
        print(f"{method:13} {games:,} games, {len(q):,} entries; against all replies it loses {lost} of {total} lines of play")


if __name__ == "__main__":
    main()
