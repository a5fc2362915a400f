"""Sarsa and Sarsa(lambda) over a table, in plain Python.

The twin of baselines/learning/tabular/sarsa.py. Run: python examples/twins/sarsa.py

Sarsa is on-policy: where Q-learning takes the best action of the next turn, Sarsa takes the
action a' that is really played there, even if that was exploration. With lambda (`trace_decay`)
above 0 an error also corrects the turns before it, each by its trace e.

    error   <- r + discount Q(s', a') - Q(s, a)
    e(x)    <- discount trace_decay e(x)             for all pairs x = (state, action)
    e(s, a) <- e(s, a) + 1                           accumulating traces; replacing traces: <- 1
    Q(x)    <- Q(x) + step_size error e(x)           for all pairs x with a trace

A seat's next state s' is the one in which it plays again, after the other has replied. Two seats
play each other and learn in the same table. Each has its own traces, new in every game.

Sources: G. A. Rummery, M. Niranjan, "On-line Q-learning using connectionist systems", 1994;
S. P. Singh, R. S. Sutton, "Reinforcement learning with replacing eligibility traces", 1996.
"""

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform

LEARNER = 0  # the seat that plays greedily in the second phase
LEAST_TRACE = 1e-4  # smaller ones are dropped


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


def learn(q, traces, pair, target, step_size, decay, *, replaces=False):
    """Moves Q of a pair (state, action) towards a target, and those before it by their traces."""
    error = target - q.setdefault(pair, 0.0)
    for x in list(traces):
        traces[x] *= decay
        if traces[x] < LEAST_TRACE:
            del traces[x]
    traces[pair] = 1.0 if replaces else traces.get(pair, 0.0) + 1.0
    for x, trace in traces.items():
        q[x] = single(q[x] + step_size * error * trace)


def train(
    episodes=3000,
    greedy_episodes=3000,
    *,
    step_size=0.7,
    discount=0.7,
    trace_decay=0.7,
    replaces=False,
    epsilon=0.3,
    pays=(100.0, 0.0, -50.0),
    seed=1,
):
    """Plays and learns. Returns the table, (state, action) -> value.

    trace_decay: lambda; 0 is plain Sarsa. replaces: whether traces are replacing ones, which makes
    no difference in tic-tac-toe, where no pair occurs twice in a game. pays: what a win, a draw
    and a loss are worth.
    """
    q, rng, decay = {}, stream(seed, 0), discount * trace_decay
    for episode in range(episodes + greedy_episodes):
        board, last, traces = Board("TicTacToe"), [None, None], ({}, {})  # last: each seat's latest pair
        while not board.is_terminal:
            seat, state, legal = board.to_play, board.position, board.legal_actions
            rate = 0.0 if episode >= episodes and seat == LEARNER else epsilon
            action = choose(values_of(q, state, legal), legal, rate, rng)
            if last[seat] is not None:  # now we know a'
                target = discount * q.get((state, action), 0.0)
                learn(q, traces[seat], last[seat], target, step_size, decay, replaces=replaces)
            last[seat] = state, action
            board.push(action)
        for seat, result in enumerate(board.returns()):
            reward = pays[0] if result > 0 else pays[2] if result < 0 else pays[1]
            learn(q, traces[seat], last[seat], reward, step_size, decay, replaces=replaces)
    return q


def play_random(q, games, seed):
    """[won, drawn, lost] games of the greedy learner against random replies."""
    rng, results = stream(seed), [0, 0, 0]
    for _ in range(games):
        board = Board("TicTacToe")
        while not board.is_terminal:
            legal = board.legal_actions
            if board.to_play == LEARNER:
                values = values_of(q, board.position, legal)
                board.push(legal[values.index(max(values))])
            else:
                board.push(legal[draw(rng, len(legal))])
        results[1 - int(board.returns()[LEARNER])] += 1
    return results


def main(episodes=3000, games=1000):
    """Trains without traces and with them, and plays against random replies."""
    for name, trace_decay in (("Sarsa", 0.0), ("Sarsa(0.7)", 0.7)):
        q = train(episodes, episodes, step_size=0.2, discount=0.9, trace_decay=trace_decay, epsilon=0.1)
        won, drawn, lost = play_random(q, games, seed=2)
        print(f"{name:10} {len(q):,} entries; against random replies {won} won, {drawn} drawn, {lost} lost")


if __name__ == "__main__":
    main()
