"""Co-evolution in chapter 3.3 of the Abalearn study: table 3.1 and the figure beside it, and what its player is worth.

A champion of each of some generations plays against references, the champions of generations 1000 and 2000, in series of
games; the figure of a series is the share that it wins of its decided games. The study prints the mean and the standard
deviation of ten series of 30 games, draws left out. Its column of 95 % is far too small for these, so the intervals here are
made anew: of the share of all decided games, which are independent of each other.

The whole of it is done twice: "all" follows a mutant that wins more than half of all games, as the text says, "decided" one
that wins more than half of those that are decided. "readings" tries others, one training each.
"""

import functools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from boardgym.baselines.arena.ratings import Z, rate_interval
from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber, set_weights, settings_of, train_coevolution
from boardgym.baselines.learning.td.agent import NetworkAgent
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import make_policy
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import LEVEL, Found, Verdict, of_every_run, of_interval

TABLE_STREAM = 2  # the path of the streams under a training's seed; `learning/coevolution.py` has those before it
GENERATIONS, EVERY = 2000, 10  # of a training; from one champion that is kept to the next
CHAMPIONS = GENERATIONS // EVERY
PUBLISHED = {10: (0.310, 0.036), 500: (0.389, 0.096), 1000: (0.462, 0.100), 1500: (0.454, 0.077), 2000: (0.506, 0.026)}
SAMPLED = (10, *range(100, GENERATIONS + 1, 100))
REFERENCES = (1000, 2000)
CANDIDATES = tuple(generation for generation in SAMPLED if generation not in REFERENCES)
MAX_PLIES = CoevolutionConfig.max_plies
SERIES, GAMES = 10, 30
SEEDS = 3
MINIMAX = "minimax of depth 1"
RIVALS = {"random play": "random", MINIMAX: "minimax:1,evaluation=distance"}
TABLES = {"all": "wins of all games", "decided": "wins of decided games"}  # of which a mutant must win more than half
READINGS: Mapping[str, Mapping[str, Any]] = {
    "wins of decided games, step 0.5": {"wins_of": "decided", "step": 0.5},
    "what a move pays is added": {"adds_reward": True},
}


# ---------------------------------------------------------------- what is done


