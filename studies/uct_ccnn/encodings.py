"""Claim 1 of the UCT-CCNN study: positions as bits, read back by a reader of its own and held against the board's text."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from boardgym.baselines.networks.feature_maps import GameFeatures, last_mover, mover_map
from boardgym.core.board import Board
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS
from boardgym.studies.verdicts import Found, all_of, of_never

SEED = 1
MATRIX = "o--o--o|o-o-o|||ooo||ooo+ooo||ooo|||o-o-o|o--o--o"  # as the study prints it; o: a point
GROUND: dict[tuple[int, ...], str] = {(0, 0, 1): "-", (0, 1, 0): "|", (0, 1, 1): "+"}
HAND, SLIDES, FLIES = (0, 0), (0, 1), (1, 0)  # the phases, as two bits


def othello_text(bits: Sequence[int], own: str, other: str) -> str:
    """The squares of a board from its bits, as a position string has them."""
    signs = {(0, 0): "-", (0, 1): own, (1, 0): other}
    return "".join(signs.get((a, b), "?") for a, b in zip(bits[::2], bits[1::2], strict=True))


def morris_text(bits: Sequence[int], own: str, other: str) -> str:
    """The points of a board from its bits, rank by rank as the matrix has them; "?" where a cell cannot be so."""
    points: dict[tuple[int, ...], str] = {(0, 0, 0): ".", (1, 0, 0): own, (1, 0, 1): other}
    found = []
    for cell, sign in enumerate(MATRIX):
        code = tuple(bits[3 * cell : 3 * cell + 3])
        if sign != "o":
            found.append("" if GROUND.get(code) == sign else "?")
        else:
            found.append(points.get(code, "?"))
    return "".join(found)


def is_right(features: GameFeatures, board: Board) -> bool:
    """Whether the bits say what the board does, for who has moved and for the other."""
    seat, text = last_mover(board), board.fen()
    signs = ("X", "O") if features.game.id.startswith("Othello") else ("W", "B")
    rights = []
    for own in (seat, 1 - seat):
        bits = [int(bit) for bit in features(board, own)]
        if signs[0] == "X":
            rights.append(othello_text(bits, signs[own], signs[1 - own]) == text[:64])
            continue
        points = text.split(" ")[0].replace("/", "")
        hand, men = int(text.split(" ")[2].split(",")[own]), points.count(signs[own])
        phase = HAND if hand else FLIES if men <= 3 else SLIDES
        rights.append(morris_text(bits[:-2], signs[own], signs[1 - own]) == points and tuple(bits[-2:]) == phase)
    return all(rights)


def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Of each game: inputs, and how many positions of random games are read back as they are."""
    rng, found = np.random.default_rng(SEED), {}
    for k, (name, study) in enumerate(GAMES.items()):
        features, board = mover_map(study.game), Board(study.game)
        rights = total = passes = 0
        while total < PLANS[size].positions:
            if board.is_terminal:
                board = Board(study.game)
            board.push(int(rng.choice(board.legal_actions)))
            total += 1
            passes += board.moves()[-1] == "pass"
            rights += is_right(features, board)
        found[name] = {"inputs": len(features.names), "right": rights, "total": total, "passes": passes}
        place.tell(k + 1)
    return found


def counted(figures: Figures) -> Found:
    """128 and 149."""
    found = figures["encodings"][0]
    is_shown = all(found[name]["inputs"] == study.inputs for name, study in GAMES.items())
    return ("shown" if is_shown else "not shown"), ", ".join(
        f"{study.title} {found[name]['inputs']}" for name, study in GAMES.items()
    )


def read_back(figures: Figures) -> Found:
    """Every position of both games."""
    verdicts, texts = [], []
    for name, study in GAMES.items():
        one = figures["encodings"][0][name]
        verdict, text = of_never([True] * one["right"] + [False] * (one["total"] - one["right"]))
        verdicts.append(verdict)
        texts.append(f"{study.title}: {text} positions, {one['passes']} of them after a pass")
    return all_of(verdicts), "; ".join(texts)


def page(figures: Figures) -> list[str]:
    """By game."""
    if not figures.get("encodings"):
        return []
    rows = [
        [study.title, str(study.inputs), str(one["inputs"]), f"{one['right']:,} of {one['total']:,}", f"{one['passes']:,}"]
        for name, study in GAMES.items()
        for one in [figures["encodings"][0][name]]
    ]
    return table(("game", "inputs, study", "inputs", "positions read back as they are", "after a pass"), rows)


ENCODINGS = Part(
    name="encodings",
    title="claim 1: positions as bits",
    works={"encodings": Work(measure, is_seeded=False, units=len(GAMES), holds=tuple(GAMES))},
    lines=page,
    claims=(
        Claim(1, "a position has 128 inputs in Othello, 149 in Nine Men's Morris", counted, ("encodings",), of_any_size=True),
        Claim(
            1,
            "the bits give the board back, as the player who moved last sees it, and as the other",
            read_back,
            ("encodings",),
            of_any_size=True,
        ),
    ),
    readings=(
        ("whose phase the last two bits are", '"the player\'s"', "that of the player who moved last, as the bits of men"),
    ),
    made_of=(1, SEED),
)
