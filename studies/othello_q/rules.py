"""Claims 1 and 4 of the Othello study: the rules, and the benchmark players, against a reference in plain Python."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from boardgym.baselines.arena.openings import make_openings
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q import reference as ref
from boardgym.studies.othello_q.plans import (
    GAME,
    NUM_OPENINGS,
    OPENINGS,
    PLANS,
    PLAYERS,
    PLAYERS_SEEDS,
    RULES_SEEDS,
    TIES_SEEDS,
    seed_of,
)
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.verdicts import LEVEL, Found, all_of

FIRST_MOVES = ["c4", "d3", "e6", "f5"]
SEQUENCES = [4, 12, 56, 244, 1396]  # of 1 to 5 plies; the thesis has the first four
TIES_DRAWN = 200  # of a position
LEAST_TIES = 20  # positions with ties, of which all draws are counted


def cells_of(board: Board) -> tuple[ref.Cells, int]:
    """A board of the package as one of the reference, and the side to play."""
    position, side = board.position, ref.BLACK if board.to_play == 0 else ref.WHITE
    own, other = int(position.own), int(position.other)
    return [side * ((own >> k & 1) - (other >> k & 1)) for k in range(64)], side


def wrong_rules(board: Board) -> str:
    """What the package says of a position that the reference contradicts; empty if nothing."""
    cells, side = cells_of(board)
    expected = sorted(ref.moves(cells, side))
    if board.is_terminal != ref.is_over(cells):
        return "the end of the game"
    if board.is_terminal:
        ahead = ref.difference(cells, ref.BLACK)
        paid = float((ahead > 0) - (ahead < 0))
        return "" if list(board.returns()) == [paid, -paid] else "who has won"
    texts = [board.move_text(action) for action in board.legal_actions]
    if not expected:
        return "" if texts == ["pass"] else "a forced pass"
    if board.legal_actions != expected:
        return "the legal moves"
    for square in expected:
        board.push(square)
        found, _ = cells_of(board)
        board.pop()
        if found != ref.after(cells, square, side):
            return "what a move turns over"
    return ""


def check_rules(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Positions of random games, until there are as many as the plan has, and the first plies."""
    rng = np.random.default_rng(seed_of(RULES_SEEDS))
    count = passes = ends = 0
    wrong: dict[str, int] = {}
    while count < PLANS[size].positions:
        board = Board(GAME)
        while True:
            count += 1
            ends += board.is_terminal
            passes += not board.is_terminal and [board.move_text(action) for action in board.legal_actions] == ["pass"]
            if what := wrong_rules(board):
                wrong[what] = wrong.get(what, 0) + 1
            if board.is_terminal:
                break
            board.push(int(rng.choice(board.legal_actions)))
    begin = Board(GAME)
    return {
        "positions": count,
        "passes": passes,
        "ends": ends,
        "wrong": wrong,
        "start": cells_of(begin)[0] == ref.start(),
        "first": sorted(begin.legal_moves),
        "sequences": [len(make_openings(GAME, f"sequences:{n}", count=10_000)) for n in range(1, 6)],
        "reference_sequences": [len(ref.openings(n)) for n in range(1, 6)],
        "boards": len({board.key for board in make_openings(GAME, OPENINGS, count=NUM_OPENINGS)}),
    }


def ties_of(player: Any, board: Board, best: list[int]) -> float:
    """The p of a chi-squared test that a player draws equally often each of several best moves."""
    drawn = [player.act(board) for _ in range(TIES_DRAWN)]
    return float(stats.chisquare([drawn.count(square) for square in best]).pvalue)


