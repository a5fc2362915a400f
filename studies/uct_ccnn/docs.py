"""The figures of the UCT-CCNN study's rerun in the repository, and the page that is made of them.

In the folder of the documentation, `data/uct_ccnn/PART.json` has the figures of a part, one line for each piece of work, all
parts of one size. The page has its tables and verdicts between the lines `<!-- made: PART -->` and `<!-- end -->`.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.studies.abalearn.docs import rounded
from boardgym.studies.pages import can_draw, fill
from boardgym.studies.parts import Part
from boardgym.studies.uct_ccnn.mcts import SETTING
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS, SETTINGS
from boardgym.studies.uct_ccnn.study import (
    AMOUNTS,
    MEASURED,
    PARTS,
    Found,
    Settings,
    all_figures,
    draw,
    found_of,
    section,
    summary,
)
from boardgym.studies.uct_ccnn.tuning import constants

PAGES = ("study_uct_ccnn.md",)
ONE_RUN = "take all parts of one run"
ROUNDED = 1e-5  # how far a constant may lie from the mean of tunings that the files have with six digits
DATA, PICTURE = "data/uct_ccnn", "study_uct_ccnn_{}_{}.png"


class PartFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file. size: of the run. digests: of what results of a kind are made of. figures: of each kind its results."""

    part: str
    size: str
    digests: dict[str, str]
    figures: dict[str, list[dict[str, Any]]]


def path_of(docs: Path, name: str) -> Path:
    """The file of a part."""
    return docs / DATA / f"{name}.json"


def digest_of(part: Part, kind: str, size: str) -> str:
    """Of what results of a kind are made of at a size."""
    amount = AMOUNTS.get(kind.partition("_")[0])
    data = [part.digest(kind), PLANS[size].part(amount.plan) if amount else None]
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def read_part(docs: Path, part: Part) -> PartFile | None:
    """What a part's file has, None if there is none.

    Raises SpecError for a file that is none, or has results of other settings than this version's, or without what a result of
    its kind holds.
    """
    path = path_of(docs, part.name)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    found = read_json(text, PartFile, SpecError, f"{path}: figures of the study of UCT-CCNN")
    if found.part != part.name or found.size not in PLANS:
        raise SpecError(f"{path}: part {found.part!r}, size {found.size!r}; expected part {part.name!r} and one of {[*PLANS]}")
    for kind in {*found.figures, *found.digests}:
        if kind not in part.works or found.digests.get(kind) != digest_of(part, kind, found.size):
            raise SpecError(f"{path}: {kind}: of other settings than those of this version; run the part again")
    for kind, ones in found.figures.items():
        for one in ones:
            if missing := {*part.works[kind].holds, *MEASURED, "seed"} - {*one}:
                raise SpecError(f"{path}: {kind}: a result without {', '.join(sorted(missing))}; run the part again")
    return found


def read_figures(docs: Path) -> Found:
    """What the repository's files have, as `study.found_of` returns it. Raises SpecError, also for files of several runs."""
    files = {name: found for name, part in PARTS.items() if (found := read_part(docs, part)) is not None}
    sizes = {found.size for found in files.values()}
    if len(sizes) != 1:
        said = ", ".join(f"{name} {found.size}" for name, found in files.items()) or "no files"
        raise SpecError(f"{docs / DATA}: {said}; expected figures of one size: {ONE_RUN}")
    parts = {name: found.figures for name, found in files.items()}
    if wrong := of_other_runs(all_figures({"parts": parts})):
        raise SpecError(f"{docs / DATA}: {wrong}; {ONE_RUN}")
    return {"size": sizes.pop(), "parts": parts}


def of_other_runs(figures: Mapping[str, list[Any]]) -> str:
    """What shows that figures are not all of one run; empty if nothing does.

    Examples must be played with the mean of the tunings, and matches with the networks of the same numbers.
    """
    means = constants(figures)
    for game, setting in ((game, setting) for game in GAMES for setting in SETTINGS):
        for one in figures.get(f"examples_{game}_{setting}", ()):
            if game in means and abs(one["constant"] - means[game]) > ROUNDED:
                ours = f"constant {one['constant']:g}, of the tunings {means[game]:g}"
                return f"examples_{game}_{setting}: data set {one['seed']}: {ours}"
        kind = f"networks_{game}_{setting}"
        grown = {one["seed"]: one["network"] for one in figures.get(kind, ())}
        for other in (f"minimax_{game}_{setting}", f"mcts_{game}") if setting == SETTING else (f"minimax_{game}_{setting}",):
            for one in figures.get(other, ()):
                if kind in figures and one["network"] != grown.get(one["seed"]):
                    return f"{other}: network {one['seed']} is not that of {kind}"
    return ""


def take_figures(settings: Settings, docs: Path) -> list[str]:
    """Takes what `out` has of the parts asked for into the repository's files and draws the pictures. Returns a line a part.

    Raises OptionError where figures of another size or run would stay beside them; SpecError, OSError.
    """
    found = found_of(settings)
    if not found["parts"]:
        return []
    stay = {name: kept for name, part in PARTS.items() if name not in found["parts"] and (kept := read_part(docs, part))}
    for name, kept in stay.items():
        if kept.size != settings.size:
            path = path_of(docs, name)
            raise OptionError(f"size={settings.size!r}: {path} has figures of the size {kept.size!r}; {ONE_RUN}")
    together = {**{name: kept.figures for name, kept in stay.items()}, **found["parts"]}
    if wrong := of_other_runs(all_figures({"parts": together})):
        raise OptionError(f"part={','.join(settings.part)!r}: beside the figures of {docs / DATA}: {wrong}; {ONE_RUN}")
    for name, figures in found["parts"].items():
        write_part(docs, PARTS[name], settings.size, figures)
    if can_draw():
        draw(read_figures(docs), docs / "images", PICTURE)
    return [
        f"{name}: {sum(map(len, figures.values()))} results, "
        f"{sum(one['seconds'] for ones in figures.values() for one in ones):,.0f} s of processor time"
        for name, figures in found["parts"].items()
    ]


def write_part(docs: Path, part: Part, size: str, figures: dict[str, list[Any]]) -> None:
    """Writes a part's file, whole or not at all. Raises OSError."""
    digests = {kind: digest_of(part, kind, size) for kind in figures}
    blocks = [
        f"{json.dumps(kind)}: [\n" + ",\n".join(json.dumps(rounded(one), separators=(",", ":")) for one in ones) + "\n]"
        for kind, ones in figures.items()
    ]
    head = f'{{"part": {json.dumps(part.name)}, "size": {json.dumps(size)},\n"digests": {json.dumps(digests)},\n"figures": {{\n'
    path = path_of(docs, part.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, (head + ",\n".join(blocks) + "\n}}\n").encode())


def make_pages(docs: Path) -> dict[Path, str]:
    """The page as the figures beside it have it: path -> text. Raises SpecError, OSError."""
    found, page = read_figures(docs), docs / PAGES[0]
    made = {name: section(found, name, f"images/{PICTURE}") for name in PARTS}
    return {page: fill(page.read_text(encoding="utf-8"), {"summary": summary(found), **made}, str(page))}
