"""Adapters to other libraries. Import as `boardgym.wrappers`, from wherever it is installed."""

assert __name__.startswith("boardgym."), "import boardgym.wrappers, not wrappers: a second copy of every module would load"
