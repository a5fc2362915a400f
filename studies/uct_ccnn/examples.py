"""Claim 4 of the UCT-CCNN study: what UCT's games leave to learn from, table 5.3."""

import contextlib
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym import __version__
from boardgym.baselines.learning.examples.columns import Examples
from boardgym.baselines.learning.examples.filters import data_sets
from boardgym.baselines.learning.examples.generation import generate_examples
from boardgym.baselines.learning.examples.settings import ExamplesConfig
from boardgym.core.errors import SpecError
from boardgym.core.sources import SOURCES
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.uct_ccnn.judging import every
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS, SETTINGS, files_of, kinds, simulations_of
from boardgym.studies.uct_ccnn.published import EXAMPLES as PRINTED
from boardgym.studies.uct_ccnn.tuning import constants
from boardgym.studies.verdicts import Found, Verdict, all_of

FILTERS, SHARES = ("winners", "most-visited"), (0.9, 0.1)
UNITS = 20
MARGIN = 0.05  # of the first setting's examples: fewer than so many more are not more
Z = 1.96


def config_of(game: str, setting: str, seed: int, size: Any, constant: float) -> ExamplesConfig:
    """The games of a data set."""
    plan, study = PLANS[size], GAMES[game]
    return ExamplesConfig(
        game=study.id,
        policy=f"uct:{simulations_of(plan, setting)},c={constant:g},solver=0,choice=max_child",
        option=study.option,
        scale=plan.examples.scale,
        seed=seed,
    )


def folder_of(place: Place, game: str, setting: str, seed: int, size: Any) -> Path:
    """Where a data set is kept."""
    return files_of(place, f"examples-{size}") / f"{game}-{setting}-{seed}"


def identity(game: str, setting: str, size: Any, constant: float) -> dict[str, Any]:
    """What the examples of a folder must have been made of; a file beside it says what they were."""
    digest = EXAMPLES.digest(f"examples_{game}_{setting}")
    return {"version": __version__, "digest": digest, "plan": PLANS[size].part("examples"), "constant": constant}


def begin(place: Place, game: str, setting: str, seed: int, size: Any, constant: float) -> Path:
    """The folder that a data set is made in, without examples of other settings or other code. Raises SpecError, OSError."""
    folder = folder_of(place, game, setting, seed, size)
    beside, ours = Place(folder.parent, place.tell), {**identity(game, setting, size, constant), "sources": SOURCES}
    if beside.read(folder.name) != ours:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(folder)
        beside.keep(folder.name, ours)
    return folder


def made(place: Place, game: str, setting: str, seed: int, size: Any, constant: float) -> Path:
    """The folder of a data set that was made. Raises SpecError for other examples, or none.

    The code may have changed since: finished results stay those of one code.
    """
    folder = folder_of(place, game, setting, seed, size)
    found = Place(folder.parent, place.tell).read(folder.name) or {}
    ours = identity(game, setting, size, constant)
    if {name: found.get(name) for name in ours} != ours:
        raise SpecError(
            f"{folder}: not the examples that were made; delete their result in the folder jobs, and they are made again"
        )
    return folder


