"""Policies that are neural networks."""
