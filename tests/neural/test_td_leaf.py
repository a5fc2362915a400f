"""TD-Leaf: the leaf against minimax by definition, the weights of depth 1 against TD(lambda), and what it refuses."""

from pathlib import Path

import pytest
from training import Training

from boardgym.baselines.neural.td_leaf import check_td_leaf
from boardgym.baselines.tabular import learning as ln
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from tests.support import run_python


def test_the_leaf_is_that_of_minimax_and_depth_1_is_td(tmp_path):
    """In plain Python, which is quicker than to compile a training for each depth."""
    script = Path(__file__).parent / "leaf_games.py"
    assert run_python(str(script), cache=tmp_path, NUMBA_DISABLE_JIT="1").stdout == "done\n"


def test_it_learns_compiled():
    """Tic-tac-toe with one ply more than TD(lambda): the other's wins are seen, and soon no game is lost."""
    training = Training("TicTacToe-v0", "planes", hidden=20, opponent="random", pays=(1.0, 0.0, -1.0), discount=1.0,
                        search_depth=2, rates={ln.DISCOUNT: 1.0, ln.STEP_SIZE: 0.05})  # fmt: skip
    training.run(3000)
    first, last = (training.play.results[block, 1].tolist() for block in (0, 2))
    assert sum(first) == sum(last) == 1000
    assert last[0] > 850
    assert last[2] < 30


def test_what_it_refuses():
    check_td_leaf(get_game("Othello-v0"), 2)
    for name in ("Backgammon-v0", "Abalone3-v0"):
        with pytest.raises(UnsupportedGameError, match=name):
            check_td_leaf(get_game(name), 2)
    for depth in (0, 9, 1.0, True):
        with pytest.raises(OptionError, match="from 1 to 8"):
            check_td_leaf(get_game("Othello-v0"), depth)
