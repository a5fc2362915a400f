"""Abalone for two players and for three. Importing this package registers both."""

from boardgym.games.abalone import three, two

__all__ = ["three", "two"]