def plays(game: str, setting: str) -> Any:
    """The work that makes a data set."""

    def measure(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
        """What it has before and after the filters, and whether these did what they are for."""
        config = config_of(game, setting, seed, size, chosen["constant"])
        played = generate_examples(
            config,
            begin(place, game, setting, seed, size, chosen["constant"]),
            progress=lambda done, total, label: place.tell(int(UNITS * done / max(total, 1.0))),
        )
        if not played.is_finished:
            raise KeyboardInterrupt
        examples = played.load()
        (kept,) = data_sets(examples, FILTERS)
        sets = data_sets(examples, FILTERS, SHARES, seed=seed)
        lengths, counts = by_game(examples), by_game(kept, counts=True)
        per_game = np.zeros(played.games)
        per_game[: len(counts)] = counts
        return {
            "constant": chosen["constant"],
            "counts": examples.header["counts"],
            "train": len(sets[0]),
            "test": len(sets[1]),
            "lengths": [played.games, float(lengths.mean()), float(lengths.std(ddof=1))],
            "kept": [played.games, float(per_game.mean()), float(per_game.std(ddof=1))],
            "winners": bool((kept.columns["result"] > 0.0).all()),
            "most_visited": is_most_visited(examples, kept),
        }

    return measure


def by_game(examples: Examples, counts: bool = False) -> NDArray[np.float64]:
    """The plies of each game that have examples, or how many examples it has."""
    numbers, plies = examples.columns["game"], examples.columns["ply"]
    if counts:
        return np.bincount(numbers).astype(np.float64)
    last = np.zeros(int(numbers.max()) + 1)
    np.maximum.at(last, numbers, plies + 1.0)
    return last


def is_most_visited(examples: Examples, kept: Examples) -> bool:
    """Whether of the winners' examples every position is kept once, with the most visits that it had."""
    most: dict[bytes, int] = {}
    won = examples.columns["result"] > 0.0
    for seen, visits in zip(examples.seen[won], examples.columns["visits"][won], strict=True):
        key = seen.tobytes()
        most[key] = max(most.get(key, 0), int(visits))
    found = {seen.tobytes(): int(visits) for seen, visits in zip(kept.seen, kept.columns["visits"], strict=True)}
    return len(kept) == len(found) and found == most


def chosen_of(game: str) -> Callable[[Figures], dict[int, Any]]:
    """The constant that the games are played with, the same for all data sets."""

    def choose(figures: Figures) -> dict[int, Any]:
        found = constants(figures)
        return {seed: {"constant": found[game]} for seed in range(1, 10)} if game in found else {}

    return choose


# ---------------------------------------------------------------- verdicts and page


def sets_of(figures: Figures) -> list[Any]:
    """All data sets."""
    return [one for kind in KINDS for one in figures[kind]]


def winners(figures: Figures) -> Found:
    """Only what the winner saw."""
    return every([one["winners"] for one in sets_of(figures)], "data sets hold the winners' decisions alone")


def most_visited(figures: Figures) -> Found:
    """Against a plain dictionary of all positions."""
    flags = [one["most_visited"] for one in sets_of(figures)]
    return every(flags, "data sets hold each position once, with the most visits it had")


def split_90(figures: Figures) -> Found:
    """To the example."""
    flags = [abs(one["test"] - (one["train"] + one["test"]) / 10) <= 1.0 for one in sets_of(figures)]
    return every(flags, "data sets are split 90 to 10")


def order_of_size(figures: Figures) -> Found:
    """Of data sets of as many games as the study's."""
    ones = sets_of(figures)
    sizes = [one["train"] + one["test"] for one in ones]
    text = f"{min(sizes):,} to {max(sizes):,} of {min(one['counts']['games'] for one in ones):,} games or more"
    if any(one["counts"]["games"] < 1500 for one in ones):
        return "not decided", f"{text}; the study has about 1,530 games"
    return ("shown" if all(10**4.5 <= one <= 10**5.5 for one in sizes) else "not shown"), text


def difference(figures: Figures, game: str, what: str) -> tuple[float, float, float]:
    """(low, middle, high) of a mean a game of the second setting less that of the first, as a share of the first's, at 95 %.

    Games are taken to be independent; those of one start state are not quite.
    """
    (n, first, _), (m, second, _) = (pooled(figures, game, setting, what) for setting in SETTINGS)
    variance = sum(
        pooled(figures, game, setting, what)[2] ** 2 / count for setting, count in zip(SETTINGS, (n, m), strict=True)
    )
    half, middle = Z * math.sqrt(variance) / first, (second - first) / first
    return middle - half, middle, middle + half


def pooled(figures: Figures, game: str, setting: str, what: str) -> tuple[int, float, float]:
    """Games, mean and standard deviation over all data sets of a setting."""
    ones = [one[what] for one in figures[f"examples_{game}_{setting}"]]
    total, middle = sum(n for n, _, _ in ones), fmean([mean for _, mean, _ in ones])
    return total, middle, math.sqrt(fmean([deviation**2 for _, _, deviation in ones]))


def text_of(low: float, middle: float, high: float, what: str) -> str:
    """In words."""
    return f"{what} {100 * middle:+.1f} % [{100 * low:+.1f}, {100 * high:+.1f}]"


def more_in_morris(figures: Figures) -> Found:
    """More examples and longer games."""
    verdicts: list[Verdict] = []
    texts = []
    for name, what in (("kept", "examples a game"), ("lengths", "plies")):
        low, middle, high = difference(figures, "morris", name)
        verdicts.append("shown" if low > 0 else "not shown" if high < 0 else "not decided")
        texts.append(text_of(low, middle, high, what))
    return all_of(verdicts), "; ".join(texts)


def not_more_in_othello(figures: Figures) -> Found:
    """Shown if the interval leaves no room for MARGIN more, not shown if all of it is above 0."""
    low, middle, high = difference(figures, "othello", "kept")
    verdict: Verdict = "not shown" if low > 0 else "shown" if high < MARGIN else "not decided"
    return verdict, text_of(low, middle, high, "examples a game")


def page(figures: Figures) -> list[str]:
    """Table 5.3."""
    rows = []
    for kind, game, setting in kinds("examples"):
        printed = PRINTED[game, setting]
        for one in figures.get(kind, ()):
            counts = one["counts"]
            rows.append(
                [
                    f"{GAMES[game].net}:{setting}",
                    str(one["seed"]),
                    f"{printed[0]:,} + {printed[1]:,}",
                    f"{one['train']:,} + {one['test']:,}",
                    f"{counts['games']:,}",
                    f"{counts['simulations'] / max(counts['decisions'], 1):,.0f}",
                    f"{one['lengths'][1]:.1f}",
                    f"{100 * counts['drawn'] / counts['games']:.0f} %",
                    f"{counts['examples']:,}",
                ]
            )
    head = ("data", "data set", "study: train + test", "train + test", "games", "simulations a move", "plies a game", "drawn",
            "before the filters")  # fmt: skip
    return table(head, rows) if rows else []


HOLDS = ("constant", "counts", "train", "test", "lengths", "kept", "winners", "most_visited")
KINDS = tuple(kind for kind, _, _ in kinds("examples"))
EXAMPLES = Part(
    name="examples",
    title="claim 4: the examples, table 5.3",
    works={
        kind: Work(plays(game, setting), units=UNITS, stage=1, chooses=chosen_of(game), holds=HOLDS)
        for kind, game, setting in kinds("examples")
    },
    lines=page,
    claims=(
        Claim(4, "only the winner's decisions are kept", winners, KINDS, of_any_size=True),
        Claim(4, "of equal positions the one with the most visits is kept", most_visited, KINDS, of_any_size=True),
        Claim(4, "a tenth is the test set", split_90, KINDS, of_any_size=True),
        Claim(4, "with as many games as the study's there are about 10^5 examples", order_of_size, KINDS),
        Claim(4, "in Nine Men's Morris more thinking time gives more examples, by longer games", more_in_morris, KINDS),
        Claim(4, "in Othello it does not", not_more_in_othello, KINDS),
    ),
    readings=(
        (
            "algorithm 3, random start states",
            "its loop never runs",
            "until there are e different states, the earliest of each game",
        ),
        ("what is stored", '"the UCT value", elsewhere Q/V', "Q/V"),
        ("drawn games", "not said", "they have no winner and give no examples"),
        (
            "draws in Nine Men's Morris",
            "a repeated board, or a loop of three actions",
            "the first repetition (`draw=first_repetition`), and 100 slides without a mill",
        ),
    ),
    made_of=(1, FILTERS, SHARES, [study.option for study in GAMES.values()]),
)
