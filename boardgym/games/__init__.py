"""The games, one file each. Importing this package registers them all."""

from boardgym.games import card_points, connect_four, othello, tic_tac_toe

__all__ = ["card_points", "connect_four", "othello", "tic_tac_toe"]
