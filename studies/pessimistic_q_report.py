"""The rerun of the Pessimistic Q-learning study as pages: published and reproduced figures side by side, and the curves."""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from boardgym.baselines.memory import in_words
from boardgym.core.files import write_aside
from boardgym.studies.pages import can_draw, keep_picture, quiet_pyplot, share, table, verdict_lines
from boardgym.studies.pessimistic_q_claims import TITLES, Judgement, judge_claims
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES, Published, Results, figures
from boardgym.studies.verdicts import LEAST_PAIRS, MANY, share_of

LONG = ("curve", "block")  # what a picture needs and a page does not
STARTS = {"standard": "", "rows": ", trained and tested on the same fixed rows", "one row": ", trained and tested on one row"}
READINGS = (  # what section 11 of the notes on the study found open, and how it is read here
    ("when to sweep", "the pseudo-code after every episode, the text on defeat", "after a lost episode (`sweep`)"),
    ("order of the sweep", "not said", "from the last turn to the first (`order`)"),
    ("minimum over what", "the learner's own next actions", "literally; the opponent's replies are `minimax_q`"),
    ("phases", "two counts in a form, one loop in the pseudo-code", "two (`phases`), of as many episodes each"),
    ("explored states", "8,395 in a game of 5,478", "entries of the first seat, pairs of position and action"),
    ("random test", "54 % in tic-tac-toe", "exact, or 100,000 games; won, drawn and lost"),
    ("quality", "wins in one column, wins and draws in others", "not lost; won, drawn and lost beside it"),
    ("step size of setting c", "0.3 in tic-tac-toe, 0.1 in the others", "as printed"),
    ("summary of the tests", "does not agree with the tables", "compared with the tables"),
    ("headline gains", "do not agree with the tables", "compared with the tables"),
    ("worked example", "boards of ten cells, moves missing", "left out; the three failing episodes are tests"),
    ("payments", "100 for a win, -50 for a loss, 0 for a draw", "as printed, each seat from its own side"),
    ("failure rate delta = 1", "unclear with an opponent that learns", "left out"),
    ("ties in play", "not said", "base test: expected share over ties; clone test: drawn; perfect: whichever is taken"),
    ("base test of Connect Four", "1,000 episodes, not published", "1,000 fixed sequences of replies, half of them tactical"),
    ("base test and deals of CardPoints", "not said", "500 fixed rows, trained and tested on the same; every line of each"),
)  # fmt: skip


def rates_of(name: str, setting: str) -> str:
    """Step size, discount and epsilon of a setting, behind its letter."""
    return f"{setting}) " + ", ".join(f"{rate:g}" for rate in GAMES[name].rates[setting])


def printed(published: Published, agent: str, key: str) -> str:
    """What the study printed of an agent's test, in round brackets; nothing where it has no such agent or test."""
    figure = getattr(published, key.replace("quality", agent), None)
    return f" (study: {figure:g})" if figure is not None else ""


def markdown(found: dict[str, Any], picture: str | None = None) -> str:
    """The page of a game, with what `found_of` has found. picture: where its picture is; empty: none; None: beside the page."""
    if picture is None:
        picture = f"{stem_of(found)}.png" if can_draw() else ""
    name, results, episodes = found["game"], found["settings"], found["episodes"]
    study = GAMES[name]
    counts = {s: len(results[s]) for s in results}
    many = min(counts.values()) >= MANY
    intervals = "its 95 % interval over the seeds, wide where they are few, since it allows for seeds unlike them"
    options = "".join(f", {option}" for option in study.option)
    sources = sorted({one["sources"] for s in results for one in results[s]})
    lines = [
        f"## {name} ({study.game}{options}{STARTS[study.starts]}){other_than_usual(found)}",
        "",
        f"{episodes:,} episodes a phase; seeds: {seeds_in_words(found)}. Quality: share not lost, of the first seat, in "
        f"percent, the mean over the seeds, with {intervals if many else 'the range over them'}. "
        f"Made with the code of digest {', '.join(sources)}.",
        "",
        *(
            [f"{sum(counts.values())} runs in all: fewer than {LEAST_PAIRS} pairs cannot decide between two agents.", ""]
            if sum(counts.values()) < LEAST_PAIRS
            else []
        ),
        *([unequal(counts), ""] if len(set(counts.values())) > 1 else []),
        *left_out(found["left_out"]),
        *tests(name, results),
        *won_drawn_lost(name, results),
        *costs(name, results),
        *([f"![results while learning]({picture})", ""] if picture else []),
        *verdict_lines(judged(found)),
    ]
    return "\n".join(lines)


