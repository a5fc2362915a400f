"""Claims 7 to 9: searches that look at more where it matters, or at less: quiescence, singular extensions, beams, ProbCut."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.search import probcut
from boardgym.baselines.search.common import NODES, VALUE, make_reply
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.studies.adversarial_search.measuring import EQUAL, analyse, never, only, random_boards
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found, of_every_run, share_of
from boardgym.testing.trees import DELAYED, FOREST, GRABBED, HIDDEN, LAYERS, tree

KIND = "measured"
PLAIN = "alphabeta=1"  # as it is anyway
DECISIONS = ("", "quiescence=8", "singular=0.3")  # in Connect Four
DEPTHS = (1, 2, 3, 5)
PLIES = (12, 26)
POSITIONS = f"Positions after {PLIES[0]} to {PLIES[1]} random plies in which some move gives the result away"
QUIET, SINGULAR = ("quiescence=1", "quiescence=5"), ("singular=0.4",)  # on the trees built for them
TREES = {"a gain that the reply takes back, one ply": "grabbed", "a loss that can be delayed, four plies": "delayed"}


def played(spec: str, board: Board) -> tuple[int, float, int]:
    """Action, value and positions visited as in play, where the root is pruned too."""
    policy, reply = make_policy(spec, board.game, seed=0), make_reply(0)
    action = policy._search(board, policy.rng.copy(), True, reply)
    return action, float(reply.report[VALUE]), int(reply.report[NODES])


# ---------------------------------------------------------------- 7: quiescence, and the horizon


def keeps_value(board: Board, action: int, exact: Any) -> bool:
    """Whether an action gives away nothing: won, drawn or lost as before."""
    return bool(exact.action_values[action] == max(exact.action_values.values()))


def decisions(size: float) -> dict[str, list[bool]]:
    """In Connect Four, whether the choice of each search keeps what the position is worth, by depth and option."""
    game = get_game("ConnectFour-v0")
    perfect, found = make_policy("perfect", game, seed=0), dict[str, list[bool]]()
    for board in random_boards(game, scaled(400, size, 10), PLIES, 17):
        exact = perfect.analyse(board)
        if len(set(exact.action_values.values())) > 1:  # else nothing can be given away
            for depth in DEPTHS:
                for options in DECISIONS:
                    spec = f"minimax:{depth}" + (f",{options}" if options else "")
                    found.setdefault(spec, []).append(keeps_value(board, analyse(spec, board).action, exact))
    return found


def measure_horizon(place: Place, seed: int, size: float) -> dict[str, Any]:
    """The two trees that were built for it, and Connect Four against its exact solution, at the full size alone."""
    grab = {options: of_tree(GRABBED, f"minimax:1,{options}") for options in (PLAIN, "quiescence=1", "quiescence=5")}
    grab["deeper"] = of_tree(GRABBED, f"minimax:2,{PLAIN}")
    delay = {options: of_tree(DELAYED, f"minimax:4,{options}") for options in (PLAIN, "singular=0.4")}
    delay["deeper"] = of_tree(DELAYED, f"minimax:5,{PLAIN}")
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
    made_of=(2, DECISIONS, DEPTHS, PLIES),
)


# ---------------------------------------------------------------- 8: beams

BEAM_DEPTH = 6
BEAMS = (1, 2, 3)  # of trees with three branches: the last is the full search


def measure_beam(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Random trees by beams, tic-tac-toe by beams as wide as there are moves, and the tree that was built for it."""
    trees = [
        {str(beam): played(f"minimax:{BEAM_DEPTH},table=0,beam={beam}", tree(root))[1:] for beam in BEAMS}
        for root in LAYERS[: scaled(40, size, 10)]
    ]
    wide = []
    for board in random_boards(get_game("TicTacToe-v0"), scaled(100, size, 10), (2, 6), 8):
        beam = len(board.legal_actions)
        full, found = (analyse(f"minimax:9,{options}", board) for options in (PLAIN, f"beam={beam}"))
        wide.append((found.value, found.action, found.nodes) == (full.value, full.action, full.nodes))
    hidden = {options: of_tree(HIDDEN, f"minimax:2,{options}") for options in (PLAIN, "beam=2")}
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
    made_of=(1, BEAM_DEPTH, BEAMS),
)


