"""Claim 11 of the Pessimistic Q-learning study: what the sweep itself does, PQ against the control that has none."""

import math
from statistics import mean

from boardgym.baselines.studies.exact import compare_pairs
from boardgym.baselines.studies.pessimistic_q_plan import Figures, Results, figures
from boardgym.baselines.studies.verdicts import Found, earlier, greater, percent, share_of


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
    pairs = [(one["pq"]["regret"]["loss"], one["control"]["regret"]["loss"]) for s in results for one in results[s]]
    losses = [(a[0], b[0]) for a, b in pairs if a is not None and b is not None]
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

    def lost(one: Figures) -> float:
        first = math.ceil(one["episodes"] / 2 / one["block"])
        return float(sum(block[2] for block in one["curve"][first:]))

    pq, control = ([lost(one[agent]) for s in results for one in results[s]] for agent in ("pq", "control"))
    verdict, text = greater([-x for x in pq], [-x for x in control], 1.0)
    return verdict, f"PQ {mean(pq):,.0f}, control {mean(control):,.0f}; what the sweep saves {text}"
