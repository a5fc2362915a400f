"""The environments: `aec` for PettingZoo, `single_agent` and `vector` for Gymnasium, and their registration.

For each game there is a module here in PettingZoo's manner, made from the registry: `boardgym.envs.othello_v0.env()`.
"""
