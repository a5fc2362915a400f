"""The game file: records of games as text that people read and write, in the manner of chess's PGN. See docs/records.md.

    [Game "Othello-v0"]
    [Options "size=6"]
    [Black "minimax:4"]
    [White "human"]
    [Result "*"]

    1. c2 b2 {the usual reply} 2. a2 *

Tags, then moves with the numbers of their rounds, comments in braces or from ";" to the end of the line, and the result. What
chance brings (dice) stands among the moves. Every game ends with a result, so that a file cut short is seen to be so.
"""

import itertools
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from boardgym.baselines.arena.record import FORFEIT, UNFINISHED, GameRecord, board_from_file
from boardgym.baselines.arena.text_cursor import Source
from boardgym.core.bits import MASK64
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, NotationError, OptionError
from boardgym.core.game import Game, get_game
from boardgym.core.verbs import CHANCE

SUFFIX = ".game"
UNKNOWN = "?"  # who sat there, where nobody has said
OWN_TAGS = (
    "Game",
    "Options",
    "FEN",
    "Deterministic",
    "Seed",
    "OpeningPlies",
    "Returns",
    "Reason",
    "Forfeit",
    "Message",
    "Result",
)
LINE = 100  # characters, where nothing longer stands in one piece

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
NUMBER = re.compile(r"([0-9]{1,9})\.+")
WORD = re.compile(r'[^\s{}\[\]();"][^\s{}\[\];"]*')  # brackets within one are of moves such as 8/5(2)
REST, BLANKS = re.compile(r"[^\n]*"), re.compile(r"[ \t]*")


def result_words(num_seats: int) -> dict[tuple[int, ...], str]:
    """The results of finished games by the seats that won, which share one point: 1-0, 0-1, 1/2-1/2, or 0-0-1."""
    words = {}
    for count in range(1, num_seats + 1):
        for winners in itertools.combinations(range(num_seats), count):
            share = "1" if count == 1 else f"1/{count}"
            words[winners] = "-".join(share if seat in winners else "0" for seat in range(num_seats))
    return words


def winners_of(returns: Sequence[float]) -> tuple[int, ...]:
    """The seats with the greatest return."""
    return tuple(seat for seat, pay in enumerate(returns) if pay == max(returns))


def seat_tags(game: Game) -> list[str]:
    """The tags that say who sat where: the seats' names with a capital, or Player0, Player1 ..."""
    names = [game.seat_name(seat).replace("_", "").replace(" ", "") for seat in range(game.num_seats)]
    names = [name[:1].upper() + name[1:] for name in names]
    if len(set(names)) == len(names) and all(TAG_NAME.fullmatch(name) and name not in OWN_TAGS for name in names):
        return names
    return [f"Player{seat}" for seat in range(game.num_seats)]


def rounds_of(to_play: Sequence[int]) -> list[int]:
    """The number of the round of each move of a record and of the next one: a round ends when an earlier seat's turn comes.

    to_play: who was to act at each move and after the last. What chance brings belongs to the turn that it is for; 0 where
    that is not known yet.
    """
    turns = list(to_play)
    for i in range(len(turns) - 2, -1, -1):
        if turns[i] == CHANCE:
            turns[i] = turns[i + 1]
    rounds, number, last = [], 1, -1
    for seat in turns:
        number += CHANCE < seat < last
        last = last if seat == CHANCE else seat
        rounds.append(0 if seat == CHANCE else number)
    return rounds


def usual_returns(board: Board, reason: str, forfeit: int | None, winners: tuple[int, ...]) -> tuple[float, ...]:
    """The returns of a game that has no tag for them. winners: none if it is unfinished."""
    game = board.game
    if board.is_terminal or not winners:
        return tuple(board.returns())
    if reason == FORFEIT and forfeit is not None:
        return tuple(game.min_return if seat == forfeit else game.max_return for seat in range(game.num_seats))
    if len(winners) == game.num_seats:
        return (0.0,) * game.num_seats
    return tuple(1.0 if seat in winners else -1.0 for seat in range(game.num_seats))


# ------------------------------------------------------------ writing


