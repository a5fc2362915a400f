"""The agents and how they are compared. Import as `boardgym.baselines`, from wherever it is installed.

    compare(agent, game, opponents, ...)    results against a ladder of opponents, as a table
    play_match(a, b, game, ...)             pairs of games between two agents
    make_policy(spec, game, ...)            the policy that a spec string names
"""

assert __name__.startswith("boardgym."), "import boardgym.baselines, not baselines: a second copy of every module would load"

from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.match import Match, play_game, play_match
from boardgym.baselines.arena.record import GameRecord
from boardgym.core.policy import make_policy

__all__ = ["Comparison", "GameRecord", "Match", "compare", "make_policy", "play_game", "play_match"]
