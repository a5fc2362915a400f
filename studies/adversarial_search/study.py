"""The claims of the lecture notes on adversarial search, measured: which parts there are, what is done, and the page of it.

The notes (in Portuguese, companions to the chapter "Adversarial search and games" of a textbook) have no experiments: what a
faithful implementation must show are ten claims, each measured here by one part. A folder holds "jobs", a file for each part
that was measured, and the page with its figures and pictures. `docs/data/adversarial_search.json` has the figures that the
repository's page is made of.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from boardgym.baselines.typed_json import plain_data, read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.studies.adversarial_search.cutoff import CUTOFF
from boardgym.studies.adversarial_search.dice import DICE_GAME
from boardgym.studies.adversarial_search.exact import MAXN, TABLE, TIC_TAC_TOE, VALUES
from boardgym.studies.adversarial_search.growth import GROWTH
from boardgym.studies.adversarial_search.selective import BEAM, HORIZON, PROBCUT
from boardgym.studies.jobs import Job, Place, read_result, run_jobs
from boardgym.studies.pages import Judged, can_draw, fill, table, verdict_lines
from boardgym.studies.parts import Part, check_names

PARTS = {part.name: part for part in (VALUES, TIC_TAC_TOE, GROWTH, TABLE, MAXN, CUTOFF, HORIZON, BEAM, PROBCUT, DICE_GAME)}
KIND = "measured"  # the one kind of work of each
PAGES = ("study_adversarial_search.md",)
DATA, PICTURE = "data/adversarial_search.json", "study_adversarial_search_{}_{}.png"
SIZES = {"small": 0.1, "full": 1.0}
Size = Literal["small", "full"]
Found = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """What to measure.

    Attributes:
        part: names of parts, one for each claim: values, tic_tac_toe, growth, table, maxn, cutoff, horizon, beam, probcut,
            dice; all of them if empty.
        size: small takes seconds and decides nothing; full takes half a minute of one core. Both take longer the first time,
            when their kernels are compiled.
        processes: parts at a time.
        executor: where they are: processes, of this machine; ray, ray://HOST:10001 or slurm, of a cluster, as of `boardgym
            compare`; all machines of a cluster share the folder of the results.
        out: folder of the results; a run that was cut short goes on there.
    """

    part: tuple[str, ...] = ()
    size: Size = "full"
    processes: int = 1
    executor: str = "processes"
    out: Path = Path("runs/adversarial-search")


def parts_of(settings: Settings) -> list[Part]:
    """The parts that are asked for, in their order. Raises OptionError for what there is not."""
    check_names(settings.part, PARTS, settings.size, SIZES)
    return [part for name, part in PARTS.items() if not settings.part or name in settings.part]


def job_of(part: Part, size: Size) -> Job:
    """The work of a part."""
    arguments = {"part": part.name, "size": size}
    work = part.works[KIND]
    return Job(f"{part.name}-{size}", arguments, part.digest(KIND), size=work.units, holds=("seconds", "sources"))


def run_job(place: Place, part: str, size: Size) -> dict[str, Any]:
    """Measures a part, as `Work.measure` does."""
    return PARTS[part].works[KIND].measure(place, 0, SIZES[size])


def reproduce(settings: Settings) -> Found:
    """Does what is missing. Returns what `found_of` does. Raises: as `run_jobs`, and OptionError for bad settings."""
    jobs = [job_of(part, settings.size) for part in parts_of(settings)]
    run_jobs(run_job, jobs, settings.out / "jobs", processes=settings.processes, executor=settings.executor, label="parts")
    return found_of(settings)


def found_of(settings: Settings) -> Found:
    """{part: its figures} of the parts asked for that are done, and "size". Raises SpecError for files of other versions."""
    results = {part.name: read_result(settings.out / "jobs", job_of(part, settings.size)) for part in parts_of(settings)}
    return {"size": settings.size, "parts": {name: result for name, result in results.items() if result is not None}}


def figures_of(found: Found, name: str) -> dict[str, list[Any]]:
    """The figures of a part, as its functions take them."""
    return {KIND: [found["parts"][name]]} if name in found["parts"] else {}


def verdicts(found: Found) -> list[Judged]:
    """Of all parts that are done, by number of the claim."""
    size = SIZES[found["size"]]
    return sorted(
        (line for name in found["parts"] for line in PARTS[name].judge(figures_of(found, name), size)), key=lambda line: line[0]
    )


# ---------------------------------------------------------------- pages


def section(found: Found, name: str, pictures: str) -> str:
    """What the page has of a part. pictures: the form of the paths of its pictures; empty: there are none."""
    part, figures = PARTS[name], figures_of(found, name)
    if not figures:
        return f"## {part.title}\n\nNot done."
    lines = [f"## {part.title}", "", *part.lines(figures)]
    for picture in part.pictures or {} if pictures else ():
        lines += [f"![{part.title}]({pictures.format(name, picture)})", ""]
    lines += verdict_lines(part.judge(figures, SIZES[found["size"]]))
    if part.readings:
        lines += table(("open", "the notes", "here"), part.readings)
    return "\n".join(lines).rstrip()


def summary(found: Found) -> str:
    """The table of all verdicts, and how long it took."""
    rows = [(str(number), claim, verdict) for number, claim, verdict, _ in verdicts(found)]
    seconds = sum(one["seconds"] for one in found["parts"].values())
    sources = sorted({one["sources"] for one in found["parts"].values()})
    small = "" if found["size"] == "full" else f" At the {found['size']} size, which decides nothing."
    lines = [
        *table(("claim", "", "verdict"), rows),
        f"{seconds:,.0f} s of processor time; sources {', '.join(sources)}.{small}",
    ]
    return "\n".join(lines)


def markdown(found: Found) -> str:
    """The whole page, with pictures beside it."""
    pictures = "{}_{}.png" if can_draw() else ""
    sections = [section(found, name, pictures) for name in found["parts"]]
    return "\n\n".join(["# Adversarial search: the claims, measured", summary(found), *sections]) + "\n"


def draw(found: Found, folder: Path, form: str) -> None:
    """Draws the pictures of the parts that are done. form: of their names. Raises OSError."""
    for name in found["parts"]:
        for picture, drawn in (PARTS[name].pictures or {}).items():
            drawn(folder / form.format(name, picture), figures_of(found, name))


def write_report(found: Found, folder: Path) -> list[Path]:
    """Writes the page, the figures and, with Matplotlib, the pictures of what is done. Returns the pages. Raises OSError."""
    if not found["parts"]:
        return []
    stem = f"report-{found['size']}"
    write_aside(folder / f"{stem}.json", json.dumps(found).encode())
    write_aside(folder / f"{stem}.md", markdown(found).encode())
    if can_draw():
        draw(found, folder, "{}_{}.png")
    return [folder / f"{stem}.md"]


# ---------------------------------------------------------------- the repository's page


class Kept(msgspec.Struct, forbid_unknown_fields=True):
    """The file of the repository. digests: of what the figures of a part are made of. parts: {part: its figures}."""

    digests: dict[str, str]
    parts: dict[str, dict[str, Any]]


def read_figures(docs: Path, anew: Collection[str] = ()) -> Found:
    """What the repository's file has, as `found_of` returns it. Raises SpecError, for other settings too; OSError.

    anew: parts that were measured again, whose figures are left out, of whatever settings they are.
    """
    path = docs / DATA
    kept = read_json(path.read_bytes(), Kept, SpecError, f"{path}: figures of the study of adversarial search")
    ours = {name: part.digest(KIND) for name, part in PARTS.items()}
    names = {*kept.parts, *kept.digests} - set(anew)
    if strangers := [name for name in names if kept.digests.get(name) != ours.get(name, "")]:
        raise SpecError(f"{path}: {', '.join(sorted(strangers))}: of other settings than this version's; measure them again")
    return {"size": "full", "parts": {name: kept.parts[name] for name in PARTS if name in kept.parts and name in names}}


def take_figures(settings: Settings, docs: Path) -> list[str]:
    """Takes what `out` has into the repository's file and draws the pictures. Returns a line for each part.

    Raises OptionError for figures that are not of the full size; SpecError, OSError.
    """
    if settings.size != "full":
        raise OptionError(f"size={settings.size!r}: the page of the repository is made of figures of the full size")
    found = found_of(settings)
    parts = read_figures(docs, found["parts"])["parts"] if (docs / DATA).exists() else {}
    parts = {**parts, **plain_data(found["parts"])}
    kept = {name: parts[name] for name in PARTS if name in parts}
    digests = {name: PARTS[name].digest(KIND) for name in kept}
    lines = [f"{json.dumps(name)}: {json.dumps(one, separators=(',', ':'))}" for name, one in kept.items()]
    text = f'{{"digests": {json.dumps(digests)},\n"parts": {{\n' + ",\n".join(lines) + "\n}}\n"
    (docs / DATA).parent.mkdir(parents=True, exist_ok=True)
    write_aside(docs / DATA, text.encode())
    if can_draw():
        draw({"size": "full", "parts": kept}, docs / "images", PICTURE)
    return [f"{name}: {one['seconds']:g} s of processor time" for name, one in found["parts"].items()]


def make_pages(docs: Path) -> dict[Path, str]:
    """The page as the figures beside it have it: path -> text. Raises SpecError, OSError."""
    found, page = read_figures(docs), docs / PAGES[0]
    made = {name: section(found, name, f"images/{PICTURE}") for name in PARTS}
    return {page: fill(page.read_text(encoding="utf-8"), {"summary": summary(found), **made}, str(page))}
