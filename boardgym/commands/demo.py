"""`boardgym demo`: train an agent, compare it with the bundled ones, leave the files in `runs/`."""

from boardgym.commands.learn import finish
from boardgym.wrappers.demo import DemoConfig, run_demo

EXAMPLES = ("boardgym demo", "boardgym demo --help")


def run(config: DemoConfig) -> int:
    """Runs the demonstration, which prints its own results."""
    return finish(run_demo(config))
