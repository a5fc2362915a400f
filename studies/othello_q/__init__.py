"""The study of neural Q-learning for Othello, rerun part by part."""
