"""Perfect play: the policy `perfect`, and a solver for each game that has one."""
