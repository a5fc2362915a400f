"""What a search found, as plain data and in order: the command line, the page and exports tell it in the same words."""

from typing import Any

from boardgym.baselines.search.anytime import moves_of
from boardgym.core.board import Board
from boardgym.core.policy import Analysis


def known_values(analysis: Analysis) -> dict[int, float]:
    """The values of the actions that the search has looked at: UCT has none of an action without visits."""
    counts = analysis.visit_counts
    return {action: value for action, value in analysis.action_values.items() if counts.get(action, 1) > 0}


def ranked(analysis: Analysis) -> list[int]:
    """The actions, the choice first, then by value, those not looked at last."""
    values = known_values(analysis)
    return sorted(analysis.action_values, key=lambda action: (action != analysis.action, -values.get(action, -9.0), action))


def exact_facts(analysis: Analysis) -> dict[str, dict[int, int]]:
    """What a solver has found of actions beyond values: name -> action -> number."""
    facts = {"score": getattr(analysis, "scores", None), "distance": getattr(analysis, "distances", None)}
    return {name: numbers for name, numbers in facts.items() if numbers}


def describe(board: Board, policy: str, analysis: Analysis) -> dict[str, Any]:
    """An analysis as plain data."""
    values, counts, exact = known_values(analysis), analysis.visit_counts, exact_facts(analysis)
    return {
        "game": board.game.id,
        "options": dict(board.game.options),
        "fen": board.fen(),
        "to_play": board.to_play,
        "policy": policy,
        "move": board.move_text(analysis.action),
        "action": analysis.action,
        "value": analysis.value,
        "is_proven": analysis.is_proven,
        "line": moves_of(board, analysis.principal_variation),
        "moves": [
            {"move": board.move_text(action), "action": action, "value": values.get(action), "nodes": counts.get(action)}
            | {name: numbers.get(action) for name, numbers in exact.items()}
            for action in ranked(analysis)
        ],
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": analysis.seconds,
        "cutoffs": analysis.cutoffs,
        "table_hits": analysis.table_hits,
    }
