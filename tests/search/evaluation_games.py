"""Searches with evaluations against search by definition, and who wins with them: run by `test_evaluations.py`."""

from typing import NamedTuple

import numpy as np
from search_games import SHUTTLE, TWICE, Shuttle, Twice, board_at, random_boards

from boardgym.baselines.arena.match import play_match
from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.baselines.search.evaluations import evaluation_of, named_evaluation, register_evaluation
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import rule
from boardgym.testing.dice import DICE, Dice

HOME = "sssss/ssssss/2sss2"
PUSHED = "1ssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 1 0 {} 0"


class Lopsided(NamedTuple):
    """Not one seat's loss the other's gain, so that it shows who was asked. weight: of the seat."""

    weight: float = 0.3


@rule(Lopsided)
def evaluate(evaluation, position, seat, room):
    return (int(verbs.key(position)) % 101) / 200.0 - 0.1 + evaluation.weight * seat


register_evaluation("lopsided", Lopsided)


def by_definition(board, evaluation, mover, left):
    """Value for `mover`, who has moved into a position of a game without chance: minimax without bounds, order or table."""
    if board.is_terminal:
        return board.returns()[mover] / board.game.max_return
    if left == 0:
        return evaluation(board, mover)
    player, found = board.to_play, []
    for action in board.legal_actions:
        board.push(action)
        found.append(by_definition(board, evaluation, player, left - 1))
        board.pop()
    return max(found) if player == mover else -max(found)


def check_searches():
    for board in (board_at(TWICE, Twice(9, 0)), board_at(TWICE, Twice(10, 3)), *random_boards("TicTacToe-v0", 2, (1, 4), 5)):
        evaluation = named_evaluation("lopsided(weight=0.25)", board.game)
        for depth in (1, 2, 3):
            values = {}
            seat = board.to_play
            for action in board.legal_actions:
                board.push(action)
                values[action] = by_definition(board, evaluation, seat, depth - 1)
                board.pop()
            for spec in (
                f"minimax:{depth},",
                f"minimax:{depth},order=heuristic,pvs=1,",
                f"expectiminimax:{depth},depth=plies,",
            ):
                found = make_policy(f"{spec}evaluation=lopsided(weight=0.25)", board.game, seed=1).analyse(board)
                assert abs(found.value - max(values.values())) < 1e-12, (spec, board.fen(), found, values)
                assert abs(values[found.action] - found.value) < 1e-12, (spec, board.fen())


def check_dice():
    """Where chance is to act at the depth, minimax and expectiminimax ask for the seat that has moved."""
    board = board_at(DICE, Dice(2, 3, 1, 2))
    after = [verbs.apply(board.position, action) for action in board.legal_actions]
    assert all(verbs.to_play(position) == verbs.CHANCE for position in after)
    values = [evaluate(Lopsided(), position, 1, ()) for position in after]
    for spec in ("minimax:1", "minimax:1,pvs=1", "expectiminimax:1"):
        assert make_policy(f"{spec},evaluation=lopsided", DICE, seed=1).analyse(board).value == max(values)


def check_networks():
    """A network's value by hand, whatever its output; and an agent says the same of where its actions lead."""
    game = get_game("TicTacToe-v0")
    features = feature_map("planes", game)
    for kind in ("sigmoid", "tanh"):
        net = pn.make_perceptron([len(features.names), 1], [kind])
        net.weights[:] = np.linspace(-0.5, 0.7, len(net.weights))
        for pays in (None, [3.0, 1.0, -1.0], [1.0, 0.0, -0.5]):
            agent = NetworkAgent(features, net, {"discount": 1.0, "adds_reward": 1, "pays": pays}, seed=1)
            evaluation = evaluation_of(features, net, pays=None if pays is None else (pays[0], pays[2]))
            for board in random_boards(game, 3, (1, 4), 2):
                for seat in (0, 1):
                    total = features(board, seat) @ net.weights[:-1] + net.weights[-1]
                    v = 1.0 / (1.0 + np.exp(-total)) if kind == "sigmoid" else np.tanh(total)
                    wanted = v if pays is None else 2.0 * (v - pays[2]) / (pays[0] - pays[2]) - 1.0
                    assert abs(evaluation(board, seat) - wanted) < 1e-12
                check_agent(agent, evaluation, board)
    game = get_game("Abalone-v0", rewards="material")
    features = feature_map("espacial", game)
    net = pn.make_perceptron([8, 1], ["sigmoid"], biases=False)
    board = Board(game, "sssss/ssssss/2sss2/8/9/8/2SS3/SSSSSS/SSSSS 0 1 w 3")
    evaluation = evaluation_of(features, net)
    assert abs(evaluation(board, 0) - (-1 + 0.5) / 6) < 1e-12
    assert abs(evaluation(board, 1) - (1 + 0.5) / 6) < 1e-12
    agent = NetworkAgent(features, net, {"discount": 1.0, "adds_reward": 1, "pays": None}, seed=1)
    assert abs(agent.evaluate(board) - (1 + 0.5) / 6) < 1e-12  # one marble ahead, and none to be pushed off
    check_agent(agent, evaluation, board)


