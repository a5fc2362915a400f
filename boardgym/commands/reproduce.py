"""`boardgym reproduce ...`: the published studies, rerun."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import tyro

from boardgym.baselines.studies.jobs import JobError
from boardgym.baselines.studies.pessimistic_q import Settings, found_of, jobs_of, reproduce, without_agents
from boardgym.baselines.studies.pessimistic_q_report import can_draw, markdown, without_lists, write_report
from boardgym.commands.common import INTERRUPTED, print_json, say
from boardgym.core.errors import OptionError, SpecError


@dataclass
class PessimisticQ:
    """The study of Pessimistic Q-learning: every table, with a control that has no sweep.

    Writes a page, figures and a picture for each game. The same command goes on where it was cut short.

    Attributes:
        settings: what to rerun.
        json: print the figures as JSON, without the curves, instead of the page.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce pessimistic-q --game tic-tac-toe                     some minutes",
        "boardgym reproduce pessimistic-q --game ConnectFour --setting a c --seeds 1 --processes 2",
        "boardgym reproduce pessimistic-q --game card-points-8 --setting a-e --json",
        "boardgym reproduce pessimistic-q --processes 2                          everything: hours",
    )

    settings: tyro.conf.OmitArgPrefixes[Settings] = field(default_factory=Settings)
    json: bool = False

    def run(self) -> int:
        """Trains what is missing, and prints the pages."""
        jobs_of(self.settings)  # refuses what there is not
        try:
            found = reproduce(self.settings)
        except KeyboardInterrupt:
            self._write(found_of(self.settings))
            say(f"interrupted; what was done is in {self.settings.out}, the same command goes on", style="yellow")
            return INTERRUPTED
        except (JobError, SpecError, OptionError, OSError, MemoryError):
            self._write(found_of(self.settings))  # a page of what there is, however it ends
            raise
        self._write(found)
        if self.settings.agents and (absent := without_agents(self.settings)):
            say(f"{len(absent)} trainings were done without agents, whose files are not kept, such as {absent[0]}; "
                "delete their results in the folder \"jobs\" to train them again", style="yellow")  # fmt: skip
        if self.json:
            print_json({name: without_lists(one) for name, one in found.items()})
        else:
            print("\n".join(markdown(name, one) for name, one in found.items()))
        return 0

    def _write(self, found: dict[str, Any]) -> None:
        """The pages of what there is."""
        for page in write_report(found, self.settings.out):
            say(f"written: {page}")
        if not can_draw():
            say("without pictures: Matplotlib is not installed")
