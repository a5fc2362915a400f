"""What the Pessimistic Q-learning study claims, and what a rerun of it says of each: shown, not shown, or not decided.

How figures decide: `verdicts`, over all seeds that there are. A claim that is tied to a number of episodes is not judged by
runs of another. Rows of claim 11 that were chosen after results had been seen say so.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import mean, median
from typing import Any, Literal

import numpy as np

from boardgym.baselines.arena.ratings import Interval
from boardgym.studies.exact import compare_pairs
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES, Results, figures, paired
from boardgym.studies.pessimistic_q_sweep import (
    at,
    chosen_after,
    sweep_helps,
    sweep_helps_clone,
    sweep_loses_fewer,
    sweep_lowers_regret,
    sweep_settles_sooner,
)
from boardgym.studies.verdicts import (
    MANY,
    Counted,
    Found,
    Verdict,
    all_of,
    earlier,
    greater,
    of_most_runs,
    of_never,
    or_never,
    over_seeds,
    percent,
    resampled,
    share_of,
    within,
)

TITLES = {"q": "Q", "q_twice": "Q, as many episodes", "control": "control: no sweep", "pq": "PQ"}
FEW_EPISODES = 3000
CENTRE = 3
NO_LOW_DISCOUNT = "acde"
LEAST, MOST = 0.95, 0.995  # "95 to 99 %", printed without a decimal
HALF = 0.5  # a point: figures are printed without a decimal
BY_CHANCE = 0.5  # of two end cards


# ---------------------------------------------------------------- the claims of section 12 of the notes


def q_is_imperfect(results: Results) -> Found:
    """1: plain Q-learning has 95 to 99 % of tic-tac-toe's lines at setting a, and usually loses one."""
    values, perfect = figures(results, "q", "base_quality", "a"), figures(results, "q", "is_perfect", "a")
    interval, lose = resampled([values], lambda means: means[0]), perfect.count(False)
    verdict = all_of([within(interval, LEAST, MOST, len(values)), of_most_runs(lose, len(perfect))])
    return verdict, f"base test {over_seeds(interval, 100.0)} %; runs that lose a line {share_of(lose, len(perfect))}"


def pq_is_perfect(results: Results) -> Counted:
    """2: no line lost, in every run of settings a, c, d, e."""
    verdict, count = of_never(figures(results, "pq", "is_perfect", NO_LOW_DISCOUNT))
    text = ", ".join(f"{s} {figures(results, 'pq', 'is_perfect', s).count(True)} of {len(results[s])}" for s in results)
    return verdict, f"runs of PQ that lose no line, by setting: {text}", count


def b_needs_more(results: Results) -> Found:
    """2: setting b is not there yet, in most runs."""
    lose = figures(results, "pq", "is_perfect", "b").count(False)
    total = len(results["b"])
    return of_most_runs(lose, total), f"runs of setting b that lose a line: {share_of(lose, total)}"


def b_gets_there(results: Results) -> Counted:
    """2: setting b with more episodes than the study's."""
    verdict, count = of_never(figures(results, "pq", "is_perfect", "b"))
    return verdict, "runs of PQ at setting b that lose no line", count


def avoids_bold_moves(key: str, of: str) -> Callable[[Results], Counted]:
    """3: the moves that lose in the three failing episodes are not among the best. of: "met", of runs that come to one."""

    def judge(results: Results) -> Counted:
        counts = {agent: [one for one in figures(results, agent, "bold_moves") if not of or one[of]] for agent in AGENTS}
        text = ", ".join(
            f"{TITLES[agent]} {sum(one[key] for one in found)} of {sum(one[of] if of else 3 for one in found)} "
            f"in {len(found)} runs"
            for agent, found in counts.items()
        )
        verdict, count = of_never([one[key] == 0 for one in counts["pq"]])
        return verdict, f"runs of PQ that avoid them; the losing move is among the best: {text}", count

    return judge


