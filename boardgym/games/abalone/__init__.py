"""Abalone for two players and for three. Importing this package registers both."""

from boardgym.games.abalone import two

__all__ = ["two"]
