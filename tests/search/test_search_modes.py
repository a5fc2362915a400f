"""The same seed gives the same choices in another process, without compilation, and inside native environments."""

import os
import subprocess
import sys
from pathlib import Path

import boardgym

ROOT = Path(boardgym.__file__).resolve().parents[1]

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from search_games import SHUTTLE, random_boards
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy

for name in ("TicTacToe-v0", "ConnectFour-v0", "Othello-v0", SHUTTLE):
    game = get_game(name)
    most = 4 if name is SHUTTLE else 6
    for board in random_boards(game, 2, (0, most), seed=1):
        for spec in ("random", "uct:12", "uct:6,nodes=20", "minimax:1", "minimax:2", "minimax:3", "minimax:3,nodes=30"):
            policy = make_policy(spec, game, seed=5)
            print(board.fen(), spec, [policy.act(board) for _ in range(3)], policy.act(board, deterministic=True))
            if spec != "random":
                found = policy.analyse(board)
                values = {a: round(v, 9) + 0.0 for a, v in found.action_values.items()}
                print(found.action, round(found.value, 9) + 0.0, found.depth, found.nodes, found.principal_variation, values,
                      found.visit_counts, found.is_proven)
"""


def run(**extra):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(Path(__file__).parent)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **extra},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_equal_in_two_processes_and_in_plain_python():
    first = run(PYTHONHASHSEED="1")
    assert len(first) > 60
    assert run(PYTHONHASHSEED="2") == first
    assert run(NUMBA_DISABLE_JIT="1") == first
