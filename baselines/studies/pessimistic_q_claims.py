"""What the Pessimistic Q-learning study claims, and what a rerun of it says of each: shown, not shown, or not decided.

A comparison of two agents is decided by the exact sign test over pairs of runs of the same setting and seed, at 5 %. A claim
about every run is not shown if one run speaks against it, and shown if none of at least MANY does; one about most runs is
decided by the exact interval of Clopper and Pearson.
"""

from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median
from typing import Any, Literal

from boardgym.baselines.studies.exact import clopper_pearson, compare_pairs
from boardgym.baselines.studies.pessimistic_q_plan import AGENTS, GAMES, Results

Verdict = Literal["shown", "not shown", "not decided"]
Found = tuple[Verdict, str]  # with the evidence
TITLES = {"q": "Q", "q_twice": "Q, as many episodes", "control": "control: no sweep", "pq": "PQ"}
LEVEL = 0.05
MANY = 10  # runs
FEW_EPISODES = 3000
CENTRE = 3
NO_LOW_DISCOUNT = "acde"


def figures(results: Results, agent: str, key: str, settings: Iterable[str] | None = None) -> list[Any]:
    """One figure of an agent over all seeds of some settings; None: of all."""
    return [one[agent][key] for setting in (results if settings is None else settings) for one in results.get(setting, [])]


def percent(values: Sequence[float]) -> str:
    """Mean and range of shares, in percent."""
    low, high = 100 * min(values), 100 * max(values)
    return f"{100 * mean(values):.1f}" + ("" if low == high else f" ({low:.1f} to {high:.1f})")


def share_of(count: int, total: int) -> str:
    """So many of so many, with the exact interval of the share."""
    interval = clopper_pearson(count, total)
    return f"{count} of {total} [{100 * interval.low:.0f}, {100 * interval.high:.0f} %]"


def of_every_run(flags: Sequence[bool]) -> Verdict:
    """Of a claim about every run."""
    if not all(flags):
        return "not shown"
    return "shown" if len(flags) >= MANY else "not decided"


def of_most_runs(count: int, total: int) -> Verdict:
    """Of a claim about more than half of the runs."""
    interval = clopper_pearson(count, total)
    return "shown" if interval.low > 0.5 else "not shown" if interval.high < 0.5 else "not decided"


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """Of a claim of several parts."""
    for verdict in ("not shown", "not decided"):
        if verdict in verdicts or not verdicts:
            return verdict  # type: ignore[return-value]
    return "shown"


def greater(a: Sequence[float], b: Sequence[float], unit: float = 100.0) -> Found:
    """Whether the figures of a are greater than those of b, pair by pair. unit: of the mean difference, which is printed."""
    pairs = compare_pairs(a, b)
    text = (
        f"{unit * pairs.mean:+,.1f}, {pairs.better} pairs for and {pairs.worse} against, {pairs.equal} equal, p = {pairs.p:.2g}"
    )
    if pairs.p >= LEVEL:
        return "not decided", text
    return ("shown" if pairs.better > pairs.worse else "not shown"), text


# ---------------------------------------------------------------- the claims of section 12 of the notes


def q_is_imperfect(results: Results) -> Found:
    """1: plain Q-learning has 95 to 99 % of tic-tac-toe's lines at setting a, and usually loses one."""
    values, perfect = figures(results, "q", "base_quality", "a"), figures(results, "q", "is_perfect", "a")
    usually = of_most_runs(perfect.count(False), len(perfect))
    verdict = usually if 0.95 <= mean(values) < 0.995 else "not shown"
    return verdict, f"base test {percent(values)} %; runs that lose a line {share_of(perfect.count(False), len(perfect))}"


def pq_is_perfect(results: Results) -> Found:
    """2: no line lost, in every run of settings a, c, d, e."""
    flags = figures(results, "pq", "is_perfect", NO_LOW_DISCOUNT)
    text = ", ".join(f"{s} {figures(results, 'pq', 'is_perfect', s).count(True)} of {len(results[s])}" for s in results)
    return of_every_run(flags), f"runs of PQ without a lost line: {text}; a, c, d, e: {share_of(flags.count(True), len(flags))}"


