"""How fast boardgym is, beside its peers: `python -m benchmarks` prints the table of the documentation."""
