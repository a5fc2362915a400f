"""Every game, and every named variant of one, for the tests that all of them must pass."""

from typing import Any

import pytest

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("TicTacToe-v0", {}),
    ("ConnectFour-v0", {}),
    ("ConnectFour-v0", {"width": 5, "height": 4}),
    ("ConnectFour-v0", {"width": 9, "height": 5}),
    ("Othello-v0", {}),
    ("Othello-v0", {"size": 6}),
    ("Othello-v0", {"size": 4}),
    ("NineMensMorris-v0", {}),
    ("NineMensMorris-v0", {"flying": False}),
    ("NineMensMorris-v0", {"variant": "lasker"}),
    ("NineMensMorris-v0", {"variant": "twelve"}),
    ("NineMensMorris-v0", {"draw": "first_repetition"}),
    ("NineMensMorris-v0", {"draw": "three_action_loop"}),
    ("Abalone-v0", {}),
    ("Abalone-v0", {"rewards": "material"}),
    ("Abalone-v0", {"no_move": "loss"}),
    ("Abalone-v0", {"no_move": "pass"}),
    ("Abalone3-v0", {}),
    ("CardPoints-v0", {}),
    ("CardPoints-v0", {"n_cards": 2}),
    ("CardPoints-v0", {"n_cards": 52}),
    ("Backgammon-v0", {}),
    ("Backgammon-v0", {"scoring": "win"}),
]
# Of each game's variants the one that differs most, by its widest words, its lines or what it pays: for what is compiled for
# each of them anew, and is the same for all.
COMPILED: list[tuple[str, dict[str, Any]]] = [
    ("ConnectFour-v0", {"width": 9, "height": 5}),
    ("Othello-v0", {"size": 6}),
    ("NineMensMorris-v0", {"variant": "twelve"}),
    ("Abalone-v0", {"rewards": "material"}),
    ("CardPoints-v0", {"n_cards": 52}),
]
# a game without a limit on plies, which pays on the way: for all that is compiled for the natively stepped boards
ENDLESS = {"no_push_limit": 0, "rewards": "material"}


def label(case: tuple[str, dict[str, Any]]) -> str:
    """For example "Othello-size=6"."""
    return "-".join([case[0].partition("-")[0], *(f"{name}={value}" for name, value in case[1].items())])


def is_compiled(case: tuple[str, dict[str, Any]]) -> bool:
    """Whether a variant is a game's usual one, or the one of `COMPILED`."""
    return not case[1] or case in COMPILED


MARKS = {
    "endings": {"draw", "no_move", "rewards", "scoring"},
    "sizes": {"width", "size", "variant", "n_cards"},
}


def as_parameter(case: tuple[str, dict[str, Any]], *more: Any) -> Any:
    """The variant as a test's parameter; marked if it differs from another one only in how it ends, or only in its size."""
    marks = [getattr(pytest.mark, mark) for mark, options in MARKS.items() if not options.isdisjoint(case[1])]
    return pytest.param(case, id=label(case), marks=[*marks, *more])


def compiled_or_plain(case: tuple[str, dict[str, Any]]) -> Any:
    """The same; what `is_compiled` does not name runs as Python."""
    return as_parameter(case, *[pytest.mark.plain(boards=True)] * (not is_compiled(case)))


every_variant = pytest.mark.parametrize("case", [as_parameter(case) for case in VARIANTS])
# for environments: variants that change only when a game ends are left out, not those that change the actions or the pay
every_environment = pytest.mark.parametrize(
    "case", [compiled_or_plain(case) for case in VARIANTS if "draw" not in case[1] and case[1].get("no_move") != "loss"]
)
# for code that is the same for all games: a plain one, one with repetition, one with dice, one with three seats
TYPICAL = ["TicTacToe-v0", "NineMensMorris-v0", "Backgammon-v0", "Abalone3-v0"]
typical_games = pytest.mark.parametrize("game", TYPICAL)
every_game = pytest.mark.parametrize("game", [game for game, options in VARIANTS if not options])
