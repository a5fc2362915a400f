"""The figures of the Abalearn study's rerun in the repository, and the pages that are made of them.

In the folder of the documentation, `data/abalearn/PART.json` has the figures of a part, one line for each piece of work. The
pages have its tables and verdicts between the lines `<!-- made: PART -->` and `<!-- end -->`, made of that file alone.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.studies.abalearn.study import PARTS, Settings, found_of, load_part, markdown
from boardgym.studies.pages import can_draw, fill
from boardgym.studies.parts import Figures, Part

PAGES = ("study_abalearn.md", "study_abalearn_methods.md")
DATA, IMAGES = "data/abalearn", "images"
DIGITS = 6  # of numbers in the files


class PartFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file. digests: of what results of a kind are made of. figures: of each kind its results, by "seed".

    drawn: of each picture the seeds that it shows, by kind.
    """

    part: str
    digests: dict[str, str]
    figures: dict[str, list[dict[str, Any]]]
    drawn: dict[str, dict[str, list[int]]] = {}


def path_of(docs: Path, name: str) -> Path:
    """The file of a part."""
    return docs / DATA / f"{name}.json"


# ---------------------------------------------------------------- figures


def read_figures(docs: Path, part: Part) -> PartFile | None:
    """What a part's file has, None if there is none.

    Raises SpecError for a file that is none, or has results of other settings than this version's.
    """
    path = path_of(docs, part.name)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    found = read_json(text, PartFile, SpecError, f"{path}: figures of the study of Abalearn")
    if found.part != part.name:
        raise SpecError(f"{path}: part {found.part!r}, not {part.name!r}")
    ours = {kind: part.digest(kind) for kind in part.works}
    if strangers := [kind for kind in {*found.figures, *found.digests} if found.digests.get(kind) != ours.get(kind, "")]:
        raise SpecError(
            f"{path}: {', '.join(sorted(strangers))}: of other settings than those of this version; run the part "
            "again and make the file with --docs"
        )
    for kind, results in found.figures.items():
        seeds = [one.get("seed") for one in results]
        if not all(type(seed) is int for seed in seeds) or len({*seeds}) != len(seeds):
            raise SpecError(f"{path}: {kind}: seeds {seeds}; expected a number for each result, none twice")
    return found


def take_figures(settings: Settings, docs: Path) -> list[str]:
    """Takes what `out` has of the parts asked for into their files, beside the seeds that are there, and draws their pictures.

    Pictures are of what `out` has, where Matplotlib is there; the file says of which seeds. Returns a line for each part.

    Raises OSError; SpecError for a damaged file; OptionError for results below the full size.
    """
    if settings.size != 1.0:
        raise OptionError(f"size={settings.size:g}: the pages of the repository are made of results of the full size, size=1")
    lines = []
    for name, found in found_of(settings).items():
        if not found["figures"]:
            continue
        part = load_part(name)
        kept = read_figures(docs, part)
        figures = {kind: {one["seed"]: one for one in results} for kind, results in (kept.figures if kept else {}).items()}
        changed = 0
        for kind, results in found["figures"].items():
            here = figures.setdefault(kind, {})
            for one in results:
                ours = rounded(part.keeps(one) if part.keeps else one)
                changed += one["seed"] in here and told(here[one["seed"]]) != told(ours)
                here[one["seed"]] = ours
        drawn = dict(kept.drawn) if kept else {}
        for picture in part.drawn(found["figures"]) if can_draw() else ():
            (part.pictures or {})[picture](docs / IMAGES / f"study_abalearn_{name}_{picture}.png", found["figures"])
            drawn[picture] = seeds_of(part, picture, found["figures"])
        write_figures(docs, part, {kind: [here[seed] for seed in sorted(here)] for kind, here in figures.items()}, drawn)
        lines.append(
            f"{name}: {', '.join(f'{kind} {len(here)}' for kind, here in figures.items())} results"
            + (f", {changed} of them with other figures than before" if changed else "")
        )
    return lines


