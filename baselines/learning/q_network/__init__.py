"""Q-learning with networks of one hidden layer: an output an action, a network an action, or the action as input."""
