"""Claims 1, 2, 4 and 5: alpha-beta, the table and max-n find what minimax and max-n are by definition."""

from collections.abc import Sequence
from typing import Any

from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.studies.adversarial_search.measuring import (
    EQUAL,
    all_counted,
    analyse,
    every,
    last_nodes,
    never,
    only,
    random_boards,
)
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found, Verdict
from boardgym.testing import by_definition
from boardgym.testing.trees import (
    FOREST_OF_THREE,
    LAYERS,
    LAYERS_OF_THREE,
    TENTHS,
    THREE,
    UNIFORM_DEPTHS,
    UNIFORMS,
    digest,
    tree,
)

OPTIONS = ("alphabeta=0", "table=0", "killers=0,history=0", "order=heuristic", "order=worst", "pvs=1", "aspiration=0.05",
           "pvs=1,aspiration=0.2,order=heuristic")  # fmt: skip
DEEP = 9  # of tic-tac-toe: to its end
SOME = 40  # positions or trees of a kind
SHARING_DEPTH = 6
ROOTS = [root for roots in UNIFORMS.values() for root in roots]
# name -> game, its options, plies and seed of random positions, depth to the end, whether all exact options are tried too
PLAYED: dict[str, tuple[str, dict[str, int], tuple[int, int], int, int, bool]] = {
    "tic-tac-toe": ("TicTacToe-v0", {}, (2, 6), 1, DEEP, True),
    "Connect Four, 4 x 4": ("ConnectFour-v0", {"width": 4, "height": 4}, (7, 12), 3, 16, False),
    "Othello, 4 x 4": ("Othello-v0", {"size": 4}, (4, 9), 4, 30, False),
    "Othello, its last six discs": ("Othello-v0", {}, (54, 58), 5, 16, False),
}


# ---------------------------------------------------------------- 1: the same value


def domains(size: float) -> dict[str, tuple[list[Board], int, bool]]:
    """Name -> (positions, depth in plies, whether all exact options are tried too)."""
    some = scaled(SOME, size, 10)
    found = {
        "uniform random trees": ([tree(root) for root in ROOTS], 1 + max(UNIFORM_DEPTHS.values()), True),
        "random trees that share nodes": ([tree(root) for root in LAYERS[:some]], SHARING_DEPTH, True),
    }
    for name, (game, options, plies, seed, depth, has_options) in PLAYED.items():
        found[name] = random_boards(get_game(game, **options), some, plies, seed), depth, has_options
    return found


