"""Transcripts as other programs and books write them: Othello's moves and WTHOR files, Connect Four's digits, and .mat matches.

They say what was played and little else. Nobody's name means "?", and a transcript that stops early is an unfinished game.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from boardgym.baselines.arena.record import UNFINISHED, GameRecord, record_of
from boardgym.baselines.arena.text_cursor import Source
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, NotationError
from boardgym.core.game import Game
from boardgym.games.backgammon import parse_play

UNKNOWN = "?"
PASSES = ("pass", "--", "pa", "ps")
OTHELLO_MOVE = re.compile(r"(?i:[a-z][0-9]|--|pass|pa|ps)")
DIGIT = re.compile(r"[0-9]")
BLANKS, LINE = re.compile(r"[ \t]*"), re.compile(r"[^\n]*")
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
            if match[0].lower() not in PASSES and board.legal_moves == ["pass"]:
                board.push(board.legal_actions[0])
            push(source, board, match[0], place)
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

    Format: http://www.ffothello.org/wthor/Format_WThor.pdf. A header of 16 bytes, then 68 a game; a move is 10 * row + column,
    passes are left out; the squares left empty count for the winner in black's score, which some games contradict: a
    comment says so.

    Raises: NotationError naming the game for what cannot be read or played.
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
        played = moves.rstrip(b"\0")
        if 0 in played:
            raise NotationError(f"{name}, game {number}: no move in place {played.index(0) + 1}, but moves after it")
        line = " ".join(f"{chr(96 + move % 10)}{move // 10}" for move in played)
        try:
            record = next(read_othello(line, "moves", game)) if line else recorded(Board(game))
        except NotationError as error:
            raise NotationError(f"{name}, game {number}: {error}") from None
        board = record.replay()
        cells = board.fen().split()[0]
        discs, others = cells.count("X"), cells.count("O")
        final = discs + (64 - discs - others) * (1 + (discs > others) - (discs < others)) // 2
        if board.is_terminal and score != final:  # of games lost by the clock, or a slip of the database: no reason to stop
            record = replace(record, comments=((len(record.moves), f"the file gives black {score}, the moves {final}"),))
        tags = {"Event": f"WTHOR tournament {event}", "Date": str(year), "BlackScore": str(score)}
        yield replace(record, policies=(f"WTHOR player {black}", f"WTHOR player {white}"), tags=tags)


# ------------------------------------------------------------ .mat

MAT_PLAYERS = re.compile(r"[ \t]*(\S.*?)[ \t]*: *([0-9]+)[ \t]+(\S.*?)[ \t]*: *([0-9]+)[ \t]*")
MAT_TURNS = re.compile(r"[ \t]*(?:[0-9]+\)|(?i:(?=wins\b)))")
MAT_ITEM = re.compile(r"([1-6])([1-6]):|(?i:(?:doubles|takes|drops|wins)\b)")
MAT_SIDE = 20  # what stands alone from this column on is the second player's
CUBE = re.compile(r"doubles *=> *([1-9][0-9]{0,3})", re.IGNORECASE)
WINS = re.compile(r"wins +([1-9][0-9]{0,3}) +points?(?: +and +the +match)?\.?", re.IGNORECASE)


@dataclass
class MatGame:
    """One game of a match while it is read. The first column is seat 0.

    cube: what stands on the doubling cube; dropped: who refused it; points: what the winner is said to win, by whom.
    """

    board: Board
    players: tuple[str, str]
    tags: dict[str, str]
    comments: list[tuple[int, str]]
    cube: int = 1
    doubler: int | None = None
    dropped: int | None = None
    points: tuple[int, int] | None = None


def read_mat(text: str, name: str, game: Game) -> Iterator[GameRecord]:
    """The games of a match as Jellyfish, GNU Backgammon and others write it (.mat).

    The first column is seat 0; the first roll, which such files give to its winner alone, is divided accordingly. The game
    has no doubling cube: doubles and takes become comments, and returns are points without it; a refused double, or a
    game given up, has the reason "dropped" or "resigned".

    Raises: NotationError with line and column for what cannot be read or played, or contradicts itself.
    """
    source = Source(text.replace("\r\n", "\n").removeprefix("\ufeff"), name)
    tags: dict[str, str] = {}
    current: MatGame | None = None
    while source.skip_space():
        source.at = source.text.rfind("\n", 0, source.at) + 1  # columns count
        place, match = source.at, source.take(LINE)
        line = match[0] if match else ""
        if found := re.fullmatch(r"\s*; *\[([A-Za-z]\w*) +\"(.*)\"\]\s*", line):
            tags[found[1]] = found[2]
        elif line.lstrip().startswith(";"):
            continue
        elif found := re.fullmatch(r"\s*([0-9]+) +point +match.*", line, re.IGNORECASE):
            tags["MatchLength"] = found[1]
        elif found := re.fullmatch(r"\s*game +([0-9]+)\s*", line, re.IGNORECASE):
            if current is not None:
                yield mat_record(source, current, place)
            source.skip_space()
            names = source.take(MAT_PLAYERS)
            if names is None:
                source.fail(f"{source.found()}; expected both players and their scores, as in 'White : 0    Black : 0'")
            kept: dict[str, str] = {key: tags[key] for key in ("Event", "Site", "EventDate", "MatchLength") if key in tags}
            round_tags = kept | {"Round": found[1], "Score": f"{names[2]}-{names[4]}"}
            current = MatGame(Board(game, auto_roll=False), (names[1], names[3]), round_tags, [])
        elif current is not None and (found := MAT_TURNS.match(line)):
            read_turns(source, current, line, place, found.end())
        else:
            source.fail(f"{line.strip()[:40]!r}; expected 'Game 1', or turns such as ' 1) 31: 8/5 6/5   42: 8/4 6/4'", place)
    if current is not None:
        yield mat_record(source, current, source.at)


def read_turns(source: Source, current: MatGame, line: str, place: int, start: int) -> None:
    """Plays what a line of turns says. place: where the line begins; start: how far into it the turns do."""
    items = list(MAT_ITEM.finditer(line, start))
    if line[start : items[0].start() if items else len(line)].strip():
        source.fail(f"{line[start:].strip()[:40]!r}; expected a roll and a play such as '31: 8/5 6/5'", place + start)
    if len(items) > 2:
        source.fail(f"{items[2][0]!r}; expected a line to have two columns, not three", place + items[2].start())
    for i, item in enumerate(items):
        end = items[i + 1].start() if i + 1 < len(items) else len(line)
        said, at = line[item.start() : end].strip(), place + item.start()
        seat = i if len(items) > 1 else int(item.start() >= MAT_SIDE)
        ply, name = len(current.board.actions), current.board.game.seat_name(seat)
        if current.points or (current.dropped is not None and not WINS.fullmatch(said)):
            source.fail(f"{said!r} after the end of the game", at)
        if item[1] and current.doubler is not None:
            source.fail(f"{said!r}; expected 'Takes' or 'Drops' after a double", at)
        if item[1]:
            play_turn(source, current.board, seat, item, said, at)
        elif wins := WINS.fullmatch(said):
            current.points = (int(wins[1]), seat)
        elif (cube := CUBE.fullmatch(said)) and int(cube[1]) == 2 * current.cube:
            current.doubler = seat
            current.comments.append((ply, f"{name} doubles to {cube[1]}"))
        elif said.lower() in ("takes", "drops") and current.doubler == 1 - seat:
            current.comments.append((ply, f"{name} {said.lower()}"))
            current.cube *= 2 if said.lower() == "takes" else 1
            current.dropped, current.doubler = (seat if said.lower() == "drops" else None), None
        else:
            source.fail(
                f"{said!r}; expected a roll, 'Doubles => {2 * current.cube}', 'Takes' or 'Drops' after it, or 'Wins'", at
            )


def play_turn(source: Source, board: Board, seat: int, roll: re.Match[str], said: str, at: int) -> None:
    """Plays a roll and the moves after it."""
    dice = (roll[1], roll[2])
    if not board.actions:  # both threw one die, and the higher began
        dice = (max(dice), min(dice)) if seat == 0 else (min(dice), max(dice))
    if not board.is_chance:
        source.fail(f"{said!r}; {'the game is over' if board.is_terminal else 'a turn is not finished'}", at)
    push(source, board, "-".join(dice), at)
    if board.to_play != seat:
        source.fail(f"{said!r} stands in the column of {board.game.seat_name(seat)}, but the other is to play", at)
    play = said.partition(":")[2].strip()
    try:
        actions = parse_play(board.position, "" if play.lower() == "cannot move" else play)
    except NotationError as error:
        source.fail(str(error), at)
    for action in actions:
        board.push(action)


def mat_record(source: Source, current: MatGame, place: int) -> GameRecord:
    """The record of a game that is read to its end. place: where that is, for messages."""
    record = replace(recorded(current.board, current.players), tags=current.tags, comments=tuple(current.comments))
    if current.points is None:
        return record
    points, column = current.points
    if record.reason != UNFINISHED:
        winner = record.returns.index(max(record.returns))
        if points != record.returns[winner] * current.cube:
            stakes = f"{record.returns[winner]:g}, with the cube at {current.cube}"
            source.fail(f"the game before is said to win {points} points; by the moves it wins {stakes}", place)
        return record
    winner = column if current.dropped is None else 1 - current.dropped
    most, factor = current.board.game.max_return, points // current.cube
    if points % current.cube or factor > max(most, 1) or (current.dropped is not None and factor != 1):
        source.fail(f"the game before is said to win {points} points, with the cube at {current.cube}", place)
    returns = tuple(float(factor if seat == winner else -factor) for seat in range(2))
    return replace(record, returns=returns, reason="resigned" if current.dropped is None else "dropped")
