"""TD-Leaf: the leaf against minimax by definition, the weights of depth 1 against TD(lambda), and what it refuses."""

from pathlib import Path

import pytest

from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.td_leaf import check_td_leaf
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from tests.support import run_python


def test_the_leaf_is_that_of_minimax_and_depth_1_is_td(tmp_path):
    """In plain Python, which is quicker than to compile a training for each depth."""
    script = Path(__file__).parent / "leaf_games.py"
    assert run_python(str(script), cache=tmp_path, NUMBA_DISABLE_JIT="1").stdout == "done\n"


def test_it_learns_compiled():
    """Tic-tac-toe with one ply more than TD(lambda), as a training has it: the other's wins are seen, few games lost."""
    trainer = NetworkTrainer(
        NetworkConfig(
            game="TicTacToe-v0",
            option=(),
            features="planes",
            hidden=(20,),
            search_depth=2,
            opponent="random",
            seat="0",
            episodes=3000,
            step_size="0.05",
            discount="1",
            epsilon="0",
            pays_returns=False,
            kappa="0",
            weight_span=0.5,
            output_activation="tanh",
        )
    )
    assert [(it.search_depth, it.total) for it in trainer.phases[0].settings] == [(2, 0.0)] * 2
    trainer.run()
    won, _, lost = trainer.results()[-1].tolist()
    assert trainer.results().sum(axis=1).tolist() == [1000] * 3
    assert won > 850
    assert lost < 30


def test_what_it_refuses():
    check_td_leaf(get_game("Othello-v0"), 2)
    for name in ("Backgammon-v0", "Abalone3-v0"):
        with pytest.raises(UnsupportedGameError, match=name):
            check_td_leaf(get_game(name), 2)
    for depth in (0, 9, 1.0, True):
        with pytest.raises(OptionError, match="from 1 to 8"):
            check_td_leaf(get_game("Othello-v0"), depth)
