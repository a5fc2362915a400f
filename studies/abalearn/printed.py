"""Figures 5.9 to 5.11 of the Abalearn study: the weights that are printed, as they stand, as players that look one ply ahead.

What a printed weight is the mean of, if of anything, is not said. Here V is the sum of inputs times weights,
and nothing is learnt. What such players score tells how the tests of the study are to be read, and whose marbles the columns
"pushed off" count: beside each set stands the one with these two columns exchanged.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.core.game import get_game, read_options
from boardgym.studies.abalearn.methods_page import NAMES, RANDOM, SPATIAL, WEIGHTS
from boardgym.studies.abalearn.plans import ESPACIAL
from boardgym.studies.abalearn.protocol import Terms, opponent, play, rate
from boardgym.studies.exact import clopper_pearson
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, half_width, scaled, spread
from boardgym.studies.verdicts import MANY, Found, Verdict, all_of, greater

TESTS = ((0.0, 300), (4.0, 300), (4.5, 300), (5.0, 300), (8.0, 300), (0.0, 100), (0.0, 800))  # off-board distance, plies
JUDGED = TESTS[0], TESTS[2], TESTS[3]
GAMES = 100  # of a test, in the study and here
ORDERS = ("as printed", "exchanged")  # of the two columns "pushed off"
OFF = [SPATIAL.index(f"{side} pushed off") for side in ("own", "other")]
Net = tuple[str, int]  # plan and games of training, of WEIGHTS


def name_of(net: Net, order: str, off_board: float, plies: int) -> str:
    """Of a test, in the results."""
    return f"{net[0]} {net[1]} {order} {off_board:g} {plies}"


def title_of(net: Net) -> str:
    """For tables."""
    return f"{NAMES[net[0]]}, {net[1]:,} games"


def printed_rate(net: Net) -> int:
    """Games of 100 that the study's net of these weights won, table 5.1."""
    return RANDOM[net[0]][net[1]]


def player_of(net: Net, order: str) -> NetworkAgent:
    """A linear player with the printed weights, which chooses by V alone."""
    game = get_game(ESPACIAL.game, **read_options(ESPACIAL.option or ()))
    linear = pn.make_perceptron([len(SPATIAL), 1], ["linear"], biases=False)
    linear.weights[:] = WEIGHTS[net]
    if order == "exchanged":
        linear.weights[OFF] = linear.weights[OFF[::-1]]
    facts = {"discount": 1.0, "adds_reward": 0, "pays": None}
    return NetworkAgent(feature_map(ESPACIAL.features, game), linear, facts, seed=0, spec="printed")