def clone_test_says(word: str, share: float) -> Callable[[Results], Counted]:
    """4: in every run so much is lost, or drawn, against its own second seat and against that of q_twice."""

    def judge(results: Results) -> Counted:
        both = {key: [one[word] == share for one in figures(results, "pq", key)] for key in ("clone", "clone_common")}
        verdict, count = of_never([own and common for own, common in zip(both["clone"], both["clone_common"], strict=True)])
        own, common = (f"{flags.count(True)} of {len(flags)}" for flags in both.values())
        text = f"runs of PQ with {100 * share:g} % of the games {word} against both second seats"
        return verdict, f"{text}; against its own {own}, against that of Q of as many episodes {common}", count

    return judge


def few_episodes(results: Results) -> Found:
    """5: no line lost for the first time after fewer than 3,000 episodes of the second phase, in most runs of a, c, d, e.

    Of runs that do lose a line before that phase: the others need none of it.
    """
    runs = [one for s in NO_LOW_DISCOUNT for one in results[s] if not one["q"]["is_perfect"]]
    if not runs:
        return "not decided", "no run loses a line before the second phase"

    def told(agent: str, key: str) -> str:
        after = [or_never(one[agent][key]) for one in runs]
        middle, ever = median(after), sum(map(math.isfinite, after))
        few = share_of(sum(count < FEW_EPISODES for count in after), len(after))
        return f"{TITLES[agent]} {few}, ever {ever}, median {f'{middle:,.0f}' if math.isfinite(middle) else 'never'}"

    agents = ("q_twice", "control", "pq")
    first, for_good = ("; ".join(told(agent, key) for agent in agents) for key in ("first_perfect", "perfect_after"))
    few = sum(or_never(one["pq"]["first_perfect"]) < FEW_EPISODES for one in runs)
    against = earlier([(one["pq"], one["control"]) for one in runs], "first_perfect")[1]
    text = f"of {len(runs)} runs that lose a line before the second phase, those that lose none before its episode 3,000"
    return of_most_runs(few, len(runs)), (
        f"{text}, for the first time: {first}; PQ before the control: {against}. For good, up to the last episode: {for_good}"
    )


def more_entries(results: Results) -> Found:
    """6: d < a < e, by seeds."""
    parts = []
    for less, more in ("da", "ae"):
        pairs = [(one["q"]["entries"], other["q"]["entries"]) for one, other in paired(results, less, more)]
        if not pairs:
            return "not decided", f"settings {less} and {more} have no seed in common"
        verdict, text = greater([b for _, b in pairs], [a for a, _ in pairs], 1.0)
        parts.append((verdict, f"{more} - {less} {text}"))
    means = ", ".join(f"{s} {mean(figures(results, 'q', 'entries', s)):,.0f}" for s in "dae")
    return all_of([verdict for verdict, _ in parts]), f"entries of the first seat: {means}; {'; '.join(t for _, t in parts)}"


def by_line(results: Results) -> str:
    """How PQ and Q of as many episodes differ on the same sequences of replies, or rows, over all runs."""
    better, worse, equal = map(sum, zip(*(one["lines"] for runs in results.values() for one in runs), strict=True))
    return f"; by sequence or row of the base test {better:,} for, {worse:,} against, {equal:,} equal"


STRANGE = "a second seat that neither met in its second phase"
COMMON = "clone_common_quality", "control"  # with the second seat of q_twice, whose second half that agent alone has met


def pq_above_q(key: str, decides: str = "q_twice") -> Callable[[Results], Found]:
    """7: PQ against Q-learning of as many episodes, which decides; against that of the first phase, and the control.

    decides: "control" against the second seat of q_twice, whose second half neither has met; q_twice has.
    """

    def judge(results: Results) -> Found:
        found = {agent: figures(results, agent, key) for agent in ("pq", "q_twice", "q", "control")}
        means = ", ".join(f"{TITLES[agent]} {percent(values)} %" for agent, values in found.items())
        against = {agent: greater(found["pq"], found[agent]) for agent in ("q_twice", "q", "control")}
        text = "; ".join(f"PQ less {TITLES[agent]} {evidence}" for agent, (_, evidence) in against.items())
        text += "; the seat has trained with Q of as many episodes, so that the control decides" if decides == "control" else ""
        return against[decides][0], f"{means}; {text}" + (by_line(results) if key == "base_quality" else "")

    return judge


