"""What a game is: the compiled contract, its description, a game in progress, the policy interface."""
