"""The learners and their trainings: tables, networks, co-evolution, Stable-Baselines3, all under one training contract."""
