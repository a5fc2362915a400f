"""Claims 7 to 9: searches that look at more where it matters, or at less: quiescence, singular extensions, beams, ProbCut."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.search import probcut
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.studies.adversarial_search.measuring import EQUAL, analyse, never, only, played, random_boards
from boardgym.studies.exact import compare_pairs
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found, greater, share_of
from boardgym.testing.trees import DELAYED, FOREST, GRABBED, HIDDEN, LAYERS, digest, tree

KIND = "measured"
PLAIN = "alphabeta=1"  # as it is anyway
DECISIONS = ("", "quiescence=8", "singular=0.3")  # in Connect Four
DEPTHS = (1, 2, 3, 5)
PLIES = (12, 26)
DECIDED, DECIDED_SEED = 400, 17  # positions drawn, before those are left out where nothing can be given away
POSITIONS = f"Positions after {PLIES[0]} to {PLIES[1]} random plies in which some move gives the result away"
QUIET, SINGULAR = ("quiescence=1", "quiescence=5"), ("singular=0.4",)  # on the trees built for them
GRABBED_DEPTH, DELAYED_DEPTH = 1, 4
TREES = {"a gain that the reply takes back, one ply": "grabbed", "a loss that can be delayed, four plies": "delayed"}


# ---------------------------------------------------------------- 7: quiescence, and the horizon


def keeps_value(board: Board, action: int, exact: Any) -> bool:
    """Whether an action gives away nothing: won, drawn or lost as before."""
    return bool(exact.action_values[action] == max(exact.action_values.values()))


def decisions(size: float) -> dict[str, list[bool]]:
    """In Connect Four, whether the choice of each search keeps what the position is worth, by depth and option."""
    game = get_game("ConnectFour-v0")
    perfect, found = make_policy("perfect", game, seed=0), dict[str, list[bool]]()
    for board in random_boards(game, scaled(DECIDED, size, 10), PLIES, DECIDED_SEED):
        exact = perfect.analyse(board)
        if len(set(exact.action_values.values())) > 1:  # else nothing can be given away
            for depth in DEPTHS:
                for options in DECISIONS:
                    spec = f"minimax:{depth}" + (f",{options}" if options else "")
                    found.setdefault(spec, []).append(keeps_value(board, analyse(spec, board).action, exact))
    return found


def measure_horizon(place: Place, seed: int, size: float) -> dict[str, Any]:
    """The two trees that were built for it, and Connect Four against its exact solution, at the full size alone."""
    grab = {options: of_tree(GRABBED, f"minimax:{GRABBED_DEPTH},{options}") for options in (PLAIN, *QUIET)}
    grab["deeper"] = of_tree(GRABBED, f"minimax:{GRABBED_DEPTH + 1},{PLAIN}")
    delay = {options: of_tree(DELAYED, f"minimax:{DELAYED_DEPTH},{options}") for options in (PLAIN, *SINGULAR)}
    delay["deeper"] = of_tree(DELAYED, f"minimax:{DELAYED_DEPTH + 1},{PLAIN}")
    place.tell(1)
    return {"grabbed": grab, "delayed": delay, "decisions": decisions(size) if size == 1.0 else {}}


def of_tree(root: int, spec: str) -> tuple[int, float]:
    """Action and value that a search finds."""
    found = analyse(spec, tree(root))
    return found.action, round(found.value, 9)


def horizon_page(figures: Figures) -> list[str]:
    """The trees, and the shares of decisions."""
    found = only(figures)
    names = {PLAIN: "plain", "deeper": "plain, one ply deeper"}
    rows = [
        [title, names.get(options, f"`{options}`"), str(action), f"{value:g}"]
        for title, key in TREES.items()
        for options, (action, value) in found[key].items()
    ]
    lines = table(("tree, depth", "search", "plays action", "which it finds worth"), rows)
    rows = [[f"`{spec}`", share_of(sum(flags), len(flags), 1)] for spec, flags in found["decisions"].items()]
    if rows:
        lines += table(("Connect Four, search", "decisions that give nothing away"), rows)
        lines += [f"{POSITIONS}, judged by the exact solver.", ""]
    return lines


def changes(key: str, options: Sequence[str]) -> Any:
    """Whether the option plays as a deeper search does, and otherwise than the plain one."""

    def judge(figures: Figures) -> Found:
        found = only(figures)[key]
        plain, deeper = found[PLAIN], found["deeper"]
        is_shown = all(found[one][0] == deeper[0] != plain[0] for one in options)
        texts = [f"{one} plays {found[one][0]} (worth {found[one][1]:g})" for one in options]
        text = f"plain plays {plain[0]} (worth {plain[1]:g}), {', '.join(texts)}, as one ply more does, {deeper[0]}"
        return ("shown" if is_shown else "not shown"), text

    return judge


HORIZON = Part(
    name="horizon",
    title="claim 7: quiescence and singular extensions",
    works={"measured": Work(measure_horizon, is_seeded=False, units=2)},
    lines=horizon_page,
    claims=(
        Claim(7, "quiescence changes the decision where a plain cut-off errs", changes("grabbed", QUIET), (KIND,)),
        Claim(
            7, "a singular extension does where a delay hides a loss beyond the horizon", changes("delayed", SINGULAR), (KIND,)
        ),
    ),
    made_of=(
        3,
        QUIET,
        SINGULAR,
        DECISIONS,
        DEPTHS,
        PLIES,
        DECIDED,
        DECIDED_SEED,
        GRABBED_DEPTH,
        DELAYED_DEPTH,
        digest([GRABBED, DELAYED]),
    ),
)


# ---------------------------------------------------------------- 8: beams

BEAM_DEPTH = 6
BEAMS = (1, 2, 3)  # of trees with three branches: the last is the full search
BEAM_TREES, WIDE, WIDE_PLIES, WIDE_SEED = 40, 100, (2, 6), 8  # trees; positions of tic-tac-toe
WIDE_DEPTH, HIDDEN_DEPTH = 9, 2


def measure_beam(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Random trees by beams, tic-tac-toe by beams as wide as there are moves, and the tree that was built for it."""
    trees = [
        {str(beam): played(f"minimax:{BEAM_DEPTH},table=0,beam={beam}", tree(root))[1:] for beam in BEAMS}
        for root in LAYERS[: scaled(BEAM_TREES, size, 10)]
    ]
    wide = []
    for board in random_boards(get_game("TicTacToe-v0"), scaled(WIDE, size, 10), WIDE_PLIES, WIDE_SEED):
        beam = len(board.legal_actions)
        full, found = (analyse(f"minimax:{WIDE_DEPTH},{options}", board) for options in (PLAIN, f"beam={beam}"))
        wide.append((found.value, found.action, found.nodes) == (full.value, full.action, full.nodes))
    hidden = {options: of_tree(HIDDEN, f"minimax:{HIDDEN_DEPTH},{options}") for options in (PLAIN, "beam=2")}
    return {"trees": trees, "wide": wide, "hidden": hidden}


