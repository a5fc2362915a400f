"""Networks that learn from batches on a card are those of the CPU, bit for bit: a few games in the simulator, else thousands.

`make test-gpu` runs this in the simulator, `python -m pytest tests/optional/gpu/test_learner.py` on a card.
"""

import pytest

import boardgym
from boardgym.compile.cuda import IS_SIMULATED
from tests.core.card_opponents import WITHOUT_CELLS
from tests.core.simulated_card import quick_switches  # noqa: F401  a fixture
from tests.learning.ntuple.simulated_batches import assert_equal, pair

GAMES, BATCH, MOST_PLIES = (12, 5, 40) if IS_SIMULATED else (10_000, 1024, 0)


@pytest.mark.parametrize("opponent", ["self", "epsilon:0.1(greedy)"])
@pytest.mark.parametrize("name", [name for name in boardgym.list_games() if name not in WITHOUT_CELLS])
def test_what_is_learnt_is_that_of_the_cpu(name, opponent):
    tuples = ("walk(8, 4)",)
    cpu, card = pair(game=name, games=GAMES, batch=BATCH, tuples=tuples, max_plies=MOST_PLIES, opponent=opponent)
    for training in (cpu, card):
        training.memory.weights[:] = 0.01  # so that games that are cut teach something too
        training.play_to(GAMES)
    assert_equal(cpu, card)
