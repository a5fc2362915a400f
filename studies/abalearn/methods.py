"""Chapters 5 and 6 of the Abalearn study: the methods' nets against the minimax player as they are trained.

A piece of work is a training by a plan (`plans.py`) with a seed, whose nets are tested after the plan's numbers of games: they
play the minimax player as it is printed, and one that minds its marbles.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.studies.abalearn import headline
from boardgym.studies.abalearn import methods_pictures as pictures
from boardgym.studies.abalearn.headline import OFF_BOARD, kind_of
from boardgym.studies.abalearn.methods_figures import lately, paired, rate_of, weight_of
from boardgym.studies.abalearn.methods_page import NAMES, WEIGHED, page
from boardgym.studies.abalearn.plans import (
    DISTANCE,
    FIRST,
    KAPPAS,
    MINIMAX,
    PLANS,
    PLAYERS,
    READING,
    SAMPLED,
    TABLE,
    Plan,
    follow,
)
from boardgym.studies.abalearn.protocol import Terms, frozen, opponent, play
from boardgym.studies.jobs import Place
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found, all_of, greater

TERMS = Terms(max_plies=300)  # as in the part `readings`
TOLD_AFTER = 500  # games of training, of which those that follow are told of
SHARED = [games for games in TABLE if games in PLANS["Ia"].tested]  # checkpoints of all three methods


def points_of(kind: str) -> list[int]:
    """When nets of a plan are looked at."""
    plan = PLANS[kind]
    return sorted({*plan.tested, *(games for games in SAMPLED if games <= plan.games)})


def train_and_test(kind: str, place: Place, seed: int, size: float) -> dict[str, Any]:
    """A training, sampled: what `protocol.train` says, and of nets that are tested what came of each of PLAYERS."""
    return {"samples": train_plan(PLANS[kind], points_of(kind), place, seed, size)}


def train_plan(plan: Plan, points: Sequence[int], place: Place, seed: int, size: float) -> list[dict[str, Any]]:
    """The samples of a training by a plan. points: when nets are looked at."""
    terms = Terms(scaled(TERMS.games, size, 2), TERMS.setup, TERMS.max_plies)

    def look(agent: NetworkAgent, games: int) -> dict[str, Any]:
        if games not in plan.tested:
            return {}
        net = frozen(agent)
        return {
            name: play(net, opponent(spec, agent.game), terms, seed=seed, path=(games, number))
            for number, (name, spec) in enumerate(PLAYERS.items())
        }

    return follow(plan, points, look, seed=seed, size=size, tell=place.tell)


def keeps(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without what no table has: most of the first TOLD_AFTER games, and the weights of most nets."""
    told = ("weights", "sums")
    samples = [
        {name: value for name, value in sample.items() if name not in told or sample["games"] in WEIGHED}
        for sample in result["samples"]
        if sample["games"] >= TOLD_AFTER or {*PLAYERS} & {*sample}
    ]
    return {**result, "samples": samples}


# ---------------------------------------------------------------- claims


def above(pairs: Sequence[tuple[str, int, str, int]]) -> Callable[[Figures], Found]:
    """Whether of each (kind, games, kind, games) the first has the higher rate of games that it ends ahead."""

    def judge(figures: Figures) -> Found:
        verdicts, texts = [], []
        for more, late, less, early in pairs:
            verdict, text = greater(*paired(rate_of(figures, more, late), rate_of(figures, less, early)))
            verdicts.append(verdict)
            texts.append(f"{NAMES[more]} at {late:,} less {NAMES[less]} at {early:,}: {text}")
        return all_of(verdicts), "; ".join(texts)

    return judge


def risk_shortens(figures: Figures) -> Found:
    """Training games from 500 to 1,000: by each step of kappa down more are finished, in fewer plies."""
    verdicts, texts = [], []
    for less, more in zip(KAPPAS[1:], KAPPAS[:-1], strict=True):
        for name, sign in (("finished", 1.0), ("plies", -1.0)):
            a, b = (lately(figures, kind_of(kappa), name) for kappa in (less, more))
            ours, theirs = paired(a, b)
            verdict, text = greater([sign * x for x in ours], [sign * x for x in theirs], 100.0 if sign > 0 else 1.0)
            verdicts.append(verdict)
            texts.append(f"kappa {less}, {'more finished (points)' if sign > 0 else 'fewer plies'} than {more}: {text}")
    return all_of(verdicts), "; ".join(texts)


def by_sums(judge: Callable[[Figures, str], Found]) -> Callable[[Figures], Found]:
    """Judged by the weights through the hidden units; what the mean weights into these would say is told beside it."""

    @functools.wraps(judge)
    def both(figures: Figures) -> Found:
        verdict, text = judge(figures, "sums")
        other, more = judge(figures, "weights")
        return verdict, f"sum of w v: {text}; the mean w beside it ({other}): {more}"

    return both


@by_sums
def material_rises(figures: Figures, measure: str) -> Found:
    """The weight of material between 10 and 1,000 games: rises at kappa -1, by more than at 0."""
    rises = {}
    for kappa in ("0", "-1"):
        late, early = (weight_of(figures, kind_of(kappa), "material", games, measure) for games in (1000, 10))
        rises[kappa] = {seed: late[seed] - early[seed] for seed in late}
    up, text = greater(list(rises["-1"].values()), [0.0] * len(rises["-1"]), 1.0, 3)
    more, other = greater(*paired(rises["-1"], rises["0"]), 1.0, 3)
    return all_of([up, more]), f"rise at kappa -1: {text}; more than at kappa 0: {other}"


