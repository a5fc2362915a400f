"""Experiments 1 and 2 of the Othello study: a network for each colour, or 64 of them, in self-play; claims 5, 6 and 7."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.learners import train_in_parts
from boardgym.studies.othello_q.measuring import (
    CELLS,
    mean_of,
    not_lost,
    score,
    total,
    wdl,
    won,
)
from boardgym.studies.othello_q.plans import NUM_OPENINGS, PARTS_OF_TRAINING, PLANS, PLAYERS, factor_for
from boardgym.studies.pages import count_text, keep_picture, lasting, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.judging import above, below, higher
from boardgym.studies.verdicts import Found, all_of

UNITS = 100
TITLES = {
    "single": "Single-NN",
    "multi": "Multi-NN",
    "short_single": "Single-NN, short schedule",
    "short_multi": "Multi-NN, short schedule",
    "mean": "Single-NN with means",
    "wider": "Single-NN with means, 128 units",
}
HOLDS = ("games", "factor", "switch", "checkpoints")


def trains(kind: str) -> Callable[..., dict[str, Any]]:
    """The work of a training. kind: of TITLES, whose last word is that of the networks."""
    network = kind.rpartition("_")[2]

    def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
        """What it has learnt before the first game and after each tenth of them."""
        plan = getattr(PLANS[size], kind.partition("_")[0])
        return train_in_parts(place, network, plan.games, seed, PARTS_OF_TRAINING, UNITS, f"{size}-{kind}")

    return measure


def at(ones: Sequence[Mapping[str, Any]], checkpoint: int, player: str, seat: str) -> list[dict[str, int]]:
    """What the agents of several runs did after so many tenths of the games."""
    return [one["checkpoints"][checkpoint]["measured"][player][seat] for one in ones]


# ---------------------------------------------------------------- verdicts


def by_cell(judge: Callable[[str, str], Found]) -> Found:
    """Of a claim that must hold against each player in each colour."""
    found = {f"{player}, {seat}": judge(player, seat) for player, seat in CELLS}
    verdicts = [verdict for verdict, _ in found.values()]
    is_one = len(set(verdicts)) == 1  # then it is the claim's
    texts = (f"{name}: {text}" + ("" if is_one else f" ({verdict})") for name, (verdict, text) in found.items())
    return all_of(verdicts), "; ".join(texts)


def evaluated(kinds: Sequence[str]) -> Callable[[Figures], Found]:
    """All games of all evaluations."""

    def judge(figures: Figures) -> Found:
        ones = [one for kind in kinds for one in figures.get(kind, ())]
        found = [point["measured"] for one in ones for point in one["checkpoints"]]
        games = [total(point[player][seat]) for point in found for player, seat in CELLS]
        forfeits = sum(point[player][seat]["forfeits"] for point in found for player, seat in CELLS)
        whole = all(len(one["checkpoints"]) == PARTS_OF_TRAINING + 1 for one in ones)
        is_shown = bool(ones) and whole and not forfeits and set(games) == {NUM_OPENINGS}
        least, most = min(games, default=0), max(games, default=0)
        each = str(least) if least == most else f"{least} to {most}"
        text = (
            f"{count_text(len(ones), 'training')}, {len(found)} evaluations, one of each before the first game; "
            f"{len(games)} pairings of a learner, a player and a colour, of {each} games; {forfeits} forfeited"
        )
        return ("shown" if is_shown else "not shown"), text

    return judge


def starts_below(kind: str) -> Callable[[Figures], Found]:
    """The score rate before the first game, draws being half, is below 1/2: the level of the benchmark player."""

    def judge(figures: Figures) -> Found:
        return by_cell(lambda player, seat: below([score(one) for one in at(figures[kind], 0, player, seat)], 0.5))

    return judge


def improves(kind: str) -> Callable[[Figures], Found]:
    """The share not lost at the end against that before the first game."""

    def judge(figures: Figures) -> Found:
        ones = figures[kind]
        shares = {
            (n, cell): [100 * not_lost(one) for one in at(ones, n, *cell)] for n in (0, PARTS_OF_TRAINING) for cell in CELLS
        }
        return by_cell(lambda *cell: higher(shares[PARTS_OF_TRAINING, cell], shares[0, cell], 1))

    return judge


def ends_above(kind: str) -> Callable[[Figures], Found]:
    """The score rate at the end is above 1/2: more games won than lost."""

    def judge(figures: Figures) -> Found:
        return by_cell(lambda *cell: above([score(one) for one in at(figures[kind], PARTS_OF_TRAINING, *cell)], 0.5))

    return judge


def schedules_of(figures: Figures) -> set[tuple[int, float, int]]:
    """Games, b and switch of all trainings of the short schedule: claim 7 is about trainings under one."""
    return {(one["games"], one["factor"], one["switch"]) for kind in SHORT for one in figures.get(kind, ())}


def multi_is_better(figures: Figures) -> Found:
    """The mean share not lost over players and colours, by the exact permutation test."""
    if len(schedules := schedules_of(figures)) != 1:
        said = ", ".join(f"{games:,} games, greedy from {switch:,} on" for games, _, switch in sorted(schedules))
        return "not decided", f"trainings under several schedules: {said}"
    ends = {
        kind: [100 * mean_of(one["checkpoints"][-1]["measured"], not_lost) for one in figures[kind]]
        for kind in ("short_single", "short_multi")
    }
    verdict, text = higher(ends["short_multi"], ends["short_single"], 1)
    return verdict, f"% not lost, mean over players and colours: {text}; the study's result is not in our text"


# ---------------------------------------------------------------- page


def curve_rows(ones: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A row for each checkpoint."""
    rows = []
    for n, point in enumerate(ones[0]["checkpoints"]):
        shares = [spread([100 * not_lost(one) for one in at(ones, n, *cell)], 1) for cell in CELLS]
        rows.append([f"{point['games']:,}", f"{point['temperature']:.4f}" if point["temperature"] else "greedy", *shares])
    return rows


