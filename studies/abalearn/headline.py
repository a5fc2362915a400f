"""Claim 7 of the Abalearn study, player by player: means, shares of nets, and what it prints that the reading contradicts.

The study's minimax player counts no lost marble, as it is printed (off_board 0), and then never pushes one off. But its text
has kappa 0 lose games, and figure 6.3 has marbles lost: so the claim is judged at 0, where nothing is lost, at 4.5 and at 5.
"""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from boardgym.studies.abalearn.methods_figures import BySeed, marbles_of, paired, rate_of, weight_of
from boardgym.studies.abalearn.plans import DISTANCE, FIRST, KAPPAS, PLANS
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, half_width, spread
from boardgym.studies.verdicts import MANY, Found, Verdict, all_of, greater, of_every_run, share_of

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


def is_above(values: Sequence[float], level: float) -> Verdict:
    """Whether a mean over nets is above a level, by its interval."""
    middle, half = fmean(values), half_width(values)
    is_open = len(values) < MANY or middle - half <= level <= middle + half
    return "not decided" if is_open else "shown" if middle > level else "not shown"


def succeeds(kappa: str, test: str, figures: Figures) -> Found:
    """Whether the mean over the nets is above LEVELS; how many nets are, beside it."""
    verdicts, texts = list[Verdict](), []
    for games, level in LEVELS.items():
        values = percents(figures, kind_of(kappa), games, test=test)
        verdicts.append(is_above(values, level))
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
            found.append(
                Claim(
                    7,
                    f"off_board {off_board}: kappa {kappa} above kappa 0 after 1,000 games, by games ended ahead",
                    lambda figures, kappa=kappa, test=test: beats_neutral(kappa, test, figures),  # type: ignore[misc]
                    (kind_of(kappa), kind_of("0")),
                )
            )
        for kappa in ("-0.8", "-1"):
            found.append(
                Claim(
                    7,
                    f"off_board {off_board}: kappa {kappa} above 80 % at 500 games, above 90 % from 1,000 on",
                    lambda figures, kappa=kappa, test=test: succeeds(kappa, test, figures),  # type: ignore[misc]
                    (kind_of(kappa),),
                )
            )
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
                rows.append(
                    [
                        kappa,
                        off_board,
                        f"{games:,}",
                        spread(values, 1),
                        f"{min(values):.0f} to {max(values):.0f}",
                        *(at_least(values, level) for level in SHARES),
                    ]
                )
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
    """What the study prints. needs: kinds without which it cannot be told. tell: whether it is so here, and our figures."""

    text: str
    where: str
    needs: tuple[str, ...]
    tell: Callable[[Figures], Found]


SAID: dict[Verdict, str] = {
    "not shown": "contradicted",
    "not decided": "not decided",
    "shown": "agrees",
}  # of a fact, in this order
MARKED: dict[Verdict, str] = {"not shown": " (not so)", "not decided": " (open)", "shown": ""}  # of one of the players


def by_player(what: Callable[[str], Found]) -> Found:
    """Of each player; it is so if it is with one of them, and not so if it is with none."""
    found = {off_board: what(test) for test, off_board in OFF_BOARD.items()}
    text = "; ".join(f"off_board {off_board}: {text}{MARKED[verdict]}" for off_board, (verdict, text) in found.items())
    verdicts = {verdict for verdict, _ in found.values()}
    return next(verdict for verdict in reversed(SAID) if verdict in verdicts), text


def loses_many(figures: Figures) -> Found:
    """Kappa 0."""

    def of(test: str) -> Found:
        values = percents(figures, kind_of("0"), FIRST, "behind", test)
        return is_above(values, FEW), f"{spread(values, 1)} % behind"

    return by_player(of)


def moves(figures: Figures, side: str, sign: float) -> Found:
    """Marbles of a test game of kappa -1 from 10 to FIRST games of training."""

    def of(test: str) -> Found:
        early, late = (marbles_of(figures, kind_of("-1"), games, side, test) for games in (10, FIRST))
        verdict, _ = greater(*paired(*((late, early) if sign > 0 else (early, late))))
        return verdict, f"{told(early)} to {told(late)}"

    return by_player(of)


def best_mean(figures: Figures) -> Found:
    """Kappa -0.8 after FIRST games: above each other kappa, over the seeds that both have. Told is the nearest of them."""

    def of(test: str) -> Found:
        ours = rate_of(figures, kind_of("-0.8"), FIRST, test=test)
        pairs = {kappa: paired(ours, rate_of(figures, kind_of(kappa), FIRST, test=test)) for kappa in KAPPAS if kappa != "-0.8"}
        nearest = min(pairs, key=lambda kappa: fmean(pairs[kappa][0]) - fmean(pairs[kappa][1]))
        verdict = all_of([greater(*each)[0] for each in pairs.values()])
        return verdict, f"above kappa {nearest} by {greater(*pairs[nearest])[1]}"

    return by_player(of)