def beam_page(figures: Figures) -> list[str]:
    """By beam."""
    found = only(figures)
    trees = found["trees"]
    rows = []
    for beam in map(str, BEAMS):
        same = sum(abs(one[beam][0] - one[str(BEAMS[-1])][0]) < EQUAL for one in trees)
        ratio = sum(one[beam][1] for one in trees) / sum(one[str(BEAMS[-1])][1] for one in trees)
        rows.append([beam, f"{ratio:.3f}", share_of(same, len(trees))])
    (best, value), (narrow, less) = found["hidden"].values()
    return [
        *table(("beam", "positions visited, of those of the full search", "roots with the full search's value"), rows),
        f"Random trees of three branches, {BEAM_DEPTH} plies. Where the best action looks worst, the full search plays {best}, "
        f"worth {value:g}, a beam of two {narrow}, worth {less:g}.",
        "",
    ]


def wide_is_full(figures: Figures) -> Found:
    """Value, action and positions of every position."""
    flags = only(figures)["wide"]
    return never(sum(flags), len(flags), "positions of tic-tac-toe with the value, action and positions of the full search")


def narrow_is_faster(figures: Figures) -> Found:
    """Fewer positions in every tree."""
    trees = only(figures)["trees"]
    pairs = [one[str(beam)][1] < one[str(BEAMS[-1])][1] for one in trees for beam in BEAMS[:-1]]
    return never(sum(pairs), len(pairs), "searches that visit fewer positions")


