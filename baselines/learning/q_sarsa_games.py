"""Games that a network plays against itself, and the targets that Q-Sarsa(lambda) makes of them; compiled.

Actions of games are kept, not positions: what the present network thinks of each decision is computed when targets are made.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.evaluation import horizon_of
from boardgym.baselines.search.uct_values import estimate
from boardgym.compile import inner, kernel
from boardgym.core import engine, verbs
from boardgym.core.random import draw_by_weight, softmax_weights


class Returns(NamedTuple):
    """scale: turns returns into values in [-1, 1]."""

    scale: float


class Decisions(NamedTuple):
    """What a network thinks of N decisions of games, one game after another.

    taken, best: float64 (N,), Q(s, a) of the action that was taken, and of the best one. seats: int64 (N,), that decided.
    rows: int64 (N, fields), the positions that the actions led to.
    """

    taken: NDArray[np.float64]
    best: NDArray[np.float64]
    seats: NDArray[np.int64]
    rows: NDArray[np.int64]


def make_decisions(count: int, fields: int) -> Decisions:
    """Room for so many decisions, in a game whose positions have so many fields."""
    return Decisions(np.zeros(count), np.zeros(count), np.zeros(count, np.int64), np.zeros((count, fields), np.int64))


@inner
def weigh_actions(
    returns: Returns,
    horizon: Any,
    position: Any,
    moves: NDArray[np.int64],
    count: int,
    temperature: float,
    weights: NDArray[np.float64],
) -> float:
    """Writes e^(Q(s, a) / temperature) of each of `count` actions, Q less the greatest. Returns their sum."""
    seat = verbs.to_play(position)
    for i in range(count):
        weights[i] = estimate(returns, horizon, verbs.apply(position, int(moves[i])), seat)
    return softmax_weights(weights, count, temperature, weights)


@kernel
def play_kernel(
    game: Any,
    row: NDArray[np.int64],
    data: Any,
    scale: float,
    temperature: float,
    rng: NDArray[np.uint64],
    moves: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> int:
    """Plays a game whose actions are drawn by softmax of Q. Returns its length in plies.

    row: where it begins. data: of the evaluation. scale: of `Returns`. temperature: above 0. rng: stream, advanced. moves:
    scratch for legal actions. actions: int64 (plies,), filled; a game that is as long is cut there.
    """
    position = verbs.unpack(game, row)
    horizon, returns, plies = horizon_of(data, position), Returns(scale), 0
    weights, keys = np.empty(moves.shape[0]), np.empty(actions.shape[0], np.int64)
    while plies < actions.shape[0]:
        count = verbs.legal_actions(position, moves)
        key = engine.key_of(position)
        if count == 0 or engine.is_repetition(position, key, keys, plies):
            break
        keys[plies] = key
        total = weigh_actions(returns, horizon, position, moves, count, temperature, weights)
        actions[plies] = moves[draw_by_weight(weights, count, total, rng)]
        position = verbs.apply(position, int(actions[plies]))
        plies += 1
    return plies


@kernel
def replay_kernel(
    game: Any,
    row: NDArray[np.int64],
    data: Any,
    scale: float,
    actions: NDArray[np.int64],
    ends: NDArray[np.int64],
    limit: int,
    moves: NDArray[np.int64],
    found: Decisions,
) -> None:
    """Fills `found` with what an evaluation says of the decisions of games that all begin at `row`.

    actions: int64 (N,), of all games. ends: int64 (games,), where each of them ends in it. limit: plies after which games were
    cut, which is worth 0; a repetition is worth what the game pays for it. moves: scratch for legal actions.
    """
    returns, first, start = Returns(scale), 0, verbs.unpack(game, row)
    horizon = horizon_of(data, start)
    for g in range(ends.shape[0]):
        position = start
        for t in range(first, ends[g]):
            seat, count, best = verbs.to_play(position), verbs.legal_actions(position, moves), -np.inf
            for i in range(count):
                after = verbs.apply(position, int(moves[i]))
                if moves[i] != actions[t]:
                    best = max(best, estimate(returns, horizon, after, seat))
                    continue
                if t < ends[g] - 1 or verbs.is_terminal(after):
                    found.taken[t] = estimate(returns, horizon, after, seat)
                else:
                    found.taken[t] = 0.0 if t - first + 1 == limit else verbs.draw_returns(after, seat) * scale
                best = max(best, found.taken[t])
            position = verbs.apply(position, int(actions[t]))
            found.best[t], found.seats[t] = best, seat
            verbs.pack(position, found.rows[t])
        first = ends[g]


@kernel
def lambda_returns(
    taken: NDArray[np.float64],
    best: NDArray[np.float64],
    seats: NDArray[np.int64],
    ends: NDArray[np.int64],
    sigma: float,
    discount: float,
    trace_decay: float,
    out: NDArray[np.float64],
) -> None:
    """Fills out, float64 (N,), with G of each decision, by the equations of `q_sarsa.py`.

    taken, best, seats: of `Decisions`. ends: int64 (games,). sigma, discount, trace_decay: in [0, 1].
    """
    first = 0
    for g in range(ends.shape[0]):
        last = ends[g] - 1
        out[last] = taken[last]  # what the game pays
        for t in range(last - 1, first - 1, -1):
            mixed = (1.0 - sigma) * best[t + 1] + sigma * taken[t + 1]
            following = (1.0 - trace_decay) * mixed + trace_decay * out[t + 1]
            out[t] = discount * (following if seats[t + 1] == seats[t] else -following)
        first = ends[g]
