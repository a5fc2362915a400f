"""Claim 6: what evaluations say at the end of games, and whether solved positions stay what they are, deeper down."""

from typing import Any

from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.studies.adversarial_search.measuring import EQUAL, analyse, every, never, only, random_boards
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found
from boardgym.testing import by_definition

ENDS, ENDS_SEED = 200, 1  # random games
TRIED = {"TicTacToe": (200, (2, 6), 7), "ConnectFour": (200, (30, 38), 8), "Othello": (200, (52, 58), 9)}  # boards, plies, seed
BOTTOM = 60  # plies from any of them to the end, and more
DEEPER = (1, 2, BOTTOM)


def ends_of(name: str, count: int, seed: int) -> tuple[int, int, int, int]:
    """Random games: (ends whose estimate is what they pay, ends, other positions with an estimate within (-1, 1), those)."""
    game, right, inside, others = get_game(name), 0, 0, 0
    for number in range(count):
        board, policy = Board(game), make_policy("random", game, seed=seed + number)
        while not board.is_terminal:
            inside += abs(board.estimate()) < game.max_return
            others += 1
            board.push(policy.act(board))
        right += all(board.estimate(seat) == board.returns()[seat] for seat in (0, 1))
    return right, count, inside, others


def goes_on(board: Board, plies: int, over: set[Any]) -> bool:
    """Whether some line is not over after so many plies. over: what is known to be over by then; added to."""
    if board.is_terminal or (board.position, plies) in over:
        return False
    if plies == 0:
        return True
    for action in board.legal_actions:
        board.push(action)
        found = goes_on(board, plies - 1, over)
        board.pop()
        if found:
            return True
    over.add((board.position, plies))
    return False


def stays(board: Board, value: float, action: int, depth: int, memo: dict[Any, float]) -> bool:
    """Whether minimax by its definition, which stops at no proof, finds the same value deeper down, for the action too."""
    found = [by_definition.minimax(board, depth + more, memo) for more in DEEPER]
    found += [by_definition.value_after(board, action, depth + more - 1, memo) for more in DEEPER]
    return all(abs(one - value) < EQUAL for one in found)


def solved_early(name: str, size: float) -> dict[str, int]:
    """Positions that a search has solved while lines go on below its depth, and how many of them stay what they are."""
    count, plies, seed = TRIED[name]
    memo, over, depths, kept = dict[Any, float](), set[Any](), list[int](), 0
    boards = random_boards(get_game(f"{name}-v0"), scaled(count, size, 10), plies, seed)
    for board in boards:
        found = analyse(f"minimax:{BOTTOM}", board)
        if found.is_proven and goes_on(board, found.depth, over):
            depths.append(found.depth)
            kept += stays(board, found.value, found.action, found.depth, memo)
    return {"tried": len(boards), "solved": len(depths), "kept": kept, "deepest": max(depths, default=0)}


def measure(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Estimates at the ends of random games, and solved positions deeper down."""
    games = {name: ends_of(f"{name}-v0", scaled(ENDS, size, 10), ENDS_SEED) for name in TRIED}
    place.tell(1)
    return {"ends": games, "deeper": {name: solved_early(name, size) for name in TRIED}}


def page(figures: Figures) -> list[str]:
    """By game."""
    found = only(figures)
    rows = [[name, f"{ends[0]} of {ends[1]}", f"{ends[2]:,} of {ends[3]:,}"] for name, ends in found["ends"].items()]
    head = ("game", "ends whose estimate is their utility", "other positions with an estimate between a loss and a win")
    lines = table(head, rows)
    rows = [[name, *(str(one[key]) for key in ("tried", "solved", "deepest", "kept"))] for name, one in found["deeper"].items()]
    late = ("game", "late positions", "solved while lines go on", "by up to so many plies", "the same deeper down")
    return [*lines, *table(late, rows)]


def ends_are_paid(figures: Figures) -> Found:
    """At the ends of random games; before them no estimate is a win or a loss."""
    ends = only(figures)["ends"].values()
    return every([
        (sum(one[0] for one in ends), sum(one[1] for one in ends), "ends"),
        (sum(one[2] for one in ends), sum(one[3] for one in ends), "other positions"),
    ])  # fmt: skip


def solved_stays(figures: Figures) -> Found:
    """The value of solved positions, and what the action is worth that is played there."""
    found = only(figures)["deeper"].values()
    return never(sum(one["kept"] for one in found), sum(one["solved"] for one in found), "positions with the same value deeper")


CUTOFF = Part(
    name="cutoff",
    title="claim 6: the heuristic cut-off",
    works={"measured": Work(measure, is_seeded=False, units=2)},
    lines=page,
    claims=(
        Claim(6, "the evaluation is the utility at terminal positions", ends_are_paid, ("measured",)),
        Claim(6, "deeper search does not change solved positions", solved_stays, ("measured",)),
    ),
    made_of=(1, EQUAL, ENDS, ENDS_SEED, TRIED, DEEPER),
)