def b_needs_more(results: Results) -> Found:
    """2: setting b is not there yet."""
    flags = figures(results, "pq", "is_perfect", "b")
    verdict = of_every_run([not flag for flag in flags]) if not any(flags) else of_most_runs(flags.count(False), len(flags))
    return verdict, f"runs of setting b that lose a line: {share_of(flags.count(False), len(flags))}"


def avoids_bold_moves(key: str, of: str) -> Callable[[Results], Found]:
    """3: the moves that lose in the three failing episodes are not among the best."""

    def judge(results: Results) -> Found:
        counts = {agent: figures(results, agent, "bold_moves") for agent in AGENTS}
        text = ", ".join(f"{TITLES[agent]} {sum(one[key] for one in found)} of "
                         f"{sum(one[of] if of else 3 for one in found)}" for agent, found in counts.items())  # fmt: skip
        return of_every_run([one[key] == 0 for one in counts["pq"]]), f"the losing move is among the best: {text}"

    return judge


def clone_never_loses(results: Results) -> Found:
    """4: against its own second seat, and against that of q_twice; all drawn."""
    parts, flags = [], []
    for key, title in (("clone", "its own second seat"), ("clone_common", "the second seat of Q of as many episodes")):
        found = figures(results, "pq", key)
        flags += [one["lost"] == 0.0 for one in found]
        drawn = sum(one["drawn"] == 1.0 for one in found)
        parts.append(
            f"against {title} {sum(one['lost'] > 0.0 for one in found)} of {len(found)} runs lose games, {drawn} draw all"
        )
    return of_every_run(flags), "; ".join(parts)


def few_episodes(results: Results) -> Found:
    """5: no line lost for the first time after fewer than 3,000 episodes of the second phase, in most runs of a, c, d, e."""

    def told(agent: str, key: str) -> tuple[int, int, str]:
        after = figures(results, agent, key, NO_LOW_DISCOUNT)
        there = [count for count in after if count is not None]
        few, middle = sum(count < FEW_EPISODES for count in there), f", median {median(there):,.0f}" if there else ""
        return few, len(after), f"{TITLES[agent]} {share_of(few, len(after))}, ever {len(there)}{middle}"

    agents = ("q_twice", "control", "pq")
    first, for_good = ("; ".join(told(agent, key)[2] for agent in agents) for key in ("first_perfect", "perfect_after"))
    few, runs, _ = told("pq", "first_perfect")
    text = f"runs that lose no line before episode 3,000 of the second phase, for the first time: {first}"
    return of_most_runs(few, runs), f"{text}. For good, up to the last episode: {for_good}"


def more_entries(results: Results) -> Found:
    """6: d < a < e, by seeds."""
    seeds = min(len(results[s]) for s in "dae")
    entries = {s: figures(results, "q", "entries", s)[:seeds] for s in "dae"}
    parts = [greater(entries[b], entries[a], 1.0) for a, b in ("da", "ae")]
    means = ", ".join(f"{s} {mean(found):,.0f}" for s, found in entries.items())
    return all_of(
        [verdict for verdict, _ in parts]
    ), f"entries of the first seat: {means}; a - d {parts[0][1]}; e - a {parts[1][1]}"


def by_line(results: Results) -> str:
    """How PQ and Q of as many episodes differ on the same sequences of replies, or rows, over all runs."""
    pairs = [
        compare_pairs(*both)
        for both in zip(figures(results, "pq", "outcomes"), figures(results, "q_twice", "outcomes"), strict=True)
    ]
    better, worse, equal = (sum(getattr(one, name) for one in pairs) for name in ("better", "worse", "equal"))
    return f"; by sequence or row of the base test {better:,} for, {worse:,} against, {equal:,} equal"


