"""Tables 6.1 and 6.2 of the Abalearn study: nets that look ahead, against searches in the place of programs.

We have none of these programs. For Terminator III stands `minimax:D,avoid=0.05,evaluation=terminator`, with the ingredients
that the study names; for Aba-Pro, of which nothing is known but its depth, the study's minimax player at that depth.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.core.game import get_game
from boardgym.studies.abalearn.methods_page import NAMES
from boardgym.studies.abalearn.methods_pictures import finish
from boardgym.studies.abalearn.plans import PLANS, follow
from boardgym.studies.abalearn.protocol import Terms, frozen, opponent, play
from boardgym.studies.jobs import Place
from boardgym.studies.pages import quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, half_width, scaled, spread
from boardgym.studies.verdicts import Found, all_of, greater

GAMES = 3000  # of training
PLIES = {"terminator": 400, "minimax": 122}  # Aba-Pro's free version ends a game after 61 moves
SPECS = {"terminator": "minimax:{},avoid=0.05,evaluation=terminator", "minimax": "minimax:{},evaluation=distance(off_board=5)"}
OPTIONS = {"rewards": "material"}  # and the usual draws: the stand-in avoids to repeat, which counts for nothing without them
COUNTS = {1: 10, 2: 10, 3: 6, 4: 2, 5: 1}  # games for each seed, by the depth of the other


class Match(NamedTuple):
    """A net at a depth against a player at a depth. printed: games of the study, marbles won and lost in each."""

    own: int
    other: str
    depth: int
    printed: str

    @property
    def name(self) -> str:
        """In the results."""
        return f"{self.own} {self.other} {self.depth}"


PRINTED = (
    Match(1, "terminator", 1, "6-3"),
    Match(1, "terminator", 2, "6-4"),
    Match(1, "terminator", 3, "6-3"),
    Match(1, "terminator", 4, "0-2"),
    Match(1, "terminator", 5, "2-6"),
    Match(3, "terminator", 4, "3-2"),
    Match(3, "terminator", 5, "5-6"),
    Match(1, "minimax", 1, "-"),
    Match(1, "minimax", 2, "-"),
    Match(1, "minimax", 3, "-"),
    Match(1, "minimax", 4, "0-0"),
    Match(3, "minimax", 1, "3-1, 0-0"),
    Match(3, "minimax", 2, "1-0, 0-0"),
    Match(3, "minimax", 4, "0-0, 0-0"),
)  # fmt: skip  (of method II; of method I the fourth last)
SENSITIVE = ("II_kappa_-1", "II_kappa_-0.8")
MATCHES = {**dict.fromkeys(SENSITIVE, PRINTED), "I": (Match(1, "minimax", 4, "0-0"),)}


def matches(kind: str, place: Place, seed: int, size: float) -> dict[str, Any]:
    """A training, and the matches of its last net: what `protocol.play` says, by name."""
    nets: list[NetworkAgent] = []

    def look(agent: NetworkAgent, games: int) -> dict[str, Any]:
        nets.append(agent)
        return {}

    follow(PLANS[kind], [GAMES], look, seed=seed, size=size, tell=lambda done: place.tell(0))
    found, game = {}, get_game("Abalone-v0", **OPTIONS)
    for number, match in enumerate(MATCHES[kind]):
        own, other = frozen(nets[0], depth=match.own, game=game), opponent(SPECS[match.other].format(match.depth), game)
        terms, results = Terms(1, max_plies=PLIES[match.other]), []
        for one in range(scaled(COUNTS[match.depth], size)):  # one by one: the deep ones take seconds
            results.append(play(own, other, terms, seed=seed, path=(number, one), seat=(seed + one) % 2))
            place.tell(number)
        totals = {name: sum(result[name] for result in results) for name in results[0]}
        found[match.name] = {**totals, **{name: totals[name] / len(results) for name in ("pushed", "gone", "plies")}}
    return {"matches": found}


def of_seeds(figures: Figures, kind: str, match: Match, name: str) -> list[float]:
    """A figure of a match, of each seed."""
    return [float(one["matches"][match.name][name]) for one in figures.get(kind, ())]


def lead(figures: Figures, kind: str, match: Match) -> list[float]:
    """Marbles pushed off less those lost, a game."""
    return [
        a - b for a, b in zip(of_seeds(figures, kind, match, "pushed"), of_seeds(figures, kind, match, "gone"), strict=True)
    ]


def beats(kind: str, numbers: Sequence[int], sign: float) -> Any:
    """Whether the net ends ahead of the stand-in in marbles (sign 1), or behind (-1). numbers: of PRINTED."""

    def judge(figures: Figures) -> Found:
        verdicts, texts = [], []
        for match in (PRINTED[number] for number in numbers):
            leads = [sign * value for value in lead(figures, kind, match)]
            verdict, text = greater(leads, [0.0] * len(leads), 1.0, 2)
            verdicts.append(verdict)
            texts.append(
                f"depth {match.own} against {match.other} at depth {match.depth}, "
                f"{'lead' if sign > 0 else 'deficit'} in marbles: {text}"
            )
        return all_of(verdicts), "; ".join(texts)

    return judge


def row_of(figures: Figures, kind: str, match: Match) -> list[str]:
    """Of a table."""
    means = [
        spread(of_seeds(figures, kind, match, name), digits) for name, digits in (("pushed", 2), ("gone", 2), ("plies", 0))
    ]
    counts = [
        "-".join(f"{sum(of_seeds(figures, kind, match, name)):.0f}" for name in names)
        for names in (("ahead", "level", "behind"), ("won", "drawn", "lost"))
    ]
    return [f"{NAMES[kind]}, depth {match.own}", str(match.depth), match.printed, *means, *counts]


def page(figures: Figures) -> list[str]:
    """Tables 6.1 and 6.2."""
    lines: list[str] = []
    titles = {"minimax": "table 6.1: minimax in Aba-Pro's place", "terminator": "table 6.2: the stand-in for Terminator III"}
    for other, title in titles.items():
        rows = [
            row_of(figures, kind, match)
            for kind in ("I", *SENSITIVE)
            if figures.get(kind)
            for match in MATCHES[kind]
            if match.other == other
        ]
        head = (title, "its depth", "study: marbles won-lost", "won", "lost", "plies", "games ahead-level-behind",
                "six won-neither-six lost")  # fmt: skip
        lines += table(head, rows) if rows else []
    return [
        *lines,
        f"Nets after {GAMES:,} games of training. Won and lost: marbles a game, means over the seeds with 95 % intervals "
        "(Student's t); games: of all seeds.",
        "",
    ]


def draw(path: Path, figures: Figures) -> None:
    """Marbles ahead by the depth of the other."""
    figure, axes = quiet_pyplot().subplots(1, 2, figsize=(9.6, 4.0), layout="constrained", sharey=True)
    for axis, kind in zip(axes, SENSITIVE, strict=True):
        for other, colour in (("terminator", "tab:red"), ("minimax", "tab:blue")):
            for own, style in ((1, "o-"), (3, "s--")):
                found = [match for match in PRINTED if (match.other, match.own) == (other, own)]
                leads = [lead(figures, kind, match) for match in found]
                means, halves = [fmean(each) for each in leads], [half_width(each) for each in leads]
                bars = [[min(half, 6.0 + sign * mean) for half, mean in zip(halves, means, strict=True)] for sign in (1, -1)]
                axis.errorbar(
                    [match.depth for match in found],
                    means,
                    bars,
                    fmt=style,
                    color=colour,
                    capsize=3,
                    linewidth=1.2,
                    markersize=4,
                    label=f"net at depth {own}, {other}",
                )
        axis.axhline(0.0, color="0.6", linewidth=0.8)
        axis.set(title=NAMES[kind], xlabel="depth of the other, plies", xticks=range(1, 6), ylim=(-6.3, 6.3))
    axes[0].set_ylabel("marbles won less lost, a game")
    finish(figure, axes, path)


PART = Part(
    name="depth",
    title="tables 6.1 and 6.2: nets that look ahead, against searches",
    works={
        kind: Work(functools.partial(matches, kind), units=len(found), made_of=[PLANS[kind].plain(), found])
        for kind, found in MATCHES.items()
    },
    lines=page,
    claims=tuple(
        Claim(13, f"{NAMES[kind]}: {text}", beats(kind, numbers, sign), (kind,))
        for kind in SENSITIVE
        for text, numbers, sign in (
            (f"at depth 1 ahead of the stand-in for Terminator III at depth 1, {SPECS['terminator'].format(1)}", (0,), 1.0),
            ("at depth 1 behind the stand-in at depths 4 and 5", (3, 4), -1.0),
            (f"at depth 1 ahead of {SPECS['minimax'].format(1)}", (7,), 1.0),
        )
    ),
    readings=(
        ("Terminator III", "position, cohesion, material, not repeating", f"`{SPECS['terminator'].format('D')}`, ours"),
        ("Aba-Pro", "commercial; depth and 61 moves", f"`{SPECS['minimax'].format('D')}`, {PLIES['minimax']} plies"),
        (
            "a net at depth 3",
            "minimax with V at the leaves",
            "alpha-beta; marbles won on the way and V, not discounted; at depth 1 V alone, as in training",
        ),
        ("draws", "not said", "third repetition, 200 plies with no marble pushed off, in the matches alone"),
        ("games", "one of each, Terminator III begins", "for each seed 10 at depths 1 and 2, then 6, 2, 1; begun in turn"),
        ("Terminator III's games", "until six, or stopped", f"stopped after {PLIES['terminator']} plies"),
    ),
    pictures={"leads": draw},
    needs={"leads": SENSITIVE},
    made_of=(2, GAMES, PLIES, OPTIONS, SPECS, COUNTS),
)
