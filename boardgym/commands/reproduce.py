"""`boardgym reproduce ...`: the published studies, rerun."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import tyro

from boardgym.commands.common import INTERRUPTED, print_json, say
from boardgym.studies import pessimistic_q, pessimistic_q_docs, pessimistic_q_report
from boardgym.studies.abalearn import docs as abalearn_docs
from boardgym.studies.abalearn import study as abalearn
from boardgym.studies.adversarial_search import study as adversarial_search
from boardgym.studies.othello_q import docs as othello_q_docs
from boardgym.studies.othello_q import study as othello_q
from boardgym.studies.pages import can_draw, check_docs, write_stale
from boardgym.studies.uct_ccnn import docs as uct_ccnn_docs
from boardgym.studies.uct_ccnn import study as uct_ccnn

Found = dict[str, Any]


def rerun(do: Callable[[], Found], gather: Callable[[], Found], write: Callable[[Found, Path], list[Path]], out: Path) -> Found:
    """Does what is missing of a study and writes its pages, which are written of what there is however it ends.

    do: all of it, gather: what is there; both give the figures. write: pages of figures in a folder, `out`. Returns them.
    Raises: as `do`; KeyboardInterrupt after having said where the results are.
    """

    def keep(found: Found) -> Found:
        for page in write(found, out):
            say(f"written: {page}")
        if not can_draw():
            say("without pictures: Matplotlib is not installed")
        return found

    try:
        found = do()
    except KeyboardInterrupt:
        keep(gather())
        say(f"interrupted; what was done is in {out}, the same command goes on", style="yellow")
        raise
    except Exception:
        keep(gather())  # a page of what there is, however it ends
        raise
    return keep(found)


def run_parts(study: Any, docs: Any, command: Any, pages: Callable[[Found], str], figures: Callable[[Found], Found]) -> int:
    """Runs a study of parts and prints its pages or its JSON, or makes those of the documentation. Returns the exit status.

    study: a module with `parts_of`, `reproduce`, `found_of`, `write_report` and `verdicts`. docs: the one that `make_pages`
    takes. command: with settings, json and docs. pages, figures: of what was found, as text and as plain data.
    """
    settings = command.settings
    study.parts_of(settings)  # refuses what there is not
    if command.docs is not None:
        return make_pages(docs, settings, command.docs)
    try:
        found = rerun(lambda: study.reproduce(settings), lambda: study.found_of(settings), study.write_report, settings.out)
    except KeyboardInterrupt:
        return INTERRUPTED
    if command.json:
        names = ("claim", "text", "verdict", "evidence")
        judged = [dict(zip(names, line, strict=True)) for line in study.verdicts(found)]
        print_json({**figures(found), "verdicts": judged})
    else:
        print(pages(found))
    return 0


def make_pages(study: Any, settings: Any, docs: Path) -> int:
    """Takes a study's figures into the repository's documentation, and makes its pages of them. Returns the exit status.

    study: a module with PAGES, `take_figures` and `make_pages`. Raises: as these; OptionError for another folder.
    """
    check_docs(docs, study.PAGES)
    for line in study.take_figures(settings, docs):
        say(line)
    for page in write_stale(study.make_pages(docs)):
        say(f"written: {page}")
    return 0


@dataclass
class PessimisticQ:
    """Rerun the study of Pessimistic Q-learning: every table, with a control that has no sweep.

    Writes a page, figures and a picture for each game. The same command continues an interrupted run.

    Attributes:
        settings: what to rerun.
        json: print the figures as JSON, without the curves, instead of the page.
        docs: train nothing: take the figures of the listed seeds that `out` has into this folder of documentation, and make
            its pages of the study of all figures that are there.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce pessimistic-q --game tic-tac-toe --seeds 3           a minute",
        "boardgym reproduce pessimistic-q --game tic-tac-toe                     all seeds of the list: half an hour",
        "boardgym reproduce pessimistic-q --game ConnectFour --setting a c --seeds 1 --processes 2",
        "boardgym reproduce pessimistic-q --game card-points-8 --setting a c-e --json",
        "boardgym reproduce pessimistic-q --game tic-tac-toe --setting d e --first-seed 11 --seeds 30",
        "boardgym reproduce pessimistic-q --processes 2                          everything: hours",
        "boardgym reproduce pessimistic-q --docs docs                            figures and pages of the repository",
    )

    settings: tyro.conf.OmitArgPrefixes[pessimistic_q.Settings] = field(default_factory=pessimistic_q.Settings)
    json: bool = False
    docs: Path | None = None

    def run(self) -> int:
        """Trains what is missing, and prints the pages; or makes those of the documentation."""
        mine, pages = self.settings, pessimistic_q_report
        if self.docs is not None:
            return make_pages(pessimistic_q_docs, mine, self.docs)
        pessimistic_q.jobs_of(mine)  # refuses what there is not
        do, gather = lambda: pessimistic_q.reproduce(mine), lambda: pessimistic_q.found_of(mine)
        try:
            found = rerun(do, gather, pages.write_report, mine.out)
        except KeyboardInterrupt:
            return INTERRUPTED
        if mine.agents and (absent := pessimistic_q.without_agents(mine)):
            say(
                f"{len(absent)} trainings were done without agents, whose files are not kept, such as {absent[0]}; "
                'delete their results in the folder "jobs" to train them again',
                style="yellow",
            )
        if self.json:
            print_json({name: pages.without_lists(one) for name, one in found.items()})
        else:
            print("\n".join(pages.markdown(one) for one in found.values() if one["settings"]))
        return 0


