"""The steps, in order; each file names the one before it."""