def seeds_of(part: Part, picture: str, figures: Figures) -> dict[str, list[int]]:
    """The seeds of the kinds of work that a picture shows."""
    kinds = (part.needs or {}).get(picture) or part.works
    return {kind: [one["seed"] for one in figures[kind]] for kind in kinds if figures.get(kind)}


def told(result: dict[str, Any]) -> dict[str, Any]:
    """A result without what it took."""
    return {name: value for name, value in result.items() if name not in ("seconds", "sources")}


def rounded(value: Any) -> Any:
    """Plain data with DIGITS of each number."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def write_figures(
    docs: Path, part: Part, figures: dict[str, list[dict[str, Any]]], drawn: dict[str, dict[str, list[int]]] | None = None
) -> None:
    """Writes a part's file, whole or not at all. Raises OSError."""
    kinds = [kind for kind in part.works if kind in figures]
    digests = json.dumps({kind: part.digest(kind) for kind in kinds})
    blocks = [
        f"{json.dumps(kind)}: [\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in figures[kind]) + "\n]"
        for kind in kinds
    ]
    pictures = f'"drawn": {json.dumps(drawn)},\n' if drawn else ""
    head = f'{{"part": {json.dumps(part.name)},\n"digests": {digests},\n{pictures}"figures": {{\n'
    path = path_of(docs, part.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, (head + ",\n".join(blocks) + "\n}}\n").encode())


# ---------------------------------------------------------------- pages


def captions(part: Part, found: PartFile) -> dict[str, str]:
    """Of each picture that does not show all the seeds that the file has, which ones it shows."""
    texts = {}
    for picture, shown in found.drawn.items():
        if shown != seeds_of(part, picture, found.figures):
            by_seeds: dict[str, list[str]] = {}
            for kind, seeds in shown.items():
                by_seeds.setdefault(runs_of(seeds), []).append(kind)
            each = [f"{text} ({', '.join(kinds)})" if len(by_seeds) > 1 else text for text, kinds in by_seeds.items()]
            texts[picture] = f"This picture is of seeds {'; '.join(each)}."
    return texts


def runs_of(seeds: Sequence[int]) -> str:
    """Numbers in words: those that follow one another by the first and the last."""
    found: list[list[int]] = []
    for seed in sorted(seeds):
        if found and seed == found[-1][1] + 1:
            found[-1][1] = seed
        else:
            found.append([seed, seed])
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in found)


def section_of(part: Part, found: PartFile | None) -> str:
    """What a page has of a part. Kinds of work with fewer seeds, whichever, than the part has by itself are named."""
    figures = found.figures if found else {}
    wanted = {kind: (work.seeds or part.seeds) if work.is_seeded else 1 for kind, work in part.works.items()}
    counts = {kind: len(figures.get(kind, ())) for kind in wanted}
    missing = [f"{kind} ({counts[kind]} of {count})" for kind, count in wanted.items() if counts[kind] < count]
    whole = {
        "size": 1.0,
        "figures": figures,
        "missing": missing,
        "left_out": [],
        "captions": captions(part, found) if found else {},
    }
    return markdown(part.name, whole, f"{IMAGES}/study_abalearn_{part.name}_").rstrip()


def make_pages(docs: Path) -> dict[Path, str]:
    """The pages as the figures beside them have them: path -> text. A part that no page has a place for is written by hand.

    Raises OSError; SpecError for damaged figures or pages, and for figures that no page has a place for.
    """
    texts = {docs / page: (docs / page).read_text(encoding="utf-8") for page in PAGES}
    for name in PARTS:
        part = load_part(name)
        found = read_figures(docs, part)
        page = next((path for path, text in texts.items() if f"<!-- made: {name} -->" in text), docs / PAGES[0])
        if found is not None or f"<!-- made: {name} -->" in texts[page]:
            texts[page] = fill(texts[page], {name: section_of(part, found)}, str(page))
    return texts