def check_agent(agent, evaluation, board):
    """What an agent makes of its actions is what the evaluation says of where they lead."""
    seat, found = board.to_play, agent.analyse(board)
    for action, value in found.action_values.items():
        board.push(action)
        if not board.is_terminal:
            assert abs(value - evaluation(board, seat)) < 1e-12, (board.fen(), value)
        board.pop()
    assert agent.evaluate(board) == found.value == max(found.action_values.values())


def check_abalone():
    """Both evaluations of Abalone by hand: for black, and the opposite for white, whoever is to play."""
    for position, name, black in (
        # rows a and b have 5 + 2 marbles at distance 4 and 4 at 3, row c three at 2: 46 on either side
        (f"{HOME}/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0", "distance", 0.0),
        # e5 in place of a5: 4 steps nearer
        (f"{HOME}/8/4S4/8/2SSS2/SSSSSS/SSSS1 0 0 w 0", "distance", 4.0),
        # a white marble from the rim (4) off the board: as printed h falls by that, with 5 and 8 it rises
        (PUSHED.format("w"), "distance(off_board=0)", -4.0),
        (PUSHED.format("w"), "distance", 1.0),
        (PUSHED.format("b"), "distance(off_board=8)", 4.0),
        (PUSHED.format("b"), "terminator(position=0, cohesion=0, danger=0)", 10.0),
        (PUSHED.format("w"), "terminator(cohesion=0, danger=0, material=3)", 3.0 - 4.0),
        # a5 was the neighbour of a4, b5 and b6, e5 is nobody's
        (f"{HOME}/8/4S4/8/2SSS2/SSSSSS/SSSS1 0 0 b 0", "terminator(position=0)", -1.5),
        (f"{HOME}/8/4S4/8/2SSS2/SSSSSS/SSSS1 0 0 b 0", "terminator", 4.0 - 1.5),
        # white on a5 can be pushed off along row a, and from c5
        ("sssss/ssssss/2ss3/8/9/3SS3/2SSS2/SSSSS1/SSSSs 0 0 b 0", "terminator(position=0, cohesion=0, danger=2)", 2.0),
        ("sssss/ssssss/2ss3/8/9/3SS3/2SSS2/SSSSS1/SSSSs 0 0 w 0", "terminator(position=0, cohesion=0, danger=2)", 2.0),
    ):
        evaluation, board = named_evaluation(name, "Abalone-v0"), Board("Abalone-v0", position)
        wanted = black / 256.0 if name.startswith("distance") else black / (25.0 + abs(black))
        assert evaluation(board, 0) == wanted, (position, name, evaluation(board, 0), wanted)
        assert evaluation(board, 1) == -wanted, (position, name)


def check_avoiding():
    """The cart's best step leads to where it has been: with avoid= it goes where it has not, unless that step wins."""
    for avoid, wanted in (("", 1), (",avoid=0.5", 2)):
        board = board_at(SHUTTLE, Shuttle(1, 0))
        for action in (1, 0):  # to 2 and back to 1
            board.push(action)
        assert board.position == Shuttle(1, 0)
        policy = make_policy(f"minimax:1,pvs=1{avoid}", SHUTTLE, seed=1)
        assert policy.act(board, deterministic=True) == wanted, avoid
    board = board_at(SHUTTLE, Shuttle(3, 0))
    assert make_policy("minimax:1,avoid=0.5", SHUTTLE, seed=1).act(board) == 1


def wins(off_board, games):
    """How many of some games against random play the thesis's minimax player wins, half of them as seat 1."""
    policy = make_policy(f"minimax:1,evaluation=distance(off_board={off_board})", "Abalone-v0", seed=1)
    match = play_match(policy, make_policy("random", "Abalone-v0", seed=2), "Abalone-v0", games=games, seed=1, max_plies=150)
    return sum(game.record.returns[game.seat] > 0 for game in match.games)


if __name__ == "__main__":
    check_searches()
    check_dice()
    check_networks()
    check_abalone()
    check_avoiding()
    print(wins(8, 4), wins(0, 2), flush=True)
