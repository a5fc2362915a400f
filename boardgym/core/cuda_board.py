"""`BatchBoard` on a CUDA card."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.compile import NumbaError
from boardgym.compile.card import check_card
from boardgym.compile.cuda import cuda
from boardgym.core import rows as rw
from boardgym.core.batch_board import BatchBoard
from boardgym.core.batch_checks import check_actions, check_compiled, check_count, check_where, illegal_action
from boardgym.core.cuda_policies import Player, make_chooser, make_playing
from boardgym.core.cuda_rows import Kernels, make_kernels
from boardgym.core.errors import OptionError, RuleError, UnsupportedGameError
from boardgym.core.game import Game, check_names, get_game
from boardgym.core.playing import Playing, Tally
from boardgym.core.policy import CompiledPolicy, Policy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import check_seed, fresh_seed
from boardgym.core.threads import Sharing

_KERNELS: dict[str, Kernels] = {}  # by the game's token: a second batch compiles nothing
_FOR_THE_CPU: set[tuple[str, str]] = set()  # tokens of games and policies that do not compile for the card


class CudaBatchBoard(BatchBoard):
    """The boards of `BatchBoard` in the memory of a CUDA card, and stepped there: what `device="cuda"` gives.

    What it hands out are arrays on the card with `__cuda_array_interface__`, from which PyTorch (`torch.as_tensor(array,
    device="cuda")`) and CuPy make their own without a copy. They are the batch's own memory: the next call overwrites them, and
    nobody else may. Actions and `where` may be such arrays too, or arrays of the host.

    The same seed gives the same games as on the CPU: in Numba's simulator, for it has not run on a card yet. `act` and `play`
    ask compiled policies on the card, but for searches. `set_positions`, `take`, `put`, `copy`, and `act` and `play` with
    other policies, bring the boards to the CPU and back.
    """

    def __init__(
        self,
        game: str | Game,
        num_boards: int,
        *,
        setup: str = "standard",
        seed: int | None = None,
        num_threads: int = 1,
        device: str = "cuda",
        **options: Any,
    ) -> None:
        check_card()
        check_names(game, options, BatchBoard)
        self.game = get_game(game, **options)
        n = check_count(num_boards, "num_boards")
        chosen = self.game.setup(setup)
        self.setup, self._plies = setup, chosen.random_plies
        self._starts = np.stack([self.game.token.row(position) for position in chosen.positions])
        self._policies: dict[str, Any] = {}
        self._sharing = Sharing(num_threads)  # of what is done on the CPU
        self._allocate(n)
        self.reset(seed=fresh_seed() if seed is None else seed)

    def _allocate(self, n: int) -> None:
        """Makes the arrays of n games, not begun."""
        game = self.game
        if game.token.name not in _KERNELS:
            _KERNELS[game.token.name] = make_kernels(game)
        self._kernels = _KERNELS[game.token.name]
        block = self._kernels.block
        self._blocks = -(-n // block.threads)
        self._words = (
            cuda.to_device(np.zeros(self._blocks * block.observation_words, np.uint32)),
            cuda.to_device(np.full(self._blocks * block.mask_words, 0x01010101, np.uint32)),
        )
        padded, shape = self._blocks * block.threads, game.observation_shape
        self._views: Any = rw.Views(
            self._words[0].view(np.dtype(game.observation_dtype)).reshape(padded, *shape)[:n],
            self._words[1].view(np.dtype(np.int8)).reshape(padded, game.num_actions)[:n],
            cuda.to_device(np.zeros((n, game.num_seats))),
            cuda.to_device(np.ones(n, bool)),
            cuda.to_device(np.full(n, -1, np.int64)),
        )
        self._set_rows(rw.make_rows(game.token, n, has_history=game.repetition_limit > 0))
        self._first = cuda.to_device(np.array([n]))
        self._card_starts = cuda.to_device(self._starts)
        self._host_boards: BatchBoard | None = None
        self._players: dict[str, Player | None] = {}  # of policies by spec; None: one for the CPU

    def _set_rows(self, rows: rw.Rows) -> None:
        """Copies rows of the CPU to the card."""
        self._rows: Any = by_columns(rows)
        self._most_keys = int(rows.num_keys.max())

    def _host(self) -> BatchBoard:
        """The boards as they are now, on the CPU."""
        if self._host_boards is None:
            self._host_boards = BatchBoard(self.game, len(self), setup=self.setup, seed=0)
        host = self._host_boards
        host._rows = rw.Rows._make(np.ascontiguousarray(array.copy_to_host()) for array in self._rows)
        host._views = rw.Views._make(array.copy_to_host() for array in self._views)
        host._policies, host._sharing = self._policies, self._sharing
        return host

    def _take_over(self, host: BatchBoard) -> None:
        """Brings the boards of a batch of the CPU to the card, as many as there are here."""
        self._set_rows(host._rows)
        for array, values in zip(self._views, host._views, strict=True):
            array.copy_to_device(np.ascontiguousarray(values))

    @property
    def observation(self) -> Any:
        """(n, *observation_shape) on the card, as the seat to play sees each board."""
        return self._views.observations

    @property
    def mask(self) -> Any:
        """int8 (n, num_actions) on the card, the legal actions, ones where the game is over."""
        return self._views.masks

    @property
    def rewards(self) -> Any:
        """float64 (n, num_seats) on the card, what the latest step paid each seat."""
        return self._views.rewards

    @property
    def done(self) -> Any:
        """Where the game is over, bool (n,) on the card."""
        return self._views.done

    @property
    def to_play(self) -> Any:
        """int64 (n,) on the card, the seat to play, -1 where the game is over."""
        return self._views.to_play

    @property
    def ply(self) -> Any:
        """int64 (n,) on the card, plies since the start, rolls left out."""
        return self._rows.plies

    @property
    def rows(self) -> Any:
        """int64 (n, fields) on the card, the positions."""
        return self._rows.positions

    def _launch(self, kernel: Any, *args: Any, is_staged: bool = False) -> None:
        block = self._kernels.block
        kernel[self._blocks, block.threads, 0, block.shared if is_staged else 0](*args)

    def _found(self) -> int:
        """The game that a kernel has put into `_first`, which is reset; -1 for none."""
        first = int(self._first.copy_to_host()[0])
        if first == len(self):
            return -1
        self._first.copy_to_device(np.array([len(self)]))
        return first

    def reset(self, where: Any = None, *, seed: int | None = None) -> tuple[Any, Any]:
        """As `BatchBoard.reset`; `where` may be on the card."""
        chosen = where_on_card(where, len(self))
        if seed is not None:
            self._launch(self._kernels.seed, self._rows.rngs, chosen, cuda.to_device(np.array([check_seed(seed)], np.uint64)))
        low, high = self._plies
        self._make_room(high)
        self._launch(
            self._kernels.restart,
            *self._rows,
            chosen,
            self._card_starts,
            low,
            high,
            *self._words,
            *self._shown,
            self._first,
            is_staged=True,
        )
        if self._found() >= 0:
            raise self._no_start()
        return self.observation, self.mask

    @property
    def _shown(self) -> tuple[Any, ...]:
        """What kernels of what games show take beside words."""
        return self._views.rewards, self._views.done, self._views.to_play

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
        """As `BatchBoard.step`; `actions` may be on the card. It waits for the card, to say whether an action was illegal."""
        chosen = actions_on_card(actions, len(self))
        self._launch(self._kernels.check, chosen, self._rows.endings, self._views.masks, self._first)
        if (bad := self._found()) >= 0:
            host = self._host()
            raise illegal_action(self.game, bad, int(chosen.copy_to_host()[bad]), host._rows, int(host.mask[bad].sum()))
        self._make_room()
        self._launch(self._kernels.step, *self._rows, chosen, *self._words, *self._shown, is_staged=True)
        return self.observation, self.mask, self.rewards, self.done, self.to_play

    def _make_room(self, plies: int = 0) -> None:
        """Room for the keys of so many plies and those of the next step, as `rows.with_room` makes it.

        How many keys a board has at most is counted here, and asked of the card only where that number has come to the end of
        the room.
        """
        room = self._rows.keys.shape[1]
        if room == 0:
            return
        keys = rw.keys_of(self.game, plies)
        spare = keys + rw.SPARE_KEYS
        if self._most_keys + spare > room:
            self._launch(self._kernels.forget, *self._rows)
            self._most_keys = int(self._rows.num_keys.copy_to_host().max())
            if self._most_keys + spare > room // 2 + rw.SPARE_KEYS:
                self._rows = grown(self._rows, max(2 * room, self._most_keys + spare))
        # a game in which chance acts has more than one key a ply; how many more, only the card knows
        self._most_keys += keys + (rw.SPARE_KEYS if self.game.num_outcomes else 1)

    def act(self, policy: str | Policy, *, deterministic: bool = False, trust: bool = False) -> Any:
        """As `BatchBoard.act`: int64 (n,) on the card.

        Compiled policies are asked there: random, greedy, networks, n-tuple networks, and these with an epsilon. What they have
        learnt is brought there once for a spec, and in each call for a policy, which may have learnt more. Searches, policies
        in Python, and those that do not compile for the card, are asked on the CPU.
        """
        player = self._player_of(policy, trust)
        if player is not None:
            choose, rows = make_chooser(self.game, player.token, player.room.words), self._rows
            chosen = cuda.device_array(len(self), np.int64)
            before = rows.positions, rows.rngs, rows.endings, rows.keys, rows.num_keys
            try:
                choose[player.room.blocks, self._kernels.block.threads](*before, *player.args, chosen, bool(deterministic))
            except (RuleError, NumbaError):  # it has not been launched
                _FOR_THE_CPU.add((self.game.token.name, player.token.name))
            else:
                return chosen
        host = self._host()
        actions = host.act(policy, deterministic=deterministic, trust=trust)
        self._rows.rngs.copy_to_device(host._rows.rngs)
        return cuda.to_device(actions)

    def _playing(self, policy: str | Policy, trust: bool, tally: Tally, how: tuple[bool, bool]) -> Playing:
        """As `BatchBoard._playing`; the tally is kept on the card until it is fetched."""
        player, block = self._player_of(policy, trust), self._kernels.block
        if player is None:
            return (lambda most: 0), (lambda: None)
        kernel, counts = make_playing(self.game, player.token, player.room.words, block), [*map(cuda.to_device, tally)]

        def fetch() -> None:
            for array, own in zip(tally, counts, strict=False):  # there are none where it did not compile
                own.copy_to_host(array)

        def play(most: int) -> int:
            if not counts:
                return 0
            self._make_room(most)
            starts = self._card_starts, *self._plies
            args = self._rows, self._shown, tuple(counts), *starts, most, *how, player.args, self._first
            try:
                kernel[player.room.blocks, block.threads, 0, block.shared](*self._words, args)
            except (RuleError, NumbaError):  # it has not been launched
                _FOR_THE_CPU.add((self.game.token.name, player.token.name))
                fetch()
                counts.clear()
                return 0
            if (bad := self._found()) >= 0:
                fetch()
                host = self._host()
                raise illegal_action(self.game, bad, int(tally.games[bad]), host._rows, int(host.mask[bad].sum()))
            if how[1] and self.done.copy_to_host().any():
                raise self._no_start()
            return most

        return play, fetch

    def _player_of(self, policy: str | Policy, trust: bool) -> Player | None:
        """A policy on the card, None for one that is asked on the CPU. Raises as `act`."""
        if isinstance(policy, str):
            if policy not in self._players:
                if policy not in self._policies:
                    seed = int(self._rows.rngs.copy_to_host()[0] >> 1)
                    self._policies[policy] = make_policy(policy, self.game, seed=seed, trust=trust)
                self._players[policy] = self._new_player(self._policies[policy])
            player = self._players[policy]
            return None if player is None or self._is_for_the_cpu(player) else player
        return self._new_player(policy)

    def _is_for_the_cpu(self, player: CompiledPolicy | Player) -> bool:
        return (self.game.token.name, player.token.name) in _FOR_THE_CPU

    def _new_player(self, policy: Policy) -> Player | None:
        if not isinstance(policy, CompiledPolicy):
            return None
        check_compiled(policy, self.game)
        if self._is_for_the_cpu(policy):
            return None
        try:
            return Player(self.game, policy, self._kernels.block, self._blocks)
        except UnsupportedGameError:
            return None

    def set_positions(
        self,
        positions: Any,
        where: ArrayLike | None = None,
        *,
        history: Sequence[NDArray[np.int64]] | None = None,
        check: bool = True,
    ) -> tuple[Any, Any]:
        """As `BatchBoard.set_positions`, by way of the CPU."""
        host = self._host()
        host.set_positions(positions, where, history=history, check=check)
        self._take_over(host)
        return self.observation, self.mask

    def history(self, indices: ArrayLike) -> list[NDArray[np.int64]]:
        """As `BatchBoard.history`, on the CPU."""
        return self._host().history(indices)

    @property
    def positions(self) -> list[Any]:
        """The positions, one for each board, on the CPU."""
        return self._host().positions

    def board(self, i: int) -> Any:
        """As `BatchBoard.board`."""
        return self._host().board(i)

    def take(self, indices: ArrayLike) -> "CudaBatchBoard":
        """As `BatchBoard.take`, by way of the CPU."""
        taken = self._host().take(indices)
        other = object.__new__(type(self))
        other.game, other.setup, other._plies, other._starts = self.game, self.setup, self._plies, self._starts
        other._policies, other._sharing = {}, Sharing(self._sharing.num_threads)
        other._allocate(len(taken))
        other._take_over(taken)
        return other

    def put(self, indices: ArrayLike, boards: BatchBoard) -> None:
        """As `BatchBoard.put`, by way of the CPU."""
        host = self._host()
        host.put(indices, boards._host() if isinstance(boards, CudaBatchBoard) else boards)
        self._take_over(host)

    def __deepcopy__(self, memo: Any) -> "CudaBatchBoard":
        return self.take(np.arange(len(self)))

    def __reduce__(self) -> Any:
        raise OptionError(
            "boards on a card cannot be pickled; expected their rows, by `rows.copy_to_host()`, or boards of the CPU"
        )

    def __repr__(self) -> str:
        return f"<BatchBoard of {len(self)} games of {self.game.id}, {int(self.done.copy_to_host().sum())} over, on a card>"


def is_on_card(array: Any) -> bool:
    """Whether it is an array on a card."""
    return getattr(array, "__cuda_ndarray__", False) or hasattr(array, "__cuda_array_interface__")


def on_card(array: Any) -> Any:
    """An array on a card as Numba takes it."""
    return array if getattr(array, "__cuda_ndarray__", False) else cuda.as_cuda_array(array)


def where_on_card(where: Any, n: int) -> Any:
    """As `check_where`, on the card. Raises OptionError."""
    chosen = on_card(where) if is_on_card(where) else cuda.to_device(check_where(where, n))
    if chosen.shape != (n,) or chosen.dtype != bool:
        raise OptionError(f"where: expected bool of shape ({n},), got {chosen.dtype} of shape {tuple(chosen.shape)}")
    return chosen


def actions_on_card(actions: Any, n: int) -> Any:
    """Integers (n,) on the card. Raises OptionError for anything else."""
    chosen = on_card(actions) if is_on_card(actions) else cuda.to_device(check_actions(actions, n))
    if chosen.shape != (n,) or np.dtype(chosen.dtype).kind not in "iu":
        raise OptionError(f"actions: expected integers of shape ({n},), got {chosen.dtype} of shape {tuple(chosen.shape)}")
    return chosen


def by_columns(arrays: Any) -> Any:
    """A named tuple of arrays on the card, by columns there, so that the threads of a warp read what lies together."""
    return type(arrays)._make(cuda.to_device(np.asfortranarray(array)) for array in arrays)


def grown(rows: Any, room: int) -> Any:
    """Rows on the card with room for so many keys."""
    keys = cuda.to_device(np.zeros((len(rows.endings), room), np.int64, order="F"))
    keys[:, : rows.keys.shape[1]].copy_to_device(rows.keys)
    return rows._replace(keys=keys)
