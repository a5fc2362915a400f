"""The study of UCT-CCNN, rerun: which parts there are, what of them is done, and the page of it.

M. A. Rezende, master's dissertation (Universidade Federal de Minas Gerais, 2017, in Portuguese). Later work is made of the
results of earlier work: of the tuned constants the examples, of the examples the networks, of these the matches. A folder holds
"jobs", a file for each piece of work; the examples and the networks of each size; and the page with its figures and pictures.
`docs/data/uct_ccnn` has the figures that the repository's page is made of, all of one size.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.core.files import write_aside
from boardgym.studies.jobs import Job, Place, read_result, run_jobs
from boardgym.studies.pages import Judged, can_draw, table, verdict_lines
from boardgym.studies.parts import Figures, Part, check_names
from boardgym.studies.uct_ccnn.costs import COSTS
from boardgym.studies.uct_ccnn.encodings import ENCODINGS
from boardgym.studies.uct_ccnn.examples import EXAMPLES
from boardgym.studies.uct_ccnn.intervals import INTERVALS
from boardgym.studies.uct_ccnn.mcts import MCTS
from boardgym.studies.uct_ccnn.minimax_page import MINIMAX
from boardgym.studies.uct_ccnn.networks import NETWORKS_PART
from boardgym.studies.uct_ccnn.parameters import parameters
from boardgym.studies.uct_ccnn.plans import PLANS, Plan, Size
from boardgym.studies.uct_ccnn.tuning import TUNING

PARTS = {part.name: part for part in (ENCODINGS, TUNING, COSTS, EXAMPLES, NETWORKS_PART, MINIMAX, MCTS, INTERVALS)}
NEEDS = {  # parts that others are made of
    "examples": ("tuning",),
    "networks": ("tuning", "examples"),
    "minimax": ("tuning", "examples", "networks"),
    "mcts": ("tuning", "examples", "networks"),
}
DECIDES_NOTHING = "small"  # but for claims that any size decides
MEASURED = ("seconds", "sources")  # of every result, by Work.measure
Found = dict[str, Any]


@dataclass(frozen=True)
class Amount:
    """Of a kind of work. plan: which part of the plan its results depend on. seeds: how many pieces of it there are."""

    plan: str
    seeds: Callable[[Plan], int]


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
        size: small takes minutes, and decides only what holds at any size; medium half an hour of two cores; page, of the
            study's thinking time in proportion, thirteen hours of them or more.
        processes: pieces of work at a time.
        out: folder of the results; a run that was cut short goes on there.
    """

    part: tuple[str, ...] = ()
    size: Size = "small"
    processes: int = 1
    out: Path = Path("runs/uct-ccnn")


def parts_of(settings: Settings) -> list[Part]:
    """The parts that are asked for and those that they are made of, in order. Raises OptionError for what there is not."""
    check_names(settings.part, PARTS, settings.size, PLANS)
    wanted = {*settings.part, *(need for name in settings.part for need in NEEDS.get(name, ()))} or {*PARTS}
    return [part for name, part in PARTS.items() if name in wanted]


def jobs_of(part: Part, size: str, figures: Figures, stage: int | None = None) -> list[Job]:
    """The work of a part, or of a stage of it, whose earlier work is done. figures: of that."""
    found, plan, figures = [], PLANS[size], of_all_tunings(figures, size)
    for kind, work in part.works.items():
        if stage not in (None, work.stage):
            continue
        amount = AMOUNTS.get(kind.partition("_")[0])
        chosen = work.chooses(figures) if work.chooses else {}
        for seed in range(1, amount.seeds(plan) + 1) if work.is_seeded and amount else (0,):
            if work.chooses and seed not in chosen:
                continue
            later = {"chosen": chosen[seed]} if work.chooses else {}
            arguments = {"part": part.name, "kind": kind, "seed": seed, "size": size, **later}
            own = {"plan": plan.part(amount.plan)} if amount else {}
            name = f"{size}_{kind}_{seed}" if work.is_seeded else f"{size}_{kind}"
            holds = (*work.holds, *MEASURED)
            found.append(Job(name, {**arguments, **own}, part.digest(kind), size=work.units, holds=holds))
    return found


def of_all_tunings(figures: Figures, size: str) -> Figures:
    """Figures without the tunings of a game that has not all of its size: their mean would be another constant."""
    return {kind: ones for kind, ones in figures.items() if kind not in TUNING.works or len(ones) == PLANS[size].tuning.tunings}


def run_job(place: Place, part: str, kind: str, seed: int, size: str, plan: Any = None, **later: Any) -> dict[str, Any]:
    """A piece of work, as `Work.measure` returns it. plan: which the size has; it tells results apart."""
    return PARTS[part].works[kind].measure(place, seed, size, **later)


def reproduce(settings: Settings) -> Found:
    """Does what is missing. Returns what `found_of` does. Raises: as `run_jobs`, and OptionError for bad settings."""
    parts = parts_of(settings)
    for stage in sorted({stage for part in parts for stage in part.stages()}):
        figures = all_figures(found_of(settings)) if stage else {}
        if jobs := [job for part in parts for job in jobs_of(part, settings.size, figures, stage)]:
            run_jobs(run_job, jobs, settings.out / "jobs", processes=settings.processes, label="work")
    return found_of(settings)


