"""Q-Sarsa(lambda) with a cascade network over afterstates, in plain Python.

The twin of baselines/learning/q_sarsa.py. Run: python examples/twins/q_sarsa.py

Q(s, a) is what the seat that plays a in s may expect: what the game pays where a ends it, else the
output of a network for the position x that a leads to, as that seat sees it. The network plays itself,
Pr(a) = e^(Q(s, a) / temperature) / sum over b. After a batch of games it learns y of each x:

    q <- (1 - sigma) max_b Q(s, b) + sigma Q(s, a)        sigma = 0 is Q-learning, sigma = 1 Sarsa
    G <- what the game pays                               of the last decision of a game
    G <- -discount ((1 - lambda) q' + lambda G')          of others; q' and G' of the other seat's next
    y <- Q(s, a) + step_size (G - Q(s, a))

The network is a cascade of units tanh(x / 2), see cascade.py. After each batch its output is trained
anew, and a unit is added where that lowers the error of test games, one in ten.

Source: S. Nissen, "Large scale reinforcement learning using Q-SARSA(lambda) and cascading neural networks", 2007.
"""

import numpy as np

from boardgym import Board
from boardgym.core.random import stream, uniform


def activate(sums):
    """(outputs, slopes) of units."""
    f = 1 / (1 + np.exp(-np.clip(sums, -300.0, 300.0)))
    return 2 * f - 1, 2 * np.clip(f, 0.01, 0.99) * (1 - np.clip(f, 0.01, 0.99))  # as FANN takes the derivative


def worths(net, board):
    """(Q, x) of each legal action."""
    seat, found = board.to_play, []
    for action in board.legal_actions:
        board.push(action)
        x = units = np.append(board.observation(seat).ravel().astype(float), 1.0)  # its planes in a row, and the bias
        for own in net[0]:
            units = np.append(units, activate(units @ own)[0])
        found.append((board.returns()[seat] if board.is_terminal else float(activate(units @ net[1])[0]), x))
        board.pop()
    return found


def play(net, temperatures, rng):
    """A game, each seat with a temperature of its own."""
    board = Board("TicTacToe")
    while not board.is_terminal:
        q = np.array([worth for worth, _ in worths(net, board)])
        weights = np.exp((q - q.max()) / temperatures[board.to_play])
        board.push(board.legal_actions[np.searchsorted(np.cumsum(weights), uniform(rng) * weights.sum(), "right")])
    return board


def examples(net, actions, sigma=0.5, discount=1.0, trace_decay=0.7, step_size=1.0):
    """(x, y) of a game's decisions but the last."""
    board, ahead, following, found = Board("TicTacToe"), [], None, []
    for action in actions:
        known = worths(net, board)
        ahead.append((max(q for q, _ in known), *known[board.legal_actions.index(action)]))
        board.push(action)
    for best, taken, x in reversed(ahead):
        goal = taken if following is None else -discount * following
        found.append((x, taken + step_size * (goal - taken)))
        following = (1 - trace_decay) * ((1 - sigma) * best + sigma * taken) + trace_decay * goal
    return found[:0:-1]


def rprop(weights, gradient, least, most):
    """Moves weights, in place, by iRprop-, until their gain stagnates. gradient: gives (gradient, gain)."""
    steps, before, gain, until = np.full(weights.shape, 0.1), np.zeros(weights.shape), 0.0, most
    for epoch in range(most):
        g, now = gradient()
        if abs(now - gain) > 0.01 * abs(gain) if gain else now > 0.0:
            gain, until = now, epoch + 12
        if epoch == most - 1 or epoch >= max(until, least):
            return
        steps = np.clip(steps * np.choose(np.sign(g * before).astype(int) + 1, (0.5, 1.0, 1.2)), 1e-6, 50.0)
        before = np.where(g * before < 0, 0.0, g)
        weights -= np.sign(before) * steps


