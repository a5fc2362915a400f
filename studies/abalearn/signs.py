"""Why kappa decides in chapter 6 of the Abalearn study: method II with the first weights of material turned round.

The reading of `plans.READING` has material weigh 1.5 into every hidden unit before the first game. If the order of the kappas
comes from that, rather than from what is learnt, -1.5 turns it round. A net is looked at for what it makes of a lead, too: V
where the lead in marbles is all that tells two sides apart.
"""

import functools
from itertools import product
from typing import Any

import numpy as np

from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.networks import perceptron as pn
from boardgym.compile import plain
from boardgym.games.abalone.two import GOAL
from boardgym.studies.abalearn.headline import OFF_BOARD
from boardgym.studies.abalearn.methods_figures import paired, rate_of, sample_at
from boardgym.studies.abalearn.methods_page import percent
from boardgym.studies.abalearn.plans import PLAYERS, READING, Plan, follow, sensitive
from boardgym.studies.abalearn.protocol import Terms, frozen, opponent, play
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled, spread
from boardgym.studies.verdicts import Found, greater

GAMES, POINTS = 250, (0, 1, 10, 250)  # of training
LEADS = (-1, 0, 1)  # marbles
TERMS = Terms(max_plies=300)
WEIGHTS = ("1.5", "-1.5")  # of material
KAPPAS = ("0", "-1")


def kind_of(weight: str, kappa: str) -> str:
    """The name of a training."""
    return f"{weight}_kappa_{kappa}"


PLANS = {
    kind_of(weight, kappa): Plan(sensitive(kappa, GAMES, input_weights=(f"material={weight}",)), POINTS)
    for weight in WEIGHTS
    for kappa in KAPPAS
}


def values_of(agent: NetworkAgent) -> list[float]:
    """V of LEADS, all else equal."""
    net = plain(pn.of_weights)(*agent.net[:4])
    found = []
    for lead in LEADS:
        net.units[agent.features.names.index("material")] = lead / GOAL
        found.append(float(pn.gradient_kernel(net, 0.0, np.zeros_like(net.weights))))
    return found


def train_and_test(kind: str, place: Place, seed: int, size: float) -> dict[str, Any]:
    """A training: what `protocol.train` says, "values" of LEADS, and what came of each of PLAYERS."""
    terms = Terms(scaled(TERMS.games, size, 2), TERMS.setup, TERMS.max_plies)

    def look(agent: NetworkAgent, games: int) -> dict[str, Any]:
        tests = {
            name: play(frozen(agent), opponent(spec, agent.game), terms, seed=seed, path=(games, number))
            for number, (name, spec) in enumerate(PLAYERS.items())
        }
        return {"values": values_of(agent), **tests}

    return {"samples": follow(PLANS[kind], POINTS, look, seed=seed, size=size, tell=place.tell)}


def page(figures: Figures) -> list[str]:
    """Rates and values by first weight and kappa."""
    rows = []
    for weight, kappa in product(WEIGHTS, KAPPAS):
        kind = kind_of(weight, kappa)
        for games in POINTS if figures.get(kind) else ():
            values = zip(*(sample_at(one["samples"], games)["values"] for one in figures[kind]), strict=True)
            rates = [percent(rate_of(figures, kind, games, test=test)) for test in OFF_BOARD]
            rows.append([weight, kappa, f"{games:,}", *(spread(each, 4) for each in values), *rates])
    head = [
        "first weight of material",
        "kappa",
        "games of training",
        *(f"V, lead {lead}" for lead in LEADS),
        *(f"ahead of `{PLAYERS[test]}`, %" for test in OFF_BOARD),
    ]
    if not rows:
        return []
    return [
        "V where nothing but the lead in marbles tells the sides apart, and the share of 100 test games ended ahead in "
        "marbles; means over the seeds with 95 % intervals (Student's t).",
        "",
        *table(head, rows),
    ]


def is_above(weight: str, more: str, less: str, test: str, figures: Figures) -> Found:
    """Whether one kappa is above another with a first weight, seed by seed, by one of the tests."""
    return greater(*paired(*(rate_of(figures, kind_of(weight, kappa), GAMES, test=test) for kappa in (more, less))))


PART = Part(
    name="signs",
    title="chapter 6: the first weight of material turned round",
    works={
        kind: Work(functools.partial(train_and_test, kind), units=len(POINTS), made_of=plan.plain())
        for kind, plan in PLANS.items()
    },
    lines=page,
    claims=tuple(
        Claim(
            7,
            f"off_board {off_board}: first weight {weight}: kappa {more} above {less} after {GAMES} games, by games ended "
            "ahead",
            functools.partial(is_above, weight, more, less, test),
            (kind_of(weight, more), kind_of(weight, less)),
        )
        for test, off_board in OFF_BOARD.items()
        for weight, more, less in ((WEIGHTS[0], "-1", "0"), (WEIGHTS[1], "0", "-1"))
    ),
    readings=(
        ("first weights", "±0.01; one weight of method I is printed as 1.5", f"{READING.input_weights[0]}, and turned round"),
    ),
    made_of=(2, LEADS, PLAYERS, [TERMS.games, TERMS.setup, TERMS.max_plies]),
)
