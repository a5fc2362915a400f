"""TD(lambda) on afterstates with an n-tuple network and temporal coherence, in plain Python.

The twin of baselines/learning/ntuple/ntuple.py. Run: python examples/twins/ntuple.py

V(s) is what the seat that has moved into s may expect, from -1 (a loss) to 1 (a win):

    V(s) = tanh( sum of the weights that s reads )

A tuple is a few cells of the board, and has a table with a weight for each of their states: a cell
is empty (0), mine (1) or theirs (2), and cells c1, c2 ... have the index c1 + 3 c2 + 9 c3 + ...
All images of a tuple under the symmetries of the board read the same table. Each seat has its own.

A seat plays the action of the greatest value, with probability epsilon any. After the game its
afterstates s_t learn, from the last to the first:

    G_t = -( (1 - lambda) V(s_t+1) + lambda G_t+1 ),  or what the game pays, if it ends at ply t + 1
    d   = (G_t - V(s_t)) (1 - V(s_t)^2)
    w  <- w + alpha a(|N| / A) / M d,    N <- N + d,    A <- A + |d|        for each of M weights w

a(x) = e^(2.7 (x - 1)), 1 while A = 0: a weight whose changes agree moves at full speed, one that is
pushed to and fro slows down. Before a random ply that is not among the best nothing is learnt,
except where a seat of `through` played it.

Sources: S. M. Lucas, "Learning to play Othello with n-tuple systems", 2008; D. F. Beal, M. C. Smith,
"Temporal coherence and prediction decay in TD learning", 1999; S. Bagheri, M. Thill, P. Koch,
W. Konen, "Online adaptable learning rates for the game Connect-4", 2014.
"""

import math

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform

TUPLES = ((0, 1, 2), (0, 4, 8), (1, 4, 7), (0, 1, 3, 4))  # an edge, a diagonal, a middle line, a square in the corner


def turned(cell, k):
    """Where symmetry k sends a cell: k % 4 quarter turns clockwise, then a mirror if k >= 4."""
    row, column = divmod(cell, 3)
    for _ in range(k % 4):
        row, column = column, 2 - row
    return row * 3 + (2 - column if k >= 4 else column)


def readers(tuples):
    """What reads the tables: (the place where a table begins, the cells) of every tuple and its different images."""
    found, start = [], 0
    for cells in tuples:
        images = dict.fromkeys(tuple(turned(cell, k) for cell in cells) for k in range(8))
        found += [(start, image) for image in images]
        start += 3 ** len(cells)
    return found, start


def places(board, seat, images):
    """The places of the weights that a position reads, as a seat sees it."""
    planes = board.observation(seat)
    states = (planes[..., 0] + 2 * planes[..., 1]).ravel().tolist()
    return [start + sum(states[cell] * 3**n for n, cell in enumerate(image)) for start, image in images]


def value(weights, where):
    """V of the places that a position reads; in four sums, which processors add up beside each other."""
    found = weights[where].astype(float).tolist()
    a, b, c, d = (sum(found[k::4]) for k in range(4))
    return math.tanh((a + b) + (c + d))


def best_of(values, rng):
    """The number of the greatest value, one of equals at random."""
    best = [k for k, one in enumerate(values) if one == max(values)]
    return best[draw(rng, len(best))] if len(best) > 1 else best[0]


def look(net, board, images):
    """(value, places) of each legal action for the seat to play."""
    seat, found = board.to_play, []
    for action in board.legal_actions:
        after = board.copy()
        after.push(action)
        where = places(after, seat, images)
        found.append((after.returns()[seat] if after.is_terminal else value(net[0][seat], where), where))
    return found


def learn(net, seat, where, target, alpha):
    """One update of the weights that a position reads."""
    weights, nets, sums = (part[seat] for part in net)
    v = value(weights, where)
    d = (target - v) * (1.0 - v * v)
    known = [(abs(float(nets[place])), float(sums[place])) for place in where]
    for place, (n, a) in zip(where, known, strict=True):
        share = math.exp(2.7 * (n / a - 1.0)) if a > 0.0 else 1.0
        weights[place] += np.float32(alpha / len(where) * d * share)
        nets[place] += np.float32(d)
        sums[place] += np.float32(abs(d))


def play(net, images, rng, epsilon, alpha, trace_decay, through):
    """A game, and what is learnt from it."""
    board, plies = Board("TicTacToe"), []
    while not board.is_terminal:
        seat, known = board.to_play, look(net, board, images)
        k = best = best_of([v for v, _ in known], rng)
        if uniform(rng) < epsilon:
            k = draw(rng, len(known))
        plies.append((seat, *known[k], known[k][0] < known[best][0] and seat not in through))
        board.push(board.legal_actions[k])
    gain = None
    for t in range(len(plies) - 2, -1, -1):
        (seat, _, where, _), (_, after, _, is_explored) = plies[t], plies[t + 1]
        if t == len(plies) - 2:
            gain = board.returns()[seat]
        elif is_explored:
            gain = None
            continue
        else:
            gain = -after if gain is None else -(after + trace_decay * (gain - after))
        learn(net, seat, where, gain, alpha)


def train(games, *, epsilon=0.1, alpha=3.0, trace_decay=0.8, through=(), tuples=TUPLES, seed=1):
    """Plays and learns. Returns weights, N and A, float32 (2, W) each."""
    images, count = readers(tuples)
    net, rng = [np.zeros((2, count), np.float32) for _ in range(3)], stream(seed, 1)
    for _ in range(games):
        play(net, images, rng, epsilon, alpha, trace_decay, through)
    return net


def main(games=1500, tests=300):
    """Trains with lambda 0 and 0.8, and plays each against random moves."""
    for trace_decay in (0.0, 0.8):
        net, images, rng = train(games, trace_decay=trace_decay), readers(TUPLES)[0], stream(2)
        ends = []
        for game in range(tests):
            board, own = Board("TicTacToe"), game % 2
            while not board.is_terminal:
                known = [v for v, _ in look(net, board, images)]
                k = best_of(known, rng) if board.to_play == own else draw(rng, len(known))
                board.push(board.legal_actions[k])
            ends.append(board.returns()[own])
        print(f"lambda {trace_decay}: against random play {ends.count(1.0)} won, {ends.count(-1.0)} lost of {tests}")


if __name__ == "__main__":
    main()
