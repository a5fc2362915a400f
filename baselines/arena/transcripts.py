"""Transcripts as other programs and books write them: Othello's moves and WTHOR files, Connect Four's digits, and .mat matches.

They say what was played and little else. Nobody's name means "?", and a transcript that stops early is an unfinished game.
"""

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from boardgym.baselines.arena.record import UNFINISHED, GameRecord, record_of
from boardgym.baselines.arena.source import Source
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, NotationError
from boardgym.core.game import Game

UNKNOWN = "?"
OTHELLO_MOVE = re.compile(r"(?i:[a-z][0-9]|--|pass|pa|ps)")
DIGIT = re.compile(r"[0-9]")
BLANKS = re.compile(r"[ \t]*")
WTHOR_HEADER, WTHOR_GAME = struct.Struct("<4Bihh4B"), struct.Struct("<3h2B60s")


def recorded(board: Board, players: Sequence[str] = ()) -> GameRecord:
    """The record of a board; players: who sat there."""
    count = board.game.num_seats
    return record_of(board, tuple(players) or (UNKNOWN,) * count, deterministic=(False,) * count)


def push(source: Source, board: Board, move: str, place: int) -> None:
    """Plays a move. Fails naming the place if it cannot be played."""
    try:
        board.push_move(move)
    except BoardgymError as error:
        source.fail(str(error), place)


def read_lines(text: str, name: str, game: Game, token: re.Pattern[str], expected: str) -> Iterator[GameRecord]:
    """The games of a text with one a line, moves one behind the other, with or without blanks between them.

    A side's only action, where it is a pass, may be left out. Raises NotationError with line and column.
    """
    source = Source(text.replace("\r\n", "\n").removeprefix("\ufeff"), name)
    while source.skip_space():
        board = Board(game, auto_roll=False)
        while source.take(BLANKS) and source.at < len(source.text) and source.text[source.at] != "\n":
            place, match = source.at, source.take(token)
            if match is None:
                source.fail(f"{source.found()}; expected {expected}")
            if board.legal_moves == ["pass"] and board.game.parse_move(board.position, match[0]) != board.legal_actions[0]:
                board.push(board.legal_actions[0])
            push(source, board, match[0], place)
        if board.legal_moves == ["pass"]:  # a transcript that ends here may have left it out, or not
            after = board.copy()
            after.push(after.legal_actions[0])
            board = after if after.is_terminal else board
        yield recorded(board)


def read_othello(text: str, name: str, game: Game) -> Iterator[GameRecord]:
    """Games such as `f5d6c3d3`, one a line, in small letters or capitals; passes (`--`, `pa`, `pass`) may be left out."""
    return read_lines(text, name, game, OTHELLO_MOVE, "a move such as 'f5', or '--'")


def read_connect4(text: str, name: str, game: Game) -> Iterator[GameRecord]:
    """Games such as `4453`, one a line: the columns from 1."""
    return read_lines(text, name, game, DIGIT, "the digit of a column")


def write_moves(record: GameRecord) -> str:
    """The moves of a record in one line, without the passes.

    Raises: NotationError if it does not begin at the game's standard start.
    """
    board = record.start_board()
    if board.position != board.game.start:
        raise NotationError(f"a transcript begins at the standard start, the record at {record.start!r}")
    return "".join(move for move in record.moves if move != "pass") + "\n"


# ------------------------------------------------------------ WTHOR


def read_wthor(data: bytes, name: str, game: Game) -> Iterator[GameRecord]:
    """The games of a WTHOR file (.wtb), the database of the French Othello federation. Players and events are numbers there.

    Format: S. Quin and S. Nicolet, "Format des fichiers de la base WTHOR" (FFO): a header of 16 bytes, then 68 a game; a
    move is 10 * row + column. Black's score gives the squares left empty to the winner.

    Raises: NotationError naming the game for what cannot be read or played, or contradicts itself.
    """
    if len(data) < WTHOR_HEADER.size:
        raise NotationError(f"{name}: {len(data)} bytes; a WTHOR file begins with {WTHOR_HEADER.size}")
    _, _, _, _, count, _, year, size, kind, *_ = WTHOR_HEADER.unpack_from(data)
    if size not in (0, 8) or kind != 0:
        raise NotationError(f"{name}, byte 13: size {size}, type {kind}; expected games on 8 x 8 squares (0 or 8, and 0)")
    expected = WTHOR_HEADER.size + count * WTHOR_GAME.size
    if len(data) != expected:
        raise NotationError(f"{name}: {len(data)} bytes; with the {count} games that byte 5 tells of, expected {expected}")
    for number, fields in enumerate(WTHOR_GAME.iter_unpack(data[WTHOR_HEADER.size :]), start=1):
        event, black, white, score, _, moves = fields
        if any(moves.rstrip(b"\0")[i] == 0 for i in range(len(moves.rstrip(b"\0")))):
            raise NotationError(f"{name}, game {number}: a move after the end of the moves")
        texts = [f"{chr(96 + move % 10)}{move // 10}" for move in moves.rstrip(b"\0")]
        try:
            record = next(read_othello(" ".join(texts) or "--", "", game)) if texts else recorded(Board(game))
            board = record.replay()
        except NotationError as error:
            raise NotationError(f"{name}, game {number}: {error}") from None
        cells = board.fen().split()[0]
        discs, others = cells.count("X"), cells.count("O")
        if board.is_terminal and score != discs + (64 - discs - others) * (1 + (discs > others) - (discs < others)) // 2:
            raise NotationError(f"{name}, game {number}: score {score}, but black has {discs} discs and white {others} at the end")
        tags = {"Event": f"WTHOR tournament {event}", "Date": str(year), "BlackScore": str(score)}
        yield replace(record, policies=(f"WTHOR player {black}", f"WTHOR player {white}"), tags=tags)


# ------------------------------------------------------------ .mat

MAT_LINE = re.compile(r"^[ \t]*(?:[0-9]+\))?", re.MULTILINE)
MAT_ITEM = re.compile(r"([1-6][1-6]):|(?i:(doubles|redoubles|beavers|takes|accepts|drops|rejects|passes|resigns|wins)\b)")
MAT_SIDE = 20  # what begins from this column on is the second player's, if it stands alone
