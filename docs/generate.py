"""Writes `docs/games.md` and the pictures in `docs/images/` from the registry: `python docs/generate.py`.

With `--check` it writes nothing and fails if they are not current; a test asks for that. The prose of a game is the
docstring of its rules file.
"""

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

import boardgym
from boardgym.core import verbs
from boardgym.core.game import Game
from boardgym.render.svg import draw_svg

DOCS = Path(__file__).resolve().parent
SHOWN = {  # moves of the pictures; what is rolled or dealt between them falls from the seed 1
    "Abalone": "a5b5 i9h8 a1b2 i5h5 b2c3 h9g8 b1b2 h4g4 b6c6 i7h7 a3b4 g8f7 b3c4 g4h4 d4e4 g7g8 a4b4 g9g8",
    "Abalone3": "i9h8 e1e2 a1b2 h9g8 f2f3 a2b3 e9e8 h4g4 a5b5 f9f8 g3g4 b3c4 h8g7 i5h5 b6b5 e8e7 d1d2 a4b4",
    "Backgammon": "13/8 13/10 24/21 24/20 10/6 6/2 6/2 8/4* bar/20 13/7 6/4 6/3 13/8 7/4",
    "CardPoints": "left left right",
    "ConnectFour": "4 4 4 4 4 2 2 6 3 3 5",
    "NineMensMorris": "b4 d6 a4 c4 a7 a1 g7 d7 d5 g1 d1 d2 e5 c5 c3 e4 e3 d3 b4-b6 e4-f4 g7-g4 f4-e4",
    "Othello": "f5 d6 c3 d3 c4 f4 f6 g5",
    "TicTacToe": "b2 a1 c3 a3 a2",
}
POSITION_STRING = "Position string"  # what a game's page has to say among other things
HEAD = """# Games

The rules, actions, observations and options of each game. A game's id works everywhere: in `boardgym.make(id)`,
`boardgym.Board(id)`, `gymnasium.make("boardgym/" + id)`, and on the command line.

This page is made from the rules files by `python docs/generate.py`; do not edit it.
"""


def main(*, is_check: bool) -> int:
    """Writes the files that are not current, or only names them. Returns the exit status."""
    stale = {path: text for path, text in pages().items() if not path.is_file() or path.read_text() != text}
    for path, text in stale.items():
        if not is_check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        print(f"{'not current' if is_check else 'written'}: {path.relative_to(DOCS.parent)}", file=sys.stderr)
    return 1 if is_check and stale else 0


def pages() -> dict[Path, str]:
    """Every generated file and what belongs in it."""
    known = [boardgym.get_game(game_id) for game_id in boardgym.list_games()]
    files = {DOCS / "images" / f"{game.module_name}.svg": picture(game) for game in known}
    files[DOCS / "games.md"] = "\n".join([HEAD, overview(known), *(page(game) for game in known)])
    return files


def picture(game: Game) -> str:
    """A position in mid-game as SVG."""
    board = boardgym.Board(game, seed=1)
    board.play(SHOWN.get(game.name, "").split())
    return draw_svg(board).rstrip() + "\n"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def listed(items: object) -> str:
    """Names in code style, separated by commas."""
    return ", ".join(f"`{item}`" for item in items) or "none"  # type: ignore[attr-defined]


def anchor(heading: str) -> str:
    """What leads to a heading, as GitHub makes it: letters, digits, - and _, lower case, blanks as -."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def overview(known: list[Game]) -> str:
    """One line a game."""
    rows = [
        [
            f"[{game.title}](#{anchor(game.title)})",
            f"`{game.id}`",
            str(game.num_seats),
            str(game.num_actions),
            " x ".join(map(str, game.observation_shape)),
            str(game.max_plies),
            listed(f"{name}={value}" for name, value in game.options.items()),
        ]
        for game in known
    ]
    return table(["game", "id", "seats", "actions", "observation", "longest game, plies", "options"], rows)


def page_of(game: Game) -> ModuleType:
    """The module whose docstring is the game's page: the rules file, or what puts a game of several files together."""
    names = [game.position_class.__module__, game.to_fen.__module__, game.position_class.__module__.rpartition(".")[0]]
    found = [sys.modules[name] for name in names if POSITION_STRING in (sys.modules[name].__doc__ or "")]
    if not found:
        raise ValueError(f"{game.id}: none of {', '.join(names)} has a docstring with the words {POSITION_STRING!r}")
    return found[0]


def page(game: Game) -> str:
    """Everything about a game."""
    module = page_of(game)
    path = Path(inspect.getfile(module)).resolve().relative_to(DOCS.parent).as_posix()
    planes = [[str(i), name] for i, name in enumerate(game.planes)]
    history = [[f"{game.name}-v{v.number}", v.released, v.change] for v in game.versions]
    optional = ("heuristic", "chance", "reward", "repetition_limit", "num_symmetries")
    has = [name for name in optional if verbs.has_rule(name, game.position_class)]
    facts = [
        ["ids", f"`{game.id}`; Gymnasium `boardgym/{game.id}`; PettingZoo `boardgym/{game.module_name.replace('_v', '-v')}`"],
        ["module", f"`boardgym.envs.{game.module_name}`; rules in [`{path}`](../{path})"],
        ["seats", ", ".join(f"{seat} {game.seat_name(seat)}" for seat in range(game.num_seats))],
        ["returns", f"{game.min_return:g} to {game.max_return:g}"],
        ["options", listed(f"{name}={value}" for name, value in game.options.items())],
        ["set-ups", listed([*game.setups, "random:a-b", *([] if game.num_outcomes else ["sequences:n"])])],
        ["start", f"`{game.to_fen(game.start)}`"],
        ["symmetries", str(int(verbs.num_symmetries(game.start)))],
        *([["outcomes of chance", str(game.num_outcomes)]] if game.num_outcomes else []),
        ["optional rules it has", listed(has)],
    ]
    shape, dtype = " x ".join(map(str, game.observation_shape)), np.dtype(game.observation_dtype).name
    return "\n".join(
        [
            f"## {game.title}\n",
            f"![a position of {game.title}](images/{game.module_name}.svg)\n",
            inspect.cleandoc(module.__doc__ or "") + "\n",
            table(["", ""], facts),
            f"Observation ({shape}, {dtype}, 0 to {game.observation_max}), the planes:\n",
            table(["plane", "holds"], planes),
            "Versions:\n",
            table(["id", "since boardgym", "change"], history),
        ]
    )


if __name__ == "__main__":
    sys.exit(main(is_check="--check" in sys.argv[1:]))
