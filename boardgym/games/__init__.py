"""The games, one file or package each. Importing this package registers them all."""

from boardgym.games import abalone, backgammon, card_points, connect_four, nine_mens_morris, othello, tic_tac_toe

__all__ = ["abalone", "backgammon", "card_points", "connect_four", "nine_mens_morris", "othello", "tic_tac_toe"]
