"""Noisy actions are what each game says they are, legal, in order, and no others: plain Python, six games at once."""

import os
import subprocess
import sys

from tests.support import ROOT

SCRIPT = """
import numpy as np
from boardgym.core import verbs
from boardgym.core.board import Board

PUSHED = "ss2S/1s1SS1/1s5/1s2SssS/3S1S3/S1s2ss1/SSSs3/S2s1s/1SS1s 0 0 w 0"  # marbles stand at the rim

def swapped(position):
    return type(position)(position.other, position.own)

def is_win(position, action):
    child = verbs.apply(position, action)
    return verbs.is_terminal(child) and verbs.returns(child, 0) != 0.0

def fallen(position):
    return sum(value for name, value in zip(position._fields, position) if name.endswith("score"))

def expected(name, position, action):
    child = verbs.apply(position, action)
    if name in ("TicTacToe", "ConnectFour"):
        return is_win(position, action) or is_win(swapped(position), action)
    if name == "Othello":
        return action in (0, 7, 56, 63)
    if name == "NineMensMorris":
        return position.must_remove or child.must_remove
    if name in ("Abalone", "Abalone3"):
        return fallen(child) > fallen(position)
    return False

def check(name, fen, plies, boards, seed):
    rng, found, quiet = np.random.default_rng(seed), 0, 0
    for _ in range(boards):
        board = Board(name, fen)
        out = np.zeros(board.game.max_choices, np.int64)
        for _ in range(plies):
            if board.is_terminal:
                break
            count = verbs.noisy_actions(board.position, out)
            noisy = [int(action) for action in out[:count]]
            assert noisy == [a for a in board.legal_actions if expected(name, board.position, a)], (board.fen(), noisy)
            found, quiet = found + (count > 0), quiet + (count == 0)
            board.push(int(rng.choice(board.legal_actions)))
        if board.is_terminal:
            assert name == "NineMensMorris" or verbs.noisy_actions(board.position, out) == 0
    print(name, found > 0, quiet > 0)

check("TicTacToe", None, 9, 20, 1)
check("ConnectFour", None, 42, 8, 1)
check("Othello", None, 60, 2, 1)
check("NineMensMorris", None, 60, 3, 1)
check("Abalone", PUSHED, 25, 2, 1)
check("Abalone3", "ww1bb/ww2bb/ww3bb/ww4bb/ww5bb/w6b/7/rrrrrr/rrrrr 0 0 0 b 0", 5, 1, 1)
check("CardPoints", ". 9 4 K 4 7 . . | 7 5 second", 2, 1, 1)
"""


def test_noisy_actions_are_what_each_game_says():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    both, quiet = ["TicTacToe", "ConnectFour", "Othello", "NineMensMorris", "Abalone"], ["Abalone3", "CardPoints"]
    assert done.stdout.splitlines() == [f"{name} True True" for name in both] + [f"{name} False True" for name in quiet]