def escape(text: str, closing: str) -> str:
    """Text for between quotes or braces. closing: the sign that ends it. Raises NotationError for half a character."""
    raw = "\n\t" if closing == "}" else ""  # a comment may have lines
    signs = []
    for sign in text:
        if "\ud800" <= sign <= "\udfff":
            raise NotationError(f"{text[:80]!r} cannot be written: {sign!r} is half a character")
        if sign in ("\\", closing):
            signs.append("\\" + sign)
        elif sign.isprintable() or sign in raw or sign > "\uffff":
            signs.append(sign)
        else:
            signs.append("\\n" if sign == "\n" else f"\\u{ord(sign):04x}")
    return "".join(signs)


def write_game(record: GameRecord) -> str:
    """The record as a game of a game file, an empty line after it.

    Raises: NotationError for tags that a game file cannot hold, or a record that cannot be played or contradicts itself.
    """
    board, to_play = record.start_board(), []
    for move in record.moves:
        to_play.append(board.to_play)
        board.push_move(move)
    record.check_seats()
    record.check_numbers()
    record.check_outcome(board)
    game, words = board.game, result_words(board.game.num_seats)
    winners = () if record.reason == UNFINISHED else winners_of(record.returns)
    result = words[winners] if winners else "*"
    lines = [f'[{name} "{escape(value, chr(34))}"]' for name, value in tags_of(record, board, winners, result)]
    rounds, tokens = [0, *rounds_of([*to_play, board.to_play])], []
    comments: dict[int, list[str]] = {}
    for ply, text in record.comments:
        if text.strip():
            comments.setdefault(ply, []).append(text)
    for ply in range(len(record.moves) + 1):
        tokens += ["{" + escape(text.strip(), "}") + "}" for text in comments.get(ply, ())]
        if ply < len(record.moves):
            number = f"{rounds[ply + 1]}. " if rounds[ply + 1] > rounds[ply] else ""
            tokens.append(number + word(record.moves[ply], game))
    return "\n".join([*lines, "", filled([*tokens, result]), "", ""])


def tags_of(record: GameRecord, board: Board, winners: tuple[int, ...], result: str) -> Iterator[tuple[str, str]]:
    """The tags of a record, without those that say only what is usual. Raises NotationError for a tag that cannot be."""
    game, seats = board.game, seat_tags(board.game)
    yield "Game", game.id
    usual = get_game(game.id).options
    if options := [f"{name}={written(value)}" for name, value in game.options.items() if value != usual[name]]:
        yield "Options", shlex.join(options)
    if record.start != game.to_fen(game.start):
        yield "FEN", record.start
    for name, value in record.tags.items():
        if not TAG_NAME.fullmatch(name) or name in (*OWN_TAGS, *seats):
            raise NotationError(
                f"tag {name[:80]!r}: expected letters, digits and '_', and none of {', '.join((*OWN_TAGS, *seats))}"
            )
        yield name, value
    yield from zip(seats, record.policies, strict=True)
    if any(record.deterministic):
        yield "Deterministic", " ".join(map(written, record.deterministic))
    if record.seed is not None:
        yield "Seed", str(record.seed)
    if record.opening_plies:
        yield "OpeningPlies", str(record.opening_plies)
    if not board.is_terminal and record.reason != UNFINISHED:
        yield "Reason", record.reason
    if record.forfeit is not None:
        yield "Forfeit", seats[record.forfeit]
    if record.message:
        yield "Message", record.message
    if record.returns != usual_returns(board, record.reason, record.forfeit, winners):
        yield "Returns", " ".join(f"{pay!r}".removesuffix(".0") for pay in record.returns)
    yield "Result", result


