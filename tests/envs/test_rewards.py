"""Draws that pay: environments and the board agree. Options: what no name of one may be."""

import dataclasses

import numpy as np
import pytest

from boardgym import Board, BoardGameEnv, OptionError, get_game, rule
from boardgym.testing import check_game
from tests.core.shuttle import SHUTTLE, Shuttle


class PaidDraw(Shuttle):
    """A draw by repetition is worth half a point to the first seat."""

    __slots__ = ()


@rule(PaidDraw)
def draw_returns(position, seat):
    return 0.5 if seat == 0 else -0.5


@pytest.mark.plain(boards=True)
def test_a_draw_by_repetition_that_pays():
    start = PaidDraw(*SHUTTLE.start)
    game = dataclasses.replace(SHUTTLE, name="PaidDraw", position_class=PaidDraw, start=start, setups={})
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
