"""The games, one file each. Importing this package registers them all."""

from boardgym.games import backgammon, card_points, connect_four, othello, tic_tac_toe

__all__ = ["backgammon", "card_points", "connect_four", "othello", "tic_tac_toe"]