def pq_above_q(key: str) -> Callable[[Results], Found]:
    """7: PQ against Q-learning of as many episodes, which decides; against that of the first phase, and the control."""

    def judge(results: Results) -> Found:
        found = {agent: figures(results, agent, key) for agent in ("pq", "q_twice", "q", "control")}
        means = ", ".join(f"{TITLES[agent]} {percent(values)} %" for agent, values in found.items())
        against = {agent: greater(found["pq"], found[agent]) for agent in ("q_twice", "q", "control")}
        text = "; ".join(f"PQ less {TITLES[agent]} {evidence}" for agent, (_, evidence) in against.items())
        return against["q_twice"][0], f"{means}; {text}" + (by_line(results) if key == "base_quality" else "")

    return judge


def pq_not_below_q(key: str) -> Callable[[Results], Found]:
    """8: the same, where as good is enough."""

    def judge(results: Results) -> Found:
        verdict, text = pq_above_q(key)(results)
        pairs = compare_pairs(figures(results, "pq", key), figures(results, "q_twice", key))
        is_never_less = pairs.worse == 0 and pairs.better + pairs.equal >= MANY
        return ("shown" if is_never_less else verdict), text

    return judge


def opens_in_centre(results: Results) -> Found:
    """7: the deterministic first move."""
    counts = {agent: figures(results, agent, "opening").count(CENTRE) for agent in AGENTS}
    total = sum(map(len, results.values()))
    text = ", ".join(f"{TITLES[agent]} {count}" for agent, count in counts.items())
    return of_every_run([opening == CENTRE for opening in figures(results, "pq", "opening")]), f"{text} of {total} runs"


def stays_below(results: Results) -> Found:
    """7: base quality of Connect Four."""
    values = figures(results, "pq", "base_quality")
    return of_every_run([value < 1.0 for value in values]), f"base test of PQ {percent(values)} %"


def takes_the_smaller(results: Results) -> Found:
    """8: at the published positions where only the smaller end card is right; by chance alone half of them."""
    found = {agent: figures(results, agent, "positions") for agent in AGENTS}
    text = ", ".join(
        f"{TITLES[agent]} {percent([one['smaller_right'] / one['smaller'] for one in found[agent]])} %" for agent in AGENTS
    )
    flags = [one["smaller_right"] > 0 for one in found["pq"]]
    return of_every_run(
        flags
    ), f"of {found['pq'][0]['smaller']} positions where only the smaller card is right, it takes it: {text}"


def approaches_all(results: Results) -> Found:
    """8: quality of the first seat in the clone test: more than 95 % in every run."""
    values = figures(results, "pq", "clone_quality")
    return of_every_run([value > 0.95 for value in values]), f"clone test of PQ {percent(values)} %"


def varies_little(name: str) -> Callable[[Results], Found]:
    """9: the means over settings a, c, d, e lie no further apart than the study's own figures, or one point."""

    def judge(results: Results) -> Found:
        def spread(agent: str) -> float:
            means = [mean(figures(results, agent, "base_quality", s)) for s in NO_LOW_DISCOUNT]
            return 100 * (max(means) - min(means))

        printed = [GAMES[name].published[s].base_pq for s in NO_LOW_DISCOUNT]
        most = max(1.0, max(printed) - min(printed))
        text = ", ".join(f"{TITLES[agent]} {spread(agent):.1f}" for agent in AGENTS)
        return ("shown" if spread("pq") <= most else "not shown"), (
            f"points between the best and the worst mean of settings a, c, d, e, base test: {text}; the study's PQ "
            f"{max(printed) - min(printed):g}"
        )

    return judge


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


def is_kept(results: Results) -> Found:
    """12: files of agents, read again, have the same entries."""
    flags = [flag for agent in AGENTS for flag in figures(results, agent, "reloads") if flag is not None]
    if not flags:
        return "not decided", "no agent's file was written and read again in these runs"
    return of_every_run(flags), f"agents whose file, read again, has the same entries: {flags.count(True)} of {len(flags)}"


