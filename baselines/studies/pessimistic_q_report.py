"""The rerun of the Pessimistic Q-learning study as a page: published and reproduced figures side by side, and the curves."""

from collections.abc import Callable, Sequence
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
        lines += [
            f"## {name} ({study.game}{''.join(f', {option}' for option in study.option)})", "",
            f"{episodes:,} episodes a phase, {seeds} seeds; quality (won or drawn) in percent, mean and 95 % interval over the seeds; "
            "in brackets of the heading what the study printed.", "",
        ]  # fmt: skip
        for test, key in (("Base test", "base_quality"), ("Clone test", "clone_quality")):
            lines += [f"| {test} | {' | '.join(TITLES[agent] for agent in AGENTS)} |", f"| --- |{' --- |' * len(AGENTS)}"]
            for setting, found in settings.items():
                cells = [
                    share([one[agent][key] for one in found]) + printed(study.published[setting], agent, key)
                    for agent in AGENTS
                ]
                lines.append(f"| {setting}) {rates_of(name, setting)} | {' | '.join(cells)} |")
            lines.append("")
        lines += ["| setting | entries of Q | published | seconds Q | seconds PQ | published | episodes a second |",
                  "| --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
        for setting, found in settings.items():
            published = study.published[setting]
            entries, first, second = (np.mean([one[agent][key] for one in found])
                                      for agent, key in (("q", "entries"), ("q", "seconds"), ("pq", "seconds")))  # fmt: skip
            speed = np.mean([one["pq"]["episodes"] / max(one["pq"]["seconds"], 1e-9) for one in found])
            lines.append(f"| {setting}) | {entries:,.0f} | {published.entries or '-'} | {first:,.1f} | {second:,.1f} | "
                         f"{published.time} | {speed:,.0f} |")  # fmt: skip
        lines += ["", f"![the learner's results while it learns]({name}.png)", ""]
    lines += claims(results)
    return "\n".join(lines)


def rates_of(name: str, setting: str) -> str:
    """Step size, discount and epsilon of a setting."""
    return ", ".join(f"{rate:g}" for rate in GAMES[name].rates[setting])


def printed(published: Published, agent: str, key: str) -> str:
    """What the study printed of an agent's test, in round brackets; nothing where it has no such agent."""
    if agent not in ("q", "pq"):
        return ""
    return f" ({getattr(published, f'{key.partition("_")[0]}_{agent}'):g})"


def claims(results: Results) -> list[str]:
    """What the study claims, and whether these results show it."""
    rows: list[tuple[str, str, str]] = []

    def judge(claim: str, name: str, test: Callable[[dict[str, list[dict[str, Any]]]], tuple[bool, str]]) -> None:
        if name in results:
            shown, evidence = test(results[name])
            rows.append((claim, "shown" if shown else "not shown", evidence))

    def base(found: list[dict[str, Any]], agent: str) -> list[float]:
        return [one[agent]["base_quality"] for one in found]

    def q_is_imperfect(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        values = base(settings.get("a", []), "q")
        return bool(values) and 0.95 <= float(
            np.mean(values)
        ) < 1.0, f"base test {share(values)} % at setting a" if values else "not run"

    def pq_is_perfect(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        counts = {s: (sum(v == 1.0 for v in base(found, "pq")), len(found)) for s, found in settings.items()}
        text = ", ".join(f"{s} {n} of {m}" for s, (n, m) in counts.items())
        return all(n == m for s, (n, m) in counts.items() if s != "b"), f"runs without a lost line: {text}"

    def control_is_as_good(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        both = {agent: [v for found in settings.values() for v in base(found, agent)] for agent in ("control", "pq")}
        counts = {agent: sum(v == 1.0 for v in values) for agent, values in both.items()}
        shown = float(np.mean(both["pq"])) > float(np.mean(both["control"]))
        return shown, (f"base test PQ {share(both['pq'])} %, control without the sweep {share(both['control'])} %; perfect runs "
                       f"{counts['pq']} and {counts['control']} of {len(both['pq'])}")  # fmt: skip

    def clone_never_loses(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        lost = [one["pq"]["clone"]["lost"] for found in settings.values() for one in found]
        return (
            max(lost) == 0.0,
            f"lost on average {100 * float(np.mean(lost)):.2f} % of the clone tests' games, at most {100 * max(lost):.1f} %",
        )

    def pq_beats_q(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        both = {(agent, key): [one[agent][key] for found in settings.values() for one in found]
                for agent in ("q", "q_twice", "pq") for key in ("base_quality", "clone_quality")}  # fmt: skip
        shown = all(np.mean(both["pq", key]) > np.mean(both["q", key]) for key in ("base_quality", "clone_quality"))
        return shown, "; ".join(f"{key.partition('_')[0]} Q {share(both['q', key])} %, Q of as many episodes {share(both['q_twice', key])} %, "
                                f"PQ {share(both['pq', key])} %" for key in ("base_quality", "clone_quality"))  # fmt: skip

    def centre(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        counts = {
            agent: sum(one[agent]["opening"] == 3 for found in settings.values() for one in found)
            for agent in ("q", "control", "pq")
        }
        total = sum(len(found) for found in settings.values())
        return counts["pq"] == total, ", ".join(f"{TITLES[agent]} {n}" for agent, n in counts.items()) + f" of {total} runs"

    def more_entries(settings: dict[str, list[dict[str, Any]]]) -> tuple[bool, str]:
        means = {s: float(np.mean([one["q"]["entries"] for one in settings[s]])) for s in "dae" if s in settings}
        text = ", ".join(f"{s} {mean:,.0f}" for s, mean in means.items())
        return list(means.values()) == sorted(means.values()) and len(means) == 3, f"entries of both seats: {text}"

    judge("Q-learning stays imperfect (95 to 99 %)", "tic-tac-toe", q_is_imperfect)
    judge("PQ never loses a line, but for setting b", "tic-tac-toe", pq_is_perfect)
    judge("PQ does not lose to the second seat's table", "tic-tac-toe", clone_never_loses)
    judge("more exploration, more entries (d < a < e)", "tic-tac-toe", more_entries)
    judge("the sweep itself helps: PQ above the control", "tic-tac-toe", control_is_as_good)
    for name in ("connect-four", "card-points-8", "card-points-12"):
        judge(f"{name}: PQ above Q in both tests", name, pq_beats_q)
        judge(f"{name}: the sweep itself helps", name, control_is_as_good)
    judge("connect-four: PQ opens in the centre", "connect-four", centre)
    lines = ["## Claims", "", "| claim | | evidence |", "| --- | --- | --- |"]
    return [*lines, *(f"| {claim} | {verdict} | {evidence} |" for claim, verdict, evidence in rows), ""]


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