def number_of(generation: int, size: float) -> int:
    """The generation that stands for one of the study's at a size."""
    return EVERY * scaled(generation // EVERY, size)


def config_of(seed: int, size: float, **settings: Any) -> CoevolutionConfig:
    """The settings of a training."""
    return CoevolutionConfig(seed=seed, generations=number_of(GENERATIONS, size), keep_every=EVERY, **settings)


def climbed(place: Place, name: str, config: CoevolutionConfig, begun: int) -> HillClimber:
    """A training that has come to its end, in a folder of the place. begun: units done before it; it has a unit a champion."""
    done = train_coevolution(
        config,
        place.folder / name,
        checkpoint_s=20.0,
        on_generation=lambda climber: place.tell(begun + climber.generation // EVERY),
    )
    if not done.is_finished:
        raise KeyboardInterrupt
    return done.training


class Arena:
    """The champions of a training, and games of theirs, kept in a place as they are played.

    name: of it in the place. games: of a series. generation: of the last champion.
    """

    def __init__(self, place: Place, name: str, climber: HillClimber, games: int) -> None:
        self.place, self.name, self.climber, self.games = place, name, climber, games
        _, self.champions = climber.champions()
        self.players = [climber.player(climber.champion, epsilon=climber.config.epsilon) for _ in range(2)]
        self.generation = climber.generation

    def champion(self, generation: int, player: int = 0) -> NetworkAgent:
        """The champion of a generation, with the training's epsilon."""
        set_weights(self.players[player], self.champions[generation // EVERY])
        return self.players[player]

    def meet(self, generation: int, reference: int) -> dict[str, Any]:
        """Games of one champion against another, see `play`."""
        return self.play(generation, self.champion(reference, 1), (reference, generation))

    def meet_rivals(self) -> dict[str, dict[str, Any]]:
        """Games of the last champion against players of other kinds."""
        found = {}
        for number, (name, spec) in enumerate(RIVALS.items()):
            rival = make_policy(spec, self.climber.game, seed=self.climber.config.seed)
            assert isinstance(rival, CompiledPolicy)
            found[name] = self.play(self.generation, rival, (0, number))
        return found

    def play(self, generation: int, other: CompiledPolicy, path: tuple[int, ...]) -> dict[str, Any]:
        """Series of a champion against somebody, see `row_of`. path: of their streams under the training's seed.

        longest: how many games lasted as long as one may, the few among them that were decided by the last ply.
        """
        name = "-".join(map(str, (self.name, *path)))
        if (kept := self.place.read(name)) is not None:
            return kept
        played = self.climber.duels.play(
            self.champion(generation), other, SERIES * self.games, seed=self.climber.config.seed, path=(TABLE_STREAM, *path)
        )
        scores = played.scores.reshape(SERIES, self.games)
        won, lost = (scores > 0).sum(axis=1).tolist(), (scores < 0).sum(axis=1).tolist()
        longest = int((played.plies == self.climber.config.max_plies).sum())
        return self.place.keep(name, {**row_of(won, lost, self.games), "longest": longest})


def play_table(place: Place, seed: int, size: float, *, wins_of: str) -> dict[str, Any]:
    """A training, its champions against the references, and the last one against others."""
    climber = climbed(place, "training", config_of(seed, size, wins_of=wins_of), 0)
    arena, rows = Arena(place, "table", climber, scaled(GAMES, size)), []
    for reference in REFERENCES:
        for generation in SAMPLED:
            row = arena.meet(number_of(generation, size), number_of(reference, size))
            rows.append({"generation": generation, "reference": reference, **row})
            place.tell(CHAMPIONS + len(rows))
    return {"rows": rows, "rivals": arena.meet_rivals(), "climb": climb_of(climber)}


def try_readings(place: Place, seed: int, size: float) -> dict[str, Any]:
    """A training of each reading, with seed 1: champions of table 3.1 against the last one, and that against others."""
    found = {}
    for number, (text, settings) in enumerate(READINGS.items()):
        climber = climbed(place, f"training{number}", config_of(1, size, **settings), number * CHAMPIONS)
        arena = Arena(place, f"reading{number}", climber, scaled(GAMES, size))
        rows = [{"generation": one, **arena.meet(number_of(one, size), arena.generation)} for one in PUBLISHED]
        found[text] = {"rows": rows, "rivals": arena.meet_rivals(), "climb": climb_of(climber)}
    return {"readings": found}


def climb_of(climber: HillClimber) -> dict[str, Any]:
    """How a training went: games of champions and mutants, won, drawn and lost by mutants, and how many were followed.

    first: the generation of the first that was, None for none; the champions before it are the net of zeros.
    """
    results, followed = climber.results(), climber.followed()
    return {
        "settings": settings_of(climber.config),
        "games": results.sum(axis=0).tolist(),
        "followed": int(followed.sum()),
        "first": int(followed.argmax()) + 1 if followed.any() else None,
    }


def row_of(won: Sequence[int], lost: Sequence[int], games: int) -> dict[str, Any]:
    """What series of so many games say: won, drawn, lost in all; shares of the decided games, of each series that has any.

    mean, sd: of the shares, None where there are too few. share, low, high: of all decided games, with the 95 % interval
    None where there are none. won, lost: of each series.
    """
    shares = [w / (w + n) for w, n in zip(won, lost, strict=True) if w + n > 0]
    decided = sum(won) + sum(lost)
    interval = rate_interval(sum(won) / decided, decided) if decided else None
    return {
        "won": sum(won),
        "drawn": games * len(won) - decided,
        "lost": sum(lost),
        "shares": shares,
        "mean": statistics.fmean(shares) if shares else None,
        "sd": statistics.stdev(shares) if len(shares) > 1 else None,
        "share": interval.value if interval else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


# ---------------------------------------------------------------- what it says


def rows_of(ones: Sequence[Mapping[str, Any]], generation: int, reference: int = REFERENCES[-1]) -> list[Mapping[str, Any]]:
    """The row of each seed."""
    return [row for one in ones for row in one["rows"] if (row["generation"], row["reference"]) == (generation, reference)]


def side(row: Mapping[str, Any], tries: int = 1) -> int:
    """1 or -1 where the interval of the share of decided games lies above or below one half, else 0.

    tries: of how many shares this is one; the intervals hold for all of them together (Bonferroni).
    """
    if row["share"] is None:
        return 0
    found = of_interval(rate_interval(row["share"], row["won"] + row["lost"], 1.0 - LEVEL / tries), 0.5)
    return {"shown": 1, "not shown": -1, "not decided": 0}[found]


def of_trainings(sides: Sequence[int]) -> Verdict:
    """Of a claim about every training. sides: 1 of one that bears it out, -1 of one that speaks against it, else 0."""
    if -1 in sides:
        return "not shown"
    return of_every_run([True] * len(sides), SEEDS) if all(sides) else "not decided"


def rank_correlation(values: Sequence[float]) -> float:
    """Spearman's, of values with their places in the sequence: from -1 to 1; 0 where all are alike."""
    return float(stats.spearmanr(range(len(values)), values).statistic) if min(values) < max(values) else 0.0


def together(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The games of several seeds as those of one."""
    whole = row_of([row["won"] for row in rows], [row["lost"] for row in rows], 0)
    return {**whole, "drawn": sum(row["drawn"] for row in rows), "longest": sum(row["longest"] for row in rows)}


def share_text(row: Mapping[str, Any]) -> str:
    """Won, drawn, lost, and the share of decided games with its interval."""
    games = f"{row['won']}-{row['drawn']}-{row['lost']}"
    if row["share"] is None:
        return f"{games}, none decided"
    return f"{games}, {row['share']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def improves(kind: str) -> Callable[[Figures], Found]:
    """The share of decided games against generation 2000 rises over the generations, those of the references left out.

    By the rank correlation of each training, which is off zero at 5 % beyond Z / sqrt(n - 1). That takes generations for
    independent; neighbours are alike, so that a training alone says less than this, and all of them must agree.
    """

    def judge(figures: Figures) -> Found:
        sides, texts = [], []
        for one in figures[kind]:
            shares = [
                row["share"] for generation in CANDIDATES for row in rows_of([one], generation) if row["share"] is not None
            ]
            trend = rank_correlation(shares) if len(shares) > 1 else 0.0
            least = Z / math.sqrt(max(len(shares) - 1, 1))
            sides.append(int(trend > least) - int(trend < -least))
            [row], first = rows_of([one], SAMPLED[0]), one["climb"]["first"]
            zero = ", still the net of zeros" if first is None or first > SAMPLED[0] else ""
            texts.append(f"{trend:+.2f} (beyond {least:.2f} is off zero; generation {SAMPLED[0]}{zero}: {share_text(row)})")
        text = (
            f"rank correlation of generation and share of decided games against {REFERENCES[-1]}, of each seed: "
            f"{'; '.join(texts)}; rises with {sides.count(1)} of {len(sides)}, falls with {sides.count(-1)}"
        )
        return of_trainings(sides), text

    return judge


def loses_to_minimax(kind: str) -> Callable[[Figures], Found]:
    """The last champion wins fewer than half of its decided games against the study's minimax player."""

    def judge(figures: Figures) -> Found:
        rows = [one["rivals"][MINIMAX] for one in figures[kind]]
        sides = [-side(row) for row in rows]
        text = (
            f"generation {GENERATIONS} against {MINIMAX}, won-drawn-lost and share of decided games of each seed: "
            f"{'; '.join(map(share_text, rows))}; below one half with {sides.count(1)} of {len(sides)} seeds, above with "
            f"{sides.count(-1)}"
        )
        return of_trainings(sides), text

    return judge


def are_long(kind: str) -> Callable[[Figures], Found]:
    """More than half of the games between champions of a training last as long as a game may."""

    def judge(figures: Figures) -> Found:
        sides, texts = [], []
        for one in figures[kind]:
            whole = together(one["rows"])
            games = whole["won"] + whole["drawn"] + whole["lost"]
            found = rate_interval(whole["longest"] / games, games)
            sides.append(int(found.low > 0.5) - int(found.high < 0.5))
            texts.append(
                f"{whole['longest']:,} of {games:,}, {found.value:.3f} [{found.low:.3f}, {found.high:.3f}], and "
                f"{whole['drawn']:,} of all level in marbles"
            )
        return of_trainings(sides), f"games of {MAX_PLIES} plies between champions of each seed: {'; '.join(texts)}"

    return judge


def goes_round(kind: str) -> Callable[[Figures], Found]:
    """Champions of three generations of which each beats the next, in every training.

    Only rings through both references are looked for, so that none found does not speak against the claim.
    """

    def judge(figures: Figures) -> Found:
        middle, last = REFERENCES
        found, texts = [], []  # 1 or 0 of a ring
        for one in figures[kind]:
            sides = {(row["generation"], row["reference"]): side(row, len(CANDIDATES)) for row in one["rows"]}
            between = sides[middle, last]
            rings = [g for g in CANDIDATES if between and sides[g, middle] == between == -sides[g, last]]
            found.append(int(bool(rings)))
            none = "none" if between else f"none, as {middle} and {last} are not told apart"
            texts.append(", ".join(map(str, rings)) or none)
        level = 100.0 * (1.0 - LEVEL / len(CANDIDATES))
        text = (
            f"generations that form a ring with {middle} and {last}, by intervals of {level:.2f} %, as {len(CANDIDATES)} "
            f"are tried, of each seed: {'; '.join(texts)}; other rings were not looked for, so that none found decides "
            "nothing"
        )
        return of_trainings(found), text

    return judge


def page(figures: Figures) -> list[str]:
    """Table 3.1 beside ours under both readings, other opponents, other readings."""
    lines: list[str] = []
    for kind, text in TABLES.items():
        if not (ones := figures.get(kind)):
            continue
        rows = []
        for generation, (mean, sd) in PUBLISHED.items():
            ours = rows_of(ones, generation)
            rows.append([f"{generation}", f"{mean:.3f}; {sd:.3f}", *map(of_series, ours), share_text(together(ours))])
        lines += table([f"{text}: generation", "study", *(f"seed {one['seed']}" for one in ones), "all seeds"], rows)
        rows = []
        for one in ones:
            won, drawn, lost = one["climb"]["games"]
            rows.append(
                [
                    f"{one['seed']}",
                    f"{one['climb']['followed']}",
                    f"{one['climb']['first']}",
                    f"{won}-{drawn}-{lost}",
                    *(share_text(one["rivals"][name]) for name in RIVALS),
                ]
            )
        lines += table(
            [
                f"{text}: seed",
                f"followed of {GENERATIONS}",
                "the first in",
                "mutants' games",
                *(f"generation {GENERATIONS} against {name}" for name in RIVALS),
            ],
            rows,
        )
    for one in figures.get("readings", ()):
        rows = []
        for text, found in one["readings"].items():
            rows.append(
                [
                    text,
                    f"{found['climb']['followed']}",
                    *map(of_series, found["rows"]),
                    *(share_text(found["rivals"][name]) for name in RIVALS),
                ]
            )
        lines += table(["other readings, seed 1", "followed", *map(str, PUBLISHED), *RIVALS], rows)
    return [
        *lines,
        f"Shares are of decided games against the champion of generation {REFERENCES[-1]}: mean; standard deviation of "
        f"{SERIES} series of {GAMES} games. Elsewhere games won-drawn-lost, and the share of all decided ones with its 95 % "
        "interval, which is of games, not of trainings: these differ by more. Rank correlations are judged as if "
        "generations were independent of each other; neighbours are not, so that all seeds must agree. A game of "
        f"{MAX_PLIES} plies is stopped there, but for the few that the last ply decides.",
        "",
    ]


def of_series(row: Mapping[str, Any]) -> str:
    """Mean and standard deviation of the shares of a row."""
    return "-" if row["sd"] is None else f"{row['mean']:.3f}; {row['sd']:.3f}"


def draw(kind: str, path: Path, figures: Figures) -> None:
    """Shares by generation against each reference: each seed a line, all of them with a band, the study's as dots."""
    plt, ones = quiet_pyplot(), figures[kind]
    figure, places = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained", sharey=True)
    for place, reference in zip(places, REFERENCES, strict=True):
        for one in ones:
            rows = [row for row in one["rows"] if row["reference"] == reference]
            shares = np.array([row["mean"] for row in rows], np.float64)  # NaN where no game was decided
            place.plot(SAMPLED, shares, linewidth=0.8, alpha=0.7, label=f"seed {one['seed']}")
        whole = [together(rows_of(ones, generation, reference)) for generation in SAMPLED]
        low, high, share = (np.array([row[name] for row in whole], np.float64) for name in ("low", "high", "share"))
        place.fill_between(SAMPLED, low, high, color="0.85")
        place.plot(SAMPLED, share, "k", linewidth=1.6, label="all seeds")
        place.axhline(0.5, color="0.5", linewidth=0.8, linestyle=":")
        place.set(xlabel="generation", ylim=(0.0, 1.0), title=f"against the champion of generation {reference}")
        place.spines[["top", "right"]].set_visible(False)
    numbers = zip(*PUBLISHED.values(), strict=True)
    places[-1].errorbar(list(PUBLISHED), *numbers, fmt="o", color="tab:red", markersize=5, capsize=3, label="study")
    places[0].set_ylabel("share of decided games won")
    places[-1].legend(frameon=False, fontsize=8)
    keep_picture(figure, path)


TABLE_UNITS = CHAMPIONS + len(REFERENCES) * len(SAMPLED)

PART = Part(
    name="coevolution",
    title="chapter 3.3: co-evolution, table 3.1",
    works={
        "all": Work(functools.partial(play_table, wins_of="all"), units=TABLE_UNITS),
        "decided": Work(functools.partial(play_table, wins_of="decided"), units=TABLE_UNITS),
        "readings": Work(try_readings, is_seeded=False, units=CHAMPIONS * len(READINGS)),
    },
    lines=page,
    claims=tuple(
        Claim(4, f"{text}: {claim}", judge(kind), (kind,))
        for claim, judge in {
            f"the share won against generation {GENERATIONS} rises, noisily": improves,
            "not competitive, the last champion loses to minimax of depth 1": loses_to_minimax,
            f"most games between champions last {MAX_PLIES} plies, the most that are played": are_long,
            "champions go round: generations 1000, 2000 and a third each beat the next": goes_round,
        }.items()
        for kind, text in TABLES.items()
    ),
    readings=(
        ("the reference of table 3.1", "not said", "generation 2000, which scores 0.506 there, against itself"),
        ("how both play in the table", "not said", "as in training, with epsilon 0.05; else two games again and again"),
        ("who begins", "not said", "in turn, from the standard set-up"),
        ("games without end", "not said; draws left out", "stopped after 400 plies; who is ahead in marbles has won"),
        ("M wins more than N/2", "N = 4 games", '"all": of all games; "decided": of those that are not level, as in the table'),
        ("the update", "repeats the mutation", "0.95 C + 0.05 M of the text, with the mutant that has won"),
        ("sigma", "0.1", "0.1; it says nothing: C begins at 0, and play depends on the direction of the weights alone"),
        ("the net's choice", "the position that it rates best", 'the same; "what a move pays is added" counts pushes too'),
    ),
    pictures={f"shares_{kind}": functools.partial(draw, kind) for kind in TABLES},
    needs={f"shares_{kind}": (kind,) for kind in TABLES},
    seeds=SEEDS,
    made_of=(2, GENERATIONS, EVERY, SAMPLED, REFERENCES, SERIES, GAMES, RIVALS, TABLES, READINGS),
)
