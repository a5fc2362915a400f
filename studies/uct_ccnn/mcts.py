"""NeuralMCTS against plain UCT at equal simulations: table 5.9, claims 8 and 11 of the UCT-CCNN study."""

from collections.abc import Callable, Mapping
from statistics import fmean
from typing import Any

from boardgym.baselines.learning.network_players import spec_of
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.judging import above, below
from boardgym.studies.uct_ccnn.matches import (
    FIRST,
    OF_ALL_GAMES,
    SECOND,
    START,
    Counts,
    play,
    score,
    total,
    wdl,
    won,
    won_in_all,
)
from boardgym.studies.uct_ccnn.minimax import network_for
from boardgym.studies.uct_ccnn.networks import digest_of
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS, SETTINGS
from boardgym.studies.uct_ccnn.published import MCTS as PRINTED
from boardgym.studies.uct_ccnn.tuning import constants
from boardgym.studies.verdicts import Found

SETTING = SETTINGS[-1]  # the study's table has networks of 600 s alone
KINDS = tuple(f"mcts_{game}" for game in GAMES)


def plays(game: str) -> Any:
    """The work of a network's match."""

    def measure(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
        """From the start position, with the tuned constant on both sides."""
        plan, path = PLANS[size].mcts, network_for(place, game, SETTING, seed, size, chosen["network"])
        plain = f"uct:{plan.simulations},c={chosen['constant']:g},solver=0,choice=max_child"
        found = play(spec_of(f"{plain},neural_mcts=1", path), plain, game, 2 * plan.games, START, (seed, int(SETTING)))
        return {"network": digest_of(path), "simulations": plan.simulations, **found}

    return measure


def chosen_of(game: str) -> Callable[[Figures], dict[int, Any]]:
    """The network of each number, and the constant."""

    def choose(figures: Figures) -> dict[int, Any]:
        found = constants(figures)
        if game not in found:
            return {}
        ones = figures.get(f"networks_{game}_{SETTING}", ())
        return {one["seed"]: {"network": one["network"], "constant": found[game]} for one in ones}

    return choose


def both(one: Mapping[str, Any]) -> Counts:
    """The counts of both seats together."""
    return {name: one[FIRST][name] + one[SECOND][name] for name in one[FIRST]}


def wins_in_othello(figures: Figures) -> Found:
    """The share of games won, over networks."""
    verdict, text = above([won(both(one)) for one in figures["mcts_othello"]], 0.5)
    return verdict, f"{text} networks, % of games won; the study 77.5"


def loses_in_morris(figures: Figures) -> Found:
    """The score rate, over networks: with so many draws, fewer wins than half would say little."""
    verdict, text = below([score(both(one)) for one in figures["mcts_morris"]], 0.5)
    return verdict, f"{text} networks, % of the points; the study 36.6, which won 22.8 % of the games"


def same_network(figures: Figures) -> Found:
    """The file that both searches read is the same, and no game was forfeited."""
    pairs = [
        (one["network"], other["network"])
        for game in GAMES
        for one in figures[f"mcts_{game}"]
        for other in figures[f"minimax_{game}_{SETTING}"]
        if one["seed"] == other["seed"]
    ]
    played = [one[seat] for game in GAMES for one in figures[f"mcts_{game}"] for seat in (FIRST, SECOND)]
    forfeits = sum(counts["forfeits"] for counts in played)
    same = sum(a == b for a, b in pairs)
    is_shown = bool(pairs) and same == len(pairs) and not forfeits
    text = (
        f"{same} of {len(pairs)} networks are the same file in both, {forfeits} of {sum(map(total, played)):,} games forfeited"
    )
    return ("shown" if is_shown else "not shown"), text


def page(figures: Figures) -> list[str]:
    """Table 5.9."""
    rows = []
    for game, study in GAMES.items():
        ones = figures.get(f"mcts_{game}", ())
        for starts, seat in ((False, SECOND), (True, FIRST)) if ones else ():
            printed, counts = PRINTED[game, starts], [one[seat] for one in ones]
            rows.append(
                [
                    f"{study.net}:{SETTING}",
                    "yes" if starts else "no",
                    printed.text,
                    ", ".join(map(wdl, counts)),
                    won_in_all(counts),
                    spread([100 * won(one) for one in counts], 1),
                    spread([100 * score(one) for one in counts], 1),
                    f"{sum(one['distinct'] for one in counts):,} of {sum(map(total, counts)):,}",
                ]
            )
    head = ("network", "NeuralMCTS starts", "study", "each network", "all games, % won", "networks, % won",
            "networks, % of the points", "different games")  # fmt: skip
    if not rows:
        return []
    simulations = fmean(one["simulations"] for kind in KINDS for one in figures.get(kind, ()))
    return [
        f"Won-drawn-lost by NeuralMCTS; {simulations:,.0f} simulations a move on both sides (the study: 5,000), from the start "
        f"position. {OF_ALL_GAMES}",
        "",
        *table(head, rows),
    ]


HOLDS = ("network", "simulations", FIRST, SECOND)
MCTS = Part(
    name="mcts",
    title="claims 8 and 11: NeuralMCTS, table 5.9",
    works={f"mcts_{game}": Work(plays(game), stage=3, chooses=chosen_of(game), holds=HOLDS) for game in GAMES},
    lines=page,
    claims=(
        Claim(
            8, "at equal simulations NeuralMCTS wins more than half of the games in Othello", wins_in_othello, ("mcts_othello",)
        ),
        Claim(8, "in Nine Men's Morris it gets less than half of the points", loses_in_morris, ("mcts_morris",)),
        Claim(
            11,
            "the same network serves minimax and tree search without a change",
            same_network,
            (*KINDS, *(f"minimax_{game}_{SETTING}" for game in GAMES)),
            of_any_size=True,
        ),
    ),
    readings=(
        (
            "NeuralMCTS, the descent",
            "it would end at a terminal node every time",
            "at the first child without visits, which is played out",
        ),
        ("UCT's choice", "the child of the greatest Q/V", "the same (`choice=max_child,solver=0`), on both sides"),
    ),
    made_of=(1, SETTING),
)