def narrow_errs(figures: Figures) -> Found:
    """In the tree that was built for it."""
    (best, value), (narrow, less) = only(figures)["hidden"].values()
    is_missed = best != narrow and less < value
    return ("shown" if is_missed else "not shown"), f"it plays {narrow}, worth {less:g}, not {best}, worth {value:g}"


BEAM = Part(
    name="beam",
    title="claim 8: beam search",
    works={"measured": Work(measure_beam, is_seeded=False)},
    lines=beam_page,
    claims=(
        Claim(8, "with n of at least b it is the full search", wide_is_full, (KIND,)),
        Claim(8, "with small n it is faster", narrow_is_faster, (KIND,)),
        Claim(8, "with small n it can miss the best move", narrow_errs, (KIND,)),
    ),
    readings=(("a level's n best moves", "of each level, or of each node", "of each node"),),
    made_of=(
        2,
        BEAM_DEPTH,
        BEAMS,
        BEAM_TREES,
        WIDE,
        WIDE_PLIES,
        WIDE_SEED,
        WIDE_DEPTH,
        HIDDEN_DEPTH,
        digest([*LAYERS, HIDDEN]),
    ),
)


# ---------------------------------------------------------------- 9: ProbCut

CUTS = (0.5, 1.0, 1.5, 2.0, 3.0)
ENDLESS = 1e9  # t that cuts nothing
FOREST_DEPTH, OTHELLO_DEPTH = 7, 6
OTHELLO_ROOTS, OTHELLO_PLIES, OTHELLO_SEED = 200, (4, 40), 6
DEEP, SHALLOW = 4, 2  # plies of the searches that ProbCut's regression relates
FOREST_FIT: dict[str, Any] = {"positions": 80, "most_plies": 3, "seed": 1}
OTHELLO_FIT = probcut.SHIPPED["Othello-v0", DEEP, SHALLOW]


def cuts(boards: Sequence[Board], depth: int, fit: tuple[float, float, float]) -> dict[str, list[tuple[float, int]]]:
    """Value and positions visited of each board, by t; "off" without ProbCut.

    boards: of one game. fit: its regression, whatever the user has fitted.
    """
    found = {"off": [played(f"minimax:{depth},table=0", board)[1:] for board in boards]}
    with probcut.using(boards[0].game, DEEP, SHALLOW, fit):
        for t in (*CUTS, ENDLESS):
            found[f"{t:g}"] = [played(f"minimax:{depth},table=0,probcut={t:g}", board)[1:] for board in boards]
    return found


