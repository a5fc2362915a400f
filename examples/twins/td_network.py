"""TD(lambda) with a neural network over afterstates, risk-sensitive, in plain Python.

The twin of baselines/learning/td/td_network.py. Run: python examples/twins/td_network.py

V(x) is what a seat that has just moved into position x can expect from there on: the output of a
small network whose inputs describe x as that seat sees it. x is where a seat's turn led, x' where
its next turn leads, r what it was paid in between, by the other's reply and by that next turn. A
position in which the game is over is worth 0.

    delta <- r + discount V(x') - V(x)
    e     <- discount trace_decay e + dV(x)/dw        for each weight w; trace_decay is lambda
    w     <- w + step_size chi(delta) e

    chi(d) = (1 - kappa) d  if d > 0,  else (1 + kappa) d

With kappa below 0 good surprises count for more, and the player seeks risk. An action is chosen by
what it pays plus discount V(where it leads). The network has one hidden layer:

    y_j = sigmoid(sum_i a_ij x_i + b_j),    V = tanh(sum_j c_j y_j)
    dV/dc_j  = (1 - V^2) y_j
    dV/db_j  = (1 - V^2) c_j y_j (1 - y_j)
    dV/da_ij = (1 - V^2) c_j y_j (1 - y_j) x_i

Two seats play each other and train the same network. Each has its own traces, new in every game.

Sources: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988;
G. Tesauro, "Practical issues in temporal difference learning", 1992; for chi O. Mihatsch,
R. Neuneier, "Risk-sensitive reinforcement learning", 2002, as used by P. Campos, thesis on Abalearn
(Technical University of Lisbon, about 2003), algorithm 2 and eq. 6.1.
"""

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform


def make_network(inputs, hidden, span, rng):
    """The weights a, b, c of the equations, drawn from -span to span."""
    drawn = np.array([span * (2.0 * uniform(rng) - 1.0) for _ in range((inputs + 2) * hidden)])
    a, b, c = np.split(drawn, [inputs * hidden, (inputs + 1) * hidden])
    return [a.reshape(inputs, hidden), b, c]


def hidden_units(net, x):
    """The outputs y of the hidden units."""
    return 1.0 / (1.0 + np.exp(-(x @ net[0] + net[1])))


def value(net, x):
    """V for the inputs x."""
    return float(np.tanh(hidden_units(net, x) @ net[2]))


def gradient(net, x):
    """The gradient dV/dw, in three parts like the weights."""
    y = hidden_units(net, x)
    slope = 1.0 - np.tanh(y @ net[2]) ** 2
    behind = slope * net[2] * y * (1.0 - y)
    return [np.outer(x, behind), behind, slope * y]


def look_ahead(net, board, discount):
    """(worth, pay, x) of each legal action. x: inputs of where it leads, None if the game ends."""
    seat, found = board.to_play, []
    for action in board.legal_actions:
        board.push(action)
        if board.is_terminal:
            paid = board.returns()[seat]
            found.append((paid, paid, None))
        else:
            x = board.observation(seat).ravel()  # its planes in a row
            found.append((discount * value(net, x), 0.0, x))
        board.pop()
    return found


def choose(worths, epsilon, rng):
    """The index of any action with probability epsilon, else of one of the best."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return draw(rng, len(worths))
    best = [k for k, worth in enumerate(worths) if worth == max(worths)]
    return best[draw(rng, len(best))] if len(best) > 1 else best[0]


def learn(net, traces, x, reward, following, *, step_size, discount, decay, kappa):
    """One update. following: the inputs of x', None at the end of the game. Returns the traces."""
    delta = reward + (0.0 if following is None else discount * value(net, following)) - value(net, x)
    traces = [decay * e + g for e, g in zip(traces, gradient(net, x), strict=True)]
    change = step_size * ((1.0 - kappa) * delta if delta > 0.0 else (1.0 + kappa) * delta)
    for w, e in zip(net, traces, strict=True):
        w += change * e
    return traces


def train(episodes=2000, *, hidden=10, span=0.5, step_size=0.1, discount=0.9, trace_decay=0.7, epsilon=0.1, kappa=0.0, seed=1):
    """Plays and learns; both seats train one network, which is returned."""
    net = make_network(Board("TicTacToe").observation().size, hidden, span, stream(seed, 3))
    rates = {"step_size": step_size, "discount": discount, "decay": discount * trace_decay, "kappa": kappa}
    rng = stream(seed, 0)
    for _ in range(episodes):
        board, last, traces = Board("TicTacToe"), [None, None], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
        while not board.is_terminal:
            seat, ahead = board.to_play, look_ahead(net, board, discount)
            k = choose([worth for worth, _, _ in ahead], epsilon, rng)
            _, paid, x = ahead[k]
            if last[seat] is not None:
                traces[seat] = learn(net, traces[seat], last[seat], paid, x, **rates)
            last[seat] = x
            board.push(board.legal_actions[k])
        for seat, paid in enumerate(board.returns()):
            if last[seat] is not None:  # None: this seat ended the game itself
                learn(net, traces[seat], last[seat], paid, None, **rates)
    return net


def play_random(net, games, seed, discount=0.9):
    """[won, drawn, lost] games of the greedy network against random play, taking turns to begin."""
    rng, results = stream(seed), [0, 0, 0]
    for game in range(games):
        board, seat = Board("TicTacToe"), game % 2
        while not board.is_terminal:
            worths = [worth for worth, _, _ in look_ahead(net, board, discount)]
            k = worths.index(max(worths)) if board.to_play == seat else draw(rng, len(worths))
            board.push(board.legal_actions[k])
        results[1 - int(board.returns()[seat])] += 1
    return results


def main(episodes=2000, games=300):
    """Trains players that differ in kappa, and plays them against random moves."""
    for kappa in (0.0, -0.5, 0.5):
        won, drawn, lost = play_random(train(episodes, kappa=kappa), games, seed=2)
        print(f"kappa {kappa:4}: against random play {won} won, {drawn} drawn, {lost} lost")


if __name__ == "__main__":
    main()