def has_baseline(random: dict[str, Any], printed: tuple[float, float]) -> Found:
    """10: what the study printed lies, to a point, between won and not lost of the exact random test or of 100,000 games."""
    won, drawn, lost = (100 * random["seats"][0][name]["value"] for name in ("won", "drawn", "lost"))
    how = f"{random['games']:,} games" if random["games"] else f"exact, over {random['positions']:,} positions"
    fits = printed[0] - 1.0 <= won + drawn and won <= printed[1] + 1.0
    text = f"{how}: won {won:.1f}, drawn {drawn:.1f}, lost {lost:.1f} %; the study printed " + " to ".join(
        f"{x:g}" for x in dict.fromkeys(printed)
    )
    return ("shown" if fits else "not shown"), f"{text} %"


NEEDS: dict[Callable[[Results], Found], str] = {
    q_is_imperfect: "a",
    b_needs_more: "b",
    pq_is_perfect: "a",
    few_episodes: "a",
    more_entries: "ade",
}
Claim = tuple[str, str, Callable[[Results], Found]]  # number in section 12 of the notes, what is claimed, the judge


def claims_of(name: str) -> list[Claim]:
    """What is claimed for a game, in the order of the numbers."""
    spread: Claim = ("9", "PQ's results vary little over settings a, c, d, e", varies_little(name))
    common: list[Claim] = [
        ("11", "the sweep itself helps: PQ above the control, base test", sweep_helps),
        ("12", "agents are saved and read again", is_kept),
    ]
    if name == "tic-tac-toe":
        return [
            ("1", "Q-learning has 95 to 99 % at setting a, and usually loses a line", q_is_imperfect),
            ("2", "PQ never loses a line at settings a, c, d, e", pq_is_perfect),
            ("2", "setting b (low discount) needs more episodes", b_needs_more),
            ("3", "PQ avoids the bold moves of the three failing episodes", avoids_bold_moves("bold", "")),
            ("3", "PQ avoids them where its own play comes to them", avoids_bold_moves("bold_met", "met")),
            ("4", "PQ does not lose to the second seat's plain Q-learning", clone_never_loses),
            ("5", "PQ usually needs fewer than 3,000 pessimistic episodes", few_episodes),
            ("6", "more exploration, more entries (d < a < e)", more_entries),
            spread,
            *common,
        ]
    if name == "connect-four":
        return [
            ("7", "PQ above Q at equal budget, base test", pq_above_q("base_quality")),
            ("7", "PQ above Q at equal budget, clone test", pq_above_q("clone_quality")),
            ("7", "the same against a common second seat", pq_above_q("clone_common_quality")),
            ("7", "PQ opens in the centre", opens_in_centre),
            ("7", "PQ's base quality stays below 100 %", stays_below),
            spread,
            *common,
        ]
    return [
        ("8", "PQ at least as good as Q, base test", pq_not_below_q("base_quality")),
        ("8", "PQ at least as good as Q, clone test", pq_not_below_q("clone_quality")),
        ("8", "the same against a common second seat", pq_not_below_q("clone_common_quality")),
        ("8", "PQ sometimes takes the smaller card where that is right", takes_the_smaller),
        ("8", "PQ's clone quality approaches 100 % (more than 95 %)", approaches_all),
        spread,
        *common,
    ]


def judge_claims(name: str, results: Results, random: dict[str, Any]) -> list[tuple[str, str, Verdict, str]]:
    """(number, claim, verdict, evidence) of all claims for a game."""
    lines: list[tuple[str, str, Verdict, str]] = []
    for number, claim, judge in claims_of(name):
        needs = NO_LOW_DISCOUNT if number == "9" else NEEDS.get(judge, "")
        if absent := [setting for setting in needs if setting not in results]:
            lines.append((number, claim, "not decided", f"setting {', '.join(absent)} was not run"))
        else:
            lines.append((number, claim, *judge(results)))
    lines.append(("10", "the study's random test is of uniformly random play", *has_baseline(random, GAMES[name].random)))
    return sorted(lines, key=lambda line: int(line[0]))
