"""Matches, comparisons and ratings."""
