"""The games, one file or package each. Importing this package registers them all."""

from boardgym.games import abalone, card_points, connect_four, othello, tic_tac_toe

__all__ = ["abalone", "card_points", "connect_four", "othello", "tic_tac_toe"]
