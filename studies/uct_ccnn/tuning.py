"""Claim 2 of the UCT-CCNN study: the exploration constant by the cross-entropy method, several tunings of each game."""

from pathlib import Path
from statistics import fmean
from typing import Any

from boardgym.baselines.learning.tuning.tuner import Tuning, TuningConfig, tune
from boardgym.baselines.learning.uct_ccnn import RANGE
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.judging import below, every, higher
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS
from boardgym.studies.uct_ccnn.published import CONSTANTS
from boardgym.studies.verdicts import Found, all_of

ITERATIONS = 5
LOW, HIGH = map(float, RANGE.split(":"))
FIRST_MEAN, FIRST_SPREAD = (LOW + HIGH) / 2.0, (HIGH - LOW) / 2.0  # section 5.2
FIRST_SEED = 100  # of the tunings, before their number


def kind_of(game: str) -> str:
    """The work that tunes a game."""
    return f"tuning_{game}"


def config_of(game: str, seed: int, size: Any) -> TuningConfig:
    """The study's tuning but for thinking time and games of a sample."""
    plan, study = PLANS[size].tuning, GAMES[game]
    return TuningConfig(
        f"uct:{plan.simulations},solver=0,choice=max_child",
        (f"c_uct={RANGE}",),
        game=study.id,
        option=study.option,
        iterations=ITERATIONS,
        games=plan.games,
        fitness="wins",
        openings="start",
        least_spread=0.0,
        seed=FIRST_SEED + seed,
    )


def tunes(game: str) -> Any:
    """The work of a tuning of a game."""

    def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
        """Its path, and the least and the greatest sample of each iteration."""

        def look(tuning: Tuning) -> None:
            place.tell(tuning.iteration)

        tuned = tune(config_of(game, seed, size), place.folder / "tuning", on_pair=look)
        if not tuned.is_finished:
            raise KeyboardInterrupt
        found = tuned.training
        return {
            "means": [float(point.mean[0]) for point in found.path],
            "spreads": [float(point.spread[0]) for point in found.path],
            "samples": [[float(x) for x in row[:, 0]] for row in found.samples],
            "games": found.done,
        }

    return measure


def constants(figures: Figures) -> dict[str, float]:
    """The tuned constant of each game that has tunings: the mean over these, which must be all of them, as specs have it."""
    return {game: round(fmean(results(figures, game)), 6) for game in GAMES if figures.get(kind_of(game))}


def results(figures: Figures, game: str) -> list[float]:
    """What the tunings of a game end with."""
    return [one["means"][-1] for one in figures.get(kind_of(game), ())]


# ---------------------------------------------------------------- verdicts and page


def tunings(figures: Figures) -> list[Any]:
    """Those of both games."""
    return [one for game in GAMES for one in figures[kind_of(game)]]


def starts(figures: Figures) -> Found:
    """Of the distribution."""
    flags = [
        abs(one["means"][0] - FIRST_MEAN) < 1e-9 and abs(one["spreads"][0] - FIRST_SPREAD) < 1e-9 for one in tunings(figures)
    ]
    return every(flags, f"tunings begin with mean {FIRST_MEAN:g} and spread {FIRST_SPREAD:g}")


def shrinks(figures: Figures) -> Found:
    """From the first to the last iteration."""
    ones = tunings(figures)
    verdict, text = every(
        [one["spreads"][-1] < one["spreads"][0] for one in ones], f"tunings end with less than {FIRST_SPREAD:g}"
    )
    return verdict, f"{text}, on average {fmean(one['spreads'][-1] for one in ones):.2f}"


def stays(figures: Figures) -> Found:
    """Of all samples and means."""
    flags = [
        all(LOW <= x <= HIGH for x in [*one["means"], *(x for row in one["samples"] for x in row)]) for one in tunings(figures)
    ]
    return every(flags, f"tunings stay from {LOW} to {HIGH}")


def othello_above(figures: Figures) -> Found:
    """By the exact permutation test."""
    return higher(results(figures, "othello"), results(figures, "morris"), 3)


def both_below(figures: Figures) -> Found:
    """By the interval of each game's mean."""
    found = [below(results(figures, game), FIRST_MEAN, 1.0, 3) for game in GAMES]
    texts = [f"{study.title} {text}" for study, (_, text) in zip(GAMES.values(), found, strict=True)]
    return all_of([verdict for verdict, _ in found]), "; ".join(texts)


def page(figures: Figures) -> list[str]:
    """Published and tuned."""
    rows = []
    for game, study in GAMES.items():
        if ones := figures.get(kind_of(game)):
            last = [one["means"][-1] for one in ones]
            rows.append(
                [
                    study.title,
                    f"{CONSTANTS[game]:g}",
                    spread(last, 3),
                    ", ".join(f"{value:.3f}" for value in last),
                    spread([one["spreads"][-1] for one in ones], 3),
                    f"{sum(one['games'] for one in ones):,}",
                ]
            )
    head = ("game", "study", "mean of the tunings", "each", "spread at the end", "games")
    return table(head, rows) if rows else []


def draw(path: Path, figures: Figures) -> None:
    """The path of each tuning, with its samples."""
    figure, axes = quiet_pyplot().subplots(1, len(GAMES), figsize=(9.6, 3.8), layout="constrained", sharey=True)
    for axis, (game, study) in zip(axes, GAMES.items(), strict=True):
        for k, one in enumerate(figures.get(kind_of(game), ())):
            colour, steps = f"C{k}", range(len(one["means"]))
            axis.plot(steps, one["means"], marker="o", markersize=4, color=colour, label=f"tuning {one['seed']}")
            low, high = ([m + sign * s for m, s in zip(one["means"], one["spreads"], strict=True)] for sign in (-1, 1))
            axis.fill_between(steps, low, high, color=colour, alpha=0.08, linewidth=0)
        axis.axhline(CONSTANTS[game], color="0.4", linestyle="--", linewidth=0.9, label="study")
        axis.set(title=study.title, xlabel="iterations", ylim=(LOW - 0.05, HIGH + 0.05))
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=8)
    axes[0].set_ylabel("exploration constant, one spread shaded")
    keep_picture(figure, path)


KINDS = tuple(map(kind_of, GAMES))
TUNING = Part(
    name="tuning",
    title="claim 2: the exploration constant",
    works={
        kind_of(game): Work(tunes(game), units=ITERATIONS, holds=("means", "spreads", "samples", "games")) for game in GAMES
    },
    lines=page,
    claims=(
        Claim(2, "the cross-entropy method begins at 1.1 ± 0.9", starts, KINDS, of_any_size=True),
        Claim(2, "it has a smaller spread after five iterations", shrinks, KINDS),
        Claim(2, "it stays within 0.2 to 2.0", stays, KINDS, of_any_size=True),
        Claim(2, "Othello's constant is above that of Nine Men's Morris", othello_above, KINDS),
        Claim(2, "both are below 1.1", both_below, KINDS),
    ),
    readings=(
        ("C_p and uct", "both are used", "uct: Q/V + uct √(2 ln N / n), utilities within [-1, 1]"),
        ("the constant of the later stages", "of the one tuning", "the mean of our tunings"),
        ("the end at a spread of about 0", "how small is not said", "all five iterations are done"),
    ),
    pictures={"paths": draw},
    needs={"paths": KINDS},
    made_of=(1, ITERATIONS, RANGE, FIRST_SEED),
)