def judged(found: dict[str, Any]) -> list[tuple[int, str, str, str]]:
    """The claims, verdicts and evidence of a game; behind a verdict on every run how many agree."""
    lines = judge_claims(found["game"], found["settings"], found["random"], found["episodes"])
    return [(one.number, one.claim, verdict_of(one), one.evidence) for one in lines]


def verdict_of(one: Judgement) -> str:
    """A verdict, with how many runs agree where it is of every run."""
    return f"{one.verdict}, {one.count}" if one.count else one.verdict


def other_than_usual(found: dict[str, Any]) -> str:
    """What the title of a page says of the number of episodes and the seeds, if they are others than the study's."""
    episodes = "" if found["episodes"] == GAMES[found["game"]].episodes else f", {found['episodes']:,} episodes"
    return episodes + ("" if found["seeds"] is None else ", seeds {} to {}".format(*found["seeds"]))


def stem_of(found: dict[str, Any]) -> str:
    """The name of a game's page: with the seeds, if they are not those of the list."""
    seeds = "" if found["seeds"] is None else "_seeds-{}-{}".format(*found["seeds"])
    return f"{found['game']}_{found['episodes']}{seeds}"


def seeds_in_words(found: dict[str, Any]) -> str:
    """How many of which seeds there are, by setting if not of each as many."""
    counts = {s: len(runs) for s, runs in found["settings"].items()}
    seeds = "of the list" if found["seeds"] is None else "of {} to {}".format(*found["seeds"])
    many = ", ".join(f"{s} {n}" for s, n in counts.items()) if len(set(counts.values())) > 1 else str(min(counts.values()))
    return f"{many} ({seeds})"


def unequal(counts: dict[str, int]) -> str:
    """A warning where settings have not as many seeds."""
    most = max(counts, key=lambda s: counts[s])
    return (
        f"Not all settings have as many seeds: where they are taken together, setting {most} counts for "
        f"{100 * counts[most] / sum(counts.values()):.0f} % of the runs."
    )


def left_out(names: Sequence[str]) -> list[str]:
    """What the folder has that is not of these trainings."""
    if not names:
        return []
    return [f"Left out, as no results, or of another version or other settings: {', '.join(names)}.", ""]


