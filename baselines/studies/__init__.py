"""The published studies, rerun: each a file that says what was published, trains the agents, and puts both side by side."""
