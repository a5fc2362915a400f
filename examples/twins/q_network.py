"""Q-learning with a neural network, an output an action, in plain Python.

The twin of baselines/learning/q_network/q_network.py. Run: python examples/twins/q_network.py

Q(s, a) is what the seat to play in s may expect if it plays a: the output of a small network for
a, whose inputs x describe s as that seat sees it:

    h_j = tanh(b_j + sum_i w_ij x_i)        Q_a = tanh(c_a + sum_j v_aj h_j)

When a seat is to play again, in s' (its last decision was a in s), it learns

    y    <- (1 - alpha) Q(s, a) + alpha (r + discount max_b Q(s', b))       legal actions b alone
    d    <- (y - Q) (1 - Q^2),    d_j <- d v_aj (1 - h_j^2)
    v_aj <- v_aj + eta d h_j,     c_a <- c_a + eta d
    w_ij <- w_ij + eta d_j x_i,   b_j <- b_j + eta d_j

then computes its values anew and draws an action: Pr(a) = e^(Q_a / T) / sum over b, with T falling
from game to game; once T is below 0.002 the best action is played. At the end of a game each seat
learns the same with y = (1 - alpha) Q + alpha r. Each seat has a network of its own, or both share one.

Sources: G. Andorko, BSc thesis (University of Debrecen, 2011), sections 2.2 and 4.3, after N. J. van
Eck, M. van Wezel, "Application of reinforcement learning to the game of Othello", 2008.
"""

import numpy as np

from boardgym import Board
from boardgym.core.random import stream, uniform


def draw(shape, span, rng):
    """Weights from -span to span."""
    return np.array([span * (2.0 * uniform(rng) - 1.0) for _ in range(int(np.prod(shape)))]).reshape(shape)


def make_networks(count, hidden, span, rng):
    """The weights of so many networks, [w, v, c]: the last row of each w is b."""
    board = Board("TicTacToe")
    inputs, actions = board.observation().size, board.game.num_actions
    return [
        draw((count, inputs + 1, hidden), span, rng),
        draw((count, actions, hidden), span, rng),
        draw((count, actions), span, rng),
    ]


def look(nets, board):
    """(number of its network, x, legal actions) of the seat to play."""
    return board.to_play % len(nets[0]), np.append(board.observation().ravel().astype(float), 1.0), board.legal_actions


def values(nets, n, x, actions):
    """(hidden units, Q of each action)."""
    h = np.tanh(x @ nets[0][n])
    return h, np.tanh(nets[2][n, actions] + nets[1][n, actions] @ h)


def learn(nets, n, x, action, gain, alpha, eta):
    """One update, towards what came back: r + discount max Q."""
    w, v, c = (part[n] for part in nets)
    h, (q,) = values(nets, n, x, [action])
    target = (1.0 - alpha) * q + alpha * gain
    d = (target - q) * (1.0 - q * q)
    behind = d * v[action] * (1.0 - h * h)
    v[action] += eta * d * h
    c[action] += eta * d
    w += eta * np.outer(x, behind)


def choose(q, temperature, rng):
    """The number of an action."""
    if temperature < 0.002:
        return int(np.argmax(q))
    weights = np.exp((q - q.max()) / temperature)
    return int(np.searchsorted(np.cumsum(weights), uniform(rng) * weights.sum(), "right"))


def play(nets, temperature, rng, alpha, eta, discount):
    """A game in which both seats learn."""
    board, before = Board("TicTacToe"), {}
    while not board.is_terminal:
        seat, (n, x, legal) = board.to_play, look(nets, board)
        if seat in before:
            learn(nets, *before[seat], discount * values(nets, n, x, legal)[1].max(), alpha, eta)
        action = legal[choose(values(nets, n, x, legal)[1], temperature, rng)]
        before[seat] = n, x, action
        board.push(action)
    for seat in sorted(before):
        learn(nets, *before[seat], board.returns()[seat], alpha, eta)


def train(games, *, hidden=20, span=0.1, alpha=0.1, eta=0.1, discount=1.0, last=0.001, shares=False, seed=1):
    """Plays and learns, with a temperature that falls from 1 towards `last`. Returns the networks."""
    nets = make_networks(1 if shares else 2, hidden, span, stream(seed, 0))
    rng = stream(seed, 1)
    for game in range(games):
        play(nets, last ** (game / games), rng, alpha, eta, discount)
    return nets


def score(nets, games, rng):
    """(won, lost) of games against random moves, in both seats in turn."""
    ends = []
    for game in range(games):
        board = Board("TicTacToe")
        while not board.is_terminal:
            n, x, legal = look(nets, board)
            best = int(np.argmax(values(nets, n, x, legal)[1]))
            is_own = board.to_play == game % 2
            board.push(legal[best if is_own else int(uniform(rng) * len(legal))])
        ends.append(board.returns()[game % 2])
    return ends.count(1.0), ends.count(-1.0)


def main(games=6000, tests=400):
    """Trains one network for both seats, with and without alpha in the target, and plays each against random moves."""
    for alpha in (0.1, 1.0):
        nets = train(games, alpha=alpha, shares=True, last=0.05)
        won, lost = score(nets, tests, stream(2))
        print(f"alpha {alpha}: against random play {won} won, {lost} lost of {tests}")


if __name__ == "__main__":
    main()
