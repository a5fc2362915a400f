"""Claim 7 of the Abalearn study, player by player: means, shares of nets, and what it prints that the reading contradicts.

The study's minimax player counts no lost marble, as it is printed (off_board 0), and then never pushes one off. But its text
has kappa 0 lose games, and figure 6.3 has marbles lost: so the claim is judged at 0, where nothing is lost, at 4.5 and at 5.
"""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from boardgym.baselines.studies.abalearn.methods_figures import BySeed, marbles_of, paired, rate_of, weight_of
from boardgym.baselines.studies.abalearn.parts import Claim, Figures, half_width, spread
from boardgym.baselines.studies.abalearn.plans import DISTANCE, FIRST, KAPPAS, PLANS
from boardgym.baselines.studies.pages import table
from boardgym.baselines.studies.verdicts import MANY, Found, Verdict, all_of, greater, share_of

OFF_BOARD = {"test": "0", "wary": "4.5", "mindful": "5"}  # of PLAYERS, in this order
LEVELS = {500: 80, 1000: 90, 2000: 90, 3000: 90}  # percent that kappa -1 is claimed to have, by games of training
SHARES = (80, 90)  # percent that nets are counted at
FEW = 20  # percent at most that a failure wins, and that is no longer "many games" to lose
AXIS = (-0.05, 0.25)  # of figure 6.4, the weight of material
SEEKING = KAPPAS[1:]


def kind_of(kappa: str) -> str:
    """The plan of a kappa."""
    return f"II_kappa_{kappa}"


def percents(figures: Figures, kind: str, games: int, name: str = "ahead", test: str = "test") -> list[float]:
    """Of the test games, of each net."""
    return [100.0 * value for value in rate_of(figures, kind, games, name, test).values()]


def at_least(values: Sequence[float], level: float) -> str:
    """How many nets are at or above a level."""
    return share_of(sum(value >= level for value in values), len(values))


# ---------------------------------------------------------------- verdicts


def succeeds(kappa: str, test: str, figures: Figures) -> Found:
    """Whether the mean over the nets is above LEVELS, by its interval; how many nets are, beside it."""
    verdicts, texts = list[Verdict](), []
    for games, level in LEVELS.items():
        values = percents(figures, kind_of(kappa), games, test=test)
        middle, half = fmean(values), half_width(values)
        is_open = len(values) < MANY or middle - half <= level <= middle + half
        verdicts.append("not decided" if is_open else "shown" if middle > level else "not shown")
        texts.append(f"at {games:,} {spread(values, 1)} %, claimed {level}; at or above it {at_least(values, level)} nets")
    return all_of(verdicts), "; ".join(texts)


def beats_neutral(kappa: str, test: str, figures: Figures) -> Found:
    """Whether a kappa is above 0 after FIRST games, seed by seed."""
    return greater(*paired(*(rate_of(figures, kind_of(which), FIRST, test=test) for which in (kappa, "0"))))


def claims() -> list[Claim]:
    """Claim 7 by each of the players."""
    found = []
    for test, off_board in OFF_BOARD.items():
        for kappa in SEEKING:
            found.append(Claim(7, f"off_board {off_board}: kappa {kappa} above kappa 0 after 1,000 games, by games ended ahead",
                               lambda figures, kappa=kappa, test=test: beats_neutral(kappa, test, figures),  # type: ignore[misc]
                               (kind_of(kappa), kind_of("0"))))  # fmt: skip
        for kappa in ("-0.8", "-1"):
            found.append(Claim(7, f"off_board {off_board}: kappa {kappa} above 80 % at 500 games, above 90 % from 1,000 on",
                               lambda figures, kappa=kappa, test=test: succeeds(kappa, test, figures),  # type: ignore[misc]
                               (kind_of(kappa),)))  # fmt: skip
    return found


# ---------------------------------------------------------------- tables


def shares_of_nets(figures: Figures) -> list[str]:
    """Means beside how many nets are at or above SHARES, by player and games of training."""
    rows = []
    for kappa in ("-0.8", "-1"):
        kind = kind_of(kappa)
        for test, off_board in OFF_BOARD.items() if figures.get(kind) else ():
            for games in PLANS[kind].tested:
                values = percents(figures, kind, games, test=test)
                rows.append([kappa, off_board, f"{games:,}", spread(values, 1), f"{min(values):.0f} to {max(values):.0f}",
                             *(at_least(values, level) for level in SHARES)])  # fmt: skip
    head = [
        "kappa",
        "off_board",
        "games of training",
        "ahead, %",
        "least and most",
        *(f"nets at {level} % or more" for level in SHARES),
    ]
    return table(head, rows) if rows else []


class Fact(NamedTuple):
    """What the study prints. needs: kinds without which it cannot be told. tell: figures -> (whether ours agrees, ours)."""

    text: str
    where: str
    needs: tuple[str, ...]
    tell: Callable[[Figures], tuple[bool, str]]


def by_player(what: Callable[[str], tuple[bool, str]]) -> tuple[bool, str]:
    """Of each player; it agrees if it does with one of them."""
    found = {off_board: what(test) for test, off_board in OFF_BOARD.items()}
    text = "; ".join(
        f"off_board {off_board}: {text}{'' if agrees else ' (not so)'}" for off_board, (agrees, text) in found.items()
    )
    return any(agrees for agrees, _ in found.values()), text


