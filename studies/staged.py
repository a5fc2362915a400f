"""A study of parts whose later work is made of the results of earlier work: what of it is done, and the pages of it.

A folder holds "jobs", a file for each piece of work, and the page with its figures and pictures. In the repository's
documentation, a file for each part has its figures, one line for each piece of work, all parts of one size. The page there has
its tables and verdicts between the lines `<!-- made: PART -->` and `<!-- end -->`.

Settings of a study have `part`, `size`, `processes`, `executor` and `out`; a plan of a size says how much of everything there
is.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.studies.jobs import Call, Job, read_result, run_jobs
from boardgym.studies.pages import Judged, can_draw, fill, lasting, table, verdict_lines
from boardgym.studies.parts import Figures, Part, check_names

DECIDES_NOTHING = "small"  # the size that decides claims of any size alone
MEASURED = ("seconds", "sources")  # of every result, by Work.measure
ONE_RUN = "take all parts of one run"
Found = dict[str, Any]


@dataclass(frozen=True)
class Amount:
    """Of a kind of work. plan: which part of the plan its results depend on.

    seeds: plan -> how many pieces of it there are; None: as many as are chosen, each with the seed that it is chosen by.
    """

    plan: str
    seeds: Callable[[Any], int] | None


def no_lines(*given: Any) -> list[str]:
    """None."""
    return []


@dataclass(frozen=True)
class Study:
    """A study.

    Attributes:
        name: in sentences, after "figures of". title: of its page.
        parts: by their names, in order. plans: by the names of sizes; `plan.part(name)` is a part of one, as plain data.
        run: (place, part=, kind=, seed=, size=, plan=, ...) does a piece of work: a function of a module, for other processes.
        needs: parts that a part is made of. amounts: by what the name of a kind begins with, up to a "_".
        scale: size -> lines that say how much of everything there is. before: (part, size) -> lines before those of a part.
        judged_by: the part of the plan that verdicts see, as the figures "plan", if any.
        complete: (figures, size) -> those that later work may be made of.
        given: settings -> figures that work may be made of before any is done.
    """

    name: str
    title: str
    parts: Mapping[str, Part]
    plans: Mapping[str, Any]
    run: Call
    amounts: Mapping[str, Amount]
    scale: Callable[[str], list[str]]
    needs: Mapping[str, tuple[str, ...]]
    before: Callable[[str, str], list[str]] = no_lines
    judged_by: str = ""
    complete: Callable[[Figures, str], Figures] = lambda figures, size: figures
    given: Callable[[Any], Figures] = lambda settings: {}

    # ------------------------------------------------------------ work

    def amount_of(self, kind: str) -> Amount | None:
        """How much there is of a kind of work."""
        return self.amounts.get(kind.partition("_")[0])

    def parts_of(self, settings: Any) -> list[Part]:
        """The parts that are asked for and those that they are made of, in order. Raises OptionError for what there is not."""
        check_names(settings.part, self.parts, settings.size, self.plans)
        wanted = {*settings.part, *(need for name in settings.part for need in self.needs.get(name, ()))} or {*self.parts}
        return [part for name, part in self.parts.items() if name in wanted]

    def jobs_of(self, part: Part, size: str, figures: Figures, stage: int | None = None) -> list[Job]:
        """The work of a part, or of a stage of it, whose earlier work is done. figures: of that."""
        found, plan, figures = [], self.plans[size], self.complete(figures, size)
        for kind, work in part.works.items():
            if stage not in (None, work.stage):
                continue
            amount = self.amount_of(kind)
            chosen = work.chooses(figures) if work.chooses else {}
            for seed in self.seeds_of(kind, plan, chosen) if work.is_seeded else (0,):
                if work.chooses and seed not in chosen:
                    continue
                later = {"chosen": chosen[seed]} if work.chooses else {}
                arguments = {"part": part.name, "kind": kind, "seed": seed, "size": size, **later}
                own = {"plan": plan.part(amount.plan)} if amount else {}
                name = f"{size}_{kind}_{seed}" if work.is_seeded else f"{size}_{kind}"
                holds = (*work.holds, *MEASURED)
                found.append(Job(name, {**arguments, **own}, part.digest(kind), size=work.units, holds=holds))
        return found

    def seeds_of(self, kind: str, plan: Any, chosen: Mapping[int, Any]) -> Sequence[int]:
        """Of a kind of work that has several. chosen: what each of them is done of, if that is chosen."""
        amount = self.amount_of(kind)
        if amount is None:
            return (0,)
        return list(chosen) if amount.seeds is None else range(1, amount.seeds(plan) + 1)

    def reproduce(self, settings: Any) -> Found:
        """Does what is missing. Returns what `found_of` does. Raises: as `run_jobs`, and OptionError for bad settings."""
        parts = self.parts_of(settings)
        for stage in sorted({stage for part in parts for stage in part.stages()}):
            figures = {**self.given(settings), **(all_figures(self.found_of(settings)) if stage else {})}
            if jobs := [job for part in parts for job in self.jobs_of(part, settings.size, figures, stage)]:
                run_jobs(
                    self.run,
                    jobs,
                    settings.out / "jobs",
                    processes=settings.processes,
                    executor=settings.executor,
                    label="work",
                )
        return self.found_of(settings)

    def found_of(self, settings: Any) -> Found:
        """{"size": its name, "parts": {part: {kind: one dictionary a seed}}, of what the folder has.

        Raises SpecError for results of other versions, or of other work than that which they would now be made of.
        """
        parts: dict[str, dict[str, list[Any]]] = {}
        figures = self.given(settings)
        asked = self.parts_of(settings)
        for stage in sorted({stage for part in asked for stage in part.stages()}):
            for part in asked:
                for job in self.jobs_of(part, settings.size, figures, stage):
                    result = read_result(settings.out / "jobs", job)
                    if result is not None:
                        own = parts.setdefault(part.name, {})
                        own.setdefault(job.arguments["kind"], []).append({"seed": job.arguments["seed"], **result})
            figures = {**self.given(settings), **all_figures({"parts": parts})}
        return {"size": settings.size, "parts": {name: parts[name] for name in self.parts if name in parts}}

    # ------------------------------------------------------------ verdicts

    def whole_figures(self, found: Found) -> dict[str, list[Any]]:
        """Of the kinds of work that are done whole, for verdicts; "plan" has the part of the plan that they see."""
        plan = self.plans[found["size"]]
        amounts = {kind: self.amount_of(kind) for kind in all_figures(found)}
        wanted = {kind: max(1, one.seeds(plan)) if one and one.seeds else 1 for kind, one in amounts.items()}
        whole = {kind: ones for kind, ones in all_figures(found).items() if len(ones) >= wanted[kind]}
        return {**whole, "plan": [plan.part(self.judged_by)]} if self.judged_by else whole

    def judge(self, found: Found, name: str) -> list[Judged]:
        """The verdicts of a part. Work that is not done whole decides nothing; the small size decides claims of any size."""
        judged = self.parts[name].judge(self.whole_figures(found), 1.0)
        if found["size"] != DECIDES_NOTHING:
            return judged
        return [
            one
            if claim.of_any_size or one[2] == "not decided"
            else (*one[:2], "not decided", f"{one[2]} at this size: {one[3]}")
            for claim, one in zip(self.parts[name].claims, judged, strict=True)
        ]

    def verdicts(self, found: Found) -> list[Judged]:
        """Of all parts that have results, by number of the claim."""
        return sorted((line for name in found["parts"] for line in self.judge(found, name)), key=lambda line: line[0])

    # ------------------------------------------------------------ pages

    def section(self, found: Found, name: str, pictures: str) -> str:
        """What the page has of a part. pictures: the form of the paths of its pictures; empty: there are none."""
        part, figures = self.parts[name], all_figures(found)
        if name not in found["parts"]:
            return f"## {part.title}\n\nNot done."
        lines = [f"## {part.title}", "", *self.before(name, found["size"]), *part.lines(figures)]
        for picture in part.drawn(figures) if pictures else ():
            lines += [f"![{part.title}]({pictures.format(name, picture)})", ""]
        if judged := self.judge(found, name):
            lines += verdict_lines(judged)
        if part.readings:
            lines += table(("open", "the study", "here"), part.readings)
        return "\n".join(lines).rstrip()

    def summary(self, found: Found) -> str:
        """The scale, the table of all verdicts, and how long it took."""
        ones = [one for part in found["parts"].values() for results in part.values() for one in results]
        rows = [(str(number), claim, verdict) for number, claim, verdict, _ in self.verdicts(found)]
        small = " The small size decides nothing that depends on it." if found["size"] == DECIDES_NOTHING else ""
        lines = [
            *self.scale(found["size"]),
            *table(("claim", "", "verdict"), rows),
            f"{lasting(sum(one['seconds'] for one in ones))} of processor time; sources "
            f"{', '.join(sorted({one['sources'] for one in ones}))}.{small}",
        ]
        return "\n".join(lines)

    def markdown(self, found: Found) -> str:
        """The whole page, with pictures beside it."""
        pictures = f"{found['size']}_{{}}_{{}}.png" if can_draw() else ""
        sections = [self.section(found, name, pictures) for name in found["parts"]]
        return "\n\n".join([f"# {self.title}", self.summary(found), *sections]) + "\n"

    def draw(self, found: Found, folder: Path, form: str) -> None:
        """Draws the pictures that there are figures for. form: of their names. Raises OSError."""
        figures = all_figures(found)
        for name in found["parts"]:
            for picture in self.parts[name].drawn(figures):
                (self.parts[name].pictures or {})[picture](folder / form.format(name, picture), figures)

    def write_report(self, found: Found, folder: Path) -> list[Path]:
        """Writes page, figures and, with Matplotlib, pictures of what is done. Returns the pages. Raises OSError."""
        if not found["parts"]:
            return []
        stem = f"report-{found['size']}"
        write_aside(folder / f"{stem}.json", json.dumps(found).encode())
        write_aside(folder / f"{stem}.md", self.markdown(found).encode())
        if can_draw():
            self.draw(found, folder, f"{found['size']}_{{}}_{{}}.png")
        return [folder / f"{stem}.md"]


def all_figures(found: Found) -> dict[str, list[Any]]:
    """Of all parts, by kind, which no two of them share."""
    return {kind: ones for part in found["parts"].values() for kind, ones in part.items()}


# ---------------------------------------------------------------- the repository's pages


class PartFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file. size: of the run. digests: of what results of a kind are made of. figures: of each kind its results."""

    part: str
    size: str
    digests: dict[str, str]
    figures: dict[str, list[dict[str, Any]]]


def of_one_run(figures: Mapping[str, list[Any]]) -> str:
    """Nothing shows that figures are of several runs."""
    return ""


@dataclass(frozen=True)
class Pages:
    """The figures of a study in the repository, and the page that is made of them.

    data: the folder of the figures. page, picture: names of the page, and of pictures by part and name. of_other_runs: figures
    -> what shows that they are not all of one run, empty if nothing does.
    """

    study: Study
    data: str
    page: str
    picture: str
    of_other_runs: Callable[[Mapping[str, list[Any]]], str] = of_one_run

    @property
    def PAGES(self) -> tuple[str, ...]:
        """The pages that there are."""
        return (self.page,)

    def path_of(self, docs: Path, name: str) -> Path:
        """The file of a part."""
        return docs / self.data / f"{name}.json"

    def digest_of(self, part: Part, kind: str, size: str) -> str:
        """Of what results of a kind are made of at a size."""
        amount = self.study.amount_of(kind)
        data = [part.digest(kind), self.study.plans[size].part(amount.plan) if amount else None]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

    def read_part(self, docs: Path, part: Part) -> PartFile | None:
        """What a part's file has, None if there is none.

        Raises SpecError for a file that is none, or has results of other settings than this version's, or without what a
        result of its kind holds.
        """
        path, plans = self.path_of(docs, part.name), self.study.plans
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        found = read_json(text, PartFile, SpecError, f"{path}: figures of {self.study.name}")
        if found.part != part.name or found.size not in plans:
            raise SpecError(f"{path}: part {found.part!r}, size {found.size!r}; expected part {part.name!r}, one of {[*plans]}")
        for kind in {*found.figures, *found.digests}:
            if kind not in part.works or found.digests.get(kind) != self.digest_of(part, kind, found.size):
                raise SpecError(f"{path}: {kind}: of other settings than those of this version; run the part again")
        for kind, ones in found.figures.items():
            for one in ones:
                if missing := {*part.works[kind].holds, *MEASURED, "seed"} - {*one}:
                    raise SpecError(f"{path}: {kind}: a result without {', '.join(sorted(missing))}; run the part again")
        return found

    def read_figures(self, docs: Path) -> Found:
        """What the repository's files have, as `found_of` has it. Raises SpecError, also for files of several runs."""
        read = {name: self.read_part(docs, part) for name, part in self.study.parts.items()}
        files = {name: found for name, found in read.items() if found is not None}
        sizes = {found.size for found in files.values()}
        if len(sizes) != 1:
            said = ", ".join(f"{name} {found.size}" for name, found in files.items()) or "no files"
            raise SpecError(f"{docs / self.data}: {said}; expected figures of one size: {ONE_RUN}")
        parts = {name: found.figures for name, found in files.items()}
        if wrong := self.of_other_runs(all_figures({"parts": parts})):
            raise SpecError(f"{docs / self.data}: {wrong}; {ONE_RUN}")
        return {"size": sizes.pop(), "parts": parts}

    def take_figures(self, settings: Any, docs: Path) -> list[str]:
        """Takes what `out` has of the parts asked for into the repository's files, draws the pictures. Returns a line a part.

        Raises OptionError where figures of another size or run would stay beside them; SpecError, OSError.
        """
        found = self.study.found_of(settings)
        if not found["parts"]:
            return []
        others = {name: part for name, part in self.study.parts.items() if name not in found["parts"]}
        stay = {name: kept for name, part in others.items() if (kept := self.read_part(docs, part))}
        for name, kept in stay.items():
            if kept.size != settings.size:
                path = self.path_of(docs, name)
                raise OptionError(f"size={settings.size!r}: {path} has figures of the size {kept.size!r}; {ONE_RUN}")
        together = {**{name: kept.figures for name, kept in stay.items()}, **found["parts"]}
        if wrong := self.of_other_runs(all_figures({"parts": together})):
            raise OptionError(f"part={','.join(settings.part)!r}: beside the figures of {docs / self.data}: {wrong}; {ONE_RUN}")
        for name, figures in found["parts"].items():
            self.write_part(docs, self.study.parts[name], settings.size, figures)
        if can_draw():
            self.study.draw(self.read_figures(docs), docs / "images", self.picture)
        return [
            f"{name}: {sum(map(len, figures.values()))} results, "
            f"{sum(one['seconds'] for ones in figures.values() for one in ones):,.0f} s of processor time"
            for name, figures in found["parts"].items()
        ]

    def write_part(self, docs: Path, part: Part, size: str, figures: dict[str, list[Any]]) -> None:
        """Writes a part's file, whole or not at all; numbers with all digits, as they are judged. Raises OSError."""
        digests = {kind: self.digest_of(part, kind, size) for kind in figures}
        blocks = [
            f"{json.dumps(kind)}: [\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in ones) + "\n]"
            for kind, ones in figures.items()
        ]
        head = f'{{"part": {json.dumps(part.name)}, "size": {json.dumps(size)},\n"digests": {json.dumps(digests)},\n'
        path = self.path_of(docs, part.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, (head + '"figures": {\n' + ",\n".join(blocks) + "\n}}\n").encode())

    def make_pages(self, docs: Path) -> dict[Path, str]:
        """The page as the figures beside it have it: path -> text. Raises SpecError, OSError."""
        found, page = self.read_figures(docs), docs / self.page
        made = {name: self.study.section(found, name, f"images/{self.picture}") for name in self.study.parts}
        return {page: fill(page.read_text(encoding="utf-8"), {"summary": self.study.summary(found), **made}, str(page))}
