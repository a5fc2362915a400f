"""n-tuple networks, learnt by TD(lambda) on afterstates in self-play."""
