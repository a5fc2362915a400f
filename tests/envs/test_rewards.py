"""Games that pay on the way, and draws that pay: environments, native batches and the board agree."""

import dataclasses

import numpy as np
import pytest

from boardgym import Board, BoardGameEnv, Game, OptionError, SingleAgentEnv, get_game, rule
from boardgym.envs.vector import VectorEnv
from boardgym.testing import check_game
from tests.core.shuttle import SHUTTLE, Shuttle


class Paying(Shuttle):
    """Each ply up pays its seat a quarter, which the other loses; no repetition ends the game."""

    __slots__ = ()
    LIMIT = 0


@rule(Paying)
def reward(position, seat):
    earned = 0.25 if position.other == 1 else 0.0
    return -earned if seat == position.seat else earned


class PaidDraw(Shuttle):
    """A draw by repetition is worth half a point to the first seat."""

    __slots__ = ()


@rule(PaidDraw)
def draw_returns(position, seat):
    return 0.5 if seat == 0 else -0.5


def variant_of(kind) -> Game:
    start = kind(*SHUTTLE.start)
    return dataclasses.replace(SHUTTLE, name=kind.__name__, position_class=kind, start=start, setups={})


def test_native_batches_pay_on_the_way():
    game = variant_of(Paying)
    native, single = VectorEnv(game, 1, opponent="random"), SingleAgentEnv(game, opponent="random")
    native.reset(seed=3)
    single.reset(seed=3)
    paid = []
    for action in (0, 1, 0, 1, 1):
        if not single.board.is_terminal and action in single.board.legal_actions:
            expected = single.step(action)
            _, rewards, terminated, _, _ = native.step(np.array([action]))
            assert rewards[0] == expected[1]
            assert terminated[0] == expected[2]
            paid.append(rewards[0])
    assert any(paid)


def test_a_draw_by_repetition_that_pays():
    game = variant_of(PaidDraw)
    env = BoardGameEnv(game)
    env.reset()
    total = np.zeros(2)
    for move in ("down", "down", "up", "up") * 2:
        env.step(env.board.action_of(move))
        total += [env.rewards[agent] for agent in env.possible_agents]
    assert env.board.reason.name == "REPETITION"
    assert total.tolist() == env.board.returns() == [0.5, -0.5]
    assert env.infos["player_0"]["outcome"] == 1
    assert check_game(game, games=6) > 10


@pytest.mark.parametrize("name", ["self", "game", "options"])
def test_no_option_name_is_a_parameter(name):
    with pytest.raises(OptionError, match=f"no option '{name}'"):
        get_game("Othello-v0", **{name: 3})
    with pytest.raises(OptionError, match="at most 2147483647"):
        Board("Abalone-v0", repetition_limit=10**30)
