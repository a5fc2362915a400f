"""TD-Leaf(lambda), TD learning at the leaf of a search's best line, in plain Python.

The twin of baselines/learning/td/td_leaf.py. Run: python examples/twins/td_leaf.py

As TD(lambda) with a network (td_network.py), but with U in place of V. U(x) is what minimax finds
for a seat that has moved into position x, looking depth - 1 plies further. Two seats play each
other and train the same network. With l the leaf, where the best line of play ends, U(x) is

    V(l)  if the seat itself moved into l,   -V(l)  if the other seat did,
    what the game pays the seat  if it is over in l

times discount for each further turn of the seat on the way to l. The gradient of U takes the same
sign and discount; it is 0 if the game is over in l.

    delta <- r + discount U(x') - U(x)
    e     <- discount trace_decay e + dU(x)/dw        for each weight w; trace_decay is lambda
    w     <- w + step_size delta e

The compiled learner uses alpha-beta, which finds the same value and leaf as minimax.

Source: J. Baxter, A. Tridgell, L. Weaver, "KnightCap: a chess program that learns by combining
TD(lambda) with game-tree search", 1998.
"""

from typing import NamedTuple

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform


class Leaf(NamedTuple):
    """U = factor V(x) with the inputs x of the leaf; if the game is over there, U = offset."""

    offset: float
    factor: float
    x: np.ndarray | None


def make_network(inputs, hidden, span, rng):
    """Weights a, b, c of y = sigmoid(x a + b) and V = tanh(y c), drawn from -span to span."""
    drawn = np.array([span * (2.0 * uniform(rng) - 1.0) for _ in range((inputs + 2) * hidden)])
    a, b, c = np.split(drawn, [inputs * hidden, (inputs + 1) * hidden])
    return [a.reshape(inputs, hidden), b, c]


def hidden_units(net, x):
    """The outputs y of the hidden units."""
    return 1.0 / (1.0 + np.exp(-(x @ net[0] + net[1])))


def worth(net, leaf):
    """U by its leaf."""
    return leaf.offset if leaf.x is None else leaf.factor * float(np.tanh(hidden_units(net, leaf.x) @ net[2]))


def gradient(net, leaf):
    """The gradient dU/dw, in three parts like the weights."""
    if leaf.x is None:
        return [0.0, 0.0, 0.0]
    y = hidden_units(net, leaf.x)
    slope = leaf.factor * (1.0 - np.tanh(y @ net[2]) ** 2)
    behind = slope * net[2] * y * (1.0 - y)
    return [np.outer(leaf.x, behind), behind, slope * y]


def search(net, board, seat, plies, discount):
    """Minimax for a seat, from a position that either seat has moved into. Returns (U, leaf)."""
    if board.is_terminal:
        return board.returns()[seat], Leaf(board.returns()[seat], 0.0, None)
    is_own, best = board.to_play == seat, None
    if plies == 0:
        leaf = Leaf(0.0, -1.0 if is_own else 1.0, board.observation(1 - board.to_play).ravel())
        return worth(net, leaf), leaf
    for action in board.legal_actions:
        board.push(action)
        value, leaf = search(net, board, seat, plies - 1, discount)
        if is_own and not board.is_terminal:
            value, leaf = discount * value, Leaf(discount * leaf.offset, discount * leaf.factor, leaf.x)
        board.pop()
        if best is None or (value > best[0] if is_own else value < best[0]):
            best = value, leaf
    return best


def look_ahead(net, board, depth, discount):
    """(worth, pay, leaf) of each legal action; the leaf is None if the action ends the game."""
    seat, found = board.to_play, []
    for action in board.legal_actions:
        board.push(action)
        value, leaf = search(net, board, seat, depth - 1, discount)
        found.append((value, value, None) if board.is_terminal else (discount * value, 0.0, leaf))
        board.pop()
    return found


def choose(worths, epsilon, rng):
    """The index of any action with probability epsilon, else of one of the best."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return draw(rng, len(worths))
    best = [k for k, value in enumerate(worths) if value == max(worths)]
    return best[draw(rng, len(best))] if len(best) > 1 else best[0]


def learn(net, traces, leaf, reward, following, *, step_size, discount, decay):
    """One update. following: the leaf of x', None at the end of the game. Returns the traces."""
    delta = reward + (0.0 if following is None else discount * worth(net, following)) - worth(net, leaf)
    traces = [decay * e + g for e, g in zip(traces, gradient(net, leaf), strict=True)]
    for w, e in zip(net, traces, strict=True):
        w += step_size * delta * e
    return traces


def train(episodes=300, *, depth=2, hidden=10, span=0.5, step_size=0.1, discount=0.9, trace_decay=0.7, epsilon=0.1, seed=1):
    """Plays and learns; both seats train one network, which is returned."""
    net = make_network(Board("TicTacToe").observation().size, hidden, span, stream(seed, 3))
    rates, rng = {"step_size": step_size, "discount": discount, "decay": discount * trace_decay}, stream(seed, 0)
    for _ in range(episodes):
        board, last, traces = Board("TicTacToe"), [None, None], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
        while not board.is_terminal:
            seat, ahead = board.to_play, look_ahead(net, board, depth, discount)
            k = choose([value for value, _, _ in ahead], epsilon, rng)
            _, paid, leaf = ahead[k]
            if last[seat] is not None:
                traces[seat] = learn(net, traces[seat], last[seat], paid, leaf, **rates)
            last[seat] = leaf
            board.push(board.legal_actions[k])
        for seat, paid in enumerate(board.returns()):
            if last[seat] is not None:  # None: this seat ended the game itself
                learn(net, traces[seat], last[seat], paid, None, **rates)
    return net


def main(episodes=300, games=100):
    """Trains with depths 1 and 2, and plays against random moves, taking turns to begin."""
    for depth in (1, 2):
        net, rng, results = train(episodes, depth=depth), stream(2), [0, 0, 0]
        for game in range(games):
            board, seat = Board("TicTacToe"), game % 2
            while not board.is_terminal:
                worths = [value for value, _, _ in look_ahead(net, board, depth, 0.9)]
                k = worths.index(max(worths)) if board.to_play == seat else draw(rng, len(worths))
                board.push(board.legal_actions[k])
            results[1 - int(board.returns()[seat])] += 1
        print(f"depth {depth}: against random play {results[0]} won, {results[1]} drawn, {results[2]} lost")


if __name__ == "__main__":
    main()