def pq_not_below_q(key: str, decides: str = "q_twice") -> Callable[[Results], Found]:
    """8: the same, where as good is enough; pairs that are both at 100 % cannot tell."""

    def judge(results: Results) -> Found:
        verdict, text = pq_above_q(key, decides)(results)
        pairs = list(zip(figures(results, "pq", key), figures(results, decides, key), strict=True))
        told = [(a, b) for a, b in pairs if min(a, b) < 1.0]
        text += f"; pairs in which both are at 100 % {len(pairs) - len(told)} of {len(pairs)}"
        if len(told) >= MANY and compare_pairs(*zip(*told, strict=True)).worse == 0:
            return "shown", text
        return verdict, text

    return judge


def opens_in_centre(results: Results) -> Counted:
    """7: the deterministic first move."""
    counts = {agent: figures(results, agent, "opening").count(CENTRE) for agent in AGENTS}
    total = sum(map(len, results.values()))
    text = ", ".join(f"{TITLES[agent]} {count}" for agent, count in counts.items())
    verdict, opens = of_never([opening == CENTRE for opening in figures(results, "pq", "opening")])
    return verdict, f"runs of PQ; of {total} each: {text}", opens


def stays_below(results: Results) -> Counted:
    """7: base quality of Connect Four, which only a perfect table would not."""
    values = figures(results, "pq", "base_quality")
    verdict, count = of_never([value < 1.0 for value in values])
    return verdict, f"base test of PQ {percent(values)} %", count


def is_as_printed(results: Results) -> Found:
    """7: mean base quality of Connect Four between the least and the greatest that the study printed."""
    printed = [one.base_pq for one in GAMES["connect-four"].published.values()]
    values = [figures(results, "pq", "base_quality", s) for s in results]
    found = resampled(values, lambda means: means.mean(axis=0))
    low, high = (min(printed) - HALF) / 100, (max(printed) + HALF) / 100
    fewest = min(map(len, values))
    return within(found, low, high, fewest), f"base test of PQ, mean over the settings: {over_seeds(found, 100.0)} %"


def takes_the_smaller(results: Results) -> Found:
    """8: at the published positions where only the smaller end card is right: more than by chance.

    The others stand in the evidence: they come to these positions as they play, so that one that strays has met more of them.
    """
    found = {agent: figures(results, agent, "positions") for agent in AGENTS}
    shares = {agent: [one["smaller_right"] / one["smaller"] for one in found[agent]] for agent in AGENTS}
    unknown = {agent: [one["unknown"] / one["positions"] for one in found[agent]] for agent in AGENTS}
    text = ", ".join(
        f"{TITLES[agent]} {percent(shares[agent])} % (positions of all kinds that it does not know "
        f"{100 * mean(unknown[agent]):.1f} %)"
        for agent in AGENTS
    )
    verdict, by_chance = greater(shares["pq"], [BY_CHANCE] * len(shares["pq"]))
    against = "; ".join(f"less {TITLES[a]} {greater(shares['pq'], shares[a])[1]}" for a in ("q_twice", "control"))
    total = found["pq"][0]["smaller"]
    return verdict, f"of {total} positions where only the smaller card is right: {text}; PQ less chance {by_chance}; {against}"


def approaches_all(results: Results) -> Counted:
    """8: quality of the first seat in the clone test: more than 95 % in every run."""
    values = figures(results, "pq", "clone_quality")
    text = ", ".join(f"{TITLES[agent]} {percent(figures(results, agent, 'clone_quality'))} %" for agent in AGENTS)
    verdict, count = of_never([value > 0.95 for value in values])
    return verdict, f"clone test, its own second seat: {text}", count