def tests(name: str, results: Results) -> list[str]:
    """Base test and clone tests, published and reproduced; regret; how many runs are perfect, and after how many episodes."""
    lines = []
    for title, key in (
        ("Base test", "base_quality"),
        ("Clone test, its own second seat", "clone_quality"),
        ("Clone test, second seat of Q of as many episodes", "clone_common_quality"),
    ):
        rows = [[rates_of(name, s), *(share(figures(results, agent, key, s)) + printed(GAMES[name].published[s], agent, key)
                                      for agent in AGENTS)] for s in results]  # fmt: skip
        lines += table([title, *TITLES.values()], rows)
    floor = figures(results, "q", "floor")[0]
    lines += [f"Uniformly random play has {100 * floor:.1f} % in the base test.", ""]
    perfect = {agent: figures(results, agent, "is_perfect") for agent in AGENTS}
    if None not in perfect["q"]:
        rows = [
            [
                rates_of(name, s),
                *(share_of(figures(results, agent, "is_perfect", s).count(True), len(results[s])) for agent in AGENTS),
            ]
            for s in results
        ]
        lines += table(["Runs that lose no line, whichever of equal actions they take", *TITLES.values()], rows)
    if name != "tic-tac-toe":
        rows = []
        for s in results:
            found = {agent: figures(results, agent, "positions", s) for agent in AGENTS}
            unknown = share([one["unknown"] / one["positions"] for one in found["pq"]])
            rows.append([rates_of(name, s), *(share([one["quality"] for one in found[agent]]) for agent in AGENTS), unknown])
        lines += table(["Published positions, right", *TITLES.values(), "not known to PQ"], rows)
    if name == "connect-four":
        rows = []
        for s in results:
            kinds = {agent: figures(results, agent, "kinds", s) for agent in AGENTS}
            rows += [
                [f"{rates_of(name, s)}: {kind}", *(share([one[kind] for one in kinds[agent]]) for agent in AGENTS)]
                for kind in kinds["pq"][0]
            ]
        lines += table(["Base test by kind of replies", *TITLES.values()], rows)
    lines += decisions(name, results)
    rows = [[rates_of(name, s), *(_regret(figures(results, agent, "regret", s)) for agent in AGENTS)] for s in results]
    lines += table(
        [
            "Value given away a ply against random play (a win is 1, a loss -1), mean and (range over the seeds)",
            *TITLES.values(),
        ],
        rows,
    )
    return lines


def decisions(name: str, results: Results) -> list[str]:
    """What the base test asked of the agents, and how much of it they did: over all seeds."""
    rows = []
    for setting in results:
        for category in figures(results, "pq", "decisions", setting)[0]:
            cells = []
            for agent in AGENTS:
                found = [one[category] for one in figures(results, agent, "decisions", setting)]
                met, right = (sum(column) for column in zip(*found, strict=True))
                cells.append(f"{100 * right / met:.1f} of {met:,.0f}" if met else "-")
            rows.append([f"{rates_of(name, setting)}: {category}", *cells])
    return table(["Right in the base test, % of decisions met", *TITLES.values()], rows) if rows else []


def _regret(found: Sequence[float | None]) -> str:
    losses = [one for one in found if one is not None]
    if not losses:
        return "-"
    return f"{mean(losses):.3f}" + ("" if min(losses) == max(losses) else f" ({min(losses):.3f} to {max(losses):.3f})")


def won_drawn_lost(name: str, results: Results) -> list[str]:
    """Means over the seeds."""

    def cell(agent: str, test: str, setting: str) -> str:
        found = figures(results, agent, test, setting)
        return " / ".join(f"{100 * mean(one[word] for one in found):.1f}" for word in ("won", "drawn", "lost"))

    kinds = (("base", "base"), ("clone", "clone"), ("common clone", "clone_common"))
    rows = [
        [f"{rates_of(name, s)}: {title}", *(cell(agent, test, s) for agent in AGENTS)] for s in results for title, test in kinds
    ]
    return table(["Won / drawn / lost, %", *TITLES.values()], rows)


def costs(name: str, results: Results) -> list[str]:
    """Entries, memory and time, published and reproduced.

    Of times the least, of speeds the greatest over the seeds: what else a machine does only ever adds to a time.
    """
    rows = []
    for setting in results:
        published = GAMES[name].published[setting]

        def of(agent: str, key: str, setting: str = setting) -> float:
            return mean(float(value or 0) for value in figures(results, agent, key, setting))

        def fastest(what: str, setting: str = setting) -> float:
            return max(one["pq"][what] / max(one["pq"]["seconds"], 1e-9) for one in results[setting])

        seconds = {agent: min(figures(results, agent, "seconds", setting)) for agent in ("q", "pq")}
        peaks = [peak for peak in figures(results, "pq", "peak_memory", setting) if peak]
        rows.append(
            [
                rates_of(name, setting),
                f"{of('q', 'entries'):,.0f} (study: {published.entries or '-'})",
                f"{of('pq', 'entries'):,.0f}",
                f"{of('pq', 'all_entries'):,.0f}",
                f"{of('pq', 'bytes') / of('pq', 'all_entries'):.1f}",
                in_words(max(peaks)) if peaks else "-",
                f"{seconds['q']:.3g}",
                f"{seconds['pq']:.3g} (study: {published.time})",
                f"{fastest('episodes'):,.0f}",
                f"{fastest('plies'):,.0f}",
            ]
        )
    head = ("", "entries of Q, first seat", "of PQ", "of both seats", "bytes an entry", "peak memory",
            "seconds Q, least", "seconds PQ, least", "episodes a second, most", "updates a second, most")  # fmt: skip
    return [
        *table(head, rows),
        "Seconds are processor time of one core for all of an agent's phases, the least over the seeds, and "
        "speeds the greatest; updates are one a ply, those of the sweep come "
        "on top; bytes an entry are of the slots that there are, used or not; peak memory is that of the process while it "
        "trains, Python and compiled code included.",
        "",
    ]


