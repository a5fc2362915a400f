"""TD(lambda) and TD-Leaf with a network over features of positions."""