# ---------------------------------------------------------------- 9: ProbCut

CUTS = (0.5, 1.0, 1.5, 2.0, 3.0)
ENDLESS = 1e9  # t that cuts nothing
FOREST_DEPTH, OTHELLO_DEPTH = 7, 6


def cuts(boards: Sequence[Board], depth: int) -> dict[str, list[tuple[float, int]]]:
    """Value and positions visited of each board, by t; "off" without ProbCut."""
    found = {"off": [played(f"minimax:{depth},table=0", board)[1:] for board in boards]}
    for t in (*CUTS, ENDLESS):
        found[f"{t:g}"] = [played(f"minimax:{depth},table=0,probcut={t:g}", board)[1:] for board in boards]
    return found


def measure_probcut(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Random trees, and Othello at the full size alone, by the bound t."""
    with probcut.using(FOREST, probcut.fit_regression(FOREST, 4, 2, positions=80, most_plies=3, seed=1)):
        found = {f"random trees, {FOREST_DEPTH} plies": cuts([tree(root) for root in LAYERS], FOREST_DEPTH)}
    place.tell(1)
    if size == 1.0:
        boards = random_boards(get_game("Othello-v0"), 200, (4, 40), 6)
        found[f"Othello, {OTHELLO_DEPTH} plies"] = cuts(boards, OTHELLO_DEPTH)
    return found


def errors(one: dict[str, list[tuple[float, int]]], t: str) -> list[bool]:
    """Whether each root has another value than without ProbCut."""
    return [abs(a[0] - b[0]) > EQUAL for a, b in zip(one[t], one["off"], strict=True)]


def visits(one: dict[str, list[tuple[float, int]]], t: str) -> int:
    """Positions of all roots together."""
    return sum(count for _, count in one[t])


def probcut_page(figures: Figures) -> list[str]:
    """By t."""
    rows = [
        [
            name,
            "∞" if t == f"{ENDLESS:g}" else t,
            f"{visits(one, t) / visits(one, 'off'):.3f}",
            share_of(sum(errors(one, t)), len(one[t]), 1),
        ]
        for name, one in without_seed(figures).items()
        for t in one
        if t != "off"
    ]
    return table(("roots", "t", "positions visited, of those of alpha-beta", "roots with another value"), rows)


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


def finite_saves(kind: str) -> Any:
    """Whether every finite t visits fewer positions of roots of a kind, and what that costs."""

    def judge(figures: Figures) -> Found:
        one = next((one for name, one in without_seed(figures).items() if name.startswith(kind)), None)
        if one is None:
            return "not decided", "measured at the full size alone"
        names = [f"{t:g}" for t in CUTS]
        ratios = [visits(one, t) / visits(one, "off") for t in names]
        fewer = sum(ratio < 1.0 for ratio in ratios)
        each = [
            f"t = {t}: {ratio:.3f} of the positions, {share_of(sum(errors(one, t)), len(one[t]), 1)} of the values changed"
            for t, ratio in zip(names, ratios, strict=True)
        ]
        return of_every_run([ratio < 1.0 for ratio in ratios], len(ratios)), (
            f"fewer for {fewer} of {len(ratios)} values of t; {'; '.join(each)}"
        )

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
        Claim(9, "with finite t it visits fewer positions at a measured error rate: Othello", finite_saves("Othello"), (KIND,)),
        Claim(9, "the same: random trees", finite_saves("random"), (KIND,)),
    ),
    pictures={"cuts": draw_probcut},
    made_of=(1, CUTS, FOREST_DEPTH, OTHELLO_DEPTH),
)