def tests(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Every set of weights in both orders against every player: what `protocol.play` says, by name."""
    found = {}
    for net in WEIGHTS:
        for order in ORDERS:
            player = player_of(net, order)
            for number, (off_board, plies) in enumerate(TESTS):
                other = opponent(f"minimax:1,evaluation=distance(off_board={off_board:g})", player.game)
                terms = Terms(scaled(GAMES, size, 2), max_plies=plies)
                found[name_of(net, order, off_board, plies)] = play(player, other, terms, seed=seed, path=(number,))
            place.tell(len(found))
    return {"tests": found}


# ---------------------------------------------------------------- what it says


def rates(figures: Figures, net: Net, order: str, test: tuple[float, int], name: str = "ahead") -> list[float]:
    """Shares of the test games, of each seed."""
    return [rate(one["tests"][name_of(net, order, *test)], name) for one in figures["tests"]]


def is_ordered(figures: Figures) -> Found:
    """From the best printed rate down, each set of weights above the next, by each of the players that judge."""
    nets, verdicts, texts = sorted(WEIGHTS, key=printed_rate, reverse=True), list[Verdict](), []
    for test in JUDGED:
        for more, less in pairwise(nets):
            ours, theirs = (rates(figures, net, "as printed", test) for net in (more, less))
            verdict, text = greater(ours, theirs)
            verdicts.append(verdict)
            texts.append(f"off_board {test[0]:g}, {title_of(more)} less {title_of(less)}: {text}")
    return all_of(verdicts), "; ".join(texts)


def fits(figures: Figures, test: tuple[float, int]) -> Found:
    """Each mean over the seeds, with its interval, inside the exact 95 % interval of the printed number of 100 games."""
    verdicts, texts = list[Verdict](), []
    for net in WEIGHTS:
        values = rates(figures, net, "as printed", test)
        interval, half = clopper_pearson(printed_rate(net), GAMES), half_width(values)
        middle = sum(values) / len(values)
        is_in, is_out = (
            interval.low <= middle - half and middle + half <= interval.high,
            middle + half < interval.low or middle - half > interval.high,
        )
        verdicts.append("not decided" if len(values) < MANY or not (is_in or is_out) else "shown" if is_in else "not shown")
        texts.append(
            f"{title_of(net)}: {spread([100 * value for value in values], 1)} %, printed {printed_rate(net)} "
            f"[{100 * interval.low:.0f}, {100 * interval.high:.0f}]"
        )
    return all_of(verdicts), "; ".join(texts)


def is_of_the_other(figures: Figures) -> Found:
    """With the two columns exchanged each set of weights ends fewer games ahead of the printed minimax player."""
    verdicts, texts = list[Verdict](), []
    for net in WEIGHTS:
        ours, theirs = (rates(figures, net, order, JUDGED[0]) for order in ORDERS)
        verdict, text = greater(ours, theirs)
        verdicts.append(verdict)
        texts.append(f"{title_of(net)}: {text}")
    return all_of(verdicts), "; ".join(texts)


def row_of(figures: Figures, net: Net, order: str, chosen: Sequence[tuple[float, int]]) -> list[str]:
    """Percent ahead in each test."""
    return [spread([100 * value for value in rates(figures, net, order, test)], 1) for test in chosen]


def page(figures: Figures) -> list[str]:
    """Rates by player, and what else the games say of those that judge."""
    if not figures.get("tests"):
        return []
    rows = [[title_of(net), order, f"{printed_rate(net)}", *row_of(figures, net, order, TESTS)]
            for net in WEIGHTS for order in ORDERS]  # fmt: skip
    head = [
        "weights of",
        "pushed-off columns",
        "study, %",
        *(f"off_board {off_board:g}, {plies} plies" for off_board, plies in TESTS),
    ]
    ends = [
        [
            title_of(net),
            f"{test[0]:g}",
            *(
                spread([100 * x for x in rates(figures, net, "as printed", test, name)], 1)
                for name in ("ahead", "level", "behind", "won", "lost")
            ),
        ]
        for net in WEIGHTS
        for test in JUDGED
    ]
    return [
        f"Games of {GAMES} ended ahead in marbles, in percent, by the minimax player's off-board distance and the plies after "
        "which a game is stopped; means over the seeds with 95 % intervals (Student's t). Printed: table 5.1, of which the "
        "weights are those of one net, or a mean; that is not said.",
        "",
        *table(head, rows),
        "As printed, stopped after 300 plies, in percent of all games:",
        "",
        *table(["weights of", "off_board", "ahead", "level", "behind", "won by six", "lost by six"], ends),
    ]


PART = Part(
    name="printed",
    title="figures 5.9 to 5.11: the printed weights as players",
    works={"tests": Work(tests, units=len(WEIGHTS) * len(ORDERS) * len(TESTS))},
    lines=page,
    claims=(
        Claim(
            5,
            "the printed weights as linear players: in the order of the printed rates, by each of off_board 0, 4.5, 5",
            is_ordered,
            ("tests",),
        ),
        *(
            Claim(
                5,
                f"their rates are the printed ones, off_board {test[0]:g}",
                lambda figures, test=test: fits(figures, test),  # type: ignore[misc]
                ("tests",),
            )
            for test in JUDGED
        ),
        Claim(
            5,
            "the large weight is of the other's marbles pushed off: with the two columns exchanged all score less",
            is_of_the_other,
            ("tests",),
        ),
    ),
    readings=(
        ("the weight of an input", '"value of the weight"', "its factor in a sum; no hidden units, no bias"),
        ("a game that is not finished", "not said", "is counted by marbles: who is ahead has won"),
    ),
    made_of=(
        1,
        [[*net, *weights] for net, weights in WEIGHTS.items()],
        TESTS,
        GAMES,
        ESPACIAL.option,
        feature_map(ESPACIAL.features, ESPACIAL.game).header(),
    ),
)
