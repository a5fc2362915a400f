"""The rerun of the Pessimistic Q-learning study as a page: published and reproduced figures side by side, and the curves."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.baselines.arena.ratings import score_interval
from boardgym.baselines.studies.pessimistic_q import AGENTS, GAMES, Published
from boardgym.core.cache import write_aside

TITLES = {"q": "Q", "q_twice": "Q, as many episodes", "control": "control: no sweep", "pq": "PQ"}
Results = dict[str, dict[str, list[dict[str, Any]]]]  # game -> setting -> seeds -> agent -> figures


def share(values: Sequence[float]) -> str:
    """The mean of shares over seeds as percent, with its 95 % interval (bootstrap over seeds) if they differ."""
    interval = score_interval(values)
    if min(values) == max(values):
        return f"{100 * interval.value:.1f}"
    return f"{100 * interval.value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def markdown(results: Results) -> str:
    """The tables of every game that has results."""
    lines = ["# Pessimistic Q-learning: published and reproduced", ""]
    for name, settings in results.items():
        study, seeds = GAMES[name], max(len(found) for found in settings.values())
        episodes = next(iter(settings.values()))[0]["q"]["episodes"]
        options = "".join(f", {option}" for option in study.option)
        lines += [f"## {name} ({study.game}{options})", "",
                  f"{episodes:,} episodes a phase, {seeds} seeds; quality (won or drawn) in percent, mean and 95 % interval "
                  "over the seeds; in round brackets what the study printed.", ""]  # fmt: skip
        for test, key in (("Base test", "base_quality"), ("Clone test", "clone_quality")):
            lines += [f"| {test} | {' | '.join(TITLES[agent] for agent in AGENTS)} |", f"| --- |{' --- |' * len(AGENTS)}"]
            for setting, found in settings.items():
                published = study.published[setting]
                cells = [share(figures([found], agent, key)) + printed(published, agent, key) for agent in AGENTS]
                lines.append(f"| {setting}) {rates_of(name, setting)} | {' | '.join(cells)} |")
            lines.append("")
        lines += ["| setting | entries of Q | published | seconds Q | seconds PQ | published | episodes a second |",
                  "| --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
        for setting, found in settings.items():
            published = study.published[setting]
            entries, first, second = (np.mean(figures([found], agent, key))
                                      for agent, key in (("q", "entries"), ("q", "seconds"), ("pq", "seconds")))  # fmt: skip
            speed = np.mean([one["pq"]["episodes"] / max(one["pq"]["seconds"], 1e-9) for one in found])
            lines.append(f"| {setting}) | {entries:,.0f} | {published.entries or '-'} | {first:.3g} | {second:.3g} | "
                         f"{published.time} | {speed:,.0f} |")  # fmt: skip
        lines += ["", f"![the learner's results while it learns]({name}.png)", ""]
    return "\n".join([*lines, *claims(results)])


def figures(settings: Iterable[list[dict[str, Any]]], agent: str, key: str) -> list[float]:
    """One figure of an agent over all seeds of some settings."""
    return [one[agent][key] for found in settings for one in found]


def rates_of(name: str, setting: str) -> str:
    """Step size, discount and epsilon of a setting."""
    return ", ".join(f"{rate:g}" for rate in GAMES[name].rates[setting])


def printed(published: Published, agent: str, key: str) -> str:
    """What the study printed of an agent's test, in round brackets; nothing where it has no such agent."""
    return f" ({getattr(published, key.replace('quality', agent)):g})" if agent in ("q", "pq") else ""


# ---------------------------------------------------------------- the claims: (whether it is shown, the evidence)

Settings = dict[str, list[dict[str, Any]]]  # setting -> seeds -> agent -> figures
Verdict = tuple[bool, str]


def q_is_imperfect(settings: Settings) -> Verdict:
    """Section 12, claim 1: Q-learning, setting a."""
    values = figures([settings.get("a", [])], "q", "base_quality")
    if not values:
        return False, "setting a was not run"
    return 0.95 <= float(np.mean(values)) < 1.0, f"base test {share(values)} % at setting a"


def pq_is_perfect(settings: Settings) -> Verdict:
    """Claim 2: no line lost, in every run."""
    counts = {s: (figures([found], "pq", "base_quality").count(1.0), len(found)) for s, found in settings.items()}
    text = ", ".join(f"{s} {n} of {m}" for s, (n, m) in counts.items())
    return all(n == m for s, (n, m) in counts.items() if s != "b"), f"runs without a lost line: {text}"


def clone_never_loses(settings: Settings) -> Verdict:
    """Claim 4."""
    lost = [100 * clone["lost"] for clone in figures(settings.values(), "pq", "clone")]  # type: ignore[index]
    return max(lost) == 0.0, f"lost {np.mean(lost):.2f} % of the clone tests' games on average, {max(lost):.1f} % at most"


