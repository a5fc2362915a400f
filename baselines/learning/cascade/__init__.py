"""Cascade correlation: a network that grows one hidden unit at a time, trained on examples of any kind."""
