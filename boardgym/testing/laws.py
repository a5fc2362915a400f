"""The laws that every game obeys, checked under random play."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import NumbaError, inner, kernel
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.engine import MOST_ROLLS
from boardgym.core.errors import BoardgymError, IllegalActionError, NotationError, RuleError
from boardgym.core.game import Game, get_game
from boardgym.core.random import draw, stream
from boardgym.core.rows import compact_row

SPARE = 64  # room beyond what a game declares, so that a rule that writes too much is caught and not fatal
UNWRITTEN = np.int64(-(2**62))

# What `examine` returns, in the order in which it looks; 0: all is well.
KERNEL_LAWS = (
    "",
    "is_valid holds for what play leads to",
    "legal_actions writes no more than max_legal_actions",
    "legal_actions are ascending, each once",
    "legal_actions lie in [0, num_actions)",
    "0 legal actions if and only if the position is terminal or chance is to act",
    "a pass is legal alone",
    "to_play is a seat, or CHANCE while the game goes on",
    "outcomes of chance are ascending, in [0, num_outcomes), at least one",
    "the probabilities of chance are positive and add up to 1",
    "observe writes every element",
    "an observation lies in [0, observation_max]",
    "decode(observe(position, seat)) == position",
    "a seat that is not to play sees something else than the one that is",
    "the heuristic lies in (-1, 1)",
    "the heuristics of two seats are opposite",
    "returns lie in [min_return, max_return]",
    "the returns of two seats are opposite",
    "symmetry 0 is the identity",
    "transform_action is a permutation of the actions",
    "the legal actions of a transformed position are the transformed legal actions",
    "transform commutes with apply",
    "transform leaves the returns as they are",
)
(
    OK,
    VALIDITY,
    OVERFULL,
    UNSORTED,
    OUT_OF_RANGE,
    ENDING,
    PASS,
    SEAT,
    OUTCOMES,
    ODDS,
    UNWRITTEN_PLANE,
    PLANE_BOUNDS,
    DECODE,
    SAME_VIEW,
    HEURISTIC_BOUNDS,
    HEURISTIC_SUM,
    RETURN_BOUNDS,
    RETURN_SUM,
    IDENTITY,
    PERMUTATION,
    SYMMETRY_LEGAL,
    SYMMETRY_APPLY,
    SYMMETRY_RETURNS,
) = range(len(KERNEL_LAWS))


class LawBroken(BoardgymError, AssertionError):
    """A game breaks a law. Attributes: law, the law's text; position, a position string or None; action, int or None."""

    def __init__(
        self, law: str, *, game: str, position: str | None = None, action: int | None = None, detail: str = ""
    ) -> None:
        self.law, self.position, self.action = law, position, action
        where = "" if position is None else f" at {position!r}"
        where += "" if action is None else f", action {action}"
        super().__init__(f"{game}{where}: broken law: {law}" + (f" ({detail})" if detail else ""))


# ---------------------------------------------------------------- laws of one position, compiled
# For every game anew, and mostly to be used once: so loops over flat arrays that the caller has made, for array expressions
# and allocations take several times as long to compile, and verbs called from as few places as will do.


