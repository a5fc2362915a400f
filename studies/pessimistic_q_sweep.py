"""Claim 11 of the Pessimistic Q-learning study: what the sweep itself does, PQ against the control that has none."""

from collections.abc import Callable
from statistics import mean
from typing import Any

from boardgym.studies.exact import compare_pairs
from boardgym.studies.pessimistic_q_plan import Results, figures
from boardgym.studies.pessimistic_q_seeds import block_of, of_blocks
from boardgym.studies.verdicts import Found, earlier, greater, or_never, percent, share_of

ALL_BLOCKS = 100  # more than there are of any game


def sweep_helps(results: Results) -> Found:
    """11: the control has the same phases without the sweep."""
    pq, control = (figures(results, agent, "base_quality") for agent in ("pq", "control"))
    verdict, text = greater(pq, control)
    by_setting = {s: [figures(results, agent, "base_quality", s) for agent in ("pq", "control")] for s in results}
    settings = ", ".join(f"{s} {100 * compare_pairs(*both).mean:+.1f}" for s, both in by_setting.items())
    perfect = [figures(results, agent, "is_perfect") for agent in ("pq", "control")]
    counts = (
        ""
        if None in perfect[0]
        else "; runs without a lost line " + " and ".join(share_of(p.count(True), len(p)) for p in perfect)
    )
    return verdict, f"PQ {percent(pq)} %, control {percent(control)} %; difference {text} (by setting {settings}){counts}"


def sweep_lowers_regret(results: Results) -> Found:
    """11: value given away against random play."""
    pairs = [(one["pq"]["regret"], one["control"]["regret"]) for s in results for one in results[s]]
    losses = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not losses:
        return "not decided", "no position of these runs was solved"
    pq, control = zip(*losses, strict=True)
    verdict, text = greater([-x for x in pq], [-x for x in control], 1.0, 3)
    return verdict, f"PQ {mean(pq):.3f} a ply, control {mean(control):.3f}; what the sweep saves {text}"


def sweep_helps_clone(results: Results) -> Found:
    """11: quality in the clone test."""
    pq, control = (figures(results, agent, "clone_quality") for agent in ("pq", "control"))
    verdict, text = greater(pq, control)
    return verdict, f"PQ {percent(pq)} %, control {percent(control)} %; difference {text}"


def sweep_settles_sooner(results: Results) -> Found:
    """11: the last lost line of the second phase."""
    verdict, text = earlier([(one["pq"], one["control"]) for s in results for one in results[s]], "perfect_after")
    return verdict, f"a run that loses a line to the end is the latest; {text}"


def sweep_loses_fewer(results: Results) -> Found:
    """11: games lost in the blocks of episodes that lie in the second phase."""
    pq, control = (figures(results, agent, "lost_late") for agent in ("pq", "control"))
    verdict, text = greater([-x for x in pq], [-x for x in control], 1.0)
    return verdict, f"PQ {mean(pq):,.0f}, control {mean(control):,.0f}; what the sweep saves {text}"


def at(settings: str, judge: Callable[[Results], Found]) -> Callable[[Results], Found]:
    """A claim's judge on some settings alone."""
    return lambda results: judge({s: runs for s, runs in results.items() if s in settings})


def chosen_after(block: int, name: str, judge: Callable[[Results], Found]) -> Callable[[Results], Found]:
    """A claim's judge that also says, in the evidence, what the blocks alone say that were run after the claim was chosen."""

    def judged(results: Results) -> Found:
        verdict, text = judge(results)
        later = of_blocks(name, results, range(block + 1, ALL_BLOCKS))
        if not later:
            return verdict, text
        alone, evidence = judge(later)
        return verdict, f"{text}. Blocks after {block} alone: {alone}; {evidence}"

    return judged


# ---------------------------------------------------------------- the sweep by setting and block


def _less(agent: dict[str, Any], key: str) -> float:
    return -float(agent[key])


MEASURES: dict[str, Callable[[dict[str, Any]], float]] = {  # of an agent in one run: more is better
    "base test": lambda agent: float(agent["base_quality"]),
    "clone test, its own second seat": lambda agent: float(agent["clone_quality"]),
    "clone test, a second seat strange to both": lambda agent: float(agent["clone_common_quality"]),
    "value given away against random play": lambda agent: _less(agent, "regret"),
    "last lost line": lambda agent: -or_never(agent["perfect_after"]),
    "games lost in the second phase": lambda agent: _less(agent, "lost_late"),
}


def split(results: Results, measure: Callable[[dict[str, Any]], float]) -> str:
    """In how many pairs PQ is better than the control, and in how many worse, with p of the sign test where pairs differ."""
    pairs = [(measure(one["pq"]), measure(one["control"])) for runs in results.values() for one in runs]
    signs = [float(a > b + 1e-12) - float(a < b - 1e-12) for a, b in pairs]
    if not signs:
        return "-"
    found = compare_pairs(signs, [0.0] * len(signs))
    return f"{found.better} to {found.worse}" + (f", p = {found.p:.2g}" if found.better + found.worse else "")


def by_setting(results: Results) -> tuple[list[str], list[list[str]]]:
    """The table of how often PQ is better than the control, and worse, by setting: its head and rows."""
    rows = [
        [title, *(split({s: results[s]}, measure) for s in results), split(results, measure)]
        for title, measure in MEASURES.items()
    ]
    return ["PQ better to worse than the control, pairs", *results, "all"], rows


def by_block(name: str, results: Results) -> tuple[list[str], list[list[str]]]:
    """The table of runs that lose nothing, and of the sweep, by block of seeds: its head and rows."""
    numbers = sorted({block_of(name, s, one["seed"]) for s, runs in results.items() for one in runs})
    rows = []
    for block, found in [*((str(n), of_blocks(name, results, [n])) for n in numbers), ("all", results)]:
        acde = {s: runs for s, runs in found.items() if s != "b"}
        perfect, clones = figures(acde, "pq", "is_perfect"), [*zip(*(figures(found, "pq", key) for key in CLONES), strict=True)]
        unlost = [own["lost"] == common["lost"] == 0.0 for own, common in clones]
        rows.append(
            [
                block,
                ", ".join(f"{s} {len(runs)}" for s, runs in found.items()),
                share_of(perfect.count(True), len(perfect), 2),
                share_of(unlost.count(True), len(unlost), 2),
                split(found, MEASURES["base test"]),
            ]
        )
    head = ["block", "runs by setting", "PQ loses no line (a, c, d, e)", "PQ loses no clone game (all settings)",
            "base test, PQ better to worse than the control"]  # fmt: skip
    return head, rows


CLONES = ("clone", "clone_common")
