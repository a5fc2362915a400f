"""Section 5.5 of the Abalearn study: later nets of method I against earlier ones (figures 5.13 and 5.14)."""

from itertools import pairwise, product
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.studies.abalearn.methods_figures import by_seed, paired
from boardgym.studies.abalearn.methods_pictures import PERCENT, band, finish
from boardgym.studies.abalearn.plans import PLANS, follow
from boardgym.studies.abalearn.protocol import Terms, frozen, play
from boardgym.studies.jobs import Place
from boardgym.studies.pages import quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled, spread
from boardgym.studies.verdicts import Found, all_of, greater

POINTS = (10, 250, 500, 1000, 1500, 2000, 2500, 2750, 3000)
REFERENCES = (10, 250, 2750)
TERMS = Terms(games=100)


def meetings(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Nets of a training against its own references: what `protocol.play` says, by games of the net and of the reference."""
    nets = {}

    def look(agent: NetworkAgent, games: int) -> dict[str, Any]:
        nets[games] = frozen(agent)
        return {}

    follow(PLANS["I"], POINTS, look, seed=seed, size=size, tell=place.tell)
    terms, samples = Terms(scaled(TERMS.games, size, 2), TERMS.setup, TERMS.max_plies), []
    for games in POINTS:
        found = {
            str(other): play(nets[games], nets[other], terms, seed=seed, path=(games, other))
            for other in REFERENCES
            if other != games
        }
        samples.append({"games": games, **found})
        place.tell(len(POINTS) + len(samples))
    return {"samples": samples}


def score(found: dict[str, Any]) -> float:
    """Games ended ahead, and half of those ended level, as a share of all."""
    return float((found["ahead"] + 0.5 * found["level"]) / found["games"])


def scores(figures: Figures, games: int, reference: int) -> dict[int, float]:
    """Of a net against a reference, by seed."""
    return by_seed(figures, "nets", lambda samples: score(samples[POINTS.index(games)][str(reference)]))


def later_beat(figures: Figures) -> Found:
    """The mean score of all later nets against each reference above one half."""
    verdicts, texts = [], []
    for reference in REFERENCES:
        later = [scores(figures, games, reference) for games in POINTS if games > reference]
        means = [sum(each[seed] for each in later) / len(later) for seed in later[0]]
        verdict, text = greater(means, [0.5] * len(means))
        verdicts.append(verdict)
        texts.append(f"later nets against net {reference:,} less 50 %: {text}")
    return all_of(verdicts), "; ".join(texts)


def easiest(figures: Figures) -> Found:
    """The last net scores more against net 10 than against 250, and there more than against 2,750."""
    verdicts, texts = [], []
    for easy, hard in pairwise(REFERENCES):
        verdict, text = greater(*paired(scores(figures, POINTS[-1], easy), scores(figures, POINTS[-1], hard)))
        verdicts.append(verdict)
        texts.append(f"net {POINTS[-1]:,} against net {easy:,} less against net {hard:,}: {text}")
    return all_of(verdicts), "; ".join(texts)


def page(figures: Figures) -> list[str]:
    """Scores by net and reference."""
    if not figures.get("nets"):
        return []
    rows = []
    for games in POINTS:
        cells = [
            spread([100 * x for x in scores(figures, games, other).values()], 1) if other != games else "-"
            for other in REFERENCES
        ]
        rows.append([f"{games:,}", *cells])
    played = sum(
        sample[str(other)]["games"]
        for one in figures["nets"]
        for sample, other in product(one["samples"], REFERENCES)
        if str(other) in sample
    )
    return [
        f"Scores in percent: games ended ahead in marbles, half of those ended level; {played:,} games, means over the seeds "
        "with 95 % intervals (Student's t).",
        "",
        *table(["net after games", *(f"against net {other:,}" for other in REFERENCES)], rows),
    ]


def draw(path: Path, figures: Figures) -> None:
    """Figures 5.13 and 5.14."""
    figure, axis = quiet_pyplot().subplots(figsize=(6.4, 4.0), layout="constrained")
    for reference, colour in zip(REFERENCES, ("tab:green", "tab:blue", "tab:red"), strict=True):
        games = [each for each in POINTS if each != reference]
        values = [[100 * x for x in scores(figures, each, reference).values()] for each in games]
        band(axis, games, values, f"against net {reference:,}", colour, PERCENT, marker="o", markersize=3)
    axis.axhline(50.0, color="0.6", linewidth=0.8)
    axis.set(xlabel="games of training", ylabel="score, %", ylim=(-3, 103), title="nets of method I (figures 5.13, 5.14)")
    finish(figure, [axis], path)


PART = Part(
    name="nets",
    title="section 5.5: later nets against earlier ones",
    works={"nets": Work(meetings, units=2 * len(POINTS), made_of=PLANS["I"].plain())},
    lines=page,
    claims=(
        Claim(12, "later nets beat each of the references 10, 250 and 2,750", later_beat, ("nets",)),
        Claim(12, "net 10 is beaten most easily, 2,750 least", easiest, ("nets",)),
    ),
    readings=(
        ("games of a pairing", "500, of one training", f"{TERMS.games} for each seed"),
        ("a game that is not finished", "not said", "is counted by marbles; level ones as half"),
    ),
    pictures={"scores": draw},
    needs={"scores": ("nets",)},
    made_of=(2, POINTS, REFERENCES, [TERMS.games, TERMS.setup, TERMS.max_plies]),
)
