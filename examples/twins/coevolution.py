"""Co-evolution by hill climbing with a linear player, in plain Python.

The twin of baselines/learning/coevolution.py. Run: python examples/twins/coevolution.py

    C <- 0
    in each generation:
        M <- C + normal(0, noise) in each weight
        C and M play some games, taking turns to begin
        if M wins more than half of them: C <- C + step (M - C)

C is the champion, M the mutant. A player looks at the positions that its actions lead to and takes
the one with the greatest o; with probability epsilon it plays any action. x are the features of
the position for the seat that has moved into it.

    o = 2 / (1 + e^(-net)) - 1 = tanh(net / 2),    net = sum_i w_i x_i

Source: J. B. Pollack, A. D. Blair, "Co-evolution in the successful learning of backgammon
strategy", Machine Learning 32, 1998, in the form of section 3.3 of P. Campos's thesis on Abalearn
(Technical University of Lisbon, about 2003).
"""

import math

import numpy as np

from boardgym import Board
from boardgym.core.random import draw, stream, uniform


def normals(rng, count):
    """Standard normal numbers, in pairs from two uniform ones (Box and Muller, 1958)."""
    found = []
    while len(found) < count:
        radius, angle = math.sqrt(-2.0 * math.log(1.0 - uniform(rng))), 2.0 * math.pi * uniform(rng)
        found += [radius * math.cos(angle), radius * math.sin(angle)]
    return np.array(found[:count])


def rate(weights, board, seat):
    """The output o for a position that a seat has moved into."""
    x = board.observation(seat).ravel()
    return math.tanh(0.5 * float(weights @ x))


def choose(weights, board, epsilon, rng):
    """Any legal action with probability epsilon, else one that leads to the greatest o."""
    legal, seat, rates = board.legal_actions, board.to_play, []
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return legal[draw(rng, len(legal))]
    for action in legal:
        board.push(action)
        rates.append(rate(weights, board, seat))
        board.pop()
    best = [action for action, rated in zip(legal, rates, strict=True) if rated == max(rates)]
    return best[draw(rng, len(best))] if len(best) > 1 else best[0]


def play_game(players, epsilon, rng):
    """The result for seat 0: 1, 0 or -1. players: the weights of both seats."""
    board = Board("TicTacToe")
    while not board.is_terminal:
        board.push(choose(players[board.to_play], board, epsilon, rng))
    return int(board.returns()[0])


def climb(champion, number, *, games, step, noise, epsilon, wins_of, seed):
    """One generation. Returns the champion after it, and the mutant's [won, drawn, lost] games."""
    mutant = champion + noise * normals(stream(seed, 0, number), len(champion))
    results = [0, 0, 0]
    for game in range(games):
        seat = (number * games + game) % 2  # the mutant's
        players = (mutant, champion) if seat == 0 else (champion, mutant)
        result = play_game(players, epsilon, stream(seed, 1, number, game))
        results[1 - (result if seat == 0 else -result)] += 1
    won, _, lost = results
    if won > lost if wins_of == "decided" else 2 * won > games:
        champion = champion + step * (mutant - champion)
    return champion, results


def train(generations=100, *, games=4, step=0.05, noise=0.1, epsilon=0.05, wins_of="all", seed=1):
    """Climbs. Returns the champions, the first with weights of 0, and each generation's results.

    wins_of: whether a mutant must win more than half of "all" games, or of the "decided" ones.
    """
    champions, results = [np.zeros(Board("TicTacToe").observation().size)], []
    for number in range(generations):
        champion, result = climb(
            champions[-1], number, games=games, step=step, noise=noise, epsilon=epsilon, wins_of=wins_of, seed=seed
        )
        champions.append(champion)
        results.append(result)
    return champions, results


def points_against_random(weights, games, seed):
    """Points per game against random play, 1 for a win and 1/2 for a draw."""
    points, still = 0.0, np.zeros_like(weights)
    for game in range(games):
        rng, seat = stream(seed, game), game % 2
        result = play_game((weights, still) if seat == 0 else (still, weights), 0.0, rng)  # 0: all alike
        points += (1 + (result if seat == 0 else -result)) / 2
    return points / games


def main(generations=300, games=400):
    """Climbs, and lets some of the champions play against random moves."""
    champions, results = train(generations, games=10, wins_of="decided")
    followed = sum(won > lost for won, _, lost in results)
    print(f"{generations} generations; in {followed} of them the mutant won, and the champion moved towards it")
    for number in (0, generations // 10, generations // 3, generations):
        points = points_against_random(champions[number], games, seed=2)
        print(f"champion after {number:3} generations: {points:.3f} points a game against random play")


if __name__ == "__main__":
    main()
