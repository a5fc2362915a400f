"""Learners that keep a value for every position they meet, in a table."""
