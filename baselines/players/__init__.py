"""Plain players: random, greedy, human, and mixtures of other policies."""
