"""Where games of a match begin: named sets of openings, the same for every agent under the same seed.

    start      the game's standard start
    train      positions after a few random plies that are not held out
    heldout    positions after a few random plies that are held out
    a set-up of the game, or "sequences:n": all its positions, in their order

What "held out" means: symmetric positions form one class, and the hash of the class puts a quarter of all positions of a
game on the held-out side, once and for all, whatever the seed. So no position of "train", and no mirror image or rotation of
one, is ever in "heldout". A learner that begins its episodes elsewhere (random plies, say) may still pass through held-out
positions; `is_held_out` tells them apart for those who want to keep them out.

Positions drawn for a set are distinct; positions where the game is over are left out. The number of random plies is drawn from
`random_plies(game)`: 2 to 6, fewer in games of fewer than 24 plies. A set-up keeps what it has twice: the 244 openings of
Othello's `openings-244` lead to 236 boards. Where fewer are wanted than a set-up has, they are taken at equal distances from
its list, so that they do not all begin with the same move.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from boardgym.compile import kernel, plain
from boardgym.compile.words import mix
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, nearest
from boardgym.core.game import Game, get_game
from boardgym.core.random import check_seed, draw, stream

DRAWN = ("train", "heldout")
NAMES = ("start", *DRAWN)
ONE_IN = 4  # this share of the classes of positions is held out
DRAWS_PER_OPENING, FEWEST_DRAWS = 60, 4000
OPENING_STREAM = 0  # the path of the openings' random numbers under a seed; `match` uses 1

Openings = str | Sequence[str | Sequence[str]]


@kernel
def class_key(game, row):  # type: ignore[no-untyped-def]
    """The least key of a position and its images under the board's symmetries, uint64. game: token; row: int64 row."""
    position = verbs.unpack(game, row)
    return verbs.key(verbs.transform(position, verbs.canonical_symmetry(position)))


def is_held_out(board: Board) -> bool:
    """Whether a position belongs to the held-out side, with all its mirror images and rotations."""
    return int(plain(mix)(np.uint64(class_key(board.game.token, board.row)))) % ONE_IN == 0


def random_plies(game: Game) -> tuple[int, int]:
    """The fewest and the most random plies of an opening."""
    most = min(6, max(1, game.max_plies // 4))
    return max(1, most // 3), most


def make_openings(game: str | Game, openings: Openings = "heldout", *, count: int, seed: int = 0) -> list[Board]:
    """Boards to begin games from.

    Args:
        game: the game.
        openings: "start", "train", "heldout", the name of a set-up or "sequences:n", or a list whose items are position
            strings or lists of moves (and rolls) from the start.
        count: how many are wanted, at least 1.
        seed: of the random plies, 0 to 2**64 - 1.

    Returns:
        Up to `count` boards that do not roll by themselves, each with an empty record: fewer where the set has no more. Of
        "train" and "heldout" and of lists, a smaller count with the same seed gives the beginning of the same list.

    Raises:
        OptionError: an unknown name, a count below 1, a bad seed, a set without a position to play from, or a set-up that draws
            random plies.
        NotationError, IllegalActionError: an item of a list that cannot be read or played.
    """
    game, seed = get_game(game), check_seed(seed)
    if count < 1:
        raise OptionError(f"count={count}: expected at least 1 opening")
    if not isinstance(openings, str):
        found = [_board_of(game, item) for item in openings]
        found = [board for board in found if not board.is_terminal][:count]
    elif openings in DRAWN:
        found = _draw(game, openings == "heldout", count, seed)
    else:
        found = [_board_at(game, position) for position in _spread(_positions(game, openings), count)]
    if not found:
        raise OptionError(
            f"openings={openings!r}: {game.id} {dict(game.options)} has no such position that is not over; try openings='start'"
        )
    return found


def _board_of(game: Game, item: str | Sequence[str]) -> Board:
    """A board at a position string, or after a list of moves."""
    if isinstance(item, str):
        return Board(game, item, auto_roll=False)
    played = Board(game, auto_roll=False)
    played.play(item)
    return _board_at(game, played.position)


def _board_at(game: Game, position: Any) -> Board:
    """A board at a position of the game."""
    board = Board(game, auto_roll=False)  # what is rolled is the game's business
    board.set_position(position, check=False)
    return board


def _positions(game: Game, name: str) -> tuple[Any, ...]:
    """All positions of "start" or of a set-up. Raises OptionError."""
    if name != "start" and name not in game.setups and not name.startswith(("sequences:", "random:")):
        known = (*NAMES, *(setup for setup in game.setups if setup != "standard"))
        sequences = "" if game.num_outcomes else "'sequences:n', or "
        raise OptionError(f"no set of openings is called {name!r}; expected {sequences}{nearest(name, known)}")
    setup = game.setup("standard" if name == "start" else name)
    if setup.random_plies[1] > 0:
        raise OptionError(f"openings={name!r}: this set-up of {game.id} draws random plies; try openings='heldout'")
    return setup.positions


def _spread(positions: tuple[Any, ...], count: int) -> list[Any]:
    """All positions, or as many as are wanted, at equal distances."""
    wanted = min(count, len(positions))
    return [positions[number * len(positions) // wanted] for number in range(wanted)]


def _draw(game: Game, held_out: bool, count: int, seed: int) -> list[Board]:
    """Distinct openings of one side, in the order in which random play meets them."""
    rng = stream(seed, OPENING_STREAM, int(held_out))
    low, high = random_plies(game)
    board, found, seen = Board(game, seed=seed), [], set()
    for _ in range(FEWEST_DRAWS + DRAWS_PER_OPENING * count):
        board.reset(rng=rng)
        for _ in range(low + draw(rng, high - low + 1)):
            legal = board.legal_actions
            if legal:
                board.push(legal[draw(rng, len(legal))])
        if board.is_terminal or board.key in seen or is_held_out(board) != held_out:
            continue
        seen.add(board.key)
        found.append(_board_at(game, board.position))
        if len(found) == count:
            break
    return found