@dataclass
class Abalearn:
    """Rerun the study of Abalearn, part by part: published and reproduced figures, and a verdict on each claim.

    Writes a page, figures and pictures for each part. The same command continues an interrupted run.

    Attributes:
        settings: what to rerun.
        json: print figures and verdicts as JSON instead of the pages.
        docs: train nothing: take the figures of the parts that `out` has into this folder of documentation, and make its pages
            of the study of all figures that are there.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce abalearn --part illustrations",
        "boardgym reproduce abalearn --part risk ratings --seeds 3 --processes 2",
        "boardgym reproduce abalearn --part methods nets depth --processes 2     networks: an hour of a core",
        "boardgym reproduce abalearn --part printed --first-seed 21 --seeds 10    the printed weights with other seeds",
        "boardgym reproduce abalearn --docs docs                                 figures and pages of the repository",
        "boardgym reproduce abalearn --size 0.01 --json                          a quick look, which decides nothing",
        "boardgym reproduce abalearn                                             everything: hours",
    )

    settings: tyro.conf.OmitArgPrefixes[abalearn.Settings] = field(default_factory=abalearn.Settings)
    json: bool = False
    docs: Path | None = None

    def run(self) -> int:
        """Does what is missing, and prints the pages."""

        def pages(found: Found) -> str:
            return "\n".join(abalearn.markdown(name, one) for name, one in found.items())

        return run_parts(abalearn, abalearn_docs, self, pages, lambda found: {"parts": found})


@dataclass
class AdversarialSearch:
    """Measure the ten claims of the lecture notes on adversarial search, with a verdict on each.

    Writes a page, figures and pictures. The same command continues an interrupted run.

    Attributes:
        settings: what to measure.
        json: print figures and verdicts as JSON instead of the page.
        docs: measure nothing: take the figures that `out` has into this folder of documentation, and make its page of them.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce adversarial-search --size small                      seconds, which decides nothing",
        "boardgym reproduce adversarial-search                                   all ten: half a minute of one core",
        "boardgym reproduce adversarial-search --part growth probcut --processes 2",
        "boardgym reproduce adversarial-search --json",
        "boardgym reproduce adversarial-search --docs docs                       figures and page of the repository",
    )

    settings: tyro.conf.OmitArgPrefixes[adversarial_search.Settings] = field(default_factory=adversarial_search.Settings)
    json: bool = False
    docs: Path | None = None

    def run(self) -> int:
        """Measures what is missing, and prints the page."""
        return run_parts(adversarial_search, adversarial_search, self, adversarial_search.markdown, lambda found: found)


@dataclass
class UctCcnn:
    """Rerun the study of UCT-CCNN: tables 5.1 to 5.9, over several networks a setting, and a verdict on each of its claims.

    Writes a page, figures and pictures. The same command continues an interrupted run.

    Attributes:
        settings: what to rerun.
        json: print figures and verdicts as JSON instead of the page.
        docs: play and train nothing: take the figures that `out` has into this folder of documentation, and make its page of
            them.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce uct-ccnn --processes 2                               minutes; decides only what holds at any size",
        "boardgym reproduce uct-ccnn --size medium --processes 2                 half an hour",
        "boardgym reproduce uct-ccnn --size page --processes 2                   an hour and a half",
        "boardgym reproduce uct-ccnn --part networks mcts --json",
        "boardgym reproduce uct-ccnn --size medium --docs docs                   figures and page of the repository",
    )

    settings: tyro.conf.OmitArgPrefixes[uct_ccnn.Settings] = field(default_factory=uct_ccnn.Settings)
    json: bool = False
    docs: Path | None = None

    def run(self) -> int:
        """Does what is missing, and prints the page."""
        return run_parts(uct_ccnn, uct_ccnn_docs, self, uct_ccnn.markdown, lambda found: found)


@dataclass
class OthelloQ:
    """Rerun the study of Othello by neural Q-learning: both experiments, over several trainings, and a verdict on each claim.

    Writes a page, figures and pictures. The same command continues an interrupted run.

    Attributes:
        settings: what to rerun.
        json: print figures and verdicts as JSON instead of the page.
        docs: play and train nothing: take the figures that `out` has into this folder of documentation, and make its page of
            them.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym reproduce othello-q --processes 2                              0.07 core hours, a smoke run",
        "boardgym reproduce othello-q --size medium --processes 2                2.2 core hours",
        "boardgym reproduce othello-q --size page --processes 2                  7.5 core hours",
        "boardgym reproduce othello-q --part single schedules --json",
        "boardgym reproduce othello-q --part others --agent td=file:runs/td/agent.safetensors",
        "boardgym reproduce othello-q --size medium --docs docs                  figures and page of the repository",
    )

    settings: tyro.conf.OmitArgPrefixes[othello_q.Settings] = field(default_factory=othello_q.Settings)
    json: bool = False
    docs: Path | None = None

    def run(self) -> int:
        """Does what is missing, and prints the page."""
        return run_parts(othello_q, othello_q_docs, self, othello_q.markdown, lambda found: found)