def more_entries(settings: Settings) -> Verdict:
    """Claim 6."""
    means = [float(np.mean(figures([settings[s]], "q", "entries"))) for s in "dae" if s in settings]
    text = ", ".join(f"{s} {mean:,.0f}" for s, mean in zip((s for s in "dae" if s in settings), means, strict=True))
    return len(means) == 3 and means == sorted(means), f"entries of the first seat: {text}"


def sweep_helps(settings: Settings) -> Verdict:
    """Claim 11: the control has the same phases without the sweep."""
    control, pq = (figures(settings.values(), agent, "base_quality") for agent in ("control", "pq"))
    text = f"base test: PQ {share(pq)} %, control without the sweep {share(control)} %"
    perfect = f"perfect runs: {pq.count(1.0)} and {control.count(1.0)} of {len(pq)}"
    return float(np.mean(pq)) > float(np.mean(control)), f"{text}; {perfect}"


def pq_beats_q(settings: Settings) -> Verdict:
    """Claims 7 and 8: at equal settings; and beside Q-learning of as many episodes."""
    parts, shown = [], True
    for test in ("base", "clone"):
        q, twice, pq = (figures(settings.values(), agent, f"{test}_quality") for agent in ("q", "q_twice", "pq"))
        parts.append(f"{test} test: Q {share(q)} %, Q of as many episodes {share(twice)} %, PQ {share(pq)} %")
        shown = shown and float(np.mean(pq)) > float(np.mean(q))
    return shown, "; ".join(parts)


def opens_in_centre(settings: Settings) -> Verdict:
    """Claim 7: the deterministic opening move."""
    counts = {agent: figures(settings.values(), agent, "opening").count(3) for agent in ("q", "control", "pq")}
    total = sum(map(len, settings.values()))
    return counts["pq"] == total, ", ".join(f"{TITLES[agent]} {n}" for agent, n in counts.items()) + f" of {total} runs"


CLAIMS: tuple[tuple[str, str, Callable[[Settings], Verdict]], ...] = (
    ("tic-tac-toe", "Q-learning stays imperfect (95 to 99 %)", q_is_imperfect),
    ("tic-tac-toe", "PQ never loses a line, but for setting b", pq_is_perfect),
    ("tic-tac-toe", "PQ does not lose to the second seat's table", clone_never_loses),
    ("tic-tac-toe", "more exploration, more entries (d < a < e)", more_entries),
    ("tic-tac-toe", "the sweep itself helps: PQ above the control", sweep_helps),
    *((name, claim, test) for name in ("connect-four", "card-points-8", "card-points-12")
      for claim, test in (("PQ above Q in both tests", pq_beats_q),
                          ("the sweep itself helps: PQ above the control", sweep_helps))),
    ("connect-four", "PQ opens in the centre", opens_in_centre),
)  # fmt: skip


def claims(results: Results) -> list[str]:
    """What the study claims, and whether these results show it: the lines of a table."""
    lines = ["## Claims", "", "| game | claim | | evidence |", "| --- | --- | --- | --- |"]
    for name, claim, test in CLAIMS:
        if name in results:
            shown, evidence = test(results[name])
            lines.append(f"| {name} | {claim} | {'shown' if shown else 'not shown'} | {evidence} |")
    return [*lines, ""]


def draw_curves(path: Path, name: str, settings: dict[str, list[dict[str, Any]]]) -> None:
    """The share of games that the learner did not lose while it learnt, by blocks of episodes, mean and range over seeds."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(
        1, len(settings), figsize=(3.2 * len(settings) + 1.5, 3.4), sharey=True, layout="constrained", squeeze=False
    )
    for place, (setting, found) in zip(axes[0], settings.items(), strict=True):
        for agent in ("q_twice", "control", "pq"):
            curves = np.array([one[agent]["curve"] for one in found], np.float64)
            quality = (curves[..., 0] + curves[..., 1]) / np.maximum(curves.sum(axis=-1), 1.0)
            step = max(1, quality.shape[1] // 200)
            quality = quality[:, : quality.shape[1] // step * step].reshape(len(quality), -1, step).mean(axis=2)
            at = (np.arange(quality.shape[1]) + 1) * step * found[0][agent]["block"]
            (line,) = place.plot(at, quality.mean(axis=0), linewidth=1.2, label=TITLES[agent])
            place.fill_between(at, quality.min(axis=0), quality.max(axis=0), alpha=0.15, color=line.get_color(), linewidth=0)
        place.set(title=f"{setting}) {rates_of(name, setting)}", xlabel="episodes", ylim=(0.0, 1.02))
        place.ticklabel_format(axis="x", style="sci", scilimits=(0, 4))
        place.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylabel("won or drawn by the first seat")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False)
    figure.suptitle(f"{name}: results while learning, mean and range over seeds", fontsize=10)
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=120)
    plt.close(figure)
    part.replace(path)


def write_report(results: Results, folder: Path) -> Path:
    """Writes report.md and a picture for each game. Returns the page's path. Raises OSError."""
    for name, settings in results.items():
        draw_curves(folder / f"{name}.png", name, settings)
    path = folder / "report.md"
    write_aside(path, markdown(results).encode())
    return path