def varies_little(name: str) -> Callable[[Results], Found]:
    """9: the means over settings a, c, d, e lie no further apart than the study's own figures, or one point."""

    def apart(results: Results, agent: str) -> Interval:
        by_setting = [figures(results, agent, "base_quality", s) for s in NO_LOW_DISCOUNT]
        found = resampled(by_setting, lambda means: 100.0 * np.ptp(means, axis=0))
        return replace(found, low=max(0.0, 2.0 * found.value - found.high))  # noise alone drives means apart, never together

    def judge(results: Results) -> Found:
        spread = {agent: apart(results, agent) for agent in AGENTS}
        printed = [GAMES[name].published[s].base_pq for s in NO_LOW_DISCOUNT]
        most = max(1.0, max(printed) - min(printed))
        text = ", ".join(f"{TITLES[agent]} {over_seeds(found)}" for agent, found in spread.items())
        seeds = min(len(results[s]) for s in NO_LOW_DISCOUNT)
        return within(spread["pq"], 0.0, most, seeds), (
            f"points between the best and the worst mean of settings a, c, d, e, base test: {text}; the study's PQ "
            f"{max(printed) - min(printed):g}, most allowed {most:g}"
        )

    return judge


def is_kept(results: Results) -> Counted:
    """12: files of agents, read again, have the same entries."""
    flags = [flag for agent in AGENTS for flag in figures(results, agent, "reloads") if flag is not None]
    if not flags:
        return "not decided", "no agent's file was written and read again in these runs", ""
    verdict, count = of_never(flags)
    return verdict, "agents whose file, read again, has the same entries", count


def has_baseline(random: dict[str, Any] | None, printed: tuple[float, float]) -> Found:
    """10: all that the study printed lies, to half a point, from won to not lost, exact or by the interval of 100,000 games."""
    if random is None:
        return "not decided", "the random test was not done"
    won, drawn, lost = (100 * random["seats"][0][name]["value"] for name in ("won", "drawn", "lost"))
    how = f"{random['games']:,} games" if random["games"] else f"exact, over {random['positions']:,} positions"
    low, high = 100 * random["seats"][0]["won"]["low"] - HALF, 100 * (1.0 - random["seats"][0]["lost"]["low"]) + HALF
    fits = all(low <= figure <= high for figure in printed)
    text = f"{how}: won {won:.1f}, drawn {drawn:.1f}, lost {lost:.1f} %; the study printed " + " to ".join(
        f"{x:g}" for x in dict.fromkeys(printed)
    )
    return ("shown" if fits else "not shown"), f"{text} %"


@dataclass(frozen=True)
class Claim:
    """A claim.

    Attributes:
        number: in section 12 of the notes.
        text: what is claimed.
        judge: of the results.
        needs: settings without which it cannot be judged.
        episodes: of a phase: a number, "study" for as many as the study's, "any".
    """

    number: int
    text: str
    judge: Callable[[Results], Found | Counted]
    needs: str = ""
    episodes: Literal["study", "any"] | int = "study"

    def fits(self, name: str, episodes: int) -> bool:
        """Whether runs of a game with so many episodes a phase can speak of it."""
        return self.episodes == "any" or episodes == (GAMES[name].episodes if self.episodes == "study" else self.episodes)


