"""Compiled policies on a CUDA card: what they read is brought there, what they write each thread has for itself.

What a policy needs is what its verb `make_scratch` makes, which asks for memory and so runs on the CPU, in Python. Of the
arrays in it, those that lie in the policy's data are read by all threads, in the card's memory; all others are parts of one
piece of memory that each thread has, which begins as they were made: a local one if it is small, else a slice of the card's.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined, uncompiled
from boardgym.compile.cuda import card_kernel, cuda, types
from boardgym.compile.parts import Part, placed_in, tree_map
from boardgym.core import verbs
from boardgym.core.cuda_rows import Block, make_staged, rows_of, views_of
from boardgym.core.engine import NOT_OVER
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.playing import Plan, Tally, play_plies
from boardgym.core.policy import CompiledPolicy, choose_or_stray, make_scratch

WORD = 8  # bytes; each part begins at such a word
MOST_LOCAL = 4096 // WORD  # words of a thread's local memory: a card keeps it for all threads that it could run at once
MOST_WORDS = (1 << 20) // WORD  # of a thread: with more, so few run at once that the CPU is faster
MOST_BYTES = 1 << 30  # of all threads' slices

_CHOOSERS: dict[Any, Any] = {}  # by the tokens' names and the local memory: a second batch compiles nothing
_PLAYERS: dict[Any, Any] = {}  # the same of kernels that play


class Needs(NamedTuple):
    """What a policy needs.

    parts: a tuple of what its `choose` is given, with a `Part` for each array that threads have for themselves. A tuple,
    because no function of a card returns an array of its own.
    begun: uint64 (words,), what the memory of each thread is at first. Arrays of the CPU.
    """

    parts: Any
    begun: NDArray[np.uint64]


def needs_of(game: Game, player: CompiledPolicy) -> Needs:
    """What a policy needs on a card. Raises UnsupportedGameError for one that a card cannot play."""
    return needs_in(scratch_of(game, player), player.data, repr(player))


def scratch_of(game: Game, player: CompiledPolicy) -> Any:
    """What a policy's `choose` is given. Raises UnsupportedGameError for one that a card cannot play."""
    if not player.is_for_cards:
        raise UnsupportedGameError(f"{player!r} is a search, which a card does not play")
    with uncompiled():
        return make_scratch(player.settings, game.start, game.max_choices, player.data)


