"""Descent: an n-tuple network learnt by minimax in the trees of games against itself."""
