"""What the matches of NeuralMinimax show, and the verdicts on claims 7 and 10 of the UCT-CCNN study, over all networks."""

import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev, variance
from typing import Any

from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.judging import higher, higher_by, opposite, permutation_p
from boardgym.studies.uct_ccnn.matches import (
    FIRST,
    OF_ALL_GAMES,
    OPENINGS,
    SECOND,
    START,
    Counts,
    is_all_or_nothing,
    score,
    total,
    wdl,
    won,
    won_in_all,
)
from boardgym.studies.uct_ccnn.minimax import (
    KINDS,
    REFERENCE,
    across,
    cells_of,
    chosen_of,
    meets_reference,
    plays,
    strength,
    winning_configurations,
)
from boardgym.studies.uct_ccnn.plans import GAMES, SETTINGS, kinds
from boardgym.studies.uct_ccnn.published import MINIMAX as PRINTED
from boardgym.studies.uct_ccnn.published import TABLES
from boardgym.studies.verdicts import Found, Verdict, all_of, greater, of_every_run, of_share, share_of

WINS = {  # of each game: configurations of tables 5.5 to 5.8 with games won, by setting
    game: tuple(sum(cell.won > 0 for cell in PRINTED[game, setting].values()) for setting in SETTINGS) for game in GAMES
}
OFTEN, SELDOM = 0.25, 0.05  # of the pairs of networks that differ by luck
OF_GAME = {game: tuple(f"minimax_{game}_{setting}" for setting in SETTINGS) for game in GAMES}


def ones_of(figures: Figures, game: str) -> list[Any]:
    """The networks of a game, of both settings."""
    return [one for kind in OF_GAME[game] for one in figures[kind]]


# ---------------------------------------------------------------- verdicts


def nearly_deterministic(game: str) -> Any:
    """Whether most configurations from the start are all or nothing."""

    def judge(figures: Figures) -> Found:
        cells = [counts for one in ones_of(figures, game) for counts in cells_of(one, START).values()]
        alike = sum(map(is_all_or_nothing, cells))
        distinct, games = sum(one["distinct"] for one in cells), sum(map(total, cells))
        text = f"{share_of(alike, len(cells))} configurations end alike in all games; {distinct:,} of {games:,} games differ"
        return of_share(alike, len(cells), 0.5), text

    return judge


def more_configurations(game: str) -> Any:
    """Whether networks of the second setting win in more configurations, by the exact permutation test.

    A gain as great as that of the study's tables may be refuted too. Where they have no more of them, that they do not is the
    claim.
    """

    def judge(figures: Figures) -> Found:
        counts = {
            setting: [float(winning_configurations(one)) for one in figures[f"minimax_{game}_{setting}"]]
            for setting in SETTINGS
        }
        first, second = WINS[game]
        if second > first:
            verdict, text = higher_by(counts["600"], counts["200"], second - first, 1)
        else:
            verdict, text = opposite(higher(counts["600"], counts["200"], 1))
        each = "; ".join(f"{setting}: {', '.join(f'{count:g}' for count in counts[setting])}" for setting in SETTINGS)
        cells = 2 * len(GAMES[game].heights)
        return verdict, f"{text} (each network, {each}); the study {second} against {first} of {cells}"

    return judge


def no_draws(figures: Figures) -> Found:
    """In Othello, of every network."""
    ones = ones_of(figures, "othello")
    drawn = [sum(counts["drawn"] for counts in cells_of(one, START).values()) for one in ones]
    games = sum(total(counts) for one in ones for counts in cells_of(one, START).values())
    text = f"{sum(drawn):,} of {games:,} games drawn, by {sum(count > 0 for count in drawn)} of {len(ones)} networks"
    return of_every_run([count == 0 for count in drawn]), text


def draws(figures: Figures) -> Found:
    """In Nine Men's Morris, of both settings."""
    verdicts, texts = list[Verdict](), []
    for setting, kind in zip(SETTINGS, OF_GAME["morris"], strict=True):
        cells = [counts for one in figures[kind] for counts in cells_of(one, START).values()]
        drawn = sum(counts["drawn"] for counts in cells)
        verdicts.append("shown" if drawn else "not shown")
        texts.append(f"{setting}: {drawn:,} of {sum(map(total, cells)):,} games")
    return all_of(verdicts), "; ".join(texts)


def luck(game: str) -> Any:
    """How many pairs of networks of one setting and one data set differ by as much as the study's two networks do."""

    def judge(figures: Figures) -> Found:
        least, differences = abs(WINS[game][1] - WINS[game][0]), list[int]()
        for kind in OF_GAME[game]:
            differences += [
                abs(winning_configurations(one) - winning_configurations(other))
                for one, other in combinations(figures[kind], 2)
                if one["data_set"] == other["data_set"]
            ]
        if not differences:
            return "not decided", "no two networks of one data set"
        share = sum(difference >= least for difference in differences) / len(differences)
        verdict: Verdict = "shown" if share >= OFTEN else "not shown" if share < SELDOM else "not decided"
        text = f"{100 * share:.0f} % of {len(differences)} pairs of networks of one data set differ by {least} or more"
        return verdict, f"{text}, at most by {max(differences)}; the study {WINS[game][1]} against {WINS[game][0]}"

    return judge


