"""Policies made of others: `epsilon:p(...)` and `slip:p(...)` stray now and then, `mix(...)` draws one for each game."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy, Policy, interrupt
from boardgym.core.policy_spec import Spec, build_policy, read_number, refuse_extras
from boardgym.core.random import draw, draw_index, fresh_seed, next_word, stream, uniform


class Epsilon:
    """Plays a uniformly random legal action with probability epsilon, else what another policy plays.

    Around a compiled policy, `make_epsilon` gives a compiled one instead.
    """

    name = "epsilon"

    def __init__(self, inner: Policy, epsilon: float, *, seed: int | None = None) -> None:
        self.inner, self.epsilon = inner, epsilon
        self.rng = stream(fresh_seed() if seed is None else seed)
        self.spec = f"{self.name}:{epsilon:g}({getattr(inner, 'spec', inner)})"

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game; a seed is handed on."""
        if seed is not None:
            self.rng = stream(seed)
        self.inner.reset(seed=None if seed is None else int(next_word(self.rng)) >> 1)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The inner policy's action, or now and then a random one, deterministic or not."""
        if uniform(self.rng) < self.epsilon:
            choices = self.choices(board)
            return choices[draw(self.rng, len(choices))]
        return self.inner.act(board, deterministic=deterministic)

    def choices(self, board: Board) -> list[int]:
        """The actions that a random one is drawn from: all that are legal."""
        return board.legal_actions

    def interrupt(self) -> None:
        """Ends the inner policy's search, from another thread."""
        interrupt(self.inner)


class Slip(Epsilon):
    """As `Epsilon`, but a random action is one of those that do not lose at once, if there are any.

    An action loses at once if it ends the game as a loss, or if one reply does. The reply after a roll of the dice is not
    looked at. With `perfect:ties=random` within it is the opponent of M. Thill's measure of Connect Four agents ("Near-Perfect
    Connect-4 after Five Minutes of Training", 2026).
    """

    name = "slip"

    def choices(self, board: Board) -> list[int]:
        """The legal actions that do not lose at once; all of them if each does."""
        return [action for action in board.legal_actions if not loses_at_once(board, action)] or board.legal_actions


def loses_at_once(board: Board, action: int) -> bool:
    """Whether an action ends the game as a loss of the seat to play, or lets another seat's next action do that."""
    seat, after = board.to_play, board.copy()
    after.auto_roll = False
    after.push(action)
    if after.is_terminal:
        return is_lost(after, seat)
    if after.to_play == seat or after.is_chance:
        return False
    for reply in after.legal_actions:
        after.push(reply)
        if after.is_terminal and is_lost(after, seat):
            return True
        after.pop()
    return False


def is_lost(board: Board, seat: int) -> bool:
    """Whether a game that is over paid a seat less than another one."""
    returns = board.returns()
    return returns[seat] < max(returns)


class Mixture:
    """Several policies with weights; `reset` draws the one that plays the next game.

    Attributes: members, the policies; weights, float64, sum 1; index, the member that plays now.
    """

    def __init__(self, members: Sequence[Policy], weights: Sequence[float], *, seed: int | None = None) -> None:
        total = float(sum(weights))
        self.members, self.weights = tuple(members), np.array(weights, np.float64) / total
        self.rng = stream(fresh_seed() if seed is None else seed)
        parts = (f"{w:g}*{getattr(m, 'spec', m)}" for w, m in zip(self.weights, self.members, strict=True))
        self.spec = f"mix({', '.join(parts)})"
        self.index = draw_index(self.weights, self.rng)

    def reset(self, *, seed: int | None = None) -> None:
        """Draws the member that plays the next game."""
        if seed is not None:
            self.rng = stream(seed)
        self.index = draw_index(self.weights, self.rng)
        self.members[self.index].reset(seed=None if seed is None else int(next_word(self.rng)) >> 1)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The action of the member that plays."""
        return self.members[self.index].act(board, deterministic=deterministic)

    def interrupt(self) -> None:
        """Ends the search of the member that plays, from another thread."""
        interrupt(self.members[self.index])


def members_of(policy: Any) -> tuple[tuple[Any, ...], NDArray[np.float64]]:
    """The policies of a mixture and their weights; of any other policy, itself with weight 1."""
    if isinstance(policy, Mixture):
        return policy.members, policy.weights
    return (policy,), np.ones(1)


def make_epsilon(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`epsilon:p(policy)`, p in [0, 1]."""
    inner, epsilon = strayed(spec, game, seed=seed, trust=trust)
    if isinstance(inner, CompiledPolicy):
        either = 1.0 - (1.0 - epsilon) * (1.0 - inner.epsilon)
        policy = copy.copy(inner)  # keeps what its class adds: a clock, an analysis
        policy.spec, policy.epsilon = spec.text, either
        policy.rng = stream(fresh_seed() if seed is None else seed)
        return policy
    return Epsilon(inner, epsilon, seed=seed)


def make_slip(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Slip:
    """`slip:p(policy)`, p in [0, 1]."""
    inner, epsilon = strayed(spec, game, seed=seed, trust=trust)
    return Slip(inner, epsilon, seed=seed)


def strayed(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> tuple[Any, float]:
    """(the policy in brackets, the probability of leaving it)."""
    refuse_extras(spec, inner=1)
    epsilon = read_number(spec.argument, spec.text, "the probability")
    if not 0.0 <= epsilon <= 1.0:
        raise SpecError(f"policy spec {spec.text!r}: the probability {epsilon:g}; expected 0 to 1")
    return build_policy(spec.inner[0], game, seed=seed, trust=trust), epsilon


def make_mixture(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`mix(w*policy, ...)`, weights above 0 (1 where left out); a mixture within a mixture is multiplied out."""
    refuse_extras(spec, argument=False, inner=len(spec.inner))
    if not spec.inner:
        raise SpecError(f"policy spec {spec.text!r}: expected policies in brackets, as in mix(0.7*greedy, 0.3*random)")
    members: list[Any] = []
    weights: list[float] = []
    total = sum(spec.weights)
    for number, (part, weight) in enumerate(zip(spec.inner, spec.weights, strict=True)):
        own_seed = None if seed is None else int(stream(seed, number)[0]) >> 1
        policies, shares = members_of(build_policy(part, game, seed=own_seed, trust=trust))
        members += policies
        weights += [weight / total * share for share in shares]
    return Mixture(members, weights, seed=seed)