def rises(figures: Figures) -> Found:
    """Kappa -1 from 500 to 1,000 games."""
    return by_player(
        lambda test: greater(*paired(*(rate_of(figures, kind_of("-1"), games, test=test) for games in (1000, 500))))
    )


def wins(kind: str, games: int, least: float) -> Callable[[Figures], Found]:
    """Percent ahead, more than so many."""

    def tell(figures: Figures) -> Found:
        def of(test: str) -> Found:
            values = percents(figures, kind, games, test=test)
            return is_above(values, least), f"{spread(values, 1)} %"

        return by_player(of)

    return tell


def told(values: BySeed) -> str:
    """Over the seeds."""
    return spread([*values.values()])


def on_axis(figures: Figures) -> Found:
    """The weight of material of every net of kappa -1 within AXIS, by one of both measures."""
    found, texts = list[list[bool]](), []
    for measure, what in (("weights", "mean w"), ("sums", "sum of w v")):
        each = [weight_of(figures, kind_of("-1"), "material", games, measure) for games in (10, FIRST)]
        found.append([all(AXIS[0] <= values[seed] <= AXIS[1] for values in each) for seed in each[0]])
        texts.append(f"{what} {told(each[0])} after 10 games, {told(each[1])} after {FIRST:,}")
    return of_every_run(max(found, key=sum)), "; ".join(texts)


def is_constant(figures: Figures) -> Found:
    """The weight of material of every net of kappa 0 from 10 to FIRST games: within the height of AXIS."""
    early, late = (weight_of(figures, kind_of("0"), "material", games) for games in (10, FIRST))
    flags = [abs(late[seed] - early[seed]) < AXIS[1] - AXIS[0] for seed in early]
    return of_every_run(flags), f"sum of w v {told(early)} to {told(late)}"


def protection_leads(figures: Figures) -> Found:
    """With every net of kappa 0 after FIRST games, in size."""
    names = ("protected", DISTANCE, "material")
    sizes = {
        name: {seed: abs(value) for seed, value in weight_of(figures, kind_of("0"), name, FIRST).items()} for name in names
    }
    flags = [max(names, key=lambda name: sizes[name][seed]) == "protected" for seed in sizes["protected"]]
    text = ", ".join(f"{name} {fmean(each.values()):.2f}" for name, each in sizes.items())
    return of_every_run(flags), f"size of the sum of w v: {text}"


FACTS = (
    Fact("kappa -0.8 has the best mean, here after 1,000 games", "figure 6.2", tuple(map(kind_of, KAPPAS)), best_mean),
    Fact(f"kappa 0 loses many games (here asked: more than {FEW} %)", "beside figure 6.2", (kind_of("0"),), loses_many),
    Fact("kappa -1 wins more marbles the longer it is trained, 10 to 1,000 games", "figure 6.3", (kind_of("-1"),),
         lambda figures: moves(figures, "pushed", 1.0)),
    Fact("kappa -1 loses fewer marbles the longer it is trained, 10 to 1,000 games", "figure 6.3", (kind_of("-1"),),
         lambda figures: moves(figures, "gone", -1.0)),
    Fact("kappa -1 wins more games after 1,000 games of training than after 500 (92 and 81 %)", "tables 5.3, 6.5",
         (kind_of("-1"),), rises),
    Fact(f"kappa -0.3 succeeds (here asked: more than {FEW} %)", "figures 6.2, 6.8", (kind_of("-0.3"),),
         wins(kind_of("-0.3"), FIRST, FEW)),
    Fact(f"counter traces beat kappa 0 (here asked: more than {FEW} % ahead)", "figure 6.8", ("counters",),
         wins("counters", FIRST, FEW)),
    Fact("method I(a) wins 72 % after 1,000 games (here asked: more than half)", "table 5.3", ("Ia",), wins("Ia", FIRST, 50)),
    Fact("method I wins 52 % after 1,000 games (here asked: more than a quarter)", "tables 5.1 to 5.3", ("I",),
         wins("I", FIRST, 25)),
    Fact(f"at kappa -1 the weight of material lies between {AXIS[0]} and {AXIS[1]}", "figure 6.4", (kind_of("-1"),), on_axis),
    Fact("at kappa 0 the weight of material is constant", "figure 6.4", (kind_of("0"),), is_constant),
    Fact("at kappa 0 protection weighs most", "figure 6.5", (kind_of("0"),), protection_leads),
)  # fmt: skip


def facts_table(figures: Figures) -> list[str]:
    """What is printed beside ours, the contradicted first."""
    found = [(fact, *fact.tell(figures)) for fact in FACTS if all(figures.get(kind) for kind in fact.needs)]
    order = [*SAID]
    rows = [
        [fact.text, fact.where, text, SAID[verdict]]
        for fact, verdict, text in sorted(found, key=lambda each: order.index(each[1]))
    ]
    return table(["what the study says", "where", "this reading", ""], rows) if rows else []