@by_sums
def protection_leads(figures: Figures, measure: str) -> Found:
    """At kappa 0 after 1,000 games protection weighs more than distance and material."""
    verdicts, texts = [], []
    kind = "II_kappa_0"
    for name in (DISTANCE, "material"):
        ours, theirs = (weight_of(figures, kind, which, 1000, measure) for which in ("protected", name))
        verdict, text = greater(*paired(ours, theirs), 1.0, 3)
        verdicts.append(verdict)
        texts.append(f"protected less {name}: {text}")
    return all_of(verdicts), "; ".join(texts)


def undiluted_stalls(figures: Figures) -> Found:
    """Fewer games of training are finished against the minimax player undiluted."""
    return greater(*paired(*(lately(figures, kind, "finished", FIRST, 1500) for kind in ("I_expert", "I_undiluted"))))


AHEAD = f"by games ended ahead of {MINIMAX}"  # what most of the claims compare
CLAIMS = (
    Claim(
        5,
        f"method I against random play, 1,000 games: lambda 0.7 above 0.3 above 0.1, {AHEAD}",
        above([("I", 1000, "I_lambda_0.3", 1000), ("I_lambda_0.3", 1000, "I_lambda_0.1", 1000)]),
        ("I", "I_lambda_0.3", "I_lambda_0.1"),
    ),
    Claim(
        5, f"self-play after it raises the rate, from 1,000 to 3,000 games, {AHEAD}", above([("I", 3000, "I", 1000)]), ("I",)
    ),
    Claim(
        6,
        f"method I(a) above I after 500 and 1,000 games, {AHEAD}",
        above([("Ia", games, "I", games) for games in SHARED]),
        ("I", "Ia"),
    ),
    *headline.claims(),
    Claim(
        7,
        "the smaller kappa, the more self-play games are finished, and the shorter they are",
        risk_shortens,
        tuple(map(kind_of, KAPPAS)),
    ),
    Claim(
        8,
        f"method II (kappa -1) above I(a) above I after 500 and 1,000 games, {AHEAD}",
        above([pair for games in SHARED for pair in ((kind_of("-1"), games, "Ia", games), ("Ia", games, "I", games))]),
        ("I", "Ia", kind_of("-1")),
    ),
    Claim(
        9,
        "the weight of material (the sum of w v) rises at kappa -1, more than at 0",
        material_rises,
        (kind_of("0"), kind_of("-1")),
    ),
    Claim(
        9,
        "at kappa 0 protection weighs most (the sum of w v) of protection, distance and material",
        protection_leads,
        (kind_of("0"),),
    ),
    Claim(
        10,
        f"from net 1,000 on, training against {MINIMAX} diluted is further than self-play at 1,500 games, {AHEAD}",
        above([("I_expert", 1500, "I", 1500)]),
        ("I", "I_expert"),
    ),
    Claim(
        10, "against that player undiluted fewer games of training are finished", undiluted_stalls, ("I_expert", "I_undiluted")
    ),
    Claim(
        11,
        f"counter traces above kappa 0 after 1,000 games, {AHEAD}",
        above([("counters", 1000, kind_of("0"), 1000)]),
        ("counters", kind_of("0")),
    ),
    Claim(
        11,
        f"counter traces below kappa -0.8 and -0.3, {AHEAD}",
        above([(kind_of(kappa), 1000, "counters", 1000) for kappa in ("-0.8", "-0.3")]),
        ("counters", kind_of("-0.8"), kind_of("-0.3")),
    ),
)

PART = Part(
    name="methods",
    title="chapters 5 and 6: nets against the minimax player",
    works={
        kind: Work(functools.partial(train_and_test, kind), units=len(points_of(kind)), made_of=plan.plain())
        for kind, plan in PLANS.items()
    },
    lines=page,
    claims=CLAIMS,
    readings=(
        ("a game that is not finished", "not said", "is counted by marbles: who is ahead has won; beside it six marbles alone"),
        ("how a move is chosen", "the best V", "the best V alone, in training and in the tests"),
        ("positions that are learnt", "not said", "those before one's own ply"),
        (
            "test games",
            "100, starts not said",
            f"100, begun in turn after 2 to 4 random plies, stopped after {TERMS.max_plies}",
        ),
        ("end of careful games of training", "not said", f"after {READING.max_plies:,} plies; no draw by rules"),
        (
            "minimax player",
            "lost marbles not counted in print",
            f"`{MINIMAX}`, as printed, which judges; claim 7 by off_board {', '.join(OFF_BOARD.values())} each",
        ),
        ("whose turns are learnt", "not said", "one seat's, drawn for each game; both play by the same net"),
        ("inputs of I(a) and II", "nine, in a lost figure", f"the map `{READING.features}`, see docs/td_network.md"),
        (
            "first weights",
            "±0.01",
            f"±0.01, but {', '.join(READING.input_weights)}; of I, whose inputs have no such one, all ±0.01",
        ),
        (
            "games of training",
            "3,000 to 10,000",
            "; ".join(f"{NAMES[kind]}: {plan.games:,}" for kind, plan in PLANS.items() if "_lambda" not in kind),
        ),
        ("counter traces", "rates not said", "epsilon of method II; counters fade by 0.99 a turn; c . Phi of these inputs"),
        ("weight of an input", "not said", "the sum of w v over the hidden units, beside it the mean of w"),
    ),
    pictures=pictures.PICTURES,
    needs=pictures.NEEDS,
    keeps=keeps,
    made_of=(2, SAMPLED, PLAYERS, [TERMS.games, TERMS.setup, TERMS.max_plies]),
)
