"""What a part of a study is: kinds of work, each done for several seeds, and what their results say.

A part is a `Part`, which a list of its study names. Its figures go by kind of work: {kind: one dictionary a seed, which "seed"
numbers}, of those kinds that have results.
"""

import hashlib
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from scipy import stats

from boardgym.core.errors import OptionError, nearest
from boardgym.core.sources import SOURCES
from boardgym.studies.jobs import Place
from boardgym.studies.pages import Judged
from boardgym.studies.verdicts import MANY, Found

Figures = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Work:
    """A kind of work.

    Attributes:
        run: (place, seed, size) -> plain data; of work that is chosen, (place, seed, size, chosen). size: of what it plays or
            draws, 1 for that of the study, or a name that the study gives it. It tells the place how much it has done, in
            `units`.
        is_seeded: done once for each seed; else once, with seed 0.
        units: of the progress.
        seeds: how many, if nobody says; 0: as many as the part has.
        made_of: plain data that results of this kind depend on, beside that of the part.
        stage: work is done after that of all earlier stages.
        chooses: figures of earlier stages -> what the work is done of, plain data that results are told apart by; None, which
            puts it off, while there are too few. A study whose seeds are each done of something of their own takes
            {seed: that of this seed} instead, and puts off the seeds that it lacks.
        holds: names that a result has, at the least, beside "seconds" and "sources".
    """

    run: Callable[..., dict[str, Any]]
    is_seeded: bool = True
    units: int = 1
    seeds: int = 0
    made_of: Any = None
    stage: int = 0
    chooses: Callable[[Figures], Any] | None = None
    holds: tuple[str, ...] = ()

    def measure(self, place: Place, seed: int, size: Any, **later: Any) -> dict[str, Any]:
        """Does it. Returns its figures, with the processor seconds it took and the digest of the compiled sources."""
        begun = time.process_time()
        found = self.run(place, seed, size, **later)
        return {**found, "seconds": round(time.process_time() - begun, 2), "sources": SOURCES[:12]}


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        number: in the list of its study.
        needs: kinds without which it cannot be judged.
        of_any_size: whether a rerun of any size decides it, in a study whose least size decides nothing else.
    """

    number: int
    text: str
    judge: Callable[[Figures], Found]
    needs: tuple[str, ...] = ()
    of_any_size: bool = False


@dataclass(frozen=True)
class Part:
    """A part of the study.

    Attributes:
        name: on the command line.
        title: what it is, in a line.
        works: by name of the kind.
        lines: figures -> the page between the title and the verdicts, published beside reproduced.
        claims: what it decides.
        readings: (what the study leaves open, what it says, how it is read here).
        pictures: name -> (path, figures) draws it; left out while there is nothing to draw.
        needs: of a picture, the kinds without which it cannot be drawn.
        seeds: how many, if nobody says.
        made_of: plain data that results depend on beside seed and size: with other data they are not reused.
        keeps: a result -> what of it the page is made of, which the repository's file has; all of it if left out.
    """

    name: str
    title: str
    works: Mapping[str, Work]
    lines: Callable[[Figures], list[str]]
    claims: tuple[Claim, ...]
    readings: tuple[tuple[str, str, str], ...] = ()
    pictures: Mapping[str, Callable[[Path, Figures], None]] | None = None
    needs: Mapping[str, tuple[str, ...]] | None = None
    seeds: int = MANY
    made_of: tuple[Any, ...] = ()
    keeps: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None

    def stages(self) -> list[int]:
        """Those of its works, in order."""
        return sorted({work.stage for work in self.works.values()})

    def digest(self, kind: str) -> str:
        """Of what results of a kind of work are made of."""
        own = self.works[kind].made_of
        data = self.made_of if own is None else (self.made_of, own)
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

    def judge(self, figures: Figures, size: float) -> list[Judged]:
        """(number, claim, verdict, evidence) of each claim. Below the study's size nothing is decided."""
        found: list[Judged] = []
        for claim in self.claims:
            if absent := [kind for kind in claim.needs if not figures.get(kind)]:
                found.append((claim.number, claim.text, "not decided", f"not done: {', '.join(absent)}"))
                continue
            verdict, text = claim.judge(figures)
            if size < 1.0:
                verdict, text = "not decided", f"at {size:g} of the full size ({verdict}): {text}"
            found.append((claim.number, claim.text, verdict, text))
        return found

    def drawn(self, figures: Figures) -> list[str]:
        """The pictures that there are figures for."""
        needs = self.needs or {}
        return [name for name in self.pictures or () if figures and all(figures.get(kind) for kind in needs.get(name, ()))]


def check_names(part: Sequence[str], parts: Mapping[str, Any], size: str, sizes: Mapping[str, Any]) -> None:
    """Raises OptionError for the name of a part, or of a size, that a study does not have."""
    if unknown := [name for name in part if name not in parts]:
        raise OptionError(f"part={unknown[0]!r}; {nearest(unknown[0], parts)}")
    if size not in sizes:
        raise OptionError(f"size={size!r}; {nearest(size, sizes)}")


def scaled(count: int, size: float, least: int = 1) -> int:
    """So many of a count, at a size."""
    return max(least, round(count * size))


def student(free: int) -> float:
    """The 97.5 % point of Student's t. free: degrees of freedom, from 1."""
    return float(stats.t.ppf(0.975, free))


def half_width(values: Sequence[float]) -> float:
    """Half of the 95 % interval of a mean (Student's t); of fewer than three values 0."""
    count = len(values)
    return student(count - 1) * stdev(values) / math.sqrt(count) if count > 2 else 0.0


def spread(values: Sequence[float], digits: int = 2) -> str:
    """A mean over seeds with its 95 % interval (Student's t); of fewer than three seeds with the range."""
    if len(values) < 3:
        low, high = min(values), max(values)
        text = f"{mean(values):.{digits}f}"
        return text if len(values) == 1 else f"{text} ({low:.{digits}f} to {high:.{digits}f})"
    return f"{mean(values):.{digits}f} ± {half_width(values):.{digits}f}"