def end_rows(ones: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The end of all runs, a row for each player and colour."""
    rows = []
    for cell in CELLS:
        counts = at(ones, -1, *cell)
        means = [spread([100 * what(one) for one in counts], 1) for what in (not_lost, won)]
        rows.append([*cell, ", ".join(map(wdl, counts)), *means])
    return rows


def lines_of(kinds: Sequence[str], schedules: Mapping[str, str] = MappingProxyType({})) -> Callable[[Figures], list[str]]:
    """The tables of some kinds of work. schedules: what is said of those of kinds that have not the study's."""

    def lines(figures: Figures) -> list[str]:
        found: list[str] = []
        for kind in kinds:
            if not (ones := figures.get(kind)):
                continue
            one = ones[0]
            speeds = spread([run["games_a_second"] for run in ones], 0)
            seconds = sum(run["training_seconds"] for run in ones) / len(ones)
            schedule = schedules.get(kind) or f"b = {factor_for(one['games']):.10g}, greedy from game {one['switch']:,} on"
            found += [
                f"**{TITLES[kind]}**, {count_text(len(ones), 'training')} of {one['games']:,} games: "
                f"{schedule}; {speeds} games a second of processor "
                f"time, {lasting(seconds)} each. Percent not lost over the 244 openings:",
                "",
                *table(("games", "T", *(f"{player}, as {seat}" for player, seat in CELLS)), curve_rows(ones)),
                "At the end, of each training, and the means over trainings:",
                "",
                *table(("against", "learner is", "% won/drawn/lost of each", "% not lost", "% won"), end_rows(ones)),
            ]
        if found:
            found += ["In the picture, thin lines are trainings; the thick one with dots is their mean.", ""]
        return found

    return lines


def draws(kinds: Sequence[str]) -> Callable[[Path, Figures], None]:
    """The learning curves: the share not lost by games, a line for each training, the mean in bold."""

    def draw(path: Path, figures: Figures) -> None:
        shown = [kind for kind in kinds if figures.get(kind)]
        figure, axes = quiet_pyplot().subplots(2, 2, figsize=(9.6, 6.6), layout="constrained", sharex=True, sharey=True)
        for axis, cell in zip(axes.ravel(), CELLS, strict=True):
            for k, kind in enumerate(shown):
                ones = figures[kind]
                games = [point["games"] for point in ones[0]["checkpoints"]]
                lines = [[100 * not_lost(point["measured"][cell[0]][cell[1]]) for point in one["checkpoints"]] for one in ones]
                for line in lines:
                    axis.plot(games, line, color=f"C{k}", linewidth=0.7, alpha=0.45)
                mean = [sum(column) / len(column) for column in zip(*lines, strict=True)]
                axis.plot(games, mean, color=f"C{k}", linewidth=1.8, marker="o", markersize=3, label=TITLES[kind])
            axis.set(title=f"against {cell[0]}, as {cell[1]}", ylim=(0, 100))
            axis.spines[["top", "right"]].set_visible(False)
        for axis in axes[1]:
            axis.set_xlabel("games of training")
            axis.locator_params(axis="x", nbins=5)
            axis.xaxis.set_major_formatter("{x:,.0f}")
        for axis in axes[:, 0]:
            axis.set_ylabel("% not lost")
        axes[0, 0].legend(frameon=False, fontsize=8, loc="lower right")
        keep_picture(figure, path)

    return draw


def experiment(order: int, network: str) -> Part:
    """Experiment 1 or 2, by the kind of networks. Claim 6 is judged by the kind of training that has several runs."""
    kind, judged = network, network if network == "single" else f"short_{network}"
    title = TITLES[judged]
    return Part(
        name=network,
        title=f"Experiment {order}, claims 5 and 6: {TITLES[network]}",
        works={kind: Work(trains(kind), units=UNITS, holds=HOLDS)},
        lines=lines_of((kind,)),
        claims=(
            Claim(5, f"{TITLES[network]}: 244 games per pairing and colour, at ten checkpoints", evaluated((kind,)), (kind,),
                  of_any_size=True),
            Claim(6, f"{title} starts below the level of the benchmark players", starts_below(judged), (judged,)),
            Claim(6, f"{title} improves with training", improves(judged), (judged,)),
            Claim(6, f"{title} ends better than the benchmark players", ends_above(judged), (judged,)),
        ),
        pictures={"curves": draws((kind,))},
        needs={"curves": (kind,)},
        made_of=(1, PLAYERS),
    )  # fmt: skip


SHORT = ("short_single", "short_multi")
SINGLE, MULTI = experiment(1, "single"), experiment(2, "multi")
SCHEDULES = Part(
    name="schedules",
    title="Claim 7: Single-NN and Multi-NN under the same schedule",
    works={kind: Work(trains(kind), units=UNITS, holds=HOLDS) for kind in SHORT},
    lines=lines_of(SHORT),
    claims=(
        Claim(5, "both: 244 games per pairing and colour, at ten checkpoints", evaluated(SHORT), SHORT, of_any_size=True),
        Claim(7, "Multi-NN ends better than Single-NN under the same schedule", multi_is_better, SHORT),
    ),
    pictures={"curves": draws(SHORT)},
    needs={"curves": SHORT},
    made_of=(1, PLAYERS),
)
