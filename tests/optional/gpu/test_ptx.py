"""Every bundled game's kernels compile for a card, which need not be there. Wants the package numba-cuda (`make test-gpu`)."""

import numpy as np
import pytest
from numba import typeof

import boardgym
from boardgym.core import rows as rw
from boardgym.core.cuda_rows import make_chooser, make_kernels
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy

H100 = (9, 0)
VARIANTS = [
    *((name, {}) for name in boardgym.list_games()),
    ("Abalone-v0", {"rewards": "material", "no_move": "pass"}),
    ("CardPoints-v0", {"n_cards": 12}),
    ("ConnectFour-v0", {"width": 8}),
    ("NineMensMorris-v0", {"variant": "twelve"}),
    ("Othello-v0", {"size": 6}),
]


def arrays_of(game, n=8):
    """Arrays as `CudaBatchBoard` has them on the card: rows, actions, where, starts, shown, first, rngs' seed."""
    rows = rw.make_rows(game.token, n, has_history=game.repetition_limit > 0)
    words = np.zeros(8, np.uint32)
    return {
        "rows": [np.asfortranarray(array) for array in rows],
        "actions": np.zeros(n, np.int64),
        "where": np.zeros(n, bool),
        "starts": np.zeros((2, len(game.token.fields)), np.int64),
        "shown": [words, words, np.zeros((n, game.num_seats)), np.zeros(n, bool), np.zeros(n, np.int64)],
        "masks": np.zeros((n, game.num_actions), np.int8),
        "first": np.zeros(1, np.int64),
        "seed": np.zeros(1, np.uint64),
    }


def ptx_of(kernel, *examples):
    return kernel.ptx(tuple(map(typeof, examples)), H100)


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_a_games_kernels_compile(name, options):
    game = get_game(name, **options)
    kernels, a = make_kernels(game), arrays_of(game)
    made = {
        "step": ptx_of(kernels.step, *a["rows"], a["actions"], *a["shown"]),
        "restart": ptx_of(kernels.restart, *a["rows"], a["where"], a["starts"], 0, 4, *a["shown"], a["first"]),
        "check": ptx_of(kernels.check, a["actions"], a["rows"][3], a["masks"], a["first"]),
        "seed": ptx_of(kernels.seed, a["rows"][1], a["where"], a["seed"]),
        "forget": ptx_of(kernels.forget, *a["rows"]),
    }
    player = make_policy("random", game)
    positions, rngs, _, endings, keys, num_keys = a["rows"]
    chooser = make_chooser(game, player)
    made["choose"] = ptx_of(chooser, positions, rngs, endings, keys, num_keys, player.row, a["actions"], False)
    for kernel, text in made.items():
        assert ".visible .entry" in text, kernel
        assert "fma." not in text, f"{kernel}: a product and a sum are rounded at once, unlike on the CPU"
    constants = sum(int(line.split("[")[1].split("]")[0]) for line in made["step"].splitlines() if line.startswith(".const"))
    assert constants < 64 * 1024
