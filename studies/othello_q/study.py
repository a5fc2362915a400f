"""The study of Othello by neural Q-learning, rerun: which parts there are, what of them is done, and the page of it.

G. Andorkó, BSc thesis (University of Debrecen, 2011, in Hungarian), after N. J. van Eck and M. van Wezel. Its tables of results
are lost. Beside what `staged` says, a folder holds the agents of the trainings of each size.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.core.errors import OptionError
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.experiments import MULTI, SCHEDULES, SINGLE
from boardgym.studies.othello_q.mean import MEAN, WIDER
from boardgym.studies.othello_q.networks import NETWORKS
from boardgym.studies.othello_q.options import OPTIONS_PART
from boardgym.studies.othello_q.others import AGENTS, OTHERS, agents_of, check_agents
from boardgym.studies.othello_q.plans import PLANS, Size, factor_for, hours_text, switch_of
from boardgym.studies.othello_q.rules import RULES
from boardgym.studies.pages import count_text, lasting, table
from boardgym.studies.parts import Figures, Part
from boardgym.studies.staged import DECIDES_NOTHING, Amount, Found, Study

PARTS = {part.name: part for part in (RULES, NETWORKS, SINGLE, MULTI, SCHEDULES, OTHERS, OPTIONS_PART, MEAN, WIDER)}
NEEDS = {"multi": ("schedules",)}  # whose several runs its claims are judged by
AMOUNTS = {  # by what the name of a kind begins with
    "rules": Amount("positions", lambda plan: 0),
    "players": Amount("positions", lambda plan: 0),
    "single": Amount("single", lambda plan: plan.single.runs),
    "multi": Amount("multi", lambda plan: plan.multi.runs),
    "short": Amount("short", lambda plan: plan.short.runs),
    "others": Amount("others", lambda plan: plan.others.runs),
    "given": Amount("nothing", None),
    "speed": Amount("options", lambda plan: 0),
    "options": Amount("options", lambda plan: plan.options.runs),
    "best": Amount("best", lambda plan: plan.best.runs),
    "mean": Amount("mean", lambda plan: plan.mean.runs),
    "wider": Amount("wider", lambda plan: plan.wider.runs),
}


@dataclass(frozen=True)
class Settings:
    """What to rerun.

    Attributes:
        part: names of parts: rules, networks, single, multi, schedules, others, options, mean, wider; all of them if empty.
        size: small decides only what holds at any size and takes 0.07 core hours; medium 2.2
            core hours; page, with the study's 12.4 million games of exploration, 7.5 core hours.
        agent: agents that are measured beside, in the part others: NAME=SPEC, all of them after one
            --agent.
        trust: load files of these that could execute code.
        processes: pieces of work at a time.
        executor: where they are: processes, of this machine; ray, ray://HOST:10001 or slurm, of a cluster, as of `boardgym
            compare`; all machines of a cluster share the folder of the results.
        out: folder of the results; a run that was cut short goes on there.
    """

    part: tuple[str, ...] = ()
    size: Size = "small"
    agent: tuple[str, ...] = ()
    trust: bool = False
    processes: int = 1
    executor: str = "processes"
    out: Path = Path("runs/othello-q")


def run_job(place: Place, part: str, kind: str, seed: int, size: str, plan: Any = None, **later: Any) -> dict[str, Any]:
    """A piece of work, as `Work.measure` returns it. plan: which the size has; it tells results apart."""
    return PARTS[part].works[kind].measure(place, seed, size, **later)


def given(settings: Settings) -> Figures:
    """The agents that are measured beside. Raises SpecError."""
    return {AGENTS: agents_of(settings.agent, settings.trust)}


def schedule(games: int) -> str:
    """The schedule of a training of so many games."""
    factor = factor_for(games)
    return f"{games:,} games, b = {factor:.10g}, greedy from {switch_of(factor):,} on"


def scale_of(size: str) -> list[str]:
    """How much of everything a size has, beside the study."""
    plan = PLANS[size]
    smoke = (
        ["**These are figures of the small size, a smoke run**: they show that everything runs, and decide only what holds at "
         "any size. What the study finds is open until the size page has run.", ""]
        if size == DECIDES_NOTHING
        else []
    )  # fmt: skip
    rows = [
        ("Single-NN", "not in our text; b = 0.9999995, greedy after about 12.4 million games",
         f"{schedule(plan.single.games)}; {count_text(plan.single.runs, 'training')}"),
        ("Multi-NN", "the same", f"{schedule(plan.multi.games)}; {count_text(plan.multi.runs, 'training')}"),
        ("both, under one schedule", "the same",
         f"{schedule(plan.short.games)}; {count_text(plan.short.runs, 'training')} of each"),
        ("evaluation", "244 games per pairing, at ten checkpoints", "244 games per pairing and colour, at ten checkpoints"),
        ("options at equal time", "-",
         f"{lasting(plan.options.seconds)}, {count_text(plan.options.runs, 'training')} of each; the best "
         f"{lasting(plan.best.seconds)}, {count_text(plan.best.runs, 'training')}"),
        ("Single-NN with means", "-", f"{plan.mean.games:,} games, {count_text(plan.mean.runs, 'training')}"),
        ("the same with 128 units", "-", f"{plan.wider.games:,} games, {count_text(plan.wider.runs, 'training')}"),
        ("other learners", "-", f"{plan.others.episodes:,} games, {count_text(plan.others.runs, 'training')}"),
        ("time, by the speeds measured", "-", f"{hours_text(size)} core hours"),
    ]  # fmt: skip
    return [*smoke, *table(("scale", "study", f"here, size {size}"), rows)]


STUDY = Study(
    name="the study of Othello by neural Q-learning",
    title="Othello by neural Q-learning: the study, rerun",
    parts=PARTS,
    plans=PLANS,
    run=run_job,
    amounts=AMOUNTS,
    scale=scale_of,
    needs=NEEDS,
    given=given,
)
jobs_of, found_of = STUDY.jobs_of, STUDY.found_of
verdicts, markdown, write_report = STUDY.verdicts, STUDY.markdown, STUDY.write_report


def parts_of(settings: Settings) -> list[Part]:
    """The parts that are asked for, in order.

    Raises OptionError for what there is not, and for agents without the part that measures them; what `check_agents` does.
    """
    parts = STUDY.parts_of(settings)
    if settings.agent and OTHERS not in parts:
        raise OptionError(f"agent={settings.agent[0]!r}: agents are measured in the part {OTHERS.name!r}; add it to part")
    check_agents(settings.agent, settings.trust)
    return parts


def reproduce(settings: Settings) -> Found:
    """Does what is missing, as `Study.reproduce`. Raises: as that, and as `parts_of`, before any work."""
    parts_of(settings)
    return STUDY.reproduce(settings)
