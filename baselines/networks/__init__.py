"""What maps positions to numbers: features of positions, perceptrons over them, `network:` files."""