def measure_probcut(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Random trees, and Othello at the full size alone, by the bound t."""
    fit = probcut.fit_regression(FOREST, DEEP, SHALLOW, **FOREST_FIT)
    own, boards = (fit.slope, fit.offset, fit.deviation), [tree(root) for root in LAYERS]
    found = {f"random trees, {FOREST_DEPTH} plies": cuts(boards, FOREST_DEPTH, own)}
    place.tell(1)
    if size == 1.0:
        boards = random_boards(get_game("Othello-v0"), OTHELLO_ROOTS, OTHELLO_PLIES, OTHELLO_SEED)
        found[f"Othello, {OTHELLO_DEPTH} plies"] = cuts(boards, OTHELLO_DEPTH, OTHELLO_FIT)
    return found


def errors(one: dict[str, list[tuple[float, int]]], t: str) -> list[bool]:
    """Whether each root has another value than without ProbCut."""
    return [abs(a[0] - b[0]) > EQUAL for a, b in zip(one[t], one["off"], strict=True)]


def visits(one: dict[str, list[tuple[float, int]]], t: str) -> int:
    """Positions of all roots together."""
    return sum(count for _, count in one[t])


def by_root(one: dict[str, list[tuple[float, int]]], t: str) -> list[float]:
    """Positions of each root."""
    return [float(count) for _, count in one[t]]


def fewer_and_more(one: dict[str, list[tuple[float, int]]], t: str) -> str:
    """How many roots take fewer positions than without ProbCut, and how many more."""
    pairs = compare_pairs(by_root(one, "off"), by_root(one, t))
    return f"{pairs.better} : {pairs.worse}"


def probcut_page(figures: Figures) -> list[str]:
    """By t."""
    rows = [
        [
            name,
            "∞" if t == f"{ENDLESS:g}" else t,
            f"{visits(one, t) / visits(one, 'off'):.3f}",
            fewer_and_more(one, t),
            share_of(sum(errors(one, t)), len(one[t]), 1),
        ]
        for name, one in without_seed(figures).items()
        for t in one
        if t != "off"
    ]
    head = (
        "roots",
        "t",
        "positions visited, of those of alpha-beta",
        "roots with fewer : with more",
        "roots with another value",
    )
    return table(head, rows)


def without_seed(figures: Figures) -> dict[str, Any]:
    """What was measured, by kind of roots."""
    return {name: one for name, one in only(figures).items() if isinstance(one, dict)}


def endless_is_alphabeta(figures: Figures) -> Found:
    """Value and positions of every root."""
    pairs = [
        a == b
        for one in without_seed(figures).values()
        for a, b in zip(map(list, one[f"{ENDLESS:g}"]), map(list, one["off"]), strict=True)
    ]
    return never(sum(pairs), len(pairs), "roots with the value and the positions of alpha-beta")


def finite_saves(kind: str, t: float) -> Any:
    """Whether a bound t visits fewer positions of roots of a kind, root by root, and what that costs."""

    def judge(figures: Figures) -> Found:
        one = next((one for name, one in without_seed(figures).items() if name.startswith(kind)), None)
        if one is None:
            return "not decided", "measured at the full size alone"
        verdict, text = greater(by_root(one, "off"), by_root(one, f"{t:g}"), 1.0)
        wrong = share_of(sum(errors(one, f"{t:g}")), len(one["off"]), 1)
        ratio = visits(one, f"{t:g}") / visits(one, "off")
        return verdict, f"positions saved a root: {text}; all roots together {ratio:.3f}; another value in {wrong}"

    return judge


def draw_probcut(path: Path, figures: Figures) -> None:
    """Positions visited and rates of error by t."""
    figure, axes = quiet_pyplot().subplots(1, 2, figsize=(8.6, 3.6), layout="constrained")
    for name, one in without_seed(figures).items():
        axes[0].plot(CUTS, [visits(one, f"{t:g}") / visits(one, "off") for t in CUTS], marker="o", markersize=4, label=name)
        axes[1].plot(
            CUTS, [100 * sum(errors(one, f"{t:g}")) / len(one["off"]) for t in CUTS], marker="o", markersize=4, label=name
        )
    axes[0].axhline(1.0, color="0.6", linewidth=0.8)
    axes[0].set(xlabel="t", ylabel="positions visited, of alpha-beta's", ylim=(0, 1.25))
    axes[1].set(xlabel="t", ylabel="roots with another value, %", ylim=(0, None))
    for axis in axes:
        axis.legend(frameon=False, fontsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    keep_picture(figure, path)


PROBCUT = Part(
    name="probcut",
    title="claim 9: ProbCut",
    works={"measured": Work(measure_probcut, is_seeded=False, units=2)},
    lines=probcut_page,
    claims=(
        Claim(9, "with t → ∞ it is alpha-beta", endless_is_alphabeta, (KIND,)),
        *(
            Claim(
                9, f"with t = {t:g} it visits fewer positions at a measured error rate: {roots}", finite_saves(kind, t), (KIND,)
            )
            for kind, roots in (("Othello", "Othello"), ("random", "random trees"))
            for t in CUTS
        ),
    ),
    pictures={"cuts": draw_probcut},
    made_of=(
        2,
        CUTS,
        FOREST_DEPTH,
        OTHELLO_DEPTH,
        OTHELLO_ROOTS,
        OTHELLO_PLIES,
        OTHELLO_SEED,
        DEEP,
        SHALLOW,
        FOREST_FIT,
        OTHELLO_FIT,
        digest(LAYERS),
    ),
)
