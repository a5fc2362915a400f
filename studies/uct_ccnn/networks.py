"""Claims 5 and 6 of the UCT-CCNN study: the networks of table 5.4, several of each setting, and their error curves."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from boardgym.baselines.learning.cascade.cascade import Progress
from boardgym.baselines.learning.cascade.regressor import Arrays, CascadeRegressor
from boardgym.baselines.learning.examples.columns import Examples, load_examples
from boardgym.baselines.learning.examples.filters import data_sets
from boardgym.baselines.learning.uct_ccnn import SETS
from boardgym.core.random import stream
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.examples import FILTERS
from boardgym.studies.uct_ccnn.examples import made as made_examples
from boardgym.studies.uct_ccnn.judging import higher, opposite
from boardgym.studies.uct_ccnn.plans import GAMES, NETWORKS, PLANS, data_set_of, files_of, kinds
from boardgym.studies.uct_ccnn.published import NETWORKS as PRINTED
from boardgym.studies.verdicts import Found, Verdict, all_of, share_of

UNITS = 20
SAMPLE_STREAM = 7  # the path of the draw of rows under a data set's seed
WELL_BEFORE = 0.5  # of the limit of units, which is the number of inputs
RISE = 1e-6  # of a training error, as a share of it, that is rounding


def file_of(place: Place, game: str, setting: str, seed: int, size: Any) -> Path:
    """Where a network is kept."""
    return files_of(place, f"networks-{size}") / f"{game}-{setting}-{seed}.safetensors"


def digest_of(path: Path) -> str:
    """Of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def sample(examples: Examples, most: int, seed: int, number: int) -> Arrays:
    """Inputs and targets of at most so many examples, drawn at random; all networks of a data set learn from the same ones."""
    if len(examples) > most:
        rng = np.random.default_rng(int(stream(seed, SAMPLE_STREAM, number)[0]))
        examples = examples.take(np.sort(rng.permutation(len(examples))[:most]))
    return examples.inputs(), examples.columns["utility"].astype(np.float64)