def measure_values(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Values of alpha-beta beside those of minimax by its definition."""
    found = {}
    for number, (name, (boards, depth, has_options)) in enumerate(domains(size).items()):
        expected = [by_definition.minimax(board.copy(), depth, {}) for board in boards]
        right, tried, tried_right = 0, 0, 0
        for board, value in zip(boards, expected, strict=True):
            right += abs(analyse(f"minimax:{depth}", board).value - value) < EQUAL
            for options in OPTIONS if has_options else ():
                tried += 1
                tried_right += abs(analyse(f"minimax:{depth},{options}", board).value - value) < EQUAL
        found[name] = {"positions": len(boards), "depth": depth, "right": right, "tried": tried, "tried_right": tried_right}
        place.tell(number + 1)
    return {"domains": found}


def values_page(figures: Figures) -> list[str]:
    """A line for each kind of tree."""
    rows = [
        [
            name,
            str(one["positions"]),
            str(one["depth"]),
            str(one["right"]),
            f"{one['tried_right']} of {one['tried']}" if one["tried"] else "",
        ]
        for name, one in only(figures)["domains"].items()
    ]
    head = ("trees", "roots", "plies", "alpha-beta has the value of minimax", "so it has with each exact option")
    return table(head, rows)


def same_values(figures: Figures) -> Found:
    """In every position, by alpha-beta as it is and with every exact option."""
    found = only(figures)["domains"].values()
    return every([
        (sum(one["right"] for one in found), sum(one["positions"] for one in found), "positions with the value of minimax"),
        (sum(one["tried_right"] for one in found), sum(one["tried"] for one in found), "with exact options"),
    ])  # fmt: skip


VALUES = Part(
    name="values",
    title="claim 1: alpha-beta finds the value of minimax",
    works={"measured": Work(measure_values, is_seeded=False, units=6)},
    lines=values_page,
    claims=(Claim(1, "minimax and alpha-beta give the same root value on every tested tree", same_values, ("measured",)),),
    made_of=(2, EQUAL, OPTIONS, SOME, SHARING_DEPTH, UNIFORM_DEPTHS, PLAYED, digest([*ROOTS, *LAYERS])),
)


# ---------------------------------------------------------------- 2: tic-tac-toe


def reachable(board: Board, found: dict[Any, None]) -> dict[Any, None]:
    """All positions below a board that are not over, in the order in which they are met."""
    if not board.is_terminal and board.position not in found:
        found[board.position] = None
        for action in board.legal_actions:
            board.push(action)
            reachable(board, found)
            board.pop()
    return found


def follow(policy: Any, board: Board, seat: int, memo: dict[Any, int], results: list[int]) -> None:
    """Counts how all lines end in which `seat` plays by a policy and the other anything. results: lost, drawn, won; changed."""
    if board.is_terminal:
        results[int(board.returns()[seat]) + 1] += 1
        return
    actions = board.legal_actions
    if board.to_play == seat:
        if board.position not in memo:
            memo[board.position] = policy.act(board, deterministic=True)
        actions = [memo[board.position]]
    for action in actions:
        board.push(action)
        follow(policy, board, seat, memo, results)
        board.pop()


def measure_tic_tac_toe(place: Place, seed: int, size: float) -> dict[str, Any]:
    """The value of every position, and all lines against perfect play."""
    board, memo = Board("TicTacToe-v0"), dict[Any, float]()
    positions = list(reachable(board, {}))
    policy, chosen, right = make_policy(f"minimax:{DEEP}", board.game, seed=0), positions[:: max(1, round(1 / size))], 0
    for position in chosen:
        board.set_position(position)
        right += policy.analyse(board).value == by_definition.minimax(board, DEEP, memo)
    place.tell(1)
    lines = []
    for mine in (0, 1):
        results = [0, 0, 0]
        follow(policy, Board("TicTacToe-v0"), mine, {}, results)
        lines.append(results)
    return {"value": analyse(f"minimax:{DEEP}", Board("TicTacToe-v0")).value, "positions": len(positions), "tried": len(chosen),
            "right": right, "lines": lines}  # fmt: skip


def tic_tac_toe_page(figures: Figures) -> list[str]:
    """All lines, by seat."""
    found = only(figures)
    rows = [
        [seat, str(sum(results)), *(str(results[k]) for k in (2, 1, 0))]
        for seat, results in zip(("x, first", "o, second"), found["lines"], strict=True)
    ]
    return [
        f"The empty board is worth {found['value']:g}. Of {found['positions']:,} positions that are not over, "
        f"{found['tried']:,} were compared with minimax by its definition; {found['right']:,} have its value.",
        "",
        *table((f"`minimax:{DEEP}` plays", "lines against every reply", "won", "drawn", "lost"), rows),
    ]


def is_draw(figures: Figures) -> Found:
    """The empty board is worth 0, and every position what it is worth by definition."""
    found = only(figures)
    verdict, text = all_counted(found["right"], found["tried"], "positions with the right value")
    return (verdict if found["value"] == 0.0 else "not shown"), f"the empty board is worth {found['value']:g}; {text}"


def never_loses(figures: Figures) -> Found:
    """Of all lines."""
    lines = only(figures)["lines"]
    return all_counted(sum(r[1] + r[2] for r in lines), sum(map(sum, lines)), "lines that are not lost")


TIC_TAC_TOE = Part(
    name="tic_tac_toe",
    title="claim 2: tic-tac-toe is a draw",
    works={"measured": Work(measure_tic_tac_toe, is_seeded=False, units=2)},
    lines=tic_tac_toe_page,
    claims=(
        Claim(2, "the minimax value of the empty board is 0", is_draw, ("measured",)),
        Claim(2, "perfect play never loses", never_loses, ("measured",)),
    ),
    made_of=(1, DEEP),
)


# ---------------------------------------------------------------- 4: the transposition table

REMEDIES = {"neither": "alphabeta=0,table=0", "the table": "alphabeta=0", "alpha-beta": "table=0", "both": "pvs=0"}
LAYER_DEPTH = 7  # plies


def count_states(board: Board, found: set[Any]) -> int:
    """Distinct positions from a board on, those that are over too."""
    if board.position not in found:
        found.add(board.position)
        for action in board.legal_actions:
            board.push(action)
            count_states(board, found)
            board.pop()
    return len(found)


def measure_table(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Positions of the last iteration, and values, with alpha-beta and the table or without."""
    board, found = Board("TicTacToe-v0"), dict[str, Any]()
    for name, options in REMEDIES.items():
        found[name] = {"nodes": last_nodes(DEEP, options, board), "value": analyse(f"minimax:{DEEP},{options}", board).value}
    place.tell(1)
    trees = []
    for root in LAYERS[: scaled(SOME, size, 10)]:
        board = tree(root)
        values = [analyse(f"minimax:{LAYER_DEPTH},{options}", board).value for options in REMEDIES.values()]
        nodes = [last_nodes(LAYER_DEPTH, options, board) for options in REMEDIES.values()]
        trees.append({"nodes": nodes, "is_equal": max(values) - min(values) < EQUAL})
    return {"states": count_states(Board("TicTacToe-v0"), set()), "tic_tac_toe": found, "trees": trees}


def table_page(figures: Figures) -> list[str]:
    """Positions by what is on."""
    found = only(figures)
    trees = found["trees"]
    means = [sum(one["nodes"][k] for one in trees) / len(trees) for k in range(len(REMEDIES))]
    rows = [
        [name, f"{one['nodes']:,}", f"{one['value']:g}", f"{mean:,.0f}"]
        for (name, one), mean in zip(found["tic_tac_toe"].items(), means, strict=True)
    ]
    head = (
        "on",
        "tic-tac-toe, nine plies",
        "its value",
        f"{len(trees)} random trees that share nodes, {LAYER_DEPTH} plies, mean",
    )
    return [
        f"Positions visited by the last iteration, as in play. Tic-tac-toe has {found['states']:,} distinct positions.",
        "",
        *table(head, rows),
    ]


def saves(figures: Figures) -> Found:
    """In tic-tac-toe and in every tree, with alpha-beta and without it."""
    found, trees = only(figures), only(figures)["trees"]
    fewer = [one["nodes"][with_it] < one["nodes"][without] for one in trees for with_it, without in ((1, 0), (3, 2))]
    toe = found["tic_tac_toe"]
    fewer += [toe["the table"]["nodes"] < toe["neither"]["nodes"], toe["both"]["nodes"] < toe["alpha-beta"]["nodes"]]
    equal = [one["is_equal"] for one in trees] + [len({one["value"] for one in toe.values()}) == 1]
    return every([(sum(fewer), len(fewer), "fewer positions with the table"), (sum(equal), len(equal), "the same value")])


def states_are_few(figures: Figures) -> Found:
    """The searches with the table, without alpha-beta too, against all positions that there are."""
    states, toe = only(figures)["states"], only(figures)["tic_tac_toe"]
    alone, both = (toe[name]["nodes"] for name in ("the table", "both"))
    verdict: Verdict = "shown" if max(alone, both) <= states else "not shown"
    return verdict, f"{alone:,}, with alpha-beta {both:,}, of {states:,} positions, those that are over among them"


TABLE = Part(
    name="table",
    title="claim 4: the transposition table",
    works={"measured": Work(measure_table, is_seeded=False, units=2)},
    lines=table_page,
    claims=(
        Claim(4, "the transposition table visits fewer positions without changing values", saves, ("measured",)),
        Claim(
            4, "in tic-tac-toe its last iteration visits at most the 5,478 distinct positions", states_are_few, ("measured",)
        ),
    ),
    made_of=(2, EQUAL, REMEDIES, DEEP, LAYER_DEPTH, SOME, digest(LAYERS)),
)


# ---------------------------------------------------------------- 5: max-n


MAXN_DEPTHS = (1, 2, 3, 4, 5)


def end_of(board: Board, line: Sequence[int]) -> list[float]:
    """What the position at the end of a line is worth to each seat."""
    end = board.copy()
    for action in line:
        end.push(action)
    return [end.estimate(seat) for seat in range(board.game.num_seats)]


def is_maxn(board: Board, depth: int) -> bool:
    """Whether the search's value, its line and the vector at the end of that line are those of the definition."""
    found, (vector, line) = analyse(f"maxn:{depth}", board), by_definition.maxn(board, depth)
    own = end_of(board, found.principal_variation)
    return own == vector and list(found.principal_variation) == line and abs(found.value - own[board.to_play]) < EQUAL


def measure_maxn(place: Place, seed: int, size: float) -> dict[str, Any]:
    """The worked example, and random trees for three seats, by the search and by definition."""
    board = tree(THREE, FOREST_OF_THREE)
    found, (_, line) = analyse("maxn:3", board), by_definition.maxn(board, 3)
    vector = [round(10 * value, 9) for value in end_of(board, found.principal_variation)]
    roots = LAYERS_OF_THREE[: scaled(SOME, size, 10)]
    trees = [is_maxn(tree(root, FOREST_OF_THREE), depth) for root in roots for depth in MAXN_DEPTHS]
    return {"vector": vector, "line": line, "value": found.value, "own_line": list(found.principal_variation), "trees": trees}


def maxn_page(figures: Figures) -> list[str]:
    """The tree of the example, from the left."""
    found = only(figures)
    leaves = [f"({', '.join(map(str, vector))})" for vector in TENTHS]
    pairs = [f"{a} {b}" for a, b in zip(leaves[::2], leaves[1::2], strict=True)]
    chosen = [max(TENTHS[k : k + 2], key=lambda vector: vector[2]) for k in range(0, 8, 2)]
    rows = [[f"C's node {k + 1}", pair, str(vector)] for k, (pair, vector) in enumerate(zip(pairs, chosen, strict=True))]
    seconds = [max(chosen[k : k + 2], key=lambda vector: vector[1]) for k in (0, 2)]
    rows += [[f"B's node {k + 1}", f"{chosen[2 * k]} {chosen[2 * k + 1]}", str(vector)] for k, vector in enumerate(seconds)]
    vector = tuple(round(value) for value in found["vector"])
    rows.append(["A's root", f"{seconds[0]} {seconds[1]}", str(vector)])
    return table(("node of A, B, C", "children", "takes, by its own component"), rows)


def passes_up(figures: Figures) -> Found:
    """The example's vector and line, and every random tree."""
    found = only(figures)
    is_right = found["vector"] == [1.0, 2.0, 6.0] and abs(found["value"] - 0.1) < EQUAL and found["line"] == found["own_line"]
    verdict, text = never(
        sum(found["trees"]), len(found["trees"]), "searches of random trees with the line and the vector of the definition"
    )
    vector = ", ".join(f"{value:g}" for value in found["vector"])
    return (verdict if is_right else "not shown"), f"the line of the example's root ends in ({vector}); {text}"


MAXN = Part(
    name="maxn",
    title="claim 5: three players",
    works={"measured": Work(measure_maxn, is_seeded=False)},
    lines=maxn_page,
    claims=(Claim(5, "the mover's own component decides, and the whole vector is passed up", passes_up, ("measured",)),),
    readings=(
        (
            "the picture's other leaves",
            "lost; C's first node takes (1, 2, 6), which is the root's value",
            "made up to agree with that",
        ),
        ("ties", "not said", "the first child"),
    ),
    made_of=(2, EQUAL, TENTHS, MAXN_DEPTHS, SOME, digest([THREE, *LAYERS_OF_THREE])),
)
