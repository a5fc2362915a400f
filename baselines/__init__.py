"""The agents and how they are compared. Import as `boardgym.baselines`, from wherever it is installed.

`compare` gives an agent's results against a ladder of opponents as a table, `play_match` plays pairs of games between two
agents, `play_game` one game, `random_playouts` random ones from many boards at once, `make_policy` gives the policy that a spec
string names, `rate_interval` what a score rate is worth, `GameWorkers` processes that play games.
"""

from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.game import play_game
from boardgym.baselines.arena.match import Match, play_match
from boardgym.baselines.arena.match_games import GameWorkers
from boardgym.baselines.arena.ratings import rate_interval
from boardgym.baselines.arena.record import GameRecord
from boardgym.baselines.search.random_playouts import Playouts, random_playouts
from boardgym.core.policy_spec import make_policy

assert __name__.startswith("boardgym."), "import boardgym.baselines, not baselines: a second copy of every module would load"

__all__ = [
    "Comparison",
    "GameRecord",
    "GameWorkers",
    "Match",
    "Playouts",
    "compare",
    "make_policy",
    "play_game",
    "play_match",
    "random_playouts",
    "rate_interval",
]
