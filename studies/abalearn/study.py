"""The study of Abalearn, rerun: which parts there are, what of them is done, and the pages of it.

P. F. P. Campos, "Abalearn", master's dissertation (IST, Technical University of Lisbon, about 2003). A folder holds "jobs", a
file for each piece of work, and a page, a file of figures and pictures for each part.
"""

import functools
import importlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.core.errors import OptionError, SpecError, nearest
from boardgym.core.files import write_aside
from boardgym.studies.jobs import Job, Place, read_result, run_jobs
from boardgym.studies.pages import Judged, can_draw, table, verdict_lines
from boardgym.studies.parts import Figures, Part
from boardgym.studies.verdicts import MANY

PARTS = (  # each a module of its own beside this one
    "rules", "illustrations", "risk", "coevolution", "printed", "readings", "signs", "methods", "method_i", "nets",
    "depth", "ratings", "complexity",
)  # fmt: skip
MOST_SEED = 9999 - MANY  # the first of some, so that numbers of work have four digits at most
MOST_NAMES = 8  # of work that is not done, on a page


@dataclass(frozen=True)
class Settings:
    """What to rerun.

    Attributes:
        part: names of parts: rules, illustrations, risk, coevolution, printed, readings, signs, methods, method_i,
            nets, depth, ratings, complexity; all of them if empty.
        seeds: how many; 0 for the number that the reproduction is made of.
        first_seed: the first of them, from 1: seeds that others have not looked at yet.
        size: of each piece of work, a share of the full one, above 0 to 1: a quick look, which decides nothing.
        processes: pieces of work at a time.
        executor: where they are: processes, of this machine; ray, ray://HOST:10001 or slurm, of a cluster, as of `boardgym
            compare`; all machines of a cluster share the folder of the results.
        out: folder of the results; a run that was cut short goes on there.
    """

    part: tuple[str, ...] = ()
    seeds: int = 0
    first_seed: int = 1
    size: float = 1.0
    processes: int = 1
    executor: str = "processes"
    out: Path = Path("runs/abalearn")


@functools.cache
def load_part(name: str) -> Part:
    """A part by its name. Raises OptionError naming the nearest ones."""
    if name not in PARTS:
        raise OptionError(f"part={name!r}; {nearest(name, PARTS)}")
    part: Part = importlib.import_module(f"boardgym.studies.abalearn.{name}").PART
    return part


def parts_of(settings: Settings) -> list[Part]:
    """The parts that are asked for, in their order. Raises OptionError for what there is not."""
    if settings.seeds < 0 or settings.processes < 1:
        raise OptionError(f"seeds={settings.seeds}, processes={settings.processes}: expected seeds from 0, processes from 1")
    if not 1 <= settings.first_seed <= MOST_SEED:
        raise OptionError(f"first_seed={settings.first_seed}: expected a seed from 1 to {MOST_SEED}")
    if not 0.0 < settings.size <= 1.0:
        raise OptionError(f"size={settings.size}: expected a share above 0, 1 at most")
    asked = {load_part(name).name for name in settings.part} or set(PARTS)
    return [load_part(name) for name in PARTS if name in asked]


def stem_of(part: Part, size: float) -> str:
    """What the files of a part at a size begin with."""
    return part.name if size == 1.0 else f"{part.name}-{size:g}"


def jobs_of(part: Part, seeds: int, size: float, figures: Figures, first: int = 1) -> list[Job]:
    """The work of a part. seeds: how many; 0 for the part's own. figures: what later work is chosen from.

    first: the first seed, but of work that has a number of its own: there seeds are points of a design, or choose later work.
    """
    found = []
    for kind, work in part.works.items():
        later = {"chosen": work.chooses(figures)} if work.chooses else {}
        begin, count = (1, work.seeds) if first > 1 and work.seeds else (first, seeds or work.seeds or part.seeds)
        for seed in range(begin, begin + count) if work.is_seeded else (0,):
            arguments = {"part": part.name, "kind": kind, "seed": seed, "size": size, **later}
            name = f"{stem_of(part, size)}_{kind}_{seed}"
            found.append(Job(name, arguments, part.digest(kind), size=work.units, holds=("seconds", "sources")))
    return found


def run_job(place: Place, part: str, kind: str, seed: int, size: float, **later: Any) -> dict[str, Any]:
    """A piece of work, as `Work.measure` returns it."""
    return load_part(part).works[kind].measure(place, seed, size, **later)


def reproduce(settings: Settings) -> dict[str, Any]:
    """Does what is missing. Returns what `found_of` does. Raises: as `run_jobs`, and OptionError for bad settings."""
    for stage in sorted({stage for part in parts_of(settings) for stage in part.stages()}):
        jobs = []
        for part in parts_of(settings):
            figures = gather_part(settings, part)["figures"] if stage else {}
            jobs += [
                job
                for job in jobs_of(part, settings.seeds, settings.size, figures, settings.first_seed)
                if part.works[job.arguments["kind"]].stage == stage and job.arguments.get("chosen", True) is not None
            ]
        if jobs:
            run_jobs(
                run_job, jobs, settings.out / "jobs", processes=settings.processes, executor=settings.executor, label="work"
            )
    return found_of(settings)


