"""`Batch` on a CUDA card: one learner against opponents whose replies belong to the step, all of it there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from boardgym.compile.card import check_card
from boardgym.compile.cuda import cuda
from boardgym.core import rows as rw
from boardgym.core.batch_checks import illegal_action
from boardgym.core.cuda_board import actions_on_card, by_columns, grown, where_on_card
from boardgym.core.cuda_policies import Player
from boardgym.core.engine import NOT_OVER
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError
from boardgym.core.policy import CompiledPolicy
from boardgym.envs import stepping as st
from boardgym.envs.batch import MAX_STARTS, Batch
from boardgym.envs.cuda_stepping import NONE_FOUND, make_kernels, make_replies


class CudaBatch(Batch):
    """The games of `Batch` in the memory of a CUDA card, and stepped there: what `device="cuda"` gives.

    Arrays are the card's, with `__cuda_array_interface__`: `observations`, `masks`, `rewards`, and what `step` returns. They
    are the batch's own memory, and the next call overwrites them. `infos` and `plays_again` are of the host. `where` and
    actions may be arrays of either.

    Opponents are compiled policies and mixtures of these: random, greedy, networks and n-tuple networks, each with an epsilon.
    What they have learnt is brought to the card by `set_opponent`; call it again when they have learnt more.

    The same seeds give the same games as on the CPU: in Numba's simulator, for it has not run on a card yet. But for those in
    which an opponent has played an illegal action: the CPU stops at the first such board, and the boards behind it wait; on the
    card all others have been played on.

    Raises:
        UnsupportedGameError: an opponent that a card does not play: searches, policies in Python.
        RuleError: when they are first compiled, an opponent or rules that do not compile for a card.
    """

    def _allocate(self, n: int) -> None:
        check_card()
        super()._allocate(n)
        game = self.game
        self._kernels = make_kernels(game)
        block = self._kernels.block
        self._blocks = -(-n // block.threads)
        padded, shape = self._blocks * block.threads, game.observation_shape
        self._mask_words = cuda.to_device(np.full(self._blocks * block.mask_words, 0x01010101, np.uint32))
        self._masks = self._mask_words.view(np.dtype(np.int8)).reshape(padded, game.num_actions)[:n]
        self._padded_shape = padded, *shape
        self.rows: Any = by_columns(self.rows)
        nothing = np.zeros((n, 0), np.int8)
        self.sides: Any = by_columns(self.sides._replace(observations=nothing, masks=nothing))._replace(masks=self._masks)
        self.everywhere: Any = cuda.to_device(self.everywhere)
        self._wrong: Any = cuda.to_device(self._wrong)
        self._found = cuda.to_device(np.array([NONE_FOUND]))
        self._done = cuda.to_device(np.ones(n, bool))
        self._starts = cuda.to_device(self.starts)
        self._may_wait = False  # for an opponent that has failed
        self.renew()

    def renew(self) -> None:
        """As `Batch.renew`."""
        block, game = self._kernels.block, self.game
        self._words = cuda.to_device(np.zeros(self._blocks * block.observation_words, np.uint32))
        cells = self._words.view(np.dtype(game.observation_dtype)).reshape(*self._padded_shape)
        self.sides = self.sides._replace(observations=cells[: self.num_envs])

    def _launch(self, kernel: Any, *args: Any, blocks: int = 0, shared: int = 0) -> None:
        kernel[blocks or self._blocks, self._kernels.block.threads, 0, shared](*args)

    def _take_found(self) -> int:
        """What kernels have left in `_found`, -1 if nothing; it is reset."""
        found = int(self._found.copy_to_host()[0])
        if found == NONE_FOUND:
            return -1
        self._found.copy_to_device(np.array([NONE_FOUND]))
        return found

    # ------------------------------------------------------------ opponents

    def _admit(self, players: list[Any], slots: st.Slots) -> Any:
        for player in players:
            if not isinstance(player, CompiledPolicy):
                raise UnsupportedGameError(
                    f"opponent {player!r} is a search or plays in Python; a card plays compiled policies: random, greedy, "
                    "networks and n-tuple networks, each with an epsilon, and mixtures of these"
                )
        sides = super()._admit(players, slots)
        members, seeds = (cuda.to_device(np.asfortranarray(array)) for array in (sides.members, sides.seeds))
        on_card = [Player(self.game, player, self._kernels.block, self._blocks) for player in players]
        return sides._replace(members=members, seeds=seeds), st.Slots._make(map(cuda.to_device, slots)), on_card

    def _seat_opponents(self, admitted: Any) -> None:
        self.sides, self._slots, self._on_card = admitted
        self._launch(self._kernels.reassign, self.rows, self.sides, self._slots)
        if self._may_wait:
            self._let_opponents_reply()
            self.observe(self.everywhere)

    def _let_opponents_reply(self) -> None:
        self._may_wait = True
        while self._waits():
            for number, (policy, player) in enumerate(zip(self.players, self._on_card, strict=True)):
                self._make_room()
                is_checked = not type(policy.settings).__module__.startswith("boardgym.")
                kernel = make_replies(self.game, player.token, player.room.words)
                args = number, is_checked, self.rows, self.sides, self._slots, *player.args, self._wrong, self._found
                self._launch(kernel, *args, blocks=player.room.blocks)
                if is_checked and (board := self._take_found()) >= 0:
                    raise IllegalActionError(
                        f"{policy!r} played {int(self._wrong.copy_to_host()[board])} on board {board}, which is illegal in "
                        f"{self.game.id} at {self.game.to_fen(self.position(board))!r}"
                    )
        self._may_wait = False

    def _waits(self) -> bool:
        """Whether a board waits for an opponent."""
        self._launch(self._kernels.waiting, self.sides, self._found)
        return self._take_found() >= 0

    # ------------------------------------------------------------ playing

    def seed(self, seeds: Sequence[int | None], where: Any = None) -> None:
        """As `Batch.seed`."""
        card, host = self.rows, self.rows.rngs.copy_to_host()
        self.rows = card._replace(rngs=host)
        try:
            super().seed(seeds, None if where is None else where_on_card(where, self.num_envs).copy_to_host())
        finally:
            self.rows = card
        self.rows.rngs.copy_to_device(host)

    def restart(self, where: Any) -> None:
        """As `Batch.restart`."""
        n, kernels, self.has_begun = self.num_envs, self._kernels, True
        started, left = cuda.device_array(n, bool), cuda.device_array(n, bool)
        self._launch(kernels.wanted, where_on_card(where, n), started, self._found)
        if self._take_found() < 0:
            return
        left.copy_to_device(started)
        low, high = self.plies
        for _ in range(MAX_STARTS):
            self._make_room(high)
            self._launch(
                kernels.restart, self.rows, self.sides, self._slots, left, self._starts, low, high, self.seat, self.is_mirrored
            )
            self._let_opponents_reply()
            self._launch(kernels.over, left, self.rows.endings, self._found)
            if self._take_found() < 0:
                self._launch(kernels.forget_paid, started, self.sides)
                return self.observe(started)
        raise OptionError(
            f"set-up {self.setup!r} of {self.game.id}: games were over before the learner could move, {MAX_STARTS} times"
        )

    def abandon(self, where: Any) -> None:
        """As `Batch.abandon`."""
        self._launch(self._kernels.abandon, where_on_card(where, self.num_envs), self.rows, self.sides)

    def step(self, actions: Any, where: Any = None) -> Any:
        """As `Batch.step`; bool (n,) on the card."""
        chosen, part = self.check(actions, where)
        self._make_room()
        self._launch(self._kernels.learner, self.rows, self.sides, self._slots, part, chosen, self.illegal)
        self._let_opponents_reply()
        self.observe(self.everywhere)
        return self._done

    def check(self, actions: Any, where: Any = None) -> tuple[Any, Any]:
        """As `Batch.check`."""
        n = self.num_envs
        chosen, part = actions_on_card(actions, n), self.everywhere if where is None else where_on_card(where, n)
        if not self.has_begun:
            raise ResetNeeded("no game has begun; expected restart() first")
        if self._may_wait and self._waits():
            raise ResetNeeded("an opponent failed in an earlier call and boards wait for it; reset, or set another opponent")
        if self.illegal == st.ILLEGAL_RAISES:
            self._launch(self._kernels.check, self.sides, part, chosen, self._found)
            if (bad := self._take_found()) >= 0:
                action, count = int(chosen.copy_to_host()[bad]), int(self._masks.copy_to_host()[bad].sum())
                raise illegal_action(self.game, bad, action, self._host_rows(), count)
        return chosen, part

    def _make_room(self, plies: int = 0) -> None:
        """As `rows.with_room`."""
        room, spare = self.rows.keys.shape[1], rw.keys_of(self.game, plies) + rw.SPARE_KEYS
        if room == 0 or self._most_keys() + spare <= room:
            return
        self._launch(self._kernels.forget_keys, self.rows)
        needed = self._most_keys() + spare
        if needed > room // 2 + rw.SPARE_KEYS:
            self.rows = grown(self.rows, max(2 * room, needed))

    def _most_keys(self) -> int:
        """How many keys a board has at most."""
        self._launch(self._kernels.most_keys, self.rows, self._found)
        found = self._take_found()
        return NONE_FOUND - found if found >= 0 else 0

    def observe(self, where: Any) -> None:
        """As `Batch.observe`."""
        chosen, block = where_on_card(where, self.num_envs), self._kernels.block
        args = self.rows, self.sides, chosen, self._words, self._mask_words, self._done
        self._launch(self._kernels.observe, *args, shared=block.shared)

    # ------------------------------------------------------------ looking

    @property
    def masks(self) -> Any:
        """int8 (n, num_actions) on the card, its legal actions; all ones where the game is over."""
        return self._masks

    def plays_again(self) -> NDArray[np.bool_]:
        """As `Batch.plays_again`, of the host."""
        rows, sides = self.rows, self.sides
        where: NDArray[np.bool_] = rows.endings.copy_to_host() == NOT_OVER
        return where & (sides.seats.copy_to_host() == sides.payees.copy_to_host())

    def _host_rows(self) -> rw.Rows:
        return rw.Rows._make(np.ascontiguousarray(array.copy_to_host()) for array in self.rows)

    def position(self, i: int) -> Any:
        """As `Batch.position`."""
        return self.game.token.position(self.rows.positions.copy_to_host()[i])

    def infos(self) -> dict[str, NDArray[Any]]:
        """As `Batch.infos`, arrays of the host."""
        card = self.rows, self.sides
        names = "seats", "members", "outcomes"
        self.rows = self._host_rows()
        self.sides = card[1]._replace(**{name: getattr(card[1], name).copy_to_host() for name in names})
        try:
            return super().infos()
        finally:
            self.rows, self.sides = card

    def __deepcopy__(self, memo: Any) -> Any:
        raise OptionError("a batch on a card cannot be copied; expected one of the CPU")

    def __reduce__(self) -> Any:
        raise OptionError("a batch on a card cannot be pickled; expected one of the CPU")
