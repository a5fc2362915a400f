"""`--web`: opens in the studio what a command would show on the terminal.

A studio that runs for the usual data folder is used; otherwise one is started, which serves until Ctrl-C. There is a function
for the first word of each command that takes `--web`: it is given the command's settings, asks the studio for what is to be
shown, and returns where that is on the page.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from boardgym.commands.arguments import UsageError
from boardgym.commands.studio import ADDRESS, TOKEN, Call, Opening, Studio, TakenError, body_of, usual_folder
from boardgym.commands.users_games import REGISTERED
from boardgym.core.board import Board
from boardgym.core.game import Game, get_game, read_options
from boardgym.core.policy_spec import PATH_SPECS, Spec, parse_spec

WAIT_S, LOOK_S = 30.0, 0.1  # for another studio to say where it is; between two looks


def show(name: str, settings: Any) -> int:
    """Opens what a command is asked for. Returns the exit status. Raises UsageError."""
    page = PAGES[name.split()[0]]
    files = [str(file) for file in REGISTERED]  # of the user's own games

    def begin(call: Call) -> str:
        return page(name, settings, call)

    try:
        return Studio(load=tuple(files), trust=bool(getattr(settings, "trust", False))).serve(begin)
    except TakenError:
        address, token = running()
        Opening(address, token, begin).open()
    return 0


def running() -> tuple[str, str]:
    """(address, token) of the studio that has the usual folder. Raises UsageError if it does not say where it is."""
    folder, deadline = usual_folder(), time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        try:
            return (folder / ADDRESS).read_text().strip(), (folder / TOKEN).read_text().strip()
        except OSError:
            time.sleep(LOOK_S)  # it is being started
    raise UsageError(f"the studio that has the folder {folder} does not say where it is; end it, and try again")


def known(call: Call, game: str) -> Game:
    """A game that the studio has too. Raises UsageError for one of a user's file that it was not given."""
    found = get_game(game)
    if found.id not in {one["id"] for one in call("GET", "/games")}:
        files = " ".join(str(file) for file in REGISTERED) or "FILE.py"
        raise UsageError(f"the studio that runs does not know {found.id}: end it, or start it with --load {files}")
    return found


def refuse(settings: Any, usual: Any, names: tuple[str, ...]) -> None:
    """Raises UsageError for settings that say nothing to the studio, where they are not as usual."""
    for name in names:
        if getattr(settings, name, None) != getattr(usual, name, None):
            raise UsageError(f"--{name.replace('_', '-')} is for the terminal; leave it out, or leave out --web")


def absolute(spec: str) -> str:
    """A spec whose files are found from everywhere: a studio that runs may have begun in another folder. Raises SpecError."""
    for name, path in set(paths_of(parse_spec(spec))):
        if Path(path).exists():
            full = f"{name}:{Path(path).absolute()}".replace("\\", r"\\")
            spec = re.sub(rf"\b{name}\s*:\s*{re.escape(path)}", full, spec)
    return spec


def paths_of(spec: Spec) -> Iterator[tuple[str, str]]:
    """(name, path) of the files in a spec, its settings and those within it."""
    values = [f"{spec.name}:{spec.argument}", *spec.keywords.values()]
    for name, _, path in (value.partition(":") for value in values):
        if name.strip() in PATH_SPECS:
            yield name.strip(), path.strip()
    for part in spec.inner:
        yield from paths_of(part)


# ------------------------------------------------------------ the commands


def play(name: str, settings: Any, call: Call) -> str:
    """A game that is begun."""
    refuse(settings, type(settings)(), ("record", "best"))
    body = {
        "game": known(call, settings.game).id,
        "options": read_options(settings.option),
        "seats": [
            {"kind": "human"} if spec == "human" else {"kind": "policy", "spec": absolute(spec)}
            for spec in (settings.first, settings.second)
        ],
        "moves": list(settings.moves),
    }
    body |= {"position": settings.position} if settings.position else {}
    body |= {"seed": settings.seed} if settings.seed != -1 else {}
    return f"#/play/{call('POST', '/plays', body)['id']}"


