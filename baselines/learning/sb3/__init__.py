"""Trainings of Stable-Baselines3 models: against opponents, by self-play, against a pool."""