def needs_in(scratch: Any, data: Any, name: str) -> Needs:
    """What a thread needs that is given a scratch, tuples of arrays. data: those that all threads share. name: for errors.

    Raises UnsupportedGameError for what a thread cannot have.
    """
    read = [(array.ctypes.data, array.ctypes.data + array.nbytes) for array in arrays_in(data)]
    places, pieces, size = dict[int, int](), dict[int, NDArray[Any]](), 0  # where arrays that own memory go, and what is in it

    def part_of(value: Any) -> Any:
        nonlocal size
        if isinstance(value, bool | int | float | np.bool_ | np.number):
            return value
        if not isinstance(value, np.ndarray) or not value.flags.c_contiguous:
            raise UnsupportedGameError(f"{name} needs {type(value).__name__} to play, which a card's threads have not")
        begin = value.ctypes.data
        if any(first <= begin and begin + value.nbytes <= end for first, end in read):
            return value
        owner = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if id(owner) not in places:
            places[id(owner)] = size
            size += -(-owner.nbytes // WORD) * WORD
        offset = places[id(owner)] + begin - owner.ctypes.data
        if offset not in pieces or pieces[offset].nbytes < value.nbytes:
            pieces[offset] = value
        return Part(value, offset)

    parts = tree_map(part_of, scratch)
    if size > WORD * MOST_WORDS:
        raise UnsupportedGameError(
            f"{name} needs {size:,} bytes for each game that it plays at once; on a card it may have {WORD * MOST_WORDS:,}"
        )
    begun = np.zeros(max(size // WORD, 1), np.uint64)
    for offset, piece in pieces.items():
        np.ndarray(piece.shape, piece.dtype, begun, offset)[...] = piece
    return Needs((parts,), begun)


def arrays_in(value: Any) -> list[NDArray[Any]]:
    """The arrays within tuples of tuples."""
    if isinstance(value, tuple):
        return [array for item in value for array in arrays_in(item)]
    return [value] if isinstance(value, np.ndarray) else []


def to_card(value: Any) -> Any:
    """Tuples of tuples with their arrays on the card, once each: parts of a policy may name one twice."""
    known: dict[Any, Any] = {}

    def sent(item: Any) -> Any:
        if not isinstance(item, np.ndarray):
            return item
        key = item.ctypes.data, item.shape, item.dtype
        if key not in known:
            known[key] = cuda.to_device(item)
        return known[key]

    return tree_map(sent, value)


class Room:
    """What threads have for themselves, and how many there may be.

    Args:
        begun: of `Needs`, on the CPU.
        threads: of a block. blocks: of threads, at most.

    Attributes: begun: on the card. memory: uint64 (threads, words), of threads whose memory is not local. words: how many.
    blocks: so many may be launched.
    """

    def __init__(self, begun: NDArray[np.uint64], threads: int, blocks: int) -> None:
        self.words = len(begun)
        _, is_local = local_memory(self.words)
        most = MOST_BYTES // (WORD * self.words * threads)
        self.blocks = blocks if is_local else min(blocks, max(most, 1))
        self.begun = cuda.to_device(begun)
        self.memory = cuda.device_array((0 if is_local else self.blocks * threads, self.words), np.uint64)


class Player:
    """A compiled policy on the card, as it is now: who changes its arrays afterwards needs another.

    Args:
        game: the game. policy: of it.
        block, blocks: of the games that it is to play.

    Attributes: what kernels take. token, settings, epsilon: of the policy. parts: of `Needs`, on the card. room: of threads.

    Raises UnsupportedGameError for a policy that a card cannot play.
    """

    def __init__(self, game: Game, policy: CompiledPolicy, block: Block, blocks: int) -> None:
        needs = needs_of(game, policy)
        self.token, self.epsilon = policy.token, float(policy.epsilon)
        self.settings, self.parts = cuda.to_device(np.ascontiguousarray(policy.row)), to_card(needs.parts)
        self.room = Room(needs.begun, block.threads, blocks)

    @property
    def args(self) -> tuple[Any, ...]:
        """What kernels take."""
        return self.settings, self.epsilon, self.parts, self.room.begun, self.room.memory


def local_memory(words: int) -> tuple[int, bool]:
    """(words of a local array, whether that is the memory of a thread) where it needs so many."""
    return (words, True) if words <= MOST_LOCAL else (1, False)


@inlined
def begin_scratch(parts: Any, begun: NDArray[np.uint64], own: NDArray[np.uint64]) -> Any:
    """A tuple of what `choose` is given, in a thread's own memory."""
    for k in range(own.shape[0]):
        own[k] = begun[k]
    return placed_in(own, parts)


def make_chooser(game: Game, policy: verbs.Token, words: int) -> Any:
    """A kernel choose(positions, rngs, endings, keys, num_keys, arguments of a player ..., actions, deterministic).

    It writes what a policy plays. policy: its token. words: of the memory of a thread.
    """
    token, most, (local_words, is_local) = game.token, game.max_choices, local_memory(words)
    key = token.name, policy.name, local_words, is_local
    if key in _CHOOSERS:
        return _CHOOSERS[key]

    def choose(positions, rngs, endings, keys, num_keys, settings, epsilon, parts, begun, memory, actions, deterministic):
        own = cuda.local.array(local_words, types.uint64) if is_local else memory[cuda.grid(1)]
        (scratch,), chooser = begin_scratch(parts, begun, own), verbs.unpack(policy, settings)
        legal = cuda.local.array(most, types.int64)
        for i in range(cuda.grid(1), endings.shape[0], cuda.gridsize(1)):
            actions[i] = 0
            if endings[i] == NOT_OVER:
                position, history = verbs.unpack(token, positions[i]), keys[i, : num_keys[i]]
                actions[i] = choose_or_stray(
                    token, chooser, epsilon, position, history, rngs[i : i + 1], scratch, legal, deterministic
                )

    _CHOOSERS[key] = card_kernel(choose)
    return _CHOOSERS[key]


def make_playing(game: Game, policy: verbs.Token, words: int, block: Block) -> Any:
    """A kernel that plays as `playing.play_rows`, with `block.shared` bytes. policy: its token. words: of a thread's memory.

    Its arguments are observations, masks and (rows, shown, (games, rewards) of a tally, starts, low, high, plies,
    deterministic, auto_reset, arguments of a player, first): `first`, int64 (1,), is lowered to the first game in which the
    policy broke the rules.
    """
    token, most, (local_words, is_local) = game.token, game.max_choices, local_memory(words)
    key = token.name, policy.name, local_words, is_local
    if key in _PLAYERS:
        return _PLAYERS[key]

    @inlined
    def is_read(i, args):
        return True  # which actions are legal in the first ply

    @inlined
    def show(i, t, begin, end, seen, allowed, args):
        rows, shown, (games, rewards), starts, low, high, plies, deterministic, auto_reset, player, first = args
        settings, epsilon, parts, begun, memory = player
        own = cuda.local.array(local_words, types.uint64) if is_local else memory[cuda.grid(1)]
        (scratch,), chooser = begin_scratch(parts, begun, own), verbs.unpack(policy, settings)
        legal, probabilities = cuda.local.array(most, types.int64), cuda.local.array(most, types.float64)
        plan, views = Plan(plies, deterministic, auto_reset, starts, low, high), views_of(seen, allowed, shown, begin, end)
        part, tally = rows_of(rows, begin, end), Tally(games[begin:end], rewards[begin:end])
        if not play_plies(token, chooser, epsilon, plan, part, t, views, tally, scratch, legal, probabilities):
            cuda.atomic.min(first, 0, i)

    staged = make_staged(game, block, is_read, show)

    def play(observations, masks, args):
        staged(observations, masks, args[0].endings.shape[0], args)

    _PLAYERS[key] = card_kernel(play)
    return _PLAYERS[key]