def noise(counts: Counts) -> float:
    """The variance that chance gives a score rate of so many independent games, estimated without bias; of one game 0."""
    games, middle = total(counts), score(counts)
    squares = (counts["won"] + 0.25 * counts["drawn"]) / games
    return (squares - middle**2) / max(games - 1, 1)


def spread_of(cells: Sequence[Counts]) -> tuple[float, float]:
    """(variance of the score rates over networks, the same less the noise of their games, which can be below 0)."""
    seen = variance(map(score, cells))
    return seen, seen - fmean(map(noise, cells))


def differ_less(game: str) -> Any:
    """Whether the networks of a setting lie closer together from the openings, configuration by configuration.

    The noise of the games is taken from the side that has to be the greater one alone. From different openings it is less than
    that of independent games: taken from both sides, it would make networks that are all alike differ less from the openings.
    """

    def judge(figures: Figures) -> Found:
        pairs = []
        for setting in SETTINGS:
            start, openings = (across(figures, game, setting, name) for name in (START, OPENINGS))
            pairs += [(*spread_of(start[where]), *spread_of(openings[where])) for where in start if where in openings]
        starts, less_starts, others, less_others = zip(*pairs, strict=True)
        less, more = greater(less_starts, others, 0.0), greater(less_others, starts, 0.0)
        verdict: Verdict = "shown" if less[0] == "shown" else "not shown" if more[0] == "shown" else "not decided"
        means = [100 * math.sqrt(max(fmean(side), 0.0)) for side in (starts, less_starts, others, less_others)]
        return verdict, (
            f"standard deviation over networks, in points of percent, {means[0]:.1f} from the start ({means[1]:.1f} without "
            f"the noise of the games) and {means[2]:.1f} from the openings ({means[3]:.1f}); less from the openings: "
            f"{less[1]}; more: {more[1]}"
        )

    return judge


def stronger(game: str) -> Any:
    """Whether networks of more thinking time score more from the openings, by the exact permutation test."""

    def judge(figures: Figures) -> Found:
        ones = [[100 * strength(one) for one in figures[f"minimax_{game}_{setting}"]] for setting in ("600", "200")]
        return higher(ones[0], ones[1], 1)

    return judge


# ---------------------------------------------------------------- page and pictures


def configurations(figures: Figures, game: str, setting: str) -> list[str]:
    """One of tables 5.5 to 5.8."""
    start, openings = (across(figures, game, setting, name) for name in (START, OPENINGS))
    rows = []
    for seat in (SECOND, FIRST):
        for height in GAMES[game].heights:
            where, printed = (height, seat), PRINTED[game, setting][seat == FIRST, height]
            counts, others = start.get(where, []), openings.get(where, [])
            rows.append(
                [
                    "yes" if seat == FIRST else "no",
                    str(height),
                    printed.text,
                    ", ".join(map(wdl, counts)) or "-",
                    won_in_all(counts) if counts else "-",
                    spread([100 * won(one) for one in counts], 1) if counts else "-",
                    f"{sum(one['distinct'] for one in counts)} of {sum(map(total, counts))}" if counts else "-",
                    won_in_all(others) if others else "-",
                    spread([100 * won(one) for one in others], 1) if others else "-",
                    f"{min(100 * won(one) for one in others):.0f} to {max(100 * won(one) for one in others):.0f}"
                    if others
                    else "-",
                    str(total(others[0])) if others else "-",
                ]
            )
    head = (f"table {TABLES[game, setting]}, {GAMES[game].net}:{setting}: starts", "height", "study",
            "each network, from the start", "all games, % won", "networks, % won", "different games",
            "all games, % won from the openings", "networks, % won from the openings", "of a network",
            "games of a network")  # fmt: skip
    return table(head, rows) if start else []


def page(figures: Figures) -> list[str]:
    """Tables 5.5 to 5.8, and what the opponents are worth."""
    lines = []
    rows = []
    for game, study in GAMES.items():
        for one in figures.get(f"reference_{game}", ()):
            rows.append(
                [
                    study.title,
                    f"`{study.opponent}`",
                    *(f"{wdl(one[seat])}, {100 * score(one[seat]):.1f} %" for seat in (FIRST, SECOND)),
                ]
            )
    if rows:
        lines += table(("game", "stand-in", f"against `{REFERENCE}`, as first player", "as second player"), rows)
    for _, game, setting in kinds("minimax"):
        lines += configurations(figures, game, setting)
    if lines:
        lines += [
            f"Won-drawn-lost by NeuralMinimax. {OF_ALL_GAMES} Games from the openings begin once from each with either seat.",
            "",
            *luck_lines(figures),
        ]
    return lines


