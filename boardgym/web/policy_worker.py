"""What runs in the processes of policies: one is asked for a move, of a board that is set up from its record."""

import functools
import multiprocessing
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any

from boardgym.baselines.arena.game import as_policy, ask
from boardgym.baselines.players.mixtures import Epsilon, Mixture
from boardgym.compile import prepare
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, UntrustedFileError
from boardgym.core.frames import is_compiled as rules_are_compiled
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy
from boardgym.core.random import stream

MOST_POLICIES = 8  # that a process keeps: their tables and networks take memory
POLITENESS = 5  # of a process, so that the server answers while policies think

Said = tuple[str, Any]
_POLICIES: OrderedDict[tuple[str, str, str, bool], Any] = OrderedDict()
_MAKING = threading.Lock()  # in the server more than one thread asks for policies


@dataclass(frozen=True)
class Ask:
    """A question for a move.

    Attributes:
        spec: of the policy.
        game: what is played; it must be found by its module in another process.
        start: position string of the first position. actions: the record since, rolls included.
        seed: of the game; the policy's draws follow from it, the seat to play and the length of the record.
    """

    spec: str
    game: Game
    start: str
    actions: tuple[int, ...]
    seed: int

    def board(self) -> Board:
        """The board as it stands."""
        board = Board(self.game, self.start, auto_roll=False)
        for action in self.actions:
            board.push(action)
        return board


def begin() -> None:
    """Called when a process starts: it ends with the server, however that ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=end_with, args=(parent.sentinel,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(POLITENESS)


def end_with(sentinel: Any) -> None:
    """Waits for the end of another process, and ends this one."""
    connection.wait([sentinel])
    os._exit(1)


def check(spec: str, game: Game, trust: bool) -> Said | None:
    """What is wrong with a spec as (kind, sentence); None if it can sit at a board of the game."""
    try:
        made(spec, game, trust)
    except UntrustedFileError as error:
        return "untrusted", str(error)
    except BoardgymError as error:
        return "spec", str(error)
    except (OSError, ImportError, MemoryError) as error:
        return "spec", f"policy spec {spec!r}: {error or type(error).__name__}"
    return None


def act(question: Ask, trust: bool) -> Said:
    """("action", the policy's legal action), or ("error", why there is none)."""
    try:
        policy, board = made(question.spec, question.game, trust), question.board()
        game_seed = int(stream(question.seed, board.to_play)[0]) >> 1
        reset(policy, game_seed, int(stream(game_seed, len(question.actions))[0]) >> 1)
        action = ask(policy, board, deterministic=False)
        if action not in board.legal_actions:
            return "error", f"it played action {action}, which is illegal at {board.fen()!r}"
    except Exception as error:
        return "error", str(error) if isinstance(error, BoardgymError) else f"{type(error).__name__}: {error}"
    return "action", action


def is_compiled(question: Ask) -> bool:
    """Whether the policy is a compiled one whose kernels for this game are there, so that it answers at once and surely."""
    policy = made(question.spec, question.game, False)
    if not isinstance(policy, CompiledPolicy):
        return False
    preparing().join()
    return has_kernels(question.game) and policy.is_compiled_for(question.board())


_WITH_KERNELS: set[str] = set()


@functools.cache
def preparing() -> threading.Thread:
    """The thread in which Numba loads what any kernel needs. It begins with the first game, which does not wait for it."""
    thread = threading.Thread(target=prepare, daemon=True)
    thread.start()
    return thread


def has_kernels(game: Game) -> bool:
    """Whether a game's rules are compiled, in this process or on the disk, and Numba is ready for them: nobody waits."""
    if preparing().is_alive():
        return False
    if game.token.name not in _WITH_KERNELS and rules_are_compiled(game.token):
        _WITH_KERNELS.add(game.token.name)
    return game.token.name in _WITH_KERNELS


def made(spec: str, game: Game, trust: bool) -> Any:
    """The policy of a spec, made once."""
    key = spec, game.id, repr(sorted(game.options.items())), trust
    with _MAKING:
        if key not in _POLICIES:
            _POLICIES[key] = as_policy(spec, game, seed=0, trust=trust)
            while len(_POLICIES) > MOST_POLICIES:
                _, old = _POLICIES.popitem(last=False)
                if callable(close := getattr(old, "close", None)):
                    close()
        _POLICIES.move_to_end(key)
        return _POLICIES[key]


def reset(policy: Any, game_seed: int, move_seed: int) -> None:
    """Makes a policy's draws those of one move; of a mixture, the member is drawn for the whole game."""
    if isinstance(policy, Mixture):
        policy.reset(seed=game_seed)
        reset(policy.members[policy.index], game_seed, move_seed)
    elif isinstance(policy, Epsilon):
        policy.rng = stream(move_seed)
        reset(policy.inner, game_seed, move_seed)
    elif callable(getattr(policy, "reset", None)):
        policy.reset(seed=move_seed)