@inner
def differ(array: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two flat arrays of one length differ."""
    for i in range(len(array)):  # noqa: SIM110 (generators are not compiled)
        if array[i] != other[i]:
            return True
    return False


@inner
def examine_legal(
    position: Any, legal: NDArray[np.int64], num_actions: int, max_legal_actions: int
) -> tuple[int, np.int64, np.int64]:
    """Laws of the legal actions. Returns (law, action, how many). legal: buffer, larger than it should need to be."""
    for i in range(len(legal)):
        legal[i] = UNWRITTEN
    count, nothing = np.int64(verbs.legal_actions(position, legal)), np.int64(-1)
    if count > max_legal_actions:
        return OVERFULL, count, count
    for i in range(max_legal_actions, len(legal)):
        if legal[i] != UNWRITTEN:
            return OVERFULL, count, count
    before = nothing
    for i in range(count):
        action = legal[i]
        if action < 0 or action >= num_actions:
            return OUT_OF_RANGE, action, count
        if action <= before:
            return UNSORTED, action, count
        before = action
    if (count == 0) != (verbs.is_terminal(position) or verbs.awaits_chance(position)):
        return ENDING, nothing, count
    return OK, nothing, count


@inner
def examine_chance(
    position: Any, outcomes: NDArray[np.int64], probabilities: NDArray[np.float64], num_outcomes: int
) -> tuple[int, np.int64, np.int64]:
    """Laws of chance, where it is to act. Returns (law, outcome, how many).

    outcomes, probabilities: larger than they need to be.
    """
    count, total, before, nothing = np.int64(verbs.chance(position, outcomes, probabilities)), 0.0, np.int64(-1), np.int64(-1)
    if not 1 <= count <= num_outcomes:
        return OUTCOMES, nothing, count
    for i in range(count):
        outcome = outcomes[i]
        if not before < outcome < num_outcomes:
            return OUTCOMES, outcome, count
        if probabilities[i] <= 0.0:
            return ODDS, outcome, count
        total, before = total + probabilities[i], outcome
    return (ODDS if abs(total - 1.0) > 1e-9 else OK), nothing, count


@inner
def examine_view(
    token: Any,
    position: Any,
    row: NDArray[np.int64],
    seat: int,
    to_play: np.int64,
    views: tuple[NDArray[Any], ...],
    flat_views: tuple[NDArray[Any], ...],
    spare_row: NDArray[np.int64],
    observation_max: int,
) -> int:
    """Laws of what a seat sees. to_play: a seat, or CHANCE if none is. row: the position's. Returns the law.

    spare_row: a buffer like `row`. views: two observation buffers; flat_views: the same memory, of shape (number of elements,).
    """
    (first, second), (flat, other) = views, flat_views
    for i in range(len(flat)):
        flat[i], other[i] = 77, 78
    verbs.observe(position, seat, first)
    verbs.observe(position, seat, second)
    is_bounded = True
    for i in range(len(flat)):
        if flat[i] != other[i]:
            return UNWRITTEN_PLANE
        is_bounded &= 0 <= flat[i] <= observation_max
    if not is_bounded:
        return PLANE_BOUNDS
    verbs.pack(verbs.decode(token, first), spare_row)
    if differ(row, spare_row):
        return DECODE
    if to_play not in (seat, verbs.CHANCE):
        verbs.observe(position, to_play, second)
        if not differ(flat, other):
            return SAME_VIEW
    return OK


@inner
def examine_values(position: Any, is_terminal: bool, num_seats: int, min_return: float, max_return: float) -> int:
    """Laws of the heuristic, or at the end of the returns. Returns the law."""
    total, value = 0.0, 0.0
    for seat in range(num_seats):
        if is_terminal:
            value = verbs.returns(position, seat)
            if not min_return <= value <= max_return:
                return RETURN_BOUNDS
        else:
            value = verbs.heuristic(position, seat)
            if not -1.0 < value < 1.0:
                return HEURISTIC_BOUNDS
        total += value
    if num_seats == 2 and min_return == -max_return and abs(total) > 1e-9:
        return RETURN_SUM if is_terminal else HEURISTIC_SUM
    return OK


@inner
def examine_symmetry(
    position: Any,
    row: NDArray[np.int64],
    k: int,
    is_terminal: bool,
    legal: NDArray[np.int64],
    count: np.int64,
    mirrored: NDArray[np.int64],
    images: NDArray[Any],
    num_actions: int,
    num_seats: int,
    spare_row: NDArray[np.int64],
    other_row: NDArray[np.int64],
) -> tuple[int, np.int64]:
    """Laws of symmetry k. legal: the legal actions, so many. mirrored, images: buffers of its size. Returns (law, action)."""
    image, nothing = verbs.transform(position, k), np.int64(-1)
    verbs.pack(image, spare_row)
    if k == 0 and differ(row, spare_row):
        return IDENTITY, nothing
    for action in range(num_actions):
        mirrored[action] = 0
    for action in range(num_actions):
        to = verbs.transform_action(position, action, k)
        if to < 0 or to >= num_actions or mirrored[to] or (k == 0 and to != action):
            return PERMUTATION, np.int64(action)
        mirrored[to], images[action] = 1, to
    if verbs.legal_actions(image, mirrored) != count:
        return SYMMETRY_LEGAL, nothing
    for i in range(count):
        action = legal[i]
        to, is_legal = images[action], False
        for j in range(count):
            is_legal |= mirrored[j] == to
        if not is_legal:
            return SYMMETRY_LEGAL, action
        verbs.pack(verbs.apply(image, to), spare_row)
        verbs.pack(verbs.transform(verbs.apply(position, action), k), other_row)
        if differ(spare_row, other_row):
            return SYMMETRY_APPLY, action
    if is_terminal:
        for seat in range(num_seats):
            if verbs.returns(position, seat) != verbs.returns(image, seat):
                return SYMMETRY_RETURNS, nothing
    return OK, nothing


@kernel
def examine(
    token: Any,
    row: NDArray[np.int64],
    numbers: NDArray[np.int64],
    bounds: NDArray[np.float64],
    buffers: tuple[NDArray[np.int64], ...],
    rows: tuple[NDArray[np.int64], ...],
    probabilities: NDArray[np.float64],
    views: tuple[NDArray[Any], ...],
    flat_views: tuple[NDArray[Any], ...],
) -> tuple[int, np.int64, np.int64]:
    """All laws of one position. Returns (law, action or -1, seat or symmetry or -1).

    numbers: int64 [num_actions, max_legal_actions, num_seats, observation_max, num_outcomes, pass_action or -1]. bounds:
    float64 [min, max return]. Buffers: `buffers`, four of int64 with SPARE more than is declared; `rows`, two like `row`;
    `probabilities`, float64; `views` and `flat_views` as for `examine_view`.
    """
    num_actions, max_legal_actions, num_seats, observation_max = numbers[0], numbers[1], numbers[2], numbers[3]
    position, nothing = verbs.unpack(token, row), np.int64(-1)
    choices, legal, mirrored, images = buffers
    if not verbs.is_valid(position):
        return VALIDITY, nothing, nothing
    law, action, count = examine_legal(position, choices, num_actions, max_legal_actions)
    if law != OK:
        return law, action, nothing
    num_legal, is_terminal = count, verbs.is_terminal(position)
    if num_legal > 1 and choices[num_legal - 1] == numbers[5]:  # the last of all actions, so of these
        return PASS, numbers[5], nothing
    if num_legal == 0 and not is_terminal:
        law, action, count = examine_chance(position, choices, probabilities, numbers[4])
        if law != OK:
            return law, action, nothing
    for i in range(count):
        law, _, _ = examine_legal(verbs.apply(position, choices[i]), legal, num_actions, max_legal_actions)
        if law != OK:  # seen here before a board, which trusts the rules with its memory, goes there
            return law, choices[i], nothing
    to_play = np.int64(verbs.to_play(position)) if num_legal else np.int64(verbs.CHANCE)
    if num_legal and not 0 <= to_play < num_seats:
        return SEAT, nothing, to_play
    for seat in range(num_seats):
        law = examine_view(token, position, row, seat, to_play, views, flat_views, rows[0], observation_max)
        if law != OK:
            return law, nothing, np.int64(seat)
    law = examine_values(position, is_terminal, num_seats, bounds[0], bounds[1])
    if law != OK:
        return law, nothing, nothing
    for k in range(verbs.num_symmetries(position)):
        law, action = examine_symmetry(
            position, row, k, is_terminal, choices, num_legal, mirrored, images, num_actions, num_seats, rows[0], rows[1]
        )
        if law != OK:
            return law, action, np.int64(k)
    return OK, nothing, nothing


# ---------------------------------------------------------------- laws of play


def check_game(game: str | Game, *, games: int = 20, seed: int = 0, max_plies: int | None = None, **options: Any) -> int:
    """Plays random games and checks at every position all that boardgym asks of a rules file.

    Args:
        game: an id or a `Game`, registered or not.
        games: how many games to play, from one set-up after the other; the start of every set-up is checked.
        seed: another seed, other games.
        max_plies: leave a game after so many plies; None: play it to its end.
        options: the game's rule options.

    Returns:
        The number of positions that were checked.

    Raises:
        LawBroken: an AssertionError that names the law, the position and the action.
        UnknownGameError, OptionError: no such game, option or value.

    Example:
        >>> from boardgym.testing import check_game
        >>> check_game("TicTacToe-v0", games=5)
        42
    """
    game = get_game(game, **options)
    checked, setups, words = 0, list(game.setups), dict[tuple[int, ...], tuple[int, ...]]()
    try:
        for setup in setups:
            for start in game.setup(setup).positions:
                check_position(game, game.token.row(start))
    except (NumbaError, RuleError) as error:
        raise LawBroken("the rules compile", game=game.id, detail=str(error).strip()) from error
    for number in range(games):
        rng = stream(seed, number)
        board = Board(game, auto_roll=False)
        board.reset(setups[number % len(setups)], rng=rng)
        checked += _play(board, rng, game.max_plies if max_plies is None else max_plies, words)
    return checked


def _play(board: Board, rng: np.ndarray, max_plies: int, words: dict[tuple[int, ...], tuple[int, ...]]) -> int:
    """Plays one game to its end, or for some plies, checking. Returns the number of positions. words: see `_check_words`."""
    game, start = board.game, board.position
    totals, rewards = np.zeros(game.num_seats), np.zeros(game.num_seats)
    planes, mask = np.empty(game.observation_shape, game.observation_dtype), np.empty(game.num_actions, np.int8)
    rolls = 0
    while True:
        rolls = rolls + 1 if board.is_chance else 0
        if rolls > MOST_ROLLS:
            raise _broken("chance does not act for ever", board, detail=f"{rolls} times without a seat's turn")
        check_board(board)
        _check_words(board, words)
        if board.is_terminal or (board.ply >= max_plies and board.ply < game.max_plies):
            break
        if board.ply >= game.max_plies:
            raise _broken("a game lasts at most max_plies plies", board, detail=f"max_plies={game.max_plies}")
        legal = [outcome for outcome, _ in board.outcomes] if board.is_chance else board.legal_actions
        board.push_and_look(legal[draw(rng, len(legal))], planes, mask, rewards)
        totals += rewards
    if board.is_terminal and not np.allclose(totals, board.returns()):
        raise _broken("the rewards of the plies add up to the returns", board, detail=f"{totals} and {board.returns()}")
    again = Board(game, auto_roll=False)
    again.set_position(start, check=False)
    for action in board.actions:
        again.push(action)
    if not np.array_equal(again.keys, board.keys) or again.key != board.key:
        raise _broken("the same actions give the same keys", board)
    return board.ply + 1


def check_board(board: Board) -> None:
    """Checks all laws at a board's position. Raises LawBroken."""
    check_position(board.game, board.row)
    _check_record(board)
    _check_notation(board)


def _broken(law: str, board: Board, *, action: int | None = None, detail: str = "") -> LawBroken:
    text = _position_text(board.game, board.position)
    return LawBroken(law, game=board.game.id, position=text, action=action, detail=detail)


def _position_text(game: Game, position: Any) -> str:
    try:
        return game.to_fen(position)
    except Exception:  # the notation itself may be what is broken
        return repr(position)


def check_position(game: Game, row: np.ndarray) -> None:
    """Checks the laws of one position, of which it is enough that it is valid. row: int64 (fields,). Raises LawBroken."""
    room = max(game.num_actions, game.max_legal_actions, game.num_outcomes) + SPARE
    views = tuple(np.empty(game.observation_shape, game.observation_dtype) for _ in range(2))
    numbers = np.array([game.num_actions, game.max_legal_actions, game.num_seats, game.observation_max,
                        game.num_outcomes, -1 if game.pass_action is None else game.pass_action], np.int64)  # fmt: skip
    bounds = np.array([game.min_return, game.max_return])
    buffers = tuple(np.empty(room, np.int64) for _ in range(4))
    rows, probabilities = (np.empty_like(row), np.empty_like(row)), np.zeros(room)
    flat_views = tuple(view.reshape(-1) for view in views)
    law, action, index = examine(game.token, row, numbers, bounds, buffers, rows, probabilities, views, flat_views)
    if law != OK:
        detail = "" if index < 0 else f"{'symmetry' if law >= IDENTITY else 'seat'} {index}"
        text = _position_text(game, game.token.position(row))
        raise LawBroken(
            KERNEL_LAWS[law], game=game.id, position=text, action=None if action < 0 else int(action), detail=detail
        )


def _state(board: Board) -> tuple[Any, ...]:
    return board.position, board.legal_actions, board.key, board.ply, board.to_play, board.reason, list(board.actions)


def _check_record(board: Board) -> None:
    """Masks, copies, undoing, refusals."""
    game, before = board.game, _state(board)
    legal = board.legal_actions
    for seat in range(game.num_seats):
        shown = np.flatnonzero(board.look(seat)[1]).tolist()
        if shown != (legal if seat == board.to_play else []):
            raise _broken("the mask is 1 at the legal actions of the seat to play", board, detail=f"seat {seat}: {shown}")
    choices = legal + [outcome for outcome, _ in board.outcomes]
    for action in choices:
        copy = board.copy()
        copy.push(action)
        if _state(board) != before:
            raise _broken("play on a copy leaves the board alone", board, action=action)
        copy.pop()
        if _state(copy) != before:
            raise _broken("pop undoes push", board, action=action)
    beyond = max(game.num_actions, game.num_outcomes)
    for action in {-1, beyond, next((a for a in range(beyond) if a not in choices), -1)}:
        try:
            board.push(action)
        except IllegalActionError:
            pass
        else:
            raise _broken("an illegal action is refused", board, action=action)
        if _state(board) != before:
            raise _broken("a refused action changes nothing", board, action=action)


def _check_words(board: Board, known: dict[tuple[int, ...], tuple[int, ...]]) -> None:
    """The law of `compact`. known: words -> the fields but for clocks, of all positions so far."""
    game, out = board.game, np.full(len(board.row), UNWRITTEN)
    count = int(compact_row(game.token, board.row, out))
    if (out[count:] != UNWRITTEN).any() or (known and len(next(iter(known))) != count):
        raise _broken("compact writes as many words for every position", board, detail=f"{count} words")
    fields = tuple(int(word) for name, word in zip(board.position._fields, board.row, strict=True) if name not in game.clocks)
    if known.setdefault(tuple(map(int, out[:count])), fields) != fields:
        raise _broken("compact gives different positions different words", board)


def _check_notation(board: Board) -> None:
    """Position strings and moves go to text and back."""
    game, position = board.game, board.position
    legal = board.legal_actions + [outcome for outcome, _ in board.outcomes]
    text = game.to_fen(position)
    if not board.is_terminal or _reads(game.from_fen, text):  # a game may refuse positions that are over
        back = _reads(game.from_fen, text)
        if back is None or game.token.row(back).tolist() != board.row.tolist():
            raise _broken("from_fen(to_fen(position)) == position", board, detail=f"{text!r} reads as {back!r}")
    moves = [game.move_text(position, action) for action in legal]
    for action, move in zip(legal, moves, strict=True):
        if moves.count(move) > 1:
            raise _broken("no two legal actions are written alike", board, action=action, detail=repr(move))
        back = _reads(game.parse_move, position, move)
        if back != action:
            raise _broken("parse_move(move_text(action)) == action", board, action=action, detail=f"{move!r} reads as {back}")


def _reads(function: Callable[..., Any], *args: Any) -> Any:
    """What a notation function reads, None if it refuses."""
    try:
        return function(*args)
    except NotationError:
        return None
