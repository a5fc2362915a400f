"""The commands of the command line, one dataclass each: its fields are the options, its `run` does the work."""