def check_players(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Positions of random games: whether each player plays a best move of the reference, and draws equally among ties."""
    found: dict[str, Any] = {}
    for number, name in enumerate(PLAYERS):
        rng = np.random.default_rng(seed_of(PLAYERS_SEEDS, number))
        player = make_policy(name, GAME, seed=seed_of(TIES_SEEDS, number))
        count = agree = endgames = 0
        ties: list[float] = []
        while count < PLANS[size].positions or (len(ties) < LEAST_TIES and count < 4 * PLANS[size].positions):
            board = Board(GAME)
            while not board.is_terminal:
                cells, side = cells_of(board)
                if best := ref.best_moves(name, cells, side):
                    count += 1
                    endgames += ref.is_endgame(cells)
                    agree += player.act(board) in best
                    if len(best) > 1 and len(ties) < LEAST_TIES:
                        ties.append(ties_of(player, board, best))
                board.push(int(rng.choice(board.legal_actions)))
        found[name] = {"positions": count, "agree": agree, "endgames": endgames, "ties": ties}
    return {"players": found}


# ---------------------------------------------------------------- verdicts and page


def plays_by_the_rules(figures: Figures) -> Found:
    """Every position, and what the study says of the first plies."""
    one = figures["rules"][0]
    flags = (
        one["start"],
        one["first"] == FIRST_MOVES,
        one["sequences"] == one["reference_sequences"] == SEQUENCES,
        not one["wrong"],
        one["passes"] > 0,
        one["ends"] > 0,
    )
    wrong = ", ".join(f"{what} {count}" for what, count in one["wrong"].items()) or "nothing"
    text = (
        f"first moves {' '.join(one['first'])}; {', '.join(map(str, one['sequences']))} sequences of 1 to 5 plies, those of 4 "
        f"lead to {one['boards']} boards; of {one['positions']:,} positions of random games, {one['passes']} with a pass "
        f"and {one['ends']} at the end, the reference contradicts {wrong}"
    )
    return ("shown" if all(flags) else "not shown"), text


def follow_the_equations(figures: Figures) -> Found:
    """Every move is among the best of the reference."""
    ones: Mapping[str, Any] = figures["players"][0]["players"]
    texts = [
        f"{name} {one['agree']:,} of {one['positions']:,} positions, {one['endgames']:,} of them in the endgame"
        for name, one in ones.items()
    ]
    is_shown = all(one["agree"] == one["positions"] and one["endgames"] for one in ones.values())
    return ("shown" if is_shown else "not shown"), "a best move by the equations: " + "; ".join(texts)


def draw_ties(figures: Figures) -> Found:
    """Chi-squared tests at 5 % together (Bonferroni)."""
    ones, texts, verdicts = figures["players"][0]["players"], [], []
    for name, one in ones.items():
        least, count = min(one["ties"], default=1.0), len(one["ties"])
        texts.append(f"{name}: {count} positions, {TIES_DRAWN} draws each, least p {least:.2g}")
        verdicts.append("not decided" if not count else "shown" if least * count >= LEVEL else "not shown")
    return all_of(verdicts), "; ".join(texts)  # type: ignore[arg-type]


def page(figures: Figures) -> list[str]:
    """How many positions each was checked at."""
    rows = []
    for one in figures.get("rules", ()):
        rows.append(["the rules", f"{one['positions']:,}", f"{one['positions'] - sum(one['wrong'].values()):,}"])
    for found in figures.get("players", ()):
        rows += [[name, f"{one['positions']:,}", f"{one['agree']:,}"] for name, one in found["players"].items()]
    return table(("checked by the reference", "positions", "agree"), rows) if rows else []


RULES = Part(
    name="rules",
    title="Claims 1 and 4: the rules and the benchmark players",
    works={
        "rules": Work(check_rules, is_seeded=False, holds=("positions", "wrong", "first", "sequences")),
        "players": Work(check_players, is_seeded=False, holds=("players",)),
    },
    lines=page,
    claims=(
        Claim(
            1,
            "start, first moves, sequences, passes and the end are those of the study",
            plays_by_the_rules,
            ("rules",),
            of_any_size=True,
        ),
        Claim(4, "the benchmark players follow equations (15) to (17)", follow_the_equations, ("players",), of_any_size=True),
        Claim(4, "they break ties at random", draw_ties, ("players",), of_any_size=True),
    ),
    readings=(
        ("depth of the benchmark players", "is not said", "one ply: the value of the position moved into"),
        ("terminal values of 1 beside scores of hundreds", "a win may lose to a position", "a win is better than any position"),
        ("the endgame of the mobility player", "80 % alone is repeated", "80 % of the squares or all corners, for both"),
        ("244 states", "sequences of four plies", "all 244, which lead to 236 boards"),
    ),
    made_of=(2, TIES_DRAWN, LEAST_TIES),
)