def found_of(settings: Settings) -> dict[str, Any]:
    """What the folder has of the parts asked for, whether or not all of it is done, and of seeds beyond those asked for.

    Returns {part: {"size": ..., "figures": {kind: one dictionary a seed}, "missing": names of what was asked for and is not
    done, "left_out": names of files of other versions}}.
    """
    return {part.name: gather_part(settings, part) for part in parts_of(settings)}


def gather_part(settings: Settings, part: Part) -> dict[str, Any]:
    """The results of a part that the folder has, as `found_of` returns them."""
    folder, size = settings.out / "jobs", settings.size
    there = {path.stem for path in folder.glob(f"{stem_of(part, size)}_*.json")}
    numbers = {int(number) for stem in there if re.fullmatch(r"[0-9]{1,4}", number := stem.rpartition("_")[2])}
    figures: dict[str, list[Any]] = {}
    missing, left_out = [], []
    asked = {job.name for job in jobs_of(part, settings.seeds, size, figures, settings.first_seed)}
    most = max(
        [settings.first_seed - 1 + (settings.seeds or part.seeds), *(work.seeds for work in part.works.values()), *numbers]
    )
    for stage in part.stages():
        for job in jobs_of(part, most, size, figures):
            is_wanted = job.name in asked or job.name in there
            if not is_wanted or part.works[job.arguments["kind"]].stage != stage:
                continue
            try:
                result = read_result(folder, job)
            except SpecError:
                left_out.append(f"{job.name}.json")
                continue
            if result is not None:
                figures.setdefault(job.arguments["kind"], []).append({"seed": job.arguments["seed"], **result})
            elif job.name in asked:
                missing.append(job.name)
    return {"size": size, "figures": figures, "missing": missing, "left_out": left_out}


# ---------------------------------------------------------------- pages


def markdown(name: str, found: dict[str, Any], images: str = "") -> str:
    """The page of a part. images: what the paths of its pictures, which are there, begin with; "": they are drawn beside it.

    found: as `gather_part` returns it; "captions" among it are set below the pictures that they are of.
    """
    part, figures = load_part(name), found["figures"]
    done = [one for ones in figures.values() for one in ones]
    counts = {kind: len(figures.get(kind, ())) for kind, work in part.works.items() if work.is_seeded}
    each = ", ".join(f"{kind} {count}" for kind, count in counts.items())
    seeds = each if len(set(counts.values())) > 1 else str(max(counts.values(), default=1))
    seconds, sources = sum(one["seconds"] for one in done), sorted({one["sources"] for one in done})
    lines = [f"## {name}: {part.title}", ""]
    if done:
        small = "" if found["size"] == 1.0 else f" At {found['size']:g} of the full size, which decides nothing."
        lines += [f"Seeds: {seeds}; {seconds:,.0f} s of processor time in all; sources {', '.join(sources)}.{small}", ""]
    for what, names in (("Not done", found["missing"]), ("Left out, as of another version", found["left_out"])):
        shown = [*names[:MOST_NAMES], *([f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else [])]
        lines += [f"{what}: {', '.join(shown)}.", ""] if names else []
    lines += part.lines(figures)
    if images or can_draw():
        begin = images or f"{stem_of(part, found['size'])}_"
        for picture in part.drawn(figures):
            lines += [f"![{picture.replace('_', ' ')}]({begin}{picture}.png)", ""]
            lines += [caption, ""] if (caption := found.get("captions", {}).get(picture)) else []
    judged = verdict_lines(part.judge(figures, found["size"])) if part.claims else []
    return "\n".join([*lines, *judged, *readings(part)])


def readings(part: Part) -> list[str]:
    """The table of what the study leaves open."""
    return table(["open", "the study", "here"], part.readings) if part.readings else []


def verdicts(found: dict[str, Any]) -> list[Judged]:
    """Of all parts that have results, by number of the claim."""
    judged = [load_part(name).judge(one["figures"], one["size"]) for name, one in found.items() if one["figures"]]
    return sorted((line for lines in judged for line in lines), key=lambda line: line[0])


def write_report(found: dict[str, Any], folder: Path) -> list[Path]:
    """Writes a page, the figures and, with Matplotlib, the pictures of each part that has results.

    Returns the pages. Raises OSError.
    """
    found = {name: one for name, one in found.items() if one["figures"]}
    pages = []
    for name, one in found.items():
        part = load_part(name)
        stem = stem_of(part, one["size"])
        write_aside(folder / f"{stem}.json", json.dumps(one).encode())
        write_aside(folder / f"{stem}.md", markdown(name, one).encode())
        pages.append(folder / f"{stem}.md")
        for picture in part.drawn(one["figures"]) if can_draw() else ():
            (part.pictures or {})[picture](folder / f"{stem}_{picture}.png", one["figures"])
    return pages