def found_of(settings: Settings) -> Found:
    """{"size": its name, "parts": {part: {kind: one dictionary a seed}}, of what the folder has.

    Raises SpecError for results of other versions, or of other work than that which they would now be made of.
    """
    parts: dict[str, dict[str, list[Any]]] = {}
    figures: dict[str, list[Any]] = {}
    asked = parts_of(settings)
    for stage in sorted({stage for part in asked for stage in part.stages()}):
        for part in asked:
            for job in jobs_of(part, settings.size, figures, stage):
                result = read_result(settings.out / "jobs", job)
                if result is not None:
                    own = parts.setdefault(part.name, {})
                    own.setdefault(job.arguments["kind"], []).append({"seed": job.arguments["seed"], **result})
        figures = all_figures({"parts": parts})
    return {"size": settings.size, "parts": {name: parts[name] for name in PARTS if name in parts}}


def all_figures(found: Found) -> dict[str, list[Any]]:
    """Of all parts, by kind, which no two of them share."""
    return {kind: ones for part in found["parts"].values() for kind, ones in part.items()}


def whole_figures(found: Found) -> dict[str, list[Any]]:
    """Of the kinds of work that are done whole, for verdicts; "plan" has the size's plan of networks, as one dictionary."""
    plan = PLANS[found["size"]]
    amounts = {kind: AMOUNTS.get(kind.partition("_")[0]) for kind in all_figures(found)}
    wanted = {kind: max(1, amount.seeds(plan)) if amount else 1 for kind, amount in amounts.items()}
    whole = {kind: ones for kind, ones in all_figures(found).items() if len(ones) >= wanted[kind]}
    return {**whole, "plan": [plan.part("network")]}


def judge(found: Found, name: str) -> list[Judged]:
    """The verdicts of a part. Work that is not done whole decides nothing; the small size decides claims of any size alone."""
    judged = PARTS[name].judge(whole_figures(found), 1.0)
    if found["size"] != DECIDES_NOTHING:
        return judged
    return [
        one if claim.of_any_size else (*one[:2], "not decided", f"at the small size ({one[2]}): {one[3]}")
        for claim, one in zip(PARTS[name].claims, judged, strict=True)
    ]


def verdicts(found: Found) -> list[Judged]:
    """Of all parts that have results, by number of the claim."""
    return sorted((line for name in found["parts"] for line in judge(found, name)), key=lambda line: line[0])


# ---------------------------------------------------------------- pages


def section(found: Found, name: str, pictures: str) -> str:
    """What the page has of a part. pictures: the form of the paths of its pictures; empty: there are none."""
    part, figures = PARTS[name], all_figures(found)
    if name not in found["parts"]:
        return f"## {part.title}\n\nNot done."
    lines = [f"## {part.title}", "", *parameters(name, found["size"]), *part.lines(figures)]
    for picture in part.drawn(figures) if pictures else ():
        lines += [f"![{part.title}]({pictures.format(name, picture)})", ""]
    lines += verdict_lines(judge(found, name))
    if part.readings:
        lines += table(("open", "the study", "here"), part.readings)
    return "\n".join(lines).rstrip()


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


def summary(found: Found) -> str:
    """The scale, the table of all verdicts, and how long it took."""
    ones = [one for part in found["parts"].values() for results in part.values() for one in results]
    rows = [(str(number), claim, verdict) for number, claim, verdict, _ in verdicts(found)]
    small = " The small size decides nothing that depends on it." if found["size"] == DECIDES_NOTHING else ""
    lines = [
        *scale_of(found["size"]),
        *table(("claim", "", "verdict"), rows),
        f"{sum(one['seconds'] for one in ones):,.0f} s of processor time; sources "
        f"{', '.join(sorted({one['sources'] for one in ones}))}.{small}",
    ]
    return "\n".join(lines)


def markdown(found: Found) -> str:
    """The whole page, with pictures beside it."""
    pictures = f"{found['size']}_{{}}_{{}}.png" if can_draw() else ""
    sections = [section(found, name, pictures) for name in found["parts"]]
    return "\n\n".join(["# UCT-CCNN: the study, rerun", summary(found), *sections]) + "\n"


def draw(found: Found, folder: Path, form: str) -> None:
    """Draws the pictures that there are figures for. form: of their names. Raises OSError."""
    figures = all_figures(found)
    for name in found["parts"]:
        for picture in PARTS[name].drawn(figures):
            (PARTS[name].pictures or {})[picture](folder / form.format(name, picture), figures)


def write_report(found: Found, folder: Path) -> list[Path]:
    """Writes the page, the figures and, with Matplotlib, the pictures of what is done. Returns the pages. Raises OSError."""
    if not found["parts"]:
        return []
    stem = f"report-{found['size']}"
    write_aside(folder / f"{stem}.json", json.dumps(found).encode())
    write_aside(folder / f"{stem}.md", markdown(found).encode())
    if can_draw():
        draw(found, folder, f"{found['size']}_{{}}_{{}}.png")
    return [folder / f"{stem}.md"]
