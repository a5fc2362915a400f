"""`batches` on a CUDA card: a thread for each game, then one for each weight. The functions are those of the CPU."""

from typing import Any

import numpy as np

from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.batches import Plan, Results, make_results, move_weight, play_and_note
from boardgym.compile.cuda import card_kernel, cuda, types
from boardgym.compile.words import mix
from boardgym.core import verbs
from boardgym.core.cuda_policies import Room, begin_scratch, local_memory, needs_in, scratch_of, to_card
from boardgym.core.cuda_rows import MOST_THREADS
from boardgym.core.policy import CompiledPolicy
from boardgym.core.random import branch
from boardgym.core.signals import ctrl_c_held

THREADS = min(MOST_THREADS, 32)  # of a block: a batch of thousands has blocks for all parts of a card
LEARNING_BLOCKS, LEARNING_THREADS = (2, 2) if MOST_THREADS < 32 else (1024, 256)

_KERNELS: dict[Any, Any] = {}  # by the tokens' names and the local memory: a second training compiles nothing


def make_kernels(game: verbs.Token, cells: verbs.Token, opponent: verbs.Token, words: int, has_opponent: bool) -> Any:
    """Two kernels, play and learn. The first three are tokens. words: of the memory of a thread."""
    local_words, is_local = local_memory(words)

    def play(
        starts, cells_row, own_learner, tuples, memory, options, stray, parts, begun, slices, epsilon, streams, first, rngs,
        results,
    ):  # fmt: skip
        own = cuda.local.array(local_words, types.uint64) if is_local else slices[cuda.grid(1)]
        ((scratch, buffers),) = begin_scratch(parts, begun, own)
        learner, reader = nt.learner_of_rows(own_learner), verbs.unpack(cells, cells_row)
        player = verbs.unpack(opponent, options)
        for i in range(cuda.grid(1), rngs.shape[0], cuda.gridsize(1)):
            rngs[i] = mix(branch(streams[0], first + i))
            play_and_note(
                game, starts, learner, epsilon, tuples, memory, reader, player, stray, has_opponent, buffers, scratch,
                rngs[i : i + 1], i, results,
            )  # fmt: skip

    def learn(memory, changes, coherence, rate):
        length = memory.weights.shape[1]
        for number in range(cuda.grid(1), memory.weights.shape[0] * length, cuda.gridsize(1)):
            table = number // length
            move_weight(memory, changes, table, number - table * length, coherence, rate)

    return card_kernel(play), card_kernel(learn)


class BatchesOnCard:
    """As `BatchesOnCPU`, on a card. is_ahead: whether it has learnt what the memory of the training does not have yet.

    Args:
        plan: what they are of.
        policy: the opponent.
        batch: games of a batch, at most.

    Raises UnsupportedGameError for an opponent, or a game, that a card cannot play.
    """

    def __init__(self, plan: Plan, policy: CompiledPolicy, batch: int) -> None:
        game, cells, opponent, model = plan.game, plan.cells, plan.opponent, plan.model
        shared = model.changes, policy.data
        needs = needs_in((model, scratch_of(game, policy)), shared, f"a game of {game.id} that {policy!r} plays")
        self.room = Room(needs.begun, THREADS, -(-batch // THREADS))
        key = game.token.name, cells.token.name, opponent.token.name, self.room.words, opponent.sits
        if key not in _KERNELS:
            _KERNELS[key] = make_kernels(game.token, cells.token, opponent.token, self.room.words, opponent.sits)
        self._play, self._learn = _KERNELS[key]
        self.plan, rows = plan, nt.rows_of_learner(plan.learner)
        own = plan.starts, cells.row, rows, plan.tuples, plan.memory, np.ascontiguousarray(opponent.options)
        (*self._network, self._options), self._parts, self._changes, self._streams = to_card(
            (own, needs.parts, model.changes, plan.streams)
        )
        self._memory = self._network[-1]
        self.is_ahead = False

    def begin(self) -> None:
        """As `BatchesOnCPU.begin`."""
        if not self.is_ahead:
            for ours, theirs in zip(self.plan.memory, self._memory, strict=True):
                theirs.copy_to_device(ours)

    def fetch(self) -> None:
        """As `BatchesOnCPU.fetch`. Raises what CUDA raises: then nobody has what was learnt."""
        with ctrl_c_held():
            if self.is_ahead:
                for ours, theirs in zip(self.plan.memory, self._memory, strict=True):
                    theirs.copy_to_host(ours)
                self.is_ahead = False

    def forget(self) -> None:
        """As `BatchesOnCPU.forget`."""
        self._changes.words.copy_to_device(np.zeros(self._changes.words.shape, np.int64))

    def play(self, first: int, count: int, epsilon: float) -> Results:
        """As `BatchesOnCPU.play`."""
        results, rngs = to_card(make_results(count)), cuda.device_array(count, np.uint64)
        blocks = min(self.room.blocks, -(-count // THREADS))
        self._play[blocks, THREADS](
            *self._network, self._options, self.plan.opponent.stray, self._parts, self.room.begun, self.room.memory, epsilon,
            self._streams, first, rngs, results,
        )  # fmt: skip
        return Results(*(array.copy_to_host() for array in results))

    def learn(self, rate: float) -> None:
        """As `BatchesOnCPU.learn`."""
        self.is_ahead = True
        self._learn[LEARNING_BLOCKS, LEARNING_THREADS](self._memory, self._changes, self.plan.learner.coherence, rate)
