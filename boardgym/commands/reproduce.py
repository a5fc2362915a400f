"""`boardgym reproduce ...`: the published studies, rerun."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.studies.pessimistic_q import Settings, reproduce
from boardgym.baselines.studies.pessimistic_q_report import markdown, write_report
from boardgym.commands.common import print_json, say


@dataclass
class PessimisticQ:
    """The study of Pessimistic Q-learning: every table, with a control that has no sweep.

    Writes report.md, results.json and a picture for each game. The same command goes on where it was cut short.

    Attributes:
        settings: what to rerun.
        json: print the results as JSON instead of the page.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce pessimistic-q --game tic-tac-toe                     some minutes",
        "boardgym reproduce pessimistic-q --game connect-four --setting a --seeds 1 --processes 2",
        "boardgym reproduce pessimistic-q --processes 2                          everything: hours",
    )

    settings: tyro.conf.OmitArgPrefixes[Settings] = field(default_factory=Settings)
    json: bool = False

    def run(self) -> int:
        """Trains what is missing, and prints the page."""
        found = reproduce(self.settings)
        path = write_report(found, self.settings.out)
        if self.json:
            print_json(found)
        else:
            print(markdown(found))
        say(f"written: {path}")
        return 0