def analyse(name: str, settings: Any, call: Call) -> str:
    """A position, with the moves that led to it."""
    from boardgym.commands.common import load_board, load_game

    of_terminal = ("policy", "top", "json", "svg", "png", "tree", "tree_plies", "no_pruning", "best_first")
    refuse(settings, type(settings)(settings.game), of_terminal)
    known(call, settings.game)
    board = load_board(load_game(settings.game, settings.option), settings.position.split(), settings.moves)
    return line_of(board, settings.position)


def replay(name: str, settings: Any, call: Call) -> str:
    """A recorded game, which is among those of the room Games from then on."""
    refuse(settings, type(settings), ("gif", "svg", "html"))
    record = settings.record()
    known(call, record.game)
    content = json.loads(record.to_json())
    digest = hashlib.sha256(body_of(content)).hexdigest()
    file = next((one["id"] for one in call("GET", "/records/files") if one["digest"] == digest), None)
    if file is None:
        path = Path(settings.file)
        words = urlencode({"name": f"{path.stem[:150]}, game {settings.number}.jsonl"})
        file = call("POST", f"/records/files?{words}", content)["id"]
    (game,) = call("GET", f"/records?file={file}")["games"]
    return f"#/games/{game['id']}"


def train(name: str, settings: Any, call: Call) -> str:
    """A bot that is trained."""
    from boardgym.cli import read_settings
    from boardgym.web.forms import REDRAWS, form_of, own_of, plain

    learner, values = name.partition(" ")[2], values_of(settings)
    title = known(call, str(values["game"])).title
    redraws = {field: str(values[field]) for field in REDRAWS if values.get(field)}
    usual = values_of(read_settings(name, [f"--{field}={value}" for field, value in redraws.items()]))
    for field in own_of(type(settings)):
        if values.get(field) != usual.get(field):
            raise UsageError(f"--{field.replace('_', '-')} is for the terminal; leave it out, or leave out --web")
    values |= {"opponent": absolute(values["opponent"])} if values.get("opponent") else {}
    values |= {"start_from": str(Path(values["start_from"]).absolute())} if values.get("start_from") else {}
    shown = {field.name: field.default for field in form_of(learner, redraws).fields}
    given = {field: plain(values[field]) for field in shown if field in redraws or plain(values[field]) != shown[field]}
    body = {"name": f"{title}, {learner}", "form": learner, "given": given}
    return f"#/train/{call('POST', '/bots', body)['id']}"


def compete(name: str, settings: Any, call: Call) -> str:
    """A match, comparison or ladder that is played."""
    from boardgym.web.forms import OWN, command_form, plain

    refuse(settings, type(settings), tuple(field for field in OWN if field != "trust"))  # which the studio is given
    known(call, settings.game)
    given = dict[str, Any]()
    for field in command_form(name).fields:
        value = plain(getattr(settings, field.name))
        if field.is_policy:
            value = [absolute(str(one)) for one in value] if isinstance(value, list) else absolute(str(value))
        given |= {field.name: value} if value != field.default else {}
    return f"#/arena/{call('POST', '/arena', {'kind': name, 'given': given})['id']}"


def values_of(settings: Any) -> dict[str, Any]:
    """The settings of a command that trains, those of its configuration among them."""
    values = dict(vars(settings))
    return {**values, **vars(values.pop("config"))} if "config" in values else values


def line_of(board: Board, start: str) -> str:
    """Where the room Analyse shows a line. start: position string that it begins at; empty: the usual start."""
    game = board.game
    words = [("game", game.id), *(("option", f"{name}={value}") for name, value in changed_options(game).items())]
    words += [("fen", start)] if start else []
    words += [("moves", " ".join(board.moves()))] if board.moves() else []
    return f"#/analyse?{urlencode(words, quote_via=quote)}"


def changed_options(game: Game) -> Mapping[str, Any]:
    """The rule options in which a game is not the usual one."""
    usual = get_game(game.id).options
    return {name: value for name, value in game.options.items() if value != usual.get(name)}


PAGES: dict[str, Callable[[str, Any, Call], str]] = {
    "play": play,
    "analyse": analyse,
    "replay": replay,
    "train": train,
    "match": compete,
    "compare": compete,
    "ladder": compete,
}