def train_output(units, y, weights, *epochs):
    """Trains the output weights, in place. Returns what is left of the targets, which are within [-1, 1]."""
    first = np.mean((y - activate(units @ weights)[0]) ** 2)

    def gradient():
        values, slopes = activate(units @ weights)
        return -((y - values) * slopes) @ units, first - np.mean((y - values) ** 2)

    rprop(weights, gradient, *epochs)
    return y - activate(units @ weights)[0]


def new_unit(units, left, seed, inputs, groups, *epochs):
    """(weights, output weight) of the best of some candidates, after training."""
    count, scores = units.shape[1], []
    rng = stream(seed, 1, count - inputs - 1)
    scale = np.clip(2.0 * (0.7 * (count - inputs)) ** (1.0 / inputs), 0.5, 8.0)
    own = scale * np.array([uniform(rng) for _ in range(groups * (count + 1))]).reshape(groups, -1)
    own[:, inputs] = 2.0 * own[:, inputs] - scale  # of the bias

    def gradient():
        values, slopes = activate(units @ own[:, :-1].T)
        off = values * own[:, -1] - left[:, None]
        scores.append(np.sum(left**2) - np.sum(off**2, axis=0))
        return np.column_stack([(off * own[:, -1] * slopes).T @ units, np.sum(off * values, axis=0)]), scores[-1].max()

    rprop(own, gradient, *epochs)
    return own[np.argmax(scores[-1]), :-1], own[np.argmax(scores[-1]), -1]


def grow(net, x, y, is_test, seed, groups, *epochs):
    """(test error, hidden units, weights) with the units that there are, or with one more, whichever is better."""
    hidden, weights, found, inputs = net[0], net[1].copy(), [], len(net[1]) - len(net[0]) - 1
    for own in hidden:
        x = np.column_stack([x, activate(x @ own)[0]])
    for _ in range(2):
        left = train_output(x[~is_test], y[~is_test], weights, *epochs)
        found.append((np.mean((y - activate(x @ weights)[0])[is_test] ** 2), hidden, weights))
        own, behind = new_unit(x[~is_test], left / 2, seed, inputs, groups, *epochs)
        hidden, x, weights = [*hidden, own], np.column_stack([x, activate(x @ own)[0]]), np.append(weights, 0.4 * behind)
    return min(found, key=lambda one: one[0])


def train(batches=8, games=50, *, window=200, temperature=0.3, groups=4, least=20, most=60, seed=1, **rates):
    """Plays and learns. Returns (test error after each batch, network)."""
    net, played, errors = ([], np.zeros(Board("TicTacToe").observation().size + 1)), [], []
    for batch in range(batches):
        played += [play(net, [temperature] * 2, stream(seed, 0, batch, game)).actions for game in range(games)]
        pairs = [(n % 10 == 9, *one) for n, game in [*enumerate(played)][-window:] for one in examples(net, game, **rates)]
        is_test, x, y = (np.array(column) for column in zip(*pairs, strict=True))
        own_seed = int(stream(seed, 1, batch)[0]) >> 1
        rng = stream(own_seed, 0)
        net = net if batch else ([], 0.1 * np.array([2.0 * uniform(rng) - 1.0 for _ in net[1]]))
        error, *net = grow(net, x, y, is_test, own_seed, groups, least, most)
        errors.append(error)
    return errors, net


def main(batches=8, games=200):
    """Trains by Q-learning, by both, and by Sarsa, and plays each player against random moves."""
    for sigma in (0.0, 0.5, 1.0):
        _, net = train(batches, sigma=sigma)
        ends = [play(net, (0.01, 1e9)[:: 1 - 2 * (g % 2)], stream(2, g)).returns()[g % 2] for g in range(games)]
        print(f"sigma {sigma}: {len(net[0])} units; against random play {ends.count(1.0)} won, {ends.count(-1.0)} lost")


if __name__ == "__main__":
    main()