def written(value: Any) -> str:
    """An option's value or a yes or no."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def word(move: str, game: Game) -> str:
    """A move as a token: in quotes if it could be taken for something else."""
    is_plain = WORD.fullmatch(move) and not NUMBER.match(move) and move not in ("*", *result_words(game.num_seats).values())
    return move if is_plain else f'"{escape(move, chr(34))}"'


def filled(tokens: Sequence[str]) -> str:
    """Lines of tokens; the line ends within a token stay as they are."""
    pieces: list[str] = []
    column = 0
    for token in tokens:
        first, *more = token.split("\n")
        if pieces:
            pieces.append("\n" if column + 1 + len(first) > LINE else " ")
            column = 0 if pieces[-1] == "\n" else column + 1
        pieces.append(token)
        column = len(more[-1]) if more else column + len(token)
    return "".join(pieces)


# ------------------------------------------------------------ reading


@dataclass
class Tags:
    """The tags of one game, with the places of their values."""

    values: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)


def read_games(text: str, name: str = "") -> Iterator[GameRecord]:
    """The games of a game file. name: the file's, for messages.

    Raises: NotationError with line and column for what cannot be read or played, contradicts itself, or breaks off.
    """
    source = Source(text.replace("\r\n", "\n").removeprefix("\ufeff"), name)
    while source.skip_space():
        yield read_game(source)


def read_game(source: Source) -> GameRecord:
    """The game that stands here."""
    start = source.at
    comments, tags = [(0, text) for text in read_comments(source)], Tags()
    while source.text.startswith("[", source.at):
        read_tag(source, tags)
        comments += [(0, text) for text in read_comments(source)]
    if "Game" not in tags.values:
        if source.skip_space() or tags.values:
            source.fail(f'{source.found()}; expected a game\'s tags, [Game "Othello-v0"] among them')
        source.fail("a comment that no game follows; one on the last game stands before its result", start)
    board = set_up(source, tags)
    to_play: list[int] = []
    numbers: list[tuple[int, int, int]] = []
    words = {word: winners for winners, word in result_words(board.game.num_seats).items()} | {"*": ()}
    expected = f"expected a move, or a result: {', '.join(words)}"
    while True:
        comments += [(len(to_play), text) for text in read_comments(source)]
        place = source.at
        if number := source.take(NUMBER):
            numbers.append((place, int(number[1]), len(to_play)))
            continue
        if source.text.startswith('"', place):
            source.at += 1
            move = source.delimited('"', "the move", lines=False)
        elif match := source.take(WORD):
            move = match[0]
            if move in words:
                break
        else:
            source.fail(f"the game breaks off, {source.found()}; {expected}")
        seat = board.to_play
        try:
            actions = board.push_turn(move)
        except BoardgymError as error:
            check_numbers(source, numbers, [*to_play, seat])
            source.fail(f"{error}; {expected}", place)
        to_play += [seat] * len(actions)  # a turn that is written as one move is of one seat
    check_numbers(source, numbers, [*to_play, board.to_play])
    return finished(source, tags, board, (words[move], move, place), tuple(comments))


def read_comments(source: Source) -> list[str]:
    """The comments that stand here, without the empty ones. Blanks are passed over too."""
    found = []
    while source.skip_space() and source.text[source.at] in "{;":
        source.at += 1
        if source.text[source.at - 1] == "{":
            comment = source.delimited("}", "the comment", lines=True)
        else:
            match = source.take(REST)
            comment = match[0] if match else ""
        if comment.strip():
            found.append(comment.strip())
    return found


def read_tag(source: Source, tags: Tags) -> None:
    """Reads the tag that stands here."""
    start = source.at
    source.at += 1
    name = source.take(TAG_NAME)
    if name is None:
        source.fail(f"{source.found()} after '['; expected a tag, as in [Game \"Othello-v0\"]")
    source.take(BLANKS)
    place = source.at
    if not source.text.startswith('"', place):
        source.fail(f"tag {name[0]}, {source.found()}; expected its value in double quotes")
    source.at += 1
    value = source.delimited('"', f"tag {name[0]}", lines=False)
    source.take(BLANKS)
    if not source.text.startswith("]", source.at):
        source.fail(f"tag {name[0]}, {source.found()}; expected ']' after its value")
    source.at += 1
    if name[0] in tags.values:
        source.fail(f"tag {name[0]} is given twice", start)
    tags.values[name[0]], tags.places[name[0]] = value, place


def check_numbers(source: Source, numbers: Sequence[tuple[int, int, int]], to_play: Sequence[int]) -> None:
    """Fails if a number is not that of the round where it stands. numbers: (place, number, moves before it)."""
    rounds = rounds_of(to_play)
    for place, number, ply in numbers:
        if rounds[ply] not in (0, number):
            source.fail(f"number {number}. before a move of round {rounds[ply]}; is a move missing, or one too many?", place)


def set_up(source: Source, tags: Tags) -> Board:
    """The board where the game begins."""
    name = "Game"
    try:
        game = get_game(tags.values[name])
        name = "Options"
        game = game.with_options(**read_options(tags.values.get(name, ""), game))
        name = "FEN" if "FEN" in tags.values else name
        return board_from_file(game, tags.values.get("FEN"))
    except (BoardgymError, ValueError) as error:
        source.fail(f"tag {name}: {error}", tags.places[name])


def read_options(text: str, game: Game) -> dict[str, Any]:
    """The options that a tag names. Raises OptionError, ValueError for quotes within it that are not closed."""
    options: dict[str, Any] = {}
    for part in shlex.split(text):
        name, _, value = part.partition("=")
        usual = game.options.get(name, "")
        read: Any = {"true": True, "false": False}.get(value, value) if isinstance(usual, bool) else value
        if type(usual) is int and re.fullmatch(r"-?[0-9]{1,18}", value):
            read = int(value)
        if name in options or not value:
            raise OptionError(f"{part!r}: expected each option once, as in 'size=6'")
        options[name] = read
    return options


def finished(
    source: Source, tags: Tags, board: Board, result: tuple[tuple[int, ...], str, int], comments: tuple[tuple[int, str], ...]
) -> GameRecord:
    """The record of a game that is read. result: the seats that won, as written, and where. Fails for what contradicts."""
    winners, said, place = result
    game, seats, values = board.game, seat_tags(board.game), dict(tags.values)

    def fail(name: str, expected: str) -> NoReturn:
        source.fail(f"tag {name}: {tags.values[name][:80]!r}; expected {expected}", tags.places[name])

    if values.pop("Result", said) != said:
        fail("Result", f"{said!r}, which stands after the moves")
    ended = board.reason.name.lower() if board.is_terminal else None
    reason = values.pop("Reason", ended or UNFINISHED)
    if ended and winners != winners_of(board.returns()):
        right = result_words(game.num_seats)[winners_of(board.returns())]
        source.fail(f"result {said!r}, but by the moves the game is over: expected {right!r}", place)
    if not ended and bool(winners) != (reason != UNFINISHED):
        goes_on = f"result {said!r}, but after the last move the game goes on, at {board.fen()!r}"
        source.fail(f"{goes_on}: expected '*', or a result and why, as in [Reason \"resigned\"]", place)
    forfeit = values.pop("Forfeit", None)
    if forfeit is not None and forfeit not in seats:
        fail("Forfeit", " or ".join(seats))
    seat = None if forfeit is None else seats.index(forfeit)
    returns = usual_returns(board, reason, seat, winners)
    if "Returns" in values:
        returns = tuple(map(number_of, values.pop("Returns").split()))
        if len(returns) != game.num_seats or not all(map(math.isfinite, returns)):
            fail("Returns", f"{game.num_seats} numbers")
    if winners and winners_of(returns) != winners:
        source.fail(f"result {said!r} contradicts the returns {' '.join(map(str, returns))}", place)
    best = values.pop("Deterministic", " ".join(["false"] * game.num_seats)).split()
    if len(best) != game.num_seats or not set(best) <= {"true", "false"}:
        fail("Deterministic", f"'true' or 'false' for each of {game.num_seats} seats")
    seed, opening = values.pop("Seed", None), values.pop("OpeningPlies", "0")
    if seed is not None and not (re.fullmatch(r"[0-9]{1,20}", seed) and int(seed) <= MASK64):
        fail("Seed", "a whole number from 0 to 2**64 - 1")
    if not re.fullmatch(r"[0-9]{1,9}", opening) or int(opening) > len(board.actions):
        fail("OpeningPlies", f"a number from 0 to {len(board.actions)}")
    message = values.pop("Message", "")
    for name in ("Game", "Options", "FEN"):
        values.pop(name, None)
    record = GameRecord(
        game=game.id,
        options=dict(game.options),
        start=game.to_fen(board.history[0]),
        moves=tuple(board.moves()),
        actions=tuple(board.actions),
        policies=tuple(values.pop(seat, UNKNOWN) for seat in seats),
        deterministic=tuple(flag == "true" for flag in best),
        seed=None if seed is None else int(seed),
        opening_plies=int(opening),
        returns=returns,
        reason=reason,
        forfeit=seat,
        message=message,
        comments=comments,
        tags=values,
    )
    try:
        record.check_outcome(board)
    except NotationError as error:
        source.fail(str(error), place)
    return record


def number_of(text: str) -> float:
    """A number; NaN for what is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan
