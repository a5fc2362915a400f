"""The study of UCT-CCNN, rerun: which parts there are, what of them is done, and the page of it.

M. A. Rezende, master's dissertation (Universidade Federal de Minas Gerais, 2017, in Portuguese). Later work is made of the
results of earlier work: of the tuned constants the examples, of the examples the networks, of these the matches. Beside what
`staged` says, a folder holds the examples and the networks of each size.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Figures
from boardgym.studies.staged import Amount, Study
from boardgym.studies.uct_ccnn.costs import COSTS
from boardgym.studies.uct_ccnn.encodings import ENCODINGS
from boardgym.studies.uct_ccnn.examples import EXAMPLES
from boardgym.studies.uct_ccnn.intervals import INTERVALS
from boardgym.studies.uct_ccnn.mcts import MCTS
from boardgym.studies.uct_ccnn.minimax_page import MINIMAX
from boardgym.studies.uct_ccnn.networks import NETWORKS_PART
from boardgym.studies.uct_ccnn.parameters import parameters
from boardgym.studies.uct_ccnn.plans import PLANS, Size
from boardgym.studies.uct_ccnn.tuning import TUNING

PARTS = {part.name: part for part in (ENCODINGS, TUNING, COSTS, EXAMPLES, NETWORKS_PART, MINIMAX, MCTS, INTERVALS)}
NEEDS = {  # parts that others are made of
    "examples": ("tuning",),
    "networks": ("tuning", "examples"),
    "minimax": ("tuning", "examples", "networks"),
    "mcts": ("tuning", "examples", "networks"),
}


AMOUNTS = {  # by what the name of a kind begins with
    "encodings": Amount("positions", lambda plan: 0),
    "tuning": Amount("tuning", lambda plan: plan.tuning.tunings),
    "examples": Amount("examples", lambda plan: plan.examples.data_sets),
    "networks": Amount("network", lambda plan: plan.networks),
    "minimax": Amount("minimax", lambda plan: plan.networks),
    "reference": Amount("reference_games", lambda plan: 0),
    "mcts": Amount("mcts", lambda plan: plan.networks),
}


@dataclass(frozen=True)
class Settings:
    """What to rerun.

    Attributes:
        part: names of parts: encodings, tuning, costs, examples, networks, minimax, mcts, intervals; all of them if empty.
            What they are made of is done too.
        size: small takes minutes, and decides only what holds at any size; medium half an hour of two cores; page, with as many
            games as the study's and larger networks, an hour and a half.
        processes: pieces of work at a time.
        executor: where they are: processes, of this machine; ray, ray://HOST:10001 or slurm, of a cluster, as of `boardgym
            compare`; all machines of a cluster share the folder of the results.
        out: folder of the results; a run that was cut short goes on there.
    """

    part: tuple[str, ...] = ()
    size: Size = "small"
    processes: int = 1
    executor: str = "processes"
    out: Path = Path("runs/uct-ccnn")


def of_all_tunings(figures: Figures, size: str) -> Figures:
    """Figures without the tunings of a game that has not all of its size: their mean would be another constant."""
    return {kind: ones for kind, ones in figures.items() if kind not in TUNING.works or len(ones) == PLANS[size].tuning.tunings}


def run_job(place: Place, part: str, kind: str, seed: int, size: str, plan: Any = None, **later: Any) -> dict[str, Any]:
    """A piece of work, as `Work.measure` returns it. plan: which the size has; it tells results apart."""
    return PARTS[part].works[kind].measure(place, seed, size, **later)


def scale_of(size: str) -> list[str]:
    """How much of everything a size has, beside the study."""
    plan = PLANS[size]
    examples, minimax = plan.examples, plan.minimax
    rows = [
        ("tuning: thinking time, games of a sample, tunings", "60 s, 90, 1",
         f"{plan.tuning.simulations:,} simulations, {plan.tuning.games}, {plan.tuning.tunings}"),
        ("examples: thinking time of the two settings", "200 s, 600 s",
         f"{examples.simulations:,} and {3 * examples.simulations:,} simulations"),
        ("games: from the start, random states, from each of these", "30, 300, 5", f"{examples.scale:g} of that"),
        ("data sets of a setting", "1", f"{examples.data_sets}"),
        ("networks of a setting", "1", f"{plan.networks}"),
        ("examples learnt from, hidden units", "all, 128 and 149",
         f"{plan.network.rows:,} at most; {plan.network.units} at most, no more than inputs, until "
         f"{plan.network.patience} have not helped"),
        ("tables 5.5 to 5.8: games of a network as either player, by height", "100",
         ", ".join(f"{height}: {count}" for height, count in minimax.games.items())),
        ("openings, by height", "-",
         ", ".join(f"{height}: {count or 'all'}" for height, count in minimax.openings.items())),
        ("table 5.9: simulations, games of a network as either player", "5,000, 200",
         f"{plan.mcts.simulations:,}, {plan.mcts.games}"),
    ]  # fmt: skip
    return table(("scale", "study", f"here, size {size}"), rows)


STUDY = Study(
    name="the study of UCT-CCNN",
    title="UCT-CCNN: the study, rerun",
    parts=PARTS,
    plans=PLANS,
    run=run_job,
    amounts=AMOUNTS,
    scale=scale_of,
    needs=NEEDS,
    before=parameters,
    judged_by="network",
    complete=of_all_tunings,
)
parts_of, jobs_of, reproduce, found_of = STUDY.parts_of, STUDY.jobs_of, STUDY.reproduce, STUDY.found_of
verdicts, judge, markdown, write_report = STUDY.verdicts, STUDY.judge, STUDY.markdown, STUDY.write_report
