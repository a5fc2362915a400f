"""The endgame tables of Nine Men's Morris on the disk and in memory, and how they are built, layer by layer.

`morris.py` says when they are built, `morris_tables.py` what they hold.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import digest_of
from boardgym.baselines.memory import check_memory
from boardgym.baselines.perfect.morris_tables import (
    DEAD,
    DRAW,
    FEWEST,
    LONGEST,
    MARK,
    MOST,
    MOST_ACTIONS,
    Maps,
    begin_table,
    count_faults,
    extend_table,
    make_maps,
    probe,
    settle_table,
)
from boardgym.baselines.perfect.store import PART, SUFFIX, TABLES, TableError, advice, run_through, tables_folder
from boardgym.compile import EntryPoints
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.locks import in_turn
from boardgym.core.threads import SHARED, Sharing

SAVE_EVERY_S = 60.0
LOOKS = 256  # at a byte alone, that take as long as the moves from or to a position; to plan how a pass is shared
MOST_BYTES = 8 << 30  # of all tables in memory; two bytes a position while they are made
LOCK = ".lock"
LAYER, OUTCOMES = "layer", ("won", "drawn", "lost")

Pair = tuple[int, int]
OnLayer = Callable[[Pair, int, int], None]
OnWait = Callable[[Pair], None]

# Digests of tables in which `count_faults` found none, and whose values for 3-3 are those of others (see the tests):
# (board, flies, more men, fewer) -> SHA-256. Another build must give the same.
KNOWN: dict[tuple[int, bool, int, int], str] = {
    (0, True, 3, 3): "eedd98bce5d81dc1f14b33dfabfa63469f63281b5ad69aba6ea2b8f3f3ebe0f3",
    (0, True, 4, 3): "e1bc89c57e7f1f1157e8a1b5d56e52fae55eac7bf2abcc26740d10f5bac0a4d1",
    (0, True, 4, 4): "df09dc8a6a0d562ab572db571508259d5a962f38e758302f1e59ba6580abdef7",
    (0, True, 5, 3): "18d98e555b15c01f101c40591e49a65353e2e1435e55d898b3ceeb016425acae",
    (0, True, 5, 4): "091f7e02f2fa35e6c7aa16e65be0ed8161dd048c962033a23a89279289e2808c",
    (0, True, 5, 5): "493b0c7d41dfdc6b7fe63235b0d12b4d0169c4259ed8b24672c2c9d3303fb7d7",
}


class EndgameTables:
    """The tables of one board and rule, as far as they are built.

    Args:
        game: Nine Men's Morris with any options; only the board and `flying` count.
        folder: where the files lie; None: the user's cache, or what BOARDGYM_TABLES names.
        num_threads: that share the work on tables, 0 for one a core; the tables do not depend on it.

    Raises:
        UnsupportedGameError: another game.
        OptionError: num_threads that cannot be had.
    """

    def __init__(self, game: Game, folder: Path | None = None, *, num_threads: int = 0) -> None:
        if game.name != "NineMensMorris":
            raise UnsupportedGameError(f"endgame tables are for NineMensMorris, not for {game.id}")
        constants: Any = game.position_class
        self.board, self.flies = int(constants.BOARD), bool(constants.FLYING)
        self.folder = tables_folder() if folder is None else folder
        self.rule = self.board, self.flies
        self.pairs: list[Pair] = []  # those in memory, in the order in which they lie there
        self.values: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self.maps: Maps | None = None
        self._sharing, self._entries = Sharing(num_threads), EntryPoints()

    def path(self, pair: Pair) -> Path:
        """The file of the two tables (more, fewer) and (fewer, more)."""
        names = ("nine", "diagonals")[self.board], "flying" if self.flies else "sliding"
        return self.folder / f"morris-{'-'.join(names)}-{pair[0]}-{pair[1]}{SUFFIX}"

    def missing(self, a: int, b: int) -> list[Pair]:
        """The pairs of tables that a position of a men against b needs and that are not there, the first to build first."""
        return [pair for pair in needed(a, b) if pair not in self.pairs and not TABLES.is_there(self.path(pair))]

    def header(self, pair: Pair) -> dict[str, Any]:
        """What the header of a file must hold."""
        return {"kind": "morris endgames", "board": self.board, "flies": self.flies, "men": list(pair)}

    def plan(self, pairs: list[Pair]) -> tuple[Maps, int]:
        """Where tables of these pairs lie, one after the other, and how many bytes. Raises OptionError if they are too many."""
        largest = max(pair[0] for pair in pairs)
        maps = make_maps(largest)
        room = 0
        for pair in pairs:
            for a, b in orders(pair):
                maps.start[a, b] = room
                room += self.size(a, b, maps)
        if 2 * room > MOST_BYTES:
            raise OptionError(
                f"tables of up to {largest} men need {room / 2**30:.1f} GiB; at most {MOST_BYTES / 2**31:.0f} GiB are made"
            )
        check_memory(2 * room, f"tables of up to {largest} men, while they are made,", "the number of men")
        return maps, room

    def arrange(self, pairs: list[Pair], blank: Pair | None = None) -> None:
        """Puts tables of these pairs into memory, in their order: those that are there already, and others from their files.

        blank: one that is to be made, all draws for now; it does not count among `self.pairs`. Whatever ends this early leaves
        the memory as it was, or empty. Raises FileNotFoundError, TableError, OptionError.
        """
        maps, room = self.plan(pairs)
        values = np.zeros(room, np.uint8)
        finished = [pair for pair in pairs if pair != blank]
        for pair in finished:
            if pair in self.pairs:
                tables = {(a, b): self.table(a, b) for a, b in orders(pair)}
            else:
                tables = self.read(pair, self.path(pair), maps)[0]
            for (a, b), table in tables.items():
                first = int(maps.start[a, b])
                values[first : first + len(table)] = table
        self.pairs = []  # a Ctrl-C between two of these lines must not leave pairs beside another's values
        self.values, self.maps = values, maps
        self.pairs = finished

    @staticmethod
    def size(a: int, b: int, maps: Maps) -> int:
        """Bytes of the table (a, b)."""
        return int(num_orbits(a, maps) * maps.binomials[24 - a, b])

    def table(self, a: int, b: int) -> NDArray[np.uint8]:
        """The bytes of (a, b), a view."""
        assert self.maps is not None
        first = int(self.maps.start[a, b])
        return self.values[first : first + self.size(a, b, self.maps)]

    def load(self, a: int, b: int) -> None:
        """Reads what positions of a men against b need. Raises FileNotFoundError, TableError."""
        pairs = {*self.pairs, *needed(a, b)}
        if len(pairs) > len(self.pairs):
            self.arrange(sorted(pairs, key=order_key))

    def read(self, pair: Pair, path: Path, maps: Maps) -> tuple[dict[Pair, NDArray[np.uint8]], dict[str, Any]]:
        """(tables, header) of a pair from a file, finished or not. Raises FileNotFoundError, TableError."""
        known = "" if path.suffix == PART else KNOWN.get((self.board, self.flies, *pair), "")
        arrays, header = TABLES.read(path, self.header(pair), expected=known)
        sizes = {(a, b): (self.size(a, b, maps),) for a, b in orders(pair)}
        return {(a, b): TABLES.array_of(path, arrays, f"{a}-{b}", np.uint8, size) for (a, b), size in sizes.items()}, header

    def build(self, a: int, b: int, *, on_layer: OnLayer | None = None, on_wait: OnWait | None = None) -> list[Pair]:
        """Builds what positions of a men against b need and is not there. Returns the pairs that were built.

        on_layer: told the pair, the turns of the layer, and how many positions were decided in it. Ctrl-C leaves what is
        done in a file from which the next call goes on. on_wait: told a pair, now and then, while another process builds it.

        Raises:
            OptionError: fewer than 3 or more than 9 men, or more than memory holds.
            TableError: a file that is there cannot be used.
            OSError: the folder cannot be written.
            KeyboardInterrupt: after the unfinished layers have been saved.
        """
        built = []
        self.plan(needed(a, b))  # refused before hours of work, not after
        for pair in needed(a, b):
            path = self.path(pair)
            if not TABLES.is_there(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                with in_turn(path.with_suffix(LOCK), partial(on_wait or (lambda _: None), pair)):
                    if not TABLES.is_there(path):  # nobody has built it meanwhile
                        self.build_pair(pair, on_layer or (lambda *_: None))
                        built.append(pair)
            self.load(*pair)
        return built

    def build_pair(self, pair: Pair, on_layer: OnLayer) -> None:
        """Builds one pair of tables; those of fewer men are there.

        Whatever ends it early, the layers that are done are in a file, and what is unfinished in memory does not pass for a
        table.
        """
        others = sorted({*self.pairs, *needed(*pair)} - {pair}, key=order_key)
        self.arrange([*others, pair], blank=pair)
        turns = self.resume(pair)
        try:
            for layer in self.make_layers(pair, turns, on_layer):
                turns = layer
            self.save(pair)
        except BaseException:
            if turns > 1:
                run_through(partial(self.save_part, pair, turns))
            raise
        self.pairs = [*others, pair]

    def make_layers(self, pair: Pair, turns: int, on_layer: OnLayer) -> Iterator[int]:
        """Fills the tables of a pair layer by layer from the layer `turns` on; yields the next after each one."""
        both, saved = orders(pair), time.monotonic()
        captures = np.zeros(sum(len(self.table(a, b)) for a, b in both), np.uint8)
        longest = max(int(self.go_over("begin", begin_table, a, b, captures).max()) for a, b in both)
        decided, empty = {(a, b): int(np.count_nonzero(self.table(a, b) == turns)) for a, b in both}, 0  # in the layer before
        while empty < 2 or turns <= longest:
            if turns > LONGEST:
                raise OptionError(f"a position of {pair} men needs more than {LONGEST} turns, which a table cannot tell")
            decided = self.make_layer(decided, captures, turns)
            total = sum(decided.values())
            empty, turns = 0 if total else empty + 1, turns + 1
            yield turns
            on_layer(pair, turns - 1, total)
            if time.monotonic() - saved >= SAVE_EVERY_S:
                self.save_part(pair, turns)
                saved = time.monotonic()

    def make_layer(self, before: dict[Pair, int], captures: NDArray[np.uint8], turns: int) -> dict[Pair, int]:
        """Fills the layer `turns` of some tables; how many positions were decided in it, by table. before: in the last one."""
        marked, decided = {}, {}
        for (a, b), number in before.items():
            marked[b, a] = int(self.go_over("extend", extend_table, a, b, turns, number=number).sum())
        for (a, b), number in marked.items():
            name, number = ("win", 0) if turns % 2 else ("lose", number)  # what is won takes no look at its moves
            decided[a, b] = int(self.go_over(name, settle_table, a, b, captures, turns, number=number).sum())
        return decided

    def go_over(self, name: str, kernel: Any, a: int, b: int, *others: Any, number: int = 0) -> NDArray[np.int64]:
        """Goes over the table (a, b) by a kernel of `morris_tables`. Returns what it counts, for each orbit.

        name: of the pass, to remember what it takes. others: the kernel's arguments between values and a. number: about how
        many positions have more to them than a look at their byte; 0 too where all have.
        """
        assert self.maps is not None
        counts = np.zeros(num_orbits(a, self.maps), np.int64)
        arguments = (self.values, *others, a, b, self.rule, tuple(self.maps), counts)
        entry, busy = self._entries.find(kernel, *SHARED, arguments), self.size(a, b, self.maps) + LOOKS * number
        self._sharing.run(name, entry, len(counts), arguments, busy)
        return counts

    def resume(self, pair: Pair) -> int:
        """Fills the tables of a pair with the layers of an unfinished build. Returns the next layer, 1 if there is none.

        Raises TableError.
        """
        assert self.maps is not None
        path = self.path(pair).with_suffix(PART)
        if not TABLES.is_there(path):
            return 1
        tables, header = self.read(pair, path, self.maps)
        layer = header.get(LAYER)
        if type(layer) is not int or not 1 <= layer <= LONGEST + 1:
            raise TableError(f"{path}: {LAYER} is {layer!r}, expected 1 to {LONGEST + 1}; {advice(path)}")
        for (a, b), table in tables.items():
            self.table(a, b)[:] = table
        return layer

    def save_part(self, pair: Pair, turns: int) -> None:
        """Writes the layers below `turns`."""
        tables = {f"{a}-{b}": self.table(a, b).copy() for a, b in orders(pair)}
        for table in tables.values():
            table[((table > turns) & (table <= LONGEST + 1)) | (table == MARK)] = DRAW
        TABLES.write(self.path(pair).with_suffix(PART), tables, {**self.header(pair), LAYER: turns})

    def save(self, pair: Pair) -> None:
        """Writes a finished pair and removes the unfinished file. Raises TableError if it is not as it has to be."""
        tables = {f"{a}-{b}": self.table(a, b) for a, b in orders(pair)}
        digest = digest_of(tables)
        known = KNOWN.get((self.board, self.flies, *pair), digest)
        if digest != known:
            raise TableError(f"{self.path(pair)}: this build has digest {digest}, expected {known}; please report it")
        TABLES.write(self.path(pair), tables, self.header(pair))
        self.path(pair).with_suffix(PART).unlink(missing_ok=True)

    def faults(self, pair: Pair) -> int:
        """How many bytes of a pair of tables in memory are wrong, each looked at by the moves from its position."""
        return sum(int(self.go_over("check", count_faults, a, b).sum()) for a, b in orders(pair))

    def codes(self, position: Any) -> list[tuple[int, int]]:
        """(action, code) of every legal action of a position whose tables are loaded, in the order of the actions."""
        actions, codes = np.empty(MOST_ACTIONS, np.int64), np.empty(MOST_ACTIONS, np.int64)
        assert self.maps is not None
        count = probe(
            position.own, position.other, bool(position.must_remove), self.rule, self.values, tuple(self.maps), actions, codes
        )
        return list(zip(actions[:count].tolist(), codes[:count].tolist(), strict=True))


def num_orbits(men: int, maps: Maps) -> int:
    """Number of orbits of so many men."""
    after = maps.orbit_start[men + 1] if men < MOST else -1
    return int((len(maps.representatives) if after < 0 else after) - maps.orbit_start[men])


def orders(pair: Pair) -> list[Pair]:
    """The tables of a pair: (a, b), and (b, a) if they differ."""
    return [pair] if pair[0] == pair[1] else [pair, pair[::-1]]


def order_key(pair: Pair) -> tuple[int, Pair]:
    """Sorts pairs so that those to which captures lead come first."""
    return sum(pair), pair


def needed(a: int, b: int) -> list[Pair]:
    """The pairs (more, fewer) to which captures can lead from a men against b, in the order of building, that one last.

    Raises: OptionError for fewer than 3 or more than 9 men.
    """
    if not FEWEST <= min(a, b) <= max(a, b) <= MOST:
        raise OptionError(f"{a} against {b} men: expected {FEWEST} to {MOST} each")
    pairs = {(max(x, y), min(x, y)) for x in range(FEWEST, a + 1) for y in range(FEWEST, b + 1)}
    return sorted(pairs, key=order_key)


def summary(table: NDArray[np.uint8]) -> dict[str, int]:
    """How many positions, up to symmetry, are won, drawn and lost, and the longest way to an end."""
    counts = np.bincount(table, minlength=256)
    decided = counts[1 : LONGEST + 2]
    numbers = (int(decided[1::2].sum()), int(counts[DRAW]), int(decided[::2].sum()))
    longest = int(np.flatnonzero(decided)[-1]) if decided.any() else 0
    return {**dict(zip(OUTCOMES, numbers, strict=True)), "longest": longest, "dead": int(counts[DEAD])}