def luck_lines(figures: Figures) -> list[str]:
    """How far networks of one data set lie apart, and data sets of one setting: of the scores from the openings."""
    rows = []
    for kind, game, setting in kinds("minimax"):
        groups: dict[int, list[float]] = {}
        for one in figures.get(kind, ()):
            groups.setdefault(one["data_set"], []).append(100 * strength(one))
        if not groups:
            continue
        weights = math.sqrt(fmean(pstdev(values) ** 2 * len(values) / max(len(values) - 1, 1) for values in groups.values()))
        means = {data_set: fmean(values) for data_set, values in groups.items()}
        p = permutation_p(groups[1], groups[2]) if len(groups) == 2 else None
        rows.append(
            [
                f"{GAMES[game].net}:{setting}",
                ", ".join(f"{value:.1f}" for value in means.values()),
                f"{weights:.1f}",
                f"{max(means.values()) - min(means.values()):.1f}, p = {p:.2g}" if p is not None else "-",
            ]
        )
    head = ("network", "% of the points from the openings, by data set", "standard deviation over networks of a data set",
            "difference of the data sets")  # fmt: skip
    return table(head, rows) if rows else []


def draw(path: Path, figures: Figures) -> None:
    """The share of the points by height, from the start and the openings; a line for each network, by data set and seat."""
    figure, axes = quiet_pyplot().subplots(2, 4, figsize=(12.5, 6.2), layout="constrained", sharey=True)
    for column, (kind, game, setting) in enumerate(kinds("minimax")):
        for row, name in enumerate((START, OPENINGS)):
            axis = axes[row][column]
            for one in figures.get(kind, ()):
                for seat, style in ((FIRST, "-"), (SECOND, "--")):
                    cells = {height: counts for (height, own), counts in cells_of(one, name).items() if own == seat}
                    values = [100 * score(counts) for counts in cells.values()]
                    axis.plot([*cells], values, style, color=f"C{one['data_set'] - 1}", linewidth=1.0, alpha=0.8)
            axis.set(title=f"{GAMES[game].net}:{setting}, from the {name}", xlabel="height", xticks=GAMES[game].heights)
            axis.set_ylim(-3, 103)
            axis.spines[["top", "right"]].set_visible(False)
    data_sets = sorted({one["data_set"] for kind, _, _ in kinds("minimax") for one in figures.get(kind, ())})
    handles = [axes[0][0].plot([], [], color=f"C{number - 1}", label=f"data set {number}")[0] for number in data_sets]
    for seat, style in ((FIRST, "-"), (SECOND, "--")):
        handles += axes[0][0].plot([], [], style, color="grey", label=f"{seat} player")
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=9)
    for row in (0, 1):
        axes[row][0].set_ylabel("% of the points")
    keep_picture(figure, path)


def claims_of(number: int, text: str, judges: Any, names: tuple[str, ...] = tuple(GAMES)) -> tuple[Claim, ...]:
    """A claim about each game."""
    return tuple(Claim(number, f"{text}: {GAMES[game].title}", judges(game), OF_GAME[game]) for game in names)


MINIMAX = Part(
    name="minimax",
    title="claims 7 and 10: NeuralMinimax, tables 5.5 to 5.8",
    works={
        **{
            kind: Work(
                plays(game, setting),
                units=2 * len(GAMES[game].heights),
                stage=3,
                chooses=chosen_of(game, setting),
                holds=("network", "data_set", START, OPENINGS),
            )
            for kind, game, setting in kinds("minimax")
        },
        **{f"reference_{game}": Work(meets_reference(game), is_seeded=False, stage=0, holds=(FIRST, SECOND)) for game in GAMES},
    },
    lines=page,
    claims=(
        *claims_of(7, "most configurations are all or nothing from the start", nearly_deterministic),
        *claims_of(7, "networks of 600 s win in more configurations than those of 200 s", more_configurations, ("othello",)),
        *claims_of(7, "networks of 600 s win in no more configurations than those of 200 s", more_configurations, ("morris",)),
        Claim(7, "no game of Othello is drawn", no_draws, OF_GAME["othello"]),
        Claim(7, "games of Nine Men's Morris are", draws, OF_GAME["morris"]),
        *claims_of(7, "networks of one data set differ as much as the study's of 200 and 600 s, by luck", luck),
        *claims_of(7, "from the openings they differ less than from the start", differ_less),
        *claims_of(10, "more thinking time in the examples makes a stronger player", stronger),
    ),
    readings=(
        ("the hand-made opponents", "of a course; not available", "alpha-beta of their depth with a documented evaluation"),
        (
            "ties",
            "broken at random by NeuralMinimax; both sides are called deterministic",
            "NeuralMinimax breaks them at random, the stand-in takes the first of equals",
        ),
        (
            "what more thinking time brings",
            "more configurations with wins; its tables have 2 and 5 in Othello, 4 and 3 in Nine Men's Morris",
            "each game is held to its tables",
        ),
        ("a leaf's value for MAX", "not said", "C if MAX moved last, else -C; after a pass the passer moved last"),
        (
            "openings",
            "the start position alone",
            "beside it all sequences of four plies in Othello (244, 236 positions), of two in Nine Men's Morris (552), "
            "or some of them at equal distances",
        ),
    ),
    pictures={"heights": draw},
    needs={"heights": KINDS},
    made_of=(2, {game: (study.opponent, study.openings, study.option) for game, study in GAMES.items()}, REFERENCE),
)
