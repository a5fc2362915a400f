"""`boardgym demo`: train an agent, compare it with the bundled ones, leave the files in `runs/`."""

from boardgym.baselines.learning.sb3.demo import DemoConfig, run_demo
from boardgym.commands.training import finish

EXAMPLES = (
    "boardgym demo",
    "boardgym demo --steps 200000 --games 100 --out runs/quick",
)


def run(config: DemoConfig) -> int:
    """Runs the demonstration, which prints its own results."""
    return finish(run_demo(config).training)
