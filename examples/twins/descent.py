"""Descent with an n-tuple network: minimax in the trees of games against itself, in plain Python.

The twin of baselines/learning/descent/descent.py. Run: python examples/twins/descent.py

From each position of a game descents begin, until it is solved or so many states are expanded. One
goes to the best action that is not solved, ply by ply, down to a state that is, and adds what it
meets to the tree. To the seat that plays it, an action a is worth

    q(a) = what the game pays, if it ends;  V(s'), if s' is new;  else - max q(b) over the actions of s'
    c(a) = 1 a won game, -1 a lost one, 0 a drawn one or not known; backed up as q is

The better of two actions has the greater c, then q, then more descents. A state is solved if its
best action has c = 1, or if all of its actions lead to solved states. Action i = 0, 1 ... of n, from
the best on, is played with probability

    Pr(i) = (1 - epsilon + epsilon / (n - i)) (1 - Pr(0) - ... - Pr(i - 1))

After the game all states of its tree learn, the deepest first: w <- w + alpha / M (q - V) (1 - V^2)
for each of the M weights w that a state reads. V is the tanh of their sum, as in ntuple.py.

Sources: Q. Cohen-Solal, "Learning to play two-player perfect-information games without knowledge",
arXiv 2008.01188; Q. Cohen-Solal, T. Cazenave, "Minimax strikes back", arXiv 2012.10700.
"""

import math

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, draw_index, stream

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Node:
    """A state: what it is worth to the seat that has moved there, and what it leads to."""

    def __init__(self, board, mover, weights):
        self.board, self.mover, self.children, self.visits = board, mover, [], 0
        self.places = places(board, mover)
        self.is_solved = board.is_terminal
        self.c = int(board.returns()[mover]) if board.is_terminal else 0
        self.q = np.float32(self.c if board.is_terminal else value(weights[mover], self.places))

    def rank(self):
        """What the better of two siblings has more of."""
        return self.c, self.q, self.visits


def places(board, seat):
    """The places of the weights that a position reads, as a seat sees it: a table of 27 for each line."""
    planes = board.observation(seat)
    states = (planes[..., 0] + 2 * planes[..., 1]).ravel().tolist()
    return [27 * t + sum(states[cell] * 3**n for n, cell in enumerate(cells)) for t, cells in enumerate(LINES)]


def value(weights, where):
    """V of the places that a position reads; in four sums, as the compiled learner adds them up."""
    a, b, c, d = (sum(weights[where[k::4]].astype(float).tolist()) for k in range(4))
    return math.tanh((a + b) + (c + d))


def nodes_after(board, weights):
    """The states that the legal actions lead to."""
    after = [board.copy() for _ in board.legal_actions]
    for one, action in zip(after, board.legal_actions, strict=True):
        one.push(action)
    return [Node(one, board.to_play, weights) for one in after]


def settle(node):
    """A state takes the best of what it leads to."""
    best = max(node.children, key=lambda child: (child.c, child.q))
    node.q, node.c = -best.q, -best.c
    node.is_solved = best.c == 1 or all(child.is_solved for child in node.children)


def descend(node, weights, rng):
    """A descent from a state that is not solved. Returns how many states it has expanded."""
    expanded = 0 if node.children else 1
    if expanded:
        node.children = nodes_after(node.board, weights)
        settle(node)
    if not node.is_solved:
        left = [child for child in node.children if not child.is_solved]
        most = max((child.q, -child.visits) for child in left)
        ties = [child for child in left if (child.q, -child.visits) == most]
        child = ties[draw(rng, len(ties))] if len(ties) > 1 else ties[0]
        child.visits += 1
        expanded += descend(child, weights, rng)
        settle(node)
    return expanded


def probabilities(count, epsilon):
    """The ordinal distribution over so many actions, from the best on."""
    found, left = [], 1.0
    for i in range(count):
        found.append((1.0 - epsilon + epsilon / (count - i)) * left)
        left -= found[-1]
    return np.array(found)


def learn(weights, node, alpha):
    """All states below one learn, then itself, if it was expanded or ends the game."""
    for child in node.children:
        if child.children or child.board.is_terminal:
            learn(weights, child, alpha)
            v = value(weights[child.mover], child.places)
            d = (float(child.q) - v) * (1.0 - v * v)
            for place in child.places:
                weights[child.mover][place] += np.float32(alpha / len(child.places) * d)


def play(weights, rng, epsilon, budget, alpha):
    """A game, and what is learnt from its tree. Returns what it pays the seat that begins."""
    line = [Node(Board("TicTacToe"), 1, weights)]
    while not line[-1].board.is_terminal:
        node, expanded = line[-1], 0
        while not node.is_solved and expanded < budget:
            expanded += descend(node, weights, rng)
        ranked = sorted(node.children, key=Node.rank, reverse=True)
        line.append(ranked[draw_index(probabilities(len(ranked), epsilon), rng)])
    for node in line[-2::-1]:
        settle(node)
    learn(weights, line[0], alpha)
    return line[-1].board.returns()[0]


def train(games, *, epsilon=0.3, budget=10, alpha=0.5, seed=1):
    """Plays and learns. Returns the weights of both seats, float32 (2, W), and what the games paid."""
    weights, rng = np.zeros((2, 27 * len(LINES)), np.float32), stream(seed, 1)
    return weights, [play(weights, rng, epsilon, budget, alpha) for _ in range(games)]


def main(games=150, tests=300):
    """Trains with few and with more states a ply, and plays each network, one ply deep, against random moves."""
    for budget in (1, 10):
        weights, rng, ends = train(games, budget=budget)[0], stream(2), []
        for own in [0, 1] * (tests // 2):
            board = Board("TicTacToe")
            while not board.is_terminal:
                after = nodes_after(board, weights)
                board = (max(after, key=Node.rank) if board.to_play == own else after[draw(rng, len(after))]).board
            ends.append(board.returns()[own])
        print(f"budget {budget}: against random play {ends.count(1.0)} won, {ends.count(-1.0)} lost of {tests}")


if __name__ == "__main__":
    main()
