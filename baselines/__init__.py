"""The agents and how they are compared. Import as `boardgym.baselines`, from wherever it is installed."""

assert __name__.startswith("boardgym."), "import boardgym.baselines, not baselines: a second copy of every module would load"
