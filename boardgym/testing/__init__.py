"""Checks for rules files, ours and users': laws under random play, perft counts, fingerprints of trajectories.

from boardgym.testing import check_game, perft
check_game(my_game)                                # raises LawBroken, naming the law, the position and the action
perft(boardgym.Board("Othello-v0"), 9)             # 3005288
"""

from boardgym.testing.counting import count_games, perft
from boardgym.testing.fingerprints import fingerprint
from boardgym.testing.laws import LawBroken, check_board, check_game, check_position

__all__ = ["LawBroken", "check_board", "check_game", "check_position", "count_games", "fingerprint", "perft"]
