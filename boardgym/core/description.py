"""Games and boards as plain JSON data: all that a page needs to draw any registered game, and to play it by clicks.

What a game's `Drawing` says is given by numbers and roles of colours; positions become pieces on spots, and legal actions
the places that are clicked for them. A game without a drawing has no spots and no places: its moves are a list.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from boardgym.compile import uncompiled
from boardgym.core import frames as fr
from boardgym.core.board import Board
from boardgym.core.board_summary import last_move, moved_spots, standing
from boardgym.core.drawing import Piece, Shape
from boardgym.core.errors import OptionError
from boardgym.core.game import Game, get_game
from boardgym.core.places import Place
from boardgym.core.validity import check_rows, row_of

Json = dict[str, Any]


def describe_game(game: str | Game, /, **options: Any) -> Json:
    """What a game's board looks like and where people click, as JSON data.

    Args:
        game: an id or a `Game`.
        options: rule options.

    Returns:
        id, title, options (name -> value), seats (names); size [width, height] in units, 64 a cell, [0, 0] without a drawing;
        shapes [{kind, numbers, fill, stroke, width, text}], the backdrop, as in `Shape`, fill and stroke a role or "none";
        palette {role: CSS colour}; spots [[x, y]], where pieces stand; places [{name, area: {kind, numbers}, middle [x, y],
        neighbours [up, right, down, left]}], what people click, as in `Place`; place_of_spot [place or -1]; brush, the pieces
        [{kind, colour, label}] that `set_up` takes, or None.

    Raises:
        UnknownGameError, OptionError: no such game or option.

    Example:
        >>> import boardgym
        >>> game = boardgym.describe_game("ConnectFour-v0")
        >>> [place["name"] for place in game["places"]], game["palette"]["piece-1"], len(game["spots"])
        (['1', '2', '3', '4', '5', '6', '7'], '#f2c230', 42)
    """
    game = get_game(game, **options)
    drawing = game.drawing
    said: Json = {
        "id": game.id,
        "title": game.title,
        "options": dict(game.options),
        "seats": [game.seat_name(seat) for seat in range(game.num_seats)],
        "size": [0.0, 0.0],
        "shapes": [],
        "palette": {},
        "spots": [],
        "places": [],
        "place_of_spot": [],
        "brush": None,
    }
    if drawing is None:
        return said
    palette = dict(drawing.palette)
    return said | {
        "size": list(drawing.size),
        "shapes": [_shape(shape, palette) for shape in drawing.backdrop],
        "palette": palette,
        "spots": [[spot.x, spot.y] for spot in drawing.spots],
        "places": [_place(place) for place in drawing.places],
        "place_of_spot": list(drawing.place_of_spot),
        "brush": None if drawing.controls.set_up is None else [_piece(piece) for piece in drawing.controls.brush],
    }


def describe_board(board: Board) -> Json:
    """A game in progress as JSON data: what stands where, what is legal and how it is clicked.

    Returns:
        fen; ply; to_play (a seat, CHANCE = -1, or None at the end); status, who is to play or how it ended; last_move (text or
        None); pieces [{kind, colour, label} or None], one a spot, colour k of the role "piece-k"; moved [spot], of the last
        move; winning [spot], of the lines that won; lines [[spot, spot]], their ends; notes [text]; actions [{action, move,
        clicks, spots}], the legal ones in ascending order, clicks the ways to click one, each a list of places, none for a
        pass, spots what it concerns, the piece arrives last; moves [text], the record with what chance brought; outcome
        {returns, reason} or None.

    Example:
        >>> import boardgym
        >>> state = boardgym.describe_board(boardgym.Board("Othello-v0"))
        >>> state["status"], state["actions"][0]
        ('black to play', {'action': 19, 'move': 'd3', 'clicks': [[19]], 'spots': [19]})
    """
    outcome, drawing = board.outcome(), board.game.drawing
    said: Json = {
        "fen": board.fen(),
        "ply": board.ply,
        "to_play": board.to_play if outcome is None else None,
        "status": standing(board),
        "last_move": None,
        "pieces": [],
        "moved": [],
        "winning": [],
        "lines": [],
        "notes": [],
        "moves": board.moves(),
        "outcome": None if outcome is None else {"returns": list(outcome.returns), "reason": outcome.reason.name.lower()},
    }
    with uncompiled():
        said["last_move"] = last_move(board)
        said["actions"] = [
            {
                "action": action,
                "move": move,
                "clicks": [list(way) for way in _clicks(board, action)],
                "spots": [] if drawing is None else list(drawing.action_spots(board.position, action)),
            }
            for action, move in zip(board.legal_actions, board.legal_moves, strict=True)
        ]
        if drawing is None:
            return said
        position = board.position
        lines = drawing.lines(position)
        return said | {
            "pieces": [None if piece is None else _piece(piece) for piece in drawing.pieces(position)],
            "moved": sorted(moved_spots(board)),
            "winning": drawing.winning_spots(position, lines),
            "lines": [list(ends) for ends in lines],
            "notes": list(drawing.notes(position)),
        }


def _clicks(board: Board, action: int) -> tuple[tuple[int, ...], ...]:
    """The ways to click a legal action."""
    drawing = board.game.drawing
    return () if drawing is None else drawing.clicks(board.position, action)


def _piece(piece: Piece) -> Json:
    return {"kind": piece.kind, "colour": piece.colour, "label": piece.label}


def _place(place: Place) -> Json:
    area = {"kind": place.kind, "numbers": list(place.numbers)}
    return {"name": place.name, "area": area, "middle": list(place.middle), "neighbours": list(place.neighbours)}


def _shape(shape: Shape, palette: dict[str, str]) -> Json:
    return {
        "kind": shape.kind,
        "numbers": list(shape.numbers),
        "fill": _role(shape.fill, palette),
        "stroke": _role(shape.stroke, palette),
        "width": shape.width,
        "text": shape.text,
    }


def _role(colour: str, palette: dict[str, str]) -> str:
    """The role of a colour of the backdrop. One given as CSS gets a role of its own, "shade-N", added to the palette."""
    if colour == "none" or colour in palette:
        return colour
    names = (f"shade-{number}" for number in itertools.count(1))
    role = next(name for name in names if palette.get(name, colour) == colour)
    palette[role] = colour
    return role


def why_not(board: Board, places: Sequence[int]) -> str:
    """Why clicking these places in this order plays nothing: a sentence, "" where they play or begin a move.

    places: their indices in the description of the game.

    Raises:
        OptionError: the game has no such place, or none is given.

    Example:
        >>> import boardgym
        >>> boardgym.why_not(boardgym.Board("Othello-v0"), [0])
        'a1: no white disc would be flanked'
    """
    drawing = board.game.drawing
    if drawing is None or not drawing.places:
        raise OptionError(f"{board.game.id} has no places to click")
    known, clicked = drawing.places, tuple(places)
    if not clicked or not all(type(place) is int and 0 <= place < len(known) for place in clicked):
        raise OptionError(
            f"places {list(clicked)}: expected one or more of the places 0 to {len(known) - 1} of {board.game.id}"
        )
    if board.is_terminal:
        return f"the game is over: {standing(board)}"
    if board.is_chance:
        return "chance is to act first"
    with uncompiled():
        ways = [way for action in board.legal_actions for way in drawing.clicks(board.position, action)]
        if any(way[: len(clicked)] == clicked for way in ways):
            return ""
        if not ways:
            return _why_no_place(board)
        return drawing.why_not(board.position, clicked) or _why_not_there(ways, clicked, [place.name for place in known])


def _why_no_place(board: Board) -> str:
    """What is said of a click where no legal action has a place."""
    moves = board.legal_moves
    if len(moves) == 1:
        return f"{board.game.seat_name(board.to_play)} can only play {moves[0]!r}"
    return f"the moves of {board.game.title} have no places on the board: choose one of the list"


def _why_not_there(ways: Sequence[tuple[int, ...]], clicked: tuple[int, ...], names: Sequence[str]) -> str:
    """What can be said of any game. ways: how its legal actions are clicked, at least one."""
    fitting = max(n for n in range(len(clicked)) if any(way[:n] == clicked[:n] for way in ways))
    if fitting == 0:
        return f"no legal move begins at {names[clicked[0]]}"
    return f"no legal move goes from {' by '.join(names[place] for place in clicked[:fitting])} to {names[clicked[fitting]]}"


def set_up(game: str | Game, kinds: Sequence[int], seat: int, /, **options: Any) -> Any:
    """The position with these pieces on the board and a seat to play.

    What the pieces do not tell, the game assumes (men in hand, marbles pushed off: see docs/pictures.md). Clocks stand at 0.

    Args:
        game: an id or a `Game` with a brush: see `describe_game`.
        kinds: for each spot 0, or k for piece k - 1 of the brush.
        seat: to play.
        options: rule options.

    Returns:
        A position of the game, for `Board.set_position`.

    Raises:
        NotationError: no game leads there; the message says what is wrong. PositionError is one.
        OptionError: the game sets positions up by string alone, or has no such spot, piece or seat.

    Example:
        >>> import boardgym
        >>> boardgym.set_up("TicTacToe-v0", [1, 0, 0, 0, 2, 0, 0, 0, 0], 0)
        TicTacToe(own=1, other=16)
    """
    game = get_game(game, **options)
    controls = None if game.drawing is None else game.drawing.controls
    if game.drawing is None or controls is None or controls.set_up is None:
        raise OptionError(f"{game.id} has no pieces to set up; give a position string")
    most, spots = len(controls.brush), len(game.drawing.spots)
    if len(kinds) != spots or not all(type(kind) is int and 0 <= kind <= most for kind in kinds):
        raise OptionError(f"pieces {list(kinds)}: expected {spots} numbers, one a spot of {game.id}, each 0 to {most}")
    if type(seat) is not int or not 0 <= seat < game.num_seats:
        raise OptionError(f"seat {seat!r}: expected 0 to {game.num_seats - 1}")
    with uncompiled():
        position = game.from_fen(controls.set_up(kinds, seat))
    check_rows(game, row_of(game, position)[np.newaxis], first_invalid=fr.PLAIN_CALLS.first_invalid)  # once: not compiled
    return position
