"""TD(0) and TD(lambda) over a table of afterstates, in plain Python.

The twin of baselines/learning/tabular/td.py. Run: python examples/twins/td.py

V(x) is what a seat that has just moved into position x, an afterstate, can expect from there on.
The best action leads to the greatest V. Actions that lead to the same position share what is
learnt. A position in which the game is over needs no entry: its value is the outcome.

x is where a seat's turn led, x' where its next turn leads, r what it was paid in between.

    error <- r + discount V(x') - V(x)
    e(y)  <- discount trace_decay e(y)               for all positions y; trace_decay is lambda
    e(x)  <- e(x) + 1                                accumulating traces; replacing traces: <- 1
    V(y)  <- V(y) + step_size error e(y)             for all positions y with a trace

With lambda 0 only V(x) changes: TD(0). Two seats play each other and learn in the same table.
Each has its own traces, new in every game.

Sources: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988; for
afterstates R. S. Sutton, A. G. Barto, "Reinforcement Learning: An Introduction", 2nd edition,
2018, section 6.8.
"""

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform

LEARNER = 0  # the seat that plays greedily in the second phase
LEAST_TRACE = 1e-4  # smaller ones are dropped


def single(number):
    """A number in single precision, as the compiled table stores its values."""
    return float(np.float32(number))


def outcome(board, seat, pays):
    """What the end of the game is worth to a seat. pays: of a win, a draw, a loss."""
    result = board.returns()[seat]
    return pays[0] if result > 0 else pays[2] if result < 0 else pays[1]


def look_ahead(v, board, pays):
    """(value, afterstate) of each legal action; no afterstate where the game is over."""
    seat, found = board.to_play, []
    for action in board.legal_actions:
        board.push(action)
        after = None if board.is_terminal else (board.position, seat)
        found.append((outcome(board, seat, pays) if after is None else v.get(after, 0.0), after))
        board.pop()
    return found


def choose(values, epsilon, rng):
    """The index of any action with probability epsilon, else of one of the best."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return draw(rng, len(values))
    best = [k for k, value in enumerate(values) if value == max(values)]
    return best[draw(rng, len(best))] if len(best) > 1 else best[0]


def learn(v, traces, x, target, step_size, decay, *, replaces=False):
    """Moves V(x) towards a target, and V of the positions before it by their traces."""
    error = target - v.setdefault(x, 0.0)
    for y in list(traces):
        traces[y] *= decay
        if traces[y] < LEAST_TRACE:
            del traces[y]
    traces[x] = 1.0 if replaces else traces.get(x, 0.0) + 1.0
    for y, trace in traces.items():
        v[y] = single(v[y] + step_size * error * trace)


def train(
    episodes=2000,
    greedy_episodes=2000,
    *,
    step_size=0.7,
    discount=0.7,
    trace_decay=0.7,
    replaces=False,
    epsilon=0.3,
    pays=(100.0, 0.0, -50.0),
    seed=1,
):
    """Plays and learns. Returns the table, (position, seat that has moved into it) -> value.

    trace_decay: lambda. replaces: whether traces are replacing ones, which makes no difference in
    tic-tac-toe, where no position occurs twice in a game. pays: what a win, a draw and a loss are
    worth.
    """
    v, rng, decay = {}, stream(seed, 0), discount * trace_decay
    for episode in range(episodes + greedy_episodes):
        board, last, traces = Board("TicTacToe"), [None, None], ({}, {})  # last: where each seat's latest turn led
        while not board.is_terminal:
            seat, ahead = board.to_play, look_ahead(v, board, pays)
            rate = 0.0 if episode >= episodes and seat == LEARNER else epsilon
            k = choose([value for value, _ in ahead], rate, rng)
            value, after = ahead[k]
            if last[seat] is not None:  # now we know x'
                learn(v, traces[seat], last[seat], discount * value, step_size, decay, replaces=replaces)
            last[seat] = after
            board.push(board.legal_actions[k])
        for seat in (0, 1):
            if last[seat] is not None:  # None: this seat ended the game itself
                learn(v, traces[seat], last[seat], outcome(board, seat, pays), step_size, decay, replaces=replaces)
    return v


def play_random(v, games, seed, pays=(100.0, 0.0, -50.0)):
    """[won, drawn, lost] games of the greedy learner against random replies."""
    rng, results = stream(seed), [0, 0, 0]
    for _ in range(games):
        board = Board("TicTacToe")
        while not board.is_terminal:
            legal = board.legal_actions
            if board.to_play == LEARNER:
                values = [value for value, _ in look_ahead(v, board, pays)]
                board.push(legal[values.index(max(values))])
            else:
                board.push(legal[draw(rng, len(legal))])
        results[1 - int(board.returns()[LEARNER])] += 1
    return results


def main(episodes=2000, games=1000):
    """Trains TD(0) and TD(lambda) and plays against random replies."""
    for name, trace_decay in (("TD(0)", 0.0), ("TD(0.7)", 0.7)):
        v = train(episodes, episodes, step_size=0.2, discount=0.9, trace_decay=trace_decay, epsilon=0.1)
        won, drawn, lost = play_random(v, games, seed=2)
        print(f"{name:8} {len(v):,} entries; against random replies {won} won, {drawn} drawn, {lost} lost")


if __name__ == "__main__":
    main()
