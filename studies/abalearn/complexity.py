"""Table 3.2 of the Abalearn study: how many moves there are to choose from, counted in games of random and of greedy play."""

import functools
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from boardgym.core.verbs import CHANCE
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Figures, Part, Work, scaled, spread

PRINTED = {"Abalone": "±80", "Othello": "±5", "Backgammon": "±420 (400 in the text)"}
GAMES = ("Abalone", "Othello", "Backgammon", "NineMensMorris", "ConnectFour", "TicTacToe")
STYLES = ("random", "greedy")
ROUNDS = 10  # games of each style and seed
ROLLS = 21  # different ones of two dice
LOOK_EVERY = 10  # turns, at whose beginning the ends of all ways to play it are counted


def count(name: str, place: Place, seed: int, size: float) -> dict[str, Any]:
    """Games of both styles: {style: means over all plies, and over the games}."""
    found: dict[str, Any] = {}
    for style in STYLES:
        policy = make_policy(style, name, seed=seed)
        legal, lengths, ends = [], [], []
        for number in range(scaled(ROUNDS, size)):
            own_seed = int(stream(seed, number)[0]) >> 1
            board, turns, before = Board(name, seed=own_seed), 0, CHANCE
            policy.reset(seed=own_seed)
            while not board.is_terminal:
                choices = board.legal_actions
                legal.append(len(choices))
                if board.game.num_outcomes and board.to_play != before:
                    turns += 1
                    if turns % LOOK_EVERY == 1:
                        ends.append(len(turn_ends(board)))
                before = board.to_play
                board.push(policy.act(board))
            lengths.append(len(board.actions) if not board.game.num_outcomes else turns)
        found[style] = {
            "legal": mean(legal),
            "most": max(legal),
            "length": mean(lengths),
            "ends": mean(ends) if ends else None,
        }
        place.tell(STYLES.index(style) + 1)
    return found


def turn_ends(board: Board) -> set[Any]:
    """The positions in which the turn that begins here can end."""
    seat, seen, ends = board.to_play, set(), set()
    start = board.copy()
    start.auto_roll = False
    waiting = [start]
    while waiting:
        now = waiting.pop()
        for action in now.legal_actions:
            after = now.copy()
            after.push(action)
            position = after.position
            if after.is_terminal or after.is_chance or after.to_play != seat:
                ends.add(position)
            elif position not in seen:
                seen.add(position)
                waiting.append(after)
    return ends


def branching(figures: Figures, name: str, style: str) -> list[float]:
    """Moves to choose from, of each seed: legal actions; with dice, ends of a turn times the rolls that there are."""
    found = [one[style] for one in figures[name]]
    return [one["legal"] if one["ends"] is None else ROLLS * one["ends"] for one in found]


def page(figures: Figures) -> list[str]:
    """Published beside counted."""
    rows = []
    for name in GAMES:
        if not figures.get(name):
            continue
        cells = [spread(branching(figures, name, style), 1) for style in STYLES]
        most = max(one[style]["most"] for one in figures[name] for style in STYLES)
        lengths = [spread([one[style]["length"] for one in figures[name]], 0) for style in STYLES]
        rows.append([name, PRINTED.get(name, "-"), *cells, str(most), *lengths])
    head = (
        "game",
        "branching, study",
        *(f"{style} play" for style in STYLES),
        "most legal actions of a ply",
        *(f"length, {style} play" for style in STYLES),
    )
    return [
        *table(head, rows),
        "Branching: legal actions a ply; of Backgammon the positions that a turn can end in, times the 21 rolls. "
        "Length: plies; of Backgammon turns. Abalone's games end by its draws too (third repetition, 200 plies with no "
        "marble lost). Means over the seeds with 95 % intervals (Student's t). Numbers of positions (chess 10^50, "
        "checkers 10^17, Backgammon 10^20, Othello below 10^30, Go 10^160, Abalone below 3^61) are bounds that no game "
        "shows.",
        "",
    ]


def draw(path: Path, figures: Figures) -> None:
    """Branching of both styles, with the printed figures."""
    plt = quiet_pyplot()
    names = [name for name in GAMES if figures.get(name)]
    figure, place = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    at = np.arange(len(names))
    for k, style in enumerate(STYLES):
        place.bar(at + 0.38 * (k - 0.5), [mean(branching(figures, name, style)) for name in names], 0.36, label=f"{style} play")
    printed = {"Abalone": 80, "Othello": 5, "Backgammon": 420}
    marked = [k for k, name in enumerate(names) if name in printed]
    place.plot(
        marked, [printed[names[k]] for k in marked], "k_", markersize=34, markeredgewidth=2.0, label="study", linestyle="none"
    )
    place.set(yscale="log", ylabel="moves to choose from")
    place.set_xticks(at, names, fontsize=8)
    place.spines[["top", "right"]].set_visible(False)
    place.legend(frameon=False)
    keep_picture(figure, path)


PART = Part(
    name="complexity",
    title="table 3.2: how many moves there are",
    works={name: Work(functools.partial(count, name), units=len(STYLES)) for name in GAMES},
    lines=page,
    claims=(),
    readings=(
        ("branching", "not said of which play", "random and greedy play (one ply, the game's heuristic) from the start"),
        ("a move of Backgammon", "not said", "a whole turn, over the 21 rolls"),
    ),
    pictures={"branching": draw},
    seeds=10,
    made_of=(1, GAMES, STYLES, ROUNDS, LOOK_EVERY),
)
