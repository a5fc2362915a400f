"""Searches: minimax and UCT."""
