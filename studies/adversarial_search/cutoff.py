"""Claim 6: evaluations at the end of games, and solved positions that are searched deeper."""

from collections.abc import Sequence
from typing import Any

from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.studies.adversarial_search.measuring import analyse, every, never, only, random_boards
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled
from boardgym.studies.verdicts import Found


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


def deeper_is_equal(boards: Sequence[Board], depth: int) -> tuple[int, int]:
    """(how many solved positions keep value and action when the search may go deeper, how many there are)."""
    kept, solved = 0, 0
    for board in boards:
        found = analyse(f"minimax:{depth}", board)
        if found.is_proven:
            solved += 1
            more = [analyse(f"minimax:{deeper}", board) for deeper in (depth + 1, depth + 4, 60)]
            kept += all((one.value, one.action) == (found.value, found.action) for one in more)
    return kept, solved


def measure_cutoff(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Estimates at the ends of random games, and solved positions searched deeper."""
    games = {name: ends_of(f"{name}-v0", scaled(200, size, 10), 1) for name in ("TicTacToe", "ConnectFour", "Othello")}
    place.tell(1)
    some = scaled(100, size, 10)
    late = {
        "TicTacToe": (random_boards(get_game("TicTacToe-v0"), some, (2, 6), 7), 8),
        "ConnectFour": (random_boards(get_game("ConnectFour-v0"), some, (28, 36), 8), 14),
        "Othello": (random_boards(get_game("Othello-v0"), some, (52, 58), 9), 16),
    }
    return {"ends": games, "deeper": {name: deeper_is_equal(*one) for name, one in late.items()}}


def cutoff_page(figures: Figures) -> list[str]:
    """By game."""
    found = only(figures)
    rows = [
        [name, f"{ends[0]} of {ends[1]}", f"{ends[2]:,} of {ends[3]:,}", "{} of {}".format(*found["deeper"][name])]
        for name, ends in found["ends"].items()
    ]
    return table(
        ("game", "ends whose estimate is their utility", "other positions with an estimate between a loss and a win",
         "solved positions that deeper searches leave as they are"),
        rows,
    )  # fmt: skip


def ends_are_paid(figures: Figures) -> Found:
    """At the ends of random games; before them no estimate is a win or a loss."""
    ends = only(figures)["ends"].values()
    return every([
        (sum(one[0] for one in ends), sum(one[1] for one in ends), "ends"),
        (sum(one[2] for one in ends), sum(one[3] for one in ends), "other positions"),
    ])  # fmt: skip


def solved_stays(figures: Figures) -> Found:
    """Value and action of solved positions."""
    found = only(figures)["deeper"].values()
    return never(sum(one[0] for one in found), sum(one[1] for one in found), "solved positions with the same value and action")


CUTOFF = Part(
    name="cutoff",
    title="claim 6: the heuristic cut-off",
    works={"measured": Work(measure_cutoff, is_seeded=False, units=2)},
    lines=cutoff_page,
    claims=(
        Claim(6, "the evaluation is the utility at terminal positions", ends_are_paid, ("measured",)),
        Claim(6, "deeper search does not change solved positions", solved_stays, ("measured",)),
    ),
)