def claims_of(name: str) -> list[Claim]:
    """What is claimed for a game, in the order of the numbers."""
    own = name == "tic-tac-toe"
    after = " (chosen after block 1)" if own else " (chosen after tic-tac-toe's results)"
    spread = Claim(9, "PQ's results vary little over settings a, c, d, e", varies_little(name), NO_LOW_DISCOUNT)

    def chosen(text: str, judge: Callable[[Results], Found]) -> Claim:
        return Claim(11, f"{text}{after}", chosen_after(1, name, judge) if own else judge, episodes="any")

    common = [
        Claim(11, "the sweep itself helps: PQ above the control, base test", sweep_helps, episodes="any"),
        chosen("less regret than the control", sweep_lowers_regret),
        chosen("above the control in the clone test", sweep_helps_clone),
        chosen("fewer games lost in the second phase than the control", sweep_loses_fewer),
    ]
    kept = Claim(12, "agents are saved and read again", is_kept, "", "any")
    if own:
        alone = chosen_after(2, name, at("abc", sweep_helps))
        return [
            Claim(1, "Q-learning has 95 to 99 % at setting a, and usually loses a line", q_is_imperfect, "a"),
            Claim(2, "PQ never loses a line at settings a, c, d, e", pq_is_perfect, NO_LOW_DISCOUNT),
            Claim(2, "setting b (low discount) needs more episodes", b_needs_more, "b"),
            Claim(2, "with 30,000 episodes setting b loses no line", b_gets_there, "b", 30_000),
            Claim(3, "PQ avoids the bold moves of the three failing episodes", avoids_bold_moves("bold", "")),
            Claim(3, "PQ avoids them where its own play comes to them", avoids_bold_moves("bold_met", "met")),
            Claim(4, "PQ does not lose to the second seat's plain Q-learning", clone_test_says("lost", 0.0)),
            Claim(4, "it draws all of these games", clone_test_says("drawn", 1.0)),
            Claim(5, "PQ usually needs fewer than 3,000 pessimistic episodes", few_episodes, NO_LOW_DISCOUNT),
            Claim(6, "more exploration, more entries (d < a < e)", more_entries, "ade", "any"),
            spread,
            common[0],
            Claim(11, "the same at settings a, b, c alone (chosen after block 2)", alone, "abc", "any"),
            *common[1:],
            chosen("last lost line before the control's", sweep_settles_sooner),
            kept,
        ]
    if name == "connect-four":
        return [
            Claim(7, "PQ above Q at equal budget, base test", pq_above_q("base_quality"), "", "any"),
            Claim(7, "PQ above Q at equal budget, clone test", pq_above_q("clone_quality"), "", "any"),
            Claim(7, f"PQ above the control against {STRANGE}", pq_above_q(*COMMON), "", "any"),
            Claim(7, "PQ opens in the centre", opens_in_centre),
            Claim(7, "PQ's base quality stays below 100 %", stays_below),
            Claim(7, "it is the study's 84 to 92 %", is_as_printed),
            spread,
            *common,
            kept,
        ]
    smaller = Claim(8, "PQ takes the smaller card where that is right, more than by chance", takes_the_smaller)
    return [
        Claim(8, "PQ at least as good as Q, base test", pq_not_below_q("base_quality"), "", "any"),
        Claim(8, "PQ at least as good as Q, clone test", pq_not_below_q("clone_quality"), "", "any"),
        Claim(8, f"PQ as good as the control against {STRANGE}", pq_not_below_q(*COMMON), "", "any"),
        *([] if GAMES[name].starts == "one row" else [smaller]),  # of one row the others are unknown
        Claim(8, "PQ's clone quality approaches 100 % (more than 95 %)", approaches_all),
        spread,
        *common,
        kept,
    ]


@dataclass(frozen=True)
class Judgement:
    """A claim's verdict. count: of a claim about every run, how many runs agree, with the exact interval; else empty."""

    number: int
    claim: str
    verdict: Verdict
    evidence: str
    count: str = ""


def judge_claims(name: str, results: Results, random: dict[str, Any] | None, episodes: int) -> list[Judgement]:
    """The verdicts on a game's claims that runs of so many episodes a phase can speak of, in the order of their numbers."""
    lines = []
    for claim in claims_of(name):
        if not claim.fits(name, episodes):
            continue
        if absent := [setting for setting in claim.needs if setting not in results]:
            lines.append(Judgement(claim.number, claim.text, "not decided", f"setting {', '.join(absent)} was not run"))
        else:
            lines.append(Judgement(claim.number, claim.text, *claim.judge(results)))
    found = has_baseline(random, GAMES[name].random)
    lines.append(Judgement(10, "the study's random test is of uniformly random play", *found))
    return sorted(lines, key=lambda line: line.number)
