"""The one-ply player: it plays to the best of the positions that its moves lead to, by the game's heuristic or an evaluation.

Values are for the seat that moves: an action is worth what the afterstate is worth to that seat. Players that are known by
their evaluation have its name: `positional` is `greedy:evaluation=positional`, `mobility:corners=5` has a setting of it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import evaluation_for, require_two_seats, room_in_brackets, scale_of
from boardgym.baselines.search.evaluation import evaluate, horizon_of
from boardgym.core import verbs
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.core.random import draw
from boardgym.core.verbs import rule

LITERAL = "literal_terminal"


class Greedy(NamedTuple):
    """Settings of the one-ply player. scale: what the return of a game that is over is multiplied by."""

    scale: float = 1.0


@rule(Greedy)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The buffer for the legal actions; the evaluation and what it computes in."""
    return np.empty(max_actions, np.int64), horizon_of(data, position)


@rule(Greedy)
def choose(
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """The action with the best afterstate; ties at random, deterministic: the first of them."""
    legal, (evaluation, room) = scratch
    seat, best, ties, chosen = verbs.to_play(position), -np.inf, 0, np.int64(-1)
    for i in range(verbs.legal_actions(position, legal)):
        action = legal[i]
        after = verbs.apply(position, action)
        is_over = verbs.is_terminal(after)
        value = verbs.returns(after, seat) * policy.scale if is_over else evaluate(evaluation, after, seat, room)
        if value > best:
            best, ties, chosen = value, 1, action
        elif value == best and not deterministic:
            ties += 1
            if draw(rng, ties) == 0:
                chosen = action
    return chosen  # type: ignore[return-value]


def make_greedy(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """Reads `greedy`, `greedy:evaluation=NAME`, `greedy:literal_terminal=1,evaluation=NAME(setting=value)`.

    In a game without a heuristic, and without an evaluation, it sees wins and losses alone, and plays at random between others.
    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, argument=False, keywords=("evaluation", LITERAL), inner=room_in_brackets(spec))
    if "evaluation" not in spec.keywords:
        if LITERAL in spec.keywords:
            raise SpecError(f"policy spec {spec.text!r}: {LITERAL}= is of an evaluation; expected evaluation= too")
        return CompiledPolicy(game, Greedy(), "greedy", seed=seed)
    require_two_seats(spec, game)
    evaluation = evaluation_for(spec, game, seed=seed, trust=trust)
    return CompiledPolicy(game, Greedy(end_scale(spec, game, evaluation)), spec.text, data=evaluation.data, seed=seed)


def make_named(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """Reads the name of an evaluation as the player that is greedy by it: `positional`, `positional:corner_condition=0`.

    Its settings are those of the evaluation, and literal_terminal. Raises SpecError, UnsupportedGameError.
    """
    from boardgym.baselines.search.evaluations import named_evaluation  # it loads feature maps, which few players need

    refuse_extras(spec, argument=False, keywords=tuple(spec.keywords))
    given = ", ".join(f"{key}={value}" for key, value in spec.keywords.items() if key != LITERAL)
    try:
        evaluation = named_evaluation(f"{spec.name}({given})" if given else spec.name, game)
    except OptionError as error:
        raise SpecError(f"policy spec {spec.text!r}: {error}") from None
    return CompiledPolicy(game, Greedy(end_scale(spec, game, evaluation)), spec.text, data=evaluation.data, seed=seed)


def end_scale(spec: Spec, game: Game, evaluation: Any) -> float:
    """What the return of a game that is over is multiplied by, so that a win has the value 1, the best there is.

    With literal_terminal=1, the score 1 of an evaluation whose value is s / (spread + |s|), as the Othello thesis prints it: a
    position that scores higher is then better than a win. Raises SpecError.
    """
    text = spec.keywords.get(LITERAL, "0")
    if text not in ("0", "1"):
        raise SpecError(f"policy spec {spec.text!r}: {LITERAL}={text}; expected 0 or 1")
    if text == "0":
        return scale_of(game)
    if not getattr(evaluation.settings, "SQUASHES", False):
        raise SpecError(f"policy spec {spec.text!r}: {LITERAL}=1 is for evaluations that squash a score by spread=")
    return scale_of(game) / (evaluation.settings.spread + 1.0)