def grows(game: str, setting: str) -> Any:
    """The work that grows a network."""

    def measure(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
        """Its errors by the number of units, and the digest of its file."""
        plan, data_set = PLANS[size].network, data_set_of(seed)
        examples = load_examples(made_examples(place, game, setting, data_set, size, chosen["examples"]["constant"]))
        sets = data_sets(examples, FILTERS, SETS, seed=data_set)
        parts = [sample(one, plan.rows, data_set, number) for number, one in enumerate(sets)]
        most = min(plan.units, GAMES[game].inputs)
        network = CascadeRegressor(max_units=most, patience=plan.patience, seed=seed, num_threads=1)

        def look(progress: Progress) -> None:
            place.tell(UNITS * progress.units // most)

        checkpoint = place.folder / "checkpoint.safetensors"
        network.fit(*parts[0], test=parts[1], holdout=parts[2], callback=look, checkpoint=checkpoint)
        path = file_of(place, game, setting, seed, size)
        network.save(path, features=examples.features)
        errors = [[it.train_error, it.test_error, it.holdout_error] for it in network.history_]
        return {
            "data_set": data_set,
            "rows": [len(part[1]) for part in parts],
            "units": network.best_units_,
            "most_units": most,
            "errors": errors,
            "variance": float(parts[2][1].var()),
            "seconds_a_unit": round(fmean([it.seconds for it in network.history_[1:]] or [0.0]), 2),
            "network": digest_of(path),
        }

    return measure


def chosen_of(game: str, setting: str) -> Callable[[Figures], dict[int, Any]]:
    """The data set of each network, by what it was made with and how much it holds."""

    def choose(figures: Figures) -> dict[int, Any]:
        ones = {one["seed"]: one for one in figures.get(f"examples_{game}_{setting}", ())}
        found = {number: {name: ones[number][name] for name in ("constant", "counts", "train")} for number in ones}
        seeds = range(1, NETWORKS * max(ones, default=0) + 1)
        return {seed: {"examples": found[data_set_of(seed)]} for seed in seeds if data_set_of(seed) in found}

    return choose


# ---------------------------------------------------------------- verdicts and page


def error_of(one: Mapping[str, Any], which: int = 1) -> float:
    """Of the network that is kept: training, test or held-out, a mean squared error."""
    found = one["errors"][one["units"]][which]
    return float(found)


def monotone(figures: Figures) -> Found:
    """The training error of every network, after every unit."""
    ones = [one for kind in KINDS for one in figures[kind]]
    rises = [
        sum(after[0] > before[0] * (1.0 + RISE) for before, after in zip(one["errors"], one["errors"][1:], strict=False))
        for one in ones
    ]
    steps = sum(len(one["errors"]) - 1 for one in ones)
    verdict: Verdict = "shown" if not any(rises) else "not shown"
    text = f"{share_of(sum(not rise for rise in rises), len(ones))} networks; it rises after {sum(rises):,} of {steps:,} units"
    return verdict, text


def turns(figures: Figures) -> Found:
    """Of every network: units at the least test error against half of the limit.

    Shown only if growth could go past that half, and went on for as many units without a lower error as its patience has.
    """
    verdicts, texts, patience = list[Verdict](), [], figures["plan"][0]["patience"]
    for kind, game, setting in kinds("networks"):
        units, limit = [one["units"] for one in figures[kind]], GAMES[game].inputs
        most = min(one["most_units"] for one in figures[kind])
        cut = sum(len(one["errors"]) - 1 - one["units"] < patience for one in figures[kind])
        is_open = cut > 0 or most <= WELL_BEFORE * limit
        verdicts.append("not shown" if max(units) > WELL_BEFORE * limit else "not decided" if is_open else "shown")
        texts.append(
            f"{GAMES[game].net}:{setting} {min(units)} to {max(units)} of {limit}, grown to {most} at most"
            + (f", {cut} of them ended less than {patience} units later" if cut else "")
        )
    return all_of(verdicts), "; ".join(texts)


def errors(figures: Figures, game: str, setting: str) -> list[float]:
    """Held-out errors of the networks of a setting, as FANN has them: a quarter of the mean squared error."""
    return [error_of(one, 2) / 4.0 for one in figures[f"networks_{game}_{setting}"]]


def falls_in_othello(figures: Figures) -> Found:
    """From the first setting to the second."""
    return higher(errors(figures, "othello", "200"), errors(figures, "othello", "600"), 5)


def does_not_in_morris(figures: Figures) -> Found:
    """Shown where it rises."""
    return opposite(higher(errors(figures, "morris", "200"), errors(figures, "morris", "600"), 5))


def page(figures: Figures) -> list[str]:
    """Table 5.4."""
    rows = []
    for kind, game, setting in kinds("networks"):
        for data_set in sorted({one["data_set"] for one in figures.get(kind, ())}):
            ones = [one for one in figures[kind] if one["data_set"] == data_set]
            units, held = [one["units"] for one in ones], [error_of(one, 2) / 4.0 for one in ones]
            printed = PRINTED[game, setting]
            rows.append(
                [
                    f"{GAMES[game].net}:{setting}",
                    str(data_set),
                    str(len(ones)),
                    f"{printed[0]}",
                    f"{min(units)} to {max(units)}",
                    f"{printed[1]:.4f}",
                    spread([error_of(one) / 4.0 for one in ones], 4),
                    spread(held, 4),
                    f"{ones[0]['variance'] / 4.0:.4f}",
                    f"{ones[0]['rows'][0]:,}",
                ]
            )
    head = ("network", "data set", "networks", "units, study", "units", "test error, study", "test error", "held-out error",
            "held-out variance", "examples learnt from")  # fmt: skip
    if not rows:
        return []
    return [
        "Errors are a quarter of the mean squared error, as FANN reports them and the study prints them. The test error chose "
        "the number of units, as in the study; the held-out examples chose nothing. The variance of their targets is the error "
        "of a network that knows the mean alone.",
        "",
        *table(head, rows),
    ]


def draw(path: Path, figures: Figures) -> None:
    """Errors by the number of units, a line for each network."""
    figure, axes = quiet_pyplot().subplots(2, 2, figsize=(9.6, 6.6), layout="constrained")
    for axis, (kind, game, setting) in zip(axes.ravel(), kinds("networks"), strict=True):
        for one in figures.get(kind, ()):
            steps, style = range(len(one["errors"])), "-" if one["data_set"] == 1 else "--"
            for which, colour in ((0, "tab:blue"), (1, "tab:orange")):
                label = ("training", "test")[which] if one["seed"] == 1 else None
                values = [errors[which] / 4.0 for errors in one["errors"]]
                axis.plot(steps, values, style, color=colour, linewidth=0.9, alpha=0.8, label=label)
            kept = "kept" if one["seed"] == 1 else None
            axis.plot(one["units"], error_of(one) / 4.0, "k.", markersize=5, label=kept)
        if any(one["data_set"] != 1 for one in figures.get(kind, ())):
            axis.plot([], [], "--", color="grey", linewidth=0.9, label="data set 2")
        axis.set(title=f"{GAMES[game].net}:{setting}", xlabel="hidden units", ylabel="mean squared error / 4")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=8)
    keep_picture(figure, path)


KINDS = tuple(kind for kind, _, _ in kinds("networks"))
HOLDS = ("data_set", "rows", "units", "most_units", "errors", "variance", "network")
NETWORKS_PART = Part(
    name="networks",
    title="claims 5 and 6: the networks, table 5.4",
    works={
        kind: Work(grows(game, setting), units=UNITS, stage=2, chooses=chosen_of(game, setting), holds=HOLDS)
        for kind, game, setting in kinds("networks")
    },
    lines=page,
    claims=(
        Claim(5, "the training error never rises", monotone, KINDS),
        Claim(5, "the least test error comes with at most half as many units as inputs", turns, KINDS),
        Claim(6, "in Othello the error falls from 200 to 600 s", falls_in_othello, KINDS),
        Claim(6, "in Nine Men's Morris it does not", does_not_in_morris, KINDS),
    ),
    readings=(
        ("the error that is reported", "of the set that chose the number of units", "of a third set, beside it"),
        ("iRprop", "the text's, or FANN's", "FANN's iRprop-"),
        ("tanh", "written as 1/(1+e^-x)", "the true one"),
    ),
    pictures={"errors": draw},
    needs={"errors": KINDS},
    made_of=(1, FILTERS, SETS, SAMPLE_STREAM),
)