def loses_many(figures: Figures) -> tuple[bool, str]:
    """Kappa 0."""

    def of(test: str) -> tuple[bool, str]:
        values = percents(figures, kind_of("0"), FIRST, "behind", test)
        return fmean(values) > FEW, f"{spread(values, 1)} % behind"

    return by_player(of)


def moves(figures: Figures, side: str, sign: float) -> tuple[bool, str]:
    """Marbles of a test game of kappa -1 between 10 and FIRST games of training, and that there are any."""

    def of(test: str) -> tuple[bool, str]:
        early, late = (marbles_of(figures, kind_of("-1"), games, side, test) for games in (10, FIRST))
        verdict, _ = greater(*paired(*((late, early) if sign > 0 else (early, late))))
        return verdict == "shown", f"{spread([*early.values()])} to {spread([*late.values()])}"

    return by_player(of)


def rises(figures: Figures) -> tuple[bool, str]:
    """Kappa -1 from 500 to 1,000 games."""

    def of(test: str) -> tuple[bool, str]:
        early, late = (rate_of(figures, kind_of("-1"), games, test=test) for games in (500, 1000))
        verdict, text = greater(*paired(late, early))
        return verdict == "shown", text

    return by_player(of)


def wins(kind: str, games: int, least: float) -> Callable[[Figures], tuple[bool, str]]:
    """Percent ahead, more than so many."""

    def tell(figures: Figures) -> tuple[bool, str]:
        def of(test: str) -> tuple[bool, str]:
            values = percents(figures, kind, games, test=test)
            return fmean(values) > least, f"{spread(values, 1)} %"

        return by_player(of)

    return tell


def told(values: BySeed) -> str:
    """Over the seeds."""
    return spread([*values.values()])


def on_axis(figures: Figures) -> tuple[bool, str]:
    """The weight of material of kappa -1 within AXIS, by one of both measures."""
    found, texts = [], []
    for measure, what in (("weights", "mean w"), ("sums", "sum of w v")):
        each = [weight_of(figures, kind_of("-1"), "material", games, measure) for games in (10, FIRST)]
        found.append(all(AXIS[0] <= value <= AXIS[1] for values in each for value in values.values()))
        texts.append(f"{what} {told(each[0])} after 10 games, {told(each[1])} after {FIRST:,}")
    return any(found), "; ".join(texts)


def is_constant(figures: Figures) -> tuple[bool, str]:
    """The weight of material of kappa 0 between 10 and FIRST games: within the height of AXIS."""
    early, late = (weight_of(figures, kind_of("0"), "material", games) for games in (10, FIRST))
    height = AXIS[1] - AXIS[0]
    return abs(fmean(late.values()) - fmean(early.values())) < height, f"sum of w v {told(early)} to {told(late)}"


def protection_leads(figures: Figures) -> tuple[bool, str]:
    """At kappa 0 after FIRST games, in size."""
    sizes = {name: abs(fmean(weight_of(figures, kind_of("0"), name, FIRST).values()))
             for name in ("protected", DISTANCE, "material")}  # fmt: skip
    text = ", ".join(f"{name} {size:.2f}" for name, size in sizes.items())
    return max(sizes, key=sizes.__getitem__) == "protected", f"size of the sum of w v: {text}"


FACTS = (
    Fact("kappa 0 loses many games", "beside figure 6.2", (kind_of("0"),), loses_many),
    Fact("kappa -1 wins more marbles the longer it is trained, 10 to 1,000 games", "figure 6.3", (kind_of("-1"),),
         lambda figures: moves(figures, "pushed", 1.0)),
    Fact("and loses fewer", "figure 6.3", (kind_of("-1"),), lambda figures: moves(figures, "gone", -1.0)),
    Fact("kappa -1 has more after 1,000 games than after 500 (92 and 81 %)", "tables 5.3, 6.5", (kind_of("-1"),), rises),
    Fact(f"kappa -0.3 succeeds (here asked: more than {FEW} %)", "figures 6.2, 6.8", (kind_of("-0.3"),),
         wins(kind_of("-0.3"), FIRST, FEW)),
    Fact(f"counter traces beat kappa 0 (more than {FEW} %)", "figure 6.8", ("counters",), wins("counters", FIRST, FEW)),
    Fact("method I(a) wins 72 % after 1,000 games (more than half)", "table 5.3", ("Ia",), wins("Ia", FIRST, 50)),
    Fact("method I wins 52 % after 1,000 games (more than a quarter)", "tables 5.1 to 5.3", ("I",), wins("I", FIRST, 25)),
    Fact(f"the weight of material lies between {AXIS[0]} and {AXIS[1]}", "figure 6.4", (kind_of("-1"),), on_axis),
    Fact("with kappa 0 it is constant", "figure 6.4", (kind_of("0"),), is_constant),
    Fact("with kappa 0 protection weighs most", "figure 6.5", (kind_of("0"),), protection_leads),
)  # fmt: skip


def facts_table(figures: Figures) -> list[str]:
    """What is printed beside ours, the contradicted first."""
    found = [(fact, *fact.tell(figures)) for fact in FACTS if all(figures.get(kind) for kind in fact.needs)]
    rows = [[fact.text, fact.where, text, "agrees" if agrees else "contradicted"]
            for fact, agrees, text in sorted(found, key=lambda each: each[1])]  # fmt: skip
    return table(["what the study says", "where", "this reading", ""], rows) if rows else []
