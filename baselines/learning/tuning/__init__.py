"""Tuning the numbers of a policy by games: `tuner` says how, `optimisers` where to look next."""
