"""A recorded game as a page: one HTML file, to step through in a browser, without a server or a network.

It holds the built component <boardgym-replay> and what `boardgym.core.description` says of the game and of each position.
Names, comments and tags in it may be a stranger's: they stand in the file as text alone, and the page's own policy lets no
other script run than the component.
"""

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from boardgym.baselines.arena.record import GameRecord
from boardgym.core.board import Board
from boardgym.core.description import describe_board, describe_game
from boardgym.core.escape import printable

Json = dict[str, Any]

STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; background: light-dark(#fff, #16181c);
  color: light-dark(#22252a, #e8eaed); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; margin: 0 0 0.2rem; }
p { margin: 0 0 0.8rem; color: light-dark(#5b6169, #a3aab4); }
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
<script type="module">{script}</script>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{players}</p>
<boardgym-replay whole-page><script type="application/json">{data}</script></boardgym-replay>
<noscript>This page needs JavaScript to show the board.</noscript>
</main>
</body>
</html>
"""


def replay_page(record: GameRecord) -> bytes:
    """The page of a recorded game, in UTF-8.

    Raises: as `GameRecord.start_board`, and IllegalActionError for a move that is not allowed.
    """
    script = (files("boardgym.web") / "static" / "board.js").read_text(encoding="utf-8")
    data = replay_data(record)
    seats = [f"{seat}: {policy}" for seat, policy in zip(data["game"]["seats"], record.policies, strict=True)]
    tags = [f"{name}: {value}" for name, value in record.tags.items()]
    end = [] if data["states"][-1]["outcome"] else [f"{record.reason} {record.message}".strip()]
    page = PAGE.format(
        policy=f"default-src 'none'; base-uri 'none'; script-src '{_digest(script)}'; style-src '{_digest(STYLE)}'",
        title=_text(f"{data['game']['title']}: {data['states'][-1]['status']}"),
        style=STYLE,
        script=script,
        players=_text(" · ".join([*seats, *tags, *end])),
        data=json_in_html(data),
    )
    return page.encode("utf-8", "replace")  # a name may hold halves of signs, which no file can


def replay_data(record: GameRecord, board: Board | None = None) -> Json:
    """What <boardgym-replay> shows: game, states, comments [[number of moves before it, text]], and pieces.

    The states are those of `describe_board`, with pieces as indices of the list `pieces`, -1 for none; without legal actions,
    and with the record of moves in the last alone. board: as the record begins; it is played on. Raises as `replay_page`.
    """
    board = record.start_board() if board is None else board
    states = [describe_board(board)]
    for move in record.moves:
        board.push_move(move)
        states.append(describe_board(board))
    kinds: dict[tuple[Any, ...], int] = {}
    for state in states:
        state["actions"] = []
        state["pieces"] = [
            -1 if piece is None else kinds.setdefault(tuple(piece.items()), len(kinds)) for piece in state["pieces"]
        ]
    for state in states[:-1]:
        state["moves"] = []
    return {
        "game": describe_game(board.game),
        "states": states,
        "comments": [[ply, printable(text)] for ply, text in record.comments],
        "pieces": [dict(kind) for kind in kinds],
    }


def json_in_html(data: Any) -> str:
    """JSON that may stand within a script element: it holds no sign that could end it, nor any beyond ASCII."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _text(text: str) -> str:
    return escape(printable(text))


def _digest(content: str) -> str:
    """How a page's policy names a script or style that stands in the page."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