def readings() -> str:
    """The table of what the study leaves open."""
    return "\n".join(table(["open", "the study", "here"], READINGS))


# ---------------------------------------------------------------- curves and files


def draw_curves(path: Path, found: dict[str, Any]) -> None:
    """The share of games that the learner did not lose while it learnt, each block of episodes, mean and range over seeds.

    A dotted line marks where the second phase begins.
    """
    plt = quiet_pyplot()
    name, settings, episodes = found["game"], found["settings"], found["episodes"]
    figure, axes = plt.subplots(
        1, len(settings), figsize=(max(3.2 * len(settings), 6.4), 3.8), sharey=True, layout="constrained", squeeze=False
    )
    for place, (setting, seeds) in zip(axes[0], settings.items(), strict=True):
        for agent in ("q_twice", "control", "pq"):
            curves = np.array([one[agent]["curve"] for one in seeds], np.float64)
            quality = (curves[..., 0] + curves[..., 1]) / np.maximum(curves.sum(axis=-1), 1.0)
            at = np.minimum((np.arange(quality.shape[1]) + 1) * seeds[0][agent]["block"], seeds[0][agent]["episodes"])
            width = 1.2 if len(at) < 200 else 0.6
            (line,) = place.plot(at, quality.mean(axis=0), linewidth=width, label=TITLES[agent])
            place.fill_between(at, quality.min(axis=0), quality.max(axis=0), alpha=0.15, color=line.get_color(), linewidth=0)
        place.axvline(episodes, color="0.4", linestyle=":", linewidth=1.0, label="second phase")
        place.set(title=rates_of(name, setting), xlabel="episodes", xlim=(0, 2 * episodes), ylim=(0.0, 1.02))
        place.set_xticks([0, episodes, 2 * episodes], ["0", f"{episodes:,}", f"{2 * episodes:,}"], fontsize=8)
        place.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylabel("won or drawn by the first seat")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(f"{name}: results while learning, mean and range over seeds", fontsize=10)
    keep_picture(figure, path)


def without_lists(found: dict[str, Any]) -> dict[str, Any]:
    """What `reproduce` has found of a game without its long lists of figures."""
    settings = {
        setting: [
            {**one, **{a: {key: value for key, value in one[a].items() if key not in LONG} for a in AGENTS}} for one in seeds
        ]
        for setting, seeds in found["settings"].items()
    }
    return {**found, "settings": settings}


def write_report(found: dict[str, dict[str, Any]], folder: Path) -> list[Path]:
    """Writes a page, the figures and, if Matplotlib is there, a picture for each game that has results.

    Returns the pages. Raises OSError.
    """
    found = {title: one for title, one in found.items() if one["settings"]}
    pages = []
    for one in found.values():
        stem = stem_of(one)
        write_aside(folder / f"{stem}.json", json.dumps(one).encode())
        page = "\n".join([markdown(one), "## Readings", "", readings()])
        write_aside(folder / f"{stem}.md", page.encode())
        pages.append(folder / f"{stem}.md")
    for one in found.values() if can_draw() else ():
        draw_curves(folder / f"{stem_of(one)}.png", one)
    return pages
